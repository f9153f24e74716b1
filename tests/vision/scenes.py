"""Short stretches of play before the simulated camera, for tests of what is seen of them."""

from collections.abc import Iterable, Iterator

from simulator.rendered.rendered_table import SimulatedTable
from simulator.rendered.script import Deed, Lying, Mishap, Script, ScriptedArm, Seat
from vision.deck import CARDS
from vision.frames import Frame
from vision.reader import Reader
from vision.sightings import Sighting
from vision.watcher import Watcher

MS = 1_000_000
SECOND = 1000 * MS
GRID = CARDS[3:64:7][:9]  # nine cards that differ in most things
SIZE = (960, 540)
RATE = 20.0

_READERS: list[Reader] = []


def reader() -> Reader:
    """One for all tests of a process: loading takes a while."""
    if not _READERS:
        _READERS.append(Reader())
    return _READERS[0]


def arm(cell: int, card: str, at: float, *, what: Deed = "lay", seat: Seat = "bottom", **more: float) -> ScriptedArm:
    """A usual visit, the deed at so many seconds."""
    deed = round(at * SECOND)
    stays = round(more.get("stays", 0.1) * SECOND)
    lying = Lying(card, (more.get("slip", 1.0), 1.0), more.get("turn", 3.0)) if card else None
    return ScriptedArm(
        seat,
        deed - 450 * MS,
        deed - 150 * MS,
        deed,
        deed + stays,
        deed + stays + 350 * MS,
        cell,
        what,
        lying,
        int(more.get("onto", 0)),
    )


def script(
    arms: Iterable[ScriptedArm] = (), mishaps: Iterable[Mishap] = (), *, seconds: float = 4.0, seed: int = 5
) -> Script:
    grid = tuple((Lying(card),) for card in GRID)
    return Script(seed, round(seconds * SECOND), grid, tuple(arms), tuple(mishaps), size=SIZE, rate=RATE)


def frames(of: Script) -> Iterator[Frame]:
    return SimulatedTable(of).frames()


def watched(of: Script, watcher: Watcher | None = None) -> list[Sighting]:
    """Everything that is told of a script."""
    watcher = watcher or Watcher(reader())
    return [seen for frame in frames(of) for seen in watcher.watch(frame)]


def only(seen: Iterable[Sighting], kind: type) -> list:  # type: ignore[type-arg]
    return [one for one in seen if isinstance(one, kind)]
