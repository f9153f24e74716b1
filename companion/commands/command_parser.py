"""The parser of the command line: commands are listed at once, and loaded when their own words are parsed."""

import argparse
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from companion import __version__
from companion.commands import COMMANDS, TABLE, command, table_options
from companion.core.errors import CompanionError
from companion.games import NAMES


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence."""

    given: Sequence[str] = ()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        self.given = args or ()
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        if "invalid choice" in message:  # it may be the value of an option that was written wrongly
            known = tuple(self._option_string_actions)
            for flag in (word.partition("=")[0] for word in self.given if word.startswith("--")):
                if not any(one.startswith(flag) for one in known):
                    message = f"there is no option {flag}"
        raise CompanionError(f"{message[:1].upper()}{message[1:]}; `{self.prog} --help` says more.")


class CommandParser(Parser):
    """The parser of one command."""

    def __init__(self, *, command: str, **settings: Any) -> None:
        super().__init__(**settings)
        self._unloaded = command
        self._is_mixed = False

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        if self._unloaded:
            found, self._unloaded = command(self._unloaded), ""
            found.arguments(self)
            self.set_defaults(run=found.run)
            self._is_mixed = getattr(found, "IS_MIXED", False)
        if self._is_mixed:
            self._is_mixed = False  # what follows parses by this very method
            return self.parse_known_intermixed_args(args, namespace)
        return super().parse_known_args(args, namespace)


def add_commands(parser: argparse.ArgumentParser, commands: Mapping[str, str], **settings: Any) -> None:
    """By name and line of help; of a name in several words the last one is typed here."""
    choices = parser.add_subparsers(parser_class=CommandParser, **settings)
    for name, line in commands.items():
        choices.add_parser(name.split()[-1], command=name, help=line, description=line)


def main_parser() -> Parser:
    parser = Parser(
        prog="companion",
        description="An electronic referee for the cardboard games on your table.",
        epilog="Games: " + ", ".join(NAMES),
    )
    parser.add_argument("--version", action="version", version=f"companion {__version__}")
    table_options.add(parser)
    parser.set_defaults(run=_open_table)
    add_commands(parser, COMMANDS, title="commands", metavar="COMMAND", dest="command")
    return parser


def _open_table(options: argparse.Namespace) -> int:
    return command(TABLE).run(options)
