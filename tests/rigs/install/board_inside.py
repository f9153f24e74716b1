"""Runs in the root: do the broker and the board that were installed work together? What systemd does for them is done
by hand: it hands over the passwords and makes their folders."""

import shutil
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

PATIENCE = 120  # seconds
SETTINGS = Path("/etc/companion/broker")
DOOR = Path("/etc/systemd/system/companion-board.service.d/door.conf")
CREDENTIALS = Path("/run/credentials/companion-broker.service")


def eventually(is_so: object) -> bool:
    until = time.monotonic() + PATIENCE
    while not is_so():  # type: ignore[operator]
        if time.monotonic() > until:
            return False
        time.sleep(0.2)
    return True


def page() -> str:
    try:
        with urllib.request.urlopen("http://127.0.0.1:8333/", timeout=5) as answer:
            return str(answer.read().decode())
    except OSError:
        return ""


def publishes() -> bool:
    """As the table does, by its own reading of table.toml."""
    code = (
        "from pathlib import Path; from paho.mqtt.publish import single\\n"
        "from companion.config.table_file import read_configuration\\n"
        "from companion.publishing.wish import password_of\\n"
        "wish = read_configuration(Path('/etc/companion/table.toml')).publish\\n"
        "auth = {'username': wish.user, 'password': password_of(wish)}\\n"
        "single('companion/rig/online', 'online', 1, True, *wish.where, auth=auth)"
    )
    command = ["runuser", "-u", "companion", "--", sys.executable, "-c", code.replace("\\n", "\n")]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


def main() -> int:
    CREDENTIALS.mkdir(parents=True, exist_ok=True)
    shutil.copy(SETTINGS / "users", CREDENTIALS)
    for name in ("companion-broker", "companion-board"):
        Path("/var/lib", name).mkdir(exist_ok=True)
    shutil.chown("/var/lib/companion-broker", "mosquitto")
    shutil.chown(CREDENTIALS / "users", "mosquitto")
    (CREDENTIALS / "users").parent.chmod(0o755)
    started = next(line for line in DOOR.read_text().splitlines() if line.startswith("ExecStart=/"))
    command = started.removeprefix("ExecStart=").replace("%d/password", str(SETTINGS / "board-password")).split()
    broker = subprocess.Popen(["/usr/sbin/mosquitto", "-c", str(SETTINGS / "mosquitto.conf")])
    board = subprocess.Popen(command)
    try:
        found = {
            "the page is there": eventually(page),
            "the table gets in": eventually(publishes),
            "the board hears it": eventually(lambda: "rig" in page()),
        }
    finally:
        board.terminate()
        broker.terminate()
    for what, is_good in found.items():
        print(f"{what}{'' if is_good else '   BAD'}")
    return 0 if all(found.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
