"""Asks a site without a network: a request in, what it answers out."""

import asyncio
from dataclasses import dataclass
from typing import Any

from starlette.types import ASGIApp, Message


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    text: str
    content: bytes = b""


def ask(
    app: ASGIApp, path: str, language: str = "en", *, method: str = "GET", address: str = "10.0.0.1", events: int = 0
) -> Answer:
    """The whole answer; of a stream the first so many events."""
    return asyncio.run(_asked(app, path, language, method, address, events))


async def _asked(app: ASGIApp, path: str, language: str, method: str, address: str, events: int) -> Answer:
    path, _, query = path.partition("?")
    scope: dict[str, Any] = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "scheme": "http",
        "query_string": query.encode(),
        "headers": [(b"accept-language", language.encode()), (b"host", b"board")],
        "client": (address, 5000),
        "server": ("board", 80),
    }
    status, headers, parts = 0, {}, []
    is_enough = asyncio.Event()  # nobody hangs up before; nothing is asked with a body

    async def receive() -> Message:
        await is_enough.wait()
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        nonlocal status
        if message["type"] == "http.response.start":
            status = message["status"]
            headers.update({key.decode(): value.decode() for key, value in message["headers"]})
        elif message.get("body"):
            parts.append(message["body"])
            if events and len(parts) >= events:
                is_enough.set()

    await asyncio.wait_for(app(scope, receive, send), 20)
    content = b"".join(parts)
    return Answer(status, headers, content.decode(errors="replace"), content)
