"""Which places the mat of Tres has: three columns, each with a card of the table and two that are played with it."""

COLUMNS = (1, 2, 3)  # the upper place of a column has its number
BELOW = (3, 6)  # how much higher the numbers of the two places are in which cards are played
PLACES = 9
DRAW_PILE, DISCARD_PILE = 10, 11


def column_of(place: int) -> int:
    """Of a place for cards."""
    return (place - 1) % len(COLUMNS) + 1


def is_for_table(place: int) -> bool:
    return place in COLUMNS


def below(column: int) -> tuple[int, ...]:
    """The places in which cards are played with that of the table."""
    return tuple(column + step for step in BELOW)
