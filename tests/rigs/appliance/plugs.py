"""What is plugged in and pulled out while people play: the stick for the copies, a webcam, the screen."""

import re
import struct
import time

from companion.journal import Journal
from tests.rigs.appliance.acts import CONNECTOR, READY, UNIT, goes_on, main_pid, must, shown
from tests.rigs.appliance.build import RIG, WORKSHOP
from tests.rigs.appliance.cuts import moves_of
from tests.rigs.appliance.machine import RUN, Machine
from tests.rigs.appliance.page import Act, Page
from tests.rigs.appliance.somebody import Somebody
from tests.rigs.load import Patience
from tests.rigs.running import RigError

STICK, OTHER_STICK = "run/stick.img", "run/other-stick.img"
MEGABYTES, FIRST = 64, 2048  # of a stick, and the sector at which its partition begins
COPIED = "All matches are copied to"
SOON = 90  # seconds, under emulation
WEBCAM = "/project/tests/rigs/appliance/webcam.py"
# Stops the next process that copies, as soon as it is there.
HOLDING = (
    "systemd-run --quiet --unit=hold-a-copy sh -c 'until pkill -STOP -f \"[c]ompanion backup\"; do sleep 0.02; done'"
)
# Whoever opens a graphics card first may draw on it, and nobody else as long as it is held.
OTHER_MASTER = "python3 -c 'import os, time; os.open(\"/dev/dri/card0\", os.O_RDWR); time.sleep(1e6)'"


# --- the stick -------------------------------------------------------------------------------------------------


def sticks(page: Page, machine: Machine, somebody: Somebody) -> None:
    with page.act("a stick is plugged in (FAT)") as act:
        moves, since = somebody.moves, plug_in(machine, "vfat")
        wait_for(machine, since, COPIED)
        act.note("copied at once")
        wait_for_jobs(machine)
        act.note("let go of again", good=not must(machine, "findmnt -rno TARGET | grep companion-stick || true"))
        machine.pull_out()
        act.note(f"{copied(somebody.match)} of {moves} moves are on it", good=copied(somebody.match) == moves)
    with page.act("sticks of other kinds") as act:
        since = plug_in(machine, "exfat")
        wait_for(machine, since, COPIED)
        act.note("exFAT is taken")
        wait_for_jobs(machine)
        machine.pull_out()
        for kind, says in (
            ("swap", "has a file system that is not taken (swap)"),
            ("full", "The stick COMPANION is full"),
        ):
            since = plug_in(machine, kind)
            wait_for(machine, since, says)
            act.note(f"{kind}: “{says}…”")
            wait_for_jobs(machine)
            machine.pull_out()
        goes_on(act, somebody, moves, is_there=True)
    with page.act("a stick, and another in the middle") as act:
        two_at_a_time(act, machine, somebody)


def two_at_a_time(act: Act, machine: Machine, somebody: Somebody) -> None:
    """The copy to the first is stopped in its tracks, and goes on when the second has its own."""
    moves = somebody.moves
    must(machine, HOLDING)
    plug_in(machine, "vfat")
    wait_until(machine, "systemctl is-active --quiet hold-a-copy", "the first copy to be held up", is_so=False)
    since = plug_in(machine, "vfat", OTHER_STICK, "other")
    wait_for(machine, since, COPIED)
    act.note("the second is copied to while the copy to the first is held up")
    must(machine, "pkill -CONT -f '[c]ompanion backup'")
    wait_for_jobs(machine)
    machine.pull_out()
    machine.pull_out("other")
    for image in (STICK, OTHER_STICK):
        found = copied(somebody.match, image)
        act.note(f"{found} of {moves} moves are on it", good=found == moves)


def wait_for_jobs(machine: Machine) -> None:
    """Until nothing is copied and no stick is held, by what systemd says."""
    busy = "systemctl list-units 'companion-backup@*' 'companion-stick@*' --state={} --no-legend | grep -q ."
    states = "active,activating,deactivating,reloading"
    wait_until(machine, busy.format(states), "the copies to be done", is_so=False)


def wait_until(machine: Machine, command: str, what: str, *, is_so: bool = True) -> None:
    patience = Patience(SOON)
    while (machine.run(command).code == 0) is not is_so:
        if patience.is_over:
            raise RigError(f"waited in vain for {what}.")
        machine.listen(0.5)


def plug_in(machine: Machine, kind: str, image: str = STICK, name: str = "stick") -> str:
    """A stick that is called COMPANION; the time in the guest before."""
    make_stick(kind, image)
    since = must(machine, "date '+%Y-%m-%d %H:%M:%S'")
    machine.plug_in(image, name)
    return since


def make_stick(kind: str, name: str = STICK) -> None:
    """With one partition, as it is bought; `full` has room for nothing."""
    image, sectors = RIG / name, MEGABYTES * 2048
    with image.open("wb") as file:
        file.truncate(MEGABYTES << 20)
        entry = struct.pack("<B3sB3sII", 0, bytes(3), 0x0C, bytes(3), FIRST, sectors - FIRST)
        file.seek(446)
        file.write(entry + bytes(48) + b"\x55\xaa")
    part = RUN / "part.img"
    with part.open("wb") as file:
        file.truncate((sectors - FIRST) * 512)
    inside = f"/rig/run/{part.name}"
    if kind == "exfat":
        WORKSHOP.must("mkfs.exfat", "-q", "-L", "COMPANION", inside)
    elif kind == "swap":
        WORKSHOP.must("mkswap", "-q", "-L", "COMPANION", inside)
    else:
        WORKSHOP.must("mkfs.vfat", "-n", "COMPANION", inside)
    if kind == "full":
        fill(inside)
    with image.open("r+b") as file:
        file.seek(FIRST * 512)
        file.write(part.read_bytes())


def fill(image: str) -> None:
    """With files that become smaller, until not even the smallest has room."""
    for size in (1 << 20, 1 << 14, 1 << 9):
        file = RUN / f"filling-{size}"
        file.write_bytes(bytes(size))
        fits = f"mcopy -i {image} /rig/run/{file.name} ::{size}-$n"
        WORKSHOP.must("sh", "-c", f"n=0; while {fits} 2>/dev/null; do n=$((n + 1)); [ $n -lt 200 ] || break; done")


def copied(match: str, image: str = STICK) -> int:
    """How many moves of it are in the newest copy on the stick, looked at on this computer."""
    place = f"/rig/{image}@@{FIRST * 512}"
    found = WORKSHOP.must("mdir", "-b", "-i", place, "::companion").split()
    copy = RUN / "from-stick.sqlite3"
    copy.unlink(missing_ok=True)
    WORKSHOP.must("mcopy", "-n", "-i", place, max(found), f"/rig/run/{copy.name}")
    with Journal(copy) as journal:
        return len(moves_of(journal, match))


def wait_for(machine: Machine, since: str, says: str) -> None:
    patience = Patience(SOON)
    while says not in (said := must(machine, f"journalctl -t companion-backup --no-pager -o cat --since '{since}'")):
        if patience.is_over:
            raise RigError(f"{says!r} was not said of the stick, but {said[-300:]!r}.")
        time.sleep(1)


# --- a webcam --------------------------------------------------------------------------------------------------


def webcam(page: Page, machine: Machine) -> None:
    """The kernel's own (vivid): real V4L2, with a test picture."""
    with page.act("a webcam by V4L2") as act:
        must(machine, "modprobe vivid n_devs=1 node_types=0x1 && udevadm settle")
        device = must(machine, "grep -l vivid /sys/class/video4linux/video*/name | cut -d/ -f5 | head -1")
        group = f"/sys/fs/cgroup/system.slice/{UNIT}/cgroup.procs"
        opens = machine.run(f"echo $$ >{group}; exec 3</dev/{device}").code == 0
        act.note("the service may open it though it came after it", good=opens)
        said = must(machine, f"cd /project && /opt/companion/venv/bin/python {WEBCAM} /dev/{device}", 180)
        for line in said.splitlines():
            if line.startswith("rig: "):
                words = line.removeprefix("rig: ")
                act.note(words.removeprefix("NOT "), good=not words.startswith("NOT "))


# --- the screen ------------------------------------------------------------------------------------------------


def screens(page: Page, machine: Machine, somebody: Somebody) -> None:
    with page.act("without a screen, then with one") as act:
        moves = somebody.moves
        must(machine, f"systemctl stop {UNIT} && echo off >{CONNECTOR}")
        somebody.forget_screen()
        must(machine, f"timeout {READY} systemctl start {UNIT}", READY + 10)
        act.note(f"“{shown(machine, 'StatusText')['StatusText']}”")
        pid = main_pid(machine)
        must(machine, f"echo detect >{CONNECTOR}")
        somebody.wait(lambda: main_pid(machine) not in (0, pid), "the table to begin anew on the screen")
        somebody.forget_screen()
        somebody.wait_for_offer(240)
        machine.picture("screen-came")
        goes_on(act, somebody, moves)
    with page.act("a screen that another program draws on") as act:
        must(machine, f"systemctl stop {UNIT} && systemd-run --unit=other-master {OTHER_MASTER}")
        somebody.forget_screen()
        must(machine, f"timeout {READY} systemctl start {UNIT}", READY + 10)
        before, pid = restarts(machine), main_pid(machine)
        time.sleep(30)
        stays = (restarts(machine), main_pid(machine)) == (before, pid)
        act.note("stays up, and does not begin again and again", good=stays)
        act.note(f"“{shown(machine, 'StatusText')['StatusText']}”")
        must(machine, f"systemctl stop other-master && timeout {READY} systemctl restart {UNIT}", READY + 10)
        back(act, somebody)


def restarts(machine: Machine) -> int:
    return int(re.sub(r"\D", "", shown(machine, "NRestarts")["NRestarts"]) or 0)


def back(act: Act, somebody: Somebody) -> None:
    somebody.forget_screen()
    moves = len(somebody.ruled)
    somebody.wait_for_offer(240)
    somebody.touch("GoOn(", "table")
    act.note(f"{somebody.moves} moves are there again", good=somebody.moves >= moves > 0)
