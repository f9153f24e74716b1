"""`companion board tournament`: leagues and tournaments. Results come from the matches by themselves."""

import argparse
from typing import TYPE_CHECKING

from companion.commands.arguments import game_name, one_of_the_games
from companion.commands.board_command import add_database, opened_books
from companion.commands.command_parser import Parser
from companion.commands.console import say
from companion.games import NAMES

if TYPE_CHECKING:
    from companion.board.accounts import Registry
    from companion.board.books import BoardBooks
    from companion.board.rounds import PlayedPairing
    from companion.board.tournaments import TournamentNow

NAME = "board tournament"
HELP = "make a league or a tournament, pair its rounds, and tell how it stands"
ACTS = "new | pair | show | decide | enter | withdraw | end | remove | list"


def arguments(parser: argparse.ArgumentParser) -> None:
    acts = parser.add_subparsers(dest="act", parser_class=Parser, required=True, metavar=ACTS)
    new = acts.add_parser("new", help="make one: who plays what, and at which tables")
    pair = acts.add_parser("pair", help="say who plays whom in the next round; of a round robin in all of them")
    show = acts.add_parser("show", help="how it stands, and what is still to be played")
    decide = acts.add_parser("decide", help="say what counts instead of a match, when somebody has not come")
    enter = acts.add_parser("enter", help="somebody comes later, or comes back")
    withdraw = acts.add_parser("withdraw", help="somebody leaves; what was played counts on")
    end = acts.add_parser("end", help="what is played from now on does not count")
    remove = acts.add_parser("remove", help="forget it; the matches stay")
    listing = acts.add_parser("list", help="which there are")
    for one in (new, pair, show, decide, enter, withdraw, end, remove):
        one.add_argument("name", metavar="NAME")
    _what_is_new(new)
    decide.add_argument("round", type=int, metavar="ROUND")
    decide.add_argument("number", type=int, metavar="PAIRING", help="as `show` numbers it")
    about = "first, second (who has won), draw, none (a point for nobody), or match: what the match says, again"
    decide.add_argument("decision", choices=("first", "second", "draw", "none", "match"), help=about)
    for one in (enter, withdraw):
        one.add_argument("player", metavar="PLAYER")
    for one in (new, pair, show, decide, enter, withdraw, end, remove, listing):
        add_database(one)


def _what_is_new(new: argparse.ArgumentParser) -> None:
    new.add_argument("--kind", choices=("league", "round-robin", "swiss"), required=True)
    new.add_argument("--game", type=game_name, choices=NAMES, required=True, metavar="GAME", help=one_of_the_games())
    about = "a player of `companion board player list`; may be repeated. Who is named first is taken for the strongest"
    new.add_argument("--player", action="append", default=[], metavar="PLAYER", help=about)
    about = "a table whose matches count, by its name in [publish]; may be repeated"
    new.add_argument("--table", action="append", default=[], metavar="NAME", help=about)
    about = "of the Swiss system: how many; of a round robin: how often everybody meets everybody (default: 1)"
    new.add_argument("--rounds", type=int, default=1, help=about)


def run(options: argparse.Namespace) -> int:
    with opened_books(options) as books:
        _do(options, books)
    return 0


def _do(options: argparse.Namespace, books: "BoardBooks") -> None:
    tournaments = books.tournaments
    match options.act:
        case "new":
            tournaments.make(
                options.name, options.kind, options.game, options.player, options.table, rounds=options.rounds
            )
        case "pair":
            club = books.club()
            tournaments.pair(options.name, club.matches, club.registry)
            _show(books, options.name)
        case "show":
            _show(books, options.name)
        case "decide":
            decision = "" if options.decision == "match" else options.decision
            tournaments.decide(options.name, options.round, options.number, decision)
        case "enter":
            tournaments.enter(options.name, options.player)
        case "withdraw":
            tournaments.withdraw(options.name, options.player)
        case "end":
            tournaments.end(options.name)
        case "remove":
            tournaments.remove(options.name)
        case _:
            for one in tournaments.all():
                ended = ", ended" if one.ended else ""
                say(f"{one.name}: {one.kind}, {one.game}, {len(one.accounts)} players{ended}")


def _show(books: "BoardBooks", name: str) -> None:
    club, now = books.club(), books.now(books.tournaments.named(name))
    for line in now.table:
        player, ties = club.registry.names.get(line.account, ""), " ".join(f"{tie:g}" for tie in line.ties)
        say(f"{line.place}. {player}: {line.points:g} points of {line.played} played ({ties})")
    for one in now.pairings:
        say(_pairing_line(one, club.registry))
    for account in _unjoined(now, club.registry):
        player = club.registry.names.get(account, "")
        say(f"{player} has no name of a table yet: `companion board player join`.")


def _pairing_line(one: "PlayedPairing", registry: "Registry") -> str:
    pairing = one.pairing
    names = [registry.names.get(account, "") for account in (pairing.first, pairing.second) if account]
    head = f"Round {pairing.round}, pairing {pairing.number}: "
    if len(names) < 2:
        return f"{head}{names[0]} rests"
    points = "not played yet" if one.points is None else f"{one.points[0]:g} : {one.points[1]:g}"
    how = "decided" if pairing.decided else f"match {one.match}" if one.match else f"table {pairing.table}"
    return f"{head}{' – '.join(names)}, {points} ({how})"


def _unjoined(now: "TournamentNow", registry: "Registry") -> list[int]:
    return [account for account in now.tournament.accounts if not registry.names_of(account)]
