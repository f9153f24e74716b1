"""The pages of a club: players, best times, tournaments, and a finished match move by move. They only read."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Route

from companion.board import phrases
from companion.board.accounts import ClubPlayer
from companion.board.books import BoardBooks
from companion.board.club import ClubNow
from companion.board.club_pages import (
    about_tournament,
    change_shown,
    course_shown,
    games_shown,
    known_as,
    leaders,
    match_row,
    tournament_shown,
)
from companion.board.pages import RUNS, said, shown, words_in
from companion.board.readers import language_of
from companion.board.results import status_of
from companion.board.tournaments import changes_within

MOST_MATCHES, MOST_CHANGES = 50, 20
LARGEST = 2**31 - 1  # a number in an address that a database can hold


class Html(Protocol):
    """Makes a page."""

    def __call__(self, template: str, request: Request, *, status: int = 200, **values: Any) -> Response: ...


class ClubSite:
    """`fragment`: makes what changes on a page, in a language."""

    def __init__(self, books: BoardBooks, html: Html, fragment: Callable[..., str]) -> None:
        self._books, self._html, self._fragment = books, html, fragment
        self._made: dict[tuple[str, str], tuple[ClubNow, Response]] = {}  # by template and language

    def routes(self) -> list[BaseRoute]:
        return [
            Route("/players", self._players),
            Route("/player/{account:int}", self._player),
            Route("/times", self._times),
            Route("/tournaments", self._tournaments),
            Route("/match/{code}", self._match),
            Route("/match/{code}/{number:int}", self._moment),
        ]

    # --- players and times

    async def _players(self, request: Request) -> Response:
        club, language = await run_in_threadpool(self._books.club), language_of(request)
        if known := self._known("players.html", language, club):
            return known
        words = words_in(language)
        changes = await run_in_threadpool(self._books.results.changes)
        newest = sorted(changes, key=lambda change: (change.at, change.match, change.number))[-MOST_CHANGES:]
        games = games_shown(club.players, words)
        told = [change_shown(one, words) for one in newest[::-1]]
        return self._keep(
            "players.html", language, club, self._html("players.html", request, games=games, changes=told)
        )

    def _known(self, template: str, language: str, club: ClubNow) -> Response | None:
        """A page as it was made, as long as nothing has changed: the largest ones cost most."""
        of_club, page = self._made.get((template, language), (None, None))
        return page if of_club is club else None

    def _keep(self, template: str, language: str, club: ClubNow, page: Response) -> Response:
        self._made[template, language] = club, page
        return page

    async def _player(self, request: Request) -> Response:
        club = await run_in_threadpool(self._books.club)
        account = request.path_params["account"]
        if account not in club.registry.names:
            raise HTTPException(404)
        words, player = words_in(language_of(request)), ClubPlayer(account, "", club.registry.names[account])
        lines = [line for line in club.players if line.player == player]
        courses = [
            replace(course, runs=tuple(run for run in course.runs if run.player == player)) for course in club.courses
        ]
        return self._html(
            "player.html",
            request,
            name=player.name,
            known_as=known_as(account, club.registry, words),
            rows=[row for _, rows in games_shown(lines, words) for row in rows],
            courses=[course_shown(course, words) for course in courses if course.runs],
            matches=[match_row(match, words) for match in club.matches_of(player)[:MOST_MATCHES]],
        )

    async def _times(self, request: Request) -> Response:
        club, language = await run_in_threadpool(self._books.club), language_of(request)
        if known := self._known("times.html", language, club):
            return known
        courses = [course_shown(course, words_in(language)) for course in club.courses]
        return self._keep("times.html", language, club, self._html("times.html", request, courses=courses))

    # --- tournaments

    async def _tournaments(self, request: Request) -> Response:
        words = words_in(language_of(request))
        club = await run_in_threadpool(self._books.club)
        found = await run_in_threadpool(self._books.tournaments_now)
        lines = [
            (now.tournament.number, now.tournament.name, about_tournament(now, words), leaders(now, club))
            for now in found
        ]
        return self._html("tournaments.html", request, tournaments=lines)

    def tournament(self, number: int, language: str) -> tuple[str, str] | None:
        """Its name, and what changes on its page; None where there is none."""
        one = self._books.tournaments.numbered(number) if number <= LARGEST else None
        if one is None:
            return None
        club, now = self._books.club(), self._books.now(one)
        changes = changes_within(one, self._books.results.changes(), club.registry)
        return one.name, self._fragment(
            "standings.html", language, shown=tournament_shown(now, club, changes, words_in(language))
        )

    # --- a match

    async def _match(self, request: Request) -> Response:
        code = request.path_params["code"]
        results = self._books.results
        line = await run_in_threadpool(results.match, code)
        if line is None:
            raise HTTPException(404)
        words = words_in(language_of(request))
        is_open = line.status not in RUNS
        course = await run_in_threadpool(results.course, code) if is_open else []
        changes = await run_in_threadpool(results.changes, code)
        told = [(entry.number, sentences) for entry in course if (sentences := said(entry, words))]
        return self._html(
            "match.html",
            request,
            shown=shown(line, words),
            course=told,
            changes=[change_shown(change, words) for change in changes],
        )

    async def _moment(self, request: Request) -> Response:
        """How it lay open after a move; only of a match that is over."""
        code, number = request.path_params["code"], request.path_params["number"]
        line = await run_in_threadpool(self._books.results.match, code)
        if line is None:
            raise HTTPException(404)
        words = words_in(language_of(request))
        if line.status in RUNS:
            return self._html("notice.html", request, sentence=words.say(phrases.OPENS_AT_THE_END), status=404)
        entry = await run_in_threadpool(self._books.results.moment, code, number)
        if entry is None:
            raise HTTPException(404)
        then = replace(line, entry=entry, number=entry.number, status=status_of(entry))
        return self._html("moment.html", request, shown=shown(then, words), number=number, last=line.number)
