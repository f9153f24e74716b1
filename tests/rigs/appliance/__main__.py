"""`make rig-appliance`: a Debian 13 boots in QEMU, becomes a table, is played at, hangs, is killed, loses its power.

    python3 -m tests.rigs.appliance                 all of it, with a few cuts
    python3 -m tests.rigs.appliance --cuts 30       the full number
    python3 -m tests.rigs.appliance --build-only    only make what is missing
    python3 -m tests.rigs.appliance --fresh         forget what was made before

Every act is tried, whatever became of those before it. Pictures of the screen are in build/rigs/appliance/pictures
afterwards, with the table's log and what was seen beside them; what the machine said of an act that failed is in
build/rigs/appliance/failed.
"""

import shutil
from argparse import ArgumentParser, Namespace

from tests.rigs.appliance import acts, otherwise, plugs
from tests.rigs.appliance.build import BUILT, RIG, build
from tests.rigs.appliance.cuts import careless_cuts, power_cuts
from tests.rigs.appliance.machine import RUN, Drives, Machine
from tests.rigs.appliance.page import Page
from tests.rigs.appliance.parcel import pack
from tests.rigs.appliance.somebody import Somebody
from tests.rigs.running import PROJECT, DisturbedError, conclude, run, say

ROOT, STATE, ASIDE = "run/root.img", "run/state.img", "run/aside.img"
PICTURES = BUILT / "pictures"
FAILED = BUILT / "failed"
SEEN = BUILT / "seen.txt"


def arguments() -> Namespace:
    parser = ArgumentParser(prog="python3 -m tests.rigs.appliance", description="Tries the appliance in a machine.")
    parser.add_argument("--cuts", type=int, default=2, help="how often the power is cut in mid-match (default: 2)")
    parser.add_argument("--careless", type=int, default=1, help="cuts of the control, synchronous OFF (default: 1)")
    parser.add_argument("--seed", type=int, default=7, help="of the instants (default: 7)")
    parser.add_argument("--build-only", action="store_true")
    parser.add_argument("--fresh", action="store_true")
    return parser.parse_args()


def new_disks() -> None:
    shutil.rmtree(RUN, ignore_errors=True)
    RUN.mkdir()
    pack(RUN / "project.tar")
    run("cp", "--sparse=always", RIG / "root.img", RIG / ROOT)
    run("cp", "--sparse=always", RIG / "state.img", RIG / STATE)
    otherwise.make_empty()


def must_have_its_disk(machine: Machine) -> None:
    """systemd waits 30 s for it, which a computer that is busy with other things can use up."""
    if machine.up and machine.run("findmnt /var/lib/companion").code:
        raise DisturbedError("the disk for the matches came later than the guest waits for it.")


def sit_down(page: Page) -> None:
    """Everything that is done while the power stays on."""
    machine = Machine(Drives(ROOT, STATE))
    somebody = Somebody(machine)
    with page.sitting(machine, lambda: acts.sits_again(machine, somebody)):
        with page.act("Debian 13 boots in QEMU") as act:
            machine.wait_up()
            act.note(f"Linux {machine.up['kernel']}")
        must_have_its_disk(machine)
        acts.install(page, machine)
        acts.start(page, machine, somebody)
        acts.play(page, machine, somebody)
        acts.in_force(page, machine)
        acts.hang(page, machine, somebody)
        acts.kill(page, machine, somebody)
        acts.stop(page, machine, somebody)
        acts.install_again(page, machine, somebody)
        plugs.sticks(page, machine, somebody)
        plugs.webcam(page, machine)
        plugs.screens(page, machine, somebody)
        acts.logged(page, machine, BUILT / "table.log")
        moves = somebody.moves or len(somebody.ruled)
        acts.never_starts(page, machine)
    otherwise.overlaid(page, ROOT, STATE, moves)
    otherwise.without_its_disk(page, ROOT)
    run("cp", "--sparse=always", RIG / ROOT, RIG / ASIDE)
    otherwise.desktop(page, ASIDE, STATE)


def keep() -> None:
    """Where somebody looks for them."""
    shutil.rmtree(PICTURES, ignore_errors=True)
    PICTURES.mkdir(parents=True)
    for picture in RUN.glob("*.png"):
        shutil.copy(picture, PICTURES)


def main(asked: Namespace) -> int:
    if asked.fresh:
        shutil.rmtree(BUILT, ignore_errors=True)
    build()
    if asked.build_only:
        return 0
    shutil.rmtree(FAILED, ignore_errors=True)
    page = Page(FAILED)
    new_disks()
    try:
        sit_down(page)
        if asked.cuts:
            power_cuts(page, asked.cuts, asked.seed)
        if asked.careless:
            careless_cuts(page, asked.careless, asked.seed)
    finally:
        keep()
        SEEN.write_text(page.whole() + "\n", encoding="utf-8")
    say(f"\n{page.whole()}\n\nPictures: {PICTURES.relative_to(PROJECT)}")
    say(f"rig-appliance: {'good' if page.is_good else 'BAD'}")
    return 0 if page.is_good else 1


if __name__ == "__main__":
    asked = arguments()
    conclude("appliance", lambda: main(asked))
