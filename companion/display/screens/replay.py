"""A match of the journal again, ruling by ruling: what was done, what the referee said, and how it stood then."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from companion.core.correction import Done
from companion.core.rules import Event, Move
from companion.core.sentence import N_
from companion.display.layout import Box, columns, rows
from companion.display.scene import Mark, Scene, Symbol
from companion.display.screens.elements import Page, page, player_tile, tiles
from companion.display.screens.history import title_of
from companion.display.screens.lying import has_picture, picture
from companion.display.screens.past_match import unreadable
from companion.display.shelf import Opened, Refused
from companion.display.speech import capital, recalled
from companion.display.view import Seen, View
from companion.words import Words, labels

FAR = 10  # moves at once
MOST_NOTES = 2  # shown below one ruling
MOST_FALLEN = 3  # moves named in one of them


@dataclass(frozen=True, slots=True)
class RulingNote:
    """Something to be said below a ruling."""

    symbol: str
    role: str
    text: str


def scene(view: View) -> Scene:
    opened = view.shelf.opened
    if opened is None:
        return unreadable(view)
    step = max(0, min(opened.steps, int(view.marks.get("step", 0))))
    seen = opened.at(step)
    made, more, body = page(view, title_of(opened.played.game))
    made.view, m = replace(view, seen=seen), made.m
    made.text(more, made.words.time(seen.now), m.body, "quiet", align="right")
    told, foot = rows(body, 1.0, m.touch, gap=m.gap)
    names, scores = seen.setup.names, seen.state.scores
    is_drawn = _is_drawn(opened, seen)
    people, said = (
        columns(told, 1.0, 1.5, gap=m.gap) if m.wide else rows(told, 1.0, 0.7 if is_drawn else 1.3, gap=m.gap)
    )
    if is_drawn:
        people, lying = rows(people, 1.0, 1.25 if m.wide else 2.0, gap=m.gap)
        picture(made, lying, seen)
    for player, score, cell in zip(names, scores, tiles(people, len(names), m), strict=True):
        player_tile(made, cell, player, str(score), on=player == seen.state.turn)
    _said(made, said, opened, step)
    _steps(made, foot, step, opened.steps)
    return made.done()


def _said(made: Page, box: Box, opened: Opened, step: int) -> None:
    """The ruling and its verdict; below it what was put right of it, and the moves that were refused after it."""
    m, words = made.m, made.words
    notes = [*_put_right(made, opened, step), *_refused(made, opened, step)][:MOST_NOTES]
    upper, *lower = rows(box, 1.0, *(0.42,) * len(notes), gap=m.gap)
    made.panel(upper)
    sign, text = columns(upper.inset(m.edge), m.of(10), 1.0, gap=m.gap)
    if step:
        symbol, role = verdict(made.view.match.events)
        made.add(Symbol(sign.middle(m.of(9), m.of(9)), symbol, role))
        sentences = _told(words, opened, opened.whole.line[step - 1])
    else:
        made.add(Symbol(sign.middle(m.of(9), m.of(9)), "flag", "quiet"))
        sentences = [words.say(labels.START)]
    made.text(text, "\n".join(sentences), m.of(5.6), align="left", lines=9)
    for note, cell in zip(notes, lower, strict=True):
        made.panel(cell, "panel", note.role)
        sign, text = columns(cell.inset(m.edge, 3), m.of(10), 1.0, gap=m.gap)
        made.add(Symbol(sign.middle(m.of(7), m.of(7)), note.symbol, note.role))
        made.text(text, note.text, m.of(4.6), align="left", lines=4)


def _refused(made: Page, opened: Opened, step: int) -> Iterator[RulingNote]:
    for found in opened.refused:
        if found.after == step:
            yield RulingNote("no", "bad", _why(made.words, opened, found))


def _put_right(made: Page, opened: Opened, step: int) -> Iterator[RulingNote]:
    """What a correction did to this move, and what it took away behind it."""
    words, place = made.words, opened.place(step)
    if place.what == "added":
        yield RulingNote("undo", "warn", words.say("The referee made this move, because the time was up."))
    elif place.was and place.differs(opened.whole.line[step - 1]):
        head = words.say(N_("Put right. It was:") if place.what == "put right" else N_("Ruled again. It was:"))
        yield RulingNote("undo", "warn", f"{head} {' '.join(_told(words, opened, place.was))}")
    if place.fallen:
        head = words.say("This does not count any more:")
        named = [_named(words, done.move) for done in place.fallen[:MOST_FALLEN]]
        named += [f"+{more}"] if (more := len(place.fallen) - MOST_FALLEN) > 0 else []
        yield RulingNote("undo", "warn", f"{head} {' · '.join(named)}")


def _told(words: Words, opened: Opened, done: Done) -> list[str]:
    """What was ruled; while the match runs without what nobody may look up."""
    told = [recalled(words, opened.whole, event) for event in done.ruling.events if event.text]
    return told or [_named(words, done.move)]


def _why(words: Words, opened: Opened, refused: Refused) -> str:
    """A reason may name what nobody may look up: it is told when the match is over."""
    if opened.whole.is_over:
        return words.heard(refused.sentence)
    return words.say("A move of {player} was refused.", player=refused.player)


def verdict(events: tuple[Event, ...]) -> tuple[str, str]:
    """The sign of a ruling and its colour: something was wrong, or everything was as it should be."""
    is_wrong = any(event.word == "played-illegally" or getattr(event, "right", True) is False for event in events)
    return ("wrong", "bad") if is_wrong else ("check", "good")


def _named(words: Words, move: Move) -> str:
    """A move of which there is nothing to say but that it was made."""
    doing = capital(words.say(move.doing or move.word))
    return words.told_of(move.player, doing) if move.player else doing


def _is_drawn(opened: Opened, seen: Seen) -> bool:
    """While the match runs nobody looks up what lies covered by now."""
    is_shown = opened.whole.is_over or seen is opened.whole or seen.game.lies_open
    return is_shown and has_picture(seen)


def _steps(made: Page, box: Box, step: int, steps: int) -> None:
    m = made.m
    side = m.of(15)
    far_back, back, which, on, far_on = columns(box, side, side, 1.0, 1.2, side, gap=m.gap)
    for cell, to, label, symbol, key in (
        (far_back, step - FAR, f"−{FAR}", "", "home"),
        (back, step - 1, "", "back", "page up"),
        (on, step + 1, "", "next", "page down"),
        (far_on, step + FAR, f"+{FAR}", "", "end"),
    ):
        near = max(0, min(steps, to))
        intent = Mark("step", near) if near != step else None
        look = "main" if cell is on else "plain"
        made.button(cell, label, intent, symbol=symbol, key=key, look=look)
    made.text(which, f"{step} / {steps}", m.body, "quiet")
