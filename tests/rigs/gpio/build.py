"""Makes what the rig runs on, once: the workshop, the kernel with gpio-sim, the stimulator, the guest's disk.

Each step leaves a stamp with what it was made from and is done again when that changes, with all steps after it.
Versions come from the mirrors at run time; only the image and the headers have to be the same version exactly.
"""

import gzip
import hashlib
import lzma
import re
import shutil
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.rigs.gpio.workshop import RigError, Workshop, depends_on, prepare_machine, run, say, versions

HERE = Path(__file__).parent
PROJECT = HERE.parents[2]
BUILT = PROJECT / "build" / "rig-gpio"
WORKSHOP = Workshop(BUILT / "workshop")
RIG = WORKSHOP.rig
GUEST = RIG / "guest"

GUEST_PACKAGES = ("python3", "procps")
TOOLS = ("qemu-system-x86", "gcc", "libc6-dev", "make", "kmod", "cpio", "busybox-static", "e2fsprogs")
MODULES = ("virtio_pci", "virtio_blk", "virtio_console", "ext4", "gpio-sim-rig")
SITE = ("gpiozero", "colorzero", "gpiod", "pygame")  # pinned in constraints.txt
ELSE_SITE = ("lgpio==0.2.2.0",)  # only to be compared with
WHEELS = ("--python-version=3.11", "--implementation=cp", "--abi=cp311", "--abi=abi3", "--abi=none",
          *(f"--platform=manylinux{tag}_x86_64" for tag in ("_2_34", "_2_28", "_2_17", "2014")))  # fmt: skip
KERNEL_SOURCES = ("drivers/gpio/gpio-sim.c", "drivers/gpio/gpiolib.h", "kernel/irq/irq_sim.c")

# What is changed in the kernel's files. The first makes irq_sim.c a module: what it called is not exported.
# Two let a test press a button harder than the pull-up, and lose an edge as a Pi 4 may. The rest keeps the interrupts
# of a chip that is taken away while its lines are in use: in Linux 6.1 whoever held them gives them back afterwards, to
# memory that is somebody else's by then, and the guest dies of it somewhere later.
PATCHES = {
    "irq_sim.c": [
        ("handle_simple_irq(irq_to_desc(irqnum))", "generic_handle_irq(irqnum)"),
        ("\tirq_domain_remove_sim(domain);\n", "\t(void)domain;\n"),
    ],
    "gpio-sim.c": [
        ("irq_dispose_mapping(irq_find_mapping(chip->irq_sim, i));", "irq_find_mapping(chip->irq_sim, i);"),
        (
            "static DEFINE_IDA(gpio_sim_ida);",
            """static DEFINE_IDA(gpio_sim_ida);
static unsigned long grounded; /* lines that a pull-up cannot raise */
module_param(grounded, ulong, 0644);
static unsigned long deaf; /* lines whose level changes without an interrupt */
module_param(deaf, ulong, 0644);
""",
        ),
        (
            "return gpio_sim_apply_pull(chip, offset, 1);",
            "return gpio_sim_apply_pull(chip, offset, !(grounded & BIT(offset % BITS_PER_LONG)));",
        ),
        ("if (!irq)\n", "if (!irq || (deaf & BIT(offset % BITS_PER_LONG)))\n"),
    ],
}


# --- The workshop and the guest's root


def make_debian() -> None:
    prepare_machine()
    WORKSHOP.bootstrap(GUEST_PACKAGES)


def make_guest() -> None:
    """The guest is the workshop before the tools, with somebody in it who has no rights."""
    shutil.rmtree(GUEST, ignore_errors=True)
    GUEST.parent.mkdir(exist_ok=True)
    GUEST.mkdir()
    parts = sorted(part for part in WORKSHOP.root.iterdir() if part != RIG)
    run("cp", "-a", *parts, GUEST)
    for folder in ("var/cache/apt", "var/lib/apt/lists", "usr/share/doc", "usr/share/locale", "usr/share/man"):
        shutil.rmtree(GUEST / folder, ignore_errors=True)
    for folder in ("project", "opt/site"):
        (GUEST / folder).mkdir(parents=True)
    with (GUEST / "etc/passwd").open("a", encoding="utf-8") as passwd:
        passwd.write("player:x:1000:1000::/tmp:/bin/sh\n")
    with (GUEST / "etc/group").open("a", encoding="utf-8") as group:
        group.write("player:x:1000:\ngpio:x:997:\n")


def install_tools() -> None:
    WORKSHOP.install(TOOLS)


def install_wheels() -> None:
    """The project's wheels, for the guest's Python and not for this machine's."""
    pins = PROJECT / "constraints.txt"
    wheels = RIG / "wheels"
    shutil.rmtree(wheels, ignore_errors=True)
    run(
        *pip_here(), "download", "--quiet", "--no-deps", "--only-binary=:all:", *WHEELS,
        "--dest", wheels, "--constraint", pins, *SITE, *ELSE_SITE,
    )  # fmt: skip
    site = GUEST / "opt/site"
    shutil.rmtree(site)
    site.mkdir()
    for wheel in sorted(wheels.glob("*.whl")):
        shutil.unpack_archive(wheel, site, "zip")
    WORKSHOP.run("chroot", "/rig/guest", "python3", "-m", "compileall", "-q", "/opt/site")


def pip_here() -> list[str]:
    """This machine's pip, which knows where to get packages; where it has none, Debian's, unpacked."""
    own = [sys.executable, "-m", "pip"]
    try:
        run(*own, "--version")
    except RigError:
        folder = BUILT / "pip"
        shutil.rmtree(folder, ignore_errors=True)
        WORKSHOP.unpack("python3-pip-whl", versions("python3-pip-whl")[0], folder)
        return [sys.executable, str(next(folder.glob("usr/share/python-wheels/pip-*.whl")) / "pip")]
    return own


# --- The kernel


def make_kernel() -> None:
    """The stock image, and gpio-sim as a module for it, which Debian does not build."""
    prepare_machine()
    newest = [version for version in versions("linux-image-amd64") if version in versions("linux-headers-amd64")]
    if not newest:
        raise RigError("the mirrors have no linux-image-amd64 and linux-headers-amd64 of one version.")
    image = depends_on("linux-image-amd64", newest[0], r"linux-image-[0-9].*-amd64")
    release = image.removeprefix("linux-image-")
    say(f"  Linux {release}, Debian's {newest[0]}")
    WORKSHOP.install([f"linux-headers-{release}={newest[0]}"])
    kernel = RIG / "kernel"
    shutil.rmtree(kernel, ignore_errors=True)
    WORKSHOP.unpack(image, newest[0], kernel)
    shutil.copy(kernel / f"boot/vmlinuz-{release}", RIG / "vmlinuz")
    make_gpio_sim(release, newest[0])
    extra = kernel / "lib/modules" / release / "extra"
    extra.mkdir()
    shutil.copy(RIG / "module/gpio-sim-rig.ko", extra)
    WORKSHOP.run("depmod", "--basedir", "/rig/kernel", release)
    (RIG / "release").write_text(release, encoding="utf-8")


def make_gpio_sim(release: str, version: str) -> None:
    sources = versions("linux-source-6.1")
    source = RIG / "source"
    shutil.rmtree(source, ignore_errors=True)
    WORKSHOP.unpack("linux-source-6.1", version if version in sources else sources[0], source)
    compile_gpio_sim(WORKSHOP, source / "usr/src/linux-source-6.1.tar.xz", release)
    shutil.rmtree(source)


def compile_gpio_sim(workshop: Workshop, packed: Path, release: str) -> None:
    """A module in the workshop's /rig/module, from the kernel's own sources, for that kernel."""
    module = workshop.rig / "module"
    shutil.rmtree(module, ignore_errors=True)
    module.mkdir()
    files = [f"{packed.name.removesuffix('.tar.xz')}/{name}" for name in KERNEL_SOURCES]
    run("tar", "-C", module, "-xf", packed, "--strip-components=3", *files)
    for name, changes in PATCHES.items():
        patch(module / name, changes)
    objects = "obj-m := gpio-sim-rig.o\ngpio-sim-rig-y := gpio-sim.o irq_sim.o\n"
    (module / "Makefile").write_text(objects, encoding="utf-8")
    workshop.run("make", "-C", f"/usr/src/linux-headers-{release}", "M=/rig/module", "modules")


def patch(path: Path, changes: list[tuple[str, str]]) -> None:
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        if text.count(old) != 1:
            raise RigError(f"{path.name} of this kernel has `{old}` {text.count(old)} times, not once.")
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


# --- What the virtual machine starts from


def make_stimulator() -> None:
    shutil.copy(HERE / "stim.c", RIG)
    flags = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-static", "-pthread"]
    WORKSHOP.run("gcc", *flags, "-o", "/rig/guest/opt/stim", "/rig/stim.c")


def make_initrd() -> None:
    pack_initrd(WORKSHOP, (RIG / "release").read_text(encoding="utf-8"), MODULES, HERE / "initrd_init.sh")


def pack_initrd(workshop: Workshop, release: str, modules: Iterable[str], init: Path) -> None:
    """busybox and the few modules without which the stock kernel in /rig/kernel cannot reach a disk."""
    rig = workshop.rig
    tree = rig / "initrd"
    shutil.rmtree(tree, ignore_errors=True)
    for folder in ("bin", "dev", "proc", "sys", "root", "modules"):
        (tree / folder).mkdir(parents=True)
    shutil.copy(workshop.root / "bin/busybox", tree / "bin")
    shutil.copy(init, tree / "init")
    (tree / "init").chmod(0o755)
    ask = ["modprobe", "--dirname", "/rig/kernel", "--set-version", release, "--show-depends"]
    needed = [path for name in modules for path in re.findall(r"^insmod (\S+)", workshop.run(*ask, name), re.MULTILINE)]
    for number, path in enumerate(dict.fromkeys(needed)):
        module = (workshop.root / path.lstrip("/")).read_bytes()
        plain = lzma.decompress(module) if path.endswith(".xz") else module
        (tree / "modules" / f"{number:02}-{Path(path).name.removesuffix('.xz')}").write_bytes(plain)
    workshop.run("sh", "-c", "cd /rig/initrd && find . | cpio --quiet -o -H newc > /rig/initrd.cpio")
    with gzip.open(rig / "initrd.gz", "wb", compresslevel=1) as packed:
        packed.write((rig / "initrd.cpio").read_bytes())


def make_disk() -> None:
    disk = RIG / "root.img"
    disk.unlink(missing_ok=True)
    with disk.open("wb") as image:
        image.truncate(1 << 30)
    WORKSHOP.run("mkfs.ext4", "-q", "-d", "/rig/guest", "-O", "^has_journal", "-m", "0", "/rig/root.img")


# --- Steps


@dataclass(frozen=True, slots=True)
class Step:
    """One thing to make, and what it is made from besides the steps before it."""

    what: str
    make: Callable[[], None]
    made_from: str


def of_files(*names: str) -> str:
    return "".join((HERE / name).read_text(encoding="utf-8") for name in names)


def pins() -> str:
    lines = (PROJECT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if line.startswith(SITE))


def steps() -> tuple[Step, ...]:
    return (
        Step("Debian 12 in a folder", make_debian, str(GUEST_PACKAGES)),
        Step("the guest's root", make_guest, "1"),
        Step("QEMU and a compiler", install_tools, str(TOOLS)),
        Step("the kernel and gpio-sim", make_kernel, f"{KERNEL_SOURCES}{PATCHES}"),
        Step("the wheels", install_wheels, f"{pins()}{ELSE_SITE}{WHEELS}"),
        Step("the stimulator", make_stimulator, of_files("stim.c")),
        Step("the initial RAM disk", make_initrd, f"{MODULES}{of_files('initrd_init.sh')}"),
        Step("the guest's disk", make_disk, "1"),
    )


def build() -> None:
    make_all(steps(), BUILT / "stamps")


def make_all(all_steps: Iterable[Step], stamps: Path) -> None:
    """Do what has to be done, and say how long it took."""
    chain = ""
    stamps.mkdir(parents=True, exist_ok=True)
    for number, step in enumerate(all_steps):
        chain = hashlib.sha256(f"{chain}\n{step.what}\n{step.made_from}".encode()).hexdigest()
        stamp = stamps / str(number)
        if stamp.exists() and stamp.read_text(encoding="utf-8") == chain:
            continue
        stamp.unlink(missing_ok=True)
        say(f"Making {step.what}")
        start = time.monotonic()
        step.make()
        stamp.write_text(chain, encoding="utf-8")
        say(f"  {time.monotonic() - start:.0f} s")
