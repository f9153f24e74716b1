"""A fresh Python up to the first picture of the screen, in a window that nobody sees."""

import os

from companion.display.app import App
from companion.display.loop import Looks, Loop, open_window


def show_first_picture() -> None:
    os.environ["SDL_VIDEODRIVER"] = "dummy"
    surface = open_window(Looks((1280, 720)))
    Loop(App(surface.get_size()), surface).show()


if __name__ == "__main__":
    show_first_picture()
