"""What the buttons of the table mean in the game that is played: presses in, moves out, in the order of their stamps.

A strike is told when its photo finish is known, one window after the first stamp; every other press waits as long,
so that whoever was first by the stamps is first in the match too, whatever order the program noticed them in.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from companion.clocks import SECOND, short
from companion.exc import MatchError
from companion.games import three, threepia, tres, triple3
from companion.match import Match
from companion.protocol import Correct, MoveMessage
from companion.record import move_plain
from companion.rules import Move, Ruling
from companion.sentence import Sentence
from companion.strike import Finish, How, among, joint
from companion.words.labels import KEYS
from hardware import contact
from hardware.arbiter import Amended, Answer, Brief, Freed, Phase, Settled, Stuck, Void
from hardware.exc import PinsError
from hardware.keys import Keys, Told
from hardware.panel import Key, Light, Panel
from hardware.simulated import Contact, SimulatedPanel
from hardware.token import NOBODY, Rearming, Token

STRIKES = (three.Strike.word, triple3.Stop.word, tres.Catch.word)  # what a hand on the token can be
AWAY = -1  # behind every stamp
BUZZ, BUZZ_TIE = 0.15, 0.6  # seconds
RULED_WITHIN = SECOND
THE_TABLE, NO_ONE = Sentence("The table"), Sentence("Nobody")  # where no name stands
THE_TOKEN, THE_BUTTON = Sentence("The token"), Sentence("The button")
SHARED = Key("turn")  # the one button with which everybody ends a turn


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
        self._token = Token(panel, match.setup.names)
        self._keys = Keys(panel.wiring.settings, self._levels)
        self._turned: int | None = None  # the last press of the shared turn button that counted
        self._attended = 0
        self._stamp_of: Callable[[int], int | None] | None = None
        self._unheard: Finish | None = None  # of a strike that has not been ruled on yet, ...
        self._unheard_until = 0  # ... and is not heard any more if it is not by then
        self._status = Light.OFF
        if not self._may_strike() and (finish := _standing(match)):
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
            self._panel.contact(Contact(at, key, is_down))

    def follow(self, match: Match, stamp_of: Callable[[int], int | None] | None = None) -> None:
        """The match that the buttons are for, a rematch perhaps; and which machine stamp stands for a table time."""
        self._match = match
        self._stamp_of = stamp_of

    @property
    def wakes_at(self) -> int | None:
        """The stamp at which something here falls due."""
        found = [at for at in (self._keys.wakes_at, self._token.wakes_at) if at is not None]
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
        stands = _standing(self._match)
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
        """In Three! the token is not free at once after a call, and may be closed to whoever called wrongly."""
        state = self._match.state
        if not isinstance(state, three.State) or self._stamp_of is None:
            return None
        free = self._stamp_of(state.free_at)
        out = {player: self._stamp_of(until) for player, until in zip(state.players, state.kept_out, strict=False)}
        if free is None or not (state.free_at or any(state.kept_out)):
            return None
        return Rearming(free - state.house.rearm * SECOND, free, {who: at for who, at in out.items() if at is not None})

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
            if self._token.knows(press.key):
                found += self._answered(self._token.heard(press))
            else:
                self._keys.heard(press)
        found += self._answered(self._token.time_is(now))
        for told in self._keys.time_is(now):
            found += self._told(told)
        return sorted(found, key=lambda one: one.stamp if isinstance(one, Meant) else AWAY)

    def _levels(self) -> dict[Key, bool]:
        try:
            return self._panel.levels()
        except PinsError:
            return {}

    def _may_strike(self) -> bool:
        return _may_strike(self._match.ruling) and self._match.is_running

    def _answered(self, answers: list[Answer]) -> list[Meant | Noted]:
        found: list[Meant | Noted] = []
        for answer in answers:
            match answer:
                case Settled(finish):
                    found += self._settled(finish)
                case Amended():
                    found += self._amended(answer)
                case Void(seat, at, "early") if self._match.setup.game == "three":
                    found.append(_made(three.Strike(seat), at))  # the rules refuse it, and say how early it was
                case Void(seat, at, "late") if seat != NOBODY:
                    found.append(Noted(_void_sentence(answer)))
                    if self._match.setup.game == "three":
                        found.append(_made(three.Strike(seat), at))  # the rules refuse it, and it is kept as refused
                case Void() | Stuck() | Freed() | Brief():
                    found.append(Noted(_sentence(answer)))
        return found

    def _settled(self, finish: Finish) -> list[Meant | Noted]:
        found = self._struck(finish)
        if found:
            self._unheard, self._unheard_until = finish, self._attended + RULED_WITHIN
        else:
            self._buzz(finish)  # nothing is ruled on: the table says what it meant
        return found

    def _struck(self, finish: Finish) -> list[Meant | Noted]:
        stamps = [arrival.at for arrival in finish.order if arrival.at is not None]
        at = min(stamps, default=self._token.arbiter.closes_at)
        if self._match.setup.game == "tres":
            meant = self._catch(finish)
            return [Meant(lambda: self._caught(finish, meant), at)]
        move = self._strike(finish)
        return [_made(move, at)] if move else []

    def _strike(self, finish: Finish) -> Move | None:
        match self._match.setup.game:
            case "three":
                return three.Strike(finish.winner, finish.tied, finish)
            case "triple3":
                return triple3.Stop(finish.winner, finish)
            case _:
                return None

    def _caught(self, finish: Finish, meant: Move | Noted) -> Move | Noted:
        """In Tres the token catches whoever is silent when the strike is ruled on, or it was too late; if nobody is
        caught by it, it is heard at once."""
        found = self._catch(finish)
        if isinstance(found, Move):
            return found
        if isinstance(meant, Noted):
            self._unheard = None
            self._buzz(finish)
        return meant

    def _catch(self, finish: Finish) -> Move | Noted:
        """The catch by the first who can make one; of two who are silent the table says whom."""
        silent, struck = self._match.state.silent, [one.seat for one in finish.order if one.how is not How.HELD]
        if NOBODY in struck:
            return Noted("The token was struck: say on the screen who has caught whom.")
        for seat in struck:
            others = [player for player in silent if player != seat]
            if len(others) == 1:
                return tres.Catch(seat, others[0], among(finish, {*struck} - {*others}))
            if others:
                return Noted(
                    Sentence(
                        "{seat} struck first, and {whom} were silent: say on the screen who is caught.",
                        seat=seat,
                        whom=others,
                    )
                )
        seat = struck[0]
        return Noted(Sentence("{seat} struck, but nobody else was silent with three cards.", seat=seat))

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
        if not made and self._match.setup.game == "tres":
            found = self._catch(amended.finish)  # the strike that stood has caught nobody
            return Noted(_late(amended)) if isinstance(found, Noted) else found
        if made and made[-1] < len(line):
            return Noted(_after_the_next_move(amended))
        move = self._corrected(line[-1].move, _with_claims(line[-1].move, amended)) if made else None
        if move is None:
            return Noted(_late(amended))
        return Correct(made[-1], move_plain(move), at=self._attended)

    def _corrected(self, was: Move, finish: Finish) -> Move | None:
        """The strike as it ought to have been; whom a catch was for is in the move already."""
        if isinstance(was, tres.Catch):
            catchers = among(finish, {one.seat for one in finish.order if one.seat != was.whom})
            return replace(was, player=catchers.order[0].seat, finish=catchers)
        return self._strike(finish)

    # --- the other buttons

    def _told(self, told: Told) -> list[Meant | Noted]:
        """What one of the other buttons did."""
        match told.news:
            case contact.Pressed(at, sure):
                return self._pressed(told.key, at, sure=sure)
            case _:
                sentence = _key_sentence(self._whose(told.key), KEYS[told.key.kind], told.news)
                return [Noted(sentence)] if sentence else []

    def _pressed(self, key: Key, at: int, *, sure: bool) -> list[Meant | Noted]:
        seat, button = self._whose(key), KEYS[key.kind]
        if key == SHARED:
            since = None if self._turned is None else at - self._turned
            if since is not None and since < self._panel.wiring.settings.double:
                gap = short(since)
                return [
                    Noted(
                        Sentence(
                            "{seat}, {button}: pressed again after {gap}; that is no second press.",
                            seat=seat,
                            button=button,
                            gap=gap,
                        )
                    )
                ]
            self._turned = at
        found: list[Meant | Noted] = [Meant(lambda: self._meaning(key), at)]
        if not sure:
            found.append(
                Noted(
                    Sentence(
                        "{seat}, {button}: an edge was lost; the press counts from when it was noticed.",
                        seat=seat,
                        button=button,
                    )
                )
            )
        return found

    def _whose(self, key: Key) -> str:
        names = self._match.setup.names
        if key.seat is None:
            return THE_TABLE
        return names[key.seat] if key.seat < len(names) else NO_ONE

    def _meaning(self, key: Key) -> Move | Noted:
        """The move that a press means in this game now, or why it means none."""
        seat, button, turn = self._whose(key), KEYS[key.kind], self._match.state.turn
        if key.seat is not None and key.seat >= len(self._match.setup.names):
            return Noted(Sentence("Nobody sits at the button {key} in this match.", key=str(key)))
        match self._match.setup.game, key.kind:
            case "tres", "tres":
                return tres.Tres(seat)
            case "triple3", "stop":
                return triple3.Stop("")
            case "threepia", "turn" if turn and (key == SHARED or seat == turn):
                return threepia.Lay(turn)
            case "threepia", "turn" if turn:
                return Noted(
                    Sentence(
                        "{seat}, {button}: it does nothing now, it is {turn}'s turn.",
                        seat=seat,
                        button=button,
                        turn=turn,
                    )
                )
            case "threepia", "turn":
                return Noted(Sentence("{seat}, {button}: it does nothing now.", seat=seat, button=button))
            case _:
                return Noted(Sentence("{seat}, {button}: it does nothing in this game.", seat=seat, button=button))


def _made(move: Move, stamp: int) -> Meant:
    return Meant(lambda: move, stamp)


def _may_strike(ruling: Ruling) -> bool:
    return any(may.move in STRIKES for may in ruling.may)


def _finish_of(move: Move) -> Finish | None:
    return move.finish if isinstance(move, three.Strike | triple3.Stop | tres.Catch | tres.Tres) else None


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


def _standing(match: Match) -> Finish | None:
    """The photo finish of the newest strike, if nobody was free to strike again since."""
    for done in reversed(match.line):
        if done.move.word in STRIKES:
            return _finish_of(done.move)
        if _may_strike(done.ruling):
            return None
    return None


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
            return _brief_sentence(seat or THE_TOKEN, KEYS["strike"], lasted)
        case _:
            return ""


def _key_sentence(seat: str, button: str, news: contact.News) -> str:
    """What a button other than the token's did besides being pressed; empty where nobody need know."""
    match news:
        case contact.Ended(_, int(lasted)) if news.is_brief:
            return _brief_sentence(seat, button, lasted)
        case contact.Wavered(_, up_for) if up_for >= contact.BRIEF:
            gap = short(up_for)
            return Sentence(
                "{seat}, {button}: it came up for {gap} only; that is no second press.",
                seat=seat,
                button=button,
                gap=gap,
            )
        case contact.Stuck():
            return Sentence(
                "{seat}, {button}: it is down for too long; it counts again when it comes up.", seat=seat, button=button
            )
        case contact.Freed():
            return Sentence("{seat}, {button}: it counts again.", seat=seat, button=button)
        case _:
            return ""


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
