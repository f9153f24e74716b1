"""Time trials of Threepia: the same field, as many cards, the same rules of what fits.

A run that the referee has seen whole and one on the player's word are in different lists, and so are those from
before, which ended with the deck.
"""

from dataclasses import dataclass
from functools import lru_cache

from companion.core.codec import parsed, written
from companion.core.house import house_as_kept
from companion.games.threepia import rules as threepia
from companion.games.threepia import words as own
from companion.games.threepia.rules import Field, House, State
from companion.journal import KeptTrial
from companion.reports.trials import GameTrials
from companion.words import Words, labels


@dataclass(frozen=True, slots=True)
class Course:
    """What two runs have in common that can be compared."""

    field: Field
    cards: int  # in all
    rotate: bool
    triangle_fits: bool
    card: str
    ends_with_deck: bool
    on_word: bool

    def told(self) -> tuple[tuple[str, dict[str, int]], ...]:
        named = {
            own.NOT_TURNED: not self.rotate,
            own.STRICT_TRIANGLES: not self.triangle_fits,
            own.ENDED_WITH_DECK: self.ends_with_deck,
            own.ON_YOUR_WORD: self.on_word,
        }
        told = [text for text, is_so in named.items() if is_so]
        return (self.field.name, {}), (labels.CARDS_COUNT, {"count": self.cards}), *((text, {}) for text in told)

    def said(self, words: Words) -> str:
        return " · ".join(words.say(text, **numbers) for text, numbers in self.told())


def _kept(kept: KeptTrial) -> Course:
    house = _house(written(parsed(kept.setup)["house"]))
    cards = house.deck if kept.cards is None else kept.cards
    return _course(house, cards, on_word=kept.on_word is None or bool(kept.on_word))


@lru_cache(maxsize=64)
def _house(text: str) -> House:
    found: House = house_as_kept(threepia.GAME, parsed(text))
    return found


def _course(house: House, cards: int, *, on_word: bool) -> Course:
    return Course(
        house.field, cards, house.rotate, house.triangle_fits, house.card, house.trial_ends_with_deck, on_word=on_word
    )


def course_of(state: State) -> Course:
    on_word = state.house.trial_ends_with_deck or threepia.is_on_word(state)
    return _course(state.house, threepia.cards_played(state), on_word=on_word)


TRIALS = GameTrials(lambda house: house.way == "time-trial", course_of, _kept)
