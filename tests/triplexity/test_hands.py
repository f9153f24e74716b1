"""Bots' hands at Triplexity: what a script shows is what its plays say, and the rules agree."""

import pytest

from companion.core.rules import Foul
from companion.games import part
from companion.games.triplexity import rules as triplexity
from companion.games.triplexity.hands import plays_of, write_script
from companion.games.triplexity.hands_course import Play, turned
from companion.games.triplexity.rules import PLACES, House, Put, Shift, State
from simulator.rendered.outcomes import OutcomeCourse, course_of
from simulator.rendered.script import GameScripts

SEEDS = range(12)


def tops(course: OutcomeCourse, at: int) -> list[str]:
    """What is seen from above at a moment."""
    found = ["", "", ""]
    for piece in sorted(course.lying_at(at), key=lambda one: one.level):
        found[piece.cell - 1] = piece.lying.card
    return found


def move_of(play: Play, house: House) -> Put | Shift:
    if play.source:
        return Shift(play.player, play.source, play.target)
    return Put(play.player, play.target, int(play.face[-1]) if house.play == "advanced" else 0)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_seen_and_what_the_rules_say_of_it(seed: int) -> None:
    script = write_script(seed)
    course, house = (
        course_of(script),
        House(**{**script.about["house"], "faces": tuple(script.about["house"]["faces"])}),
    )
    state: State = triplexity.GAME.start(tuple(script.about["players"]), house).state
    before = state
    for play in plays_of(script):
        if play.what == "none":
            continue
        if play.what == "back":
            state, there = before, play.source
            assert not there or tops(course, play.at)[PLACES.index(there)] == play.face
            continue
        assert tops(course, play.at)[PLACES.index(play.target)] == play.face
        before = state
        if play.what == "refused":
            with pytest.raises(Foul, match="cannot") as caught:
                triplexity.GAME.rule(state, move_of(play, house))
            assert caught.value.code == play.kind
            continue
        state = triplexity.GAME.rule(state, move_of(play, house)).state
    assert state.phase == "over"
    assert list(state.scores) == script.about["scores"]


def test_every_trouble_comes() -> None:
    kinds = {play.kind for seed in range(60) for play in plays_of(write_script(seed))}
    assert kinds == {
        "",
        "slipped",
        "taken back",
        "unturned",
        "not-your-turn",
        "stack-full",
        "place-first",
        "moved-back",
    }


def test_a_script_goes_through_json() -> None:
    scripts = part("triplexity", "hands", GameScripts)
    for seed in SEEDS:
        script = scripts.write(seed)
        assert scripts.read(scripts.plain(script)) == script


def test_a_piece_turned_twice_is_as_it_was() -> None:
    for face in ("red-1", "blue-4"):
        assert turned(face) != face
        assert turned(turned(face)) == face
