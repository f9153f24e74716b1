"""After Stop! in any game that a camera watches: the last plays, what was seen of each, and the way to put one right.

What is shown comes with the newest `dispute` of a watched match, in the mark of that name; `correction` is the reply to
the last correction. What a card looks like, and what its places are called, the game's own screen says.
"""

from collections.abc import Sequence
from dataclasses import replace

from companion.core.entry import STOP
from companion.core.replies import CorrectionReply
from companion.core.requests import Correct, Resume
from companion.core.sentence import N_
from companion.display.layout import Box, columns, grid, rows
from companion.display.scene import Go, Intent, Mark, PanelItem, Picture, Say, Scene, Symbol
from companion.display.screens import slow
from companion.display.screens.changes import change_lines, in_order
from companion.display.screens.elements import Page, match_page
from companion.display.screens.table_screen import screen_of
from companion.display.screens.watched_game import TABLE
from companion.display.view import View
from companion.watch.messages import DisputedPlay, Really
from companion.words import labels

MOST, FEWER = 5, 3  # plays on the screen, and on one that stands on end
CHANGES = 2  # of a correction at once
SIGNS = {
    "legal": ("check", "good"),
    "illegal": ("wrong", "bad"),
    "called": ("no", "bad"),
    "unruled": ("hand", "warn"),
    "taken-back": ("undo", "quiet"),
}
TITLES = {
    "legal": labels.LEGAL,
    "illegal": N_("Not allowed"),
    "called": N_("Not allowed"),
    "unruled": labels.NOBODY_KNOWS,
    "taken-back": N_("Taken back"),
}


def scene(view: View) -> Scene:
    made, more, body = match_page(view, view.words.say(STOP))
    m, plays = view.m, _plays(view)
    made.text(more, view.words.say(labels.CLOCKS_STAND), m.small, "quiet", lines=2)
    number = view.marks.get("play")
    chosen = plays[min(number or 0, len(plays) - 1)] if plays else None
    if view.marks.get(slow.KEY) is not None and view.sight.film is not None:
        slow.shown(made, body, view.sight.film, _spots(chosen))
        return made.done(escape=Mark(slow.KEY))
    if not plays:
        listed, about = body, body
    elif m.wide:
        listed, about = columns(body, 0.82, 1.0, gap=m.gap)
    else:
        about, listed = rows(body, 1.0, m.of(64), gap=m.gap)
    _list(made, listed, plays)
    if view.marks.get("correction") is not None and number is None:
        changed(made, about, view.marks["correction"])
    elif chosen is not None:
        (_verdict if number is None else _to_put_right)(made, about, chosen)
    return made.done(escape=_escape(view))


def _escape(view: View) -> Intent:
    """One step back: out of a choice, or to the menu."""
    for mark in ("moment", "play", "correction"):
        if view.marks.get(mark) is not None:
            return Mark(mark)
    return Go("menu")


def _plays(view: View) -> list[DisputedPlay]:
    """Newest first."""
    told = view.marks.get("dispute")
    return list(told.plays[:MOST]) if told else []


def _spots(play: DisputedPlay | None) -> tuple[int, ...]:
    """The places of the mat that it is about."""
    return tuple(play.evidence.spots or (play.evidence.cell,)) if play and play.evidence else ()


# --- the plays -------------------------------------------------------------------------------------------------


def _list(page: Page, box: Box, plays: list[DisputedPlay]) -> None:
    m = page.m
    lines, acts = rows(box, 1.0, m.of(14), gap=m.gap)
    if not plays:
        page.panel(lines)
        page.text(lines.inset(m.edge), page.words.say("No card has been laid yet."), m.body, "quiet", lines=3)
    room = MOST if m.wide else FEWER
    for number, (play, line) in enumerate(zip(plays, rows(lines, *(1.0,) * room, gap=m.gap), strict=False)):
        _line(page, line, play, number)
    on, table = columns(acts, 1.4, 1.0, gap=m.gap)
    page.button(on, page.words.say(labels.GO_ON), Say(Resume()), look="main", symbol="play", key="return", size=m.of(6))
    page.button(table, page.words.say("Table"), Mark(TABLE, value=True), key="t")


def _line(page: Page, box: Box, play: DisputedPlay, number: int) -> None:
    m = page.m
    on = page.view.marks.get("play") == number
    intent = Mark("play") if on else Mark("play", number)
    edge, width = ("focus", max(3, m.of(0.8))) if on else ("line", 2)
    page.add(PanelItem(box, "raised" if on else "panel", edge, width, m.of(2.4), intent=intent, key=str(number + 1)))
    inside = box.inset(m.edge // 2 + width, m.edge // 2)
    side = min(inside.h, m.of(11))
    sign, card, words = columns(inside, m.of(6), side, 1.0, gap=m.gap)
    page.add(Symbol(sign.middle(m.of(6), m.of(6)), *SIGNS[play.verdict]))
    draw_card(page, card.middle(side, side), play.card)
    upper, lower = rows(words, 1.0, 1.0)
    where = _place(page.view, play)
    page.text(upper, f"{where} · {play.player}" if play.player else where, m.of(4.8), align="left")
    page.text(lower, page.words.say(TITLES[play.verdict]), m.small, "quiet", align="left", lines=2)


def draw_card(page: Page, box: Box, card: str) -> None:
    """As its game draws it, or its name."""
    found = tuple(screen_of(page.view.match.setup.game).card(box, card))
    page.add(*found)
    if not found:
        page.text(box, page.words.value(card), page.m.small, lines=3)


def _place(view: View, play: DisputedPlay) -> str:
    named = screen_of(view.match.setup.game).place(view.match, play.cell)
    return view.words.value(named) if named else view.words.say(labels.CELL, cell=play.cell)


# --- one of them -----------------------------------------------------------------------------------------------


def _verdict(page: Page, box: Box, play: DisputedPlay) -> None:
    """The picture of it and its moment, and below that why, and how surely it was seen."""
    m = page.m
    upper, lower = rows(box, 1.6 if play.pictures else 0.7, 1.0, gap=m.gap)
    if play.pictures or play.evidence:
        pictured(page, upper, play.pictures, play.evidence.since if play.evidence else None, with_moment=True)
    else:
        page.panel(upper)
        draw_card(page, upper.inset(m.edge).shaped(1, 1), play.card)
    _explained(page, lower, play)


def _explained(page: Page, box: Box, play: DisputedPlay) -> None:
    m, words = page.m, page.words
    page.panel(box)
    said, evidence = [words.heard(play.sentence)] if play.sentence else [], play.evidence
    if evidence is not None:
        said.append(words.say("Seen, sure to {percent} %.", percent=min(99, int(100 * evidence.chance))))
        said += [words.heard(evidence.other)] if evidence.other else []
        said += [words.say("Perhaps {player} (a guess).", player=evidence.guess)] if evidence.guess else []
    page.text(box.inset(m.edge), "\n".join(said), m.of(4.8), align="left", lines=8)


def pictured(
    page: Page, box: Box, pictures: Sequence[str], since: int | None, *, with_moment: bool = False
) -> Box | None:
    """The pictures of a play and the way to see it in slow motion; without pictures the box that is left for words."""
    m = page.m
    page.panel(box)
    inside = box.inset(m.edge)
    film = slow.start(page.view.sight.film, since) if with_moment else None
    if film is not None:
        inside, act = rows(inside, 1.0, m.of(12), gap=m.gap)
        page.button(act, page.words.say(labels.SLOW_MOTION), film, symbol="play", key="f")
    elif with_moment and since is not None:
        inside, said = rows(inside, 1.0, m.of(7), gap=m.gap)
        page.text(said, page.words.say("No pictures of this moment were kept."), m.small, "quiet", lines=2)
    if not pictures:
        return inside
    parts = rows(inside, 1.5, 1.0, gap=m.gap) if with_moment and len(pictures) > 1 else [inside]
    for file, part in zip(pictures, parts, strict=False):
        page.add(Picture(part, file))
    return None


def moment(page: Page, box: Box, picture: str, since: int | None) -> None:
    """How it was laid, large."""
    m = page.m
    strip, acts = rows(box, 1.0, m.of(12), gap=m.gap)
    page.panel(strip)
    page.add(Picture(strip.inset(m.edge), picture))
    film, away = columns(acts, 1.6, 1.0, gap=m.gap)
    start = slow.start(page.view.sight.film, since)
    page.button(film, page.words.say(labels.SLOW_MOTION), start, symbol="play", key="f")
    page.button(away, page.words.say(labels.CLOSE), Mark("moment"), key="x")


# --- putting it right ------------------------------------------------------------------------------------------


def _to_put_right(page: Page, box: Box, play: DisputedPlay) -> None:
    m, words, marks = page.m, page.words, page.view.marks
    if marks.get("moment") and play.pictures:
        moment(page, box, play.pictures[-1], play.evidence.since if play.evidence else None)
        return
    verdict, title, cards, acts = rows(box, 1.0, m.of(6), m.of(13), m.touch, gap=m.gap)
    if pictured(page, verdict, play.pictures[:1], None) is not None:
        draw_card(page, verdict.inset(m.edge).shaped(1, 1), play.card)
    if play.likely:
        page.text(title, words.say(labels.WRONG_CARD), m.body, align="left")
    for card, cell in zip(play.likely, columns(cards, *(1.0,) * 6, gap=m.gap), strict=False):
        said = Say(Really(play.cell, play.card, card, preview=play.number > 0))
        page.add(PanelItem(cell, "raised", "line", 2, m.of(2), intent=said))
        draw_card(page, cell.inset(m.of(0.8)).shaped(1, 1), card)
    found = _settlements(play)
    for (label, intent), cell in zip(found, grid(acts, len(found), len(found), m.gap), strict=True):
        page.button(cell, words.say(label), intent)


def _settlements(play: DisputedPlay) -> list[tuple[str, Intent]]:
    """What else people may settle about a play."""
    found: list[tuple[str, Intent]] = []
    if play.number:
        found.append((N_("Something else …"), Go("moves", str(play.number))))
        found.append((labels.DID_NOT_HAPPEN, asking(Correct(play.number, None))))
    if play.pictures:
        found.append((labels.LOOK_AT_IT_AGAIN, Mark("moment", value=True)))
    return found or [(labels.CLOSE, Mark("play"))]


def asking(correct: Correct) -> Say:
    """It is put right as soon as is known that nothing falls away by it, or that it is to be done all the same."""
    return Say(replace(correct, preview=True))


def changed(page: Page, box: Box, correction: CorrectionReply) -> None:
    """What a correction changed about everything after it."""
    m, words = page.m, page.words
    page.panel(box)
    title, rest, act = rows(box.inset(m.edge), m.of(9), 1.0, m.of(12), gap=m.gap)
    changes = correction.changes
    said = words.say(labels.CHANGED_SO)
    page.text(title, words.told_of(said, len(changes)) if changes else said, m.of(6.4), align="left")
    if not changes:
        page.text(rest, words.say("No other ruling changes."), m.large, "good", lines=3)
    first = int(page.view.marks.get("from", 0))
    change_lines(page, rest, in_order(changes)[first : first + CHANGES], CHANGES)
    following = first + CHANGES if first + CHANGES < len(changes) else 0
    done, more = columns(act, 1.0, 1.0, gap=m.gap) if len(changes) > CHANGES else (act, None)
    page.button(done, words.say(labels.OK), Mark("correction"), symbol="check", key="k")
    if more is not None:
        page.button(more, words.say(labels.MORE), Mark("from", following), symbol="down", key="+")
