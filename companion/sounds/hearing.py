"""The ears of a display's app: what the referee says, what is touched and what time runs out becomes sound."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from companion.core.clocks import SECOND
from companion.core.replies import Reply
from companion.devices.device import Patience
from companion.display.app import App
from companion.display.scene import Back, ChangeTo, Dismiss, Go, Intent, Mark
from companion.display.view import Prefs
from companion.sounds.cues import Cue, Due, due_of, heard, next_tick, tick
from companion.sounds.speaker import Speaker

PAUSES = tuple(seconds * SECOND for seconds in (30, 60, 300))  # before the device is tried again
NOTHING_TAUGHT = (0, 0, False)  # looks, looks with something to complain of, whether all faces are known
CLICKS = (Go, Back, Mark, Dismiss, ChangeTo)  # what is touched without the referee having anything to say about it


class Hearing:
    """What an app tells goes to a speaker."""

    def __init__(self, app: App, speaker: Speaker, clock: Callable[[], int] = time.monotonic_ns) -> None:
        self._app = app
        self._speaker = speaker
        self._due: Due | None = None
        self._ticked = clock()  # up to that stamp
        self._prefs = app.prefs
        self._taught = NOTHING_TAUGHT
        self._patience = Patience(PAUSES)
        self._is_silent = False  # because of its device
        if app.prefs.volume:
            speaker.start()

    @property
    def troubles(self) -> tuple[str, ...]:
        """What is wrong with the sound, in English sentences."""
        if not self._app.prefs.volume:
            return ()
        trouble = self._speaker.trouble or (self._speaker.speech_trouble if self._app.prefs.speech else "")
        return (trouble,) if trouble else ()

    def heard(self, reply: Reply) -> None:
        match = self._app.match
        found = heard(match.setup.game if match else "", reply)
        if found is None:
            return
        self._play(found.cue)
        if found.sentence:
            self._say(found.sentence)

    def touched(self, intent: Intent) -> None:
        """After it was done."""
        before, self._prefs = self._prefs, self._app.prefs
        if before.volume != self._prefs.volume or before.speech != self._prefs.speech:
            self._try_out(before)
        elif isinstance(intent, CLICKS):
            self._play(Cue.BUTTON)

    def _try_out(self, before: Prefs) -> None:
        """What was just chosen is heard."""
        self._speaker.try_again()
        if not self._prefs.volume:
            self._speaker.close()
        self._play(Cue.LEGAL)
        if self._prefs.speech and not before.speech:
            self._say("Go!")

    def wakes_at(self, now: int) -> int | None:
        """The stamp at which `attend` has something to do."""
        return next_tick(self._coming, max(self._ticked, now)) if self._app.prefs.volume else None

    @property
    def _coming(self) -> Due | None:
        due, match = self._app.due, self._app.match
        return due_of(match.setup.game, due[0], due[1].word) if due and match else None

    def attend(self, now: int) -> None:
        self._speaker.attend()
        self._try_later(now)
        self._hear_teacher()
        due = self._coming
        if due != self._due:  # another time runs now: what it would have ticked before is over
            self._due, self._ticked = due, now
            return
        found = tick(due, self._ticked, now)
        self._ticked = now
        if found:
            self._play(found)

    def _hear_teacher(self) -> None:
        """Each look at a deck that is taught: it may go on, or something has to be shown again."""
        sight, before = self._app.teaching.sight, self._taught
        self._taught = now = (sight.looks, sight.troubles, sight.is_complete) if sight else NOTHING_TAUGHT
        if now[1] > before[1]:
            self._play(Cue.NOTICE)
        elif now[0] > before[0]:
            self._play(Cue.ROUND if now[2] and not before[2] else Cue.LEGAL)

    def _try_later(self, now: int) -> None:
        """A loudspeaker that is plugged in later is heard without anybody asking for it."""
        if not self._speaker.trouble:
            self._is_silent = False
            if self._speaker.is_ready:
                self._patience.worked()
        elif not self._is_silent:
            self._is_silent = True
            self._patience.failed(now)
        elif now >= self._patience.at and self._app.prefs.volume:
            self._is_silent = False
            self._speaker.try_again()

    def _play(self, cue: Cue) -> None:
        self._speaker.play(cue, self._app.prefs.volume)

    def _say(self, sentence: str) -> None:
        prefs, words = self._app.prefs, self._app.words
        if prefs.speech:
            self._speaker.say(words.heard(sentence), words.language, prefs.volume)

    def close(self) -> None:
        self._speaker.close()


@contextmanager
def sound(app: App) -> Iterator[Hearing]:
    """The app is heard as long as this lasts."""
    hearing = Hearing(app, Speaker())
    app.hearers.append(hearing.heard)
    app.listeners.append(hearing)
    try:
        yield hearing
    finally:
        app.hearers.remove(hearing.heard)
        app.listeners.remove(hearing)
        hearing.close()
