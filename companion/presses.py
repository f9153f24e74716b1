"""What the buttons of the table mean in the game that is played: presses in, moves out, in the order of their stamps.

A strike is told when its photo finish is known, one window after the first stamp; every other press waits as long,
so that whoever was first by the stamps is first in the match too, whatever order the program noticed them in.
"""

from dataclasses import dataclass
from typing import Any

from companion.clocks import SECOND, short
from companion.exc import MatchError
from companion.games import three, threepia, tres, triple3
from companion.match import Match
from companion.rules import Move, Ruling
from companion.strike import Finish
from hardware.arbiter import Answer, Freed, Settled, Stuck, Void
from hardware.panel import Key, Light, Panel, Press
from hardware.simulated import Contact, SimulatedPanel
from hardware.token import NOBODY, Token

STRIKES = (three.Strike.word, triple3.Stop.word, tres.Catch.word)  # what a hand on the token can be
AWAY = -1  # behind every stamp
BUZZ, BUZZ_TIE = 0.15, 0.6  # seconds
RULED_WITHIN = SECOND


@dataclass(frozen=True, slots=True)
class Noted:
    """Something about the buttons that is no move, for the screen and the log."""

    sentence: str
    answer: Answer


@dataclass(frozen=True, slots=True)
class Meant:
    """A move that a press means; its stamp is the machine's, not yet table time."""

    move: Move
    stamp: int


class Presses:
    """Between a panel and a match."""

    def __init__(self, panel: Panel, match: Match) -> None:
        self._panel = panel
        self._match = match
        self._token = Token(panel, match.setup.names)
        self._waiting: list[Meant] = []
        self._attended = 0
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

    def fileno(self) -> int:
        """Readable when something was pressed."""
        return self._panel.inbox.fileno()

    def touch(self, kind: str, seat: int, down: bool | None, at: int) -> None:
        """Press a simulated button, or let it go; both, if `down` says neither."""
        if not isinstance(self._panel, SimulatedPanel):
            raise MatchError("The buttons of this table are real: press them.")
        key = Key(kind, seat - 1 if seat else None)
        if key not in self._panel.levels():
            known = ", ".join(str(known) for known in self._panel.levels())
            raise MatchError(f"There is no button {key}; there are {known}.")
        for is_down in (True, False) if down is None else (down,):
            self._panel.contact(Contact(at, key, is_down))

    def follow(self, match: Match) -> None:
        """A rematch: the same buttons go on with another match."""
        self._match = match

    @property
    def wakes_at(self) -> int | None:
        """The stamp at which something here falls due."""
        found = [meant.stamp + self.window for meant in self._waiting]
        if self._token.wakes_at is not None:
            found.append(self._token.wakes_at)
        if self._panel.inbox.nap is not None:
            found.append(self._attended + int(self._panel.inbox.nap * 1e9))
        return min(found, default=None)

    def arm(self, now: int) -> None:
        """When what was due has been ruled on: let a strike be heard, arm the token if the game lets strike now, and
        bring the lights up to date."""
        self._sound(now)
        if self._may_strike() and not self._token.is_armed:
            self._token.arm(now)
        self._token.show(self._match.state.turn)
        self._show_status()

    def _sound(self, now: int) -> None:
        """A strike is heard when it is made and kept, as everything is that people are told."""
        finish = self._unheard
        if finish is None:
            return
        if any(_finish_of(done.move) == finish for done in reversed(self._match.line)):
            self._unheard = None
            self._buzz(finish)
        elif now > self._unheard_until:
            self._unheard = None

    def _buzz(self, finish: Finish) -> None:
        self._panel.buzz(BUZZ_TIE if finish.tied else BUZZ)

    def _show_status(self) -> None:
        """The light in the middle of the table: the token may be struck, was struck, or cannot be told."""
        finish = self._token.arbiter.finish
        light = Light.ARMED if self._token.is_armed else Light.OFF
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
            elif press.is_down:
                self._waiting += self._means(press)
        found += self._answered(self._token.time_is(now))
        due = [meant for meant in self._waiting if meant.stamp + self.window <= now]
        self._waiting = [meant for meant in self._waiting if meant not in due]
        return sorted([*found, *due], key=lambda one: one.stamp if isinstance(one, Meant) else AWAY)

    def _may_strike(self) -> bool:
        return _may_strike(self._match.ruling) and self._match.is_running

    def _answered(self, answers: list[Answer]) -> list[Meant | Noted]:
        found: list[Meant | Noted] = []
        for answer in answers:
            match answer:
                case Settled(finish):
                    found += self._settled(finish)
                case Void(seat, at, why) if why in ("late", "overtaken") and seat != NOBODY:
                    found.append(Noted(_void_sentence(answer), answer))
                    if self._match.setup.game == "three":
                        found.append(Meant(three.Strike(seat), at))  # the rules refuse it, and it is kept as refused
                case Void() | Stuck() | Freed():
                    found.append(Noted(_sentence(answer), answer))
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
        stamp = min(stamps, default=self._token.arbiter.closes_at)
        match self._match.setup.game:
            case "three":
                return [Meant(three.Strike(finish.winner, finish.tied, finish), stamp)]
            case "triple3":
                return [Meant(triple3.Stop(finish.winner, finish), stamp)]
            case "tres":
                return [Meant(catch, stamp) for catch in self._catches(finish)]
            case _:
                return []

    def _catches(self, finish: Finish) -> list[Move]:
        """In Tres the token catches whoever is silent, if that is one only; else the table says whom."""
        silent = [player for player in self._match.state.silent if player != finish.winner]
        return [tres.Catch(finish.winner, silent[0], finish)] if finish.winner and len(silent) == 1 else []

    def _means(self, press: Press) -> list[Meant]:
        names = self._match.setup.names
        seat = press.key.seat
        if seat is not None and seat >= len(names):
            return []
        player = self._match.state.turn if seat is None else names[seat]
        move = self._meant(press.key.kind, player)
        return [Meant(move, press.at)] if move else []

    def _meant(self, kind: str, player: str) -> Move | None:
        """The move that a press of this kind is, in this game."""
        meanings: dict[tuple[str, str], Any] = {
            ("tres", "tres"): lambda: tres.Tres(player),
            ("threepia", "turn"): lambda: threepia.Lay(player) if self._match.state.turn == player else None,
            ("triple3", "stop"): lambda: triple3.Stop(""),
        }
        meaning = meanings.get((self._match.setup.game, kind))
        found: Move | None = meaning() if meaning else None
        return found


def _may_strike(ruling: Ruling) -> bool:
    return any(may.move in STRIKES for may in ruling.may)


def _finish_of(move: Move) -> Finish | None:
    return move.finish if isinstance(move, three.Strike | triple3.Stop | tres.Catch) else None


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
            return f"{seat or 'The button'} was down before the token was free: take the hand off first."
        case Void(seat, _, "stuck") | Stuck(seat):
            return f"The button of {seat or 'the token'} is down for too long: it does not count until it comes up."
        case Void(seat, _, "idle"):
            return f"{seat or 'The token'}: the press does not count, nobody may strike now."
        case Void(seat, _, why):
            return f"{seat or 'The token'}: the press does not count ({why})."
        case Freed(seat):
            return f"The button of {seat or 'the token'} counts again."
        case _:
            return ""


def _void_sentence(void: Void) -> str:
    if void.behind is None:
        return f"{void.seat}'s strike is void: another call is being settled."
    gap = short(abs(void.behind))
    if void.behind < 0:
        return (
            f"{void.seat} struck {gap} before the strike that stands, but the stamp came too late "
            "to count: undo, and strike again."
        )
    return f"{void.seat}'s strike is void: {gap} behind the strike that stands."
