"""The options of the table itself, which is opened without a command."""

import argparse
from pathlib import Path
from typing import Any

from companion.config.window_size import read_size


def add(parser: argparse.ArgumentParser) -> None:
    """Those of the table itself; with a command none of them is taken."""
    group = parser.add_argument_group("the table", "Without a command the table is opened.")

    def option(flag: str, **more: Any) -> None:
        group.add_argument(flag, dest=_name(flag), **more)

    option(
        "--configuration",
        type=Path,
        metavar="FILE",
        help="the table.toml of this table (default: here, in ~/.config/companion, in /etc/companion)",
    )
    option("--size", type=read_size, metavar="WxH", help="size of the window, such as 1280x720")
    option("--language", metavar="xx", help="language of the screen; the settings can change it too")
    option("--theme", metavar="NAME", help="dark, bright or contrast")
    option("--journal", type=Path, metavar="FILE", help="where matches and settings are kept")
    option("--full-screen", action="store_true", help="use the whole screen, not a window")
    option("--no-table", action="store_true", help="show the display alone, without a drawn table beside it")
    option("--simulated", action="store_true", help="show the drawn table on a Pi too")
    option("--real", action="store_true", help="use real buttons and a real camera on a computer that is no Pi")
    option("--deck", metavar="NAME | FILE", help="the deck that the camera reads; the settings can change it too")
    option("--camera", metavar="SOURCE", help="what watches the table: camera, webcam:0, /dev/video0 (docs/camera.md)")


def _name(flag: str) -> str:
    """Apart from the options of commands that are called the same."""
    return f"table_{flag.removeprefix('--').replace('-', '_')}"


def given(options: argparse.Namespace) -> str:
    """The first option of the table that was given; empty if there is none."""
    found = next((name for name, value in vars(options).items() if name.startswith("table_") and value), "")
    return found and "--" + found.removeprefix("table_").replace("_", "-")
