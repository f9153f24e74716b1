"""Out of step and back: what cannot be ruled on is said to lie there, once nothing moves and nobody has objected."""

from collections.abc import Mapping

from companion.core.clocks import SECOND
from companion.core.sentence import N_, Sentence
from companion.games.triple3.rules import CELLS, Lies
from companion.games.triple3.witness_piles import CLEAR, HANDS_OFF, IN_LINE, KNOCKED, Play
from companion.games.triple3.witness_ruling import Judging
from companion.watch.evidence import InStep, LookAgain, Noticed

CALLED_STAYS = N_("Take it back; if it stays it counts from now on.")
HEEDED = 15 * SECOND  # within which people take back what was called
EYES_BACK = N_("Stop until I see the table again; I then read all nine cells and go on.")


class Settling(Judging):
    """Keeps the match and the table together."""

    def __init__(self, seats: Mapping[str, str] | None = None) -> None:
        super().__init__(seats)
        self._lost: dict[str, int] = {}  # what is wrong with the whole table, since when
        self._grid_awaited = False

    def _settle(self) -> None:
        """Say what lies there, where nobody can know how it came there and nobody has objected."""
        for play in list(self._plays.values()):
            if self._plays.get(play.card) is not play:
                continue  # it counts already, with another one
            if play.status == "moved":
                self._settle_moved(play)
            elif play.status == "called":
                self._settle_called(play)
            elif self._is_due(play):
                self._say_left_lying(play)
                self._say_lies(play)
                self._learn_that_it_counts(play)

    def _is_due(self, play: Play) -> bool:
        """Whether it is to be said now that it lies there; not of what was called, while people settle just that."""
        if play.status == "stays":
            return self._state.phase == "play" and self._is_at_rest(play)
        return play.status == "odd" and (self._is_at_rest(play) or self._is_in_the_way(play))

    def _settle_called(self, play: Play) -> None:
        """A card that was called and that nobody takes back: people go on as if it counted, and so must the match."""
        lies = self._top(play.cell) == play.card and self._eyes[play.cell].is_clear
        if lies and self._state.phase == "play" and self._stamp - play.since >= HEEDED:
            sentence = Sentence(
                "{card} was called on cell {cell}, and it still lies there.", card=play.card, cell=play.cell
            )
            play.status, play.since = "stays", self._stamp
            self._out_of_step(play.cell, "called-stays", sentence, CALLED_STAYS)

    def _say_left_lying(self, play: Play) -> None:
        """What was called and counts all the same is not counted without a word."""
        if play.status == "stays":
            sentence = Sentence(
                "{card} was called on cell {cell} and was left lying: it counts from now on.",
                card=play.card,
                cell=play.cell,
            )
            self._do(Noticed(self._stamp, (play.cell,), "left-lying", sentence))

    def _settle_moved(self, play: Play) -> None:
        """A card that slid here from another cell: there are some seconds to put it back."""
        other = self._eyes[play.came_from] if play.came_from else None
        if other and other.is_clear and other.look and other.look.card == play.card and not play.blind:
            self._stacks[play.cell - 1].remove(play.card)
            self._stacks[play.came_from - 1].append(play.card)
            del self._plays[play.card]
            self._impossible(play.cell, play.card, play.came_from)
            return
        is_over = self._stamp - play.since >= KNOCKED
        is_clear = bool(other and other.is_clear)
        if play.came_from and not play.is_told and not play.blind and (is_over or is_clear):
            self._say_knocked(play)
        if is_over:
            self._say_lies(play)
            self._learn_that_it_counts(play)

    def _is_at_rest(self, play: Play) -> bool:
        eye = self._eyes[play.cell]
        rests = eye.is_clear and self._stamp - max(eye.turned, play.since) >= CLEAR
        return play.blind or bool(play.came_from) or rests

    def _is_in_the_way(self, play: Play) -> bool:
        """Whether the ruling on another play hangs on what lies here."""
        touched = IN_LINE[play.cell] | IN_LINE.get(play.came_from, frozenset()) | {play.cell, play.came_from}
        return self._eyes[play.cell].is_clear and any(other.cell in touched for other in self._held())

    def _compare(self) -> None:
        """A cell that has been clear for a while must show what the match has there."""
        sliding = {play.came_from for play in self._plays.values()}
        for cell in CELLS:
            eye = self._eyes[cell]
            if cell in sliding or cell in self._troubles or self._stamp - eye.turned < CLEAR or not eye.is_clear:
                continue
            top = self._top(cell)
            if self._match_agrees(cell) or any(card in self._plays for card in self._stacks[cell - 1]):
                continue
            self._out_of_step(
                cell,
                "differs",
                Sentence("Cell {cell} shows {top}, and the match has something else there.", cell=cell, top=top),
            )
            if self._state.piles[cell - 1][-1].card != top:
                self._make_or_say(Lies("", cell, top), cell)

    def _lose(self, code: str, sentence: str, way_back: str = "") -> None:
        self._lost[code] = self._stamp
        self._out_of_step(0, code, sentence, way_back or (HANDS_OFF if code == "covered" else EYES_BACK))

    def _found_again(self, code: str) -> None:
        if self._lost.pop(code, None) is None or self._lost:
            return
        if code != "covered":
            self._grid_awaited = True
            self._do(LookAgain(self._stamp, ()))

    def _back_in_step(self) -> None:
        for cell, trouble in list(self._troubles.items()):
            if self._is_in_step(cell):
                del self._troubles[cell]
                cells = (cell,) if cell else ()
                self._do(InStep(self._stamp, cells, trouble.code, self._stamp - trouble.since))

    def _is_in_step(self, cell: int) -> bool:
        if self._state.phase not in ("play", "stopped") and not self._lost:
            return True
        if not cell:
            return not self._lost and not self._grid_awaited and all(eye.is_clear for eye in self._eyes.values())
        top = self._top(cell)
        is_settled = top not in self._plays or self._plays[top].status in ("held", "called", "aside")
        return is_settled and self._is_known(cell) and self._match_agrees(cell)
