"""Triplexity on the drawn table: three places, and pieces that are lifted from the hand or from a stack."""

from companion.core.match import Match
from companion.core.rules import Move, Ruling
from companion.core.seats import EASY, STRONG, USUAL
from companion.display.layout import Box, columns, rows
from companion.display.scene import Intent
from companion.display.screens.elements import Page
from companion.games.triplexity import bot as bots
from companion.games.triplexity.rules import HIGHEST, PLACES, Option, Piece, Put, Shift, State, options
from companion.games.triplexity.screen import draw_piece
from companion.games.triplexity.solver import ways
from companion.words import Words
from simulator.drawn.card_faces import BACK_EDGE, CHOSEN
from simulator.drawn.items import Spot, Thing
from simulator.drawn.spread import DrawnGame, Minds, Picked, Sight, Spread

LOOKS_UP = {EASY: 0.2, USUAL: 0.6, STRONG: 1.0}  # how often the best move is known
HELPS = 0.8  # how often one of two bots that go in circles lets the other win
WIDE = 2.3  # a piece, width by height


class _Players(bots.Table):
    def __init__(self, match: Match, seed: int) -> None:
        super().__init__(match.setup.names, match.setup.house, seed)

    def propose(self, state: State, player: str, minds: Minds) -> Move:
        self._minds = minds
        if self._random.random() < minds.errs(player) and state.phase == "move" and state.back is not None:
            target, source = state.back  # what was moved last, back to where it came from: that is refused
            return Shift(player, PLACES[target], PLACES[source])
        option = self._choice(state, player)
        if option.source is None:
            return Put(player, PLACES[option.target], self._face(state, player))
        return Shift(player, PLACES[option.source], PLACES[option.target])

    def _choice(self, state: State, player: str) -> Option:
        position = state.position._replace(mover=state.players.index(player))
        if self._minds.is_alone and self._moves > bots.PATIENCE and self._random.random() < HELPS:
            return ways(position)[-1][0]
        if self._random.random() < self._minds.of(player, LOOKS_UP):
            return ways(position)[0][0]
        return self._random.choice(options(position))


class Triplexity(Spread):
    pace = (1.5, 3.5)

    def __init__(self, match: Match, seed: int) -> None:
        self._brain = _Players(match, seed)
        super().__init__(match, seed)

    def done(self, _move: Move, ruling: Ruling) -> None:
        self._brain.ruled(ruling)

    def bot_move(self, minds: Minds, _now: int) -> Move | None:
        if self.state.turn:
            return self._brain.propose(self.state, self.state.turn, minds) if self.state.turn in minds.awake else None
        if not minds.is_alone:
            return None
        return self._brain.propose(self.state, self.rng.choice(sorted(minds.awake)), minds)

    # --- people ----------------------------------------------------------------------------------------------

    def can_pick(self, thing: Thing, me: str) -> bool:
        if thing.kind == "piece":
            return bool(thing.of[0] == me)
        return thing.kind == "stack" and self.state.phase == "move" and bool(self.state.stacks[thing.of])

    def put(self, picked: Picked, onto: Thing, me: str) -> Move | None:
        if not picked or onto.kind != "stack" or onto == picked[0]:
            return None
        if picked[0].kind == "piece":
            return Put(me, PLACES[onto.of], picked[0].of[2])
        return Shift(me, PLACES[picked[0].of], PLACES[onto.of])

    def hint(self, words: Words, me: str) -> str:
        if self.state.phase == "place" and self.state.turn in ("", me):
            return words.say("Drag a piece onto one of the three places.")
        if self.state.phase == "move" and self.state.turn == me:
            return words.say("Drag a top piece, of either colour, onto another place.")
        return ""

    # --- what is seen ----------------------------------------------------------------------------------------

    def draw(self, sight: Sight) -> None:
        page, m = sight.page, sight.page.m
        other = next(name for name in self.names if name != sight.me)
        theirs, board = rows(sight.middle, m.of(11), 1.0, gap=m.gap)
        self._pieces(page, theirs, other, sight.picked, is_mine=False)
        self._pieces(page, sight.hand, sight.me, sight.picked, is_mine=True)
        for number, box in enumerate(columns(board.inset(m.edge), 1.0, 1.0, 1.0, gap=2 * m.gap)):
            self._stack(page, box, number, sight.picked)

    def _stack(self, page: Page, box: Box, number: int, picked: Picked) -> None:
        m, thing = page.m, Thing("stack", number)
        stack = self.state.stacks[number]
        name, place = rows(box, m.of(5), 1.0, gap=m.gap // 2)
        page.text(name, page.words.value(PLACES[number]), m.small, "on-black")
        page.add(Spot(place, CHOSEN if thing in picked else BACK_EDGE, 4 if thing in picked else 2, intent=thing))
        high = place.h // (HIGHEST + 1)
        for height, piece in enumerate(stack):
            wide = min(place.w - 4 * m.gap, round(high * WIDE))
            top = place.bottom - m.gap - (height + 1) * high
            lies = Box(place.x + (place.w - wide) // 2, top, wide, high - 2)
            _drawn(page, lies, piece, on=thing in picked and height == len(stack) - 1)

    def _pieces(self, page: Page, box: Box, player: str, picked: Picked, *, is_mine: bool) -> None:
        """The pieces in a hand; in the advanced game each with both of its faces to choose from."""
        pieces = self.state.in_hand[self.names.index(player)] if self.state.in_hand else ()
        faces = [(number, one) for number, piece in enumerate(pieces) for one in _faces(piece)]
        if not faces:
            return
        m = page.m
        wide = min(m.of(24), (box.w - m.gap * len(faces)) // max(3, len(faces)))
        high = min(box.h - 2, round(wide / WIDE))
        left = box.x + (box.w - len(faces) * (wide + m.gap)) // 2
        for place, (number, piece) in enumerate(faces):
            thing = Thing("piece", (player, number, piece.up))
            lies = Box(left + place * (wide + m.gap), box.y + (box.h - high) // 2, wide, high)
            _drawn(page, lies, piece, thing if is_mine else None, on=thing in picked)

    def face(self, page: Page, box: Box, thing: Thing) -> None:
        if thing.kind == "stack" and self.state.stacks[thing.of]:
            piece = self.state.stacks[thing.of][-1]
        elif thing.kind == "piece":
            piece = Piece(thing.of[0], thing.of[2])
        else:
            return
        _drawn(page, box.shaped(WIDE, 1), piece, on=True)


def _faces(piece: Piece) -> tuple[Piece, ...]:
    return (piece, piece.turned()) if piece.up else (piece,)


def _drawn(page: Page, box: Box, piece: Piece, intent: Intent | None = None, *, on: bool) -> None:
    draw_piece(page, box, piece, intent, edge="focus" if on else "rim", width=5 if on else 2)


SPREAD = DrawnGame(Triplexity)
