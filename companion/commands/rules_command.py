"""`companion rules`: a game in a few sentences, and its house rules as they stand."""

import argparse

from companion.commands.arguments import add_game, add_house
from companion.commands.console import say
from companion.commands.house_choice import house_of
from companion.games import game
from companion.reports.summary import rules_page

NAME = "rules"
HELP = "explain a game in a few sentences and list its house rules"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_house(parser)


def run(options: argparse.Namespace) -> int:
    say(rules_page(game(options.game), house_of(options.game, options.house)))
    return 0
