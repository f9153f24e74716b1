"""One database: what was heard, and what the host has said."""

from dataclasses import dataclass

from sqlalchemy import Engine

from companion.board.accounts import Accounts
from companion.board.club import Club, ClubNow
from companion.board.results import Results
from companion.board.tournaments import Tournament, TournamentNow, Tournaments, tournament_now


@dataclass(frozen=True, slots=True)
class BoardBooks:
    results: Results
    accounts: Accounts
    tournaments: Tournaments
    members: Club

    def club(self) -> ClubNow:
        return self.members.now()

    def now(self, tournament: Tournament) -> TournamentNow:
        club = self.club()
        return tournament_now(tournament, club.matches, club.registry)

    def tournaments_now(self) -> list[TournamentNow]:
        """The newest first."""
        return [*map(self.now, self.tournaments.all())]


def books_on(engine: Engine, results: Results | None = None) -> BoardBooks:
    kept, accounts = results or Results(engine), Accounts(engine)
    return BoardBooks(kept, accounts, Tournaments(engine), Club(kept, accounts))
