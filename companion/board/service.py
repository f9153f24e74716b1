"""The board as a service: broker, database and web site, put together for as long as it runs."""

import asyncio
import contextlib
import socket
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

import uvicorn
from sqlalchemy import Engine
from starlette.applications import Starlette

from companion.board import database
from companion.board.books import books_on
from companion.board.broker_ear import BrokerAddress, BrokerEar
from companion.board.hall import BoardNews, Hall
from companion.board.site import MOST_STREAMS, Site
from companion.core.errors import CompanionError

Say = Callable[[str], None]
SPARE = 200  # connections besides those that look on
LONGEST_HEADER = 16 * 1024  # bytes


@dataclass(frozen=True, slots=True)
class BoardWish:
    """What is asked of a board. Port 0: any that is free. `is_behind_proxy`: a proxy on this computer says who asks."""

    broker: BrokerAddress
    database: str
    host: str = "127.0.0.1"
    port: int = 8333
    is_behind_proxy: bool = False


def serve(wish: BoardWish, say: Say) -> None:
    """Runs until somebody ends it."""
    engine = database.opened(wish.database)
    try:
        with contextlib.closing(listening(wish)) as door:
            _serve(wish, engine, door, say)
    finally:
        engine.dispose()


def listening(wish: BoardWish) -> socket.socket:
    try:
        family = socket.AF_INET6 if ":" in wish.host else socket.AF_INET
        return socket.create_server((wish.host, wish.port), family=family, backlog=512)
    except (OSError, OverflowError) as error:
        why = getattr(error, "strerror", None) or error
        raise CompanionError(f"The board cannot listen at {wish.host}, port {wish.port}: {why}.") from None


def _serve(wish: BoardWish, engine: Engine, door: socket.socket, say: Say) -> None:
    books = books_on(engine)
    results = books.results
    hall = Hall(time.monotonic)
    hall.hear(BoardNews(tuple(results.tables().values())))

    loops: list[asyncio.AbstractEventLoop] = []

    def hear(news: BoardNews) -> None:
        with contextlib.suppress(RuntimeError):  # it has ended
            loops[0].call_soon_threadsafe(hall.hear, news)

    ear = BrokerEar(wish.broker, results, hear, say)

    @contextlib.asynccontextmanager
    async def open_house(_app: Starlette) -> AsyncIterator[None]:
        loops.append(asyncio.get_running_loop())
        ear.start()
        try:
            yield
        finally:
            await asyncio.to_thread(ear.close)

    config = uvicorn.Config(
        Site(hall, books).app(open_house),
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=wish.is_behind_proxy,
        forwarded_allow_ips="127.0.0.1",
        limit_concurrency=MOST_STREAMS + SPARE,
        timeout_keep_alive=10,
        timeout_graceful_shutdown=2,
        h11_max_incomplete_event_size=LONGEST_HEADER,
        lifespan="on",
        ws="none",
    )
    host, port = door.getsockname()[:2]
    named = f"[{host}]" if ":" in host else host
    say(f"The board is at http://{named}:{port}/")
    _Server(config, hall).run(sockets=[door])


class _Server(uvicorn.Server):
    """Lets those who look on go first when it ends."""

    def __init__(self, config: uvicorn.Config, hall: Hall) -> None:
        super().__init__(config)
        self._hall = hall

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._hall.close()
        await super().shutdown(sockets)
