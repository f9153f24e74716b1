"""What is measured of a picture, a camera and a model, and what to change so that cards are read better."""

import json
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from importlib import metadata
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core import plainfile
from vision.cells import cut, side_of
from vision.eye_errors import ModelError, NoTableError, PictureError, SourceError
from vision.frames import Frame, Picture, Plane, Points
from vision.locate import TableView, find_table
from vision.optics import PICTURE, of_camera
from vision.reader import Reader, Reading
from vision.runtime import CARD, FOLDER, LARGEST_CARD, Model, bytes_of, card_in, interpreter_class, loaded_apart
from vision.squares import FINE_SIDE, SIDE, Squares
from vision.stand_plan import CELL, MARKER, plan
from vision.still import load_picture

FRAMES = 45  # of a camera are waited for
LOOKS = 5  # of them are looked at closely
SELFTEST = Path(__file__).with_name("selftest")
TRUTH = "truth.json"

BLURRED = 1.9  # of SIDE pixels of a cell: a wave is five wide
EDGE = 40.0  # grey levels that an edge must climb to be measured
STEP = 2.507  # √(2π): of a blurred step, the height over the slope, in deviations of the blur
WINDOW = 15
NEARLY = 0.01  # metres by which a camera may be too near before that is told
DARK, BURNT, GLARE, UNEVEN = 75.0, 0.5, 0.04, 0.5
WARM, COLD, GREENISH, PINKISH = 1.7, 1.4, 1.22, 0.82
FLICKER = 0.06  # of the light, from frame to frame
SLOW = 12.0  # frames per second that a game can still be followed with


# --- A picture


@dataclass(frozen=True, slots=True, eq=False)
class PictureLook:
    """What was measured of one picture; what there is nine of is in the order of the cells."""

    size: tuple[int, int]
    missing: str = ""  # why there is no table
    table: TableView | None = None
    blur: tuple[float | None, ...] = ()  # deviation in pixels of a cell that is SIDE wide; None without an edge
    light: tuple[float, ...] = ()  # of the paper, 255 is full
    burnt: tuple[float, ...] = ()  # shares of the cells
    tint: tuple[float, float] = (1.0, 1.0)  # of the paper: red and blue, green being 1
    cell: float = 0.0  # pixels of the smallest cell's side
    marker: float | None = None  # pixels of the smallest marker's side
    readings: tuple[Reading, ...] = ()

    @property
    def readable(self) -> int:
        """Cells of which it could be said what is on them."""
        return sum(reading.state not in ("unclear", "hand", "foreign") for reading in self.readings)


def look_at(picture: Picture, reader: Reader | None) -> PictureLook:
    """Measure a picture; without a reader, all but what can be read."""
    size = (picture.shape[1], picture.shape[0])
    try:
        table = find_table(picture)
    except (NoTableError, PictureError) as error:
        small = cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        return PictureLook(size, str(error), light=(float(np.percentile(small, 90)),))
    squares = cut(picture, table.cells)
    whites = paper(squares)
    blue, green, red = np.maximum(whites.mean(0), 1.0)
    cell = min(side_of(corners) for corners in table.cells)
    return PictureLook(
        size,
        table=table,
        blur=tuple(blur_of(cv2.cvtColor(square, cv2.COLOR_BGR2GRAY)) for square in squares),
        light=tuple(float(white) for white in whites.max(1)),
        burnt=tuple(float((square.min(2) >= 251).mean()) for square in squares),
        tint=(float(red / green), float(blue / green)),
        cell=cell,
        marker=cell / table.mat.sight * table.mat.marker_side if table.mat else None,
        readings=reader.read(picture, table.cells) if reader else (),
    )


def paper(squares: Squares) -> NDArray[np.float64]:
    """The white of each square: the mean of its brightest tenth."""
    points = squares[:, ::4, ::4].reshape(len(squares), -1, 3).astype(np.float64)
    grey = points.sum(2)
    order = np.argsort(grey, 1)[:, -(grey.shape[1] // 10) :]
    return np.asarray(np.take_along_axis(points, order[..., None], 1).mean(1), np.float64)


def blur_of(grey: Plane | NDArray[Any]) -> float | None:
    """How blurred the edges are: the deviation of the blur in pixels, by how steep they are for their height."""
    flat = grey.astype(np.float32)
    kernel = np.ones((WINDOW, WINDOW), np.uint8)
    height = cv2.dilate(flat, kernel) - cv2.erode(flat, kernel)
    slope = cv2.magnitude(cv2.Scharr(flat, cv2.CV_32F, 1, 0), cv2.Scharr(flat, cv2.CV_32F, 0, 1)) / 32
    steepest = slope >= cv2.dilate(slope, np.ones((5, 5), np.uint8))
    found = steepest & (height > max(EDGE, 0.5 * float(height.max()))) & (slope > 1)
    if found.sum() < 12:
        return None
    return float(np.percentile(height[found] / slope[found], 25)) / STEP


# --- A camera


@dataclass(frozen=True, slots=True, eq=False)
class Watched:
    """Some frames of a source: how quickly they came, and what was on a few of them."""

    about: dict[str, Any]
    looks: tuple[PictureLook, ...]  # by how much can be read of them
    frames: int
    rate: float | None = None  # frames per second; None of a single picture
    lost: int = 0

    @property
    def look(self) -> PictureLook:
        """Neither the luckiest nor the unluckiest."""
        return self.looks[len(self.looks) // 2]

    @property
    def flicker(self) -> float:
        lights = [statistics.mean(look.light) for look in self.looks]
        return (max(lights) - min(lights)) / max(*lights, 1.0)


def watch(frames: Iterable[Frame], about: Callable[[], dict[str, Any]], reader: Reader | None) -> Watched:
    """The first frames of a source."""
    pictures: list[Picture] = []
    stamps: list[int] = []
    numbers: list[int] = []
    for frame in frames:
        if len(stamps) % (FRAMES // LOOKS) == 0:
            pictures.append(frame.picture)
        stamps.append(frame.stamp)
        numbers.append(frame.number)
        if len(stamps) == FRAMES:
            break
    told = about()
    if not pictures:
        raise SourceError(f"{told.get('name', 'The source')} has no picture that could be looked at.")
    looks = sorted((look_at(picture, reader) for picture in pictures), key=lambda look: look.readable)
    lost = numbers[-1] - numbers[0] + 1 - len(numbers)
    return Watched(told, tuple(looks), len(stamps), _rate(stamps, told), lost)


def _rate(stamps: Sequence[int], about: dict[str, Any]) -> float | None:
    if about.get("kind") == "pictures" or len(stamps) < 2 or stamps[-1] <= stamps[0]:
        return None
    return (len(stamps) - 1) * 1e9 / (stamps[-1] - stamps[0])


# --- What to do about it


def advice(watched: Watched) -> Iterator[str]:
    """Each a sentence: what is wrong, and what to change."""
    look = watched.look
    if look.table is None:
        yield look.missing
        if look.light and look.light[0] < DARK:
            yield "The picture is dark: switch a lamp on, or let the exposure be longer."
        return
    if look.table.note and look.table.mat:
        yield look.table.note
    about = watched.about
    of_place = (_of_height(look, about), _of_size(look, about), _of_focus(look, about))
    for said in (*of_place, _of_light(look), _of_colour(look), _of_pace(watched)):
        yield from said
    yield from _of_reading(look)


def _of_height(look: PictureLook, about: dict[str, Any]) -> Iterator[str]:
    """Whether all of the mat can be in the picture from there."""
    away, optics = distance(look, about), of_camera(str(about.get("name")))
    if away is None or optics is None or look.table is None or look.table.mat is None:
        return
    wanted = plan(look.table.mat, optics).least / 1000
    if away < wanted - NEARLY:
        higher, above = f"{100 * (wanted - away):.0f} cm higher", f"{100 * wanted:.0f} cm above the mat"
        yield f"The camera is too near for the whole mat: put it {higher}, {above}."


def _of_size(look: PictureLook, about: dict[str, Any]) -> Iterator[str]:
    away, spans = distance(look, about), look.table.per_card if look.table else 1
    cell = CELL / spans
    if look.marker is not None and look.marker < MARKER:
        by = _by(away, look.marker / MARKER)
        yield f"Markers are {look.marker:.0f} pixels wide, {MARKER:.0f} are wanted: bring the camera nearer{by}."
    elif look.cell < cell:
        by = _by(away, look.cell / cell)
        yield f"Cells are {look.cell:.0f} pixels wide, {cell:.0f} are wanted: bring the camera nearer{by}."


def _by(away: float | None, share: float) -> str:
    """How many centimetres, where it is known how far away the camera is."""
    return "" if away is None else f" by {max(1.0, round(100 * away * (1 - share))):.0f} cm"


def _of_focus(look: PictureLook, about: dict[str, Any]) -> Iterator[str]:
    soft = [at for at, blur in enumerate(look.blur) if blur is not None and blur > BLURRED]
    if not soft or look.table is None:
        return
    away = distance(look, about)
    if away is None:
        todo = "focus on the table, and let nothing shake the camera"
    else:
        todo = f"set the focus to {away:.2f} m (LensPosition {1 / away:.1f})"
        lens = about.get("metadata", {}).get("LensPosition")
        if lens and abs(lens - 1 / away) < 0.25:
            todo = "it is focused at the right distance, so let nothing shake the camera and give more light"
    yield f"The picture is blurred{_where(look.table.cells, soft)}: {todo}."


def distance(look: PictureLook, about: dict[str, Any]) -> float | None:
    """Metres to the mat, of a camera whose view is known."""
    optics = of_camera(str(about.get("name")))
    if optics is None or look.table is None or look.table.mat is None:
        return None
    seen = about.get("mode", {}).get("seen", 1.0)  # of the width that the maker's angle is for
    focal = optics.pixels * look.size[0] / PICTURE[0] / seen
    side = float(np.mean([side_of(corners) for corners in look.table.cells]))
    return float(focal * look.table.mat.sight / side / 1000)


def _of_light(look: PictureLook) -> Iterator[str]:
    assert look.table is not None
    cells, middle = look.table.cells, statistics.median(look.burnt)
    if statistics.median(look.light) < DARK:
        white = statistics.median(look.light)
        yield f"It is dark, white paper is {white:.0f} of 255: switch a lamp on, or expose longer."
    elif min(look.light) < UNEVEN * max(look.light):
        dim = [at for at, light in enumerate(look.light) if light < 1.4 * min(look.light)]
        yield f"The light is uneven, it is dim{_where(cells, dim)}: light the table from another side too."
    told = {reading.cell - 1 for reading in look.readings if reading.state not in ("unclear", "hand")}
    glaring = [at for at, burnt in enumerate(look.burnt) if burnt > middle + GLARE and at not in told]
    if middle > BURNT:
        yield "White paper is burnt out: expose for a shorter time, or dim the light."
    elif glaring:
        yield f"There is glare{_where(cells, glaring)}: move the lamp, or tilt the camera a little."


def _of_colour(look: PictureLook) -> Iterator[str]:
    red, blue = look.tint
    green = 2 / (red + blue)
    if red > WARM * blue:
        yield "White looks orange: set the camera's white balance for this lamp, or take a whiter one."
    elif blue > COLD * red:
        yield "White looks blue: set the camera's white balance for this light."
    elif green > GREENISH:
        yield "White looks green: set the camera's white balance, or take another lamp."
    elif green < PINKISH:
        yield "White looks pink: set the camera's white balance, or take another lamp."


def _of_pace(watched: Watched) -> Iterator[str]:
    if watched.rate is not None and watched.rate < SLOW:
        yield (
            f"{watched.rate:.1f} frames a second are few, {SLOW:.0f} are wanted: give more light, or ask for smaller "
            "pictures."
        )
    if watched.rate is not None and watched.flicker > FLICKER:
        yield "The light flickers: set the exposure to 10 or 20 ms (to 8.3 or 16.7 ms where the mains have 60 Hz)."


def _of_reading(look: PictureLook) -> Iterator[str]:
    """Cells that are spoilt by the same thing together."""
    why: dict[str, list[int]] = {}
    for reading in look.readings:
        if reading.state in ("unclear", "foreign"):
            why.setdefault(reading.reason, []).append(reading.cell)
    for reason, cells in why.items():
        some = f"{_cells(cells)} cannot" if len(cells) < 9 else "No cell can"
        yield f"{some} be read: {reason}{'' if reason.endswith('?') else '.'}"


def _where(cells: Points, which: Sequence[int]) -> str:
    """On which side of the picture these cells are; nothing if it is most of them."""
    if len(which) > 6:
        return ""
    middles = cells.mean(1)
    across, down = (middles[list(which)].mean(0) - middles.mean(0)) / np.maximum(np.ptp(middles, 0), 1)
    if max(abs(across), abs(down)) < 0.25:
        return f" at {_cells([at + 1 for at in which]).lower()}"
    sides = [name for name, is_there in (("top", down < -0.25), ("bottom", down > 0.25)) if is_there]
    sides += [name for name, is_there in (("left", across < -0.25), ("right", across > 0.25)) if is_there]
    return f" at the {' '.join(sides)}"


def _cells(numbers: Sequence[int]) -> str:
    *most, last = map(str, numbers)
    return f"Cells {', '.join(most)} and {last}" if most else f"Cell {last}"


# --- A model


@dataclass(frozen=True, slots=True)
class Weights:
    """One model file: whether it is whole, and how quick it is here."""

    name: str
    sha256: str
    size: int = 0
    micros: float | None = None  # for one cell
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class ReadingTrial:
    """A stored picture, read."""

    name: str
    right: int = 0
    unsure: int = 0
    wrong: tuple[str, ...] = ()  # sentences

    @property
    def is_passed(self) -> bool:
        return not self.wrong and self.right >= 8


@dataclass(slots=True)
class Checkup:
    """The reader from the runtime to nine cells read."""

    card: Path
    runtime: str = ""
    version: str = ""
    files: list[Weights] = field(default_factory=list)
    chosen: str = ""
    figures: dict[str, Any] = field(default_factory=dict)
    trials: list[ReadingTrial] = field(default_factory=list)
    advice: list[str] = field(default_factory=list)

    @property
    def is_well(self) -> bool:
        return bool(self.chosen and self.trials) and all(trial.is_passed for trial in self.trials)


def examine_reader(folder: Path = FOLDER, stored: Path = SELFTEST, *, deck: str = "") -> Checkup:
    """Everything that reading needs, one after the other, as far as it goes."""
    found = Checkup(folder / CARD)
    try:
        found.runtime, _ = interpreter_class()
        found.version = _version(found.runtime)
        card = card_in(folder, deck)
        found.files = [_weighed(folder, name, sha256, SIDE) for name, sha256 in card.files.items()]
        found.files += [_weighed(folder, name, sha256, FINE_SIDE) for name, sha256 in card.closer.files.items()]
        found.figures = json.loads(plainfile.text(found.card, LARGEST_CARD))
        reader = Reader(folder, deck=deck)
        found.chosen = reader.model.name
        found.trials = [_tried(reader, stored / name, truth) for name, truth in stored_truth(stored).items()]
    except ModelError as error:
        found.advice.append(str(error))
    found.advice.extend(file.wrong for file in found.files if file.wrong and file.wrong not in found.advice)
    found.advice.extend(sentence for trial in found.trials for sentence in trial.wrong)
    return found


def stored_truth(stored: Path = SELFTEST) -> dict[str, list[str]]:
    """What lies on each cell of the stored pictures."""
    try:
        truth: dict[str, list[str]] = json.loads(plainfile.text(stored / TRUTH, LARGEST_CARD))
    except (OSError, ValueError):
        raise ModelError(
            f"The pictures of the self-test are missing in {stored}: install the companion again."
        ) from None
    return truth


def _version(runtime: str) -> str:
    try:
        return metadata.version(runtime.replace("_", "-"))
    except metadata.PackageNotFoundError:
        return "of an unknown version"


def _weighed(folder: Path, name: str, sha256: str, side: int) -> Weights:
    try:
        content = bytes_of(folder, name, sha256)
        model: Model = loaded_apart(content, name, side=side)
    except ModelError as error:
        return Weights(name, sha256, wrong=str(error))
    return Weights(name, sha256, len(content), model.micros)


def _tried(reader: Reader, path: Path, truth: Sequence[str]) -> ReadingTrial:
    try:
        picture = load_picture(path)
        readings = reader.read(picture, find_table(picture).cells)
    except (NoTableError, PictureError) as error:
        return ReadingTrial(path.name, wrong=(f"{path.name}: {error}",))
    right = sum((reading.card or reading.state) == real for reading, real in zip(readings, truth, strict=True))
    unsure = sum(reading.state == "unclear" for reading in readings)
    wrong = tuple(
        f"{path.name}: cell {reading.cell} was read as {reading.card or reading.state} and is {real}."
        for reading, real in zip(readings, truth, strict=True)
        if reading.state != "unclear" and (reading.card or reading.state) != real
    )
    if right + len(wrong) < 8:
        wrong += (f"{path.name}: only {right} of 9 cells are read with confidence.",)
    return ReadingTrial(path.name, right, unsure, wrong)
