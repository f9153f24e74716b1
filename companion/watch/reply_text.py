"""What a session and a watch tell, in lines for people; everything is in the replies, and nothing is looked up."""

import re
from collections.abc import Callable, Iterator
from typing import Any

from companion.core.clocks import SECOND, shown
from companion.core.correction import Change
from companion.core.record import move_plain
from companion.core.replies import (
    CorrectionReply,
    Evidenced,
    EvidenceData,
    MatchReply,
    PreviewReply,
    Reply,
    RulingReply,
    StateReply,
)
from companion.core.wire import open_plain
from companion.games import game
from companion.watch.messages import DisputeReply, OutOfStepReply
from vision.deck import COLOURS, COUNTS, SHAPES

Facts = dict[str, Any]  # of a move, as JSON

INDENT = " " * 17
CARD = re.compile(rf"\b({'|'.join(COLOURS)})-({'|'.join(SHAPES)})-([{''.join(COUNTS)}])\b")
ONE_OF_MANY = ((re.compile(r"\b1 chips\b"), "1 chip"), (re.compile(r"\bon cells (\d)(?!,| and)"), r"on cell \1"))
_DONE = {
    "undo": "The last ruling is withdrawn.",
    "redo": "What was withdrawn counts again.",
    "pause": "The clocks stand still.",
    "resume": "The clocks go on.",
    "abandon": "The match ends here, without a winner.",
    "look": "It is read anew.",
    "really": "That card has its right name now.",
}
_SIGNS = {"foul": "✗", "called": "✗", "error": "!", "out-of-step": "?", "in-step": "=", "notice": "·"}


def spoken(reply: Reply, at: int) -> Iterator[str]:
    """The lines of a reply; `at` is the time to be shown, but for a ruling, which has its own."""
    if type(reply) in _WAYS:
        yield from _WAYS[type(reply)](reply, at)
    else:
        yield _line(_SIGNS.get(reply.kind, ""), at, _sentence(reply))
    if isinstance(reply, Evidenced):
        yield from _evidence(reply.evidence)


def _line(sign: str, at: int, said: str) -> str:
    return f"{sign:>4}  {shown(max(0, at)):>9}  {read_out(said)}"


def read_out(said: str) -> str:
    """A sentence as people say it: cards by their names, and one of anything in the singular."""
    said = CARD.sub(r"\1 \2 \3", said)
    for many, one in ONE_OF_MANY:
        said = many.sub(one, said)
    return said[:1].upper() + said[1:]


def _below(said: str) -> str:
    return f"{INDENT}{read_out(said)}"


def _sentence(reply: Reply) -> str:
    done = getattr(reply, "do", reply.kind)
    said = getattr(reply, "sentence", "") or _DONE.get(done, f"Done: {done}.")
    return f"{said} {reply.way_back}" if isinstance(reply, OutOfStepReply) and reply.way_back else str(said)


def _match(reply: MatchReply, _at: int) -> Iterator[str]:
    players = ", ".join(player.name for player in reply.players)
    yield f"{game(reply.game).title}: {players}; match {reply.id}"


def _ruling(reply: RulingReply, _at: int) -> Iterator[str]:
    move = reply.move
    said = " ".join(event.sentence for event in reply.events if event.text)
    said = said or f"{move.player or 'The table'}: {move.word}."
    yield _line(str(reply.number), move.at, said)


def _correction(reply: CorrectionReply, at: int) -> Iterator[str]:
    yield _line("~", at, f"{_corrected(reply)} {_others(len(reply.changes))}")
    yield from _changes(reply.changes)


def _preview(reply: PreviewReply, at: int) -> Iterator[str]:
    yield _line("~", at, f"Only looked at: {_corrected(reply)} {_others(len(reply.changes))}")
    yield from _changes(reply.changes)
    if reply.asks:
        yield _below("The match would have ended before its last move: does what was played after that count?")


def _changes(changes: tuple[Change, ...]) -> Iterator[str]:
    for change in changes:
        yield _below(f"{_changed(change)}: {read_out(' '.join(change.now) or change.dropped)}")


def _changed(change: Change) -> str:
    kind, number = change.kind, change.number
    if kind in ("added", "restored"):
        who = f" of {change.move.player}" if change.move.player else ""
        return f"{kind.capitalize()}, {change.move.word}{who}"
    return f"Move {number}" if kind == "changed" else f"Move {number}, {kind}"


def _corrected(reply: CorrectionReply | PreviewReply) -> str:
    number, was = reply.number, open_plain(reply.was)
    if not reply.now:
        return f"Move {number} does not count: {_move(was)}."
    now = move_plain(reply.now)
    instead = "" if _move({**now, "player": ""}) == _move({**was, "player": ""}) else f", not {_was(was, now)}"
    return f"Move {number} is put right: {_move(now)}{instead}."


def _was(was: Facts, now: Facts) -> str:
    """Where only the card is another one, the card."""
    same = "card" in was and {**was, "card": ""} == {**now, "card": ""}
    return str(was["card"]) if same else _move(was)


def _others(changes: int) -> str:
    return {0: "No other ruling changes.", 1: "Another ruling changes:"}.get(
        changes, f"{changes} other rulings change:"
    )


def _move(move: Facts) -> str:
    if move["move"] in ("lay", "lies"):
        return f"{move['card']} on cell {move['cell']}{' by ' + move['player'] if move.get('player') else ''}"
    told = ", ".join(f"{key} {value}" for key, value in move.items() if key not in ("move", "at"))
    return f"{move['move']} ({told})" if told else str(move["move"])


def _state(reply: StateReply, at: int) -> Iterator[str]:
    table = reply.table
    scores = ", ".join(f"{name} {score}" for name, score in table.scores.items())
    yield _line("·", at, f"{table.phase}, {table.moves} moves; {scores}.")


def _dispute(reply: DisputeReply, at: int) -> Iterator[str]:
    head = {0: "No card has been laid yet.", 1: "The last play:"}
    yield _line("■", at, head.get(len(reply.plays), f"The last {len(reply.plays)} plays, newest first:"))
    for play in reply.plays:
        yield _below(play.sentence)
        if play.pictures:
            yield f"{INDENT}  {', '.join(play.pictures)}"
    if reply.page:
        yield f"{INDENT}{reply.page}"


_WAYS: dict[type[Reply], Callable[[Any, int], Iterator[str]]] = {
    MatchReply: _match,
    RulingReply: _ruling,
    CorrectionReply: _correction,
    PreviewReply: _preview,
    StateReply: _state,
    DisputeReply: _dispute,
}


def _evidence(evidence: EvidenceData | None) -> Iterator[str]:
    """What a ruling rests on, in one line; and where its pictures are."""
    if not evidence:
        return
    before, after = evidence.before, evidence.after
    parts = [
        f"frames {before.frame} and {after.frame}" if before and after else "",
        _covered(evidence.at - evidence.since),
        f"{after.confidence:.1%} sure" if after else "",
        _arms(evidence.arms),
        f"perhaps {evidence.guess} (a guess)" if evidence.guess else "",
    ]
    yield INDENT + ", ".join(filter(None, parts))
    if evidence.other:
        yield INDENT + evidence.other
    if evidence.pictures:
        yield INDENT + ", ".join(evidence.pictures)


def _covered(nanoseconds: int) -> str:
    return f"covered for {nanoseconds / SECOND:.1f} s" if nanoseconds > 0 else ""


def _arms(sides: list[str]) -> str:
    *others, last = [f"the {side}" for side in sides if side] or [""]
    if others:
        return f"arms from {', '.join(others)} and {last}"
    return f"an arm from {last}" if last else ""
