"""Inside the guest: a whole game of Three!, its strikes made on the lines of the kernel's chip.

The same scenes are played on simulated buttons beside it; both must be ruled alike, word for word, and the journal
must hold the photo finishes.
"""

import select
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from companion.core.codec import written
from companion.core.match import Match
from companion.journal import Journal
from companion.seat.table import PlainTable
from hardware.real import RealPanel
from tests.hardware.game import PINS, WIRING, Contacts, perform, table_for
from tests.hardware.test_game import World
from tests.replies import told as as_told
from tests.rigs.gpio import guest

QUIET = 150_000_000  # nanoseconds without anything: the scene is over


class Bench:
    """The real panel, and contacts that are moved by the stimulator."""

    def __init__(self) -> None:
        self.panel = RealPanel(WIRING)
        self._playing: guest.Playing | None = None

    def contacts(self, contacts: Contacts) -> None:
        changes = [
            guest.Change(at, PINS[seat], guest.PRESSED if closes else guest.RELEASED)
            for at, seat, closes in sorted(contacts)
        ]
        self._playing = guest.Playing(changes)

    def settle(self, table: PlainTable) -> list[dict[str, Any]]:
        """Let everything happen that is still to come."""
        found: list[dict[str, Any]] = []
        last = time.monotonic_ns()
        while True:
            now = time.monotonic_ns()
            replies = as_told(table.attend(now))
            found += replies
            due = table.wakes_at
            if replies or due is not None or (self._playing and not self._playing.is_over):
                last = now
            elif now - last > QUIET:
                break
            wait = 0.05 if due is None else min(0.05, max(0, due - now) / 1e9)
            if select.select([self.panel.inbox], [], [], wait)[0]:
                last = now
        if self._playing:
            self._playing.wait()
            self._playing = None
        return found


def main() -> int:
    world = World()
    simulated = list(perform(table_for(world.panel, world.clock), world.clock, world.contacts, world.settle))
    bench = Bench()
    with tempfile.TemporaryDirectory() as folder, Journal.open(Path(folder) / "journal.sqlite3") as journal:
        table = table_for(bench.panel, time.monotonic_ns, journal)
        real = list(perform(table, time.monotonic_ns, bench.contacts, bench.settle))
        match = table.session.referee.match
        kept = journal.stored("scripted")
        again = Match.folded(kept.setup, kept.entries)
    bench.panel.close()
    alike = 0
    for (scene, wanted), (_, found) in zip(simulated, real, strict=True):
        alike += wanted == found
        guest.tell(say=f"{'alike' if wanted == found else 'OTHERWISE'}: {scene.about}")
        if wanted != found:
            guest.tell(say=f"  simulated {written(wanted[-3:])}", found=found)
            guest.tell(say=f"  real      {written(found[-3:])}")
    finishes = sum(bool(getattr(done.move, "finish", None)) for done in again.line)
    same = again.state == match.state and match.outcome is not None
    guest.tell(
        say=f"{alike} of {len(real)} scenes ruled alike; {len(again.line)} moves in the journal, {finishes} photo "
        f"finishes, played again to the same end: {'yes' if same else 'NO'}",
        alike=alike, scenes=len(real), moves=len(again.line), finishes=finishes, same=same,
    )  # fmt: skip
    return 0 if alike == len(real) and same and finishes else 1


if __name__ == "__main__":
    sys.exit(main())
