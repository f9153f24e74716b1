"""What scenes are drawn from: surfaces, letters, symbols, faces, drawn once and kept."""

from functools import lru_cache
from io import BytesIO
from itertools import pairwise

import pygame

from companion.display import art
from companion.display import text_fit as lettering
from companion.display.layout import Box
from companion.display.picture_cache import kept, room
from companion.display.text_fit import FRAME
from companion.display.theme import Ink, Theme
from companion.display.typeface import BOLD, FontRun, font, runs

FINE = 4  # drawn so many times as large and made smaller, so that edges are smooth; ...
LARGE = 200  # ... half as many times above so many pixels, where it would take long and not be seen
FACE = 240  # pixels of a card's face that is drawn once and shown at any smaller size


def rounded(surface: pygame.Surface, box: Box, radius: int, fill: Ink | None, edge: Ink | None, width: int = 2) -> None:
    """A rectangle with smooth round corners."""
    radius = max(0, min(radius, box.w // 2, box.h // 2))
    x, y, w, h = box
    if w < 1 or h < 1:
        return
    if fill is not None:
        surface.fill(fill, (x + radius, y, w - 2 * radius, h))
        surface.fill(fill, (x, y + radius, radius, h - 2 * radius))
        surface.fill(fill, (x + w - radius, y + radius, radius, h - 2 * radius))
    if edge is not None:
        surface.fill(edge, (x + radius, y, w - 2 * radius, width))
        surface.fill(edge, (x + radius, y + h - width, w - 2 * radius, width))
        surface.fill(edge, (x, y + radius, width, h - 2 * radius))
        surface.fill(edge, (x + w - width, y + radius, width, h - 2 * radius))
    if radius:
        disc = _corners(radius, fill, edge, width)
        for right, below in ((0, 0), (1, 0), (0, 1), (1, 1)):
            at = (x + right * (w - radius), y + below * (h - radius))
            surface.blit(disc, at, (right * radius, below * radius, radius, radius))


def shaded(ink: Ink) -> Ink:
    """The same in the shade."""
    red, green, blue = (part * 5 // 8 for part in ink)
    return red, green, blue


@lru_cache(maxsize=512)
def _corners(radius: int, fill: Ink | None, edge: Ink | None, width: int) -> pygame.Surface:
    """The four corners of a panel, as a disc to take them from."""
    side = 2 * radius * FINE
    fine = pygame.Surface((side, side), pygame.SRCALPHA)
    outer = edge if edge is not None else fill or (0, 0, 0)
    fine.fill((*outer, 0))
    middle = (side // 2, side // 2)
    if edge is None:
        pygame.draw.circle(fine, (*outer, 255), middle, side // 2)
    else:
        pygame.draw.circle(fine, (*edge, 255), middle, side // 2)
        inside = (*fill, 255) if fill is not None else (*edge, 0)
        pygame.draw.circle(fine, inside, middle, max(0, side // 2 - width * FINE))
    return pygame.transform.smoothscale(fine, (2 * radius, 2 * radius))


def written(line: str, size: int, face: str, ink: Ink) -> pygame.Surface:
    """A line of words, on nothing; it begins as far over the top of its font as `lettering.above` says."""
    found = runs(line, face)
    made = [_run(run, size, ink) for run in found]
    if len(made) == 1 and found[0].face == face:
        return _ready(made[0])
    usual = font(size, face).get_ascent() + lettering.above(line, size, face)
    downs = [usual - font(size, run.face or face, run.script).get_ascent() - lettering.rise(run, size) for run in found]
    deep = max(down + one.get_height() for down, one in zip(downs, made, strict=True))
    whole = _nothing(sum(one.get_width() for one in made), deep)
    x = 0
    for down, one in zip(downs, made, strict=True):
        whole.blit(one, (x, down))
        x += one.get_width()
    return _ready(whole)


letters = kept(room)(written)


def _nothing(width: int, height: int) -> pygame.Surface:
    return pygame.Surface((max(1, width), height), pygame.SRCALPHA)


def _ready(surface: pygame.Surface) -> pygame.Surface:
    return surface.convert_alpha() if pygame.display.get_surface() else surface


def _run(run: FontRun, size: int, ink: Ink) -> pygame.Surface:
    if not run.face:
        return _framed(run.text[0], size, ink)
    try:
        return font(size, run.face, run.script).render(run.text, True, ink)  # noqa: FBT003
    except (pygame.error, ValueError, UnicodeError):  # a letter that the font engine cannot take
        return _framed(run.text[0], size, ink)


def _framed(letter: str, size: int, ink: Ink) -> pygame.Surface:
    """What stands for a letter that no font has: a frame with its number in two rows, so that two are told apart."""
    whole = _nothing(max(3, round(FRAME * size)), font(size).get_height())
    high = round(0.82 * size)
    frame = Box(0, 0, whole.get_width(), high).inset(max(1, size // 24))
    frame = frame._replace(y=font(size).get_ascent() - high + round(0.06 * size))
    rounded(whole, frame, size // 6, None, ink, max(1, size // 16))
    number = f"{ord(letter):04X}"
    rows = number[: len(number) // 2], number[len(number) // 2 :]
    for row, digits in enumerate(rows):
        small = font(max(4, round(0.36 * size)), BOLD).render(digits, True, ink)  # noqa: FBT003
        x = frame.x + (frame.w - small.get_width()) // 2
        whole.blit(small, (x, frame.y + round(frame.h * (0.29 + 0.42 * row)) - small.get_height() // 2))
    return whole


@kept(room)
def drawn(name: str, size: tuple[int, int], colours: Theme, ink: str) -> pygame.Surface:
    """A drawing of ours in this size, with smooth edges."""
    w, h = max(1, size[0]), max(1, size[1])
    times = FINE if max(w, h) <= LARGE else FINE // 2
    fine = pygame.Surface((w * times, h * times), pygame.SRCALPHA)
    fine.fill((*colours[ink], 0))
    scale = w * times / 100
    for form in art.drawing(name):
        paint = form.paint
        colour = paint if not isinstance(paint, str) else colours[ink if paint == "ink" else paint]
        _form(fine, form, scale, colour)
    return pygame.transform.smoothscale(fine, (w, h))


def _form(surface: pygame.Surface, form: art.Form, scale: float, colour: Ink) -> None:
    points = [(x * scale, y * scale) for x, y in form.points]
    if not form.width:
        pygame.draw.polygon(surface, colour, points)
        return
    half = form.width * scale / 2
    ends = [*points, points[0]] if form.closed else points
    for (x1, y1), (x2, y2) in pairwise(ends):
        length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1.0
        dx, dy = (y2 - y1) / length * half, (x1 - x2) / length * half
        quad = [(x1 + dx, y1 + dy), (x2 + dx, y2 + dy), (x2 - dx, y2 - dy), (x1 - dx, y1 - dy)]
        pygame.draw.polygon(surface, colour, quad)
    for point in points:
        pygame.draw.circle(surface, colour, point, half)


@lru_cache(maxsize=16)
def loaded(file: str, version: tuple[int, int] | None) -> pygame.Surface:
    """A picture from a file; another version of it is another picture."""
    if version is None:
        raise FileNotFoundError(file)
    return pygame.image.load(file).convert()


@lru_cache(maxsize=4)
def unpacked(jpeg: bytes) -> pygame.Surface:
    return pygame.image.load(BytesIO(jpeg), "film.jpg").convert()


@lru_cache(maxsize=80)
def printed(name: str, side: int) -> tuple[bytes, tuple[int, int]]:
    """A card's face, which takes long to draw, and its size. It may be drawn in any thread."""
    from vision.card_drawing import face_picture  # noqa: PLC0415  (loads OpenCV, which takes its time)

    picture = face_picture(name, side)
    return picture[..., ::-1].tobytes(), (picture.shape[1], picture.shape[0])


@kept(room)
def face(name: str, side: int) -> pygame.Surface:
    """The same as large as it is shown, with its corners cut round."""
    from vision.card_drawing import RADIUS, SQUARE  # noqa: PLC0415

    pixels, size = printed(name, max(side, FACE))
    large = pygame.image.frombuffer(pixels, size, "RGB")
    w, h = (max(1, round(length * side / max(size))) for length in size)
    face = (large if size == (w, h) else pygame.transform.smoothscale(large, (w, h))).convert_alpha()
    mask = pygame.Surface((w, h), pygame.SRCALPHA)
    rounded(mask, Box(0, 0, w, h), max(2, round(w * RADIUS / SQUARE[0])), (255, 255, 255), None)
    face.blit(mask, (0, 0), special_flags=pygame.BLEND_RGBA_MULT)
    return face
