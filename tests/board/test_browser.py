"""The page in a real browser: rulings as they come, clocks that run by themselves, a board that goes and comes back."""

import json
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

import pytest
from paho.mqtt.publish import multiple

from companion.board.books import books_on
from companion.board.database import opened
from companion.core.codec import plain, written
from companion.games import game
from tests.board.browser import CHROMIUM, browser
from tests.board.test_service import board, get, is_shown
from tests.publishing.kept_matches import entries_of, rows_of, told
from tests.publishing.mosquitto import Mosquitto, eventually
from tests.publishing.test_exactly_once import evening

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed (apt-get install chromium)"),
]


def test_a_phone_follows_a_match_and_a_board_that_comes_back(tmp_path: Path, broker: Mosquitto) -> None:
    with ExitStack() as evenings, browser(tmp_path, "de") as phone:
        with board(tmp_path, broker) as (_, port):
            eventually(lambda: get(port, "/"))
            table = evenings.enter_context(evening(tmp_path, broker))
            eventually(is_shown(port, "Triplexity"))
            phone.open(f"http://127.0.0.1:{port}/table/t")
            eventually(lambda: phone.value("document.readyState") == "complete")
            phone.value("window.mark = 'the same page'")
            table.do(move="put", player="Anna", place="left")
            eventually(lambda: "Anna setzt einen Stein" in phone.text(".verdict"))
            assert "Anna setzt einen Stein" in phone.text("#spoken"), "whoever hears the page hears it"
            assert "Ben" in phone.text("[aria-current]")
            assert phone.troubles == []
        table.do(move="put", player="Ben", place="centre")  # nobody hears it
        with board(tmp_path, broker, "--port", str(port)):
            eventually(lambda: "Ben setzt einen Stein" in phone.text(".verdict"))
            table.do(do="pause", why="tea")
            phone.value("document.dispatchEvent(new Event('visibilitychange'))")  # as after a sleep
            eventually(lambda: "angehalten" in phone.text(".verdict"))
            assert phone.value("window.mark") == "the same page"
        assert not [one for one in phone.troubles if "ERR_CONN" not in one and "ERR_INCOMPLETE" not in one]


def test_clocks_run_by_themselves_and_nothing_is_wider_than_the_phone(tmp_path: Path, broker: Mosquitto) -> None:
    entries = [*told(rows_of(*entries_of(game("triple3"))))][:25]
    now = datetime.now(UTC).isoformat()
    topic = "companion/kitchen"
    messages: list[Any] = [(f"{topic}/online", b"online", 1, True)]
    messages += [(f"{topic}/entry", written(plain(replace(entry, as_of=now))).encode(), 1, False) for entry in entries]
    with board(tmp_path, broker) as (_, port), browser(tmp_path) as phone:
        eventually(lambda: get(port, "/"))
        multiple(messages, hostname="127.0.0.1", port=broker.port)
        phone.open(f"http://127.0.0.1:{port}/")
        eventually(lambda: "kitchen" in phone.text("#live"))
        phone.do("Page.navigate", url=f"http://127.0.0.1:{port}/table/kitchen")
        eventually(lambda: phone.text(".clock"))
        first = phone.text(".clock")
        eventually(lambda: phone.text(".clock") != first)
        assert phone.value("document.documentElement.scrollWidth <= window.innerWidth")
        sizes = phone.value("[...document.querySelectorAll('nav a')].map(a => a.getBoundingClientRect().height)")
        assert min(sizes) >= 44, "large enough for a thumb"
        assert json.dumps(phone.troubles) == "[]"


def test_who_goes_from_page_to_page_is_not_kept_waiting(tmp_path: Path, broker: Mosquitto) -> None:
    """A browser keeps pages to go back to; with their streams of news open it would have no way left for others."""
    took = []
    with board(tmp_path, broker) as (_, port), browser(tmp_path) as phone:
        eventually(lambda: get(port, "/"))
        phone.open("about:blank")
        phone.do("Network.enable")
        phone.do(
            "Network.emulateNetworkConditions",
            offline=False,
            latency=150,
            downloadThroughput=200_000,
            uploadThroughput=100_000,
        )
        for number in range(8):
            phone.do("Page.navigate", url="about:blank")
            eventually(lambda: phone.value("location.href") == "about:blank")
            phone.do("Page.navigate", url=f"http://127.0.0.1:{port}/?{number}")
            eventually(lambda number=number: phone.value("location.search") == f"?{number}")  # type: ignore[misc]
            eventually(lambda: phone.value("document.readyState") == "complete")
            eventually(lambda: phone.value("performance.getEntriesByName('first-contentful-paint').length"))
            took.append(phone.value("performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd"))
    assert max(took) < 30 * median(took), took


def test_a_tournament_follows_a_match_and_a_finished_match_is_gone_through(tmp_path: Path, broker: Mosquitto) -> None:
    """As in a hall: the standing changes by itself; then the match is looked at move by move, with the arrow keys."""
    address = f"sqlite:///{tmp_path / 'board.sqlite3'}"
    books = books_on(opened(address))
    for name in ("Anna", "Ben"):
        books.accounts.add(name)
        books.accounts.join(name, "kitchen", name)
    books.tournaments.make("Cup", "swiss", "triplexity", ("Anna", "Ben"), ("kitchen",), 1)
    books.tournaments.pair("Cup", [], books.accounts.registry())
    entries = [*told(rows_of(*entries_of(game("triplexity"))))]
    topic = "companion/kitchen/entry"
    with board(tmp_path, broker) as (_, port), browser(tmp_path) as phone:
        eventually(lambda: get(port, "/"))
        phone.open(f"http://127.0.0.1:{port}/tournament/1")
        phone.do("Emulation.setDeviceMetricsOverride", width=412, height=900, deviceScaleFactor=1, mobile=True)
        eventually(lambda: "Still to be played" in phone.text(".pairings"))
        multiple(
            [(topic, written(plain(entry)).encode(), 1, False) for entry in entries],
            hostname="127.0.0.1",
            port=broker.port,
        )
        eventually(lambda: phone.text(".pairings .points"))
        last = entries[-1].number
        phone.do("Page.navigate", url=f"http://127.0.0.1:{port}/match/{entries[0].match}/{last - 1}")
        eventually(lambda: phone.text(".steps") and phone.value("document.readyState") == "complete")
        for key, number in (("ArrowRight", last), ("ArrowLeft", last - 1), ("ArrowLeft", last - 2)):
            phone.value(f"document.dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}'}}))")
            eventually(lambda number=number: f"{number} of {last}" in phone.text(".steps"))  # type: ignore[misc]
            eventually(lambda: phone.value("document.readyState") == "complete")
        for page in ("/players", "/player/1", "/tournaments", "/tournament/1", f"/match/{entries[0].match}"):
            phone.do("Page.navigate", url=f"http://127.0.0.1:{port}{page}")
            eventually(lambda page=page: phone.value("location.pathname") == page)  # type: ignore[misc]
            eventually(lambda: phone.value("document.readyState") == "complete")
            assert phone.value("document.documentElement.scrollWidth") <= 412, page
        assert phone.troubles == []
