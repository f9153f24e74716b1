"""A bare Debian in a chroot, in which `make test` and `make play` have to set themselves up. Needs root, debootstrap.

    make rig-fresh                  Debian 12
    make rig-fresh DEBIAN="12 13"   both

The project is copied in as a clone would have it, with what is not committed yet, and used by somebody without
rights and with an empty home. What this machine needs to reach a mirror and a package index (proxy, certificates,
folders of wheels) is asked of apt, pip and the environment at run time and lent to the chroot, read-only.
The roots are kept under build/.
"""

import os
import re
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from shlex import quote

PROJECT = Path(__file__).parents[3]
ROOTS = PROJECT / "build" / "rigs" / "fresh"
SUITES = {"12": "bookworm", "13": "trixie"}
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

    def is_met_by(self, run: "Run") -> bool:
        return run.code == (2 if self.says else 0) and self.says in run.last_line


CASES = (
    Case("a  venv and ensurepip", packages=("python3-venv",)),
    Case("b  pip, no ensurepip", packages=("python3-pip",)),
    Case("c  neither", packages=()),
    Case("c' neither, no package lists", hidden=(LISTS,)),
    Case("d  neither, and no apt sources", hidden=(LISTS, SOURCES), says="sudo apt install python3-venv"),
    Case("e  venv, no network", packages=("python3-venv",), network=False, says="cannot be reached"),
)


@dataclass(frozen=True, slots=True)
class Run:
    """What one command did in the chroot."""

    code: int
    seconds: float
    output: str

    @property
    def last_line(self) -> str:
        lines = [line for line in self.output.splitlines() if line.strip() and not line.startswith("make: ")]
        return lines[-1] if lines else ""


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def asked(*command: str) -> str:
    """What a command of this machine says; nothing when it is missing or fails."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


# --- What this machine lends


def mirror() -> str:
    targets = asked("apt-get", "indextargets", "--format", "$(ORIGIN) $(REPO_URI)", "Created-By: Packages")
    for target in targets.splitlines():
        origin, _, address = target.partition(" ")
        if origin == "Debian":
            return address
    sys.exit("rig-fresh: apt on this machine names no Debian mirror.")


def apt_settings() -> str:
    wanted = re.compile(r"Acquire::(\w+::Proxy|https?::.*Ca\w+|Check-Valid-Until)\b", re.IGNORECASE)
    return "".join(line + "\n" for line in asked("apt-config", "dump").splitlines() if wanted.match(line))


def pip_settings() -> str:
    """All levels of pip's configuration as one file; the environment goes along by itself."""
    found = re.findall(r"^(\w+)\.([\w-]+)='(.*)'$", asked(sys.executable, "-m", "pip", "config", "list"), re.MULTILINE)
    sections: dict[str, str] = {}
    for section, key, value in found:
        sections[section] = sections.get(section, f"[{section}]\n") + f"{key} = {value}\n"
    return "".join(sections.values())


def environment() -> dict[str, str]:
    wanted = re.compile(r"PIP_\w+|\w+_proxy|SSL_CERT_\w+|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE", re.IGNORECASE)
    return {name: value for name, value in os.environ.items() if wanted.fullmatch(name)}


def lent_paths() -> list[Path]:
    """Every file or folder of this machine that those settings speak of."""
    words = re.split(r"[\s'\"=;]+", " ".join([pip_settings(), apt_settings(), *environment().values()]))
    indexes = [Path(word.removeprefix("file://")).parent for word in words if word.startswith("file://")]
    others = [Path(word) for word in words if word.startswith("/")]
    found = [path for path in dict.fromkeys(indexes + others) if path.exists()]
    return [path for path in found if not any(parent in found for parent in path.parents)]


# --- The chroot


def root_with(suite: str, packages: tuple[str, ...]) -> Path:
    """A Debian with python3, make and these packages: made once, then kept."""
    root = ROOTS / "-".join([suite, *packages])
    if root.exists():
        return root
    say(f"Making {root.relative_to(PROJECT)}")
    part = root.with_name(root.name + ".part")
    if part.exists():
        shutil.rmtree(part)
    debs = ROOTS / "debs" / suite
    debs.mkdir(parents=True, exist_ok=True)
    include = ",".join(["python3", "make", *packages])
    command = ["debootstrap", "--variant=minbase", f"--include={include}", f"--cache-dir={debs}"]
    done = subprocess.run([*command, suite, str(part), mirror()], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"rig-fresh: debootstrap failed.\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    with (part / "etc/passwd").open("a", encoding="utf-8") as passwd:
        passwd.write(f"player:x:{PLAYER}:{PLAYER}::{HOME}:/bin/sh\n")
    part.rename(root)
    return root


def empty(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def lend(root: Path) -> None:
    for name in ("resolv.conf", "hosts"):
        shutil.copyfile(f"/etc/{name}", root / "etc" / name)
    (root / "etc/apt/apt.conf.d/90lent").write_text(apt_settings(), encoding="utf-8")
    (root / "etc/pip.conf").write_text(pip_settings(), encoding="utf-8")


def move_in(root: Path) -> None:
    """An empty home, an empty /tmp and the project as a clone of the work tree would have it."""
    for folder in (root / HOME.lstrip("/"), root / FOLDER.lstrip("/"), root / "tmp", root / "var/tmp"):
        empty(folder)
        os.chown(folder, PLAYER, PLAYER)
    listed = asked("git", "-C", str(PROJECT), "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    for name in filter(None, listed.split("\0")):
        source, copy = PROJECT / name, root / FOLDER.lstrip("/") / name
        if source.exists():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy)
    asked("chown", "-R", f"{PLAYER}:{PLAYER}", str(root / FOLDER.lstrip("/")))


def inside(root: Path, case: Case, command: str) -> Run:
    """Run a shell command as the player; every mount is gone when it ends."""
    script = ["set -e", f"cd {quote(str(root))}", "mount -t proc proc proc"]
    for path in lent_paths():
        here, there = quote(str(path)), quote(f".{path}")
        script += [f"mkdir -p {quote(f'.{path.parent}')}", f"mkdir -p {there}" if path.is_dir() else f": >>{there}"]
        script += [f"mount --bind {here} {there}", f"mount -o remount,bind,ro {there}"]
    script += [f"mount -t tmpfs none .{folder}" for folder in case.hidden]
    settings = {"HOME": HOME, "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **environment()}
    script += ['exec chroot --userspec="$1" . env -i "${@:4}" sh -c "cd \'$2\' && $3" 2>&1']
    words = [f"{PLAYER}:{PLAYER}", FOLDER, command, *(f"{name}={value}" for name, value in settings.items())]
    apart = ["unshare", "--mount", *([] if case.network else ["--net"])]
    start = time.monotonic()
    done = subprocess.run(
        [*apart, "bash", "-c", "\n".join(script), "rig", *words], stdout=subprocess.PIPE, text=True, check=False
    )
    return Run(done.returncode, time.monotonic() - start, done.stdout)


def strays(root: Path) -> list[str]:
    """What the player left outside the project folder and /tmp."""
    kept = [HOME, FOLDER, "/tmp", "/var/tmp"]
    find = ["find", str(root), "-xdev", "-uid", str(PLAYER)]
    found = ["/" + str(Path(line).relative_to(root)) for line in asked(*find).splitlines()]
    return [name for name in found if name not in kept and not name.startswith((FOLDER + "/", "/tmp/", "/var/tmp/"))]


# --- The table


def line_of(case: Case, what: str, run: Run, *, again: Run | None = None) -> str:
    verdict = "as wanted" if case.is_met_by(run) else "WRONG"
    second = f"{again.seconds:8.2f}" if again else " " * 8
    return f"{case.name:32} {what:10} {run.code:4} {verdict:10} {run.seconds:7.1f} {second}  {run.last_line}"


def try_case(suite: str, case: Case) -> bool:
    root = root_with(suite, case.packages)
    lend(root)
    good = True
    for what in ("test", "play"):
        move_in(root)
        first = inside(root, case, f"make {what}")
        again = None if case.says else inside(root, case, f"make ready-to-{what}")
        say(line_of(case, f"make {what}", first, again=again))
        stray = strays(root)
        if stray:
            say(f"{'':32} left outside the folder: {', '.join(stray[:5])}")
        if not case.is_met_by(first):
            say(first.output[-3000:])
        good = good and case.is_met_by(first) and not stray and (again is None or not again.code)
    return good


def main(releases: list[str]) -> int:
    unknown = [release for release in releases if release not in SUITES]
    if unknown:
        sys.exit(f"rig-fresh: no Debian {unknown[0]} here, only {' and '.join(SUITES)}.")
    if os.geteuid() or not shutil.which("debootstrap"):
        sys.exit("rig-fresh: this needs root and debootstrap.")
    good = True
    for release in releases or ["12"]:
        say(f"Debian {release}{'':23} command    exit            seconds  again to set up")
        for case in CASES:
            good = try_case(SUITES[release], case) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
