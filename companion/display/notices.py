"""What was said last, and how long it stays: until it can have been read, and no longer than its cause."""

from dataclasses import dataclass, replace

from companion.core.clocks import MILLISECOND, SECOND
from companion.display.view import Notice

LOOK_UP = 3 * SECOND  # until whoever looks at the cards has looked at the screen
LETTER = 70 * MILLISECOND  # slow readers take so long
FADES = 0.4  # of its time, at the end of which it is gone
GLANCE = 0.4  # of its time is left to it when its cause is over


@dataclass(slots=True)
class Notices:
    """One notice at a time, the newest. Stamps are the machine's, for a notice goes while table time stands."""

    _notice: Notice | None = None
    _since: int = 0
    _until: int = 0

    @property
    def shown(self) -> Notice | None:
        return self._notice

    def say(self, notice: Notice | None, now: int) -> None:
        self._notice, self._since = notice, now
        self._until = now + _reading(notice.sentence) if notice else now

    def settle(self, now: int) -> None:
        """Its cause is over: it stays for a glance, so that nothing is said that nobody can read."""
        if self._notice is not None:
            glance = self._since + round(GLANCE * _reading(self._notice.sentence))
            self._until = min(self._until, max(now, glance))

    def pass_time(self, now: int) -> bool:
        """Let it fade, and go; whether anything looks otherwise now."""
        if self._notice is None:
            return False
        before = self._notice
        self._notice = None if now >= self._until else replace(before, is_fading=now >= self._fades_at)
        return self._notice != before

    @property
    def wakes_at(self) -> int | None:
        """The stamp at which it fades or goes."""
        if self._notice is None:
            return None
        return self._until if self._notice.is_fading else self._fades_at

    @property
    def _fades_at(self) -> int:
        return self._until - round(FADES * (self._until - self._since))


def _reading(sentence: str) -> int:
    """How long it takes to see that something is said, and to read it."""
    return LOOK_UP + LETTER * len(sentence)
