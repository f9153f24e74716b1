"""Where a watched table is ruled on: what the eye sees goes to the witness, what he says to the referee, and everybody
hears what comes of it, with what it rests on."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from companion.core.clocks import SECOND
from companion.core.errors import CompanionError, MatchError
from companion.core.match import Match, is_stopped
from companion.core.replies import (
    ErrorReply,
    Evidenced,
    NoticeReply,
    PreviewReply,
    Refusal,
    Reply,
)
from companion.core.requests import Message, MoveMessage, Pause, Rematch, stamp_of
from companion.core.sentence import N_
from companion.core.session import Session
from companion.watch.dispute_desk import DisputeDesk
from companion.watch.evidence import (
    Act,
    Believe,
    InStep,
    Know,
    LookAgain,
    Noticed,
    OutOfStep,
    PutRight,
    Statement,
)
from companion.watch.feed import lost_the_thread
from companion.watch.game_watch import GameWatch, GameWitness, Seating
from companion.watch.messages import (
    InStepReply,
    LookRequest,
    OutOfStepReply,
    PutRightReply,
    Really,
    SeenReply,
)
from vision.sightings import Sighting, TableLost, TableSeen, Trouble, TroubleOver

if TYPE_CHECKING:
    from companion.watch.album import Album
    from vision.frames import Frame
    from vision.ring import Ring
    from vision.watcher import Watcher

LAST_CARD = 2 * SECOND  # how long a claim to be out waits for what is under arms
LATE = SECOND  # so much older than the newest ruling a message may be: frames were looked at meanwhile
GONE = "camera"  # the code of a camera that is gone


class Bench:
    """One match, ruled on by what is seen. It begins when the table is there, or goes on with a session that has been
    greeted; a ring holds the last seconds where pictures of disputes are wanted."""

    def __init__(
        self,
        eye: "Watcher",
        begin: Callable[[int], Session] | Session,
        game: GameWatch,
        seating: Seating,
        album: "Album | None" = None,
        ring: "Ring | None" = None,
    ) -> None:
        self._eye, self._game, self._seating = eye, game, seating
        self._session: Session | None = begin if isinstance(begin, Session) else None
        self._begin = begin
        self._unruled = ""  # why time cannot pass, once that was told
        self._clock = 0  # the newest stamp that anything was taken in with
        self._latest = _ruled_until(begin)  # the newest stamp that was ruled with
        self._desk = DisputeDesk(eye, game, album, ring)
        self._claims: list[MoveMessage] = []  # to be out
        self._slept = False  # nobody was to judge what was seen
        self._cards_said: deque[tuple[int, str]] = deque()  # by cell, of plays that were refused
        self._witness = self._another_witness()

    @property
    def session(self) -> Session | None:
        """None until the table is seen."""
        return self._session

    @property
    def match(self) -> Match | None:
        return self._session.referee.match if self._session else None

    @property
    def pictures_kept(self) -> int:
        return self._desk.pictures_kept

    def forget_pictures(self) -> None:
        self._desk.forget_pictures()

    def close(self) -> None:
        """When the pictures that were promised are there."""
        self._desk.close()

    # --- what comes in

    def saw(self, seen: "list[Sighting]", frame: "Frame") -> Iterator[Reply]:
        self._clock = max(self._clock, frame.stamp)
        self._desk.add(frame)
        if self._session is None:
            yield from self._before(seen)
        if self._session is None:
            return
        yield from self._time_passes(self._session)
        yield from self._desk.troubles()
        slept = self._slept
        if self._sleeps():
            return
        yield from self._ruled_anew(self._session.referee.match)
        found = self._taken(seen)
        yield from (one for one in found if not _is_gap(one)) if slept else found  # there were pictures
        yield from self._claims_due(self._clock)

    def _time_passes(self, session: Session) -> Iterator[Reply]:
        """What cannot be ruled on now, or not be kept, is told once; what is seen is taken in all the same."""
        try:
            yield from session.pass_time(max(self._witness.watched_until(self._clock), self._latest))
        except CompanionError as error:
            if str(error) != self._unruled:
                yield ErrorReply(error)
            self._unruled = str(error)
        else:
            self._unruled = ""

    def time_is(self, now: int) -> Iterator[Reply]:
        """What is due though no frames come."""
        if self._session:
            yield from self._claims_due(now)

    @property
    def wakes_at(self) -> int | None:
        return min((stamp_of(claim) + LAST_CARD for claim in self._claims), default=None)

    def disputed(self) -> Iterator[Reply]:
        """The last plays, as they stand now, while a Stop! holds; otherwise nothing."""
        if self._session and is_stopped(self._session.referee.match):
            yield self._desk.dispute(self._session.referee.match, self._latest)

    def in_time(self, stamp: int) -> int:
        """Not before what was ruled on while the message was on its way."""
        return max(stamp, self._latest) if stamp >= self._latest - LATE else stamp

    @property
    def unanswered(self) -> list[MoveMessage]:
        """What was told and waits for what is under arms: whoever leaves this bench must see to it."""
        return [replace(claim, at=max(stamp_of(claim), self._latest)) for claim in self._claims]

    @property
    def is_drawing(self) -> bool:
        """Pictures that were told of are not all there yet."""
        return self._desk.is_drawing

    def _sleeps(self) -> bool:
        """Whether the match is paused or was given up: what is done on the table then is nobody's business. All nine
        cells are read anew when it goes on."""
        match = self.match
        assert match
        slept, self._slept = self._slept, match.paused is not None or match.abandoned is not None
        if slept and not self._slept:
            self._eye.look_again(())
        return self._slept

    def heard(self, message: Message) -> Iterator[Reply]:
        """Something was said, pressed, or typed; it has its stamp."""
        assert message.at is not None
        if self._session is None:
            error = MatchError(N_("The match begins when the table is seen: nothing can be said before."))
            yield ErrorReply(error, re=message.id)
        elif isinstance(message, MoveMessage) and self._witness.awaits(message.move) and self._is_busy(message.at):
            self._claims.append(message)
        else:
            yield from self._answered(self._session, replace(message, at=self.in_time(message.at)))

    def _is_busy(self, stamp: int) -> bool:
        """Whether a card that was laid before this stamp may not have been seen yet, or not been ruled on."""
        is_hidden = any(cell.now in ("covered", "changed") and cell.since <= stamp for cell in self._eye.cells)
        return is_hidden or self._witness.is_pondering

    def _claims_due(self, now: int) -> Iterator[Reply]:
        """Who says "I'm out!" is answered when the last card has been seen, for which there is not much time."""
        while self._claims and self._session:
            claim, stamp = self._claims[0], stamp_of(self._claims[0])
            if self._is_busy(stamp) and now - stamp < LAST_CARD:
                return
            del self._claims[0]
            yield from self._answered(self._session, replace(claim, at=max(stamp, self._latest)))

    def gone(self, stamp: int, why: str) -> Iterator[Reply]:
        yield from self._trouble(stamp, why)

    def back(self, stamp: int) -> Iterator[Reply]:
        yield from self._trouble(stamp, "")

    def _trouble(self, stamp: int, why: str) -> Iterator[Reply]:
        self._clock = max(self._clock, stamp)
        if self._session is None:
            yield NoticeReply(why or N_("The camera is back."))
        elif why:
            yield from self._taken([Trouble(self._clock, 0, GONE, why)])
        else:
            yield from self._taken([TroubleOver(self._clock, 0, GONE)])

    # --- the beginning

    def _before(self, seen: "list[Sighting]") -> Iterator[Reply]:
        """There is no table yet: what is wrong is told as it is."""
        for one in seen:
            if isinstance(one, TableSeen):
                assert not isinstance(self._begin, Session)
                self._session = self._begin(self._clock)
                yield from self._session.greeting()
            elif isinstance(one, TableLost):
                yield NoticeReply(one.why)
            elif isinstance(one, Trouble):
                yield NoticeReply(one.sentence)

    # --- what is seen

    def _taken(self, seen: "list[Sighting]") -> Iterator[Reply]:
        assert self._session
        try:
            acts = self._witness.take(seen, self._eye.cells, self._clock, self._session.referee.match)
            prior = self._witness.prior() if seen or acts else None
        except Exception as error:  # whatever is wrong in the witness, the match goes on
            yield self._began_anew(error)
            return
        yield from self._done(acts)
        if seen or acts:
            self._eye.expect(prior)

    def _witnessed(self, said: Callable[[], list[Act]]) -> Iterator[Reply]:
        """What follows from something that was said; whatever is wrong in the witness, the match goes on."""
        try:
            acts = said()
        except Exception as error:
            yield self._began_anew(error)
        else:
            yield from self._done(acts)

    def _began_anew(self, error: Exception) -> Reply:
        """A witness who has lost his head is replaced: another looks at the table and compares it with the match."""
        self._witness = self._another_witness()
        self._eye.look_again(())
        return NoticeReply(lost_the_thread(error))

    def _another_witness(self) -> GameWitness:
        """Nothing that he says lies before what was ruled on."""
        found = self._game.witness(self._seating)
        found.not_before(self._latest)
        return found

    def _done(self, acts: Iterable[Act]) -> Iterator[Reply]:
        session = self._session
        assert session
        queue = deque(acts)
        while queue:
            act = queue.popleft()
            if isinstance(act, Statement):
                replies = list(self._said(act))
                yield from replies
                self._desk.keep(act, session.referee.match)
                queue.extendleft(reversed(self._witness.told(act, replies)))
            else:
                self._desk.keep(act, session.referee.match)
                yield from self._other(act)

    def _said(self, act: Statement) -> Iterator[Reply]:
        assert self._session
        self._latest = max(self._latest, act.message.at or 0)
        evidence = self._desk.evidence(act.evidence) if act.evidence else None
        for reply in self._session.replies(act.message):
            yield replace(reply, evidence=evidence) if evidence and isinstance(reply, Evidenced) else reply

    def _other(self, act: Act) -> Iterator[Reply]:
        match act:
            case OutOfStep(stamp, cells, code, sentence, way_back):
                yield OutOfStepReply(stamp, list(cells), code, sentence, way_back, list(act.spots))
            case InStep(stamp, cells, code, took):
                yield InStepReply(stamp, list(cells), code, took, act.sentence)
            case PutRight(stamp, cell, card, took):
                yield PutRightReply(stamp, cell, card, took, act.sentence)
            case Noticed(stamp, cells, code, sentence):
                yield SeenReply(stamp, list(cells), code, sentence)
            case LookAgain(_, cells):
                self._eye.look_again(tuple(cells))
            case Know(_, cell, card):
                self._eye.know({cell: card})
            case Believe(_, cell, card, confidence):
                self._eye.believe(cell, card, confidence)
            case _:  # what was called has been told as a foul
                pass

    # --- what is said

    def _answered(self, session: Session, message: Message) -> Iterator[Reply]:
        try:
            yield from self._followed(session, message)
        except CompanionError as error:
            yield ErrorReply(error, re=message.id)

    def _followed(self, session: Session, message: Message) -> Iterator[Reply]:
        at = message.at or 0
        match message:
            case LookRequest(cell=cell):
                self._eye.look_again(tuple(self._witness.touched(cell)) if cell else ())
                yield replace(session.done(LookRequest.word, at), re=message.id)
                return
            case Really():
                yield from self._really(session, message, at)
                return
            case MoveMessage(move=move):
                acts = self._witness.said_move(move, at, session.referee.match)
                if acts:
                    yield from _answering(self._done(acts), message.id)
                    return
        replies = session.answer(message)
        yield from replies
        if not isinstance(replies[-1], Refusal | PreviewReply):
            self._latest = max(self._latest, at)
            self._witness.not_before(at)
            if _has_stopped(session, message):
                self._desk.begin_anew()
                yield self._desk.dispute(session.referee.match, at)
            if isinstance(message, Rematch):
                self._witness = self._another_witness()
                self._desk.forget()
                self._eye.look_again(())
                self._eye.expect(None)

    def _really(self, session: Session, message: Really, at: int) -> Iterator[Reply]:
        """A card was read wrongly: what is ruled instead and, while the round stands still, how the last plays stand
        now."""
        match = session.referee.match
        put_right = yield from self._desk.put_right(session, message, at)
        if put_right is None:
            return
        if put_right == "refused":
            self._cards_said.append((message.cell, message.card))
            yield from self._ruled_anew(match)
        self._latest = max(self._latest, at)
        self._witness.not_before(at)
        if is_stopped(match):
            yield self._desk.dispute(match, at)

    def _ruled_anew(self, match: Match) -> Iterator[Reply]:
        """Cards that were refused under another name, as soon as moves can be made."""
        while self._cards_said and match.paused is None:
            cell, card = self._cards_said.popleft()
            yield from self._witnessed(lambda: self._witness.said_card(cell, card, self._clock, match))  # noqa: B023


def _has_stopped(session: Session, message: Message) -> bool:
    """Whether this has stopped the match: Stop!, or a claim to be out for which cards are looked at."""
    match = session.referee.match
    if not isinstance(message, MoveMessage):
        return isinstance(message, Pause) and is_stopped(match)
    before = match.line[-2].ruling.state if len(match.line) > 1 else match.start.state
    return bool(match.state.phase == "stopped" != before.phase)


def _ruled_until(begin: Callable[[int], Session] | Session) -> int:
    """A match may have been paused, or a move undone, later than the first frame was taken."""
    return begin.referee.stamp or 0 if isinstance(begin, Session) else 0


def _answering(replies: Iterable[Reply], identity: str) -> Iterator[Reply]:
    """Replies to a message that was not handed on as it was."""
    for reply in replies:
        yield replace(reply, re=reply.re or identity)


def _is_gap(reply: Reply) -> bool:
    return isinstance(reply, OutOfStepReply | InStepReply | SeenReply) and reply.code == "gap"
