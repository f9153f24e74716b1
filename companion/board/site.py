"""The board's web site: pages, and a stream of news for each of them. It only ever reads; nothing can be sent to it."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from companion.board import phrases
from companion.board.books import BoardBooks
from companion.board.club_site import ClubSite
from companion.board.hall import Bell, Hall
from companion.board.pages import STATIC, Pages, language_for, line_shown, words_in
from companion.board.readers import address_of, header_of, language_of
from companion.board.reading import is_table

HEARTBEAT = 15.0  # seconds
HALL_REST = 0.5  # seconds between two pictures of the whole hall
TOURNAMENT_REST = 3.0  # and between two of a tournament
PER_PAGE = 50  # matches
MOST_STREAMS = 1000
MOST_STREAMS_EACH = 600  # of one address; a whole club may come by one
PER_SECOND, AT_ONCE = 50.0, 2000.0  # requests of one address
MOST_ADDRESSES = 10_000
LONGEST_PATH = 200
HEADERS = (
    (
        b"content-security-policy",
        (
            b"default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; "
            b"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
NEVER_KEPT = (b"cache-control", b"no-store")

Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]


class Site:
    """The pages of one board."""

    def __init__(self, hall: Hall, books: BoardBooks) -> None:
        self._hall, self._results = hall, books.results
        self._pages = Pages(hall)
        self._club = ClubSite(books, self._html, self._pages.page)
        self._streams: dict[str, int] = {}

    def app(self, lifespan: Lifespan | None = None) -> ASGIApp:
        routes = [
            Route("/", self._tables),
            Route("/news", self._news),
            Route("/table/{name}", self._table),
            Route("/table/{name}/news", self._news),
            Route("/table/{name}/cards/{tag}", self._cards),
            Route("/matches", self._matches),
            Route("/tournament/{number:int}", self._tournament),
            Route("/tournament/{number:int}/news", self._tournament_news),
            *self._club.routes(),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]
        handlers = {404: self._not_here, 405: self._not_here}
        return Guard(Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers))

    # --- pages ---

    async def _tables(self, request: Request) -> Response:
        return self._live(request, "", "/news", words_in(language_of(request)).say(phrases.TABLES))

    async def _table(self, request: Request) -> Response:
        name = request.path_params["name"]
        if not is_table(name) or name not in self._hall.tables:
            raise HTTPException(404)
        return self._live(request, name, f"/table/{name}/news", name)

    async def _cards(self, request: Request) -> Response:
        """The picture of the cards that is shown now, and no other."""
        table = self._hall.tables.get(request.path_params["name"])
        picture = table.picture if table else None
        if picture is None or picture.tag != request.path_params["tag"]:
            raise HTTPException(404)
        return Response(picture.jpeg, media_type="image/jpeg")

    def _live(self, request: Request, name: str, news: str, heading: str) -> Response:
        language = language_of(request)
        fragment = Markup(
            self._pages.fragment(name, language)[1]
        )  # made by our templates, which have escaped what is in it
        values: dict[str, Any] = {
            "name": name,
            "news": news,
            "heading": heading,
            "fragment": fragment,
            "now": self._hall.clock(),
        }
        return self._html("live.html", request, **values)

    async def _tournament(self, request: Request) -> Response:
        number = request.path_params["number"]
        name, fragment = await self._tournament_now(number, language_of(request))
        values: dict[str, Any] = {"name": "", "news": f"/tournament/{number}/news", "heading": name}
        return self._html("live.html", request, **values, fragment=Markup(fragment), now=self._hall.clock())

    async def _tournament_now(self, number: int, language: str) -> tuple[str, str]:
        found = await run_in_threadpool(self._club.tournament, number, language)
        if found is None:
            raise HTTPException(404)
        return found

    async def _matches(self, request: Request) -> Response:
        table, page = request.query_params.get("table", ""), request.query_params.get("page", "1")
        if (table and not is_table(table)) or not page.isdecimal() or not 0 < len(page) < 5:
            raise HTTPException(404)
        before = (int(page) - 1) * PER_PAGE
        lines = await run_in_threadpool(self._results.matches, table, most=PER_PAGE + 1, after=max(0, before))
        words = words_in(language_of(request))
        return self._html(
            "matches.html",
            request,
            table=table,
            page=int(page),
            has_older=len(lines) > PER_PAGE,
            lines=[line_shown(line, words) for line in lines[:PER_PAGE]],
        )

    async def _not_here(self, request: Request, _error: Exception) -> Response:
        sentence = words_in(language_of(request)).say(phrases.NOT_HERE)
        return self._html("notice.html", request, sentence=sentence, status=404)

    def _html(self, template: str, request: Request, *, status: int = 200, **values: Any) -> Response:
        return HTMLResponse(self._pages.page(template, language_of(request), **values), status)

    # --- news ---

    async def _news(self, request: Request) -> Response:
        name, language = request.path_params.get("name", ""), language_of(request)
        if name and name not in self._hall.tables:
            raise HTTPException(404)
        bell = self._hall.tables[name].bell if name else self._hall.bell

        async def newest() -> tuple[int, str]:
            return self._pages.fragment(name, language)

        return self._streamed(request, PageNews(bell, newest, 0.0 if name else HALL_REST))

    async def _tournament_news(self, request: Request) -> Response:
        number, language = request.path_params["number"], language_of(request)
        await self._tournament_now(number, language)  # there is one

        async def newest() -> tuple[int, str]:
            version = self._hall.bell.version
            return version, (await self._tournament_now(number, language))[1]

        return self._streamed(request, PageNews(self._hall.bell, newest, TOURNAMENT_REST))

    def _streamed(self, request: Request, news: "PageNews") -> Response:
        address = address_of(request.scope)
        if sum(self._streams.values()) >= MOST_STREAMS or self._streams.get(address, 0) >= MOST_STREAMS_EACH:
            sentence = words_in(language_of(request)).say(phrases.FULL)
            return self._html("notice.html", request, sentence=sentence, status=503)
        return StreamingResponse(self._stream(news, address), media_type="text/event-stream")

    async def _stream(self, news: "PageNews", address: str) -> AsyncIterator[str]:
        """What is shown now, and again whenever it has changed."""
        self._streams[address] = self._streams.get(address, 0) + 1
        try:
            version, html = await news.newest()
            yield self._event(html)
            while not self._hall.is_closing:
                has_rung = await news.bell.after(version, HEARTBEAT)
                before = html
                version, html = await news.newest()  # without a bell too: the host may have said something
                yield self._event(html if has_rung or html != before else None)
                await asyncio.sleep(news.rest)
        except HTTPException:  # it is there no more
            return
        finally:
            self._streams[address] -= 1
            if not self._streams[address]:
                del self._streams[address]

    def _event(self, html: str | None) -> str:
        told = {"now": self._hall.clock(), **({} if html is None else {"html": html})}
        return f"data: {json.dumps(told, ensure_ascii=False)}\n\n"


@dataclass(frozen=True, slots=True)
class PageNews:
    """What a stream tells: the newest version, and when to look again."""

    bell: Bell
    newest: Callable[[], Awaitable[tuple[int, str]]]
    rest: float  # seconds between two looks


class Guard:
    """In front of everything: only what reads, not too often, and with the headers that a browser holds pages to."""

    def __init__(self, app: ASGIApp, clock: Callable[[], float] = time.monotonic) -> None:
        self._app, self._clock = app, clock
        self._left: dict[str, tuple[float, float]] = {}  # requests that an address has left, and since when

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refused = self._refused(scope)
        app = Response(refused[1], refused[0], media_type="text/plain; charset=utf-8") if refused else self._app

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                is_static = scope["path"].startswith("/static/")
                kept = (b"cache-control", b"public, max-age=3600") if is_static else NEVER_KEPT
                message["headers"] = [*message.get("headers", ()), *HEADERS, kept]
            await send(message)

        await app(scope, receive, guarded)

    def _refused(self, scope: Scope) -> tuple[int, str] | None:
        words = words_in(language_for(header_of(scope, b"accept-language")))
        if scope["method"] not in ("GET", "HEAD") or len(scope["path"]) > LONGEST_PATH:
            return 404, words.say(phrases.NOT_HERE)
        if not self._may_ask(address_of(scope)):
            return 429, words.say(phrases.TOO_OFTEN)
        return None

    def _may_ask(self, address: str) -> bool:
        now = self._clock()
        left, since = self._left.pop(address, (AT_ONCE, now))
        left = min(AT_ONCE, left + (now - since) * PER_SECOND)
        self._left[address] = (max(0.0, left - 1), now)
        if len(self._left) > MOST_ADDRESSES:
            del self._left[next(iter(self._left))]
        return left >= 1
