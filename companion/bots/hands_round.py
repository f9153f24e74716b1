"""One round of Triple³ played by hands: who reaches for which cell when, and what comes of it.

Time goes from event to event. A player decides by what lies on the table when the arm starts; what is there when the
arm arrives may be something else.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from heapq import heappop, heappush
from math import exp
from random import Random

from companion.bots.hands_table import LINE_MATES, NEIGHBOURS, Knocked, Lie
from companion.bots.hands_visits import (
    MISHAPS,
    USUAL_VISIT,
    Times,
    cells_covered,
    knocked,
    lying,
    mishap,
    slipped,
    span,
    visit,
)
from companion.clocks import MILLISECOND, SECOND
from companion.games import triple3
from companion.games.triple3 import (
    BITS,
    CELLS,
    GoOn,
    Lay,
    NobodyCanLay,
    NotOutYet,
    Out,
    State,
    Stop,
    TakeBack,
    accepted,
)
from companion.rules import Foul, Move, Ruling
from vision.mat import Mat
from vision.simulated.script import Arm, Deed, Lying, Mishap, Said, Seat

LONGEST = 900 * SECOND  # of a round; nobody begins anything after it
TAKEN_IN = 500 * MILLISECOND  # a card has landed for so long when others have seen which it is
CAREFUL = 0.97  # of those who see a hand over a cell do not reach for it
AROUND = 200 * MILLISECOND  # before and after it is over a cell a hand is in the way there
NOTICED = 300 * MILLISECOND  # what was done longer ago than this, everybody who looks has seen
WATCHFUL = 0.95  # of those whose card is no longer good when the hand arrives, and who could see it, do not lay it
POLITE = 0.93  # of those who find that somebody was first at the same cell leave it to him
TOO_LATE = 250 * MILLISECOND  # a card that is nearer to the table than this lies there before anybody heard "Stop!"
PATIENCE = 3 * SECOND // 2  # for which a player waits until two can do something at once

WAYS = (
    "simultaneous",
    "covered twice",
    "taken back",
    "hover",
    "passing",
    "slipped",
    "squared",
    "knocked",
    "same arms",
    "stop",
)
BOLD = "on an illegal card"
KINDS = (*WAYS, BOLD, *MISHAPS)

Choice = tuple[int, str]


@dataclass(frozen=True, slots=True)
class Manner:
    """How they play."""

    pace: float  # plays a second, all together
    illegal: float  # share of plays that are meant to be illegal
    trouble: Mapping[str, float]  # chance of each kind, with each card that somebody decides to lay
    plays: int | None  # so many are laid at most


@dataclass(slots=True)
class Visit:
    """An arm that is in the picture, or will be."""

    player: str
    arm: Arm
    decided: int
    was_legal: bool  # to lay the card, when that was decided

    @property
    def card(self) -> str:
        return self.arm.lying.card if self.arm.lying else ""

    def is_over(self, cell: int, at: int, around: int = 0) -> bool:
        return self.arm.cell == cell and self.arm.there - around <= at < self.arm.leaves + around


class Round:
    """What has happened so far in one round. `play` goes on to its end."""

    def __init__(
        self, rng: Random, seats: Mapping[str, Seat], hands: Mapping[str, list[str]], manner: Manner, mat: Mat
    ) -> None:
        self.arms: list[Arm] = []
        self.mishaps: list[Mishap] = []
        self.said: list[Said] = []
        self._rng = rng
        self._seats = seats
        self._hands = {player: list(cards) for player, cards in hands.items()}
        self._manner = manner
        self._mat = mat
        self._now = 0
        self._events: list[tuple[int, int, Callable[[], None]]] = []
        self._planned = 0
        self._flight: list[Visit] = []
        self._free = dict.fromkeys(seats, 0)  # when each player's arms will be gone
        self._spell = 0  # goes up with every "go on"; who woke up in an earlier one sleeps on
        self._deeds: set[int] = set()
        self._laid = 0
        self._over = False
        self._ways: dict[str, Callable[[str, Choice, str], object]] = {
            "simultaneous": self._lay_at_once,
            "covered twice": self._cover_twice,
            "hover": self._hover,
            "passing": self._pass,
            "squared": self._square,
            "knocked": self._knock,
            "same arms": self._lay_two,
            "stop": lambda player, _choice, _kind: self._call_stop(player),
        }
        self._doings: dict[Deed, Callable[[Visit], None]] = {
            "lay": self._lay_down,
            "take": self._take_away,
            "hover": lambda _come: None,
            "square": self._square_up,
            "knock": self._shove,
        }

    def play(self, piles: list[list[Lying]], state: State) -> None:
        """From "go", at the stamp of which the state was begun."""
        self._lie = Lie(piles)
        self._state = state
        self._now = state.clock.since or 0
        self._wake_all((300, 1500))
        while self._events:
            self._now, _, event = heappop(self._events)
            event()

    # --- Time

    def _at(self, at: int, event: Callable[[], None]) -> None:
        self._planned += 1
        heappush(self._events, (max(at, self._now), self._planned, event))

    def _in(self, bounds: tuple[float, float], event: Callable[[], None]) -> None:
        self._at(self._now + span(self._rng, bounds), event)

    def _wake_all(self, bounds: tuple[float, float]) -> None:
        for player in self._seats:
            self._in(bounds, partial(self._wake, player, self._spell))

    def _wake(self, player: str, spell: int) -> None:
        """A player looks for something to do, does it, and will look again."""
        if spell != self._spell or not self._goes_on:
            return
        if self._free[player] <= self._now:
            self._do_something(player)
        awake = max(self._free[player], self._now)
        self._at(awake + self._thinking(player), partial(self._wake, player, spell))

    def _thinking(self, player: str) -> int:
        """Shorter when the table has fallen behind its pace, longer with few cards to choose from."""
        ahead = sum(map(len, self._hands.values())) / len(self._hands) - len(self._hands[player])
        behind = self._state.clock.used_at(self._now) / SECOND * self._manner.pace - self._laid
        hurry = 0.15 * min(max(behind, -5), 15) - 0.12 * ahead
        mean = (len(self._seats) / self._manner.pace - USUAL_VISIT) * exp(-hurry)
        return int(self._rng.expovariate(1 / max(mean, 0.06)) * SECOND) + 20 * MILLISECOND

    @property
    def _goes_on(self) -> bool:
        if self._over or self._state.phase != "play" or self._now > LONGEST:
            return False
        return self._manner.plays is None or self._laid < self._manner.plays

    @property
    def _quiet(self) -> int:
        """When all arms that were begun will be gone."""
        return max(self._free.values())

    # --- What a player wants

    def _do_something(self, player: str) -> None:
        choice = self._choice(player)
        if choice is None:
            self._free[player] = self._now + span(self._rng, (300, 900))
            return
        for name in MISHAPS:
            if self._rng.random() < self._manner.trouble.get(name, 0):
                self._befall(name)
        kind = self._kind()
        self._ways.get(kind, self._lay)(player, self._or_wrong(player, choice), kind)

    def _kind(self) -> str:
        drawn = self._rng.random()
        for kind in WAYS:
            drawn -= self._manner.trouble.get(kind, 0)
            if drawn < 0:
                return kind
        return ""

    def _or_wrong(self, player: str, choice: Choice, cells: frozenset[int] = frozenset(CELLS)) -> Choice:
        """Now and then another card, which is illegal."""
        if self._rng.random() < self._manner.illegal:
            return self._choice(player, cells, wrong=True) or choice
        return choice

    def _choice(
        self,
        player: str,
        cells: frozenset[int] = frozenset(CELLS),
        *,
        wrong: bool = False,
        after: Choice | None = None,
    ) -> Choice | None:
        """A cell and a card for it, by what lies on the table now (`after` another card of one's own is laid); at first
        by the cards that come to hand."""
        wanted = [cell for cell in self._open_cells() if cell in cells]
        self._rng.shuffle(wanted)
        hand, grid = self._hands[player], self._lie.seen(self._now)
        if after:
            grid = (*grid[: after[0] - 1], after[1], *grid[after[0] :])
            hand = [card for card in hand if card != after[1]]
        takes = [(cell, accepted(grid, cell)) for cell in wanted]
        at_hand = self._rng.sample(hand, min(2 if wrong else 6, len(hand)))
        for cards in (at_hand, hand):
            for cell, values in takes:
                for card in cards:
                    if bool(values & BITS[card]) is not wrong:
                        return cell, card
        return None

    def _open_cells(self) -> list[int]:
        """Where one would lay a card: not under a cover, a hand, or on an illegal card."""
        is_careful = self._rng.random() < CAREFUL
        is_bold = self._rng.random() < self._manner.trouble.get(BOLD, 0)
        return [
            cell
            for cell in CELLS
            if not self._lie.is_closed(cell, self._now)
            and not (is_careful and self._lie.changed[cell] > self._now - TAKEN_IN)
            and not (is_careful and any(come.is_over(cell, self._now, AROUND) for come in self._flight))
            and (is_bold or not self._lie.has_refused(cell))
        ]

    # --- Ways to lay a card, each with its kind of trouble

    def _lay(self, player: str, choice: Choice, kind: str) -> Visit:
        return self._reach(player, choice, kind, visit(self._rng, self._now))

    def _reach(self, player: str, choice: Choice, kind: str, times: Times) -> Visit:
        cell, card = choice
        self._hands[player].remove(card)
        lies = slipped(self._rng, card) if kind == "slipped" else lying(self._rng, card)
        return self._start(player, times, cell, "lay", lies, kind=kind)

    def _lay_at_once(self, player: str, choice: Choice, kind: str) -> None:
        """Two players, two cells, the same moment; often in one line."""
        cells = LINE_MATES[choice[0]] if self._rng.random() < 0.6 else frozenset(CELLS) - {choice[0]}
        times = visit(self._rng, self._now)
        self._with_another((player, choice, times), cells, span(self._rng, (-200, 200)), kind)

    def _cover_twice(self, player: str, choice: Choice, kind: str) -> None:
        """A second card on the same cell before the first hand has left the picture of it."""
        times = visit(self._rng, self._now)
        gap = self._rng.randrange(60 * MILLISECOND, times.gone - times.deed)
        self._with_another((player, choice, times), frozenset({choice[0]}), gap, kind)

    def _with_another(self, first: tuple[str, Choice, Times], cells: frozenset[int], gap: int, kind: str) -> None:
        """Somebody else lays a card too, so much later; who is free earlier waits for the other."""
        player, choice, times = first
        other = min((one for one in self._seats if one != player), key=lambda one: (self._free[one], one))
        theirs = visit(self._rng, max(self._now, self._free[other]))
        late = theirs.deed - gap - times.deed
        second = self._choice(other, cells) if late < PATIENCE else None
        if second is None:
            self._reach(player, choice, "", times)
            return
        second = self._or_wrong(other, second, cells)
        self._reach(player, choice, kind, times.later(max(late, 0)))
        self._reach(other, second, kind, theirs.later(max(-late, 0)))

    def _lay_two(self, player: str, choice: Choice, kind: str) -> None:
        """Both hands of one player, two cells."""
        times = visit(self._rng, self._now)
        second = self._choice(player, frozenset(CELLS) - {choice[0]}, after=choice)
        if second is None:
            self._reach(player, choice, "", times)
            return
        theirs = visit(self._rng, self._now)
        late = theirs.deed - times.deed - span(self._rng, (100, 600))
        self._reach(player, choice, kind, times.later(max(late, 0)))
        self._reach(player, second, kind, theirs.later(max(-late, 0)))

    def _hover(self, player: str, choice: Choice, kind: str) -> None:
        """Thought better of it."""
        self._hold_over(player, choice, kind, visit(self._rng, self._now, (500, 1500)))

    def _pass(self, player: str, choice: Choice, kind: str) -> None:
        """Rests over another cell on the way."""
        other = self._rng.choice([cell for cell in CELLS if cell != choice[0]])
        rests = self._hold_over(player, (other, choice[1]), kind, visit(self._rng, self._now, (200, 600)))
        self._reach(player, choice, kind, visit(self._rng, rests.arm.gone))

    def _hold_over(self, player: str, choice: Choice, kind: str, times: Times) -> Visit:
        return self._start(player, times, choice[0], "hover", lying(self._rng, choice[1]), kind=kind)

    def _square(self, player: str, _choice: Choice, kind: str) -> None:
        """Squares a pile up, and lays nothing."""
        piles = [pile for pile in enumerate(self._lie.piles, 1) if len(pile[1]) > 1]
        open_piles = [pile for pile in piles if not self._lie.is_closed(pile[0], self._now)]
        if open_piles:
            cell, pile = self._rng.choice(open_piles)
            aims = lying(self._rng, pile[-1].card)
            self._start(player, visit(self._rng, self._now), cell, "square", aims, kind=kind)

    def _knock(self, player: str, _choice: Choice, kind: str) -> None:
        """A sleeve shoves a card over to the next cell."""
        cell = self._rng.choice(CELLS)
        onto = self._rng.choice(NEIGHBOURS[cell])
        top = self._lie.top(cell)
        if top:
            lies = knocked(self._rng, top.card)
            self._start(player, visit(self._rng, self._now), cell, "knock", lies, onto=onto, kind=kind)

    # --- Arms

    def _start(
        self, player: str, times: Times, cell: int, what: Deed, lies: Lying, *, onto: int = 0, kind: str = ""
    ) -> Visit:
        deed = self._own_moment(times.deed)
        leaves = max(times.leaves, deed)
        seat = self._seats[player]
        arm = Arm(seat, times.enters, times.there, deed, leaves, times.gone, cell, what, lies, onto, kind)
        is_legal = what == "lay" and triple3.is_legal(self._lie.seen(self._now), cell, lies.card)
        begun = Visit(player, arm, self._now, is_legal)
        self._flight.append(begun)
        self._free[player] = max(self._free[player], arm.gone)
        self._at(deed, partial(self._arrive, begun))
        return begun

    def _own_moment(self, deed: int) -> int:
        """No two things are done in the same nanosecond."""
        while deed in self._deeds:
            deed += 1
        self._deeds.add(deed)
        return deed

    def _arrive(self, come: Visit) -> None:
        """The hand is where it wanted to be; it does what it came for, or lets it be."""
        if come.arm.what == "lay" and self._waits(come):
            return
        if self._can(come):
            self._doings[come.arm.what](come)
        else:
            self._let_be(come)
        self.arms.append(come.arm)
        self._at(come.arm.leaves + AROUND, partial(self._flight.remove, come))

    def _waits(self, come: Visit) -> bool:
        """Behind a hand that is still over the cell."""
        cell, arm = come.arm.cell, come.arm
        others = [other.arm for other in self._flight if other is not come and other.is_over(cell, self._now)]
        leaves = max((other.leaves for other in others if other.deed < self._now), default=0)
        is_wanted = any(other is not come and other.player == come.player for other in self._flight)
        if not leaves or is_wanted or arm.kind == "covered twice" or not self._can(come):
            return False
        waits = leaves - self._now + span(self._rng, (20, 150))
        deed = self._own_moment(arm.deed + waits)
        come.arm = replace(arm, deed=deed, leaves=max(arm.leaves + waits, deed), gone=arm.gone + waits + 1)
        self._free[come.player] = max(self._free[come.player], come.arm.gone)
        self._at(deed, partial(self._arrive, come))
        return True

    def _can(self, come: Visit) -> bool:
        arm, card = come.arm, come.card
        match arm.what:
            case "lay":
                return self._goes_on and not self._lie.is_closed(arm.cell, self._now) and self._still_wants(come)
            case "take":
                is_there = self._lie.is_top(card, arm.cell) and not self._lie.is_closed(arm.cell, self._now)
                return is_there and (card in self._lie.refused or not self._over)
            case "knock":
                is_put_back = self._lie.knocked == Knocked(arm.onto, arm.cell, card)
                return is_put_back or (self._goes_on and self._lie.can_be_knocked(arm, self._now))
            case "square":
                return not self._lie.is_closed(arm.cell, self._now)
            case _:
                return True

    def _still_wants(self, come: Visit) -> bool:
        """Most see in time that something else lies there now, and that the card is no longer good for it."""
        cell = come.arm.cell
        if come.arm.kind == "covered twice":
            return True
        if self._lie.changed[cell] > come.decided and self._rng.random() < POLITE:
            return False
        around = (cell, *LINE_MATES[cell])
        could_see = any(come.decided < self._lie.changed[other] <= self._now - NOTICED for other in around)
        if not could_see or not come.was_legal or self._rng.random() > WATCHFUL:
            return True
        return not self._lie.has_refused(cell) and triple3.is_legal(self._lie.seen(self._now), cell, come.card)

    def _let_be(self, come: Visit) -> None:
        """The hand goes back as it came."""
        what, card = come.arm.what, come.card
        if what == "lay":
            self._hands[come.player].append(card)
        carried = come.arm.lying if what == "lay" else None
        come.arm = replace(come.arm, what="hover", lying=carried, onto=0, kind="hover")
        if what == "take" and card in self._lie.refused:
            self._in((300, 900), partial(self._fetch, come.player, card))

    # --- What arms do

    def _lay_down(self, come: Visit) -> None:
        arm, card = come.arm, come.card
        self._lie.lay(arm, come.player)
        self._laid += 1
        self._ruled(Lay(come.player, arm.cell, card, at=arm.deed))
        is_legal = card not in self._lie.refused and self._state.piles[arm.cell - 1][-1].legal
        if card in self._lie.refused:
            self._in((1000, 4000), partial(self._fetch, come.player, card))
        if arm.kind != "taken back":
            return
        if is_legal and not self._over:
            soon = span(self._rng, (0, 150) if self._rng.random() < 0.5 else (900, 1300))
            self._at(arm.gone + soon, partial(self._fetch, come.player, card, arm.kind))
        else:
            come.arm = replace(arm, kind="")

    def _ruled(self, move: Move) -> None:
        try:
            self._follow(triple3.rule(self._state, move))
        except Foul:
            if isinstance(move, Lay):
                self._lie.refused[move.card] = self._now

    def _follow(self, ruling: Ruling) -> None:
        looked_for = any(laid.open for pile in self._state.piles for laid in pile)
        self._state = ruling.state
        for event in ruling.events:
            if isinstance(event, NotOutYet):
                self._in((400, 1500), partial(self._claim, event.player))
        if self._state.phase in ("play", "stopped") or self._over:
            return
        self._over = True
        if not any(isinstance(event, NobodyCanLay) for event in ruling.events):
            [winner] = self._state.rounds[-1].winners
            out = {"move": "out", "player": winner}
            self.said.append(Said(self._now + span(self._rng, (400, 1500)), out))
            if looked_for:  # by whoever does not know whose cards they are
                self.said.append(Said(self.said[-1].at + span(self._rng, (4000, 6000)), out))

    def _take_away(self, come: Visit) -> None:
        card = self._lie.take(come.arm)
        owner = self._lie.owners[card]
        self._hands[owner].append(card)
        if card in self._lie.refused:
            del self._lie.refused[card]
        else:
            self._ruled(TakeBack(owner, come.arm.cell, at=come.arm.deed))

    def _square_up(self, come: Visit) -> None:
        top = self._lie.top(come.arm.cell)
        if come.arm.lying and top:
            come.arm = replace(come.arm, lying=replace(come.arm.lying, card=top.card))
            self._lie.square(come.arm)

    def _shove(self, come: Visit) -> None:
        self._lie.shove(come.arm)
        if self._lie.knocked:
            owner = self._lie.owners.get(come.card, come.player)
            self._at(come.arm.gone + span(self._rng, (300, 1200)), partial(self._put_back, owner))

    def _put_back(self, owner: str) -> None:
        missing = self._lie.knocked
        if missing is None:
            return
        if self._free[owner] > self._now:
            self._at(self._free[owner], partial(self._put_back, owner))
            return
        times, lies = visit(self._rng, self._now), lying(self._rng, missing.card)
        self._start(owner, times, missing.onto, "knock", lies, onto=missing.cell, kind="knocked")

    def _fetch(self, player: str, card: str, kind: str = "") -> None:
        """The player takes a card back as soon as may be; if others lie on it by then and it is illegal, all stop."""
        cell = self._lie.cell_of(card)
        if not cell or self._state.phase == "stopped" or (self._over and card not in self._lie.refused):
            return
        top = self._lie.top(cell)
        if self._free[player] > self._now:
            self._at(self._free[player] + span(self._rng, (20, 200)), partial(self._fetch, player, card, kind))
        elif self._lie.is_closed(cell, self._now):
            self._in((300, 900), partial(self._fetch, player, card, kind))
        elif top and top.card == card:
            self._start(player, visit(self._rng, self._now), cell, "take", top, kind=kind)
        elif card in self._lie.refused:
            self._call_stop(player)

    # --- "Stop!"

    def _call_stop(self, player: str) -> None:
        if self._over or self._state.phase != "play":
            return
        nearly = [come.arm.deed for come in self._flight if self._now <= come.arm.deed <= self._now + TOO_LATE]
        if nearly:
            self._at(max(nearly) + 5 * MILLISECOND, partial(self._call_stop, player))
            return
        self._say("stop", player)
        self._ruled(Stop(player, at=self._now))
        self._at(self._quiet, partial(self._in, (500, 1500), self._tidy))

    def _claim(self, player: str) -> None:
        """Somebody is out, and has laid an illegal card: what lies on top goes back."""
        if self._over or self._state.phase != "play":
            return
        nearly = [come.arm.deed for come in self._flight if self._now <= come.arm.deed <= self._now + TOO_LATE]
        if nearly:
            self._at(max(nearly) + 5 * MILLISECOND, partial(self._claim, player))
            return
        self._say("out", player)
        self._ruled(Out(player, at=self._now))
        self._at(self._quiet, partial(self._in, (500, 1500), self._tidy))

    def _say(self, word: str, player: str) -> None:
        self.said.append(Said(self._now, {"move": word, "player": player}))

    def _tidy(self) -> None:
        """One thing after the other, and then on."""
        if self._over or self._state.phase != "stopped":
            return
        is_covered = any(self._lie.is_covered(cell, self._now) for cell in CELLS)
        if self._quiet > self._now or self._lie.knocked or is_covered:
            self._in((300, 600), self._tidy)
            return
        wrong = [cell for cell in CELLS if self._is_wrong(cell)]
        if wrong:
            self._take_from(wrong[0])
        elif self._rng.random() < 0.3:
            self._square(self._rng.choice(list(self._seats)), (0, ""), "squared")
        else:
            self._in((500, 2000), self._go_on)
            return
        self._in((200, 500), self._tidy)

    def _is_wrong(self, cell: int) -> bool:
        """An illegal card that can be taken off, or that lies under others and was never let pass."""
        top = self._state.piles[cell - 1][-1]
        return self._lie.has_refused(cell) or (self._lie.is_top(top.card, cell) and not top.legal)

    def _take_from(self, cell: int) -> None:
        top = self._lie.top(cell)
        if top:
            self._start(self._lie.owners[top.card], visit(self._rng, self._now), cell, "take", top)

    def _go_on(self) -> None:
        if self._over:
            return
        player = self._rng.choice(list(self._seats))
        self._say("go-on", player)
        self._ruled(GoOn(player, at=self._now))
        self._spell += 1
        self._wake_all((200, 1200))

    # --- Mishaps

    def _befall(self, name: str) -> None:
        """A cover comes when all arms are away; nobody reaches below it."""
        if name != "covered":
            self.mishaps.append(mishap(self._rng, name, self._now, self._mat))
        elif max(self._lie.covered.values(), default=0) < self._now:
            cover = mishap(self._rng, name, max(self._quiet, self._now), self._mat)
            self.mishaps.append(cover)
            self._lie.covered = dict.fromkeys(cells_covered(cover, self._mat), cover.until)
