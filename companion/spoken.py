"""What a session and a watch tell, in lines for people; everything is in the replies, and nothing is looked up."""

from collections.abc import Callable, Iterator
from typing import Any

from companion.clocks import SECOND, shown
from companion.games import game

Reply = dict[str, Any]

INDENT = " " * 17
_SIGNS = {"foul": "✗", "called": "✗", "error": "!", "out-of-step": "?", "in-step": "=", "notice": "·"}


def spoken(reply: Reply, at: int) -> Iterator[str]:
    """The lines of a reply; `at` is the time to be shown, but for a ruling, which has its own."""
    kind = reply["kind"]
    if kind in _WAYS:
        yield from _WAYS[kind](reply, at)
    else:
        yield _line(_SIGNS.get(kind, ""), at, _sentence(reply))
    yield from _evidence(reply.get("evidence"))


def _line(sign: str, at: int, said: str) -> str:
    return f"{sign:>4}  {shown(max(0, at)):>9}  {said}"


def _sentence(reply: Reply) -> str:
    said = reply.get("sentence") or f"Done: {reply.get('do', reply['kind'])}."
    return f"{said} {reply['way_back']}" if reply.get("way_back") else str(said)


def _match(reply: Reply, _at: int) -> Iterator[str]:
    players = ", ".join(player["name"] for player in reply["players"])
    yield f"{game(reply['game']).title}: {players}; match {reply['id']}"


def _ruling(reply: Reply, _at: int) -> Iterator[str]:
    move = reply["move"]
    said = " ".join(event["sentence"] for event in reply["events"] if event.get("sentence"))
    said = said or f"{move.get('player') or 'The table'}: {move['move']}."
    yield _line(str(reply["number"]), move.get("at", 0), said)


def _correction(reply: Reply, at: int) -> Iterator[str]:
    now = f"now {_move(reply['now'])}" if reply["now"] else "taken out"
    yield _line("~", at, f"Move {reply['number']} is {now}; other rulings that change: {len(reply['changes'])}.")
    for change in reply["changes"]:
        then = f"dropped: {change['dropped']}" if change["dropped"] else " ".join(change["now"])
        yield f"{INDENT}{change['number']}: {then}"


def _move(move: Reply) -> str:
    told = ", ".join(f"{key} {value}" for key, value in move.items() if key not in ("move", "at"))
    return f"{move['move']} ({told})" if told else str(move["move"])


def _state(reply: Reply, at: int) -> Iterator[str]:
    table = reply["table"]
    scores = ", ".join(f"{name} {score}" for name, score in table["scores"].items())
    yield _line("·", at, f"{table['phase']}, {table['moves']} moves; {scores}.")


def _dispute(reply: Reply, at: int) -> Iterator[str]:
    plays = reply["plays"]
    head = {0: "No card has been laid yet.", 1: "The last play:"}
    yield _line("■", at, head.get(len(plays), f"The last {len(plays)} plays, newest first:"))
    for play in plays:
        yield f"{INDENT}{play['sentence']}"
        if play["pictures"]:
            yield f"{INDENT}  {', '.join(play['pictures'])}"
    if reply.get("page"):
        yield f"{INDENT}{reply['page']}"


_WAYS: dict[str, Callable[[Reply, int], Iterator[str]]] = {
    "match": _match,
    "ruling": _ruling,
    "correction": _correction,
    "state": _state,
    "dispute": _dispute,
}


def _evidence(evidence: Reply | None) -> Iterator[str]:
    """What a ruling rests on, in one line; and where its pictures are."""
    if not evidence:
        return
    before, after = evidence["before"], evidence["after"]
    parts = [
        f"frames {before['frame']} and {after['frame']}" if before and after else "",
        _covered(evidence["at"] - evidence["since"]),
        f"{after['confidence']:.1%} sure" if after else "",
        _arms(evidence["arms"]),
        f"perhaps {evidence['guess']} (a guess)" if evidence["guess"] else "",
    ]
    yield INDENT + ", ".join(filter(None, parts))
    if evidence["pictures"]:
        yield INDENT + ", ".join(evidence["pictures"])


def _covered(nanoseconds: int) -> str:
    return f"covered for {nanoseconds / SECOND:.1f} s" if nanoseconds > 0 else ""


def _arms(sides: list[str]) -> str:
    known = [side for side in sides if side]
    return f"an arm from {' and '.join(f'the {side}' for side in known)}" if known else ""
