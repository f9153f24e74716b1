"""`companion doctor buttons`: a walk around the table; each button is pressed when that is asked for."""

import argparse
from pathlib import Path

from companion.commands.console import complain, say, say_aside
from companion.commands.doctor_command import add_json, must_not_bundle
from companion.doctor.button_walk import examine_buttons, usual_wiring

NAME = "doctor buttons"
HELP = "walk around the table and press each button when asked"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_json(parser)
    about = "the wiring (default: table.toml here, or in ~/.config/companion)"
    parser.add_argument("--wiring", type=Path, metavar="FILE", help=about)


def run(options: argparse.Namespace) -> int:
    must_not_bundle(options)
    wiring = options.wiring or usual_wiring()
    return examine_buttons(wiring, say, say_aside if options.json else say, complain, as_json=options.json)
