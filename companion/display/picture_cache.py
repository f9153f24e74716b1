"""Pictures that are kept because to draw them takes long: the newest, as many as have room in so many bytes.

Of a number of them nobody would know how much memory they take: the larger the screen, the larger each of them.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

import pygame

SCREENS = 2  # full of words, of drawings, of faces: more of each than is ever shown
USUAL = (1280, 800)  # where there is no screen

P = ParamSpec("P")
Draw = Callable[P, pygame.Surface]


def room() -> int:
    """Bytes, by the size of the screen."""
    screen = pygame.display.get_surface()
    width, height = screen.get_size() if screen else USUAL
    return SCREENS * width * height * 4


def kept(most: Callable[[], int]) -> Callable[[Draw[P]], Draw[P]]:
    """At least the newest one, however large it is."""

    def around(draw: Draw[P]) -> Draw[P]:
        pictures: dict[Any, pygame.Surface] = {}  # the newest last
        filled = 0

        @wraps(draw)
        def found(*asked: P.args, **named: P.kwargs) -> pygame.Surface:
            nonlocal filled
            key = (asked, *named.items())
            picture = pictures.pop(key, None)
            if picture is None:
                picture = draw(*asked, **named)
                filled += _bytes(picture)
                while filled > most() and pictures:
                    filled -= _bytes(pictures.pop(next(iter(pictures))))
            pictures[key] = picture
            return picture

        return found

    return around


def _bytes(picture: pygame.Surface) -> int:
    return picture.get_pitch() * picture.get_height()
