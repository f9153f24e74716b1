"""Touches of people who have no patience: forty a second, anywhere, by two hands; then the power is cut."""

import random
import time

from companion.games import game as game_named
from tests.rigs.evening.evening import Evening, at_table, told_faults
from tests.rigs.evening.fingers import Fingers
from tests.rigs.evening.laws import Laws
from tests.rigs.evening.newcomer import Newcomer
from tests.rigs.evening.table import EAR, Seen, Table

EACH_SECOND = 40
SECONDS = 30
BATCH = 40  # touches, after which somebody looks what has become of it
HEAD = 0.12  # of the touches may hit anything; the others hit the game
HEARD = 0.95  # of the touches at least
BACKS = 8  # steps back to the first screen, from wherever those touches have led


def storm(evening: Evening) -> tuple[list[str], list[str]]:
    """In each game."""
    with at_table(evening) as table:
        laws = Laws("en")  # a touch may have changed the language
        table.on_frame = laws.look_at
        table.open()
        newcomer = Newcomer(table, laws)
        lines = [_game(newcomer, game) for game in evening.games]
        return [f"{evening.name}: {laws.frames} pictures", *lines], told_faults(newcomer)


def _game(newcomer: Newcomer, game: str) -> str:
    table = newcomer.table
    _begins(newcomer, game)
    newcomer.laws.game = f"storm in {game}"
    hands = [Fingers(table.screen.name), Fingers(table.screen.name, second=True)]
    opened, heard = table.openings, table.heard
    touches = sum(_batch(newcomer, hands, game, number) for number in range(EACH_SECOND * SECONDS // BATCH))
    for hand in hands:
        hand.close()
    if table.openings == opened:
        _waits_while_it_hears(table, heard + touches)
        newcomer.must(table.heard >= heard + HEARD * touches, f"{table.heard - heard} of {touches} touches were heard")
    table.picture(f"{game} after the storm")
    newcomer.checks_looks()
    _cuts_power(newcomer)
    return f"  {game}: {touches} touches, opened anew {table.openings - opened - 1} times"


def _waits_while_it_hears(table: Table, touches: int) -> None:
    """However long a busy program takes for all that it was given."""
    before = -1
    while before < table.heard < touches:
        before = table.heard
        table.comes(lambda before=before: table.heard > before, EAR)  # type: ignore[misc]


def _batch(newcomer: Newcomer, hands: list[Fingers], game: str, number: int) -> int:
    """A second of it; who ends up elsewhere comes back to the game."""
    table, rng, begun = newcomer.table, random.Random(f"{game} {number}"), time.monotonic()
    for touch in range(BATCH):
        _touch(table, rng.choice(hands), rng)
        table.rests(begun + touch / EACH_SECOND - time.monotonic())
    if not table.is_open:
        table.open()
    if table.now.screen != "table":
        _begins(newcomer, game)
    return BATCH


def _touch(table: Table, hand: Fingers, rng: random.Random) -> None:
    width, height = table.size
    top = 0 if rng.random() < HEAD else height // 8
    hand.move(rng.randrange(width), rng.randrange(top, height))
    for down in (True, False):
        hand.press(down=down)


def _begins(newcomer: Newcomer, game: str) -> None:
    newcomer.laws.game = ""
    for _ in range(BACKS):
        if newcomer.now.screen == "games" or not newcomer.table.is_open:
            break
        _goes_back(newcomer)
    if newcomer.now.screen != "games" or not newcomer.table.is_open:
        newcomer.table.kill()
        newcomer.table.open()
    title = game_named(game).title

    def tile() -> Seen | None:
        return next((thing for thing in newcomer.now.live if title in newcomer.now.written_on(thing)), None)

    newcomer.touch(tile, title)
    newcomer.touch(lambda: newcomer.sees(lambda thing: thing.look == "main" and thing.sign == "play"), "start")
    newcomer.laws.game = f"storm in {game}"


def _goes_back(newcomer: Newcomer) -> None:
    """In whatever language."""
    newcomer.table.hand.key("Escape")
    newcomer.table.rests(0.5)
    found = newcomer.sees(lambda thing: thing.sign == "cards" and thing.kind == "Button")
    if found is not None:
        newcomer.table.touch(found)


def _cuts_power(newcomer: Newcomer) -> None:
    """What was told is kept, and the clocks wait."""
    table = newcomer.table
    is_match = table.now.screen == "table"
    table.kill()
    assert table.frame is not None
    told = table.frame.moves
    table.open()
    if not (is_match and told):
        return
    newcomer.touch(lambda: newcomer.sees(lambda thing: thing.kind == "Panel" and thing.look == "raised"), "going on")
    table.wait(lambda: newcomer.now.screen == "table", "the table")
    newcomer.must(newcomer.now.moves >= told, f"{newcomer.now.moves} of {told} moves are left")
    newcomer.stands("the wait after the power was cut")
