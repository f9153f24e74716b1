"""The scripted game of Three! on simulated buttons, in travelled time. The rig plays the same on a kernel's chip."""

import json
from pathlib import Path
from typing import Any

from companion.core.match import Match
from companion.journal import Journal
from companion.seat.table import PlainTable
from hardware.panel import Key
from hardware.simulated import SimulatedContact, SimulatedPanel
from tests.hardware.game import SCENES, WIRING, Contacts, perform, table_for
from tests.replies import told as as_told


class World:
    """A panel and a clock that moves when it is told to."""

    def __init__(self) -> None:
        self.now = 1_000_000_000
        self.panel = SimulatedPanel(WIRING, self.clock)
        self._coming: list[SimulatedContact] = []
        self._replies: list[dict[str, Any]] = []

    def clock(self) -> int:
        return self.now

    def contacts(self, contacts: Contacts) -> None:
        start = self.now + 50_000_000
        self._coming = sorted(
            (SimulatedContact(start + at, Key("strike", seat), down) for at, seat, down in contacts),
            key=lambda contact: contact.at,
        )

    def settle(self, table: PlainTable) -> list[dict[str, Any]]:
        """Let everything happen that is still to come."""
        found = as_told(table.attend(self.now))
        while True:
            due = table.wakes_at
            if self._coming and (due is None or self._coming[0].at <= due):
                contact = self._coming.pop(0)
                self.now = contact.at
                self.panel.contact(contact)
            elif due is not None:
                self.now = max(self.now, due)
            else:
                return found
            found += as_told(table.attend(self.now))


def finishes(said: list[str]) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """The photo finishes among what was heard."""
    found = [json.loads(line) for line in said if line.startswith('{"order"')]
    return [(tuple(seat for seat, _ in finish["order"]), tuple(finish["tied"])) for finish in found]


def test_the_scripted_game(tmp_path: Path) -> None:
    world = World()
    with Journal.open(tmp_path / "journal.sqlite3") as journal:
        table = table_for(world.panel, world.clock, journal)
        told = list(perform(table, world.clock, world.contacts, world.settle))
        assert [scene for scene, _ in told] == list(SCENES)
        for scene, said in told:
            assert finishes(said) == ([(scene.order, scene.tied)] if scene.order else []), scene.about
        match = table.session.referee.match
        assert match.outcome is not None
        kept = journal.stored("scripted")
        again = Match.folded(kept.setup, kept.entries)
        assert again.state == match.state
        assert [done.move for done in again.line] == [done.move for done in match.line]
