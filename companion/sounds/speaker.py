"""The way to the sound device: orders into the pipe of the process that has it. Nothing here waits."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence

from companion.core.background import see_off
from companion.core.clocks import SECOND
from companion.core.codec import read_again
from companion.core.sentence import N_
from companion.sounds.cues import Cue

LOUDEST = 10  # the volume that is as loud as it goes; 0 is mute
OPENING = 15 * SECOND  # so long a device may take to open; a slow card makes Python slow to start
DYING = 0.2  # seconds to be gone once it is killed
LOOK_EVERY = 0.01  # seconds between looks of somebody who waits for it
# Like a spawned process of multiprocessing: the same interpreter, looking for modules in the same places.
_START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from companion.sounds.loudspeaker import main; main()"
)

NO_ANSWER = N_("There is no sound: the sound device does not answer.")
NO_PROCESS = N_("There is no sound: its process cannot be started.")
GONE = N_("There is no sound: its process has ended.")


def _usual() -> list[str]:
    return [sys.executable, "-c", _START, json.dumps(sys.path)]


def loudness(volume: int) -> float:
    """How much of full loudness a volume is: steps that sound alike."""
    return (max(0, min(LOUDEST, volume)) / LOUDEST) ** 2


class Speaker:
    """Plays and speaks as long as it can; `trouble` says why it cannot, `speech_trouble` why it only plays."""

    def __init__(
        self, clock: Callable[[], int] = time.monotonic_ns, command: Callable[[], Sequence[str]] = _usual
    ) -> None:
        self.trouble = ""
        self.speech_trouble = ""
        self.is_ready = False
        self._clock = clock
        self._command = command
        self._process: subprocess.Popen[bytes] | None = None
        self._read = b""
        self._since = 0

    def start(self) -> None:
        """Begin to open the device, unless that has been done or has failed."""
        if self._process or self.trouble:
            return
        environment = {**os.environ, "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
        try:
            self._process = subprocess.Popen(
                self._command(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=environment,
                bufsize=0,
                start_new_session=True,  # Ctrl-C is for whoever plays; this one ends with its pipe
            )
        except OSError:
            self.trouble = NO_PROCESS
            return
        self._since = self._clock()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe
            os.set_blocking(pipe.fileno(), False)

    def play(self, cue: Cue, volume: int) -> None:
        self._order(volume, play=cue.value)

    def say(self, text: str, language: str, volume: int) -> None:
        self._order(volume, say=text, language=language)

    def _order(self, volume: int, **what: str) -> None:
        if volume <= 0:
            return
        self.start()
        if self._process is None or self._process.stdin is None:
            return
        line = json.dumps({**what, "loud": loudness(volume), "at": self._clock()}) + "\n"
        try:
            written = self._process.stdin.write(line.encode())
        except OSError:
            self.attend()  # it may have said why before it went
            self._give_up(GONE)
            return
        if written != len(line):  # the pipe is full: for a long time nobody has read it
            self._give_up(NO_ANSWER)

    def attend(self) -> None:
        """Take in what the process has told."""
        if self._process is None or self._process.stdout is None:
            return
        pipe = self._process.stdout
        while self._process and (part := pipe.read(4096)) is not None:  # None: no more yet
            *lines, self._read = (self._read + part).split(b"\n")
            for line in lines:
                self._hear(line)
            if self.trouble or not part:
                self._give_up(GONE)
        if self._process and not self.is_ready and self._clock() - self._since > OPENING:
            self._give_up(NO_ANSWER)

    def _hear(self, line: bytes) -> None:
        told = json.loads(line)
        self.is_ready = self.is_ready or "ready" in told
        self.trouble = read_again(*told["trouble"]) if "trouble" in told else self.trouble
        self.speech_trouble = told.get("speech", self.speech_trouble)

    def try_again(self) -> None:
        """Somebody has touched the volume: what was missing may be there now."""
        if self.trouble:
            self.trouble = self.speech_trouble = ""
            self.start()

    def close(self) -> None:
        """Silence at once."""
        process, self._process = self._process, None
        self.is_ready, self._read = False, b""
        if process is not None:
            see_off(process, DYING)

    def _give_up(self, trouble: str) -> None:
        self.trouble = self.trouble or trouble
        self.close()


def tried(speaker: Speaker, patience: float = 10.0) -> str:
    """Open the device once and close it: what is wrong, or nothing. The one thing here that waits."""
    until = time.monotonic() + patience
    speaker.start()
    while not (speaker.is_ready or speaker.trouble) and time.monotonic() < until:
        time.sleep(LOOK_EVERY)
        speaker.attend()
    is_ready = speaker.is_ready
    speaker.close()
    return speaker.trouble or ("" if is_ready else NO_ANSWER)
