"""How a play of Triple³ is drawn for a dispute: the grid as it lay, the line, and in words what it made or did not."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from companion.core.clocks import shown
from companion.core.rules import UNSEEN
from companion.games.triple3.dispute import Disputable
from companion.games.triple3.rules import COLOURS, COUNTS, SHAPES, Triple
from companion.watch.dispute_gallery import KINDS, SURE_AT_MOST, TITLES, called

if TYPE_CHECKING:
    from vision.frames import Picture
    from vision.sightings import Look
    from vision.verdict import Verdict

ONE: Mapping[str, str] = {value: f"a {value}" for value in (*SHAPES, *COUNTS)}  # of which a cell takes one
THREE: Mapping[str, str] = {
    **{colour: f"three {colour} cards" for colour in COLOURS},
    **{shape: f"three {shape}{'es' if shape == 'plus' else 's'}" for shape in SHAPES},
    **{count: f"three {count}s" for count in COUNTS},
}


def verdict_of(play: Disputable, looks: "Sequence[Look | None]" = ()) -> "Verdict":
    """A play as it is drawn: the grid as it lay with it."""
    from vision import verdict  # noqa: PLC0415

    evidence = play.evidence
    before, after = (evidence.before, evidence.after) if evidence else (None, None)
    lies = play.covered if play.verdict == "taken-back" else play.card
    grid = (*play.grid[: play.cell - 1], lies, *play.grid[play.cell :])
    return verdict.Verdict(
        KINDS[play.verdict],
        play.cell,
        _known(lies),
        _known(play.card if play.verdict == "taken-back" else play.covered),
        tuple(map(_known, grid)),
        f"{TITLES[play.verdict]}: {called(play.card)} on cell {play.cell}",
        (*why(play), *((evidence.other,) if evidence and evidence.other else ())),
        tuple(map(_drawn, play.triples or play.standing)),
        before.square if before else None,
        after.square if after else None,
        tuple(_square(look, card, cell, play) for cell, (look, card) in enumerate(zip(looks, grid, strict=False), 1)),
        when="" if play.at is None else f"at {shown(play.at)}",
        margin=_margin(play.card, after) if after else "",
        guess=f"Perhaps {play.guess} laid it" if play.guess else "",
    )


def _square(look: "Look | None", card: str, cell: int, play: Disputable) -> "Picture | None":
    """As the camera saw it, if it saw the card that lies there, by whatever name."""
    if cell == play.cell and play.verdict != "taken-back" and play.evidence and play.evidence.after:
        return play.evidence.after.square
    return look.square if look and look.card == card else None


def _margin(card: str, after: "Look") -> str:
    if after.card not in (None, card):
        return f"put right: it was read as {called(str(after.card))}"
    return f"card read: {min(after.confidence, SURE_AT_MOST):.1%} sure"


def why(play: Disputable) -> tuple[str, ...]:
    """What a ruling rests on, short enough to be read across a table."""
    if play.verdict == "legal":
        return tuple(f"New: {found}." for found in _found(play.triples))
    if play.verdict in ("illegal", "called"):
        return (*_not_new(play), f"Cell {play.cell} takes {_taken(play.accepts)}.")
    return (play.sentence.replace(play.card, called(play.card)),)


def _not_new(play: Disputable) -> tuple[str, ...]:
    if not play.standing:
        return (f"No line through cell {play.cell} gets three alike.",)
    had = ", ".join(_found(play.standing))
    return (f"Not new: {had}.", f"It was so with {called(play.covered)} already.")


def _found(triples: Sequence[Triple]) -> Iterator[str]:
    """Each value once, with its lines."""
    lines: dict[str, list[str]] = {}
    for triple in triples:
        lines.setdefault(triple.value, []).append(f"the {triple.line}")
    for value, named in lines.items():
        yield f"{THREE[value]} in {' and '.join(named)}"


def _taken(values: Sequence[str]) -> str:
    """Of these values a card must have one."""
    *others, last = [ONE.get(value, value) for value in values] or ["no card at all"]
    return f"{', '.join(others)} or {last}" if others else last


def _drawn(triple: Triple) -> Any:
    from vision import verdict  # noqa: PLC0415

    one, two, three = triple.cells
    return verdict.Triple((one, two, three), triple.value, triple.before)


def _known(card: str) -> str | None:
    return card if card and card != UNSEEN else None
