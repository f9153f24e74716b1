"""Every move that a person can make is put right on the screen: each kind of every game, and each thing it says."""

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from functools import cache
from typing import Any

import pytest

from companion.core.match import Match
from companion.core.record import move_plain
from companion.core.referee import Referee
from companion.core.requests import Correct
from companion.core.rules import Move
from companion.display.scene import Go, Intent, Mark, Say, Ticking
from companion.display.screens import really, scene
from companion.display.view import Seen, View, seen
from companion.games import NAMES
from companion.games import game as game_named
from companion.games.three import rules as three
from companion.games.threepia import rules as threepia
from companion.games.tres import rules as tres
from companion.games.triple3 import rules as triple3
from companion.words import Words
from simulator.playing import play_out, seated
from tests.display.table import Guests
from tests.display.test_moves import is_really
from tests.display.test_question import is_answer, match_of
from tests.display.test_question import seated as seated_at
from tests.display.test_reasons import recorded
from tests.display.test_secrets import RECORDED
from tools.gallery import played_matches as gallery
from tools.gallery.scenes import shots

SIZE = (800, 480)
MOST = 260  # screens that are looked at for one move
EXAMPLES = 3  # of a kind
# What nobody says on a screen: how a strike was timed, what a bot or a program adds; and what takes too many touches
# to be found by trying: all hands of a deal.
UNSAID = {
    *(
        "at",
        "finish",
        "tied",
        "insist",
        "said",
        "lies",
        "drawn",
        "hidden",
        "leftovers",
        "turned",
        "field",
        "picture",
        "hand",
        "hands",
    ),
    "take-back.card",
    "deal.name",
}


def crafted(game: str) -> Iterator[Match]:
    """With the moves that are rare."""
    match game:
        case "three":
            yield gallery.three_match(gallery.NAMES[:3], 5, three.Strike(""), three.Hand("Ben"))
            tied = gallery.tied_strike(gallery.NAMES[:4], (0, 1))
            yield gallery.three_match(gallery.NAMES[:4], 6, tied, three.Choose("Dario", "Anna"), tie="choice")
        case "triple3":
            match = gallery.triple3_match(gallery.NAMES[:3], 5)
            cell = match.line[-1].move.cell  # type: ignore[attr-defined]
            match.make(triple3.TakeBack("", cell, at=match.now))
            unseen = next(card for at, card in enumerate(triple3.DECK) if not match.state.seen >> at & 1)
            match.make(triple3.Lies("", 2, unseen, at=match.now))
            yield match
        case "threepia":
            match = gallery.threepia_match(gallery.NAMES[:2], 3)
            match.make(threepia.DeckCount(match.state.turn, 20, at=match.now))
            yield match
            match = gallery.threepia_match(gallery.NAMES[:1], 3, way="relaxed", last=None)
            match.make(threepia.Finish(match.state.turn, at=match.now))
            yield match


@cache
def matches(game: str) -> tuple[Seen, ...]:
    """Recorded ones, those of the gallery, and some of bots."""
    found = [seen(recorded(file)) for file in RECORDED if file.stem.startswith(f"{game}-")]
    found += [shot.view.seen for shot in shots(SIZE, Words()) if shot.view.seen and shot.view.seen.setup.game == game]
    playing = game_named(game)
    for seed in range(3):
        match = Match(seated(playing, playing.house(), 3 if playing.players[1] > 2 else 2))
        for _ in play_out(match, seed, seen=bool(seed), mistakes=0):
            pass
        found.append(seen(match))
    return (*map(seen, crafted(game)), *found)


@cache
def examples(game: str) -> dict[type[Move], list[tuple[Seen, int]]]:
    found: dict[type[Move], list[tuple[Seen, int]]] = {}
    for one in matches(game):
        for number, done in enumerate(one.line, 1):
            known = found.setdefault(type(done.move), [])
            if len(known) < EXAMPLES and all(before is not one for before, _ in known):
                known.append((one, number))
    return found


def offered(now: Seen, number: int) -> Iterator[dict[str, Any] | None]:
    """What the screen lets somebody say that the move was; None: that it was none."""
    view = View(SIZE, screen="moves", seen=now, depth=2)
    reached: list[dict[str, Any]] = [{"move": number}]
    for marks in reached:
        counts: dict[str, int] = {}
        for intent in (item.intent for item in scene(replace(view, marks=marks)).targets()):
            if isinstance(intent, Say) and isinstance(intent.message, Correct):
                yield intent.message.move
            if not isinstance(intent, Mark) or intent.key in ("move", "first"):
                continue
            counts[intent.key] = counts.get(intent.key, 0) + 1
            more = {key: value for key, value in {**marks, intent.key: intent.value}.items() if value is not None}
            most = 2 if isinstance(intent.value, tuple) else 4  # of cards and symbols there are many
            if counts[intent.key] <= most and more not in reached and len(reached) < MOST:
                reached.append(more)


def otherwise(now: Seen, number: int, wanted: set[str]) -> set[str]:
    """What about the move can be said otherwise; `gone` where it can be taken out, `move` where it can be another."""
    move = now.line[number - 1].move
    old, found = move_plain(move), set[str]()
    for said in offered(now, number):
        if said is None:
            found.add("gone")
        elif said["move"] == move.word:
            found |= {name for name in old.keys() | said.keys() if said.get(name) != old.get(name)} - {"at"}
        else:
            found.add("move")
        if found > wanted | {"gone"}:
            break
    return found


KINDS = [(game, kind) for game in NAMES for kind in game_named(game).moves if not kind.by_referee]


@pytest.mark.parametrize(("game", "kind"), KINDS, ids=lambda one: one if isinstance(one, str) else one.word)
def test_every_kind_of_move_is_put_right_on_the_screen(game: str, kind: type[Move]) -> None:
    known = examples(game).get(kind, [])
    assert known, "no match has such a move"
    names = {field.name for field in fields(kind)} - UNSAID - {"player"}
    wanted = {name for name in names if f"{kind.word}.{name}" not in UNSAID}
    found: set[str] = set()
    for now, number in known:
        if found - {"gone"} and wanted <= found:
            break
        found |= otherwise(now, number, wanted - found)
    assert wanted <= found, f"missing: {wanted - found}"
    assert "gone" in found
    assert found - {"gone"}, "it can be another one"


# --- at the table ----------------------------------------------------------------------------------------------


def another(guests: Guests, number: int, *touches: Intent | Callable[[Intent], bool]) -> None:
    """Somebody says on the list of moves that one was another, touch by touch."""
    guests.do(Go("menu"))
    guests.do(Go("moves"))
    for touch in (Mark("move", number), really.ENTER, *touches):
        guests.do(touch)
    if guests.screen == "question":
        guests.do(is_answer)


def test_the_real_cards_of_a_play_of_tres_by_the_picker_of_its_table() -> None:
    moves = (tres.Dealer("Ben"), tres.Deal("Ben", ("red-3", "joker", "blue-9")), tres.Play("Anna", "red-3", ("red-2",)))
    guests = seated_at("tres", ("Anna", "Ben"), *moves)
    more = (Mark("cards", ("green-4",)), Mark("cards", ("green-4", "blue-5")))
    another(guests, 3, Mark("with", 0), *more, is_really(cards=["green-4", "blue-5"]))
    assert match_of(guests).line[2].move == replace(moves[2], cards=("green-4", "blue-5"), at=guests_at(guests, 3))
    assert match_of(guests).state.scores == (5, 7)


def test_it_was_another_kind_of_move() -> None:
    moves = (tres.Dealer("Ben"), tres.Deal("Ben", ("red-3", "joker", "blue-9")), tres.Play("Anna", "red-3", ("red-2",)))
    guests = seated_at("tres", ("Anna", "Ben"), *moves)
    another(guests, 3, is_really(move="draw"))
    assert match_of(guests).line[2].move.word == "draw"
    assert match_of(guests).state.scores == (8, 7)


def test_the_card_of_triple3_and_who_laid_it() -> None:
    match = gallery.triple3_match(gallery.NAMES[:2], 3)
    guests = Guests()
    guests.app._touches.sit_down(Referee(match, guests.hour.now, table=match.now))
    number = len(match.line)
    old = match.line[-1].move
    assert isinstance(old, triple3.Lay)
    card = next(one for one in triple3.DECK if triple3.is_legal(match.line[-2].ruling.state.grid, old.cell, one)
                and not match.state.seen >> triple3.DECK.index(one) & 1)  # fmt: skip
    colour = Mark("colour", card.split("-")[0])
    another(guests, number, Mark("who", "Ben"), Mark("cell", old.cell), colour, is_really(card=card, player="Ben"))
    made = match_of(guests).line[-1].move
    assert isinstance(made, triple3.Lay)
    assert (made.card, made.player, made.cell) == (card, "Ben", old.cell)


def test_the_symbols_of_a_card_of_threepia() -> None:
    match = next(one for one in (played_seen(seed) for seed in range(9)) if isinstance(one.line[2].move, threepia.Lay))
    guests = Guests()
    guests.app._touches.sit_down(Referee(match, guests.hour.now, table=match.now))
    chosen: tuple[str, ...] = ()
    touches: list[Intent | Callable[[Intent], bool]] = []
    for _ in threepia.CORNERS:
        chosen = (*chosen, "triangle-red")
        touches.append(Mark("symbols", chosen))
    another(guests, 3, *touches, is_really(card=" ".join(chosen)))
    made = match_of(guests).line[2].move
    assert isinstance(made, threepia.Lay)
    assert made.card == " ".join(chosen)


def played_seen(seed: int) -> Match:
    playing = game_named("threepia")
    match = Match(seated(playing, playing.house(), 2))
    for _ in play_out(match, seed, mistakes=0):
        if len(match.line) == 4:
            break
    return match


def test_nothing_runs_and_nothing_else_can_be_done_while_it_is_said() -> None:
    match = gallery.triple3_match(gallery.NAMES[:2], 3)
    for number in range(1, len(match.line) + 1):
        view = View(SIZE, screen="moves", seen=seen(match), depth=2, marks={"move": number, "really": True})
        drawn = scene(view)
        assert not [item for item in drawn.all() if isinstance(item, Ticking)]
        for item in drawn.targets():
            assert isinstance(item.intent, Mark) or (
                isinstance(item.intent, Say)
                and isinstance(item.intent.message, Correct)
                and item.intent.message.preview
            )


def guests_at(guests: Guests, number: int) -> int:
    return match_of(guests).line[number - 1].move.at


def test_a_card_of_threepia_was_laid_where_none_was_said_to_be() -> None:
    match = played_seen(1)
    match.make(threepia.DeckCount(match.state.turn, 30, at=match.now))
    for _ in range(len(match.line) - 2):
        match.undo()
    match.make(threepia.Draw(match.state.turn, at=match.now))
    guests = Guests()
    guests.app._touches.sit_down(Referee(match, guests.hour.now, table=match.now))
    symbols: list[Intent | Callable[[Intent], bool]] = [
        Mark("symbols", ("triangle-red",) * count) for count in range(1, len(threepia.CORNERS) + 1)
    ]
    another(guests, 3, Mark("place", "B"), *symbols, is_really(move="lay", place="B"))
    made = match_of(guests).line[2].move
    assert isinstance(made, threepia.Lay)
    assert (made.place, made.card) == ("B", " ".join(("triangle-red",) * 4))


def test_what_was_chosen_for_one_move_is_not_chosen_for_another() -> None:
    moves = (tres.Dealer("Ben"), tres.Deal("Ben", ("red-3", "joker", "blue-9")), tres.Play("Anna", "red-3", ("red-2",)))
    guests = seated_at("tres", ("Anna", "Ben"), *moves)
    for touch in (Go("menu"), Go("moves"), Mark("move", 3), really.ENTER, Mark("cards", ("green-4",)), really.LEAVE):
        guests.do(touch)
    assert dict(guests.app.view.marks) == {"move": 3}
    guests.do(Mark("move", 2))
    guests.do(really.ENTER)
    assert dict(guests.app.view.marks) == {"move": 2, "really": True}
