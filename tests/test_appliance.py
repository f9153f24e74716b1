"""The units and the set-up of a machine, as far as they can be looked at without one: `make rig-install` does it."""

import configparser
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from companion import opening
from companion.cli import _parser

PROJECT = Path(__file__).parents[1]
UNITS = PROJECT / "systemd"
INSTALL = PROJECT / "setup" / "install.sh"
MOST_EXPOSED = 2.0
NEWER = re.compile(r"Unknown key.*'(RestartSteps|RestartMaxDelaySec|WantsMountsFor)'")  # systemd 254 to 256

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
@pytest.mark.parametrize("name", ["companion.service", "companion-backup.service"])
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


@pytest.mark.parametrize("name", ["companion.service", "companion-backup.service", "companion-desktop.service"])
def test_what_is_started_is_understood_by_the_command(name: str) -> None:
    words = unit(name)["Service"]["ExecStart"].split()
    assert words[0] == "/opt/companion/venv/bin/companion"
    options = _parser().parse_args(words[1:])
    if name == "companion.service":
        assert options.table_real
        assert opening.given(options)


def test_it_is_fed_more_often_than_it_starves() -> None:
    service = unit("companion.service")["Service"]
    assert service["Type"] == "notify"
    assert int(service["WatchdogSec"]) > 20, "a disk that hangs is waited for longer than a breath"
    assert int(service["TimeoutStartSec"]) > opening.WAIT


# --- the script ------------------------------------------------------------------------------------------------


def install(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(INSTALL), *words], capture_output=True, text=True, check=False, env={**os.environ, **environment}
    )


def asked_of_pip(*flags: str) -> list[str]:
    words = [sys.executable, *flags, str(PROJECT / "setup" / "missing.py")]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()


def test_what_pip_is_asked_for_is_pinned() -> None:
    pins = (PROJECT / "constraints.txt").read_text(encoding="utf-8")
    of_a_bare_python = asked_of_pip("-I", "-S")
    assert len(of_a_bare_python) == 7
    for wanted in of_a_bare_python:
        assert re.search(rf"^{re.split('[<>=]', wanted)[0]}==", pins, re.MULTILINE), wanted
    assert not any(wanted.startswith("numpy") for wanted in asked_of_pip()), "the tests have one that is new enough"


@pytest.mark.parametrize("script", ["install.sh", "stick.sh"])
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
