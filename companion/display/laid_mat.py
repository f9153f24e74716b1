"""Which mat people lay, while nobody plays: what the camera is to read, and until when it looks."""

from companion.core.clocks import SECOND
from companion.core.game_print import decks, game_on, usual_deck
from companion.devices.camera import CameraSight, Cards
from companion.display.display_state import DisplayState
from companion.display.navigation import ROOT
from companion.display.surroundings import Surroundings

LOOKS = 60 * SECOND  # after the newest touch


class LaidMat:
    """The camera reads the cards of the game that is set up, else of the one whose mat was seen last."""

    def __init__(self, state: DisplayState, around: Surroundings) -> None:
        self._state, self._around = state, around
        self._began = state.clock()
        self._lying = decks()[usual_deck()]

    def cards(self, sight: CameraSight) -> Cards:
        self._lying = game_on(sight.mat) or self._lying
        game = self._state.draft.game if self._state.places.has("players") else self._lying
        return Cards(game, self._state.prefs.decks.get(game, ""))

    def looks_until(self, touched: int) -> int:
        """Where a game is chosen, as long as somebody is about; a drawn table lays its mat by itself."""
        is_open = self._around.camera is not None and not self._around.draws
        return max(self._began, touched) + LOOKS if is_open and self._state.places.top.screen == ROOT else 0
