"""Installs the table companion in a Debian root, uses it, installs it again, takes it away. Needs root and debootstrap.

    make rig-install                 Debian 13
    make rig-install DEBIAN="12 13"  both

The root is a folder, not a machine: nothing is booted there (`make rig-appliance` does that), and packages that only
Raspberry Pi has are missing. What the steps leave is looked at after each.
"""

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from tests.rigs.camera.build import PATH, entered, lend_settings
from tests.rigs.fresh.bare_debian import SUITES, environment, lent_paths, mirror
from tests.rigs.gpio.workshop import RigError, alone, prepare_machine, proxies, run, say

PROJECT = Path(__file__).parents[3]
BUILT = PROJECT / "build" / "rigs" / "install"
BASE = "python3,make,systemd,systemd-sysv,udev,ca-certificates,passwd"
INSTALL = "/rig/project/setup/install.sh"
UNITS = tuple(path.name for path in (PROJECT / "systemd").glob("*.service") if "desktop" not in path.name)
OURS = ("opt/companion", "etc/companion", "etc/udev/rules.d", "etc/modules-load.d", "var/lib/companion", "var/log")
SPREAD = ("etc/systemd", "etc/xdg/autostart", "usr/share/applications")
MATCHES = "var/lib/companion/journal.sqlite3"


class Root:
    """A Debian that is used up by this."""

    def __init__(self, suite: str) -> None:
        base = BUILT / suite
        if not base.exists():
            say(f"Making {base.relative_to(PROJECT)}")
            prepare_machine()
            part = BUILT / f"{suite}.part"
            shutil.rmtree(part, ignore_errors=True)
            part.mkdir(parents=True)
            run("debootstrap", "--variant=minbase", f"--include={BASE}", suite, part, mirror(), env=proxies())
            part.rename(base)
        self.path = BUILT / f"{suite}-used"
        shutil.rmtree(self.path, ignore_errors=True)
        run("cp", "-a", "--reflink=auto", base, self.path)
        lend_settings(self.path)

    def run(self, *command: str, user: str = "") -> tuple[int, str, float]:
        group = "nogroup" if user == "nobody" else user
        words = ["setpriv", f"--reuid={user}", f"--regid={group}", "--init-groups", *command] if user else [*command]
        began = time.monotonic()
        done = subprocess.run(
            entered(self.path, words, {**PATH, **environment()}, lent_paths()),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout, time.monotonic() - began

    def must(self, *command: str, user: str = "", code: int = 0) -> str:
        found, told, seconds = self.run(*command, user=user)
        say(f"  {seconds:6.1f} s  exit {found}  {' '.join(command).replace('/rig/project/', '')}")
        if found != code:
            log = self.path / "var/log/companion-install.log"
            raise RigError(f"{told[-2000:]}\n{log.read_text()[-3000:] if log.exists() else ''}")
        return told

    def files(self) -> set[str]:
        """What of ours is there."""
        roots = [self.path / name for name in (*OURS, *SPREAD)]
        found = [path.relative_to(self.path) for root in roots for path in root.rglob("*") if "venv" not in path.parts]
        return {str(path) for path in found if "companion" in str(path) or path.name == "default.target"}

    def text(self, name: str) -> str:
        return (self.path / name).read_text(encoding="utf-8")


def expect(condition: bool, sentence: str) -> None:
    if not condition:
        raise RigError(sentence)


def try_suite(suite: str) -> None:
    say(f"Debian {suite}")
    root = Root(suite)
    before = root.files()
    root.must("env", "DRY_RUN=1", INSTALL, user="nobody")
    expect(root.files() == before, "a dry run has changed something.")
    expect("Only root may do that" in root.must(INSTALL, user="nobody", code=2), "somebody without rights got further.")
    strictly = ("sh", "-c", f"umask 077; exec {INSTALL}")  # what others may read does not hang on who installs
    say(indented(root.must(*strictly)))
    look_at(root)
    settings = root.path / "etc/companion/table.toml"
    settings.write_text(settings.read_text() + "\n# mine\n", encoding="utf-8")
    kept = (root.path / MATCHES).read_bytes()
    say(indented(root.must(INSTALL)))
    expect(root.text("etc/companion/table.toml").endswith("# mine\n"), "table.toml was overwritten.")
    expect((root.path / MATCHES).read_bytes() == kept, "the games are not what they were.")
    root.must("/opt/companion/venv/bin/companion", "--version", user="companion")
    as_wished(root)
    over_and_back(root)
    fails_half_way(root)
    say(indented(root.must(INSTALL, "--uninstall")))
    expect((root.path / MATCHES).read_bytes() == kept, "the games are gone.")
    expect(not (root.path / "opt/companion").exists(), "the programs are still there.")
    expect(not any("companion" in name for name in root.files() if "systemd" in name), "a unit is still there.")
    root.must(INSTALL, "--uninstall", "--games-too")
    expect(root.files() == before, f"something is left: {sorted(root.files() - before)[:5]}")


def as_wished(root: Root) -> None:
    """What table.toml wants of systemd is let through, and closed again when it does not."""
    settings = root.path / "etc/companion/table.toml"
    before, usual = settings.read_text(), root.files()
    wishes = '[journal]\nfile = "/mnt/games/journal.sqlite3"\n[backup]\nfolder = "/mnt/copies"\n[publish]\non = true\n'
    settings.write_text(f'{wishes}host = "broker.example"\n', encoding="utf-8")
    root.must(INSTALL, "--no-apt")
    units = root.path / "etc/systemd/system"
    for unit, file, line in (
        ("companion", "journal.conf", 'ReadWritePaths="-/mnt/games"'),
        ("companion-backup@", "journal.conf", 'ReadWritePaths="-/mnt/games"'),
        ("companion-backup@", "folder.conf", 'ReadWritePaths="-/mnt/copies"'),
        ("companion", "publish.conf", "IPAddressDeny="),
    ):
        lines = (units / f"{unit}.service.d" / file).read_text(encoding="utf-8").splitlines()
        expect(line in lines, f"{unit}'s {file} does not say {line}.")
    _, told, _ = root.run("systemd-analyze", "verify", "--recursive-errors=no", "--man=no", "companion-backup@.service")
    expect(not told.strip(), f"systemd-analyze verify: {told}")
    settings.write_text(before, encoding="utf-8")
    root.must(INSTALL, "--no-apt")
    expect(root.files() == usual, "a drop-in stays though nobody wants it.")


def over_and_back(root: Root) -> None:
    """From the console into the session of a desktop, and back."""
    console = root.files()
    root.must(INSTALL, "--no-apt", "--desktop")
    there = {Path(name).name for name in root.files() if not name.startswith("opt/")}
    expect({"companion-desktop.service", "companion.desktop"} <= there, "there is no table in the desktop's session.")
    expect(not {"companion.service", "90-companion-stick.rules"} & there, "there is one on the console still.")
    root.must(INSTALL, "--no-apt", "--console")
    unlike = root.files() ^ console
    expect(not unlike, f"not as it was before: {sorted(unlike)[:5]}")


def fails_half_way(root: Root) -> None:
    """A newer version that does not work leaves the one that does."""
    broken = root.path / "broken"
    shutil.rmtree(broken, ignore_errors=True)
    broken.mkdir()
    for part in ("companion", "hardware", "vision", "models", "systemd", "setup"):
        shutil.copytree(PROJECT / part, broken / part, ignore=shutil.ignore_patterns("__pycache__"))
    for part in ("pyproject.toml", "constraints.txt"):
        shutil.copy(PROJECT / part, broken)
    (broken / "companion/presses.py").write_text("import what_is_not_there\n", encoding="utf-8")
    before = root.files()
    told = root.must("/broken/setup/install.sh", "--no-apt", code=2)
    expect("This did not work" in told, told)
    expect(root.files() - {"opt/companion/app.new"} >= before, "something of the old version is gone.")
    root.must("/opt/companion/venv/bin/companion", "--version", user="companion")
    shutil.rmtree(broken)


def look_at(root: Root) -> None:
    """What was installed, and whether it works."""
    say(indented(root.must("id", "companion")))
    root.must("install", "-d", "-o", "companion", "-m", "750", "/var/lib/companion")  # systemd does it at the start
    units = [f"/etc/systemd/system/{unit}" for unit in UNITS]
    # What it says counts: that of Debian 12 ends with 1 for the keys that it does not know yet, and says nothing.
    _, told, _ = root.run("systemd-analyze", "verify", "--recursive-errors=no", "--man=no", *units)
    expect(not told.strip(), f"systemd-analyze verify: {told}")
    for unit in ("companion.service", "companion-backup@.service"):
        file = f"/etc/systemd/system/{unit}"
        told = root.must("systemd-analyze", "security", "--offline=true", "--threshold=20", file)
        say(indented(told.strip().splitlines()[-1]))
    look = "/rig/project/tests/rigs/install/inside.py"
    say(indented(root.must("/opt/companion/venv/bin/python", look, user="companion")))


def indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.rstrip().splitlines())


def main(releases: list[str]) -> int:
    try:
        with alone(BUILT):
            for release in releases or ["13"]:
                if release not in SUITES:
                    raise RigError(f"no Debian {release} here, only {' and '.join(SUITES)}.")
                try_suite(SUITES[release])
    except RigError as error:
        sys.stderr.write(f"rig-install: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    os.umask(0o022)
    sys.exit(main(sys.argv[1:]))
