"""What is kept of a watched match for disputes: the last plays, what each rests on, and their pictures."""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from companion.core.errors import CompanionError, MatchError
from companion.core.match import Match
from companion.core.replies import ErrorReply, EvidenceData, FoulReply, NoticeReply, Reply
from companion.core.requests import Correct
from companion.core.sentence import N_, Sentence
from companion.core.session import Session
from companion.watch.evidence import Act, Called, Evidence, Statement
from companion.watch.game_watch import GameWatch
from companion.watch.messages import DisputeReply, Really
from companion.watch.told_evidence import evidence_data

if TYPE_CHECKING:
    from companion.watch.album import Album
    from vision.frames import Frame
    from vision.ring import Ring
    from vision.watcher import Watcher

PLAYS = 5  # that come up at a Stop!
REFUSED_AND_NONE = N_("{card} on cell {cell} was refused and is no move: nothing can fall away.")

# How a card was put right: the match has it under its right name; it was refused, so that the witness must be told; or,
# with None, nothing has changed.
PutRight = Literal["known", "refused"] | None


class DisputeDesk:
    """A ring holds the last seconds where pictures of disputes are wanted."""

    def __init__(self, eye: "Watcher", game: GameWatch, album: "Album | None", ring: "Ring | None") -> None:
        self._eye, self._game, self._album = eye, game, album
        self.recollection = game.disputes()
        self._ring = ring or (_new_ring() if album else None)
        self.gallery = game.gallery(album, self._ring) if album and self._ring else None
        self._pictures = self._disputes = 0
        self._trouble_told = False

    # --- what is kept

    def add(self, frame: "Frame") -> None:
        if self._ring:
            self._ring.add(frame, changed=self._eye.changed)

    def keep(self, act: Act, match: Match) -> None:
        """An act was done."""
        self.recollection.keep(act, match)
        if self.gallery and isinstance(act, Statement | Called):
            self.gallery.keep(act.evidence, self._eye.looks)

    def evidence(self, evidence: Evidence) -> EvidenceData:
        """As it is told, with pictures of before and after where there is an album."""
        data = evidence_data(evidence)
        if self._album:
            self._pictures += 1
            data.pictures.extend(self._album.pair(self._pictures, evidence.before, evidence.after))
        return data

    def troubles(self) -> Iterator[Reply]:
        """That pictures cannot be kept is told once."""
        if self._album and self._album.trouble and not self._trouble_told:
            self._trouble_told = True
            yield NoticeReply(self._album.trouble)

    def forget(self) -> None:
        """Another match."""
        self.recollection = self._game.disputes()

    @property
    def pictures_kept(self) -> int:
        return self._album.kept if self._album else 0

    def forget_pictures(self) -> None:
        """Of this dispute and of all before it."""
        if self._ring:
            self._ring.clear()
        if self._album:
            self._album.forget()
        if self.gallery and self._album and self._ring:
            self.gallery.close()  # what it holds for pictures to come goes with it
            self.gallery = self._game.gallery(self._album, self._ring)

    @property
    def is_drawing(self) -> bool:
        """Pictures that were told of are not all there yet."""
        return bool(self.gallery and self.gallery.is_drawing)

    def close(self) -> None:
        """When the pictures that were promised are there."""
        if self.gallery:
            self.gallery.close()

    # --- disputes

    def begin_anew(self) -> None:
        """Another Stop!"""
        if self._album:
            self._album.begin_anew()
        if self.gallery:
            self.gallery.begin_anew()

    def dispute(self, match: Match, at: int) -> DisputeReply:
        """What happened last, with pictures if there are to be any."""
        plays = self.recollection.plays(match)[:PLAYS]
        pictures: Sequence[Sequence[str]] = [()] * len(plays)
        page = ""
        if self.gallery:
            self._disputes += 1
            kept = self.gallery.shown(plays, self._eye.table, f"dispute-{self._disputes:02}")
            pictures, page = kept.plays, kept.page
        told = [self.recollection.told(play, kept) for play, kept in zip(plays, pictures, strict=True)]
        return DisputeReply(at, told, page)

    def put_right(self, session: Session, message: Really, at: int) -> Generator[Reply, None, PutRight]:
        """A card was read wrongly: it is corrected in the match, if the match has it."""
        match = session.referee.match
        try:
            play = self.recollection.play_of(message.cell, message.read, match)
            settled = self.recollection.put_right(message, play, match)
        except CompanionError as error:
            yield ErrorReply(error, re=message.id)
            return None
        if isinstance(settled, Correct):
            correct = replace(settled, at=at, id=message.id, counts=message.counts, as_of=message.as_of)
            if message.preview:
                yield from _previewed(session, correct)
                return None
            return (yield from self._corrected(session, correct, play, message.card))
        if message.preview:
            yield ErrorReply(MatchError(Sentence(REFUSED_AND_NONE, card=play.card, cell=play.cell)), re=message.id)
            return None
        yield replace(session.done(Really.word, at), re=message.id)
        return "refused"

    def _corrected(self, session: Session, correct: Correct, play: Any, card: str) -> Generator[Reply, None, PutRight]:
        """Where the rules refuse it, the match has none of that play any more."""
        replies = session.answer(correct)
        yield from replies
        match replies[-1]:
            case FoulReply():
                yield from session.answer(replace(correct, move=None))
                return "refused"
            case ErrorReply():
                return None  # the card is called as before
        self.recollection.reads(play, card)
        return "known"


def _previewed(session: Session, correct: Correct) -> Iterator[Reply]:
    """What would come of it, as it would be done."""
    replies = session.answer(replace(correct, preview=True, as_of=None))
    if isinstance(replies[-1], FoulReply):
        replies = session.answer(replace(correct, move=None, preview=True, as_of=None))
    yield from replies


def _new_ring() -> "Ring":
    from vision.ring import Ring  # noqa: PLC0415

    return Ring()
