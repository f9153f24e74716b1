"""The process that has the sound device: it reads orders, one JSON line each, and plays them.

A process, because opening a device may hang for as long as it likes, and in pygame everything else with it.
"""

import io
import json
import os
import select
import time
from collections.abc import Callable
from typing import Any, Protocol

from companion.core.clocks import MILLISECOND
from companion.core.codec import made_of
from companion.core.errors import CompanionError
from companion.core.sentence import N_, Sentence
from companion.sounds.announcer import Announcer
from companion.sounds.cues import LATE, Cue
from companion.sounds.synthesis import RATE, samples

VERDICTS, ASIDES, VOICE = range(3)  # channels
HELD = 400 * MILLISECOND  # so long a weightier sound is not cut off by a lighter one
BUFFER = 512  # samples: 23 ms
NAP = 0.05  # seconds between looks whether a sound has ended that speech waits for
LATE_SPEECH = 2_000 * MILLISECOND

NO_DEVICE = N_("There is no sound: {error}.")
NO_PYGAME = N_("There is no sound: pygame is not installed.")
FAILED = N_("The sound has failed: {error}.")


class NoSoundError(CompanionError):
    """There is no sound; the message says why."""


class Device(Protocol):
    """What can be heard at the same time, each on a channel of its own."""

    def play(self, channel: int, samples: bytes, loud: float) -> None: ...

    def play_file(self, channel: int, file: bytes, loud: float) -> None: ...

    def is_busy(self, channel: int) -> bool: ...

    def hush(self, channel: int) -> None: ...


class Mixer:
    """pygame's mixer as such a device."""

    def __init__(self) -> None:
        try:
            import pygame  # noqa: PLC0415  (not every machine has it, and it takes long)
        except ImportError:
            raise NoSoundError(NO_PYGAME) from None
        self._pygame = pygame
        self._kept: dict[bytes, Any] = {}
        try:
            pygame.mixer.init(RATE, -16, 1, BUFFER, allowedchanges=0)
        except (pygame.error, NotImplementedError) as error:
            raise NoSoundError(Sentence(NO_DEVICE, error=_reason(error))) from None

    def play(self, channel: int, samples: bytes, loud: float) -> None:
        if samples not in self._kept:
            self._kept[samples] = self._pygame.mixer.Sound(buffer=samples)
        self._play(channel, self._kept[samples], loud)

    def play_file(self, channel: int, file: bytes, loud: float) -> None:
        self._play(channel, self._pygame.mixer.Sound(file=io.BytesIO(file)), loud)

    def _play(self, channel: int, sound: Any, loud: float) -> None:
        found = self._pygame.mixer.Channel(channel)
        found.set_volume(loud)
        found.play(sound)

    def is_busy(self, channel: int) -> bool:
        return bool(self._pygame.mixer.Channel(channel).get_busy())

    def hush(self, channel: int) -> None:
        self._pygame.mixer.Channel(channel).stop()


def _reason(error: Exception) -> str:
    return str(error).strip().rstrip(".")[:120] or "unknown"


class Loudspeaker:
    """Orders to a device, which come with the stamp of their moment; what comes too late is not played."""

    def __init__(self, device: Device, announcer: Announcer, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self.device = device
        self.announcer = announcer
        self._clock = clock
        self._playing = Cue.BUTTON
        self._since = 0
        self._spoken = (b"", 0.0)  # waits until the sound before it has ended
        self._loud = 0.0  # of what is being spoken

    def obey(self, order: dict[str, Any]) -> None:
        now, loud = self._clock(), float(order.get("loud", 0))
        if "play" in order and now - order["at"] <= LATE:
            self._play(Cue(order["play"]), loud, now)
        if "say" in order and now - order["at"] <= LATE_SPEECH:
            self.device.hush(VOICE)
            self._spoken, self._loud = (b"", 0.0), loud
            language, text = order["language"], order["say"]
            self.announcer.say(language, text, now)

    def _play(self, cue: Cue, loud: float, now: int) -> None:
        if cue.is_aside:
            self.device.play(ASIDES, samples(cue), loud)
            return
        if now - self._since < HELD and cue.weight < self._playing.weight:
            return
        self._playing, self._since = cue, now
        self.device.play(VERDICTS, samples(cue), loud)

    def attend(self) -> None:
        """Whatever has been spoken is heard when nothing else is."""
        wave = self.announcer.attend(self._clock())
        if wave:
            self._spoken = (wave, self._loud)
        file, loud = self._spoken
        if file and not self.device.is_busy(VERDICTS):
            self._spoken = (b"", 0.0)
            self.device.play_file(VOICE, file, loud)

    @property
    def nap(self) -> float | None:
        """Seconds until there is something to do without an order; None: wait for one."""
        if self._spoken[0]:
            return NAP
        wakes = self.announcer.wakes_at
        return None if wakes is None else max(0.0, (wakes - self._clock()) / 1e9)


def main(orders: int = 0, answers: int = 1) -> None:
    """Obey until nobody gives orders any more."""

    def tell(**words: Any) -> None:
        os.write(answers, (json.dumps(words) + "\n").encode())

    try:
        loudspeaker = Loudspeaker(Mixer(), Announcer())
        tell(ready=True)
        _run(loudspeaker, orders, tell)
    except NoSoundError as error:
        tell(trouble=made_of(error.sentence))
    except BrokenPipeError:
        return


def _run(loudspeaker: Loudspeaker, orders: int, tell: Callable[..., None]) -> None:
    announcer, read, told = loudspeaker.announcer, b"", ""
    try:
        while True:
            ears: list[Any] = [orders, *announcer.ears]
            ready = select.select(ears, [], [], loudspeaker.nap)[0]
            if orders in ready:
                part = os.read(orders, 65_536)
                if not part:
                    return
                *lines, read = (read + part).split(b"\n")
                for line in lines:
                    loudspeaker.obey(json.loads(line))
            loudspeaker.attend()
            if announcer.trouble != told:
                told = announcer.trouble
                tell(speech=told)
    except Exception as error:  # whatever a device that is pulled out raises
        raise NoSoundError(Sentence(FAILED, error=_reason(error))) from None
    finally:
        announcer.hush()


if __name__ == "__main__":
    main()
