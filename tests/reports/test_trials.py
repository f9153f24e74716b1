"""Best times: like with like, what the referee saw apart from what it was told, and those of before."""

import lzma
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from companion.core.clocks import SECOND
from companion.core.match import Match, set_up
from companion.core.referee import Referee
from companion.core.rules import Move
from companion.games.threepia import fields
from companion.games.threepia.rules import GAME, Begin, Deal, DeckEmpty, Draw, House, Lay
from companion.games.threepia.trials import Course
from companion.journal import Journal
from companion.reports.trials import best, course_of, courses, trial_of, trials, with_this
from companion.words import Words
from tests.matches.earlier import FOLDER

CARD = "circle-red square-blue square-blue circle-red"
OTHER = "cross-green cross-green cross-green cross-green"
SEEN = Deal("", field=(CARD,) * 4, hand=(CARD, CARD, OTHER))


@pytest.fixture
def journal(tmp_path: Path) -> Any:
    with Journal.open(tmp_path / "journal.sqlite3") as opened:
        yield opened


def runs(journal: Journal, seconds: float, *moves: Move, deal: Deal = Deal(""), deck: int = 8, **house: Any) -> Match:  # noqa: B008
    """A run of Anna's, whose last move is so many seconds after the first."""
    setup = set_up(GAME, ("Anna",), House(way="time-trial", deck=deck, **house))
    referee = Referee.begin(setup, 0, journal)
    for move in (deal, Begin("Anna"), *moves[:-1]):
        referee.make(move, 0)
    referee.make(moves[-1], round(seconds * SECOND))
    assert referee.match.outcome is not None
    return referee.match


def own(found: Iterable[object]) -> list[Course]:
    """Courses of this game."""
    runs = [course for course in found if isinstance(course, Course)]
    assert runs
    return runs


OUT = (Lay("Anna"),) * 4  # of eight cards: four lie, three are in hand, one is drawn
LEFT = (Lay("Anna"), Draw("Anna"), Draw("Anna"))  # three of them are left


def test_fewest_cards_left_come_first_and_then_the_time(journal: Journal) -> None:
    for seconds, moves in ((9, OUT), (2, LEFT), (7, OUT), (1, LEFT)):
        runs(journal, seconds, *moves)
    found = trials(journal)
    (course,) = courses(found)
    assert [(run.left, run.time // SECOND) for run in best(found, course)] == [(0, 7), (0, 9), (3, 1), (3, 2)]
    assert len(best(found, course, 2)) == 2


@pytest.mark.parametrize(
    "house",
    [{"field": fields.field("x"), "deck": 9}, {"rotate": False}, {"triangle_fits": False}, {"deck": 9}],
    ids=str,
)
def test_like_is_compared_with_like(journal: Journal, house: dict[str, Any]) -> None:
    runs(journal, 5, *OUT)
    cards = house.get("deck", 8) - len(house.get("field", House().field).places)
    runs(journal, 3, *(Lay("Anna"),) * cards, **house)
    found = trials(journal)
    assert [[run.time // SECOND for run in best(found, course)] for course in courses(found)] == [[3], [5]]


def test_what_does_not_matter_for_a_run_does_not_part_them(journal: Journal) -> None:
    runs(journal, 5, *OUT)
    runs(journal, 3, *OUT, target=30, axis_bonus=3)
    assert len(courses(trials(journal))) == 1


def test_a_deck_that_was_said_to_be_used_up_early_is_another_deck(journal: Journal) -> None:
    runs(journal, 5, *OUT)
    runs(journal, 3, DeckEmpty("Anna"), *(Lay("Anna"),) * 3)
    assert [course.cards for course in own(courses(trials(journal)))] == [7, 8]


def test_what_the_referee_saw_is_apart_from_what_it_was_told(journal: Journal) -> None:
    lays = Lay("Anna", "A", CARD), Lay("Anna", "B", CARD)
    seen = runs(journal, 5, *lays, Draw("Anna", drawn=(OTHER,)), deal=SEEN)
    runs(journal, 3, *LEFT)
    found = trials(journal)
    assert [(course.on_word, best(found, course)[0].left) for course in own(courses(found))] == [(True, 3), (False, 2)]
    assert course_of("threepia", seen.state) == courses(found)[1]
    assert courses(found)[0].said(Words()) == "Square · 8 cards · on your word"


def test_a_run_with_a_draw_that_was_not_needed_is_none(journal: Journal) -> None:
    match = runs(journal, 5, Draw("Anna", drawn=(OTHER,)), Lay("Anna", "A", CARD), Lay("Anna", "B", CARD), deal=SEEN)
    assert match.state.needless == 1
    assert trials(journal) == ()
    assert trial_of("threepia", match.state) is None


def test_a_run_is_known_before_it_is_kept(journal: Journal) -> None:
    match = runs(journal, 5, *OUT)
    mine = trial_of("threepia", match.state)
    assert mine is not None
    assert with_this((), mine) == (mine,)
    assert with_this(trials(journal), mine) == trials(journal)
    assert with_this(trials(journal), None) == trials(journal)


def test_a_run_that_is_undone_is_no_best_time(journal: Journal) -> None:
    setup = set_up(GAME, ("Anna",), House(way="time-trial", deck=8))
    referee = Referee.begin(setup, 0, journal)
    for move in (Deal(""), Begin("Anna"), *OUT):
        referee.make(move, 0)
    assert len(trials(journal)) == 1
    referee.undo(0)
    assert trials(journal) == ()


def test_best_times_from_before_can_be_read_and_are_apart(tmp_path: Path) -> None:
    for packed in FOLDER.glob("*.sqlite3.xz"):
        path = tmp_path / packed.stem
        path.write_bytes(lzma.decompress(packed.read_bytes()))
        with Journal.open(path) as journal:
            found = trials(journal)
            runs(journal, 5, *OUT, deck=8)
            assert found
            assert not any(run.left for run in found)
            assert all(course.ends_with_deck and course.on_word for course in own(run.course for run in found))
            assert courses(trials(journal))[0] == Course(House().field, 8, True, True, "2x2", False, on_word=True)  # noqa: FBT003
            times = [run.time for run in best(found, found[0].course)]
            assert times == sorted(times)
            assert "ended with the deck" in found[0].course.said(Words())
