"""A turn is over: whose is the next one, its clock, and the end of the match."""

from dataclasses import replace

from companion.core.clocks import SECOND, Clock
from companion.core.clocks import shown as time_shown
from companion.core.rules import Event, Outcome, Ruling, Turn, changed, ended, highest
from companion.core.sentence import N_, Sentence
from companion.games.threepia.rules.events import LeftInHand, OutOfTime, PlayFinished, TurnTimeUp
from companion.games.threepia.rules.hand import is_stuck, is_trial
from companion.games.threepia.rules.house import DECK_ENDS, NOBODY_CAN_LAY, House
from companion.games.threepia.rules.moves import Finish, TimeUp
from companion.games.threepia.rules.phases import ruling
from companion.games.threepia.rules.state import State


def new_clocks(house: House, players: int) -> tuple[Clock, ...]:
    match house.way:
        case "stopwatch":
            return (Clock(house.match_seconds * SECOND),) * players
        case "time":
            return (Clock(house.turn_seconds * SECOND),)
        case "time-trial":
            return (Clock(),)
        case _:
            return ()


def time_up(state: State, move: TimeUp) -> Ruling:
    deadline = state.deadline
    if deadline is None:
        raise move.foul(
            "no-countdown", "{player}'s time cannot be up: no clock runs down in {way}.", way=state.house.way
        )
    if move.player != state.turn:
        raise move.foul(
            "not-your-clock", "{player}'s time cannot be up: it is {turn}'s clock that runs.", turn=state.turn
        )
    if move.at < deadline.at:
        raise move.foul("time-not-up", "{player} still has {left}.", left=time_shown(deadline.at - move.at))
    if state.house.way == "time":
        return turn_over(state, deadline.at, [TurnTimeUp(move.player, state.house.turn_seconds)])
    state = replace(state, out=(*state.out, move.player))
    return turn_over(state, deadline.at, [OutOfTime(move.player, state.house.match_seconds)])


def finish(state: State, move: Finish) -> Ruling:
    if state.house.way != "relaxed":
        raise move.foul(
            "not-relaxed",
            "{player} cannot finish by word: only a relaxed game ends so, and this one is played the way {way}.",
            way=state.house.way,
        )
    return over(state, [], Sentence("{player} has finished.", player=move.player))


def turn_over(state: State, at: int, events: list[Event]) -> Ruling:
    """The next turn, which starts at the same stamp, or the end of play."""
    steps = _steps_to_next(state)
    turns = state.turns + steps
    reason = _why_finished(state, steps)
    if reason:
        state = replace(state, turn="", turns=turns, clocks=clocks_at(state, "", at))
        if not state.waiting:
            return over(state, events, reason)
        events.append(PlayFinished(state.owed))
        return ruling(replace(state, phase="counting", ending=reason), events)
    players = state.players
    turn = players[(players.index(state.turn) + steps) % len(players)]
    events.append(Turn(turn))
    return ruling(replace(state, turn=turn, turns=turns, clocks=clocks_at(state, turn, at)), events)


def _steps_to_next(state: State) -> int:
    """Seats from this player to the next who has cards and time; 0 if there is nobody."""
    count = len(state.players)
    seat = state.players.index(state.turn)
    for steps in range(1, count + 1):
        following = (seat + steps) % count
        if state.hands[following] and (not state.out or state.players[following] not in state.out):
            return steps
    return 0


def _why_finished(state: State, steps: int) -> str:
    """Why there is no next turn; empty if there is one."""
    house, way = state.house, state.house.way
    if way == "points" and max(_known(state)) >= house.target:
        return N_("The target is reached.")
    if way == "rounds" and state.turns + steps >= house.rounds * len(state.players):
        return Sentence("All {rounds} rounds are played: most points win.", rounds=house.rounds)
    if way in DECK_ENDS and not state.deck and not (is_trial(house) and _goes_on(state, steps)):
        return N_("The deck is used up: most points win.")
    if len(state.out) == len(state.players):
        return N_("Everybody's time is used up: most points win.")
    if not steps or (way in ("points", "stopwatch") and state.idle and _all_idle(state)):
        return NOBODY_CAN_LAY
    return ""


def _goes_on(state: State, steps: int) -> bool:
    """There are cards in the hand, and neither the player nor what was shown says that none of them fits."""
    return steps > 0 and not state.idle and not is_stuck(state)


def is_ended_by_deck(state: State) -> bool:
    """The match would have gone on if there had been more cards in the deck."""
    if state.outcome is None or state.deck:
        return False
    return state.house.way in DECK_ENDS or state.outcome.reason == NOBODY_CAN_LAY


def _all_idle(state: State) -> bool:
    playing = sum(
        1 for player, hand in zip(state.players, state.hands, strict=True) if hand and player not in state.out
    )
    return state.idle >= playing


def _known(state: State) -> tuple[int, ...]:
    """The scores with what waits behind owed points, as far as it is known."""
    scores = state.scores
    for due in state.waiting:
        seat = state.players.index(due.player)
        scores = changed(scores, seat, scores[seat] + (due.points or 0) + due.bonus)
    return scores


def is_reached(state: State) -> bool:
    return state.house.way == "points" and max(state.scores) >= state.house.target


def clocks_at(state: State, turn: str, at: int) -> tuple[Clock, ...]:
    """The clocks when the turn goes from whoever has it to another, or to nobody."""
    match state.house.way:
        case "stopwatch":
            clocks = state.clocks
            if state.turn:
                seat = state.players.index(state.turn)
                clocks = changed(clocks, seat, clocks[seat].stop(at))
            if turn:
                seat = state.players.index(turn)
                clocks = changed(clocks, seat, clocks[seat].start(at))
            return clocks
        case "time":
            return (Clock(state.clocks[0].limit, since=at) if turn else state.clocks[0].stop(at),)
        case "time-trial":
            return (state.clocks[0].start(at) if turn else state.clocks[0].stop(at),)
        case _:
            return ()


def over(state: State, events: list[Event], reason: str) -> Ruling:
    scores = state.scores
    if state.house.way == "deck":
        scores = _less_hands(state, events)
    winners = highest(state.players, scores)
    if is_reached(state):
        reason = Sentence(
            "{winners} has reached {scores} points; {target} were needed.",
            winners=winners[0],
            scores=max(scores),
            target=state.house.target,
        )
    elif state.house.way == "time-trial":
        reason = _how_far(state, winners[0], state.hands[0], time_shown(state.clocks[0].used))
    elif state.house.way == "relaxed":
        winners = ()
        reason = reason if state.deck else N_("The deck is played out.")
    outcome = Outcome(winners, scores, reason)
    state = replace(state, phase="over", turn="", scores=scores, waiting=(), ending="", outcome=outcome)
    events.append(ended(outcome))
    return ruling(state, events)


def _how_far(state: State, player: str, cards: int, used: str) -> str:
    if cards and not state.house.trial_ends_with_deck:
        return Sentence(
            "{player} has {cards} cards left after {used}, and none of them fits.",
            player=player,
            cards=cards,
            used=used,
        )
    return Sentence("{player} has played out the deck in {used}.", player=player, used=used)


def _less_hands(state: State, events: list[Event]) -> tuple[int, ...]:
    scores = tuple(score - hand for score, hand in zip(state.scores, state.hands, strict=True))
    events += [
        LeftInHand(player, hand, -hand, total)
        for player, hand, total in zip(state.players, state.hands, scores, strict=True)
        if hand
    ]
    return scores
