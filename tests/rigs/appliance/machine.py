"""The virtual machine from outside: power on, the control line, pictures of the screen, power off or cut.

QEMU's two lines, the monitor and the control line of `hand`, are sockets that were open before it began, so there is
nothing to find and nothing is left behind. Every wait has an end.
"""

import json
import re
import select
import socket
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.rigs.appliance.build import RIG, WORKSHOP
from tests.rigs.debian import PATH
from tests.rigs.load import Patience
from tests.rigs.running import RigError

SIZE = (800, 480)
KERNEL = "console=ttyS0 quiet loglevel=3 panic=-1 mitigations=off tsc=reliable clocksource=tsc"
MACHINE = (
    "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none", "-vga", "none",
    "-machine", "q35", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m", "1536",
    "-kernel", "/rig/vmlinuz", "-device", "qemu-xhci",
    "-device", "virtio-rng-pci",
    "-device", f"virtio-gpu-pci,xres={SIZE[0]},yres={SIZE[1]}",
    "-device", "virtio-serial-pci", "-device", "virtserialport,chardev=control,name=rig.control",
    "-mon", "chardev=monitor,mode=control",
)  # fmt: skip
RUN = RIG / "run"
PATIENCE = 300  # seconds until the guest is up
SOON = 60
LIT_WITHIN = 30
LIT = 48  # of 255: what is drawn on a black ground is brighter


def is_lit(picture: bytes) -> bool:
    """Whether one dot in a thousand of a PPM shines."""
    dots = picture[-3 * SIZE[0] * SIZE[1] :]
    return sum(value >= LIT for value in dots) * 1000 > len(dots)


@dataclass(slots=True)
class Lines:
    """One end of a line of JSON objects."""

    end: socket.socket
    rest: bytes = b""

    def send(self, **fields: Any) -> None:
        self.end.sendall((json.dumps(fields) + "\n").encode())

    def more(self, seconds: float) -> list[dict[str, Any]]:
        """What has come; waits so long for it, if nothing has."""
        if not select.select([self.end], [], [], max(0.0, seconds))[0]:
            return []
        with suppress(ConnectionResetError):
            *lines, self.rest = (self.rest + self.end.recv(1 << 20)).split(b"\n")
            return [json.loads(line) for line in lines if line]
        return []


@dataclass(slots=True)
class Said:
    """What a command in the guest said, and how it ended."""

    code: int
    text: str


@dataclass(slots=True)
class Drives:
    """The disks, and how QEMU treats what is written to them."""

    root: str = "root.img"
    state: str = "state.img"
    how: str = "cache=none"
    log: str = ""  # where every write to the state's disk is written down, too
    overlay: str = ""  # what the kernel is told of it, where nothing is written to the root

    def words(self) -> list[str]:
        drive = f"format=raw,if=virtio,{self.how}"
        if self.overlay:
            words = ["-append", f"{KERNEL} root=/dev/vda ro {self.overlay}", "-initrd", "/rig/initrd-overlay.gz"]
        else:
            words = ["-append", KERNEL, "-initrd", "/rig/initrd.gz"]
        words += ["-drive", f"file=/rig/{self.root},{drive}{',snapshot=on' if self.overlay else ''}"]
        words += ["-drive", "file=/rig/run/project.tar,format=raw,if=virtio,readonly=on"]
        if not self.log:
            return [*words, "-drive", f"file=/rig/{self.state},{drive}"]
        there = f"file.driver=file,file.filename=/rig/{self.state},log.driver=file,log.filename=/rig/{self.log}"
        return [*words, "-drive", f"driver=blklogwrites,{there},log-append=off,if=virtio,cache=none"]


class Machine:
    """One time that the power is on."""

    def __init__(self, drives: Drives, console: str = "console") -> None:
        monitor, monitor_there = socket.socketpair()
        control, control_there = socket.socketpair()
        RUN.mkdir(exist_ok=True)
        self.told: list[dict[str, Any]] = []  # by the table, oldest first
        self.hear: Callable[[dict[str, Any]], None] = lambda _: None
        self.began = time.monotonic()
        self._number = 0
        self._answers: dict[int, dict[str, Any]] = {}
        self.up: dict[str, Any] = {}
        self._console = RUN / console
        chardevs = [f"socket,id={name},fd={end.fileno()}" for name, end in
                    (("monitor", monitor_there), ("control", control_there))]  # fmt: skip
        words = [*MACHINE, *drives.words(), "-serial", f"file:/rig/run/{console}"]
        words += [word for chardev in chardevs for word in ("-chardev", chardev)]
        self._log = (RUN / "qemu").open("wb")
        self._qemu = subprocess.Popen(
            WORKSHOP.plain("/usr/bin/qemu-system-x86_64", *words), stdin=subprocess.DEVNULL, stdout=self._log,
            stderr=self._log, cwd="/", env=PATH, pass_fds=(monitor_there.fileno(), control_there.fileno()),
        )  # fmt: skip
        for end in (monitor_there, control_there):
            end.close()
        self._monitor, self._control = Lines(monitor), Lines(control)
        self._monitor.send(execute="qmp_capabilities")

    # --- power

    def wait_up(self, seconds: float = PATIENCE) -> None:
        self.wait(lambda: bool(self.up), seconds, "the guest to come up")

    @property
    def is_on(self) -> bool:
        return self._qemu.poll() is None

    def cut(self) -> None:
        """The plug is pulled; what the guest had told until then is taken in."""
        if self._log.closed:
            return
        self._qemu.kill()
        self._qemu.wait()
        for _ in range(100):  # pieces of what was told
            self.listen(0)
        for line in (self._monitor, self._control):
            line.end.close()
        self._log.close()

    def power_off(self, seconds: float = 90) -> bool:
        """As the guest itself does it; False if it had to be cut."""
        with suppress(OSError):
            self._send("run", command="systemctl poweroff")
        with suppress(RigError):
            self.wait_off(seconds)
        was_off = not self.is_on
        self.cut()
        return was_off

    # --- the control line

    def listen(self, seconds: float) -> None:
        """Take in what comes from the guest; waits so long for it at most."""
        for line in self._control.more(seconds):
            if "id" in line:
                self._answers[line["id"]] = line
            elif "told" in line:
                self.told.append(line["told"])
                self.hear(line["told"])
            elif "up" in line:
                self.up = line

    def wait(self, done: Callable[[], bool], seconds: float, what: str) -> None:
        patience = Patience(seconds)
        while not done():
            if not self.is_on:
                raise RigError(f"QEMU ended with {self._qemu.returncode} while waiting for {what}.\n{self.words()}")
            if patience.is_over:
                raise RigError(f"waited {seconds:.0f} s for {what}.\n{self.words()}")
            self.listen(0.2)

    def wait_off(self, seconds: float) -> None:
        """Until the guest has switched itself off, or begins anew."""
        patience = Patience(seconds)
        while self.is_on:
            if patience.is_over:
                raise RigError(f"waited {seconds:.0f} s for the machine to end.\n{self.words()}")
            self.listen(0.2)

    def _send(self, do: str, **words: Any) -> int:
        self._number += 1
        self._control.send(id=self._number, do=do, **words)
        return self._number

    def ask(self, do: str, patience: float = SOON, **words: Any) -> dict[str, Any]:
        number = self._send(do, **words)
        self.wait(lambda: number in self._answers, patience, f"{do} {words}")
        answer = self._answers.pop(number)
        if "error" in answer:
            raise RigError(f"{do} {words}: {answer['error']}")
        return answer

    def run(self, command: str, seconds: float = SOON) -> Said:
        """A shell command in the guest, as root."""
        answer = self.ask("run", patience=seconds + SOON, command=command, seconds=seconds)
        return Said(answer["code"], answer["said"])

    def touch(self, x: int, y: int) -> None:
        self.ask("touch", x=x, y=y)

    def press(self, line: int) -> None:
        self.ask("press", line=line)

    def fetch(self, path: str, to: Path) -> bool:
        """A file of the guest; False if there is none."""
        found = b""
        while True:
            try:
                piece = self.ask("part", path=path, offset=len(found))
            except RigError:
                return False
            found += bytes.fromhex(piece["hex"])
            if len(found) >= piece["size"] or not piece["hex"]:
                break
        to.write_bytes(found)
        return True

    # --- the monitor

    def picture(self, name: str) -> Path:
        """What is on the screen, as a PNG in the run's folder. A black one is none."""
        patience = Patience(LIT_WITHIN)
        while not self._is_lit():
            if patience.is_over:
                self.snapshot(name)
                raise RigError(f"the picture {name} is black.")
            self.listen(0.5)
        return self.snapshot(name)

    def snapshot(self, name: str) -> Path:
        """The same, whatever is on it."""
        self._monitored("screendump", filename=f"/rig/run/{name}.png", format="png")
        return RUN / f"{name}.png"

    def _is_lit(self) -> bool:
        look = RUN / "look.ppm"
        self._monitored("screendump", filename=f"/rig/run/{look.name}")
        return is_lit(look.read_bytes())

    def plug_in(self, image: str, name: str = "stick") -> None:
        """A USB stick."""
        self._monitored(
            "blockdev-add", driver="raw", **{"node-name": name}, file={"driver": "file", "filename": f"/rig/{image}"}
        )
        self._monitored("device_add", driver="usb-storage", id=f"{name}-plug", drive=name, removable=True)

    def pull_out(self, name: str = "stick") -> None:
        self._monitored("device_del", id=f"{name}-plug")
        patience = Patience(SOON)
        while not patience.is_over:
            for line in self._monitor.more(0.2):
                if line.get("event") == "DEVICE_DELETED" and line["data"].get("device") == f"{name}-plug":
                    self._monitored("blockdev-del", **{"node-name": name})
                    return
        raise RigError(f"QEMU did not let go of the {name}.")

    def _monitored(self, command: str, **arguments: Any) -> None:
        self._monitor.send(execute=command, arguments=arguments, id=command)
        patience = Patience(SOON)
        while not patience.is_over:
            for line in self._monitor.more(0.2):
                if line.get("id") == command:
                    if "error" in line:
                        raise RigError(f"QEMU: {line['error']['desc']}")
                    return
        raise RigError(f"QEMU did not answer {command}.")

    def words(self) -> str:
        """The last of what QEMU and the guest's console have said."""
        parts = [path.read_text(encoding="utf-8", errors="replace") for path in (RUN / "qemu", self._console)
                 if path.exists()]  # fmt: skip
        plain = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", "\n".join(parts))
        return "\n".join(plain.splitlines()[-25:])
