"""Who has won how often, and what else the journal knows of the players: all of them, or one game by game."""

from collections.abc import Iterator

from companion.display.layout import Box, columns, rows
from companion.display.scene import Art, Go, Mark, PanelItem, Scene, Symbol
from companion.display.screens.elements import Page, page
from companion.display.screens.history import title_of, turn_pages
from companion.display.view import View
from companion.games import NAMES
from companion.reports.statistics import Tally, in_all
from companion.reports.trials import best, courses
from companion.words import Words, labels

MOST_BESTS = 5
NO_BREAK = "\u00a0"


def scene(view: View) -> Scene:
    return _player(view, view.about) if view.screen == "player" else _everybody(view)


def _head(view: View, title: str) -> tuple[Page, Box]:
    made, more, body = page(view, title)
    shelf = view.shelf
    if shelf.counted < shelf.to_count:
        share = 100 * shelf.counted // shelf.to_count  # by whole percents, so that it is not drawn all the time
        made.text(more, view.words.say("Counting … {share} %", share=share), view.m.small, "quiet", align="right")
    elif shelf.to_count:
        counted = view.words.say(labels.MATCHES_COUNT, count=shelf.to_count)
        made.text(more, counted, view.m.small, "quiet", align="right")
    return made, body


def _everybody(view: View) -> Scene:
    m, shelf = view.m, view.shelf
    made, body = _head(view, view.words.say(labels.STATISTICS))
    found = in_all(shelf.tallies)
    if not found:
        empty = view.words.heard(shelf.trouble) if shelf.trouble else view.words.say(labels.NO_MATCHES)
        made.text(body, empty, m.of(6), "quiet", lines=6)
        return made.done()
    if shelf.trials or shelf.longest_rounds:
        body, bests = columns(body, 1.35, 1.0, gap=m.gap) if m.wide else rows(body, 1.6, 1.0, gap=m.gap)
        _bests(made, bests)
    high = m.of(12) if m.wide else m.of(14)
    room = max(1, (body.h + m.gap) // (high + m.gap))
    if len(found) > room:
        body, foot = rows(body, 1.0, m.touch, gap=m.gap)
        room = max(1, (body.h + m.gap) // (high + m.gap))
        turn_pages(made, foot, min(first_of(view), len(found) - 1), room, len(found))
    first = min(first_of(view), len(found) - 1)
    lines = rows(body, *(high,) * room, gap=m.gap)
    for number, (tally, line) in enumerate(zip(found[first:], lines, strict=False), 1):
        _line(made, line, tally, str(number % 10))
    return made.done()


def first_of(view: View) -> int:
    return max(0, int(view.marks.get("first", 0)))


def _line(made: Page, box: Box, tally: Tally, key: str) -> None:
    m, words = made.m, made.words
    made.add(PanelItem(box, "panel", "line", radius=m.of(2.4), intent=Go("player", tally.player), key=key))
    inside = box.inset(m.edge, 3)
    side = min(inside.h, m.of(6))
    name, cup, wins, matches = columns(inside, 1.0, side, m.of(9), m.of(25), gap=m.gap)
    made.text(name, tally.player, m.of(5.6), align="left", lines=2)
    made.add(Symbol(cup.middle(side, side), "cup", "warn"))
    made.text(wins, str(tally.wins), m.of(6.4), align="right")
    made.text(matches, words.say(labels.MATCHES_COUNT, count=tally.matches), m.small, "quiet", align="right")


def _bests(made: Page, box: Box) -> None:
    """The best times and the longest rounds, as far as there are any."""
    shelf = made.view.shelf
    there = [bool(shelf.trials), bool(shelf.longest_rounds)]
    cells = rows(box, *(1.0,) * sum(there), gap=made.m.gap)
    if shelf.trials:
        _trials(made, cells[0])
    if shelf.longest_rounds:
        words = made.words
        lines = [(name, "", words.time(time)) for name, time in shelf.longest_rounds]
        _table(made, _panel(made, cells[-1]), words.say(labels.LONGEST_ROUND), "", lines)


def _trials(made: Page, box: Box) -> None:
    """The best of one course; a touch goes on to the next one."""
    m, words, found = made.m, made.words, made.view.shelf.trials
    known = courses(found)
    number = int(made.view.marks.get("course", 0)) % len(known)
    inside = _panel(made, box)
    if len(known) > 1:
        inside, further = columns(inside, 1.0, m.touch, gap=m.gap)
        made.button(further._replace(h=min(further.h, m.touch)), "", Mark("course", number + 1), symbol="next", key="c")
    lines = [
        (run.name, words.say(labels.CARDS_LEFT, count=run.left) if run.left else "", words.time(run.time))
        for run in best(found, known[number])
    ]
    _table(made, inside, words.say(labels.BEST_TIMES), known[number].said(words), lines)


def _panel(made: Page, box: Box) -> Box:
    made.panel(box)
    return box.inset(made.m.edge)


def _table(made: Page, box: Box, title: str, about: str, lines: list[tuple[str, str, str]]) -> None:
    """Names, what more there is to say of each, and times."""
    m = made.m
    head, *under, rest = rows(box, m.of(7), *(m.of(8),) * bool(about), 1.0, gap=m.gap // 2)
    made.text(head, title, m.body, "quiet", align="left")
    for part in under:
        made.text(part, about, m.small, "quiet", align="left", lines=2)
    count = max(1, min(MOST_BESTS, rest.h // m.of(6.5)))
    for (name, more, time), line in zip(lines, rows(rest, *(1.0,) * count), strict=False):
        who, left, long = columns(line, 1.0, m.of(24) if more else 1, m.of(20), gap=m.gap)
        made.text(who, name, m.of(4.8), align="left")
        made.text(left, more, m.small, "quiet", align="right")
        made.text(long, time, m.of(4.8), align="right")


# --- one player ------------------------------------------------------------------------------------------------


def _player(view: View, player: str) -> Scene:
    m = view.m
    made, body = _head(view, player)
    found = {tally.game: tally for tally in view.shelf.tallies if tally.player == player}
    if not found:
        made.text(body, view.words.say(labels.NO_MATCHES), m.of(6), "quiet", lines=6)
    games = [game for game in NAMES if game in found]
    high = m.of(30)
    for game, line in zip(games, rows(body, *(1.0,) * max(1, len(games)), gap=m.gap), strict=False):
        cell = line.middle(line.w, high) if len(games) > 2 else line._replace(h=min(line.h, high))
        _game(made, cell, found[game])
    return made.done()


def _game(made: Page, box: Box, tally: Tally) -> None:
    m, words = made.m, made.words
    made.panel(box)
    inside = box.inset(m.edge, m.edge // 2)
    art, rest = columns(inside, min(inside.h, m.of(20)), 1.0, gap=m.gap)
    made.add(Art(art.shaped(1, 1), tally.game))
    if m.wide:
        about, more = columns(rest, m.of(46), 1.0, gap=m.gap)
    else:
        about, more = rows(rest, 1.0, 1.1, gap=2)
    title, count = rows(about, 1.2, 1.0) if m.wide else columns(about, 1.0, 1.2, gap=m.gap)
    made.text(title, title_of(tally.game), m.of(5.6), align="left")
    won = words.say(labels.WINS_COUNT, count=tally.wins)
    played = words.say(labels.MATCHES_COUNT, count=tally.matches)
    made.text(count, f"{won} · {played}", m.of(4.6), align="left")
    facts = (*(fact.replace(" ", NO_BREAK) for fact in _facts(words, tally)), *_best_time(made.view, tally))
    made.text(more, " · ".join(facts), m.of(4.6), "quiet", align="left", lines=4)


def _facts(words: Words, tally: Tally) -> Iterator[str]:
    """What there is to say of a player in a game; nothing of what has never happened."""
    if tally.best_score is not None:
        yield words.say("Best score: {score}", score=tally.best_score)
    if tally.rounds:
        yield words.say("Rounds won: {count}", count=tally.rounds)
    if tally.longest_round is not None:
        yield words.say("Longest round: {used}", used=words.time(tally.longest_round))
    if tally.strikes:
        yield words.say("First to strike: {count}", count=tally.strikes)
    if tally.closest is not None:
        yield words.say("Closest strike: {gap}", gap=words.gap(tally.closest))
    if tally.calls:
        yield words.say("Calls: {count}, right: {right}", count=tally.calls, right=tally.right)
    if tally.illegal:
        yield words.say("Illegal plays: {count}", count=tally.illegal)
    if tally.refused:
        yield words.say("Fouls: {count}", count=tally.refused)


def _best_time(view: View, tally: Tally) -> Iterator[str]:
    """Of the course that somebody has run last."""
    found = [trial for trial in view.shelf.trials if (trial.name, trial.game) == (tally.player, tally.game)]
    for course in courses(found)[:1]:
        used = view.words.time(best(found, course)[0].time)
        yield view.words.say("Best time: {used}", used=used) + f" ({course.said(view.words)})"
