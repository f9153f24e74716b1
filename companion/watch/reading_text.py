"""What was read in a picture of a table, in words and in data."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from vision.frames import Picture
    from vision.locate import TableView
    from vision.reader import Reading

# --- in words --------------------------------------------------------------------------------------------------

_NO_CARD = {"empty": "(empty)", "face-down": "(face down)", "hand": "(covered)", "foreign": "(foreign)", "unclear": "?"}


def in_words(image: str, table: "TableView", readings: Sequence["Reading"]) -> Iterator[str]:
    """The grid as it lies, then each cell that is not read, and why."""
    yield f"{image}: found by {how(table)}.{' ' + table.note if table.note else ''}"
    names = [called(reading.card) if reading.card else _NO_CARD[reading.state] for reading in readings]
    columns = [max(map(len, names[column::3])) for column in range(3)]
    for row in range(0, 9, 3):
        yield "  " + "   ".join(f"{names[row + at]:{columns[at]}}" for at in range(3)).rstrip()
    for reading in readings:
        if not reading.card:
            yield why_not(reading)


def how(table: "TableView") -> str:
    if table.how == "markers" and table.mat:
        return f"the markers of the {table.mat.name} mat"
    return {"corners": "the corners given", "cards": "the cards alone"}.get(table.how, table.how)


def called(card: str) -> str:
    return card.replace("-", " ")


def why_not(reading: "Reading") -> str:
    """One line for a cell without a card."""
    sentence = f"Cell {reading.cell}: {reading.reason}"
    if reading.state == "unclear" and reading.likely:
        likely = ", ".join(f"{called(card)} ({chance:.0%})" for card, chance in reading.likely if chance >= 0.01)
        return f"{sentence.rstrip('.')}{'' if sentence.endswith('?') else '.'}{f' Likely: {likely}.' if likely else ''}"
    return sentence if sentence.endswith((".", "?")) else f"{sentence}."


# --- in data ---------------------------------------------------------------------------------------------------


def as_data(
    image: str, picture: "Picture", table: "TableView", readings: Iterable["Reading"], by: float = 1.0
) -> dict[str, Any]:
    """What docs/reading.schema.json describes."""
    return {
        "image": image,
        "table": {"how": table.how, "mat": table.mat.name if table.mat else None, "note": table.note},
        "size": [round(picture.shape[1] * by), round(picture.shape[0] * by)],
        "cells": [
            _cell(reading, corners) for reading, corners in zip(readings, (table.cells * by).tolist(), strict=True)
        ],
    }


def _cell(reading: "Reading", corners: list[list[float]]) -> dict[str, Any]:
    parts = (reading.card or "").split("-")
    colour, shape, count = parts if len(parts) == 3 else (None, None, None)
    return {
        "cell": reading.cell,
        "state": reading.state,
        "card": reading.card,
        "colour": colour,
        "shape": shape,
        "count": int(count) if count else None,
        "confidence": round(reading.confidence, 4),
        "reason": reading.reason,
        "likely": [[card, round(chance, 4)] for card, chance in reading.likely],
        "corners": [[round(x, 1), round(y, 1)] for x, y in corners],
    }
