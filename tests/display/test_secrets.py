"""What players may not look up no screen shows while the match runs; all of it opens at the end.

Two laws, over recorded matches and matches of bots. No screen that looks back names a card that lies face down or
covered. And two matches that nobody at the table could tell apart look the same on every screen.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.errors import CompanionError
from companion.core.match import Match
from companion.core.record import move_plain, read_setup
from companion.core.referee import Referee
from companion.core.replies import preview_reply
from companion.core.requests import Correct
from companion.core.rules import UNSEEN, Foul, Move
from companion.core.session import Session
from companion.display.moments import moments
from companion.display.question import Question
from companion.display.scene import Button, CardItem, Mark, Moving, Picture, Say, Scene, Text
from companion.display.screens import scene
from companion.display.screens.instead import others
from companion.display.shelf import Opened, Refused, Shelf, ShelvedMatch
from companion.display.view import Seen, View, seen
from companion.games import game as game_named
from companion.games.three import rules as three
from companion.games.threepia import rules as threepia
from companion.games.tres import rules as tres
from companion.games.triple3 import rules as triple3
from companion.games.triple3.dispute import Recollection
from companion.watch.messages import DisputedPlay, DisputeReply
from simulator.playing import play_out, seated
from tests.matches.make import heard

FOLDER = Path(__file__).parents[1] / "matches"
RECORDED = sorted(FOLDER.glob("*.jsonl"))
WITH_CARDS = ("three", "triple3", "tres", "threepia")
LOOK_BACK = ("moves", "question", "history", "match", "replay", "statistics", "dispute")
MOMENTS = 2  # of a match that are looked at
SIZE = (800, 480)
FACTS = ("number", "verdict", "cell", "card", "covered", "sentence", "player", "likely")  # of a disputed play


# --- matches ---------------------------------------------------------------------------------------------------


def recorded(file: Path, numbers: range) -> Iterator[Match]:
    """A kept match after some of its messages, while it runs."""
    head, *lines = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    session = Session(Referee.begin(read_setup(head["match"]), 0), None)
    for number, told in enumerate(lines[::2]):
        heard(session, told["told"])
        match = session.referee.match
        if number in numbers and match.is_running and match.line:
            yield match


def played(game: str, seed: int, moves: int) -> Match:
    """Bots play so many moves, and show the referee every card."""
    playing = game_named(game)
    house = playing.house(illegal_plays="keep") if game == "triple3" else playing.house()
    match = Match(seated(playing, house))
    for _ in play_out(match, seed, mistakes=0):
        if len(match.line) >= moves:
            break
    return match


# --- screens ---------------------------------------------------------------------------------------------------


def screens(match: Match) -> Iterator[tuple[str, Scene]]:
    """Every screen that can be reached in a running match, with what can be chosen on it."""
    now, numbers = seen(match), range(1, len(match.line) + 1)
    view = View(SIZE, screen="table", seen=now, depth=1)
    yield from _choices(view)
    for number in numbers[-4:]:
        yield from _named(replace(view, screen="moves", marks={"move": number}))
    of_kinds = {done.move.word: number for number, done in enumerate(match.line, 1)}
    for number in {*of_kinds.values(), numbers[len(numbers) // 3]}:
        yield from _choices(replace(view, screen="moves", marks={"move": number, "really": True}))
    for first in range(0, len(numbers), 5):
        yield from _named(replace(view, screen="moves", marks={"first": first}))
    for number in (numbers[0], numbers[len(numbers) // 2], numbers[-1]):
        instead = (other.move for other in others(view.words, now, number)[::3])
        for move in (None, *instead):
            yield from _named(_question(view, match, number, move))
    yield from _named(replace(view, screen="menu"))
    for screen, shelf in _looking_back(now):
        steps = numbers[::7] if screen == "replay" else (0,)
        for step in steps:
            yield from _named(replace(view, screen=screen, about="code", shelf=shelf, marks={"step": step}))
    if now.setup.game == "triple3":
        yield from _choices(replace(view, screen="dispute"))


def _named(view: View) -> Iterator[tuple[str, Scene]]:
    yield view.screen, scene(view)


def _choices(view: View) -> Iterator[tuple[str, Scene]]:
    """A screen, and what a first touch on it makes of it."""
    first = scene(view)
    yield view.screen, first
    marks = {item.intent.key: item.intent for item in first.targets() if isinstance(item.intent, Mark)}
    for mark in marks.values():
        yield view.screen, scene(replace(view, marks={**view.marks, mark.key: mark.value}))


def _question(view: View, match: Match, number: int, move: Move | None) -> View:
    try:
        reply = preview_reply(match, match.preview(number, move))
    except (Foul, CompanionError):
        return replace(view, screen="moves")
    return replace(
        view, screen="question", question=Question(Correct(number, move and move_plain(move), preview=True), reply)
    )


def _looking_back(now: Seen) -> Iterator[tuple[str, Shelf]]:
    names = now.setup.names
    line = ShelvedMatch(
        "code", now.setup.game, datetime(2026, 5, 1, tzinfo=UTC), "running", names, tuple(now.state.scores)
    )
    refused = (Refused(len(now.line), names[0], f"{names[0]} cannot play {secret_words(now)[:1]}."),)
    shelf = Shelf(matches=(line,), count=1, opened=Opened(line, now, refused))
    for screen in ("history", "match", "replay", "statistics"):
        yield screen, shelf


def told(drawn: Scene) -> list[str]:
    """Every word, card and picture of a screen."""
    found: list[str] = []
    for item in drawn.all():
        match item:
            case Text(text=text) | Button(label=text):
                found.append(text)
            case CardItem(name=name):
                found.append(name)
            case Picture(file=file):
                found.append(file)
            case Moving():
                found.append("a film")
    return found


# --- what is secret --------------------------------------------------------------------------------------------


def secret_words(now: Seen) -> list[str]:
    """The cards that nobody may look up, by their names and as they are said."""
    cards = (now.hidden | _covered(now)) - _played(now)
    said = View(SIZE).words.card
    return sorted({word for card in cards for word in (card, said(card))} - {"+3"})  # so many cards have been drawn


def _covered(now: Seen) -> set[str]:
    """Threepia: the cards that do not lie uncovered any more; the state has forgotten them."""
    events = (event for done in now.line for event in done.ruling.events)
    laid = {event.card for event in events if isinstance(event, threepia.Laid)}
    lying = {"", UNSEEN, *getattr(now.state, "field", ())}
    return laid - lying if now.setup.game == "threepia" else set()


def _played(now: Seen) -> set[str]:
    """Tres: the cards that lay on the table or among the discards, of which there may be others in the hands."""
    if now.setup.game != "tres":
        return set()
    moves = [done.move for done in now.line]
    cards = {card for move in moves for card in (*getattr(move, "table", ()), getattr(move, "table_card", ""))}
    cards |= {card for move in moves if isinstance(move, tres.Play) for card in move.cards}
    return cards | {move.card for move in moves if isinstance(move, tres.Fill | tres.ShowCard)}


def leaks(match: Match) -> Iterator[tuple[str, str, str]]:
    """Where a screen that looks back names a card that lies face down or covered."""
    secrets = secret_words(seen(match))
    for name, drawn in screens(match):
        if name in LOOK_BACK:
            choices = [item.box for item in drawn.all() if isinstance(item.intent, Say)]  # of the whole deck
            chosen = (item for item in drawn.all() if isinstance(item, Button | CardItem))
            offered = {id(item) for item in chosen if _is_a_dog(item) or any(box.meets(item.box) for box in choices)}
            items = [item for item in drawn.all() if id(item) not in offered]
            for text in told(replace(drawn, items=tuple(items), over=())):
                yield from ((name, text, word) for word in secrets if word in _without_wish(text))


def _without_wish(text: str) -> str:
    """The line of a question that says what is to be put right, without what somebody has just wished it to be."""
    return text.partition(" → ")[0] if text.startswith("Move ") else text


def _is_a_dog(item: Button | CardItem) -> bool:
    """One to be chosen; that it stands among all others another test sees to."""
    return isinstance(item, Button) and item.label in [dog.name for dog in three.DOGS]


@pytest.mark.parametrize("file", RECORDED, ids=lambda file: file.stem)
def test_no_screen_that_looks_back_names_a_hidden_card_in_a_recorded_match(file: Path) -> None:
    messages = len(file.read_text(encoding="utf-8").splitlines()) // 2
    for match in recorded(file, range(messages // 2, messages, max(1, messages // 2 // MOMENTS))):
        assert not list(leaks(match))


@pytest.mark.parametrize("moves", [13, 40])
@pytest.mark.parametrize("game", WITH_CARDS)
def test_no_screen_that_looks_back_names_a_hidden_card(game: str, moves: int) -> None:
    for seed in range(2):
        match = played(game, seed, moves)
        if not match.is_running:
            continue
        assert secret_words(seen(match)), "there is something to be found"
        assert not list(leaks(match))


def test_a_dog_is_offered_with_all_the_others_or_not_at_all() -> None:
    match = played("three", 3, 30)
    dogs = {dog.name for dog in match.setup.house.dogs}
    for name, drawn in screens(match):
        if name == "moves":
            offered = {item.label for item in drawn.all() if isinstance(item, Button)} & dogs
            assert offered in (set(), dogs)


# --- matches that nobody can tell apart ------------------------------------------------------------------------


@cache
def _cards(game: str) -> tuple[str, ...]:
    return tuple(dog.name for dog in three.DOGS) if game == "three" else tuple(tres.deck(tres.House()))


def twin(match: Match, random: Random) -> Match | None:
    """The same match with another card where nobody may look it up; none where something would have been different."""
    concealed = [at for at, done in enumerate(match.line) if any(getattr(done.move, f) for f in done.move.concealed)]
    at = random.choice(concealed)
    other = Match(match.setup)
    try:
        for number, done in enumerate(match.line):
            move = done.move if number != at else _otherwise(done.move, random, match.setup.game)
            ruling = other.make(move)
            if ruling.may != done.ruling.may or _open(ruling) != _open(done.ruling):
                return None
    except Foul:
        return None
    return other if other.state != match.state and _public(other.state) == _public(match.state) else None


def _otherwise(move: Move, random: Random, game: str) -> Move:
    other: dict[str, Any] = {move.concealed[0]: _swapped(getattr(move, move.concealed[0]), random, game)}
    return replace(move, **other)


def _swapped(value: Any, random: Random, game: str) -> Any:
    """Another card, or cards of which one is another."""
    if isinstance(value, str):
        return random.choice(_cards(game))
    place = random.randrange(len(value))
    return (*value[:place], _swapped(value[place], random, game), *value[place + 1 :])


def _open(ruling: Any) -> tuple[str, ...]:
    return tuple(event.open_sentence for event in ruling.events)


def _public(state: Any) -> Any:
    """A state as everybody at the table knows it."""
    if isinstance(state, three.State):
        piles = tuple((*(UNSEEN for _ in pile[:-1]), *pile[-1:]) for pile in state.piles)
        return replace(state, piles=piles, gone=())
    hands = tuple((UNSEEN,) * len(hand) for hand in state.hands)
    return replace(state, hands=hands, stock=None, drawn=bool(state.drawn))


def twins(game: str, count: int) -> Iterator[tuple[Match, Match]]:
    """Pairs of them, from matches at several lengths."""
    random, found = Random(17), 0
    for seed in range(40):
        match = played(game, seed, 6 + 5 * (seed % 8))
        if match.outcome or found == count:
            continue
        other = next(filter(None, (twin(match, random) for _ in range(12))), None)
        if other is not None:
            found += 1
            yield match, other
    assert found == count


@pytest.mark.parametrize("game", ["three", "tres"])
def test_matches_that_nobody_can_tell_apart_look_the_same(game: str) -> None:
    for match, other in twins(game, 4):
        for (name, drawn), (_, again) in zip(screens(match), screens(other), strict=True):
            assert told(drawn) == told(again), name


# --- and at the end --------------------------------------------------------------------------------------------


def test_all_of_it_opens_at_the_end() -> None:
    match = played("three", 3, 10**6)
    assert match.outcome is not None
    numbers = [at for at, done in enumerate(match.line, 1) if isinstance(done.move, three.Play)]
    view = View(SIZE, screen="moves", seen=seen(match), depth=1, marks={"first": len(match.line) - numbers[0]})
    plays = [done.move.dog for done in match.line if isinstance(done.move, three.Play)]
    assert plays[0] in " ".join(told(scene(view)))
    line = ShelvedMatch("code", "three", None, "over", match.setup.names)
    shelf = Shelf(opened=Opened(line, seen(match)))
    again = scene(replace(view, screen="replay", shelf=shelf, marks={"step": numbers[0]}))
    assert plays[0] in " ".join(told(again))


def test_after_stop_everybody_may_lift_the_cards_of_triple3() -> None:
    match = played("triple3", 1, 40)
    assert seen(match).hidden
    match.make(triple3.Stop("", at=match.now))
    assert not seen(match).hidden


def test_pictures_of_a_play_that_lies_deep_by_now_are_not_shown() -> None:
    shown = {True: 0, False: 0}
    for seed in range(6):
        match = played("triple3", seed, 46)
        now = seen(match)
        plays = Recollection().plays(match)[:5]
        more: dict[str, Any] = {"accepts": [], "evidence": None, "pictures": ["p.png"]}
        told_of = [DisputedPlay(**{name: getattr(play, name) for name in FACTS}, **more) for play in plays]
        for number, play in enumerate(plays):
            marks = {"dispute": DisputeReply(0, told_of, ""), "play": number, "moment": True}
            drawn = scene(View(SIZE, screen="dispute", seen=now, depth=1, marks=marks))
            is_deep = not now.hidden.isdisjoint((play.card, play.covered))
            assert any(isinstance(item, Picture) for item in drawn.all()) != is_deep
            shown[is_deep] += 1
    assert all(shown.values())


def test_no_pictures_are_made_of_the_moments_of_a_match_that_runs() -> None:
    match = played("three", 3, 60)
    assert any(event.word == "checked" for done in match.line for event in done.ruling.events)
    assert match.is_running
    assert not moments(match)
    assert moments(played("three", 3, 10**6))
