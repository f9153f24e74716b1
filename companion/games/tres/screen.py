"""Tres' table: the three cards, which way round it goes, hands, what is due; every player is a button to say tres."""

from collections.abc import Callable

from companion.core.rules import COUNTED, UNSEEN, Turn
from companion.display.layout import Box, columns, grid, packed, rows
from companion.display.scene import Badge, Go, Intent, Item, Mark, PanelItem, Say, Scene, Symbol, Text
from companion.display.screens.acts import TableAct, act_button
from companion.display.screens.elements import Page, Shout, match_page, turned_within, upright
from companion.display.screens.reasons import reasons
from companion.display.screens.table_screen import TableScreen
from companion.display.theme import shape_of
from companion.display.view import View
from companion.games.tres import counted_screen as tres_counted
from companion.games.tres import words as own
from companion.games.tres.rules import (
    HAND,
    JOKER,
    NUMBERS,
    PLUS3,
    REVERSE,
    SKIP,
    THREE,
    Catch,
    Deal,
    Dealer,
    Draw,
    Fill,
    Keep,
    Pass,
    Play,
    ShowCard,
    State,
    Take,
    Tres,
)
from companion.words import labels

AT_ONCE = 4  # colours that are offered together
SAID = "said"
LINES, WIDE = 2, 0.62  # of news, and how wide a letter is for its height
IN_A_PLAY = 2  # cards of the hand
OTHERS = (REVERSE, SKIP, PLUS3, JOKER)
SIGNS = {REVERSE: "redo", SKIP: "no", JOKER: "star"}


def scene(view: View) -> Scene:
    state: State = view.match.state
    page, more, body = match_page(view, _status(view, state), _catching(view))
    if state.phase == "dealer":
        _who_deals(page, more, body, state)
        return page.done(escape=Go("menu"))
    m, count = view.m, len(state.players)
    if m.wide:
        people, stage = columns(body, 1.0, 2.15, gap=m.gap)
        cells = packed(people, count, 1, m.of(24), max(2, m.gap // 6))
    else:
        across = 2 if count < 5 else 3
        lines = -(-count // across)
        people, stage = rows(body, m.of(12 if lines < 3 else 11) * lines, 1.0, gap=m.gap)
        cells = grid(people, count, across, m.gap // 2)
    for seat, cell in enumerate(cells):
        _tile(page, cell, state, seat)
    _stage(page, stage, state)
    return page.done(escape=Go("menu"))


def _status(view: View, state: State) -> str:
    say = view.words.say
    if state.phase == "dealer":
        return view.match.game.title
    return f"{say(labels.DRAW_PILE)} {state.pile}  ·  {say(own.DISCARDS)} {len(state.discards)}"


# --- who deals -------------------------------------------------------------------------------------------------


def _who_deals(page: Page, more: Box, body: Box, state: State) -> None:
    """The table says who deals, or everybody shows the card that was drawn for it."""
    m, marks, say = page.m, page.view.marks, page.words.say
    draws = bool(marks.get("draw", state.shown or len(state.contenders) < len(state.players)))
    shows = str(marks.get("shows", ""))
    other = say(own.WHO_DEALS) if draws else say(own.DRAW_FOR_DEALER)
    page.button(
        more, say(labels.CANCEL) if shows else other, Mark("shows") if shows else Mark("draw", not draws), key="d"
    )
    title, rest = rows(body, m.of(12), 1.0, gap=m.gap)
    if shows:
        page.text(title, f"{shows} · {say(own.WHICH_CARD)}", m.of(8), lines=2)
        may = shows in page.view.match.may.get("show-card", ())
        _pad(page, rest, state, lambda card: Say(ShowCard(shows, card)) if may else None)
        return
    page.text(title, say(own.DRAW_FOR_DEALER) if draws else say(own.WHO_DEALS), m.of(9))
    count = len(state.players)
    across = (1 if count < 5 else 2) if not m.wide else 2 if count < 5 else 4
    for seat, cell in enumerate(packed(rest, count, across, m.of(30), m.gap)):
        _contender(page, cell, state, seat, draws=draws)


def _contender(page: Page, cell: Box, state: State, seat: int, *, draws: bool) -> None:
    player, may = state.players[seat], page.view.match.may
    intent: Intent | None = None
    label = player
    if draws:
        intent = Mark("shows", player) if player in may.get("show-card", ()) else None
        card = dict(state.shown).get(player)
        label = f"{player} · {page.words.card(card)}" if card else player
    elif player in may.get("dealer", ()):
        intent = Say(Dealer(player))
    badge = page.view.match.colours[player]
    page.button(cell, label, intent, badge=badge, size=page.m.of(7), lines=3, key=str(seat + 1))


# --- the players -----------------------------------------------------------------------------------------------


def _tile(page: Page, box: Box, state: State, seat: int) -> None:
    """A player with the cards in hand; a touch says tres for the player, or settles who kept silent and who saw it."""
    m, player = page.m, state.players[seat]
    colour = page.view.match.colours[player]
    label, intent, on = _touch(page, state, player)
    owner = _owner(state) == player
    edge = "focus" if on else f"edge-{colour}" if owner else "line"
    width = max(3, m.of(0.9)) if owner or on else 2
    fill = "raised" if owner or on else "panel"
    page.add(PanelItem(box, fill, edge, width, m.of(2.0), intent=intent, key=str(seat + 1) if intent else ""))
    inside = box.inset(max(5, m.edge * 2 // 3), max(4, m.edge // 3))
    side = min(inside.h, m.of(6.5))
    badge, words, count = columns(inside, side, 1.0, m.of(8.5), gap=m.gap)
    page.add(Badge(badge.middle(side, side), colour))
    changed = next((reason for reason in reasons(page.words, page.view.match) if reason.player == player), None)
    if changed is not None and page.view.match.line[-1].move.word != Deal.word:
        count, by = rows(count, 1.5, 1.0)
        page.text(by, changed.sign, m.small, "good" if changed.by < 0 else "warn", align="right")
    page.text(count, str(len(state.hands[seat])), m.of(8), align="right")
    if not label:
        page.text(words, player, m.body, align="left", lines=2)
        return
    low = m.wide and inside.h < m.of(11)
    name, note = columns(words, 1.0, 0.75, gap=m.gap // 2) if low else rows(words, 1.2, 1.0)
    page.text(name, player, m.body, align="left")
    if state.tres[seat] == SAID:
        check, note = columns(note, min(note.h, m.of(4.5)), 1.0, gap=m.gap // 2)
        page.add(Symbol(check, "check", "good"))
    page.text(note, label, m.small, "warn" if intent else "quiet", align="left")


def _owner(state: State) -> str:
    """Who has to do something now."""
    return state.dues[0].player if state.phase == "pay" and state.dues else state.turn


def _touch(page: Page, state: State, player: str) -> tuple[str, Intent | None, bool]:
    """What a touch on a player means: its label, the intent, and whether that is chosen.

    Everybody can always say tres: the screen does not tell who has forgotten it.
    """
    view, say = page.view, page.words.say
    if view.match.paused is not None or state.phase in ("deal", "over"):
        return say(own.DEALER) if player == state.dealer else "", None, False
    whom = view.marks.get("catch")
    if whom is not None:
        return _catch(page, state, player, str(whom))
    owed = state.owed(player) if any(due.player == player for due in state.dues) else 0
    if owed:
        return say(own.PENALTY, count=owed), Say(Tres(player)), False
    has_said = state.tres[state.players.index(player)] == SAID and not state.may_say(player)
    return say(own.TRES), None if has_said else Say(Tres(player)), False


def _catch(page: Page, state: State, player: str, whom: str) -> tuple[str, Intent | None, bool]:
    """Who kept silent is touched first and then who has caught it; with two players that can only be the other."""
    if not whom:
        others = [other for other in state.players if other != player]
        only = Say(Catch(others[0], player)) if len(others) == 1 else Mark("catch", player)
        return page.words.say("Silent"), only, False
    if player == whom:
        return page.words.say("Silent"), Mark("catch", ""), True
    return page.words.say("I saw it"), Say(Catch(player, whom)), False


def _catching(view: View) -> Shout:
    say, on = view.words.say, view.marks.get("catch") is not None
    may = bool(view.match.may) and view.match.state.phase not in ("dealer", "deal")
    mark = Mark("catch", None if on else "") if may else None
    return Shout(say(labels.CANCEL) if on else say(own.CATCH), mark, "c")


# --- what is going on ------------------------------------------------------------------------------------------


def _stage(page: Page, box: Box, state: State) -> None:
    """Whose turn it is, the table, what is chosen and can be done, what happened last; all cards to touch below."""
    m = page.m
    if state.house.cards == COUNTED:
        banner, rest = rows(box, m.of(8.5), 1.0, gap=m.gap)
        _banner(page, banner, state)
        tres_counted.stage(page, rest, state)
        return
    gaps = max(2, m.gap // 4)
    if m.wide:
        deep = AT_ONCE * m.touch + (AT_ONCE - 1) * gaps
        banner, table, told, pad = rows(box, m.of(8.5), 1.0, m.of(8.4), deep, gap=m.gap // 2)
        cards, *chosen = columns(table, 1.0, 1.25, gap=m.gap)
    else:
        deep = (AT_ONCE + 1) * m.touch + AT_ONCE * gaps
        place = () if state.phase == "fill" else (2 * m.touch + m.gap,)
        banner, cards, *chosen, told, pad = rows(box, m.of(8), 1.0, *place, m.of(7.5), deep, gap=m.gap // 2)
    _banner(page, banner, state)
    _table(page, cards, state)
    picked = _picked(page.view)
    for part in chosen:
        _chosen(page, part, state, picked)
    page.text(told, _news(page, told), m.of(4.4), "quiet", lines=2)
    _pad(page, pad, state, lambda card: _pick(page.view, state, picked, card))


def _news(page: Page, box: Box) -> str:
    """What the newest move did: all of it, or how it began and ended, as there is room."""
    said = [
        page.words.sentence(event) for event in page.view.match.events if event.text and not isinstance(event, Turn)
    ]
    room = LINES * box.w // (WIDE * page.m.least)
    counted = [page.words.sentence(event) for event in page.view.match.events if event.counts]
    for told in (said, [*said[:1], *said[1:][-1:]], counted):
        if len(" ".join(told)) <= room:
            return " ".join(told)
    return said[0]


def _banner(page: Page, box: Box, state: State) -> None:
    m, owner, catches = page.m, _owner(state), page.view.marks.get("catch") is not None
    turn = 0 if catches else page.view.half_turn(owner)
    side = min(box.h, m.of(8))
    parts = columns(upright(box, turn), side, 1.0, m.of(24), side, gap=m.gap)
    badge, name, way, sign = (turned_within(part, box, turn) for part in parts)
    if catches:
        page.add(Symbol(badge.middle(side, side), "hand", "warn"))
    else:
        page.add(Badge(badge.middle(side, side), page.view.match.colours[owner], turn=turn))
    page.text(name, _question(page, state, owner), m.of(6), align="left", lines=2, turn=turn)
    if state.phase != "deal":
        clockwise = state.direction == 1
        said = page.words.say(own.CLOCKWISE if clockwise else own.COUNTERCLOCKWISE)
        page.text(way, said, m.of(3.8), "quiet", align="right", lines=2, turn=turn)
        page.add(Symbol(sign.middle(side, side), "redo" if clockwise else "undo", "quiet", turn=turn))


def _question(page: Page, state: State, owner: str) -> str:
    say, marks = page.words.say, page.view.marks
    if marks.get("catch") is not None:
        return say("Who saw it?") if marks["catch"] else say(own.CATCH_WHOM)
    match state.phase:
        case "deal":
            number = len(_picked(page.view)) - THREE
            if not 0 < number < HAND * len(state.players):
                return f"{owner} · {say(labels.DEAL)}"
            return f"{state.players[number // HAND]} · {say(labels.HAND)} {number % HAND + 1}/{HAND}"
        case "fill":
            return f"{owner} · {say(own.FILL_TABLE)}"
        case "pay":
            return f"{owner} · {say(own.PENALTY, count=state.owed(owner))}"
        case _:
            return say(labels.WHOSE_TURN, player=owner)


def _picked(view: View) -> tuple[str, ...]:
    return tuple(view.marks.get("cards", ()))


def _table(page: Page, box: Box, state: State) -> None:
    """The three cards; the one that is played with is chosen by a touch."""
    m, chosen = page.m, page.view.marks.get("with")
    shown = _picked(page.view)[:THREE] if state.phase == "deal" else state.table
    can_play = "play" in page.view.match.may
    for at, cell in enumerate(columns(box, 1.0, 1.0, 1.0, gap=m.gap // 2)):
        if at >= len(shown):
            page.add(PanelItem(cell, "ground", "line", 2, m.of(2)))
            continue
        on = chosen == at
        mark = Mark("with", None if on else at) if can_play else None
        draw_card(page, cell, shown[at], mark, on=on)


def _chosen(page: Page, box: Box, state: State, picked: tuple[str, ...]) -> None:
    """The cards of the hand that are chosen, the last of which can be taken back, and what can be done with them."""
    m, acts = page.m, _acts(page, state, picked)
    hand = picked[THREE:] if state.phase == "deal" else picked
    if not acts:
        page.text(box, page.words.say(own.WHICH_CARD), m.of(5.6), "quiet", lines=2)
        return
    slots = {"turn": IN_A_PLAY, "drawn": 1}.get(state.phase, min(THREE, max(1, len(hand))))
    cards, back, does = columns(box, float(slots), m.touch, 2.4, gap=m.gap // 2)
    cells = columns(cards, *(1.0,) * slots, gap=m.gap // 2)
    for at, cell in enumerate(cells):
        newest = hand[-slots:]
        if at < len(newest):
            draw_card(page, cell, newest[at], None)
        else:
            page.add(PanelItem(cell, "ground", "line", 2, m.of(2)))
    less = Mark("cards", picked[:-1] or None) if picked else None
    page.button(back.middle(back.w, max(m.touch, back.h // 2)), "", less, symbol="erase", key="backspace")
    for act, cell in zip(acts, rows(does, *(1.0,) * len(acts), gap=m.gap // 2), strict=True):
        act_button(page, cell, act)


# --- what can be done ------------------------------------------------------------------------------------------


def _acts(page: Page, state: State, picked: tuple[str, ...]) -> list[TableAct]:
    say, may = page.words.say, page.view.match.may
    match state.phase:
        case "deal":
            dealt = _deal(state, picked) if "deal" in may else None
            return [TableAct(say(labels.DEALT), dealt, "main", key="return")]
        case "turn":
            return [_play(page, state, picked), _draw(page, state, picked)]
        case "drawn":
            keep = Say(Keep(state.turn)) if "keep" in may else None
            return [_play(page, state, picked), TableAct(say(own.KEEP_CARD), keep, key="d")]
        case "pay":
            return [_take(page, state, picked)]
        case _:
            return []


def _deal(state: State, picked: tuple[str, ...]) -> Intent | None:
    """The cards of the table are enough; who wants the referee to know the hands shows all of them."""
    hands = picked[THREE:]
    if len(picked) == THREE:
        return Say(Deal(state.turn, picked))
    if len(hands) != HAND * len(state.players):
        return None
    dealt = tuple(hands[at : at + HAND] for at in range(0, len(hands), HAND))
    return Say(Deal(state.turn, picked[:THREE], dealt))


def _play(page: Page, state: State, picked: tuple[str, ...]) -> TableAct:
    view = page.view
    at, may = view.marks.get("with"), "play" in view.match.may
    known = state.phase == "drawn" and state.drawn != UNSEEN
    cards = (state.drawn,) if known else picked
    said = Say(Play(state.turn, state.table[int(at)], cards)) if may and cards and at is not None else None
    return TableAct(page.words.say(labels.PLAY_CARD), said, "main", key="return")


def _draw(page: Page, state: State, picked: tuple[str, ...]) -> TableAct:
    """One card drawn; chosen alone, it is shown to the referee."""
    say, view = page.words.say, page.view
    if "pass" in view.match.may:
        return TableAct(say(own.PASS), Say(Pass(state.turn)), key="d")
    may = "draw" in view.match.may
    shown = len(picked) == 1 and view.marks.get("with") is None
    label = f"{say(own.DRAW_CARD)} · {page.words.card(picked[0])}" if shown else say(own.DRAW_CARD)
    return TableAct(label, Say(Draw(state.turn, picked[0] if shown else "")) if may else None, key="d")


def _take(page: Page, state: State, picked: tuple[str, ...]) -> TableAct:
    """What is due; with all of its cards chosen, they are shown to the referee."""
    player = _owner(state)
    owed = state.owed(player)
    label = page.words.say(own.PENALTY, count=owed)
    if 0 < len(picked) < owed:
        return TableAct(f"{label} · {len(picked)}/{owed}", None, "main", key="return")
    return TableAct(label, Say(Take(player, picked)) if "take" in page.view.match.may else None, "main", key="return")


def _pick(view: View, state: State, picked: tuple[str, ...], card: str) -> Intent | None:
    """What a touch on a card of the deck means."""
    may = view.match.may
    if not may:
        return None
    if state.phase == "fill":
        return Say(Fill(state.turn, card)) if "fill" in may else None
    return Mark("cards", (*picked, card)) if len(picked) < _most(state) else None


def _most(state: State) -> int:
    match state.phase:
        case "deal":
            return THREE + HAND * len(state.players)
        case "turn":
            return IN_A_PLAY
        case "drawn":
            return 1 if state.drawn == UNSEEN else 0
        case _:
            return state.owed(_owner(state))


# --- cards -----------------------------------------------------------------------------------------------------


def _pad(page: Page, box: Box, state: State, means: Callable[[str], Intent | None]) -> None:
    """Every card of the deck to touch: a row for each colour, and the actions in a column or a row of their own."""
    colours = state.house.colours
    numbered, others, more = _places(page, box)
    several = len(colours) > AT_ONCE
    at_once = AT_ONCE - 1 if several else AT_ONCE
    pages = -(-len(colours) // at_once)
    number = int(page.view.marks.get("page", 0)) % pages
    shown = colours[number * at_once : (number + 1) * at_once]
    cards = [f"{colour}-{of}" for colour in shown for of in NUMBERS]
    for card, cell in (*zip(cards, numbered, strict=False), *zip(OTHERS, others, strict=True)):
        draw_card(page, cell, card, means(card))
    if several:
        page.button(more, page.words.say(labels.MORE), Mark("page", number + 1), look="quiet", key="p")


def _places(page: Page, box: Box) -> tuple[list[Box], list[Box], Box]:
    """Where the numbers of up to four colours are, and the other cards: a row below, or a column beside them.

    Where there are more colours, the last row leads to them.
    """
    m, across = page.m, len(NUMBERS)
    gap = max(2, m.gap // 4)
    lines = grid(box, AT_ONCE if m.wide else AT_ONCE + 1, 1, gap)
    if m.wide:
        cells = [columns(line, *(1.0,) * (across + 1), gap=gap) for line in lines]
        others = [line[-1] for line in cells]
        numbered = [cell for line in cells for cell in line[:-1]]
    else:
        others = columns(lines[-1], *(1.0,) * len(OTHERS), gap=gap)
        numbered = [cell for line in lines[:-1] for cell in columns(line, *(1.0,) * across, gap=gap)]
    last = numbered[-across:]
    return numbered, others, last[0].with_(last[-1])


def draw_card(page: Page, box: Box, card: str, intent: Intent | None, *, on: bool = False) -> None:
    """A card: its number and its shape on its colour; an action has its sign, and its name if that goes in."""
    m = page.m
    colour, dash, number = card.partition("-")
    edge, width = ("focus", max(4, m.of(1.2))) if on else ("rim" if intent else "line", 2)
    fill = colour if dash else "raised"
    page.add(PanelItem(box, fill, edge, width, min(m.of(2), box.h // 5), intent=intent))
    inside = box.inset(max(4, box.w // 10), max(4, box.h // 10))
    if dash:
        ink = f"on-{colour}"
        upper, lower = rows(inside, 1.6, 1.0) if box.h > box.w * 3 // 4 else columns(inside, 1.4, 1.0)
        page.text(upper, number, m.of(16), ink)
        side = min(lower.w, lower.h, m.of(5))
        page.add(Symbol(lower.middle(side, side), shape_of(colour), ink))
        return
    if card == PLUS3 or box.h < m.of(18) or box.w < m.of(28):
        _sign(page, inside, card)
        return
    sign, name = rows(inside, 1.4, 1.0)
    _sign(page, sign, card)
    page.text(name, page.words.card(card), m.small, lines=2)


def _sign(page: Page, box: Box, card: str) -> None:
    if card == PLUS3:
        page.text(box, page.words.card(card), page.m.of(8))
        return
    side = min(box.w, box.h, page.m.of(12))
    page.add(Symbol(box.middle(side, side), SIGNS[card], "warn" if card == JOKER else "text"))


def _face(box: Box, card: str) -> tuple[Item, ...]:
    """A card without a number; of the others number and colour say enough."""
    if card not in SIGNS and card != PLUS3:
        return ()
    paper = box.shaped(1, 1)
    sign = paper.inset(paper.w // 6)
    shown = Text(sign, "+3", paper.h // 2, "on-black") if card == PLUS3 else Symbol(sign, SIGNS[card], "on-black")
    return PanelItem(paper, "black", radius=max(2, paper.w // 12)), shown


SCREEN = TableScreen(scene, face=_face)
