"""`companion` without a command: opens the table, or lets bots play the demo where there is no display."""

import argparse
import os
import tempfile
from pathlib import Path

from companion.commands import TABLE, table_options
from companion.commands.command_parser import main_parser
from companion.commands.console import complain, say
from companion.commands.journal_choice import open_journal, usual_journal
from companion.config.table_file import Configuration, read_configuration, usual_configuration
from companion.core.errors import CompanionError
from companion.devices.machine import has_display
from companion.devices.watchdog import is_supervised
from companion.display.theme import THEMES
from companion.teaching.table_deck import chosen_deck
from companion.words import LANGUAGES

NAME = TABLE
HELP = "open the table"
PICTURES = "pictures"


def arguments(parser: argparse.ArgumentParser) -> None:
    table_options.add(parser)


def run(options: argparse.Namespace) -> int:
    _must_make_sense(options)
    configuration = read_configuration(options.table_configuration or usual_configuration())
    for notice in configuration.notices:
        complain(notice)
    journal = options.table_journal or configuration.journal or usual_journal()
    if has_display() or is_supervised():
        code = _open(options, configuration, journal)
        if code is not None:
            return code
    notice = "There is no display here: bots play a short match of each game instead."
    say(notice)
    demo = main_parser().parse_args(["demo", "--pictures", str(_pictures(journal))])
    found: int = demo.run(demo)
    return found


def _must_make_sense(options: argparse.Namespace) -> None:
    for flag, value, known in (
        ("--language", options.table_language, LANGUAGES),
        ("--theme", options.table_theme, THEMES),
    ):
        if value is not None and value not in known:
            raise CompanionError(f"{flag} {value[:40]!r}: choose one of {', '.join(known)}.")
    if options.table_deck:
        options.table_deck = chosen_deck(options.table_deck)
    if options.table_real and options.table_simulated:
        raise CompanionError("--real and --simulated exclude each other: leave one of them out.")


def _open(options: argparse.Namespace, configuration: Configuration, journal: Path) -> int | None:
    """The exit code of the table; None where nothing can be drawn on after all."""
    try:
        import pygame  # noqa: F401, PLC0415  (whether it loads is the question)
    except ImportError as error:
        remedy = "install it (`sudo apt install python3-pygame`, or `make play`), or what it lacks"
        raise CompanionError(f"pygame, which draws on the screen, does not load ({error}): {remedy}.") from None
    from companion.commands.table_opening import open_table  # noqa: PLC0415  (loads the display)

    return open_table(options, configuration, journal, complain, open_journal)


def _pictures(journal: Path) -> Path:
    """Where pictures are kept: beside the journal, or, where nothing can be kept there, among what is temporary."""
    folder = journal.parent / PICTURES
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.mkdtemp(prefix="companion-"))
    return folder if os.access(folder, os.W_OK) else Path(tempfile.mkdtemp(prefix="companion-"))
