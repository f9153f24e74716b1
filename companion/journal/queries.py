"""What can be asked of a journal. Nothing is changed by asking."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from companion.core.codec import parsed
from companion.core.errors import CompanionError, JournalError
from companion.core.record import read_entry, read_setup
from companion.core.sentence import N_, Sentence
from companion.games import game as game_named
from companion.journal.chain import BEGINNING, broken, link
from companion.journal.file import File
from companion.journal.keeper import LAST, KeptFoul
from companion.journal.records import Best, KeptTrial, Stored, Summary
from companion.journal.rows import is_sound

RUNNING = "running"
MOST_ASKED = 500  # matches of which the seats are asked in one go
LAST_OF_ALL = "\U0010ffff"  # no code goes on with it
CANNOT_BE_READ = N_("{path}: match {match} cannot be read: {broken}; open it anew.")


def batched(rows: list[Any], most: int) -> Iterator[list[Any]]:
    return (rows[at : at + most] for at in range(0, len(rows), most))


class Queries:
    """Asks the file of a journal."""

    def __init__(self, path: Path, file: File) -> None:
        self.path = path
        self._file = file

    def stored(self, code: str = "", game: str = "") -> Stored:
        """A match by its code or the beginning of it; without one, the newest (of a game) that is still running."""
        row, full, began, time = self._row(code, game)
        found = [
            (kind, body, kept)
            for *_, kind, body, _, kept in self._rows(
                "entry", "WHERE id >= ? AND id < ? ORDER BY id", row << 32, row + 1 << 32
            )
        ]
        chain = BEGINNING
        for number, (*one, kept) in enumerate(found):
            chain = link(chain, number, *one)
            if kept not in (None, chain):
                self._file.suspect()
                raise JournalError(Sentence(CANNOT_BE_READ, path=self.path, match=full, broken=broken(number)))
        try:
            setup = read_setup(parsed(found[0][1]))
            playing = game_named(setup.game)
            entries = tuple(read_entry(playing, kind, parsed(body)) for kind, body, _ in found[1:])
        except (CompanionError, IndexError) as error:
            text, why = N_("{path}: match {match} cannot be read: {why}"), getattr(error, "sentence", str(error))
            raise JournalError(Sentence(text, path=self.path, match=full, why=why)) from None
        return Stored(setup, entries, time, row, began, chain)

    def _rows(self, table: str, which: str, *values: Any) -> list[Any]:
        """Rows of a table as they were written."""
        return self._sound(table, self._file.ask(f"SELECT * FROM {table} {which}", *values))

    def _sound(self, table: str, rows: list[Any]) -> list[Any]:
        """As long as nobody has read all of the file, what is read must be what was written."""
        if not self._file.is_proven and not all(is_sound(table, row) for row in rows):
            self._file.suspect()
            why = Sentence("a row of its table {table} is not what was written", table=table)
            raise JournalError(Sentence("The journal {path} cannot be read: {why}.", path=self.path, why=why))
        return rows

    def _row(self, code: str, game: str = "") -> tuple[int, str, str, int]:
        if not code:
            found = self._file.ask(
                "SELECT id, code, began, time FROM match WHERE status = 'running' AND (game = ? OR "
                "? = '') ORDER BY id DESC LIMIT 1",
                game,
                game,
            )
            if not found:
                of_game = f" of {game_named(game).title}" if game else ""
                raise JournalError(f"{self.path}: there is no match{of_game} to go on with.")
        else:
            found = self._file.ask(
                "SELECT id, code, began, time FROM match WHERE code BETWEEN ? AND ? AND substr(code, 1, ?) = ?",
                *(code, code + LAST_OF_ALL, len(code), code),  # the first two by the index
            )
            if len(found) != 1:
                many = "more than one match begins" if found else "no match begins"
                raise JournalError(f"{self.path}: {many} with {code[:40]!r}; `companion matches` lists them.")
        row, full, began, time = found[0]
        return int(row), str(full), str(began), int(time)

    def matches(self, game: str = "", *, status: str = "", most: int = -1, skip: int = 0) -> list[Summary]:
        """All matches, newest first; or so many of them, after the first `skip`."""
        only_running = "status = 'running' AND " if status == RUNNING else ""  # which has an index
        rows = self._rows(
            "match",
            f"WHERE {only_running}? IN (status, '') AND ? IN (game, '') ORDER BY id DESC LIMIT ? OFFSET ?",
            *(status, game, most, skip),
        )
        return [one for some in batched(rows, MOST_ASKED) for one in self._summaries(some)]

    def how_many(self) -> int:
        """Matches of any kind: they are numbered, and none ever goes."""
        return int(self._file.ask("SELECT coalesce(max(id), 0) FROM match")[0][0])

    def summary(self, code: str) -> Summary:
        """One match in a line."""
        row = self._row(code)[0]
        return self._summaries(self._rows("match", "WHERE id = ?", row))[0]

    def finished(self) -> list[tuple[str, int]]:
        """The matches that were played to their end, oldest first, and how many entries each has."""
        return self._file.ask(
            f"SELECT code, {LAST.replace('?', 'match.id')} FROM match WHERE status = 'over' ORDER BY match.id"
        )

    def refusals(self) -> list[tuple[str, str, int]]:
        """How many moves of each player were refused in matches that were played to their end: game, player, number."""
        return self._file.ask(
            "SELECT game, player, count(*) FROM foul JOIN match ON match.id = foul.match "
            "WHERE status = 'over' AND player != '' GROUP BY game, player"
        )

    def _summaries(self, rows: list[Any]) -> list[Summary]:
        which = [row[0] for row in rows]
        seats, results = (self._by_match(table, which) for table in ("seat", "result"))
        return [self._summary(row, seats[row[0]], results[row[0]]) for row in rows]

    def _by_match(self, table: str, matches: list[int]) -> dict[int, list[Any]]:
        found: dict[int, list[Any]] = {match: [] for match in matches}
        places = ", ".join("?" * len(matches))
        for row in self._rows(table, f"WHERE match IN ({places}) ORDER BY match, seat", *matches):
            found[row[0]].append(row)
        return found

    def _summary(self, match: Any, seats: list[Any], results: list[Any]) -> Summary:
        row, code, game, began, _, status, reason, time, *_ = match
        names = {seat: name for _, seat, name, *_ in seats}
        scores = tuple(score for _, _, score, *_ in results)
        winners = tuple(names[seat] for _, seat, _, won, _ in results if won and seat in names)
        entries = self._file.ask(f"SELECT {LAST}", row)[0][0]
        return Summary(code, game, began, status, reason, tuple(names.values()), scores, winners, entries, time)

    def most_wins(self, game: str = "") -> list[Best]:
        """Players by matches won; a shared win is a win."""
        return self._best(
            "SELECT name, sum(won), count(*), '', '' FROM result JOIN seat USING (match, seat) JOIN match ON "
            "match.id = result.match WHERE game = ? OR ? = '' GROUP BY name ORDER BY 2 DESC, 3, 1",
            game,
            game,
        )

    def time_trials(self) -> list[KeptTrial]:
        """The time trials of Threepia that count, newest first."""
        rows = self._file.ask(
            "SELECT run.name, run.value, left_.value, cards.value, word.value, code, began, body FROM fact AS run "
            "JOIN match ON match.id = run.match JOIN entry ON entry.id = run.match << 32 "
            "LEFT JOIN fact AS left_ ON left_.match = run.match AND left_.kind = 'trial-left' "
            "LEFT JOIN fact AS cards ON cards.match = run.match AND cards.kind = 'trial-cards' "
            "LEFT JOIN fact AS word ON word.match = run.match AND word.kind = 'trial-word' "
            "WHERE run.kind = 'time-trial' ORDER BY run.id DESC"
        )
        return [KeptTrial(*row) for row in rows]

    def longest_rounds(self, most: int = 10) -> list[Best]:
        """The longest rounds of Triple³, in nanoseconds."""
        return self._best(
            "SELECT name, value, 1, code, began FROM fact JOIN match ON match.id = fact.match "
            "WHERE kind = 'round' ORDER BY value DESC, fact.id LIMIT ?",
            most,
        )

    def fouls(self, code: str) -> list[tuple[int, str, str]]:
        """The refused moves of a match: the entry each came after, who, and the sentence."""
        row = self._row(code)[0]
        return self._file.ask("SELECT after, player, sentence FROM foul WHERE match = ? ORDER BY id", row)

    def refused(self, code: str) -> tuple[KeptFoul, ...]:
        """The same with the moves."""
        row = self._row(code)[0]
        ask = "SELECT after, code, player, sentence, body FROM foul WHERE match = ? ORDER BY id"
        return tuple(KeptFoul(*kept) for kept in self._file.ask(ask, row))

    def _best(self, query: str, *values: Any) -> list[Best]:
        return [Best(*row) for row in self._file.ask(query, *values)]
