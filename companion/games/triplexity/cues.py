"""What Triplexity sounds like."""

from companion.sounds.cues import Cue, GameCues

CUES = GameCues(
    events={
        "placed": Cue.LEGAL,
        "shifted": Cue.LEGAL,
        "three-of-a-colour": Cue.ROUND,
        "drawn-by-repetition": Cue.TIE,
        "nobody-can-move": Cue.TIE,
        "next-round": Cue.GO,
        "round-stands": Cue.NOTICE,
    },
)
