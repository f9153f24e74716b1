"""Before a correction is made by which somebody loses a move, a point or the match: what would change, and whether it
is to be done all the same."""

from typing import Any

from companion.core.codec import told_fields
from companion.core.replies import PreviewReply
from companion.core.rules import Move
from companion.core.sentence import N_, shown
from companion.display.layout import Box, columns, packed, rows
from companion.display.question import Question
from companion.display.scene import Back, Badge, Intent, Say, Scene
from companion.display.screens.changes import bare, change_lines, in_order
from companion.display.screens.elements import Page, page, pager
from companion.display.view import View
from companion.words import labels

HIGH = 17  # of a change, in hundredths of the shorter side


def scene(view: View) -> Scene:
    made, more, body = page(view, view.words.say("Put it right?"))
    question = view.question
    if question is None or question.preview is None:
        return made.done()
    m, preview = view.m, question.preview
    changes = in_order(preview.changes)
    about, rest, acts = rows(body, m.of(11 if m.wide else 15), 1.0, m.of(14 if m.wide else 30), gap=m.gap)
    _wish(made, about, preview)
    listed = _beside(made, rest, preview)
    room = max(1, (listed.h + m.gap) // (m.of(HIGH) + m.gap))
    if not changes:
        made.text(listed, view.words.say("No other ruling changes."), m.of(6), "quiet", lines=3)
    first = min(int(view.marks.get("first", 0)), max(0, len(changes) - 1) // room * room)
    change_lines(made, listed, changes[first : first + room], room)
    pager(made, more, first, room, len(changes))
    _acts(made, acts, question, preview)
    return made.done()


def _wish(page: Page, box: Box, preview: PreviewReply) -> None:
    """The move as it was, and what it is to be."""
    m, words = page.m, page.words
    page.panel(box, "raised")
    line = page.view.match.line
    number = preview.number
    events = line[number - 1].ruling.events if number <= len(line) else ()
    told = (words.open_sentence(event) for event in events if event.text)
    number_said = words.say(labels.MOVE_NUMBER, number=number)
    was = words.told_of(number_said, next(told, "") or bare(page, preview.was))
    now = words.say(labels.DID_NOT_HAPPEN) if preview.now is None else _other(page, preview.was, preview.now)
    page.text(box.inset(m.edge, m.edge // 2), f"{was} → {now}", m.of(5), align="left", lines=3)


def _other(page: Page, was: Move, now: Move) -> str:
    """What is otherwise about a move."""
    before = _facts(was)
    other = [value for name, value in _facts(now).items() if before.get(name) != value]
    return ", ".join(page.words.heard(shown(value)) for value in other) or bare(page, now)


def _facts(move: Move) -> dict[str, Any]:
    """What a move is, and what it says beyond what goes without saying."""
    told = (field for field in told_fields(type(move)) if field.name != "at")
    facts = {field.name: getattr(move, field.name) for field in told if getattr(move, field.name) != field.default}
    return {"move": move.word, **facts}


def _beside(page: Page, box: Box, preview: PreviewReply) -> Box:
    """Whose points change and who would have won; what is left of the box."""
    before, after = preview.scores_before, preview.scores_after
    players = [player for player in before if before[player] != after[player]]
    winners = preview.winners_before, preview.winners_after
    ends = [_ending(page, preview)] if winners[0] != winners[1] or preview.asks else []
    if preview.hides:
        ends.append(page.words.say("What the check finds is told once it is put right."))
    if not players and not ends:
        return box
    m = page.m
    told, beside = columns(box, 2.1, 1.0, gap=m.gap) if m.wide else rows(box, 1.6, 1.0, gap=m.gap)
    points, *said = rows(beside, *((len(players) * 1.0,) if players else ()), *(2.0,) * len(ends), gap=m.gap)
    if not players:
        said = [points, *said]
    for text, cell in zip(ends, said, strict=True):
        page.text(cell, text, m.of(5.4), "warn", align="left", lines=5)
    across = 1 if m.wide else 2
    for player, cell in zip(players, packed(points, len(players), across, m.of(13), m.gap // 2), strict=False):
        _points(page, cell, player, f"{before[player]} → {after[player]}")
    return told


def _points(page: Page, box: Box, player: str, change: str) -> None:
    m = page.m
    page.panel(box)
    inside = box.inset(m.edge, 2)
    side = min(inside.h, m.of(6))
    badge, name, points = columns(inside, side, 1.0, min(m.of(24), inside.w // 2), gap=m.gap)
    page.add(Badge(badge.middle(side, side), page.view.match.colours[player]))
    page.text(name, player, m.body, align="left", lines=2)
    page.text(points, change, m.of(6), align="right")


def _ending(page: Page, preview: PreviewReply) -> str:
    """How the match would have ended."""
    say, winners = page.words.say, preview.winners_after
    if preview.asks:
        return say("The match would have ended before its last move.")
    if winners is None:
        return say("The match would not be over.")
    if not winners:
        return say("Nobody would win.")
    if len(winners) == 1:
        return say("{player} would win.", player=winners[0])
    return say("{players} would win together.", players=winners)


def _acts(page: Page, box: Box, question: Question, preview: PreviewReply) -> None:
    m, say = page.m, page.words.say
    answers: list[tuple[str, Intent]] = [(N_("Put it right"), Say(question.answer()))]
    if preview.asks:
        answers = [
            (N_("It ended there"), Say(question.answer(counts=False))),
            (N_("What came after counts"), Say(question.going_on())),
        ]
    if m.wide:
        *cells, away = columns(box, *(1.2,) * len(answers), 1.0, gap=m.gap)
    else:
        upper, away = rows(box, 1.0, 1.0, gap=m.gap)
        cells = columns(upper, *(1.0,) * len(answers), gap=m.gap)
    for (label, intent), cell, key in zip(answers, cells, ("return", "w"), strict=False):
        page.button(cell, say(label), intent, look="main", key=key, size=m.of(5.6))
    page.button(away, say("Leave it"), Back(), key="x", size=m.of(5.6))
