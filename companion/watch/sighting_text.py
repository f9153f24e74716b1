"""Sightings in words and in data: what `companion watch` tells of what was seen, whatever it means."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from companion.core.clocks import SECOND, shown
from companion.core.codec import plain
from companion.core.replies import CellLook
from companion.core.sentence import N_
from companion.watch.reading_text import called
from companion.watch.told_evidence import look_of
from vision import sightings
from vision.sightings import Sighting

# --- in data ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Line:
    """Something that became known with a frame; `at` is its stamp in nanoseconds, `frame` its number."""

    kind: ClassVar[str] = ""

    at: int
    frame: int


@dataclass(frozen=True, slots=True)
class GridLine(Line):
    """All cells are clear, for the first time: nine that show a card each, or those of a lattice, of which some are
    bare."""

    kind: ClassVar[str] = "grid-seen"
    looks: list[CellLook]


@dataclass(frozen=True, slots=True)
class CardLine(Line):
    """A cell shows another card than before. It was laid after `before.at`, at the earliest at `since`, when something
    first came over the cell; `arms` are the sides of the mat from which arms worked there ("" is not known)."""

    kind: ClassVar[str] = "card-seen"
    cell: int
    before: CellLook
    after: CellLook
    since: int
    arms: list[str]
    pictures: list[str]  # paths of the cell before and after, if pictures are kept


@dataclass(frozen=True, slots=True)
class SameLine(Line):
    """A cell that hands have been at, from `since` until `by`, shows the same face as before; `anew` is how likely
    another card of that face was laid, by how it lies."""

    kind: ClassVar[str] = "same-seen"
    cell: int
    look: CellLook
    since: int
    by: int
    arms: list[str]
    anew: float


@dataclass(frozen=True, slots=True)
class NoCardLine(Line):
    """A cell is clear and shows no card of the deck: `after.state` is empty, face-down or foreign."""

    kind: ClassVar[str] = "no-card"
    cell: int
    before: CellLook
    after: CellLook
    since: int


@dataclass(frozen=True, slots=True)
class HandsLine(Line):
    """Hands have been at a pile that lies face down, from `since` until `by`; piles are numbered behind the cells."""

    kind: ClassVar[str] = "hands-seen"
    pile: int
    since: int
    by: int
    arms: list[str]


@dataclass(frozen=True, slots=True)
class CannotReadLine(Line):
    """A cell lies still, nothing covers it, and it cannot be read."""

    kind: ClassVar[str] = "cannot-read"
    cell: int
    reason: str
    likely: list[tuple[str, float]]


@dataclass(frozen=True, slots=True)
class TableLine(Line):
    """The table was found, or found elsewhere than before (`moved`); for each cell its corners in the picture."""

    kind: ClassVar[str] = "table-seen"
    how: str
    mat: str | None
    note: str
    moved: bool
    cells: list[list[tuple[float, float]]]


@dataclass(frozen=True, slots=True)
class TableLostLine(Line):
    """There is no table where it was, nor elsewhere in the picture."""

    kind: ClassVar[str] = "table-lost"
    why: str


@dataclass(frozen=True, slots=True)
class TroubleLine(Line):
    """Something is wrong with the frames themselves: dark, frozen, backwards, size, covered."""

    kind: ClassVar[str] = "trouble"
    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class TroubleOverLine(Line):
    """It is over."""

    kind: ClassVar[str] = "trouble-over"
    code: str


LINES: tuple[type[Line], ...] = (
    GridLine,
    CardLine,
    SameLine,
    NoCardLine,
    HandsLine,
    CannotReadLine,
    TableLine,
    TableLostLine,
    TroubleLine,
    TroubleOverLine,
)


def line_plain(line: Line) -> dict[str, Any]:
    return {"kind": line.kind, **plain(line)}


def line_of(seen: Sighting, pictures: Sequence[str] = ()) -> Line:
    """A sighting as data, without its pixels."""
    at, frame = seen.stamp, seen.number
    match seen:
        case sightings.GridSeen():
            return GridLine(at, frame, [look_of(look) for look in seen.looks])
        case sightings.CardSeen():
            before, after = look_of(seen.before), look_of(seen.after)
            return CardLine(at, frame, seen.cell, before, after, seen.since, list(seen.arms), list(pictures))
        case sightings.SameSeen():
            look, arms = look_of(seen.after), [*map(str, seen.arms)]
            return SameLine(at, frame, seen.cell, look, seen.since, seen.by, arms, round(seen.anew, 4))
        case sightings.NoCard():
            return NoCardLine(at, frame, seen.cell, look_of(seen.before), look_of(seen.after), seen.since)
        case sightings.HandsSeen():
            return HandsLine(at, frame, seen.pile, seen.since, seen.by, list(seen.arms))
        case sightings.CannotRead():
            likely = [(card, round(chance, 4)) for card, chance in seen.likely]
            return CannotReadLine(at, frame, seen.cell, seen.reason, likely)
    return _line_of_table(seen)


def _line_of_table(seen: Sighting) -> Line:
    """Of one that tells of no single place."""
    at, frame = seen.stamp, seen.number
    match seen:
        case sightings.TableSeen():
            return _table_line(seen)
        case sightings.TableLost():
            return TableLostLine(at, frame, seen.why)
        case sightings.Trouble():
            return TroubleLine(at, frame, seen.code, seen.sentence)
        case sightings.TroubleOver():
            return TroubleOverLine(at, frame, seen.code)
    raise TypeError(type(seen))


def _table_line(seen: sightings.TableSeen) -> TableLine:
    table = seen.table
    corners = [[(round(x, 1), round(y, 1)) for x, y in cell] for cell in table.cells.tolist()]
    mat = table.mat.name if table.mat else None
    return TableLine(seen.stamp, seen.number, table.how, mat, table.note, seen.moved, corners)


# --- in words --------------------------------------------------------------------------------------------------

_INSTEAD = {"empty": "nothing", "face-down": "a card face down", "foreign": "a card of another deck"}
_NOTHING = "no card"
_OVER = {
    "dark": N_("There is light again."),
    "frozen": N_("The picture moves again."),
    "backwards": N_("The frames come in order again."),
    "size": N_("The pictures have their size again."),
    "covered": N_("The cells are clear again."),
}


def words_of(line: Line, at: int) -> str:
    """One line for people, with the time to be shown."""
    return f"{shown(max(0, at)):>9}  {_said(line)}"


def _said(line: Line) -> str:
    match line:
        case GridLine():
            return _grid_said(line)
        case HandsLine():
            return f"A hand at the pile {line.pile}{_sides(line.arms)}."
        case CardLine():
            return f"Cell {line.cell}: {_on(line.after)}, where {_on(line.before)} was{_how_laid(line)}."
        case SameLine():
            return f"Cell {line.cell}: {_on(line.look)} as before{_sides(line.arms)}; laid anew: {line.anew:.0%}."
        case NoCardLine():
            return f"Cell {line.cell}: {_on(line.after)}, where {_on(line.before)} was."
        case CannotReadLine():
            return f"Cell {line.cell} cannot be read: {_ended(line.reason)}{_likely(line.likely)}"
    return _said_of_table(line)


def _said_of_table(line: Line) -> str:
    match line:
        case TableLine():
            return _table_said(line)
        case TableLostLine():
            return f"The table is lost: {_ended(line.why)}"
        case TroubleLine():
            return line.sentence
        case TroubleOverLine():
            return _OVER.get(line.code, "That is over.")
    raise TypeError(type(line))


def _grid_said(line: GridLine) -> str:
    if len(line.looks) != sightings.CELLS:
        return f"{sum(look.card is not None for look in line.looks)} of {len(line.looks)} cells show something."
    return f"The nine cards: {'; '.join(', '.join(map(_on, line.looks[at : at + 3])) for at in (0, 3, 6))}."


def _on(look: CellLook) -> str:
    return called(look.card) if look.card else _INSTEAD.get(look.state, _NOTHING)


def _how_laid(line: CardLine) -> str:
    """By whose arm, and how long the cell was out of sight."""
    arms = _sides(line.arms)
    hidden = line.after.at - line.since
    return f"{arms}, unseen for {hidden / SECOND:.1f} s" if hidden > 0 else f"{arms}, with nothing over it"


def _sides(arms: Sequence[str]) -> str:
    sides = [f"the {side}" for side in arms if side]
    return f", by an arm from {' and '.join(sides)}" if sides else ""


def _likely(likely: Sequence[tuple[str, float]]) -> str:
    named = ", ".join(f"{called(card)} ({chance:.0%})" for card, chance in likely if chance >= 0.01)
    return f" Likely: {named}." if named else ""


def _ended(reason: str) -> str:
    return reason if reason.endswith((".", "?")) else f"{reason}."


def _table_said(line: TableLine) -> str:
    by = {"corners": "the corners given", "cards": "the cards alone"}.get(line.how)
    by = by or (f"the markers of the {line.mat} mat" if line.mat else line.how)
    note = f" {line.note}" if line.note else ""
    return f"The table {'has moved: it is' if line.moved else 'is'} found by {by}.{note}"
