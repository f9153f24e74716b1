"""What hands do in a match of Tres, turn by turn, and what befalls the table meanwhile."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from typing import Any

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.record import move_plain
from companion.core.rules import Move
from companion.games.tres.columns import COLUMNS, DISCARD_PILE, DRAW_PILE, PLACES, below
from companion.games.tres.rules import GAME, Catch, Draw, Fill, Keep, Play, State, Take, Tres, is_run
from companion.games.tres.told_bot import Table
from simulator.hands.hand_visits import MISHAPS, Times, lying, mishap, span, visit
from simulator.rendered import script as drawn
from simulator.rendered.script import Lying, Mishap, ScriptedArm, ScriptLine, Seat
from vision import mat

FAR = (4.0, 7.0)  # millimetres that a card lies off where it slipped
AFTER_PILE = (60, 250)  # milliseconds from the hand that has drawn a card to the same one laying it
SECOND_CARD = (80, 700)  # from one card of a play to the other
LOOKS = (600, 1800)  # until what was played is swept up
EACH = (220, 420)  # over each card that is swept up
CALLED = (1500, 3000)  # until two cards that do not fit are taken back; of one it takes longer ...
ALONE = (4500, 6500)  # ... because another may come
AGAIN = (500, 1500)  # until its player goes on
AT_ONCE = 0.6  # of those who draw several: with one hand


@dataclass(frozen=True, slots=True)
class Deed:
    """What truly happened."""

    what: str  # fill, play, refused, back, draw, take or tres
    at: int
    player: str
    column: int = 0
    card: str = ""  # of the table
    cards: tuple[str, ...] = ()  # of the hand
    count: int = 0  # cards that were drawn
    kind: str = ""


class Course:
    """What has happened so far."""

    def __init__(
        self,
        rng: Random,
        seats: Mapping[str, Seat],
        bots: Table,
        state: State,
        trouble: Mapping[str, float],
        pace: float,
    ) -> None:
        self.rng, self.seats, self.state = rng, seats, state
        self.columns: dict[int, str] = dict(zip(COLUMNS, state.table, strict=True))
        self.arms: list[ScriptedArm] = []
        self.mishaps: list[Mishap] = []
        self.said: list[ScriptLine] = []
        self.deeds: list[Deed] = []
        self._bots, self._trouble, self._pace = bots, trouble, pace
        self._free = dict.fromkeys(seats, 0)  # when each player's arm is gone
        self._swept = 0  # when the newest play was swept up

    def run(self, begins: int, turns: int) -> None:
        """From the first turn to the end of the match, or of so many turns."""
        now, count = begins + span(self.rng, (300, 1500)), 0
        while self.state.phase != "over":
            move = self._bots.next_move(self.state)
            if isinstance(move, Play | Draw):
                count += 1
                if count > turns:
                    return
                now = self._before_turn(now)
            now = self._do(move, now)

    def _do(self, move: Move, now: int) -> int:
        """One move; when the next one may begin."""
        match move:
            case Fill(player, card):
                return self._fill(move, player, card, now)
            case Play():
                return self._play(move, now)
            case Draw(player):
                return self._draw(move, player, now)
            case Take(player):
                return self._take(move, player, now)
            case Tres() | Catch():
                return self._say(move, now)
            case _:
                assert isinstance(move, Keep)
                self._rule(move)
                return now + self._thinks()

    # --- moves

    def _fill(self, move: Fill, player: str, card: str, now: int) -> int:
        column = next(column for column in COLUMNS if column not in self.columns)
        drawn = self._arm(player, now, DRAW_PILE, "take", kind="fill")
        arm = self._arm(player, drawn.gone + span(self.rng, AFTER_PILE), column, "lay", lying(self.rng, card))
        self.columns[column] = card
        self._rule(move)
        self._keep("fill", arm.deed, player, column, card)
        return arm.leaves + self._thinks()

    def _play(self, move: Play, now: int) -> int:
        player, column = move.player, self._column_of(move.table_card)
        places = below(column)[: len(move.cards)]
        kind = "slipped" if self._befalls("slipped") else ""
        for place, card in zip(places, move.cards, strict=True):
            arm = self._arm(player, now, place, "lay", self._lies(card, kind), kind=kind)
            now = arm.gone + span(self.rng, SECOND_CARD)
            if kind:
                arm = self._arm(player, now, place, "square", lying(self.rng, card), kind=kind)
                now = arm.gone + span(self.rng, SECOND_CARD)
        self._rule(move)
        self._keep("play", arm.deed, player, column, move.table_card, move.cards, kind=kind)
        swept = self._sweep(player, arm.gone + span(self.rng, LOOKS), column, places)
        del self.columns[column]
        return max(swept.leaves + span(self.rng, (200, 600)), self._free[player] - SECOND) + self._thinks() // 3

    def _sweep(self, player: str, now: int, column: int, places: Sequence[int], kind: str = "") -> ScriptedArm:
        """The cards of a column go to the discards."""
        card = self.columns[column]
        arm = self._gather(player, now, [column, *places], kind)
        self._arm(player, arm.gone + span(self.rng, AFTER_PILE), DISCARD_PILE, "lay", lying(self.rng, card), kind=kind)
        return arm

    def _gather(self, player: str, now: int, places: Sequence[int], kind: str = "") -> ScriptedArm:
        """Several cards, lifted one after the other by one hand."""
        way = list(places) if self.rng.random() < 0.5 else list(places)[::-1]
        low, high = EACH
        times = visit(self.rng, max(now, self._free[player]), (low * (len(way) + 1), high * (len(way) + 1)))
        times = replace(times, deed=times.there + (times.leaves - times.there) // (len(way) + 1))
        arm = self._arm_of(player, times, way[0], "take", None, kind)
        self.arms[-1] = arm = replace(arm, also=tuple(way[1:]))
        return arm

    def _draw(self, move: Draw, player: str, now: int) -> int:
        is_slow = self._befalls("stays")
        over = (3000, 5000) if is_slow else None
        arm = self._arm(player, now, DRAW_PILE, "take", over=over, kind="stays" if is_slow else "draw")
        self._rule(move)
        self._keep("draw", arm.deed, player, count=1)
        return arm.gone + self._thinks() // 2

    def _take(self, move: Take, player: str, now: int) -> int:
        count = self.state.owed(player)
        now += self._thinks() // 3
        if self.rng.random() < AT_ONCE:
            arm = self._arm(player, now, DRAW_PILE, "take", over=(500, 1400), kind="take")
            first = arm.deed
        else:
            arms = []
            for _ in range(count):
                arms.append(self._arm(player, now, DRAW_PILE, "take", kind="take"))
                now = arms[-1].gone + span(self.rng, AFTER_PILE)
            arm, first = arms[-1], arms[0].deed
        self._rule(move)
        self._keep("take", first, player, count=count)
        return arm.gone + self._thinks() // 2

    def _say(self, move: Tres | Catch, now: int) -> int:
        at = now + span(self.rng, (200, 700) if isinstance(move, Tres) else (900, 1600))
        said = {key: value for key, value in move_plain(move).items() if key not in ("at", "finish")}
        self.said.append(ScriptLine(at, said))
        self._rule(move)
        self._keep("tres" if isinstance(move, Tres) else "catch", at, move.player)
        return at + span(self.rng, (200, 500))

    # --- what goes wrong

    def _before_turn(self, now: int) -> int:
        """Trouble before a card is played or drawn; when that may begin."""
        player = self.state.turn
        for kind in MISHAPS:
            if self._befalls(kind):
                self._befall(kind, now)
        if self._befalls("hover"):
            place = self.rng.choice(below(self.rng.choice(list(self.columns))))
            now = self._hover(player, now, place, "hover")
        if self._befalls("rests"):
            other = self.rng.choice(list(self.seats))
            now = self._hover(other, now, self.rng.randint(1, PLACES), "rests")
        if self._befalls("touches"):
            other = self.rng.choice(list(self.seats))
            now = self._arm(other, now, DRAW_PILE, "hover", kind="touches").gone
        if self._befalls("illegal") and (wrong := self._wrong()):
            now = self._lay_wrongly(player, now, *wrong)
        if self._befalls("swept illegal") and (wrong := self._wrong()):
            now = self._sweep_wrongly(player, now, *wrong)
        if self._befalls("taken back"):
            now = self._think_better(player, now)
        return now

    def _hover(self, player: str, now: int, place: int, kind: str) -> int:
        card = self.rng.choice(self._bots.hands[player])
        arm = self._arm(player, now, place, "hover", lying(self.rng, card), over=(500, 1300), kind=kind)
        return arm.gone

    def _wrong(self) -> tuple[int, tuple[str, ...]] | None:
        """A card of the table and one or two of the hand that are no run with it."""
        hand = self._bots.hands[self.state.turn]
        ways: list[tuple[str, ...]] = [(card,) for card in hand] if self.state.phase == "turn" else []
        ways += list(combinations(hand, 2)) if self.state.phase == "turn" else []
        found = [(column, cards) for column, card in self.columns.items() for cards in ways if not is_run(card, *cards)]
        return self.rng.choice(found) if found else None

    def _laid(self, player: str, now: int, column: int, cards: Sequence[str], kind: str) -> ScriptedArm:
        for place, card in zip(below(column), cards, strict=False):
            arm = self._arm(player, now, place, "lay", lying(self.rng, card), kind=kind)
            now = arm.gone + span(self.rng, SECOND_CARD)
        return arm

    def _lay_wrongly(self, player: str, now: int, column: int, cards: tuple[str, ...]) -> int:
        """Cards that do not fit, which are called and taken back."""
        arm = self._laid(player, now, column, cards, "illegal")
        self._keep("refused", arm.deed, player, column, self.columns[column], cards, kind="illegal")
        waits = span(self.rng, ALONE if len(cards) == 1 else CALLED)
        back = self._gather(player, arm.gone + waits, below(column)[: len(cards)], "illegal")
        return back.gone + span(self.rng, AGAIN)

    def _sweep_wrongly(self, player: str, now: int, column: int, cards: tuple[str, ...]) -> int:
        """Cards that do not fit and are swept up at once; the card of the table is put back."""
        arm = self._laid(player, now, column, cards, "swept illegal")
        self._keep("refused", arm.deed, player, column, self.columns[column], cards, kind="swept illegal")
        places = below(column)[: len(cards)]
        self._sweep(player, arm.gone + span(self.rng, LOOKS), column, places, "swept illegal")
        again = self._free[player] + span(self.rng, (2000, 3500))
        back = self._arm(player, again, DISCARD_PILE, "take", kind="swept illegal")
        put = lying(self.rng, self.columns[column])
        arm = self._arm(player, back.gone + span(self.rng, AFTER_PILE), column, "lay", put, kind="swept illegal")
        return arm.gone + span(self.rng, AGAIN)

    def _think_better(self, player: str, now: int) -> int:
        """A card is taken back before anything was swept up."""
        column, card = self.rng.choice(list(self.columns)), self.rng.choice(self._bots.hands[player])
        arm = self._laid(player, now, column, [card], "taken back")
        back = self._gather(player, arm.gone + span(self.rng, (500, 1500)), below(column)[:1], "taken back")
        self._keep("back", back.deed, player, column, self.columns[column], (card,), kind="taken back")
        return back.gone + span(self.rng, AGAIN)

    # --- arms, rulings, mishaps

    def _lies(self, card: str, kind: str) -> Lying:
        usual = lying(self.rng, card)
        if not kind:
            return usual
        far, side = self.rng.uniform(*FAR), self.rng.choice((-1, 1))
        slip = (side * round(far, 1), usual.slip[1])
        return replace(usual, slip=slip if self.rng.random() < 0.5 else slip[::-1])

    def _column_of(self, card: str) -> int:
        return next(column for column, lies in self.columns.items() if lies == card)

    def _arm(
        self,
        player: str,
        now: int,
        place: int,
        what: drawn.Deed,
        lies: Lying | None = None,
        *,
        over: tuple[float, float] | None = None,
        kind: str = "",
    ) -> ScriptedArm:
        enters = max(now, self._free[player])
        times = visit(self.rng, enters, over) if over else visit(self.rng, enters)
        return self._arm_of(player, times, place, what, lies, kind)

    def _arm_of(
        self, player: str, times: Times, place: int, what: drawn.Deed, lies: Lying | None, kind: str
    ) -> ScriptedArm:
        stamps = times.enters, times.there, times.deed, times.leaves, times.gone
        arm = ScriptedArm(self.seats[player], *stamps, place, what, lies, kind=kind)
        self.arms.append(arm)
        self._free[player] = arm.gone + 50 * MILLISECOND
        return arm

    def _rule(self, move: Move) -> None:
        ruling = GAME.rule(self.state, move)
        self._bots.ruled(ruling)
        self.state = ruling.state

    def _keep(self, what: str, at: int, player: str, column: int = 0, card: str = "", *rest: Any, **more: Any) -> None:
        self.deeds.append(Deed(what, at, player, column, card, *rest, **more))

    def _thinks(self) -> int:
        return span(self.rng, (500, 1200)) + int(self.rng.expovariate(self._pace) * SECOND / 3)

    def _befalls(self, kind: str) -> bool:
        return self.rng.random() < self._trouble.get(kind, 0)

    def _befall(self, kind: str, now: int) -> None:
        befallen = mishap(self.rng, kind, now, mat.COLUMNS)
        if befallen.what == "cover":  # nobody lays under it
            befallen = replace(befallen, until=min(befallen.until, now + SECOND))
        self.mishaps.append(befallen)
