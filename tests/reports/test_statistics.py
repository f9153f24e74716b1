"""What is counted of players: by hand on small matches, and against counts made in another way on matches of bots."""

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.entry import Entry, Made, Redone, Undone
from companion.core.match import Match, Setup, set_up
from companion.core.photo_finish import Arrival, Finish, How
from companion.core.rules import Foul, Move
from companion.games import NAMES
from companion.games import game as game_named
from companion.games.three import rules as three
from companion.games.threepia import rules as threepia
from companion.games.tres import rules as tres
from companion.games.triple3 import rules as triple3
from companion.journal import Journal, Stored
from companion.reports.statistics import Tally, in_all, tallied, together, with_refusals
from companion.reports.tally_cache import Counted, beside
from simulator.playing import play_out, seated


def match_of(game: str, *names: str, **house: Any) -> Match:
    playing = game_named(game)
    return Match(set_up(playing, names, playing.house(**house)))


def played(game: str, seed: int, **house: Any) -> Match:
    playing = game_named(game)
    match = Match(seated(playing, playing.house(**house)))
    for _ in play_out(match, seed):
        pass
    return match


def by_player(tallies: tuple[Tally, ...]) -> dict[str, Tally]:
    return {tally.player: tally for tally in tallies}


def strike(names: tuple[str, ...], gap: int) -> three.Strike:
    order = tuple(Arrival(name, How.STAMPED, at, at) for name, at in zip(names, (0, gap), strict=False))
    return three.Strike(names[0], (), Finish(order, 50_000, ()))


# --- by hand ---------------------------------------------------------------------------------------------------


def test_strikes_and_calls_of_three_counted_by_hand() -> None:
    """Two of each dog: the deck is soon played, and the last round ends it."""
    match = match_of("three", "Anna", "Ben", dogs=three.DOGS[:4], copies=4, deck=16)
    dogs = [dog.name for dog in three.DOGS[:4]]
    at = 0

    def make(move: Move) -> None:
        nonlocal at
        at += SECOND
        match.make(replace(move, at=at))

    make(three.Begin("Anna"))
    for number in range(6):  # Anna plays the first dog three times, Ben the second
        make(three.Play(match.state.turn, dogs[number % 2]))
    make(strike(("Ben", "Anna"), 3 * MILLISECOND))
    make(three.Call("Ben", "Anna", dogs[0]))  # right: three of them
    make(three.Check("Anna", 3))
    make(strike(("Anna", "Ben"), 2 * MILLISECOND))
    make(three.Call("Anna", "Ben", dogs[2]))  # wrong: none
    make(three.Check("Ben", 0))
    make(three.Strike("Ben"))  # without a photo finish
    make(three.Release("Ben"))
    play_on(match, make, dogs)
    found = by_player(tallied(match))
    assert match.outcome is not None
    assert (found["Ben"].strikes, found["Ben"].calls, found["Ben"].right) == (2, 1, 1)
    assert (found["Anna"].strikes, found["Anna"].calls, found["Anna"].right) == (1, 1, 0)
    assert (found["Ben"].closest, found["Anna"].closest) == (3 * MILLISECOND, 2 * MILLISECOND)
    assert (found["Ben"].wins, found["Anna"].wins) == (1, 0)
    assert found["Ben"].best_score == 3


def play_on(match: Match, make: Any, dogs: list[str]) -> None:
    """To the end, without another strike: cards that still may be played, then nothing to declare."""
    for _ in range(60):
        if match.outcome:
            return
        if "play" not in {may.move for may in match.ruling.may}:
            make(three.Pass(match.state.turn))
            continue
        for dog in dogs[::-1]:
            try:
                make(three.Play(match.state.turn, dog))
                break
            except Foul:
                continue


def test_a_time_trial_is_a_time_and_no_win() -> None:
    match = played("threepia", 3, way="time-trial", deck=20)
    (tally,) = tallied(match)
    assert (tally.matches, tally.wins, tally.best_score) == (1, 0, None)
    (fact, *_) = threepia.facts(match.state)
    assert fact.value == match.state.clocks[0].used


def test_a_match_that_is_not_over_counts_for_nothing() -> None:
    match = match_of("threepia", "Anna", "Ben")
    match.make(threepia.Deal(""))
    assert tallied(match) == ()


def test_the_fewest_are_the_best_in_tres_and_the_most_elsewhere() -> None:
    for game, best in (("tres", 2), ("three", 9)):
        found = together([Tally(game, "Anna", 1, best_score=9), Tally(game, "Anna", 1, best_score=2)])
        assert [tally.best_score for tally in found] == [best]


def test_tallies_together() -> None:
    one = Tally("three", "Anna", 1, 1, 5, calls=2, right=1, strikes=2, closest=30, longest_round=7)
    two = Tally("three", "Anna", 1, 0, 8, calls=1, right=1, closest=20, longest_round=9)
    other = Tally("three", "Ben", 1)
    assert together([one, other, two]) == (
        Tally("three", "Anna", 2, 1, 8, calls=3, right=2, strikes=2, closest=20, longest_round=9),
        other,
    )


def test_refused_moves_are_added_by_game_and_player() -> None:
    tallies = (Tally("three", "Anna"), Tally("tres", "Anna"))
    found = with_refusals(tallies, [("tres", "Anna", 3), ("tres", "Ben", 9)])
    assert [tally.refused for tally in found] == [0, 3]


def test_in_all_games_most_wins_first() -> None:
    found = in_all([Tally("three", "Anna", 2, 1, 9), Tally("tres", "Ben", 3, 2, 4), Tally("tres", "Anna", 1, 0, 0)])
    assert [(tally.player, tally.wins, tally.matches, tally.best_score) for tally in found] == [
        ("Ben", 2, 3, None),
        ("Anna", 1, 3, None),
    ]


# --- by brute force --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", NAMES)
def test_bots_counted_in_another_way(game: str) -> None:
    """From the sentences of every ruling, one by one, as somebody would who reads the replay aloud."""
    for seed in range(4):
        match = played(game, seed)
        found = by_player(tallied(match))
        said = [sentence for done in match.line for sentence in done.ruling.sentences]
        counts = Counter[tuple[str, str]]()
        for name in match.setup.names:
            counts[name, "strikes"] = sum(s.startswith(f"{name} strikes and calls") for s in said)
            counts[name, "calls"] = sum(s.startswith((f"{name} calls ", f"{name} catches ")) for s in said)
            counts[name, "rounds"] = sum(
                s.startswith("Round ") and f"goes to {name}:" in s for s in said if game == "triple3"
            )
        assert match.outcome is not None
        for name in match.setup.names:
            tally = found[name]
            for what in ("strikes", "calls", "rounds"):
                assert getattr(tally, what) == counts[name, what], (seed, name, what)
            assert tally.wins == (name in match.outcome.winners)
            assert tally.right <= tally.calls
            assert tally.best_score == match.outcome.scores[match.setup.names.index(name)]


def test_illegal_cards_that_stayed_are_counted() -> None:
    counted = 0
    for seed in range(3):
        match = played("triple3", seed, illegal_plays="keep", chips_to_win=1)
        kept = [
            event for done in match.line for event in done.ruling.events if isinstance(event, triple3.PlayedIllegally)
        ]
        by = Counter(event.player for event in kept if event.player)
        assert {t.player: t.illegal for t in tallied(match) if t.illegal} == dict(by)
        counted += len(by)
    assert counted


def test_catches_of_tres_are_calls() -> None:
    caught = Counter[str]()
    calls = Counter[str]()
    for seed in range(12):
        match = played("tres", seed)
        events = [event for done in match.line for event in done.ruling.events]
        caught.update(event.player for event in events if isinstance(event, tres.Caught))
        calls.update({tally.player: tally.calls for tally in tallied(match)})
    assert +calls == caught
    assert caught


# --- kept beside the journal -----------------------------------------------------------------------------------


def take_in(journal: Journal, match: Match) -> None:
    journal.take_in(match.setup, tuple(Made(done.move) for done in match.line), match.now)


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    """Ten matches of all games."""
    found = Journal.open(tmp_path / "journal.sqlite3")
    for game in NAMES:
        for seed in range(2):
            take_in(found, played(game, seed))
    return found


def all_of_it() -> bool:
    return False


def test_what_is_counted_is_what_the_journal_says(journal: Journal) -> None:
    counted = Counted(journal, None)
    assert (counted.all, counted.left, counted.tallies) == (10, 10, ())
    counted.count(all_of_it)
    for game in NAMES:
        wins = {tally.player: (tally.wins, tally.matches) for tally in counted.tallies if tally.game == game}
        assert wins == {best.name: (best.value, best.matches) for best in journal.most_wins(game)}
    longest = max(t.longest_round for t in counted.tallies if t.longest_round is not None)
    assert longest == journal.longest_rounds(1)[0].value
    journal.close()


def test_counting_goes_on_where_it_was_left(journal: Journal) -> None:
    whole = Counted(journal, None)
    whole.count(all_of_it)
    little = Counted(journal, None)
    seen = []
    while little.left:
        steps = iter((False, False, True))
        little.count(lambda steps=steps: next(steps))  # type: ignore[misc]
        seen.append(little.left)
        assert little.tallies
    assert seen == [8, 6, 4, 2, 0]
    assert sorted(little.tallies, key=str) == sorted(whole.tallies, key=str)
    journal.close()


def test_what_was_counted_is_not_counted_again(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    file = beside(journal.path)
    first = Counted(journal, file)
    first.count(all_of_it)
    take_in(journal, played("tres", 9))
    asked = []
    stored = Journal.stored

    def noted(self: Journal, code: str) -> Stored:
        asked.append(code)
        return stored(self, code)

    monkeypatch.setattr(Journal, "stored", noted)
    again = Counted(journal, file)
    assert again.left == 1
    again.count(all_of_it)
    assert len(asked) == 1
    assert sum(tally.matches for tally in again.tallies) > sum(tally.matches for tally in first.tallies)
    journal.close()


DAMAGED = (
    b"", b"\xff\xfe", b"[]", b"{", b'{"companion": 99, "matches": {}}', b"[" * 100_000,
    b'{"companion": 1, "matches": {"a": []}}', b'{"companion": 1, "matches": {"a": [1, "three", ["Anna", "x"]]}}',
    b'{"companion": 1, "matches": 7}',
)  # fmt: skip


@pytest.mark.parametrize("content", DAMAGED, ids=range(len(DAMAGED)))
def test_a_damaged_file_is_counted_again(content: bytes, journal: Journal) -> None:
    file = beside(journal.path)
    good = Counted(journal, file)
    good.count(all_of_it)
    file.write_bytes(content)
    again = Counted(journal, file)
    assert again.left == 10
    again.count(all_of_it)
    assert again.tallies == good.tallies
    assert Counted(journal, file).left == 0
    journal.close()


def test_a_folder_that_cannot_be_written_is_nothing_to_speak_of(journal: Journal, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    counted = Counted(journal, tmp_path / "file" / "tallies")
    counted.count(all_of_it)
    assert counted.tallies
    journal.close()


def test_a_match_that_cannot_be_played_again_counts_for_nothing(journal: Journal) -> None:
    with journal._file.writing():
        row = journal._row(journal.matches(most=1)[0].code)[0]
        journal._file.run("UPDATE entry SET body = '{}' WHERE match = ? AND number = 2", (row,))
    counted = Counted(journal, None)
    counted.count(all_of_it)
    assert counted.left == 0
    assert sum(tally.matches for tally in counted.tallies if tally.game == "threepia") == 3
    journal.close()


def test_a_result_that_is_taken_back_is_counted_anew(journal: Journal) -> None:
    counted = Counted(journal, None)
    counted.count(all_of_it)
    before = counted.tallies
    stored = journal.stored(journal.matches(most=1)[0].code)
    again(journal, stored.setup, Undone())
    counted.look()
    assert (counted.all, counted.left) == (9, 0)
    assert counted.tallies != before
    again(journal, stored.setup, Redone())
    counted.look()
    assert (counted.all, counted.left) == (10, 1)
    counted.count(all_of_it)
    assert counted.tallies == before
    journal.close()


def again(journal: Journal, setup: Setup, entry: Entry) -> None:
    stored = journal.stored(setup.id)
    match = Match.folded(stored.setup, stored.entries, journal.keeper(stored))
    match.take(entry)  # an undone result is deleted, one that is made again is written again


def test_refused_moves_of_finished_matches_are_those_that_the_journal_kept(journal: Journal) -> None:
    for seed in range(3):
        playing = game_named("tres")
        setup = seated(playing, playing.house())
        keeper = journal.begin(setup)
        match = Match(setup, keeper)
        for move, told in play_out(match, seed, mistakes=0.4):
            if isinstance(told, Foul):
                keeper.refused(move, told)
    playing = game_named("three")
    running = set_up(playing, ("Anna", "Ben"), playing.house())
    journal.begin(running).refused(three.Pass("Anna"), Foul("no", "Anna", "{player} cannot."))
    kept = Counter(
        player for summary in journal.matches("tres") for _, player, _ in journal.fouls(summary.code) if player
    )
    counted = Counted(journal, None)
    counted.count(all_of_it)
    assert {t.player: t.refused for t in counted.tallies if t.refused} == dict(kept)
    assert kept
    journal.close()
