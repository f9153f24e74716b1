"""Makes what the rig runs on, once: a Debian 13 with QEMU in a folder, and the disk of a Debian 13 that boots.

In the guest is what a table has before `make install`: Debian's own packages and the wheels that pip will be asked
for, so that nothing is fetched inside. The kernel is Debian's; gpio-sim, which Debian does not build, is compiled for
it as the GPIO rig does.
"""

import re
import shutil
from pathlib import Path

from tests.rigs import wheels
from tests.rigs.debian import Recipe, Root, make
from tests.rigs.kernel import KERNEL_SOURCES, PATCHES, make_kernel, pack_initrd, release_in
from tests.rigs.running import BUILT as RIGS
from tests.rigs.running import PROJECT, run
from tests.rigs.steps import Step, make_all

HERE = Path(__file__).parent
INSTALL = PROJECT / "setup/install.sh"
BUILT = RIGS / "appliance"
WORKSHOP = Root(BUILT / "workshop")
RIG = WORKSHOP.rig
GUEST = Root(RIG / "guest")
KERNEL = RIG / "kernel"
SUITE = "trixie"

BASE = ("systemd", "systemd-sysv", "udev", "dbus", "kmod", "procps", "e2fsprogs", "ca-certificates")
# What raspi-config makes a system read-only with; and a desktop like that of Raspberry Pi OS, labwc in a session.
SYSTEMS = (
    "overlayroot",
    "initramfs-tools",
    "busybox",
    "libpam-systemd",
    "dbus-user-session",
    "lightdm",
    "labwc",
    "xwayland",
    "lxsession",
)
TOOLS = (
    "qemu-system-x86", "gcc", "libc6-dev", "make", "kmod", "cpio", "busybox-static", "e2fsprogs", "xz-utils",
    "dosfstools", "exfatprogs", "mtools",
)  # fmt: skip
MODULES = ("virtio_pci", "virtio_blk", "ext4", "overlay")
WHEELS = ("ai-edge-litert", "gpiozero", "colorzero", "gpiod", "paho-mqtt", "pymupdf-fonts", "setuptools",
          "wheel", "flatbuffers", "backports.strenum", "ml_dtypes", "tqdm",
          "typing-extensions", "protobuf")  # fmt: skip
STATE_MB, ROOT_MB = 256, 4096
# as docs/appliance.md says
STATE_IS_MOUNTED = "LABEL=state /var/lib/companion ext4 noatime,commit=60,nofail,x-systemd.device-timeout=30s 0 2"
STATE_IS_MADE = ("-L", "state", "-b", "1024")
GUEST_OF_DESKTOP = "anna"


def make_workshop() -> None:
    make(Recipe(SUITE, TOOLS), WORKSHOP.path)


def make_guest() -> None:
    make(Recipe(SUITE, (*BASE, *SYSTEMS, *filter(is_debians, wanted_by_install()))), GUEST.path)
    make_a_desktop()


def make_a_desktop() -> None:
    """Somebody is logged in when it is switched on, and finds a desktop; it is switched on later."""
    inside = ["useradd", "--create-home", "--shell", "/bin/bash", GUEST_OF_DESKTOP]
    GUEST.must(*inside)
    for unit in ("display-manager.service", "graphical.target.wants/lightdm.service"):
        (GUEST.path / "etc/systemd/system" / unit).unlink(missing_ok=True)
    into = f"[Seat:*]\nautologin-user={GUEST_OF_DESKTOP}\nautologin-user-timeout=0\nautologin-session=labwc\n"
    write(GUEST.path / "etc/lightdm/lightdm.conf.d/rig.conf", into)
    write(GUEST.path / "etc/xdg/labwc/environment", "WLR_RENDERER=pixman\n")
    write(GUEST.path / "etc/xdg/labwc/autostart", "lxsession-xdg-autostart\n")


def is_debians(package: str) -> bool:
    """Raspberry Pi has packages of its own; setup/install.sh does without them, and says so."""
    return bool(re.search(r"^  Candidate: [0-9]", WORKSHOP.must("apt-cache", "policy", package), re.MULTILINE))


def wanted_by_install() -> list[str]:
    """What setup/install.sh installs by apt."""
    lines = re.findall(r'^(?:needed|welcome)="([^"]*)"', INSTALL.read_text(encoding="utf-8"), re.MULTILINE)
    return [name for line in lines for name in line.split()]


def download_wheels() -> None:
    """For the guest's Python; what Debian has as a package is not asked for."""
    wheels.fetch(WHEELS, SUITE, "amd64", RIG / "wheels")


# --- What the virtual machine starts from


def finish_guest() -> None:
    """Modules, wheels, who mounts what, and the rig's own hand, which waits at the control line."""
    release = release_in(WORKSHOP)
    modules = GUEST.path / "usr/lib/modules"
    shutil.rmtree(modules, ignore_errors=True)
    modules.mkdir(parents=True)
    run("cp", "-a", KERNEL / "lib/modules" / release, modules)
    shutil.rmtree(GUEST.path / "srv/wheels", ignore_errors=True)
    shutil.copytree(RIG / "wheels", GUEST.path / "srv/wheels")
    for folder in ("project", "var/lib/companion"):
        (GUEST.path / folder).mkdir(parents=True, exist_ok=True)
    for folder in ("var/cache/apt/archives", "var/lib/apt/lists", "usr/share/doc", "usr/share/man"):
        shutil.rmtree(GUEST.path / folder, ignore_errors=True)
    write(GUEST.path / "etc/fstab", f"/dev/vda / ext4 errors=remount-ro 0 1\n{STATE_IS_MOUNTED}\n")
    write(GUEST.path / "etc/hostname", "table\n")
    write(GUEST.path / "etc/pip.conf", "[global]\nno-index = true\nfind-links = /srv/wheels\n")
    write(GUEST.path / "etc/systemd/journald.conf.d/rig.conf", "[Journal]\nStorage=persistent\nSyncIntervalSec=5s\n")
    units = GUEST.path / "etc/systemd/system"
    shutil.copy(HERE / "rig-hand.service", units)
    wants = units / "multi-user.target.wants"
    wants.mkdir(exist_ok=True)
    for unit, there in (("rig-hand.service", "/etc/systemd/system/rig-hand.service"),):
        (wants / unit).unlink(missing_ok=True)
        (wants / unit).symlink_to(there)
    for timer in ("apt-daily.timer", "apt-daily-upgrade.timer", "dpkg-db-backup.timer", "e2scrub_all.timer"):
        (units / timer).unlink(missing_ok=True)
        (units / timer).symlink_to("/dev/null")


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def make_initrd() -> None:
    pack_initrd(WORKSHOP, MODULES, HERE / "initrd_init.sh")


def make_overlay_initrd() -> None:
    """The initial RAM disk that Debian makes, with overlayroot in it."""
    release = release_in(WORKSHOP)
    shutil.copy(KERNEL / f"boot/config-{release}", GUEST.path / "boot")
    write(GUEST.path / "etc/initramfs-tools/conf.d/rig", "MODULES=list\nCOMPRESS=gzip\n")
    write(GUEST.path / "etc/initramfs-tools/modules", "\n".join(MODULES) + "\n")
    GUEST.must("update-initramfs", "-c", "-k", release)
    (GUEST.path / f"boot/initrd.img-{release}").replace(RIG / "initrd-overlay.gz")


def make_disks() -> None:
    """The root with its journal, as a Pi's card has it, and an empty disk for the state."""
    for name, size, more in (("root.img", ROOT_MB, ("-d", "/rig/guest")), ("state.img", STATE_MB, STATE_IS_MADE)):
        (RIG / name).unlink(missing_ok=True)
        with (RIG / name).open("wb") as image:
            image.truncate(size << 20)
        WORKSHOP.must("mkfs.ext4", "-q", "-m", "0", *more, f"/rig/{name}")


def constraints() -> str:
    return (PROJECT / "constraints.txt").read_text(encoding="utf-8")


def of_files(*names: str) -> str:
    return "".join((HERE / name).read_text(encoding="utf-8") for name in names)


def steps() -> tuple[Step, ...]:
    return (
        Step("the workshop", make_workshop, str(TOOLS)),
        Step("the guest's root", make_guest, f"{BASE}{SYSTEMS}{wanted_by_install()}"),
        Step("the kernel and gpio-sim", lambda: make_kernel(WORKSHOP), f"{KERNEL_SOURCES}{PATCHES}"),
        Step("the wheels", download_wheels, f"{WHEELS}{constraints()}"),
        Step("what the guest starts", finish_guest, of_files("rig-hand.service") + STATE_IS_MOUNTED),
        Step("the initial RAM disk", make_initrd, f"{MODULES}{of_files('initrd_init.sh')}"),
        Step("the initial RAM disk of a read-only system", make_overlay_initrd, str(MODULES)),
        Step("the guest's disks", make_disks, f"{ROOT_MB} {STATE_MB} {STATE_IS_MADE}"),
    )


def build() -> None:
    make_all(steps(), BUILT / "stamps")
