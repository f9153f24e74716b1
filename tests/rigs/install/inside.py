"""Runs in the root, as the table's user and by its Python: does what was installed work? One line a finding."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

COMPANION = "/opt/companion/venv/bin/companion"
SETTINGS = "/etc/companion/table.toml"
STATE = Path("/var/lib/companion")


def notified(seconds: float) -> tuple[str, int]:
    """What the table tells systemd until then, and how it ends when it is asked to."""
    folder = tempfile.mkdtemp()
    address = f"{folder}/notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(address)
        ear.settimeout(seconds)
        table = subprocess.Popen(
            [COMPANION, "--configuration", SETTINGS, "--real"],
            cwd=folder,
            env={**os.environ, "NOTIFY_SOCKET": address, "WATCHDOG_USEC": "4000000", "SDL_VIDEODRIVER": "dummy",
                 "SDL_AUDIODRIVER": "dummy", "COMPANION_JOURNAL": str(STATE / "journal.sqlite3"), "HOME": folder},
        )  # fmt: skip
        began = time.monotonic()
        try:
            heard = ear.recv(4096).decode()
            taken = time.monotonic() - began
        except TimeoutError:
            heard, taken = "nothing", seconds
        table.terminate()
        return f"{heard.splitlines()[0]} after {taken:.1f} s", table.wait(20)


def versions() -> str:
    import cv2
    import gpiod
    import numpy
    import pygame

    sdl = ".".join(map(str, pygame.get_sdl_version()))
    found = {"python": sys.version.split()[0], "numpy": numpy.__version__, "OpenCV": cv2.__version__, "SDL": sdl}
    found |= {"pygame": pygame.version.ver, "gpiozero": version("gpiozero"), "gpiod": gpiod.__version__}
    folders = sorted({str(Path(str(one.__file__)).parents[1]) for one in (numpy, cv2, pygame)})
    return f"{', '.join(f'{name} {number}' for name, number in found.items())}; numpy, OpenCV, pygame from {folders}"


def ran(*words: str) -> str:
    done = subprocess.run([COMPANION, *words], capture_output=True, text=True, check=False)
    last = (done.stdout.strip() or done.stderr.strip() or "nothing").splitlines()[-1]
    return f"exit {done.returncode}: {last}"


def main() -> None:
    journal = str(STATE / "journal.sqlite3")
    print(versions())
    print("table:", *notified(60))
    print("match of bots:", ran("demo", "three", "--journal", journal))
    print("screens:", ran("demo", "tres", "--pictures", tempfile.mkdtemp()))
    print("reader:", ran("doctor", "reader"))
    print("copy:", ran("backup", tempfile.mkdtemp(), "--journal", journal))


if __name__ == "__main__":
    main()
