"""The same table on a system that is otherwise: one that is read-only, one whose disk with the games is missing, a
desktop."""

from tests.rigs.appliance.acts import INSTALL, goes_on, must
from tests.rigs.appliance.build import GUEST_OF_DESKTOP
from tests.rigs.appliance.machine import RUN, Drives, Machine
from tests.rigs.appliance.page import Page
from tests.rigs.appliance.plugs import COPIED, STICK, make_stick, wait_for, wait_until
from tests.rigs.appliance.somebody import Somebody
from tests.rigs.load import Patience
from tests.rigs.running import RigError

DESKTOPS = "companion-desktop.service"
SOON = 240


def overlaid(page: Page, root: str, state: str, moves: int) -> None:
    """By Debian's package that raspi-config uses; the state lies on its own disk."""
    for overlay, what in (
        ("overlayroot=tmpfs:recurse=0", "a read-only system (overlayroot)"),
        ("overlayroot=tmpfs", "one that takes the games with it"),
    ):
        machine = Machine(Drives(root, state, overlay=overlay), "console-overlay")
        somebody = Somebody(machine)
        with page.sitting(machine), page.act(what) as act:
            machine.wait_up()
            kind = must(machine, "findmnt -no FSTYPE /")
            act.note(f"the root is {kind}", good=kind == "overlay")
            lasts = must(machine, "findmnt -no FSTYPE /var/lib/companion")
            act.note(f"the games lie on {lasts}", good=lasts == ("ext4" if "recurse" in overlay else "overlay"))
            somebody.wait_for_offer(SOON)
            if lasts == "ext4":
                goes_on(act, somebody, moves)
                moves = somebody.moves
                act.note("switched off in order", good=machine.power_off())
            else:
                says = "Matches are kept only until the table is switched off."
                wait_for_words(machine, somebody, says)
                act.note(f"“{says}”")


def without_its_disk(page: Page, root: str) -> None:
    """The disk with the games does not come."""
    machine = Machine(Drives(root, "run/empty.img"), "console-diskless")
    somebody = Somebody(machine)
    with page.sitting(machine), page.act("the disk with the games is missing") as act:
        machine.wait_up()
        somebody.wait(lambda: somebody.screen == "games", "the table on the screen", SOON)
        says = "The disk for the matches is not there"
        wait_for_words(machine, somebody, says)
        machine.picture("diskless")
        act.note(f"“{says}…”")
        somebody.touch("about='three'", "players")
        somebody.touch("Start()", "table")
        somebody.plays(3)
        act.note(f"played all the same, {somebody.moves} moves")


def make_empty() -> None:
    with (RUN / "empty.img").open("wb") as image:
        image.truncate(64 << 20)


def wait_for_words(machine: Machine, somebody: Somebody, says: str) -> None:
    patience = Patience(SOON)
    while not any(says in words for words in somebody.scene.get("words", ())):
        if patience.is_over:
            raise RigError(f"{says!r} is not on the screen.")
        machine.listen(0.5)


# --- in the session of a desktop -------------------------------------------------------------------------------


def desktop(page: Page, root: str, state: str) -> None:
    machine = Machine(Drives(root, state), "console-desktop")
    somebody = Somebody(machine)
    with page.sitting(machine):
        into_a_desktop(page, machine, somebody)
        played_there(page, machine, somebody)
        started_again_there(page, machine, somebody)
        stick_there(page, machine)


def into_a_desktop(page: Page, machine: Machine, somebody: Somebody) -> None:
    with page.act("from the console into a desktop") as act:
        machine.wait_up()
        somebody.wait(lambda: somebody.screen == "games", "the table on the console", SOON)
        must(machine, f"{INSTALL.replace('--console', '--desktop')}", 600)
        act.note("installed with --desktop", good=machine.run("systemctl cat companion.service").code != 0)
        target = must(machine, "systemctl get-default")
        act.note(f"the machine starts with {target}", good=target == "graphical.target")
        watch_the_session(machine)
        somebody.forget_screen()
        must(machine, "ln -s /usr/lib/systemd/system/lightdm.service /etc/systemd/system/display-manager.service")
        must(machine, "systemctl daemon-reload && systemctl restart lightdm.service", 120)
        somebody.wait(lambda: somebody.screen == "games", "the table in the desktop", SOON)
        found = of_session(machine, f"show {DESKTOPS} -p ActiveState,SubState,WatchdogUSec,Type")
        act.note(f"started in the session of {GUEST_OF_DESKTOP}: {' '.join(found.split())}")
        machine.picture("desktop-games")


def played_there(page: Page, machine: Machine, somebody: Somebody) -> None:
    with page.act("played in labwc") as act:
        somebody.touch("about='three'", "players")
        somebody.touch("Start()", "table")
        somebody.plays(5)
        machine.picture("desktop-table")
        act.note(f"{somebody.moves} moves by touch")


def started_again_there(page: Page, machine: Machine, somebody: Somebody) -> None:
    with page.act("there: it hangs, is installed anew") as act:
        moves, pid = somebody.moves, session_pid(machine)
        somebody.forget_screen()
        must(machine, f"kill -STOP {pid}")
        somebody.wait_for_offer(SOON)
        act.note("the watchdog of the session started it again", good=session_pid(machine) not in (0, pid))
        somebody.touch("GoOn(", "table")
        act.note(f"{somebody.moves} of {moves} moves are there", good=somebody.moves == moves)
        pid = session_pid(machine)
        somebody.forget_screen()
        said = must(machine, INSTALL.replace(" --console", "").replace(" --no-start", ""), 600)
        act.note("told to log in again", good="log out and in" in said)
        of_session(machine, f"start {DESKTOPS}")
        somebody.wait_for_offer(SOON)
        act.note("the old copy was ended first", good=session_pid(machine) not in (0, pid))


def stick_there(page: Page, machine: Machine) -> None:
    with page.act("there: a stick") as act:
        make_stick("vfat")
        since = must(machine, "date '+%Y-%m-%d %H:%M:%S'")
        machine.plug_in(STICK)
        wait_until(machine, "udevadm settle && test -e /dev/disk/by-label/COMPANION", "the stick to be known")
        place = f"/media/{GUEST_OF_DESKTOP}/COMPANION"
        owner = f"uid=$(id -u {GUEST_OF_DESKTOP}),gid=$(id -g {GUEST_OF_DESKTOP})"
        must(machine, f"mkdir -p {place} && mount -t vfat -o {owner} /dev/disk/by-label/COMPANION {place}")
        wait_for(machine, since, COPIED)
        act.note(f"copied where the desktop mounts it: {must(machine, f'ls {place}/companion')}")
        must(machine, f"umount {place}")


def watch_the_session(machine: Machine) -> None:
    """The rig's only addition to the unit; without `--real` the table off a Pi would be a drawn one."""
    folder = f"/etc/systemd/user/{DESKTOPS}.d"
    onlooker = "/project/tests/rigs/appliance/onlooker"
    start = "/opt/companion/venv/bin/companion --full-screen --real"
    lines = f"[Service]\\nEnvironment=PYTHONPATH={onlooker}\\nExecStart=\\nExecStart={start}\\n"
    must(machine, f"mkdir -p {folder} && printf '{lines}' >{folder}/rig.conf")


def of_session(machine: Machine, words: str) -> str:
    who = GUEST_OF_DESKTOP
    bus = f"XDG_RUNTIME_DIR=/run/user/$(id -u {who}) DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/$(id -u {who})/bus"
    return must(machine, f"runuser -u {who} -- env {bus} systemctl --user {words}", 120)


def session_pid(machine: Machine) -> int:
    return int(of_session(machine, f"show {DESKTOPS} -p MainPID --value") or 0)
