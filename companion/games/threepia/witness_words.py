"""What the witness of Threepia says to the players."""

from companion.core.sentence import N_, Sentence
from companion.games.threepia.rules import Field

EYES_BACK = N_("Stop until I see the table again; I then read the whole field and go on.")
LAY_ON_DOTS = N_("Lay the cards edge to edge, straight on the dots of the mat, and say again that it is dealt.")
PILE_VISITED = N_("Somebody was at the draw pile who does not have the turn: tell me if a card was drawn.")


def field_lies(field: Field) -> str:
    return Sentence("I see the field {field}.", field=field.name)


def field_differs(field: Field, symbols: int) -> tuple[str, str]:
    """What lies there is not the field of the match."""
    text = N_("I see {symbols} symbols, and the field {field} has {needed}, of {cards} cards.")
    cards = len(field.places)
    sentence = Sentence(text, symbols=symbols, field=field.name, needed=4 * cards, cards=cards)
    return sentence, N_("Lay the cards as the field is drawn, edge to edge, straight on the dots of the mat.")


def unsure(place: str, card: str) -> tuple[str, str]:
    sentence = Sentence("I cannot tell whether {card} fits on {place}.", card=card, place=place)
    return sentence, Sentence(
        "Lay it straight and take your hands off, or say which card lies on {place}.", place=place
    )


def whose_turn(place: str, card: str, turn: str) -> tuple[str, str]:
    """A card lies there, and it is not known who has laid it."""
    if not turn:
        sentence = Sentence("I do not know who has laid {card} on {place}, and so who begins.", card=card, place=place)
    else:
        text = N_("I do not know who has laid {card} on {place}: it is {turn}'s turn, as far as I know.")
        sentence = Sentence(text, card=card, place=place, turn=turn)
    return sentence, N_("Whoever has laid it presses the turn button; or take back the draw that nobody made.")


def covered(place: str, card: str, turn: str) -> tuple[str, str]:
    """A card was covered before it could be read."""
    text = N_("The card on {place} lies on one that I could not read: which has {turn} laid there?")
    way_back = N_("Say which card {turn} has laid on {place}, or lift {card} for a moment.")
    return Sentence(text, place=place, turn=turn), Sentence(way_back, turn=turn, place=place, card=card)


def no_symbols(place: str) -> tuple[str, str]:
    sentence = Sentence("I see no symbols on a part of {place}.", place=place)
    return sentence, Sentence("Turn the card on {place} face up, or take off what hides it.", place=place)


def cannot_read(place: str, reason: str) -> tuple[str, str]:
    sentence = Sentence("I cannot read the card on {place}: {reason}.", place=place, reason=reason)
    return sentence, Sentence(
        "Lay it straight and take your hands off, or say which card lies on {place}.", place=place
    )
