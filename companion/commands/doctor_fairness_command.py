"""`companion doctor fairness`: how far apart presses have to be for this very table to tell who was first."""

import argparse
from pathlib import Path

from companion.commands.console import complain, say, say_aside
from companion.commands.doctor_command import add_json, must_not_bundle
from companion.doctor.button_walk import usual_wiring
from companion.doctor.fairness_certificate import certify

NAME = "doctor fairness"
HELP = "measure the margin of a tie on this very table, and print a certificate of it"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_json(parser)
    about = "the wiring (default: table.toml here, or in ~/.config/companion)"
    parser.add_argument("--wiring", type=Path, metavar="FILE", help=about)


def run(options: argparse.Namespace) -> int:
    must_not_bundle(options)
    wiring = options.wiring or usual_wiring()
    aside = say_aside if options.json else say
    return certify(wiring, say, aside, complain, as_json=options.json)
