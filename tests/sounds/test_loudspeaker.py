"""Orders to a device that only notes them: what is played, what is too late, what cuts off what."""

from typing import Any

import pytest

from companion.core.clocks import MILLISECOND, SECOND
from companion.sounds.announcer import Announcer
from companion.sounds.cues import Cue
from companion.sounds.loudspeaker import ASIDES, HELD, VERDICTS, VOICE, Loudspeaker, Mixer, NoSoundError
from companion.sounds.synthesis import samples
from tests.display.table import Hour
from tests.sounds.mixer import needs_mixer

KNOWN = {samples(cue): cue for cue in Cue}


class Noted:
    """A device without a loudspeaker."""

    def __init__(self) -> None:
        self.played: list[tuple[int, Any, float]] = []
        self.busy = False

    def play(self, channel: int, samples: bytes, loud: float) -> None:
        self.played.append((channel, KNOWN[samples], loud))

    def play_file(self, channel: int, file: bytes, loud: float) -> None:
        self.played.append((channel, file, loud))

    def is_busy(self, channel: int) -> bool:
        return channel == VERDICTS and self.busy

    def hush(self, channel: int) -> None:
        self.played.append((channel, "hush", 0.0))


class Spoken(Announcer):
    """Has a wave when it is told to."""

    wave = b""

    def say(self, language: str, text: str, now: int) -> None:
        self.said = (language, text, now)

    def attend(self, now: int) -> bytes:
        del now
        made, self.wave = self.wave, b""
        return made


class Room:
    """A loudspeaker with everything around it noted."""

    def __init__(self) -> None:
        self.hour, self.device, self.announcer = Hour(), Noted(), Spoken()
        self.loudspeaker = Loudspeaker(self.device, self.announcer, self.hour)

    def play(self, cue: Cue, ago: int = 0, loud: float = 0.5) -> None:
        self.loudspeaker.obey({"play": cue.value, "loud": loud, "at": self.hour.now - ago})

    @property
    def cues(self) -> list[Any]:
        return [what for _, what, _ in self.device.played]


@pytest.fixture
def room() -> Room:
    return Room()


def test_every_cue_is_played_as_loud_as_ordered(room: Room) -> None:
    for cue in Cue:
        room.play(cue, loud=0.3)
        room.hour.now += SECOND
    assert room.device.played == [(ASIDES if cue.is_aside else VERDICTS, cue, 0.3) for cue in Cue]


def test_what_comes_too_late_is_not_played(room: Room) -> None:
    room.play(Cue.STRIKE, ago=300 * MILLISECOND)
    room.play(Cue.LEGAL, ago=200 * MILLISECOND)
    assert room.cues == [Cue.LEGAL]


def test_of_two_at_once_the_weightier_is_heard(room: Room) -> None:
    room.play(Cue.WIN)
    room.hour.now += HELD // 2
    room.play(Cue.LEGAL)
    room.play(Cue.TICK)
    assert room.cues == [Cue.WIN, Cue.TICK]
    room.hour.now += HELD
    room.play(Cue.LEGAL)
    room.play(Cue.FOUL)
    assert room.cues == [Cue.WIN, Cue.TICK, Cue.LEGAL, Cue.FOUL]


def test_speech_waits_until_the_sound_has_ended(room: Room) -> None:
    room.loudspeaker.obey({"say": "Anna.", "language": "de", "loud": 0.4, "at": room.hour.now})
    assert room.announcer.said == ("de", "Anna.", room.hour.now)
    room.device.busy, room.announcer.wave = True, b"wave"
    room.loudspeaker.attend()
    assert room.cues == ["hush"]
    assert room.loudspeaker.nap
    room.device.busy = False
    room.loudspeaker.attend()
    assert room.device.played[1:] == [(VOICE, b"wave", 0.4)]
    assert room.loudspeaker.nap is None


def test_a_newer_sentence_silences_the_one_before(room: Room) -> None:
    room.device.busy, room.announcer.wave = True, b"old"
    room.loudspeaker.attend()
    room.loudspeaker.obey({"say": "Ben.", "language": "de", "loud": 1, "at": room.hour.now})
    room.device.busy = False
    room.loudspeaker.attend()
    assert room.cues == ["hush"]
    room.announcer.wave = b"new"
    room.loudspeaker.attend()
    room.loudspeaker.attend()
    assert [what for what in room.cues if what != "hush"] == [b"new"]


def test_an_old_sentence_is_not_spoken(room: Room) -> None:
    room.loudspeaker.obey({"say": "Ben.", "language": "de", "loud": 1, "at": room.hour.now - 3 * SECOND})
    assert not hasattr(room.announcer, "said")


@needs_mixer
def test_a_device_that_is_not_there_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "nonsense")
    with pytest.raises(NoSoundError, match=r"^There is no sound: Audio target 'nonsense' not available\.$"):
        Mixer()
