"""After Stop!: the last plays, the one that is wrong put right in two touches, and what that has changed."""

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pygame
import pytest

from companion.core.clocks import SECOND
from companion.core.match import Match
from companion.core.referee import Referee
from companion.core.replies import CorrectionReply
from companion.core.requests import Correct
from companion.core.session import Session
from companion.display.painter import Painter
from companion.display.scene import Back, CardItem, Go, Intent, Mark, Picture, Say, Scene, Text
from companion.display.screens import scene
from companion.display.view import View, seen
from companion.games.triple3 import rules as triple3
from companion.games.triple3.dispute_screen import CHANGES
from companion.games.triple3.rules import DECK, GoOn, Lay, Lies, Out, Stop, TakeBack, is_legal
from companion.watch.messages import Really
from companion.words import Words
from tests.display.table import Guests
from tests.display.test_triple3_table import CARDS, HANDS, dealt, is_move, lay, legal, state_of
from tools.gallery.scenes import shots


def disputed(plays: int = 4, *, by_keys: bool = False, **house: object) -> Guests:
    """So many cards laid, all legal, and Stop!"""
    guests = dealt(**house)
    guests.by_keys = by_keys
    chance = random.Random(plays)
    held = CARDS[10:]
    for _ in range(plays):
        cell, card = chance.choice(legal(state_of(guests), held))
        held = [other for other in held if other != card]
        lay(guests, cell, card)
    guests.do(is_move(Stop))
    return guests


def words_of(found: Scene) -> list[str]:
    return [item.text for item in found.all() if isinstance(item, Text)]


def lays(guests: Guests) -> list[Lay]:
    return [done.move for done in guests.app.view.match.line if isinstance(done.move, Lay)]


@HANDS
def test_the_newest_play_is_on_top_and_go_on_goes_on(by_keys: bool) -> None:
    guests = disputed(by_keys=by_keys)
    plays = [item.intent for item in guests.app.scene.targets() if item.key.isdigit()]
    assert plays == [Mark("play", number) for number in range(4)]
    cards = [item.name for item in guests.app.scene.items if isinstance(item, CardItem)]
    newest = lays(guests)[-1]
    assert cards[1] == newest.card
    guests.do(is_move(GoOn))
    assert state_of(guests).phase == "play"


@HANDS
@pytest.mark.parametrize("number", [0, 2])
def test_another_card_in_two_touches(number: int, by_keys: bool) -> None:
    guests = disputed(by_keys=by_keys)
    before = lays(guests)
    touches = 0
    guests.do(Mark("play", number))
    touches += 1
    offered = [i.intent for i in guests.app.scene.targets() if i.intent and is_correction(i.intent)]
    for intent in offered:
        guests.do(intent)
        touches += 1
        if lays(guests) != before:
            break
    after = lays(guests)
    wrong = len(before) - 1 - number
    assert after[wrong].cell == before[wrong].cell
    assert after[wrong].card != before[wrong].card
    assert state_of(guests).phase == "stopped"


def is_correction(intent: Intent | None) -> bool:
    return isinstance(intent, Say) and isinstance(intent.message, Correct) and intent.message.move is not None


@HANDS
def test_it_was_not_laid(by_keys: bool) -> None:
    guests = disputed(by_keys=by_keys)
    before = lays(guests)
    guests.do(Mark("play", 0))
    guests.do(lambda intent: isinstance(intent, Say) and getattr(intent.message, "move", "") is None)
    assert lays(guests) == before[:-1]
    guests.do(is_move(GoOn))


@HANDS
def test_any_other_card_and_who_it_was(by_keys: bool) -> None:
    guests = disputed(by_keys=by_keys)
    guests.do(Mark("play", 0))
    guests.do(Mark("other", value=True))
    last = lays(guests)[-1]
    grid = before_last(guests)
    free = [card for at, card in enumerate(DECK) if not state_of(guests).seen >> at & 1]
    card = next(card for card in free if is_legal(grid, last.cell, card) and card.startswith("blue"))
    if guests.app.view.marks.get("colour") != "blue":
        guests.do(Mark("colour", "blue"))
    guests.do(lambda intent: is_correction(intent) and intent.message.move["card"] == card)  # type: ignore[attr-defined]
    assert lays(guests)[-1].card == card
    player = state_of(guests).players[1]
    guests.do(Mark("play", 0))
    guests.do(lambda intent: is_correction(intent) and intent.message.move.get("player") == player)  # type: ignore[attr-defined]
    assert lays(guests)[-1].player == player


def before_last(guests: Guests) -> tuple[str, ...]:
    line = guests.app.view.match.line
    number = max(at for at, done in enumerate(line) if isinstance(done.move, Lay))
    grid: tuple[str, ...] = line[number - 1].ruling.state.grid
    return grid


@HANDS
def test_an_illegal_play_that_was_kept_is_taken_back(by_keys: bool) -> None:
    guests = dealt(illegal_plays="keep")
    guests.by_keys = by_keys
    wrong = next(
        (cell, card) for card in CARDS[10:] for cell in triple3.CELLS if not is_legal(state_of(guests).grid, cell, card)
    )
    lay(guests, *wrong)
    guests.do(is_move(Stop))
    guests.do(Mark("play", 0))
    guests.do(Say(TakeBack("", *wrong)))
    assert state_of(guests).unclaimed == 0
    texts = words_of(guests.app.scene)
    assert "Taken back" in texts


@HANDS
def test_out_can_be_said_after_stop(by_keys: bool) -> None:
    guests = disputed(by_keys=by_keys)
    guests.do(Mark("out", value=True))
    guests.do(is_move(Out))
    assert guests.app.view.notice is not None
    assert guests.app.view.notice.code == "not-out"


@HANDS
def test_the_last_plays_can_be_looked_at_while_the_round_is_played(by_keys: bool) -> None:
    guests = disputed(by_keys=by_keys)
    guests.do(is_move(GoOn))
    guests.do(Go("dispute"))
    assert guests.screen == "dispute"
    guests.do(Mark("play", 1))
    guests.do(Back())
    assert guests.screen == "table"


# --- what was changed ------------------------------------------------------------------------------------------


def corrected() -> tuple[View, CorrectionReply]:
    """A match in which the first play is found not to have happened, and the reply to that."""
    guests = disputed(6)
    match = Match.folded(guests.app.view.match.setup, [])
    for done in guests.app.view.match.line:
        match.make(done.move)
    session = Session(Referee(match, 0), None)
    number = next(at for at, done in enumerate(match.line, 1) if isinstance(done.move, Lay))
    replies = session.answer(Correct(number, None, at=guests.hour.now + SECOND))
    assert isinstance(replies[-1], CorrectionReply)
    return replace(guests.app.view, seen=seen(match)), replies[-1]


def test_what_has_changed_is_told() -> None:
    view, reply = corrected()
    assert reply.changes
    changes = 3 * reply.changes
    reply = replace(reply, changes=changes)
    found = scene(replace(view, marks={"correction": reply}))
    assert f"What changed: {len(changes)}" in words_of(found)
    more = next(item.intent for item in found.targets() if item.key == "+")
    assert more == Mark("from", CHANGES)
    for first in range(0, len(changes), CHANGES):
        texts = words_of(scene(replace(view, marks={"correction": reply, "from": first})))
        for change in changes[first : first + CHANGES]:
            assert view.words.heard(change.was[0]) in texts
    assert Mark("correction") in [item.intent for item in scene(replace(view, marks={"correction": reply})).targets()]


def test_what_has_changed_is_told_while_the_round_is_played_too() -> None:
    guests = disputed()
    guests.do(is_move(GoOn))
    view = replace(guests.app.view, marks={"correction": replace(corrected()[1], changes=())})
    assert "No other ruling changes." in words_of(scene(view))
    assert Back() not in [item.intent for item in scene(view).targets()], "it would leave the match"
    assert scene(view).escape == Mark("correction")


def test_nothing_has_changed() -> None:
    view, reply = corrected()
    texts = words_of(scene(replace(view, marks={"correction": replace(reply, changes=())})))
    assert "No other ruling changes." in texts


# --- a watched match -------------------------------------------------------------------------------------------


def watched(*pictures: str, **marks: Any) -> View:
    shot = next(shot for shot in shots((800, 480), Words()) if shot.name == "dispute-watched")
    told = shot.view.marks["dispute"]
    plays = [replace(play, pictures=list(pictures)) for play in told.plays]
    return replace(shot.view, marks={"dispute": replace(told, plays=plays), **marks})


def test_the_pictures_of_the_camera_are_shown() -> None:
    found = [item.file for item in scene(watched("one.jpg", "two.jpg")).items if isinstance(item, Picture)]
    assert found == ["one.jpg", "two.jpg"]
    again = scene(watched("one.jpg", "two.jpg", play=0, moment=True))
    assert [item.file for item in again.items if isinstance(item, Picture)] == ["two.jpg"]
    assert again.escape == Mark("moment")


def test_a_card_that_was_read_wrongly_is_told_to_the_witness() -> None:
    view = watched(play=1)
    called = view.marks["dispute"].plays[1]
    said = [item.intent for item in scene(view).targets() if isinstance(item.intent, Say)]
    wanted = Really(called.cell, called.card, called.likely[0])
    assert Say(wanted) in said
    assert Say(Lies("", called.cell, called.card)) in said


def test_without_a_camera_there_is_the_same_from_the_match() -> None:
    guests = disputed()
    assert not any(isinstance(item, Picture) for item in guests.app.scene.items)
    cards = [item.name for item in guests.app.scene.items if isinstance(item, CardItem)]
    assert cards[2 * 4 : 2 * 4 + 9].count(lays(guests)[-1].card) == 1


def test_a_guess_is_told_as_a_guess() -> None:
    view = watched()
    assert any("a guess" in text for text in words_of(scene(view)))


RED = (200, 40, 40, 255)


def test_a_picture_is_painted_and_one_that_is_not_there_yet_is_a_clock(tmp_path: Path) -> None:
    file = tmp_path / "one.png"
    picture = pygame.Surface((40, 20))
    picture.fill(RED)
    pygame.image.save(picture, file)
    pygame.display.init()
    surface = pygame.display.set_mode((800, 480))
    painter = Painter(surface)
    missing = tmp_path / "two.png"
    painter.paint(scene(watched(str(file), str(missing))))
    boxes = {item.file: item.box for item in scene(watched(str(file), str(missing))).items if isinstance(item, Picture)}
    assert tuple(surface.get_at(boxes[str(file)].centre)) == RED
    assert tuple(surface.get_at(boxes[str(file)][:2])) != RED
    box = boxes[str(missing)]
    assert len({surface.get_at((x, box.centre[1]))[:3] for x in range(box.x, box.right)}) > 1
