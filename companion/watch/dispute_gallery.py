"""The pictures of a dispute, of any game: the last plays on a page, what was ruled on each, and how it was laid."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.sentence import N_, Sentence
from companion.watch.album import ShownDispute
from companion.watch.evidence import Evidence
from companion.watch.told_evidence import PlayOfGame

if TYPE_CHECKING:
    from companion.watch.album import Album
    from vision.frames import Picture
    from vision.locate import TableView
    from vision.ring import Ring, Stretch
    from vision.sightings import Look
    from vision.signs import Kind
    from vision.verdict import Verdict

REMEMBERED = 24  # rulings of which it is remembered how the table looked
BEFORE, AFTER = 300 * MILLISECOND, 500 * MILLISECOND  # around a play, from the first that came over the cell
LONGEST = 3 * SECOND  # that a cell may have been covered and all of it is shown
MOMENTS = 8  # pictures of a strip
SURE_AT_MOST = 0.999  # nothing is told surer
STRIP = (1280, 240)
PLAN, PART = 660, 240  # pixels of the table from above, and of what lies on a place
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


@dataclass(frozen=True, slots=True, eq=False)
class SeenTable:
    """How the places of the mat looked before a play, and when it was ruled on."""

    before: "tuple[Look | None, ...]" = ()
    after: "tuple[Look | None, ...]" = ()


VerdictOf = Callable[[Any, SeenTable, "TableView | None"], "Verdict"]


class SeenTables:
    """Of each of the newest plays."""

    def __init__(self) -> None:
        self._seen: dict[tuple[int, int], SeenTable] = {}
        self._newest: tuple[Look | None, ...] = ()

    def keep(self, evidence: Evidence | None, looks: "Sequence[Look | None]") -> None:
        """Without evidence it is how the table lies between two plays."""
        now = tuple(looks)
        if evidence is not None:
            known = self._seen.get(_key(evidence))
            self._seen[_key(evidence)] = SeenTable(known.before if known else self._newest, now)
        self._newest = now
        while len(self._seen) > REMEMBERED:
            del self._seen[next(iter(self._seen))]

    def of(self, evidence: Evidence | None) -> SeenTable:
        return self._seen.get(_key(evidence), SeenTable()) if evidence else SeenTable()


def _key(evidence: Evidence) -> tuple[int, int]:
    """Whatever its card is called since then."""
    return evidence.cell, evidence.stamp


class Gallery:
    """Draws disputes and keeps them in an album; in a thread, because the table goes on being watched. How a play is
    explained, `verdict_of` says."""

    def __init__(self, album: "Album", ring: "Ring", verdict_of: VerdictOf) -> None:
        self.album, self.ring, self.tables = album, ring, SeenTables()
        self._verdict_of = verdict_of
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="gallery")
        self._held: dict[tuple[int, int], Stretch] = {}  # of this Stop!, however long it is disputed
        self._drawing: Future[None] | None = None

    @property
    def is_drawing(self) -> bool:
        return self._drawing is not None and not self._drawing.done()

    def keep(self, evidence: Evidence | None, looks: "Sequence[Look | None]") -> None:
        self.tables.keep(evidence, looks)

    def shown(self, plays: Sequence[PlayOfGame], table: "TableView | None", name: str) -> ShownDispute:
        """The names of the pictures, at once; they are there a little later."""
        if self.album.trouble or self.album.is_closed or not plays:
            return ShownDispute("", ((),) * len(plays))
        kept, jobs = [], []
        for at, play in enumerate(plays, 1):
            names = [f"{name}-{at}-verdict.jpg"]
            moments = self._moments(play.evidence)
            if moments.kept:
                names.append(f"{name}-{at}-moment.jpg")
            kept.append(tuple(str(self.album.folder / one) for one in names))
            jobs.append((names, play, self.tables.of(play.evidence), moments))
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
            verdicts = [self._verdict_of(play, seen, table) for _, play, seen, _ in jobs]
            self.album.keep(page, dispute_page(verdicts))
            for (names, play, _, moments), verdict in zip(jobs, verdicts, strict=True):
                self.album.keep(names[0], drawn_verdict(verdict))
                if play.evidence and moments.kept:
                    self.album.keep(names[1], _strip(moments, play.evidence, table))
        except Exception as error:
            text = N_("The dispute cannot be drawn ({error}): the match goes on without its pictures.")
            self.album.trouble = Sentence(text, error=str(error))


_Job = tuple[list[str], PlayOfGame, SeenTable, "Stretch"]


def _early(evidence: Evidence) -> int:
    """How long before its ruling a moment begins."""
    return min(evidence.stamp - evidence.since, LONGEST) + BEFORE


def _strip(moments: "Stretch", evidence: Evidence, table: "TableView | None") -> "Picture":
    from vision.strip import strip  # noqa: PLC0415

    early = _early(evidence)
    within = tuple(one for one in moments.kept if one.stamp >= evidence.stamp - early)  # others are of nothing but rest
    chosen = replace(moments, kept=within or moments.kept).stretch(evidence.stamp, early, AFTER, MOMENTS)
    return strip(chosen, table, evidence.stamp, cells=evidence.lies_on if table else (), size=STRIP)


# --- a play as it is drawn where its game has nothing of its own to add ------------------------------------------


def verdict_on_plan(play: PlayOfGame, seen: SeenTable, table: "TableView | None", why: Sequence[str] = ()) -> "Verdict":
    """The table from above with the places of the play in a frame; what lay there before and what lies there now."""
    from vision import plan, verdict  # noqa: PLC0415
    from vision.signs import INK_OF  # noqa: PLC0415

    evidence, mat = play.evidence, table.mat if table else None
    spots = evidence.lies_on if evidence else ()
    kind = KINDS[play.verdict]
    picture, before, after = None, None, None
    if mat is not None:
        now, then = _squares(seen.after), _squares(seen.before)
        picture = plan.plan(mat, now, spots, INK_OF[kind], PLAN, is_broken=kind != "legal")
        before, after = (plan.part(mat, one, spots, PART) if spots else None for one in (then, now))
    place = (evidence.place if evidence else "") or f"cell {play.cell}"
    sure = f"{min(evidence.chance, SURE_AT_MOST):.1%} sure" if evidence else ""
    return verdict.Verdict(
        kind,
        play.cell,
        None,
        None,
        (),
        f"{TITLES[play.verdict]}: {called(play.card)} on {place}",
        tuple(filter(None, (*(why or (play.sentence,)), evidence.other if evidence else ""))),
        before=before,
        after=after,
        margin=sure,
        guess=f"Perhaps {evidence.guess} laid it" if evidence and evidence.guess else "",
        plan=picture,
    )


def called(card: str) -> str:
    """As it is said."""
    return card.replace("-", " ")


def _squares(looks: "Sequence[Look | None]") -> "dict[int, Picture]":
    return {spot: look.square for spot, look in enumerate(looks, 1) if look is not None}
