"""What the buttons of the table mean in the game that is played: presses in, moves out, in the order of their stamps.

A strike is told when its photo finish is known, one window after the first stamp; every other press waits as long,
so that whoever was first by the stamps is first in the match too, whatever order the program noticed them in.
"""

from collections.abc import Callable
from dataclasses import dataclass

from companion.core.button_meanings import TOKEN, ButtonKind, Meaning, button_kinds, buttons_of
from companion.core.clocks import SECOND, short
from companion.core.errors import MatchError
from companion.core.match import Match
from companion.core.photo_finish import Finish, joint
from companion.core.record import move_plain
from companion.core.requests import Correct, MoveMessage
from companion.core.rules import Move, Ruling
from companion.core.sentence import Sentence
from companion.words.labels import STRIKE_BUTTON
from hardware import contact
from hardware.answers import Amended, Answer, Brief, Freed, Settled, Stuck, Void
from hardware.arbiter import Phase
from hardware.keys import KeyNews, Keys
from hardware.panel import Key, Light, Panel
from hardware.pin_errors import PinsError
from hardware.sieve import Sieve, Sifted, Spike
from hardware.simulated import SimulatedContact, SimulatedPanel
from hardware.token import NOBODY, Rearming, Token

AWAY = -1  # behind every stamp
BUZZ, BUZZ_TIE = 0.15, 0.6  # seconds
RULED_WITHIN = SECOND
STRIKE = ButtonKind(TOKEN, STRIKE_BUTTON, lambda _state, _player: None)  # where nobody sits: it is no token then
THE_TABLE, NO_ONE = Sentence("The table"), Sentence("Nobody")  # where no name stands
THE_TOKEN, THE_BUTTON = Sentence("The token"), Sentence("The button")


@dataclass(frozen=True, slots=True)
class Noted:
    """Something about the buttons that is no move, for the screen and the log."""

    sentence: str


@dataclass(frozen=True, slots=True)
class Meant:
    """What a press means; its stamp is the machine's, not yet table time. The meaning is asked for when it is this
    one's turn to be ruled on: whatever was pressed before has had its effect then."""

    meaning: Callable[[], Move | Correct | Noted]
    stamp: int

    def message(self) -> MoveMessage | Correct | Noted:
        found = self.meaning()
        return MoveMessage(found, self.stamp, "") if isinstance(found, Move) else found


class Presses:
    """Between a panel and a match."""

    def __init__(self, panel: Panel, match: Match) -> None:
        self._panel = panel
        self._match = match
        self._buttons, self._kinds = buttons_of(match.setup.game), {**button_kinds(), TOKEN: STRIKE}
        self._token = Token(panel, match.setup.names)
        self._keys = Keys(panel.wiring.settings, self._levels)
        self._sieve = Sieve(panel.wiring.settings)
        self._turned: dict[Key, int] = {}  # the last press of a shared button that counted
        self._attended = 0
        self._stamp_of: Callable[[int], int | None] | None = None
        self._unheard: Finish | None = None  # of a strike that has not been ruled on yet, ...
        self._unheard_until = 0  # ... and is not heard any more if it is not by then
        self._status = Light.OFF
        if not self._may_strike() and (finish := self._standing()):
            self._token.stands(finish)

    @property
    def token(self) -> Token:
        return self._token

    @property
    def window(self) -> int:
        """How long a press may be on its way: nothing is decided before."""
        return self._panel.wiring.settings.window

    @property
    def margin(self) -> int:
        """Presses closer than this cannot be told apart."""
        return self._panel.wiring.settings.margin

    def fileno(self) -> int:
        """Readable when something was pressed."""
        return self._panel.inbox.fileno()

    def touch(self, kind: str, seat: int, down: bool | None, at: int) -> None:
        """Press a simulated button, or let it go; both, if `down` says neither."""
        if not isinstance(self._panel, SimulatedPanel):
            raise MatchError("The buttons of this table are real: press them.")
        key = Key(kind, seat - 1 if seat else None)
        if key not in self._panel.levels():
            known = tuple(map(str, self._panel.levels()))
            raise MatchError(Sentence("There is no button {key}; there are {known}.", key=str(key), known=known))
        for is_down in (True, False) if down is None else (down,):
            self._panel.contact(SimulatedContact(at, key, is_down))

    def follow(self, match: Match, stamp_of: Callable[[int], int | None] | None = None) -> None:
        """The match that the buttons are for, a rematch perhaps; and which machine stamp stands for a table time."""
        self._match = match
        self._buttons = buttons_of(match.setup.game)
        self._stamp_of = stamp_of

    @property
    def wakes_at(self) -> int | None:
        """The stamp at which something here falls due."""
        found = [at for at in (self._sieve.wakes_at, self._keys.wakes_at, self._token.wakes_at) if at is not None]
        if self._panel.inbox.nap is not None:
            found.append(self._attended + int(self._panel.inbox.nap * 1e9))
        return min(found, default=None)

    def arm(self, now: int) -> None:
        """When what was due has been ruled on: let a strike be heard, arm the token if the game lets strike now, and
        bring the lights up to date."""
        self._sound(now)
        self._token.rearms(self._rearming())
        if self._may_strike() and not self._token.is_armed:
            self._token.arm(now)
        self._stand()
        self._token.show(self._match.state.turn, now)
        self._show_status(now)

    def _stand(self) -> None:
        """A claim that came another way may have tied with the press that was first: the lights say so."""
        arbiter = self._token.arbiter
        if arbiter.phase is not Phase.SETTLED or arbiter.finish is None or self._may_strike():
            return
        stands = self._standing()
        if stands and stands != arbiter.finish and _stamps_of(stands) >= _stamps_of(arbiter.finish):
            self._token.stands(stands)

    def _sound(self, now: int) -> None:
        """A strike is heard when it is made and kept, as everything is that people are told."""
        finish = self._unheard
        if finish is None:
            return
        made = next((one for done in reversed(self._match.line) if (one := _made_of(done.move, finish))), None)
        if made:
            self._unheard = None
            self._buzz(made)
        elif now > self._unheard_until:
            self._unheard = None

    def _buzz(self, finish: Finish) -> None:
        self._panel.buzz(BUZZ_TIE if finish.tied else BUZZ)

    def _rearming(self) -> Rearming | None:
        """The token is not free at once after a call, and may be closed to whoever called wrongly."""
        rest = self._buttons.rest(self._match.state)
        if rest is None or self._stamp_of is None:
            return None
        free = self._stamp_of(rest.free)
        if free is None:
            return None
        out = {player: self._stamp_of(until) for player, until in rest.out.items()}
        return Rearming(free - (rest.free - rest.since), free, {who: at for who, at in out.items() if at is not None})

    def _show_status(self, now: int) -> None:
        """The light in the middle of the table: the token may be struck, was struck, or cannot be told."""
        finish = self._token.arbiter.finish
        light = (self._token.filling(now) or Light.ARMED) if self._token.is_armed else Light.OFF
        if finish and not self._token.is_armed:
            light = Light.TIED if finish.tied else Light.WON
        if light is not self._status:
            self._panel.status(light)
            self._status = light

    def attend(self, now: int) -> list[Meant | Noted]:
        """Take in what was pressed, and give out what is due, in the order of the stamps."""
        self._attended = now
        found: list[Meant | Noted] = []
        for press in self._panel.inbox.take():
            found += self._sifted(self._sieve.heard(press))
        found += self._sifted(self._sieve.time_is(now, self._levels))
        found += self._answered(self._token.time_is(now, self._sieve.undecided))
        for told in self._keys.time_is(now):
            found += self._told(told)
        return sorted(found, key=lambda one: one.stamp if isinstance(one, Meant) else AWAY)

    def _sifted(self, sifted: list[Sifted]) -> list[Meant | Noted]:
        """What has proved to be of a press goes its way; a spike is named."""
        found: list[Meant | Noted] = []
        for one in sifted:
            if isinstance(one, Spike):
                self._token.was_spike(one.key)
                found.append(Noted(_spike_sentence(self._whose(one.key), self._kinds[one.key.kind].label, one)))
            elif self._token.knows(one.key):
                found += self._answered(self._token.heard(one))
            else:
                self._keys.heard(one)
        return found

    def _levels(self) -> dict[Key, bool]:
        try:
            return self._panel.levels()
        except PinsError:
            return {}

    def _may_strike(self) -> bool:
        return self._lets_strike(self._match.ruling) and self._match.is_running

    def _lets_strike(self, ruling: Ruling) -> bool:
        return any(may.move in self._buttons.strikes for may in ruling.may)

    def _standing(self) -> Finish | None:
        """The photo finish of the newest strike, if nobody was free to strike again since."""
        for done in reversed(self._match.line):
            if done.move.word in self._buttons.strikes:
                return _finish_of(done.move)
            if self._lets_strike(done.ruling):
                return None
        return None

    def _answered(self, answers: list[Answer]) -> list[Meant | Noted]:
        found: list[Meant | Noted] = []
        for answer in answers:
            match answer:
                case Settled(finish):
                    found += self._settled(finish)
                case Amended():
                    found += self._amended(answer)
                case Void():
                    found += self._void(answer)
                case Stuck() | Freed() | Brief():
                    found.append(Noted(_sentence(answer)))
        return found

    def _void(self, void: Void) -> list[Meant | Noted]:
        """A strike that does not count. Where the rules know of it they refuse it, say how early it was, and it is kept
        as refused."""
        is_late = void.why == "late" and void.seat != NOBODY
        move = self._buttons.void(void.seat) if void.why == "early" or is_late else None
        refused = [_made(move, void.at)] if move else []
        if is_late:
            return [Noted(_void_sentence(void)), *refused]
        return [*refused] or [Noted(_sentence(void))]

    def _settled(self, finish: Finish) -> list[Meant | Noted]:
        found = self._struck(finish)
        if found:
            self._unheard, self._unheard_until = finish, self._attended + RULED_WITHIN
        else:
            self._buzz(finish)  # nothing is ruled on: the table says what it meant
        return found

    def _struck(self, finish: Finish) -> list[Meant | Noted]:
        meaning = self._buttons.struck(self._match.state, finish)
        if meaning is None:
            return []
        stamps = [arrival.at for arrival in finish.order if arrival.at is not None]
        at, meant = min(stamps, default=self._token.arbiter.closes_at), _noted(meaning)
        if self._buttons.may_miss:
            return [Meant(lambda: self._hit(finish, meant), at)]
        return [Meant(lambda: meant, at)]

    def _hit(self, finish: Finish, meant: Move | Noted) -> Move | Noted:
        """What the strike means when it is ruled on, or meant when it was too late; if it is no move, it is heard at
        once."""
        found = self._buttons.struck(self._match.state, finish)
        if isinstance(found, Move):
            return found
        if isinstance(meant, Noted):
            self._unheard = None
            self._buzz(finish)
        return meant

    def _amended(self, amended: Amended) -> list[Meant | Noted]:
        """A stamp came late. While nothing followed the strike, it is corrected; behind the call the table decides."""
        found = self._amendment(amended)
        if isinstance(found, Noted):
            return [found]
        return [Meant(lambda: self._amendment(amended), self._attended), Noted(_late(amended))]

    def _amendment(self, amended: Amended) -> Correct | Move | Noted:
        """What a stamp that came late means now."""
        line = self._match.line
        made = [number for number, done in enumerate(line, 1) if _made_of(done.move, amended.stood)]
        if not made and self._buttons.may_miss:
            found = self._buttons.struck(self._match.state, amended.finish)  # the strike that stood has hit nobody
            return found if isinstance(found, Move) else Noted(_late(amended))
        if made and made[-1] < len(line):
            return Noted(_after_the_next_move(amended))
        was = line[-1].move if made else None
        move = self._buttons.corrected(was, _with_claims(was, amended)) if was else None
        if move is None:
            return Noted(_late(amended))
        return Correct(made[-1], move_plain(move), at=self._attended)

    # --- the other buttons

    def _told(self, told: KeyNews) -> list[Meant | Noted]:
        """What one of the other buttons did."""
        match told.news:
            case contact.Pressed(at, sure):
                return self._pressed(told.key, at, sure=sure)
            case _:
                sentence = _key_sentence(self._whose(told.key), self._kinds[told.key.kind].label, told.news)
                return [Noted(sentence)] if sentence else []

    def _pressed(self, key: Key, at: int, *, sure: bool) -> list[Meant | Noted]:
        seat, button = self._whose(key), self._kinds[key.kind].label
        if self._kinds[key.kind].is_shared and key.seat is None:
            since = at - self._turned[key] if key in self._turned else None
            if since is not None and since < self._panel.wiring.settings.double:
                return [Noted(_again(seat, button, since))]
            self._turned[key] = at
        found: list[Meant | Noted] = [Meant(lambda: self._meaning(key), at)]
        if not sure:
            lost = Sentence(
                "{seat}, {button}: an edge was lost; the press counts from when it was noticed.",
                seat=seat,
                button=button,
            )
            found.append(Noted(lost))
        return found

    def _whose(self, key: Key) -> str:
        names = self._match.setup.names
        if key.seat is None:
            return THE_TABLE
        return names[key.seat] if key.seat < len(names) else NO_ONE

    def _meaning(self, key: Key) -> Move | Noted:
        """The move that a press means in this game now, or why it means none."""
        names, kind = self._match.setup.names, self._kinds[key.kind]
        if key.seat is not None and key.seat >= len(names):
            return Noted(Sentence("Nobody sits at the button {key} in this match.", key=str(key)))
        if kind not in self._buttons.kinds:
            seat, button = self._whose(key), kind.label
            return Noted(Sentence("{seat}, {button}: it does nothing in this game.", seat=seat, button=button))
        state = self._match.state
        move = kind.means(state, "" if key.seat is None else names[key.seat])
        return move or Noted(_does_nothing(self._whose(key), kind.label, state.turn))


def _made(move: Move, stamp: int) -> Meant:
    return Meant(lambda: move, stamp)


def _noted(meaning: Meaning) -> Move | Noted:
    return meaning if isinstance(meaning, Move) else Noted(meaning)


def _finish_of(move: Move) -> Finish | None:
    """The photo finish that is in some moves."""
    found = getattr(move, "finish", None)
    return found if isinstance(found, Finish) else None


def _made_of(move: Move, finish: Finish) -> Finish | None:
    """The photo finish of a move, if it is this one or has it in it: a claim by another way may tie with a press."""
    found = _finish_of(move)
    return found if found and (found == finish or _stamps_of(found) & _stamps_of(finish)) else None


def _with_claims(move: Move, amended: Amended) -> Finish:
    """The photo finish as it is now, with claims that came another way than by buttons."""
    made, pressed = _finish_of(move), {arrival.seat for arrival in amended.finish.order}
    claims = tuple(arrival for arrival in made.order if arrival.seat not in pressed) if made else ()
    return joint(amended.finish, Finish(claims, amended.finish.margin, ())) if claims else amended.finish


def _stamps_of(finish: Finish) -> set[tuple[str, int]]:
    return {(arrival.seat, arrival.at) for arrival in finish.order if arrival.at is not None}


def _sentence(answer: Answer) -> str:
    match answer:
        case Void(seat, _, "held"):
            return Sentence(
                "{seat} was down before the token was free: take the hand off first.", seat=seat or THE_BUTTON
            )
        case Void(seat, _, "stuck") | Stuck(seat):
            return Sentence(
                "The button of {seat} is down for too long: it does not count until it comes up.",
                seat=seat or Sentence("the token"),
            )
        case Void(seat, _, "idle"):
            return Sentence("{seat}: the press does not count, nobody may strike now.", seat=seat or THE_TOKEN)
        case Void(seat, _, why):
            return Sentence("{seat}: the press does not count ({why}).", seat=seat or THE_TOKEN, why=why)
        case Freed(seat):
            return Sentence("The button of {seat} counts again.", seat=seat or Sentence("the token"))
        case Brief(seat, _, lasted):
            return _brief_sentence(seat or THE_TOKEN, STRIKE_BUTTON, lasted)
        case _:
            return ""


def _spike_sentence(seat: str, button: str, spike: Spike) -> str:
    if spike.lasted is None:
        return Sentence("{seat}, {button}: a spike on the line, which is no press.", seat=seat, button=button)
    lasted = short(spike.lasted)
    return Sentence(
        "{seat}, {button}: a contact of {lasted} is too short for a finger; it does not count.",
        seat=seat,
        button=button,
        lasted=lasted,
    )


def _key_sentence(seat: str, button: str, news: contact.News) -> str:
    """What a button other than the token's did besides being pressed; empty where nobody need know."""
    match news:
        case contact.PressEnded(_, int(lasted)) if news.is_brief:
            return _brief_sentence(seat, button, lasted)
        case contact.Wavered(_, up_for) if up_for >= contact.BRIEF:
            gap = short(up_for)
            return Sentence(
                "{seat}, {button}: it came up for {gap} only; that is no second press.",
                seat=seat,
                button=button,
                gap=gap,
            )
        case contact.ContactStuck():
            return Sentence(
                "{seat}, {button}: it is down for too long; it counts again when it comes up.", seat=seat, button=button
            )
        case contact.ContactFreed():
            return Sentence("{seat}, {button}: it counts again.", seat=seat, button=button)
        case _:
            return ""


def _again(seat: str, button: str, since: int) -> str:
    gap = short(since)
    return Sentence(
        "{seat}, {button}: pressed again after {gap}; that is no second press.", seat=seat, button=button, gap=gap
    )


def _does_nothing(seat: str, button: str, turn: str) -> str:
    if turn:
        return Sentence(
            "{seat}, {button}: it does nothing now, it is {turn}'s turn.", seat=seat, button=button, turn=turn
        )
    return Sentence("{seat}, {button}: it does nothing now.", seat=seat, button=button)


def _brief_sentence(seat: str, button: str, lasted: int) -> str:
    gap = short(lasted)
    return Sentence("{seat}, {button}: pressed for {gap} only; it counts.", seat=seat, button=button, gap=gap)


def _void_sentence(void: Void) -> str:
    if void.behind is None:
        return Sentence("{seat}'s strike is void: another call is being settled.", seat=void.seat)
    gap = short(void.behind)
    return Sentence("{seat}'s strike is void: {gap} behind the strike that stands.", seat=void.seat, gap=gap)


def _late(amended: Amended) -> str:
    seat = amended.seat or THE_TOKEN
    if amended.behind < 0:
        gap = short(-amended.behind)
        return Sentence("{seat} struck {gap} before the strike that stood; the stamp came late.", seat=seat, gap=gap)
    return Sentence("{seat}'s stamp came late.", seat=seat)


def _after_the_next_move(amended: Amended) -> str:
    """What the table has to decide; nothing, where the strike is the same player's all the same."""
    seat, gap = amended.seat or THE_TOKEN, short(abs(amended.behind))
    if (amended.finish.winner, amended.finish.tied) == (amended.stood.winner, amended.stood.tied):
        return Sentence("{seat}'s strike is void: {gap} behind the strike that stands.", seat=seat, gap=gap)
    if amended.behind < 0:
        return Sentence(
            "{seat} struck {gap} before the strike that stands, but the stamp came after the next move. Does the "
            "strike stand? If not, undo back to it, and {seat} strikes again.",
            seat=seat,
            gap=gap,
        )
    return Sentence(
        "{seat}'s stamp came after the next move, and the photo finish is another now. Does the strike stand? If "
        "not, undo back to it, and strike again.",
        seat=seat,
    )
