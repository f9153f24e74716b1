"""Inside the guest, as root: does what the host asks at the control line, and passes on what the table has told.

The line is a port of QEMU; one JSON object a line goes either way. The host asks {"id", "do", ...} and is answered
{"id", ...}; what the onlooker in the table's process says comes as {"told": ...}. Buttons are pressed on the kernel's
simulated chip, fingers are a touch screen of uinput, both beneath everything that the table itself is made of.
"""

import fcntl
import json
import os
import socket
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.rigs.gpio import guest

PORT = "rig.control"
EAR = Path("/run/rig/ear")
LONGEST = 20_000  # characters of a command's output
SIZE = (800, 480)


# --- the control line ------------------------------------------------------------------------------------------


def port() -> Path:
    for name in Path("/sys/class/virtio-ports").glob("*/name"):
        if name.read_text().strip() == PORT:
            return Path("/dev") / name.parent.name
    raise LookupError(f"there is no port {PORT}")


class Line:
    """Whole lines, by several threads."""

    def __init__(self) -> None:
        self._port = os.open(port(), os.O_RDWR)
        self._turn = threading.Lock()

    def tell(self, **fields: Any) -> None:
        rest = memoryview((json.dumps(fields) + "\n").encode())
        with self._turn:
            while rest:
                rest = rest[os.write(self._port, rest) :]

    def asked(self) -> Any:
        """The next thing asked for, one after the other, for ever."""
        rest = b""
        while True:
            found = os.read(self._port, 65536)
            if not found:  # the host is not there
                time.sleep(0.05)
            *lines, rest = (rest + found).split(b"\n")
            yield from (json.loads(line) for line in lines if line)


# --- fingers ---------------------------------------------------------------------------------------------------

EV_SYN, EV_KEY, EV_ABS = 0, 1, 3
BTN_TOUCH = 0x14A
ABS_X, ABS_Y, MT_SLOT, MT_X, MT_Y, MT_ID = 0x00, 0x01, 0x2F, 0x35, 0x36, 0x39
DIRECT = 1
UI_SET_EVBIT, UI_SET_KEYBIT, UI_SET_ABSBIT, UI_SET_PROPBIT = 0x40045564, 0x40045565, 0x40045567, 0x4004556E
UI_DEV_SETUP, UI_ABS_SETUP, UI_DEV_CREATE = 0x405C5503, 0x401C5504, 0x5501
BUS_USB = 3


class Fingers:
    """A touch screen of the kernel, as large as the screen."""

    def __init__(self, size: tuple[int, int] = SIZE) -> None:
        self._number = 0
        self._device = device = os.open("/dev/uinput", os.O_WRONLY)
        for kind in (EV_KEY, EV_ABS):
            fcntl.ioctl(device, UI_SET_EVBIT, kind)
        fcntl.ioctl(device, UI_SET_KEYBIT, BTN_TOUCH)
        fcntl.ioctl(device, UI_SET_PROPBIT, DIRECT)
        w, h = size
        for axis, most in ((ABS_X, w - 1), (ABS_Y, h - 1), (MT_SLOT, 9), (MT_X, w - 1), (MT_Y, h - 1), (MT_ID, 65535)):
            fcntl.ioctl(device, UI_SET_ABSBIT, axis)
            # struct uinput_abs_setup: the axis, then value, minimum, maximum, fuzz, flat, resolution
            fcntl.ioctl(device, UI_ABS_SETUP, struct.pack("=Hxx6i", axis, 0, 0, most, 0, 0, 0))
        fcntl.ioctl(device, UI_DEV_SETUP, struct.pack("=4H80sI", BUS_USB, 0x1209, 0x0001, 1, b"rig touch screen", 0))
        fcntl.ioctl(device, UI_DEV_CREATE)

    def touch(self, x: int, y: int, seconds: float = 0.05) -> None:
        self._number = (self._number + 1) % 65536
        place = ((EV_ABS, ABS_X, x), (EV_ABS, ABS_Y, y))
        self._events((EV_ABS, MT_SLOT, 0), (EV_ABS, MT_ID, self._number), (EV_ABS, MT_X, x), (EV_ABS, MT_Y, y),
                     (EV_KEY, BTN_TOUCH, 1), *place)  # fmt: skip
        time.sleep(seconds)
        self._events((EV_ABS, MT_ID, -1), (EV_KEY, BTN_TOUCH, 0))

    def _events(self, *events: tuple[int, int, int]) -> None:
        packed = (struct.pack("=qqHHi", 0, 0, *event) for event in (*events, (EV_SYN, 0, 0)))
        os.write(self._device, b"".join(packed))


# --- what can be asked for -------------------------------------------------------------------------------------


class Hand:
    def __init__(self, line: Line) -> None:
        self._line = line
        self._fingers = Fingers()
        self._does: dict[str, Callable[..., dict[str, Any]]] = {
            "run": self.run,
            "touch": self.touch,
            "press": self.press,
            "part": self.part,
        }

    def do(self, asked: dict[str, Any]) -> None:
        number, what = asked.pop("id"), asked.pop("do")
        try:
            answer = self._does[what](**asked)
        except Exception as error:
            answer = {"error": f"{type(error).__name__}: {error}"}
        self._line.tell(id=number, **answer)

    def run(self, command: str, seconds: float = 60) -> dict[str, Any]:
        """A command of the shell."""
        try:
            done = subprocess.run(
                ["sh", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                text=True, errors="replace", timeout=seconds, check=False, env=SHELL,
            )  # fmt: skip
        except subprocess.TimeoutExpired as error:
            said = error.stdout or b""
            return {"code": -1, "said": (said if isinstance(said, str) else said.decode(errors="replace"))[-LONGEST:]}
        return {"code": done.returncode, "said": done.stdout[-LONGEST:]}

    def touch(self, x: int, y: int) -> dict[str, Any]:
        self._fingers.touch(x, y)
        return {"at": time.monotonic_ns()}

    def press(self, line: int, seconds: float = 0.08) -> dict[str, Any]:
        """Ground a line, as a button does."""
        guest.line_pull(line, guest.PRESSED)
        time.sleep(seconds)
        guest.line_pull(line, guest.RELEASED)
        return {"at": time.monotonic_ns()}

    def part(self, path: str, offset: int, most: int = 30_000) -> dict[str, Any]:
        """A piece of a file, in hexadecimal digits."""
        with Path(path).open("rb") as file:
            file.seek(offset)
            return {"hex": file.read(most).hex(), "size": Path(path).stat().st_size}


SHELL = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LC_ALL": "C.UTF-8", "SYSTEMD_COLORS": "0"}


# --- what the table tells --------------------------------------------------------------------------------------


def pass_on(line: Line) -> None:
    EAR.parent.mkdir(exist_ok=True)
    with suppress(FileNotFoundError):
        EAR.unlink()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(EAR))
        EAR.chmod(0o666)
        while True:
            line.tell(told=json.loads(ear.recv(1 << 18)))


def ready() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.sendto(b"READY=1", os.environ["NOTIFY_SOCKET"])


def main() -> int:
    for module in ("configfs", "uinput", "gpio-sim-rig"):
        subprocess.run(["modprobe", module], check=True, env=SHELL)
    if not guest.CONFIG.exists():
        if not guest.CONFIG.parent.exists():
            subprocess.run(["mount", "-t", "configfs", "configfs", "/sys/kernel/config"], check=True, env=SHELL)
        guest.make_chip()
    line = Line()
    hand = Hand(line)
    threading.Thread(target=pass_on, args=(line,), daemon=True).start()
    ready()
    line.tell(up=float(Path("/proc/uptime").read_text().split()[0]), kernel=os.uname().release)
    for asked in line.asked():
        threading.Thread(target=hand.do, args=(asked,), daemon=True).start()
    return 0


if __name__ == "__main__":
    sys.exit(main())
