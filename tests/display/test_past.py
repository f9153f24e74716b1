"""What the journal knows that helps to begin; nothing in it can keep people from beginning."""

from pathlib import Path

import pytest

from companion.core.clocks import SECOND
from companion.core.errors import JournalError
from companion.core.match import set_up
from companion.core.referee import Referee
from companion.display.library import Library
from companion.display.past import LOOKED_AT, UNFINISHED, draft_for, is_new, next_name, past
from companion.display.view import Past
from companion.games import game as game_named
from companion.games.threepia import rules as threepia
from companion.games.triplexity import rules as triplexity
from companion.journal import Journal
from companion.words import LANGUAGES, Words, labels

NEW = Words()
MANY = 5 * LOOKED_AT + 1  # more matches than are looked at to begin


def played(journal: Journal, game: str, *names: str, over: bool = True) -> None:
    playing = game_named(game)
    referee = Referee.begin(set_up(playing, names, playing.house()), 0, journal)
    referee.make(triplexity.Put("Anna", "left") if game == "triplexity" else threepia.Deal(""), 0)
    if over:
        referee.abandon(SECOND)
    else:
        referee.pause(SECOND)


def set_up_only(journal: Journal, game: str) -> Referee:
    playing = game_named(game)
    return Referee.begin(set_up(playing, ("Anna", "Ben"), playing.house()), 0, journal)


def test_nothing_is_known_without_a_journal() -> None:
    assert past(None) == Past()


def test_the_newest_set_up_of_each_game(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal") as journal:
        played(journal, "threepia", "Anna", "Ben")
        played(journal, "threepia", "Clara", "Dario", "Elif")
        played(journal, "triplexity", "Anna", "Elif")
        known = past(journal)
    assert [(draft.game, draft.names) for draft in known.last] == [
        ("triplexity", ("Anna", "Elif")),
        ("threepia", ("Clara", "Dario", "Elif")),
    ]
    assert known.names == ("Anna", "Elif", "Clara", "Dario", "Ben")
    assert known.unfinished == ()


def offered(journal: Journal) -> tuple[str, ...]:
    """The games that are offered to be gone on with, in that order."""
    return tuple(found.game for found in past(journal).unfinished)


@pytest.mark.parametrize("ends", ["killed", "ended in order", "left and come back to", "given up"])
def test_a_match_in_which_nothing_was_moved_hides_none_however_it_ended(ends: str, tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal") as journal:
        played(journal, "threepia", "Anna", "Ben", over=False)
        only = set_up_only(journal, "tres")
        if ends == "given up":
            only.abandon(SECOND)
        elif ends != "killed":
            only.pause(SECOND)
        if ends == "left and come back to":
            only.resume(2 * SECOND)
        assert offered(journal) == ("threepia",)


@pytest.mark.parametrize("is_paused", [False, True])
def test_where_there_is_no_other_it_is_gone_on_with_itself(tmp_path: Path, *, is_paused: bool) -> None:
    with Journal.open(tmp_path / "journal") as journal:
        only = set_up_only(journal, "tres")
        if is_paused:
            only.pause(SECOND)
        assert offered(journal) == ("tres",)
        played(journal, "triplexity", "Anna", "Ben")
        assert offered(journal) == (), "it was left for that one"
        set_up_only(journal, "threepia")
        assert offered(journal) == ("threepia",)


def test_no_match_that_was_begun_is_ever_lost_from_view(tmp_path: Path) -> None:
    """Neither by a newer one that is not over, nor by newer ones that are, however many."""
    with Journal.open(tmp_path / "journal") as journal:
        played(journal, "threepia", "Anna", "Ben", over=False)
        for _ in range(MANY):
            played(journal, "triplexity", "Anna", "Ben")
        assert offered(journal) == ("threepia",)
        played(journal, "threepia", "Clara", "Dario", over=False)
        set_up_only(journal, "tres")
        assert [found.players for found in past(journal).unfinished] == [("Clara", "Dario"), ("Anna", "Ben")]
        library = Library(journal)
        shelf = library.shelf("history", UNFINISHED, {})
        assert (shelf.count, [one.players for one in shelf.matches]) == (2, [("Clara", "Dario"), ("Anna", "Ben")])
        assert library.shelf("history", UNFINISHED, {"first": 1}).matches == shelf.matches[1:]


def test_a_journal_that_cannot_be_read_is_no_past(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise JournalError("The journal is damaged.")

    with Journal.open(tmp_path / "journal") as journal:
        played(journal, "threepia", "Anna", "Ben")
        monkeypatch.setattr(Journal, "stored", fail)
        assert past(journal).last == ()
        assert past(journal).names == ("Anna", "Ben")
        monkeypatch.setattr(Journal, "matches", fail)
        assert past(journal) == Past()


def test_new_people_where_nobody_has_played() -> None:
    draft = draft_for("threepia", Past(), NEW)
    assert draft.names == ("Player 1", "Player 2")
    assert draft.house == threepia.House()


def test_as_many_people_as_the_game_takes() -> None:
    known = Past(last=(draft_for("threepia", Past(), NEW).with_one_more("Clara"),))
    assert draft_for("triplexity", known, NEW).names == ("Player 1", "Player 2")
    assert draft_for("tres", known, NEW).names == ("Player 1", "Player 2", "Clara")


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_gets_the_name_of_a_seat_that_is_not_theirs(language: str) -> None:
    words = Words(language)
    names = list(draft_for("tres", Past(), words).names)
    names[:2] = ["Anna", "Ben"]
    for seat in range(3, 9):
        names.append(next_name(words, names))
        assert names[-1] == words.say(labels.PLAYER_NUMBER, number=seat)
    assert next_name(words, ["Anna", names[2]]) == words.say(labels.PLAYER_NUMBER, number=4), "3 is taken"
    assert all(map(is_new, names[2:]))


def test_a_name_that_nobody_chose_is_not_remembered(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal") as journal:
        played(journal, "triplexity", "Anna", "Spieler 2")
        assert past(journal).names == ("Anna",)


def test_somebody_who_takes_a_colour_gives_the_own_one_for_it() -> None:
    draft = draft_for("threepia", Past(), NEW)
    anna, ben = draft.players
    changed = draft.with_player(0, type(anna)("Anna", ben.colour))
    assert [player.colour for player in changed.players] == [ben.colour, anna.colour]


def test_what_only_matches_from_before_have_is_not_proposed_again(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal") as journal:
        house = triplexity.House(points=30, rounds_too=True)
        Referee.begin(set_up(triplexity.GAME, ("Anna", "Ben"), house), 0, journal)
        (draft,) = past(journal).last
    assert draft.house == triplexity.House(points=30)
