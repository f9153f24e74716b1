"""Debian roots: which release, for which processor, with which packages; made, kept, copied, and run in.

debootstrap makes one base of each release and kind of processor, under .cache/rigs, where downloaded packages are kept
too. Each rig has a copy of a base in a folder of its own, in which apt installs what the rig wants. A base for other
processors than this computer's is unpacked and never set up, because that would take such a processor.

A command in a root sees its own processes, this computer's devices, an empty /tmp, the project at /rig/project (which
it cannot change), and what this computer lends. All of that is gone when the command ends.
"""

import fcntl
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from shlex import quote

from tests.rigs.lending import environment, lent, mirror, proxies
from tests.rigs.running import PROJECT, RigError, asked, run, say

CACHE = PROJECT / ".cache" / "rigs"
SUITES = {"12": "bookworm", "13": "trixie"}
ALWAYS = ("python3", "make")  # what the two commands of README.md need
THERE = "/rig/project"
PATH = {
    "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
    "HOME": "/root",
    "LC_ALL": "C.UTF-8",
    "DEBIAN_FRONTEND": "noninteractive",
}
GROUPS = {"nobody": "nogroup"}  # of users that have no group of their own name


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a root is made of."""

    suite: str
    packages: tuple[str, ...] = ()  # besides ALWAYS and what is essential
    kind: str = ""  # of processor, as dpkg calls it; this computer's if none is named


@dataclass(frozen=True, slots=True)
class Manner:
    """How a command is run in a root."""

    user: str = ""  # root's rights if none is named
    settings: Mapping[str, str] = field(default_factory=dict)  # of the environment, over PATH
    hidden: tuple[str, ...] = ()  # folders that look empty
    shown: Mapping[str, Path] = field(default_factory=dict)  # more of this computer, read-only
    written: Mapping[str, Path] = field(default_factory=dict)  # the same, and the command may write there
    certificates: bool = True  # those that this computer lends
    network: bool = True


USUAL = Manner()


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command in a root ended."""

    code: int
    text: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Root:
    """A Debian in a folder."""

    path: Path

    @property
    def rig(self) -> Path:
        """A folder in it for what a rig makes there."""
        return self.path / "rig"

    def plain(self, *words: str) -> list[str]:
        """The command that runs one in the root without anything being mounted: a process that is there for long, or
        that must not see this computer."""
        return ["chroot", str(self.path), *words]

    def run(self, *command: str, manner: Manner = USUAL) -> Ended:
        began = time.monotonic()
        done = subprocess.run(
            entered(self.path, command, manner), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", check=False,
        )  # fmt: skip
        return Ended(done.returncode, done.stdout, time.monotonic() - began)

    def must(self, *command: str, manner: Manner = USUAL) -> str:
        """What a command says that must end well."""
        done = self.run(*command, manner=manner)
        if done.code:
            raise RigError(f"`{' '.join(command)}` ended with {done.code} in {self.path}:\n{done.text[-3000:]}")
        return done.text

    def apt(self, *words: str) -> str:
        """apt-get of the root; packages come from the cache of all roots, where they were there before."""
        suite, kind = self.must(
            "sh", "-c", ". /etc/os-release; echo $VERSION_CODENAME; dpkg --print-architecture"
        ).split()
        kept = {"/var/cache/apt/archives": _packages(suite, kind)}
        how = ("-q", "-y", "--no-install-recommends", "-o", "APT::Sandbox::User=root")
        return self.must("apt-get", *how, *words, manner=Manner(certificates=False, written=kept))

    def install(self, packages: Sequence[str]) -> None:
        self.apt("update")
        self.apt("install", *packages)

    def unpack(self, package: str, version: str, folder: Path) -> None:
        """The files of a package alone: nothing of it is set up."""
        there = self.rig / "fetched"
        emptied(there)
        fetch = 'cd /rig/fetched && apt-get -q -o APT::Sandbox::User=root download "$1"'
        self.must("sh", "-c", fetch, "sh", f"{package}={version}", manner=Manner(certificates=False))
        run("dpkg-deb", "--extract", next(there.glob("*.deb")), folder)
        shutil.rmtree(there)

    def copied_to(self, path: Path) -> "Root":
        """The same root once more, to be used up."""
        shutil.rmtree(path, ignore_errors=True)
        path.parent.mkdir(parents=True, exist_ok=True)
        run("cp", "-a", "--reflink=auto", self.path, path)
        return Root(path)


def emptied(folder: Path) -> Path:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def entered(root: Path, command: Sequence[str], manner: Manner = USUAL) -> list[str]:
    """The command that runs a command in a root; mounts and processes are gone when it ends."""
    shown = {THERE: PROJECT, **lent(certificates=manner.certificates), **manner.shown}
    script = ["set -e", f"cd {quote(str(root))}", "mount -t proc proc proc", "mount -t sysfs -o ro sysfs sys"]
    script += ["mount --rbind /dev dev", "mount -t tmpfs tmp tmp"]
    script += [line for there, path in shown.items() for line in (*_bound(path, there), _made_read_only(there))]
    script += [line for there, path in manner.written.items() for line in _bound(path, there)]
    script += [f"mount -t tmpfs none .{folder}" for folder in manner.hidden]
    script += [
        'chroot . env -i "$@" || exit',
        "exit 0",
    ]  # not exec: the shell collects processes that lost their parent
    settings = {**PATH, **environment(), **manner.settings}
    words = [*(f"{name}={value}" for name, value in settings.items()), *_as_user(manner.user), *command]
    apart = ["unshare", "--mount", "--pid", "--fork", "--kill-child", *([] if manner.network else ["--net"])]
    return [*apart, "bash", "-c", "\n".join(script), "rig", *words]


def _bound(path: Path, there: str) -> list[str]:
    here, there = quote(str(path)), quote(f".{there}")
    place = f"mkdir -p {there}" if path.is_dir() else f'mkdir -p "$(dirname {there})"; [ -e {there} ] || : >{there}'
    return [place, f"mount --bind {here} {there}"]


def _made_read_only(there: str) -> str:
    return f"mount -o remount,bind,ro {quote(f'.{there}')}"


def _as_user(user: str) -> list[str]:
    return ["setpriv", f"--reuid={user}", f"--regid={GROUPS.get(user, user)}", "--init-groups"] if user else []


# --- Made once, then kept


def make(recipe: Recipe, place: Path) -> Root:
    """A root of that recipe at that place, whatever was there before."""
    root = _base(recipe.suite, recipe.kind or own_kind()).copied_to(place)
    root.rig.mkdir()
    if recipe.packages:
        root.install(recipe.packages)
    return root


def kept(recipe: Recipe, place: Path) -> Root:
    """The root at that place, made if none is there that is of this recipe."""
    stamp, text = place.with_name(place.name + ".recipe"), repr(recipe)
    if place.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == text:
        return Root(place)
    stamp.unlink(missing_ok=True)
    say(f"Making {place.relative_to(PROJECT)}")
    root = make(recipe, place)
    stamp.write_text(text, encoding="utf-8")
    return root


def forget() -> None:
    """Take the bases away; downloaded packages stay."""
    with _kept_to_ourselves():
        shutil.rmtree(CACHE / "bases", ignore_errors=True)


@cache
def own_kind() -> str:
    """This computer's kind of processor, as dpkg calls it; nothing where there is no dpkg."""
    return asked("dpkg", "--print-architecture").strip()


def _packages(suite: str, kind: str) -> Path:
    """Where downloaded packages are kept."""
    folder = CACHE / "packages" / f"{suite}-{kind}"
    (folder / "partial").mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def _kept_to_ourselves() -> Iterator[None]:
    """Whoever else wants a base waits until it is made."""
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _base(suite: str, kind: str) -> Root:
    place = CACHE / "bases" / f"{suite}-{kind}"
    with _kept_to_ourselves():
        if not place.exists():
            say(f"Making {place.relative_to(PROJECT)}, once")
            part = place.with_name(f"{place.name}.part")
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir(parents=True)
            _bootstrap(suite, kind, part)
            part.rename(place)
    return Root(place)


def _bootstrap(suite: str, kind: str, folder: Path) -> None:
    is_foreign = kind != own_kind()
    how = ["--variant=minbase", f"--include={','.join(ALWAYS)}", f"--arch={kind}", *(["--foreign"] * is_foreign)]
    run("debootstrap", *how, f"--cache-dir={_packages(suite, kind)}", suite, folder, mirror(), env=proxies())
    if is_foreign:
        _unpack_all(folder)
    for deb in (folder / "var/cache/apt/archives").glob("*.deb"):
        deb.unlink()


def _unpack_all(root: Path) -> None:
    """What debootstrap has downloaded for other processors, into folders that are links (/lib, /bin), as dpkg would."""
    proc = root / "proc"
    if proc.is_symlink():  # to this computer's, until the root is set up, which it never is
        proc.unlink()
        proc.mkdir()
    here = 'dpkg-deb --fsys-tarfile "$1" | tar -x --keep-directory-symlink -C "$2"'
    for deb in sorted((root / "var/cache/apt/archives").glob("*.deb")):
        run("bash", "-o", "pipefail", "-c", here, "bash", deb, root)
