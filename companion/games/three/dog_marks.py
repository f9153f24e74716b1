"""What each dog goes by, in the corners of its card: within four millimetres of its middle."""

from companion.games.three.dogs import INK, stroke
from vision.curves import scallops, smooth
from vision.drawing import WHITE, Drawing, DrawnMark, disc, line, moved, polygon, rectangle


def _flame() -> Drawing:
    outer = smooth((0, -3.4), (2.2, -0.8), (2.6, 1.4), (1.4, 3.2), (-1.4, 3.2), (-2.6, 1.4), (-1.8, -0.6), (-0.8, 0.4))
    return (
        DrawnMark((outer,), (222, 84, 34), INK, 0.6),
        DrawnMark((smooth((0.2, 0.2), (1.1, 1.8), (0, 2.9), (-1.1, 1.8)),), (252, 210, 60)),
    )


def _cloud() -> Drawing:
    return (
        DrawnMark(
            (scallops([(-3, 2.2), (-3.2, 0), (-1, -1.4), (1.2, -1.2), (3.2, 0.2), (3, 2.2)], 0.42),),
            (120, 178, 226),
            INK,
            0.6,
        ),
    )


def _leaf() -> Drawing:
    half = smooth((0, -3.4), (2.4, -0.6), (1.8, 2), (0, 3.0), (-1.8, 2), (-2.4, -0.6))
    return (DrawnMark((half,), (92, 150, 62), INK, 0.6), stroke(line((0, -1.4), (0, 3.6)), width=0.5))


def _comb() -> Drawing:
    hexagon = polygon([(0, -3.2), (2.8, -1.6), (2.8, 1.6), (0, 3.2), (-2.8, 1.6), (-2.8, -1.6)])
    return (DrawnMark((hexagon,), (250, 196, 40), INK, 0.7), DrawnMark((disc((0, 0), 0.9),), INK))


def _bone() -> Drawing:
    ends = tuple(disc((x, y), 1.15) for x in (-2.4, 2.4) for y in (-1.0, 1.0))
    whole: Drawing = (
        DrawnMark(ends, None, INK, 1.0),
        DrawnMark((rectangle((-2.4, -0.9, 2.4, 0.9)),), (226, 184, 120), INK, 0.6),
        *(DrawnMark((end,), (226, 184, 120)) for end in ends),
    )
    return moved(whole, turn=-35)


def _tile() -> Drawing:
    return (
        DrawnMark((rectangle((-1.9, -3.4, 1.9, 3.4), 0.6),), INK),
        DrawnMark((line((-1.3, 0), (1.3, 0)),), None, WHITE, 0.4),
        DrawnMark(tuple(disc(at, 0.5) for at in ((0, -1.7), (-0.8, 0.95), (0.8, 2.4))), WHITE),
    )


def _flake() -> Drawing:
    arms = tuple(
        path
        for turn in (0, 60, 120)
        for one in moved(
            (
                DrawnMark(
                    (
                        line((0, -3.3), (0, 3.3)),
                        line((-1, -2.9), (0, -1.9), (1, -2.9)),
                        line((-1, 2.9), (0, 1.9), (1, 2.9)),
                    ),
                ),
            ),
            turn=turn,
        )
        if isinstance(one, DrawnMark)
        for path in one.paths
    )
    return (stroke(*arms, width=0.65, ink=(40, 110, 180)),)


def _moon() -> Drawing:
    crescent = smooth((1.4, -3.3), (-1.6, -2.6), (-3, 0), (-1.6, 2.6), (1.4, 3.3), (-0.2, 1.6), (-0.7, 0), (-0.2, -1.6))
    return (
        DrawnMark((crescent,), (150, 154, 166), INK, 0.6),
        DrawnMark((disc((1.9, 0), 0.7),), (150, 154, 166), INK, 0.5),
    )


MARKS = {
    "Ember": _flame(),
    "Sky": _cloud(),
    "Juniper": _leaf(),
    "Honey": _comb(),
    "Biscuit": _bone(),
    "Domino": _tile(),
    "Snow": _flake(),
    "Misty": _moon(),
}
