"""What Three! sounds like."""

from companion.sounds.cues import Cue, GameCues

CUES = GameCues(
    events={
        "began": Cue.GO,
        "played": Cue.LEGAL,
        "deck-empty": Cue.NOTICE,
        "struck": Cue.STRIKE,
        "ahead": None,
        "struck-together": Cue.TIE,
        "whose-hand": Cue.STRIKE,
        "called": Cue.CALL,
        "released": Cue.NOTICE,
        "rearming": None,
        "kept-out": Cue.NOTICE,
        "declared": Cue.CALL,
        "checked": Cue.LEGAL,
        "seen-otherwise": Cue.NOTICE,
        "passed": Cue.BUTTON,
        "nothing-more": Cue.BUTTON,
        "last-calls": Cue.NOTICE,
        "calls-over": Cue.BUTTON,
        "final-round": Cue.NOTICE,
    },
    spoken=("checked",),
    ticking={"release": 5},  # a call has only ten seconds
)
