"""What kind of machine this is: a Pi or not, with something to draw on or not."""

import contextlib
import os
import sys
from pathlib import Path

from companion.devices.watchdog import is_supervised

MODEL = Path("/proc/device-tree/model")
CONSOLE = Path("/dev/dri")


def is_pi() -> bool:
    with contextlib.suppress(OSError):
        return MODEL.read_bytes().startswith(b"Raspberry Pi")
    return False


def has_display() -> bool:
    """Something that a window can be opened on; on a Pi the console will do."""
    if sys.platform in ("darwin", "win32") or os.environ.get("SDL_VIDEODRIVER"):
        return True
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return True
    return is_pi() and CONSOLE.exists() and not os.environ.get("SSH_CONNECTION")


def is_on_the_console() -> bool:
    """The machine itself has started it, and there is no desktop behind it."""
    return is_supervised() and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
