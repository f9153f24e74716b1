"""What Threepia sounds like."""

from companion.sounds.cues import Cue, GameCues

CUES = GameCues(
    events={
        "dealt": Cue.BUTTON,
        "began": Cue.GO,
        "laid": Cue.LEGAL,
        "counted": Cue.LEGAL,
        "combined": Cue.LEGAL,
        "triangles-used": None,
        "scored": Cue.LEGAL,
        "hand-empty": Cue.ROUND,
        "points-owed": Cue.BUTTON,
        "nothing-laid": Cue.BUTTON,
        "deck-used-up": Cue.NOTICE,
        "deck-counted": Cue.BUTTON,
        "drawn-needlessly": Cue.NOTICE,
        "turn-time-up": Cue.TIME_UP,
        "out-of-time": Cue.TIME_UP,
        "left-in-hand": None,
        "play-finished": Cue.NOTICE,
    },
    spoken=("scored",),
)
