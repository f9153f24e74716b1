"""The machines: Debian 12 and 13 in folders, for x86-64 and for the processors of a Pi, which QEMU emulates.

What is for other processors is only unpacked, and so are all wheels; the one command that runs inside is Python.
Nothing is mounted and no file format is registered with the kernel.
"""

import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from tests.rigs import wheels
from tests.rigs.arm64 import PYTHON_AGAIN
from tests.rigs.debian import Recipe, Root, kept, own_kind
from tests.rigs.running import BUILT as RIGS
from tests.rigs.running import PROJECT, RigError, rooms

BUILT = RIGS / "arm64"
PROCESSOR_SECONDS = 900  # for a run inside: other jobs on this computer do not count
PATIENCE = 7200  # seconds after which a run is taken to hang
CORES = Path("sys/devices/system/cpu")
MEMORY = Path("proc/self/statm")
PAGES = 1_000_000  # that every process there is told it has
QEMU = "qemu-aarch64"
PYTHON = "/usr/bin/python3"
HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Release:
    """A Debian, its Python, and what a Pi with it gets from the package index."""

    suite: str
    runtime: str

    @property
    def python(self) -> str:
        return wheels.PYTHONS[self.suite]

    @property
    def wheels(self) -> tuple[str, ...]:
        return tuple(wheels.pinned(name, self.python) for name in ("numpy", "opencv-python-headless", self.runtime))


@dataclass(frozen=True, slots=True)
class Processor:
    """What a machine computes with, as it is called, as Debian calls its kind, and as QEMU calls it."""

    name: str
    kind: str
    qemu: str = ""

    @property
    def is_emulated(self) -> bool:
        return bool(self.qemu)


RELEASES = (Release("bookworm", "tflite-runtime"), Release("trixie", "ai-edge-litert"))
PROCESSORS = (
    Processor("x86-64", "amd64"),
    Processor("Cortex-A72 (Pi 4)", "arm64", "cortex-a72"),
    Processor("Cortex-A76 (Pi 5)", "arm64", "cortex-a76"),
)


@dataclass(frozen=True, slots=True)
class Machine:
    """A release on a processor."""

    release: Release
    processor: Processor

    @property
    def root(self) -> Path:
        return BUILT / f"{self.release.suite}-{self.processor.kind}"

    @property
    def recipe(self) -> Recipe:
        emulator = ("qemu-user",) if self == emulator_from() else ()
        return Recipe(self.release.suite, emulator, self.processor.kind)

    def run(self, module: str, *words: str) -> str:
        """What a module of the project says inside; what else it says goes into the error."""
        emulator = [f"/{QEMU}"] if self.processor.is_emulated else []
        python = Root(self.root).plain(*emulator, PYTHON, "-m", module, *words)
        command = ["prlimit", f"--cpu={PROCESSOR_SECONDS}", *python]
        try:
            settings = {**INSIDE, "QEMU_CPU": self.processor.qemu}
            done = subprocess.run(command, capture_output=True, text=True, env=settings, timeout=PATIENCE, check=False)
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
    if own_kind() != "amd64":
        raise RigError("this compares a Pi's processors with x86-64, and this machine is of another kind.")
    roots = {machine.root: machine for machine in all_machines()}
    for machine in roots.values():
        kept(machine.recipe, machine.root)
        _wheels(machine)
    for machine in roots.values():
        _kernel_files(machine)
        _move_in(machine.root, models)


def emulator_from() -> Machine:
    """The newer Debian's QEMU knows the processors and says their names in /proc/cpuinfo."""
    return Machine(RELEASES[-1], PROCESSORS[0])


def _wheels(machine: Machine) -> None:
    """What pip would install there, chosen for its processor and Python; again when constraints.txt changed."""
    wanted, stamp = "\n".join(machine.release.wheels), machine.root / "site.txt"
    if stamp.exists() and stamp.read_text(encoding="utf-8") == wanted:
        return
    stamp.unlink(missing_ok=True)
    fetched = machine.root / "rig" / "wheels"
    wheels.fetch(machine.release.wheels, machine.release.suite, machine.processor.kind, fetched)
    wheels.unpack(fetched, machine.root / "site")
    stamp.write_text(wanted, encoding="utf-8")


def _kernel_files(machine: Machine) -> None:
    """What LiteRT asks the kernel about the processor, and the reader about its memory. Without an answer LiteRT leaves
    its quick kernels alone.

    QEMU makes up the other processor's /proc/cpuinfo, but would show this machine's cores beside it.
    """
    cores = machine.root / CORES
    cores.mkdir(parents=True, exist_ok=True)
    for name in ("possible", "present"):
        real = (Path("/") / CORES / name).read_text(encoding="ascii")
        (cores / name).write_text("0-3\n" if machine.processor.is_emulated else real, encoding="ascii")
    (machine.root / MEMORY).parent.mkdir(exist_ok=True)
    (machine.root / MEMORY).write_text(f"{PAGES} 0 0 0 0 0 0\n", encoding="ascii")
    if machine.processor.is_emulated:
        shutil.copy(emulator_from().root / "usr/bin" / QEMU, machine.root / QEMU)
        again = machine.root / PYTHON_AGAIN.lstrip("/")
        again.write_text(f"#!/{QEMU} {PYTHON}\n{(HERE / 'emulated_python.py').read_text(encoding='utf-8')}", "utf-8")
        again.chmod(0o755)
    else:
        (machine.root / "proc/cpuinfo").write_bytes(Path("/proc/cpuinfo").read_bytes())


def _move_in(root: Path, models: Path) -> None:
    project = root / "project"
    shutil.rmtree(project, ignore_errors=True)
    rubbish = shutil.ignore_patterns("__pycache__")
    for room in (*rooms(), "tests/rigs/arm64"):
        shutil.copytree(PROJECT / room, project / room, ignore=rubbish)
    (project / "tests/__init__.py").touch()
    shutil.copytree(models, project / "models", ignore=rubbish)
    (project / "pictures").mkdir()
