"""Makes what the rig runs on, once: a Debian 13 with QEMU in a folder, and the disk of a Debian 13 that boots.

In the guest is what a table has before `make install`: Debian's own packages and the wheels that pip will be asked
for, so that nothing is fetched inside. The kernel is Debian's; gpio-sim, which Debian does not build, is compiled for
it as the GPIO rig does.
"""

import re
import shutil
from pathlib import Path

from tests.rigs.arm64.machines import pip
from tests.rigs.camera.build import lend_settings, lent_but_certificates, run_in
from tests.rigs.fresh.bare_debian import mirror
from tests.rigs.gpio.build import PROJECT, Step, compile_gpio_sim, make_all, pack_initrd
from tests.rigs.gpio.workshop import RigError, Workshop, prepare_machine, proxies, run

HERE = Path(__file__).parent
INSTALL = PROJECT / "setup/install.sh"
BUILT = PROJECT / "build" / "rigs" / "appliance"
WORKSHOP = Workshop(BUILT / "workshop")
RIG = WORKSHOP.rig
GUEST = RIG / "guest"
KERNEL = RIG / "kernel"
BASE_TAR = RIG / "base.tar"
SUITE = "trixie"

BASE = ("systemd", "systemd-sysv", "udev", "dbus", "kmod", "procps", "e2fsprogs", "ca-certificates", "python3")
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
    "linux-headers-amd64", "linux-image-amd64", "dosfstools", "exfatprogs", "mtools",
)  # fmt: skip
MODULES = ("virtio_pci", "virtio_blk", "ext4", "overlay")
WHEELS = ("ai-edge-litert", "gpiozero", "colorzero", "gpiod", "paho-mqtt", "pymupdf-fonts", "setuptools",
          "wheel", "flatbuffers", "backports.strenum", "ml_dtypes", "tqdm",
          "typing-extensions", "protobuf")  # fmt: skip
PLATFORMS = tuple(f"--platform=manylinux{tag}_x86_64" for tag in ("_2_39", "_2_34", "_2_28", "_2_27", "_2_17", "2014"))
STATE_MB, ROOT_MB = 256, 4096
# as docs/appliance.md says
STATE_IS_MOUNTED = "LABEL=state /var/lib/companion ext4 noatime,commit=60,nofail,x-systemd.device-timeout=30s 0 2"
STATE_IS_MADE = ("-L", "state", "-b", "1024")
GUEST_OF_DESKTOP = "anna"


def make_debian() -> None:
    prepare_machine()
    shutil.rmtree(WORKSHOP.root, ignore_errors=True)
    WORKSHOP.root.mkdir(parents=True)
    include = f"--include={','.join(BASE)}"
    run("debootstrap", "--variant=minbase", include, SUITE, WORKSHOP.root, mirror(), env=proxies())
    RIG.mkdir()
    lend_settings(WORKSHOP.root)
    apt(WORKSHOP.root, "update")
    run("tar", "-C", WORKSHOP.root, "-cf", BASE_TAR, "--exclude=./rig", ".")


def make_guest() -> None:
    shutil.rmtree(GUEST, ignore_errors=True)
    GUEST.mkdir()
    run("tar", "-C", GUEST, "-xf", BASE_TAR)
    apt(GUEST, "install", "-y", "--no-install-recommends", *SYSTEMS, *filter(is_debians, wanted_by_install()))
    make_a_desktop()


def make_a_desktop() -> None:
    """Somebody is logged in when it is switched on, and finds a desktop; it is switched on later."""
    inside = ["useradd", "--create-home", "--shell", "/bin/bash", GUEST_OF_DESKTOP]
    run_in(GUEST, lent_but_certificates(), *inside)
    for unit in ("display-manager.service", "graphical.target.wants/lightdm.service"):
        (GUEST / "etc/systemd/system" / unit).unlink(missing_ok=True)
    into = f"[Seat:*]\nautologin-user={GUEST_OF_DESKTOP}\nautologin-user-timeout=0\nautologin-session=labwc\n"
    write(GUEST / "etc/lightdm/lightdm.conf.d/rig.conf", into)
    write(GUEST / "etc/xdg/labwc/environment", "WLR_RENDERER=pixman\n")
    write(GUEST / "etc/xdg/labwc/autostart", "lxsession-xdg-autostart\n")


def is_debians(package: str) -> bool:
    """Raspberry Pi has packages of its own; setup/install.sh does without them, and says so."""
    return bool(re.search(r"^  Candidate: [0-9]", WORKSHOP.run("apt-cache", "policy", package), re.MULTILINE))


def wanted_by_install() -> list[str]:
    """What setup/install.sh installs by apt."""
    lines = re.findall(r'^(?:needed|welcome)="([^"]*)"', INSTALL.read_text(encoding="utf-8"), re.MULTILINE)
    return [name for line in lines for name in line.split()]


def install_tools() -> None:
    apt(WORKSHOP.root, "install", "-y", "--no-install-recommends", *TOOLS)


def apt(root: Path, *words: str) -> None:
    run_in(root, lent_but_certificates(), "apt-get", "-q", *words)


def download_wheels() -> None:
    """For the guest's Python; what Debian has as a package is not asked for."""
    wheels = RIG / "wheels"
    shutil.rmtree(wheels, ignore_errors=True)
    chosen = ["--no-deps", "--only-binary=:all:", "--python-version=3.13", "--implementation=cp", *PLATFORMS]
    lines = constraints().splitlines()
    pins = [line.split(";")[0].split("#")[0].strip() for line in lines if 'python_version < "3.12"' not in line]
    for name in WHEELS:
        pinned = next((pin for pin in pins if pin.startswith(f"{name}==")), name)
        run(*pip(), "download", "--quiet", *chosen, "--dest", wheels, pinned)


# --- The kernel


def make_kernel() -> None:
    """The stock image with its modules, and gpio-sim for it."""
    release = max(path.name.removeprefix("vmlinuz-") for path in (WORKSHOP.root / "boot").glob("vmlinuz-*"))
    modules = KERNEL / "lib/modules"
    shutil.rmtree(KERNEL, ignore_errors=True)
    modules.mkdir(parents=True)
    shutil.copy(WORKSHOP.root / f"boot/vmlinuz-{release}", RIG / "vmlinuz")
    run("cp", "-a", WORKSHOP.root / f"usr/lib/modules/{release}", modules)
    compile_gpio_sim(WORKSHOP, kernel_sources(release), release)
    (modules / release / "extra").mkdir()
    shutil.copy(RIG / "module/gpio-sim-rig.ko", modules / release / "extra")
    WORKSHOP.run("depmod", "--basedir", "/rig/kernel", release)
    (RIG / "release").write_text(release, encoding="utf-8")


def kernel_sources(release: str) -> Path:
    """The packed sources of the very version that runs."""
    series = ".".join(release.split(".")[:2])
    package = f"linux-source-{series}"
    version = run(
        "dpkg-query", f"--admindir={WORKSHOP.root}/var/lib/dpkg", "-Wf", "${Version}", f"linux-image-{release}"
    )
    folder = RIG / "source"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    fetch = 'cd /rig/source && apt-get -q -o APT::Sandbox::User=root download "$1"'
    run_in(WORKSHOP.root, lent_but_certificates(), "sh", "-c", fetch, "sh", f"{package}={version}")
    deb = next(folder.glob("*.deb"), None)
    if deb is None:
        raise RigError(f"the mirror has no {package} {version}.")
    run("dpkg-deb", "--extract", deb, folder)
    deb.unlink()
    return folder / f"usr/src/{package}.tar.xz"


# --- What the virtual machine starts from


def finish_guest() -> None:
    """Modules, wheels, who mounts what, and the rig's own hand, which waits at the control line."""
    release = (RIG / "release").read_text(encoding="utf-8")
    modules = GUEST / "usr/lib/modules"
    shutil.rmtree(modules, ignore_errors=True)
    modules.mkdir(parents=True)
    run("cp", "-a", KERNEL / "lib/modules" / release, modules)
    shutil.rmtree(GUEST / "srv/wheels", ignore_errors=True)
    shutil.copytree(RIG / "wheels", GUEST / "srv/wheels")
    for folder in ("project", "var/lib/companion"):
        (GUEST / folder).mkdir(parents=True, exist_ok=True)
    for folder in ("var/cache/apt/archives", "var/lib/apt/lists", "usr/share/doc", "usr/share/man"):
        shutil.rmtree(GUEST / folder, ignore_errors=True)
    write(GUEST / "etc/fstab", f"/dev/vda / ext4 errors=remount-ro 0 1\n{STATE_IS_MOUNTED}\n")
    write(GUEST / "etc/hostname", "table\n")
    write(GUEST / "etc/pip.conf", "[global]\nno-index = true\nfind-links = /srv/wheels\n")
    write(GUEST / "etc/apt/apt.conf.d/90lent", "")
    write(GUEST / "etc/systemd/journald.conf.d/rig.conf", "[Journal]\nStorage=persistent\nSyncIntervalSec=5s\n")
    units = GUEST / "etc/systemd/system"
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
    pack_initrd(WORKSHOP, (RIG / "release").read_text(encoding="utf-8"), MODULES, HERE / "initrd_init.sh")


def make_overlay_initrd() -> None:
    """The initial RAM disk that Debian makes, with overlayroot in it."""
    release = (RIG / "release").read_text(encoding="utf-8")
    shutil.copy(WORKSHOP.root / f"boot/config-{release}", GUEST / "boot")
    write(GUEST / "etc/initramfs-tools/conf.d/rig", "MODULES=list\nCOMPRESS=gzip\n")
    write(GUEST / "etc/initramfs-tools/modules", "\n".join(MODULES) + "\n")
    run_in(GUEST, lent_but_certificates(), "update-initramfs", "-c", "-k", release)
    (GUEST / f"boot/initrd.img-{release}").replace(RIG / "initrd-overlay.gz")


def make_disks() -> None:
    """The root with its journal, as a Pi's card has it, and an empty disk for the state."""
    for name, size, more in (("root.img", ROOT_MB, ("-d", "/rig/guest")), ("state.img", STATE_MB, STATE_IS_MADE)):
        (RIG / name).unlink(missing_ok=True)
        with (RIG / name).open("wb") as image:
            image.truncate(size << 20)
        WORKSHOP.run("mkfs.ext4", "-q", "-m", "0", *more, f"/rig/{name}")


def constraints() -> str:
    return (PROJECT / "constraints.txt").read_text(encoding="utf-8")


def of_files(*names: str) -> str:
    return "".join((HERE / name).read_text(encoding="utf-8") for name in names)


def steps() -> tuple[Step, ...]:
    return (
        Step("Debian 13 in a folder", make_debian, str(BASE)),
        Step("the guest's root", make_guest, f"{SYSTEMS}{wanted_by_install()}"),
        Step("QEMU and a compiler", install_tools, str(TOOLS)),
        Step("the kernel and gpio-sim", make_kernel, "1"),
        Step("the wheels", download_wheels, f"{WHEELS}{PLATFORMS}{constraints()}"),
        Step("what the guest starts", finish_guest, of_files("rig-hand.service") + STATE_IS_MOUNTED),
        Step("the initial RAM disk", make_initrd, f"{MODULES}{of_files('initrd_init.sh')}"),
        Step("the initial RAM disk of a read-only system", make_overlay_initrd, str(MODULES)),
        Step("the guest's disks", make_disks, f"{ROOT_MB} {STATE_MB} {STATE_IS_MADE}"),
    )


def build() -> None:
    make_all(steps(), BUILT / "stamps")
