"""What a ruling rests on, as it is told."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from companion.core.replies import CellLook, EvidenceData
from companion.watch.evidence import Evidence
from companion.watch.messages import DisputedPlay

if TYPE_CHECKING:
    from vision.sightings import Look


def look_of(look: "Look") -> CellLook:
    return CellLook(look.stamp, look.number, look.card, look.state, round(look.confidence, 4))


def evidence_data(evidence: Evidence) -> EvidenceData:
    """What a ruling rests on, as it is told."""
    before, after = evidence.before, evidence.after
    return EvidenceData(
        evidence.cell,
        evidence.card,
        look_of(before) if before else None,
        look_of(after) if after else None,
        evidence.since,
        evidence.stamp,
        list(evidence.arms),
        evidence.guess,
        evidence.held,
        list(evidence.order),
        chance=round(evidence.chance, 4),
        other=evidence.other,
        spots=list(evidence.spots),
        place=evidence.place,
    )


class PlayOfGame(Protocol):
    """A play as a game remembers it for a dispute."""

    @property
    def number(self) -> int: ...
    @property
    def verdict(self) -> str: ...
    @property
    def cell(self) -> int: ...
    @property
    def card(self) -> str: ...
    @property
    def covered(self) -> str: ...
    @property
    def sentence(self) -> str: ...
    @property
    def accepts(self) -> tuple[str, ...]: ...
    @property
    def player(self) -> str: ...
    @property
    def likely(self) -> tuple[str, ...]: ...
    @property
    def evidence(self) -> Evidence | None: ...


def told_play(play: PlayOfGame, pictures: Sequence[str]) -> DisputedPlay:
    return DisputedPlay(
        play.number,
        play.verdict,
        play.cell,
        play.card,
        play.covered,
        play.sentence,
        list(play.accepts),
        play.player,
        list(play.likely),
        evidence_data(play.evidence) if play.evidence else None,
        list(pictures),
    )
