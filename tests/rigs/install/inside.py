"""Runs in the root, as the table's user and by its Python: does what was installed work? One line a finding; the exit
code is 1 if any of them is bad."""

import os
import socket
import subprocess
import sys
import tempfile
import time
from importlib.metadata import version
from pathlib import Path

PATIENCE = 600  # seconds after which something hangs; nothing is judged by how long it takes
COMPANION = "/opt/companion/venv/bin/companion"
SETTINGS = "/etc/companion/table.toml"
STATE = Path("/var/lib/companion")


def stands() -> tuple[bool, str]:
    """What the table tells systemd, and how it ends when it is asked to."""
    folder = tempfile.mkdtemp()
    address = f"{folder}/notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(address)
        ear.settimeout(PATIENCE)
        table = subprocess.Popen(
            [COMPANION, "--configuration", SETTINGS, "--real"],
            cwd=folder,
            env={**os.environ, "NOTIFY_SOCKET": address, "WATCHDOG_USEC": "4000000", "SDL_VIDEODRIVER": "dummy",
                 "SDL_AUDIODRIVER": "dummy", "COMPANION_JOURNAL": str(STATE / "journal.sqlite3"), "HOME": folder},
        )  # fmt: skip
        began = time.monotonic()
        try:
            heard = ear.recv(4096).decode()
        except TimeoutError:
            heard = "nothing"
        taken = time.monotonic() - began
        table.terminate()
        told, code = heard.splitlines()[0], table.wait(PATIENCE)
        return (told, code) == ("READY=1", 0), f"{told} after {taken:.1f} s, ended with {code}"


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


def ran(*words: str) -> tuple[bool, str]:
    done = subprocess.run([COMPANION, *words], capture_output=True, text=True, check=False)
    last = (done.stdout.strip() or done.stderr.strip() or "nothing").splitlines()[-1]
    return done.returncode == 0, f"exit {done.returncode}: {last}"


def main() -> int:
    journal = str(STATE / "journal.sqlite3")
    print(versions())
    found = {
        "table": stands(),
        "match of bots": ran("demo", "three", "--journal", journal),
        "screens": ran("demo", "tres", "--pictures", tempfile.mkdtemp()),
        "reader": ran("doctor", "reader"),
        "copy": ran("backup", tempfile.mkdtemp(), "--journal", journal),
    }
    for what, (is_good, told) in found.items():
        print(f"{what}: {told}{'' if is_good else '   BAD'}")
    return 0 if all(is_good for is_good, _ in found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
