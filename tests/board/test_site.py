"""What a phone shows: in its language, with nothing from elsewhere, and nothing that players may not look up."""

import asyncio
import base64
import json
import re
from dataclasses import dataclass, fields, replace
from datetime import date
from html import unescape
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.board import site as site_module
from companion.board.books import BoardBooks, books_on
from companion.board.broker_ear import _age
from companion.board.database import opened
from companion.board.hall import BoardNews, Hall
from companion.board.pages import STATIC, Pages, language_for
from companion.board.reading import ClocksNow, TablePicture, read_table_picture
from companion.board.results import ArrivedEntry, MatchLine, Results, status_of
from companion.board.site import AT_ONCE, Guard, PageNews, Site
from companion.core.codec import plain, written
from companion.core.entry import Abandoned, Made
from companion.core.errors import MalformedError
from companion.core.match import Match
from companion.core.wire import open_plain
from companion.games import NAMES, game
from companion.publishing.entry_payloads import ArrivedNow, EntryNow, FinishNow, HeadNow
from companion.publishing.payloads import ClockNow
from companion.publishing.thumbnail import CardShown, ThumbnailNow
from companion.words import LANGUAGES, Words
from tests.board.asking import Answer, ask
from tests.publishing.kept_matches import entries_of, rows_of, told


def line_of(entry: EntryNow) -> MatchLine:
    return MatchLine(
        entry.match, entry.table, entry.game, entry.began, status_of(entry), entry.number, is_whole=True, entry=entry
    )


@dataclass
class Board:
    books: BoardBooks
    hall: Hall
    now: float = 100.0

    @property
    def results(self) -> Results:
        return self.books.results

    def hear(self, entries: list[EntryNow], *, online: bool = True) -> None:
        self.results.take([ArrivedEntry(entry, written(plain(entry))) for entry in entries])
        lines = [line for code in {entry.match for entry in entries} if (line := self.results.match(code))]
        self.hall.hear(BoardNews(tuple(lines), online=((entries[0].table, online),)))

    def ask(self, path: str, language: str = "en", **how: Any) -> Answer:
        return ask(Site(self.hall, self.books).app(), path, language, **how)


@pytest.fixture
def board(tmp_path: Path) -> Board:
    engine = opened(f"sqlite:///{tmp_path / 'board.sqlite3'}")
    made = Board(books_on(engine, Results(engine, lambda: 1000.0)), Hall(lambda: 0.0))
    made.hall.clock = lambda: made.now
    return made


def match_of(name: str = "triplexity", seed: int = 3, house: Any = None) -> list[EntryNow]:
    return [*told(rows_of(*entries_of(game(name), seed, house)))]


def words_of(page: str) -> str:
    """What is to be read and heard, in one line."""
    labels = " ".join(re.findall(r'(?:aria-label|title)="([^"]*)"', page))
    return unescape(re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", page)) + " " + labels)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", ["en", "de"])
def test_a_table_shows_its_match_in_the_language_of_the_phone(board: Board, name: str, language: str) -> None:
    entries = match_of(name)
    board.hear(entries[:-1])
    answer = board.ask("/table/kitchen", language)
    assert answer.status == 200
    assert f'<html lang="{language}">' in answer.text
    text = words_of(answer.text)
    standing = entries[-2].standing
    assert standing
    assert game(name).title in text
    for player in standing.players:
        assert re.search(rf"{player.name}\b.*\b{player.score}\b", text)
    board.hear(entries[-1:])
    end = words_of(board.ask("/table/kitchen", language).text)
    assert {"en": "Won by", "de": "Gewonnen"}[language] in end
    assert "★" in end


def test_it_says_that_a_table_cannot_be_reached_and_its_clocks_stand(board: Board) -> None:
    entries = [replace(entry, as_of="2026-11-18T21:00:00+00:00") for entry in match_of("triple3")]
    board.hear(entries[:20])
    assert "data-since" in board.ask("/table/kitchen").text
    board.hear(entries[20:21], online=False)
    page = board.ask("/table/kitchen").text
    assert "The table cannot be reached just now." in words_of(page)
    assert "data-since" not in page


def test_clocks_run_from_when_they_were_told(board: Board) -> None:
    entries = [replace(entry, as_of="2026-11-18T21:00:00+00:00") for entry in match_of("triple3")]
    board.hear(entries[:20])
    standing = entries[19].standing
    assert standing
    assert f'data-used="{standing.clocks[0].used}" data-since="100.0"' in board.ask("/table/kitchen").text
    told_later = ClocksNow(
        entries[0].match, "running", standing.moves, (ClockNow("", 61.5, None, runs=True),), None, ""
    )
    board.hall.hear(BoardNews(clocks=(("kitchen", told_later, 40.0),)))
    assert 'data-used="61.5" data-since="60.0"' in board.ask("/table/kitchen").text
    of_another = replace(told_later, match="0123456789ab", clocks=(ClockNow("", 1.5, None, runs=True),))
    by_somebody = replace(told_later, clocks=(ClockNow("Mallory", 1.5, None, runs=True),))
    for wrong in (of_another, by_somebody, replace(of_another, match=told_later.match, moves=0)):
        board.hall.hear(BoardNews(clocks=(("kitchen", wrong, 0.0),)))
    assert 'data-used="61.5"' in board.ask("/table/kitchen").text


def test_a_match_of_which_nothing_has_come_is_said(board: Board) -> None:
    """The board was begun in the middle of it."""
    board.hall.hear(BoardNews(online=(("kitchen", True),)))
    assert "Nobody plays here just now." in words_of(board.ask("/table/kitchen").text)
    told_now = ClocksNow("0123456789ab", "running", 3, (), None, "")
    board.hall.hear(BoardNews(clocks=(("kitchen", told_now, 0.0),)))
    assert "Some rulings of this match have not arrived" in words_of(board.ask("/table/kitchen").text)
    board.hear(match_of())
    assert "have not arrived" not in words_of(board.ask("/table/kitchen").text)


def test_what_is_told_later_has_no_running_clocks(board: Board) -> None:
    board.hear(match_of("triple3")[:20])
    assert "data-since" not in board.ask("/table/kitchen").text


def test_a_match_told_of_later_does_not_take_the_place_of_the_one_that_is_played(board: Board) -> None:
    old = [replace(entry, match="0123456789ab", began="2026-11-17T20:00:00+00:00") for entry in match_of("three")]
    new = match_of("triplexity")
    board.hear(new[:2])
    board.hear(old)
    assert "Triplexity" in board.ask("/table/kitchen").text
    assert "Three!" in board.ask("/matches").text
    head = HeadNow(2, "kitchen", old[0].match, old[-1].number, old[-1].hash, "")
    board.hall.hear(BoardNews((line_of(old[-1]),), (head,)))
    assert "Three!" in board.ask("/table/kitchen").text


def test_the_pages_of_the_hall_of_matches_and_of_players(board: Board) -> None:
    board.hear(match_of())
    board.hear([replace(entry, match="0123456789ab", table="club") for entry in match_of("three", 1)])
    assert re.findall('href="/table/([a-z]+)"', board.ask("/").text) == ["club", "kitchen"]
    everywhere, here = board.ask("/matches", "de").text, board.ask("/matches?table=club").text
    assert everywhere.count('href="/match/') == 2
    assert here.count('href="/match/') == 1
    assert Words("de").date(date(2026, 11, 18)) in words_of(everywhere)
    players = words_of(board.ask("/players", "de").text)
    assert "Anna, Tisch club" in players
    assert " 1 Anna, Tisch kitchen " in players


# --- what players may not look up ------------------------------------------------------------------------------

SECRET = [
    (name, cards)
    for name in NAMES
    for rule in fields(game(name).house)
    if rule.name == "cards"
    for cards in rule.metadata["choices"]
    if cards != "counted"
]


@pytest.mark.parametrize(("name", "cards"), SECRET)
def test_what_is_hidden_is_on_no_page(board: Board, name: str, cards: str) -> None:
    playing, words = game(name), Words("en")
    setup, acts = entries_of(playing, 2, playing.house(cards=cards))
    entries = [*told(rows_of(setup, acts))]
    match, pages = Match(setup), Pages(board.hall)
    board.hear(entries[:1])
    for act, entry in zip(acts[:120], entries[1:], strict=False):
        match.take(act)
        board.hall.hear(BoardNews((line_of(entry),)))
        if not match.is_running:
            break
        hidden = {card for one in playing.hidden(match.state) for card in one.cards}
        open_now = {card for lying in playing.face_up(match.state) for card in lying.cards}
        shown = set(map(str, _values(open_plain(act.move)))) if isinstance(act, Made) else set()
        text = words_of(pages.fragment("kitchen", "en")[1] + pages.fragment("", "en")[1])
        for card in hidden - open_now - shown:
            assert not re.search(rf"\b{re.escape(words.card(card))}\b", text), (card, text)


def _values(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [one for item in value.values() for one in _values(item)]
    return [one for item in value for one in _values(item)] if isinstance(value, list) else [value]


def test_how_a_match_was_played_opens_at_its_end(board: Board) -> None:
    entries = match_of("three")
    code = entries[0].match
    board.hear(entries[:12])
    running = board.ask(f"/match/{code}").text
    assert "<ol" not in running
    assert "can be read here when it is over" in running
    board.hear(entries[12:])
    over = board.ask(f"/match/{code}").text
    assert over.count("<li value=") >= len(entries) - 5
    assert "can be read here" not in over


# --- strangers -------------------------------------------------------------------------------------------------


def test_names_are_never_markup(board: Board) -> None:
    evil = "<script>alert(1)</script>"
    spoken = [_spoken_by(entry, evil) for entry in match_of()[:3]]
    board.hear(spoken)
    for path in ("/", "/table/kitchen", "/matches", f"/match/{spoken[0].match}", "/players"):
        assert "<script>alert" not in board.ask(path).text
    assert "&lt;script&gt;" in board.ask("/table/kitchen").text
    stream = board.ask("/table/kitchen/news", events=1).text
    assert "<script>alert" not in json.loads(stream.removeprefix("data: "))["html"]


def _spoken_by(entry: EntryNow, name: str) -> EntryNow:
    """As if everybody were called so."""
    assert entry.standing
    players = tuple(replace(player, name=name) for player in entry.standing.players)
    said = tuple(replace(one, facts={"player": name}) for one in entry.said)
    return replace(entry, standing=replace(entry.standing, players=players, turn=name), said=said)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("{player.__class__}", {"player": "a"}),
        ("{", {}),
        ("{missing}", {"x": 1}),
        ("{0}", {}),
        ("{player!r:>9999}", {"player": "a"}),
    ],
)
def test_sentences_that_are_none_are_shown_as_they_are(board: Board, text: str, facts: dict[str, Any]) -> None:
    entries = match_of()[:2]
    said = tuple(replace(one, text=text, facts=facts) for one in entries[1].said)
    board.hear([entries[0], replace(entries[1], said=said)])
    answer = board.ask("/table/kitchen", "de")
    assert answer.status == 200
    assert "class '" not in answer.text


def test_every_answer_has_the_strict_policy_and_loads_nothing_from_elsewhere(board: Board) -> None:
    board.hear(match_of())
    code = board.results.matches()[0].match
    for path in ("/", "/table/kitchen", "/matches", f"/match/{code}", "/players", "/static/board.js", "/nowhere"):
        answer = board.ask(path)
        assert answer.headers["content-security-policy"].startswith("default-src 'none'; ")
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert not re.search(r"""(src|href|action)=["'](https?:)?//""", answer.text)
        assert not re.search(r"<[^>]+ (on\w+|style)=", answer.text)
    assert board.ask("/table/kitchen").headers["cache-control"] == "no-store"


@pytest.mark.parametrize("name", NAMES)
def test_the_first_page_is_small(board: Board, name: str) -> None:
    board.hear(match_of(name)[:-1])
    files = sum(file.stat().st_size for file in STATIC.iterdir())
    assert files + max(len(board.ask("/table/kitchen", one).text.encode()) for one in LANGUAGES) <= 100_000 / 4


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [
        *((path, "GET", 404) for path in ("/table/nobody", "/table/%2e%2e", "/match/nothing", "/matches?table=../..")),
        ("/static/../database.py", "GET", 404),
        ("/static/..%2fdatabase.py", "GET", 404),
        ("/" + "a" * 5000, "GET", 404),
        ("/", "POST", 404),
        ("/table/kitchen", "DELETE", 404),
        ("/table/nobody/news", "GET", 404),
    ],
)
def test_what_is_not_there(board: Board, path: str, method: str, status: int) -> None:
    board.hear(match_of())
    answer = board.ask(path, "de", method=method)
    assert answer.status == status
    assert "Traceback" not in answer.text


def test_who_asks_ten_thousand_times_has_to_wait(board: Board) -> None:
    hour = [0.0]
    guard = Guard(Site(board.hall, board.books).app(), lambda: hour[0])
    refused = sum(not guard._may_ask("10.0.0.1") for _ in range(10_000))
    assert refused == 10_000 - AT_ONCE
    answer = ask(guard, "/", "de", address="10.0.0.1")
    assert answer.status == 429
    assert ask(guard, "/", address="10.0.0.2").status == 200, "others do not wait"
    hour[0] += 1
    assert ask(guard, "/", address="10.0.0.1").status == 200
    for number in range(site_module.MOST_ADDRESSES + 50):
        guard._may_ask(str(number))
    assert len(guard._left) == site_module.MOST_ADDRESSES


def test_too_many_who_look_on_are_told_so(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    board.hear(match_of())
    monkeypatch.setattr(site_module, "MOST_STREAMS", 0)
    answer = board.ask("/news", "en")
    assert (answer.status, "Too many people" in answer.text) == (503, True)


@pytest.mark.parametrize(
    ("header", "language"),
    [
        ("de-AT,de;q=0.9,en;q=0.5", "de"),
        ("ja, nl;q=0.3", "nl"),
        ("en;q=0.1, fr;q=0.9", "fr"),
        ("", "en"),
        ("*", "en"),
        ("de;q=0, it", "it"),
        ("pt-BR", "pt"),
        ("de;q=nonsense", "en"),
        ("x" * 99_999, "en"),
    ],
)
def test_the_language_is_that_of_the_phone(header: str, language: str) -> None:
    assert language_for(header) == language


# --- news ------------------------------------------------------------------------------------------------------


def test_news_come_as_they_happen(board: Board) -> None:
    entries = match_of()
    board.hear(entries[:2])
    site = Site(board.hall, board.books)

    async def look_on() -> list[str]:
        async def newest() -> tuple[int, str]:
            return site._pages.fragment("kitchen", "en")

        stream = site._stream(PageNews(board.hall.tables["kitchen"].bell, newest, 0.0), "10.0.0.1")
        first = await anext(stream)
        board.hall.hear(BoardNews((line_of(entries[-1]),)))
        second = await asyncio.wait_for(anext(stream), 5)
        board.hall.close()
        rest = [one async for one in stream]
        assert len(rest) <= 1, "it ends with the board"
        return [first, second]

    first, second = asyncio.run(look_on())
    assert "★" not in first
    assert "★" in second
    assert json.loads(second.removeprefix("data: "))["now"] == board.now
    assert site._streams == {}


def test_who_only_waits_hears_that_the_board_is_there(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(site_module, "HEARTBEAT", 0.01)
    board.hear(match_of())
    stream = board.ask("/table/kitchen/news", events=2).text
    first, second = (json.loads(one.removeprefix("data: ")) for one in stream.strip().split("\n\n")[:2])
    assert "html" in first
    assert second == {"now": board.now}


def test_the_age_of_what_the_broker_kept() -> None:
    assert _age("") is None
    assert _age("2001-01-01T00:00:00+00:00") is None
    assert _age("2026-01-01T00:00:00") is None


def test_an_abandoned_match_says_why(board: Board) -> None:
    setup, acts = entries_of(game("triplexity"))
    entries = [*told(rows_of(setup, [acts[0], Abandoned(acts[0].move.at + 1, "Rain <b>")]))]  # type: ignore[union-attr]
    board.hear(entries)
    assert "Rain <b>" in words_of(
        board.ask("/table/kitchen").text.replace("&lt;b&gt;", "<b>").replace("<b>", "&lt;b&gt;")
    )


# --- pictures --------------------------------------------------------------------------------------------------


def jpeg_of(wide: int = 40, high: int = 30) -> bytes:
    return cv2.imencode(".jpg", np.full((high, wide, 3), 90, np.uint8))[1].tobytes()


def picture_of(code: str, **more: Any) -> dict[str, Any]:
    """As a table would send it."""
    cards = (CardShown("1", "red-1-circle", 0, 0),)
    now = ThumbnailNow(2, "kitchen", code, "", 40, 30, cards, base64.b64encode(jpeg_of()).decode())
    return {**plain(now), **more}


def test_the_cards_are_shown_as_long_as_their_match_and_nothing_else_is_a_picture(board: Board) -> None:
    entries = match_of("triple3", 3, game("triple3").house(cards="seen"))
    board.hear(entries[:9])
    assert "<img" not in board.ask("/table/kitchen").text
    picture = read_table_picture(written(picture_of(entries[0].match)).encode(), "kitchen")
    board.hall.hear(BoardNews(pictures=(("kitchen", picture),)))
    page = board.ask("/table/kitchen", "de").text
    found = re.search(r'<img class="cards" src="([^"]+)" width="40" height="30" alt="([^"]+)">', page)
    assert found
    assert Words("de").card("red-1-circle") in unescape(found[2])
    answer = board.ask(found[1])
    assert (answer.status, answer.headers["content-type"], answer.content) == (200, "image/jpeg", picture.jpeg)
    assert answer.headers["x-content-type-options"] == "nosniff"
    for other in ("/table/kitchen/cards/0123456789abcdef", "/table/hall/cards/" + picture.tag, found[1] + "/.."):
        assert board.ask(other).status == 404
    board.hall.hear(BoardNews(pictures=(("kitchen", TablePicture()),)))
    assert "<img" not in board.ask("/table/kitchen").text
    assert board.ask(found[1]).status == 404
    board.hall.hear(BoardNews(pictures=(("kitchen", replace(picture, match="another")),)))
    assert "<img" not in board.ask("/table/kitchen").text


@pytest.mark.parametrize(
    "more",
    [
        {"jpeg": "%%%"},
        {"jpeg": base64.b64encode(b"<svg onload=alert(1)>").decode()},
        {"jpeg": base64.b64encode(jpeg_of()[:-9]).decode()},
        {"wide": 41},
        {"wide": 9000, "high": 30, "jpeg": base64.b64encode(jpeg_of(9000)).decode()},
        {"table": "hall"},
        {"match": "../etc"},
        {"version": 3},
        {"cards": [{"cell": "1", "card": "x" * 500, "row": 0, "column": 0}]},
        {"more": 1},
    ],
)
def test_a_picture_that_is_none_is_refused_in_a_sentence(more: dict[str, Any]) -> None:
    with pytest.raises(MalformedError) as refused:
        read_table_picture(written(picture_of("m", **more)).encode(), "kitchen")
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize("name", NAMES)
def test_stop_is_a_picture_as_long_as_it_holds(board: Board, name: str) -> None:
    for entry in match_of(name)[:80]:
        board.hear([entry])
        assert entry.standing
        assert ('class="called"' in board.ask("/table/kitchen").text) == entry.standing.called


def test_a_photo_finish_is_drawn_and_told(board: Board) -> None:
    entry = match_of("three")[4]
    assert entry.standing
    first, second = (player.name for player in entry.standing.players[:2])
    order = (ArrivedNow(first, "stamped", 0.0), ArrivedNow(second, "stamped", 0.002), ArrivedNow("<b>", "held", None))
    board.hear([replace(entry, finish=FinishNow(order, 0.0001, ()))])
    page = board.ask("/table/kitchen").text
    lanes = re.findall(r'<path class="press" d="M([0-9.]+) 0 V12"/>', page)
    assert lanes == ["12.0", "288.0"]
    text = words_of(page)
    assert "Photo finish Closer than 100 µs: tie" in text
    assert f"{first} First" in text
    assert f"{second} + 2 ms" in text or f"{second} + 2.000 ms" in text
    assert "<b>" not in page
    assert "held down before" in text


def test_a_photo_finish_of_nonsense_is_drawn_within_its_frame(board: Board) -> None:
    entry = match_of("three")[4]
    order = tuple(ArrivedNow("x", how, after) for how, after in (("stamped", -5.0), ("?", 9e18), ("untimed", None)))
    board.hear([replace(entry, finish=FinishNow(order, -9e18, ("x",)))])
    page = board.ask("/table/kitchen").text
    assert all(12 <= float(x) <= 288 for x in re.findall(r'class="press" d="M([-0-9.e+]+)', page))
    assert 'width="0.0"' in page
