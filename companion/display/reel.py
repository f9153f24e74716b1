"""What a recording is made of: stills with the time for which each is shown, and which parts of a match are kept."""

import zlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

LEAST = 60  # milliseconds: quicker than that nobody sees it, and some viewers slow it down
OPENING = 4  # parts from the beginning, if they take less than a third of the time
AGAIN = 3  # so many times less counts what was seen already
PLAIN = 0.5  # the weight of a part in which nothing is decided, ...
BESIDE = 1.0  # ... and what it gains by each neighbour that is kept: what leads up to something, and what follows


@dataclass(frozen=True, slots=True)
class Still:
    """A picture, as rows of red, green and blue, packed; and for how many milliseconds it is shown."""

    packed: bytes
    lasts: int

    @property
    def pixels(self) -> bytes:
        return zlib.decompress(self.packed)


@dataclass(slots=True)
class ReelPart:
    """A piece of a match that is kept whole or not at all."""

    name: str = ""
    weight: float = 0
    stills: list[Still] = field(default_factory=list)

    @property
    def lasts(self) -> int:
        return sum(still.lasts for still in self.stills)


class Reel:
    """Takes what is shown, part by part."""

    def __init__(self) -> None:
        self.parts: list[ReelPart] = [ReelPart()]

    def next_part(self) -> None:
        if self.parts[-1].stills:
            self.parts.append(ReelPart())

    def weigh(self, name: str, weight: float) -> None:
        """What the part that is being taken shows, if it is more than what it shows already."""
        part = self.parts[-1]
        if weight > part.weight:
            part.name, part.weight = name, weight

    def add(self, pixels: bytes, lasts: float) -> None:
        """A picture; the same as before is shown for longer."""
        packed, stills = zlib.compress(pixels, 1), self.parts[-1].stills
        before = stills.pop().lasts if stills and stills[-1].packed == packed else 0
        stills.append(Still(packed, before + round(lasts)))


def kept(parts: Sequence[ReelPart], seconds: float) -> list[Still]:
    """The beginning, the end, and between them what is decisive, as far as there is room; all of it in its order."""
    room = round(1000 * seconds)
    chosen = {0, len(parts) - 1}
    for at in range(1, min(OPENING, len(parts))):
        if sum(parts[one].lasts for one in chosen | {at}) <= room // 3:
            chosen.add(at)
    while (best := _best(parts, chosen, room - sum(parts[at].lasts for at in chosen))) is not None:
        chosen.add(best)
    return _squeezed([still for at in sorted(chosen) for still in parts[at].stills], room)


def _best(parts: Sequence[ReelPart], chosen: set[int], room: int) -> int | None:
    """The part that is worth most of those that still fit: of each kind one before another of the same."""
    times = Counter(parts[at].name for at in chosen)

    def worth(at: int) -> float:
        part = parts[at]
        own = part.weight / AGAIN ** times[part.name] if part.weight else PLAIN
        return own + BESIDE * len(chosen & {at - 1, at + 1})

    fits = [at for at, part in enumerate(parts) if at not in chosen and part.lasts <= room]
    return max(fits, key=lambda at: (worth(at), -at), default=None)


def _squeezed(stills: list[Still], room: int) -> list[Still]:
    """In no more time than there is, if even the least is too long."""
    whole = sum(still.lasts for still in stills)
    if whole <= room:
        return stills
    return [Still(still.packed, max(LEAST, still.lasts * room // whole)) for still in stills]
