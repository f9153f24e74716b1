"""Colours by what they are for. Players have a shape beside their colour, so that nobody needs to see colours."""

from dataclasses import dataclass
from functools import cache

Ink = tuple[int, int, int]  # red, green, blue

SHAPES = {
    "red": "circle",
    "blue": "square",
    "yellow": "triangle",
    "green": "diamond",
    "purple": "star",
    "orange": "hexagon",
    "white": "plus",
    "black": "ring",
}
_OTHER = "pentagon"  # a colour that this table does not have

# What players' things are filled with, and what is written on it.
_FILLS: dict[str, tuple[Ink, Ink]] = {
    "red": ((168, 16, 36), (255, 255, 255)),
    "blue": ((10, 78, 160), (255, 255, 255)),
    "yellow": ((250, 208, 40), (0, 0, 0)),
    "green": ((110, 205, 130), (0, 0, 0)),
    "purple": ((104, 40, 140), (255, 255, 255)),
    "orange": ((245, 150, 60), (0, 0, 0)),
    "white": ((245, 245, 245), (0, 0, 0)),
    "black": ((24, 24, 26), (255, 255, 255)),
    "brown": ((112, 66, 32), (255, 255, 255)),
    "grey": ((150, 156, 164), (0, 0, 0)),
}
# What is drawn in a player's colour on a dark surface: the dark ones among the fills would not be seen there.
_EDGES: dict[str, Ink] = {
    "red": (255, 92, 102),
    "blue": (92, 164, 255),
    "purple": (196, 132, 244),
    "black": (150, 154, 158),
    "brown": (206, 146, 96),
}
_EDGES_ON_BRIGHT: dict[str, Ink] = {
    "yellow": (128, 100, 0),
    "green": (20, 116, 48),
    "orange": (170, 82, 0),
    "white": (110, 110, 110),
    "grey": (86, 92, 100),
}
_OTHER_FILL = ((92, 84, 76), (255, 255, 255))


@dataclass(frozen=True, eq=False)
class Theme:
    """The colours of a screen; `colours` by their words."""

    name: str
    colours: dict[str, Ink]

    def __getitem__(self, role: str) -> Ink:
        return _role(self.name, role)


def shape_of(colour: str) -> str:
    return SHAPES.get(colour, _OTHER)


_DARK: dict[str, Ink] = {
    "ground": (16, 20, 24),
    "panel": (32, 38, 45),
    "raised": (50, 59, 69),
    "line": (126, 140, 154),
    "text": (255, 255, 255),
    "quiet": (206, 214, 222),
    "main": (255, 196, 64),
    "on-main": (16, 16, 16),
    "danger": (150, 22, 32),
    "on-danger": (255, 255, 255),
    "good": (126, 226, 150),
    "bad": (255, 190, 184),
    "warn": (255, 208, 92),
    "focus": (120, 220, 255),
    "notice": (255, 226, 150),
    "on-notice": (22, 18, 8),
    "rim": (236, 240, 244),
}
_BRIGHT: dict[str, Ink] = {
    "ground": (232, 235, 238),
    "panel": (250, 250, 250),
    "raised": (255, 255, 255),
    "line": (96, 106, 116),
    "text": (12, 16, 20),
    "quiet": (48, 56, 64),
    "main": (0, 78, 112),
    "on-main": (255, 255, 255),
    "danger": (150, 22, 32),
    "on-danger": (255, 255, 255),
    "good": (0, 76, 32),
    "bad": (134, 12, 24),
    "warn": (102, 56, 0),
    "focus": (190, 60, 0),
    "notice": (56, 40, 0),
    "on-notice": (255, 248, 226),
    "rim": (20, 24, 28),
}
_CONTRAST: dict[str, Ink] = {
    **_DARK,
    "ground": (0, 0, 0),
    "panel": (0, 0, 0),
    "raised": (26, 26, 26),
    "line": (255, 255, 255),
    "quiet": (255, 255, 255),
    "main": (255, 232, 0),
    "on-main": (0, 0, 0),
    "danger": (255, 255, 255),
    "on-danger": (120, 0, 0),
    "good": (120, 255, 150),
    "bad": (255, 180, 180),
    "warn": (255, 232, 0),
    "rim": (255, 255, 255),
}

THEMES = {theme.name: theme for theme in (Theme("dark", _DARK), Theme("bright", _BRIGHT), Theme("contrast", _CONTRAST))}

# What words are written in on what: the test counts the contrast of each of these.
WRITTEN = (
    *(
        (role, surface)
        for surface in ("ground", "panel", "raised")
        for role in ("text", "quiet", "good", "bad", "warn")
    ),
    ("on-main", "main"),
    ("on-danger", "danger"),
    ("on-notice", "notice"),
    *((f"on-{colour}", colour) for colour in (*SHAPES, "copper")),
)


def theme(name: str) -> Theme:
    """The theme of that name; the dark one for a name that there is not."""
    return THEMES.get(name, THEMES["dark"])


@cache
def _role(name: str, role: str) -> Ink:
    colours = THEMES[name].colours
    if role in colours:
        return colours[role]
    kind, dash, colour = role.partition("-")
    fill, ink = _FILLS.get(colour if dash else role, _OTHER_FILL)
    match kind:
        case "on":
            return ink
        case "edge":
            return (_EDGES_ON_BRIGHT if name == "bright" else _EDGES).get(
                colour, fill if colour in _FILLS else colours["rim"]
            )
        case _:
            return fill


def contrast(one: Ink, other: Ink) -> float:
    """The contrast of two colours, 1 to 21."""
    bright, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


def _luminance(ink: Ink) -> float:
    linear = [
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in (c / 255 for c in ink)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
