"""A correction that somebody wants, from the touch to its answer: what would come of it is looked at first."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from companion.dispute import Really
from companion.protocol import Correct

WISH = Correct | Really
SCREEN = "question"
ASKED = "asked"  # the id of a message that is sent to ask it
ANSWERED = "answered"  # the id of the correction itself


@dataclass(frozen=True, slots=True)
class Question:
    """What would fall away, and whether it is to be done all the same."""

    wish: WISH
    preview: Mapping[str, Any] | None = None  # the reply; none yet
    is_paused: bool = False  # the clocks stand for it

    def asked(self) -> WISH:
        return replace(self.wish, preview=True, id=ASKED)

    def answer(self, *, counts: bool | None = None) -> WISH:
        """The correction as it was looked at."""
        assert self.preview is not None
        counts = self.wish.counts if counts is None else counts
        return replace(self.wish, preview=False, counts=counts, as_of=self.preview["entries"], id=ANSWERED)

    def going_on(self) -> WISH:
        """The same, where what was played after an end that came earlier counts: that is another question."""
        return replace(self.wish, preview=True, counts=True)

    def is_about(self, preview: Mapping[str, Any]) -> bool:
        """The move of that number is still the one that was to be put right."""
        return self.preview is None or self.preview["was"] == preview["was"]


def is_quiet(preview: Mapping[str, Any]) -> bool:
    """Nobody loses a move, a point or the match by it: that needs no question."""
    return not (
        preview["asks"]
        or preview["hides"]
        or any(change["kind"] == "dropped" for change in preview["changes"])
        or preview["scores_before"] != preview["scores_after"]
        or preview["winners_before"] != preview["winners_after"]
    )
