"""How rounds end, for the gallery: each kind once, and with the longest names."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from companion.core.clocks import SECOND
from companion.core.match import Match, set_up
from companion.core.rules import Event, Move
from companion.display.shelf import Shelf
from companion.display.view import Prefs, View, seen
from companion.games import game as game_named
from companion.games.triple3 import rules as triple3
from companion.reports.progress import round_just_over
from companion.scoresheet.desk import MadeSheet
from simulator.playing import play_out


def views(blank: View, names: tuple[str, ...], long: tuple[str, ...]) -> dict[str, View]:
    table = replace(blank, screen="table")

    def at(match: Match, **more: Any) -> View:
        return replace(table, seen=seen(match, 1), **more)

    return {
        "round-triplexity": at(_ended("triplexity", names[:2], "three-of-a-colour", rounds=3, play="advanced")),
        "round-drawn-long": at(_ended("triplexity", long[2:4], "drawn-by-repetition", rounds=3, repetition_draw=True)),
        "round-around": at(_ended("triplexity", names[:2], "three-of-a-colour", rounds=5), prefs=Prefs(around=True)),
        "round-triple3": at(_ended("triple3", names[:3], "round-won")),
        "round-triple3-blind": at(_blind(names[:4], names[1])),
        **_sheets(blank),
        "round-shared-long": at(_blind(long[2:6], long[2], long[4])),
    }


def _sheets(blank: View) -> dict[str, View]:
    """What is said of a score sheet: while it is made, on a stick, and where it could not be saved."""
    stick = "The score sheet is on the stick: companion/sheets/2026-11-19 Tres Anna Ben k3fh2.pdf"
    full = "The score sheet cannot be saved in /var/lib/companion/sheets: there is no room left."
    again = "Plug in a stick that is called COMPANION, and try again."

    def at(made: MadeSheet | None, *, has_printer: bool = True) -> View:
        return replace(blank, screen="sheet", about="save:", shelf=Shelf(made=made, has_printer=has_printer), depth=2)

    return {
        "sheet-waiting": at(MadeSheet()),
        "sheet-on-stick": at(MadeSheet(is_done=True, path=Path("sheet.pdf"), sentences=(stick,))),
        "sheet-not-saved": at(MadeSheet(is_done=True, sentences=(f"{full} {again}",)), has_printer=False),
        "sheet-none": at(None),
    }


def _ended(game: str, names: tuple[str, ...], by: str, **house: Any) -> Match:
    """A match of bots, up to the first round that ends so, while others are still to be played."""
    playing = game_named(game)
    match = Match(set_up(playing, names, playing.house(**house), match_id="gallery"))
    for seed in range(100):
        match = Match(match.setup)
        for _ in play_out(match, seed, mistakes=0.3 if "drawn" in by else 0):
            if any(event.word == by for event in _newest(match)) and round_just_over(match):
                return match
    raise LookupError(by)


def _newest(match: Match) -> Iterator[Event]:
    if match.line:
        yield from match.line[-1].ruling.events


def _blind(names: tuple[str, ...], *out: str) -> Match:
    """A round of which nobody shows the grid; several may be out together."""
    match = Match(set_up(triple3.GAME, names, triple3.House(), match_id="gallery"))
    moves: tuple[Move, ...] = (triple3.Deal(""), triple3.Go(""), triple3.Out(out[0], out if len(out) > 1 else ()))
    for move in moves:
        match.make(replace(move, at=match.now + 30 * SECOND))
    return match
