"""Makes the rig's Debian 13, once: libcamera from Debian, picamera2 from the package index, under build/.

What this machine needs to reach a mirror and an index is asked of apt and pip and lent, as for tests/rigs/fresh.
"""

import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from shlex import quote

from tests.rigs.fresh.bare_debian import apt_settings, environment, lent_paths, mirror, pip_settings
from tests.rigs.gpio.workshop import RigError, prepare_machine, proxies, run, say

PROJECT = Path(__file__).parents[3]
BUILT = PROJECT / "build" / "rigs" / "camera"
SUITE = "trixie"
PYTHON = "/opt/eye/bin/python"
# PiDNG and videodev2, which picamera2 asks for, come as source; nothing of ours needs a compiler.
PACKAGES = (
    "python3-libcamera", "libcamera-ipa", "python3-prctl", "python3-numpy", "python3-pil",
    "python3-jsonschema", "python3-tqdm", "python3-piexif", "python3-libarchive-c", "python3-venv", "python3-dev",
    "gcc", "libc6-dev", "ca-certificates",
)  # fmt: skip
WHEELS = ("picamera2==0.3.38", "opencv-python-headless")
THERE = "/rig/project"
PATH = {
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LC_ALL": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive",
}


def root() -> Path:
    """The root, made if there is none; its name tells what is in it, so that other packages are another root."""
    made = BUILT / "-".join([SUITE, *WHEELS])
    if made.exists():
        return made
    say(f"Making {made.relative_to(PROJECT)}, which takes a few minutes")
    prepare_machine()
    part = BUILT / "part"
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    run("debootstrap", "--variant=minbase", "--include=python3", SUITE, part, mirror(), env=proxies())
    lend_settings(part)
    lent, but_certificates = lent_paths(), lent_but_certificates()
    run_in(part, but_certificates, "apt-get", "update")
    run_in(part, but_certificates, "apt-get", "install", "-y", "--no-install-recommends", *PACKAGES)
    run_in(part, lent, "python3", "-m", "venv", "--system-site-packages", str(Path(PYTHON).parents[1]))
    run_in(part, lent, PYTHON, "-m", "pip", "install", "--no-input", *WHEELS)
    part.rename(made)
    return made


def lent_but_certificates() -> list[Path]:
    """What is lent while the root's own certificates are about to be installed."""
    return [path for path in lent_paths() if not path.is_relative_to("/etc/ssl")]


def lend_settings(root: Path) -> None:
    for name in ("resolv.conf", "hosts"):
        shutil.copyfile(f"/etc/{name}", root / "etc" / name)
    (root / "etc/apt/apt.conf.d/90lent").write_text(apt_settings(), encoding="utf-8")
    (root / "etc/pip.conf").write_text(pip_settings(), encoding="utf-8")


def run_in(root: Path, lent: Iterable[Path], *command: str) -> None:
    done = subprocess.run(
        entered(root, command, {**PATH, **environment()}, lent),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    if done.returncode:
        raise RigError(f"`{' '.join(command)}` ended with {done.returncode} in the rig:\n{done.stdout[-3000:]}")


def entered(root: Path, command: Iterable[str], settings: dict[str, str], lent: Iterable[Path] = ()) -> list[str]:
    """The command that runs a command in the root; mounts and processes are gone when it ends."""
    script = ["set -e", f"cd {quote(str(root))}", "mount -t proc proc proc", "mount -t sysfs -o ro sysfs sys"]
    script += ["mount --rbind /dev dev", "mount -t tmpfs tmp tmp", f"mkdir -p .{THERE}"]
    for path, there in [(PROJECT, THERE), *((path, str(path)) for path in lent)]:
        folder = there if path.is_dir() else str(Path(there).parent)
        script += [f"mkdir -p {quote(f'.{folder}')}", f"[ -e {quote(f'.{there}')} ] || : >{quote(f'.{there}')}"]
        script += [f"mount --bind {quote(str(path))} {quote(f'.{there}')}"]
        script += [f"mount -o remount,bind,ro {quote(f'.{there}')}"]
    script += ['exec chroot . env -i "$@"']
    words = [*(f"{name}={value}" for name, value in settings.items()), *command]
    return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c", "\n".join(script), "rig", *words]
