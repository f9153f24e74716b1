"""What the reader of the lines has found out, and whom it is told to."""

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from hardware.edge_reader import Edge, InputLine


class Delivery:
    """Edges and sentences that were found, by whichever thread; told by ours, when it holds no lock."""

    def __init__(
        self, lines: Mapping[int, InputLine], notice: Callable[[str], None], rouse: Callable[[], None]
    ) -> None:
        self.is_over = False
        self.edges: deque[Edge] = deque()
        self.sentences: deque[str] = deque()
        self._lines = lines
        self._notice = notice
        self._rouse = rouse

    def say(self, sentence: str) -> None:
        self.sentences.append(sentence)
        self._rouse()

    def take(self) -> tuple[list[str], list[Edge]]:
        """All that waits, which waits no longer."""
        sentences, edges = list(self.sentences), list(self.edges)
        self.sentences.clear()
        self.edges.clear()
        return sentences, edges

    def hand_out(self, sentences: Iterable[str], edges: Iterable[Edge]) -> None:
        for sentence in sentences:
            _call(self._notice, sentence)
        for edge in edges:
            line = self._lines.get(edge.line)
            if line and line.notify and edge.at >= line.told_from and not self.is_over:
                _call(line.notify, edge)


def _call(call: Callable[[Any], None], told: Any) -> None:
    """Somebody else's callback: what it raises must not cost anybody the next edge, not even a way out."""
    try:
        call(told)
    except BaseException as error:
        raised = (type(error), error, error.__traceback__, threading.current_thread())
        with contextlib.suppress(Exception):
            threading.excepthook(threading.ExceptHookArgs(raised))
