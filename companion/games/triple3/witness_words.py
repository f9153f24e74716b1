"""What a witness of Triple³ says of the table: what was seen that is no move, and what is out of step."""

from collections.abc import Sequence
from typing import NamedTuple

from companion.core.sentence import N_, Sentence
from companion.games.triple3.witness_plays import Play
from companion.watch.evidence import PLAIN, Noticed
from companion.watch.tracker import Belief, Deed

HANDS_OFF = N_("Take your hands off the table for two seconds, or touch the cell that is wrong.")
CALLED_STAYS = N_("Take it back; if it stays it counts from now on.")
EYES_BACK = N_("Stop until I see the table again; I then read all nine cells and go on.")
OTHER_DECK = N_("Many cells show cards that are not of this deck.")
COVERED_OVER = N_("Many cells show no card: something lies over them, or they were turned over or taken away.")
AS_IT_WAS = N_("Put the table back as it was; I then read all nine cells and go on.")
IN_ONE_ORDER = N_(
    "{card} on cell {cell} was laid at the same time as another card: in one order it is legal, so it stands."
)
FOREIGN = N_("it is not a card of this deck")  # as the reader says it
MIRRORED = ("glare hides a part of it", "it is burnt out by light", "something bright or dark hides it")
TILT = N_("Tilt the mat or move the lamp, which is mirrored on cell {cell}; or say what lies there.")
NO_CARD = N_("no card")
SHOWN = {"face-down": N_("a card that lies face down"), "foreign": N_("a card that is not of this deck")}

SURELY_LEGAL = N_("It is {percent} sure that it is legal. {sentence}")
SURELY_ILLEGAL = N_("It is {percent} sure that it is illegal. {sentence}")
UNDER_LEGAL = N_("A card that nobody saw may lie under it: then it is legal.")
UNDER_ILLEGAL = N_("A card that nobody saw may lie under it: then it is illegal.")
EARLIER_LEGAL = N_("It may have come at another moment: then it is legal.")
EARLIER_ILLEGAL = N_("It may have come at another moment: then it is illegal.")


class Wrong(NamedTuple):
    """Why a cell, or the table, is out of step, and the way back."""

    code: str
    sentence: str
    way_back: str = HANDS_OFF


# --- out of step


def covered_twice(play: Play) -> Wrong:
    text = N_("Cell {cell} was covered twice; I saw only the upper card, {card}.")
    return Wrong("covered-twice", Sentence(text, cell=play.cell, card=play.card), _off_or_touch(play.cell))


def line_unknown(play: Play, unknown: int) -> Wrong:
    text = N_("I cannot rule on {card} on cell {cell}: what lies on cell {unknown}?")
    sentence = Sentence(text, card=play.card, cell=play.cell, unknown=unknown)
    return Wrong("line-unknown", sentence, _off_or_touch(play.cell))


def refused(play: Play, code: str, sentence: str) -> Wrong:
    """The rules refuse a card for another reason than that it makes no triple."""
    return Wrong(code, sentence, _off_or_touch(play.cell))


def _off_or_touch(cell: int) -> Sentence:
    return Sentence("Take your hands off for two seconds, or touch cell {cell}.", cell=cell)


def seen_already(cell: int, card: str, where: int) -> Wrong:
    """A card that lies buried elsewhere."""
    text = N_("Cell {cell} looks like {card}, but that lies in the pile of {where}.")
    way_back = N_("If it is a card of another deck, take it off cell {cell}; if not, touch the cell.")
    return Wrong("seen-already", Sentence(text, cell=cell, card=card, where=where), Sentence(way_back, cell=cell))


def cannot_read(cell: int, reason: str) -> Wrong:
    if reason.startswith(MIRRORED):
        return Wrong("cannot-read", _unread(cell, reason), Sentence(TILT, cell=cell))
    return Wrong("cannot-read", _unread(cell, reason))


def bare(cell: int, state: str, top: str) -> Wrong:
    """A cell shows no card of the deck."""
    way_back = Sentence("Put {top} back there, face up.", top=top)
    if state == "face-down":
        way_back = Sentence("Turn the card on cell {cell} face up, or take it off.", cell=cell)
    elif state == "foreign":
        way_back = Sentence("Take it off cell {cell}, so that {top} is seen there.", cell=cell, top=top)
    return Wrong(
        "no-card", Sentence("Cell {cell} shows {value}.", cell=cell, value=SHOWN.get(state, NO_CARD)), way_back
    )


def differs(cell: int, top: str) -> Wrong:
    text = N_("Cell {cell} shows {top}, and the match has something else there.")
    return Wrong("differs", Sentence(text, cell=cell, top=top))


def called_stays(play: Play) -> Wrong:
    text = N_("{card} was called on cell {cell}, and it still lies there.")
    return Wrong("called-stays", Sentence(text, card=play.card, cell=play.cell), CALLED_STAYS)


# --- what changes nothing


def knocked(stamp: int, play: Play) -> Noticed:
    text = N_("{card} was knocked from cell {came_from} to {cell}.")
    sentence = Sentence(text, card=play.card, came_from=play.came_from, cell=play.cell)
    return Noticed(stamp, (play.came_from, play.cell), "knocked", sentence)


def dug_out(stamp: int, card: str, above: str, where: int, cell: int) -> Noticed:
    text = N_("{card} lay under {above} on cell {where}: somebody must have taken it out unseen.")
    return Noticed(stamp, (where, cell), "dug-out", Sentence(text, card=card, above=above, where=where))


def misread(stamp: int, cell: int, old: str, card: str) -> Noticed:
    text = N_("What I took for {old} on cell {cell} is {card}.")
    return Noticed(stamp, (cell,), "misread", Sentence(text, old=old, cell=cell, card=card))


def at_once(stamp: int, play: Play) -> Noticed:
    """Nobody could see which of two came first."""
    return Noticed(stamp, (play.cell,), "at-once", Sentence(IN_ONE_ORDER, card=play.card, cell=play.cell))


def too_late(stamp: int, play: Play) -> Noticed:
    text = N_("{card} on cell {cell} was laid at the same time as others: nobody can rule on it.")
    return Noticed(stamp, (play.cell,), "too-late", Sentence(text, card=play.card, cell=play.cell))


def called_below(stamp: int, play: Play, under: str) -> Noticed:
    text = N_("{under}, which was called, may still lie under {card} on cell {cell}: take it out.")
    sentence = Sentence(text, under=under, card=play.card, cell=play.cell)
    return Noticed(stamp, (play.cell,), "called-below", sentence)


def left_lying(stamp: int, play: Play) -> Noticed:
    text = N_("{card} was called on cell {cell} and was left lying: it counts from now on.")
    return Noticed(stamp, (play.cell,), "left-lying", Sentence(text, card=play.card, cell=play.cell))


def unread_at_the_deal(stamp: int, cell: int, reason: str) -> Noticed:
    return Noticed(stamp, (cell,), "cannot-read", _unread(cell, reason))


def other_deck(stamp: int, cells: Sequence[int]) -> Noticed:
    return Noticed(stamp, tuple(cells), "other-deck", OTHER_DECK)


def _unread(cell: int, reason: str) -> Sentence:
    return Sentence("I cannot read cell {cell}: {reason}.", cell=cell, reason=reason)


def gap(stamp: int, gap: str) -> Noticed:
    """For so long there were no frames."""
    return Noticed(stamp, (), "gap", Sentence("No pictures came for {gap}: I look at all nine cells anew.", gap=gap))


# --- how sure


def doubt(belief: Belief, chance: float) -> str:
    """How sure a ruling is, and what may have been instead, if that is likely enough to be worth a word."""
    other = belief.other
    if other is None or other.legal is None or chance >= PLAIN:
        return ""
    text = SURELY_LEGAL if belief.legal >= 0.5 else SURELY_ILLEGAL
    return Sentence(text, percent=f"{chance:.0%}", sentence=Sentence(_story(belief.deed, other)))


def _story(deed: Deed, other: Deed) -> str:
    if other.unseen and not deed.unseen:
        return UNDER_LEGAL if other.legal else UNDER_ILLEGAL
    return EARLIER_LEGAL if other.legal else EARLIER_ILLEGAL
