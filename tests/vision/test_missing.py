"""Cards that no outline was found of: found where the others say, and only where a card lies."""

import cv2
import numpy as np
import pytest

from vision.frames import Picture, Points
from vision.missing import completed
from vision.outlines import CardOutline, tell_printed

CARD, STEP = 60, 76
Place = tuple[int, int]


def corners_of(place: Place) -> Points:
    x, y = 90 + place[1] * STEP, 60 + place[0] * STEP
    return np.array(((x, y), (x + CARD, y), (x + CARD, y + CARD), (x, y + CARD)), np.float32)


def table(places: list[Place], off: float = 0.0) -> Picture:
    """Cards with a star each on gingham, those of the first row so far out of line."""
    picture: Picture = np.full((400, 400, 3), (210, 225, 230), np.uint8)
    for at in range(0, 400, 34):
        picture[at : at + 17] = picture[at : at + 17] * (0.9, 0.6, 0.5)
        picture[:, at : at + 17] = picture[:, at : at + 17] * (0.9, 0.6, 0.5)
    for place in places:
        x, y = (round(float(at)) for at in corners_of(place)[0] + (off if place[0] == 0 else 0))
        cv2.rectangle(picture, (x, y), (x + CARD, y + CARD), (215, 225, 225), -1)
        cv2.circle(picture, (x + CARD // 2, y + CARD // 2), 16, (30, 40, 200), -1)
    return picture


def known(places: list[Place], picture: Picture) -> dict[Place, CardOutline]:
    found = {place: CardOutline(corners_of(place), corners_of(place), 1.0) for place in places}
    tell_printed(list(found.values()), picture)
    return found


NINE = [(row, column) for row in range(3) for column in range(3)]
SIX = NINE[3:]


@pytest.mark.parametrize("off", [0.0, 9.0])
def test_a_row_that_no_outline_was_found_of_is_completed(off: float) -> None:
    picture = table(NINE, off)
    found = completed(known(SIX, picture), picture)
    assert set(found) == set(NINE)
    for place in NINE[:3]:
        assert found[place].middle == pytest.approx(corners_of(place).mean(0) + off, abs=7)


def test_where_no_card_lies_none_is_made_up() -> None:
    picture = table(SIX)
    assert set(completed(known(SIX, picture), picture)) == set(SIX)


def test_too_few_cards_say_nothing_of_others() -> None:
    picture = table(NINE)
    some = NINE[5:]
    assert set(completed(known(some, picture), picture)) == set(some)
    assert set(completed(known(NINE[3:8:2] + [NINE[0]], picture), picture)) < set(NINE)


def test_cards_in_one_row_do_not_say_where_others_lie() -> None:
    picture = table(NINE)
    row = known(NINE[:3], picture) | {(0, 3 + more): one for more, one in enumerate(known(NINE[6:], picture).values())}
    assert set(completed(row, picture)) == set(row)
