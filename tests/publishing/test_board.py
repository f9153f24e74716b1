"""A club's results board, from what is published and nothing else: as docs/publishing.md says how to make one."""

import os
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.core.match import Match
from companion.core.requests import MoveMessage
from simulator.playing import play_out
from tests.publishing.mosquitto import Mosquitto, eventually, listening
from tests.publishing.test_broker import Party, party, wish

PAGE = Path(__file__).parents[2] / "docs" / "publishing.md"
needs_programs = pytest.mark.skipif(
    not (shutil.which("mosquitto_sub") and shutil.which("jq") and shutil.which("bash")),
    reason="mosquitto_sub and jq are not here (apt-get install mosquitto-clients jq)",
)


def block(kind: str, contains: str) -> str:
    """What the page has between ``` of this kind."""
    found: list[str] = re.findall(rf"```{kind}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    return next(text for text in found if contains in text)


def play_on(table: Party) -> None:
    """The match to its end, by bots."""
    match = table.session.referee.match
    for move, _ in play_out(Match(match.setup), 3):
        for reply in table.session.answer(MoveMessage(move, move.at, "")):
            table.publisher.heard(reply, match)


@contextmanager
def board(folder: Path, broker: Mosquitto) -> Iterator[list[str]]:
    """The lines of the page's own board."""
    (folder / "board.jq").write_text(block("jq", "foreach"), encoding="utf-8")
    line = block("sh", "board.jq")
    for there, here in (
        ("-h mosquitto.club.example -p 8883 --cafile club-ca.pem", f"-h 127.0.0.1 -p {broker.port}"),
        ('-u board -P "$PASSWORD"', ""),
    ):
        assert there in line
        line = line.replace(there, here)
    shown: list[str] = []
    with subprocess.Popen(
        ["bash", "-c", line], stdout=subprocess.PIPE, text=True, cwd=folder, process_group=0
    ) as process:

        def read() -> None:
            assert process.stdout
            shown.extend(line.rstrip("\n") for line in process.stdout)

        reader = threading.Thread(target=read)
        reader.start()
        try:
            yield shown
        finally:
            os.killpg(process.pid, 15)
            reader.join()


@needs_programs
def test_the_board_of_the_page(tmp_path: Path, broker: Mosquitto) -> None:
    with board(tmp_path, broker) as shown:

        def newest(table: str) -> str:
            return next((line for line in reversed(list(shown)) if line.startswith(f"{table}: ")), "")

        with party(wish(broker, name="kitchen")) as kitchen, party(wish(broker, name="club")) as club:
            eventually(lambda: newest("kitchen") == "kitchen: Triplexity, running: Anna 0, Ben 0")
            play_on(kitchen)
            eventually(lambda: newest("kitchen").startswith("kitchen: free; 2026-11-18 Triplexity: Anna "))
            result = newest("kitchen").removeprefix("kitchen: free")
            assert result.count("(won)") == 1
            club.do(do="abandon", why="rain")
            eventually(lambda: newest("club") == "club: free")  # nobody has won
        eventually(lambda: newest("kitchen") == f"kitchen: nobody is there{result}")
    with board(tmp_path, broker) as later:
        eventually(lambda: f"kitchen: nobody is there{result}" in later)


def test_every_result_of_a_season_can_be_told_from_the_rulings(broker: Mosquitto) -> None:
    """By whoever is not always there, with matches that are abandoned, and one whose end is taken back."""
    with listening(broker.port, "companion/+/ruling", name="board") as listener:
        for number in range(2):
            with party(wish(broker)) as table:
                play_on(table)
                if number:
                    table.stamp = table.session.referee.match.now
                    table.do(do="undo")
        with party(wish(broker)) as table:
            table.do(do="abandon")
            eventually(lambda: len({told["match"] for told in listener.of("t/ruling")}) == 3)
        eventually(lambda: listener.of("t/ruling")[-1]["kind"] == "abandon")
        results: dict[str, dict[str, Any] | None] = {}
        heard: set[tuple[str, int]] = set()
        for told in listener.of("t/ruling"):
            if (told["life"], told["sequence"]) not in heard:
                heard.add((told["life"], told["sequence"]))
                results[told["match"]] = told["over"] if told["over"] and not told["over"]["abandoned"] else None
        ended = [over for over in results.values() if over]
        assert (len(results), len(ended)) == (3, 1)
        assert len(ended[0]["winners"]) == 1
