"""The buttons that a wiring file describes, as a match takes them."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

from companion.commands.console import complain
from companion.core.button_meanings import key_kinds
from companion.core.match import Match
from companion.inputs.presses import Presses
from hardware.real import RealPanel
from hardware.simulated import NOTICE, SimulatedPanel
from hardware.wiring import read_wiring


@contextlib.contextmanager
def open_buttons(wiring_file: Path, match: Match) -> Iterator[Presses]:
    wiring = read_wiring(wiring_file, key_kinds())
    panel: RealPanel | SimulatedPanel
    if wiring.driver == "simulated":
        complain(NOTICE)
        panel = SimulatedPanel(wiring)
    else:
        panel = RealPanel(wiring, complain)
    try:
        yield Presses(panel, match)
    finally:
        panel.close()
