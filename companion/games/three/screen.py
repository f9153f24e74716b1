"""Three!'s table: whose turn it is, the token, banks and piles; a call, a check, and the photo finish of a strike."""

from dataclasses import replace

from companion.core.clocks import SECOND, Clock
from companion.core.photo_finish import Arrival, Finish, How
from companion.core.rules import COUNTED, UNSEEN, Move, Turn
from companion.display.layout import Box, columns, grid, packed, rows
from companion.display.scene import Badge, Filling, Go, Intent, Mark, PanelItem, Say, Scene, Symbol, Ticking
from companion.display.screens.acts import TableAct, act_button, who_begins
from companion.display.screens.elements import Page, Shout, match_page, turned_within, upright
from companion.display.screens.table_screen import TableScreen
from companion.display.view import View
from companion.games.three import words as own
from companion.games.three.pile_screen import checked
from companion.games.three.rules import (
    DOGS,
    Begin,
    Call,
    Check,
    Checked,
    Choose,
    Declare,
    Dog,
    Hand,
    House,
    Pass,
    Play,
    Release,
    State,
    Strike,
    has_last_turns,
)
from companion.words import labels

AT_ONCE = 8  # dogs or numbers that are offered together
ODD = 3  # acts that stand in one row everywhere
FRESH = 2  # a strike belongs to what is shown until so many moves are made after it


def scene(view: View) -> Scene:
    state: State = view.match.state
    page, more, body = match_page(view, _status(view, state), _token(view, state))
    _deck(page, more, state)
    if state.phase == "setup":
        _begin(page, body, state)
        return page.done(escape=Go("menu"))
    m, count = view.m, len(state.players)
    if m.wide:
        people, stage = columns(body, 1.0, 1.9, gap=m.gap)
        cells = packed(people, count, 1, m.of(30), m.gap)
    else:
        people, stage = rows(body, m.of(22) * ((count + 1) // 2), 1.0, gap=m.gap)
        cells = grid(people, count, 2, m.gap)
    for number, cell in enumerate(cells):
        _tile(page, cell, state, number)
    _stage(page, stage, state)
    return page.done(escape=Go("menu"))


def _status(view: View, state: State) -> str:
    if state.phase == "final" or (state.final_turns and state.phase != "over"):
        return view.words.say(own.LAST_ROUND)
    if state.phase != "turn":
        return view.match.game.title
    return view.words.say(own.TOKEN_ARMED if _may_strike(view, state) else own.TOKEN_REARMS)


def _token(view: View, state: State) -> Shout:
    """Somebody has struck it, and who it was is asked afterwards."""
    is_free = "strike" in view.match.may and _may_strike(view, state)
    return Shout(view.words.say(own.TOKEN), Say(Strike("")) if is_free else None, "t")


def _may_strike(view: View, state: State, player: str = "") -> bool:
    """The token is free, and the player is not kept out."""
    return max(view.passed, view.match.now) >= state.may_strike_at(player)


def _deck(page: Page, box: Box, state: State) -> None:
    sign, count = columns(box, 1.0, 1.0, gap=page.m.gap)
    side = page.m.of(7)
    page.add(Symbol(Box(sign.right - side, sign.y, side, sign.h).middle(side, side), "cards", "quiet"))
    page.text(count, str(state.deck), page.m.of(6), "quiet", align="left")


def _begin(page: Page, body: Box, state: State) -> None:
    may = page.view.match.may.get("begin", ())
    begins = {player: Say(Begin(player)) if player in may else None for player in state.players}
    who_begins(page, body, begins, 2 if page.m.wide else 1)


# --- the players -----------------------------------------------------------------------------------------------


def _tile(page: Page, box: Box, state: State, seat: int) -> None:
    """A player, and what a touch on the player means now: it was this hand, this pile is called."""
    m, player = page.m, state.players[seat]
    colour = page.view.match.colours[player]
    label, intent, on = _touch(page, state, player)
    owner = _owner(state) == player
    edge = "focus" if on else f"edge-{colour}" if owner else "line"
    fill = "raised" if owner or on else "panel"
    width = max(4, m.of(1.0)) if owner or on else 2
    page.add(PanelItem(box, fill, edge, width, m.of(2.4), intent=intent, key=str(seat + 1) if intent else ""))
    inside = box.inset(m.edge, max(4, m.edge // 2))
    head, facts, act = rows(inside, 1.5, 0.9, 1.0, gap=1)
    side = min(head.h, m.of(8))
    badge, name, bank = columns(head, side, 1.0, m.of(12), gap=m.gap)
    page.add(Badge(badge.middle(side, side), colour))
    page.text(name, player, m.of(5.8), align="left", lines=2)
    page.text(bank, str(state.banks[seat]), m.of(11), align="right")
    pile, hand = page.words.say(own.PILE), page.words.say(labels.HAND)
    counts = f"{pile} {len(state.piles[seat])}  ·  {hand} {state.hands[seat]}"
    page.text(facts, counts, m.small, "quiet", align="left")
    if label:
        sign, word, *left = columns(act, act.h, 1.0, *_kept_out(page, state, player), gap=m.gap)
        for clock in left:
            page.add(Ticking(clock, _out_for(state, player), m.small, "quiet", "right"))
        page.add(Symbol(sign.inset(max(1, sign.h // 8)), "hand", "warn" if intent else "quiet"))
        page.text(word, label, m.small, "warn" if intent else "quiet", align="left")


def _kept_out(page: Page, state: State, player: str) -> tuple[int, ...]:
    """Room for the time for which the player may not strike."""
    may = page.view.match.may.get("strike", ())
    is_out = player in may and _may_strike(page.view, state) and not _may_strike(page.view, state, player)
    return (page.m.of(8),) if is_out else ()


def _out_for(state: State, player: str) -> Clock:
    seconds = state.house.cooldown * SECOND
    return Clock(seconds, since=state.may_strike_at(player) - seconds)


def _owner(state: State) -> str:
    """Whose move it is."""
    match state.phase:
        case "struck":
            return state.caller
        case "check":
            return state.called
        case "whose" | "tied":
            return ""
        case _:
            return state.turn


def _touch(page: Page, state: State, player: str) -> tuple[str, Intent | None, bool]:
    """What a touch on a player means: its label, the intent, and whether that is chosen."""
    may, say = page.view.match.may, page.words.say
    if player in may.get("strike", ()):
        if _may_strike(page.view, state) and not _may_strike(page.view, state, player):
            return say(own.KEPT_OUT), None, False
        return say(own.STRIKE), Say(Strike(player)) if _may_strike(page.view, state) else None, False
    if player in may.get("hand", ()):
        return say("It was me"), Say(Hand(player)), False
    if "choose" in may:
        return _choice(page, state, player)
    if "call" in may and player != state.caller:
        on = _whom(page.view, state) == player
        return say(own.CALL), Mark("whom", player), on
    return "", None, False


def _choice(page: Page, state: State, player: str) -> tuple[str, Intent | None, bool]:
    """One of the tied is chosen by one who did not strike; where that can be only one, the second touch is spared."""
    say, chosen = page.words.say, page.view.marks.get("caller", "")
    choosers = page.view.match.may["choose"]
    if player in state.tied:
        only = Say(Choose(choosers[0], player)) if len(choosers) == 1 else Mark("caller", player)
        return say(own.CALL), only, chosen == player
    if chosen and player in choosers:
        return say("That is my choice"), Say(Choose(player, chosen)), False
    return "", None, False


def _whom(view: View, state: State) -> str:
    """Whom the caller has named; with two players it can only be the other."""
    others = [player for player in state.players if player != state.caller]
    return others[0] if len(others) == 1 else str(view.marks.get("whom", ""))


# --- what is going on ------------------------------------------------------------------------------------------


def _stage(page: Page, box: Box, state: State) -> None:
    m, acts = page.m, _acts(page, state)
    across = max(1, len(acts)) if m.wide or len(acts) == ODD else min(2, len(acts))
    lines = -(-len(acts) // across)
    pad = (m.of(26 if m.wide else 46),) if _is_padded(page.view, state) else ()
    banner, told, *pads, below = rows(box, m.of(11), 1.0, *pad, m.of(15) * lines + m.gap * (lines - 1), gap=m.gap)
    _banner(page, banner, state)
    _told(page, told)
    for padded in pads:
        if state.phase == "check":
            _numbers(page, padded, state)
        else:
            _dogs(page, padded, state)
    if lines == 1:
        cells = columns(below, *(1.5 if act.look == "main" else 1.0 for act in acts), gap=m.gap)
    else:
        cells = grid(below, len(acts), across, m.gap)
    for act, cell in zip(acts, cells, strict=True):
        is_alone = len(acts) == 1
        act_button(page, cell, act, size=m.large if is_alone else m.of(5.6), stacked=m.wide and not is_alone)


def _is_padded(view: View, state: State) -> bool:
    if state.phase in ("struck", "check"):
        return True
    return state.phase in ("turn", "final") and (bool(view.marks.get("declare")) or _shows(view, state))


def _shows(view: View, state: State) -> bool:
    """Whether the referee is told which dog is played: as it was with the last card, or as is wished now."""
    if state.phase != "turn" or state.house.cards == COUNTED:
        return False
    if "dogs" in view.marks:
        return bool(view.marks["dogs"])
    last = next((done.move for done in reversed(view.match.line) if isinstance(done.move, Play)), None)
    return last is None or bool(last.dog)


def _banner(page: Page, box: Box, state: State) -> None:
    """What is asked, of whom; and how much time there is for it."""
    m, owner, view = page.m, _owner(state), page.view
    clock, turn = _clock(view, state), view.half_turn(owner)
    fills = state.phase in ("turn", "final") and not _may_strike(view, state)
    parts = [*((m.of(10),) if owner else ()), 1.0, *((m.of(15),) if clock else (m.of(10),) if fills else ())]
    cells = columns(upright(box, turn), *parts, gap=m.gap)
    if owner:
        badge = turned_within(cells[0].middle(m.of(10), m.of(10)), box, turn)
        page.add(Badge(badge, view.match.colours[owner], turn=turn))
    if clock:
        page.add(Ticking(turned_within(cells[-1], box, turn), clock, m.of(10), warn="bad", align="right", turn=turn))
    if fills:
        ring = turned_within(cells[-1].middle(m.of(9), m.of(9)), box, turn)
        page.add(Filling(ring, state.free_at - state.house.rearm * SECOND, state.free_at, "warn"))
    name, question = cells[1 if owner else 0], _question(page, state)
    said = question or page.words.say(labels.WHOSE_TURN, player=owner)
    lines = [(said, name, m.of(7), "text")]
    if owner and question:
        halves = rows(name, 1.0, 1.1)
        lines = [(owner, halves[0], m.body, "quiet"), (question, halves[1], m.of(6), "text")]
    for text, part, size, role in lines:
        page.text(turned_within(part, box, turn), text, size, role, align="left", lines=2, turn=turn)


def _question(page: Page, state: State) -> str:
    say = page.words.say
    match state.phase:
        case "whose":
            return say(own.WHOSE_HAND)
        case "tied":
            return say(own.WHO_HAS_IT)
        case "struck":
            return say(own.WHICH_DOG) if _whom(page.view, state) else say(own.WHOM)
        case "check":
            return say(own.HOW_MANY_DOGS, dog=state.dog) if state.dog else say(own.HOW_MANY)
        case "turn" | "final" if page.view.marks.get("declare"):
            return say(own.WHICH_DOG)
        case _:
            return ""


def _clock(view: View, state: State) -> Clock | None:
    """The time until the token is released without a call."""
    if state.deadline is None:
        return None
    since = None if view.match.paused is not None else state.struck_at
    used = max(0, view.match.now - state.struck_at) if since is None else 0
    return Clock(state.house.call_timeout * SECOND, used, since)


def _told(page: Page, box: Box) -> None:
    """What happened last; of a strike the photo finish."""
    m, finish = page.m, _finish(page.view)
    page.panel(box)
    inside = box.inset(m.edge, m.edge // 2)
    if finish:
        _photo(page, inside, finish)
        return
    events = [event for event in page.view.match.events if event.text and not isinstance(event, Turn)]
    check = next((event for event in events if isinstance(event, Checked)), None)
    if check is not None:
        picture, inside = rows(inside, m.of(16), 1.0, gap=m.gap // 2)
        checked(page, picture, check)
    said = "\n".join(page.words.sentence(event) for event in events)
    page.text(inside, said, m.of(6), lines=7)


def _finish(view: View) -> Finish | None:
    for done in reversed(view.match.line[-FRESH:]):
        if isinstance(done.move, Strike):
            return done.move.finish if done.move.finish and done.move.finish.order else None
        if not isinstance(done.move, Choose | Hand):
            return None
    return None


def _photo(page: Page, box: Box, finish: Finish) -> None:
    m, say = page.m, page.words.say
    low = box.h < m.of(34)
    across = 2 if low and len(finish.order) > 1 and box.w > m.of(80) else 1
    lines = -(-len(finish.order) // across)
    head, rest = rows(box, m.of(5), 1.0, gap=m.gap // 2)
    title, foot = columns(head, 1.0, 1.6, gap=m.gap)
    page.text(title, say(own.PHOTO_FINISH), m.small, "quiet", align="left")
    margin = page.words.gap(finish.margin)
    page.text(foot, say(own.CLOSER_THAN, margin=margin), m.small, "quiet", align="right")
    cells = packed(rest, len(finish.order), across, m.of(11), m.gap // 2)
    for arrival, cell in zip(finish.order, cells, strict=True):
        _arrival(page, cell, finish, arrival, together=lines == 1 or across == 1)


def _arrival(page: Page, box: Box, finish: Finish, arrival: Arrival, *, together: bool) -> None:
    """One who was there: beside the name, or below it, how long after the first."""
    m = page.m
    side = min(box.h, m.of(8))
    badge, rest = columns(box, side, 1.0, gap=m.gap)
    name, gap = columns(rest, 1.0, 1.0, gap=m.gap) if together else rows(rest, 1.0, 1.0)
    page.add(Badge(badge, page.view.match.colours.get(arrival.seat, "white")))
    page.text(name, arrival.seat, m.of(5.6), align="left")
    role = "good" if arrival.seat == finish.winner else "warn" if arrival.seat in finish.tied else "text"
    page.text(gap, _arrived(page, finish, arrival), m.of(5.6), role, align="right" if together else "left")


def _arrived(page: Page, finish: Finish, arrival: Arrival) -> str:
    say = page.words.say
    if arrival.how is How.HELD:
        return say(own.HELD)
    if arrival.how is How.UNTIMED:
        return say(own.NO_TIME)
    if arrival.seat in finish.tied and not arrival.after:
        return say(own.TIE)
    return f"+ {page.words.gap(arrival.after)}" if arrival.after else say(own.FIRST)


# --- what can be done ------------------------------------------------------------------------------------------


def _acts(page: Page, state: State) -> list[TableAct]:
    match state.phase:
        case "turn" | "final":
            return _of_turn(page, state)
        case "check":
            return [_check(page, state)]
        case _:
            may = "release" in page.view.match.may
            no_call = Say(Release(state.caller)) if may else None
            return [TableAct(page.words.say(own.NO_CALL), no_call, key="n")]


def _of_turn(page: Page, state: State) -> list[TableAct]:
    view, say = page.view, page.words.say
    may = view.match.may
    if view.marks.get("declare"):
        return [TableAct(say(labels.CANCEL), Mark("declare"), key="d")]
    declare = TableAct(say(own.DECLARE), Mark("declare", value=True) if "declare" in may else None, key="d")
    if state.phase == "final":
        passed = Say(Pass(state.turn)) if "pass" in may else None
        label = own.NOTHING_TO_DECLARE if has_last_turns(state) else own.NOBODY_CALLS
        return [TableAct(say(label), passed, "main", key="return"), declare]
    shows = _shows(view, state)
    play = Say(Play(state.turn)) if "play" in may else None
    which = Mark("dogs", value=not shows)
    if shows:
        return [TableAct(say(own.NOT_SHOWN), play, key="return"), declare]
    asks = [] if state.house.cards == COUNTED else [TableAct(say(own.WHICH_DOG), which if play else None, key="w")]
    return [TableAct(say(labels.PLAY_CARD), play, "main", key="return"), *asks, declare]


def _check(page: Page, state: State) -> TableAct:
    """Who has seen every card need not be told how many there are."""
    view, say = page.view, page.words.say
    found, may = view.marks.get("found"), "check" in view.match.may
    if found is None and UNSEEN not in state.pile(state.called):
        return TableAct(say("The referee counts"), Say(Check(state.called)) if may else None, "main", key="return")
    if found is None:
        return TableAct(say(own.HOW_MANY), None)
    count = int(found)
    said_so = f"{count} × {state.dog}" if state.dog else str(count)
    if view.refused == "count-differs":
        insisted = Say(Check(state.called, count, insist=True)) if may else None
        return TableAct(f"{said_so} · {say(own.INSIST)}", insisted, "danger", key="return")
    said = Say(Check(state.called, count)) if may else None
    return TableAct(said_so, said, "main", "check", key="return")


# --- dogs and numbers ------------------------------------------------------------------------------------------


def _shared_out(count: int, number: int) -> tuple[range, bool]:
    """Which of so many are on this page, and whether there are other pages."""
    if count <= AT_ONCE:
        return range(count), False
    first = number * (AT_ONCE - 1)
    return range(first, min(count, first + AT_ONCE - 1)), True


def _further(page: Page, cell: Box, count: int, number: int) -> None:
    pages = -(-count // (AT_ONCE - 1))
    page.button(cell, page.words.say(labels.MORE), Mark("page", (number + 1) % pages), look="quiet", key="p")


def _dogs(page: Page, box: Box, state: State) -> None:
    dogs, number = state.house.dogs, int(page.view.marks.get("page", 0))
    shown, more = _shared_out(len(dogs), number)
    cells = grid(box, AT_ONCE, 4 if page.m.wide else 2, page.m.gap // 2)
    for at, cell in zip(shown, cells, strict=False):
        _dog(page, cell, state, dogs[at])
    if more:
        _further(page, cells[-1], len(dogs), number)


def _dog(page: Page, cell: Box, state: State, dog: Dog) -> None:
    m = page.m
    page.button(
        cell, dog.name, _of_dog(page.view, state, dog.name), badge=dog.colour, size=m.of(5), lines=1, stacked=m.wide
    )


def _of_dog(view: View, state: State, dog: str) -> Intent | None:
    may, whom = view.match.may, _whom(view, state)
    if "call" in may:
        return Say(Call(state.caller, whom, dog)) if whom else None
    if view.marks.get("declare"):
        return Say(Declare(state.turn, dog)) if "declare" in may else None
    return Say(Play(state.turn, dog)) if "play" in may else None


def _numbers(page: Page, box: Box, state: State) -> None:
    """How many there may be: no more than lie there, and than there are of that dog."""
    most = min(len(state.pile(state.called)), state.house.copies)
    number, chosen = int(page.view.marks.get("page", 0)), page.view.marks.get("found")
    shown, more = _shared_out(most + 1, number)
    count = AT_ONCE if more else len(shown)
    cells = grid(box, count, min(count, 4), page.m.gap // 2)
    may = "check" in page.view.match.may
    for found, cell in zip(shown, cells, strict=False):
        on = chosen == found
        mark = Mark("found", None if on else found) if may else None
        page.button(cell, str(found), mark, size=page.m.large, on=on)
    if more:
        _further(page, cells[-1], most + 1, number)


def _as_said(move: Move, house: House) -> Move:
    """A dog by its name."""
    if not isinstance(move, Call | Declare):
        return move
    name = next((dog.name for dog in house.dogs if dog.colour == move.dog), move.dog)
    return replace(move, dog=name)


def _face(box: Box, dog: str) -> tuple[Symbol, ...]:
    found = next((one for one in DOGS if one.name == dog), None)
    return (Symbol(box.shaped(1, 1), f"dog-{found.colour}"),) if found else ()


SCREEN = TableScreen(scene, as_said=_as_said, face=_face)
