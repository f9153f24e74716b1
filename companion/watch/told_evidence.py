"""What a ruling rests on, as it is told."""

from typing import TYPE_CHECKING

from companion.core.replies import CellLook, EvidenceData
from companion.watch.evidence import Evidence

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
    )
