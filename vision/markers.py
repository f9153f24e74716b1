"""Finding a mat by its four markers: cheaply while nothing moves, quickly after a nudge, thoroughly at first.

One marker may be covered, or two that are not neighbours. What is less than good is said in the table's note.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.core.sentence import N_, Both, Sentence, in_turn
from vision.edges import sharpened
from vision.eye_errors import NoTableError, OtherMatError
from vision.frames import Matrix, Picture, Plane, Points
from vision.lens import Lens, faultless, homography, lens_of, misfit, through
from vision.locate import TableView
from vision.mat import DICTIONARY, MATS, NINE, Mat, Point

QUICK = 640  # pixels of the longer side in which a mat that fills the picture is found
MOST = 1920  # the longer side beyond which a picture is made smaller even for the thorough search
STILL = 0.35  # pixels that a marker may seem to have moved before it is looked for again
ALIKE = 0.85  # correlation below which something else lies where the marker was
NEAR = 0.6  # of a marker's side: how far around its old place it is looked for
TIGHT = 0.012  # of a marker's side: how far corners may be from where they should be on a flat mat
LOOSE = 5.0  # times as much, and the mat is not flat but still of use
REACH = 0.75 / 6  # of a marker's side, which is six modules: how far corners may be wrong before they are sharpened
SAMPLES = 40  # a marker is compared at so many points across and down
SHARP = 0.2  # pixels: as well as corners fit a flat mat through a good lens
BLUNT = 0.9  # pixels: as well as a corner can be found in a poor picture

OTHER_MAT = N_("I see the {name} mat, which is for another game: lay the one that is printed for this game.")
TWO_MATS = N_("I see two mats, the small and the large one; take one of them away.")
MATS_OF_TWO_GAMES = N_("I see the mats of two games; take one of them away.")

Corners = Mapping[int, Points]  # of each marker by its number: 4 × 2


class NoMatError(NoTableError):
    """Too little of a mat to go by; there may still be cards."""

    def __init__(self, seen: str, advice: str) -> None:
        super().__init__(Sentence("{seen}; {advice}.", seen=seen, advice=advice))
        self.seen = seen


@dataclass(frozen=True, slots=True, eq=False)
class SeenMarker:
    """A marker as the detector reports it."""

    number: int
    corners: Points

    @property
    def side(self) -> float:
        return float(np.sqrt(max(cv2.contourArea(self.corners), 1.0)))

    def is_on(self, other: "SeenMarker") -> bool:
        """The same ink, reported twice."""
        apart = self.corners.mean(axis=0) - other.corners.mean(axis=0)
        return float(np.abs(apart).max()) < min(self.side, other.side) / 2


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """How a mat lies in a picture, and which of its markers say so."""

    mat: Mat
    matrix: Matrix  # from millimetres of the mat to pixels of a faultless lens
    lens: Lens
    numbers: tuple[int, ...]
    apart: float  # pixels between corners as seen and as they should be
    side: float  # pixels of a marker

    @property
    def tolerance(self) -> float:
        return max(BLUNT, TIGHT * self.side)

    @property
    def is_tight(self) -> bool:
        return self.apart <= self.tolerance

    def shows(self, points: Points) -> Points:
        """Where points of the mat are in the picture."""
        return self.lens.bent(through(self.matrix, points))


@dataclass(frozen=True, slots=True, eq=False)
class MarkerPatch:
    """A marker's surroundings as they were, made ready to tell whether they are there still."""

    box: tuple[slice, slice]
    step: int
    grey: NDArray[np.float32]
    solve: NDArray[np.float32]  # 2 × samples: from a difference to a shift in pixels

    def is_still(self, picture: Picture) -> bool:
        """It looks as it did and where it did, whatever the light does meanwhile."""
        now = _levelled(_grey(picture[self.box])[:: self.step, :: self.step])
        if now.shape != self.grey.shape or float((now * self.grey).mean()) < ALIKE:
            return False
        return bool(np.abs(self.solve @ (now - self.grey).ravel()).max() < STILL)


class Finder:
    """Finds the mat in one picture after another; of a camera that stands still, it knows more each time.

    Only `mats` are wanted: where another lies, that is said.
    """

    def __init__(self, lens: Lens | None = None, mats: Sequence[Mat] = NINE) -> None:
        self._given, self._mats = lens, mats
        self.forget()

    def forget(self) -> None:
        """Start afresh: another camera, another room."""
        self._lens = self._given
        self._fit: Fit | None = None
        self._table: TableView | None = None
        self._patches: tuple[MarkerPatch, ...] = ()
        self._size = (0, 0)

    @property
    def markers(self) -> Points | None:
        """The corners of all four markers in the picture, also of those that were not seen."""
        if self._fit is None:
            return None
        return self._fit.shows(np.array([marker.corners for marker in self._fit.mat.markers], np.float32))

    def find(self, picture: Picture) -> TableView:
        """The table in a picture; NoTableError says what is missing and what to do."""
        size = (picture.shape[1], picture.shape[0])
        if size != self._size:
            self.forget()
            self._size = size
        still = [patch.is_still(picture) for patch in self._patches]
        if self._table and all(still):
            return self._table
        found = self._followed(picture)
        if found is None and self._table and any(still):
            return self._table  # the others are covered: where one has stayed, all have
        return found or self._anew(picture)

    def _followed(self, picture: Picture) -> TableView | None:
        """The mat near where it was, or not at all."""
        if self._fit is None:
            return None
        old = self._fit
        seen = _near(picture, old, old.mat, range(4))
        if len(seen) >= 2 and _agrees(old, seen):
            return self._kept(picture, replace(old, numbers=tuple(seen)))
        fit = self._fitted(old.mat, seen) if _suffice(old.mat, seen) else None
        return self._kept(picture, fit) if fit and fit.is_tight else None

    def _anew(self, picture: Picture) -> TableView:
        grey = _grey(picture)
        try:
            mat, seen = self._anywhere(grey)
        except NoMatError:
            if _numbers(_searched(np.asarray(grey[:, ::-1]), QUICK, _QUICKLY), MATS) >= 2:
                raise NoTableError(
                    N_("The picture is a mirror image; turn mirroring off in the camera's settings.")
                ) from None
            raise
        fit = self._again(grey, self._fitted(mat, seen))
        if fit.apart > LOOSE * fit.tolerance or (len(fit.numbers) == 2 and not fit.is_tight):
            raise NoTableError(
                Sentence(
                    "The {numbers} markers do not lie as on one flat {name} mat; lay the mat flat and print it "
                    "without stretching.",
                    numbers=_listed(mat, fit.numbers),
                    name=mat.name,
                )
            )
        return self._kept(picture, fit)

    def _anywhere(self, grey: Plane) -> tuple[Mat, Corners]:
        """Which mat, and its markers: first in a small picture, then where they must be, then in every way."""
        for side, detector in ((QUICK, _QUICKLY), (MOST, _THOROUGHLY)):
            found = _searched(grey, side, detector)
            mat = _one_mat(found)
            if mat is None:
                continue
            if mat not in self._mats:
                raise OtherMatError(Sentence(OTHER_MAT, name=mat.name), mat.name)
            seen = {one.number: one.corners for one in found if one.number in _range(mat)}
            if len(seen) < 4:
                rough = _rough(mat, seen, self._lens_for(grey))
                seen |= _near(grey, rough, mat, _missing(mat, seen))
            if _suffice(mat, seen):
                return mat, seen
        raise _too_few(found)

    def _lens_for(self, grey: Plane | Picture) -> Lens:
        size = (grey.shape[1], grey.shape[0])
        return self._lens.at(size) if self._lens else faultless(size)

    def _fitted(self, mat: Mat, seen: Corners) -> Fit:
        """The best explanation of the markers: as they are, through a lens, or without the one that does not fit."""
        lens = self._lens.at(self._size) if self._lens else faultless(self._size)
        fit = _fit(mat, seen, lens)
        if fit.apart > SHARP and len(seen) == 4 and self._lens is None:
            bent = _fit(mat, seen, lens_of(*_pairs(mat, seen), self._size))
            if bent.is_tight and bent.apart < fit.apart / 2:
                self._lens = bent.lens
                return bent
        if not fit.is_tight and len(seen) >= 3:
            without = [{number: seen[number] for number in seen if number != left} for left in seen]
            best = min((_fit(mat, some, lens) for some in without if _suffice(mat, some)), key=lambda one: one.apart)
            return best if best.is_tight and best.apart < fit.apart / 3 else fit
        return fit

    def _again(self, grey: Plane, fit: Fit) -> Fit:
        """The corners sharpened once more, from where the whole mat says that they are."""
        if fit.apart < SHARP:
            return fit
        wanted = [marker for marker in fit.mat.markers if marker.number in fit.numbers]
        sharp = [_sharp(grey, fit.shows(np.array(marker.corners, np.float32))) for marker in wanted]
        seen = {marker.number: four for marker, four in zip(wanted, sharp, strict=True) if four is not None}
        if len(seen) < len(wanted):
            return fit
        again = self._fitted(fit.mat, seen)
        return again if again.apart < fit.apart else fit

    def _kept(self, picture: Picture, fit: Fit) -> TableView:
        cells = fit.shows(_squares(fit.mat.places, fit.mat.sight))
        around = max(fit.mat.sight, *fit.mat.card)
        piles = fit.shows(_squares(fit.mat.piles, around)) if fit.mat.piles else None
        table = TableView(cells, "markers", fit.mat, _note(fit, self._size), fit.mat.shape, fit.mat.spans, piles)
        self._fit, self._table = fit, table
        self._patches = tuple(patch for marker in fit.mat.markers if (patch := _patch(picture, fit, marker.corners)))
        if not self._patches:
            self._table = None
        return table


def _squares(middles: Sequence[Point], side: float) -> Points:
    half = side / 2
    square = np.array(((-half, -half), (half, -half), (half, half), (-half, half)), np.float32)
    return np.array(middles, np.float32)[:, None, :] + square


def _settings(windows: tuple[int, int], smallest: float) -> cv2.aruco.ArucoDetector:
    settings = cv2.aruco.DetectorParameters()
    settings.adaptiveThreshWinSizeMin, settings.adaptiveThreshWinSizeMax = windows
    settings.adaptiveThreshWinSizeStep = 10
    settings.minMarkerPerimeterRate = smallest
    settings.perspectiveRemovePixelPerCell = 6
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(int(getattr(cv2.aruco, DICTIONARY))), settings)


_QUICKLY = _settings((13, 13), 0.06)
_CLOSELY = _settings((23, 23), 0.5)
_THOROUGHLY = _settings((5, 45), 0.03)


def _grey(picture: Picture | Plane) -> Plane:
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY) if picture.ndim == 3 else picture, np.uint8)


def _searched(grey: Plane, side: int, detector: cv2.aruco.ArucoDetector) -> list[SeenMarker]:
    """Every marker of a mat in a picture that is made smaller first, with corners of the picture itself."""
    scale = min(1.0, side / max(grey.shape))
    small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else grey
    found = _detected(np.asarray(small, np.uint8), detector)
    return [SeenMarker(one.number, _sharpened(grey, (one.corners + 0.5) / scale - 0.5)) for one in found]


def _detected(grey: Plane, detector: cv2.aruco.ArucoDetector) -> list[SeenMarker]:
    corners, numbers, _ = detector.detectMarkers(grey)
    if numbers is None or len(corners) == 0:
        return []
    known = {marker.number for mat in MATS for marker in mat.markers}
    found: list[SeenMarker] = []
    for number, four in zip(np.asarray(numbers).ravel(), corners, strict=True):
        one = SeenMarker(int(number), np.asarray(four, np.float32).reshape(4, 2))
        if one.number in known and not any(one.number == other.number and one.is_on(other) for other in found):
            found.append(one)
    return found


def _sharpened(grey: Plane, corners: Points) -> Points:
    """Corners to a fraction of a pixel, or as they are."""
    fine = _sharp(grey, corners)
    return corners if fine is None else fine


def _sharp(grey: Plane, corners: Points) -> Points | None:
    """The black border and the white around it are a module wide: so far corners may be wrong."""
    return sharpened(grey, corners, max(2.0, REACH * SeenMarker(0, corners).side))


def _near(picture: Picture | Plane, fit: Fit, mat: Mat, which: Iterable[int]) -> dict[int, Points]:
    """Those of a mat's markers that are about where a fit says."""
    found: dict[int, Points] = {}
    for marker in (mat.markers[index] for index in which):
        corners = fit.shows(np.array(marker.corners, np.float32))
        box = _box(corners, NEAR * fit.side, picture.shape)
        if box is None:
            continue
        grey = _grey(picture[box])
        start = np.array((box[1].start, box[0].start), np.float32)
        scale = min(1.0, 3 * SAMPLES / max(grey.shape))
        small = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA) if scale < 1 else grey
        for one in _detected(np.asarray(small, np.uint8), _CLOSELY):
            if one.number == marker.number:
                found[one.number] = _sharpened(grey, (one.corners + 0.5) / scale - 0.5) + start
    return found


def _box(corners: Points, around: float, shape: tuple[int, ...]) -> tuple[slice, slice] | None:
    """The part of a picture that holds these corners; None if too little of it is inside."""
    if not np.isfinite(corners).all() or np.abs(corners).max() > 1e6:
        return None
    (left, top), (right, bottom) = corners.min(axis=0) - around, corners.max(axis=0) + around + 1
    rows = slice(max(0, int(top)), max(0, min(shape[0], int(np.ceil(bottom)))))
    columns = slice(max(0, int(left)), max(0, min(shape[1], int(np.ceil(right)))))
    enough = rows.stop - rows.start > 11 and columns.stop - columns.start > 11
    return (rows, columns) if enough else None


def _patch(picture: Picture, fit: Fit, corners: Iterable[tuple[float, float]]) -> MarkerPatch | None:
    box = _box(fit.shows(np.array(tuple(corners), np.float32)), 2.0, picture.shape)
    if box is None:
        return None
    grey = np.asarray(cv2.GaussianBlur(_grey(picture[box]).astype(np.float32), (0, 0), 0.8), np.float32)
    step = max(1, min(grey.shape) // SAMPLES)
    deviation = float(grey[::step, ::step].std()) + 1e-6
    down, across = np.gradient(grey / deviation)
    slopes = np.stack((across[::step, ::step].ravel(), down[::step, ::step].ravel()))
    solve = -np.linalg.pinv(slopes @ slopes.T) @ slopes
    return MarkerPatch(box, step, _levelled(grey[::step, ::step]), solve.astype(np.float32))


def _levelled(grey: NDArray[np.float32] | Plane) -> NDArray[np.float32]:
    """Freed of how bright the light is and how strong the contrast."""
    flat = grey.astype(np.float32)
    mean, deviation = cv2.meanStdDev(flat)
    return np.asarray((flat - float(mean[0, 0])) / (float(deviation[0, 0]) + 1e-6), np.float32)


def _agrees(fit: Fit, seen: Corners) -> bool:
    """The markers are where the fit has them: the mat did not move, something lies on the others."""
    flat, corners = _pairs(fit.mat, seen)
    return float(np.linalg.norm(fit.shows(flat) - corners, axis=1).mean()) < max(2 * fit.apart, fit.tolerance)


def _pairs(mat: Mat, seen: Corners) -> tuple[Points, Points]:
    """Corners on the mat and the same in the picture."""
    flat = {marker.number: marker.corners for marker in mat.markers}
    return (
        np.array([flat[number] for number in seen], np.float32).reshape(-1, 2),
        np.array([seen[number] for number in seen], np.float32).reshape(-1, 2),
    )


def _fit(mat: Mat, seen: Corners, lens: Lens) -> Fit:
    flat, corners = _pairs(mat, seen)
    straight = lens.straight(corners)
    matrix = homography(flat, straight)
    side = float(np.mean([SeenMarker(number, seen[number]).side for number in seen]))
    return Fit(mat, matrix, lens, tuple(seen), misfit(matrix, flat, straight), side)


_rough = _fit  # from as few as one marker, to know where the others must be


def _one_mat(found: list[SeenMarker]) -> Mat | None:
    """The mat whose markers were found; refuses two mats, and two prints of one."""
    mats = [mat for mat in MATS if _numbers(found, (mat,)) >= 2]
    if len(mats) > 1:
        raise NoTableError(TWO_MATS if {*mats} == {*NINE} else MATS_OF_TWO_GAMES)
    for mat in mats:
        largest = max(one.side for one in found if one.number in _range(mat))
        clear = [one.number for one in found if one.number in _range(mat) and one.side > largest / 2]
        if len(clear) > len(set(clear)):
            raise NoTableError(
                Sentence("I see more than one {name} mat; take all but one of them away.", name=mat.name)
            )
    if mats:
        return mats[0]
    return next((mat for mat in MATS if _numbers(found, (mat,))), None)


def _numbers(found: Iterable[SeenMarker], mats: Iterable[Mat]) -> int:
    """How many different markers of these mats were found."""
    wanted = [number for mat in mats for number in _range(mat)]
    return len({one.number for one in found if one.number in wanted})


def _range(mat: Mat) -> range:
    return range(mat.first_marker, mat.first_marker + 4)


def _missing(mat: Mat, seen: Corners) -> tuple[int, ...]:
    return tuple(index for index, number in enumerate(_range(mat)) if number not in seen)


def _suffice(mat: Mat, seen: Corners) -> bool:
    """Three markers, or two across from each other."""
    return len(seen) >= 3 or (len(seen) == 2 and abs(_missing(mat, seen)[0] - _missing(mat, seen)[1]) == 2)


def _listed(mat: Mat, numbers: Iterable[int]) -> Both:
    corners = [mat.markers[number - mat.first_marker].corner for number in sorted(numbers)]
    return Both(corners)


def _too_few(found: list[SeenMarker]) -> NoMatError:
    mat = next((mat for mat in MATS if _numbers(found, (mat,))), None)
    if mat is None:
        return NoMatError(
            N_("I see no marker of a mat"),
            N_(
                "move the mat or the camera until all four of its corners are in the picture, in focus and in the light"
            ),
        )
    numbers = {one.number for one in found if one.number in _range(mat)}
    return NoMatError(
        Sentence("I see {numbers} of 4 markers ({numbers2})", numbers=len(numbers), numbers2=_listed(mat, numbers)),
        N_("uncover three, or two that are across from each other"),
    )


def _note(fit: Fit, size: tuple[int, int]) -> str:
    """What is less than good about a mat that was found."""
    notes = []
    missing = [number for number in _range(fit.mat) if number not in fit.numbers]
    if missing:
        is_inside = all(_is_inside(fit, number, size) for number in missing)
        text = _MISSING[len(missing) == 1, is_inside]
        notes.append(Sentence(text, count=4 - len(missing), missing=_listed(fit.mat, missing)))
    if not fit.is_tight:
        notes.append(Sentence("The mat does not lie flat; smooth it, or tape its corners down."))
    return in_turn(*notes)


_MISSING = {  # by whether it is one, and whether it is inside the picture
    (True, True): N_("I see {count} of 4 markers; the {missing} one is covered or cannot be made out."),
    (True, False): N_("I see {count} of 4 markers; the {missing} one is outside the picture."),
    (False, True): N_("I see {count} of 4 markers; the {missing} ones are covered or cannot be made out."),
    (False, False): N_("I see {count} of 4 markers; the {missing} ones are outside the picture."),
}


def _is_inside(fit: Fit, number: int, size: tuple[int, int]) -> bool:
    corners = fit.shows(np.array(fit.mat.markers[number - fit.mat.first_marker].corners, np.float32))
    return bool((corners >= -0.5).all() and (corners <= np.array(size, np.float32) - 0.5).all())
