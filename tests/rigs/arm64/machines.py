"""The machines: Debian 12 and 13 in folders, for x86-64 and for the processors of a Pi, which QEMU emulates.

Nothing is installed in them: packages and wheels are only unpacked, here, and the one command that runs inside is
Python. So nothing is mounted and no file format is registered with the kernel. The roots are kept under build/rigs/.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

from tests.rigs.gpio.workshop import RigError, proxies, run, say

PROJECT = Path(__file__).parents[3]
ROOTS = PROJECT / "build" / "rigs" / "arm64"
ROOMS = ("companion", "vision")  # of the project, and this rig and the models
PATIENCE = 900  # seconds for a run inside
CORES = Path("sys/devices/system/cpu")
QEMU = "qemu-aarch64"


@dataclass(frozen=True, slots=True)
class Release:
    """A Debian, its Python, and what a Pi with it gets from the package index."""

    suite: str
    python: str
    runtime: str

    @property
    def wheels(self) -> tuple[str, ...]:
        return tuple(
            f"{name}=={pinned(name, self.python)}" for name in ("numpy", "opencv-python-headless", self.runtime)
        )


@dataclass(frozen=True, slots=True)
class Processor:
    """What a machine computes with, as it is called, as Debian calls its kind, and as QEMU calls it."""

    name: str
    kind: str
    qemu: str = ""

    @property
    def is_emulated(self) -> bool:
        return bool(self.qemu)


RELEASES = (Release("bookworm", "3.11", "tflite-runtime"), Release("trixie", "3.13", "ai-edge-litert"))
PROCESSORS = (
    Processor("x86-64", "amd64"),
    Processor("Cortex-A72 (Pi 4)", "arm64", "cortex-a72"),
    Processor("Cortex-A76 (Pi 5)", "arm64", "cortex-a76"),
)
WHEEL_KINDS = {"amd64": "x86_64", "arm64": "aarch64"}
GLIBC = range(17, 37)  # minor versions that Debian 12 can run wheels for


def pinned(name: str, python: str) -> str:
    """The version that constraints.txt has for this Python."""
    old = tuple(map(int, python.split("."))) < (3, 12)
    wanted = re.compile(rf'{re.escape(name)}==([^;\s]+)(?:; python_version (<|>=) "3\.12")?\s*(?:#.*)?')
    for line in (PROJECT / "constraints.txt").read_text(encoding="utf-8").splitlines():
        found = wanted.fullmatch(line)
        if found and found[2] != (">=" if old else "<"):
            return found[1]
    raise RigError(f"constraints.txt has no {name} for Python {python}.")


@dataclass(frozen=True, slots=True)
class Machine:
    """A release on a processor."""

    release: Release
    processor: Processor

    @property
    def root(self) -> Path:
        return ROOTS / f"{self.release.suite}-{self.processor.kind}"

    def run(self, module: str, *words: str) -> str:
        """What a module of the project says inside; what else it says goes into the error."""
        emulator = [f"/{QEMU}", "-cpu", self.processor.qemu] if self.processor.is_emulated else []
        command = ["chroot", str(self.root), *emulator, "/usr/bin/python3", "-m", module, *words]
        try:
            done = subprocess.run(command, capture_output=True, text=True, env=INSIDE, timeout=PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            raise RigError(f"{self} was not done after {PATIENCE} s.") from None
        if done.returncode:
            chatter = (done.stdout + done.stderr)[-2000:].strip()
            raise RigError(f"{self}: {module} ended with {done.returncode}.\n{chatter}")
        return done.stdout

    def __str__(self) -> str:
        return f"{self.processor.name}, Python {self.release.python}"


INSIDE = {
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LC_ALL": "C.UTF-8",
    "PYTHONPATH": "/site:/project",
    "PYTHONDONTWRITEBYTECODE": "1",
}


def all_machines() -> Iterator[Machine]:
    """Those of each processor together, x86-64 first."""
    return (Machine(release, processor) for processor, release in product(PROCESSORS, RELEASES))


# --- Made once, then kept


def make(models: Path) -> None:
    """Roots, wheels and the project as it is now."""
    if os.geteuid() or not shutil.which("debootstrap"):
        raise RigError("this needs root and debootstrap.")
    if os.uname().machine != "x86_64":
        raise RigError("this compares a Pi's processors with x86-64, and this machine is of another kind.")
    roots = {machine.root: machine for machine in all_machines()}
    for machine in roots.values():
        _bootstrapped(machine)
        _wheels(machine)
    for machine in roots.values():
        _kernel_files(machine)
        _move_in(machine.root, models)


def forget() -> None:
    """Take the roots away; one that is only partly gone is never taken for a whole one."""
    for root in {machine.root for machine in all_machines()}:
        part = _part_of(root)
        shutil.rmtree(part, ignore_errors=True)
        if root.exists():
            root.rename(part)
            shutil.rmtree(part)


def _part_of(root: Path) -> Path:
    return root.with_name(root.name + ".part")


def _bootstrapped(machine: Machine) -> None:
    """Debian's packages, unpacked but never set up: that would take the other processor."""
    root = machine.root
    if root.exists():
        return
    say(f"Making {root.relative_to(PROJECT)}")
    part = _part_of(root)
    shutil.rmtree(part, ignore_errors=True)
    emulator = ",qemu-user" if machine == emulator_from() else ""
    kind = ["--foreign", f"--arch={machine.processor.kind}", "--variant=minbase", f"--include=python3{emulator}"]
    run("debootstrap", *kind, machine.release.suite, part, mirror(), env=proxies())
    proc = part / "proc"
    if proc.is_symlink():  # to this machine's, until the root is set up, which it never is
        proc.unlink()
        proc.mkdir()
    for deb in sorted((part / "var/cache/apt/archives").glob("*.deb")):
        _unpack(deb, part)
        deb.unlink()
    part.rename(root)


def _unpack(deb: Path, root: Path) -> None:
    """Into folders that are links, /lib and /bin, as dpkg would."""
    here = 'dpkg-deb --fsys-tarfile "$1" | tar -x --keep-directory-symlink -C "$2"'
    run("bash", "-o", "pipefail", "-c", here, "bash", deb, root)


def emulator_from() -> Machine:
    """The newer Debian's QEMU knows the processors and says their names in /proc/cpuinfo."""
    return Machine(RELEASES[-1], PROCESSORS[0])


@cache
def mirror() -> str:
    """The one that apt on this machine takes Debian from."""
    targets = run("apt-get", "indextargets", "--format", "$(ORIGIN) $(REPO_URI)", "Created-By: Packages")
    for target in targets.splitlines():
        origin, _, address = target.partition(" ")
        if origin == "Debian":
            return address
    raise RigError("apt on this machine names no Debian mirror.")


def _wheels(machine: Machine) -> None:
    """What pip would install there, chosen for its processor and Python; again when constraints.txt changed."""
    site, wanted = machine.root / "site", "\n".join(machine.release.wheels)
    stamp = machine.root / "site.txt"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return
    stamp.unlink(missing_ok=True)
    shutil.rmtree(site, ignore_errors=True)
    kind, python = WHEEL_KINDS[machine.processor.kind], machine.release.python
    platforms = [f"--platform=manylinux_2_{minor}_{kind}" for minor in GLIBC] + [f"--platform=manylinux2014_{kind}"]
    # pip takes the wheels for the Python that is asked for, but compares what they require with the one it runs on
    chosen = ["--only-binary=:all:", f"--python-version={python}", "--ignore-requires-python", *platforms]
    run(*pip(), "install", "-q", "--no-deps", "--no-compile", "--target", site, *chosen, *machine.release.wheels)
    stamp.write_text(wanted, encoding="utf-8")


@cache
def pip() -> tuple[str, ...]:
    for python in (sys.executable, str(PROJECT / ".venv/bin/python")):
        if Path(python).exists() and _ends_well(python, "-m", "pip", "--version"):
            return python, "-m", "pip"
    raise RigError("this needs pip: `apt install python3-pip`, or `make play` once.")


def _ends_well(*command: str) -> bool:
    return not subprocess.run(command, capture_output=True, check=False).returncode


def _kernel_files(machine: Machine) -> None:
    """What LiteRT asks the kernel about the processor. Without an answer it leaves its quick kernels alone.

    QEMU makes up the other processor's /proc/cpuinfo, but would show this machine's cores beside it.
    """
    cores = machine.root / CORES
    cores.mkdir(parents=True, exist_ok=True)
    for name in ("possible", "present"):
        real = (Path("/") / CORES / name).read_text(encoding="ascii")
        (cores / name).write_text("0-3\n" if machine.processor.is_emulated else real, encoding="ascii")
    if machine.processor.is_emulated:
        shutil.copy(emulator_from().root / "usr/bin" / QEMU, machine.root / QEMU)
    else:
        (machine.root / "proc/cpuinfo").write_bytes(Path("/proc/cpuinfo").read_bytes())


def _move_in(root: Path, models: Path) -> None:
    project = root / "project"
    shutil.rmtree(project, ignore_errors=True)
    rubbish = shutil.ignore_patterns("__pycache__")
    for room in (*ROOMS, "tests/rigs/arm64"):
        shutil.copytree(PROJECT / room, project / room, ignore=rubbish)
    (project / "tests/__init__.py").touch()
    shutil.copytree(models, project / "models", ignore=rubbish)
    (project / "pictures").mkdir()
