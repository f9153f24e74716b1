"""People whose names mean something else, are written from the right, are pictures, or are long."""

import subprocess
import sys
from collections.abc import Iterator

from companion.display.speech import capital
from companion.words import labels
from tests.rigs.evening.evening import Evening, at_table, sets_up, told_faults
from tests.rigs.evening.laws import Laws
from tests.rigs.evening.newcomer import Newcomer
from tests.rigs.evening.table import Table
from tests.rigs.running import RigError

GAME, MOVES = "tres", 10  # for eight people
TYPED = ("nobody", "the deck", "Anna: no", "a, b")
LONGEST = "Maximiliane-Charlotte von der Überlänge zu Niederösterreich!"
KNOWN = ("عائشة بنت محمد", "נועם", "🦊🐢🎲", LONGEST)  # no key writes them all: they have played before, at the door


def named(evening: Evening) -> tuple[list[str], list[str]]:
    with at_table(evening) as table:
        laws = Laws(evening.language, frozenset(_written()))
        table.on_frame = laws.look_at
        _played_before(table)
        table.open()
        newcomer = Newcomer(table, laws)
        newcomer.keeps("names remembered")
        sets_up(newcomer, GAME, is_begun=False)
        for name in TYPED:
            _writes(newcomer, name)
        if not evening.has_table:  # where nobody has the cards, they can be counted
            counted = capital(newcomer.say("only counts"))
            newcomer.touch(lambda: newcomer.labelled(counted), counted)
        newcomer.keeps("names set up")
        newcomer.touch_label(labels.START)
        table.wait(lambda: newcomer.now.screen == "table", "the table")
        newcomer.keeps("names at the table")
        newcomer.plays(lambda: newcomer.now.moves >= MOVES)
        newcomer.must(newcomer.now.moves >= MOVES, "ten moves were not found")
        newcomer.keeps("names played")
        newcomer.touch_sign("menu")
        newcomer.touch_label(labels.PUT_RIGHT)
        newcomer.keeps("names in moves")
        return [f"{evening.name}: {len(KNOWN + TYPED)} names, {laws.frames} pictures"], told_faults(newcomer)


def _written() -> Iterator[str]:
    """The names, also while they are written."""
    for name in KNOWN + TYPED:
        yield name
        yield from (f"{name[:number]}|" for number in range(len(name) + 1))


def _played_before(table: Table) -> None:
    command = [sys.executable, "-m", "companion", "referee", GAME, "--players", ",".join(KNOWN)]
    command += ["--journal", str(table.journal)]
    said = subprocess.run(command, input='{"do": "abandon"}\n', text=True, capture_output=True, check=False)
    if said.returncode:
        raise RigError(f"nobody could play before: {said.stderr or said.stdout}")


def _writes(newcomer: Newcomer, name: str) -> None:
    """On the page of another seat, with the keys."""
    table = newcomer.table
    newcomer.touch_label(labels.ADD_PLAYER)
    table.wait(lambda: newcomer.now.screen == "name", "the page of a name")
    table.screen.do("type", "--delay", 30, name)
    table.wait(lambda: any(thing.words == f"{name}|" for thing in newcomer.now.things), f"{name!r}, as it was typed")
    newcomer.keeps(f"name {name}".replace(":", "").replace(",", ""))
    newcomer.touch_label(labels.DONE)
    table.wait(lambda: newcomer.now.screen == "players", "the people")
    newcomer.must(newcomer.now.says(name), f"{name!r} was not taken")
