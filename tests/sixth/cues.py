"""What Sticks sounds like."""

from companion.sounds.cues import Cue, GameCues

CUES = GameCues(events={"took": Cue.LEGAL})
