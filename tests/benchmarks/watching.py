"""How well whole matches are watched and ruled on, and what it costs: bots' hands on the simulated table.

`python -m tests.benchmarks.watching --matches 200 --jobs 2` plays as many and says what came of each and of all;
`python -m tests.benchmarks.measure` writes the tables of docs/watching.md.
"""

import argparse
import json
import multiprocessing
import os
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import combinations, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core.clocks import SECOND
from companion.games.triple3.hands import Play, match_setup, plays_of, write_script
from companion.games.triple3.rules import LINES, is_legal
from companion.watch.sighting_text import Line
from companion.watch.watch_loop import News, news_plain
from tests.benchmarks import Row, median
from tests.benchmarks.bounds import upper_bound
from tests.benchmarks.watching_cost import processor_time
from tests.piles import piles_at
from tests.watched import hear

if TYPE_CHECKING:
    from companion.watch.bench import Bench
    from simulator.rendered.script import Script
    from vision.frames import Frame
    from vision.reader import Reader
    from vision.sightings import Sighting

SEED = 7_000
QUICK = 3  # matches for `make bench`
EARLY = SECOND // 5  # a card may be read while it is still between the fingers that have laid it
VISIBLE = SECOND // 10  # a card that lay free for less was not there for anybody who looks from above
AROUND = SECOND // 2  # before and after a mishap its plays are counted as its own
LIES = "lies"  # it is there, and nobody can rule on how it came there
WAYS = ("watched", "without prior", "without voting", "frame by frame", "worse reader")


@dataclass(frozen=True, slots=True)
class Job:
    seed: int
    way: str = "watched"
    pace: float | None = None  # plays a second; None: drawn for each match from 0.5 to 3


@dataclass(slots=True)
class Ruled:
    """One truth and what was told of it."""

    kind: str
    truth: str
    told: str  # legal, illegal, lies, or nothing
    is_right: bool  # as the match truly went, or else on the table as the referee has it
    visible: bool
    is_true: bool  # as the match truly went
    verdict: str = ""  # what the rules say of it as the match truly went
    cell: int = 0
    card: str = ""
    chance: float = 1.0  # that was said with what was told

    @property
    def is_told(self) -> bool:
        return self.told in ("legal", "illegal")

    @property
    def is_wrong(self) -> bool:
        return self.is_told and not self.is_right

    @property
    def is_untrue(self) -> bool:
        """Wrong by the strict yardstick."""
        return self.is_told and not self.is_true

    @property
    def is_unjust(self) -> bool:
        """An honest play that was called illegal."""
        return self.is_untrue and self.told == "illegal" and self.verdict == "legal"


@dataclass(slots=True)
class Result:
    """One match."""

    seed: int
    way: str
    players: int
    pace: float
    seconds: float  # of table time
    ruled: list[Ruled] = field(default_factory=list)
    invented: list[str] = field(default_factory=list)  # rulings on what nobody laid
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)
    steps: list[tuple[str, float | None]] = field(default_factory=list)  # out of step: why, and seconds until in step
    still: list[float] = field(default_factory=list)  # ms a frame: nothing changed ...
    active: list[float] = field(default_factory=list)  # ... and something did
    ruling: list[float] = field(default_factory=list)  # ms of the frames with a ruling
    late: list[float] = field(default_factory=list)  # seconds from a card lying free to its ruling

    @property
    def load(self) -> float:
        """Of one core, at the frame rate of the table."""
        return (sum(self.still) + sum(self.active)) / 1000 / self.seconds


# --- playing a match -------------------------------------------------------------------------------------------


class Noting:
    """Takes in what is told, as the people at the table would."""

    def __init__(self, result: Result) -> None:
        self.result = result
        self.verdicts: list[tuple[int, int, str, str]] = []  # stamp, cell, card, verdict
        self.rulings = 0
        self.chances: dict[tuple[int, str, str], float] = {}  # how sure each verdict was said to be
        self._stands = 0  # a cell on which a card stands, because in one order it is legal
        self._open: dict[tuple[int, ...], int] = {}

    def tell(self, said: News, stamp: int) -> None:
        if isinstance(said, Line):
            return
        news = news_plain(said)
        if evidence := getattr(said, "evidence", None):
            verdict = "illegal" if news["kind"] == "foul" else "legal"
            self.chances[evidence.cell, evidence.card, verdict] = evidence.chance
        match news["kind"]:
            case "ruling" if news["move"]["move"] == "lay":
                self._verdict(stamp, news["move"], _verdict_of(news))
            case "seen" if news["code"] == "at-once":
                self._stands = news["cells"][0]
            case "ruling" if news["move"]["move"] == "lies":
                stands = self._stands == news["move"]["cell"]
                self._verdict(stamp, news["move"], "legal" if stands else LIES)
                self._stands = 0
            case "foul" if news["code"] == "no-new-triple":
                self._verdict(stamp, news["facts"], "illegal")
            case "out-of-step":
                self._step(news, stamp)
            case "in-step":
                self.result.steps.append((news["code"], news["took"] / SECOND))
                self._open.pop(tuple(news["cells"]), None)
            case "notice" if "lost the thread" in news["sentence"]:
                self.result.steps.append(("lost the thread", None))
            case _:
                pass

    def _verdict(self, stamp: int, facts: dict[str, Any], verdict: str) -> None:
        self.rulings += verdict != LIES
        self.verdicts.append((stamp, facts["cell"], facts["card"], verdict))

    def _step(self, news: dict[str, Any], stamp: int) -> None:
        self._open[tuple(news["cells"])] = stamp

    def end(self) -> None:
        self.result.steps += [("still open", None) for _ in self._open]


def _verdict_of(news: dict[str, Any]) -> str:
    return "illegal" if any(event["event"] == "played-illegally" for event in news["events"]) else "legal"


@cache
def _reader() -> "Reader":
    import cv2  # noqa: PLC0415

    from vision.reader import Reader  # noqa: PLC0415

    cv2.setNumThreads(1)
    return Reader()


def eye_of(way: str) -> Any:
    from tests.benchmarks.frame_by_frame import FrameByFrame  # noqa: PLC0415
    from tests.benchmarks.worse_reader import WorseReader  # noqa: PLC0415
    from vision.watcher import MOST_LOOKS, Watcher  # noqa: PLC0415

    if way == "frame by frame":
        return FrameByFrame(_reader())
    eye = Watcher(
        WorseReader() if way == "worse reader" else _reader(), most_looks=1 if way == "without voting" else MOST_LOOKS
    )
    if way == "without prior":
        setattr(eye, "expect", lambda _prior: None)  # noqa: B010
    return eye


def played(job: Job) -> Result:
    """One match of bots, watched from the first card to the last."""
    script = write_script(job.seed, players=2 + job.seed % 3, pace=job.pace)
    about = script.about
    result = Result(job.seed, job.way, len(about["players"]), about["pace"], script.length / SECOND)
    noting = Noting(result)
    watch(script, eye_of(job.way), noting)
    noting.end()
    compare(script, noting, result)
    return result


def bench_of(eye: Any, script: "Script") -> "Bench":
    """Where a match is ruled on."""
    from companion.core.referee import Referee  # noqa: PLC0415
    from companion.core.session import Session  # noqa: PLC0415
    from companion.games.triple3.watch import WATCH  # noqa: PLC0415
    from companion.watch.bench import Bench  # noqa: PLC0415
    from companion.watch.game_watch import Seating  # noqa: PLC0415

    setup = match_setup(script)
    seats = {side: name for name, side in script.about["seats"].items()}
    return Bench(eye, lambda at: Session(Referee.begin(setup, at), None), WATCH, Seating(seats))


def watch(script: "Script", eye: Any, noting: Noting) -> None:
    from simulator.rendered.rendered_table import SimulatedTable  # noqa: PLC0415

    bench = bench_of(eye, script)
    said = list(script.said)
    for frame in SimulatedTable(script).frames():
        while said and said[0].at < frame.stamp:
            one = said.pop(0)
            for news in hear(bench, one.message, one.at):
                noting.tell(news, one.at)
        _one_frame(eye, bench, frame, noting)


def _one_frame(eye: Any, bench: Any, frame: "Frame", noting: Noting) -> None:
    rulings, result = noting.rulings, noting.result
    began = processor_time()
    seen: list[Sighting] = eye.watch(frame)
    for news in bench.saw(seen, frame):
        noting.tell(news, frame.stamp)
    took = (processor_time() - began) / 1e6
    (result.active if eye.changed else result.still).append(took)
    if noting.rulings > rulings:
        result.ruling.append(took)


def _dealt(script: "Script") -> list[str]:
    """What lies on top when the round begins."""
    begins = next(one.at for one in script.said if one.message.get("move") == "go")
    return [pile[-1].card for pile in piles_at(script, begins)]


# --- comparing -------------------------------------------------------------------------------------------------


def _mishaps(script: "Script") -> list[tuple[str, int, int]]:
    after = {"nudge": 2 * SECOND, "moved": 2 * SECOND}
    return [(one.what, one.at - AROUND, one.until + after.get(one.what, AROUND)) for one in script.mishaps]


def _kind(play: Play, mishaps: list[tuple[str, int, int]]) -> str:
    return play.kind or next((what for what, begins, ends in mishaps if begins <= play.at <= ends), "") or "nothing"


class Oracle:
    """What the rules say of each play on the table as the referee has it, which a missed card leaves another one.

    Where arms hid two plays at the same time nobody saw which came first; if one order is legal it is legal.
    """

    def __init__(self, plays: list[Play], grid: Iterable[str]) -> None:
        self._plays = plays
        self._piles = [[card] for card in grid]
        self._refused: set[str] = set()

    def verdict(self, play: Play) -> str:
        return "legal" if is_legal(self._grid(), play.cell, play.card) else "illegal"

    def may_be_legal(self, play: Play) -> bool:
        """In some order of what was hidden at the same time."""
        mates = [one for one in self._plays if one is not play and _is_together(one, play)]
        changes = [
            (one.cell - 1, card)
            for one in mates
            for card in {one.card, one.covered, *self._piles[one.cell - 1][-2:]}
            if card
        ]
        for count in range(1, 3):
            for chosen in combinations(changes, count):
                grid = list(self._grid())
                for place, card in chosen:
                    grid[place] = card
                if is_legal(tuple(grid), play.cell, play.card):
                    return True
        return False

    def lay(self, play: Play, verdict: str) -> None:
        if verdict in ("legal", LIES):
            self._piles[play.cell - 1].append(play.card)
        else:
            self._refused.add(play.card)

    def accept(self, cell: int, card: str) -> None:
        """What was called illegal counts now, because nobody took it back."""
        if card in self._refused:
            self._refused.remove(card)
            self._piles[cell - 1].append(card)

    def take(self, play: Play) -> None:
        pile = self._piles[play.cell - 1]
        if play.card in self._refused:
            self._refused.remove(play.card)
        elif len(pile) > 1 and play.card in pile:
            pile.remove(play.card)

    def _grid(self) -> tuple[str, ...]:
        return tuple(pile[-1] for pile in self._piles)


def _is_together(one: Play, other: Play) -> bool:
    in_line = any(one.cell in cells and other.cell in cells for _, cells in LINES)
    return in_line and one.hidden_from < other.hidden_until and other.hidden_from < one.hidden_until


def compare(script: "Script", noting: Noting, result: Result) -> None:
    """What was told, beside what was truly played."""
    plays = list(plays_of(script))
    _compare(plays, _mishaps(script), noting.verdicts, Oracle(plays, _dealt(script)), result)
    for one in result.ruled:
        one.chance = noting.chances.get((one.cell, one.card, one.told), 1.0)


def _compare(
    plays: list[Play],
    mishaps: list[tuple[str, int, int]],
    verdicts: list[tuple[int, int, str, str]],
    oracle: Oracle,
    result: Result,
) -> None:
    """Each card laid, and the last that was told of it before it was laid again."""
    used: set[int] = set()
    lies = [(stamp, cell, card) for stamp, cell, card, verdict in verdicts if verdict == LIES]
    for play in plays:
        while lies and lies[0][0] < play.at:
            oracle.accept(*lies.pop(0)[1:])
        if play.what == "take":
            oracle.take(play)
        elif play.verdict in ("legal", "illegal"):
            _compare_one(play, plays, mishaps, verdicts, oracle, used, result)
    for number, (stamp, cell, card, verdict) in enumerate(verdicts):
        if number not in used and verdict != LIES:
            result.invented.append(f"{stamp / SECOND:.2f} {card} on {cell}: {verdict}")


def _compare_one(
    play: Play,
    plays: list[Play],
    mishaps: list[tuple[str, int, int]],
    verdicts: list[tuple[int, int, str, str]],
    oracle: Oracle,
    used: set[int],
    result: Result,
) -> None:
    again = min(
        (one.at for one in plays if one.card == play.card and one.what == "lay" and one.at > play.at), default=1 << 62
    )
    of_it = [
        (number, stamp, verdict)
        for number, (stamp, cell, card, verdict) in enumerate(verdicts)
        if (cell, card) == (play.cell, play.card) and play.at - EARLY <= stamp < again - EARLY
    ]
    used |= {number for number, _, _ in of_it}
    rulings = [verdict for _, _, verdict in of_it if verdict != LIES] or [verdict for _, _, verdict in of_it]
    told, truth = rulings[-1] if rulings else "", oracle.verdict(play)
    true = told == play.verdict or (told == "legal" and play.legal_in_some_order)
    right = true or told == truth or (told == "legal" and oracle.may_be_legal(play))
    ruled = Ruled(
        _kind(play, mishaps), truth, told, right, play.seen_for >= VISIBLE, true, play.verdict, play.cell, play.card
    )
    result.ruled.append(ruled)
    oracle.lay(play, told or truth)
    if of_it:
        result.late.append((of_it[0][1] - play.hidden_until) / SECOND)
    _note(play, ruled, result)


def _note(play: Play, ruled: Ruled, result: Result) -> None:
    what = f"{play.at / SECOND:.2f} {play.card} on {play.cell}, {ruled.kind}, free {play.seen_for / SECOND:.2f} s"
    if ruled.is_wrong:
        result.wrong.append(f"{what}: {ruled.told} instead of {ruled.truth}")
    elif not ruled.is_right and ruled.visible:
        result.missed.append(f"{what}{': ' if ruled.told else ''}{ruled.told}")


# --- figures ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Figures:
    """Of some matches watched in one way."""

    matches: int
    plays: int
    visible: int
    true_visible: int
    right_visible: int
    told_visible: int
    wrong: int  # wrong verdicts and invented plays
    untrue: int  # the same as the match truly went ...
    unjust: int  # ... and of those, honest plays called illegal
    rulings: int
    steps: int
    open_steps: int
    recovery: float  # median seconds
    load: float
    still: float  # ms, median
    settled: float  # ms, 95 of 100


def figures(results: list[Result]) -> Figures:
    ruled = [one for result in results for one in result.ruled]
    visible = [one for one in ruled if one.visible]
    invented = sum(len(result.invented) for result in results)
    took = [seconds for result in results for _, seconds in result.steps if seconds is not None]
    return Figures(
        len(results),
        len(ruled),
        len(visible),
        sum(one.is_true for one in visible),
        sum(one.is_right for one in visible),
        sum(one.is_told for one in visible),
        sum(one.is_wrong for one in ruled) + invented,
        sum(one.is_untrue for one in ruled) + invented,
        sum(one.is_unjust for one in ruled),
        sum(one.is_told for one in ruled) + invented,
        sum(len(result.steps) for result in results),
        sum(seconds is None for result in results for _, seconds in result.steps),
        median(took) if took else 0.0,
        median([result.load for result in results]),
        median([ms for result in results for ms in result.still] or [0.0]),
        _rank([ms for result in results for ms in result.ruling], 0.95),
    )


def _rank(values: list[float], share: float) -> float:
    return sorted(values)[int(share * (len(values) - 1))] if values else 0.0


def by_kind(results: list[Result]) -> list[tuple[str, int, int, int, int]]:
    """Kind, plays that could be seen, ruled right, not ruled, ruled wrong."""
    found: dict[str, list[Ruled]] = defaultdict(list)
    for result in results:
        for one in result.ruled:
            if one.visible:
                found[one.kind].append(one)
    return [
        (
            kind,
            len(ones),
            sum(one.is_right for one in ones),
            sum(not one.is_right and not one.is_wrong for one in ones),
            sum(one.is_wrong for one in ones),
        )
        for kind, ones in sorted(found.items(), key=lambda item: -len(item[1]))
    ]


COUNTED = ("plays", "visible", "true_visible", "right_visible", "told_visible", "rulings", "wrong", "untrue", "unjust")


def counts(result: Result) -> dict[str, Any]:
    """Of one match what another design can be compared with, in a line; old_tower.jsonl holds such lines. How sure it
    was: for each of `BINS` the verdicts, the sum of the chances that were said, and how many were true."""
    of = figures([result])
    about = {"seed": result.seed, "players": result.players, "pace": result.pace}
    return {**about, **{name: getattr(of, name) for name in COUNTED}, "sure": how_sure(result)}


BINS = (0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.999)


def how_sure(result: Result) -> list[list[float]]:
    found = [[0, 0.0, 0] for _ in range(len(BINS) + 1)]
    for one in result.ruled:
        if one.is_told:
            within = found[bisect_right(BINS, one.chance)]
            within[0] += 1
            within[1] = round(within[1] + one.chance, 6)
            within[2] += one.is_true
    return found


PACES = (0.2, 0.5, 1.0, 2.0, 3.0)  # plays a second, all players together; a real round has 0.2 to 0.3


def by_pace(results: list[Result]) -> list[tuple[str, Figures]]:
    found = []
    for low, high in pairwise(PACES):
        of = [result for result in results if low < result.pace <= high]
        if of:
            found.append((f"{low:g} to {high:g}", figures(of)))
    return found


def strictly(of: Figures) -> str:
    """In a line: how often it is wrong as the match truly went, and how often that may be."""
    return (
        f"{of.untrue} of {of.rulings} rulings wrong as the match truly went ({_one_in(of.untrue, of.rulings)}), "
        f"of these {of.unjust} honest plays called illegal ({_one_in(of.unjust, of.rulings)}); told and right "
        f"{of.true_visible / of.visible:.1%} of {of.visible} that could be seen"
    )


def _one_in(count: int, of: int) -> str:
    """As 1 in so many, and the least of that which can be said with 95 % certainty."""
    found = f"1 in {of / count:,.0f}" if count else "none"
    return f"{found}; 95 %: not more than 1 in {1 / upper_bound(count, of):,.0f}"


def measured(jobs: list[Job], processes: int = 1) -> Iterator[Result]:
    if processes == 1:
        for job in jobs:
            yield played(job)
        return
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap_unordered(played, jobs)


def rows() -> list[Row]:
    """For `make bench`: a few matches."""
    results = list(measured([Job(SEED + number) for number in range(QUICK)]))
    of = figures(results)
    frames = list(measured([Job(SEED, "frame by frame")]))
    every = figures(frames)
    lost = 100 * (1 - of.true_visible / of.visible)
    return [
        Row(
            "plays that could be seen and were not told as the match truly went",
            lost,
            "%",
            6.0,
            note=f"{of.visible} plays, 0.8 to 1.5 a second; 1.5 to 4 aimed at",
        ),
        Row("wrong rulings as the match truly went", float(of.untrue), "", 5, note=f"of {of.rulings} rulings"),
        Row("of these honest plays called illegal", float(of.unjust), "", 1),
        Row("watching at 30 frames a second", 100 * of.load, "% of a core", 0.5, "read every frame", 100 * every.load),
        Row(
            "a frame in which nothing changed, median",
            of.still,
            "ms",
            0.05,
            "read every frame",
            every.still or every.settled,
        ),
    ]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--first", type=int, default=SEED)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--way", choices=WAYS, default=WAYS[0])
    parser.add_argument("--pace", type=float)
    parser.add_argument("--keep", type=Path, help="write each match's result here, a JSON object a line")
    parser.add_argument("--counts", type=Path, help="write what was counted of each match here, a JSON object a line")
    options = parser.parse_args()
    jobs = [Job(options.first + number, options.way, options.pace) for number in range(options.matches)]
    results = []
    for result in measured(jobs, options.jobs):
        results.append(result)
        _report(result)
        if options.keep:
            with options.keep.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(result)) + "\n")
        if options.counts:
            with options.counts.open("a", encoding="utf-8") as file:
                file.write(json.dumps(counts(result)) + "\n")
    print(figures(results))  # noqa: T201
    for pace, of in by_pace(results):
        print(pace, of)  # noqa: T201
        print(f"{pace} a second: {strictly(of)}")  # noqa: T201
    for row in by_kind(results):
        print(*row)  # noqa: T201
    print(Counter(code for result in results for code, _ in result.steps))  # noqa: T201


def _report(result: Result) -> None:
    of = figures([result])
    print(  # noqa: T201
        f"{result.seed}: {of.plays} plays, {of.visible} visible, {of.right_visible} right, {of.wrong} wrong, "
        f"{of.steps} steps, load {of.load:.3f}",
        *(f"\n    missed {what}" for what in result.missed),
        *(f"\n    wrong {what}" for what in result.wrong),
        *(f"\n    invented {what}" for what in result.invented),
        *(f"\n    step {why} {took}" for why, took in result.steps),
        flush=True,
    )


if __name__ == "__main__":
    main()
