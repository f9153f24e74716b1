"""Triple³'s table: the grid with what each cell takes, the last plays, cards left, chips, Stop!, and the deal.

Whoever has no camera lays a card with three touches: the cell, a colour, the card.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from companion.display.layout import Box, best_grid, columns, grid, packed, rows
from companion.display.scene import Badge, Go, Intent, Mark, Panel, Say, Scene, Symbol, Ticking
from companion.display.screens import dispute, watched
from companion.display.screens.parts import Page, Shout, match_page
from companion.display.speech import news
from companion.display.view import View
from companion.games import triple3
from companion.games.triple3 import (
    CELLS,
    COLOURS,
    DECK,
    SHAPES,
    TO_DEAL,
    ClaimVoid,
    Deal,
    FewLeft,
    FoundLying,
    Lay,
    Left,
    Leftover,
    Lies,
    NotOutYet,
    Out,
    PlayedIllegally,
    PlayedLegally,
    State,
    Stop,
    Stuck,
    TakeBack,
    TakenBack,
    is_legal,
)
from companion.rules import COUNTED, Event
from companion.words import labels

LINES = 3  # of the last plays
AT_ONCE = 27  # numbers to choose from
WORD = 3.2  # how wide the name of a colour is, in heights
PLAYS = {
    Lay: ("no", "bad"),  # refused, and still there
    PlayedLegally: ("check", "good"),
    PlayedIllegally: ("wrong", "bad"),
    FoundLying: ("hand", "warn"),
    TakenBack: ("undo", "quiet"),
}
SAID = {
    Lay: labels.NO_TRIPLE,
    PlayedLegally: labels.LEGAL,
    PlayedIllegally: labels.NO_TRIPLE,
    FoundLying: labels.NOBODY_KNOWS,
    TakenBack: "Taken back",
}


def scene(view: View) -> Scene:
    state: State = view.match.state
    if (state.phase == "stopped" and not view.marks.get("grid")) or view.marks.get("correction") is not None:
        return dispute.scene(view)
    page, more, body = match_page(view, _status(view, state), stopping(view))
    if watched.is_watched(view):
        more, eye = columns(more, 1.0, view.m.touch, gap=view.m.gap)
        watched.way_to(page, eye)
    if state.phase in ("play", "stopped"):
        page.add(Ticking(more, state.clock, view.m.large))
    if state.phase == "count":
        _count(page, body, state)
    elif _is_dealing(view, state):
        _deal(page, body, state)
    else:
        _table(page, body, state)
    is_live = watched.is_watched(view) and state.phase == "deal" and not view.sight.places
    return page.done(escape=_escape(view), is_live=is_live)


def _status(view: View, state: State) -> str:
    said = view.words.say(labels.ROUND, round=len(state.rounds) + (state.phase != "over"))
    if state.phase in ("play", "stopped", "count"):
        cards = view.words.say(labels.CARDS_COUNT, count=state.unseen)
        unseen = view.words.told_of(view.words.say(labels.UNSEEN_CARDS), state.unseen)
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


def _who(page: Page) -> str:
    instead = page.view.instead
    return str(page.view.marks.get("who", instead.move.player if instead else ""))


def _halves(page: Page, body: Box) -> tuple[Box, Box]:
    """Where the grid lies, and what is beside or below it."""
    m = page.m
    if m.wide:
        board, beside = columns(body, min(body.h, body.w // 2), 1.0, gap=m.gap)
    else:
        board, beside = rows(body, min(body.w, body.h - m.of(76)), 1.0, gap=m.gap)
    return board, beside


# --- the table while a round is played -------------------------------------------------------------------------


def _table(page: Page, body: Box, state: State) -> None:
    m, view = page.m, page.view
    if not state.is_seen and state.phase not in ("deal", "ready"):
        people, beside = columns(body, 1.0, 1.0, gap=m.gap) if m.wide else rows(body, 1.0, 1.0, gap=m.gap)
        _players(page, people, state, m.of(19), 1)
        _news_and_acts(page, beside, state)
        return
    board, beside = _halves(page, body)
    if state.phase == "deal" and watched.is_watched(view) and not view.sight.places:
        watched.laying_out(page, board)
    else:
        _grid(page, board, state)
    cell = view.marks.get("cell")
    if cell is not None and "lies" in view.match.may:
        _on_cell(page, beside, state, int(cell))
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
    on = _who(page) == player
    intent = (Mark("who") if on else Mark("who", player)) if state.phase in ("play", "stopped") else None
    edge, width = ("focus", max(3, m.of(0.8))) if on else ("line", 2)
    page.add(Panel(box, "raised" if on else "panel", edge, width, m.of(2.4), intent=intent))
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
    plays = _last_plays(page.view)
    astray = watched.trouble(page.view) if state.phase in ("play", "stopped") else None
    if astray is not None:
        watched.out_of_step(page, told, *astray)
    elif state.phase == "play" and (plays or page.view.sight.step.called):
        _plays(page, told, plays)
    else:
        known = bool(page.view.match.line) and state.phase != "stopped"
        intent = Go("dispute") if known else None  # after a round, too, something may turn out to have been wrong
        page.add(
            Panel(told, "panel", "line" if known else "", radius=m.of(2.4), intent=intent, key="l" if known else "")
        )
        page.text(told.inset(m.edge), "\n".join(_told(page.view, state)), m.of(5.6), align="left", lines=6)
    _acts(page, acts, state)


def _told(view: View, state: State) -> list[str]:
    if state.phase == "deal" and not state.rounds:
        return [watched.asks(view) or view.words.say("Lay nine cards as a 3×3 grid and deal out the others.")]
    if state.phase == "ready" and view.sight.places:
        return [*news(view.words, view.match)[-1:], view.words.say("The first card that is laid begins the round.")]
    return news(view.words, view.match)[-LINES:]


def _last_plays(view: View) -> list[tuple[int, Any]]:
    """Of this round with the numbers of their moves, newest first."""
    found: list[tuple[int, Any]] = []
    for number in range(len(view.match.line), 0, -1):
        done = view.match.line[number - 1]
        if isinstance(done.move, Deal) or len(found) >= LINES:
            break
        found += [(number, event) for event in done.ruling.events if type(event) in PLAYS]
    return found


def _plays(page: Page, box: Box, plays: list[tuple[int, Any]]) -> None:
    m = page.m
    page.add(Panel(box, "panel", "line", radius=m.of(2.4), intent=Go("dispute"), key="l"))
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
        who = _who(page)
        page.button(out, page.words.say(labels.IM_OUT), Say(Out(who)) if who else Mark("out", value=True), key="o")
        page.button(stuck, page.words.say(labels.NOBODY_CAN), Say(Stuck(who)), key="n")
    elif state.phase == "stopped":
        page.button(box.middle(box.w, m.of(18)), page.words.say(labels.DISPUTE), Mark("grid"), symbol="back", key="g")
    else:
        _begin(page, box, state)


def stopping(view: View) -> Shout:
    stop = Say(Stop(str(view.marks.get("who", "")))) if "stop" in view.match.may else None
    return Shout(view.words.say(labels.STOP), stop, "s")


def _begin(page: Page, box: Box, state: State) -> None:
    """Deal, or Go!"""
    m, words = page.m, page.words
    upper, lower = rows(box, 1.0, m.of(11), gap=m.gap)
    if state.phase == "ready":
        page.button(upper, words.say(labels.GO), Say(triple3.Go("")), look="main", key="g", size=m.of(9))
        page.button(lower, words.say("Deal again"), Mark("deal", (_lying(state), 0, False)), key="d")
    else:
        if state.house.cards == COUNTED:
            page.button(box.middle(box.w, m.of(24)), words.say(labels.DEALT), Say(Deal("")), look="main", key="n")
            return
        look = "plain" if watched.is_watched(page.view) else "main"  # the camera sees it by itself
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


# --- the grid --------------------------------------------------------------------------------------------------


def _grid(page: Page, box: Box, state: State) -> None:
    newest = _newest(page.view)
    made = {cell for triple in getattr(newest, "triples", ()) for cell in triple.cells}
    lying = watched.lying(page.view) if state.phase == "deal" else {}
    tells = state.is_seen and state.house.hints and state.phase in ("play", "ready")
    for cell, place in zip(CELLS, grid(box, 9, 3, page.m.gap, down=3), strict=True):
        pile = state.piles[cell - 1] if state.is_seen and state.phase != "deal" else ()
        at = page.view.marks.get("cell")
        intent = watched.touch_on(page.view, cell)
        if intent is None and "lies" in page.view.match.may:
            intent = Mark("cell") if at == cell else Mark("cell", cell)
        mark = newest if newest is not None and getattr(newest, "cell", 0) == cell else None
        sign = watched.sign_of(page.view, cell) or (PLAYS[type(mark)] if mark is not None else None)
        lit = "good" if cell in made else ""
        _cell(page, place, cell, intent, on=at == cell, sign=sign, lit=lit)
        _lies_there(page, place, pile[-1].card if pile else lying.get(cell, ""), len(pile))
        if tells:
            _takes(page, place, _values(state, cell))


def _newest(view: View) -> Event | None:
    plays = _last_plays(view) if view.match.state.phase in ("play", "stopped") else []
    return plays[0][1] if plays else None


def _cell(
    page: Page,
    box: Box,
    cell: int,
    intent: Intent | None,
    *,
    on: bool,
    sign: tuple[str, str] | None = None,
    lit: str = "",
) -> None:
    m = page.m
    edge = "focus" if on else sign[1] if sign else lit or "line"
    width = max(4, m.of(0.9)) if on or sign else max(3, m.of(0.6)) if lit else 2
    page.add(Panel(box, "raised" if on else "panel", edge, width, m.of(2), intent=intent, key=str(cell)))
    corner = Box(box.x + m.of(1.2), box.y + m.of(1.2), m.of(3), m.of(4.4))
    page.text(corner, str(cell), m.of(4), "quiet", align="left")
    place = Box(box.right - m.of(5), box.y + m.of(1.2), m.of(3.8), m.of(3.8))
    if sign:
        page.add(Symbol(place, *sign))
    elif watched.is_covered(page.view, cell):
        watched.covered_sign(page, place)


def _card_box(page: Page, box: Box) -> Box:
    """Where the card of a cell lies: beside its number, above what the cell takes where that is told."""
    m = page.m
    below = m.of(8.8 if page.view.match.setup.house.hints else 2.4)
    room = Box(box.x + m.of(4.6), box.y + m.of(1.2), box.w - m.of(9.8), box.h - below)
    return room.shaped(1, 1)


def _lies_there(page: Page, box: Box, card: str, count: int) -> None:
    m, place = page.m, _card_box(page, box)
    if card in triple3.BITS:
        page.card(place, card)
    elif card:
        page.add(Symbol(place, "hand", "quiet"))
    if count > 1:
        right = Box(box.right - m.of(5), box.y + m.of(6), m.of(4), m.of(4))
        page.text(right, f"×{count}" if count < 10 else str(count), m.of(3.4), "quiet")


def _takes(page: Page, box: Box, values: tuple[str, ...]) -> None:
    """What a card needs one of to be laid there: a colour by its name, a shape, a number."""
    m = page.m
    strip = Box(box.x + m.of(1.4), box.bottom - m.of(7), box.w - m.of(2.8), m.of(5.2))
    wide = [WORD if value in COLOURS else 1.0 for value in values]
    side = min(m.of(5.2), int((strip.w - 2 * len(values)) / max(1.0, sum(wide))))
    row = strip.middle(round(side * sum(wide)) + 2 * len(values), side)
    for value, place in zip(values, columns(row, *wide, gap=2), strict=True):
        if value in COLOURS:
            page.add(Panel(place, value, "rim", 2, m.of(1)))
            page.text(place.inset(3, 1), page.words.value(value), m.of(3.6), f"on-{value}")
        elif value in SHAPES:
            page.add(Symbol(place, value))
        else:
            page.text(place, value, m.of(5.2))


def _values(state: State, cell: int) -> tuple[str, ...]:
    """What fits there."""
    return triple3.values_of(triple3.accepted(state.grid, cell))


# --- a cell is touched -----------------------------------------------------------------------------------------


def _on_cell(page: Page, box: Box, state: State, cell: int) -> None:
    """The card that is laid there; or that lies there, after something that nobody saw."""
    m, view = page.m, page.view
    lies = bool(view.marks.get("lies")) or state.phase == "stopped"
    title, cards, acts = rows(box, m.touch, 1.0, m.of(11), gap=m.gap)
    if lies:
        _found(page, title, state, cell)
        dispute.picker(page, cards, lambda card: _says_lies(view, state, cell, card))
    else:
        head, away = columns(title, 1.0, m.touch, gap=m.gap)
        page.text(head, _title(page, state, cell), m.of(5.6), align="left", lines=2)
        page.button(away, "", Mark("cell"), symbol="wrong", key="x")
        dispute.picker(page, cards, lambda card: _lays(page, state, cell, card), _legal(state, cell))
    _cell_acts(page, acts, state, cell, lies=lies)


def _title(page: Page, state: State, cell: int) -> str:
    named = page.words.say(labels.CELL, cell=cell)
    if not state.house.hints:
        return named
    values = _values(state, cell)
    if not values:
        return page.words.told_of(named, page.words.say(labels.NOTHING))
    return page.words.told_of(named, page.words.either(map(page.words.value, values)))


def _legal(state: State, cell: int) -> frozenset[str]:
    """The cards that are marked for that cell."""
    if not state.house.hints:
        return frozenset()
    return frozenset(card for card in DECK if card not in _seen(state) and is_legal(state.grid, cell, card))


def _seen(state: State) -> frozenset[str]:
    return frozenset(card for number, card in enumerate(DECK) if state.seen >> number & 1)


def _lays(page: Page, state: State, cell: int, card: str) -> Intent | None:
    return None if card in _seen(state) else Say(Lay(_who(page), cell, card))


def _says_lies(view: View, state: State, cell: int, card: str) -> Intent | None:
    if state.piles[cell - 1][-1].card == card:
        return None
    if card in _seen(state):
        return Say(Lies("", cell, card))
    hidden, taken = _unseen(view, state, cell)
    return Say(Lies("", cell, card, hidden, taken))


def _unseen(view: View, state: State, cell: int) -> tuple[int, int]:
    """How many cards are said to lie hidden under it, and how many to have been taken off before."""
    marks, pile = view.marks, state.piles[cell - 1]
    return min(int(marks.get("hidden", 0)), max(0, state.unseen - 1)), min(int(marks.get("taken", 0)), len(pile) - 1)


def _found(page: Page, box: Box, state: State, cell: int) -> None:
    off, under = columns(box, 1.0, 1.0, gap=page.m.gap)
    hidden, taken = _unseen(page.view, state, cell)
    most = len(state.piles[cell - 1]) - 1
    stepper(page, off, page.words.say("Taken off: {count}", count=taken), lambda n: Mark("taken", n), (0, taken, most))
    said = page.words.say("Hidden: {count}", count=hidden)
    stepper(page, under, said, lambda n: Mark("hidden", n), (0, hidden, max(0, state.unseen - 1)))


def stepper(page: Page, box: Box, said: str, to: Callable[[int], Intent], range_: tuple[int, int, int]) -> None:
    """A number with less and more beside it; from the lowest, the number now, to the highest."""
    low, now, high = range_
    m = page.m
    less, words, more = columns(box, m.touch, 1.0, m.touch, gap=m.gap // 2)
    page.button(less, "", to(now - 1) if now > low else None, symbol="less")
    page.text(words, said, m.small, lines=2)
    page.button(more, "", to(now + 1) if now < high else None, symbol="more")


def _cell_acts(page: Page, box: Box, state: State, cell: int, *, lies: bool) -> None:
    m, words = page.m, page.words
    back = Say(TakeBack(_who(page), cell)) if not state.piles[cell - 1][-1].dealt else None
    first, second = columns(box, 1.2, 1.0, gap=m.gap)
    page.button(first, words.say(labels.TAKE_BACK), back, key="t")
    if state.phase == "stopped":
        page.button(second, words.say(labels.CLOSE), Mark("cell"), key="x")
        return
    page.button(
        second, words.say("It lies there"), Mark("lies") if lies else Mark("lies", value=True), on=lies, key="w"
    )


# --- the deal --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Dealing:
    """What has been shown of a deal: cards with their cells, the lowest first."""

    cards: tuple[tuple[int, str], ...]
    deals: tuple[int, ...]
    at: int  # the cell that is shown next; 0: the first empty one
    above: bool  # the next card is a leftover on what lies there

    @property
    def grid(self) -> dict[int, str]:
        """The lowest cards."""
        found: dict[int, str] = {}
        for cell, card in self.cards:
            found.setdefault(cell, card)
        return found

    @property
    def leftovers(self) -> tuple[Leftover, ...]:
        lowest = set(self.grid.items())
        return tuple(Leftover(cell, card) for cell, card in self.cards if (cell, card) not in lowest)

    @property
    def next(self) -> int:
        return self.at or next((cell for cell in CELLS if cell not in self.grid), 0)

    def with_(self, card: str) -> tuple[tuple[int, str], ...]:
        """One card more; in the place of the top one of its cell, unless it is a leftover on that."""
        cards = list(self.cards)
        if not self.above:
            above = [place for place, (cell, _) in enumerate(cards) if cell == self.next]
            if above:
                cards[above[-1]] = (self.next, card)
                return tuple(cards)
        return (*cards, (self.next, card))

    @property
    def move(self) -> Deal | None:
        """Cards that nobody has shown and nobody was dealt lie hidden under the others."""
        if len(self.grid) < len(CELLS):
            return None
        grid_ = tuple(self.grid[cell] for cell in CELLS)
        hidden = TO_DEAL - len(self.leftovers) - sum(self.deals)
        return Deal("", grid_, self.leftovers, self.deals, max(0, hidden))


def _dealing(marks: Mapping[str, Any], state: State) -> _Dealing:
    share = TO_DEAL // len(state.players)
    deals = marks.get("deals") or (state.deals if state.phase == "ready" else (share,) * len(state.players))
    cards, at, above = marks["deal"]
    return _Dealing(cards, tuple(deals), at, above)


def _deal(page: Page, body: Box, state: State) -> None:
    m, words = page.m, page.words
    dealing = _dealing(page.view.marks, state)
    board, beside = _halves(page, body)
    _dealt_grid(page, board, dealing)
    title, middle, acts = rows(beside, m.of(8), 1.0, m.of(12), gap=m.gap)
    if page.view.marks.get("handicap"):
        page.text(title, words.say(labels.HANDICAP), m.of(5.6), align="left")
        _deals(page, middle, state, dealing)
    else:
        page.text(title, _asks(page, dealing), m.of(4.8), align="left", lines=2)
        shown = {card for _, card in dealing.cards}
        dispute.picker(page, middle, lambda card: _shows(dealing, card) if card not in shown else None)
    _deal_acts(page, acts, dealing)


def _asks(page: Page, dealing: _Dealing) -> str:
    if dealing.next:
        return page.words.say("Touch the card that lies on cell {cell}.", cell=dealing.next)
    hidden = TO_DEAL - len(dealing.leftovers) - sum(dealing.deals)
    if hidden > 0:
        return page.words.say("Leftovers not shown: {count}. Touch a cell to show one.", count=hidden)
    return page.words.say("The deal is complete.")


def _shows(dealing: _Dealing, card: str) -> Intent | None:
    return Mark("deal", (dealing.with_(card), 0, False)) if dealing.next else None


def _dealt_grid(page: Page, box: Box, dealing: _Dealing) -> None:
    for cell, place in zip(CELLS, grid(box, 9, 3, page.m.gap, down=3), strict=True):
        here = [card for at, card in dealing.cards if at == cell]
        on = cell == dealing.next
        intent = Mark("deal", (dealing.cards, 0 if cell == dealing.at else cell, False))
        _cell(page, place, cell, intent, on=on)
        _lies_there(page, place, here[-1] if here else "", len(here))


def _deals(page: Page, box: Box, state: State, dealing: _Dealing) -> None:
    """How many cards each player was dealt."""
    m = page.m
    lines = packed(box, len(state.players), 1, m.of(14), m.gap)
    for seat, (player, line) in enumerate(zip(state.players, lines, strict=True)):
        count = dealing.deals[seat]
        badge, rest = columns(line, m.of(8), 1.0, gap=m.gap)
        page.add(Badge(badge.middle(m.of(8), m.of(8)), page.view.match.colours[player]))

        def to(number: int, seat: int = seat) -> Intent:
            return Mark("deals", (*dealing.deals[:seat], number, *dealing.deals[seat + 1 :]))

        stepper(page, rest, page.words.told_of(player, count), to, (1, count, TO_DEAL))


def _deal_acts(page: Page, box: Box, dealing: _Dealing) -> None:
    m, words = page.m, page.words
    above, handicap, deal = columns(box, 1.0, 1.0, 1.2, gap=m.gap)
    on_it = dealing.at in dealing.grid
    intent = Mark("deal", (dealing.cards, dealing.at, not dealing.above)) if on_it else None
    page.button(above, words.say("Leftover"), intent, on=dealing.above, key="l")
    open_ = bool(page.view.marks.get("handicap"))
    page.button(
        handicap,
        words.say(labels.HANDICAP),
        Mark("handicap") if open_ else Mark("handicap", value=True),
        on=open_,
        key="h",
    )
    move = dealing.move
    page.button(deal, words.say(labels.DEAL), Say(move) if move else None, look="main", key="d", size=m.of(6.4))


# --- the count at the end --------------------------------------------------------------------------------------


def _count(page: Page, body: Box, state: State) -> None:
    """Who has how many cards left: a player, then the number."""
    m, words = page.m, page.words
    untold = page.view.match.may.get("left", ())
    who = _who(page) or next(iter(untold), "")
    told, people, numbers = rows(body, m.of(9), m.of(14), 1.0, gap=m.gap)
    page.text(told, words.say(labels.HOW_MANY_LEFT), m.large, align="left")
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
