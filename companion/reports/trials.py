"""Time trials of Threepia: the runs that a journal keeps, and which of them can be compared.

Like is compared with like: the same field, as many cards, the same rules of what fits. A run that the referee has seen
whole and one on the player's word are in different lists, and so are those from before, which ended with the deck.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from companion.codec import parsed, written
from companion.exc import CompanionError
from companion.games import threepia
from companion.games.threepia import Field, House, State
from companion.house import house_as_kept
from companion.journal import Journal, KeptTrial
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


@dataclass(frozen=True, slots=True)
class Trial:
    """A run; with how many cards left is 0 where nobody kept it."""

    name: str
    time: int  # nanoseconds
    left: int
    course: Course
    code: str = ""
    began: str = ""

    def is_same(self, other: "Trial") -> bool:
        """As far as can be told of one that is not kept yet."""
        return (self.name, self.time, self.left, self.course) == (other.name, other.time, other.left, other.course)


def trials(journal: Journal) -> tuple[Trial, ...]:
    """Every run that counts, newest first."""
    found = []
    for kept in journal.time_trials():
        try:
            found.append(_trial(kept))
        except CompanionError:  # a set-up that this companion cannot read
            continue
    return tuple(found)


def _trial(kept: KeptTrial) -> Trial:
    house = _house(written(parsed(kept.setup)["house"]))
    cards = house.deck if kept.cards is None else kept.cards
    course = _course(house, cards, on_word=kept.on_word is None or bool(kept.on_word))
    return Trial(kept.name, kept.time, kept.left or 0, course, kept.code, kept.began)


@lru_cache(maxsize=64)
def _house(text: str) -> House:
    found: House = house_as_kept(threepia.GAME, parsed(text))
    return found


def _course(house: House, cards: int, *, on_word: bool) -> Course:
    return Course(
        house.field, cards, house.rotate, house.triangle_fits, house.card, house.trial_ends_with_deck, on_word=on_word
    )


def course_of(state: State) -> Course:
    """What a run that is being made, or is over, is compared by."""
    on_word = state.house.trial_ends_with_deck or threepia.is_on_word(state)
    return _course(state.house, threepia.cards_played(state), on_word=on_word)


def trial_of(state: State) -> Trial | None:
    """The run of a match that is over, if it counts."""
    facts = {fact.kind: fact for fact in threepia.facts(state)}
    if "time-trial" not in facts:
        return None
    left = facts["trial-left"].value if "trial-left" in facts else 0
    return Trial(facts["time-trial"].player, facts["time-trial"].value, left, course_of(state))


def best(found: Iterable[Trial], course: Course, most: int = 8) -> tuple[Trial, ...]:
    """The best of a course: fewest cards left, then quickest."""
    alike = (trial for trial in found if trial.course == course)
    return tuple(sorted(alike, key=lambda trial: (trial.left, trial.time))[:most])


def with_this(found: tuple[Trial, ...], trial: Trial | None) -> tuple[Trial, ...]:
    """Those that are kept, and one that may not be kept yet."""
    return found if trial is None or any(map(trial.is_same, found)) else (trial, *found)


def courses(found: Iterable[Trial]) -> tuple[Course, ...]:
    """What has been run, newest first."""
    return tuple(dict.fromkeys(trial.course for trial in found))


def course_said(words: Words, course: Course) -> str:
    """What runs are compared by, in a line."""
    said = [words.choice(course.field), words.say(labels.CARDS_COUNT, count=course.cards)]
    said += [words.say(labels.NOT_TURNED)] * (not course.rotate)
    said += [words.say(labels.STRICT_TRIANGLES)] * (not course.triangle_fits)
    said += [words.say(labels.ENDED_WITH_DECK)] * course.ends_with_deck
    said += [words.say(labels.ON_YOUR_WORD)] * course.on_word
    return " · ".join(said)
