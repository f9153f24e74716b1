"""What the witness of Three! says to the players: never what lies under the top of a pile."""

from companion.core.sentence import N_, Sentence

EYES_BACK = N_("Stop until I see the table again; I then look at all piles and go on.")
FACE_DOWN = N_("it lies face down, or is of another deck")
LAY_STRAIGHT = N_("Lay it straight and take your hands off, or say which dog it is.")


def pile_of(player: str) -> str:
    return Sentence("the pile of {player}", player=player)


def cannot_read(player: str, reason: str) -> tuple[str, str]:
    return Sentence("I cannot read the top of {player}'s pile: {reason}.", player=player, reason=reason), LAY_STRAIGHT


def unsure(player: str, dog: str) -> tuple[str, str]:
    """Whether a dog was laid on the same dog."""
    sentence = Sentence("I cannot tell whether {player} played another {dog}.", player=player, dog=dog)
    return sentence, N_("Say that it was played, or look again if it was not.")


def unknown_card(player: str) -> tuple[str, str]:
    sentence = Sentence("I cannot tell which card {player} played.", player=player)
    return sentence, LAY_STRAIGHT


def pile_gone(player: str) -> tuple[str, str]:
    sentence = Sentence("{player}'s pile is gone, and nobody checks it.", player=player)
    return sentence, N_("Lay it back as it was, with the same card on top.")


def other_top(player: str) -> tuple[str, str]:
    sentence = Sentence("What lies on top of {player}'s pile now was not in it.", player=player)
    return sentence, N_("Put the whole pile back, and nothing else.")


def hand_stays(player: str) -> tuple[str, str]:
    sentence = Sentence("A hand or a thing stays over {player}'s pile.", player=player)
    return sentence, N_("Take it away: I do not see what is played there.")


def count_it(player: str) -> tuple[str, str]:
    """A check that the table cannot answer."""
    sentence = Sentence("I do not know {player}'s pile for certain.", player=player)
    return sentence, Sentence("{player} counts, and says how many there are.", player=player)


def wrong_bank(owner: str) -> str:
    return Sentence("These cards belong in the bank of {owner}.", owner=owner)


def left_over(player: str) -> tuple[str, str]:
    sentence = Sentence("Cards of another match lie on {player}'s place.", player=player)
    return sentence, N_("Take them away.")
