"""`companion doctor reader`: what reads the cards, how well, and whether it works."""

import argparse

from companion.commands.arguments import add_deck
from companion.commands.console import say
from companion.commands.doctor_command import add_json, must_not_bundle
from companion.core.packages import packages
from companion.teaching.deck_choice import must_be_known_deck

NAME = "doctor reader"
HELP = "check what reads the cards, how well, and whether it works"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_json(parser)
    add_deck(parser)


def run(options: argparse.Namespace) -> int:
    must_not_bundle(options)
    must_be_known_deck(options.deck)
    with packages():
        from companion.doctor.eyesight import examine_reader  # noqa: PLC0415  (loads NumPy and OpenCV)

    return examine_reader(say, as_json=options.json, deck=options.deck)
