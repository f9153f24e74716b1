"""What the witness of Triplexity says to the players."""

from collections.abc import Sequence

from companion.core.sentence import N_, Both, Sentence

EYES_BACK = N_("Stop until I see the table again; I then look at all three places and go on.")
LAY_IT_SO = N_("Lay it so, from bottom to top: {stacks}. Or undo on the screen, or say what was moved.")
NOTHING = N_("nothing on the {place}")
ON_PLACE = N_("{pieces} on the {place}")
CLEAR = N_("The round is over: take all six pieces off the mat, then go on.")
CLEAR_FIRST = N_("A piece was placed before the mat was bare.")
CLEAR_FIRST_BACK = N_("Take all pieces off the mat, then begin the round with the first one.")


def lies(stacks: Sequence[tuple[str, tuple[str, ...]]]) -> Both:
    """What must lie on each place, from bottom to top."""
    return Both(
        Sentence(ON_PLACE, place=place, pieces=pieces) if pieces else Sentence(NOTHING, place=place)
        for place, pieces in stacks
    )


def differs(stacks: Sequence[tuple[str, tuple[str, ...]]]) -> tuple[str, str]:
    """The table does not show what the match has."""
    return N_("The pieces do not lie as the match has them."), Sentence(LAY_IT_SO, stacks=lies(stacks))


def unsure(stacks: Sequence[tuple[str, tuple[str, ...]]]) -> tuple[str, str]:
    return N_("I cannot tell what was moved."), Sentence(LAY_IT_SO, stacks=lies(stacks))


def unturned(place: str, face: str, wanted: str) -> tuple[str, str]:
    sentence = Sentence("The piece on the {place} shows {face}: it was not turned over.", place=place, face=face)
    return sentence, Sentence("Turn it over, so that it shows {wanted}, or put it back.", wanted=wanted)


def whose(last: str, turn: str) -> tuple[str, str]:
    """A piece is back where it came from, and nobody can say by whom."""
    sentence = Sentence("Has {last} taken the move back, or has {turn} moved the piece back?", last=last, turn=turn)
    return sentence, Sentence(
        "If {last} took it back, undo it on the screen; {turn} must put it back where it was.", last=last, turn=turn
    )


def missing(faces: Sequence[str]) -> tuple[str, str]:
    sentence = Sentence("A piece is in the air, or beside the mat: {faces}.", faces=tuple(faces))
    return sentence, N_("Lay it on a place, or put it back where it was.")


def covered(place: str) -> tuple[str, str]:
    sentence = Sentence("I cannot see the {place}: a hand or something else has been over it for a while.", place=place)
    return sentence, N_("Take it away; then I see what lies there, and go on.")


def unknown(place: str) -> tuple[str, str]:
    sentence = Sentence("What lies on the {place} is no piece of this game that I know.", place=place)
    return sentence, N_("Lay the piece straight, with its pips up; take away what does not belong there.")


def cannot_read(place: str, reason: str) -> tuple[str, str]:
    sentence = Sentence("I cannot read the piece on the {place}: {reason}.", place=place, reason=reason)
    return sentence, N_("Lay the piece straight, with its pips up; take away what does not belong there.")
