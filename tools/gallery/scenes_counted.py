"""The screens of matches in which cards are only counted, and of that choice, for the gallery."""

from dataclasses import replace
from types import MappingProxyType
from typing import Any

from companion.core.match import COLOURS, Match, Player, set_up
from companion.core.rules import COUNTED, UNSEEN, Move
from companion.devices.camera import CameraSight
from companion.display.view import Draft, Prefs, View, seen
from companion.games.tres import rules as tres
from companion.games.tres.rules import PLUS3, REVERSE, SKIP, Deal, Dealer, Draw, House, Keep, Lay
from companion.games.triple3 import rules as triple3

FEW = House(cards=COUNTED, colours=("red",), number_copies=2, jokers=0)  # 24 cards
UNKNOWN = (UNSEEN, UNSEEN, UNSEEN)


def views(blank: View, names: tuple[str, ...], long_names: tuple[str, ...]) -> dict[str, View]:
    table = replace(blank, screen="table")

    def at(match: Match, *, around: bool = False, **marks: Any) -> View:
        return replace(table, seen=seen(match), marks=MappingProxyType(marks), prefs=Prefs(around=around))

    four, two = names[:4], names[:2]
    long = (Lay(long_names[1], 2, PLUS3, one_colour=True), Keep(long_names[2]))
    silent = (Lay("Ben", 2), Keep("Anna"), Lay("Ben", 2))
    draws = (Keep("Ben"), Keep("Anna")) * 3
    people = tuple(Player(name, colour) for name, colour in zip(names, COLOURS, strict=False))
    begins = replace(blank, screen="players", sight=CameraSight("found"))
    watched = Draft("triple3", people[:4], triple3.House())
    eight = Draft("tres", people, House(cards=COUNTED))
    return {
        "players-ways": replace(begins, draft=watched),
        "players-ways-eight": replace(begins, draft=eight, prefs=Prefs(around=True)),
        "tres-counted-deal": at(_match(four, deals=False), cards=(SKIP, PLUS3)),
        "tres-counted-turn": at(_match(four)),
        "tres-counted-action": at(_match(four, Lay("Ben", 2), Lay("Clara")), action=SKIP),
        "tres-counted-penalty": at(_match(four, Lay("Ben", 2, PLUS3, one_colour=True)), action=PLUS3),
        "tres-counted-drawn": at(_match(four, Lay("Ben", action=REVERSE), Draw("Anna"))),
        "tres-counted-silent": at(_match(two, *silent)),
        "tres-counted-catch": at(_match(two, *silent), catch=""),
        "tres-counted-pay": at(_match(two, *draws, Lay("Ben", 2, PLUS3), house=FEW)),
        "tres-counted-fill": at(_match(two, *draws, Lay("Ben"), house=FEW)),
        "tres-counted-pass": at(_match(two, *draws, Keep("Ben"), house=FEW)),
        "tres-counted-around": at(_match(two), around=True),
        "tres-counted-long": at(_match(long_names, *long), action=REVERSE),
    }


def _match(
    names: tuple[str, ...],
    *moves: Move,
    deals: bool = True,
    house: House = House(cards=COUNTED),  # noqa: B008
) -> Match:
    match = Match(set_up(tres.GAME, names, house, match_id="picture"))
    for move in (Dealer(names[0]), *((Deal(names[0], UNKNOWN),) if deals else ()), *moves):
        match.make(move)
    return match
