"""Sound inputs made unsound, following from a seed: bytes, lines, numbers, and JSON by its structure."""

import json
import random
import re
from collections.abc import Callable
from typing import Any

MOST_AT_ONCE = 4
LARGEST = 200_000  # bytes; what is made may be larger than any example, but not without end

NUMBERS = (
    b"0", b"-1", b"1", b"255", b"256", b"65536", b"2147483648", b"-9223372036854775809", b"1e999", b"0.1", b"9" * 400,
)  # fmt: skip
TOKENS = (
    b"null", b"true", b"NaN", b"Infinity", b'""', b"[]", b"{}", b"[" * 3000, b'{"a":' * 3000, b"\x00", b"\xff\xfe",
    b"\xed\xa0\x80", b"\xf0\x9f\x83\x8f", b"\r\n", b"\n", b"\x1b[2J", b"../../etc", b"%s%n", b"{0.__class__}", b"'; --",
    b'"""', b"= {x = 1}", b"[[seat]]", b"\xe2\x80\xa8", b"#", b"\\", b'"\\ud800"', b"A" * 5000, b"/dev/zero",
    b"\\u0000",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 7, 64, 1.5, 1e308, 2**62, 2**63, -(2**63), 10**40, "", "Anna", "Nobody", "x" * 5000,
    "\x00",
    "?", [], {}, [[]], [None], {"a": {}}, ["Anna"] * 200, "{player}", "triple3", "three", "\u2028", "A1", "1979-05-27",
)  # fmt: skip

Mutation = Callable[["Mutator", bytes], bytes]


class Mutator:
    """`spoilt` is an example with something wrong in it; `examples` may grow while it works."""

    def __init__(self, examples: list[bytes], seed: int) -> None:
        self.chance = random.Random(seed)
        self.examples = list(examples)

    def spoilt(self) -> bytes:
        content = self.chance.choice(self.examples)
        for _ in range(self.chance.randrange(1, MOST_AT_ONCE + 1)):
            content = self.chance.choice(MUTATIONS)(self, content)[:LARGEST]
        return content

    def place(self, content: bytes) -> int:
        return self.chance.randrange(len(content) + 1)

    def stretch(self, content: bytes) -> tuple[int, int]:
        start = self.place(content)
        return start, min(len(content), start + self.chance.choice((1, 2, 4, 16, 64, 1024)))


def _flip(one: Mutator, content: bytes) -> bytes:
    if not content:
        return b"\x01"
    spoilt = bytearray(content)
    spoilt[one.chance.randrange(len(spoilt))] ^= 1 << one.chance.randrange(8)
    return bytes(spoilt)


def _overwrite(one: Mutator, content: bytes) -> bytes:
    start, end = one.stretch(content)
    fill = one.chance.choice((b"\x00", b"\xff", one.chance.randbytes(1)))
    return content[:start] + fill * (end - start) + content[end:]


def _noise(one: Mutator, content: bytes) -> bytes:
    start, end = one.stretch(content)
    return content[:start] + one.chance.randbytes(end - start) + content[end:]


def _drop(one: Mutator, content: bytes) -> bytes:
    start, end = one.stretch(content)
    return content[:start] + content[end:]


def _double(one: Mutator, content: bytes) -> bytes:
    start, end = one.stretch(content)
    at = one.place(content)
    return content[:at] + content[start:end] + content[at:]


def _cut(one: Mutator, content: bytes) -> bytes:
    return content[: one.place(content)]


def _splice(one: Mutator, content: bytes) -> bytes:
    other = one.chance.choice(one.examples)
    return content[: one.place(content)] + other[one.place(other) :]


def _put(one: Mutator, content: bytes) -> bytes:
    at = one.place(content)
    return content[:at] + one.chance.choice(TOKENS) + content[at:]


def _other_number(one: Mutator, content: bytes) -> bytes:
    found = list(re.finditer(rb"-?\d+(?:\.\d+)?", content))
    if not found:
        return _put(one, content)
    where = one.chance.choice(found)
    number = one.chance.choice(NUMBERS)
    if one.chance.random() < 0.5:
        number = str(int(float(where[0]) if len(where[0]) < 300 else 0) + one.chance.choice((-1, 1, 1000))).encode()
    return content[: where.start()] + number + content[where.end() :]


def _other_word(one: Mutator, content: bytes) -> bytes:
    """A word where another one stood, from this or another example."""
    words = re.compile(rb"[A-Za-z_][\w-]*")
    here = list(words.finditer(content))
    there: list[bytes] = words.findall(one.chance.choice(one.examples))
    if not here or not there:
        return _put(one, content)
    where = one.chance.choice(here)
    return content[: where.start()] + one.chance.choice(there) + content[where.end() :]


def _lines(one: Mutator, content: bytes) -> bytes:
    lines = content.split(b"\n")
    here, there = one.chance.randrange(len(lines)), one.chance.randrange(len(lines))
    match one.chance.randrange(3):
        case 0:
            lines[here], lines[there] = lines[there], lines[here]
        case 1:
            del lines[here]
        case _:
            lines.insert(here, lines[there])
    return b"\n".join(lines)


def _json(one: Mutator, content: bytes) -> bytes:
    """Another value, a key less or one more, somewhere in the structure."""
    try:
        data = json.loads(content)
    except (ValueError, RecursionError):
        return _json_line(one, content)
    return _written(_changed(one, data))


def _json_line(one: Mutator, content: bytes) -> bytes:
    """The same in one of many lines."""
    lines = content.split(b"\n")
    here = one.chance.randrange(len(lines))
    try:
        lines[here] = _written(_changed(one, json.loads(lines[here])))
    except (ValueError, RecursionError):
        return _other_word(one, content)
    return b"\n".join(lines)


def _written(data: Any) -> bytes:
    return json.dumps(data, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _changed(one: Mutator, data: Any) -> Any:
    places = list(_places(data))
    if not places:
        return one.chance.choice(VALUES)
    holder, key = one.chance.choice(places)
    match one.chance.randrange(5):
        case 0:
            del holder[key]
        case 1:
            other, there = one.chance.choice(places)
            holder[key] = json.loads(json.dumps(other[there])) if there in _keys(other) else None
        case 2 if isinstance(holder, dict):
            holder[one.chance.choice(("at", "kind", "x" * 300, "", "__class__", "player"))] = one.chance.choice(VALUES)
        case 2:
            holder.insert(key, one.chance.choice(VALUES))
        case _:
            holder[key] = one.chance.choice(VALUES)
    return data


def _keys(holder: Any) -> Any:
    return holder if isinstance(holder, dict) else range(len(holder))


def _places(data: Any, depth: int = 0) -> Any:
    """Every value inside, as what holds it and under which key."""
    if not isinstance(data, dict | list) or depth > 40:
        return
    for key in list(_keys(data)):
        yield data, key
        yield from _places(data[key], depth + 1)


BYTES: tuple[Mutation, ...] = (_flip, _flip, _overwrite, _noise, _drop, _double, _cut, _splice)
TEXT: tuple[Mutation, ...] = (_put, _other_number, _other_number, _other_word, _other_word, _lines, _json, _json, _json)
MUTATIONS = BYTES + TEXT
