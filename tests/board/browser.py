"""A real browser without a window, asked by the pipe that Chromium has for developers."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SWITCHES = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--remote-debugging-pipe", "--disable-background-networking", "--disable-component-update", "--window-size=412,900",
)  # fmt: skip


class Browser:
    """One page. `troubles`: what the browser has complained of."""

    def __init__(self, reads: int, writes: int) -> None:
        self._reads, self._writes = reads, writes
        self._rest = b""
        self._number = 0
        self._page = ""
        self.troubles: list[str] = []

    def open(self, address: str) -> None:
        target = self.do("Target.createTarget", url="about:blank")["targetId"]
        self._page = self.do("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.do("Runtime.enable")
        self.do("Log.enable")
        self.do("Page.navigate", url=address)

    def value(self, expression: str) -> Any:
        """What an expression is worth on the page."""
        return self.do("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def text(self, selector: str) -> str:
        """What is to be read there; nothing where there is nothing."""
        return str(self.value(f"document.querySelector({json.dumps(selector)})?.textContent ?? ''"))

    def do(self, method: str, **params: Any) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        if self._page:
            message["sessionId"] = self._page
        os.write(self._writes, json.dumps(message).encode() + b"\0")
        while True:
            told = self._next()
            if told.get("id") == self._number:
                assert "error" not in told, told
                found: dict[str, Any] = told["result"]
                return found
            self._hear(told)

    def _hear(self, told: dict[str, Any]) -> None:
        if told.get("method") == "Runtime.exceptionThrown":
            self.troubles.append(json.dumps(told["params"]))
        elif told.get("method") == "Log.entryAdded" and told["params"]["entry"]["level"] == "error":
            self.troubles.append(told["params"]["entry"]["text"])

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            more = os.read(self._reads, 1 << 16)
            assert more, "the browser has ended"
            self._rest += more
        line, _, self._rest = self._rest.partition(b"\0")
        found: dict[str, Any] = json.loads(line)
        return found


_AS_3_AND_4 = """
import fcntl, os, sys
ways = [fcntl.fcntl(int(way), fcntl.F_DUPFD, 100) for way in sys.argv[1:3]]
for at, way in enumerate(ways, 3):
    os.dup2(way, at)
os.execv(sys.argv[3], sys.argv[3:])
"""


@contextmanager
def browser(folder: Path, language: str = "en") -> Iterator[Browser]:
    assert CHROMIUM
    to_it, ours = os.pipe()
    theirs, from_it = os.pipe()
    reads, writes = theirs, ours
    switches = [*SWITCHES, f"--user-data-dir={folder / 'browser'}", f"--accept-lang={language}", f"--lang={language}"]
    command = [sys.executable, "-c", _AS_3_AND_4, str(to_it), str(from_it), CHROMIUM, *switches]
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, pass_fds=(to_it, from_it), stdin=quiet, stdout=quiet, stderr=quiet) as process:
        os.close(to_it)
        os.close(from_it)
        try:
            yield Browser(reads, writes)
        finally:
            process.kill()
            os.close(reads)
            os.close(writes)
