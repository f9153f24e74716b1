"""A bare Debian in a chroot, in which `make test` and `make play` have to set themselves up. Needs root, debootstrap.

    make rig-fresh                  Debian 12
    make rig-fresh DEBIAN="12 13"   both

The project is copied in as a clone would have it, with what is not committed yet, and used by somebody without
rights and with an empty home, in a root that is made anew for each case.
"""

import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.rigs.debian import SUITES, Ended, Manner, Recipe, Root, emptied, kept
from tests.rigs.running import BUILT as RIGS
from tests.rigs.running import PROJECT, RigError, asked, conclude, say

BUILT = RIGS / "fresh"
PLAYER = 1000
HOME = "/home/player"
FOLDER = "/srv/table companion"  # with a space, which must not matter

LISTS = "/var/lib/apt/lists"
SOURCES = "/etc/apt"


@dataclass(frozen=True, slots=True)
class Case:
    """What is on the machine besides python3 and make, and how the set-up should end."""

    name: str
    packages: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()  # folders that look empty
    network: bool = True
    says: str = ""  # the refusal, where it cannot work

    def is_met_by(self, run: Ended) -> bool:
        return run.code == (2 if self.says else 0) and self.says in last_line(run)


CASES = (
    Case("a  venv and ensurepip", packages=("python3-venv",)),
    Case("b  pip, no ensurepip", packages=("python3-pip",)),
    Case("c  neither", packages=()),
    Case("c' neither, no package lists", hidden=(LISTS,)),
    Case("d  neither, and no apt sources", hidden=(LISTS, SOURCES), says="sudo apt install python3-venv"),
    Case("e  venv, no network", packages=("python3-venv",), network=False, says="cannot be reached"),
)


# --- The root


def root_with(suite: str, packages: tuple[str, ...]) -> Root:
    """A Debian with python3, make and these packages, and with somebody without rights in it."""
    bare = kept(Recipe(suite, packages), BUILT / "-".join([suite, *packages]))
    root = bare.copied_to(BUILT / f"{suite}-used")
    for name, line in (("passwd", f"player:x:{PLAYER}:{PLAYER}::{HOME}:/bin/sh"), ("group", f"player:x:{PLAYER}:")):
        with (root.path / "etc" / name).open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
    return root


def move_in(root: Path) -> None:
    """An empty home, an empty /var/tmp and the project as a clone of the work tree would have it."""
    for folder in (root / HOME.lstrip("/"), root / FOLDER.lstrip("/"), root / "var/tmp"):
        os.chown(emptied(folder), PLAYER, PLAYER)
    listed = asked("git", "-C", str(PROJECT), "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in filter(None, listed.split("\0")):
        source, copy = PROJECT / name, root / FOLDER.lstrip("/") / name
        if source.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy)
    asked("chown", "-R", f"{PLAYER}:{PLAYER}", str(root / FOLDER.lstrip("/")))


def inside(root: Root, case: Case, command: str) -> Ended:
    """Run a shell command in the project's folder as the player."""
    settings = {"HOME": HOME, "PATH": "/usr/bin:/bin", "LC_ALL": "", "LANG": "C.UTF-8"}
    manner = Manner(user="player", settings=settings, hidden=case.hidden, network=case.network)
    return root.run("sh", "-c", f"cd '{FOLDER}' && {command}", manner=manner)


def last_line(run: Ended) -> str:
    lines = [line for line in run.text.splitlines() if line.strip() and not line.startswith("make: ")]
    return lines[-1] if lines else ""


def strays(root: Path) -> list[str]:
    """What the player left outside the project folder and /var/tmp."""
    kept_there = [HOME, FOLDER, "/var/tmp"]
    find = ["find", str(root), "-xdev", "-uid", str(PLAYER)]
    found = ["/" + str(Path(line).relative_to(root)) for line in asked(*find).splitlines()]
    return [name for name in found if name not in kept_there and not name.startswith((f"{FOLDER}/", "/var/tmp/"))]


# --- The table


def line_of(case: Case, what: str, run: Ended, *, again: Ended | None = None) -> str:
    verdict = "as wanted" if case.is_met_by(run) else "WRONG"
    second = f"{again.seconds:8.2f}" if again else " " * 8
    return f"{case.name:32} {what:10} {run.code:4} {verdict:10} {run.seconds:7.1f} {second}  {last_line(run)}"


def try_case(suite: str, case: Case) -> bool:
    root = root_with(suite, case.packages)
    good = True
    for what in ("test", "play"):
        move_in(root.path)
        first = inside(root, case, f"make {what}")
        again = None if case.says else inside(root, case, f"make ready-to-{what}")
        say(line_of(case, f"make {what}", first, again=again))
        stray = strays(root.path)
        if stray:
            say(f"{'':32} left outside the folder: {', '.join(stray[:5])}")
        if not case.is_met_by(first):
            say(first.text[-3000:])
        good = good and case.is_met_by(first) and not stray and (again is None or not again.code)
    return good


def main(releases: list[str]) -> int:
    good = True
    for release in releases or ["12"]:
        if release not in SUITES:
            raise RigError(f"no Debian {release} here, only {' and '.join(SUITES)}.")
        say(f"Debian {release}{'':23} command    exit            seconds  again to set up")
        for case in CASES:
            good = try_case(SUITES[release], case) and good
    return 0 if good else 1


if __name__ == "__main__":
    conclude("fresh", lambda: main(sys.argv[1:]))
