"""Pictures that are kept: drawn once, and no more of them than have room."""

import pygame

from companion.display.picture_cache import kept

SIDE = 16
EACH = SIDE * SIDE * 4  # bytes


def test_the_newest_are_kept_as_many_as_have_room() -> None:
    drawn: list[str] = []

    @kept(lambda: 3 * EACH)
    def draw(name: str, side: int = SIDE) -> pygame.Surface:
        drawn.append(name)
        return pygame.Surface((side, side), pygame.SRCALPHA)

    first = draw("a")
    for name in "abcab":
        draw(name)
    assert drawn == ["a", "b", "c"]
    assert draw("a") is first
    draw("d")  # for which that goes that nobody asked for longest
    for name in "abd":
        draw(name)
    assert drawn == ["a", "b", "c", "d"]
    draw("c")
    assert drawn == ["a", "b", "c", "d", "c"]


def test_a_large_one_takes_the_room_of_many_and_is_kept_itself() -> None:
    drawn: list[int] = []

    @kept(lambda: 3 * EACH)
    def draw(side: int) -> pygame.Surface:
        drawn.append(side)
        return pygame.Surface((side, side), pygame.SRCALPHA)

    draw(SIDE)
    large = draw(4 * SIDE)
    assert draw(4 * SIDE) is large
    draw(SIDE)
    assert drawn == [SIDE, 4 * SIDE, SIDE], "there was no room for the small one beside it"
    draw(4 * SIDE)
    assert drawn == [SIDE, 4 * SIDE, SIDE, 4 * SIDE]
