"""What Triple³ sounds like."""

from companion.sounds.cues import Cue, GameCues

# An illegal play that is kept for the next Stop! must not be told apart by ear.
CUES = GameCues(
    events={
        "dealt": Cue.BUTTON,
        "started": Cue.GO,
        "played-legally": Cue.LEGAL,
        "said-otherwise": Cue.NOTICE,
        "played-illegally": Cue.LEGAL,
        "taken-back": Cue.BUTTON,
        "found-lying": Cue.NOTICE,
        "few-left": None,
        "ahead": None,
        "stopped": Cue.CALL,
        "not-out-yet": Cue.NOTICE,
        "claim-open": Cue.CALL,
        "claim-void": Cue.NOTICE,
        "went-on": Cue.GO,
        "nobody-can-lay": Cue.NOTICE,
        "round-won": Cue.ROUND,
        "round-stands": Cue.NOTICE,
    },
)
