"""Shapes and inks that printed cards have in common: each colour has a shape and a mark, for whoever cannot see it."""

from vision.drawing import WHITE, Drawing, DrawnMark, Ink, Path, disc, line, polygon, rectangle

# Each differs from the others in grey too, darkest first: blue, red, green, yellow.
INKS: dict[str, Ink] = {"blue": (26, 66, 168), "red": (214, 40, 52), "green": (76, 178, 92), "yellow": (254, 208, 36)}
DEEP: dict[str, Ink] = {"blue": (8, 20, 64), "red": (84, 6, 14), "green": (6, 62, 26), "yellow": (96, 64, 0)}
DARK: Ink = (34, 32, 42)


def shape(name: str, reach: float) -> Path:
    """An outline around its middle, within about as far to each side."""
    r = reach
    match name:
        case "circle":
            return disc((0, 0), 0.96 * r)
        case "square":
            return rectangle((-0.86 * r, -0.86 * r, 0.86 * r, 0.86 * r), 0.12 * r)
        case "triangle":
            return polygon([(0, -1.02 * r), (1.08 * r, 0.8 * r), (-1.08 * r, 0.8 * r)])
        case "diamond":
            return polygon([(0, -1.12 * r), (1.06 * r, 0), (0, 1.12 * r), (-1.06 * r, 0)])
        case "cross":
            a, b = 0.94 * r, 0.4 * r  # where the ends are, and how thick
            near, far = (a - b), (a + 0.06 * r)
            corner = [(0.0, -b), (near, -far), (far, -near), (b, 0.0), (far, near), (near, far), (0.0, b)]
            return polygon([*corner, *((-x, -y) for x, y in corner[1:-1])])
        case _:
            raise ValueError(name)


def inside(colour: str, size: float) -> Drawing:
    """A white mark for a colour, the same after every quarter turn: a dot, a ring, a plus, or for yellow none."""
    match colour:
        case "red":
            return (DrawnMark((disc((0, 0), 0.8 * size),), WHITE),)
        case "blue":
            return (DrawnMark((disc((0, 0), 0.76 * size),), None, WHITE, 0.44 * size),)
        case "green":
            arms = (line((-size, 0), (size, 0)), line((0, -size), (0, size)))
            return (DrawnMark(arms, None, WHITE, 0.5 * size),)
        case _:
            return ()
