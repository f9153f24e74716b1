"""Triple³'s table: the grid with what each cell takes, the last plays, cards left, chips, Stop!, and the deal.

Whoever has no camera lays a card with three touches: the cell, a colour, the card.
"""

from collections.abc import Callable
from typing import Any

from companion.core.entry import STOP
from companion.core.rules import COUNTED
from companion.core.sentence import N_
from companion.display.layout import Box, best_grid, columns, packed, rows
from companion.display.scene import Badge, CardItem, Go, Intent, Mark, PanelItem, Say, Scene, Symbol, Ticking
from companion.display.screens.elements import Page, Shout, match_page
from companion.display.screens.table_screen import Draw, TableScreen
from companion.display.screens.watched_game import is_watched, out_of_step, trouble, way_to
from companion.display.speech import news
from companion.display.view import Seen, View
from companion.games.triple3 import dispute_screen as dispute
from companion.games.triple3 import rules as triple3
from companion.games.triple3 import watched_screen as watched
from companion.games.triple3 import words as own
from companion.games.triple3.deal_screen import deal_page, halves
from companion.games.triple3.grid_screen import LINES, PLAYS, draw_grid, last_plays, player_of, touched_cell
from companion.games.triple3.lying_screen import draw_grid as draw_lying_grid
from companion.games.triple3.rules import (
    CELLS,
    DECK,
    ClaimVoid,
    Deal,
    FewLeft,
    FoundLying,
    Lay,
    Left,
    NotOutYet,
    Out,
    PlayedIllegally,
    PlayedLegally,
    State,
    Stop,
    Stuck,
    TakenBack,
)
from companion.words import labels

AT_ONCE = 27  # numbers to choose from
SAID = {
    Lay: own.NO_TRIPLE,
    PlayedLegally: labels.LEGAL,
    PlayedIllegally: own.NO_TRIPLE,
    FoundLying: labels.NOBODY_KNOWS,
    TakenBack: N_("Taken back"),
}


def scene(view: View) -> Scene:
    state: State = view.match.state
    if (state.phase == "stopped" and not view.marks.get("grid")) or view.marks.get("correction") is not None:
        return dispute.scene(view)
    page, more, body = match_page(view, _status(view, state), stopping(view))
    if is_watched(view):
        more, eye = columns(more, 1.0, view.m.touch, gap=view.m.gap)
        way_to(page, eye)
    if state.phase in ("play", "stopped"):
        page.add(Ticking(more, state.clock, view.m.large))
    if state.phase == "count":
        _count(page, body, state)
    elif _is_dealing(view, state):
        deal_page(page, body, state)
    else:
        _table(page, body, state)
    is_live = is_watched(view) and state.phase == "deal" and not view.sight.places
    return page.done(escape=_escape(view), is_live=is_live)


def _status(view: View, state: State) -> str:
    said = view.words.say(labels.ROUND, round=len(state.rounds) + (state.phase != "over"))
    if state.phase in ("play", "stopped", "count"):
        cards = view.words.say(labels.CARDS_COUNT, count=state.unseen)
        unseen = view.words.told_of(view.words.say(own.UNSEEN_CARDS), state.unseen)
        return f"{said} · {unseen if view.m.wide else cards}"
    return said


def _escape(view: View) -> Intent:
    """One step back: out of a choice, or to the menu."""
    for mark in ("out", "lies", "handicap", "cell", "deal", "grid", "who"):
        if view.marks.get(mark) is not None:
            return Mark(mark)
    return Go("menu")


def _is_dealing(view: View, state: State) -> bool:
    return state.phase in ("deal", "ready") and view.marks.get("deal") is not None


def _table(page: Page, body: Box, state: State) -> None:
    m, view = page.m, page.view
    if not state.is_seen and state.phase not in ("deal", "ready"):
        people, beside = columns(body, 1.0, 1.0, gap=m.gap) if m.wide else rows(body, 1.0, 1.0, gap=m.gap)
        _players(page, people, state, m.of(19), 1)
        _news_and_acts(page, beside, state)
        return
    board, beside = halves(page, body)
    if state.phase == "deal" and is_watched(view) and not view.sight.places:
        watched.laying_out(page, board)
    else:
        draw_grid(page, board, state)
    cell = view.marks.get("cell")
    if cell is not None and "lies" in view.match.may:
        touched_cell(page, beside, state, int(cell))
        return
    across = 1 if m.wide and len(state.players) == 2 else 2
    lines = -(-len(state.players) // across)
    people, rest = rows(beside, lines * m.of(13) + (lines - 1) * m.gap, 1.0, gap=m.gap)
    _players(page, people, state, m.of(13), across)
    _news_and_acts(page, rest, state)


def _players(page: Page, box: Box, state: State, high: int, across: int) -> None:
    for seat, cell in enumerate(packed(box, len(state.players), across, high, page.m.gap)):
        _player(page, cell, state, seat)


def _player(page: Page, box: Box, state: State, seat: int) -> None:
    """A player with cards and chips; a touch says that the next card is this player's."""
    m, view = page.m, page.view
    player = state.players[seat]
    on = player_of(page) == player
    intent = (Mark("who") if on else Mark("who", player)) if state.phase in ("play", "stopped") else None
    edge, width = ("focus", max(3, m.of(0.8))) if on else ("line", 2)
    page.add(PanelItem(box, "raised" if on else "panel", edge, width, m.of(2.4), intent=intent))
    inside = box.inset(m.edge, m.edge // 2)
    badge, words = columns(inside, m.of(8), 1.0, gap=m.gap)
    page.add(Badge(badge.middle(m.of(8), m.of(8)), view.match.colours[player]))
    name, facts = rows(words, 1.1, 1.0)
    page.text(name, player, m.body, align="left")
    cards, chips = columns(facts, 1.4, 1.0, gap=m.gap)
    is_dealt = state.deals and state.phase != "deal"  # until then the cards of the round before are gathered in
    left = str(state.deals[seat] - state.laid[seat]) if is_dealt else "–"
    if is_dealt and state.unclaimed:
        left = f"≤{left}"
    won = str(state.chips[seat])
    _fact(page, cards, "cards", "quiet", left)
    _fact(page, chips, "ring", "warn", f"{won}/{state.house.chips_to_win}" if facts.w > m.of(34) else won)


def _fact(page: Page, box: Box, symbol: str, role: str, text: str) -> None:
    side = page.m.of(5)
    sign, words = columns(box, side, 1.0, gap=page.m.gap // 2)
    page.add(Symbol(sign.middle(side, side), symbol, role))
    page.text(words, text, page.m.body, align="left")


def _news_and_acts(page: Page, box: Box, state: State) -> None:
    m = page.m
    told, acts = rows(box, 1.0, m.of(15 if state.phase == "play" and not page.view.marks.get("out") else 28), gap=m.gap)
    plays = last_plays(page.view)
    astray = trouble(page.view) if state.phase in ("play", "stopped") else None
    if astray is not None:
        out_of_step(page, told, *astray)
    elif state.phase == "play" and (plays or page.view.sight.step.called):
        _plays(page, told, plays)
    else:
        known = bool(page.view.match.line) and state.phase != "stopped"
        intent = Go("dispute") if known else None  # after a round, too, something may turn out to have been wrong
        page.add(
            PanelItem(told, "panel", "line" if known else "", radius=m.of(2.4), intent=intent, key="l" if known else "")
        )
        page.text(told.inset(m.edge), "\n".join(_told(page.view, state)), m.of(5.6), align="left", lines=6)
    _acts(page, acts, state)


def _told(view: View, state: State) -> list[str]:
    if state.phase == "deal" and not state.rounds:
        return [watched.asks(view) or view.words.say("Lay nine cards as a 3×3 grid and deal out the others.")]
    if state.phase == "ready" and view.sight.places:
        return [*news(view.words, view.match)[-1:], view.words.say("The first card that is laid begins the round.")]
    return news(view.words, view.match)[-LINES:]


def _plays(page: Page, box: Box, plays: list[tuple[int, Any]]) -> None:
    m = page.m
    page.add(PanelItem(box, "panel", "line", radius=m.of(2.4), intent=Go("dispute"), key="l"))
    room = max(1, min(LINES, box.inset(m.gap).h // m.of(6)))
    lines = rows(box.inset(m.edge, m.gap), *(1.0,) * room)
    told_once = (event for event in page.view.match.events if isinstance(event, ClaimVoid | NotOutYet | FewLeft))
    if (few := next(told_once, None)) is not None:
        sign, words = columns(lines.pop(), m.of(5), 1.0, gap=m.gap)
        page.add(Symbol(sign.middle(m.of(4.6), m.of(4.6)), "bulb", "warn"))
        page.text(words, page.words.sentence(few), m.of(4.4), "warn", align="left", lines=2)
    told: list[tuple[Any, str]] = [*watched.called(page.view)]
    told += [(play, "" if play.player else watched.guess_of(page.view, number)) for number, play in plays]
    for (play, guess), line in zip(told, lines, strict=False):
        _play(page, line, play, guess)


def _play(page: Page, box: Box, play: Any, guess: str = "") -> None:
    """The verdict, the card, whose it was, and what it made."""
    m, words = page.m, page.words
    side = min(box.h - m.of(0.8), m.of(9))
    sign, card, whose, text = columns(box, m.of(5), side, m.of(5), 1.0, gap=m.gap)
    page.add(Symbol(sign.middle(m.of(4.6), m.of(4.6)), *PLAYS[type(play)]))
    page.card(card.middle(side, side), play.card)
    if play.player:
        page.add(Badge(whose.middle(m.of(4.6), m.of(4.6)), page.view.match.colours[play.player]))
    made = dict.fromkeys(words.value(triple.value) for triple in getattr(play, "triples", ()))
    said = words.listed(made) or words.say(SAID[type(play)])
    page.text(
        text, words.told_of(words.say(labels.CELL, cell=play.cell), said + guess), m.of(4.8), align="left", lines=2
    )


def _acts(page: Page, box: Box, state: State) -> None:
    m = page.m
    if state.phase == "play":
        if page.view.marks.get("out"):
            dispute.who_is_out(page, box)
            return
        out, stuck = columns(box, 1.0, 1.0, gap=m.gap)
        who = player_of(page)
        page.button(out, page.words.say(own.IM_OUT), Say(Out(who)) if who else Mark("out", value=True), key="o")
        page.button(stuck, page.words.say(own.NOBODY_CAN), Say(Stuck(who)), key="n")
    elif state.phase == "stopped":
        page.button(box.middle(box.w, m.of(18)), page.words.say(own.DISPUTE), Mark("grid"), symbol="back", key="g")
    else:
        _begin(page, box, state)


def stopping(view: View) -> Shout:
    stop = Say(Stop(str(view.marks.get("who", "")))) if "stop" in view.match.may else None
    return Shout(view.words.say(STOP), stop, "s")


def _begin(page: Page, box: Box, state: State) -> None:
    """Deal, or Go!"""
    m, words = page.m, page.words
    upper, lower = rows(box, 1.0, m.of(11), gap=m.gap)
    if state.phase == "ready":
        page.button(upper, words.say(own.GO), Say(triple3.Go("")), look="main", key="g", size=m.of(9))
        page.button(lower, words.say("Deal again"), Mark("deal", (_lying(state), 0, False)), key="d")
    else:
        if state.house.cards == COUNTED:
            page.button(box.middle(box.w, m.of(24)), words.say(labels.DEALT), Say(Deal("")), look="main", key="n")
            return
        look = "plain" if is_watched(page.view) else "main"  # the camera sees it by itself
        shows = Mark("deal", (_dealt_before(page.view), 0, False))
        page.button(upper, words.say("Show the grid"), shows, look=look, key="d", size=m.of(6.4))
        page.button(lower, words.say("Play without the grid"), Say(Deal("")), key="n")


def _dealt_before(view: View) -> tuple[tuple[int, str], ...]:
    """What is put right of a deal begins with it."""
    move = view.instead.move if view.instead else None
    if not isinstance(move, Deal):
        return ()
    above = tuple((leftover.cell, leftover.card) for leftover in move.leftovers)
    return (*zip(CELLS, move.grid, strict=False), *above)


def _lying(state: State) -> tuple[tuple[int, str], ...]:
    """The cards of the grid as they were dealt, from below, with their cells."""
    return tuple((cell, laid.card) for cell, pile in zip(CELLS, state.piles, strict=False) for laid in pile)


def _count(page: Page, body: Box, state: State) -> None:
    """Who has how many cards left: a player, then the number."""
    m, words = page.m, page.words
    untold = page.view.match.may.get("left", ())
    who = player_of(page) or next(iter(untold), "")
    told, people, numbers = rows(body, m.of(9), m.of(14), 1.0, gap=m.gap)
    page.text(told, words.say(own.HOW_MANY_LEFT), m.large, align="left")
    for player, left, cell in zip(
        state.players, state.left, columns(people, *(1.0,) * len(state.players), gap=m.gap), strict=True
    ):
        intent = Mark("who", player) if player in untold else None
        label = player if left < 0 else page.words.told_of(player, left)
        page.button(cell, label, intent, badge=page.view.match.colours[player], on=player == who and left < 0)
    if not who:
        return
    most = triple3.most_left(state, who)
    if state.is_seen:
        to_count = state.unseen + len(state.to_lift)
        most = min(most, to_count - sum(cards for cards in state.left if cards > 0))
    _numbers(page, numbers, most, lambda cards: Say(Left(who, cards)))


def _numbers(page: Page, box: Box, most: int, to: Callable[[int], Intent]) -> None:
    """From 0 up; where they are too many to be touched, some at a time."""
    first = int(page.view.marks.get("from", 0))
    shown = range(first, min(first + AT_ONCE, most + 1))
    more = most >= AT_ONCE
    m, count = page.m, len(shown) + more
    cells = best_grid(box.middle(count * m.of(34), count * m.of(20)), count, 1.3, m.gap)
    for number, cell in zip(shown, cells, strict=False):
        page.button(cell, str(number), to(number), size=m.large, key=str(number) if number < 10 else "")
    if more:
        following = first + AT_ONCE
        page.button(
            cells[-1], page.words.say(labels.MORE), Mark("from", following if following <= most else 0), key="+"
        )


def _lay_there(seen: Seen) -> Draw | None:
    return draw_lying_grid if any(seen.state.grid) else None


def _face(box: Box, card: str) -> tuple[CardItem, ...]:
    return (CardItem(box.shaped(1, 1), card),) if card in DECK else ()


SCREEN = TableScreen(scene, dispute.scene, shows_sight=True, lying=_lay_there, printed=lambda: DECK, face=_face)
