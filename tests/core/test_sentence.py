"""Whatever matches tell is its text in the catalogue with its facts, in seven languages, whoever plays."""

import json
import pickle
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from companion.core.codec import made_of
from companion.core.errors import JournalError
from companion.core.rules import Place, Turn
from companion.core.sentence import Both, Sentence, in_turn
from companion.games.three.rules import Released
from companion.journal.file import not_opened, reason
from companion.words import Words
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


def test_whatever_a_fact_is_json_can_write_it() -> None:
    facts = {"path": Path("/there"), "error": OSError("no"), "cells": (1, None), "place": Place("bank", "Ann")}
    text, told = made_of(Sentence("{path} {error} {cells} {place}", **facts))
    again = json.loads(json.dumps(told))
    assert again == {"path": "/there", "error": "no", "cells": [1, None], "place": {"kind": "bank", "of": "Ann"}}
    assert text == "{path} {error} {cells} {place}"


def test_where_nobody_s_name_stands_it_is_not_called_nobody() -> None:
    unknown = Released("", 1).sentence
    assert unknown == "No call from nobody; the token is free again."  # as earlier matches fold to it
    assert Words("en").heard(unknown) == "No call; the token is free again."
    assert Words("es").heard(unknown) == "Nadie acusa; la ficha vuelve a estar libre."
    known = Words("de").heard(Released("nobody", 1).sentence)
    assert known == "Keine Beschuldigung von nobody; die Marke ist wieder frei."


def test_what_is_wrong_with_a_journal_is_told_in_every_language() -> None:
    told = JournalError(not_opened(Path("/there"), OSError(28, "No space left on device"))).sentence
    assert told == "The journal /there cannot be opened: no space left on device."
    assert Words("de").heard(told) == "Das Protokoll /there lässt sich nicht öffnen: der Datenträger ist voll."
    locked = reason(sqlite3.OperationalError("database is locked"))
    assert locked == "database is locked; close the other program that uses it"
    assert Words("de").heard(locked) == "das Protokoll ist gesperrt; schließt das andere Programm, das es benutzt"
