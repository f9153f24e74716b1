"""The workshop: a Debian 12 in a folder with QEMU, a compiler and the kernel's headers, so that the machine needs none.

Everything in it is fetched with this machine's own apt settings (mirrors, proxies, keys) and run with chroot.
Commands given to `Workshop.run` see the workshop's root; its folder /rig is where all that is made lies.
"""

import fcntl
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

SUITE = "bookworm"
INSIDE = {
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LC_ALL": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive",
}


class RigError(Exception):
    """The rig cannot be made or run here; the message says why."""


@contextmanager
def alone(made: Path) -> Iterator[None]:
    """One rig of a kind at a time in one work tree; an end by a signal is an end with a tidy-up."""
    if os.geteuid():
        raise RigError("the rig needs root, for debootstrap and chroot.")
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    made.parent.mkdir(parents=True, exist_ok=True)
    with made.with_suffix(".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RigError("another one is running in this folder.") from None
        yield


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def run(*command: str | Path, env: dict[str, str] | None = None) -> str:
    """What a command says; a RigError with the end of it when it fails."""
    words = [str(word) for word in command]
    try:
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False, env=env)
    except FileNotFoundError:
        raise RigError(f"{words[0]} is missing on this machine.") from None
    if done.returncode:
        raise RigError(f"`{' '.join(words)}` ended with {done.returncode}:\n{done.stdout[-3000:]}")
    return done.stdout


# --- What this machine knows


def mirror() -> str:
    """The mirror that apt on this machine takes Debian from."""
    targets = run("apt-get", "indextargets", "--format", "$(ORIGIN) $(CODENAME) $(REPO_URI)", "Created-By: Packages")
    for target in targets.splitlines():
        origin, codename, address = target.split(" ", 2)
        if (origin, codename) == ("Debian", SUITE):
            return address
    raise RigError(f"apt on this machine names no mirror of Debian {SUITE}; the rig needs a Debian 12.")


def proxies() -> dict[str, str]:
    """The environment with apt's proxies in it, because debootstrap does not ask apt."""
    found = dict(os.environ)
    for scheme in ("http", "https"):
        answer = re.search(r"'(.+)'", run("apt-config", "shell", "found", f"Acquire::{scheme}::Proxy"))
        if answer and answer[1] != "DIRECT":
            found.setdefault(f"{scheme}_proxy", answer[1])
    return found


@cache
def prepare_machine() -> None:
    """Package lists and debootstrap: all that is wanted of the machine itself."""
    if run("dpkg", "--print-architecture").strip() != "amd64":
        raise RigError("the rig is made of Debian's amd64 packages, and this machine is of another kind.")
    run("apt-get", "update")
    if not shutil.which("debootstrap"):
        run("apt-get", "install", "-y", "--no-install-recommends", "debootstrap")


# --- The workshop


@dataclass(frozen=True, slots=True)
class Workshop:
    """A root to change into, and how to put packages there."""

    root: Path

    @property
    def rig(self) -> Path:
        return self.root / "rig"

    def command(self, *words: str) -> list[str]:
        return ["chroot", str(self.root), *words]

    def run(self, *words: str) -> str:
        return run(*self.command(*words), env=INSIDE)

    def bootstrap(self, packages: Sequence[str]) -> None:
        shutil.rmtree(self.root, ignore_errors=True)
        self.root.mkdir(parents=True)
        include = f"--include={','.join(packages)}"
        run("debootstrap", "--variant=minbase", include, SUITE, self.root, mirror(), env=proxies())
        self.rig.mkdir()

    def apt(self, *words: str) -> str:
        """This machine's apt-get, with its settings, seeing what is installed in the workshop."""
        archives = self.root / "var/cache/apt/archives"
        return run(
            "apt-get", "-q", "-y", "--no-install-recommends",
            "-o", f"Dir::State::status={self.root}/var/lib/dpkg/status",
            "-o", f"Dir::Cache::archives={archives}",
            "-o", "Dir::Cache::pkgcache=",
            "-o", "Dir::Cache::srcpkgcache=",
            "-o", "APT::Sandbox::User=root",
            *words,
        )  # fmt: skip

    def install(self, packages: Sequence[str]) -> None:
        prepare_machine()
        archives = self.root / "var/cache/apt/archives"
        for old in archives.glob("*.deb"):
            old.unlink()
        self.apt("install", "--download-only", *packages)
        debs = sorted(f"/var/cache/apt/archives/{deb.name}" for deb in archives.glob("*.deb"))
        if debs:
            self.run("dpkg", "--force-unsafe-io", "--install", *debs)
        for deb in archives.glob("*.deb"):
            deb.unlink()

    def unpack(self, package: str, version: str, folder: Path) -> None:
        """A package's files alone: nothing of it is set up."""
        fetched = folder.with_name(folder.name + ".debs")
        shutil.rmtree(fetched, ignore_errors=True)
        fetched.mkdir(parents=True)
        here = ["sh", "-c", 'cd "$1" && apt-get -q -o APT::Sandbox::User=root download "$2"', "sh"]
        run(*here, fetched, f"{package}={version}")
        run("dpkg-deb", "--extract", next(fetched.glob("*.deb")), folder)
        shutil.rmtree(fetched)


def versions(package: str) -> list[str]:
    """What the mirrors have of a package, newest first."""
    rows = run("apt-cache", "madison", package).splitlines()
    return [row.split("|")[1].strip() for row in rows if row.count("|") == 2 and row.split("|")[2].endswith("Packages")]


def depends_on(package: str, version: str, pattern: str) -> str:
    """The first package matching the pattern that this one depends on."""
    shown = run("apt-cache", "show", f"{package}={version}")
    depends = re.search(r"^Depends: (.*)$", shown, re.MULTILINE)
    for word in re.split(r"[ ,|]+", depends[1]) if depends else []:
        if re.fullmatch(pattern, word):
            return word
    raise RigError(f"{package} {version} depends on nothing like {pattern}.")
