"""Installs the table companion in a Debian root, uses it, installs it again, takes it away. Needs root and debootstrap.

    make rig-install                 Debian 13
    make rig-install DEBIAN="12 13"  both

The root is a folder, not a machine: nothing is booted there (`make rig-appliance` does that), and packages that only
Raspberry Pi has are missing. What the steps leave is looked at after each.
"""

import shutil
import sys
from pathlib import Path

from tests.rigs.debian import SUITES, Manner, Recipe, kept
from tests.rigs.running import BUILT as RIGS
from tests.rigs.running import PROJECT, RigError, conclude, rooms, say

BUILT = RIGS / "install"
PACKAGES = ("systemd", "systemd-sysv", "udev", "ca-certificates", "passwd")
INSTALL = "/rig/project/setup/install.sh"
BOARD = ("companion-board.service", "companion-broker.service")  # where [board] is on
UNITS = tuple(
    path.name
    for path in (PROJECT / "systemd").glob("*.service")
    if "desktop" not in path.name and path.name not in BOARD
)
OURS = ("opt/companion", "etc/companion", "etc/udev/rules.d", "etc/modules-load.d", "var/lib/companion", "var/log")
SPREAD = ("etc/systemd", "etc/xdg/autostart", "usr/share/applications")
MATCHES = "var/lib/companion/journal.sqlite3"
# Keys of our units that the systemd of a release does not know, and leaves out as it says.
NEWER = {"bookworm": ("RestartMode", "RestartSteps", "RestartMaxDelaySec")}


class Computer:
    """A Debian that is used up by this."""

    def __init__(self, suite: str) -> None:
        self.suite = suite
        self.root = kept(Recipe(suite, PACKAGES), BUILT / suite).copied_to(BUILT / f"{suite}-used")
        self.path = self.root.path

    def must(self, *command: str, user: str = "", code: int = 0) -> str:
        done = self.root.run(*command, manner=Manner(user=user))
        say(f"  {done.seconds:6.1f} s  exit {done.code}  {' '.join(command).replace('/rig/project/', '')}")
        if done.code != code:
            log = self.path / "var/log/companion-install.log"
            raise RigError(f"{done.text[-2000:]}\n{log.read_text()[-3000:] if log.exists() else ''}")
        return done.text

    def verified(self, *units: str) -> str:
        """What systemd-analyze has to say of them; that of Debian 12 ends with 1 for keys that it does not know."""
        told = self.root.run("systemd-analyze", "verify", "--recursive-errors=no", "--man=no", *units).text
        return without_newer_keys(told, self.suite)

    def files(self) -> set[str]:
        """What of ours is there."""
        roots = [self.path / name for name in (*OURS, *SPREAD)]
        found = [path.relative_to(self.path) for root in roots for path in root.rglob("*") if "venv" not in path.parts]
        return {str(path) for path in found if "companion" in str(path) or path.name == "default.target"}

    def text(self, name: str) -> str:
        return (self.path / name).read_text(encoding="utf-8")


def without_newer_keys(told: str, suite: str) -> str:
    known = [f"Unknown key '{key}' in section [Service], ignoring." for key in NEWER.get(suite, ())]
    return "\n".join(line for line in told.splitlines() if not line.endswith(tuple(known)))


def expect(condition: bool, sentence: str) -> None:
    if not condition:
        raise RigError(sentence)


def try_suite(suite: str) -> None:
    say(f"Debian {suite}")
    computer = Computer(suite)
    before = computer.files()
    computer.must("env", "DRY_RUN=1", INSTALL, user="nobody")
    expect(computer.files() == before, "a dry run has changed something.")
    expect(
        "Only root may do that" in computer.must(INSTALL, user="nobody", code=2), "somebody without rights got further."
    )
    strictly = ("sh", "-c", f"umask 077; exec {INSTALL}")  # what others may read does not hang on who installs
    say(indented(computer.must(*strictly)))
    look_at(computer)
    settings = computer.path / "etc/companion/table.toml"
    settings.write_text(settings.read_text() + "\n# mine\n", encoding="utf-8")
    kept = (computer.path / MATCHES).read_bytes()
    say(indented(computer.must(INSTALL)))
    expect(computer.text("etc/companion/table.toml").endswith("# mine\n"), "table.toml was overwritten.")
    expect((computer.path / MATCHES).read_bytes() == kept, "the games are not what they were.")
    computer.must("/opt/companion/venv/bin/companion", "--version", user="companion")
    as_wished(computer)
    with_board(computer)
    over_and_back(computer)
    fails_half_way(computer)
    say(indented(computer.must(INSTALL, "--uninstall")))
    expect((computer.path / MATCHES).read_bytes() == kept, "the games are gone.")
    expect(not (computer.path / "opt/companion").exists(), "the programs are still there.")
    expect(not any("companion" in name for name in computer.files() if "systemd" in name), "a unit is still there.")
    computer.must(INSTALL, "--uninstall", "--games-too")
    expect(computer.files() == before, f"something is left: {sorted(computer.files() - before)[:5]}")


def as_wished(computer: Computer) -> None:
    """What table.toml wants of systemd is let through, and closed again when it does not."""
    settings = computer.path / "etc/companion/table.toml"
    before, usual = settings.read_text(), computer.files()
    wishes = '[journal]\nfile = "/mnt/games/journal.sqlite3"\n[backup]\nfolder = "/mnt/copies"\n[publish]\non = true\n'
    settings.write_text(f'{wishes}host = "broker.example"\n', encoding="utf-8")
    computer.must(INSTALL, "--no-apt")
    units = computer.path / "etc/systemd/system"
    for unit, file, line in (
        ("companion", "journal.conf", 'ReadWritePaths="-/mnt/games"'),
        ("companion-backup@", "journal.conf", 'ReadWritePaths="-/mnt/games"'),
        ("companion-backup@", "folder.conf", 'ReadWritePaths="-/mnt/copies"'),
        ("companion", "publish.conf", "IPAddressDeny="),
    ):
        lines = (units / f"{unit}.service.d" / file).read_text(encoding="utf-8").splitlines()
        expect(line in lines, f"{unit}'s {file} does not say {line}.")
    told = computer.verified("companion-backup@.service")
    expect(not told.strip(), f"systemd-analyze verify: {told}")
    settings.write_text(before, encoding="utf-8")
    computer.must(INSTALL, "--no-apt")
    expect(computer.files() == usual, "a drop-in stays though nobody wants it.")


def with_board(computer: Computer) -> None:
    """A broker and a page come with one switch, work, and go with it."""
    settings = computer.path / "etc/companion/table.toml"
    before, usual = settings.read_text(), computer.files()
    settings.write_text("[board]\non = true\nlan = true\n", encoding="utf-8")
    said = computer.must(INSTALL)
    expect("everybody in this network" in said, f"it does not say to whom the page is open: {said}")
    told = computer.verified(*(f"/etc/systemd/system/{unit}" for unit in (*BOARD, "companion.service")))
    expect(not told.strip(), f"systemd-analyze verify: {told}")
    say(indented(computer.must("/opt/companion/venv/bin/python", "/rig/project/tests/rigs/install/board_inside.py")))
    settings.write_text(before, encoding="utf-8")
    computer.must(INSTALL, "--no-apt")
    left = {name for name in computer.files() ^ usual if not name.startswith(("etc/companion/broker", "var/lib"))}
    expect(not left, f"the board left something: {sorted(left)[:5]}")


def over_and_back(computer: Computer) -> None:
    """From the console into the session of a desktop, and back."""
    console = computer.files()
    computer.must(INSTALL, "--no-apt", "--desktop")
    there = {Path(name).name for name in computer.files() if not name.startswith("opt/")}
    expect({"companion-desktop.service", "companion.desktop"} <= there, "there is no table in the desktop's session.")
    expect(not {"companion.service", "90-companion-stick.rules"} & there, "there is one on the console still.")
    computer.must(INSTALL, "--no-apt", "--console")
    unlike = computer.files() ^ console
    expect(not unlike, f"not as it was before: {sorted(unlike)[:5]}")


def fails_half_way(computer: Computer) -> None:
    """A newer version that does not work leaves the one that does."""
    broken = computer.path / "broken"
    shutil.rmtree(broken, ignore_errors=True)
    broken.mkdir()
    for part in (*rooms(), "models", "systemd", "setup"):
        shutil.copytree(PROJECT / part, broken / part, ignore=shutil.ignore_patterns("__pycache__"))
    for part in ("pyproject.toml", "constraints.txt"):
        shutil.copy(PROJECT / part, broken)
    (broken / "companion/inputs/presses.py").write_text("import what_is_not_there\n", encoding="utf-8")
    before = computer.files()
    told = computer.must("/broken/setup/install.sh", "--no-apt", code=2)
    expect("This did not work" in told, told)
    expect(computer.files() - {"opt/companion/app.new"} >= before, "something of the old version is gone.")
    computer.must("/opt/companion/venv/bin/companion", "--version", user="companion")
    shutil.rmtree(broken)


def look_at(computer: Computer) -> None:
    """What was installed, and whether it works."""
    say(indented(computer.must("id", "companion")))
    computer.must("install", "-d", "-o", "companion", "-m", "750", "/var/lib/companion")  # systemd does it at the start
    units = [f"/etc/systemd/system/{unit}" for unit in UNITS]
    told = computer.verified(*units)
    expect(not told.strip(), f"systemd-analyze verify: {told}")
    for unit in ("companion.service", "companion-backup@.service"):
        file = f"/etc/systemd/system/{unit}"
        told = computer.must("systemd-analyze", "security", "--offline=true", "--threshold=20", file)
        say(indented(told.strip().splitlines()[-1]))
    look = "/rig/project/tests/rigs/install/inside.py"
    say(indented(computer.must("/opt/companion/venv/bin/python", look, user="companion")))


def indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.rstrip().splitlines())


def main(releases: list[str]) -> int:
    for release in releases or ["13"]:
        if release not in SUITES:
            raise RigError(f"no Debian {release} here, only {' and '.join(SUITES)}.")
        try_suite(SUITES[release])
    return 0


if __name__ == "__main__":
    conclude("install", lambda: main(sys.argv[1:]))
