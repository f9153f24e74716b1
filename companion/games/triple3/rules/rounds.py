"""A round: dealt, begun, stuck, its cards counted, and its end."""

from dataclasses import replace

from companion.core.rules import Event, Move, Outcome, Ruling, changed, ended, highest
from companion.core.sentence import N_, Sentence
from companion.games.triple3.rules.cards import DECK, PLACE_IN_DECK
from companion.games.triple3.rules.events import Dealt, NobodyCanLay, RoundWon, Started
from companion.games.triple3.rules.grid import CELLS
from companion.games.triple3.rules.house import TO_DEAL
from companion.games.triple3.rules.moves import Deal, Go, Left, Stuck
from companion.games.triple3.rules.phases import cell_index, known_card, ruling
from companion.games.triple3.rules.state import STILL, Laid, Round, State, cards_left, most_left


def deal(state: State, move: Deal) -> Ruling:
    number = len(state.rounds) + 1
    share = TO_DEAL // len(state.players)
    deals = move.deals or (share,) * len(state.players)
    if len(deals) != len(state.players) or min(deals) < 1:
        raise move.foul(
            "deal-short",
            "The deal must give each of the {players} players at least one card.",
            players=len(state.players),
        )
    piles: tuple[tuple[Laid, ...], ...] = ()
    seen = 0
    if move.grid:
        piles, seen = _piles_dealt(move)
        on_grid = seen.bit_count() + move.hidden
        if on_grid + sum(deals) != len(DECK) or move.hidden < 0:
            raise move.foul(
                "deal-does-not-add-up",
                "Deal: {grid} cards on the grid and {dealt} dealt make {total}, not 64; lay the leftovers on the grid.",
                grid=on_grid,
                dealt=sum(deals),
                total=on_grid + sum(deals),
            )
    elif move.leftovers or move.hidden or sum(deals) > TO_DEAL:
        raise move.foul(
            "deal-does-not-add-up",
            "Deal: at most {most} cards can be dealt, and leftovers need a grid that is shown.",
            most=TO_DEAL,
        )
    none = (0,) * len(state.players)
    state = replace(
        state,
        phase="ready",
        piles=piles,
        seen=seen,
        hidden=move.hidden,
        deals=deals,
        laid=none,
        unclaimed=0,
        left=(),
        clock=STILL,
        claim=(),
        void=(),
    )
    return ruling(state, Dealt(number, move.grid, deals))


def _piles_dealt(move: Deal) -> tuple[tuple[tuple[Laid, ...], ...], int]:
    if len(move.grid) != len(CELLS):
        raise move.foul("grid-not-nine", "Deal: the grid has {count} cards instead of 9.", count=len(move.grid))
    cards = (*move.grid, *(leftover.card for leftover in move.leftovers))
    seen = 0
    for card in cards:
        known_card(move.player, card)
        if seen & PLACE_IN_DECK[card]:
            raise move.foul("card-twice", "Deal: {card} lies there twice; every card exists once.", card=card)
        seen |= PLACE_IN_DECK[card]
    piles = [[Laid(card, dealt=True)] for card in move.grid]
    for leftover in move.leftovers:
        piles[cell_index(move.player, leftover.cell)].append(Laid(leftover.card, dealt=True))
    return tuple(map(tuple, piles)), seen


def go(state: State, move: Go) -> Ruling:
    state = replace(state, phase="play", clock=state.clock.start(move.at))
    if state.can_be_laid == 0:
        return end_stuck(state, move, [Started(move.at)])
    return ruling(state, Started(move.at))


def stuck(state: State, move: Stuck) -> Ruling:
    if state.surely_laid:
        text = N_("The round goes on: {playable} of the {unseen} cards still in hand can be laid.")
        if state.hidden:
            text = N_("The round goes on: at least {playable} of the {unseen} cards still in hand can be laid.")
        raise move.foul("somebody-can-lay", text, playable=state.surely_laid, unseen=state.unseen)
    return end_stuck(state, move, [])


def say_left(state: State, move: Left) -> Ruling:
    seat = state.players.index(move.player)
    left = changed(state.left, seat, move.cards)
    if not 0 <= move.cards <= most_left(state, move.player):  # 0: was out, and had not said so
        raise move.foul(
            "impossible-count",
            "{player} cannot have {cards} cards left: {deal} were dealt and {laid} seen.",
            cards=move.cards,
            deal=state.deals[seat],
            laid=state.laid[seat],
        )
    told = sum(cards for cards in left if cards >= 0)
    untold = left.count(-1)
    to_count = state.unseen + len(state.to_lift)
    if state.is_seen and (told != to_count if untold == 0 else told > to_count):
        text = N_(
            "The cards left do not add up: {told} with {player}'s {cards}, but {unseen} of the 64 are not on the grid."
        )
        if state.to_lift:
            text = N_(
                "The cards left do not add up: {told} with {player}'s {cards}, but {unseen} of the 64 are not on the "
                "grid and {illegal} illegal ones on top count as in hand."
            )
        raise move.foul(
            "counts-do-not-add-up", text, told=told, cards=move.cards, unseen=state.unseen, illegal=len(state.to_lift)
        )
    state = replace(state, left=left)
    if untold:
        return ruling(state)
    return _end_counted(state, move, [])


def end_stuck(state: State, move: Move, events: list[Event]) -> Ruling:
    events.append(NobodyCanLay(state.unseen, state.can_be_laid == 0, len(state.to_lift)))
    if state.is_seen and not state.unclaimed:
        lifted = [laid.by for laid in state.to_lift]
        left = tuple(cards_left(state, player) + lifted.count(player) for player in state.players)
        return _end_counted(replace(state, left=left, clock=state.clock.stop(move.at)), move, events)
    state = replace(state, phase="count", left=(-1,) * len(state.players), clock=state.clock.stop(move.at))
    return ruling(state, *events)


def _end_counted(state: State, move: Move, events: list[Event]) -> Ruling:
    fewest = highest(state.players, tuple(-cards for cards in state.left))
    return end_round(state, move, fewest, N_("Nobody can lay, and fewest cards are left."), events)


def end_round(state: State, move: Move, winners: tuple[str, ...], reason: str, events: list[Event]) -> Ruling:
    time = state.clock.used_at(move.at)
    rounds = (*state.rounds, Round(winners, reason, time))
    chips = tuple(have + (player in winners) for player, have in zip(state.players, state.chips, strict=True))
    events.append(RoundWon(len(rounds), winners, reason, time, chips))
    still = state.clock.stop(move.at)
    state = replace(state, phase="deal", clock=still, rounds=rounds, chips=chips, claim=(), void=())
    if max(chips) < state.house.chips_to_win:
        return ruling(state, *events)
    outcome = Outcome(highest(state.players, chips), chips, Sentence("{chips} chips.", chips=max(chips)))
    return ruling(replace(state, phase="over", outcome=outcome), *events, ended(outcome))
