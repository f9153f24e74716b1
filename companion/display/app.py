"""The display without a screen: which screen is shown, what it knows, and what an intent does.

It talks to the referee as the door does: a message goes into the table with the stamp of the touch, and what is shown
is what comes back, which is on disk before.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

from companion.bench import LookRequest
from companion.camera import BY as CAMERA
from companion.camera import Camera, Sight
from companion.clocks import Clock
from companion.display.layout import Size
from companion.display.library import Library
from companion.display.notices import Notices
from companion.display.past import draft_for, past
from companion.display.question import ANSWERED, ASKED, Question, is_quiet
from companion.display.question import SCREEN as QUESTION
from companion.display.remembered import Remembered
from companion.display.scene import (
    Back,
    Change,
    Dismiss,
    Go,
    GoOn,
    Intent,
    Leave,
    Mark,
    Practise,
    Refresh,
    Run,
    Say,
    Scene,
    Start,
)
from companion.display.screens import scene
from companion.display.view import NOTHING, Draft, Notice, Past, Prefs, Seen, View, seen
from companion.dispute import Really
from companion.door import GRACE
from companion.exc import CompanionError
from companion.journal import Journal
from companion.match import Match, set_up
from companion.parts import Part
from companion.protocol import Correct, MoveMessage, Pause, Request, Resume, Session, Undo, error_reply, reply_plain
from companion.referee import GONE_ON, MARK_EVERY, Referee
from companion.rules import Move
from companion.seats import BotSeats
from companion.table import Ear, Seated, Table
from companion.ways import Senses, as_it_can_be
from companion.wellbeing import Around, Finding, usual_checks
from companion.words import Words

if TYPE_CHECKING:
    from companion.configuration import Configuration

ROOT = "games"
CLOSED = "The window was closed."  # said
LEFT = "You left the table."  # said
INTERRUPTED = "The match was interrupted."  # said
ASKS = "Something is put right."  # said
STAYS = "The table stays open: it is switched off at the wall."  # said
NO_SIGHT = Sight()
CALLED_BACK = ("stopped", "count")  # phases in which everybody has to look at the table

Hearer = Callable[[dict[str, Any]], None]


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


@dataclass(frozen=True, slots=True)
class Place:
    """A screen, what it is about, and what is chosen on it."""

    screen: str
    about: str = ""
    marks: tuple[tuple[str, Any], ...] = ()


class App:
    """The one place where the display changes. `scene` is what is to be drawn now."""

    def __init__(
        self,
        size: Size,
        journal: Journal | None = None,
        *,
        prefs: Prefs | None = None,
        clock: Callable[[], int] = time.monotonic_ns,
        table_for: Callable[[Session], Seated] = Table,
        remember: Remembered | None = None,
        library: Library | None = None,
        camera: Camera | None = None,
    ) -> None:
        self.size = size
        self.unkept = ""  # why there is no journal
        self.journal = journal
        self.prefs = prefs or (remember.prefs if remember else Prefs())
        self.library = library or Library(journal, checks=lambda: usual_checks(self._around))
        self.library.table = lambda: (self._seen, self.prefs.language)
        self.is_left = False
        self.draws = False  # cards are drawn beside it
        self.bot_seats = BotSeats()
        self.stays = False  # there is nothing behind it that somebody could want to go to
        self._clock = clock
        self._remember = remember
        self.hearers: list[Hearer] = []  # what else is to hear whatever the referee says, after the screen
        self.listeners: list[Listener] = []
        self.publishing: Callable[[], Finding] | None = None  # what the doctor is told of it
        self.configuration: Configuration | None = None  # of this table, if not the usual one
        self.bots: Callable[[], frozenset[str]] = frozenset  # who of the match is played by the machine
        self.parts: Callable[[], tuple[Part, ...]] = tuple  # the devices that are supervised
        self.practise: Callable[[str, int], None] | None = None  # leads somebody through a first round of a game
        self._ailing: tuple[str, ...] = ()
        self._troubles: tuple[str, ...] = ()
        self._table_for = table_for
        self._table: Seated | None = None
        self._camera, self._sight = camera, NO_SIGHT
        self._seen: Seen | None = None
        self._past: Past = past(journal)
        self._draft = Draft()
        self._places = [Place(ROOT)]
        self._notices = Notices()
        self._refused_code = ""  # of the foul that was told last, until the next ruling
        self._advice: dict[str, Any] | None = None
        self._question: Question | None = None
        self._later: list[Request] = []  # to be said as soon as everything has been heard
        self._touched = 0  # the stamp of the newest touch
        self._changes = 0
        self._passed = 0
        self._rest_until = 0
        self._scene: Scene | None = None
        self.words = Words(self.prefs.language)
        self._tell_of_settings(remember.notice if remember else "")
        self._takes: dict[type[Intent], Callable[[Any, int], None]] = {
            Say: self._said,
            Go: self._go,
            Back: self._back,
            Mark: self._mark,
            Change: self._change,
            Start: self._start,
            GoOn: self._go_on,
            Practise: self._practise,
            Dismiss: self._dismiss,
            Refresh: self._refresh,
            Run: self._run,
            Leave: self._leave,
        }
        self._hears: dict[str, Callable[[dict[str, Any]], None]] = {
            "match": self._heard_match,
            "ruling": self._heard_ruling,
            "foul": self._heard_foul,
            "error": self._heard_error,
            "notice": partial(self._heard_sentence, "notice"),
            "done": self._heard_done,
            "correction": self._heard_correction,
            "preview": self._heard_preview,
            "dispute": partial(self._shows_until_ruled, "dispute"),
            "seen": partial(self._heard_sentence, "notice"),
            "put-right": self._heard_put_right,
            "advice": self._heard_advice,
        }

    # --- what is to be seen --------------------------------------------------------------------------------

    @property
    def view(self) -> View:
        place = self._places[-1]
        return View(
            self.size,
            self.words,
            place.screen,
            place.about,
            self._draft,
            self.prefs,
            MappingProxyType(dict(place.marks)) if place.marks else NOTHING,
            self._seen,
            self._notices.shown,
            self._advice,
            self._past,
            len(self._places) - 1,
            self.library.shelf(place.screen, place.about, dict(place.marks)),
            troubles=self._troubles,
            passed=self._passed,
            ailing=self._ailing,
            question=self._question,
            refused=self._refused_code,
            can_lead=self.practise is not None and not (self._seen and self._is_running and self._seen.paused is None),
            draws=self.draws,
            bot_seats=self.bot_seats,
            sight=self._camera.sight if self._camera else NO_SIGHT,
        )

    @property
    def scene(self) -> Scene:
        if self._scene is None:
            self._scene = scene(self.view)
        return self._scene

    @property
    def now(self) -> int:
        """The machine's time."""
        return self._clock()

    @property
    def camera(self) -> Camera | None:
        return self._camera

    @property
    def match(self) -> Match | None:
        return self._table.session.referee.match if self._table else None

    @property
    def has_buttons(self) -> bool:
        """A match goes on in which what is pressed is taken in."""
        return self._table is not None and self._table.has_buttons

    def table_time(self, now: int) -> int:
        """What the clocks of the match say at this stamp."""
        if self._table is None:
            return now
        referee = self._table.session.referee
        return referee.table_time(max(now, referee.stamp or now))

    @property
    def ears(self) -> list[Ear]:
        """What can be waited for besides touches: readable when something was pressed or seen."""
        found = self._table.ears if self._table else []
        return found if self._camera is None or self._camera.is_watched else [*found, *self._camera.ears]

    # --- time ----------------------------------------------------------------------------------------------

    def wakes_at(self, now: int) -> int | None:
        """The stamp at which there is something to do without a touch; None: wait for one."""
        if self.library.is_busy:
            return now
        found = [self._notices.wakes_at, *(listener.wakes_at(now) for listener in self.listeners)]
        if self._table is not None:
            found += self._table_wakes_at(now, self._table)
        return min((at for at in found if at is not None), default=None)

    def _table_wakes_at(self, now: int, table: Seated) -> list[int | None]:
        referee = table.session.referee
        due = referee.due_at()
        found = [table.wakes_at, None if due is None else max(due + self._grace, self._rest_until)]
        if self._seen and not self._seen.is_over:
            found.append(now + MARK_EVERY)
        found.append(self.scene.moves_at(now))
        if self._seen and self._seen.stands:
            return found
        shows = self.scene.wakes_at(at := self.table_time(now))
        if shows is not None:
            found.append(now + shows - at)
        found += [now + moment - at for moment in self._moments if moment > at]
        return found

    @property
    def _moments(self) -> tuple[int, ...]:
        """When something may be done that could not be done before, although nobody has done anything."""
        found: tuple[int, ...] = getattr(self._seen.state, "moments", ()) if self._seen else ()
        return found

    def _look_at_clock(self, now: int) -> None:
        at = self.table_time(now) if self._moments else 0
        passed = max((moment for moment in self._moments if moment <= at), default=0)
        if passed != self._passed:
            self._passed = passed
            self._redraw()

    @property
    def _grace(self) -> int:
        return max(GRACE, 2 * self._table.window) if self._table else GRACE

    @property
    def due(self) -> tuple[int, Move] | None:
        """A move that the referee makes by itself, and the stamp at which it falls due."""
        if self._table is None or not self._is_running:
            return None
        referee = self._table.session.referee
        at, deadline = referee.due_at(), referee.match.deadline
        return None if at is None or deadline is None else (at, deadline.move)

    def attend(self, now: int) -> None:
        """Take in what was pressed, and let time pass: deadlines fall due."""
        self._attend_table(now)
        self._look_at_clock(now)
        self._look_through_camera(now)
        if self._notices.pass_time(now):
            self._redraw()
        for listener in self.listeners:
            listener.attend(now)
        troubles = tuple(trouble for listener in self.listeners for trouble in listener.troubles)
        if troubles != self._troubles:
            self._troubles = troubles
            self._redraw()

    def _attend_table(self, now: int) -> None:
        if self.library.work():
            self._redraw()
        if self._table is None:
            return
        self._hear(self._table.attend(now))
        stamp = now - self._grace
        oldest = self._table.session.referee.stamp
        if oldest is None or stamp < oldest or now < self._rest_until or not self._is_running:
            return
        try:
            self._hear(list(self._table.session.pass_time(stamp)))
        except CompanionError as error:
            self._rest_until = now + MARK_EVERY
            self._hear([reply_plain(error_reply(error))])

    def _look_through_camera(self, now: int) -> None:
        """Whatever it sees now is shown; it is told whether its pictures are."""
        if self._camera is None:
            return
        self._camera.show(on=self.scene.is_live)
        if not self._camera.is_watched:
            for _ in self._camera.attend(now):
                pass  # nobody judges what is seen
        if self._camera.sight is not self._sight:
            self._sight = self._camera.sight
            self._redraw()

    @property
    def _is_running(self) -> bool:
        return self._seen is not None and not self._seen.is_over

    # --- intents -------------------------------------------------------------------------------------------

    def take(self, intent: Intent, stamp: int) -> None:
        """Do what a touch means. `stamp` is when it happened, by the monotonic clock."""
        self._touched = stamp
        if not isinstance(intent, Mark):  # whoever chooses something is still at what the notice is about
            self._notices.settle(self._clock())
        try:
            self._takes[type(intent)](intent, stamp)
        except CompanionError as error:
            self._hear([reply_plain(error_reply(error))])
        self._say_the_rest()
        for listener in self.listeners:
            listener.touched(intent)

    def close(self, stamp: int) -> None:
        """The window is closed: a match that runs is paused, so that its clocks stand as they stand now."""
        self._pause(CLOSED, stamp)
        self.library.stale()
        self._get_up()
        self.is_left = True

    def _pause(self, why: str, stamp: int) -> None:
        """Stop the clocks of a match that runs, because nobody sees them any more."""
        if self._is_running and self._seen is not None and self._seen.paused is None:
            self._said(Say(Pause(why)), stamp)
            if (
                self._table is not None and self._table.window
            ):  # before anybody goes away, whatever may still be pressed
                self._hear(self._table.attend(stamp + self._table.window))

    def seat_bots(self, seats: BotSeats) -> None:
        """This table has bots for some games."""
        self.bot_seats = seats
        self._past = past(self.journal, seats)
        self._redraw()

    def resize(self, size: Size) -> None:
        self.size = size
        self._scene = None

    def _said(self, intent: Say, stamp: int) -> None:
        if isinstance(intent.message, Undo):
            for _ in range(self._back_to_a_person() - 1):
                self._send(intent.message, stamp, stamp)
        message = MoveMessage(intent.message, stamp, "") if isinstance(intent.message, Move) else intent.message
        if isinstance(message, Correct | Really) and message.preview:
            paused = self._question is not None and self._question.is_paused
            self._question = Question(message, is_paused=paused)
            message = self._question.asked()
        self._send(message, stamp, stamp)

    def _back_to_a_person(self) -> int:
        """How many undos go back to what a person did last, a move or a correction. Bots would do again at once what
        they did since."""
        bots = self.bots()
        if not bots or self.match is None:
            return 1
        acts = enumerate(self.match.undone_next(), 1)
        persons = (number for number, move in acts if move is None or not (move.by_referee or move.player in bots))
        return next(persons, 1)

    def _send(self, message: MoveMessage | Request, stamp: int, now: int) -> None:
        if self._table is not None:
            self._table.say(replace(message, at=stamp), stamp)
            self._hear(self._table.attend(now))

    def _go(self, intent: Go, stamp: int) -> None:
        self.library.stale()
        if intent.screen == ROOT:
            self._pause(LEFT, stamp)
            self._forget_foul()
        place = Place(intent.screen, intent.about)
        known = [(before.screen, before.about) for before in self._places]
        if (place.screen, place.about) in known:
            self._places = self._places[: known.index((place.screen, place.about))]
        elif self._places[-1].screen == place.screen and self._places[-1].about:
            self._places.pop()  # the same about something else: nobody wants to go back through all of them
        self._places.append(place)
        if intent.screen == "players" and intent.about:
            senses = Senses(draws=self.draws)
            self._draft = draft_for(intent.about, self._past, self.words, senses, self.bot_seats)
        if intent.screen == ROOT:
            self._past = past(self.journal, self.bot_seats)
        self._redraw()

    def _back(self, _intent: Back, _stamp: int) -> None:
        self.library.stale()
        if self._places[-1].screen == QUESTION:
            self._leave_question()
        elif len(self._places) > 1:
            self._places.pop()
        if len(self._places) == 1:
            self._past = past(self.journal, self.bot_seats)
        self._redraw()

    def _mark(self, intent: Mark, _stamp: int) -> None:
        place = self._places[-1]
        kept = {key: mark for key, mark in place.marks if intent.keeps is None or key in intent.keeps}
        marks = {**kept, intent.key: intent.value}
        if intent.value is None:
            del marks[intent.key]
        self._places[-1] = replace(place, marks=tuple(marks.items()))
        self._redraw()

    def _change(self, intent: Change, stamp: int) -> None:
        if isinstance(intent.to, Draft):
            self._draft = intent.to
        else:
            self.prefs = intent.to
            self.words = Words(self.prefs.language)
            self._tell_of_settings(self._remember.keep(self.prefs) if self._remember else "")
        self._redraw()
        if intent.then is not None:
            self._takes[type(intent.then)](intent.then, stamp)

    def _start(self, _intent: Start, stamp: int) -> None:
        draft = self._draft
        colours = tuple(player.colour for player in draft.players)
        bots = tuple(player.bot for player in draft.players) if draft.game in self.bot_seats.games else None
        house = as_it_can_be(draft.playing, draft.house, Senses(sees=True, draws=self.draws))
        setup = set_up(draft.playing, draft.names, house, colours=colours, bots=bots)
        self._sit_down(Referee.begin(setup, stamp, self.journal))

    def _go_on(self, intent: GoOn, stamp: int) -> None:
        if self.journal is None:
            return
        referee = Referee.go_on(self.journal, None, intent.code)
        self._sit_down(referee)
        # A touch may be older than what it leads to, on a slow machine by seconds; no clock runs unseen.
        now = max(stamp, self._clock())
        referee.table_time(now)
        if not referee.match.stands:  # it was not left in order, and nobody knows yet whose clock will run
            self._pause(INTERRUPTED, now)

    def _practise(self, intent: Practise, stamp: int) -> None:
        if self.practise is not None:
            self.practise(intent.game, stamp)

    def _sit_down(self, referee: Referee) -> None:
        self._get_up()
        self._question = None
        session = Session(referee, self._clock)
        self._table = self._table_for(session)
        self._hear(session.greeting())

    def _get_up(self) -> None:
        if self._table is not None:
            self._table.close()
            self._table = None

    def _run(self, intent: Run, stamp: int) -> None:
        clock = intent.clock or self.view.marks.get(intent.key, Clock())
        if not intent.on:
            clock = clock.stop(stamp)
            clock = replace(clock, used=min(clock.used, clock.limit or clock.used))
        else:
            clock = replace(clock, used=0 if clock.left_at(stamp) == 0 else clock.used_at(stamp), since=stamp)
        self._mark(Mark(intent.key, clock), stamp)

    def _refresh(self, _intent: Refresh, _stamp: int) -> None:
        self.library.refresh()
        self._redraw()

    def _dismiss(self, _intent: Dismiss, _stamp: int) -> None:
        self._tell(None)

    def _leave(self, intent: Leave, stamp: int) -> None:
        if self.stays:
            self.mention(STAYS)
        elif not intent.is_sure:
            self._mark(Mark("leave", value=True), stamp)
        else:
            self.close(stamp)

    # --- what the referee says -----------------------------------------------------------------------------

    def _hear(self, replies: list[dict[str, Any]]) -> None:
        for reply in replies:
            hear = self._hears.get(reply["kind"])
            if hear:
                hear(reply)
            for hearer in self.hearers:
                hearer(reply)
        self._say_the_rest()

    def _then(self, request: Request) -> None:
        if request not in self._later:
            self._later.append(request)

    def _say_the_rest(self) -> None:
        """What follows from what was heard, with the stamp of the touch that it began with."""
        while self._later and self._table is not None:
            referee = self._table.session.referee
            reached = None if referee.match.stands else referee.stamp_of(referee.match.now)
            stamp = max(self._touched, referee.stamp or 0, reached or 0)
            self._send(self._later.pop(0), stamp, max(stamp, self._clock()))

    def _look(self, *, stays: bool = False) -> None:
        """The match has changed: look at it anew, and show the screen that belongs to it. Whoever is elsewhere or
        chooses something stays there while only the camera has something to say, and the round goes on."""
        assert self._table is not None
        before = self._seen
        self._changes += 1
        self._notices.settle(self._clock())
        self._refused_code = ""
        self._seen = seen(self._table.session.referee.match, self._changes)
        self._advice = None
        screen = "result" if self._seen.is_over else "table"
        is_new = before is None or before.is_over or before.state.phase != self._seen.state.phase
        if self._seen.is_over and not (before and before.is_over):
            self._forget_foul()
        if not stays or (is_new and (screen == "result" or self._seen.state.phase in CALLED_BACK)):
            self._places = [Place(ROOT), Place(screen)]
        elif is_new:
            self._places = [Place("table") if place.screen == "table" else place for place in self._places]
        if self._question is not None and self._question.preview is not None:  # it may be another one now
            self._then(self._question.asked())
        self._redraw()

    def _heard_match(self, reply: dict[str, Any]) -> None:
        self._question = None
        self._look(stays=_is_of_camera(reply))

    def _heard_ruling(self, reply: dict[str, Any]) -> None:
        self._look(stays=_is_of_camera(reply))

    def _heard_correction(self, reply: dict[str, Any]) -> None:
        is_answer = reply.get("re") == ANSWERED
        if is_answer:
            self._leave_question()
        self._heard_ruling(reply)
        if not _is_of_camera(reply):
            self._shows_until_ruled("correction", reply)
        if is_answer and self._seen is not None and self._seen.state.phase not in CALLED_BACK:
            self._tell(Notice("notice", self.words.say("Move {number} is put right.", number=reply["number"])))

    def _heard_preview(self, reply: dict[str, Any]) -> None:
        """What would fall away is asked before, and no clock runs meanwhile."""
        question = self._question
        if question is None or self._seen is None or reply.get("re") != ASKED:
            return
        if not question.is_about(reply):
            self._leave_question()
            self._tell(Notice("error", self.words.heard(GONE_ON)))
            return
        self._question = replace(question, preview=reply)
        if question.preview is None and is_quiet(reply):
            self._then(self._question.answer())
        elif not (self._seen.stands or self._seen.state.phase in CALLED_BACK):
            self._then(Pause(ASKS, id=ASKED))
        elif self._places[-1].screen != QUESTION:
            self._places.append(Place(QUESTION))
        self._redraw()

    def _leave_question(self) -> None:
        question, self._question = self._question, None
        if self._places[-1].screen == QUESTION:
            self._places.pop()
        if question is not None and question.is_paused:
            self._then(Resume(id=ASKED))
        self._redraw()

    def _refused(self, reply: dict[str, Any]) -> None:
        """What was asked cannot be; or it was not done, and is asked as it is now."""
        if reply.get("re") == ASKED:
            self._leave_question()
        elif reply.get("re") == ANSWERED and self._question is not None:
            self._then(self._question.asked())

    def _shows_until_ruled(self, key: str, reply: dict[str, Any]) -> None:
        """Something that the table shows beside the match, until the next ruling."""
        if self._places[-1].screen == "table":
            self._mark(Mark(key, reply), 0)

    def _heard_done(self, reply: dict[str, Any]) -> None:
        if _is_of_camera(reply) or reply["do"] == LookRequest.word:
            self._look(stays=True)
            return
        if reply.get("re") == ASKED:
            self._stands_for_question(is_paused=reply["do"] == Pause.word)
            return
        self._look()
        if reply["do"] == Undo.word:
            self._tell(Notice("notice", self._taken_back(reply["what"])))

    def _stands_for_question(self, *, is_paused: bool) -> None:
        if self._question is not None:
            self._question = replace(self._question, is_paused=is_paused)
        self._look(stays=True)

    def _taken_back(self, what: str) -> str:
        taken = "The last move is taken back." if what == "move" else "The correction is taken back."  # said
        sentence = self.words.say(taken)
        if self._seen is None or not (self._seen.state.deadline or self._is_something_ahead(self._seen)):
            return sentence
        stand = self.words.say("The clocks stand until somebody goes on.")
        return f"{sentence} {stand}"

    def _is_something_ahead(self, seen: Seen) -> bool:
        """Something may be done that may not be done yet."""
        return any(moment > seen.now for moment in self._moments)

    def _heard_foul(self, reply: dict[str, Any]) -> None:
        self._tell(Notice("foul", self.words.heard(reply["sentence"]), reply["player"], reply["code"]))
        self._refused_code = reply["code"]
        self._refused(reply)

    def _heard_put_right(self, _reply: dict[str, Any]) -> None:
        """The card that was called is off the table again."""
        said = self._notices.shown
        if said is not None and said.kind == "foul":
            self._tell(None)

    def _heard_error(self, reply: dict[str, Any]) -> None:
        self._heard_sentence("error", reply)
        self._refused(reply)

    def _heard_sentence(self, kind: str, reply: dict[str, Any]) -> None:
        self._tell(Notice(kind, self.words.heard(reply["sentence"])))

    def _heard_advice(self, reply: dict[str, Any]) -> None:
        self._advice = reply
        self._redraw()

    def mention(self, sentence: str) -> bool:
        """An English sentence about something beside the match; False if something else is being said just now."""
        if self._notices.shown is not None:
            return False
        self._tell(Notice("notice", self.words.heard(sentence)))
        return True

    def take_back(self, sentence: str) -> None:
        """What this says is not so any more."""
        said = self._notices.shown
        if said is not None and said.sentence == self.words.heard(sentence):
            self._tell(None)

    def keep_in(self, journal: Journal) -> None:
        """There is a journal after all: what begins from now on is kept."""
        self.journal, self.unkept = journal, ""
        self._past = past(journal, self.bot_seats)
        self.library.keep_in(journal)
        if self._table is not None:
            self._table.session.referee.journal = journal  # for the rematch
        self._redraw()

    @property
    def is_played_unkept(self) -> bool:
        """A match is played of which nothing will be left."""
        return self._is_running and self._table is not None and not self._table.session.referee.is_kept

    def show_ailing(self, devices: tuple[str, ...]) -> None:
        """A small sign stands on the screen while there are any."""
        if devices != self._ailing:
            self._ailing = devices
            self._redraw()

    def _tell(self, notice: Notice | None) -> None:
        self._notices.say(notice, self._clock())
        self._redraw()

    def _forget_foul(self) -> None:
        """Nobody at the result, or at another game, has to know what was against the rules before."""
        said = self._notices.shown
        if said is not None and said.kind == "foul":
            self._tell(None)

    @property
    def _around(self) -> Around:
        """What the doctor is told of this table."""
        journal = self.journal
        return Around(
            lambda: self.size,
            journal.path if journal else None,
            journal.notices if journal else (),
            self._camera,
            lambda: (self.prefs.volume, self._troubles),
            self.publishing,
            self.parts,
            self.unkept,
            self.configuration,
        )

    def _tell_of_settings(self, sentence: str) -> None:
        if sentence:
            self._tell(Notice("notice", self.words.heard(sentence)))

    def _redraw(self) -> None:
        self._scene = None


def _is_of_camera(reply: dict[str, Any]) -> bool:
    """Nobody has touched or pressed anything for it."""
    return reply.get("by") == CAMERA
