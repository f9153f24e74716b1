"""The display without a screen: which screen is shown, what it knows, and what an intent does.

It talks to the referee as the door does: a message goes into the table with the stamp of the touch, and what is shown
is what comes back, which is on disk before.
"""

import time
from collections.abc import Callable
from types import MappingProxyType
from typing import Protocol

from companion.core.match import Match
from companion.core.referee import MARK_EVERY
from companion.core.rules import Move
from companion.core.seats import BotSeats
from companion.core.session import Session
from companion.devices.camera import CameraSight, OtherDeck, RoomCamera
from companion.display.asking import Asking
from companion.display.conversation import Conversation, Hearer
from companion.display.display_state import DisplayState
from companion.display.laid_mat import LaidMat
from companion.display.layout import Size
from companion.display.library import Library
from companion.display.navigation import TEACHING
from companion.display.past import past
from companion.display.remembered import Remembered
from companion.display.scene import Intent, Scene
from companion.display.screens import scene
from companion.display.shown_replies import ShownReplies
from companion.display.surroundings import Surroundings
from companion.display.touches import Touches
from companion.display.view import NOTHING, Past, Prefs, View
from companion.doctor.health import Around, usual_checks
from companion.inputs.inbox import Ear
from companion.journal import Journal
from companion.seat.table import PlainTable, Seated
from companion.teaching.table_deck import reader_at_table
from companion.teaching.teaching_desk import TeachingDesk
from companion.words import Words

NO_SIGHT = CameraSight()


class Listener(Protocol):
    """Something beside the screen that goes along with the app, such as the sound."""

    @property
    def troubles(self) -> tuple[str, ...]:
        """What is wrong with it, in English sentences."""
        ...

    def touched(self, intent: Intent) -> None:
        """After it was done."""
        ...

    def wakes_at(self, now: int) -> int | None: ...

    def attend(self, now: int) -> None: ...


class App:
    """The one place where the display changes. `scene` is what is to be drawn now."""

    def __init__(
        self,
        size: Size,
        journal: Journal | None = None,
        *,
        prefs: Prefs | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
        table_for: Callable[[Session], Seated] = PlainTable,
        remember: Remembered | None = None,
        library: Library | None = None,
        camera: RoomCamera | None = None,
    ) -> None:
        self.surroundings = Surroundings(journal, camera=camera)
        prefs = prefs or (remember.prefs if remember else Prefs())
        self.state = state = DisplayState(size, prefs, past(journal), clock)
        self.listeners: list[Listener] = []
        self.library = library or Library(journal, checks=lambda: usual_checks(self._around))
        self.library.table = lambda: (state.seen, state.prefs.language)
        self._sight = NO_SIGHT
        self._laid_mat = LaidMat(state, self.surroundings)
        self.teaching = self.surroundings.teaching = TeachingDesk(self.library.call)
        if camera is not None:
            camera.taught = lambda game, deck: reader_at_table(game, deck, state.prefs.decks.get(game, ""))
        self._conversation = Conversation(clock, table_for, lambda: state.is_running)
        self._asking = Asking(state, self._conversation)
        self._conversation.screen = ShownReplies(state, self._conversation, self._asking).hear
        self._touches = Touches(state, self._conversation, self._asking, self.library, self.surroundings, remember)
        self._touches.tell_of_settings(remember.notice if remember else "")

    # --- what is to be seen --------------------------------------------------------------------------------

    @property
    def view(self) -> View:
        state, around, camera = self.state, self.surroundings, self.surroundings.camera
        place = state.places.top
        is_free = not (state.seen and state.is_running and state.seen.paused is None)
        return View(
            state.size,
            state.words,
            place.screen,
            place.about,
            state.draft,
            state.prefs,
            MappingProxyType(dict(place.marks)) if place.marks else NOTHING,
            state.seen,
            state.notices.shown,
            state.advice,
            state.past,
            state.places.depth,
            self.library.shelf(place.screen, place.about, dict(place.marks)),
            troubles=state.troubles,
            passed=state.passed,
            ailing=state.ailing,
            question=self._asking.question,
            refused=state.refused_code,
            can_lead=around.practise is not None and is_free,
            has_bg_stats=around.has_bg_stats,
            has_board=around.has_board,
            draws=around.draws,
            bot_seats=around.bot_seats,
            sight=camera.sight if camera else NO_SIGHT,
            teaching=self.teaching.sight,
        )

    @property
    def scene(self) -> Scene:
        if self.state.scene is None:
            self.state.scene = scene(self.view)
        return self.state.scene

    @property
    def words(self) -> Words:
        return self.state.words

    @property
    def prefs(self) -> Prefs:
        return self.state.prefs

    @property
    def journal(self) -> Journal | None:
        return self.surroundings.journal

    @property
    def is_left(self) -> bool:
        return self.state.is_left

    @property
    def hearers(self) -> list[Hearer]:
        """What else is to hear whatever the referee says, after the screen."""
        return self._conversation.hearers

    @property
    def match(self) -> Match | None:
        return self._conversation.match

    @property
    def has_buttons(self) -> bool:
        """A match goes on in which what is pressed is taken in."""
        table = self._conversation.table
        return table is not None and table.inbox.has_buttons

    @property
    def ears(self) -> list[Ear]:
        """What can be waited for besides touches: readable when something was pressed or seen."""
        found, camera = self._conversation.ears, self.surroundings.camera
        return found if camera is None or camera.is_watched else [*found, *camera.ears]

    # --- time ----------------------------------------------------------------------------------------------

    @property
    def now(self) -> int:
        """The machine's time."""
        return self.state.clock()

    def table_time(self, now: int) -> int:
        """What the clocks of the match say at this stamp."""
        return self._conversation.table_time(now)

    @property
    def due(self) -> tuple[int, Move] | None:
        """A move that the referee makes by itself, and the stamp at which it falls due."""
        return self._conversation.due

    def wakes_at(self, now: int) -> int | None:
        """The stamp at which there is something to do without a touch; None: wait for one."""
        if self.library.is_busy:
            return now
        looks_until = self._laid_mat.looks_until(self._conversation.touched)
        found = [
            self.state.notices.wakes_at,
            looks_until if looks_until > now else None,
            *(listener.wakes_at(now) for listener in self.listeners),
        ]
        table = self._conversation.table
        if table is not None:
            found += [*self._conversation.wakes_at(table), *self._scene_wakes_at(now)]
        return min((at for at in found if at is not None), default=None)

    def _scene_wakes_at(self, now: int) -> list[int | None]:
        seen = self.state.seen
        found: list[int | None] = [now + MARK_EVERY] if seen and not seen.is_over else []
        found.append(self.scene.moves_at(now))
        if seen and seen.stands:
            return found
        shows = self.scene.wakes_at(at := self.table_time(now))
        if shows is not None:
            found.append(now + shows - at)
        found += [now + moment - at for moment in self.state.moments if moment > at]
        return found

    def attend(self, now: int) -> None:
        """Take in what was pressed, and let time pass: deadlines fall due."""
        state = self.state
        if self.library.work():
            state.redraw()
        self._conversation.attend(now)
        self._look_at_clock(now)
        self._look_through_camera(now)
        if state.notices.pass_time(now):
            state.redraw()
        for listener in self.listeners:
            listener.attend(now)
        troubles = tuple(trouble for listener in self.listeners for trouble in listener.troubles)
        if troubles != state.troubles:
            state.troubles = troubles
            state.redraw()

    def _look_at_clock(self, now: int) -> None:
        at = self.table_time(now) if self.state.moments else 0
        passed = max((moment for moment in self.state.moments if moment <= at), default=0)
        if passed != self.state.passed:
            self.state.passed = passed
            self.state.redraw()

    def _look_through_camera(self, now: int) -> None:
        """Whatever it sees now is shown; it is told whether its pictures are. A deck is taught from them."""
        camera = self.surroundings.camera
        game, _, name = self.state.places.about(TEACHING).partition(":")
        if self.teaching.follow((name, game) if name else None, camera):
            self.state.redraw()
        if camera is None:
            return
        camera.choose(self._laid_mat.cards(self._sight))
        camera.show(on=self.scene.is_live or now < self._laid_mat.looks_until(self._conversation.touched))
        if not camera.is_watched:
            for news in camera.attend(now):  # nobody judges what is seen
                if isinstance(news, OtherDeck):
                    self.state.tell_of("notice", news.why)
        if camera.sight is not self._sight:
            self._sight = camera.sight
            self.state.redraw()

    # --- intents -------------------------------------------------------------------------------------------

    def take(self, intent: Intent, stamp: int) -> None:
        """Do what a touch means. `stamp` is when it happened, by the monotonic clock."""
        self._touches.take(intent, stamp)
        for listener in self.listeners:
            listener.touched(intent)

    def close(self, stamp: int) -> None:
        """The window is closed: a match that runs is paused, so that its clocks stand as they stand now."""
        self._touches.close(stamp)

    def resize(self, size: Size) -> None:
        self.state.size = size
        self.state.redraw()

    # --- what stands around it -----------------------------------------------------------------------------

    def seat_bots(self, seats: BotSeats) -> None:
        """This table has bots for some games."""
        self.surroundings.bot_seats = seats
        self.state.past = past(self.journal, seats)
        self.state.redraw()

    def mention(self, sentence: str) -> bool:
        """An English sentence about something beside the match; False if something else is being said just now."""
        return self.state.mention(sentence)

    def take_back(self, sentence: str) -> None:
        """What this says is not so any more."""
        self.state.take_back(sentence)

    def keep_in(self, journal: Journal) -> None:
        """There is a journal after all: what begins from now on is kept."""
        around = self.surroundings
        around.journal, around.unkept = journal, ""
        self.state.past = past(journal, around.bot_seats)
        self.library.keep_in(journal)
        table = self._conversation.table
        if table is not None:
            table.session.referee.journal = journal  # for the rematch
        self.state.redraw()

    def lend_journal(self, why: str) -> bool:
        """Give the journal away, if nobody plays just now. Until it is back no match begins; what was played lies in
        it, and is offered from there."""
        state, around = self.state, self.surroundings
        is_played = state.is_running and state.seen is not None and state.seen.paused is None
        if self._conversation.table is not None and (is_played or state.places.depth):
            return False
        self._conversation.get_up()
        state.seen = self._asking.question = state.advice = None
        around.journal, around.unkept, around.is_journal_lent, state.past = None, why, True, Past()
        self.library.keep_in(None)
        state.redraw()
        return True

    @property
    def is_played_unkept(self) -> bool:
        """A match is played of which nothing will be left."""
        table = self._conversation.table
        return self.state.is_running and table is not None and not table.session.referee.is_kept

    def show_ailing(self, devices: tuple[str, ...]) -> None:
        """A small sign stands on the screen while there are any."""
        if devices != self.state.ailing:
            self.state.ailing = devices
            self.state.redraw()

    @property
    def _around(self) -> Around:
        """What the doctor is told of this table."""
        state, around, journal = self.state, self.surroundings, self.journal
        return Around(
            lambda: state.size,
            journal.path if journal else None,
            journal.notices if journal else (),
            around.camera,
            lambda: (state.prefs.volume, state.troubles),
            around.publishing,
            around.parts,
            around.unkept,
            around.configuration,
        )
