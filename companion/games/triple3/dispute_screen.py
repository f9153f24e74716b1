"""After Stop! in Triple³: the last plays with their verdicts, the way to put one right, and what that has changed.

What a camera has seen comes with the newest `dispute` of a watched match, in the mark of that name; a match that
nobody watches has its moves. The mark `correction` is the reply to the last correction.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from typing import cast

from companion.core.entry import STOP
from companion.core.match import Match
from companion.core.requests import Correct
from companion.core.sentence import N_
from companion.display.layout import Box, columns, grid, rows
from companion.display.scene import Back, CardItem, Go, Intent, Mark, PanelItem, Say, Scene, Symbol
from companion.display.screens import slow
from companion.display.screens.elements import Page, match_page, page
from companion.display.screens.last_plays import SIGNS, asking, changed, moment, pictured
from companion.display.speech import capital
from companion.display.view import View
from companion.games.triple3 import words as own
from companion.games.triple3.dispute import Disputable, Recollection, let_stand, not_laid, really, was_by
from companion.games.triple3.rules import COLOURS, COUNTS, SHAPES, ClaimOpen, GoOn, Out, State, TakeBack, lift_first
from companion.watch.messages import DisputedPlay, Really
from companion.words import labels

MOST = 5  # plays on the screen
MOST_BESIDE = 3  # while it is asked who is out
CHANGES = 2  # of a correction at once
TITLES = {
    "legal": labels.LEGAL,
    "illegal": own.NO_TRIPLE,
    "called": own.NO_TRIPLE,
    "taken-back": N_("Taken back"),
}


@dataclass(frozen=True, slots=True)
class _Shown:
    """A play, and what the camera kept of it: the picture of the verdict, and of its moment."""

    play: Disputable
    pictures: tuple[str, ...] = ()
    guess: str = ""
    since: int | None = None  # the stamp at which something came over its cell
    doubt: str = ""  # what may have been instead


def scene(view: View) -> Scene:
    stopped = view.match.state.phase == "stopped"
    title = view.words.say(STOP if stopped else labels.LAST_PLAYS)
    made, more, body = match_page(view, title) if view.screen == "table" else page(view, title)
    if stopped:
        made.text(more, view.words.say(labels.CLOCKS_STAND), view.m.small, "quiet", lines=2)
    m, plays = view.m, shown_plays(view)
    if view.marks.get(slow.KEY) is not None and view.sight.film is not None:
        number = view.marks.get("play")
        cell = plays[min(number, len(plays) - 1)].play.cell if plays and number is not None else 0
        slow.shown(made, body, view.sight.film, (cell,))
        return made.done(escape=Mark(slow.KEY))
    if not plays:
        listed, about = body, body
    elif m.wide:
        listed, about = columns(body, 0.82, 1.0, gap=m.gap)
    else:
        about, listed = rows(body, 1.0, m.of(71 if stopped and _claim(view) else 64), gap=m.gap)
    _list(made, listed, plays)
    _about(made, about, plays)
    return made.done(escape=_escape(view))


def _escape(view: View) -> Intent:
    """One step back: out of a choice, or off the screen."""
    for mark in (slow.KEY, "other", "moment", "play", "correction"):
        if view.marks.get(mark) is not None:
            return Mark(mark)
    return Go("menu") if view.screen == "table" else Back()


def shown_plays(view: View) -> tuple[_Shown, ...]:
    """The last plays of this round, newest first."""
    # A match at one moment has all that is asked of it: the line, the start and the state.
    plays = Recollection().plays(cast(Match, view.match))[:MOST]
    watched = view.marks.get("dispute")
    if watched is None:
        return tuple(map(_Shown, plays))
    known = {play.number: play for play in plays}
    found = (_watched(one, known.get(one.number)) for one in watched.plays[:MOST])
    return tuple(_without_pictures(one) if _is_hidden(view, one.play) else one for one in found)


def _is_hidden(view: View, play: Disputable) -> bool:
    """One of its cards lies so deep by now that nobody may look it up."""
    return not view.match.hidden.isdisjoint((play.card, play.covered))


def _without_pictures(shown: _Shown) -> _Shown:
    return replace(shown, pictures=())


def _watched(told: DisputedPlay, known: Disputable | None) -> _Shown:
    play = known or Disputable(
        told.number,
        told.verdict,
        told.cell,
        told.card,
        told.covered,
        told.sentence,
        (),
        player=told.player,
        likely=tuple(told.likely),
    )
    evidence = told.evidence
    if evidence is None:
        return _Shown(play, tuple(told.pictures))
    return _Shown(play, tuple(told.pictures), evidence.guess, evidence.since, evidence.other)


# --- the plays -------------------------------------------------------------------------------------------------


def _list(page: Page, box: Box, plays: tuple[_Shown, ...]) -> None:
    m, view = page.m, page.view
    stopped = view.match.state.phase == "stopped" and view.screen == "table"
    asks = bool(view.marks.get("out"))
    claim = _claim(view) if stopped else ""
    room = MOST_BESIDE if (asks and stopped) or claim or not m.wide else MOST
    lines, acts = rows(box, 1.0, m.of(28 if asks else 14), gap=m.gap) if stopped else (box, None)
    if claim:
        said, lines = rows(lines, m.of(19), 1.0, gap=m.gap)
        page.panel(said, "panel", "warn")
        page.text(said.inset(m.edge, m.edge // 2), claim, m.of(4.6), "warn", align="left", lines=4)
    if not plays:
        page.panel(lines)
        page.text(lines.inset(m.edge), page.words.say("No card has been laid yet."), m.body, "quiet", lines=3)
    for number, (shown, line) in enumerate(zip(plays, rows(lines, *(1.0,) * room, gap=m.gap), strict=False)):
        _line(page, line, shown.play, number)
    if acts is not None:
        _acts(page, acts)


def _claim(view: View) -> str:
    """Why a claim to be out is open, while people look at it."""
    state: State = view.match.state
    if not state.claim:
        return ""
    events = (event for done in reversed(view.match.line) for event in done.ruling.events)
    return next(view.words.sentence(event) for event in events if isinstance(event, ClaimOpen))


def _line(page: Page, box: Box, play: Disputable, number: int) -> None:
    m = page.m
    on = page.view.marks.get("play") == number
    intent = Mark("play") if on else Mark("play", number)
    edge, width = ("focus", max(3, m.of(0.8))) if on else ("line", 2)
    page.add(PanelItem(box, "raised" if on else "panel", edge, width, m.of(2.4), intent=intent, key=str(number + 1)))
    inside = box.inset(m.edge // 2 + width, m.edge // 2)
    side = min(inside.h, m.of(11))
    sign, change, words = columns(inside, m.of(6), 2 * side + m.of(5), 1.0, gap=m.gap)
    page.add(Symbol(sign.middle(m.of(6), m.of(6)), *SIGNS[play.verdict]))
    _change(page, change.middle(change.w, side), play)
    upper, lower = rows(words, 1.0, 1.0)
    where = page.words.say(labels.CELL, cell=play.cell)
    page.text(upper, f"{where} · {play.player}" if play.player else where, m.of(4.8), align="left")
    new = page.words.listed(dict.fromkeys(page.words.value(triple.value) for triple in play.triples))
    said = new if play.verdict == "legal" and new else page.words.say(_title(play))
    page.text(lower, said, m.small, "quiet", align="left", lines=2)


def _title(play: Disputable) -> str:
    return TITLES.get(play.verdict, labels.NOBODY_KNOWS)


def _sentence(page: Page, play: Disputable) -> str:
    """In the words of the table, if it is a move of the match."""
    line = page.view.match.line
    if not 0 < play.number <= len(line):
        return page.words.heard(play.sentence)
    told = (event for event in line[play.number - 1].ruling.events if event.sentence == play.sentence)
    say = page.words.open_sentence if _is_hidden(page.view, play) else page.words.sentence
    return next(map(say, told), "") or page.words.heard(play.sentence)


def _change(page: Page, box: Box, play: Disputable) -> None:
    """The card before, and the card after."""
    side = box.h
    before, arrow, after = columns(box, side, 1.0, side)
    if play.covered:
        page.card(before, play.covered)
    page.add(Symbol(arrow.inset(2, 0).shaped(1, 1), "right", "quiet"))
    page.card(after, play.card)


def _acts(page: Page, box: Box) -> None:
    """How the round goes on."""
    m, view = page.m, page.view
    state: State = view.match.state
    players = view.match.may.get("out", ())
    if view.marks.get("out"):
        who_is_out(page, box)
        return
    on, out, table = columns(box, 1.15, 1.25, 1.05, gap=m.gap)
    if lift := lift_first(state):
        cell, laid = lift
        said = page.words.say(labels.CELL, cell=cell)
        page.button(on, said, Say(TakeBack(laid.by, cell)), symbol="undo", look="main", key="g", size=m.of(5), lines=2)
    else:
        on_intent = Say(GoOn("")) if "go-on" in view.match.may else None
        page.button(on, page.words.say(labels.GO_ON), on_intent, look="main", key="g", size=m.of(6.4))
    page.button(out, page.words.say(own.IM_OUT), Mark("out", value=True) if players else None, key="o")
    page.button(table, page.words.say(own.GRID), Mark("grid", value=True) if state.is_seen else None, key="t")


def who_is_out(page: Page, box: Box) -> None:
    """I'm out! says one of them."""
    m, view = page.m, page.view
    people, away = columns(box, 1.0, m.touch, gap=m.gap)
    players = view.match.may.get("out", ())
    for player, cell in zip(players, grid(people, len(players), 2, m.gap, down=2), strict=True):
        page.button(cell, player, Say(Out(player)), badge=view.match.colours[player])
    page.button(away, "", Mark("out"), symbol="wrong", key="x")


# --- one of them -----------------------------------------------------------------------------------------------


def _about(page: Page, box: Box, plays: tuple[_Shown, ...]) -> None:
    """What was corrected, or one play: the newest, or the one that is to be put right."""
    marks = page.view.marks
    number = marks.get("play")
    if marks.get("correction") is not None and number is None:
        changed(page, box, marks["correction"])
        return
    if not plays:
        return
    shown = plays[min(number or 0, len(plays) - 1)]
    if number is not None and marks.get("other"):
        picker(page, box, lambda card: _instead(page.view, shown.play, card), shown.play.likely)
    elif number is not None:
        _to_put_right(page, box, shown)
    else:
        _verdict(page, box, shown, with_moment=True)


def _verdict(page: Page, box: Box, shown: _Shown, *, with_moment: bool = False) -> None:
    """In one picture what happened: the line, before and after, and why."""
    m = page.m
    inside = pictured(page, box, shown.pictures, shown.since, with_moment=with_moment)
    if inside is None:
        return
    if not shown.play.grid:
        _explained(page, inside, shown)
        return
    if inside.w > inside.h * 1.25:
        board, words = columns(inside, min(inside.h, inside.w // 2), 1.0, gap=m.gap)
    else:
        board, words = rows(inside, min(inside.w, round(inside.h * 0.56)), 1.0, gap=m.gap)
    _mini(page, board.shaped(1, 1), shown.play)
    _explained(page, words, shown)


def _mini(page: Page, box: Box, play: Disputable) -> None:
    """The nine cards with the play on them; the lines that were decisive have an edge."""
    lines = play.triples or play.standing
    touched = {cell for triple in lines for cell in triple.cells}
    role = SIGNS[play.verdict][1]
    for cell, place in enumerate(grid(box, 9, 3, page.m.gap // 2, down=3), 1):
        card = play.card if cell == play.cell and play.verdict != "taken-back" else play.grid[cell - 1]
        marked = cell in touched or cell == play.cell
        width = max(3, page.m.of(1.0)) if cell == play.cell else max(2, page.m.of(0.6))
        page.panel(place, "panel" if marked else "ground", role if marked else "", width=width)
        page.card(place.inset(width + 2).shaped(1, 1), card)


def _explained(page: Page, box: Box, shown: _Shown) -> None:
    m, play = page.m, shown.play
    title, change, rest = rows(box, m.of(8), min(m.of(15), box.h // 3), 1.0, gap=m.gap)
    sign, name = columns(title, m.of(7), 1.0, gap=m.gap)
    page.add(Symbol(sign.middle(m.of(6.6), m.of(6.6)), *SIGNS[play.verdict]))
    page.text(name, page.words.say(_title(play)), m.of(6), align="left", lines=2)
    _change(page, change._replace(w=min(change.w, 3 * change.h)), play)
    said = [_sentence(page, play)]
    if shown.doubt:
        said.append(page.words.heard(shown.doubt))
    if shown.guess:
        said.append(page.words.say("Perhaps {player} (a guess).", player=shown.guess))
    page.text(rest, "\n".join(said), m.of(4.8), align="left", lines=8)


# --- putting it right ------------------------------------------------------------------------------------------


def _to_put_right(page: Page, box: Box, shown: _Shown) -> None:
    m, play = page.m, shown.play
    if page.view.marks.get("moment") and shown.pictures:
        moment(page, box, shown.pictures[-1], shown.since)
        return
    seats = page.view.match.setup.names if was_by(play, "", cast(Match, page.view.match)) else ()
    whose = (m.touch,) if seats else ()
    verdict, title, cards, acts, *who = rows(box, 1.0, m.of(6), m.of(13), m.touch, *whose, gap=m.gap)
    _verdict(page, verdict, shown)
    if play.likely and play.verdict != "taken-back":
        page.text(title, page.words.say(labels.WRONG_CARD), m.body, align="left")
        for card, cell in zip(play.likely, columns(cards, *(1.0,) * 6, gap=m.gap), strict=False):
            page.add(PanelItem(cell, "raised", "line", 2, m.of(2), intent=_instead(page.view, play, card)))
            page.add(CardItem(cell.inset(m.of(0.8)).shaped(1, 1), card))
    found = _settlements(page, shown)
    for (label, intent), cell in zip(found, columns(acts, *(1.0,) * len(found), gap=m.gap), strict=True):
        page.button(cell, page.words.say(label), intent)
    for line in who:
        _whose(page, line, play, seats)


def _settlements(page: Page, shown: _Shown) -> list[tuple[str, Intent | None]]:
    """What else people may settle about a play."""
    play = shown.play
    found: list[tuple[str, Intent | None]] = []
    if play.verdict != "taken-back":
        found.append((own.OTHER, Mark("other", value=True)))
    gone, lies = not_laid(play), let_stand(play)
    if gone is not None:
        was_laid = play.verdict in ("legal", "illegal")
        found.append((N_("It was not laid") if was_laid else labels.DID_NOT_HAPPEN, asking(gone)))
    if lies is not None:
        found.append((N_("Let it lie"), Say(lies.move)))
    if play.verdict == "illegal" and "take-back" in page.view.match.may:
        found.append((own.TAKE_BACK, Say(TakeBack("", play.cell, play.card))))
    if shown.pictures:
        found.append((labels.LOOK_AT_IT_AGAIN, Mark("moment", value=True)))
    return found


def _whose(page: Page, box: Box, play: Disputable, seats: tuple[str, ...]) -> None:
    """Who laid it."""
    m, view = page.m, page.view
    title, *cells = columns(box, 1.0, *(1.0,) * len(seats), gap=m.gap)
    page.text(title, page.words.say(own.WHO_LAID), m.small, "quiet", align="left", lines=2)
    for player, cell in zip(seats, cells, strict=True):
        correct = was_by(play, player, cast(Match, view.match))
        on = player == play.player
        intent = asking(correct) if correct is not None and not on else None
        page.button(cell, player, intent, badge=view.match.colours[player], size=m.small, on=on)


def _instead(view: View, play: Disputable, card: str) -> Intent | None:
    """That card is really this one."""
    if card == play.card:
        return None
    if view.marks.get("dispute") is not None:
        return Say(Really(play.cell, play.card, card, preview=play.number > 0))
    settled = really(play, card, cast(Match, view.match))
    return asking(settled) if isinstance(settled, Correct) else None


# --- which card ------------------------------------------------------------------------------------------------


def picker(page: Page, box: Box, touch: Callable[[str], Intent | None], marked: Collection[str] = ()) -> None:
    """A card of the deck in two touches: its colour, then itself. What has no meaning is left out."""
    m = page.m
    chosen = page.view.marks.get("colour", COLOURS[0])
    head, rest = rows(box, m.touch, 1.0, gap=m.gap)
    shares = (1.45 if colour == chosen else 1.0 for colour in COLOURS)  # room for the sign of the chosen one
    for colour, cell in zip(COLOURS, columns(head, *shares, gap=max(2, m.gap // 2)), strict=True):
        label = capital(page.words.value(colour))
        on = colour == chosen
        page.button(
            cell,
            label,
            Mark("colour", colour),
            look=colour,
            symbol="check" if on else "",
            on=on,
            key=colour[0],
            size=m.small,
        )
    gap = max(2, m.gap // 2)
    across = 8 if rest.h < 4 * m.of(12) and rest.w >= 8 * (m.touch + gap) else 4
    names = [f"{chosen}-{shape}-{count}" for shape in SHAPES for count in COUNTS]
    for name, cell in zip(names, grid(rest, len(names), across, gap), strict=True):
        _choice(page, cell, name, touch(name), marked=name in marked)


def _choice(page: Page, cell: Box, name: str, intent: Intent | None, *, marked: bool) -> None:
    m = page.m
    if intent is None:
        page.panel(cell, "ground", "raised")
        return
    width = max(3, m.of(0.8)) if marked else 2
    page.add(
        PanelItem(cell, "raised" if marked else "panel", "good" if marked else "line", width, m.of(2), intent=intent)
    )
    inside = cell.inset(width + max(1, m.of(0.4)))
    side = min(inside.w, inside.h)
    if marked and inside.w - side >= m.of(5):
        card, sign = columns(inside.middle(side + m.of(5), side), side, 1.0)
        page.add(CardItem(card, name), Symbol(sign.middle(m.of(4), m.of(4)), "check", "good"))
    else:
        page.add(CardItem(inside.middle(side, side), name))
