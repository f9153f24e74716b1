"""The messages as JSON Schemas and as tables for the pages protocol, watching and publishing, made from the classes.

`python -m tools.schema FOLDER` writes them into that folder; a test finds out when they are out of date.
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from companion.core.codec import LARGEST, plain, told_fields
from companion.core.replies import REPLIES, Evidenced, EvidenceData, MatchReply, Reply, RulingReply, StateReply
from companion.core.requests import REQUESTS, Request
from companion.core.rules import Event, Game, Move
from companion.core.wire import form_of
from companion.games import NAMES, game
from companion.publishing.entry_payloads import (
    ArrivedNow,
    EndNow,
    EntryNow,
    FinishNow,
    HeadNow,
    LyingNow,
    PieceNow,
    RunNow,
    SaidNow,
    StandingNow,
)
from companion.publishing.payloads import (
    ClockNow,
    EventNow,
    OverNow,
    PlayerNow,
    PlayerThen,
    ResultNow,
    RulingNow,
    StateNow,
)
from companion.publishing.thumbnail import CardShown, ThumbnailNow
from companion.watch.messages import WATCH_REPLIES, LookRequest, Really
from companion.watch.sighting_text import LINES, Line

Schema = dict[str, Any]

_PLAIN: dict[Any, Schema] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer", "minimum": -LARGEST, "maximum": LARGEST},
    float: {"type": "number"},
    NoneType: {"type": "null"},
    Any: {},
}
RESTING_ON = tuple(kind.kind for kind in get_args(Evidenced))
_BEGIN, _END = "<!-- made by python -m tools.schema: begin -->", "<!-- end -->"


def schema() -> Schema:
    """Everything: `$defs/GAME.in` is a message to the referee of a game, `$defs/GAME.out` one from it."""
    definitions: Schema = {}
    for name in NAMES:
        definitions |= _definitions(game(name))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "companion referee",
        "anyOf": [_ref(f"{name}.{way}") for name in NAMES for way in ("in", "out")],
        "$defs": definitions,
    }


def watching_schema() -> Schema:
    """What `companion watch` understands and tells: `$defs/in`, `$defs/sighting`, and with a game `$defs/out`."""
    name = "triple3"
    lines = {f"sighting.{line.kind}": _seen(line) for line in LINES}
    replies = {f"watch.{reply.kind}": _object(reply, {"kind": {"const": reply.kind}}, reply) for reply in WATCH_REPLIES}
    definitions = _definitions(game(name))
    for reply in definitions[f"{name}.out"]["anyOf"]:
        if reply["properties"]["kind"]["const"] in RESTING_ON:
            reply["properties"]["evidence"] = _ref("evidence")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "companion watch --json",
        "description": "One line: a sighting or, with a game, what became of it. Stamps (`at`, `since`) are "
        "nanoseconds; in a move, `at` is the time of the match.",
        "anyOf": [_ref("sighting"), _ref("out")],
        "$defs": {
            **definitions,
            **lines,
            **replies,
            "evidence": _object(EvidenceData, {}, EvidenceData),
            "in": {"anyOf": [_ref(f"{name}.in"), _request(LookRequest, {}), _request(Really, {})]},
            "sighting": _one_of(lines),
            "out": {"anyOf": [_ref(f"{name}.out"), *map(_ref, replies)]},
        },
    }


def publishing_schema() -> Schema:
    """What is published: `$defs/state`, `ruling` and `result`, and of version 2 `entry` and `head`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "companion, published by MQTT",
        "$defs": {
            "state": _object(StateNow, {}, StateNow),
            "ruling": _object(RulingNow, {}, RulingNow),
            "result": _object(ResultNow, {}, ResultNow),
            "entry": _object(EntryNow, {}, EntryNow),
            "head": _object(HeadNow, {}, HeadNow),
            "thumbnail": _object(ThumbnailNow, {}, ThumbnailNow),
        },
    }


def _seen(line: type[Line]) -> Schema:
    return _object(line, {"kind": {"const": line.kind}}, described=line)


def _definitions(playing: Game) -> Schema:
    name = playing.name
    moves = {f"{name}.move.{move.word}": _move(move) for move in playing.moves}
    events = {f"{name}.event.{event.word}": _event(event) for event in playing.events}
    requests = [_request(request, _one_of(moves)) for request in REQUESTS]
    replies = [_reply(reply, playing, _one_of(moves), _one_of(events)) for reply in REPLIES]
    stamped = {"anyOf": [{**_ref(key)} for key in moves]}
    return {**moves, **events, f"{name}.in": {"anyOf": [stamped, *requests]}, f"{name}.out": {"anyOf": replies}}


def _move(move: type[Move]) -> Schema:
    found = _object(move, {"move": {"const": move.word}, "id": _PLAIN[str]}, described=move)
    found["properties"]["at"] = {"anyOf": [_PLAIN[int], _PLAIN[NoneType]]}
    found["required"] = ["move", *(key for key in found["required"] if key not in ("move", "id"))]
    if not move.needs_player:
        found["required"].remove("player")
    return found


def _event(event: type[Event]) -> Schema:
    extra = {"event": {"const": event.word}} | ({"sentence": _PLAIN[str]} if event.text else {})
    return _object(event, extra, described=event)


def _request(request: type[Request], move: Schema) -> Schema:
    found = _object(request, {"do": {"const": request.word}}, described=request)
    if "move" in found["properties"]:
        found["properties"]["move"] = {"anyOf": [move, _PLAIN[NoneType]]}
    return found


def _reply(reply: type[Reply], playing: Game, move: Schema, event: Schema) -> Schema:
    found = _object(reply, {"kind": {"const": reply.kind}, "re": _PLAIN[str]}, described=reply)
    found["required"].remove("re")
    properties = found["properties"]
    if reply is RulingReply:
        properties["move"] = move
        properties["events"] = {"type": "array", "items": event}
    elif reply is MatchReply:
        properties["house"] = schema_of(playing.house)
    elif reply is StateReply:
        properties["state"] = {**schema_of(playing.state), "required": []}
    return found


def schema_of(kind: Any) -> Schema:
    """The JSON Schema of a type."""
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind in (Move, Event):
        return {"type": "object", "additionalProperties": {}}
    if is_dataclass(kind) and isinstance(kind, type):
        return _object(kind, {})
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {"enum": [word.value for word in kind]}
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return {"anyOf": [schema_of(arg) for arg in args]}
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(args[1])}
    if origin is list or args[-1:] == (Ellipsis,):
        return {"type": "array", "items": schema_of(args[0])}
    return {
        "type": "array",
        "prefixItems": [schema_of(arg) for arg in args],
        "items": False,
        "minItems": len(args),
        "maxItems": len(args),
    }


def _object(kind: type[Any], extra: Schema, described: type[Any] | None = None) -> Schema:
    hints = _hints(kind)
    properties = {**extra, **{name: schema_of(hint) for name, hint in hints.items()}}
    may_be_missing = {field.name for field in fields(kind) if field.default is not MISSING}
    required = [*extra, *(name for name in hints if not (issubclass(kind, Move | Request) and name in may_be_missing))]
    found: Schema = {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
    return {"description": _about(described), **found} if described and _about(described) else found


def _hints(kind: type[Any]) -> dict[str, Any]:
    """The fields of a class as they are told, with their types."""
    if issubclass(kind, Reply):
        return {name: told.kind for name, told in form_of(kind).items()}
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in told_fields(kind)}


def _one_of(definitions: Schema) -> Schema:
    return {"anyOf": [_ref(key) for key in definitions]}


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


# --- for people ------------------------------------------------------------------------------------------------


def tables() -> str:
    """The part of docs/protocol.md that lists every message."""
    lines = [
        "## Requests",
        "",
        *_table("do", REQUESTS, lambda request: request.word),
        "",
        "## Replies",
        "",
        *_table("kind", REPLIES, lambda reply: reply.kind),
    ]
    for name in NAMES:
        playing = game(name)
        lines += [
            "",
            f"## {playing.title} (`{name}`)",
            "",
            "Moves:",
            "",
            *_table("move", playing.moves, lambda move: move.word),
            "",
            "Events of a ruling:",
            "",
            *_table("event", playing.events, lambda event: event.word, sentence=True),
        ]
    return "\n".join([_BEGIN, "", *lines, "", _END])


def _table(
    head: str, kinds: tuple[type[Any], ...], word: Callable[[Any], str], *, sentence: bool = False
) -> Iterator[str]:
    yield f"| {head} | with | says |"
    yield "|---|---|---|"
    for kind in kinds:
        about = _about(kind) or (kind.text if sentence else "")
        yield f"| `{word(kind)}` | {_fields_shown(kind)} | {about} |"


def watching_tables() -> str:
    """The part of docs/watching.md that lists every line."""
    lines = [
        "Sightings:",
        "",
        *_table("kind", LINES, lambda line: line.kind),
        "",
        "With a game, besides the replies of `companion referee`:",
        "",
        *_table("kind", WATCH_REPLIES, lambda reply: reply.kind),
        "",
        f"The `evidence` of {', '.join(f'`{kind}`' for kind in RESTING_ON)}:",
        "",
        "| with | says |",
        "|---|---|",
        f"| {_fields_shown(EvidenceData)} | {_about(EvidenceData)} |",
    ]
    return "\n".join([_BEGIN, "", *lines, "", _END])


def publishing_tables() -> str:
    """The part of docs/publishing.md that lists what is in a payload."""
    lines = ["| payload | with | says |", "|---|---|---|"]
    for name, kind in (
        ("state", StateNow),
        ("of `players`", PlayerNow),
        ("of `clocks`", ClockNow),
        ("`over`", OverNow),
        ("ruling", RulingNow),
        ("of `events`", EventNow),
        ("result", ResultNow),
        ("of its `players`", PlayerThen),
        ("entry", EntryNow),
        ("of `said`", SaidNow),
        ("`standing`", StandingNow),
        ("of `open`", LyingNow),
        ("`finish`", FinishNow),
        ("of `order`", ArrivedNow),
        ("its `over`", EndNow),
        ("`run`", RunNow),
        ("of `course`", PieceNow),
        ("head", HeadNow),
        ("thumbnail", ThumbnailNow),
        ("of `cards`", CardShown),
    ):
        lines.append(f"| {name} | {_fields_shown(kind)} | {_about(kind)} |")
    return "\n".join([_BEGIN, "", *lines, "", _END])


def _fields_shown(kind: type[Any]) -> str:
    with_default = {field.name for field in fields(kind) if field.default is not MISSING}
    shown = []
    for name, hint in _hints(kind).items():
        if name in ("at", "id") and issubclass(kind, Move | Request):
            continue
        optional = name in with_default or (name == "player" and not getattr(kind, "needs_player", True))
        shown.append(f"`{name}`: {_type_shown(hint)}{' (may be left out)' if optional else ''}")
    return "; ".join(shown) or "nothing"


def _type_shown(kind: Any) -> str:
    named = {str: "text", int: "number", float: "fraction", bool: "true/false", NoneType: "null", Any: "anything"}
    if kind in named:
        return named[kind]
    if isinstance(kind, type) and issubclass(kind, Enum):
        return " or ".join(word.value for word in kind)
    origin, args = get_origin(kind), get_args(kind)
    if kind in (Move, Event):
        return "object"
    if is_dataclass(kind) and isinstance(kind, type):
        return "{" + ", ".join(field.name for field in told_fields(kind)) + "}"
    if origin in (Union, UnionType):
        return " or ".join(_type_shown(arg) for arg in args)
    if origin is dict:
        return "object"
    if args[-1:] == (Ellipsis,) or origin is list:
        return f"list of {_type_shown(args[0])}"
    return "[" + ", ".join(_type_shown(arg) for arg in args) + "]"


def _about(kind: type[Any]) -> str:
    """What the class says of itself; nothing if it says nothing of its own."""
    said = " ".join((kind.__doc__ or "").split())
    return "" if said.startswith(f"{kind.__name__}(") else said


def write(folder: Path) -> None:
    """Bring the schemas and the tables of docs/protocol.md, docs/watching.md and docs/publishing.md up to date."""
    for name, made, tabled in (
        ("protocol", schema, tables),
        ("watching", watching_schema, watching_tables),
        ("publishing", publishing_schema, publishing_tables),
    ):
        (folder / f"{name}.schema.json").write_text(shown(made()), encoding="utf-8")
        page = folder / f"{name}.md"
        page.write_text(with_tables(page.read_text(encoding="utf-8"), tabled()), encoding="utf-8")


def shown(made: Schema | None = None) -> str:
    import json  # noqa: PLC0415

    return json.dumps(plain(made or schema()), ensure_ascii=False, indent=1) + "\n"


def with_tables(page: str, tabled: str = "") -> str:
    """The page with its tables made anew."""
    before, rest = page.split(_BEGIN)
    return before + (tabled or tables()) + rest.partition(_END)[2]


if __name__ == "__main__":
    write(Path(sys.argv[1]))
