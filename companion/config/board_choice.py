"""`[board]` of table.toml: whether this computer shows its matches on phones, and who may open the page.

`make install` sets up a broker for it, which listens to this computer alone and has a password that is made for it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PORT = 8333  # of the page
HERE = "127.0.0.1"
LOOPBACK = (HERE, "::1", "localhost")
BROKER = Path("/etc/companion/broker")  # of the broker that make install sets up
BROKER_PORT = 18833
PASSWORD = "table-password"  # the file with it
USER = "table"
NOT_SET_UP = (
    "this computer has no broker yet; sudo make install sets it up, make play BOARD=1 has one for an evening; until "
    "then no phone shows a match."
)
ELSEWHERE = (
    "[publish] names a broker on another computer, and the board belongs beside that one; until one of the two is "
    "taken out this computer shows no page."
)


@dataclass(frozen=True, slots=True)
class BoardChoice:
    """Off unless it is switched on, and then open to this computer alone unless `lan` lets in its network."""

    on: bool = False
    lan: bool = False
    port: int = PORT


def _named(publish: Mapping[str, Any]) -> Any:
    """The broker that somebody else looks after."""
    return publish.get("host") if publish.get("on") else ""


def trouble(choice: BoardChoice, publish: Mapping[str, Any]) -> str:
    """Why there is no page though it is asked for."""
    if not choice.on:
        return ""
    if named := _named(publish):
        return "" if named in LOOPBACK else ELSEWHERE
    return "" if (BROKER / PASSWORD).exists() else NOT_SET_UP


def with_broker(choice: BoardChoice, publish: Mapping[str, Any]) -> dict[str, Any]:
    """What `[publish]` says, with the broker of this computer where it names none."""
    if not choice.on or _named(publish):
        return dict(publish)
    if trouble(choice, publish):
        return {**publish, "on": False}
    own = {"on": True, "host": HERE, "port": BROKER_PORT, "tls": False, "user": USER}
    return {**publish, **own, "password_file": str(BROKER / PASSWORD)}
