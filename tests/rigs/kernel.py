"""The kernel of a virtual machine: Debian's own, with gpio-sim, which Debian does not build, and an initial RAM disk.

All of it is made in a workshop, a root with a compiler and QEMU, and lies in its folder /rig: vmlinuz, kernel/ with the
modules, release, initrd.gz. Versions come from the mirror; the image, the headers and the sources are of the same one.
"""

import gzip
import lzma
import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from tests.rigs.debian import Root, emptied
from tests.rigs.running import RigError, run, say

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


def make_kernel(workshop: Root) -> None:
    """The stock image with its modules, and gpio-sim for it."""
    rig, (release, version) = workshop.rig, _newest(workshop)
    say(f"  Linux {release}, Debian's {version}")
    workshop.apt("install", f"linux-headers-{release}")
    kernel = emptied(rig / "kernel")
    workshop.unpack(f"linux-image-{release}", version, kernel)
    if not (kernel / "lib").exists():  # Debian 13 has it under /usr only
        (kernel / "usr/lib").rename(kernel / "lib")
    shutil.copy(kernel / f"boot/vmlinuz-{release}", rig / "vmlinuz")
    source = emptied(rig / "source")
    name = f"linux-source-{'.'.join(release.split('.')[:2])}"
    workshop.unpack(name, version, source)
    extra = kernel / "lib/modules" / release / "extra"
    extra.mkdir()
    shutil.copy(_compile_gpio_sim(workshop, source / f"usr/src/{name}.tar.xz", release), extra)
    shutil.rmtree(source)
    workshop.must("depmod", "--basedir", "/rig/kernel", release)
    (rig / "release").write_text(release, encoding="utf-8")


def release_in(workshop: Root) -> str:
    """Of the kernel that was made."""
    return (workshop.rig / "release").read_text(encoding="utf-8")


def _newest(workshop: Root) -> tuple[str, str]:
    """As the kernel calls itself, and as Debian does."""
    shown = workshop.must("apt-cache", "show", "--no-all-versions", "linux-image-amd64")
    found = re.search(r"^Depends:.*\blinux-image-(\S+) \(= ([^)]+)\)", shown, re.MULTILINE)
    if not found:
        raise RigError("the mirror has no linux-image-amd64 that depends on an image.")
    return found[1], found[2]


def _compile_gpio_sim(workshop: Root, packed: Path, release: str) -> Path:
    """In the workshop's /rig/module, from the kernel's own sources, for that kernel."""
    module = emptied(workshop.rig / "module")
    files = [f"{packed.name.removesuffix('.tar.xz')}/{name}" for name in KERNEL_SOURCES]
    run("tar", "-C", module, "-xf", packed, "--strip-components=3", *files)
    for name, changes in PATCHES.items():
        patch(module / name, changes)
    objects = "obj-m := gpio-sim-rig.o\ngpio-sim-rig-y := gpio-sim.o irq_sim.o\n"
    (module / "Makefile").write_text(objects, encoding="utf-8")
    workshop.must("make", "-C", f"/usr/src/linux-headers-{release}", "M=/rig/module", "modules")
    return module / "gpio-sim-rig.ko"


def patch(path: Path, changes: list[tuple[str, str]]) -> None:
    text = path.read_text(encoding="utf-8")
    for old, new in changes:
        if text.count(old) != 1:
            raise RigError(f"{path.name} of this kernel has `{old}` {text.count(old)} times, not once.")
        text = text.replace(old, new)
    path.write_text(text, encoding="utf-8")


# --- What the virtual machine starts from


def pack_initrd(workshop: Root, modules: Iterable[str], init: Path) -> None:
    """busybox and the few modules without which the stock kernel in /rig/kernel cannot reach a disk."""
    rig = workshop.rig
    tree = emptied(rig / "initrd")
    for folder in ("bin", "dev", "proc", "sys", "root", "modules"):
        (tree / folder).mkdir(parents=True)
    shutil.copy(workshop.path / "bin/busybox", tree / "bin")
    shutil.copy(init, tree / "init")
    (tree / "init").chmod(0o755)
    ask = ["modprobe", "--dirname", "/rig/kernel", "--set-version", release_in(workshop), "--show-depends"]
    needed = [
        path for name in modules for path in re.findall(r"^insmod (\S+)", workshop.must(*ask, name), re.MULTILINE)
    ]
    for number, path in enumerate(dict.fromkeys(needed)):
        module = (workshop.path / path.lstrip("/")).read_bytes()
        plain = lzma.decompress(module) if path.endswith(".xz") else module
        (tree / "modules" / f"{number:02}-{Path(path).name.removesuffix('.xz')}").write_bytes(plain)
    workshop.must("sh", "-c", "cd /rig/initrd && find . | cpio --quiet -o -H newc > /rig/initrd.cpio")
    with gzip.open(rig / "initrd.gz", "wb", compresslevel=1) as packed:
        packed.write((rig / "initrd.cpio").read_bytes())
