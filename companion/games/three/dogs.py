"""Eight dogs, each of another breed: outline, ears, fur and colour differ, so that a small child can tell them.

In millimetres around the middle of a head that looks at you, within 20 to each side.
"""

from collections.abc import Callable

from vision.curves import arc, both, ellipse, scallops, smooth
from vision.drawing import WHITE, Drawing, DrawnMark, Ink, Path, disc, line, polygon, rectangle
from vision.mat import Point

INK: Ink = (38, 28, 30)  # of outlines, noses and eyes
TONGUE: Ink = (238, 120, 130)
EDGE = 1.0


def shape(fill: Ink, *points: Point, width: float = EDGE) -> DrawnMark:
    return DrawnMark((smooth(*points),), fill, INK, width)


def _patch(fill: Ink, *points: Point) -> DrawnMark:
    return DrawnMark((smooth(*points),), fill)


def stroke(*paths: Path, width: float = 0.9, ink: Ink = INK) -> DrawnMark:
    return DrawnMark(paths, None, ink, width)


def _even(half: tuple[Point, ...]) -> tuple[Point, ...]:
    """A closed outline from its right half, that begins at the top of the middle and ends at its foot."""
    return (*half, *((-x, y) for x, y in half[-2:0:-1]))


def _eyes(at: Point, radius: float = 2.3) -> Drawing:
    (x, y), r = at, radius
    return both(DrawnMark((disc((x, y), r),), INK)) + tuple(
        DrawnMark((disc((side * x + 0.3 * r, y - 0.35 * r), 0.36 * r),), WHITE) for side in (-1, 1)
    )


def _nose(y: float, across: float, down: float) -> Drawing:
    outline = smooth(
        *_even(
            (
                (0, y - down),
                (across * 0.8, y - down),
                (across, y - down * 0.2),
                (0.4 * across, y + down),
                (0, y + down * 1.1),
            )
        )
    )
    shine = ellipse((-across * 0.35, y - down * 0.45), across * 0.28, down * 0.2)
    return (DrawnMark((outline,), INK), DrawnMark((shine,), (150, 140, 142)))


def _mouth(y: float, reach: float, drop: float) -> Drawing:
    """From under the nose, one curl to each side."""
    return both(stroke(arc((reach / 2, y), (reach / 2, drop), 180, 15)))


def ember() -> Drawing:
    """A spitz like a fox: red, pricked ears, white cheeks."""
    red, pale, deep = (222, 84, 34), (255, 240, 220), (120, 36, 12)
    ears = both(
        DrawnMark((polygon([(-16.2, -3), (-15.6, -20), (-3.2, -10.5)]),), red, INK, EDGE),
        DrawnMark((polygon([(-13.6, -7), (-13.5, -15.4), (-7.6, -10.8)]),), deep),
    )
    half = (
        (0, -11.6),
        (6, -11.2),
        (12, -7),
        (15.5, 0),
        (20, 7.5),
        (15.2, 9),
        (13.5, 12.5),
        (8.5, 13.6),
        (4.4, 17.6),
        (0, 18.6),
    )
    cheeks = both(
        _patch(
            pale,
            (1.2, 8),
            (6, 3.4),
            (14.4, 1.8),
            (18.2, 7.4),
            (14.4, 8.3),
            (12.8, 11.6),
            (8, 12.8),
            (4, 16.8),
            (0, 17.8),
            (-1, 12),
        )
    )
    brows = both(_patch(pale, (4.4, -4.6), (6.6, -6), (8, -4.6), (6.2, -3.6)))
    muzzle = _patch(pale, *_even(((0, 2.4), (3.6, 4.6), (6, 9), (4.4, 14), (0, 15.6))))
    eyes = both(DrawnMark((ellipse((6.7, 0.2), 2.5, 1.9, -22),), INK), DrawnMark((disc((7.1, -0.5), 0.6),), WHITE))
    return (*ears, shape(red, *_even(half)), *cheeks, muzzle, *brows, *eyes, *_nose(7.4, 3, 2), *_mouth(10.2, 5, 3))


def sky() -> Drawing:
    """A bulldog: blue, broad, with folded ears, hanging cheeks, two teeth and studs on its collar."""
    blue, light, deep = (72, 132, 206), (190, 216, 244), (30, 62, 120)
    half = ((0, -15), (7, -14.6), (13, -12.4), (16, -6), (15.6, -1), (19, 5), (19.4, 11), (16, 15), (9, 15), (0, 15))
    ears = both(DrawnMark((polygon([(-7.6, -14.6), (-15.4, -17.6), (-20, -8.4), (-14.4, -9)]),), deep, INK, EDGE))
    collar = (
        DrawnMark((rectangle((-12.4, 13.4, 12.4, 19.6), 2.6),), (200, 52, 44), INK, EDGE),
        *(DrawnMark((disc((x, 17.8), 0.95),), (255, 232, 150)) for x in (-9.6, -6.2, 6.2, 9.6)),
    )
    chin = shape(light, (-8.4, 12.5), (-7, 16.6), (0, 18), (7, 16.6), (8.4, 12.5), (0, 11))
    teeth = both(DrawnMark((polygon([(2.6, 14.4), (4.4, 9.2), (6.4, 14.4)]),), WHITE, INK, 0.7))
    jowls = both(
        shape(
            light, (0, 4.2), (5, 3.4), (10.4, 5), (14, 9.2), (13.6, 13.6), (10, 15.3), (6.4, 14), (3.6, 12), (0, 11.4)
        )
    )
    wrinkles = (
        stroke(arc((0, -5.4), (6, 3.4), 205, 335), ink=deep),
        stroke(arc((0, -9.2), (7.4, 3), 210, 330), ink=deep),
    )
    lids = both(stroke(arc((8.2, -1.4), (3.3, 3), 190, 345), width=1.3, ink=deep))
    cleft = stroke(line((0, 5), (0, 11.4)), width=0.9)
    return (
        shape(blue, *_even(half)),
        *ears,
        *collar,
        chin,
        *jowls,
        cleft,
        *teeth,
        *wrinkles,
        *_eyes((8.2, -0.9), 2.4),
        *lids,
        *_nose(3, 4.4, 2.5),
    )


def juniper() -> Drawing:
    """A schnauzer: green, square, with bushy brows and a long beard."""
    green, pale, deep = (92, 150, 62), (214, 232, 180), (34, 74, 30)
    ears = both(DrawnMark((polygon([(-4.6, -15.4), (-13, -19), (-18, -6.4), (-12, -10)]),), deep, INK, EDGE))
    head = DrawnMark((rectangle((-12.4, -16.4, 12.4, 8), 4),), green, INK, EDGE)
    beard = DrawnMark(
        (
            polygon(
                _even(
                    (
                        (0, 1.6),
                        (9.6, 0.6),
                        (15.4, 4),
                        (14, 8),
                        (16, 12.6),
                        (12, 13.6),
                        (12.4, 18),
                        (8, 16.4),
                        (6.6, 20.4),
                        (3, 17.6),
                        (0, 21),
                    )
                )
            ),
        ),
        pale,
        INK,
        EDGE,
    )
    hairs = both(
        stroke(
            line((4, 10.4), (4.8, 15)), line((9, 8.6), (10.4, 12.6)), line((1.2, 13.4), (1.2, 17)), width=0.7, ink=deep
        )
    )
    brows = both(
        DrawnMark(
            (
                polygon(
                    [(1.4, -6.6), (3.4, -11.6), (8.4, -12), (14.8, -9.6), (12, -7.4), (12.8, -5), (8, -5.8), (5, -4)]
                ),
            ),
            pale,
            INK,
            0.8,
        )
    )
    moustache = both(stroke(arc((4.6, 5), (4.6, 4), 175, 60), width=1.0))
    return (*ears, head, beard, *hairs, *_eyes((6, -2.8), 2.1), *brows, *_nose(2.6, 3.4, 2.2), *moustache)


# fmt: off
_CURLY_EAR = (
    (-9, -7), (-13, -9.6), (-17.4, -7), (-19.4, -2), (-18.6, 3), (-19.4, 8), (-16.6, 12.4), (-12, 12), (-9, 8),
    (-9.6, 2),
)
_CURLY_CROWN = (
    (9.6, -6.4), (5, -4.6), (0, -5.4), (-5, -4.6), (-9.6, -6.4), (-11.4, -11), (-8.4, -15.6), (-3.6, -18), (3.6, -18),
    (8.4, -15.6), (11.4, -11),
)
# fmt: on


def honey() -> Drawing:
    """A poodle: yellow, in curls like clouds."""
    gold, pale, deep = (250, 196, 40), (255, 232, 150), (160, 104, 0)
    ears = both(DrawnMark((scallops(_CURLY_EAR, 0.42),), gold, INK, EDGE))
    face = shape(pale, *_even(((0, -9), (6, -8), (9, -2), (7.4, 5), (6.4, 11), (4.4, 16), (0, 17.6))))
    crown = DrawnMark((scallops(_CURLY_CROWN, 0.4),), gold, INK, EDGE)
    on_crown = (arc(at, (1.9, 1.9), 150, 400) for at in ((-5.4, -12.0), (0.0, -13.6), (5.4, -12.0), (0.2, -8.8)))
    on_ears = (arc(at, (1.9, 1.9), 150, 400) for at in ((-14.6, -3.0), (-14.4, 5.6)))
    curls = (stroke(*on_crown, width=0.8, ink=deep), *both(stroke(*on_ears, width=0.8, ink=deep)))
    return (*ears, face, crown, *curls, *_eyes((4.6, 0.4), 2.0), *_nose(9.4, 3, 1.9), *_mouth(12.2, 4, 2.2))


def biscuit() -> Drawing:
    """A basset: brown, with ears down to the chin and a white blaze."""
    brown, dark, pale = (160, 94, 44), (96, 50, 20), (255, 244, 228)
    head = shape(
        brown, *_even(((0, -18.6), (6, -17.6), (9.8, -12), (10, -5), (9.6, 2), (11.4, 8), (11, 14), (7, 18), (0, 18.6)))
    )
    blaze = _patch(
        pale,
        *_even(((0, -17.8), (1.7, -15), (1.9, -7), (4.6, 1), (9.6, 6), (10.6, 10), (10, 14), (6.4, 17.2), (0, 17.8))),
    )
    ears = both(
        shape(
            dark,
            (-7.4, -16.4),
            (-12.4, -15.6),
            (-16, -9),
            (-18.6, 1),
            (-19.8, 11),
            (-17.8, 18.4),
            (-13.4, 19.6),
            (-10.6, 14),
            (-9.8, 4),
            (-8.4, -6),
        )
    )
    lids = both(
        _patch((232, 130, 120), (3.6, -1.6), (5.8, 0.9), (8, -1.4), (5.8, -0.9)),
        stroke(arc((5.8, -3), (2.6, 3.6), 20, 160), width=0.8),
        stroke(line((3, -5.6), (8.6, -3.8)), width=1.1),
    )
    flews = both(stroke(smooth((0, 10), (0.6, 13), (4.4, 15), (8.8, 13.6), closed=False)))
    return (head, blaze, *ears, *_eyes((5.8, -2.9), 2.0), *lids, *_nose(6.4, 4, 2.7), *flews)


def domino() -> Drawing:
    """A sheepdog in black and white: one ear up, one ear down, a white eye with a patch around it."""
    black, white, tip = (52, 50, 58), (250, 250, 250), (120, 116, 128)
    up = (
        DrawnMark((polygon([(-15, -4), (-14, -20.4), (-3.4, -11)]),), black, INK, EDGE),
        DrawnMark((polygon([(-12.4, -8), (-12, -15.6), (-7.2, -11)]),), tip),
    )
    down = (
        DrawnMark((polygon([(4, -12), (14, -17.4), (20, -4.4), (14, -5.4)]),), black, INK, EDGE),
        stroke(line((6.6, -12.2), (15, -7)), width=0.8, ink=tip),
    )
    head = shape(black, *_even(((0, -13), (7, -12.6), (13, -8), (14.6, 0), (12, 7), (8.4, 12), (6.6, 17), (0, 19))))
    blaze = _patch(
        white,
        (0, -12.2),
        (1.8, -9),
        (2, -3),
        (5.6, 4),
        (7.2, 9),
        (6.4, 14),
        (4.4, 17),
        (0, 18.2),
        (-4.4, 17),
        (-6.4, 14),
        (-7.2, 9),
        (-5.6, 4),
        (-2, -3),
        (-1.8, -9),
    )
    ring = _patch(white, (-6.8, -6.6), (-2.4, -3), (-3, 2), (-7, 3.8), (-11, 1.4), (-11.4, -3.6))
    eyes = (*_eyes((6.6, -1.2), 2.3), DrawnMark((disc((6.6, -1.2), 2.9),), None, (220, 220, 226), 0.8))
    freckles = tuple(DrawnMark((disc(at, 0.55),), INK) for at in ((-4.6, 10.6), (-3.4, 12.6), (4.6, 10.6), (3.4, 12.6)))
    return (*up, head, *down, blaze, ring, *eyes, *freckles, *_nose(7, 3.4, 2.3), *_mouth(10, 5.4, 3.4))


def snow() -> Drawing:
    """A shaggy one: white, with hair over the eyes and its tongue out."""
    white, shade = (252, 252, 255), (150, 166, 190)
    outline = [
        (0, -19),
        (7, -18.4),
        (13, -14.6),
        (17, -9),
        (19, -2),
        (19, 5),
        (17.4, 11.4),
        (13, 16),
        (7, 18.4),
        (0, 19),
        (-7, 18.4),
        (-13, 16),
        (-17.4, 11.4),
        (-19, 5),
        (-19, -2),
        (-17, -9),
        (-13, -14.6),
        (-7, -18.4),
    ]
    coat = DrawnMark((scallops(outline, 0.4),), white, INK, EDGE)
    locks = both(
        stroke(
            smooth((0.5, -14.6), (3, -9), (3.6, -1), closed=False),
            smooth((4, -15), (8, -9), (8.8, 0.6), closed=False),
            smooth((8, -13.4), (12.6, -7), (13.2, 1), closed=False),
            smooth((15.4, -2), (15.6, 3), (13.6, 8), closed=False),
            width=1.1,
            ink=shade,
        ),
        stroke(
            smooth((5.4, 9.4), (9, 12), (13, 11.4), closed=False),
            smooth((4, 14.2), (7, 15.4), (10, 15), closed=False),
            width=1.1,
            ink=shade,
        ),
    )
    fringe = stroke(
        smooth(
            (-12.6, 3),
            (-9.6, 0.4),
            (-6.6, 3.4),
            (-3.2, 0.6),
            (0, 3),
            (3.2, 0.6),
            (6.6, 3.4),
            (9.6, 0.4),
            (12.6, 3),
            closed=False,
        ),
        width=0.9,
    )
    tongue = (
        shape(TONGUE, (-3.2, 9.6), (3.2, 9.6), (3.6, 14), (2, 17), (-2, 17), (-3.6, 14)),
        stroke(line((0, 11), (0, 14.4)), width=0.7, ink=(190, 70, 84)),
    )
    return (coat, *locks, fringe, *tongue, *_nose(5.8, 3.9, 2.6), *_mouth(9, 6, 2.6))


def misty() -> Drawing:
    """A chihuahua: grey, small, with ears like sails and eyes like saucers."""
    grey, light, pink = (150, 154, 166), (226, 228, 234), (240, 178, 186)
    ears = both(
        DrawnMark((polygon([(-3.6, -8), (-20, -17), (-18.4, -1), (-9, 3)]),), grey, INK, EDGE),
        DrawnMark((polygon([(-7.4, -7), (-17.2, -13), (-16, -2.6), (-9.6, -0.2)]),), pink),
    )
    head = shape(
        grey, *_even(((0, -11.4), (6.4, -10.4), (11.4, -5), (13, 1), (11.4, 5.4), (7, 8.4), (5.4, 12.6), (0, 14.4)))
    )
    muzzle = _patch(light, *_even(((0, 3.2), (3.2, 4.6), (5, 8), (4.6, 12), (0, 13.6))))
    bib = _patch(light, (0, -10.6), (1.2, -7), (0.8, -3), (0, 0), (-0.8, -3), (-1.2, -7))
    whites = both(DrawnMark((disc((6.2, 0.2), 4.0),), WHITE, INK, 0.8))
    collar = (
        DrawnMark((rectangle((-6.6, 13.4, 6.6, 16.8), 1.6),), (206, 60, 110), INK, 0.8),
        DrawnMark((disc((0, 18.4), 1.9),), (252, 210, 60), INK, 0.7),
    )
    return (
        *ears,
        *collar,
        head,
        bib,
        muzzle,
        *whites,
        *_eyes((6, 0.5), 3.0),
        *_nose(6.8, 2.5, 1.7),
        *_mouth(9.6, 3.6, 2),
    )


# Each dog stands on a disc of another tint.
DRAWN: dict[str, tuple[Callable[[], Drawing], Ink]] = {
    "Ember": (ember, (206, 232, 232)),
    "Sky": (sky, (255, 226, 190)),
    "Juniper": (juniper, (250, 216, 226)),
    "Honey": (honey, (198, 216, 246)),
    "Biscuit": (biscuit, (212, 236, 200)),
    "Domino": (domino, (255, 240, 170)),
    "Snow": (snow, (120, 178, 226)),
    "Misty": (misty, (226, 212, 242)),
}
