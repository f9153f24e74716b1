"""What waits to be published: of the states the newest, of the rulings each, up to so many. Any thread may put in."""

import threading
from collections import deque
from dataclasses import dataclass

MOST = 2_000  # rulings that wait; a long match has a few hundred
WINDOW = 20  # rulings on their way that the broker has not acknowledged


@dataclass(frozen=True, slots=True)
class Parcel:
    """A ruling as it goes out."""

    content: bytes


class Outbox:
    """One puts in, one sends. What was sent and not acknowledged goes back to where it was when the broker is gone."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._rulings: deque[Parcel] = deque()
        self._sent: dict[int, Parcel] = {}
        self._state: bytes = b""
        self._is_state_new = False
        self.lost = 0  # rulings that were thrown away because nobody fetched them

    def put_ruling(self, content: bytes) -> None:
        with self._lock:
            self._rulings.append(Parcel(content))
            if len(self._rulings) > self._most:
                self._rulings.popleft()
                self.lost += 1

    def put_state(self, content: bytes) -> None:
        with self._lock:
            self._state, self._is_state_new = content, True

    @property
    def waiting(self) -> int:
        """Rulings that the broker does not have for certain."""
        with self._lock:
            return len(self._rulings) + len(self._sent)

    @property
    def is_idle(self) -> bool:
        """The broker has everything."""
        with self._lock:
            return not (self._rulings or self._sent or self._is_state_new)

    # --- for the one who sends ---

    def next_ruling(self) -> Parcel | None:
        """To be handed to the broker now, if it has not enough to acknowledge."""
        with self._lock:
            return self._rulings.popleft() if self._rulings and len(self._sent) < WINDOW else None

    def sent(self, number: int, parcel: Parcel) -> None:
        with self._lock:
            self._sent[number] = parcel

    def acknowledged(self, number: int) -> None:
        with self._lock:
            self._sent.pop(number, None)

    def next_state(self) -> bytes:
        """The newest state, if it has not been sent."""
        with self._lock:
            is_new, self._is_state_new = self._is_state_new, False
            return self._state if is_new else b""

    def gone(self) -> None:
        """Whatever was not acknowledged is to be sent again; so is the state."""
        with self._lock:
            self._rulings.extendleft(reversed(self._sent.values()))
            self._sent.clear()
            self._is_state_new = bool(self._state)
            while len(self._rulings) > self._most:
                self._rulings.popleft()
                self.lost += 1
