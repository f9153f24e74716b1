"""The sounds themselves, made from nothing: bars, bells, reeds and whistles as damped oscillations, in samples."""

from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from math import cos, exp, pi, sin

from companion.sounds.cues import Cue

RATE = 22_050  # samples a second; one channel of 16 bits
FULL = 32_767
FADE = 0.04  # seconds in which a note goes down to nothing at its end; of short ones a third is enough


@dataclass(frozen=True, slots=True)
class Partial:
    """One oscillation of a note: how many times its pitch, how loud, and how many seconds it lasts by itself."""

    ratio: float
    loud: float
    lasts: float


@dataclass(frozen=True, slots=True)
class Timbre:
    """What a note sounds like; `hit` is how loud the noise of the stroke is that makes it."""

    partials: tuple[Partial, ...]
    hit: float = 0.0


WOOD = Timbre((Partial(1, 1, 0.05), Partial(3.9, 0.4, 0.02)), hit=0.15)
BAR = Timbre((Partial(1, 1, 0.16), Partial(4, 0.25, 0.05)), hit=0.05)
BELL = Timbre((Partial(1, 1, 0.35), Partial(2.76, 0.35, 0.2), Partial(5.4, 0.12, 0.1)))
CYMBAL = Timbre((Partial(1, 0.7, 0.2), Partial(2.32, 0.5, 0.15), Partial(4.25, 0.35, 0.1)), hit=1.0)
REED = Timbre((Partial(1, 1, 2), Partial(3, 0.5, 2), Partial(5, 0.28, 2)))
WHISTLE = Timbre((Partial(1, 1, 2), Partial(2, 0.3, 2)))


@dataclass(frozen=True, slots=True)
class Note:
    at: float  # seconds from the beginning of the sound
    pitch: float  # hertz
    lasts: float  # seconds
    timbre: Timbre


@dataclass(frozen=True, slots=True)
class Tune:
    """The notes of a sound, and how high its samples may go: 1 is as loud as can be."""

    notes: tuple[Note, ...]
    peak: float = 0.8

    @property
    def lasts(self) -> float:
        """Seconds."""
        return max(note.at + note.lasts for note in self.notes)


C5, E5, F5, G5, A5, C6, D6, E6, G6 = 523.3, 659.3, 698.5, 784.0, 880.0, 1046.5, 1174.7, 1318.5, 1568.0

# No two have the same rhythm, so that they can be told apart in a loud room and by whoever does not hear pitch well.
TUNES: Mapping[Cue, Tune] = {
    Cue.BUTTON: Tune((Note(0, 1100, 0.04, WOOD),), peak=0.3),
    Cue.TICK: Tune((Note(0, 1500, 0.09, WOOD),), peak=0.6),
    Cue.LAST_TICK: Tune((Note(0, 1900, 0.09, WOOD), Note(0.16, 1900, 0.09, WOOD)), peak=0.7),
    Cue.LEGAL: Tune((Note(0, C6, 0.16, BAR), Note(0.08, G6, 0.2, BAR))),
    Cue.NOTICE: Tune((Note(0, E6, 0.5, BELL), Note(0.4, C6, 0.6, BELL)), peak=0.7),
    Cue.GO: Tune((Note(0, D6, 0.45, WHISTLE),), peak=0.6),
    Cue.CALL: Tune((Note(0, A5, 0.09, REED), Note(0.12, A5, 0.09, REED), Note(0.24, D6, 0.3, REED)), peak=0.7),
    Cue.STRIKE: Tune((Note(0, 620, 0.25, CYMBAL),), peak=0.9),
    Cue.TIE: Tune(tuple(Note(0.17 * number, (E5, F5)[number % 2], 0.11, REED) for number in range(4)), peak=0.7),
    Cue.FOUL: Tune((Note(0, 311.1, 0.2, REED), Note(0.25, 233.1, 0.45, REED)), peak=0.6),
    Cue.TIME_UP: Tune(
        tuple(Note(0.28 * number, 440, 0.24 if number < 2 else 0.7, REED) for number in range(3)), peak=0.6
    ),
    Cue.ROUND: Tune((Note(0, E5, 0.25, BELL), Note(0.2, G5, 0.25, BELL), Note(0.3, C6, 0.7, BELL))),
    Cue.WIN: Tune(
        (
            *(Note(at, pitch, 0.3, BELL) for at, pitch in ((0, C5), (0.15, E5), (0.3, G5), (0.45, C6), (0.75, G5))),
            Note(0.9, C6, 0.8, BELL),
            Note(0.9, E6, 0.8, BELL),
        )
    ),
}


@cache
def samples(cue: Cue) -> bytes:
    """The sound as 16-bit samples, made when it is asked for the first time."""
    tune = TUNES[cue]
    mixed = [0.0] * max(_count(note.at) + _count(note.lasts) for note in tune.notes)
    for note in tune.notes:
        first = _count(note.at)
        for number, value in enumerate(_struck(note), first):
            mixed[number] += value
    scale = FULL * tune.peak / max(map(abs, mixed))
    return array("h", [round(value * scale) for value in mixed]).tobytes()


def _count(seconds: float) -> int:
    return round(seconds * RATE)


def _struck(note: Note) -> list[float]:
    """One note: it begins and ends with nothing."""
    found = [0.0] * _count(note.lasts)
    for partial in note.timbre.partials:
        _add_damped(found, note.pitch * partial.ratio, partial.loud, partial.lasts)
    if note.timbre.hit:
        _add_noise(found, note.timbre.hit)
    fade = min(_count(FADE), len(found) // 3)
    for number in range(fade):
        found[-1 - number] *= number / fade
    return found


def _add_damped(to: list[float], pitch: float, loud: float, lasts: float) -> None:
    """A sine that dies away. Each value follows from the two before it, which costs a tenth of asking for sines."""
    step, keep = 2 * pi * pitch / RATE, exp(-1 / (lasts * RATE))
    forward, back = 2 * keep * cos(step), keep * keep
    before, value = -loud * sin(step) / keep, 0.0
    for number in range(len(to)):
        to[number] += value
        before, value = value, forward * value - back * before


def _add_noise(to: list[float], loud: float) -> None:
    """The noise of a stroke: some milliseconds, the same every time."""
    keep, grain = exp(-1 / (0.006 * RATE)), 12_345
    for number in range(1, min(len(to), _count(0.03))):
        grain = (1_103_515_245 * grain + 12_345) % 2**31
        to[number] += loud * (grain / 2**30 - 1)
        loud *= keep
