"""A stop: the last cards looked at, play that goes on, and who is out."""

from dataclasses import replace

from companion.core.photo_finish import Finish
from companion.core.rules import Event, Foul, Move, Ruling, ahead
from companion.core.sentence import N_, Sentence
from companion.games.triple3.rules.events import ClaimOpen, ClaimVoid, Stopped, WentOn
from companion.games.triple3.rules.grid import CELLS
from companion.games.triple3.rules.moves import GoOn, Out, Stop
from companion.games.triple3.rules.phases import ruling
from companion.games.triple3.rules.rounds import end_round, end_stuck
from companion.games.triple3.rules.state import State, cards_left, is_doubtful, lift_first, of_nobody, open_cells


def stop(state: State, move: Stop) -> Ruling:
    illegal = tuple(
        cell for cell, pile in zip(CELLS, state.piles, strict=False) if any(not laid.legal for laid in pile)
    )
    state = replace(state, phase="stopped", clock=state.clock.stop(move.at))
    return ruling(state, *ahead(move.player, move.finish), Stopped(move.player, illegal))


def go_on(state: State, move: GoOn) -> Ruling:
    if lift := lift_first(state):
        cell, laid = lift
        raise move.foul(
            "lift-first",
            "The round cannot go on yet: {by} takes {card} back from cell {cell} first.",
            by=laid.by,
            card=laid.card,
            cell=cell,
        )
    voids = [
        ClaimVoid(player, cells, left > 0)
        for player in state.players
        if (cells := open_cells(state, player))
        if (left := cards_left(state, player)) == 0 or player in state.claim
    ]
    state = _looked_at(state, tuple(event.player for event in voids))
    state = replace(state, phase="play", clock=state.clock.start(move.at))
    if state.can_be_laid == 0:
        return end_stuck(state, move, [*voids, WentOn()])
    return ruling(state, *voids, WentOn())


def _looked_at(state: State, void: tuple[str, ...]) -> State:
    """What is illegal has been looked at, and what still lies there stays."""
    piles = tuple(
        tuple(replace(laid, open=False) for laid in pile) if any(laid.open for laid in pile) else pile
        for pile in state.piles
    )
    still = tuple(player for player in state.players if player in (*state.void, *void))
    return replace(state, piles=piles, claim=(), void=still)


def _opened(state: State, move: Out, claim: tuple[str, ...]) -> Ruling:
    """Play stops for a look at the cards for which the claim is open."""
    events: list[Event] = []
    for player in claim:
        cells = open_cells(state, player)
        events.append(ClaimOpen(player, cells or of_nobody(state, player), bool(cells)))
    claim = tuple(player for player in state.players if player in (*state.claim, *claim))
    return ruling(replace(state, phase="stopped", clock=state.clock.stop(move.at), claim=claim), *events)


def claim_out(state: State, move: Out) -> Ruling:
    out = tuple(player for player in state.players if player in (move.player, *move.tied))
    if move.tied and (move.player not in move.tied or not 1 < len(out) == len(move.tied)):
        raise move.foul("impossible-tie", "A tie needs two or more players of this match, not {tied}.", tied=move.tied)
    at_least = sum(cards_left(state, player) for player in out) - state.unclaimed
    if state.is_seen and at_least > 0:
        deal = state.deals[state.players.index(move.player)]
        raise move.foul(
            "not-out",
            "{player} is not out: of {deal} cards dealt at most {laid} have been seen "
            "on the grid, so at least {left} are left.",
            left=at_least,
            deal=deal,
            laid=deal - at_least,
        )
    claim = tuple(player for player in out if player not in state.void)
    if not claim:
        raise _void_claim(move, cards_left(state, move.player) > 0)
    good = tuple(player for player in claim if not is_doubtful(state, player))
    if not good and set(claim) <= set(state.claim):
        raise _open_claim(state, move)
    if not good:
        return _opened(state, move, claim)
    return end_round(state, move, good, _why_out(good, is_seen=state.is_seen), [])


def _why_out(out: tuple[str, ...], *, is_seen: bool) -> Sentence:
    if len(out) > 1:
        text = N_("{players} are out together, on trust: the grid was not shown.")
        return Sentence("{players} are out together, as the plays allow." if is_seen else text, players=out)
    text = N_("{player} is out first, on trust: the grid was not shown.")
    return Sentence("{player} is out first, as the plays allow." if is_seen else text, player=out[0])


def _void_claim(move: Out, has_cards: bool) -> Foul:
    text = N_(
        "{player} cannot be out now: an illegal card of {player} lies covered, and a legal one has to be laid first."
    )
    if not has_cards:
        text = N_("{player} cannot be out now: an illegal card of {player} lies covered, and the others play on.")
    return move.foul("claim-void", text)


def _open_claim(state: State, move: Out) -> Foul:
    return move.foul(
        "claim-open",
        "{player}'s claim to be out is open already: take back what lies on top of cells {cells}, and go on.",
        cells=open_cells(state, move.player),
    )


def together(first: Move, claim: Move, finish: Finish) -> Move | None:
    match first, claim:
        case Stop(), Stop():
            return Stop("", finish)
        case Out(), Out():
            return Out(claim.player, finish.tied, finish)
        case _:
            return None
