"""Whatever matches tell is its text in the catalogue with its facts, in seven languages, whoever plays."""

import pickle
from collections.abc import Iterator

from companion.rules import Turn
from companion.sentence import Both, Sentence, in_turn
from tests.telling import FILES, english, of_earlier, of_files, wrong

NAMES = (
    *("nobody", "Anna, Ben", "the deck", "Anna: no", "a, b", "The table", "red", "Start", "{player}", "Nobody"),
    *("🐕", "شهرزاد", "נעמה (2)", "x" * 60, "deal", "reverse", "blue-circle-2", "and", "The round is over."),
)
IN_TURN = [FILES[at::6] for at in range(6)]  # so that every game has several names


def test_recorded_matches_are_told_by_the_catalogues() -> None:
    assert list(wrong(of_files())) == []


def test_earlier_matches_are_told_by_the_catalogues() -> None:
    assert list(wrong(of_earlier(every=6))) == []


def test_players_may_be_called_anything() -> None:
    """A name is said as it is, and taken for nothing else."""
    assert list(wrong(_oddly_named())) == []


def _oddly_named() -> Iterator[Sentence]:
    for at, files in enumerate(IN_TURN):
        yield from of_files(files, (*NAMES[at * 3 :], *NAMES)[:9])


def test_an_english_word_is_noticed() -> None:
    assert english("de", "Auf das Feld passt: nothing.") == ["nothing"]
    assert list(wrong([Sentence("{player} waves at {whom}.", player="Anna", whom="Ben")], ["de"]))


def test_a_sentence_is_the_string_that_it_looks_like() -> None:
    turn = Turn("Anna").sentence
    assert turn == "It is Anna's turn." == str(turn)
    assert isinstance(str(turn), Sentence)
    again = pickle.loads(pickle.dumps(turn))
    assert (again, again.text, again.facts) == (turn, turn.text, turn.facts)


def test_several_sentences_are_one() -> None:
    both = in_turn(Turn("Anna").sentence, "The match is paused.")
    assert both == "It is Anna's turn. The match is paused."
    assert list(wrong([both])) == []


def test_both_are_said_with_a_word_between() -> None:
    assert (
        Sentence("{corners} are missing.", corners=Both(("one", "two", "three"))) == "one, two and three are missing."
    )
