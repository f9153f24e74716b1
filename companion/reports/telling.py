"""How a match is told in a language: its rulings in sentences, times, scores, and how it ended. Cards by their names.

Of a match that is still running nothing is told that players may not look up.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from companion.core.correction import Done
from companion.core.match import Match
from companion.core.rules import Foul, Move, Ruling
from companion.reports import ending
from companion.words import Words, labels

BELOW = " " * 17  # under what a line says


@dataclass(frozen=True, slots=True)
class Telling:
    words: Words = field(default_factory=Words)
    is_over: bool = True

    def say(self, text: str, **values: object) -> str:
        return self.words.say(text, **values)

    def sentences(self, move: Move, ruling: Ruling) -> Iterator[str]:
        """What a ruling said; at least what the move was."""
        sentence = self.words.sentence if self.is_over else self.words.open_sentence
        said = [sentence(event) for event in ruling.events if event.text]
        yield from said or [f"{move.player or self.say(labels.TABLE)}: {self.say(move.doing or move.word)}."]

    def quoted(self, done: Done | None) -> str:
        return f'"{" ".join(self.sentences(done.move, done.ruling))}"' if done else ""

    def heard(self, sentences: Iterable[str]) -> str:
        """The same of what was put together elsewhere."""
        return f'"{" ".join(map(self.words.heard, sentences))}"'

    def scores(self, scores: Mapping[str, int]) -> str:
        return ", ".join(f"{name} {score}" for name, score in scores.items())

    def ruling_line(self, number: int, move: Move, ruling: Ruling) -> str:
        """A ruling in one line: number, time, what happened."""
        return f"{number:4}  {self.words.time(move.at):>9}  {' '.join(self.sentences(move, ruling))}"

    def foul_line(self, at: int, foul: Foul) -> str:
        return f"   ✗  {self.words.time(at):>9}  {self.words.sentence(foul)}"

    def how_it_ended(self, match: Match) -> str:
        if match.outcome is not None:
            return " ".join((ending.headline(self.words, match), *ending.reasons(self.words, match)))
        if match.abandoned:
            said = self.say(labels.ABANDONED_THEN), self.words.heard(match.abandoned.why)
            return " ".join(" ".join(said).split())
        return self.say(labels.STILL_RUNNING)


def telling_of(match: Match, words: Words) -> Telling:
    return Telling(words, not match.is_running)
