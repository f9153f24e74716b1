"""What is spoken: espeak-ng makes a wave of a sentence, in a process of its own. The newest sentence wins."""

import io
import os
import subprocess
import wave
from contextlib import suppress
from typing import IO

from companion.core.background import see_off
from companion.core.clocks import SECOND
from companion.core.sentence import N_

PROGRAM = "espeak-ng"
PATIENCE = 3 * SECOND  # it takes hundredths of one
LONGEST_TEXT = 300  # letters
LONGEST_WAVE = 4_000_000  # bytes; a minute and a half
VOICES = {"en": "en-gb", "fr": "fr-fr", "pt": "pt-pt"}  # where a language has several and another one is the first
SPEED = "155"  # words a minute
DYING = 0.2  # seconds to be gone once it is killed

NOT_THERE = N_("espeak-ng is not installed, so nothing is spoken.")
NO_VOICE = N_("espeak-ng has no voice for this language, so nothing is spoken.")
TOO_LATE = N_("espeak-ng does not answer, so nothing is spoken.")


class Announcer:
    """At most one process. `ears` is readable when `attend` has something to do, at `wakes_at` at the latest."""

    def __init__(self, program: str = PROGRAM) -> None:
        self.trouble = ""
        self._program = program
        self._process: subprocess.Popen[bytes] | None = None
        self._made = bytearray()
        self._since = 0

    @property
    def ears(self) -> list[IO[bytes]]:
        return [self._process.stdout] if self._process and self._process.stdout else []

    @property
    def wakes_at(self) -> int | None:
        return self._since + PATIENCE if self._process else None

    def say(self, language: str, text: str, now: int) -> None:
        """Begin to make a wave; one that is being made is not wanted any more."""
        self.hush()
        command = [self._program, "-v", VOICES.get(language, language), "-s", SPEED, "--stdin", "--stdout"]
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
            )
        except OSError:
            self.trouble = NOT_THERE
            return
        self._since = now
        assert self._process.stdin
        assert self._process.stdout
        os.set_blocking(self._process.stdout.fileno(), False)
        with suppress(OSError):  # one that is gone already has its reasons; a sentence fits into any pipe
            self._process.stdin.write(text[:LONGEST_TEXT].encode())
        with suppress(OSError):
            self._process.stdin.close()

    def attend(self, now: int) -> bytes:
        """The wave file, once it is whole; nothing until then, and nothing if none comes."""
        if self._process is None:
            return b""
        if not self._is_whole():
            if now - self._since >= PATIENCE:
                self._fail(TOO_LATE)
            return b""
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(DYING)
        if self._process.returncode != 0:
            self._fail(NO_VOICE)
            return b""
        made, self.trouble = whole_wave(bytes(self._made)), ""
        self.hush()
        return made

    def hush(self) -> None:
        """Not this one."""
        process, self._process = self._process, None
        self._made.clear()
        if process is not None:
            see_off(process, DYING)

    def _is_whole(self) -> bool:
        """Take what has been made so far; True when nothing more comes."""
        for pipe in self.ears:
            while (part := pipe.read(65_536)) is not None:  # None: not yet
                if not part or len(self._made) > LONGEST_WAVE:
                    return True
                self._made += part
        return False

    def _fail(self, trouble: str) -> None:
        self.trouble = trouble
        self.hush()


def whole_wave(made: bytes) -> bytes:
    """A wave file with its true length: a program that writes into a pipe cannot know it. Empty if it is none."""
    place = made.find(b"data")
    head = made.find(b"fmt ")
    if not made.startswith(b"RIFF") or head < 0 or place < head or len(made) < place + 10:
        return b""
    channels = int.from_bytes(made[head + 10 : head + 12], "little")
    rate = int.from_bytes(made[head + 12 : head + 16], "little")
    width = int.from_bytes(made[head + 22 : head + 24], "little") // 8
    if not (1 <= channels <= 2 and 4_000 <= rate <= 96_000 and width in (1, 2)):
        return b""
    frames = made[place + 8 :]
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setparams((channels, width, rate, 0, "NONE", ""))
        out.writeframes(frames[: len(frames) // (channels * width) * channels * width])
    return file.getvalue()
