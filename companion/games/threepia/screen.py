"""Threepia's table: clocks as large as there is room for, whose turn it is, points in two touches, the field."""

from dataclasses import replace

from companion.core.card_ways import is_seen
from companion.core.clocks import Clock
from companion.core.rules import UNSEEN, Move
from companion.display.layout import Box, Part, columns, grid, rows
from companion.display.scene import Badge, Go, Item, Mark, PanelItem, Say, Scene, Symbol, Ticking
from companion.display.screens.acts import who_begins
from companion.display.screens.best_times import best_times
from companion.display.screens.elements import Page, match_page, player_tile, tiles, turned_within, upright
from companion.display.screens.reasons import depth, is_one, reason_lines, said
from companion.display.screens.table_screen import TableScreen
from companion.display.screens.watched_game import is_seeing
from companion.display.view import TURNS, Seen, View
from companion.games.threepia import words as own
from companion.games.threepia.field_screen import field_items
from companion.games.threepia.rules import (
    ALONE,
    HAND,
    MOST_CARDS,
    Begin,
    Counted,
    Deal,
    DeckCount,
    DeckEmpty,
    Draw,
    Finish,
    House,
    Lay,
    Points,
    Run,
    State,
    card_of,
    is_ended_by_deck,
    most_points,
)
from companion.games.threepia.symbols_screen import card_laid
from companion.games.threepia.trials import course_of
from companion.reports.trials import best
from companion.words import Words, labels

SECOND = 1_000_000_000
WITH_FIELD = 4.4  # a clock so much wider than high leaves room for the field
AT_ONCE = 9  # numbers of points that are offered together
TYPED = "typed"  # the mark with which a card is said that no camera sees


def scene(view: View) -> Scene:
    state: State = view.match.state
    page, more, body = match_page(view, _status(view, state))
    if state.phase in ("turn", "counting"):
        _deck(page, more, state)
    if state.phase == "deal":
        _deal(page, body, state)
    elif state.phase == "ready":
        _ready(page, body, state)
    elif _counts_deck(view):
        _deck_count(page, body, state)
    elif view.instead and state.is_seen and isinstance(view.instead.move, Lay | Draw):
        card_laid(page, body, state, view.instead.move)
    elif view.marks.get(TYPED) and "lay" in view.match.may:
        card_laid(page, body, state, Draw(state.turn))
    else:
        _turn(page, body, state)
    return page.done(escape=Mark(TYPED) if view.marks.get(TYPED) else Go("menu"))


def _is_typed(view: View) -> bool:
    """The referee has seen the field, and now nobody shows the cards any more."""
    return is_seen("threepia", view.match.setup.house) and not is_seeing(view) and not view.instead


def _status(view: View, state: State) -> str:
    """The way to play and how far it has gone."""
    house = state.house
    match house.way:
        case "points":
            return view.words.say("First to {target:{target} point|{target} points}", target=house.target)
        case "rounds":
            number = min(house.rounds, state.turns // len(state.players) + 1)
            return view.words.say(labels.ROUND_OF, round=number, rounds=house.rounds)
        case way:
            return view.words.choice(way)


def _deck(page: Page, box: Box, state: State) -> None:
    """How many cards are left; whoever touches it can say that there are more, or fewer, or none."""
    label = str(state.deck) if state.deck else page.words.say(own.DECK_IS_EMPTY)
    if "deck-count" not in page.view.match.may:
        page.text(box, "" if state.deck else label, page.m.body, "quiet")
        return
    on = _counts_deck(page.view)
    page.button(box, label, Mark("deck", None if on else True), symbol="cards", look="quiet", on=on)


def _counts_deck(view: View) -> bool:
    return bool(view.marks.get("deck")) and "deck-count" in view.match.may


def _deck_count(page: Page, body: Box, state: State) -> None:
    """How many cards there are in truth, typed in, beside the clock, which runs on."""
    m, cards = page.m, page.view.marks.get("cards")
    stage, words = columns(body, 1.0, 1.25, gap=m.gap) if m.wide else rows(body, 1.0, 1.5, gap=m.gap)
    _stage(page, stage, state)
    title, shown, digits_box, acts = rows(words, m.of(12), m.of(13), 1.0, m.of(15), gap=m.gap)
    page.text(title, page.words.say("How many cards are left in the deck?"), m.of(6), lines=2)
    number, back = columns(shown, 1.0, m.touch, gap=m.gap)
    page.text(number, "" if cards is None else str(cards), m.huge)
    less = Mark("cards", cards // 10 or None) if cards is not None else None
    page.button(back, "", less, symbol="erase", key="backspace")
    for digit, cell in zip((1, 2, 3, 4, 5, 6, 7, 8, 9, 0), grid(digits_box, 10, 5, m.gap // 2), strict=True):
        longer = 10 * (cards or 0) + digit
        page.button(cell, str(digit), _typed(longer), size=m.large, key=str(digit))
    none, done = columns(acts, 1.0, 1.2, gap=m.gap)
    page.button(
        none, page.words.say("It is used up"), Say(DeckEmpty(state.turn)) if state.deck else None, look="danger"
    )
    is_said = cards is not None and cards != state.deck
    label = page.words.say(labels.CARDS_COUNT, count=cards) if is_said else page.words.say(labels.OK)
    counted = Say(DeckCount(state.turn, cards or 0)) if is_said else None
    page.button(done, label, counted, look="main", symbol="check", size=m.large, key="return")


def _typed(cards: int) -> Mark | None:
    return Mark("cards", cards) if cards <= MOST_CARDS else None


# --- before the first turn -------------------------------------------------------------------------------------


def _deal(page: Page, body: Box, state: State) -> None:
    m, field = page.m, state.house.field
    if m.wide:
        picture, words = columns(body, 1.0, 1.0, gap=2 * m.gap)
    else:
        picture, words = rows(body, 1.2, 1.0, gap=m.gap)
    page.panel(picture)
    page.add(*field_items(picture.inset(m.edge), field))
    title, one, two, done = rows(words, 1.0, 1.6, 1.2, m.of(18), gap=m.gap)
    page.text(title, page.words.choice(field), m.large)
    count = len(field.places)
    page.text(one, page.words.say("Lay out {count} cards as in the picture.", count=count), m.of(6), lines=3)
    page.text(two, page.words.say("Deal {count} cards to everybody.", count=HAND), m.of(6), lines=3)
    page.button(
        done, page.words.say(labels.DEALT), Say(Deal("")), look="main", symbol="check", size=m.large, key="return"
    )


def _ready(page: Page, body: Box, state: State) -> None:
    count = len(state.players)
    across = 1 if not page.m.wide else count if count < 4 else (count + 1) // 2
    who_begins(page, body, {player: Say(Begin(player)) for player in state.players}, across)


# --- a turn ----------------------------------------------------------------------------------------------------


def _turn(page: Page, body: Box, state: State) -> None:
    m, alone = page.m, state.house.way in ALONE
    padded = not alone and not state.is_seen
    pad: tuple[Part, ...] = (m.touch * (1 if m.wide else 2) + m.body + 2 * m.gap,) if padded else ()
    tall = depth(page)
    why = (tall,) if tall and not (pad and m.wide and is_one(page)) else ()  # one alone stands beside the numbers
    if m.wide:
        upper, *lower, acts = rows(body, 1.0, *why, *pad, m.of(15), gap=m.gap)
        stage, side = columns(upper, 1.55 if len(state.players) < 5 else 1.15, 1.0, gap=m.gap)
    else:
        high = m.of(12 if page.view.shares else 15)
        deep = high * ((len(state.players) + 1) // 2) if not alone else m.of(60)
        low = m.of(26 if state.is_seen and not _is_typed(page.view) else 36)
        stage, side, *lower, acts = rows(body, 1.0, deep, *why, *pad, low, gap=m.gap)
    _stage(page, stage, state)
    if alone:
        _best(page, side, state)
    else:
        for player, cell in zip(state.players, tiles(side, len(state.players), m), strict=True):
            _tile(page, cell, state, player)
    if why:
        reason_lines(page, lower.pop(0))
    for box in lower:
        _pad(page, box, state)
    _acts(page, acts, state)


def _runs(view: View) -> tuple[Run, ...]:
    """The rows that scored by the newest ruling."""
    return tuple(run for event in view.match.events if isinstance(event, Counted) for run in event.runs)


def _tile(page: Page, cell: Box, state: State, player: str) -> None:
    seat = state.players.index(player)
    owed = sum(due.player == player for due in state.waiting)
    clock = state.clocks[seat] if state.house.way == "stopwatch" else None
    hand = None if clock else state.hands[seat]
    note = ""
    if player in state.out:
        clock, hand, note = None, None, page.words.say(own.OUT_OF_TIME)
    score = f"{state.scores[seat]}{'+?' if owed else ''}"
    player_tile(page, cell, player, score, clock=clock, hand=hand, note=note, on=player == state.turn)


def _stage(page: Page, box: Box, state: State) -> None:
    """Whose turn it is, and what counts most: the clock, else the field."""
    m, player = page.m, state.turn or (state.owed[:1] or state.players[:1])[0]
    colour = page.view.match.colours[player]
    page.panel(box, "panel", f"edge-{colour}", width=max(4, m.of(1.2)))
    inside = box.inset(m.edge + m.of(0.6), m.edge)
    turn = TURNS[page.view.side_of(player)]
    head, main = rows(upright(inside, turn), m.of(11), 1.0, gap=m.gap // 2)
    side = min(head.h, m.of(11))
    badge, name = (turned_within(part, inside, turn) for part in columns(head, side, 1.0, gap=m.gap))
    page.add(Badge(badge, colour, turn=turn))
    said = player if state.turn else page.words.say("Points of {player}", player=player)
    page.text(name, said, m.of(9), align="left", lines=2 if len(said) > 24 else 1, turn=turn)
    clock, runs = _clock(state), _runs(page.view)
    if clock is None:
        page.add(*field_items(turned_within(main, inside, turn), state.house.field, state.field, runs))
        return
    if main.w > WITH_FIELD * main.h or runs:
        wide = main.w > main.h
        picture, main = columns(main, min(main.h, main.w // 2), 1.0) if wide else rows(main, 1.0, 1.0)
        page.add(*field_items(turned_within(picture, inside, turn), state.house.field, state.field, runs))
    page.add(Ticking(turned_within(main, inside, turn), clock, 2 * main.h, warn="bad", turn=turn))


def _clock(state: State) -> Clock | None:
    return state.clock or (state.clocks[0] if state.clocks and state.house.way != "stopwatch" else None)


def _acts(page: Page, box: Box, state: State) -> None:
    """What the player whose turn it is can do."""
    m, may = page.m, page.view.match.may
    can_finish = "finish" in may
    parts = (1.7, 1.0, 0.8) if can_finish else (1.7, 1.0)
    cells = columns(box, *parts, gap=m.gap) if m.wide else rows(box, 1.3, 1.0, gap=m.gap)
    if not m.wide and can_finish:
        cells = [cells[0], *columns(cells[1], 1.0, 1.0, gap=m.gap)]
    _lay(page, cells[0], state)
    draw = page.words.say("No card fits: draw one") if state.deck else page.words.say(own.CANNOT_LAY)
    page.button(cells[1], draw, Say(Draw(state.turn)) if "draw" in may else None, key="d")
    if can_finish:
        page.button(cells[2], page.words.say(own.FINISH), Say(Finish(state.turn)), symbol="flag", key="f")


def _lay(page: Page, box: Box, state: State) -> None:
    m, points = page.m, page.view.marks.get("points")
    if state.is_seen:
        if _is_typed(page.view):
            may = "lay" in page.view.match.may
            page.button(box, page.words.say("Card laid"), Mark(TYPED, value=True) if may else None, symbol="cards")
        else:
            page.text(box, page.words.say("The referee sees what is laid."), m.body, "quiet", lines=2)
        return
    may = "lay" in page.view.match.may
    label = page.words.say("Card laid")
    if points is not None:
        label = page.words.say("Card laid: {points:{points} point|{points} points}", points=points)
    laid = Say(Lay(state.turn, points=points)) if may else None
    page.button(box, label, laid, look="main", symbol="check", size=m.large, key="return")


# --- points ----------------------------------------------------------------------------------------------------


def _pad(page: Page, box: Box, state: State) -> None:
    """Numbers to touch: for the oldest turn whose points are owed, else for the card that is laid next."""
    m, owed = page.m, state.owed
    player = owed[0] if owed else state.turn
    title, cells_box = rows(box, m.body + m.gap, 1.0)
    words = page.words.say("Points of {player}", player=player)
    beside = m.wide and is_one(page)
    badge, name, why = columns(title, title.h, 1.0, 2.0 if beside else 1, gap=m.gap)
    page.add(Badge(badge, page.view.match.colours[player]))
    page.text(name, words, m.body, "warn" if owed else "quiet", align="left")
    if beside:
        said(page, why)
    most = most_points(state.house)
    number = int(page.view.marks.get("numbers", 0))
    first = number * AT_ONCE
    last = min(most, first + AT_ONCE - 1)
    across = AT_ONCE + 1 if m.wide else (AT_ONCE + 1) // 2
    cells = grid(cells_box, AT_ONCE + 1, across, m.gap // 2)
    for points, cell in zip(range(first, last + 1), cells, strict=False):
        _number(page, cell, state, points)
    further = number + 1 if last < most else 0
    label = f"{last + 1}…" if further else "0…"
    page.button(cells[-1], label, Mark("numbers", further), look="quiet")


def _number(page: Page, cell: Box, state: State, points: int) -> None:
    chosen = page.view.marks.get("points") == points
    if state.owed:
        may = "points" in page.view.match.may
        intent = Say(Points(state.owed[0], points)) if may else None
        page.button(cell, str(points), intent, size=page.m.large, key=str(points))
        return
    mark = Mark("points", None if chosen else points)
    may = "lay" in page.view.match.may
    page.button(cell, str(points), mark if may else None, size=page.m.large, on=chosen, key=str(points))


def _best(page: Page, box: Box, state: State) -> None:
    """Alone: the best times of this table."""
    m = page.m
    page.panel(box)
    inside = box.inset(m.edge)
    if state.house.way == "relaxed":
        page.text(inside, page.words.explained("relaxed"), m.of(6), "quiet", lines=4)
        return
    title, about, rest = rows(inside, m.of(8), m.body, 1.0, gap=m.gap // 2)
    course = course_of(state)
    page.text(title, page.words.say(labels.BEST_TIMES), m.of(6))
    page.text(about, page.words.say(own.ON_YOUR_WORD) if course.on_word else "", m.small, "quiet")
    best_times(page, rest, best(page.view.past.trials, course))


# --- how it ended ----------------------------------------------------------------------------------------------


def _undo(words: Words, seen: Seen) -> str:
    """Only here the deck's end is the match's: the count may be wrong, and then the last turn is undone."""
    return words.say("More cards are left") if is_ended_by_deck(seen.state) else ""


def _as_said(move: Move, _house: House) -> Move:
    """Nobody is asked where a card lies."""
    return replace(move, place="", card="", turned=0) if isinstance(move, Lay) else move


def _face(box: Box, symbol: str) -> tuple[Symbol, ...]:
    shape, _, colour = symbol.partition("-")
    return (Symbol(box.shaped(1, 1), shape, colour, rim=True),) if colour else ()


def _card(box: Box, card: str) -> tuple[Item, ...]:
    """Its four symbols, as it lies."""
    square = box.shaped(1, 1)
    corners = [cell.inset(max(1, cell.w // 8)) for cell in grid(square, 4, 2)]
    symbols = card_of(card).symbols if card not in ("", UNSEEN) else ()
    drawn = [Symbol(at, one.shape, one.colour, rim=True) for at, one in zip(corners, symbols, strict=False)]
    return (PanelItem(square, "raised", "line", radius=max(2, square.w // 10)), *drawn)


def _place(seen: Seen, cell: int) -> str:
    letters = seen.setup.house.field.letters
    return str(letters[cell - 1]) if 0 < cell <= len(letters) else ""


SCREEN = TableScreen(
    scene, undo=_undo, as_said=_as_said, pictured={"field": field_items}, card=_card, place=_place, face=_face
)
