"""The pictures of a dispute: the last plays on a page, what was ruled on each, and the moment at which it was made."""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion.core.clocks import MILLISECOND, SECOND, shown
from companion.core.rules import UNSEEN
from companion.core.sentence import N_, Sentence
from companion.games.triple3.dispute import Disputable
from companion.games.triple3.rules import COLOURS, COUNTS, SHAPES, Triple
from companion.watch.evidence import Evidence
from companion.watch.game_watch import ShownDispute

if TYPE_CHECKING:
    from companion.watch.album import Album
    from vision.frames import Picture
    from vision.locate import TableView
    from vision.ring import Ring, Stretch
    from vision.sightings import Look
    from vision.signs import Kind
    from vision.verdict import Verdict

REMEMBERED = 24  # rulings of which it is remembered how the nine cells looked
BEFORE, AFTER = 300 * MILLISECOND, 500 * MILLISECOND  # around a play, from the first that came over the cell
LONGEST = 3 * SECOND  # that a cell may have been covered and all of it is shown
MOMENTS = 8  # pictures of a strip
SURE_AT_MOST = 0.999  # nothing is told surer
STRIP = (1280, 240)
KINDS: "Mapping[str, Kind]" = {
    "legal": "legal",
    "illegal": "illegal",
    "called": "illegal",
    "unruled": "unsure",
    "taken-back": "taken back",
}
TITLES: Mapping[str, str] = {
    "legal": "Legal",
    "illegal": "Illegal",
    "called": "Illegal",
    "unruled": "Not seen how",
    "taken-back": "Taken back",
}
ONE: Mapping[str, str] = {value: f"a {value}" for value in (*SHAPES, *COUNTS)}  # of which a cell takes one
THREE: Mapping[str, str] = {
    **{colour: f"three {colour} cards" for colour in COLOURS},
    **{shape: f"three {shape}{'es' if shape == 'plus' else 's'}" for shape in SHAPES},
    **{count: f"three {count}s" for count in COUNTS},
}


class Looks:
    """How the nine cells looked when each of the newest plays was ruled on."""

    def __init__(self) -> None:
        self._looks: dict[tuple[int, int], tuple[Look | None, ...]] = {}

    def keep(self, evidence: Evidence, looks: "Sequence[Look | None]") -> None:
        self._looks[_key(evidence)] = tuple(looks)
        while len(self._looks) > REMEMBERED:
            del self._looks[next(iter(self._looks))]

    def of(self, evidence: Evidence | None) -> "tuple[Look | None, ...]":
        return self._looks.get(_key(evidence), ()) if evidence else ()


def _key(evidence: Evidence) -> tuple[int, int]:
    """Whatever its card is called since then."""
    return evidence.cell, evidence.stamp


class Gallery:
    """Draws disputes and keeps them in an album; in a thread, because the table goes on being watched."""

    def __init__(self, album: "Album", ring: "Ring") -> None:
        self.album, self.ring, self.looks = album, ring, Looks()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="gallery")
        self._held: dict[tuple[int, int], Stretch] = {}  # of this Stop!, however long it is disputed
        self._drawing: Future[None] | None = None

    @property
    def is_drawing(self) -> bool:
        return self._drawing is not None and not self._drawing.done()

    def keep(self, evidence: Evidence, looks: "Sequence[Look | None]") -> None:
        self.looks.keep(evidence, looks)

    def shown(self, plays: Sequence[Disputable], table: "TableView | None", name: str) -> ShownDispute:
        """The names of the pictures, at once; they are there a little later."""
        if self.album.trouble or not plays:
            return ShownDispute("", ((),) * len(plays))
        kept, jobs = [], []
        for at, play in enumerate(plays, 1):
            names = [f"{name}-{at}-verdict.jpg"]
            moments = self._moments(play.evidence)
            if moments.kept:
                names.append(f"{name}-{at}-moment.jpg")
            kept.append(tuple(str(self.album.folder / one) for one in names))
            jobs.append((names, play, self.looks.of(play.evidence), moments))
        self._drawing = self._thread.submit(self._draw, jobs, table, f"{name}.jpg")
        return ShownDispute(str(self.album.folder / f"{name}.jpg"), tuple(kept))

    def begin_anew(self) -> None:
        """Another Stop!: what was shown at the last one is as old as it is."""
        self._held.clear()

    def close(self) -> None:
        """When everything is drawn."""
        self._thread.shutdown()

    def _moments(self, evidence: Evidence | None) -> "Stretch":
        from vision.ring import Stretch  # noqa: PLC0415

        if evidence is None:
            return Stretch()
        before = self._held.pop(_key(evidence), Stretch())
        found = Stretch()
        if self.ring.stamps and evidence.stamp >= self.ring.stamps[0]:
            found = self.ring.hold(evidence.stamp - _early(evidence), evidence.stamp + AFTER)
        found = max(before, found, key=lambda one: len(one.kept))
        self._held[_key(evidence)] = found
        return found

    def _draw(self, jobs: "Sequence[_Job]", table: "TableView | None", page: str) -> None:
        """In the thread; whatever fails there, the match goes on."""
        from vision.verdict import dispute_page, drawn_verdict  # noqa: PLC0415

        try:
            verdicts = [verdict_of(play, looks) for _, play, looks, _ in jobs]
            self.album.keep(page, dispute_page(verdicts))
            for (names, play, _, moments), verdict in zip(jobs, verdicts, strict=True):
                self.album.keep(names[0], drawn_verdict(verdict))
                if play.evidence and moments.kept:
                    self.album.keep(names[1], _strip(moments, play.evidence, table))
        except Exception as error:
            text = N_("The dispute cannot be drawn ({error}): the match goes on without its pictures.")
            self.album.trouble = Sentence(text, error=str(error))


_Job = tuple[list[str], Disputable, "tuple[Look | None, ...]", "Stretch"]


def _early(evidence: Evidence) -> int:
    """How long before its ruling a moment begins."""
    return min(evidence.stamp - evidence.since, LONGEST) + BEFORE


def _strip(moments: "Stretch", evidence: Evidence, table: "TableView | None") -> "Picture":
    from vision.strip import strip  # noqa: PLC0415

    early = _early(evidence)
    within = tuple(one for one in moments.kept if one.stamp >= evidence.stamp - early)  # others are of nothing but rest
    chosen = replace(moments, kept=within or moments.kept).stretch(evidence.stamp, early, AFTER, MOMENTS)
    return strip(chosen, table, evidence.stamp, cell=evidence.cell if table else None, size=STRIP)


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
        f"{TITLES[play.verdict]}: {_called(play.card)} on cell {play.cell}",
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
        return f"put right: it was read as {_called(str(after.card))}"
    return f"card read: {min(after.confidence, SURE_AT_MOST):.1%} sure"


def why(play: Disputable) -> tuple[str, ...]:
    """What a ruling rests on, short enough to be read across a table."""
    if play.verdict == "legal":
        return tuple(f"New: {found}." for found in _found(play.triples))
    if play.verdict in ("illegal", "called"):
        return (*_not_new(play), f"Cell {play.cell} takes {_taken(play.accepts)}.")
    return (play.sentence.replace(play.card, _called(play.card)),)


def _not_new(play: Disputable) -> tuple[str, ...]:
    if not play.standing:
        return (f"No line through cell {play.cell} gets three alike.",)
    had = ", ".join(_found(play.standing))
    return (f"Not new: {had}.", f"It was so with {_called(play.covered)} already.")


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


def _called(card: str) -> str:
    return card.replace("-", " ")


def _drawn(triple: Triple) -> Any:
    from vision import verdict  # noqa: PLC0415

    one, two, three = triple.cells
    return verdict.Triple((one, two, three), triple.value, triple.before)


def _known(card: str) -> str | None:
    return card if card and card != UNSEEN else None
