"""Faults caused in the middle of a match of bots: what is told of each, and what becomes of the match.

`python -m tests.faulty` prints the table of docs/watching.md, from the same runs that the tests look at.
"""

import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.core.entry import Entry
from companion.core.errors import CompanionError
from companion.core.match import Match
from companion.core.referee import Referee
from companion.core.session import Session
from companion.games import game
from companion.games.triple3.hands import Play, match_setup, plays_of, write_script
from companion.games.triple3.rules import DECK, is_legal
from companion.games.triple3.watch import WATCH
from companion.inputs.line_source import LineSource, NoMessage, message_of
from companion.journal import Journal
from companion.watch.bench import Bench
from companion.watch.game_watch import Seating
from companion.watch.messages import message_reader
from companion.watch.watch_loop import FileLoop, Watch, news_plain
from companion.watch.watch_sources import Known, Showing, TimedMessage
from simulator.rendered.rendered_table import SimulatedTable
from simulator.rendered.script import Deed, Lying, Mishap, Script, ScriptedArm, Seat
from tests.piles import piles_at
from vision.card_drawing import BACK
from vision.eye_errors import SourceError
from vision.frames import Frame
from vision.reader import Reader
from vision.watcher import Watcher

READER = message_reader(game("triple3"))
SECOND = 1_000_000_000
TENTH = SECOND // 10
SEED, PLAYS = 202, 16
SIZE, RATE = (640, 360), 15.0
FRAME = round(SECOND / RATE)
UNAWARE = 5 * SECOND // 2  # for which people play on before they notice
ENDS = "ends"  # a fault with which the watching ends
ALL_FOREIGN = tuple(("foreign", cell) for cell in range(1, 10))
PATIENT = 5 * SECOND  # for which they then wait when the fault is over
AROUND = SECOND // 2  # so near to a fault a play may belong to it

Told = dict[str, Any]
Frames = Iterator[Frame]


# --- a match with something wrong in it ------------------------------------------------------------------------


@cache
def a_match() -> Script:
    """Two bots, sixteen plays, nothing wrong but three of them."""
    script = write_script(SEED, players=2, plays=PLAYS, pace=1.3, illegal=0.12, trouble={})
    return replace(script, size=SIZE, rate=RATE)


def middle(script: Script) -> int:
    """A moment about half-way through at which no arm is over the table."""
    begins = [arm.enters for arm in script.arms]
    free = [at for at in begins if all(not arm.enters < at <= arm.gone for arm in script.arms)]
    at = min(free, key=lambda at: abs(at - (begins[2] + begins[-1]) // 2))
    return (at // TENTH - 1) * TENTH


def with_pause(script: Script, at: int, length: int) -> Script:
    """Whoever would have come in after a moment, or said something, comes so much later."""
    arms = tuple(arm if arm.enters < at else _later(arm, length) for arm in script.arms)
    said = tuple(one if one.at < at else replace(one, at=one.at + length) for one in script.said)
    return replace(script, arms=arms, said=said, length=script.length + length)


def _later(arm: ScriptedArm, by: int) -> ScriptedArm:
    return replace(
        arm,
        enters=arm.enters + by,
        there=arm.there + by,
        deed=arm.deed + by,
        leaves=arm.leaves + by,
        gone=arm.gone + by,
    )


def reach(seat: Seat, at: int, cell: int, what: Deed, card: str = "") -> ScriptedArm:
    enters, there, deed, leaves, gone = (at + round(step * SECOND) for step in (-0.5, -0.1, 0, 0.1, 0.5))
    return ScriptedArm(
        seat, enters, there, deed, leaves, gone, cell, what, Lying(card, (1.0, -1.0), 3.0) if card else None
    )


def _untouched(frames: Frames) -> Frames:
    return frames


@dataclass(frozen=True, slots=True)
class Stretch:
    """A match with a fault from `at` until `until`."""

    script: Script
    at: int
    until: int
    spoil: Callable[[Frames], Frames] = _untouched
    is_live: bool = False  # taken in as from a camera, and not as from a file
    comes_back: bool = True


def befallen(seconds: float, *mishaps: tuple[Any, ...], unaware: int = UNAWARE) -> Stretch:
    """Something befalls the table or the camera for so long; people notice after a while, stop, and go on later."""
    script, at, until = stopped(seconds, unaware)
    made = tuple(Mishap(what, at, until, *how) for what, *how in mishaps)
    return Stretch(replace(script, mishaps=made), at, until)


def stopped(seconds: float, unaware: int = UNAWARE) -> tuple[Script, int, int]:
    """The match with its pause, and when something is wrong."""
    script = a_match()
    at = middle(script)
    until = at + round(seconds * SECOND)
    begins = at + unaware
    return with_pause(script, begins, max(0, until - begins) + PATIENT), at, until


def spoilt(seconds: float, how: Callable[[Frame], Frame | Exception | None], **more: Any) -> Stretch:
    """The frames of so long are others, or none, or an error instead."""
    script, at, until = stopped(seconds)

    def spoil(frames: Frames) -> Frames:
        for frame in frames:
            now = how(frame) if at <= frame.stamp < until else frame
            if isinstance(now, Exception):
                raise now
            if now is not None:
                yield now

    return Stretch(script, at, until, spoil, **more)


def twice(frame: Frame) -> Frame:
    """Two mats lie side by side."""
    half = cv2.resize(frame.picture, None, fx=0.5, fy=1, interpolation=cv2.INTER_AREA)
    grey = cv2.resize(frame.grey, None, fx=0.5, fy=1, interpolation=cv2.INTER_AREA)
    return replace(frame, picture=np.hstack([half, half]), grey=np.hstack([grey, grey]))


def begun_already() -> Stretch:
    """The pictures begin when half of the cards are laid."""
    script = a_match()
    at = middle(script)
    return Stretch(script, 0, at, lambda frames: (frame for frame in frames if frame.stamp >= at))


def smaller(frame: Frame) -> Frame:
    picture = cv2.resize(frame.picture, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA)
    grey = cv2.resize(frame.grey, None, fx=0.75, fy=0.75, interpolation=cv2.INTER_AREA)
    return replace(frame, picture=picture, grey=grey)


def half_covered() -> Stretch:
    """For a minute, in which a card is laid beside the cover, and taken back."""
    found = befallen(60, ("cover", 0.45, 0.99), unaware=0)
    grid = tuple(pile[-1].card for pile in piles_at(found.script, found.at))
    used = {card.card for pile in found.script.grid for card in pile}
    used |= {arm.lying.card for arm in found.script.arms if arm.lying}
    cell, card = next(
        (cell, card) for cell in (1, 4, 7) for card in DECK if card not in used and is_legal(grid, cell, card)
    )
    arms = (
        reach("left", found.at + 25 * SECOND, cell, "lay", card),
        reach("left", found.at + 32 * SECOND, cell, "take"),
    )
    return replace(found, script=_with(found.script, arms))


def no_card_of_the_deck(shows: str) -> Stretch:
    """A card of another deck is laid, or one face down, and taken off again two seconds after that was told."""
    script, at, _ = stopped(0, 0)
    off = at + 4 * SECOND
    script = with_pause(script, at, 6 * SECOND)
    arms = (reach("left", at + SECOND, 5, "lay", shows), reach("left", off, 5, "take"))
    return Stretch(_with(script, arms), at + SECOND, off)


def card_seen_already(*, buried: bool) -> Stretch:
    """A card that lies in the grid (or, buried, below another card of it) is laid again, from another deck."""
    script, at, _ = stopped(0, 0)
    script = with_pause(script, at, 6 * SECOND)
    piles = piles_at(script, at)
    whose = next(cell for cell, pile in enumerate(piles, 1) if len(pile) > 1 and cell != 5)
    card = piles[whose - 1][0 if buried else -1].card
    off = at + 4 * SECOND
    arms = (reach("left", at + SECOND, 5, "lay", card), reach("left", off, 5, "take"))
    return Stretch(_with(script, arms), at + SECOND, off)


def wrong_deck_from_the_start() -> Stretch:
    """Nine cards of another deck lie there for eight seconds before the right ones do, and the match can begin."""
    script, until = a_match(), 8 * SECOND
    late = with_pause(script, 0, until)
    foreign = tuple(Mishap("foreign", 0, until, cell) for cell in range(1, 10))
    return Stretch(replace(late, mishaps=foreign), 0, until)


def _with(script: Script, arms: tuple[ScriptedArm, ...]) -> Script:
    return replace(script, arms=tuple(sorted((*script.arms, *arms), key=lambda arm: arm.enters)))


# --- watching it -----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Spoilt:
    """A simulated table whose frames do not arrive as they were taken."""

    table: SimulatedTable
    spoil: Callable[[Frames], Frames]

    @property
    def size(self) -> tuple[int, int]:
        return self.table.size

    def frames(self) -> Frames:
        return self.spoil(self.table.frames())

    def about(self) -> dict[str, Any]:
        return self.table.about()

    def close(self) -> None:
        self.table.close()


@dataclass(slots=True)
class Outcome:
    """What was told, and what is kept of the match."""

    stretch: Stretch
    told: list[tuple[int, Told]] = field(default_factory=list)
    error: str = ""  # with which the watching ended
    match: Match | None = None
    entries: tuple[Entry, ...] = ()  # of the journal
    again: Match | None = None  # folded from the journal
    plays: tuple[Play, ...] = ()  # as they truly were

    def tell(self, news: Any, stamp: int) -> None:
        self.told.append((stamp, news_plain(news)))

    def of(self, *kinds: str) -> list[tuple[int, Told]]:
        """From when the fault began; the clock is that of the newest frame."""
        return [(at, one) for at, one in self.told if one["kind"] in kinds and at >= self.stretch.at - FRAME]

    @property
    def verdicts(self) -> dict[tuple[int, str], str]:
        """By cell and card, what was told last."""
        found = {}
        for _, one in self.told:
            if one["kind"] == "ruling" and one["move"]["move"] in ("lay", "lies"):
                found[one["move"]["cell"], one["move"]["card"]] = _verdict_of(one)
            elif one["kind"] == "foul" and one["code"] == "no-new-triple":
                found[one["facts"]["cell"], one["facts"]["card"]] = "illegal"
        return found

    @property
    def tops(self) -> tuple[str, ...]:
        """What really lies on the nine cells at the end."""
        return tuple(pile[-1].card for pile in piles_at(self.stretch.script, self.stretch.script.length))

    def laid(self) -> list[tuple[Play, str]]:
        """Each card that was laid, and what was told of it."""
        told = self.verdicts
        return [(play, told.get((play.cell, play.card), "")) for play in self.plays if play.what == "lay"]

    def beside(self) -> list[tuple[Play, str]]:
        """Those before and after the fault."""
        begins, ends = self.stretch.at, self.back
        return [(play, told) for play, told in self.laid() if play.at < begins - AROUND or play.hidden_from > ends]

    def within(self) -> list[tuple[Play, str]]:
        beside = [play for play, _ in self.beside()]
        return [(play, told) for play, told in self.laid() if play not in beside]

    # --- what is told of the fault

    def notice(self, code: str) -> tuple[int, Told] | None:
        """When the fault was first told, and how."""
        return next((one for one in self.of("out-of-step", "seen") if one[1]["code"] == code), None)

    @property
    def is_intact(self) -> bool:
        """Whether what is kept gives the same match again."""
        one, other = self.match, self.again
        return one is not None and other is not None and (one.state, one.line) == (other.state, other.line)

    @property
    def back(self) -> int:
        """The stamp since which everything is in step."""
        found = self.of("in-step")
        return max([self.stretch.until, *(at for at, _ in found)])

    @property
    def recovered_after(self) -> float:
        """Seconds since the fault was over."""
        return (self.back - self.stretch.until) / SECOND

    @property
    def still_open(self) -> list[str]:
        """What is out of step at the end."""
        now: dict[tuple[int, ...], str] = {}
        for _, one in self.of("out-of-step", "in-step"):
            if one["kind"] == "in-step":
                now.pop(tuple(one["cells"]), None)
            else:
                now[tuple(one["cells"])] = one["sentence"]
        return list(now.values())


def is_right(play: Play, told: str) -> bool:
    """As the rules say it; where nobody could see which of two came first, one order that is legal is enough."""
    return told == play.verdict or (told == "legal" and play.legal_in_some_order)


def _verdict_of(ruling: Told) -> str:
    if ruling["move"]["move"] == "lies":
        return "lies"
    return "illegal" if any(one["event"] == "played-illegally" for one in ruling["events"]) else "legal"


@cache
def reader() -> Reader:
    return Reader()


def watched(stretch: Stretch) -> Outcome:
    """Through the same loop as `companion watch`, kept in a journal that is read again afterwards."""
    script, found = stretch.script, Outcome(stretch)
    setup, eye = match_setup(script), Watcher(reader())
    with tempfile.TemporaryDirectory() as place, Path("/dev/null").open("rb") as nobody:
        with Journal.open(Path(place) / "journal") as journal:
            bench = Bench(eye, lambda at: Session(Referee.begin(setup, at, journal), None), WATCH, Seating({}))
            watch = Watch(eye, bench, found.tell)
            showing = Showing(
                "the table",
                Spoilt(SimulatedTable(script), stretch.spoil),
                comes_back=stretch.comes_back,
                known=Known("triple3", setup.names),
                cues=tuple(TimedMessage(dict(one.message), one.at) for one in script.said),
            )
            try:
                (_live if stretch.is_live else _filmed)(watch, showing, nobody.fileno())
            except CompanionError as error:
                found.error = str(error)
        found.match = bench.match
        with Journal.open(Path(place) / "journal") as journal:
            [kept] = journal.matches()
            stored = journal.stored(kept.code)
            found.entries, found.again = tuple(stored.entries), stored.folded()
    found.plays = plays_of(script)
    return found


def _filmed(watch: Watch, showing: Showing, nobody: int) -> None:
    FileLoop(watch, showing, LineSource(nobody, READER)).run()


def _live(watch: Watch, showing: Showing, _nobody: int) -> None:
    """As from a camera, but by the frames' clock."""
    cues = list(showing.cues)
    for frame in showing.source.frames():
        while cues and cues[0].at < frame.stamp:
            cue = cues.pop(0)
            said = message_of({**cue.message, "at": cue.at}, READER)
            assert not isinstance(said, NoMessage)
            watch.heard(said)
        watch.frame(frame)


# --- the faults ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fault:
    """What goes wrong, and what is to be told of it; the seconds are those of the table."""

    name: str
    make: Callable[[], Stretch]
    code: str
    within: float  # seconds until it is told, at most
    back: float = 0.5  # seconds from its end until everything is in step, at most
    is_long: bool = False  # much like another one, or it lasts


def _breaks_off(_: Frame) -> SourceError:
    return SourceError("The film breaks off.")


FAULTS = (
    Fault("the camera is gone for 4 s", lambda: befallen(4, ("gone",)), "camera", 0.2),
    Fault("the same picture for 6 s, with new stamps", lambda: befallen(6, ("frozen",)), "frozen", 2.5, 1.5),
    Fault("black pictures for 4 s", lambda: befallen(4, ("black",)), "dark", 1.0, 1.5, is_long=True),
    Fault("the light is off for 4 s", lambda: befallen(4, ("light", 0.004)), "dark", 1.5, 2.0),
    Fault("a third of the light for 4 s", lambda: befallen(4, ("light", 0.3, 0.8), unaware=4 * SECOND), "", 0.0),
    Fault("the camera is upside down for 5 s", lambda: befallen(5, ("upside down",)), "moved", 0.5),
    Fault("the mat is moved", lambda: befallen(0.6, ("moved", 14, -9, 6), unaware=0), "moved", 1.5),
    Fault(
        "the camera is nudged", lambda: befallen(0.4, ("nudge", 24, -12, 2.5), unaware=0), "moved", 1.5, is_long=True
    ),
    Fault("half the table is covered for a minute", half_covered, "covered", 12.0, 2.0, is_long=True),
    Fault("a card of another deck is laid", lambda: no_card_of_the_deck("foreign"), "no-card", 1.5, 1.0),
    Fault("a card is laid face down", lambda: no_card_of_the_deck(BACK), "no-card", 1.5, 1.0, is_long=True),
    Fault("a second mat lies in the picture for 4 s", lambda: spoilt(4, twice), "table", 1.5, 1.0, is_long=True),
    Fault(
        "nine cards of another deck for 4 s", lambda: befallen(4, *ALL_FOREIGN, unaware=0), "bare", 1.0, is_long=True
    ),
    Fault("nine cards of another deck at the set-up", wrong_deck_from_the_start, "other-deck", 2.0),
    Fault(
        "a card is laid that lies uppermost elsewhere", lambda: card_seen_already(buried=False), "seen-already", 1, 1
    ),
    Fault(
        "a card is laid that lies in another pile",
        lambda: card_seen_already(buried=True),
        "seen-already",
        1,
        1,
        is_long=True,
    ),
    Fault("frames in the wrong order for 2 s", lambda: befallen(2, ("backwards",)), "backwards", 2.2, 1.5),
    Fault("a clock that repeats a stamp for 4 s", lambda: befallen(4, ("repeats",)), "backwards", 0.2, is_long=True),
    Fault("no frames for 3 s", lambda: spoilt(3, lambda _: None), "gap", 3.2),
    Fault("a camera's frames are smaller for 3 s", lambda: spoilt(3, smaller, is_live=True), "moved", 0.5),
    Fault("a film breaks off", lambda: spoilt(4, _breaks_off, comes_back=False), ENDS, 0.2),
    Fault("the frames of a film become smaller", lambda: spoilt(3, smaller, comes_back=False), ENDS, 0.2),
)


@cache
def outcome(fault: Fault) -> Outcome:
    return watched(fault.make())


# --- the page --------------------------------------------------------------------------------------------------

HEAD = ("fault", "what is told", "told after", "in step, after its end", "what is lost")


def page() -> list[str]:
    """The table of docs/watching.md."""
    rows = [HEAD, ("---",) * len(HEAD), *(row(fault, outcome(fault)) for fault in FAULTS)]
    return [f"| {' | '.join(one)} |" for one in rows]


def row(fault: Fault, found: Outcome) -> tuple[str, ...]:
    if fault.code == ENDS:
        return (fault.name, f"{found.error} (exit code 2)", "at once", "", "nothing of what was ruled before")
    notice = found.notice(fault.code)
    if notice is None:
        return (fault.name, "nothing", "", "it was never out of step", lost(found))
    said = " ".join(filter(None, (notice[1]["sentence"], notice[1].get("way_back", ""))))
    told = f"{max(0, notice[0] - found.stretch.at) / SECOND:.1f} s"
    return (fault.name, said, told, f"{found.recovered_after:.1f} s", lost(found))


def lost(found: Outcome) -> str:
    """What became of the cards that were laid meanwhile."""
    told = [told for play, told in found.within() if play.at >= found.stretch.at and play.verdict != "refused"]
    ruled, lies, unseen = len(told) - told.count("lies") - told.count(""), told.count("lies"), told.count("")
    if ruled == len(told):
        return f"nothing; cards laid meanwhile and ruled on: {ruled}" if told else "nothing"
    return (
        f"of {len(told)} cards laid meanwhile: ruled on {ruled}, said to lie there {lies}, "
        f"below it and not seen {unseen}"
    )


if __name__ == "__main__":
    cv2.setNumThreads(1)
    sys.stdout.write("\n".join(page()) + "\n")
