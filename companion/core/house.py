"""House rules from the command line or from JSON, checked against what each one allows."""

import difflib
from collections.abc import Mapping
from dataclasses import Field, fields, is_dataclass, replace
from typing import Any, get_args, get_type_hints

from companion.core.codec import plain, read
from companion.core.errors import FieldError, HouseRuleError, MalformedError
from companion.core.game_house import house_of
from companion.core.rules import Game
from companion.core.sentence import shown

_YES_NO = {"yes": True, "true": True, "on": True, "1": True, "no": False, "false": False, "off": False, "0": False}


def house_from_text(game: Game, given: Mapping[str, str]) -> Any:
    """The house rules of a game with some of them written as KEY=VALUE."""
    hints = get_type_hints(game.house)
    for key in given:
        _must_know(game, key)
    return _made(game, {key: _value(game, key, text, hints[key]) for key, text in given.items()})


def house_from_json(game: Game, data: Mapping[str, Any]) -> Any:
    """The house rules of a game as a journal or a message holds them."""
    hints = get_type_hints(game.house)
    for key in data:
        _must_know(game, key)
    try:
        values = {key: read(hints[key], value, f"House rule {key}") for key, value in data.items()}
        for key, value in values.items():
            if is_dataclass(value):
                _must_be_possible(game, key, value)
    except MalformedError as error:
        raise HouseRuleError(str(error)) from None
    return _made(game, values)


def house_as_kept(game: Game, data: Mapping[str, Any]) -> Any:
    """The house rules of a match that was kept, perhaps when some of today's rules did not exist."""
    older = {
        field.name: field.metadata["before"]
        for field in fields(game.house)
        if field.metadata["before"] is not None and field.name not in data
    }
    return house_from_json(game, {**older, **data})


def house_anew(house: Any) -> Any:
    """The same house rules for a new match: those that only matches from before have are as usual again."""
    kept = {field.name: field.default for field in fields(house) if not field.metadata["offered"]}
    return replace(house, **kept)


def house_rules(game: Game, house: Any) -> list[tuple[str, str, str, bool]]:
    """Each rule as name, present value, meaning, and whether it differs from the default."""
    found = []
    for field in fields(house):
        value = getattr(house, field.name)
        found.append((field.name, value_shown(value), _meaning(field), value != getattr(game.house(), field.name)))
    return found


def value_shown(value: Any) -> str:
    """A value in the form in which the command line takes it."""
    if isinstance(value, tuple):
        return ",".join(value_shown(item) for item in value)
    if is_dataclass(value):
        name = getattr(value, "name", "")
        parts = [str(part) for part in plain(value).values() if isinstance(part, str)]
        return ":".join(parts) if len(parts) == len(fields(value)) else str(name)
    return shown(value)


def _meaning(field: Field[Any]) -> str:
    limits = field.metadata
    if limits["choices"]:
        return f"{limits['help']} ({', '.join(map(str, limits['choices']))})"
    if limits["low"] is not None and limits["high"] is not None:
        return f"{limits['help']} ({limits['low']} to {limits['high']})"
    return str(limits["help"])


def _must_know(game: Game, key: str) -> None:
    known = [field.name for field in fields(game.house) if field.metadata["offered"]]
    if key not in [field.name for field in fields(game.house)]:
        close = difflib.get_close_matches(key, known, 1)
        hint = f"did you mean {close[0]}?" if close else f"{game.title} has {', '.join(known)}."
        raise HouseRuleError(f"House rule {key[:40]}: {game.title} has no such rule; {hint}")


def _made(game: Game, values: dict[str, Any]) -> Any:
    for field in fields(game.house):
        if field.name in values:
            _check(field, values[field.name])
    return game.house(**values)


def _check(field: Field[Any], value: Any) -> None:
    limits = field.metadata
    if limits["choices"] and value not in limits["choices"]:
        raise HouseRuleError(
            f"House rule {field.name}: '{value}' is not one of {', '.join(map(str, limits['choices']))}."
        )
    if limits["low"] is not None and value < limits["low"]:
        raise HouseRuleError(f"House rule {field.name}: {value} is less than {limits['low']}.")
    if limits["high"] is not None and value > limits["high"]:
        raise HouseRuleError(f"House rule {field.name}: {value} is more than {limits['high']}.")


def _value(game: Game, key: str, text: str, kind: Any) -> Any:
    if not text.isprintable():
        raise HouseRuleError(f"House rule {key}: the value has characters in it that cannot be shown.")
    if kind is bool:
        if text.lower() not in _YES_NO:
            raise HouseRuleError(f"House rule {key}: '{text}' is neither yes nor no.")
        return _YES_NO[text.lower()]
    if kind is int:
        digits = text.removeprefix("-")
        if not (digits.isascii() and digits.isdigit() and len(digits) < 18):
            raise HouseRuleError(f"House rule {key}: '{text[:40]}' is not a whole number.")
        return int(text)
    if kind is str:
        return text
    if is_dataclass(kind):
        return house_of(game.name).named[key](text)
    inner = get_args(kind)[0]
    return tuple(_item(key, part.strip(), inner) for part in text.split(","))


def _item(key: str, text: str, kind: Any) -> Any:
    if kind is str:
        return text
    parts = [part.strip() for part in text.split(":")]
    if len(parts) != len(fields(kind)):
        shape = ":".join(field.name.upper() for field in fields(kind))
        raise HouseRuleError(f"House rule {key}: '{text}' is not of the form {shape}.")
    return kind(*parts)


def _must_be_possible(game: Game, key: str, found: Any) -> None:
    check = house_of(game.name).checked.get(key)
    try:
        if check:
            check(found)
    except FieldError as error:
        raise HouseRuleError(f"House rule {key}: {error}") from None
