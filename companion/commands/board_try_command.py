"""`companion board try`: a table, a broker of its own and a board, begun and ended together."""

import argparse
from importlib.util import find_spec

from companion.commands.board_command import MISSING
from companion.commands.console import say
from companion.core.errors import CompanionError

NAME = "board try"
HELP = "play with the score on a web page, with a broker of its own; what stands behind -- is for the table"


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--lan", action="store_true", help="let in the phones of this network")
    parser.add_argument("table", nargs="*", metavar="OPTION", help="of the table, behind --")


def run(options: argparse.Namespace) -> int:
    if find_spec("uvicorn") is None:
        raise CompanionError(MISSING)
    from companion.board import trial  # noqa: PLC0415  (no other command starts a broker)

    return trial.play(options.table, say, in_lan=options.lan)
