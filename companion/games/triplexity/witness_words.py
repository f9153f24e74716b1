"""What the witness of Triplexity says to the players."""

from collections.abc import Sequence

from companion.core.sentence import N_, Both, Sentence

EYES_BACK = N_("Stop until I see the table again; I then look at all three places and go on.")
LAY_IT_SO = N_("Lay it so, from bottom to top: {wanted}. Or undo on the screen, or say what was moved.")
NOTHING = N_("nothing on the {place}")
FACES = N_("{cards} on the {place}")
COLOURS = N_("{hue} on the {place}")
CLEAR = N_("The round is over: take all six pieces off the mat, then go on.")
CLEAR_FIRST = N_("A piece was placed before the mat was bare.")
CLEAR_FIRST_BACK = N_("Take all pieces off the mat, then begin the round with the first one.")
STRAIGHT = N_("Lay the piece straight, with its pips up; take away what does not belong there.")

Stacks = Sequence[tuple[str, tuple[str, ...]]]  # each place with its faces; where only colours count, with a dash


def _lies(place: str, faces: tuple[str, ...]) -> Sentence:
    if not faces:
        return Sentence(NOTHING, place=place)
    if faces[0].endswith("-"):
        return Sentence(COLOURS, hue=tuple(face.rstrip("-") for face in faces), place=place)
    return Sentence(FACES, cards=faces, place=place)


def _so(stacks: Stacks) -> str:
    return Sentence(LAY_IT_SO, wanted=Both(_lies(place, faces) for place, faces in stacks))


def differs(stacks: Stacks) -> tuple[str, str]:
    """The table does not show what the match has."""
    return N_("The pieces do not lie as the match has them."), _so(stacks)


def unsure(stacks: Stacks) -> tuple[str, str]:
    return N_("I cannot tell what was moved."), _so(stacks)


def unturned(place: str, face: str, wanted: str) -> tuple[str, str]:
    sentence = Sentence("The piece on the {place} shows {card}: it was not turned over.", place=place, card=face)
    return sentence, Sentence("Turn it over, so that it shows {card}, or put it back.", card=wanted)


def whose(player: str, turn: str) -> tuple[str, str]:
    """A piece is back where it came from, and nobody can say by whom."""
    sentence = Sentence(
        "Has {player} taken the move back, or has {turn} moved the piece back?", player=player, turn=turn
    )
    return sentence, Sentence(
        "If {player} took it back, undo it on the screen; {turn} must put it back where it was.",
        player=player,
        turn=turn,
    )


def missing(faces: Sequence[str]) -> tuple[str, str]:
    sentence = Sentence("A piece is in the air, or beside the mat: {cards}.", cards=tuple(faces))
    return sentence, N_("Lay it on a place, or put it back where it was.")


def covered(place: str) -> tuple[str, str]:
    sentence = Sentence("I cannot see the {place}: a hand or something else has been over it for a while.", place=place)
    return sentence, N_("Take it away; then I see what lies there, and go on.")


def unknown(place: str) -> tuple[str, str]:
    return Sentence("What lies on the {place} is no piece of this game that I know.", place=place), STRAIGHT


def cannot_read(place: str, reason: str) -> tuple[str, str]:
    return Sentence("I cannot read the piece on the {place}: {reason}.", place=place, reason=reason), STRAIGHT
