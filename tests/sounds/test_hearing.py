"""The app and its sound: what is heard at which moment, by a speaker that only notes it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.requests import Pause, Resume, Undo
from companion.display.loop import Looks, Loop, open_window
from companion.display.scene import ChangeTo, Go, Say, Start
from companion.display.view import Prefs
from companion.games.three import rules as three
from companion.games.threepia import rules as threepia
from companion.sounds.cues import Cue
from companion.sounds.hearing import Hearing, sound
from companion.sounds.speaker import Speaker
from companion.teaching.teaching_sight import TeachingSight
from tests.display.table import Guests, Hour


class Noted(Speaker):
    """What would be heard, and when."""

    def __init__(self, hour: Hour) -> None:
        super().__init__(hour)
        self.hour = hour
        self.played: list[tuple[int, Cue]] = []
        self.said: list[tuple[str, str]] = []
        self.starts = self.closes = 0

    def start(self) -> None:
        self.starts += 1

    def close(self) -> None:
        self.closes += 1

    def play(self, cue: Cue, volume: int) -> None:
        if volume:
            self.played.append((self.hour.now, cue))

    def say(self, text: str, language: str, volume: int) -> None:
        if volume:
            self.said.append((language, text))

    def taken(self) -> list[Cue]:
        """What has been heard since this was asked last."""
        found, self.played = [cue for _, cue in self.played], []
        return found


class Heard(Guests):
    """Guests at a display that can be heard."""

    def __init__(self, prefs: Prefs | None = None, journal: Path | None = None) -> None:
        super().__init__((800, 480), journal, prefs)
        self.speaker = Noted(self.hour)
        self.hearing = Hearing(self.app, self.speaker, self.hour)
        self.app.hearers.append(self.hearing.heard)
        self.app.listeners.append(self.hearing)

    def begin(self, game: str, **rules: object) -> tuple[str, ...]:
        """A match that is set up; nothing before it is remembered."""
        self.app.take(Go("players", game), self.hour.now)
        draft = self.app.view.draft
        house = replace(draft.playing.house(), **rules)
        self.app.take(ChangeTo(replace(draft, house=house), Start()), self.hour.now)
        self.app.attend(self.hour.now)
        self.speaker.taken()
        return draft.names

    def say(self, message: object) -> list[Cue]:
        self.app.take(Say(message), self.hour.now)  # type: ignore[arg-type]
        self.app.attend(self.hour.now)
        return self.speaker.taken()


def timed(guests: Heard, way: str = "time", seconds: int = 30) -> tuple[str, ...]:
    names = guests.begin("threepia", way=way, turn_seconds=seconds)
    guests.say(threepia.Deal(""))
    guests.say(threepia.Begin(names[0]))
    return names


def sleep_through(guests: Heard, seconds: float) -> None:
    """As the loop does: to the next stamp at which there is something to do, and on."""
    until = guests.hour.now + round(seconds * SECOND)
    while guests.hour.now < until:
        at = guests.app.wakes_at(guests.hour.now)
        guests.hour.now = min(until, max(guests.hour.now + MILLISECOND, until if at is None else at))
        guests.app.attend(guests.hour.now)


def test_a_touch_clicks_and_a_ruling_sounds_in_its_place() -> None:
    guests = Heard()
    guests.do(Go("settings"))
    assert guests.speaker.taken() == [Cue.BUTTON]
    names = guests.begin("threepia")
    assert guests.say(threepia.Deal("")) == [Cue.BUTTON]
    assert guests.say(threepia.Begin(names[0])) == [Cue.GO]
    assert guests.say(threepia.Lay(names[1], points=2)) == [Cue.FOUL]
    assert guests.say(threepia.Lay(names[0], points=2)) == [Cue.LEGAL]
    assert guests.say(Undo()) == [Cue.BUTTON]


def test_the_last_ten_seconds_tick_at_their_second_and_then_it_is_heard_that_the_time_is_up() -> None:
    guests = Heard()
    timed(guests)
    begun = guests.hour.now
    sleep_through(guests, 31)
    ticked = [(at - begun, cue) for at, cue in guests.speaker.played]
    assert ticked[:10] == [(left * SECOND, Cue.TICK) for left in range(20, 27)] + [
        (left * SECOND, Cue.LAST_TICK) for left in (27, 28, 29)
    ]
    assert [cue for _, cue in ticked[10:]] == [Cue.TIME_UP]
    assert 30 * SECOND <= ticked[10][0] < 30 * SECOND + 100 * MILLISECOND


def test_a_turn_that_ends_in_time_stops_the_ticking() -> None:
    guests = Heard()
    names = timed(guests)
    sleep_through(guests, 22.5)
    assert guests.speaker.taken() == [Cue.TICK] * 3
    guests.say(threepia.Lay(names[0], points=1))
    sleep_through(guests, 19)
    assert guests.speaker.taken() == []


def test_nothing_ticks_while_the_table_is_paused() -> None:
    guests = Heard()
    timed(guests)
    sleep_through(guests, 22.5)
    guests.say(Pause("Dispute"))
    sleep_through(guests, 60)
    assert guests.speaker.taken() == []
    guests.say(Resume())
    sleep_through(guests, 2)
    assert guests.speaker.taken() == [Cue.TICK] * 2


def test_a_turn_shorter_than_ten_seconds_ticks_from_its_second_second() -> None:
    guests = Heard()
    timed(guests, seconds=4)
    guests.speaker.taken()
    sleep_through(guests, 4)
    assert guests.speaker.taken() == [Cue.LAST_TICK] * 3


def test_a_turn_of_ten_seconds_does_not_begin_with_a_tick() -> None:
    guests = Heard()
    names = guests.begin("threepia", way="time", turn_seconds=10)
    guests.say(threepia.Deal(""))
    guests.hour.now += 100 * MILLISECOND
    assert guests.say(threepia.Begin(names[0])) == [Cue.GO]
    sleep_through(guests, 9.5)
    assert guests.speaker.taken() == [Cue.TICK] * 6 + [Cue.LAST_TICK] * 3


def test_a_call_that_does_not_come_ticks_for_five_seconds() -> None:
    guests = Heard()
    names = guests.begin("three")
    guests.say(three.Begin(names[0]))
    assert guests.say(three.Strike(names[1])) == [Cue.STRIKE]
    sleep_through(guests, 11)
    assert guests.speaker.taken() == [Cue.TICK] * 2 + [Cue.LAST_TICK] * 3 + [Cue.NOTICE]


def test_mute_is_silent_and_wakes_nobody() -> None:
    guests = Heard(Prefs(volume=0, speech=True))
    timed(guests)
    assert guests.speaker.starts == 0
    assert guests.hearing.wakes_at(guests.hour.now) is None
    sleep_through(guests, 31)
    assert guests.speaker.played == []
    assert guests.speaker.said == []


def test_another_volume_is_heard_at_once_and_mute_lets_the_device_go() -> None:
    guests = Heard()
    guests.do(Go("settings"))
    guests.speaker.taken()
    prefs = guests.app.prefs
    guests.do(ChangeTo(replace(prefs, volume=10)))
    assert guests.speaker.taken() == [Cue.LEGAL]
    guests.do(ChangeTo(replace(prefs, volume=0)))
    assert guests.speaker.taken() == []
    assert guests.speaker.closes == 1
    guests.do(ChangeTo(replace(prefs, volume=3)))
    assert guests.speaker.taken() == [Cue.LEGAL]


def test_what_is_spoken_is_in_the_language_of_the_table() -> None:
    guests = Heard(Prefs(language="de", speech=True))
    names = timed(guests)
    guests.say(threepia.Lay(names[1], points=2))
    sleep_through(guests, 31)
    assert [language for language, _ in guests.speaker.said] == ["de"] * 3
    begins, foul, over = (text for _, text in guests.speaker.said)
    assert begins == f"{names[0]} beginnt."
    assert foul.endswith(f"{names[0]} ist am Zug.")
    assert over == f"Die 30 Sekunden von {names[0]} für diesen Zug sind um."
    assert "begins" not in begins


def test_without_the_wish_nothing_is_spoken() -> None:
    guests = Heard()
    timed(guests)
    sleep_through(guests, 31)
    assert guests.speaker.said == []


def test_switching_speech_on_speaks() -> None:
    guests = Heard(Prefs(language="fr"))
    guests.do(Go("settings"))
    guests.do(ChangeTo(replace(guests.app.prefs, speech=True)))
    assert guests.speaker.said == [("fr", guests.app.words.heard("Go!"))]


def test_a_trouble_is_on_the_settings_screen_as_long_as_it_lasts() -> None:
    guests = Heard()
    guests.do(Go("settings"))
    guests.speaker.trouble = "There is no sound: its process has ended."
    guests.wait(1)
    assert guests.speaker.trouble in [getattr(item, "text", "") for item in guests.app.scene.items]
    guests.do(ChangeTo(replace(guests.app.prefs, volume=10)))
    assert guests.speaker.trouble == ""
    assert guests.app.view.troubles == ()


def test_a_missing_voice_matters_only_to_who_wants_one() -> None:
    guests = Heard()
    guests.speaker.speech_trouble = "espeak-ng is not installed, so nothing is spoken."
    guests.wait(1)
    assert not guests.app.view.troubles
    guests.app.take(ChangeTo(replace(guests.app.prefs, speech=True)), guests.hour.now)
    guests.wait(1)
    assert guests.app.view.troubles == ("espeak-ng is not installed, so nothing is spoken.",)


# --- with the loop ---------------------------------------------------------------------------------------------


@pytest.fixture
def surface() -> Iterator[pygame.Surface]:
    yield open_window(Looks((800, 480)))
    pygame.display.quit()


def frames_of(surface: pygame.Surface, *, muted: bool) -> tuple[int, int]:
    """How many frames are drawn while a token waits for a call that does not come, and how many sounds are heard."""
    guests = Heard(Prefs(volume=0 if muted else 6))
    loop = Loop(guests.app, surface, guests.hour)
    names = guests.begin("three")
    guests.say(three.Begin(names[0]))
    guests.say(three.Strike(names[1]))
    loop.show()
    before = loop.painter.frames
    for _ in range(90):
        guests.hour.now += 100 * MILLISECOND
        loop.once(0)
    return loop.painter.frames - before, len(guests.speaker.taken())


def test_a_tick_draws_nothing(surface: pygame.Surface) -> None:
    silent, heard = frames_of(surface, muted=True), frames_of(surface, muted=False)
    assert heard[0] == silent[0]
    assert (silent[1], heard[1]) == (0, 5)


@pytest.mark.parametrize("driver", ["dummy", "nonsense"])
def test_the_real_speaker_goes_along_with_a_match(driver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", driver)
    guests = Guests((800, 480), prefs=Prefs(speech=True))
    with sound(guests.app) as hearing:
        guests.app.take(Go("players", "three"), guests.hour.now)
        guests.do(Start())
        names = guests.app.view.match.setup.names
        for message in (three.Begin(names[0]), three.Play(names[1]), three.Strike(names[1])):
            guests.app.take(Say(message), guests.hour.now)
        guests.wait(12)
        assert guests.app.view.match.state.phase == "turn"
        assert hearing.troubles in ((), ("There is no sound: Audio target 'nonsense' not available.",))
    assert guests.app.listeners == []
    assert guests.app.hearers == []


def test_a_loudspeaker_that_is_plugged_in_later_is_tried_without_being_asked() -> None:
    guests = Heard()
    starts = guests.speaker.starts
    guests.speaker.trouble = "There is no sound: its process has ended."
    for _ in range(29):
        guests.wait(1)
    assert guests.speaker.starts == starts
    guests.wait(1)
    guests.wait(1)
    assert (guests.speaker.starts, guests.speaker.trouble) == (starts + 1, "")
    guests.speaker.trouble = "There is no sound: its process has ended."
    for _ in range(59):
        guests.wait(1)
    assert guests.speaker.starts == starts + 1, "later after each failure"
    guests.wait(2)
    guests.wait(1)
    assert guests.speaker.starts == starts + 2


def test_each_look_at_a_deck_that_is_taught_is_heard() -> None:
    heard = Heard()
    begun = TeachingSight("mine", "three", "ready", faces=("Ember", "Sky"), missing=("Ember", "Sky"))
    taught = replace(begun, looks=1, missing=("Sky",))
    whole = replace(taught, looks=2, missing=())
    told = []
    for sight in (None, begun, taught, taught, replace(taught, troubles=1), whole, replace(whole, looks=3), None):
        heard.app.teaching.sight = sight
        heard.hearing.attend(heard.hour.now)
        told.append(heard.speaker.taken())
    assert told == [[], [], [Cue.LEGAL], [], [Cue.NOTICE], [Cue.ROUND], [Cue.LEGAL], []]
