"""Which sound is heard when: in whole matches of bots in every game, and while a time runs out."""

from collections import Counter
from typing import Any

import pytest

from companion.clocks import MILLISECOND, SECOND
from companion.games import NAMES
from companion.games import game as game_named
from companion.match import Match
from companion.playing import play_out, seated
from companion.protocol import REPLIES as TOLD
from companion.protocol import foul_reply, reply_plain, ruling_reply
from companion.rules import Foul
from companion.sounds.cues import EVENTS, EVERYWHERE, Cue, Due, Heard, heard, next_tick, tick
from companion.watched import Line

SILENT = {"state", "time", "advice"}


@pytest.mark.parametrize("name", NAMES)
def test_every_event_has_its_sound_and_no_sound_is_for_nothing(name: str) -> None:
    words = {event.word for event in game_named(name).events}
    assert words - EVERYWHERE.keys() == EVENTS[name].keys()


def played(name: str, seed: int = 7, **rules: Any) -> list[tuple[dict[str, Any], Heard]]:
    """Everything that is told of a match of bots, and what is heard of it."""
    game = game_named(name)
    match = Match(seated(game, game.house(**rules)))
    found = []
    for _, told in play_out(match, seed):
        reply = reply_plain(foul_reply(told) if isinstance(told, Foul) else ruling_reply(match, told))
        sound = heard(name, reply)
        assert sound is not None
        found.append((reply, sound))
    return found


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_match_is_heard(name: str) -> None:
    found = played(name)
    for reply, sound in found:
        assert (sound.cue is Cue.FOUL) >= (reply["kind"] == "foul")
        sentences = [event.get("sentence", "") for event in reply.get("events", [])] + [reply.get("sentence", "")]
        assert sound.sentence == "" or sound.sentence in sentences
    reply, last = found[-1]
    assert last.cue is (Cue.WIN if reply["table"]["over"]["winners"] else Cue.TIE)
    assert last.sentence == reply["events"][-1]["sentence"]
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
        if any(event["event"] == word for event in reply.get("events", []))
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
        (event["right"], sound.cue)
        for seed in range(4)
        for reply, sound in played("three", seed)
        for event in reply.get("events", [])
        if event["event"] == "checked" and not any(other["event"] == "ended" for other in reply["events"])
    ]
    assert {cue for right, cue in checks if not right} == {Cue.FOUL}
    assert {cue for right, cue in checks if right}.isdisjoint({Cue.FOUL})


@pytest.mark.parametrize(("winners", "cue"), [([], Cue.TIE), (["Anna"], Cue.WIN), (["Anna", "Ben"], Cue.WIN)])
def test_a_match_that_nobody_wins_does_not_sound_like_a_win(winners: list[str], cue: Cue) -> None:
    events = [{"event": "placed", "sentence": "x"}, {"event": "ended", "winners": winners, "sentence": "Over."}]
    assert heard("triplexity", {"kind": "ruling", "events": events}) == Heard(cue, "Over.")


def test_strikes_closer_than_can_be_told_apart_sound_like_a_tie() -> None:
    events = [
        {"event": "struck-together", "sentence": "Anna and Ben struck together."},
        {"event": "struck", "sentence": "x"},
    ]
    assert heard("three", {"kind": "ruling", "events": events}) == Heard(Cue.TIE, "Anna and Ben struck together.")


@pytest.mark.parametrize("kind", [reply.kind for reply in TOLD if reply.kind not in {"ruling", "done"}])
def test_every_other_reply_is_heard_or_known_to_be_silent(kind: str) -> None:
    sound = heard("tres", {"kind": kind, "sentence": "Something."})
    assert (sound is None) == (kind in SILENT)


def test_what_a_camera_tells_besides_is_heard_only_where_people_must_look() -> None:
    for kind in {line.kind for line in Line.__subclasses__()}:
        assert (heard("triple3", {"kind": kind, "sentence": "?"}) is not None) == (kind in ("trouble", "trouble-over"))


@pytest.mark.parametrize(
    ("do", "cue"), [("undo", Cue.BUTTON), ("resume", Cue.BUTTON), ("pause", Cue.NOTICE), ("abandon", Cue.NOTICE)]
)
def test_what_is_done_is_heard(do: str, cue: Cue) -> None:
    assert heard("tres", {"kind": "done", "do": do}) == Heard(cue)


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
    due = Due(100 * SECOND, "time-up")
    found = ticks(due, 50 * MILLISECOND, 80 * SECOND)
    assert [at for at, _ in found] == [1000 * left for left in range(10, 0, -1)]
    assert [cue for _, cue in found] == [Cue.TICK] * 7 + [Cue.LAST_TICK] * 3


def test_a_call_has_its_last_five() -> None:
    assert len(ticks(Due(100 * SECOND, "release"), 100 * MILLISECOND, 80 * SECOND)) == 5


def test_it_wakes_for_each_of_them_and_then_no_more() -> None:
    due, now, woken = Due(100 * SECOND, "time-up"), 0, []
    while (at := next_tick(due, now)) is not None:
        woken.append(at)
        now = at
    assert woken == [(100 - left) * SECOND for left in range(10, 0, -1)]
    assert next_tick(None, 0) is None
    assert tick(None, 0, 1) is None


def test_a_tick_that_is_late_is_left_out_and_never_two_at_once() -> None:
    due = Due(100 * SECOND, "time-up")
    assert tick(due, 80 * SECOND, 93 * SECOND + 100 * MILLISECOND) is Cue.TICK
    assert tick(due, 80 * SECOND, 93 * SECOND + 400 * MILLISECOND) is None
    assert tick(due, 93 * SECOND, 93 * SECOND + 100 * MILLISECOND) is None
