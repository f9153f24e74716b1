"""`companion matches`: the matches of a journal, or the best of them."""

import argparse

from companion.commands.arguments import add_journal, add_optional_game
from companion.commands.console import say as write
from companion.commands.journal_choice import open_journal
from companion.core.clocks import shown
from companion.games import game as game_named
from companion.games import having
from companion.journal import Journal
from companion.reports.trials import best, courses, trials
from companion.words import Words

NAME = "matches"
HELP = "list the matches that were played"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_optional_game(parser, "only matches of this game")
    parser.add_argument("--best", action="store_true", help="list most wins, best time trials and longest rounds")
    add_journal(parser)


def run(options: argparse.Namespace) -> int:
    with open_journal(options.journal, must_exist=True, whole=True) as journal:
        if options.best:
            return _best(journal, options.game or "")
        found = journal.matches(options.game or "")
    for one in found:
        scores = one.scores or ("",) * len(one.players)
        names = ", ".join(
            f"{name} {score}".strip() + (" (won)" if name in one.winners else "")
            for name, score in zip(one.players, scores, strict=True)
        )
        write(f"{one.code}  {one.began[:16].replace('T', ' ')}  {one.game:10}  {one.status:9}  {names}")
    if not found:
        write("Nothing has been played yet.")
    return 0


def _best(journal: Journal, game: str) -> int:
    write("Most wins:")
    for one in journal.most_wins(game):
        write(f"  {one.name}: {one.value} of {one.matches}")
    write(f"Best {' and '.join(game_named(name).title for name in having('trials'))} time trials:")
    _best_trials(journal)
    write("Longest rounds:")
    for one in journal.longest_rounds():
        write(f"  {shown(one.value)}, won by {one.name} ({one.began[:10]}, {one.code})")
    return 0


def _best_trials(journal: Journal) -> None:
    """Like with like."""
    found = trials(journal)
    for course in courses(found):
        write(f"  {course.said(Words())}:")
        for run in best(found, course, 10):
            left = f", {run.left} left" if run.left else ""
            write(f"    {run.name}: {shown(run.time)}{left} ({run.began[:10]}, {run.code})")
