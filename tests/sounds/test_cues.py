"""Which sound is heard when: in whole matches of bots in every game, and while a time runs out."""

from collections import Counter
from typing import Any

import pytest

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.match import Match
from companion.core.replies import REPLIES as TOLD
from companion.core.replies import DoneReply, FoulReply, Reply, RulingReply, ruling_reply, table_of
from companion.core.rules import Ended, Event, Foul, Move
from companion.games import NAMES
from companion.games import game as game_named
from companion.games.three.rules import Checked, Struck, StruckTogether
from companion.games.triplexity.rules import Piece, Placed
from companion.sounds.cues import EVERYWHERE, REPLIES, Audible, Cue, Due, cues_of, due_of, heard, next_tick, tick
from companion.watch.sighting_text import Line
from simulator.playing import play_out, seated

SILENT = {"state", "time", "advice"}


@pytest.mark.parametrize("name", NAMES)
def test_every_event_has_its_sound_and_no_sound_is_for_nothing(name: str) -> None:
    words = {event.word for event in game_named(name).events}
    assert words - EVERYWHERE.keys() == cues_of(name).events.keys()


def played(name: str, seed: int = 7, **rules: Any) -> list[tuple[Reply, Audible]]:
    """Everything that is told of a match of bots, and what is heard of it."""
    game = game_named(name)
    match = Match(seated(game, game.house(**rules)))
    found: list[tuple[Reply, Audible]] = []
    for _, told in play_out(match, seed):
        reply: Reply = FoulReply(told) if isinstance(told, Foul) else ruling_reply(match, told)
        sound = heard(name, reply)
        assert sound is not None
        found.append((reply, sound))
    return found


def events_of(reply: Reply) -> tuple[Event, ...]:
    return reply.events if isinstance(reply, RulingReply) else ()


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_match_is_heard(name: str) -> None:
    found = played(name)
    for reply, sound in found:
        assert (sound.cue is Cue.FOUL) >= isinstance(reply, FoulReply)
        sentences = [event.sentence for event in events_of(reply)] + [getattr(reply, "sentence", "")]
        assert sound.sentence == "" or sound.sentence in sentences
    reply, last = found[-1]
    assert isinstance(reply, RulingReply)
    assert reply.table.over
    assert last.cue is (Cue.WIN if reply.table.over.winners else Cue.TIE)
    assert last.sentence == reply.events[-1].sentence
    assert Counter(sound.cue for _, sound in found[:-1])[Cue.WIN] == 0


USUAL = {
    "three": {Cue.GO, Cue.LEGAL, Cue.STRIKE, Cue.CALL, Cue.FOUL, Cue.WIN},
    "triple3": {Cue.GO, Cue.LEGAL, Cue.FOUL, Cue.ROUND, Cue.WIN},
    "tres": {Cue.GO, Cue.LEGAL, Cue.CALL, Cue.NOTICE, Cue.BUTTON, Cue.WIN},
    "triplexity": {Cue.LEGAL, Cue.WIN},
    "threepia": {Cue.GO, Cue.LEGAL, Cue.WIN},
}


@pytest.mark.parametrize("name", NAMES)
def test_what_happens_in_a_game_sounds_like_it(name: str) -> None:
    found = {sound.cue for seed in range(3) for _, sound in played(name, seed)}
    assert found >= USUAL[name]


def sounds_of(name: str, word: str, **rules: Any) -> set[Cue]:
    """What is heard of rulings with that event."""
    return {
        sound.cue
        for seed in range(4)
        for reply, sound in played(name, seed, **rules)
        if any(event.word == word for event in events_of(reply))
    }


def test_a_play_that_is_kept_for_the_next_stop_cannot_be_told_by_ear() -> None:
    assert sounds_of("triple3", "played-illegally", illegal_plays="keep") == {Cue.LEGAL}
    silent = [s.sentence for r, s in played("triple3", 1, illegal_plays="keep") if s.cue is Cue.LEGAL]
    assert set(silent) == {""}


def test_a_time_that_is_up_is_heard() -> None:
    assert Cue.TIME_UP in {
        sound.cue for seed in range(4) for _, sound in played("threepia", seed, way="time", turn_seconds=5)
    }


def test_a_wrong_check_sounds_like_a_foul_and_a_right_one_does_not() -> None:
    checks = [
        (event.right, sound.cue)
        for seed in range(4)
        for reply, sound in played("three", seed)
        for event in events_of(reply)
        if isinstance(event, Checked) and not any(isinstance(other, Ended) for other in events_of(reply))
    ]
    assert {cue for right, cue in checks if not right} == {Cue.FOUL}
    assert {cue for right, cue in checks if right}.isdisjoint({Cue.FOUL})


def ruled(name: str, *events: Event) -> Reply:
    match = Match(seated(game_named(name), game_named(name).house()))
    return RulingReply(1, Move(""), events, table_of(match))


@pytest.mark.parametrize(("winners", "cue"), [((), Cue.TIE), (("Anna",), Cue.WIN), (("Anna", "Ben"), Cue.WIN)])
def test_a_match_that_nobody_wins_does_not_sound_like_a_win(winners: tuple[str, ...], cue: Cue) -> None:
    over = Ended(winners, (1, 2), "Over.")
    reply = ruled("triplexity", Placed("Anna", "left", Piece("Anna")), over)
    assert heard("triplexity", reply) == Audible(cue, over.sentence)


def test_strikes_closer_than_can_be_told_apart_sound_like_a_tie() -> None:
    together = StruckTogether(("Anna", "Ben"), "strike again", None)
    reply = ruled("three", together, Struck("Anna", 5))
    assert heard("three", reply) == Audible(Cue.TIE, together.sentence)


@pytest.mark.parametrize("kind", [reply for reply in TOLD if reply not in (RulingReply, DoneReply)])
def test_every_other_reply_is_heard_or_known_to_be_silent(kind: type[Reply]) -> None:
    sound = heard("tres", kind.__new__(kind))
    assert (sound is None) == (kind.kind in SILENT)


def test_what_a_camera_tells_besides_is_heard_only_where_people_must_look() -> None:
    for kind in {line.kind for line in Line.__subclasses__()}:
        assert (kind in REPLIES) == (kind in ("trouble", "trouble-over"))


@pytest.mark.parametrize(
    ("do", "cue"), [("undo", Cue.BUTTON), ("resume", Cue.BUTTON), ("pause", Cue.NOTICE), ("abandon", Cue.NOTICE)]
)
def test_what_is_done_is_heard(do: str, cue: Cue) -> None:
    assert heard(
        "tres", DoneReply(do, 0, table_of(Match(seated(game_named("tres"), game_named("tres").house()))))
    ) == Audible(cue)


# --- the last seconds ------------------------------------------------------------------------------------------


def ticks(due: Due, step: int, begin: int) -> list[tuple[int, Cue]]:
    """What is heard by somebody who looks every so often: when, in milliseconds before the end."""
    found, before = [], begin
    for now in range(begin, due.at + step, step):
        if cue := tick(due, before, now):
            found.append(((due.at - now) // MILLISECOND, cue))
        before = now
    return found


def test_the_last_ten_seconds_tick_and_the_last_three_otherwise() -> None:
    due = Due(100 * SECOND)
    found = ticks(due, 50 * MILLISECOND, 80 * SECOND)
    assert [at for at, _ in found] == [1000 * left for left in range(10, 0, -1)]
    assert [cue for _, cue in found] == [Cue.TICK] * 7 + [Cue.LAST_TICK] * 3


def test_a_call_has_its_last_five() -> None:
    assert len(ticks(due_of("three", 100 * SECOND, "release"), 100 * MILLISECOND, 80 * SECOND)) == 5


def test_it_wakes_for_each_of_them_and_then_no_more() -> None:
    due, now, woken = Due(100 * SECOND), 0, []
    while (at := next_tick(due, now)) is not None:
        woken.append(at)
        now = at
    assert woken == [(100 - left) * SECOND for left in range(10, 0, -1)]
    assert next_tick(None, 0) is None
    assert tick(None, 0, 1) is None


def test_a_tick_that_is_late_is_left_out_and_never_two_at_once() -> None:
    due = Due(100 * SECOND)
    assert tick(due, 80 * SECOND, 93 * SECOND + 100 * MILLISECOND) is Cue.TICK
    assert tick(due, 80 * SECOND, 93 * SECOND + 400 * MILLISECOND) is None
    assert tick(due, 93 * SECOND, 93 * SECOND + 100 * MILLISECOND) is None
