"""The deck that is read: what its cards are called, and what can lie on a cell instead of a card."""

from typing import Literal

COLOURS = ("red", "blue", "purple", "yellow")
SHAPES = ("circle", "diamond", "plus", "star")
COUNTS = ("0", "1", "2", "3")
CARDS = tuple(f"{colour}-{shape}-{count}" for colour in COLOURS for shape in SHAPES for count in COUNTS)

# What a cell shows. "foreign" is a card of another deck; "unclear" is light or focus that hides it.
State = Literal["card", "empty", "face-down", "hand", "unclear", "foreign"]
STATES: tuple[State, ...] = ("card", "empty", "face-down", "hand", "unclear", "foreign")
