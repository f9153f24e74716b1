"""What is done on an evening: each game set up, tried, put right, left and gone on with, and one of them ended."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from companion.core.entry import STOP
from companion.games import game as game_named
from companion.words import labels
from tests.rigs.evening.laws import Laws
from tests.rigs.evening.newcomer import Newcomer
from tests.rigs.evening.table import Table
from tests.rigs.firstminute.screen import screen

MOVES = 10
SOON = 30.0  # seconds for what must come, after all that a camera has seen before
CLOSED, KILLED, ENDED = "tres", "threepia", "triplexity"  # what becomes of the matches of these games


@dataclass(frozen=True)
class Evening:
    """One language at one size."""

    language: str
    size: tuple[int, int]
    has_table: bool
    games: tuple[str, ...]
    folder: Path
    act: str = "evening"

    @property
    def name(self) -> str:
        return f"{self.act}-{self.size[0]}x{self.size[1]}-{self.language}"

    @property
    def place(self) -> Path:
        return self.folder / self.name


@contextmanager
def at_table(evening: Evening) -> Iterator[Table]:
    with screen(evening.size) as there:
        options = () if evening.has_table else ("--no-table",)
        table = Table(there, evening.size, evening.language, evening.place, options)
        try:
            yield table
        finally:
            table.end()


def spend(evening: Evening) -> tuple[list[str], list[str]]:
    """What was seen, in lines; and what is wrong."""
    with at_table(evening) as table:
        laws = Laws(evening.language)
        table.on_frame = laws.look_at
        table.open()
        newcomer = Newcomer(table, laws)
        newcomer.keeps("first screen")
        lines = [_game(newcomer, game) for game in evening.games]
        newcomer.must(table.close() == 0, "the closed window ends with an error")
        laws.judge_places()
        told = (
            f"{evening.name}: {laws.frames} pictures, {laws.buttons} buttons compared, {newcomer.touches} touches, "
            f"{newcomer.fading} while a notice faded, {table.unheard} gone astray"
        )
        return [told, *(f"  {line}" for line in lines)], told_faults(newcomer)


def told_faults(newcomer: Newcomer) -> list[str]:
    """Each with where it was seen first."""
    laws, said = newcomer.laws, newcomer.table.said
    if "Traceback" in said:
        laws.breaks("a traceback in the log", said[said.index("Traceback") :])
    return [f"{where}: {law}" for law, where in laws.broken.items()]


def _game(newcomer: Newcomer, game: str) -> str:
    fouls, touches = newcomer.fouls, newcomer.touches
    newcomer.laws.game = ""
    sets_up(newcomer, game)
    newcomer.laws.game = game
    newcomer.table.rests(0.6)
    newcomer.keeps(f"{game} begins")
    begun = newcomer.now.moves
    newcomer.plays(lambda: newcomer.now.moves >= begun + MOVES or newcomer.now.screen == "result")
    newcomer.must(newcomer.now.moves >= begun + MOVES or newcomer.now.screen == "result", "ten moves were not found")
    moves = newcomer.now.moves
    newcomer.keeps(f"{game} played")
    if game == "triple3":
        _stops(newcomer)
    _undoes(newcomer)
    _puts_right(newcomer, game)
    _pauses(newcomer, game)
    if game == CLOSED:
        _closes(newcomer)
    elif game == KILLED:
        _kills(newcomer)
    elif game == ENDED:
        _ends(newcomer)
    _leaves(newcomer)
    return f"{game}: {moves} moves, {newcomer.touches - touches} touches, {newcomer.fouls - fouls} fouls"


def sets_up(newcomer: Newcomer, game: str, *, is_begun: bool = True) -> None:
    title = game_named(game).title
    newcomer.touch(lambda: newcomer.labelled(title), title)
    newcomer.table.wait(lambda: newcomer.now.screen == "players", "the page on which people sit down")
    newcomer.keeps(f"{game} set up")
    if not is_begun:
        return
    newcomer.touch_label(labels.START)
    newcomer.table.wait(lambda: newcomer.now.screen == "table", "the table")


def _undoes(newcomer: Newcomer) -> None:
    """Twice, one after the other."""
    said = newcomer.say("The last move is taken back.")
    for number in (1, 2):
        before = newcomer.now.moves
        newcomer.touch_sign("undo")
        came = newcomer.table.comes(lambda: newcomer.now.moves < before or _hears(newcomer, said), SOON)  # noqa: B023
        newcomer.must(came, f"undo {number} takes nothing back ({before})")
    newcomer.keeps("undone twice")
    _goes_on(newcomer)


def _hears(newcomer: Newcomer, said: str) -> bool:
    return any(said in thing.words for thing in newcomer.now.things if thing.is_over)


def _goes_on(newcomer: Newcomer) -> None:
    """Where the clocks wait for it."""
    if newcomer.signed("play") is not None:
        newcomer.touch_sign("play")


def _puts_right(newcomer: Newcomer, game: str) -> None:
    newcomer.touch_sign("menu")
    newcomer.keeps(f"{game} menu")
    newcomer.touch_label(labels.PUT_RIGHT)
    newcomer.keeps(f"{game} moves")
    newcomer.touch(lambda: newcomer.sees(lambda thing: thing.kind == "Panel"), "a move")
    newcomer.keeps(f"{game} a move chosen")
    newcomer.touch_label(labels.DID_NOT_HAPPEN)
    newcomer.table.rests(0.3)
    newcomer.keeps(f"{game} put right")
    if newcomer.now.screen == "question":
        newcomer.touch(lambda: newcomer.sees(lambda thing: thing.look == "main"), "the answer")
    newcomer.keeps(f"{game} after it")
    _to_the_table(newcomer)
    _goes_on(newcomer)


def _to_the_table(newcomer: Newcomer) -> None:
    for _ in range(5):
        if newcomer.now.screen in ("table", "result"):
            return
        newcomer.touch_sign("back")


def _pauses(newcomer: Newcomer, game: str) -> None:
    if newcomer.now.screen != "table":
        return
    newcomer.touch_sign("pause")
    came = newcomer.table.comes(lambda: newcomer.now.says(newcomer.say(labels.CLOCKS_STAND)), SOON)
    newcomer.must(came, "a pause does not come")
    newcomer.stands("a pause")
    newcomer.keeps(f"{game} paused")
    newcomer.touch_label(labels.GO_ON)


def _stops(newcomer: Newcomer) -> None:
    stop = newcomer.say(STOP)
    newcomer.plays(lambda: newcomer.labelled(stop) is not None)
    newcomer.touch_label(STOP)
    newcomer.keeps("Stop")
    newcomer.table.rests(1)
    newcomer.keeps("Stop seen")


def _closes(newcomer: Newcomer) -> None:
    told = newcomer.now.moves
    newcomer.must(newcomer.table.close() == 0, "the closed window ends with an error")
    _comes_again(newcomer, told, "closed")


def _kills(newcomer: Newcomer) -> None:
    newcomer.table.kill()
    assert newcomer.table.frame is not None
    _comes_again(newcomer, newcomer.table.frame.moves, "killed")


def _comes_again(newcomer: Newcomer, told: int, how: str) -> None:
    """Nothing is lost, and the clocks wait."""
    game, newcomer.laws.game = newcomer.laws.game, ""
    newcomer.table.open()
    newcomer.keeps(f"{how} and opened")
    newcomer.touch_label(labels.RESUME_MATCH)
    newcomer.table.wait(lambda: newcomer.now.screen == "table", "the table")
    newcomer.laws.game = game
    newcomer.table.rests(1)
    newcomer.must(newcomer.now.moves >= told, f"{newcomer.now.moves} moves of {told} are left after it was {how}")
    newcomer.must(newcomer.labelled(newcomer.say(labels.GO_ON)) is not None, f"nothing waits after it was {how}")
    newcomer.stands(f"the wait after it was {how}")
    newcomer.keeps(f"{how} and gone on with")
    newcomer.touch_label(labels.GO_ON)


def _ends(newcomer: Newcomer) -> None:
    """By playing on; who finds no end ends it by the menu."""
    newcomer.plays(lambda: newcomer.now.screen == "result")
    if newcomer.now.screen != "result":
        newcomer.touch_sign("menu")
        newcomer.touch_label(labels.END_MATCH)
        newcomer.touch_label(labels.END_MATCH_SURELY)
        newcomer.table.wait(lambda: newcomer.now.screen == "result", "the result")
    newcomer.keeps("the result")
    newcomer.touch_label(labels.SCORE_SHEET)
    newcomer.table.wait(lambda: not newcomer.now.says(newcomer.say(labels.WAIT)), "the score sheet")
    newcomer.keeps("the score sheet")
    newcomer.touch_label(labels.DONE)
    newcomer.must(any(newcomer.table.folder.rglob("*.pdf")), "there is no PDF of the score sheet")


def _leaves(newcomer: Newcomer) -> None:
    """For another game."""
    if newcomer.now.screen == "table":
        newcomer.touch_sign("menu")
    newcomer.touch_label("Other game")
    newcomer.table.wait(lambda: newcomer.now.screen == "games", "the games")
