"""The line of the set-up that says how the referee learns of the cards: shown where there is a choice, kept with it."""

from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest

from companion.core.requests import Rematch
from companion.devices.camera import CameraSight, State
from companion.display.layout import Size
from companion.display.scene import Button, ChangeTo, Go, GoOn, Intent, Say, Start
from companion.display.speech import capital
from companion.display.view import Draft
from companion.games.three import rules as three
from companion.games.tres import rules as tres
from tests.display.camera import Mixed
from tests.display.table import Guests
from tests.display.test_watched_app import RING, missing, script, table_of
from vision.eye_errors import SourceError


@pytest.mark.parametrize(
    ("name", "ways"),
    [
        ("tres", {"counted": True, "told": False}),
        ("three", {"told": True, "counted": False}),
        ("triple3", {"told": True, "counted": False}),
        ("threepia", {}),
        ("triplexity", {}),
    ],
)
def test_what_is_offered_without_a_camera(name: str, ways: dict[str, bool]) -> None:
    guests = Guests()
    guests.do(Go("players", name))
    assert only_ways(guests) == ways


def only_ways(guests: Guests) -> dict[str, bool]:
    """Not people who come or go, who have a draft too."""
    players = guests.app.view.draft.players
    named = [capital(guests.app.words.choice(way)) for way in ("seen", "told", "counted")]
    buttons = [item for item in guests.app.scene.items if isinstance(item, Button) and item.label in named]
    changes = [(item.intent.to, item.on) for item in buttons if isinstance(item.intent, ChangeTo)]
    return {to.house.cards: on for to, on in changes if isinstance(to, Draft) and to.players == players}


def test_drawn_cards_tell_themselves() -> None:
    guests = Guests()
    guests.app.surroundings.draws = True
    guests.do(Go("players", "threepia"))
    assert only_ways(guests) == {"counted": False, "told": True}


@pytest.mark.parametrize(
    ("state", "sees"),
    [("none", False), ("opening", True), ("looking", True), ("found", True), ("gone", False), ("blind", False)],
)
def test_a_camera_makes_it_a_choice_for_as_long_as_it_sees(state: State, *, sees: bool) -> None:
    guests = Guests()
    guests.do(Go("players", "triple3"))
    assert "seen" not in only_ways(guests)
    camera: Any = SimpleNamespace(
        sight=CameraSight(state), is_watched=False, show=MagicMock(), choose=MagicMock(), attend=lambda _now: ()
    )
    guests.app.surroundings.camera = camera
    guests.wait(0.1)
    assert only_ways(guests) == ({"seen": True} if sees else {}) | {"told": not sees, "counted": False}


def test_the_camera_is_tried_at_the_set_up_and_goes() -> None:
    with closing(Mixed(RING, lambda _hour: lambda: missing(lambda: SourceError("There is no camera.")))) as guests:
        guests.do(Go("players", "triple3"))
        assert guests.camera
        guests.camera.wait()
        guests.wait(0.3)
        assert only_ways(guests) == {"told": True, "counted": False}


def test_who_wants_to_tell_is_not_watched() -> None:
    with closing(Mixed(RING, lambda hour: table_of(script(), hour))) as guests:
        guests.do(Go("players", "triple3"))
        guests.do(lambda intent: _is_way(intent, "told"))
        guests.do(Start())
        guests.wait(0.3)
        assert guests.camera
        assert not guests.camera.is_watched
        assert guests.app.view.match.setup.house.cards == "told"


@pytest.mark.parametrize("size", [(800, 480), (480, 800), (1280, 800)], ids=str)
def test_the_choice_is_kept_with_the_match_and_for_the_next(size: Size, tmp_path: Path) -> None:
    guests = Guests(size, tmp_path / "journal")
    guests.do(Go("players", "tres"))
    guests.do(lambda intent: _is_way(intent, "told"))
    guests.do(Start())
    assert guests.app.view.match.setup.house == tres.House(cards="told")
    guests.do(lambda intent: isinstance(intent, Say) and isinstance(intent.message, tres.Dealer))
    guests.close()
    again = Guests(size, tmp_path / "journal")
    again.do(lambda intent: isinstance(intent, GoOn))
    assert again.app.view.match.setup.house.cards == "told"
    again.do(Go("menu"))
    again.do(Go("games"))
    again.do(Go("players", "tres"))
    assert only_ways(again) == {"counted": False, "told": True}
    again.close()


def _is_way(intent: Intent, way: str) -> bool:
    return isinstance(intent, ChangeTo) and isinstance(intent.to, Draft) and bool(intent.to.house.cards == way)


def test_a_house_rule_reset_keeps_it() -> None:
    guests = Guests()
    guests.do(Go("players", "three"))
    draft = guests.app.view.draft
    guests.app.take(ChangeTo(Draft(draft.game, draft.players, three.House(cards="counted", call_timeout=3))), 0)
    guests.do(Go("house"))
    guests.do(lambda intent: isinstance(intent, ChangeTo) and intent.to.house == three.House(cards="counted"))
    assert guests.app.view.draft.house.cards == "counted"


def test_a_rematch_is_refereed_the_same_way() -> None:
    guests = Guests()
    guests.do(Go("players", "tres"))
    guests.do(Start())
    assert guests.app.view.match.setup.house.cards == "counted"
    match = guests.app.match
    assert match is not None
    match.abandon(match.now)
    guests.app.take(Say(Rematch()), guests.hour.now)
    assert guests.app.view.match.setup.house.cards == "counted"
