"""The drawn table is killed in the middle of a match; the next one has the same cards in the same hands."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pygame
import pytest

from companion.core.clocks import MILLISECOND
from companion.core.requests import Resume
from companion.display.scene import GoOn, Say
from companion.games.three import rules as three
from companion.games.three.spread import Three
from companion.games.threepia.spread import Threepia
from companion.games.tres.told_spread import TresTable
from companion.games.triple3 import rules as triple3
from companion.games.triple3.spread import Triple3
from companion.games.triple3.watched_spread import WatchedRoom, WatchedTriple3
from hardware.panel import Light
from simulator.drawn.items import Swap, Thing
from simulator.drawn.spread import Spread
from tests.display.beside import Visitor
from tests.display.test_beside import at_three, at_threepia, at_tres, at_triple3, at_watched_triple3, says, until

ACTS: dict[str, Callable[[Visitor, Random], bool]] = {
    "three": at_three, "tres": at_tres, "threepia": at_threepia, "triple3": at_triple3, "watched": at_watched_triple3,
}  # fmt: skip
CODE = "5eed0f7ab1e5"
FRAME = 90 * MILLISECOND


@pytest.fixture(autouse=True)
def same_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """The deck of a match is shuffled by its code."""
    monkeypatch.setattr("companion.core.match.secrets.token_hex", lambda _: CODE)


def held(spread: Spread) -> Any:
    """What everybody has, and what lies there."""
    match spread:
        case Three():
            return spread.cards.hands, spread.cards.piles, spread.cards.banks
        case TresTable() | Threepia():
            return spread.cards.hands
        case WatchedTriple3() if spread.live:  # what the referee has not seen, or not let pass, is in the hands again
            piles = tuple(tuple(laid.card for laid in pile) for pile in spread.state.piles)
            there = {card for pile in piles for card in pile}
            return [sorted(set(dealt) - there) for dealt in spread.dealt.values()], piles
        case Triple3():
            return [sorted(spread.hand(player)) for player in spread.names], spread.piles
    return spread.state


def opened(journal: Path, game: str) -> Visitor:
    return Visitor(seed=None, mistakes=0, journal=journal, camera=FRAME if game == "watched" else 0)


def killed(guest: Visitor) -> None:
    """Nothing is said, and nothing put in order."""
    assert guest.app._conversation.table
    guest.app._conversation.table.close()  # its thread and its pictures go with a process, but not with a test
    guest.room.close()
    assert guest.journal
    guest.journal.close()
    pygame.display.quit()


def goes_on_again(guest: Visitor) -> None:
    guest.on_screen(lambda intent: isinstance(intent, GoOn))
    if isinstance(guest.room, WatchedRoom) and guest.room.camera:
        guest.room.camera.wait()
    guest.wait(0)
    assert guest.app.view.match.stands, "nobody has sat down yet"
    guest.on_screen(lambda intent: intent == Say(Resume()))
    assert not guest.app.view.match.stands


def plays(guest: Visitor, game: str, moves: int) -> None:
    rng = Random(1)
    for _ in range(3_000):
        if len(guest.app.match.line) >= moves:  # type: ignore[union-attr]
            return
        if not ACTS[game](guest, rng):
            guest.goes_on()
    raise AssertionError(guest.state.phase)


def put_out(guest: Visitor) -> None:
    """Nine cards before the camera, and everybody may lay theirs."""
    for _ in range(10):
        guest.goes_on()
    guest.touch(Swap(guest.spread.names[1]))  # no bots
    guest.touch(Thing("pile"))
    until(guest, lambda: guest.state.phase == "ready")
    guest.on_screen(says(triple3.Go))
    for _ in range(10):
        guest.goes_on()


@pytest.mark.parametrize("game", ACTS)
def test_the_cards_are_those_that_were_dealt(game: str, tmp_path: Path) -> None:
    guest = opened(tmp_path / "journal", game)
    rules = {"way": "points", "deck": 30} if game == "threepia" else {}
    guest.sits_down("triple3" if game == "watched" else game, players=2, **rules)
    if game == "watched":
        put_out(guest)
    plays(guest, game, 5)
    before = held(guest.spread), guest.state
    killed(guest)
    again = opened(tmp_path / "journal", game)
    try:
        again.app.library.wake()
        goes_on_again(again)
        assert again.state == before[1]
        assert held(again.spread) == before[0]
        if isinstance(again.room, WatchedRoom) and again.room.live:
            assert again.room.live.cards == before[0][1]
            assert [sorted(again.spread.hand(player)) for player in again.spread.names] == before[0][0]  # type: ignore[attr-defined]
        plays(again, game, 7)
    finally:
        again.close()


def test_the_token_shows_who_struck(tmp_path: Path) -> None:
    guest = opened(tmp_path / "journal", "three")
    guest.sits_down("three", players=2)
    guest.on_screen(says(three.Begin, player=guest.me))
    plays(guest, "three", 3)
    guest.key(pygame.K_SPACE)
    assert guest.state.phase == "struck"
    before = dict(guest.room.buttons.lights)
    assert Light.WON in before.values()
    killed(guest)
    again = opened(tmp_path / "journal", "three")
    try:
        goes_on_again(again)
        assert again.room.buttons.lights == before
        assert again.state.phase == "struck"
    finally:
        again.close()
