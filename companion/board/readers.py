"""Who reads: in which language, and from where."""

from starlette.requests import Request
from starlette.types import Scope

from companion.board.pages import language_for


def language_of(request: Request) -> str:
    return language_for(request.headers.get("accept-language", ""))


def address_of(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""


def header_of(scope: Scope, name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")
