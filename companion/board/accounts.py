"""Players of the board: who is behind which name of which table. Only the host says so; equal names are not joined."""

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, delete, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from companion.board.database import ACCOUNT, ACCOUNT_NAME, ENTRANT
from companion.board.finished import FinishedMatch
from companion.board.reading import LONGEST_NAME, is_table
from companion.core.errors import CompanionError

LONGEST = 60  # letters of a name that the host gives
EVERY_TABLE = ""


class ClubError(CompanionError):
    """What the host asks for cannot be done; the message says why."""


@dataclass(frozen=True, slots=True)
class ClubPlayer:
    """An account, or else a name of a table: then `account` is 0."""

    account: int
    table: str
    name: str


@dataclass(frozen=True, slots=True)
class Registry:
    """Who is who, as the host has said by now."""

    names: Mapping[int, str]  # of accounts
    joined: Mapping[tuple[str, str], int]  # a table and a name there

    def account_of(self, table: str, name: str) -> int:
        """0: nobody has joined this name to one."""
        return self.joined.get((table, name)) or self.joined.get((EVERY_TABLE, name), 0)

    def player(self, table: str, name: str) -> ClubPlayer:
        account = self.account_of(table, name)
        return ClubPlayer(account, "", self.names[account]) if account else ClubPlayer(0, table, name)

    def players(self, match: FinishedMatch) -> tuple[ClubPlayer, ...]:
        """By the seats. Nobody beats himself: with two names of one account there are none."""
        found = tuple(self.player(match.table, seat.name) for seat in match.seats)
        return found if len({*found}) == len(found) else ()

    def names_of(self, account: int) -> list[tuple[str, str]]:
        return sorted(one for one, joined in self.joined.items() if joined == account)


class Accounts:
    """Each call is one transaction."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def registry(self) -> Registry:
        with self._engine.connect() as connection:
            names = {row.account: row.name for row in connection.execute(select(ACCOUNT))}
            joined = {(row.table_name, row.name): row.account for row in connection.execute(select(ACCOUNT_NAME))}
        return Registry(names, {one: account for one, account in joined.items() if account in names})

    def add(self, name: str) -> int:
        must_be_a_name(name)
        try:
            with self._engine.begin() as connection:
                account = 1 + connection.execute(select(func.coalesce(func.max(ACCOUNT.c.account), 0))).scalar_one()
                connection.execute(insert(ACCOUNT), {"account": account, "name": name})
        except IntegrityError:
            raise ClubError(f"There is a player {name!r} already.") from None
        return int(account)

    def rename(self, name: str, to: str) -> None:
        must_be_a_name(to)
        try:
            with self._engine.begin() as connection:
                known = account_named(connection, name)
                connection.execute(update(ACCOUNT).where(ACCOUNT.c.account == known).values(name=to))
        except IntegrityError:
            raise ClubError(f"There is a player {to!r} already.") from None

    def remove(self, name: str) -> None:
        """The matches stay, under the names of the tables."""
        with self._engine.begin() as connection:
            account = account_named(connection, name)
            if connection.execute(select(ENTRANT.c.account).where(ENTRANT.c.account == account)).first():
                raise ClubError(f"{name!r} is in a tournament, whose table would have a hole.")
            connection.execute(delete(ACCOUNT_NAME).where(ACCOUNT_NAME.c.account == account))
            connection.execute(delete(ACCOUNT).where(ACCOUNT.c.account == account))

    def join(self, account: str, table: str, name: str) -> None:
        """From now on this name of this table is that player, in matches of before too."""
        if table != EVERY_TABLE and not is_table(table):
            raise ClubError(f"{table[:40]!r} is no name of a table: small letters, digits, - and _, as in [publish].")
        if not 0 < len(name) <= LONGEST_NAME or "\0" in name:
            raise ClubError(f"A name of a table has 1 to {LONGEST_NAME} letters.")
        with self._engine.begin() as connection:
            known = account_named(connection, account)
            is_it = (ACCOUNT_NAME.c.table_name == table) & (ACCOUNT_NAME.c.name == name)
            owner = connection.execute(select(ACCOUNT_NAME.c.account).where(is_it)).scalar()
            if owner is None:
                connection.execute(insert(ACCOUNT_NAME), {"table_name": table, "name": name, "account": known})
            elif owner != known:
                other = connection.execute(select(ACCOUNT.c.name).where(ACCOUNT.c.account == owner)).scalar()
                raise ClubError(f"{_called(table, name)} is {other!r} already; part it first.")

    def part(self, table: str, name: str) -> None:
        with self._engine.begin() as connection:
            is_it = (ACCOUNT_NAME.c.table_name == table) & (ACCOUNT_NAME.c.name == name)
            if not connection.execute(delete(ACCOUNT_NAME).where(is_it)).rowcount:
                raise ClubError(f"{_called(table, name)} is joined to nobody.")


def must_be_a_name(name: str) -> None:
    if not 0 < len(name) <= LONGEST or not name.isprintable() or name != name.strip():
        raise ClubError(f"{name[:LONGEST]!r} is no name here: 1 to {LONGEST} letters, none of them unprintable.")


def account_named(connection: Connection, name: str) -> int:
    found = connection.execute(select(ACCOUNT.c.account).where(ACCOUNT.c.name == name)).scalar()
    if found is None:
        raise ClubError(f"There is no player {name[:LONGEST]!r}; `companion board player list` tells who is there.")
    return int(found)


def _called(table: str, name: str) -> str:
    return f"{name[:LONGEST]!r} of {'every table' if table == EVERY_TABLE else table}"
