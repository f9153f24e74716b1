"""Sticks on the drawn table: a touch on them takes one."""

from companion.core.rules import Move
from companion.words import Words, labels
from simulator.drawn.card_faces import BACK_EDGE
from simulator.drawn.items import Spot, Thing
from simulator.drawn.spread import DrawnGame, Minds, Picked, Sight, Spread
from tests.sixth.bot import best
from tests.sixth.rules import Take
from tests.sixth.screen import draw_sticks


class Sticks(Spread):
    def bot_move(self, minds: Minds, _now: int) -> Move | None:
        return Take(self.state.turn, best(self.state)) if self.state.turn in minds.awake else None

    def put(self, _picked: Picked, onto: Thing, me: str) -> Move | None:
        return Take(me) if onto.kind == "sticks" else None

    def hint(self, words: Words, me: str) -> str:
        return words.say(labels.YOUR_TURN) if me == self.state.turn else ""

    def draw(self, sight: Sight) -> None:
        draw_sticks(sight.page, sight.middle, self.state.left)
        sight.page.add(Spot(sight.middle, BACK_EDGE, 2, intent=Thing("sticks")))


SPREAD = DrawnGame(Sticks)
