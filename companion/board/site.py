"""The board's web site: pages, and a stream of news for each of them. It only ever reads; nothing can be sent to it."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
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
from companion.board.hall import Hall
from companion.board.pages import (
    RUNS,
    STATIC,
    Pages,
    language_for,
    line_shown,
    player_shown,
    said,
    shown,
    words_in,
)
from companion.board.reading import is_table
from companion.board.results import Results

HEARTBEAT = 15.0  # seconds
HALL_REST = 0.5  # seconds between two pictures of the whole hall
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

    def __init__(self, hall: Hall, results: Results) -> None:
        self._hall, self._results = hall, results
        self._pages = Pages(hall)
        self._streams: dict[str, int] = {}

    def app(self, lifespan: Lifespan | None = None) -> ASGIApp:
        routes = [
            Route("/", self._tables),
            Route("/news", self._news),
            Route("/table/{name}", self._table),
            Route("/table/{name}/news", self._news),
            Route("/matches", self._matches),
            Route("/match/{code}", self._match),
            Route("/players", self._players),
            Mount("/static", StaticFiles(directory=STATIC)),
        ]
        handlers = {404: self._not_here, 405: self._not_here}
        return Guard(Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers))

    # --- pages ---

    async def _tables(self, request: Request) -> Response:
        return self._live(request, "", "/news", words_in(_language(request)).say(phrases.TABLES))

    async def _table(self, request: Request) -> Response:
        name = request.path_params["name"]
        if not is_table(name) or name not in self._hall.tables:
            raise HTTPException(404)
        return self._live(request, name, f"/table/{name}/news", name)

    def _live(self, request: Request, name: str, news: str, heading: str) -> Response:
        language = _language(request)
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

    async def _matches(self, request: Request) -> Response:
        table = request.query_params.get("table", "")
        if table and not is_table(table):
            raise HTTPException(404)
        lines = await run_in_threadpool(self._results.matches, table)
        words = words_in(_language(request))
        return self._html("matches.html", request, table=table, lines=[line_shown(line, words) for line in lines])

    async def _match(self, request: Request) -> Response:
        code = request.path_params["code"]
        line = await run_in_threadpool(self._results.match, code)
        if line is None:
            raise HTTPException(404)
        words = words_in(_language(request))
        course = [] if line.status in RUNS else await run_in_threadpool(self._results.course, code)
        told = [sentences for entry in course if (sentences := said(entry, words))]
        return self._html("match.html", request, shown=shown(line, words), course=told)

    async def _players(self, request: Request) -> Response:
        words = words_in(_language(request))
        found = await run_in_threadpool(self._results.players)
        return self._html("players.html", request, players=[player_shown(one, words) for one in found])

    async def _not_here(self, request: Request, _error: Exception) -> Response:
        sentence = words_in(_language(request)).say(phrases.NOT_HERE)
        return self._html("notice.html", request, sentence=sentence, status=404)

    def _html(self, template: str, request: Request, *, status: int = 200, **values: Any) -> Response:
        return HTMLResponse(self._pages.page(template, _language(request), **values), status)

    # --- news ---

    async def _news(self, request: Request) -> Response:
        name, address = request.path_params.get("name", ""), _address(request.scope)
        if name and name not in self._hall.tables:
            raise HTTPException(404)
        if sum(self._streams.values()) >= MOST_STREAMS or self._streams.get(address, 0) >= MOST_STREAMS_EACH:
            sentence = words_in(_language(request)).say(phrases.FULL)
            return self._html("notice.html", request, sentence=sentence, status=503)
        return StreamingResponse(self._stream(name, _language(request), address), media_type="text/event-stream")

    async def _stream(self, name: str, language: str, address: str) -> AsyncIterator[str]:
        """What is shown now, and again whenever it has changed."""
        self._streams[address] = self._streams.get(address, 0) + 1
        bell = self._hall.tables[name].bell if name else self._hall.bell
        try:
            version, html = self._pages.fragment(name, language)
            yield self._event(html)
            while not self._hall.is_closing:
                if await bell.after(version, HEARTBEAT):
                    version, html = self._pages.fragment(name, language)
                    yield self._event(html)
                else:
                    yield self._event(None)
                if not name:
                    await asyncio.sleep(HALL_REST)
        finally:
            self._streams[address] -= 1
            if not self._streams[address]:
                del self._streams[address]

    def _event(self, html: str | None) -> str:
        told = {"now": self._hall.clock(), **({} if html is None else {"html": html})}
        return f"data: {json.dumps(told, ensure_ascii=False)}\n\n"


def _language(request: Request) -> str:
    return language_for(request.headers.get("accept-language", ""))


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""


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
        words = words_in(language_for(_header(scope, b"accept-language")))
        if scope["method"] not in ("GET", "HEAD") or len(scope["path"]) > LONGEST_PATH:
            return 404, words.say(phrases.NOT_HERE)
        if not self._may_ask(_address(scope)):
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


def _header(scope: Scope, name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")
