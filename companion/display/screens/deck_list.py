"""The decks of one's own: which of them the camera reads, and the way to teach one."""

from dataclasses import replace
from pathlib import Path

from companion.core.card_ways import seen_games
from companion.core.sentence import N_
from companion.display.layout import Box, columns, rows
from companion.display.scene import ChangeTo, Go, Scene
from companion.display.screens.elements import Page, page, pager
from companion.display.screens.history import title_of
from companion.display.view import View
from companion.teaching.kept_decks import KeptDeck
from companion.words import labels

PRINTED = N_("The printed deck")
NOT_WATCHED = N_("No camera watches this game.")
UNREADABLE = N_("This deck cannot be read.")


def scene(view: View) -> Scene:
    made, more, body = page(view, view.words.say(labels.DECKS))
    m, say = view.m, view.words.say
    decks = list(view.shelf.decks)
    known = [deck.name for deck in decks]
    decks[:0] = [KeptDeck(name, game) for game, name in view.prefs.decks.items() if name not in known]
    body, foot = rows(body, 1.0, m.of(14), gap=m.gap)
    high = m.of(13) if m.wide else m.of(25)
    room = max(1, (body.h + m.gap) // (high + m.gap))
    first = int(view.marks.get("first", 0))
    pager(made, more, first, room, len(decks) + 1)
    lines = rows(body, *(1.0,) * room, gap=m.gap)
    listed: list[KeptDeck | None] = [None, *decks]
    for deck, line in zip(listed[first:], lines, strict=False):
        _line(made, line, deck)
    teach = None if is_busy(view) else Go("teach")
    made.button(foot, say(labels.TEACH_A_DECK), teach, look="main", symbol="camera", size=m.of(6), key="t")
    return made.done()


def is_busy(view: View) -> bool:
    """A match is played at this table, whose cards are none to be taught."""
    return view.seen is not None and not view.seen.is_over


def _line(made: Page, box: Box, deck: KeptDeck | None) -> None:
    """A deck that can be chosen, what is known of it, and the way to go on with teaching it."""
    m, say, prefs = made.m, made.words.say, made.view.prefs
    if m.wide:
        name, about, on = columns(box, 1.0, 1.0, m.of(42), gap=m.gap)
    else:
        name, rest = rows(box, 1.0, m.touch, gap=m.gap // 2)
        about, on = columns(rest, 1.3, 1.0, gap=m.gap)
    if deck is None:
        made.button(name, say(PRINTED), ChangeTo(replace(prefs, decks={})), on=not prefs.decks, symbol="cards")
        return
    is_chosen = prefs.decks.get(deck.game) == deck.name
    can_be_read = deck.game in seen_games() or is_chosen
    to = ChangeTo(prefs.with_deck(deck.game, "" if is_chosen else deck.name)) if can_be_read else None
    made.button(name, Path(deck.name).stem, to, on=is_chosen, symbol="cards")
    made.text(about, _about(made, deck), m.small, "quiet", align="left", lines=4)
    if deck.faces and not is_busy(made.view):
        made.button(on, say(labels.TEACH_ON), Go("teaching", f"{deck.game}:{deck.name}"), symbol="camera")


def _about(made: Page, deck: KeptDeck) -> str:
    say = made.words.say
    if not deck.faces:
        is_chosen = made.view.prefs.decks.get(deck.game) == deck.name
        return str(Path(deck.name).parent) if is_chosen else say(UNREADABLE)
    known = say(labels.FACES_KNOWN, known=deck.known, count=deck.faces)
    told = f"{title_of(deck.game)} · {known}"
    return told if deck.game in seen_games() else f"{told} · {say(NOT_WATCHED)}"
