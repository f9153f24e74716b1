"""One cell as the reader is shown it, made up: a card or something else there, some light, some camera."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from tools.train.card_art import (
    BLACK,
    SIDE,
    WHITE,
    Ink,
    Rng,
    Style,
    a_style,
    colour_ink,
    drawn,
    face,
    ink_of,
    mask_of,
    outline,
    polygon,
    rounded,
    star,
    stroke,
)
from vision.deck import COLOURS, COUNTS, SHAPES, STATES, State
from vision.frames import Picture

ROOM = 176  # pixels of the square in which a cell is put together
Light = NDArray[np.float32]
Faces = Callable[[str], Picture]  # of the deck to print, by a card's name; "… tall" is the same for tall cards
Editions = Callable[[np.random.Generator], Faces | None]  # one by chance, or none for a style of card_art

LINEAR = ((np.arange(256) / 255) ** 2.2).astype(np.float32)

# How often each state is shown.
SHARES: dict[State, float] = {
    "card": 0.64,
    "empty": 0.07,
    "face-down": 0.08,
    "hand": 0.07,
    "unclear": 0.06,
    "foreign": 0.08,
}


@dataclass(frozen=True, slots=True)
class Label:
    """What is there: the state, and for a card its three attributes by number."""

    state: int
    colour: int = 0
    shape: int = 0
    count: int = 0


@dataclass(frozen=True, slots=True)
class PrintedThing:
    """A flat thing to lay down: its face, and where it is not see-through."""

    face: Picture
    mask: Picture


def sample(rng: Rng, side: int, editions: Editions, shares: dict[State, float] = SHARES) -> tuple[Picture, Label]:
    """One cell as the reader is shown it, before its colours are set right."""
    state = str(rng.choice(list(shares), p=list(shares.values())))
    label = Label(STATES.index(state))
    style = a_style(rng)
    room = background(rng)
    scale, turn, at = _lie(rng)
    own = editions(rng)
    if state != "empty":
        _pile(rng, room, style, own, scale, turn, at)
        thing, label = _thing(rng, style, label, own)
        lay(rng, room, thing, scale, turn, at)
    _neighbours(rng, room, style)
    if state == "hand":
        _hand(rng, room, at, covering=True)
    elif rng.random() < 0.12:
        _hand(rng, room, at, covering=False)
    lit = light(rng, room, dim=state == "unclear")
    return camera(rng, lit, side, spoilt=state == "unclear"), label


def shown(
    rng: Rng, side: int, style: Style, own: Faces | None, face_of: tuple[int, int, int], quarters: int, scale: float
) -> Picture:
    """A certain card of an edition, so many quarters turned and about so large, in some room, light and camera."""
    room = background(rng)
    turn = quarters * np.pi / 2 + rng.normal(0, 0.05)
    at = ROOM / 2 + rng.normal(0, 0.03 * ROOM, 2)
    large = float(scale * np.exp(rng.normal(0, 0.02)) * ROOM / SIDE)
    _pile(rng, room, style, own, large, turn, at)
    lay(rng, room, _card(style, *face_of, own), large, turn, at)
    _neighbours(rng, room, style)
    if rng.random() < 0.06:
        _hand(rng, room, at, covering=False)
    return camera(rng, light(rng, room, dim=False), side, spoilt=False)


# --- What lies there


def printer(rng: Rng, faces: Faces) -> Faces:
    """The printed deck as somebody's printer made it: its inks, its paper, how far they run."""
    inks = np.eye(3) * rng.uniform(0.75, 1.08) + rng.normal(0, 0.05, (3, 3))
    paper = np.clip(rng.uniform(0.9, 1.0) + rng.uniform(-0.06, 0.01, 3), 0, 1)
    runs = rng.uniform(0.2, 1.1)
    is_tall = rng.random() < 0.25

    def printed(name: str) -> Picture:
        drawn_face = faces(f"{name} tall" if is_tall else name)
        density = 1 - cv2.GaussianBlur(drawn_face, (0, 0), runs).astype(np.float64) / 255
        return (np.clip(1 - density @ inks, 0, 1) * paper * 255).astype(np.uint8)

    return printed


def _thing(rng: Rng, style: Style, label: Label, own: Faces | None) -> tuple[PrintedThing, Label]:
    state = STATES[label.state]
    if state == "face-down":
        return flat(own("back")) if own else PrintedThing(back(rng, style), mask_of(style)), label
    if state == "foreign":
        return flat(own("blank")) if own else PrintedThing(foreign(rng, style), mask_of(style)), label
    colour, shape, count = (int(value) for value in rng.integers(0, 4, 3))
    return _card(style, colour, shape, count, own), replace(label, colour=colour, shape=shape, count=count)


def _card(style: Style, colour: int, shape: int, count: int, own: Faces | None) -> PrintedThing:
    if own is None:
        return PrintedThing(face(style, colour, shape, count), mask_of(style))
    return flat(own(f"{COLOURS[colour]}-{SHAPES[shape]}-{COUNTS[count]}"))


def flat(picture: Picture) -> PrintedThing:
    height, width = picture.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    polygon(mask, rounded(width - 1, height - 1, 0.06 * width) + (width / 2, height / 2), (255, 255, 255))
    return PrintedThing(picture, mask)


def back(rng: Rng, style: Style) -> Picture:
    """The other side of a card: patterns that repeat, or one large ornament."""
    picture: Picture = np.zeros((*mask_of(style).shape, 3), np.uint8)
    height, width = picture.shape[:2]
    picture[:] = ink_of(rng.uniform(0, 180), rng.uniform(0, 1), rng.uniform(0.15, 1))
    ink = ink_of(rng.uniform(0, 180), rng.uniform(0, 1), rng.uniform(0.1, 1))
    pattern = (_lattice, _dots, _rings, _sun, _words, _signs)[int(rng.integers(6))]
    pattern(rng, style, picture, ink, int(rng.integers(7, 30)))
    if rng.random() < 0.6:
        inset = rng.uniform(2, 12)
        edge = rounded(width - inset, height - inset, 6) + (width / 2, height / 2)
        stroke(picture, edge, WHITE, inset, closed=True)
    return picture


def _lattice(rng: Rng, _style: Style, picture: Picture, ink: Ink, step: int) -> None:
    height, width = picture.shape[:2]
    for x in range(-height, width + height, step):
        cv2.line(picture, (x, 0), (x + height, height), ink, int(rng.integers(1, 4)), cv2.LINE_AA)
        cv2.line(picture, (x, height), (x + height, 0), ink, 1, cv2.LINE_AA)


def _dots(_rng: Rng, _style: Style, picture: Picture, ink: Ink, step: int) -> None:
    height, width = picture.shape[:2]
    for y in range(0, height, step):
        for x in range((y // step % 2) * step // 2, width, step):
            cv2.circle(picture, (x, y), max(2, step // 4), ink, -1, cv2.LINE_AA)


def _rings(_rng: Rng, _style: Style, picture: Picture, ink: Ink, step: int) -> None:
    height, width = picture.shape[:2]
    for reach in range(max(width, height), 4, -step):
        axes = (reach * width // height, reach)
        cv2.ellipse(picture, (width // 2, height // 2), axes, 0, 0, 360, ink, 2, cv2.LINE_AA)


def _sun(rng: Rng, _style: Style, picture: Picture, ink: Ink, _step: int) -> None:
    height, width = picture.shape[:2]
    points = star(int(rng.integers(6, 17)), rng.uniform(0.4, 0.8), 0)
    polygon(picture, points * width * 0.4 + (width / 2, height / 2), ink)


def _words(rng: Rng, style: Style, picture: Picture, ink: Ink, step: int) -> None:
    words = "".join(rng.choice(list("ABCDEGHIKLMNOPRSTU"), 6))
    for y in range(step, picture.shape[0], 2 * step):
        cv2.putText(picture, words, (4, y), style.font, step / 22, ink, 2, cv2.LINE_AA)


def _signs(rng: Rng, style: Style, picture: Picture, ink: Ink, step: int) -> None:
    height, width = picture.shape[:2]
    for y in range(0, height, step):
        for x in range(0, width, step):
            points = outline(style, int(rng.integers(4))) if rng.random() < 0.2 else outline(style, 1)
            polygon(picture, points * step * 0.36 + (x + step / 2, y + step / 2), ink)


def foreign(rng: Rng, style: Style) -> Picture:
    """A card that is not of this deck."""
    kind = rng.integers(6)
    if kind <= 1:
        return drawn(
            replace(style, index="none"), style.paper_ink, style.paper_ink, np.zeros((3, 2)), 0, style.paper_ink
        )
    if kind == 2:  # a shape that the deck has not
        points = _other_shape(rng)
        ink = colour_ink(style, int(rng.integers(4)))
        return drawn(style, style.paper_ink, ink, points, int(rng.integers(4)), ink)
    if kind == 3:  # a colour that it has not
        odd = [ink_of(rng.uniform(52, 76), rng.uniform(0.5, 1), rng.uniform(0.35, 0.9)), BLACK, (110.0, 110.0, 110.0)]
        ink = odd[int(rng.integers(3))]
        style = replace(style, paper="white", paper_ink=(245, 245, 245))
        return drawn(style, style.paper_ink, ink, outline(style, int(rng.integers(4))), int(rng.integers(4)), ink)
    return _playing_card(rng, style) if kind == 4 else _picture_card(rng, style)


def _other_shape(rng: Rng) -> NDArray[np.float64]:
    turn = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    kind = rng.integers(5)
    if kind == 0:
        angle = np.arange(3) * 2 * np.pi / 3 + rng.uniform(0, 6.3)
        return np.stack([np.cos(angle), np.sin(angle)], 1)
    if kind == 1:
        return np.array([[-0.8, -0.8], [0.8, -0.8], [0.8, 0.8], [-0.8, 0.8]])
    if kind == 2:  # a heart
        return np.stack([np.sin(turn) ** 3, -(13 * np.cos(turn) - 5 * np.cos(2 * turn) - 2 * np.cos(3 * turn)) / 15], 1)
    if kind == 3:  # a blob
        reach = 0.75 + sum(rng.normal(0, 0.18) * np.cos(k * turn + rng.uniform(0, 6.3)) for k in (2, 3))
        return np.stack([np.cos(turn) * reach, np.sin(turn) * reach], 1)
    return np.stack([np.cos(turn), 0.45 * np.sin(turn)], 1)


def _playing_card(rng: Rng, style: Style) -> Picture:
    picture = drawn(replace(style, index="none", frame="none"), WHITE, WHITE, np.zeros((3, 2)), 0, WHITE)
    height, width = picture.shape[:2]
    ink: tuple[float, float, float] = (30.0, 30.0, 190.0) if rng.random() < 0.5 else BLACK
    sign = str(rng.choice(list("A23456789JQK")))
    cv2.putText(picture, sign, (6, 30), style.font, 1.0, ink, 2, cv2.LINE_AA)
    rows, columns = int(rng.integers(1, 5)), int(rng.integers(1, 4))
    if rows * columns == 1:
        rows = 2
    points = _other_shape(rng)
    for row in range(rows):
        for column in range(columns):
            middle = ((column + 1) * width / (columns + 1), (row + 1) * height / (rows + 1))
            polygon(picture, points * rng.uniform(9, 13) + middle, ink)
    return picture


def _picture_card(rng: Rng, style: Style) -> Picture:
    height, width = mask_of(style).shape
    coarse = rng.uniform(0, 255, (int(rng.integers(2, 7)), int(rng.integers(2, 5)), 3)).astype(np.float32)
    picture = np.clip(cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC), 0, 255).astype(np.uint8)
    for y in range(height // 2, height, int(rng.integers(9, 16))):
        words = "".join(rng.choice(list("abcdeghiklmnoprstu   "), 14))
        cv2.putText(picture, words, (5, y), style.font, 0.35, BLACK, 1, cv2.LINE_AA)
    return picture


# --- Where it lies


def _lie(rng: Rng) -> tuple[float, float, NDArray[np.float64]]:
    """Scale of a face, turn, and middle in the room."""
    scale = rng.uniform(0.6, 0.95) * ROOM / SIDE
    turn = rng.integers(4) * np.pi / 2 + rng.normal(0, 0.1) if rng.random() < 0.7 else rng.uniform(0, 2 * np.pi)
    return scale, float(turn), ROOM / 2 + rng.normal(0, 0.035 * ROOM, 2)


def _pile(
    rng: Rng, room: Picture, style: Style, own: Faces | None, scale: float, turn: float, at: NDArray[np.float64]
) -> None:
    """Cards below, whose edges show."""
    if rng.random() < 0.5:
        return
    for _ in range(int(rng.integers(1, 4))):
        colour, shape, count = (int(value) for value in rng.integers(0, 4, 3))
        slip = rng.normal(0, 0.035 * ROOM, 2) if rng.random() < 0.8 else rng.normal(0, 0.09 * ROOM, 2)
        lay(rng, room, _card(style, colour, shape, count, own), scale, turn + rng.normal(0, 0.07), at + slip)


def _neighbours(rng: Rng, room: Picture, style: Style) -> None:
    """Edges of the cards on the next places."""
    if rng.random() < 0.6:
        return
    for x, y in ((-1, 0), (1, 0), (0, -1), (0, 1)):
        if rng.random() < 0.5:
            colour, shape, count = (int(value) for value in rng.integers(0, 4, 3))
            away = rng.uniform(0.9, 1.02) * ROOM
            at = ROOM / 2 + np.array([x, y]) * away
            lay(rng, room, _card(style, colour, shape, count, None), rng.uniform(0.75, 0.92) * ROOM / SIDE, 0.0, at)


def lay(rng: Rng, room: Picture, thing: PrintedThing, scale: float, turn: float, at: NDArray[np.float64]) -> None:
    """Onto what is there already, with the shadow of its edge."""
    height, width = thing.mask.shape
    scale = scale * SIDE / max(height, width)
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    matrix = np.array([[c, -s, 0], [s, c, 0]])
    matrix[:, 2] = at - matrix[:, :2] @ (width / 2, height / 2)
    size = (ROOM, ROOM)
    shrinks = cv2.INTER_AREA if scale < 0.6 else cv2.INTER_LINEAR
    mask = cv2.warpAffine(thing.mask, matrix, size, flags=shrinks).astype(np.float32) / 255
    if rng.random() < 0.7:
        shift = np.float32([[1, 0, rng.uniform(-3, 3)], [0, 1, rng.uniform(-3, 3)]])  # type: ignore[arg-type]
        shade = cv2.GaussianBlur(cv2.warpAffine(mask, shift, size), (0, 0), rng.uniform(0.8, 3.5)) * rng.uniform(
            0.15, 0.6
        )
        room[:] = cv2.blendLinear(room, np.zeros_like(room), 1 - shade, shade)
    top = cv2.warpAffine(thing.face, matrix, size, flags=shrinks, borderMode=cv2.BORDER_REPLICATE)
    room[:] = cv2.blendLinear(top, room, mask, 1 - mask)


def background(rng: Rng) -> Picture:
    """The table, or a mat on it."""
    kind = int(rng.choice([0, 0, 0, 1, 2, 2, 3, 4]))
    base = rng.uniform(20, 225) + rng.uniform(-45, 45, 3)
    room = np.empty((ROOM, ROOM, 3), np.float32)
    room[:] = base
    if kind == 0:  # a printed mat: white paper, thin outline
        room[:] = rng.uniform(225, 255) + rng.uniform(-8, 3, 3)
        width, height = rng.uniform(0.7, 0.97, 2) * ROOM
        ink = ink_of(rng.uniform(90, 130), rng.uniform(0, 0.6), rng.uniform(0.3, 0.85))
        edge = rounded(width, height if rng.random() < 0.5 else width, rng.uniform(0, 12)) + ROOM / 2
        stroke(room, edge, ink, rng.uniform(1, 2.4), closed=True)  # type: ignore[arg-type]
        if rng.random() < 0.5:
            at = (int(rng.integers(60, 110)), int(rng.integers(60, 120)))
            figure = np.zeros((ROOM, ROOM), np.uint8)  # OpenCV 5 writes on nothing finer
            cv2.putText(figure, str(rng.integers(1, 10)), at, cv2.FONT_HERSHEY_SIMPLEX, 1.0, 255.0, 2, cv2.LINE_8)
            room[figure > 0] = ink
    elif kind == 1:  # wood
        grain = np.cumsum(rng.normal(0, 5, ROOM)).astype(np.float32)
        grain += rng.normal(0, 6, ROOM).astype(np.float32)
        room += grain[None, :, None] if rng.random() < 0.5 else grain[:, None, None]
        room *= np.array([0.75, 0.95, 1.15], np.float32)
    elif kind == 2:  # cloth, felt
        weave = rng.normal(0, 1, (ROOM, ROOM)).astype(np.float32)
        room += cv2.GaussianBlur(weave, (0, 0), rng.uniform(0.4, 1.5))[..., None] * rng.uniform(5, 25)
    elif kind == 3:  # patches
        coarse = rng.normal(0, 30, (int(rng.integers(3, 9)), int(rng.integers(3, 9)), 3)).astype(np.float32)
        room += cv2.resize(coarse, (ROOM, ROOM), interpolation=cv2.INTER_CUBIC)
    return np.clip(room, 0, 255).astype(np.uint8)


def _hand(rng: Rng, room: Picture, at: NDArray[np.float64], *, covering: bool) -> None:
    """Fingers or a sleeve from one side: over the middle of the card, or only at the edge of the cell."""
    side = rng.uniform(0, 2 * np.pi)
    toward = np.array([np.cos(side), np.sin(side)])
    across = np.array([-toward[1], toward[0]])
    reach = rng.uniform(-0.25, 0.12) * ROOM if covering else rng.uniform(0.4, 0.52) * ROOM
    if rng.random() < 0.3:  # a sleeve
        ink = tuple(float(value) for value in np.clip(rng.uniform(10, 235) + rng.uniform(-60, 60, 3), 0, 255))
        half = rng.uniform(0.3, 0.6) * ROOM
        near, far = at + toward * reach, at + toward * 1.6 * ROOM
        corners = [near - across * half, near + across * half, far + across * half, far - across * half]
        polygon(room, np.array(corners), ink)  # type: ignore[arg-type]
        return
    skin = ink_of(rng.uniform(3, 16), rng.uniform(0.2, 0.65), rng.uniform(0.25, 0.98))
    width = rng.uniform(0.14, 0.24) * ROOM
    fingers = int(rng.integers(2, 5)) if covering else int(rng.integers(1, 4))
    for number in range(fingers):
        offset = (number - (fingers - 1) / 2) * width * 1.05
        tip = at + toward * (reach + rng.uniform(0, 0.14) * ROOM) + across * offset
        root = at + toward * 1.4 * ROOM + across * offset * 0.8
        ends = np.round(np.stack([tip, root]) * 16).astype(np.int32)
        cv2.line(room, ends[0].tolist(), ends[1].tolist(), [value * 0.72 for value in skin], int(width), cv2.LINE_AA, 4)
        cv2.line(room, ends[0].tolist(), ends[1].tolist(), skin, int(width * 0.88), cv2.LINE_AA, 4)


# --- Light and camera


def light(rng: Rng, room: Picture, *, dim: bool) -> Light:
    """As it comes to the lens: 1.0 is white paper in good light."""
    lit: Light = LINEAR[room]
    lit *= cv2.resize(rng.uniform(0.7, 1.25, (2, 2)).astype(np.float32), (ROOM, ROOM))[..., None]
    if rng.random() < 0.4:
        lit *= 1 - _shadow(rng)[..., None] * rng.uniform(0.25, 0.75)
    cast = _cast(rng)
    if rng.random() < 0.25:  # two kinds of light from two sides
        share = cv2.resize(rng.uniform(0, 1, (2, 2)).astype(np.float32), (ROOM, ROOM))[..., None]
        lit *= cast * (1 - share) + _cast(rng) * share
    else:
        lit *= cast
    if rng.random() < 0.25:
        lit += _glare(rng)[..., None] * rng.uniform(0.15, 0.9)
    if dim and rng.random() < 0.35:
        lit += cv2.GaussianBlur(_glare(rng, large=True), (0, 0), 6)[..., None] * rng.uniform(2, 5)
    return lit


def _cast(rng: Rng) -> Light:
    """From 2,700 K to 7,500 K, as far as the camera has not set it right; tubes have some green or magenta."""
    warm = rng.normal(0, 0.2)
    return np.exp(np.array([-warm + rng.normal(0, 0.04), rng.normal(0, 0.06), warm + rng.normal(0, 0.04)])).astype(
        np.float32
    )


def _shadow(rng: Rng) -> Light:
    mask = np.zeros((ROOM // 2, ROOM // 2), np.float32)
    points = cv2.convexHull(rng.uniform(-0.2, 1.2, (4, 2)).astype(np.float32) * ROOM / 2)
    cv2.fillConvexPoly(mask, points.astype(np.int32), 1.0)
    mask = cv2.GaussianBlur(mask, (0, 0), float(rng.choice([rng.uniform(0.5, 1.5), rng.uniform(1.5, 9)])))
    return cv2.resize(mask, (ROOM, ROOM))


def _glare(rng: Rng, *, large: bool = False) -> Light:
    mask = np.zeros((ROOM // 4, ROOM // 4), np.float32)
    reach = (14, 26) if large else (2, 9)
    middle = rng.uniform(0.25, 0.75, 2) if large else rng.uniform(0, 1, 2)
    axes = (int(rng.integers(*reach)), int(rng.integers(*reach)))
    at = tuple(int(value) for value in middle * ROOM / 4)
    cv2.ellipse(mask, at, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
    return cv2.resize(cv2.GaussianBlur(mask, (0, 0), rng.uniform(0.7, 3)), (ROOM, ROOM))


def camera(rng: Rng, lit: Light, side: int, *, spoilt: bool) -> Picture:
    """The picture of it, in `side` pixels: `spoilt` so much that nobody could tell."""
    lit = _blurred(rng, lit, spoilt=spoilt)
    lit = _seen_from(rng, lit, side)
    exposure = float(np.exp(rng.normal(-0.15, 0.35)))
    picture = np.clip(lit * exposure, 0, 1) ** (1 / rng.uniform(1.8, 2.6))
    if rng.random() < 0.4:  # the tone curve of a camera that wants to please
        picture = picture + rng.uniform(-0.1, 0.25) * (picture - 0.5) * (1 - np.abs(2 * picture - 1))
    grey = picture.mean(2, keepdims=True)
    picture = grey + (picture - grey) * rng.uniform(0.65, 1.25)
    noise = abs(rng.normal(0, 0.014)) * (3 if spoilt else 1)
    picture = picture + rng.normal(0, 1, picture.shape).astype(np.float32) * noise
    if rng.random() < 0.3:
        coarse = rng.normal(0, 1, (side // 3, side // 3, 3)).astype(np.float32) * noise
        picture = picture + cv2.resize(coarse, (side, side))
    if rng.random() < 0.25:
        picture = picture + rng.uniform(0.3, 1.0) * (
            picture - cv2.GaussianBlur(picture.astype(np.float32), (0, 0), 1.2)
        )
    done = np.clip(picture * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        quality = int(rng.integers(35, 95))
        done = cv2.imdecode(cv2.imencode(".jpg", done, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
    return done


def _blurred(rng: Rng, lit: Light, *, spoilt: bool) -> Light:
    how = rng.random()
    if spoilt:
        if how < 0.4:
            return cv2.GaussianBlur(lit, (0, 0), rng.uniform(11, 18))
        if how < 0.65:
            return _moved(rng, lit, int(rng.integers(60, 100)))
        if how < 0.85:  # far too dark, or burnt out
            return lit * (rng.uniform(0.002, 0.01) if rng.random() < 0.5 else rng.uniform(9, 20))
        return lit + cv2.GaussianBlur(_glare(rng, large=True), (0, 0), 4)[..., None] * rng.uniform(6, 12)
    if how < 0.4:
        return cv2.GaussianBlur(lit, (0, 0), rng.uniform(0.5, 3.2))
    if how < 0.52:
        return _moved(rng, lit, int(rng.integers(3, 13)))
    return lit


def _moved(rng: Rng, lit: Light, length: int) -> Light:
    kernel = np.zeros((length, length), np.float32)
    angle = rng.uniform(0, np.pi)
    along = np.array([np.cos(angle), np.sin(angle)]) * (length - 1) / 2
    start, end = np.round((length - 1) / 2 - along).astype(int), np.round((length - 1) / 2 + along).astype(int)
    cv2.line(kernel, start.tolist(), end.tolist(), 1.0)
    return cv2.filter2D(lit, -1, kernel / kernel.sum(), borderType=cv2.BORDER_REPLICATE)


def _seen_from(rng: Rng, lit: Light, side: int) -> Light:
    """A slant of the cell that the table's finder did not set right, and the pixels that the camera had for it."""
    if rng.random() < 0.55:  # a camera far away, or a small one
        few = int(rng.uniform(46, side))
        lit = cv2.resize(lit, (few, few), interpolation=cv2.INTER_AREA)
    rows = lit.shape[0]
    corners = np.array([[0, 0], [rows, 0], [rows, rows], [0, rows]], np.float32)
    target = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32) + rng.normal(0, 0.012 * side, (4, 2))
    if rows > 1.3 * side:
        lit = cv2.GaussianBlur(lit, (0, 0), 0.4 * rows / side)
    matrix = cv2.getPerspectiveTransform(corners, target.astype(np.float32))
    return cv2.warpPerspective(lit, matrix, (side, side), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
