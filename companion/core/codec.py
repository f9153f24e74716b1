"""Frozen dataclasses to JSON values and back, strictly: what does not fit is refused in one sentence.

Reading follows the type annotations, so a move, a house rule or a journal entry is described once.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from enum import Enum
from functools import cache
from operator import attrgetter
from string import Formatter
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from companion.core.errors import MalformedError
from companion.core.sentence import Sentence

T = TypeVar("T")
LARGEST = 2**63 - 1  # what the journal can hold

_WORDS = {
    dict: "an object",
    list: "a list",
    str: "text",
    bool: "true or false",
    int: "a whole number",
    float: "a fraction",
    NoneType: "null",
}


def plain(value: Any) -> Any:
    """A value as JSON can write it."""
    kind = type(value)
    if kind in AS_THEY_ARE:
        return value
    writer = _writers.get(kind)
    if writer is None:
        writer = _writers[kind] = writer_of(kind, plain)
    return writer(value)


Writer = Callable[[Any], Any]
AS_THEY_ARE = frozenset({str, int, float, bool, NoneType})
_writers: dict[type, Writer] = {}  # chosen once for each type, because values are written with every move


def writer_of(kind: type[Any], write: Writer) -> Writer:
    """What writes values of a type; `write` writes what is in them."""
    if is_dataclass(kind):
        names = tuple(field.name for field in told_fields(kind))
        values = values_of(names)
        return lambda value: dict(zip(names, map(write, values(value)), strict=True))
    if issubclass(kind, Enum):
        return lambda value: value.value
    if issubclass(kind, tuple | list):
        return lambda value: list(map(write, value))
    if issubclass(kind, dict):
        return lambda value: dict(zip(value, map(write, value.values()), strict=True))
    return lambda value: value


@cache
def values_of(names: tuple[str, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """All these fields of a value at once."""
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple([getattr(value, name) for name in names])  # one, or none


def told_fields(kind: Any) -> tuple[Field[Any], ...]:
    """The fields of a dataclass that are told to others."""
    return _told_fields(kind)


@cache
def _told_fields(kind: Any) -> tuple[Field[Any], ...]:
    return tuple(field for field in fields(kind) if not field.metadata.get("inner"))


def without_defaults(value: Any) -> dict[str, Any]:
    """A dataclass as JSON can write it, leaving out what reading it would fill in anyway."""
    kind: Any = type(value)
    names, defaults, values = _defaults_of(kind)
    return {
        name: plain(one)
        for name, default, one in zip(names, defaults, values(value), strict=True)
        if default is MISSING or one != default
    }


@cache
def _defaults_of(kind: Any) -> tuple[tuple[str, ...], tuple[Any, ...], Callable[[Any], tuple[Any, ...]]]:
    told = told_fields(kind)
    names = tuple(field.name for field in told)
    return names, tuple(field.default for field in told), values_of(names)


def written(value: Any) -> str:
    """JSON in one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


# --- sentences


def made_of(sentence: str) -> tuple[str, dict[str, Any]]:
    """The text and the facts of a sentence, as JSON can write them. One that remembers neither is its own text."""
    if not isinstance(sentence, Sentence):
        return sentence, {}
    blanks = {name for _, name, _, _ in Formatter().parse(sentence.text)}
    return sentence.text, facts_plain({name: fact for name, fact in sentence.facts.items() if name in blanks})


def facts_plain(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _fact_plain(fact) for name, fact in facts.items()}


def _fact_plain(fact: Any) -> Any:
    """What is a piece of a sentence itself is an object with its own text and facts."""
    if isinstance(fact, tuple | list):
        return [_fact_plain(item) for item in fact]
    said = str(fact)
    if isinstance(said, Sentence):
        return dict(zip(("text", "facts"), made_of(said), strict=True))
    is_plain = fact is None or isinstance(fact, bool | int | float | Mapping) or is_dataclass(fact)
    return plain(fact) if is_plain else said  # a path or an error is told in words


def read_again(text: str, facts: Mapping[str, Any]) -> str:
    """The sentence of which `made_of` told the text and the facts."""
    return Sentence(text, **{name: _fact(fact) for name, fact in facts.items()}) if facts else text


def _fact(fact: Any) -> Any:
    if isinstance(fact, Mapping) and fact.keys() == {"text", "facts"}:
        return read_again(fact["text"], fact["facts"])
    return tuple(map(_fact, fact)) if isinstance(fact, list) else fact


# --- reading


def parsed(text: str | bytes) -> Any:
    """JSON read strictly: UTF-8, no NaN, no doubled keys, no half characters, no numbers too long, no depth
    without end."""
    try:
        line = text if isinstance(text, str) else text.decode()
        found = json.loads(line, object_pairs_hook=_object, parse_constant=_no_constant)
        if "\\ud" in line.lower():
            written(found).encode()  # only an escape can bring half a character, and nobody could print it
        return found
    except MalformedError:
        raise
    except UnicodeEncodeError:
        raise MalformedError("The line has half a character in it.") from None
    except UnicodeDecodeError as error:
        raise MalformedError(f"The line is not UTF-8: byte {error.start + 1} cannot be read.") from None
    except json.JSONDecodeError as error:
        raise MalformedError(f"The line is not JSON: {_lower(error.msg)} at character {error.pos + 1}.") from None
    except RecursionError:
        raise MalformedError("The line is nested too deeply.") from None
    except ValueError:
        raise MalformedError("The line has a number with too many digits.") from None


def read(kind: type[T], data: Any, where: str = "") -> T:
    """A value of the type, or a MalformedError that says what is wrong and where."""
    found: T = reader_of(kind)(data, where)
    return found


def read_optional(kind: type[T], data: Any, where: str = "") -> T | None:
    return None if data is None else read(kind, data, where)


_Reader = Callable[[Any, str], Any]


def reader_of(kind: Any) -> _Reader:
    """The reader of a type, made once."""
    return _reader(kind)


@cache
def _reader(kind: Any) -> _Reader:
    if is_dataclass(kind) and isinstance(kind, type):
        return _object_reader(kind)
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _optional_reader(kind)
    if origin is tuple:
        return _list_reader(kind)
    if kind is Any:
        return lambda data, _where: data
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _word_reader(kind)
    return _PLAIN_READERS[kind]


def _object_reader(kind: type[Any]) -> _Reader:
    hints = get_type_hints(kind)
    known: dict[str, tuple[_Reader, Field[Any]]] = {
        field.name: (reader_of(hints[field.name]), field) for field in fields(kind)
    }
    needed = [
        name for name, (_, field) in known.items() if field.default is MISSING and field.default_factory is MISSING
    ]

    def reader(data: Any, where: str) -> Any:
        if not isinstance(data, Mapping):
            raise _wrong(data, where, "an object")
        values = {}
        for key, value in data.items():
            if key not in known:
                raise MalformedError(f"{_at(where, key)}: there is no such key here; known are {', '.join(known)}.")
            values[key] = known[key][0](value, _at(where, key))
        for name in needed:
            if name not in values:
                raise MalformedError(f"{_at(where, name)}: this is missing.")
        return kind(**values)

    return reader


def _word_reader(kind: type[Enum]) -> _Reader:
    words = {word.value: word for word in kind}

    def reader(data: Any, where: str) -> Enum:
        if not isinstance(data, str) or data not in words:
            raise MalformedError(f"{where} must be one of {', '.join(words)}.")
        return words[data]

    return reader


def _optional_reader(kind: Any) -> _Reader:
    inner = reader_of(next(arg for arg in get_args(kind) if arg is not NoneType))
    return lambda data, where: None if data is None else inner(data, where)


def _list_reader(kind: Any) -> _Reader:
    args = get_args(kind)
    if args[-1] is Ellipsis:
        item = reader_of(args[0])

        def any_length(data: Any, where: str) -> tuple[Any, ...]:
            _must_be(data, list, where)
            return tuple(item(value, f"{where}[{number}]") for number, value in enumerate(data))

        return any_length
    items = [reader_of(arg) for arg in args]

    def fixed_length(data: Any, where: str) -> tuple[Any, ...]:
        _must_be(data, list, where)
        if len(data) != len(items):
            raise MalformedError(f"{where}: {len(items)} values are needed, not {len(data)}.")
        return tuple(
            reader(value, f"{where}[{number}]") for number, (reader, value) in enumerate(zip(items, data, strict=True))
        )

    return fixed_length


def _text(data: Any, where: str) -> str:
    _must_be(data, str, where)
    try:
        data.encode()
    except UnicodeEncodeError:
        raise MalformedError(f"{where}: this text has half a character in it.") from None
    return data  # type: ignore[no-any-return]


def _whole(data: Any, where: str) -> int:
    if isinstance(data, bool):
        raise _wrong(data, where, "a whole number")
    _must_be(data, int, where)
    if abs(data) > LARGEST:
        raise MalformedError(f"{where}: this number is too large.")
    return int(data)


def _yes_or_no(data: Any, where: str) -> bool:
    _must_be(data, bool, where)
    return bool(data)


def _fraction(data: Any, where: str) -> float:
    if isinstance(data, bool) or not isinstance(data, int | float):
        raise _wrong(data, where, "a fraction")
    if abs(data) > LARGEST:
        raise MalformedError(f"{where}: this number is too large.")
    return float(data)


def _anything_by_name(data: Any, where: str) -> dict[str, Any]:
    _must_be(data, dict, where)
    return dict(data)


_PLAIN_READERS: dict[Any, _Reader] = {
    str: _text,
    int: _whole,
    bool: _yes_or_no,
    float: _fraction,
    dict[str, Any]: _anything_by_name,
}


def _must_be(data: Any, kind: type, where: str) -> None:
    if not isinstance(data, kind):
        raise _wrong(data, where, _WORDS[kind])


def _wrong(data: Any, where: str, wanted: str) -> MalformedError:
    return MalformedError(f"{where or 'The message'} must be {wanted}, not {_WORDS.get(type(data), 'that')}.")


def _at(where: str, key: str) -> str:
    key = key if len(key) <= 40 else key[:40] + "…"
    return f"{where}.{key}" if where else key


def _lower(message: str) -> str:
    return message[:1].lower() + message[1:].removesuffix(" at")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise MalformedError("The line names a key twice in one object.")
    return found


def _no_constant(name: str) -> None:
    raise MalformedError(f"The line is not JSON: {name} is not a number.")
