"""Triplexity's table: three stacks, the last move and the one it forbids, points, and what the solver thinks."""

from dataclasses import dataclass

from companion.core.replies import AdviceReply
from companion.core.requests import Advise
from companion.core.rules import Advice, AdvisedMove, Move
from companion.display.layout import Box, columns, rows
from companion.display.scene import Badge, Go, Intent, Item, Mark, PanelItem, Say, Scene, Symbol
from companion.display.screens.elements import Page, match_page, turned_within, upright
from companion.display.screens.result import curve
from companion.display.screens.table_screen import Draw, TableScreen
from companion.display.view import TURNS, Seen, View
from companion.games.triplexity import words as own
from companion.games.triplexity.rules import (
    HIGHEST,
    PLACES,
    Option,
    Piece,
    Position,
    Put,
    Shift,
    State,
    ThreeOfAColour,
    board_before,
    stacks_after,
)
from companion.words import Words, labels

VALUES = {"win": ("check", "good"), "draw": ("equal", "warn"), "loss": ("wrong", "bad")}


@dataclass(frozen=True, slots=True)
class _Chosen:
    """What the player has touched so far."""

    who: str
    up: int
    source: str


def scene(view: View) -> Scene:
    state: State = view.match.state
    page, more, body = match_page(view, _status(view, state))
    m = view.m
    ask = Say(Advise()) if not view.advice and state.turn else None
    page.button(more, page.words.say(own.ASK_SOLVER), ask, symbol="bulb", key="s")
    chosen = _chosen(view, state)
    if m.wide:
        left, middle, right = columns(body, 1.0, 2.8, 1.0, gap=m.gap)
    else:
        right, middle, left = rows(body, 1.0, 2.6, 1.0, gap=m.gap)
    for seat, box in enumerate((left, right)):
        _player(page, box, state, seat, chosen)
    _board(page, middle, state, chosen)
    return page.done(escape=Go("menu"))


def _status(view: View, state: State) -> str:
    house = state.house
    if house.points and not house.rounds_too:
        return view.words.say("First to {target:{target} point|{target} points}", target=house.points)
    if house.rounds == 1:
        return view.words.say("Three of one colour win")
    return view.words.say(labels.ROUND_OF, round=state.rounds_played + 1, rounds=house.rounds)


def _chosen(view: View, state: State) -> _Chosen:
    who, up = view.marks.get("face", ("", 0))
    who = state.turn or str(who or view.marks.get("who", ""))
    return _Chosen(who, int(up), str(view.marks.get("source", "")))


# --- the players -----------------------------------------------------------------------------------------------


def _player(page: Page, box: Box, state: State, seat: int, chosen: _Chosen) -> None:
    """A player with points and with the pieces that are still to be placed."""
    view, m = page.view, page.m
    player = state.players[seat]
    colour = view.match.colours[player]
    mine = player == chosen.who
    page.panel(
        box, "raised" if mine else "panel", f"edge-{colour}" if mine else "line", width=max(4, m.of(1.2)) if mine else 2
    )
    inside = box.inset(m.edge)
    turn = TURNS[view.side_of(player)]
    seen = upright(inside, turn)
    if m.wide:
        head, name, points, hand = rows(seen, m.of(11), m.of(13), m.of(9), 1.0, gap=m.gap)
    else:
        head, words, hand = columns(seen, m.of(11), 1.0, 1.5, gap=m.gap)
        head = head._replace(h=m.of(13))
        name, points, _ = rows(words, m.of(13), m.of(9), 1.0)
    align = "centre" if m.wide else "left"
    head, name, points, hand = (turned_within(part, inside, turn) for part in (head, name, points, hand))
    page.add(Badge(head.middle(m.of(10), m.of(10)), colour, turn=turn))
    page.text(name, player, m.of(6.6), lines=2, turn=turn, align=align)
    said = page.words.say(labels.POINTS_COUNT, count=state.points[seat])
    if state.house.rounds == 1 and state.house.play == "basic" and not state.house.points:
        said = page.words.say(labels.YOUR_TURN) if player == state.turn else ""
    page.text(points, said, m.body, "quiet", turn=turn, align=align)
    _hand(page, hand, state, seat, chosen)


def _hand(page: Page, box: Box, state: State, seat: int, chosen: _Chosen) -> None:
    player, m = state.players[seat], page.m
    pieces = state.in_hand[seat]
    if not pieces:
        return
    may = player in page.view.match.may.get("put", ())
    if state.house.play == "basic":
        intent = Mark("who", player) if may and not state.turn else None
        whole = box.middle(box.w, m.of(34)) if m.wide else box
        lines = (
            rows(whole, *(1.0,) * len(pieces), gap=m.gap // 2)
            if m.wide
            else columns(whole, *(1.0,) * len(pieces), gap=m.gap)
        )
        for piece, cell in zip(pieces, lines, strict=True):
            draw_piece(page, _piece_box(cell, m.of(26)), piece, intent if piece is pieces[0] or intent else None)
        return
    faces = sorted({pip for piece in pieces for pip in (piece.up, piece.down)})
    across = 2 if m.wide else 3
    cells = [cell for row in rows(box, *(1.0,) * (-(-len(faces) // across)), gap=m.gap // 2)
             for cell in columns(row, *(1.0,) * across, gap=m.gap // 2)]  # fmt: skip
    for pip, cell in zip(faces, cells, strict=False):
        on = player == chosen.who and chosen.up == pip
        _face(page, cell, player, pip, on=on, may=may)


def _face(page: Page, cell: Box, player: str, pip: int, *, on: bool, may: bool) -> None:
    """One face that a piece in the hand can show."""
    colour = page.view.match.colours[player]
    square = cell.middle(page.m.of(18), page.m.of(18))
    intent: Intent | None = Mark("face", (player, pip)) if may else None
    page.add(PanelItem(square, colour, "focus" if on else "line", 5 if on else 2, page.m.of(2), intent=intent))
    page.add(Symbol(square.inset(square.w // 6, square.h // 6), f"die{pip}", f"on-{colour}"))


def _piece_box(cell: Box, wide: int) -> Box:
    """A slice of a die lies flat: more than twice as wide as high."""
    return cell.middle(min(cell.w, wide), min(cell.h, wide * 5 // 11))


def draw_piece(
    page: Page, box: Box, piece: Piece, intent: Intent | None = None, *, edge: str = "rim", width: int = 2
) -> None:
    colour = page.view.match.colours[piece.owner]
    page.add(PanelItem(box, colour, edge, width, max(3, box.h // 6), intent=intent))
    inside = box.inset(max(3, box.h // 6))
    if not piece.up:
        page.add(Badge(inside.shaped(1, 1), colour))
        return
    left, right = columns(inside, 1.0, 1.0)
    page.add(Badge(left.shaped(1, 1), colour))
    page.add(Symbol(right.shaped(1, 1), f"die{piece.up}", f"on-{colour}"))


# --- the board -------------------------------------------------------------------------------------------------


def _board(page: Page, box: Box, state: State, chosen: _Chosen) -> None:
    m = page.m
    hint, stacks, last = rows(box, m.of(11), 1.0, m.of(14), gap=m.gap)
    page.text(hint, _hint(page, state, chosen), m.of(5.6), lines=2)
    for place, cell in zip(PLACES, columns(stacks, 1.0, 1.0, 1.0, gap=m.gap), strict=True):
        _stack(page, cell, state, place, chosen)
    _last_move(page, last, state)


def _hint(page: Page, state: State, chosen: _Chosen) -> str:
    advice = page.view.advice
    if advice:
        return _opinion(page, advice, state.turn)
    if not chosen.who:
        return page.words.say("Whoever wants to begin touches a piece.")
    if state.phase == "place":
        if state.house.play == "advanced" and not chosen.up:
            return page.words.say("{player}: which face is up?", player=chosen.who)
        return page.words.say("{player}: where to?", player=chosen.who)
    if chosen.source:
        return page.words.say("{player}: where to?", player=chosen.who)
    return page.words.say("{player}: which piece?", player=chosen.who)


def _opinion(page: Page, advice: Advice | AdviceReply, who: str) -> str:
    words, moves = page.words, advice.moves
    match advice.value:
        case "win":
            return words.say("{player} can force a win in {moves:{moves} move|{moves} moves}.", player=who, moves=moves)
        case "loss":
            return words.say("{player} can be beaten in {moves:{moves} move|{moves} moves}.", player=who, moves=moves)
        case _:
            return words.say("With best play nobody wins.")


def _stack(page: Page, box: Box, state: State, place: str, chosen: _Chosen) -> None:
    m, number = page.m, PLACES.index(place)
    stack = state.stacks[number]
    source = chosen.source == place
    page.add(
        PanelItem(
            box,
            "panel",
            "focus" if source else "line",
            4 if source else 2,
            m.of(2.4),
            intent=_touch(page, state, place, chosen),
            key=str(number + 1),
        )
    )
    inside = box.inset(m.edge)
    mark, slots, name = rows(inside, m.of(10), 1.0, m.of(7), gap=m.gap // 2)
    page.text(name, page.words.value(place), m.body, "quiet")
    sign = _sign(page, state, place, chosen)
    if sign:
        page.add(Symbol(mark.middle(m.of(9), m.of(9)), *sign))
    levels = rows(slots, *(1.0,) * HIGHEST, gap=m.gap // 2)[::-1]
    newest = state.back is not None and state.back[0] == number
    for height, (piece, level) in enumerate(zip(stack, levels, strict=False)):
        top = height == len(stack) - 1
        wide = min(level.w, level.h * 11 // 5)
        marked = top and (newest or source)
        draw_piece(page, _piece_box(level, wide), piece, edge="focus" if marked else "rim", width=5 if marked else 2)


def _touch(page: Page, state: State, place: str, chosen: _Chosen) -> Intent | None:
    """What a touch on a stack means: take from it, put on it, or take back what was chosen.

    A move that is not allowed can be touched too: the referee says why not.
    """
    may = page.view.match.may
    if "put" in may and chosen.who in may["put"]:
        ready = chosen.up or state.house.play == "basic"
        return Say(Put(chosen.who, place, chosen.up)) if ready else None
    if "shift" not in may:
        return None
    if chosen.source:
        return Mark("source") if chosen.source == place else Say(Shift(chosen.who, chosen.source, place))
    return Mark("source", place) if state.stacks[PLACES.index(place)] else None


def _sign(page: Page, state: State, place: str, chosen: _Chosen) -> tuple[str, str] | None:
    """A sign over a stack: no way, what the solver thinks of it, or where the piece may go."""
    ways = _ways(page.view, state)
    if not ways:
        return None
    if state.phase == "move" and not chosen.source:
        found = [way for way in ways if way.source == place]
    else:
        found = [way for way in ways if way.target == place and way.source == chosen.source]
        if not found and chosen.source != place:
            return "no", "bad"
    best = next(iter(found), None)
    if best is None or not best.value:
        return ("down", "quiet") if best is not None and chosen.source else None
    return VALUES[best.value]


def _ways(view: View, state: State) -> list[AdvisedMove]:
    """The moves that are open, best first where the solver was asked."""
    if view.advice:
        return list(view.advice.ways)
    if state.phase not in ("place", "move") or not view.match.may:
        return []
    return [AdvisedMove(way.source, way.target, "", 0) for may in view.match.ruling.may for way in may.choices]


def _last_move(page: Page, box: Box, state: State) -> None:
    """Where the last piece went, and that it may not go back; or under each stack where its top piece may not go."""
    if state.back is None:
        return
    words = page.words
    if state.came_from:
        cells = columns(box, 1.0, 1.0, 1.0, gap=page.m.gap)
        for place, came_from in state.closed:
            _way_back(page, cells[place], words.value(PLACES[came_from]))
        return
    target, source = (words.value(PLACES[place]) for place in state.back)
    was, not_back = columns(box, 1.0, 1.0, gap=page.m.gap)
    there = words.say("{source} to {target}", source=source, target=target)
    back = words.say("{source} to {target}", source=target, target=source)
    _fact(page, was, own.LAST_MOVE, there, "play", "quiet")
    _fact(page, not_back, own.FORBIDDEN, back, "no", "bad")


def _way_back(page: Page, box: Box, place: str) -> None:
    m = page.m
    page.panel(box)
    upper, lower = rows(box.inset(m.edge // 2, 2), 1.0, 1.4)
    sign, where = columns(lower, m.of(6), 1.0, gap=m.gap // 2)
    page.text(upper, page.words.say(own.FORBIDDEN), m.of(4), "quiet", align="left")
    page.add(Symbol(sign.middle(m.of(5), m.of(5)), "no", "bad"))
    page.text(where, place, m.body, align="left")


def _fact(page: Page, box: Box, title: str, text: str, symbol: str, role: str) -> None:
    m = page.m
    page.panel(box)
    sign, lines = columns(box.inset(m.edge, 2), m.of(7), 1.0, gap=m.gap)
    upper, lower = rows(lines, 1.0, 1.8)
    page.add(Symbol(sign.middle(m.of(6), m.of(6)), symbol, role))
    page.text(upper, page.words.say(title), m.of(4), "quiet", align="left")
    page.text(lower, text, m.body, align="left", lines=2)


# --- how it ended ----------------------------------------------------------------------------------------------


def board_of(page: Page, box: Box, seen: Seen) -> None:
    """The three stacks as they stand, or as they stood when the round ended, with the pieces that have won."""
    won = next((event.pieces for event in seen.events if isinstance(event, ThreeOfAColour)), ())
    for place, stack, cell in zip(PLACES, _stacks(seen), columns(box, 1.0, 1.0, 1.0, gap=page.m.gap), strict=True):
        page.panel(cell, "ground")
        levels = rows(cell.inset(page.m.gap), *(1.0,) * HIGHEST, gap=max(2, page.m.gap // 3))[::-1]
        for height, (piece, level) in enumerate(zip(stack, levels, strict=False)):
            marked = (place, height) in won
            wide = min(level.w, level.h * 11 // 5)
            draw_piece(page, _piece_box(level, wide), piece, edge="main" if marked else "rim", width=5 if marked else 2)


def _stacks(seen: Seen) -> tuple[tuple[Piece, ...], ...]:
    if seen.round_over is None:
        found: tuple[tuple[Piece, ...], ...] = seen.state.stacks
        return found
    before = seen.line[-2].ruling.state if len(seen.line) > 1 else seen.start.state
    return stacks_after(board_before(before, seen.events), seen.events)


def _ended(seen: Seen) -> Draw | None:
    return _last_board if seen.state.stacks != ((), (), ()) else None


def _last_board(page: Page, box: Box, seen: Seen) -> None:
    """How the last round stood, and what threw it away, for whoever wants to know."""
    m = page.m
    if seen.curve.is_worth_it:
        chart, box = columns(box, 1.35, 1.0, gap=m.gap)
        curve(page, chart, seen)
    board, mistake = rows(box, 1.0, m.touch + m.gap, gap=m.gap)
    board_of(page, board, seen)
    if page.view.marks.get("mistake"):
        page.text(mistake, mistake_of(page.words, seen), m.of(4.7), lines=3)
    elif seen.abandoned is None:  # else nobody has lost it
        label = page.words.say(own.LOSING_MISTAKE)
        page.button(mistake, label, Mark("mistake", value=True), symbol="bulb", look="quiet", key="s")


def mistake_of(words: Words, seen: Seen) -> str:
    """The move that threw the last round away, in a sentence."""
    from companion.games.triplexity.solver import losing_mistake  # noqa: PLC0415  (it solves the game, when somebody asks)

    won = next((event for event in seen.events if isinstance(event, ThreeOfAColour)), None)
    if won is None:
        return words.say("Nobody has won the round.")
    first, line = _last_round(seen)
    loser = next(player for player in seen.setup.names if player != won.owner)
    mistake = losing_mistake(line, seen.setup.names.index(loser))
    if mistake is None:
        return words.say("{player} could not have done better.", player=loser)
    better = words.value(PLACES[mistake.better.target])
    return words.say(
        "Move {number} of {player} threw it away; a piece on “{place}” was better.",
        number=first + mistake.number,
        player=loser,
        place=better,
    )


def _last_round(seen: Seen) -> tuple[int, list[tuple[Position, Option]]]:
    """The number of its first move, and every position of it with the move that was made."""
    first, before = 1, seen.start.state
    line: list[tuple[Position, Option]] = []
    for number, done in enumerate(seen.line, 1):
        before = board_before(before, done.ruling.events)
        if before.phase == "place" and not any(before.stacks):
            first, line = number, []
        position = before.position._replace(mover=before.players.index(done.move.player))
        line.append((position, _option(done.move)))
        before = done.ruling.state
    return first, line


def _option(move: Move) -> Option:
    if isinstance(move, Put):
        return Option(None, PLACES.index(move.place))
    assert isinstance(move, Shift)
    return Option(PLACES.index(move.source), PLACES.index(move.target))


def _seen_face(box: Box, face: str) -> tuple[Item, ...]:
    """A piece as a camera reads it: its colour and its pips."""
    colour, _, pips = face.partition("-")
    if not colour:
        return ()
    side = box.shaped(1, 1)
    top = PanelItem(side, colour, "rim", 2, max(3, side.h // 6))
    return (top, Symbol(side.inset(max(3, side.h // 6)), f"die{pips}", f"on-{colour}")) if pips else (top,)


def _place(_seen: Seen, cell: int) -> str:
    return PLACES[cell - 1] if 0 < cell <= len(PLACES) else ""


SCREEN = TableScreen(scene, lying=lambda _seen: board_of, ended=_ended, card=_seen_face, place=_place)
