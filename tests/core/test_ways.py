"""How a referee learns of the cards: what each game names, what a table can do, where the choice leads."""

import time
from dataclasses import replace

import pytest

from companion.commands.table_opening import Devices
from companion.core.card_ways import Senses, usual, way_of, ways, ways_at
from companion.core.match import set_up
from companion.core.referee import Referee
from companion.core.session import Session
from companion.devices.camera import RoomCamera
from companion.display.app import App
from companion.games import NAMES, game
from companion.games.triple3.watched_spread import WatchedRoom, WatchedTriple3
from companion.seat.table import PlainTable
from companion.seat.watched_table import WatchedTable

BARE, WITH_CAMERA, DRAWN = Senses(), Senses(sees=True), Senses(sees=True, draws=True)


def no_source() -> None:
    raise AssertionError("nobody looks")


@pytest.mark.parametrize(
    ("name", "bare", "camera", "drawn", "first"),
    [
        ("three", "told counted", "seen told counted", "told counted", "seen"),
        ("tres", "counted told", "seen counted told", "counted told", "seen"),
        ("threepia", "counted", "seen counted", "counted told", "seen"),
        ("triple3", "told counted", "seen told counted", "seen told counted", "seen"),
        ("triplexity", "", "", "", ""),
    ],
)
def test_what_each_table_can_do(name: str, bare: str, camera: str, drawn: str, first: str) -> None:
    for senses, able in ((BARE, bare), (WITH_CAMERA, camera), (DRAWN, drawn)):
        assert set(ways_at(game(name), senses)) == set(able.split()), (name, senses)
    assert usual(game(name), WITH_CAMERA) == ({"cards": first} if first else {})
    assert usual(game(name), DRAWN) == {}


@pytest.mark.parametrize("name", NAMES)
def test_a_way_that_this_table_cannot_do_gives_way_to_one_that_it_can(name: str) -> None:
    for way in ways(game(name)):
        for senses in (BARE, WITH_CAMERA, DRAWN):
            able = ways_at(game(name), senses)
            found = way_of(game(name), game(name).house(cards=way), senses)
            assert found == (way if way in able else able[0])


@pytest.mark.parametrize(("way", "kind"), [("seen", WatchedTable), ("told", PlainTable), ("counted", PlainTable)])
def test_a_real_table_watches_what_is_to_be_seen(way: str, kind: type) -> None:
    camera = RoomCamera(no_source, reader=no_source)  # type: ignore[arg-type]
    devices = Devices(print, camera, buttons=False)
    setup = set_up(game("triple3"), ("Anna", "Ben"), game("triple3").house(cards=way))
    seated = devices.seat(Session(Referee.begin(setup, 0), time.monotonic_ns))
    assert type(seated) is kind
    seated.close()
    camera.close()


@pytest.mark.parametrize("way", ["seen", "told"])
def test_a_drawn_table_watches_what_is_to_be_seen(way: str) -> None:
    room = WatchedRoom((800, 480), lambda: 0)
    room.camera = RoomCamera(no_source, reader=no_source)  # type: ignore[arg-type]
    app = App((800, 480), table_for=room.seat)
    room.join(app)
    setup = set_up(game("triple3"), ("Anna", "Ben"), game("triple3").house(cards=way))
    seated = room.seat(Session(Referee.begin(setup, 0), lambda: 0))
    assert isinstance(seated, WatchedTable) is (way == "seen")
    assert isinstance(room.spread_for(seated.session.referee.match, 1), WatchedTriple3) is (way == "seen")
    seated.close()
    room.close()


def test_a_drawn_table_watches_no_game_whose_cards_no_drawn_hands_lay() -> None:
    room = WatchedRoom((800, 480), lambda: 0)
    room.camera = RoomCamera(no_source, reader=no_source)  # type: ignore[arg-type]
    room.join(App((800, 480), table_for=room.seat))
    seated = room.seat(
        Session(Referee.begin(set_up(game("triplexity"), ("Anna", "Ben"), game("triplexity").house()), 0), lambda: 0)
    )
    assert type(seated) is PlainTable
    seated.close()
    room.close()


def test_a_rematch_keeps_it() -> None:
    referee = Referee.begin(set_up(game("tres"), ("Anna", "Ben"), game("tres").house(cards="counted")), 0)
    referee.match.abandon(1)
    again = referee.match.rematch()
    assert again.house.cards == "counted"
    assert replace(again, id="", rematch_of="") == replace(referee.match.setup, id="", rematch_of="")
