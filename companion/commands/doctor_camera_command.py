"""`companion doctor camera`: what the camera shows, or a picture, and how to see better."""

import argparse
from pathlib import Path

from companion.commands.arguments import add_deck
from companion.commands.console import say
from companion.commands.doctor_command import add_json, must_not_bundle
from companion.core.packages import packages
from companion.teaching.deck_choice import must_be_known_deck

NAME = "doctor camera"
HELP = "check what the camera or a picture shows, and say how to see better"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_json(parser)
    about = "camera (the usual one), webcam:0, or a picture, a folder, a film (docs/camera.md)"
    parser.add_argument("source", nargs="?", metavar="SOURCE", help=about)
    about = "find the camera's focus, exposure and colours, and keep them in this file"
    parser.add_argument("--calibrate", type=Path, metavar="FILE", help=about)
    add_deck(parser)
    parser.add_argument("--settings", type=Path, metavar="FILE", help="look with what --calibrate has kept")


def run(options: argparse.Namespace) -> int:
    must_not_bundle(options)
    must_be_known_deck(options.deck)
    with packages():
        from companion.doctor import eyesight  # noqa: PLC0415  (loads NumPy and OpenCV)

    if options.calibrate:
        return eyesight.calibrate_camera(options.source, options.calibrate, say)
    return eyesight.examine_camera(options.source, say, as_json=options.json, kept=options.settings, deck=options.deck)
