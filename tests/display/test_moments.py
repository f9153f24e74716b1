"""Which moments of a match are decisive, and their pictures."""

from pathlib import Path

import pygame
import pytest

from companion.core.errors import CompanionError
from companion.core.match import Match
from companion.core.rules import Event, Foul
from companion.display.moments import KINDS, decisive, moments, save_moments
from companion.display.view import Prefs
from companion.games import NAMES, game
from companion.reports.statistics import tallies_of
from simulator.playing import play_out, seated


def played(name: str, seed: int = 3) -> tuple[Match, list[tuple[int, Foul]]]:
    playing = game(name)
    match, fouls = Match(seated(playing, playing.house())), []
    for _, told in play_out(match, seed):
        if isinstance(told, Foul):
            fouls.append((len(match.line), told))
    return match, fouls


@pytest.mark.parametrize("name", NAMES)
def test_the_last_moment_is_how_it_ended(name: str) -> None:
    match, fouls = played(name)
    found = moments(match, fouls, most=6)
    assert 2 <= len(found) <= 6
    assert [one.number for one in found] == sorted(one.number for one in found)
    assert (found[-1].name, found[-1].number) == ("result", len(match.line))
    assert found[-1].view((800, 480)).screen == "result"
    assert {one.view((800, 480)).screen for one in found[:-1]} == {"table"}
    assert all(one.sentence for one in found)


def test_a_strike_is_seen_as_it_was() -> None:
    match, _ = played("three")
    strike = next(one for one in moments(match, most=50) if one.name == "photo-finish")
    assert strike.seen.state.phase == "struck"
    assert strike.seen.state == match.line[strike.number - 1].ruling.state
    assert "before" in strike.sentence


def test_a_foul_is_told_in_the_language_of_the_screen() -> None:
    match, fouls = played("tres")
    foul = next(one for one in moments(match, fouls) if one.foul is not None)
    english, german = (foul.view((800, 480), Prefs(language=language)).notice for language in ("en", "de"))
    assert english is not None
    assert german is not None
    assert english.sentence == foul.sentence
    assert german.sentence != foul.sentence


def test_of_each_kind_there_is_one_before_there_are_many_of_another() -> None:
    match, fouls = played("three")
    everything = moments(match, fouls, most=1000)
    few = decisive(everything, 5)
    assert len({one.name for one in few}) >= 4
    assert len(everything) > 12


def test_a_match_that_has_just_begun_has_none() -> None:
    playing = game("tres")
    assert moments(Match(seated(playing, playing.house()))) == []


def test_what_decides_is_called_as_the_games_call_it() -> None:
    known = {kind.word for kind in _all(Event)}
    for name in NAMES:
        assert {*KINDS, *tallies_of(name).moments} <= known
        assert set(tallies_of(name).moments) <= {kind.word for kind in game(name).events}


def _all(kind: type[Event]) -> set[type[Event]]:
    for name in NAMES:
        game(name)
    return {kind, *(one for sub in kind.__subclasses__() for one in _all(sub))}


def test_pictures_are_saved_in_their_order(tmp_path: Path) -> None:
    match, fouls = played("triplexity")
    found = moments(match, fouls, most=4)
    saved = save_moments(found, tmp_path / "new" / "folder", size=(480, 320))
    assert [file.name for file in saved] == [f"{at:02}-{one.name}.png" for at, one in enumerate(found, 1)]
    assert {pygame.image.load(file).get_size() for file in saved} == {(480, 320)}


def test_a_folder_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(CompanionError, match=r"cannot be kept in .*: Not a directory\."):
        save_moments([], tmp_path / "file" / "folder")
