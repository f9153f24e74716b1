"""The picture of Sticks."""

from companion.display.art import CLOTH, YELLOW, Drawing, GameArt, line


def _picture() -> Drawing:
    return tuple(line((x, 20), (x, 80), width=8, paint=YELLOW) for x in (30, 50, 70))


ART = GameArt(_picture, CLOTH)
