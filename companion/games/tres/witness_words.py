"""What the witness of Tres says to the players."""

from collections.abc import Sequence

from companion.core.sentence import N_, Sentence

EYES_BACK = N_("Stop until I see the table again; I then read all cards and go on.")
PILE_VISITED = N_("Somebody was at the draw pile who does not have the turn: tell me if a card was drawn.")
TOLD_ONLY = (
    N_("In this match cards are only counted, and a camera tells each of them."),
    N_("Begin another match in which the referee is told every card."),
)
NO_DEALER = N_("I see the cards of the table, and nobody has said who deals."), N_("Say who deals.")
HAND_STAYS = (
    N_("A hand lies on the draw pile: I cannot see who draws."),
    N_("Take it off for a moment. If a card was drawn, I take it that it is one."),
)
TWO_COLUMNS = (
    N_("Cards lie below two cards of the table."),
    N_("Lay all cards of a play below the one that they are played with."),
)


def cannot_read(cell: int, reason: str) -> tuple[str, str]:
    return (
        Sentence("I cannot read cell {cell}: {reason}.", cell=cell, reason=reason),
        Sentence("Lay the card straight and take your hands off, or say which one lies on cell {cell}.", cell=cell),
    )


def face_down(cell: int) -> tuple[str, str]:
    return (
        Sentence("What lies on cell {cell} shows me no card of this deck.", cell=cell),
        N_("Lay the card face up, or take away what is none."),
    )


def card_gone(card: str, cell: int) -> tuple[str, str]:
    return (
        Sentence("{card} is gone from cell {cell}, and I have seen no card played with it.", card=card, cell=cell),
        N_("Say what was played with it, or put it back."),
    )


def who_plays(card: str, turn: str) -> tuple[str, str]:
    return (
        Sentence("I cannot tell who plays with {card}: it is {turn}'s turn.", card=card, turn=turn),
        Sentence("Say that {turn} has drawn, or say the play; whoever laid out of turn takes it back.", turn=turn),
    )


def drawn_and_two(player: str) -> tuple[str, str]:
    return (
        Sentence("I saw {player} at the draw pile, and now two cards are played.", player=player),
        N_("Undo the draw if no card was drawn, or take one of the two back."),
    )


def drawn_twice(player: str, whom: str) -> tuple[str, str]:
    return (
        Sentence("{player} has drawn twice, as I see it.", player=player),
        Sentence("Say that {whom} has drawn in between, or put the card back.", whom=whom),
    )


def due_first(player: str, count: int) -> tuple[str, str]:
    return (
        Sentence("I have not seen {player} draw the {count} that are due.", player=player, count=count),
        N_("Draw them now, or say that they were drawn."),
    )


def differs(cell: int, card: str, table: Sequence[str]) -> tuple[str, str]:
    return (
        Sentence("I see {card} on cell {cell}, and the match has {table}.", card=card, cell=cell, table=table),
        N_("Say what was played or turned up, or lay the cards as the match has them."),
    )


def cannot_be(card: str, reason: str) -> tuple[str, str]:
    return (
        Sentence("What is played with {card} cannot be as I see it: {reason}", card=card, reason=reason),
        N_("Say the play as it is, or take it back."),
    )
