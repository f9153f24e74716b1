"""What waits to be published: of what the broker keeps the newest, of the rulings each, up to so many. Any thread may
put in."""

import threading
from collections import deque
from collections.abc import Callable

Made = Callable[[], bytes]
MOST = 2_000  # rulings that wait; a long match has a few hundred
WINDOW = 20  # rulings on their way that the broker has not acknowledged


class Outbox:
    """One puts in, one sends. What was sent and not acknowledged goes back to where it was when the broker is gone."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._rulings: deque[bytes] = deque()  # as they go out
        self._sent: dict[int, bytes] = {}
        self._kept: dict[str, bytes | Made] = {}  # by topic; nothing where it is to be taken away
        self._new: dict[str, None] = {}  # the topics of those that are to be sent, in their order
        self.lost = 0  # rulings that were thrown away because nobody fetched them

    def put_ruling(self, content: bytes) -> None:
        with self._lock:
            self._rulings.append(content)
            if len(self._rulings) > self._most:
                self._rulings.popleft()
                self.lost += 1

    def put_kept(self, topic: str, content: "bytes | Made") -> None:
        """What the broker is to keep there, in place of what there was. What takes time is made by whoever sends."""
        with self._lock:
            self._kept[topic] = content
            self._new[topic] = None

    @property
    def waiting(self) -> int:
        """Rulings that the broker does not have for certain."""
        with self._lock:
            return len(self._rulings) + len(self._sent)

    @property
    def is_idle(self) -> bool:
        """The broker has everything."""
        with self._lock:
            return not (self._rulings or self._sent or self._new)

    # --- for the one who sends ---

    def next_ruling(self) -> bytes | None:
        """To be handed to the broker now, if it has not enough to acknowledge."""
        with self._lock:
            return self._rulings.popleft() if self._rulings and len(self._sent) < WINDOW else None

    def sent(self, number: int, content: bytes) -> None:
        with self._lock:
            self._sent[number] = content

    def acknowledged(self, number: int) -> None:
        with self._lock:
            self._sent.pop(number, None)

    def next_kept(self) -> tuple[str, bytes] | None:
        """A topic and what is to be kept there, if it has not been sent."""
        with self._lock:
            topic = next(iter(self._new), None)
            if topic is None:
                return None
            del self._new[topic]
            kept = self._kept[topic]
        if isinstance(kept, bytes):
            return topic, kept
        content = kept()
        with self._lock:
            if self._kept[topic] is kept:  # else there is a newer one by now, which follows
                self._kept[topic] = content
        return topic, content

    def gone(self) -> None:
        """Whatever was not acknowledged is to be sent again; so is what is kept."""
        with self._lock:
            self._rulings.extendleft(reversed(self._sent.values()))
            self._sent.clear()
            self._new = dict.fromkeys(self._kept)
            while len(self._rulings) > self._most:
                self._rulings.popleft()
                self.lost += 1
