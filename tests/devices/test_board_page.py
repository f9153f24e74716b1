"""Whom the page of this computer's board lets in, as the kernel tells it."""

import socket
from pathlib import Path

import pytest

from companion.config.board_choice import BoardChoice
from companion.devices import board_page as module
from companion.devices.board_page import board_page, own_address, reach_of

needs_proc = pytest.mark.skipif(not module.DOORS[0].exists(), reason="no kernel here tells what listens")


@needs_proc
@pytest.mark.parametrize(("address", "reach"), [("127.0.0.1", "computer"), ("0.0.0.0", "network")])
def test_who_gets_in_is_what_the_kernel_says(address: str, reach: str) -> None:
    """And not what was asked for."""
    with socket.create_server((address, 0)) as door:
        port = door.getsockname()[1]
        for lan in (True, False):
            assert reach_of(BoardChoice(on=True, lan=lan, port=port)) == reach
    assert reach_of(BoardChoice(on=True, lan=True, port=port)) == "nobody"


@pytest.mark.parametrize(
    ("address", "reach"),
    [
        ("00000000000000000000000001000000", "computer"),  # ::1
        ("0000000000000000FFFF00000100007F", "computer"),  # 127.0.0.1 in six
        ("00000000000000000000000000000000", "network"),  # ::
        ("17B2A8C0", "network"),  # 192.168.178.23
    ],
)
def test_addresses_as_the_kernel_writes_them(
    address: str, reach: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    doors = tmp_path / "tcp6"
    lines = ["sl local_address", f"0: {address}:208D {'0' * 32}:0000 0A 0:0", f"1: {'0' * 32}:208D {'0' * 32}:0000 01"]
    doors.write_text("\n".join(lines) + "\n", encoding="ascii")
    monkeypatch.setattr(module, "DOORS", (doors,))
    assert reach_of(BoardChoice(on=True, port=0x208D)) == reach
    assert reach_of(BoardChoice(on=True, port=0x208E)) == "nobody"


def test_the_address_leads_to_whoever_is_let_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "DOORS", ())
    here, lan = (board_page(BoardChoice(on=True, lan=lan), "kitchen") for lan in (False, True))
    assert (here.address, here.reach) == ("http://127.0.0.1:8333/table/kitchen", "computer")
    assert (lan.address, lan.reach) == (f"http://{own_address()}:8333/table/kitchen", "network")
