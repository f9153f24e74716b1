"""What Tres sounds like."""

from companion.sounds.cues import Cue, GameCues

CUES = GameCues(
    events={
        "showed": Cue.BUTTON,
        "tied-for-dealer": Cue.TIE,
        "dealer-chosen": Cue.LEGAL,
        "dealt": Cue.GO,
        "turned-up": Cue.BUTTON,
        "turn-lost": Cue.NOTICE,
        "direction-turned": Cue.NOTICE,
        "played": Cue.LEGAL,
        "laid": Cue.LEGAL,
        "skipped": Cue.NOTICE,
        "must-draw": Cue.NOTICE,
        "drew": Cue.BUTTON,
        "kept": Cue.BUTTON,
        "passed": Cue.BUTTON,
        "said-tres": Cue.CALL,
        "said-together": Cue.TIE,
        "ahead": None,
        "caught": Cue.FOUL,
        "reshuffled": Cue.BUTTON,
        "not-drawn": Cue.BUTTON,
    },
)
