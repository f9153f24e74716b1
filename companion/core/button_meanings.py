"""What a game says of its buttons: what `buttons.py` of its package offers, and which kinds of buttons there are.

A strike is a press on the token, whose photo finish is known. Every other button has a kind, which is its key in
table.toml: at each seat, one for the whole table, or both.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.core.photo_finish import Finish
from companion.core.rules import Move
from companion.core.sentence import Sentence
from companion.games import NAMES, part

TOKEN = "strike"  # the kind of the token's own buttons

Meaning = Move | Sentence  # the move that a press is, or why it is none


@dataclass(frozen=True, slots=True)
class ButtonKind:
    """A button beside the token. `means`: the move of a press at this player's seat ("" for the table's own button) in
    that state; None where it means nothing now."""

    name: str  # in table.toml
    label: str  # as people say it
    means: Callable[[Any, str], Move | None]
    at_seats: bool = False
    at_table: bool = False
    is_shared: bool = False  # everybody presses the table's one in turn: soon after a press another one is none
    sign: str = ""  # on a button that is drawn, ...
    word: str = ""  # ... and where there is room


@dataclass(frozen=True, slots=True)
class TokenRest:
    """The token is not free at once: it fills from `since` until `free`; some players are kept out for longer. All
    times are table times."""

    since: int
    free: int
    out: Mapping[str, int]


def _means_nothing(_state: Any, _told: Any) -> None:
    """Of a button in a game that does not know it."""


@dataclass(frozen=True, slots=True)
class ButtonMeanings:
    """BUTTONS of a game. As it is here, the game is played without buttons."""

    strikes: tuple[str, ...] = ()  # the words of the moves that a hand on the token can be
    struck: Callable[[Any, Finish], Meaning | None] = _means_nothing  # what that strike is in this state
    may_miss: bool = False  # a strike can mean nothing: it is looked at again when it is ruled on
    corrected: Callable[[Move, Finish], Move | None] = _means_nothing  # a strike that was made, with another finish
    void: Callable[[str], Move | None] = lambda _player: None  # a strike that does not count, for the rules to refuse
    rest: Callable[[Any], TokenRest | None] = lambda _state: None  # None: the token is free at once
    kinds: tuple[ButtonKind, ...] = ()
    pressed: Callable[[Any, Move], str] = lambda _state, _move: ""  # the kind of button that makes a move; "": none


def buttons_of(game: str) -> ButtonMeanings:
    return part(game, "buttons", ButtonMeanings)


def button_kinds() -> dict[str, ButtonKind]:
    """Those of all games: a table is wired for whatever is played at it."""
    return {kind.name: kind for game in NAMES for kind in buttons_of(game).kinds}


def key_kinds() -> tuple[ButtonKind, ...]:
    """The same for the wiring."""
    return tuple(button_kinds().values())
