"""How it ended: who won, the match at a glance, and the same again with one touch."""

from companion.core.requests import Rematch, Undo
from companion.core.rules import Outcome
from companion.display.layout import Box, columns, packed, rows
from companion.display.scene import Badge, Chart, Go, Scene, Symbol
from companion.display.scene import Say as SayTo
from companion.display.screens.best_times import best_times
from companion.display.screens.elements import Page
from companion.display.screens.reasons import depth, reason_lines
from companion.display.screens.table_screen import screen_of
from companion.display.speech import recalled
from companion.display.view import Seen, View
from companion.reports import ending
from companion.reports.trials import best, course_of, trial_of, trials_of, with_this
from companion.words import labels

LEAST_LINE = 11  # how high a line of the scores is at least, in hundredths of the shorter side


def scene(view: View) -> Scene:
    page, m, seen = Page(view), view.m, view.match
    head, body, foot = rows(
        view.screen_box.inset(m.edge), m.of(25 if m.wide else 30), 1.0, m.of(15 if m.wide else 34), gap=m.gap
    )
    who_won(page, head, seen)
    glance(page, body, seen)
    _foot(page, foot, seen)
    return page.done(escape=Go("games"))


def glance(page: Page, box: Box, seen: Seen, code: str = "") -> None:
    """Everybody's score and the way there, and why a score has changed last; with the code of one of the journal."""
    m, players = page.m, len(seen.setup.players)
    tall = 0 if seen.rounds else depth(page)  # of the last round it has been told
    if players == 1:
        course(page, box, seen, tall, code)
        return
    table, way = columns(box, 1.0, 1.15, gap=m.gap) if m.wide else rows(box, 1.0, 1.0, gap=m.gap)
    if 0 < tall <= table.h - players * m.of(LEAST_LINE):  # there is room below the scores
        table, why = rows(table, 1.0, tall, gap=m.gap)
        reason_lines(page, why)
        tall = 0
    standings(page, table, seen)
    course(page, way, seen, tall, code)


def who_won(page: Page, box: Box, seen: Seen) -> None:
    outcome: Outcome | None = seen.state.outcome
    reasons = ending.reasons(page.words, seen) or ((page.words.heard(seen.abandoned),) if seen.abandoned else ())
    banner(page, box, ending.headline(page.words, seen), outcome.winners if outcome else (), " ".join(reasons))


def banner(page: Page, box: Box, title: str, winners: tuple[str, ...], reason: str) -> None:
    """Who has won a match or a round, and by what."""
    m, colours = page.m, page.view.match.colours
    edge = f"edge-{colours[winners[0]]}" if len(winners) == 1 else "line"
    page.panel(box, "raised", edge, width=max(3, m.of(1.2)))
    inside = box.inset(2 * m.edge, m.edge)
    head, *lines = rows(inside, 1.9, 1.2) if reason else (inside,)
    side = head.h * 9 // 10
    side = min(side, head.w // 3 // max(1, len(winners)))
    if winners:
        shapes, head = columns(head, side * len(winners), 1.0, gap=2 * m.gap)
        for winner, cell in zip(winners, columns(shapes, *(1.0,) * len(winners)), strict=True):
            page.add(Badge(cell.middle(side, side).inset(2), colours[winner]))
    align = "left" if winners else "centre"
    page.text(head, title, m.huge, align=align, lines=2)
    for line in lines:
        page.text(line, reason, m.of(5), "quiet", align=align, lines=3)


def standings(page: Page, box: Box, seen: Seen, added: tuple[int, ...] = ()) -> None:
    """Everybody's score, best first, and what was added last."""
    outcome: Outcome | None = seen.state.outcome
    scores = outcome.scores if outcome else seen.state.scores
    winners = outcome.winners if outcome else ()
    sign = 1 if seen.game.is_fewest_best else -1
    more = added or (0,) * len(scores)
    order = sorted(
        zip(seen.state.players, scores, more, strict=True),
        key=lambda found: (found[0] not in winners, sign * found[1]),
    )
    for line, cell in zip(order, packed(box, len(order), 1, page.m.of(17), page.m.gap // 2), strict=True):
        _standing(page, cell, *line, is_winner=line[0] in winners)


def _standing(page: Page, cell: Box, player: str, score: int, added: int, *, is_winner: bool) -> None:
    m = page.m
    page.panel(cell, "panel", "main" if is_winner else "")
    inside = cell.inset(m.edge, 2)
    side = min(inside.h, m.of(9))
    badge, name, sign, points = columns(inside, side, 1.0, m.of(13) if added else side, m.of(16), gap=m.gap)
    page.add(Badge(badge.middle(side, side), page.view.match.colours[player]))
    page.text(name, player, m.of(5.6), align="left", lines=2)
    if added:
        page.text(sign, f"{added:+}".replace("-", "−"), m.of(7), "good", align="right")
    elif is_winner:
        page.add(Symbol(sign.middle(side, side).inset(side // 8), "cup", "warn"))
    page.text(points, str(score), m.of(9), align="right")


def course(page: Page, box: Box, seen: Seen, tall: int, code: str) -> None:
    """The way there, and on paper; at its foot so much room for why a score has changed, if any."""
    m = page.m
    page.panel(box)
    picture, foot = rows(box.inset(m.edge), 1.0, max(tall, m.touch if seen.is_over else m.of(7)), gap=m.gap // 2)
    if seen.is_over:
        has_code = page.view.has_bg_stats and not code and seen.state.outcome is not None
        paper: tuple[int | float, ...] = (m.touch if tall else 1.3, *(m.touch,) * page.view.shelf.has_printer)
        foot, *sheets = columns(foot, 1.0, *paper, *(m.touch,) * has_code, gap=m.gap)
        if has_code:
            page.button(sheets.pop(), "", Go("bg-stats"), symbol="phone", key="b")
        _paper(page, sheets, code, "" if tall else page.words.say(labels.SCORE_SHEET))
    if tall:
        reason_lines(page, foot)
    else:
        _facts(page, foot, seen)
    ended = screen_of(seen.setup.game).ended(seen)
    if trials_of(seen.setup.game).is_run(seen.setup.house):
        _times(page, picture, seen)
    elif ended is not None:
        ended(page, picture, seen)
    elif seen.curve.is_worth_it:
        curve(page, picture, seen)
    else:
        _last_words(page, picture, seen)


def _times(page: Page, box: Box, seen: Seen) -> None:
    """The best times that this run can be compared with, itself among them if it counts."""
    m, words, game = page.m, page.words, seen.setup.game
    mine, course = trial_of(game, seen.state), course_of(game, seen.state)
    title, rest = rows(box, m.of(7), 1.0, gap=m.gap // 2)
    page.text(title, course.said(words), m.small, "quiet", align="left", lines=2)
    if seen.is_over and mine is None:
        sign, rest = rows(rest, m.of(12), 1.0, gap=m.gap // 2)
        page.text(
            sign, words.say("There was no need to draw: this run counts for no best time."), m.body, "warn", lines=2
        )
    best_times(page, rest, best(with_this(page.view.past.trials, mine), course), mine)


def _facts(page: Page, box: Box, seen: Seen) -> None:
    """How long it was."""
    moves, time = page.words.say(labels.MOVES_COUNT, count=len(seen.line)), page.words.time(seen.now)
    if seen.is_over and page.m.wide:
        page.text(box, f"{moves}\n{time}", page.m.of(4.4), "quiet", align="left", lines=2)
    else:
        page.text(box, f"{moves}  ·  {time}", page.m.body, "quiet")


def _paper(page: Page, boxes: list[Box], code: str, label: str) -> None:
    """The score sheet, saved or, where there is a printer, printed."""
    save, *printing = boxes
    page.button(save, label, Go("sheet", f"save:{code}"), symbol="sheet", key="w")
    for box in printing:
        page.button(box, "", Go("sheet", f"print:{code}"), symbol="printer", key="d")


def curve(page: Page, box: Box, seen: Seen) -> None:
    """How the scores went up."""
    counted, _ = labels.SCORED_IN[seen.game.scored_in]
    page.add(Chart(box, seen.curve, page.m.of(3.8), page.words.say(counted), page.words.say(labels.MOVES)))


def _last_words(page: Page, box: Box, seen: Seen) -> None:
    """What decided it, where there are no scores to follow."""
    found = [recalled(page.words, seen, event) for event in seen.events if event.text]
    said = found[-3:-1] or found[-1:]
    for text, line in zip(said, rows(box, *(1.0,) * max(1, len(said)), gap=page.m.gap), strict=False):
        page.text(line, text, page.m.of(5.6), lines=4)
    if not seen.line:
        page.text(box, page.words.say("No move was made."), page.m.of(5.6), "quiet", lines=2)


def _foot(page: Page, box: Box, seen: Seen) -> None:
    m, words = page.m, page.words
    label = screen_of(seen.setup.game).undo(words, seen)
    first = 1.5 if label else m.of(15)
    if m.wide:
        undo, fix, games, people, again = columns(box, first, 1.1, 1.0, 1.1, 1.5, gap=m.gap)
    else:
        upper, lower = rows(box, 1.0, 1.1, gap=m.gap)
        undo, games, people = columns(upper, first, 1.0, 1.1, gap=m.gap)
        fix, again = columns(lower, 1.0, 1.7, gap=m.gap)
    back = SayTo(Undo()) if seen.line and seen.abandoned is None else None
    page.button(undo, label, back, symbol="undo", key="u", lines=2)
    page.button(fix, words.say(labels.PUT_RIGHT), Go("moves") if back else None, key="r")
    page.button(games, words.say("Other game"), Go("games"), key="g")
    page.button(people, words.say("Other players"), Go("players", seen.setup.game), key="p")
    page.button(
        again, words.say(labels.REMATCH), SayTo(Rematch()), look="main", symbol="redo", size=m.large, key="return"
    )
