"""Where the page of this computer's board is, and who can open it: by the doors that the kernel says are open."""

import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from companion.config.board_choice import HERE, BoardChoice

DOORS = (Path("/proc/self/net/tcp"), Path("/proc/self/net/tcp6"))
LISTENS = "0A"  # the state of a socket in those files
ANYWHERE = "192.0.2.1"  # an address for documents: the way to it leads out of this computer

Reach = Literal["nobody", "computer", "network"]


@dataclass(frozen=True, slots=True)
class BoardPage:
    """`address`: of the table's own page, as those find it who can open it."""

    address: str
    reach: Reach
    shows_cards: bool = False  # pictures of the cards go with it


def board_page(choice: BoardChoice, table: str, *, shows_cards: bool = False) -> BoardPage:
    reach = reach_of(choice)
    host = own_address() if reach == "network" else HERE
    return BoardPage(f"http://{host}:{choice.port}/table/{table}", reach, shows_cards)


def reach_of(choice: BoardChoice) -> Reach:
    """Who gets in; where no kernel tells, as it was asked for."""
    there = [path for path in DOORS if path.exists()]
    if not there:
        return "network" if choice.lan else "computer"
    found = {address for path in there for address, port in _listening(path) if port == choice.port}
    if not found:
        return "nobody"
    return "computer" if all(map(_is_loopback, found)) else "network"


def _listening(path: Path) -> Iterator[tuple[str, int]]:
    """The addresses and ports, as the kernel writes them."""
    try:
        lines = path.read_text(encoding="ascii").splitlines()[1:]
    except OSError:
        return
    for line in lines:
        words = line.split()
        if len(words) > 3 and words[3] == LISTENS:
            address, _, port = words[1].partition(":")
            yield address, int(port, 16)


def _is_loopback(address: str) -> bool:
    """127.x.x.x or ::1, in words of four bytes with the lowest first."""
    if len(address) == 8:
        return address.endswith("7F")
    in_six = address.startswith("0" * 16 + "FFFF0000") and address.endswith("7F")
    return in_six or address == "0" * 24 + "01000000"


def own_address() -> str:
    """As others in this network find this computer; nothing is sent for it."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
            way.connect((ANYWHERE, 9))
            return str(way.getsockname()[0])
    except OSError:
        return HERE
