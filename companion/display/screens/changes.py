"""What a correction changes about other moves, line by line: those that fall away first."""

from collections.abc import Sequence

from companion.core.correction import CANNOT_STAND, Change
from companion.core.rules import Move
from companion.display.layout import Box, columns, rows
from companion.display.scene import Symbol
from companion.display.screens.elements import Page
from companion.display.speech import capital
from companion.words import labels

SIGNS = {  # in the order in which they are told
    "dropped": ("wrong", "bad"),
    "adjusted": ("hand", "warn"),
    "added": ("clock", "warn"),
    "withdrawn": ("clock", "warn"),
    "restored": ("redo", "good"),
    "changed": ("right", "good"),
}


def in_order(changes: Sequence[Change]) -> list[Change]:
    """What falls away first."""
    order = list(SIGNS)
    return sorted(changes, key=lambda change: order.index(change.kind))


def change_lines(page: Page, box: Box, changes: Sequence[Change], room: int) -> None:
    """So many of them as there is room for."""
    for change, line in zip(changes, rows(box, *(1.0,) * room, gap=page.m.gap), strict=False):
        _line(page, line, change)


def _line(page: Page, box: Box, change: Change) -> None:
    m, words = page.m, page.words
    kind = change.kind
    sign, about = columns(box, m.of(6), 1.0, gap=m.gap)
    page.add(Symbol(rows(sign, m.of(5.4), 1.0)[0].middle(m.of(5), m.of(5)), *SIGNS[kind]))
    head, rest = rows(about, m.of(5.4), 1.0)
    named = [words.say(labels.MOVE_NUMBER, number=change.number)] if change.number else []
    who = [change.move.player] if change.move.player else []
    page.text(head, " · ".join([*named, *who, words.say(labels.CHANGE_KINDS[kind])]), m.small, "quiet", align="left")
    page.text(rest, _told(page, change), m.of(4.6), align="left", lines=6)


def _told(page: Page, change: Change) -> str:
    """What the move did, and what it does now or why it cannot stand."""
    was, now = change.was, change.now
    if change.kind == "dropped":
        was, now = was[:1], (_reason(page, change.dropped),)
    else:
        was, now = (
            tuple(sentence for sentence in was if sentence not in now),
            tuple(sentence for sentence in now if sentence not in was) or now,
        )
    told = (" ".join(map(page.words.heard, sentences)) for sentences in (was, now))
    return " → ".join(filter(None, told)) or bare(page, change.move)


def _reason(page: Page, sentence: str) -> str:
    """Why a move cannot stand; not in the referee's words, where they name a card that nobody may look up."""
    return CANNOT_STAND if any(card in sentence for card in page.view.match.covered) else sentence


def bare(page: Page, move: Move) -> str:
    """A move of which there is nothing to say but what it is."""
    return capital(page.words.say(move.doing or move.word))
