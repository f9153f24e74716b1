"""What is done in the virtual machine while its power is on: install, play, hang, kill, look at what is in force."""

import re
import time
from pathlib import Path

from tests.rigs.appliance.machine import Machine
from tests.rigs.appliance.page import Act, Page
from tests.rigs.appliance.somebody import SHOWS, Somebody
from tests.rigs.load import Patience
from tests.rigs.running import RigError

INSTALL = "cd /project && WHEELS=/srv/wheels sh setup/install.sh --console --no-apt --no-start"
SETTINGS = "/etc/companion/table.toml"
WIRED = r"^# \(\[pins\]\|driver\|\[token\]\|kind\|\[\[seat\]\]\|button\|light\|\[table\]\|stop\|status\|buzzer\)"
DROP_IN = "/etc/systemd/system/companion.service.d/rig.conf"
ONLOOKER = "/project/tests/rigs/appliance/onlooker"
UNIT = "companion.service"
CONNECTOR = "/sys/class/drm/card0-Virtual-1/status"
READY = 300  # seconds of the guest's clock, which others on this computer stretch; nothing is judged by it
LEAST_EXPOSED = 2.0
LINES = 7  # of the GPIO chip: two buttons with their lights, Stop!, status, buzzer
STARTS = 9  # one by one: started, hung, killed, stopped, installed, without screen, with it, unusable, usable
FORBIDDEN = ("/usr", "/etc", "/home", "/opt/companion")


def must(machine: Machine, command: str, seconds: float = 60) -> str:
    said = machine.run(command, seconds)
    if said.code:
        raise RigError(f"`{command}` ended with {said.code} in the guest: {said.text[-1500:]}")
    return said.text.strip()


def shown(machine: Machine, *names: str) -> dict[str, str]:
    """Properties of the table's unit."""
    lines = must(machine, f"systemctl show {UNIT} -p {','.join(names)}").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line)


def main_pid(machine: Machine) -> int:
    return int(shown(machine, "MainPID")["MainPID"])


# --- installing and starting -----------------------------------------------------------------------------------


def install(page: Page, machine: Machine) -> None:
    with page.act("installed by setup/install.sh") as act:
        said = must(machine, INSTALL, 600)
        act.note(said.splitlines()[-1].split(",")[0])
        must(machine, f"sed -i 's/{WIRED}/\\1/' {SETTINGS}")
        act.note("wired as table.toml proposes, two seats")
        watch_the_table(machine)


def watch_the_table(machine: Machine, more: str = "") -> None:
    """The rig's only addition to the unit: an environment in which Python finds the onlooker."""
    lines = f"[Service]\\nEnvironment=PYTHONPATH={ONLOOKER} {more}\\n"
    must(
        machine,
        f"mkdir -p $(dirname {DROP_IN}) && printf '{lines}' >{DROP_IN} && systemctl daemon-reload && sync -f /etc",
    )


def start(page: Page, machine: Machine, somebody: Somebody) -> None:
    with page.act("started by systemd") as act:
        begun = time.monotonic()
        must(machine, f"timeout {READY} systemctl start {UNIT}", READY + 10)
        found = shown(machine, "Type", "ActiveState", "SubState", "StatusText", "WatchdogUSec")
        act.note(
            f"Type={found['Type']}, READY after {time.monotonic() - begun:.0f} s, {found['ActiveState']} "
            f"({found['SubState']}), “{found['StatusText']}”, watchdog {found['WatchdogUSec']}",
            good=(found["Type"], found["ActiveState"]) == ("notify", "active"),
        )
        somebody.wait(lambda: somebody.screen == "games", "the games on the screen")
        machine.picture("games")
    with page.act("on the screen by kmsdrm") as act:
        held = must(machine, f"ls -l /proc/{main_pid(machine)}/fd || true")  # one may be closed while it is looked at
        for wanted in ("/dev/dri/card", "/dev/input/event"):
            act.note(f"holds {wanted}*", good=wanted in held)


# --- playing ---------------------------------------------------------------------------------------------------


def play(page: Page, machine: Machine, somebody: Somebody) -> None:
    with page.act("played by touches") as act:
        if somebody.screen == "games":  # else the act before has failed, and a match is begun already
            somebody.touch("about='three'", "players")
            machine.picture("players")
            somebody.touch("Start()", "table")
        somebody.plays(6)
        machine.picture("table")
        act.note(f"{somebody.moves} moves of Three!, each touched on a screen of uinput", good=somebody.moves >= 6)
    with page.act("struck on the kernel's GPIO chip") as act:
        strike = somebody.strikes_first(1)
        somebody.wait(lambda: somebody.phase == "struck", "the strike on the screen")
        machine.picture("struck")
        act.note(f"{strike['player']} by the button of seat 2", good=strike["player"] == "Player 2")
        order = strike.get("finish", {}).get("order", [])
        how = order[0]["how"] if order else "no photo finish"
        act.note(f"photo finish {how} by the kernel", good=how == "stamped")
        held = lines_held(machine)
        act.note(f"{held} lines of the chip held", good=held == LINES)
        somebody.plays(2)
        machine.picture("checked")
        act.note(f"called and checked by touch, {somebody.moves} moves kept")


def logged(page: Page, machine: Machine, path: Path) -> None:
    were_good = page.is_good
    with page.act("the log of systemd's journal") as act:
        must(machine, f"journalctl -u {UNIT} --no-pager -o short-iso >/run/table.log")
        machine.fetch("/run/table.log", path)
        log = path.read_text(encoding="utf-8", errors="replace")
        started = log.count(": Started ")
        # After an act that failed, the rig has started it too.
        act.note(f"{len(log.splitlines())} lines, started {started} times", good=started == STARTS or not were_good)
        act.note("no traceback", good="Traceback" not in log)


def sits_again(machine: Machine, somebody: Somebody) -> None:
    """After an act that failed: the table is begun anew and the match gone on with, whatever was left behind."""
    machine.run(f"systemctl stop other-master; echo detect >{CONNECTOR}; umount /run/companion-stick/*")
    somebody.forget_screen()
    machine.run(f"systemctl reset-failed {UNIT}; timeout {READY} systemctl restart {UNIT}", READY + 10)
    somebody.wait(lambda: somebody.screen == "games", "the table to come back")
    if somebody.target("GoOn("):
        somebody.touch("GoOn(", "table")
    else:
        somebody.touch("about='three'", "players")
        somebody.touch("Start()", "table")


# --- in force --------------------------------------------------------------------------------------------------


def in_force(page: Page, machine: Machine) -> None:
    with page.act("exposure by systemd-analyze") as act:
        said = must(machine, f"systemd-analyze security --no-pager {UNIT} | tail -1")
        figure = float((re.search(r": (\d+\.\d)", said) or ["", "10"])[1])
        act.note(f"{figure} (at most {LEAST_EXPOSED})", good=figure <= LEAST_EXPOSED)
    with page.act("the hardening is in force") as act:
        note_process(act, machine)
        note_folders(act, machine)
        note_devices(act, machine)
        listening = must(machine, "cat /proc/net/tcp /proc/net/tcp6 /proc/net/udp /proc/net/udp6 | grep -vc sl || true")
        act.note("nothing listens on the network", good=listening == "0")


def note_process(act: Act, machine: Machine) -> None:
    status = must(machine, f"cat /proc/{main_pid(machine)}/status")
    fields = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
    act.note("nobody's rights", good=fields["Uid"].split()[0] != "0" and int(fields["CapEff"], 16) == 0)
    act.note("no new ones", good=fields["NoNewPrivs"].strip() == "1")
    act.note("system calls filtered", good=fields["Seccomp"].strip() == "2")


def note_folders(act: Act, machine: Machine) -> None:
    """Even root could not write there, seen from where the table sits."""
    inside = f"nsenter -t {main_pid(machine)} -m"
    denied = [folder for folder in FORBIDDEN if machine.run(f"{inside} touch {folder}/rig").code]
    act.note(f"{len(denied)} of {len(FORBIDDEN)} folders cannot be written", good=len(denied) == len(FORBIDDEN))
    allowed = machine.run(f"{inside} sh -c 'touch /var/lib/companion/rig && rm /var/lib/companion/rig'").code == 0
    act.note("its state can", good=allowed)


def note_devices(act: Act, machine: Machine) -> None:
    """Root in the unit's control group has its devices and no others."""
    group = "/sys/fs/cgroup/system.slice/companion.service/cgroup.procs"

    def opens(device: str) -> bool:
        return not machine.run(f"echo $$ >{group}; exec 3<{device}").code

    act.note("disks cannot be opened", good=not opens("/dev/vda") and not opens("/dev/vdc"))
    act.note("pins and screen can", good=opens("/dev/gpiochip0") and opens("/dev/dri/card0"))


# --- hanging, killed, ended ------------------------------------------------------------------------------------


def hang(page: Page, machine: Machine, somebody: Somebody) -> None:
    with page.act("it hangs (SIGSTOP): the watchdog") as act:
        again(act, machine, somebody, "STOP")
        said = must(machine, f"journalctl -u {UNIT} --no-pager -o cat | grep -i watchdog | tail -1")
        act.note(f"“{said}”")


def kill(page: Page, machine: Machine, somebody: Somebody) -> None:
    with page.act("it is killed (SIGKILL)") as act:
        again(act, machine, somebody, "KILL")


def again(act: Act, machine: Machine, somebody: Somebody, signal: str) -> None:
    """After that signal there is another process, and the match is offered as it stood."""
    pid, moves = main_pid(machine), somebody.moves
    somebody.forget_screen()
    begun = time.monotonic()
    must(machine, f"kill -{signal} {pid}")
    somebody.wait_for_offer(240)
    act.note(f"offered again after {time.monotonic() - begun:.0f} s")
    machine.picture(f"after-{signal.lower()}")
    found = shown(machine, "NRestarts", "MainPID")
    act.note(f"restart {found['NRestarts']}", good=int(found["MainPID"]) not in (0, pid))
    goes_on(act, somebody, moves)


def lines_held(machine: Machine) -> int:
    return int(must(machine, "grep -c companion /sys/kernel/debug/gpio || true"))


def wait_for_pins(machine: Machine) -> None:
    """The driver of the buttons is loaded beside the screen, and takes one line after the other: under emulation that
    lasts seconds."""
    patience = Patience(SHOWS)
    while (held := lines_held(machine)) < LINES:
        if patience.is_over:
            raise RigError(f"The table holds {held} lines of the GPIO chip, not {LINES}.")
        machine.listen(0.5)


def goes_on(act: Act, somebody: Somebody, moves: int, *, is_there: bool = False) -> None:
    if not is_there:
        somebody.touch("GoOn(", "table")
    act.note(f"{somebody.moves} of {moves} moves are there", good=somebody.moves == moves)
    somebody.plays(2)
    wait_for_pins(somebody.machine)
    somebody.strikes_first(0)
    somebody.plays(2)
    act.note("touches and buttons work")


def stop(page: Page, machine: Machine, somebody: Somebody) -> None:
    with page.act("it is ended (SIGTERM) in a match") as act:
        moves = somebody.moves
        begun = time.monotonic()
        must(machine, f"systemctl stop {UNIT}")
        found = shown(machine, "Result", "ExecMainStatus")
        good = found == {"Result": "success", "ExecMainStatus": "0"}
        act.note(f"in order after {time.monotonic() - begun:.1f} s", good=good)
        somebody.forget_screen()
        must(machine, f"timeout {READY} systemctl start {UNIT}", READY + 10)
        goes_on(act, somebody, moves)


def never_starts(page: Page, machine: Machine) -> None:
    """The last resort. QEMU ends where a machine would begin anew; what made it fail is gone with /run. Nobody is
    logged in: the rig's hand is no session."""
    with page.act("it ends again and again: reboot") as act:
        folder = "/run/systemd/system/companion.service.d"
        lines = "[Service]\\nExecStart=\\nExecStart=/bin/false\\nRestartSec=100ms\\nRestartMaxDelaySec=200ms\\n"
        must(machine, f"mkdir -p {folder} && printf '{lines}' >{folder}/fails.conf && systemctl daemon-reload")
        begun = time.monotonic()
        machine.run(f"systemctl restart {UNIT}")
        machine.wait_off(180)
        act.note(f"systemd began the machine anew after {time.monotonic() - begun:.0f} s")


def install_again(page: Page, machine: Machine, somebody: Somebody) -> None:
    with page.act("installed again, over a match") as act:
        moves = somebody.moves
        somebody.forget_screen()
        must(machine, INSTALL.replace(" --no-start", ""), 600)
        goes_on(act, somebody, moves)
