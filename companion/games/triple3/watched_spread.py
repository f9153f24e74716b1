"""Triple³ on a drawn table with a camera over it: cards are laid by arms, and the referee has them from the picture.

Between the mouse and the ruling stands everything that stands there at a real table: the picture, the eye that reads it
and the witness who makes moves of what is seen. What lies there is what the arms have done, not what the match says.
"""

from collections.abc import Callable, Container, Mapping
from random import Random
from typing import TYPE_CHECKING, Any

from companion.__main__ import if_installed
from companion.core.card_ways import is_seen
from companion.core.clocks import MILLISECOND, SECOND
from companion.core.match import Match
from companion.core.replies import FoulReply, Reply
from companion.core.requests import Request
from companion.core.rules import Move, Ruling
from companion.core.session import Session
from companion.display.layout import Box, Size, columns, rows
from companion.display.screens.elements import Page
from companion.games import has
from companion.games.triple3.hands_teaching import TeachingHands
from companion.games.triple3.rules import CELLS, Deal, Go, GoOn, Out
from companion.games.triple3.spread import Triple3
from companion.inputs.presses import Presses
from companion.seat.seating import table_with
from companion.seat.table import Seated
from companion.watch.messages import PutRightReply
from companion.words import Words, labels
from simulator.drawn import card_faces as cards
from simulator.drawn.drawn_table import CameraRoom, Room
from simulator.drawn.items import DrawnOutline, Live, Overlay, Spot, Thing
from simulator.drawn.spread import Minds, Picked, Sight, Spread

if TYPE_CHECKING:
    from companion.devices.camera import RoomCamera
    from simulator.rendered.live_table import LiveTable
    from simulator.rendered.script import Seat
    from vision.frames import Source

SIDES: Mapping[int, tuple["Seat", ...]] = {  # of the mat, where the seats of so many players are
    2: ("bottom", "top"),
    3: ("bottom", "left", "right"),
    4: ("bottom", "left", "top", "right"),
}
AROUND = 300 * MILLISECOND  # that bots keep away from a cell over which a hand was
FETCHES = (700 * MILLISECOND, 2 * SECOND)  # after which a bot takes back what was called illegal
SEEN = 3 * SECOND // 2  # after which everybody has seen what was laid out
QUICK = (120, 220)  # milliseconds that a hand is over a cell
FRAME = 60 * MILLISECOND  # between two pictures that are shown
Done = bool  # something was done by hand, and there is nothing to say


class WatchedTriple3(Triple3):
    """The cards of one match as they lie before the camera."""

    pace = (0.8, 2.2)

    def __init__(self, match: Match, seed: int, room: "WatchedRoom") -> None:
        self._room = room
        self._laid_out = -1  # the round whose cards lie there
        self._deal: Deal | None = None  # as the referee has it
        self.called: dict[str, int] = {}  # illegal cards that lie there, and since when
        super().__init__(match, seed)

    @property
    def live(self) -> "LiveTable | None":
        return self._room.live

    # --- the cards -------------------------------------------------------------------------------------------

    def begin(self) -> None:
        """Nothing: cards on a table stay where they are, whatever is undone."""

    def done(self, move: Move, ruling: Ruling) -> None:
        self.state = ruling.state
        if isinstance(move, Deal):
            self._deal = move

    @property
    def piles(self) -> tuple[tuple[str, ...], ...]:
        if self.live is None or self._laid_out != self._round_number:
            return ()
        return self.live.cards

    @property
    def _round_number(self) -> int:
        return len(self.state.rounds)

    def hand(self, player: str) -> list[str]:
        flying = self.live.carried if self.live else ()
        return [card for card in super().hand(player) if card not in flying]

    def deals(self, _me: str) -> Move | Done | None:  # type: ignore[override]
        """The cards are shuffled, laid out and dealt, with hands and not with words."""
        live = self.live
        if live is None or self.state.phase != "deal" or self._laid_out == self._round_number:
            return None
        from simulator.hands.hand_visits import lying  # noqa: PLC0415

        deal, rng = self.to_deal(), Random(f"{self.seed} {self._round_number} lying")
        live.set_out([[lying(rng, card)] for card in deal.grid])
        self.deal_out(deal)
        self._laid_out = self._round_number
        self.called = {}
        for number, leftover in enumerate(deal.leftovers):  # one by one, when the grid has been seen
            self._reach(self.names[0], leftover.cell, leftover.card, SEEN + number * SECOND)
        return True

    def lies_again(self) -> None:
        """A match that is gone on with: the cards lie as the referee has them, dealt as they were."""
        live, deal = self.live, self._deal
        if live is None or deal is None or not self.state.is_seen:  # somebody may have said that it is dealt
            return
        if self._laid_out == self._round_number or self.state.phase in ("deal", "over"):
            return
        from simulator.hands.hand_visits import lying  # noqa: PLC0415

        rng = Random(f"{self.seed} {self._round_number} lying")
        live.set_out([[lying(rng, laid.card) for laid in pile] for pile in self.state.piles])
        self.deal_out(deal)
        self._laid_out = self._round_number

    # --- what is done by hand --------------------------------------------------------------------------------

    def lay(self, player: str, cell: int, card: str) -> Move | Done | None:  # type: ignore[override]
        if self.live is None or card not in self.hand(player):
            return None
        return self._reach(player, cell, card)

    def take(self, player: str, cell: int) -> Move | Done | None:  # type: ignore[override]
        return self._reach(player, cell, "")

    def _reach(self, player: str, cell: int, card: str, late: int = 0) -> Done:
        """An arm comes in, lays a card or takes the top one, and goes out again."""
        from simulator.hands.hand_visits import lying, visit  # noqa: PLC0415
        from simulator.rendered.script import ScriptedArm  # noqa: PLC0415

        live = self.live
        assert live is not None
        times = visit(self.rng, self._room.now + late, QUICK)
        what = lying(self.rng, card) if card else None
        times_ = (times.enters, times.there, times.deed, times.leaves, times.gone)
        live.come(ScriptedArm(self._side(player), *times_, cell, "lay" if card else "take", what))
        return True

    def _side(self, player: str) -> "Seat":
        return SIDES[len(self.names)][self.names.index(player)]

    def can_pick(self, thing: Thing, me: str) -> bool:
        if self.live is not None and thing.kind == "cell" and self.live.is_busy(thing.of):
            return False
        return super().can_pick(thing, me)

    # --- what is told ----------------------------------------------------------------------------------------

    def heard(self, reply: Reply, now: int) -> None:
        """A foul with what it rests on is a card that lies there and has to go."""
        if isinstance(reply, FoulReply) and reply.evidence:
            self.called[reply.evidence.card] = now
        elif isinstance(reply, PutRightReply):
            self.called.pop(reply.card, None)

    def hint(self, words: Words, me: str) -> str:
        if self.live is None:
            return words.say(labels.WAIT)
        if self.state.phase == "deal" and self._laid_out == self._round_number:
            return words.say(labels.WAIT)
        if any(self.owner(card) == me for card in self._lying_wrong()):
            return words.say("Your card makes no new triple: drag it from the grid back to your hand.")
        return super().hint(words, me)

    def _lying_wrong(self) -> list[str]:
        tops = {pile[-1] for pile in self.piles if pile}
        return [card for card in self.called if card in tops]

    # --- bots ------------------------------------------------------------------------------------------------

    def bot_move(self, minds: Minds, now: int) -> Move | Request | Done | None:  # type: ignore[override]
        live, alone = self.live, minds.is_alone
        if live is None:
            return None
        match self.state.phase:
            case "deal" if self._laid_out != self._round_number:
                return self.deals(self.names[0]) if alone else None
            case "ready" if alone:
                return Go("") if live.is_still else None
            case "count":
                return self._count(minds.bots)
            case "play" | "stopped" if done := self._fetches(minds.bots, now):
                return done
            case "stopped" if done := self._takes_back(minds.bots):
                return done
            case "stopped" if alone and live.is_still:
                return GoOn("")
            case "play" if self.state.is_seen:
                return self._reaches(minds)
            case _:
                return None

    def _fetches(self, bots: Container[str], now: int) -> Done | None:
        """Whoever has laid an illegal card takes it back."""
        live = self.live
        assert live is not None
        for card in self._lying_wrong():
            cell = next(cell for cell, pile in zip(CELLS, self.piles, strict=True) if pile and pile[-1] == card)
            late = Random(card).randrange(*FETCHES)
            if self.owner(card) in bots and now > self.called[card] + late and not live.is_busy(cell):
                return self._reach(self.owner(card), cell, "")
        return None

    def _takes_back(self, bots: Container[str]) -> Done | None:  # type: ignore[override]
        """At a Stop! whoever has laid an illegal card that lies on top takes it back."""
        assert self.live is not None
        for cell, pile in zip(CELLS, self.state.piles, strict=False):
            lies = self.piles[cell - 1][-1] if self.piles else ""
            player = self.owner(pile[-1].card)
            if not pile[-1].legal and lies == pile[-1].card and player in bots and not self.live.is_busy(cell):
                return self._reach(player, cell, "")
        return None

    def _reaches(self, minds: Minds) -> Move | Done | None:
        live = self.live
        assert live is not None
        for player in self.rng.sample(sorted(minds.awake), len(minds.awake)):
            if not self.hand(player) and live.is_still and self.dealt and player not in self.state.void:
                return Out(player)
            choice = self.thought(player, minds)
            if choice and not live.is_busy(choice[0], AROUND) and not self._is_wrong(choice[0]):
                return self._reach(player, *choice)
        return None

    def _is_wrong(self, cell: int) -> bool:
        pile = self.piles[cell - 1]
        return bool(pile) and pile[-1] in self.called

    # --- what is seen ----------------------------------------------------------------------------------------

    def draw(self, sight: Sight) -> None:
        page, m, live = sight.page, sight.page.m, self.live
        deck, seen, side = columns(sight.middle, m.of(25), 1.0, m.of(25), gap=m.gap)
        if self._laid_out != self._round_number:
            self.draw_deck(page, deck)
        self.draw_hand(sight)
        if live is None or live.newest is None:
            page.text(seen, page.words.say(labels.WAIT), m.large, "on-black")
            return
        width, height = live.size
        at = seen.shaped(width, height)
        outlines = self._room.outlines if self._room.is_overlaid else ()
        page.add(Live(at, live.newest.number, live.newest.picture, outlines))
        for cell in CELLS:
            self._place(page, at, cell, sight.picked)
        self._switch(page, rows(side, m.of(18), 1.0)[0])

    def _place(self, page: Page, box: Box, cell: int, picked: Picked) -> None:
        """Where a cell lies in the picture: something to touch, and to drop cards on."""
        assert self.live is not None
        corners = self.live.corners(cell)
        left, top = min(x for x, _ in corners), min(y for _, y in corners)
        right, bottom = max(x for x, _ in corners), max(y for _, y in corners)
        at = Box(
            box.x + round(left * box.w),
            box.y + round(top * box.h),
            round((right - left) * box.w),
            round((bottom - top) * box.h),
        )
        thing = Thing("cell", cell)
        page.add(Spot(at, cards.CHOSEN if thing in picked else None, intent=thing))

    def _switch(self, page: Page, box: Box) -> None:
        label = page.words.say("What is read")
        page.button(box, label, Overlay(), on=self._room.is_overlaid, size=page.m.small, key="y", lines=3)


class WatchedRoom(Room):
    """A room with a camera over its table, for the game that is watched."""

    def __init__(
        self, size: Size, clock: Callable[[], int], *, seed: int | None = None, mistakes: float = 0.06
    ) -> None:
        super().__init__(size, clock, seed=seed, mistakes=mistakes)
        self.live: LiveTable | None = None
        self.is_overlaid = False
        self._shown_at = 0
        self._teaching = TeachingHands(Random(self._rng.random()))

    @property
    def now(self) -> int:
        return self._clock()

    def opened(self) -> "Source":
        """The table that the camera looks at; made in the thread that opens cameras."""
        from companion.core.packages import packages  # noqa: PLC0415

        with packages():
            from simulator.rendered.live_table import LiveTable  # noqa: PLC0415
        if self.live is None:
            self.live = LiveTable(self._rng.randrange(1000), clock=self._clock)
        return self.live

    def join(self, app: Any) -> None:
        super().join(app)
        app.hearers.append(self._heard)

    def _heard(self, reply: Reply) -> None:
        if isinstance(self.spread, WatchedTriple3):
            self.spread.heard(reply, self._clock())

    def seat_with(self, session: Session, presses: Presses) -> Seated:
        setup = session.referee.match.setup
        names = setup.names
        if not has(setup.game, "watched_spread"):  # no hands lay its cards before the drawn camera
            return super().seat_with(session, presses)
        sides = SIDES.get(len(names), ())
        return table_with(session, presses, self.camera, seats=dict(zip(sides, names, strict=False)))

    def spread_for(self, match: Match, seed: int) -> Spread | None:
        is_drawn = has(match.setup.game, "watched_spread")
        if self.camera is not None and is_drawn and is_seen(match.setup.game, match.setup.house):
            return WatchedTriple3(match, seed, self)
        return super().spread_for(match, seed)

    def attend(self, now: int) -> None:
        super().attend(now)
        if isinstance(self.spread, WatchedTriple3):
            self.spread.lies_again()
        self._teaching.attend(self._app.teaching.sight if self._app else None, self.live, now)

    def overlay(self) -> None:
        self.is_overlaid = not self.is_overlaid

    @property
    def outlines(self) -> tuple[DrawnOutline, ...]:
        """What the eye has of each cell."""
        if self.camera is None:
            return ()
        return tuple(DrawnOutline(place.corners, place.now, place.card) for place in self.camera.sight.places)

    def wakes_at(self, now: int) -> int | None:
        found = [super().wakes_at(now), self._teaching.due]
        if isinstance(self.spread, WatchedTriple3) and self.live is not None:
            found.append(max(now, self._shown_at + FRAME))
        return min((at for at in found if at is not None), default=None)

    def extra(self) -> tuple[Any, ...]:
        if not isinstance(self.spread, WatchedTriple3) or self.live is None or self.live.newest is None:
            return super().extra()
        return (self._number(), self.is_overlaid, self.outlines if self.is_overlaid else (), self.live.carried)

    def _number(self) -> int:
        """Of the picture that is shown: not every one of the camera's."""
        assert self.live is not None
        assert self.live.newest is not None
        now = self._clock()
        if now >= self._shown_at + FRAME:
            self._shown_at = now
            self._shown = self.live.newest.number
        return self._shown

    def close(self) -> None:
        super().close()
        if self.camera is not None:
            self.camera.close()
            self.camera = None


def room_with_camera(
    size: Size, clock: Callable[[], int], camera: "RoomCamera | None" = None, **more: Any
) -> WatchedRoom:
    """With the drawn table's own camera, or a real one; without either where cameras are not to be had."""
    room = WatchedRoom(size, clock, **more)
    if camera is None:
        with if_installed():
            from companion.devices.camera import RoomCamera  # noqa: PLC0415

            room.camera = RoomCamera(room.opened)
    return room


WATCHED_SPREAD = CameraRoom(room_with_camera)
