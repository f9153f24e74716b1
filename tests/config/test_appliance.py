"""The units and the set-up of a machine, as far as they can be looked at without one: `make rig-install` does it."""

import configparser
import os
import re
import shutil
import subprocess
import sys
import time
import tomllib
from pathlib import Path

import pytest

from companion.commands import table_opening, table_options
from companion.commands.command_parser import main_parser
from companion.core.clocks import SECOND
from companion.devices.connectors import TRY_EVERY

PROJECT = Path(__file__).parents[2]
UNITS = PROJECT / "systemd"
INSTALL = PROJECT / "setup" / "install.sh"
MOST_EXPOSED = 2.0
NEWER = re.compile(r"Unknown key.*'(RestartSteps|RestartMaxDelaySec|RestartMode)'")  # systemd 254 to 256

needs_systemd = pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd-analyze is not here")


def unit(name: str) -> configparser.ConfigParser:
    found = configparser.ConfigParser(interpolation=None, strict=False, delimiters=("=",))
    found.optionxform = str  # type: ignore[assignment,method-assign]
    found.read(UNITS / name, encoding="utf-8")
    return found


@needs_systemd
@pytest.mark.parametrize("name", sorted(path.name for path in UNITS.glob("*.service")))
def test_a_unit_is_understood(name: str) -> None:
    done = subprocess.run(
        ["systemd-analyze", "verify", "--recursive-errors=no", "--man=no", str(UNITS / name)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    said = [line for line in done.stderr.splitlines() if not NEWER.search(line) and "is not executable" not in line]
    assert said == []


def exposure(file: Path) -> float:
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--threshold=100", str(file)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = re.search(r"Overall exposure level for \S+: (\d+\.\d)", done.stdout)
    assert found, done.stdout + done.stderr
    return float(found[1])


@needs_systemd
@pytest.mark.parametrize(
    "name", ["companion.service", "companion-backup@.service", "companion-board.service", "companion-broker.service"]
)
def test_a_service_is_no_door_into_the_house(name: str) -> None:
    assert exposure(UNITS / name) <= MOST_EXPOSED


@needs_systemd
def test_nor_is_it_when_results_are_published(tmp_path: Path) -> None:
    lines = (UNITS / "companion.service").read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if not line.startswith("IPAddressDeny")]
    families = "RestrictAddressFamilies=AF_UNIX AF_NETLINK"
    both = "\n".join(line.replace(families, f"{families} AF_INET AF_INET6") for line in kept)
    (tmp_path / "companion.service").write_text(both, encoding="utf-8")
    assert "AF_INET6" in both
    assert exposure(tmp_path / "companion.service") <= MOST_EXPOSED


def test_nothing_ever_listens() -> None:
    service = unit("companion.service")["Service"]
    assert service["SocketBindDeny"] == "any"
    assert service["IPAddressDeny"] == "any"
    assert "SocketBind" not in (UNITS / "publish.conf").read_text(encoding="utf-8")


def test_what_the_table_needs_is_let_through() -> None:
    allowed = (UNITS / "companion.service").read_text(encoding="utf-8")
    for device in ("gpiochip", "video4linux", "media", "dma_heap", "drm", "input", "alsa"):
        assert f"DeviceAllow=char-{device} r" in allowed
    for hides in ("PrivateDevices", "ProtectClock", "ProcSubset", "PrivateNetwork", "MemoryDenyWriteExecute"):
        assert not re.search(f"^{hides}=", allowed, re.MULTILINE), f"{hides} would hide a device or the Pi's model"


STARTED = [
    "companion.service",
    "companion-backup@.service",
    "companion-desktop.service",
    "companion-desktop-backup.service",
    "companion-board.service",
]


@pytest.mark.parametrize("name", STARTED)
def test_what_is_started_is_understood_by_the_command(name: str) -> None:
    words = unit(name)["Service"]["ExecStart"].split()
    assert words[0] == "/opt/companion/venv/bin/companion"
    options = main_parser().parse_args(words[1:])
    if name == "companion.service":
        assert options.table_real
        assert table_options.given(options)


def test_the_copies_see_the_stick() -> None:
    """Devices are hidden from them, and what one service mounts for itself no other sees."""
    copies, stick = unit("companion-backup@.service"), unit("companion-stick@.service")
    assert copies["Unit"]["ConditionPathExists"] == stick["Unit"]["ConditionPathExists"]
    assert copies["Unit"]["After"] == copies["Unit"]["Wants"] == "companion-stick@%i.service"
    assert copies["Service"]["PrivateDevices"] == "yes"
    assert "ExecCondition" not in copies["Service"]
    mounts = (UNITS / "companion-stick@.service").read_text(encoding="utf-8")
    for hides in ("Private", "Protect", "Paths=", "TemporaryFileSystem", "StateDirectory"):
        assert not re.search(f"^[A-Za-z]*{hides}", mounts, re.MULTILINE), f"{hides} makes a view of its own"
    assert "DeviceAllow=block-* rw" in mounts


def test_every_stick_gets_a_job_of_its_own() -> None:
    """One that is plugged in while another is copied to would only join the job that runs."""
    rules = (UNITS / "90-companion-stick.rules").read_text(encoding="utf-8")
    (wanted,) = re.findall(r'ENV\{SYSTEMD_WANTS\}\+="(\S+)"', rules)
    (links,) = re.findall(r'SYMLINK\+="([^"]+)"', rules)
    number = "$env{COMPANION_NUMBER}"
    assert wanted == f"companion-backup@{number}.service"
    assert links.split() == ["companion-stick/any", f"companion-stick/{number}"]
    assert 'ENV{COMPANION_NUMBER}="$env{DISKSEQ}"' in rules, "a number that no other stick gets, nor this one again"
    copies = unit("companion-backup@.service")
    assert copies["Unit"]["ConditionPathExists"] == "/dev/companion-stick/%i"
    assert copies["Service"]["RuntimeDirectory"].endswith("-%i"), "one that ends takes its own away"
    assert unit("companion-backup.timer")["Timer"]["Unit"] == "companion-backup@any.service"


def test_a_rule_for_a_label_comes_after_those_that_find_it() -> None:
    rules = {path.name: path.read_text(encoding="utf-8") for path in UNITS.glob("*.rules")}
    (name,) = (name for name, text in rules.items() if "ID_FS_LABEL" in text)
    assert name > "60-persistent-storage.rules"


def test_a_disk_that_does_not_mount_keeps_no_table_from_standing() -> None:
    text = (UNITS / "companion.service").read_text(encoding="utf-8")
    assert "Wants=var-lib-companion.mount" in text
    assert not re.search("^(StateDirectory|RequiresMountsFor|Requires)=", text, re.MULTILINE)


def test_the_last_resort_can_be_reached_by_a_start_that_hangs() -> None:
    found = unit("companion.service")
    longest = int(found["Service"]["TimeoutStartSec"]) + int(found["Service"]["RestartMaxDelaySec"])
    assert found["Unit"]["StartLimitIntervalSec"] == "2h"
    assert int(found["Unit"]["StartLimitBurst"]) * longest < 2 * 3600
    assert found["Unit"]["OnFailure"] == "companion-last-resort.service"


def test_a_screen_that_cannot_be_drawn_on_is_no_reason_for_it() -> None:
    """The table begins anew for it now and then, and is played by buttons; some starts are left for other reasons."""
    starts = int(unit("companion.service")["Unit"]["StartLimitBurst"])
    assert starts - 2 > 2 * 3600 * SECOND // TRY_EVERY


def test_it_is_fed_more_often_than_it_starves() -> None:
    service = unit("companion.service")["Service"]
    assert service["Type"] == "notify"
    assert int(service["WatchdogSec"]) > 20, "a disk that hangs is waited for longer than a breath"
    assert int(service["TimeoutStartSec"]) > table_opening.WAIT


# --- the script ------------------------------------------------------------------------------------------------


def install(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(INSTALL), *words], capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )


def asked_of_pip(*flags: str, arguments: tuple[str, ...] = ()) -> list[str]:
    words = [sys.executable, *flags, str(PROJECT / "setup" / "missing.py"), *arguments]
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=PROJECT)
    return [line.split(";")[0].split()[0] for line in done.stdout.splitlines()]


def test_what_pip_is_asked_for_is_pinned() -> None:
    pins = (PROJECT / "constraints.txt").read_text(encoding="utf-8")
    of_a_bare_python = asked_of_pip("-I", "-S")
    assert len(of_a_bare_python) == 8
    of_a_board = asked_of_pip("-I", "-S", arguments=("--board",))
    extra = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert of_a_board == [*of_a_bare_python, *extra["board"]]
    assert {line for line in asked_of_pip("-I", "-S", arguments=("constraints.txt",)) if "==" in line} == {
        line.split(";")[0].split()[0] for line in pins.splitlines() if "==" in line and not line.startswith("#")
    }
    for wanted in of_a_board:
        assert re.search(rf"^{re.split('[<>=]', wanted)[0]}==", pins, re.MULTILINE), wanted
    assert not any(wanted.startswith("numpy") for wanted in asked_of_pip()), "the tests have one that is new enough"


def test_what_is_pinned_is_what_is_not_there() -> None:
    """What the system has is taken as it is; here everything is there."""
    assert not any(line.startswith(("numpy", "colorzero")) for line in asked_of_pip(arguments=("constraints.txt",)))


@pytest.mark.parametrize("script", ["install.sh", "board.sh", "stick.sh", "lastresort.sh"])
def test_a_script_is_one(script: str) -> None:
    assert subprocess.run(["sh", "-n", str(PROJECT / "setup" / script)], check=False).returncode == 0


def test_an_option_that_is_none() -> None:
    done = install("--now")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "setup/install.sh knows no --now; its first lines say what it knows.\n"
    assert install("--games-too").returncode == 2


def is_debian() -> bool:
    try:
        text = Path("/etc/os-release").read_text(encoding="utf-8")
    except OSError:
        return False
    return bool(re.search(r"^VERSION_CODENAME=(bookworm|trixie)$", text, re.MULTILINE)) and bool(
        shutil.which("systemctl") and shutil.which("apt-cache")
    )


@pytest.mark.skipif(not is_debian(), reason="this is no Debian 12 or 13")
@pytest.mark.parametrize(
    "words", [(), ("--console",), ("--desktop",), ("--uninstall",), ("--uninstall", "--games-too")]
)
def test_it_says_what_it_would_do(words: tuple[str, ...]) -> None:
    before = Path("/opt/companion").exists()
    done = install("--no-apt", *words, DRY_RUN="1")
    assert (done.returncode, done.stderr) == (0, "")
    assert "would: " in done.stdout
    assert Path("/opt/companion").exists() == before
    if "--desktop" in words:
        assert "companion.desktop" in done.stdout
        assert "systemctl enable companion.service" not in done.stdout
    elif not words:
        assert "systemctl enable companion.service" in done.stdout or "companion.desktop" in done.stdout


@pytest.mark.skipif(not is_debian() or os.getuid() == 0, reason="only somebody without rights is refused")
def test_without_rights_it_says_so() -> None:
    done = install()
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Only root may do that: sudo make install")


def put(folder: Path, name: str, text: str) -> None:
    """A command that is found first."""
    file = folder / name
    file.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
    file.chmod(0o755)


@pytest.mark.skipif(not is_debian(), reason="this is no Debian 12 or 13")
def test_a_system_that_speaks_german_has_the_same_packages(tmp_path: Path) -> None:
    """What apt says is translated."""
    put(
        tmp_path,
        "apt-cache",
        'if [ "$LC_ALL" = C.UTF-8 ] && [ -z "${LANGUAGE:-}" ]; then echo "  Candidate: 1.0"; '
        'else echo "  Installationskandidat: 1.0"; fi',
    )
    done = install(DRY_RUN="1", PATH=f"{tmp_path}:{os.environ['PATH']}", LANG="de_DE.UTF-8", LANGUAGE="de")
    assert (done.returncode, done.stderr) == (0, "")
    assert "have no" not in done.stdout
    assert "python3-picamera2" in done.stdout


@pytest.mark.skipif(not is_debian() or os.getuid() != 0, reason="root of a Debian is needed")
def test_over_a_system_in_memory_nothing_is_installed(tmp_path: Path) -> None:
    """It would be gone with the power."""
    put(tmp_path, "findmnt", "echo overlay")
    done = install("--no-apt", "--no-start", PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("This system is read-only (an overlay in memory): switch that off with raspi-config")


# --- the last resort -------------------------------------------------------------------------------------------


class Resort:
    """What is done when the table has ended again and again."""

    def __init__(self, folder: Path) -> None:
        self.state, self._bin, self._log = folder / "state", folder / "bin", folder / "log"
        self._run = folder / "run"
        for made in (self.state, self._bin, self._run):
            made.mkdir()
        self.has_failed(so=True)
        put(self._bin, "sleep", f'echo "sleep $*" >>{self._log}')
        put(self._bin, "sync", "true")
        self.logged_in()
        self.up(100)

    def logged_in(self, kind: str = "") -> None:
        put(
            self._bin,
            "loginctl",
            f'case $1 in list-sessions) echo "{kind and "7 1000 anna"}" ;; *) echo {kind} ;; esac',
        )

    def has_failed(self, *, so: bool) -> None:
        answer = f'if [ "$2" = is-failed ]; then exit {int(not so)}; fi'
        put(self._bin, "systemctl", f'{answer}; echo "$*" >>{self._log}')

    def up(self, seconds: int) -> None:
        (self._bin / "uptime").write_text(f"{seconds}.25 12.00\n", encoding="ascii")

    def was_well(self) -> None:
        """For four hours, since the last time."""
        self.up(4 * 3600)
        for mark in self._run.iterdir():
            os.utime(mark, (time.time() - 4 * 3600,) * 2)

    def takes_place(self) -> list[str]:
        self._log.write_text("", encoding="utf-8")
        surroundings = {
            "PATH": f"{self._bin}:{os.environ['PATH']}",
            "COMPANION_STATE": str(self.state),
            "COMPANION_RUN": str(self._run),
            "COMPANION_UPTIME": str(self._bin / "uptime"),
        }
        subprocess.run([str(PROJECT / "setup" / "lastresort.sh")], env=surroundings, check=True, capture_output=True)
        return self._log.read_text(encoding="utf-8").splitlines()


TRIED = [
    "sleep 600",
    "--quiet is-enabled companion.service",
    "reset-failed companion.service",
    "--no-block start companion.service",
]


def test_the_machine_is_started_anew_twice_in_a_row_and_then_only_the_table(tmp_path: Path) -> None:
    resort = Resort(tmp_path)
    assert [resort.takes_place() for _ in range(4)] == [["reboot"], ["reboot"], TRIED, TRIED]
    resort.up(4 * 3600)
    assert resort.takes_place() == TRIED, "it has failed all the time"
    resort.was_well()
    assert resort.takes_place() == ["reboot"], "it was well for hours"
    resort.up(100)
    assert [resort.takes_place() for _ in range(2)] == [["reboot"], TRIED]


def test_one_that_fails_slowly_does_not_start_the_machine_for_ever(tmp_path: Path) -> None:
    """Two hours may pass until systemd gives it up."""
    resort = Resort(tmp_path)
    resort.up(2 * 3600)
    assert [resort.takes_place() for _ in range(3)] == [["reboot"], ["reboot"], TRIED]


def test_root_writes_nowhere_the_service_points_to(tmp_path: Path) -> None:
    resort = Resort(tmp_path)
    precious = tmp_path / "precious"
    precious.write_text("1\n", encoding="ascii")
    (resort.state / "fresh-starts").symlink_to(precious)
    assert [resort.takes_place() for _ in range(3)] == [["reboot"], ["reboot"], TRIED]
    assert precious.read_text(encoding="ascii") == "1\n"
    (resort.state / "fresh-starts").unlink()
    os.mkfifo(resort.state / "fresh-starts")
    resort.was_well()
    assert resort.takes_place() == ["reboot"], "and it waits for nobody"


def test_a_restart_by_itself_calls_for_nothing(tmp_path: Path) -> None:
    resort = Resort(tmp_path)
    resort.has_failed(so=False)
    assert resort.takes_place() == []


def test_while_somebody_is_logged_in_the_machine_stays(tmp_path: Path) -> None:
    resort = Resort(tmp_path)
    resort.logged_in("user")
    assert resort.takes_place() == TRIED
    resort.logged_in("manager")
    assert resort.takes_place() == ["reboot"]


def test_where_it_cannot_be_counted_the_machine_stays(tmp_path: Path) -> None:
    resort = Resort(tmp_path)
    resort.state.rmdir()
    assert resort.takes_place() == TRIED
    resort.state.mkdir()
    (resort.state / "fresh-starts").write_text("many\n", encoding="ascii")
    assert resort.takes_place() == TRIED
