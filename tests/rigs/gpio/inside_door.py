"""Inside the guest: `companion referee three --buttons FILE` as a program of its own, struck on the kernel's chip."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.rigs.gpio import guest

TABLE = """
[token]
window_ms = 50

[[seat]]
button = 4

[[seat]]
button = 5
"""
MILLISECOND = 1_000_000


class Door:
    """The command, spoken to line by line."""

    def __init__(self, wiring: Path) -> None:
        command = [sys.executable, "-m", "companion", "referee", "three", "--players", "Anna,Ben", "--no-journal"]
        self._process = subprocess.Popen(
            [*command, "--buttons", str(wiring)], text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def hears(self) -> dict[str, Any]:
        assert self._process.stdout
        found: dict[str, Any] = json.loads(self._process.stdout.readline())
        return found

    def told(self, **message: Any) -> dict[str, Any]:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()
        return self.hears()

    def end(self) -> int:
        assert self._process.stdin
        self._process.stdin.close()
        return self._process.wait()


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        wiring = Path(folder) / "table.toml"
        wiring.write_text(TABLE)
        door = Door(wiring)
        kinds = [door.hears()["kind"], door.told(move="begin", player="Anna")["kind"]]
        kinds.append(door.told(move="play", player="Anna", dog="red")["kind"])
        guest.play(guest.presses(1, [5], hold_ns=60 * MILLISECOND, every_ns=200 * MILLISECOND))
        strike = door.hears()
        called = door.told(move="call", player="Ben", whom="Anna", dog="red")
        checked = door.told(move="check", player="Anna")
        code = door.end()
    struck = (strike["kind"], strike["move"]["player"], strike["move"]["finish"]["order"][0]["how"])
    kinds += [called["kind"], checked["kind"]]
    guest.tell(say=f"the command: {struck}, then {kinds[-2:]}, exit {code}", struck=struck, kinds=kinds, code=code)
    good = struck == ("ruling", "Ben", "stamped") and kinds == ["match", *["ruling"] * 4] and code == 0
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
