"""The pages of a club: players, times, tournaments, and a match move by move; they show and never take."""

import asyncio
import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from companion.board import site as site_module
from companion.board.books import BoardBooks, books_on
from companion.board.database import opened
from companion.board.hall import BoardNews, Hall
from companion.board.results import Results
from companion.board.site import Site
from companion.core.entry import Made
from companion.core.match import Match
from companion.core.wire import open_plain
from companion.games import NAMES, game
from companion.words import LANGUAGES, Words
from tests.board.asking import Answer, ask
from tests.board.club_matches import finished, take, taken_back
from tests.publishing.kept_matches import entries_of, rows_of, told

EVIL = '<script>alert("x")</script>'


class ClubBoard:
    def __init__(self, folder: Path) -> None:
        self.engine = opened(f"sqlite:///{folder / 'board.sqlite3'}")
        self.books: BoardBooks = books_on(self.engine, Results(self.engine, lambda: 4e9))
        self.hall = Hall(lambda: 0.0)

    def ask(self, path: str, language: str = "en", **how: Any) -> Answer:
        return ask(Site(self.hall, self.books).app(), path, language, **how)

    def join(self, *names: str) -> None:
        for name in names:
            self.books.accounts.add(name)
            self.books.accounts.join(name, "", name)

    def cup(self, *names: str, kind: str = "swiss") -> None:
        self.join(*names)
        self.books.tournaments.make("Cup", kind, "triplexity", names, ("kitchen",), 3)
        if kind != "league":
            self.books.tournaments.pair("Cup", self.books.club().matches, self.books.accounts.registry())


@pytest.fixture
def board(tmp_path: Path) -> Iterator[ClubBoard]:
    made = ClubBoard(tmp_path)
    yield made
    made.engine.dispose()


def words_of(page: str) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub("<[^>]*>", " ", page)))


def run_of(seed: int = 3) -> list[Any]:
    house = replace(game("threepia").house(), way="time-trial", deck=20)
    return [*told(rows_of(*entries_of(game("threepia"), seed, house)))]


def test_players_and_what_they_played(board: ClubBoard) -> None:
    take(board.books.results, *finished("m1", {"Anna": 3, "Ben": 1}), *run_of())
    board.join("Anna")
    players = words_of(board.ask("/players").text)
    assert "1 Anna" in players
    assert "2 Ben, table kitchen" in players
    assert re.search(r"Threepia .*Anna – 1 0", players), "alone nobody is rated, and nobody wins"
    anna = words_of(board.ask("/player/1").text)
    for said in ("At the tables: Anna, everywhere", "Triplexity", "Anna 3, Ben 1 · Anna wins!", "Square · 20 cards"):
        assert said in anna
    times = board.ask("/times", "de").text
    assert "20 Karten" in words_of(times)
    assert 'href="/player/1"' in times


def test_a_tournament_shows_its_rounds_and_what_changed(board: ClubBoard) -> None:
    board.cup("Anna", "Ben", "Cora")
    page = board.ask("/tournament/1").text
    assert "Still to be played: kitchen" in words_of(page)
    assert "Cora rests: a point without a match." in words_of(page)
    entries = finished("m1", {"Anna": 3, "Ben": 1})
    take(board.books.results, *entries)
    page = board.ask("/tournament/1").text
    assert re.search(r'Anna – Ben</span> <a class="points" href="/match/m1">1 : 0</a>', page)
    assert "What changed" not in page
    take(board.books.results, taken_back(entries, "corrected", ("Ben",)))
    page = words_of(board.ask("/tournament/1").text)
    assert "Anna – Ben 0 : 1" in page
    assert "Before: Anna 3, Ben 1 · Anna wins! Now: Anna 3, Ben 1 · Ben wins!" in page
    take(board.books.results, replace(taken_back(entries), number=3, before=f"{2:032x}", hash="a" * 32))
    for path in ("/tournament/1", "/match/m1", "/players"):
        page = words_of(board.ask(path).text)
        assert "Before: Anna 3, Ben 1 · Ben wins! Now: no result" in page, path
        assert "worked out anew" in page
    assert "Still to be played" in words_of(board.ask("/tournament/1").text)
    assert "Cup" in words_of(board.ask("/tournaments").text)


def test_a_league_and_who_has_left(board: ClubBoard) -> None:
    board.cup("Anna", "Ben", kind="league")
    take(board.books.results, *finished("m1", {"Anna": 3, "Ben": 3}))
    board.books.tournaments.withdraw("Cup", "Ben")
    page = board.ask("/tournament/1").text
    assert re.search(r"1 Anna ½ 1 .* 1 Ben ½ 1", words_of(page))
    assert page.count('class="left"') == 1
    assert "1. Anna, Ben" in words_of(board.ask("/tournaments").text)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_in_every_language(board: ClubBoard, language: str) -> None:
    entries = finished("m1", {"Anna": 3, "Ben": 1})
    board.cup("Anna", "Ben", "Cora")
    take(board.books.results, *entries, taken_back(entries, "corrected", ("Ben",)), *run_of())
    for path in ("/players", "/player/1", "/times", "/tournaments", "/tournament/1", "/match/m1", "/match/m1/1"):
        answer = board.ask(path, language)
        assert answer.status == 200
        assert f'<html lang="{language}">' in answer.text
        assert "{" not in words_of(answer.text), path
        assert len(answer.text.encode()) < 30_000


# --- a match move by move


@pytest.mark.parametrize("name", NAMES)
def test_a_finished_match_is_shown_as_it_lay_after_each_move(board: ClubBoard, name: str) -> None:
    entries = [*told(rows_of(*entries_of(game(name))))]
    take(board.books.results, *entries)
    course = board.ask(f"/match/{entries[0].match}").text
    for number in (0, 1, len(entries) // 2, len(entries) - 1):
        page = board.ask(f"/match/{entries[0].match}/{number}").text
        standing = entries[number].standing
        assert standing
        assert f"{number} of {len(entries) - 1}" in words_of(page)
        assert re.findall('class="score">(-?[0-9]+)<', page) == [str(player.score) for player in standing.players]
        assert ('rel="prev"' in page, 'rel="next"' in page) == (number > 0, number < len(entries) - 1)
        assert f'href="/match/{entries[0].match}/{number}"' in course
    assert board.ask(f"/match/{entries[0].match}/{len(entries)}").status == 404


def test_while_a_match_runs_its_moves_are_closed(board: ClubBoard) -> None:
    setup, acts = entries_of(game("triplexity"))
    entries = [*told(rows_of(setup, acts))]
    take(board.books.results, *entries[:-1])
    answer = board.ask(f"/match/{entries[0].match}/1")
    assert answer.status == 404
    assert "can be read here when it is over" in answer.text
    take(board.books.results, entries[-1])
    assert board.ask(f"/match/{entries[0].match}/1").status == 200
    take(board.books.results, replace(taken_back(entries), before=entries[-1].hash, standing=entries[-2].standing))
    assert board.ask(f"/match/{entries[0].match}/1").status == 404, "the end was taken back, so it is played again"


@pytest.mark.parametrize(("name", "cards"), [("three", "told"), ("tres", "told"), ("triple3", "seen")])
def test_what_was_hidden_stays_hidden_in_the_replay(board: ClubBoard, name: str, cards: str) -> None:
    """What lay face down at that moment is not on its page."""
    playing, words = game(name), Words("en")
    setup, acts = entries_of(playing, 2, playing.house(cards=cards))
    entries = [*told(rows_of(setup, acts))]
    take(board.books.results, *entries)
    match, looked_for = Match(setup), 0
    for number, act in enumerate(acts[:90], 1):
        match.take(act)
        if number % 3 or not match.is_running:
            continue
        hidden = {card for one in playing.hidden(match.state) for card in one.cards}
        open_now = {card for lying in playing.face_up(match.state) for card in lying.cards}
        shown = set(map(str, _values(open_plain(act.move)))) if isinstance(act, Made) else set()
        page = board.ask(f"/match/{setup.id}/{number}").text
        text = words_of(page) + " ".join(re.findall('aria-label="([^"]*)"', page))
        for card in hidden - open_now - shown:
            looked_for += 1
            assert not re.search(rf"\b{re.escape(words.card(card))}\b", text), (card, text)
    assert looked_for > 20


def _values(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [one for item in value.values() for one in _values(item)]
    return [one for item in value for one in _values(item)] if isinstance(value, list) else [value]


# --- what comes from strangers


def test_names_are_never_markup_anywhere(board: ClubBoard) -> None:
    entries = finished("m1", {EVIL: 3, "Ben": 1})
    take(board.books.results, *entries, taken_back(entries, "corrected", ("Ben",)))
    run = run_of()
    end = run[-1].standing
    evil_run = replace(end.over.run, player=EVIL, course=(replace(end.over.run.course[0], text=EVIL),))
    take(board.books.results, *run[:-1], replace(run[-1], standing=replace(end, over=replace(end.over, run=evil_run))))
    board.books.accounts.add(EVIL)
    board.books.accounts.join(EVIL, "kitchen", EVIL)
    board.books.accounts.add("Ben")
    board.books.accounts.join("Ben", "kitchen", "Ben")
    board.books.tournaments.make(EVIL, "swiss", "triplexity", (EVIL, "Ben"), ("kitchen",), 3)
    board.books.tournaments.pair(EVIL, [], board.books.accounts.registry())
    for path in ("/players", "/player/1", "/times", "/tournaments", "/tournament/1", "/match/m1", "/match/m1/1"):
        page = board.ask(path).text
        assert "<script>" not in page, path
        assert "&lt;script&gt;" in page, path
    news = board.ask("/tournament/1/news", events=1).text
    assert "<script>" not in json.loads(news.removeprefix("data: "))["html"]


@pytest.mark.parametrize(
    "path",
    [
        "/player/1",
        "/player/99999999999999999999",
        "/player/anna",
        "/tournament/1",
        "/tournament/99999999999999999999",
        "/tournament/1/news",
        "/match/none/1",
        "/match/m1/99999999999999999999",
        "/match/m1/-1",
        "/matches?page=0x",
        "/matches?page=99999",
    ],
)
def test_what_is_not_there_is_said(board: ClubBoard, path: str) -> None:
    take(board.books.results, *finished("m1", {"Anna": 3, "Ben": 1}))
    answer = board.ask(path)
    assert answer.status == 404
    assert "There is no such page here." in answer.text


def test_nothing_can_be_changed_from_a_page(board: ClubBoard) -> None:
    board.cup("Anna", "Ben")
    for path in ("/players", "/player/1", "/tournament/1", "/tournaments", "/times"):
        assert board.ask(path, method="POST").status == 404
        assert not re.search("<form|<input|<button", board.ask(path).text)


def test_a_large_page_is_made_again_only_when_something_has_changed(
    board: ClubBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(board.books.results, *finished("m1", {"Anna": 3, "Ben": 1}))
    site, made = Site(board.hall, board.books), list[str]()
    page = site._pages.page

    def counted(template: str, language: str, **values: Any) -> str:
        made.append(template)
        return page(template, language, **values)

    monkeypatch.setattr(site._pages, "page", counted)
    for language in ("en", "en", "de", "en", "de"):
        assert "Anna" in ask(site.app(), "/players", language).text
    assert made == ["players.html"] * 2, "once in each language"
    board.join("Anna")
    assert 'href="/player/1"' in ask(site.app(), "/players", "en").text
    take(board.books.results, *finished("m2", {"Anna": 3, "Cora": 1}))
    assert "Cora" in ask(site.app(), "/players", "en").text
    assert len(made) == 4


def test_older_matches_are_on_further_pages(board: ClubBoard) -> None:
    for number in range(60):
        take(board.books.results, *finished(f"m{number:02}", {"Anna": 3, "Ben": 1}))
    first, second = board.ask("/matches").text, board.ask("/matches?page=2").text
    assert (first.count('href="/match/'), second.count('href="/match/')) == (50, 10)
    assert 'href="/matches?page=2"' in first
    assert 'rel="next"' not in second
    assert 'href="/matches?table=kitchen&amp;page=2"' in board.ask("/matches?table=kitchen").text


# --- news of a tournament


def test_a_tournament_tells_what_has_come(board: ClubBoard, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was played, and at the next heartbeat what the host has said, who is another process."""
    monkeypatch.setattr(site_module, "TOURNAMENT_REST", 0.0)
    monkeypatch.setattr(site_module, "HEARTBEAT", 0.01)
    board.cup("Anna", "Ben", "Cora")
    site = Site(board.hall, board.books)

    async def newest() -> tuple[int, str]:
        found = site._club.tournament(1, "en")
        return board.hall.bell.version, found[1] if found else ""

    async def look_on() -> list[str]:
        stream = site._stream(site_module.PageNews(board.hall.bell, newest, 0.0), "10.0.0.1")
        found = [await anext(stream)]
        take(board.books.results, *finished("m1", {"Anna": 3, "Ben": 1}))
        board.hall.hear(BoardNews(online=(("kitchen", True),)))
        found.append(await asyncio.wait_for(anext(stream), 5))
        board.books.tournaments.decide("Cup", 1, 1, "draw")
        found.append(await asyncio.wait_for(anext(stream), 5))
        found.append(await asyncio.wait_for(anext(stream), 5))
        board.hall.close()
        return found

    first, second, third, fourth = (json.loads(one.removeprefix("data: ")) for one in asyncio.run(look_on()))
    assert "Still to be played" in first["html"]
    assert "1 : 0" in second["html"]
    assert "½ : ½" in third["html"]
    assert "html" not in fourth, "nothing new"
