"""Every score that changes says why: in one line for whose score it is, and in one picture where there is one."""

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from companion.core.match import Match
from companion.core.record import read_setup
from companion.core.referee import Referee
from companion.core.session import Session
from companion.display.scene import Badge, Button, CardItem, PanelItem, Scene, Text
from companion.display.screens import scene
from companion.display.screens.elements import Page
from companion.display.screens.lying import picture
from companion.display.screens.reasons import is_about
from companion.display.view import Seen, View, seen
from companion.games import game as game_named
from companion.games.three import rules as three
from companion.games.threepia import rules as threepia
from companion.games.threepia.fields import field
from companion.games.tres import rules as tres
from companion.games.triple3 import rules as triple3
from companion.games.triplexity import rules as triplexity
from simulator.playing import play_out, seated
from tests.display.test_secrets import RECORDED
from tests.matches.make import heard

SIZES = ((800, 480), (720, 1280))
HOUSES: dict[str, tuple[dict[str, Any], ...]] = {
    "three": ({},),
    "triple3": ({"chips_to_win": 2},),
    "tres": ({},),
    "triplexity": ({"play": "advanced", "rounds": 3},),
    "threepia": ({"target": 20}, {"way": "stopwatch", "field": field("l-box")}, {"way": "deck", "flush_bonus": 2}),
}
SEEDS = (5, 8, 11)
FEWEST = 5
PLAYED = [(game, number) for game, houses in HOUSES.items() for number in range(len(houses))]


@cache
def recorded(file: Path) -> Match:
    """The match that is kept in a file, at its end."""
    head, *lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    session = Session(Referee.begin(read_setup(head["match"]), 0), None)
    for told in lines[::2]:
        heard(session, told["told"])
    return session.referee.match


@cache
def of_bots(game: str, number: int, seed: int) -> Match:
    playing = game_named(game)
    match = Match(seated(playing, playing.house(**HOUSES[game][number]), 2))
    for _ in play_out(match, seed, mistakes=0):
        pass
    return match


def scored(game: str, number: int = 0) -> list[tuple[Seen, dict[str, int]]]:
    """Every change of a score in some matches of bots."""
    return [one for seed in SEEDS for one in scorings(of_bots(game, number, seed))]


def scorings(match: Match) -> Iterator[tuple[Seen, dict[str, int]]]:
    """The match after each ruling that changed a score, and by how much whose."""
    whole, before = seen(match), match.start.state.scores
    for number, done in enumerate(match.line, 1):
        after = done.ruling.state.scores
        changed = {who: b - a for who, a, b in zip(whole.setup.names, before, after, strict=True) if a != b}
        if changed and not isinstance(done.move, tres.Deal):
            is_last = number == len(match.line)
            yield (whole if is_last else replace(whole, ruling=done.ruling, line=whole.line[:number])), changed
        before = after


def shown(now: Seen, size: tuple[int, int] = SIZES[0]) -> Scene:
    return scene(View(size, screen="result" if now.is_over else "table", seen=now, depth=1))


def texts(drawn: Scene) -> list[str]:
    items = (item for item in drawn.all() if isinstance(item, Text | Button))
    return [item.text if isinstance(item, Text) else item.label for item in items]


def lit_in(drawn: Scene, fill: str) -> list[PanelItem]:
    return [item for item in drawn.all() if isinstance(item, PanelItem) and (item.fill, item.edge) == (fill, "main")]


def lacking(now: Seen, changed: dict[str, int], size: tuple[int, int]) -> Iterator[str]:
    """Whose new score the screen does not explain."""
    said, words = texts(shown(now, size)), View(size).words
    for who, by in changed.items():
        events = [event for event in now.events if event.counts and is_about(event, who)]
        why = [words.why(event) if event.round_winners else words.sentence(event) for event in events]
        why += [_rows(event) for event in events if isinstance(event, threepia.Counted)]
        told = any(sentence in text for sentence in why for text in said)
        signed = f"+{by}" if by > 0 else f"−{-by}"
        by_picture = now.setup.game == "three"  # the cards that were found lie there
        is_all = now.is_over and bool(now.rounds)  # then the last round is told with the match
        if not (told and (by_picture or is_all or signed in said)):
            yield f"{who} {signed} by {[event.word for event in now.events]}: {said}"


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_every_score_of_a_recorded_match_says_why(file: Path) -> None:
    for now, changed in scorings(recorded(file)):
        for size in SIZES:
            assert not list(lacking(now, changed, size))


@pytest.mark.parametrize(("game", "number"), PLAYED)
def test_every_score_says_why(game: str, number: int) -> None:
    found = scored(game, number)
    assert len(found) > FEWEST
    for at, (now, changed) in enumerate(found):
        assert not list(lacking(now, changed, SIZES[at % 2]))


def _rows(counted: threepia.Counted) -> str:
    return ", ".join(f"{len(run.cells)} × {run.value} +{run.points}" for run in counted.runs)


# --- lit where it lies -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(3))
def test_each_row_of_threepia_is_lit_with_what_it_is_worth(number: int) -> None:
    found = 0
    for now, _ in scored("threepia", number):
        counted = next((event for event in now.events if isinstance(event, threepia.Counted)), None)
        if counted is None or now.is_over:
            continue
        found += 1
        worth: dict[tuple[str, ...], int] = {}
        for run in counted.runs:
            worth[run.cells] = worth.get(run.cells, 0) + run.points
        for size in SIZES:
            drawn = shown(now, size)
            lit = lit_in(drawn, "")
            assert len(lit) >= len(worth)
            tags = [item.text for item in drawn.all() if isinstance(item, Text) and item.role == "on-main"]
            assert sorted(tags) == sorted(map(str, worth.values()))
            said = " ".join(texts(drawn))
            assert all(f"{len(run.cells)} × {run.value} +{run.points}" in said for run in counted.runs)
    assert found


def test_the_dogs_that_were_found_are_lit_in_their_pile() -> None:
    found = 0
    for now, _ in scored("three"):
        if now.is_over:
            continue
        check = next(event for event in now.events if isinstance(event, three.Checked))
        colour = next(dog.colour for dog in three.DOGS if dog.name == check.dog)
        lit = lit_in(shown(now), "raised")
        dogs = [item for item in shown(now).all() if isinstance(item, Badge) and item.colour == colour]
        assert len(lit) == check.found
        assert len(dogs) >= check.found
        found += 1
    assert found


def test_the_three_of_triplexity_are_lit() -> None:
    found = 0
    for now, _ in scored("triplexity"):
        lit = [
            item for item in shown(now).all() if isinstance(item, PanelItem) and (item.edge, item.width) == ("main", 5)
        ]
        assert len(lit) == triplexity.PIECES
        found += 1
    assert found == 3 * len(SEEDS)


def test_the_triple_that_was_made_is_lit() -> None:
    match, found = of_bots("triple3", 0, SEEDS[0]), 0
    whole = seen(match)
    for number, done in enumerate(match.line[:120], 1):
        event = next((event for event in done.ruling.events if isinstance(event, triple3.PlayedLegally)), None)
        if event is None or done.ruling.state.phase != "play":
            continue
        drawn = shown(replace(whole, ruling=done.ruling, line=whole.line[:number]))
        cells = {cell for triple in event.triples for cell in triple.cells}
        lit = [item for item in drawn.all() if isinstance(item, PanelItem) and item.edge == "good"]
        assert len(lit) == len(cells)
        found += 1
    assert found


def test_a_round_of_triple3_that_was_won_by_its_last_card_shows_its_triple() -> None:
    whole = seen(of_bots("triple3", 0, SEEDS[0]))
    number = next(at for at, done in enumerate(whole.line, 1) if done.ruling.events[0].word == "played-legally")
    now = replace(whole, ruling=whole.line[number - 1].ruling, line=whole.line[:number])
    page = Page(View(SIZES[0], seen=now))
    picture(page, page.view.screen_box, now)
    made = {cell for event in now.events for triple in getattr(event, "triples", ()) for cell in triple.cells}
    assert len(lit_in(Scene(SIZES[0], tuple(page.items)), "")) == len(made) > 0


def test_before_the_next_deal_no_hand_and_no_card_of_the_round_before_is_shown() -> None:
    rounds = [now for now, _ in scored("triple3") if not now.is_over]
    assert rounds
    for now in rounds:
        drawn = scene(View(SIZES[0], screen="table", seen=now, depth=1, marks={"next": True}))
        assert not [item for item in drawn.all() if isinstance(item, CardItem)]
        assert texts(drawn).count("–") == len(now.setup.names)
