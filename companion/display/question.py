"""A correction that somebody wants, from the touch to its answer: what would come of it is looked at first."""

from dataclasses import dataclass, replace

from companion.core.replies import PreviewReply
from companion.core.requests import Correct
from companion.watch.messages import Really

WISH = Correct | Really
SCREEN = "question"
ASKED = "asked"  # the id of a message that is sent to ask it
ANSWERED = "answered"  # the id of the correction itself


@dataclass(frozen=True, slots=True)
class Question:
    """What would fall away, and whether it is to be done all the same."""

    wish: WISH
    preview: PreviewReply | None = None  # the reply; none yet
    is_paused: bool = False  # the clocks stand for it

    def asked(self) -> WISH:
        return replace(self.wish, preview=True, id=ASKED)

    def answer(self, *, counts: bool | None = None) -> WISH:
        """The correction as it was looked at."""
        assert self.preview is not None
        counts = self.wish.counts if counts is None else counts
        return replace(self.wish, preview=False, counts=counts, as_of=self.preview.entries, id=ANSWERED)

    def going_on(self) -> WISH:
        """The same, where what was played after an end that came earlier counts: that is another question."""
        return replace(self.wish, preview=True, counts=True)

    def is_about(self, preview: PreviewReply) -> bool:
        """The move of that number is still the one that was to be put right."""
        return self.preview is None or self.preview.was == preview.was


def is_quiet(preview: PreviewReply) -> bool:
    """Nobody loses a move, a point or the match by it: that needs no question."""
    return not (
        preview.asks
        or preview.hides
        or any(change.kind == "dropped" for change in preview.changes)
        or preview.scores_before != preview.scores_after
        or preview.winners_before != preview.winners_after
    )
