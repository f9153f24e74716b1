"""Replies as JSON: the only place where what the referee says is turned into objects and lists, for whoever is outside
of this process. docs/protocol.schema.json is made from what stands here."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, get_type_hints

from companion.core.codec import (
    AS_THEY_ARE,
    Writer,
    facts_plain,
    made_of,
    plain,
    told_fields,
    values_of,
    without_defaults,
    writer_of,
)
from companion.core.correction import Change
from companion.core.record import move_plain
from companion.core.replies import (
    CorrectionReply,
    ErrorReply,
    FoulReply,
    MatchReply,
    NoticeReply,
    PreviewReply,
    Reply,
    StateReply,
)
from companion.core.requests import Message, MoveMessage
from companion.core.rules import Event, Move

MARKS = ("re", "by", "evidence")  # fields that are told only where there is something in them


@dataclass(frozen=True, slots=True)
class WireField:
    """How a field of a reply is told: its type for the schema, and its JSON."""

    kind: Any
    of: Callable[[Any], Any]


def reply_plain(reply: Reply) -> dict[str, Any]:
    """A reply as JSON."""
    form = _known_forms.get(type(reply)) or _learnt(type(reply))
    found = {"kind": reply.kind, "re": reply.re} if reply.re else {"kind": reply.kind}
    found.update(zip(form.names, map(as_json, form.values(reply)), strict=True))
    for name, told in form.others:
        found[name] = told.of(reply)
    if reply.by:
        found["by"] = reply.by
    if form.may_rest_on_evidence and (evidence := getattr(reply, "evidence", None)):
        found["evidence"] = as_json(evidence)
    return found


@dataclass(frozen=True, slots=True)
class _Form:
    """How a kind of reply is told: fields as they stand, and the others."""

    names: tuple[str, ...]
    values: Callable[[Any], tuple[Any, ...]]
    others: tuple[tuple[str, WireField], ...]
    may_rest_on_evidence: bool


_known_forms: dict[type[Reply], _Form] = {}


def _learnt(kind: type[Reply]) -> _Form:
    form, others = form_of(kind), _FORMS.get(kind, {})
    names = tuple(name for name in form if name not in others)
    evidence = any(field.name == "evidence" for field in told_fields(kind))
    _known_forms[kind] = _Form(names, values_of(names), tuple(others.items()), evidence)
    return _known_forms[kind]


def form_of(kind: type[Reply]) -> dict[str, WireField]:
    """The fields of a reply as they are told."""
    own = {field.name: _own(kind, field.name) for field in told_fields(kind) if field.name not in MARKS}
    return {**{name: told for name, told in own.items() if name not in _INSTEAD}, **_FORMS.get(kind, {})}


def _own(kind: type[Reply], name: str) -> WireField:
    return WireField(get_type_hints(kind)[name], lambda reply: as_json(getattr(reply, name)))


def as_json(value: Any) -> Any:
    """Replies, moves, events and what stands in them."""
    kind = type(value)
    if kind in AS_THEY_ARE:
        return value
    writer = _writers.get(kind)
    if writer is None:
        writer = _writers[kind] = _writer_of(kind)
    return writer(value)


_writers: dict[type, Writer] = {}


def _writer_of(kind: Any) -> Writer:
    if issubclass(kind, Reply):
        return reply_plain
    if issubclass(kind, Move):
        return move_plain
    return event_plain if issubclass(kind, Event) else writer_of(kind, as_json)


def event_plain(event: Event) -> dict[str, Any]:
    head = {"event": event.word, **plain(event)}
    return {**head, "sentence": event.sentence} if event.text else head


def message_plain(message: Message) -> dict[str, Any]:
    """A message as JSON, without its stamp: what `read_message` and those beside it read."""
    if isinstance(message, MoveMessage):
        return {**move_plain(message.move), **({"id": message.id} if message.id else {})}
    found = without_defaults(message)
    found.pop("at", None)
    return {"do": message.word, **found}


def open_plain(move: Move) -> dict[str, Any]:
    """A move as JSON, without what players may not look up."""
    return {name: value for name, value in move_plain(move).items() if name not in move.concealed}


# --- what is not told as it stands -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ChangeTold:
    """What became of another move. `kind`: its ruling is `changed`; it stands `adjusted`, as in that field; it is
    `dropped`, for that reason, and waits; it is `restored`; or the referee has `added` it at a deadline, or
    `withdrawn` what it had added. `number`: its place before the correction; 0 if it was not in the line. `move` is as
    it was made. What players may not look up is left out."""

    number: int
    move: Move
    was: list[str]
    now: list[str]
    dropped: str
    kind: str = "changed"
    adjusted: Move | None = None


def change_plain(change: Change) -> dict[str, Any]:
    return {
        "number": change.number,
        "move": open_plain(change.move),
        "was": list(change.was),
        "now": list(change.now),
        "dropped": change.dropped,
        "kind": change.kind,
        "adjusted": open_plain(change.adjusted) if change.adjusted else None,
    }


def _state_plain(reply: StateReply) -> dict[str, Any]:
    state = without_defaults(reply.state)
    for name in ("players", "house", "outcome"):
        state.pop(name, None)
    return state


_SENTENCE = {"sentence": WireField(str, lambda reply: reply.sentence)}
_MADE_OF = {
    "text": WireField(str, lambda reply: made_of(reply.sentence)[0]),
    "facts": WireField(dict[str, Any], lambda reply: made_of(reply.sentence)[1]),
}
_CODE = {"code": WireField(str, lambda reply: reply.code)}
_CONSEQUENCES = {
    "was": WireField(Move, lambda reply: open_plain(reply.was)),
    "changes": WireField(list[ChangeTold], lambda reply: [change_plain(change) for change in reply.changes]),
}
_INSTEAD = ("foul", "error")  # they are told by what they say
_FORMS: dict[type[Reply], dict[str, WireField]] = {
    MatchReply: {"house": WireField(dict[str, Any], lambda reply: plain(reply.house))},
    FoulReply: {
        **_CODE,
        "player": WireField(str, lambda reply: reply.player),
        **_SENTENCE,
        "text": WireField(str, lambda reply: reply.foul.text),
        "facts": WireField(dict[str, Any], lambda reply: facts_plain(reply.foul.facts)),
    },
    ErrorReply: {**_CODE, **_SENTENCE, **_MADE_OF},
    NoticeReply: {**_SENTENCE, **_MADE_OF},
    CorrectionReply: _CONSEQUENCES,
    PreviewReply: _CONSEQUENCES,
    StateReply: {"state": WireField(dict[str, Any], _state_plain)},
}
