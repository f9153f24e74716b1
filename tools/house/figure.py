"""A figure of the house: what it is, how much it is, what it may be, and where that is so."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HouseFigure:
    """One line of the report; without a bound it is told and nothing more."""

    what: str
    value: str
    bound: str = ""
    holds: bool = True
    places: tuple[str, ...] = ()  # where it does not hold, or what is excepted

    def lines(self) -> list[str]:
        mark = "  " if not self.bound else "ok" if self.holds else "NO"
        bound = f" (bound: {self.bound})" if self.bound else ""
        return [f"{mark}  {self.what}: {self.value}{bound}", *(f"        {place}" for place in self.places)]


def at_most(what: str, value: int, most: int, places: tuple[str, ...] = ()) -> HouseFigure:
    """A count that may not be larger; where it is, the places say so."""
    return HouseFigure(what, f"{value:,}", "none" if most == 0 else f"at most {most:,}", value <= most, places)
