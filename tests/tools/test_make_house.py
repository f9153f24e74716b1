"""`make house` sees what is too long, named twice, or named after a game, and can count what a strike costs."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tools.house import game_names, laws_kept
from tools.house.code_sizes import class_figure, file_figures, function_figures, lines_shipped
from tools.house.figure import HouseFigure, at_most
from tools.house.names_twice import name_figures
from tools.house.source_tree import SourceFile

PROJECT = Path(__file__).parents[2]


def _source(text: str, path: str = "companion/core/made_up.py") -> SourceFile:
    return SourceFile(path, text)


def test_a_bound_that_is_missed_is_told_with_its_places() -> None:
    missed = at_most("things", 2, 1, ("here", "there"))
    assert missed.lines() == ["NO  things: 2 (bound: at most 1)", "        here", "        there"]
    assert at_most("things", 0, 0).lines() == ["ok  things: 0 (bound: none)"]
    assert HouseFigure("things", "3").lines() == ["    things: 3"]


@pytest.mark.parametrize(("lines", "holds"), [(60, True), (61, False)])
def test_a_long_function(lines: int, holds: bool) -> None:
    text = "def short():\n    pass\n\n\ndef long():\n" + "    pass\n" * (lines - 1)
    assert function_figures([_source(text)])[2].holds is holds


@pytest.mark.parametrize(("methods", "lines", "holds"), [(30, 300, True), (31, 100, False), (2, 301, False)])
def test_a_large_class(methods: int, lines: int, holds: bool) -> None:
    text = "class Large:\n" + "    def one(self): ...\n" * methods + "    value = 1\n" * (lines - methods - 1)
    assert class_figure([_source(text)]).holds is holds


def test_a_long_file_may_be_a_table() -> None:
    code = _source("def one(): ...\n" * 501)
    table = _source("TABLE = (\n" + "    1,\n" * 500 + ")\n")
    assert [figure.value for figure in file_figures([code])] == ["1", "0"]
    assert [figure.value for figure in file_figures([table])] == ["0", "1"]


def test_lines_that_are_shipped() -> None:
    assert not lines_shipped([_source("\n" * 60_113)], [])[0].holds
    assert lines_shipped([_source("\n" * 60_112)], [])[0].holds


def test_names_that_stand_twice_outside_of_the_games() -> None:
    text = "class Place: ...\nclass _Own: ...\n"
    two = [_source(text, "companion/core/place.py"), _source(text, "vision/place.py")]
    modules, classes = name_figures(two)
    assert modules.places == ("place: companion/core/place.py, vision/place.py",)
    assert classes.places == ("Place: companion/core/place.py:1, vision/place.py:1",)
    games = [_source(text, f"companion/games/{name}/rules.py") for name in ("one", "other")]
    assert all(figure.holds for figure in name_figures([*games, _source("", "companion/core/rules.py")]))


@pytest.mark.parametrize(
    "text",
    [
        "import companion.games.tres.rules",
        "from companion.games import three",
        "from companion.games.three.rules import House",
        "def threepia_fields(): ...",
        "class TresTable: ...",
        "x = 'three'",
        "x = {'triple3': 1}",
        "x = 'companion.games.three.rules'",
        "x = f(triplexity=1)",
        "x = 'The rules of Triple³'",
        "x = 'Three! is played with 3.'",
    ],
)
def test_a_game_that_is_named(text: str) -> None:
    assert not game_names.game_name_figure([_source(text)]).holds


@pytest.mark.parametrize(
    "text",
    [
        '"""What Three! and tres have in common."""',
        "# tres",
        "x = 'Take three cards.'",
        "x = 'stress'",
        "def thread(): ...",
        "x = 'triple'",
    ],
)
def test_what_names_no_game(text: str) -> None:
    assert game_names.game_name_figure([_source(text)]).places == ()


def test_a_game_may_name_itself() -> None:
    assert game_names.game_name_figure([_source("x = 'tres'", "companion/games/tres/rules.py")]).holds


def test_imports_inside_of_functions() -> None:
    text = "import os\ndef outer():\n    import sys\n    def inner():\n        from os import path\n"
    assert laws_kept.lazy_figure([_source(text)]).value == "2"


def test_the_calls_of_a_strike_are_counted() -> None:
    command = [sys.executable, "-m", "tools.house.strike"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True, timeout=60)
    costs = json.loads(done.stdout)
    assert costs["codec_before_the_journal"] <= costs["codec"] < costs["calls"] < 10_000
    assert costs["codec"] > 0
