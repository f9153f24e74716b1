"""A card laid on the field and the points said for it."""

from dataclasses import replace

from companion.core.rules import UNSEEN, CardsMoved, Event, Foul, Place, Ruling, changed
from companion.core.sentence import N_, Sentence
from companion.games.threepia.rules.cards import CORNERS, Card, card_of, misfits
from companion.games.threepia.rules.deck import tell_drawn
from companion.games.threepia.rules.events import Combined, Counted, HandEmpty, Laid, PointsOwed, Scored, TrianglesUsed
from companion.games.threepia.rules.hand import card_shown, cards_shown, hand_without, holding
from companion.games.threepia.rules.house import ALONE, HAND, HAND_POINTS
from companion.games.threepia.rules.moves import Lay, Points
from companion.games.threepia.rules.phases import own_turn, ruling
from companion.games.threepia.rules.scoring import most_points, score
from companion.games.threepia.rules.state import Due, State
from companion.games.threepia.rules.turns import is_reached, over, turn_over


def lay(state: State, move: Lay) -> Ruling:
    own_turn(state, move)
    card = _card_laid(state, move)
    seat = state.players.index(move.player)
    number = state.house.field.geometry.numbers[move.place] if move.place else 0
    covered = state.field[number] if state.field else UNSEEN
    events: list[Event] = [
        Laid(move.player, card, move.place or N_("the field"), covered),
        CardsMoved((card,), Place("hand", move.player), Place("field", move.place)),
    ]
    field = changed(state.field, number, card) if state.field else ()
    points = _points_of(state, move, field, events)
    hand = state.hands[seat] - 1
    drawn = 0 if hand else min(HAND, state.deck)
    cards = cards_shown(state, move.player, move.drawn, drawn)
    scores, waiting = state.scores, state.waiting
    if state.house.way in ALONE:
        state = holding(state, (*hand_without(state, move), *cards), on_word=move.lies)
    else:
        due = Due(move.player, points, 0 if hand else HAND_POINTS)
        scores, waiting = _settled(state, (*waiting, due), events)
        if points is None:
            events.append(PointsOwed(move.player))
    tell_drawn(state, move.player, cards, events)
    state = replace(
        state,
        scores=scores,
        waiting=waiting,
        field=field,
        laid=state.laid + 1,
        idle=0,
        hands=changed(state.hands, seat, hand + drawn),
        deck=state.deck - drawn,
    )
    return turn_over(state, move.at, events)


def enter_points(state: State, move: Points) -> Ruling:
    owed = state.owed
    if not owed:
        raise move.foul("nothing-owed", "{player} cannot enter points: nobody owes any.")
    if move.player != owed[0]:
        raise move.foul(
            "not-the-oldest", "{player} cannot enter points now: those of {first} are older.", first=owed[0]
        )
    _possible_points(state, move.player, "", move.points)
    events: list[Event] = []
    due = replace(state.waiting[0], points=move.points)
    scores, waiting = _settled(state, (due, *state.waiting[1:]), events)
    state = replace(state, scores=scores, waiting=waiting)
    if is_reached(state) or (state.phase == "counting" and not waiting):
        return over(state, events, state.ending)
    return ruling(state, events)


def _card_laid(state: State, move: Lay) -> str:
    """The card as it lies, or a Foul if it cannot lie there."""
    house = state.house
    if move.place and move.place not in house.field.geometry.numbers:
        raise move.foul(
            "unknown-place",
            "{player} lays {card} on {place}, but the places of {field} are {places}.",
            card=move.card or Sentence("a card"),
            place=move.place,
            field=house.field.name,
            places=house.field.letters,
        )
    if not 0 <= move.turned <= 3:
        raise move.foul(
            "turned-too-far", "{player} turns the card by {turned} quarters; it can be 0 to 3.", turned=move.turned
        )
    if move.turned and not house.rotate:
        raise move.foul(
            "no-turning",
            "{player} cannot turn {card}: the house rule rotate is off.",
            card=move.card or Sentence("the card"),
        )
    card = card_shown(move.player, move.card, move.turned) if move.card else None
    if state.field:
        _fit(state, move, card)
    return str(card) if card else UNSEEN


def _fit(state: State, move: Lay, card: Card | None) -> None:
    if card is None or not move.place:
        raise move.foul(
            "card-needed", "{player} must show the card and its place: the referee checks every card of this match."
        )
    if move.lies:
        return
    house = state.house
    number = house.field.geometry.numbers[move.place]
    covered = card_of(state.field[number])
    wrong = misfits(card, covered, triangle_fits=house.triangle_fits)
    if wrong:
        corner = wrong[0]
        raise move.foul(
            "does-not-fit",
            "{player} cannot lay {card} on {place}: {where}, {symbol} agrees with "
            "{under} neither in shape nor in colour.",
            card=str(card),
            place=move.place,
            where=CORNERS[corner],
            symbol=card.symbols[corner],
            under=covered.symbols[corner],
            covered=str(covered),
            cells=tuple(house.field.geometry.names[4 * number + corner] for corner in wrong),
        )


def _points_of(state: State, move: Lay, field: tuple[str, ...], events: list[Event]) -> int | None:
    """The points for a card, counted or said; None where they are owed or not counted at all."""
    if state.house.way in ALONE:
        if move.points is not None:
            raise move.foul(
                "no-points",
                "{player} says {points} points, but the way {way} counts none.",
                points=move.points,
                way=state.house.way,
            )
        return None
    if not field:
        if move.points is not None:
            _possible_points(state, move.player, move.place, move.points)
        return move.points
    number = state.house.field.geometry.numbers[move.place]
    found = score(state.house, field, move.place, state.field[number])
    if move.points is not None and move.points != found.points:
        raise move.foul(
            "points-differ",
            "{player} says {said} points for the card on {place}, but the referee counts {counted}: {runs}.",
            said=move.points,
            counted=found.points,
            place=move.place,
            runs=found.runs,
            triangles=found.triangles,
        )
    if found.runs:
        events.append(Counted(move.player, found.runs))
    events += [Combined(move.player, *bonus) for bonus in found.bonuses]
    if found.triangles:
        events.append(TrianglesUsed(move.player, found.triangles))
    return found.points


def _possible_points(state: State, player: str, place: str, points: int) -> None:
    most = most_points(state.house, place)
    if not 0 <= points <= most:
        raise Foul(
            "impossible-points",
            player,
            "{player} says {points} points; for a card on {place} it can only be 0 to {most}.",
            points=points,
            place=place or state.house.field.name,
            most=most,
        )


def _settled(state: State, waiting: tuple[Due, ...], events: list[Event]) -> tuple[tuple[int, ...], tuple[Due, ...]]:
    """The scores with all points up to the first that are owed, and what still waits.

    Playing for points, whoever reaches the target first has won, and no later points count.
    """
    scores = state.scores
    while waiting:
        due = waiting[0]
        if due.points is None:
            break
        waiting = waiting[1:]
        seat = state.players.index(due.player)
        total = scores[seat] + due.points
        events.append(Scored(due.player, due.points, total))
        if due.bonus:
            total += due.bonus
            events.append(HandEmpty(due.player, due.bonus, total))
        scores = changed(scores, seat, total)
        if state.house.way == "points" and total >= state.house.target:
            return scores, ()
    return scores, waiting
