"""The tables of the five games, in their usual and in their hardest states."""

from dataclasses import replace
from typing import Any

from companion.core.clocks import SECOND
from companion.core.entry import Paused
from companion.core.match import Match
from companion.core.sentence import Sentence
from companion.display.view import Notice, Prefs, View, seen
from companion.games.three import rules as three
from companion.games.threepia.fields import field
from companion.games.tres import rules as tres
from companion.games.triple3 import rules as triple3
from companion.games.triplexity.solver import advice
from companion.words import labels
from tools.gallery.played_matches import (
    COUNT_DIFFERS,
    GRID,
    LONG_NAMES,
    NAMES,
    blind_match,
    called_wrongly,
    dealing,
    marked,
    new_match,
    not_your_turn,
    pasts,
    played_match,
    scored_match,
    silent_match,
    three_match,
    threepia_match,
    tied_strike,
    tres_match,
    triple3_match,
    triplexity_match,
)


def threepia_views(blank: View) -> dict[str, View]:
    table = replace(blank, screen="table", past=pasts()["again"])

    def at(match: Match, **more: Any) -> View:
        return replace(table, seen=seen(match), **more)

    stopwatch = threepia_match(NAMES[:4], 9, way="stopwatch")
    long = threepia_match(LONG_NAMES[:6], 11, way="stopwatch", deck=100)
    points = threepia_match(NAMES[:3], 6, field=field("worm"))
    owes = threepia_match(NAMES[:2], 4, way="time", last=None)
    foul = Notice("foul", not_your_turn("Ben", "lay a card", "Anna"), "Ben", "not-your-turn")
    paused = threepia_match(NAMES[:4], 9, way="stopwatch")
    paused.take(Paused(paused.now + SECOND, labels.PAUSE))
    return {
        "threepia-deal": at(new_match("threepia", NAMES[:3], field=field("l-box"))),
        "threepia-begins": at(threepia_match(NAMES[:3], 0)),
        "threepia-begins-six": at(threepia_match(LONG_NAMES[:6], 0, deck=100)),
        "threepia-points": at(points),
        "threepia-points-chosen": at(points, marks=marked(points=4)),
        "threepia-deck-count": at(stopwatch, marks=marked(deck=True, cards=16)),
        "threepia-deck-count-long": at(long, marks=marked(deck=True)),
        "threepia-rounds": at(threepia_match(NAMES[:5], 7, way="rounds", field=field("x"))),
        "threepia-deck": at(threepia_match(NAMES[:2], 3, way="deck", field=field("fridge"))),
        "threepia-time": at(owes),
        "threepia-stopwatch": at(stopwatch),
        "threepia-stopwatch-two": at(threepia_match(NAMES[:2], 5, way="stopwatch")),
        "threepia-stopwatch-long": at(long, prefs=Prefs(around=True)),
        "threepia-foul": at(stopwatch, notice=foul),
        "threepia-paused": at(paused),
        "threepia-trial": at(threepia_match(NAMES[:1], 4, way="time-trial", last=None)),
        "threepia-relaxed": at(threepia_match(NAMES[:1], 4, way="relaxed", last=None)),
        "threepia-scored": at(scored_match(new_match("threepia", NAMES[:2], way="stopwatch"), "counted", 3)),
        "threepia-seen": at(played_match("threepia", NAMES[:3], 5)),
        "menu": at(stopwatch, screen="menu"),
        "menu-sure": at(long, screen="menu", marks=marked(end=True)),
    }


def triplexity_views(blank: View) -> dict[str, View]:
    table = replace(blank, screen="table")

    def at(match: Match, **more: Any) -> View:
        return replace(table, seen=seen(match), **more)

    middle = triplexity_match(NAMES[:2], "lcrrcl", ("lr",))
    each = triplexity_match(NAMES[:2], "lcrrcl", ("lc", "rl", "rl", "cr", "lc"), no_return="each")
    long = triplexity_match(LONG_NAMES[2:4], "lcrrcl", ("lr", "cl"), play="advanced", rounds=5)
    back = Notice(
        "foul",
        Sentence(
            "{player} cannot move the piece that was moved last back from the {source} to the {target}.",
            player="Ben",
            source="right",
            target="left",
        ),
        "Ben",
        "moved-back",
    )
    return {
        "triplexity-empty": at(triplexity_match(NAMES[:2], "")),
        "triplexity-placing": at(triplexity_match(NAMES[:2], "lcr")),
        "triplexity-faces": at(triplexity_match(NAMES[:2], "lc", play="advanced"), marks=marked(face=("Anna", 6))),
        "triplexity-move": at(middle),
        "triplexity-chosen": at(middle, marks=marked(source="right")),
        "triplexity-solver": at(middle, advice=advice(middle.state.position)),
        "triplexity-each": at(each),
        "triplexity-points": at(triplexity_match(NAMES[:2], "lcr", play="advanced", points=30)),
        "triplexity-foul": at(middle, notice=back),
        "triplexity-foul-around": at(middle, notice=back, prefs=Prefs(around=True)),
        "triplexity-long": at(long, prefs=Prefs(around=True)),
    }


def three_views(blank: View) -> dict[str, View]:
    table = replace(blank, screen="table")

    def at(match: Match, **more: Any) -> View:
        return replace(table, seen=seen(match), **more)

    tied = three_match(NAMES[:4], 6, tied_strike(NAMES[:4], (0, 1, 2)), tie="choice")
    differs = Notice("foul", COUNT_DIFFERS, "Anna", "count-differs")
    called = three_match(NAMES[:3], 9, tied_strike(NAMES[1:3], (0,)), three.Call("Ben", "Anna", "Ember"))
    unseen = three_match(NAMES[:4], 8, three.Strike("Ben"), three.Call("Ben", "Anna", "Sky"), seen=False)
    opposite = three_match(NAMES[:4], 8, three.Strike("Ben"), three.Call("Ben", "Clara", "Sky"))
    counted = three_match(NAMES[:2], 6, three.Declare("Anna", "Ember"), three.Check("Anna", 3), seen=False)
    return {
        "three-begins": at(new_match("three", NAMES[:4])),
        "three-turn": at(three_match(NAMES[:4], 5, seen=False)),
        "three-two": at(counted),
        "three-dogs": at(three_match(NAMES[:3], 8)),
        "three-found": at(scored_match(new_match("three", NAMES[:3]), "checked", 2)),
        "three-declare": at(three_match(NAMES[:4], 8), marks=marked(declare=True)),
        "three-whose": at(three_match(NAMES[:3], 5, three.Strike(""))),
        "three-struck": at(three_match(NAMES[:4], 6, tied_strike(NAMES[:4], ())), marks=marked(whom="Dario")),
        "three-tied": at(tied, marks=marked(caller="Ben")),
        "three-check": at(unseen, marks=marked(found=2)),
        "three-referee-counts": at(called),
        "three-insist-long": at(called, marks=marked(found=3), refused="count-differs", notice=differs),
        "three-ailing": at(three_match(NAMES[:3], 8), ailing=("buttons",)),
        "three-around": at(opposite, prefs=Prefs(around=True)),
        "three-final": at(three_match(NAMES[:3], 48)),
        "three-last-calls": at(three_match(NAMES[:3], 48, declarations_per_turn=0)),
        "three-rearms": at(three_match(NAMES[:3], 5, *called_wrongly(NAMES[:3]), rearm=5)),
        "three-kept-out": at(three_match(NAMES[:3], 5, *called_wrongly(NAMES[:3]), cooldown=10)),
        "three-long": at(three_match(LONG_NAMES[:4], 7, tied_strike(LONG_NAMES[:4], ()))),
    }


def triple3_views(blank: View) -> dict[str, View]:
    table = replace(blank, screen="table")

    def at(match: Match, **more: Any) -> View:
        return replace(table, seen=seen(match), **more)

    new, play = new_match("triple3", NAMES[:3]), triple3_match(NAMES[:3], 9)
    shown = tuple(enumerate(GRID, 1))
    illegal = "{card} on cell {cell} is illegal: it makes no new triple; the cell takes {accepts}."
    foul = Notice("foul", Sentence(illegal, card="red-circle-1", cell=5, accepts=("red",)), "", "no-new-triple")
    stuck = triple3_match(NAMES[:4], 6, illegal_plays="keep")
    stuck.make(triple3.Stop("Ben", at=stuck.now + SECOND))
    return {
        "triple3-begins": at(new),
        "triple3-deal": at(new, marks=marked(deal=(shown[:4], 0, False))),
        "triple3-leftover": at(new, marks=marked(deal=(shown, 5, True), colour="blue")),
        "triple3-handicap": at(new, marks=marked(deal=(shown, 0, False), handicap=True)),
        "triple3-ready": at(triple3_match(NAMES[:2], -1)),
        "triple3-play": at(play),
        "triple3-two": at(triple3_match(NAMES[:2], 30), marks=marked(who="Ben")),
        "triple3-hints": at(triple3_match(NAMES[:3], 9, hints=True)),
        "triple3-hints-cell": at(triple3_match(NAMES[:3], 9, hints=True), marks=marked(cell=5, colour="blue")),
        "triple3-few": at(triple3_match(NAMES[:2], 52)),
        "triple3-counted": at(triple3_match(NAMES[:2], 54)),
        "triple3-cell": at(play, marks=marked(cell=5, colour="blue")),
        "triple3-found": at(play, marks=marked(cell=5, colour="yellow", lies=True, hidden=1)),
        "triple3-foul": at(play, marks=marked(cell=5, colour="red"), notice=foul),
        "triple3-out": at(triple3_match(NAMES[:4], 12), marks=marked(out=True)),
        "triple3-stopped": at(stuck, marks=marked(grid=True)),
        "triple3-count": at(blind_match(NAMES[:4], triple3.Stuck(""))),
        "triple3-blind": at(blind_match(NAMES[:4])),
        "triple3-long": at(triple3_match(LONG_NAMES[:4], 12), marks=marked(out=True)),
        "triple3-count-long": at(blind_match(LONG_NAMES[:4], triple3.Stuck(""))),
    }


def tres_views(blank: View) -> dict[str, View]:
    table = replace(blank, screen="table")

    def at(match: Match, **more: Any) -> View:
        return replace(table, seen=seen(match), **more)

    drawn_for = tres_match(NAMES[:4], tres.ShowCard("Anna", "red-7"), tres.ShowCard("Clara", "joker"))
    dealt = dealing(NAMES[:4])
    playing = (*dealt, tres.Play("Ben", "red-3", ("red-1", "red-2")))
    owes = tres_match(NAMES[:4], *playing)
    six = tres_match(NAMES[:8], *dealing(NAMES[:8]), tres.Draw("Ben"))
    long = tres_match(LONG_NAMES, *dealing(LONG_NAMES), tres.Play(LONG_NAMES[1], "joker", ("skip", "yellow-4")))
    many = tres_match(NAMES[:3], tres.Dealer("Anna"), colours=("red", "blue", "green", "yellow", "purple", "white"))
    silent = silent_match(NAMES[:3])
    return {
        "tres-dealer": at(new_match("tres", NAMES[:4])),
        "tres-dealer-eight": at(new_match("tres", NAMES)),
        "tres-draws": at(drawn_for),
        "tres-shows": at(drawn_for, marks=marked(draw=True, shows="Ben")),
        "tres-deal": at(tres_match(NAMES[:4], dealt[0]), marks=marked(cards=("red-3", "joker"))),
        "tres-hands": at(many, marks=marked(cards=("red-3", "joker", "skip", "red-1", "red-1"), page=1)),
        "tres-turn": at(tres_match(NAMES[:4], *dealt)),
        "tres-play": at(
            tres_match(NAMES[:2], *dealing(NAMES[:2])), marks=marked(cards=("blue-4", "plus3"), **{"with": 0})
        ),
        "tres-pay": at(owes, marks=marked(cards=("red-9",))),
        "tres-fill": at(tres_match(NAMES[:4], *playing, tres.Take("Clara"))),
        "tres-drawn": at(six),
        "tres-silent": at(silent),
        "tres-catch": at(silent, marks=marked(catch=silent.state.silent[0])),
        "tres-around": at(tres_match(NAMES[:2], *dealing(NAMES[:2])), prefs=Prefs(around=True)),
        "tres-long": at(long),
    }
