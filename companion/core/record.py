"""Moves, entries and set-ups as JSON: the same form in the journal, in exported files and in messages."""

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any

from companion.core.codec import plain, read, reader_of, without_defaults
from companion.core.entry import Abandoned, Corrected, Entry, Made, Paused, Redone, Resumed, Undone
from companion.core.errors import MalformedError
from companion.core.house import house_as_kept
from companion.core.match import Player, Setup, set_up
from companion.core.names import LONGEST_NAME, check_kept_names
from companion.core.rules import Game, Move
from companion.core.seats import bots_plain, read_bots
from companion.games import game as game_named

_KINDS: dict[str, type[Any]] = {
    "made": Made,
    "undone": Undone,
    "redone": Redone,
    "paused": Paused,
    "resumed": Resumed,
    "corrected": Corrected,
    "abandoned": Abandoned,
}
_CODE = re.compile("[A-Za-z0-9_-]{1,40}")
_NAMES = {kind: name for name, kind in _KINDS.items()}


def move_plain(move: Move) -> dict[str, Any]:
    """A move as JSON: {"move": its word, and what differs from the defaults}."""
    found = without_defaults(move)
    if not found["player"]:
        del found["player"]
    return {"move": move.word, **found}


@cache
def moves_of(game: Game) -> dict[str, type[Move]]:
    return {move.word: move for move in game.moves}


def read_move(game: Game, data: Any, where: str = "") -> Move:
    """A move from its JSON form, or a MalformedError."""
    if not isinstance(data, Mapping):
        raise MalformedError(f"{where or 'A move'} must be an object.")
    word = data.get("move")
    kind = moves_of(game).get(word) if isinstance(word, str) else None
    if kind is None:
        known = ", ".join(moves_of(game))
        raise MalformedError(f"{game.title} has no move {str(word)[:40]!r}; its moves are {known}.")
    rest = {key: value for key, value in data.items() if key != "move"}
    if not kind.needs_player:
        rest.setdefault("player", "")
    found: Move = reader_of(kind)(rest, where)
    return found


def entry_plain(entry: Entry) -> tuple[str, dict[str, Any]]:
    """An entry as its kind and its JSON body."""
    kind = _NAMES[type(entry)]
    if isinstance(entry, Made):
        return kind, move_plain(entry.move)
    if isinstance(entry, Corrected):
        data = {"number": entry.number, "move": move_plain(entry.move) if entry.move else None}
        return kind, {**without_defaults(replace(entry, move=None)), **data}
    return kind, without_defaults(entry)


def read_entry(game: Game, kind: str, body: Any) -> Entry:
    if kind not in _KINDS:
        raise MalformedError(f"There is no entry of the kind {kind[:40]!r}.")
    if kind == "made":
        return Made(read_move(game, body))
    if kind == "corrected":
        if not isinstance(body, Mapping) or not {"number", "move"} <= set(body):
            raise MalformedError("A correction has a number and a move.")
        move = body["move"]
        made: Corrected = read(Corrected, {**body, "move": None})
        return replace(made, move=read_move(game, move) if move is not None else None)
    found: Entry = read(_KINDS[kind], body)
    return found


def setup_plain(setup: Setup) -> dict[str, Any]:
    """Bots are told where they were chosen: a set-up from before is written as it was."""
    seats = {"bots": bots_plain(player.bot for player in setup.players)} if setup.is_seated else {}
    deck = {"deck": setup.deck} if setup.deck else {}
    return {
        "id": setup.id,
        "game": setup.game,
        "players": plain(setup.players),
        "house": plain(setup.house),
        "rematch_of": setup.rematch_of,
        **seats,
        **deck,
    }


def read_setup(data: Any) -> Setup:
    """A set-up from its JSON form; raises a CompanionError in one sentence."""
    if not isinstance(data, Mapping) or set(data) - {"bots", "deck"} != {
        "id",
        "game",
        "players",
        "house",
        "rematch_of",
    }:
        raise MalformedError("A set-up has id, game, players, house, rematch_of and perhaps bots or deck.")
    game = game_named(read(str, data["game"], "game"))
    players = read(tuple[Player, ...], data["players"], "players")
    if not isinstance(data["house"], Mapping):
        raise MalformedError("house must be an object.")
    house = house_as_kept(game, data["house"])
    for key in ("id", "rematch_of"):
        if not _CODE.fullmatch(read(str, data[key], key)) and (key == "id" or data[key]):
            raise MalformedError(f"{key}: {data[key][:40]!r} is not the code of a match.")
    for player in players:
        if not player.colour.isprintable() or not 0 < len(player.colour) <= LONGEST_NAME:
            raise MalformedError(f"players: {player.colour[:70]!r} is not a colour.")
    return set_up(
        game,
        [player.name for player in players],
        house,
        colours=[player.colour for player in players],
        rematch_of=read(str, data["rematch_of"], "rematch_of"),
        match_id=read(str, data["id"], "id"),
        check=check_kept_names,
        bots=read_bots(data["bots"], len(players)) if "bots" in data else None,
        deck=_deck(data.get("deck", "")),
    )


def _deck(name: Any) -> str:
    """The name of a deck, which is in no folder."""
    if not isinstance(name, str) or len(name) > LONGEST_NAME or not name.isprintable() or "/" in name:
        raise MalformedError("deck must be the name of a deck.")
    return name
