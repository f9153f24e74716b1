"""Runs the virtual machine: today's project goes in as a tar on its second disk, JSON lines come out of a port.

There are two kinds of it. In the counting one the guest's clock is no clock but the count of its instructions, 4 ns
each, and waiting takes no time: what is measured there comes out again, however busy this computer is. In the crowded
one two processors run as this computer lets them, stall, and lose edges by it.

A run cannot hang: it ends when the guest says it is done, when QEMU ends, or when its time is up, in which what other
jobs take of this computer does not count.
"""

import json
import shutil
import subprocess
import tarfile
import time
import tomllib
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from companion import __version__
from tests.rigs.debian import PATH
from tests.rigs.gpio.build import BUILT, RIG, WORKSHOP
from tests.rigs.gpio.guest import HELD_UP
from tests.rigs.load import Patience
from tests.rigs.running import PROJECT, rooms

KERNEL = (
    "console=ttyS0 quiet panic=-1 mitigations=off tsc=reliable clocksource=tsc "  # without tsc= the clock is too slow
    "rig.label={label} rig.lines={lines} rig.run={run}"
)
MACHINE = (
    "-nodefaults", "-no-user-config", "-no-reboot", "-display", "none",
    "-cpu", "max", "-m", "768",
    "-kernel", "/rig/vmlinuz", "-initrd", "/rig/initrd.gz",
    "-drive", "file=/rig/root.img,format=raw,if=virtio,snapshot=on",
    "-drive", "file=/rig/run/project.tar,format=raw,if=virtio,readonly=on",
    "-serial", "file:/rig/run/console",
    "-device", "virtio-serial-pci", "-chardev", "file,id=results,path=/rig/run/results",
    "-device", "virtserialport,chardev=results,name=rig.results",
)  # fmt: skip
PROCESSORS = {
    "counting": ("-accel", "tcg,thread=single", "-smp", "1", "-icount", "shift=2,sleep=off"),
    "crowded": ("-accel", "tcg,thread=multi", "-smp", "2"),
}
INSTRUCTIONS = 250_000_000  # in a second of the counting machine
RUN = RIG / "run"
RESULTS = BUILT / "results"  # of the last runs, a file each
KEPT = 5


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a run: all that was told, and how it ended."""

    told: list[dict[str, Any]]
    seconds: float
    console: Path
    why_not: str = ""  # why the guest never said it was done
    exits: dict[str, int] = field(default_factory=dict)

    @property
    def is_good(self) -> bool:
        return not self.why_not and bool(self.exits) and not any(self.exits.values())

    @property
    def is_held_up(self) -> bool:
        """Nothing is wrong, but not everything could be judged."""
        return not self.why_not and {code for code in self.exits.values() if code} == {HELD_UP}


# --- What goes in


def is_wanted(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
    return None if member.name.endswith("__pycache__") else member


def pack_project(path: Path) -> None:
    """The rooms as they lie in the work tree, and what pip would have written down about the project."""
    with tarfile.open(path, "w") as tar:
        for room in (*rooms(), "tests"):
            tar.add(PROJECT / room, room, filter=is_wanted)
        for name, text in written_by_pip().items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            tar.addfile(member, BytesIO(text.encode()))


def written_by_pip() -> dict[str, str]:
    """So that the project's entry points are found without installing it."""
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    groups = {"console_scripts": project.get("scripts", {}), **project.get("entry-points", {})}
    points = "".join(
        f"[{group}]\n" + "".join(f"{name} = {there}\n" for name, there in named.items()) + "\n"
        for group, named in groups.items()
    )
    folder = f"{project['name'].replace('-', '_')}-{__version__}.dist-info"
    about = f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {__version__}\n"
    return {f"{folder}/METADATA": about, f"{folder}/entry_points.txt": points}


# --- The run


class Told:
    """The results as they grow: complete lines only."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb")
        self._rest = b""

    def more(self) -> list[dict[str, Any]]:
        *lines, self._rest = (self._rest + self._file.read()).split(b"\n")
        return [json.loads(line) for line in lines if line]

    def close(self) -> None:
        self._file.close()


def boot(
    machine: str,
    modules: Iterable[str],
    *,
    seconds: float,
    label: str,
    lines: int,
    hear: Callable[[dict[str, Any]], None],
) -> Outcome:
    """Boot the guest, run the modules in it, hear what they tell as they tell it."""
    shutil.rmtree(RUN, ignore_errors=True)
    RUN.mkdir()
    pack_project(RUN / "project.tar")
    (RUN / "results").touch()
    run = ",".join(modules)
    qemu = WORKSHOP.plain("/usr/bin/qemu-system-x86_64", *MACHINE, *PROCESSORS[machine])
    start = time.monotonic()
    with (RUN / "qemu").open("wb") as log:
        process = subprocess.Popen(
            [*qemu, "-append", KERNEL.format(label=label, lines=lines, run=run)],
            stdin=subprocess.DEVNULL, stdout=log, stderr=log, cwd="/", env=PATH,
        )  # fmt: skip
    try:
        told, why_not = follow(process, Patience(seconds), hear)
        if not why_not:
            power_off(process)
    finally:
        process.kill()
        process.wait()
        console = keep_console(machine)
    exits = {line["module"]: line["exit"] for line in told if "exit" in line and "module" in line}
    return Outcome(told, time.monotonic() - start, console, why_not, exits)


def follow(
    machine: subprocess.Popen[bytes], patience: Patience, hear: Callable[[dict[str, Any]], None]
) -> tuple[list[dict[str, Any]], str]:
    told: list[dict[str, Any]] = []
    results = Told(RUN / "results")
    why_not = ""
    while not why_not:
        has_ended = machine.poll() is not None
        for line in results.more():
            told.append(line)
            hear(line)
            if "done" in line:
                results.close()
                return told, ""
        if has_ended:
            why_not = f"QEMU ended with {machine.returncode} before the guest was done"
        elif patience.is_over:
            why_not = "the time was up before the guest was done"
        time.sleep(0.1)
    results.close()
    return told, why_not


def power_off(machine: subprocess.Popen[bytes]) -> None:
    """The guest does so by itself and is given time for it."""
    with suppress(subprocess.TimeoutExpired):
        machine.wait(10)


def keep_console(machine: str) -> Path:
    """Where somebody looks for it."""
    parts = [RUN / name for name in ("qemu", "console") if (RUN / name).exists()]
    console = BUILT / f"console-{machine}.log"
    console.write_bytes(b"".join(part.read_bytes() for part in parts))
    return console


def keep(told: Iterable[dict[str, Any]]) -> Path:
    """All that a run told, beside what the runs before it did."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{datetime.now(UTC):%Y%m%d-%H%M%S}.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in told), encoding="utf-8")
    for old in sorted(RESULTS.glob("*.jsonl"))[:-KEPT]:
        old.unlink()
    return path


def end_of_console(console: Path, lines: int = 40) -> str:
    """The last words before the kernel's warnings, which the guest writes down when it is done."""
    words, *_ = console.read_text(encoding="utf-8", errors="replace").partition("--- the kernel's warnings")
    return "\n".join(words.splitlines()[-lines:])
