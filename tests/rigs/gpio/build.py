"""Makes what the rig runs on, once: a workshop with QEMU and a compiler, the kernel with gpio-sim, the stimulator, the
guest's disk."""

import shutil
from pathlib import Path

from tests.rigs import wheels
from tests.rigs.debian import Recipe, Root, make
from tests.rigs.kernel import KERNEL_SOURCES, PATCHES, make_kernel, pack_initrd
from tests.rigs.running import BUILT as RIGS
from tests.rigs.running import PROJECT
from tests.rigs.steps import Step, make_all

HERE = Path(__file__).parent
BUILT = RIGS / "gpio"
SUITE = "bookworm"
TOOLS = ("qemu-system-x86", "gcc", "libc6-dev", "make", "kmod", "cpio", "busybox-static", "e2fsprogs")
GUEST_RECIPE = Recipe(SUITE, ("procps",))
WORKSHOP_RECIPE = Recipe(SUITE, TOOLS)
WORKSHOP = Root(BUILT / "workshop")
RIG = WORKSHOP.rig
GUEST = Root(RIG / "guest")

MODULES = ("virtio_pci", "virtio_blk", "virtio_console", "ext4", "gpio-sim-rig")
SITE = ("gpiozero", "colorzero", "gpiod", "pygame")  # pinned in constraints.txt
ELSE_SITE = ("lgpio==0.2.2.0",)  # only to be compared with


def make_workshop() -> None:
    make(WORKSHOP_RECIPE, WORKSHOP.path)


def make_guest() -> None:
    """With somebody in it who has no rights."""
    make(GUEST_RECIPE, GUEST.path)
    for folder in ("var/cache/apt", "var/lib/apt/lists", "usr/share/doc", "usr/share/locale", "usr/share/man"):
        shutil.rmtree(GUEST.path / folder, ignore_errors=True)
    for folder in ("project", "opt/site"):
        (GUEST.path / folder).mkdir(parents=True)
    with (GUEST.path / "etc/passwd").open("a", encoding="utf-8") as passwd:
        passwd.write("player:x:1000:1000::/tmp:/bin/sh\n")
    with (GUEST.path / "etc/group").open("a", encoding="utf-8") as group:
        group.write("player:x:1000:\ngpio:x:997:\n")


def install_wheels() -> None:
    """The project's wheels, for the guest's Python and not for this machine's."""
    wheels.fetch((*SITE, *ELSE_SITE), SUITE, "amd64", RIG / "wheels")
    wheels.unpack(RIG / "wheels", GUEST.path / "opt/site")
    GUEST.must("python3", "-m", "compileall", "-q", "/opt/site")


def make_stimulator() -> None:
    shutil.copy(HERE / "stim.c", RIG)
    flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-static", "-pthread"]
    WORKSHOP.must("gcc", *flags, "-o", "/rig/guest/opt/stim", "/rig/stim.c")


def make_initrd() -> None:
    pack_initrd(WORKSHOP, MODULES, HERE / "initrd_init.sh")


def make_disk() -> None:
    disk = RIG / "root.img"
    disk.unlink(missing_ok=True)
    with disk.open("wb") as image:
        image.truncate(1 << 30)
    WORKSHOP.must("mkfs.ext4", "-q", "-d", "/rig/guest", "-O", "^has_journal", "-m", "0", "/rig/root.img")


def of_files(*names: str) -> str:
    return "".join((HERE / name).read_text(encoding="utf-8") for name in names)


def pins() -> str:
    lines = (PROJECT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if line.startswith(SITE))


def steps() -> tuple[Step, ...]:
    return (
        Step("the workshop", make_workshop, str(WORKSHOP_RECIPE)),
        Step("the guest's root", make_guest, str(GUEST_RECIPE)),
        Step("the kernel and gpio-sim", lambda: make_kernel(WORKSHOP), f"{KERNEL_SOURCES}{PATCHES}"),
        Step("the wheels", install_wheels, f"{pins()}{ELSE_SITE}"),
        Step("the stimulator", make_stimulator, of_files("stim.c")),
        Step("the initial RAM disk", make_initrd, f"{MODULES}{of_files('initrd_init.sh')}"),
        Step("the guest's disk", make_disk, "1"),
    )


def build() -> None:
    make_all(steps(), BUILT / "stamps")
