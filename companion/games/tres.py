"""Tres: run your cards out against the three on the table, and say so when you hold exactly three.

Table and discards always lie open. The referee may also know the hands, because somebody showed it each card,
or only how many cards are in them. It is sure of what it has seen and takes a player's word for the rest.

A card is COLOUR-NUMBER, or reverse, skip, plus3, joker. The house rule for the deck is four settings: colours,
number_copies, action_copies, jokers.

What the sheet leaves open and how it is settled here:

* Only action cards laid from the hand act when they are played: one on the table acted when it turned up.
* The three cards of the deal turn up one after the other, each acting on whoever has the turn at that moment.
* Whoever draws because of a +3 that turned up goes on with the turn; whoever lost the turn to a Reverse or a
  Skip has lost it even while the table is still being filled, and the next player fills up the rest.
* With two players a played Reverse only turns the direction; a Skip gives the same player another turn.
* An empty hand wins at once: what that play would have made others draw is not drawn any more.
* Everything that is due is drawn in the order in which it became due, before anything else, in the turn of the
  player who caused it. What one player owes is drawn in one go.
* "Tres" is in time from the beginning of the turn in which a hand becomes three, and holds until the hand is another;
  if the turn ends with another hand, it was for nothing. A silence can be caught until the next turn's first card is
  laid or drawn. Nobody is caught twice for one silence, and calling out somebody wrongly costs nothing.
* The discards are shuffled at the moment the draw pile is empty. Where even they are used up, what is still due
  is not drawn, the table is not filled, and only then a player who cannot or will not play passes. When everybody
  has passed in a row, the match is blocked: fewest cards in hand win, equal hands share.
* The cards drawn for dealer go back into the deck; whoever ties for highest draws again.

Where cards are only counted (house rule `cards`), the referee is told how many cards are laid, which of them is an
action card, and whether all three were of one colour. It does not know the table: that they fit is the players'
business. What goes without saying need not be said: what is due is drawn at once, whoever keeps has drawn, and the
table is filled; which action card turned up there is said until that turn's first card. Where it may matter who takes
a card first, because few are left or somebody who has to draw can still be caught, each step is said as usual.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, permutations, product
from typing import Any, ClassVar

from companion.exc import HouseRuleError
from companion.rules import (
    COUNTED,
    TOLD,
    UNSEEN,
    Ahead,
    CardsMoved,
    Ended,
    Event,
    Foul,
    Game,
    Hidden,
    May,
    Move,
    Outcome,
    Place,
    Ruling,
    Turn,
    ahead,
    changed,
    ended,
    highest,
    inner,
    seat_after,
    setting,
)
from companion.sentence import Both, Sentence
from companion.strike import Finish

HAND = 7  # cards dealt to each player
THREE = 3  # cards on the table, cards to announce, cards of a penalty
NUMBERS = range(1, 10)
REVERSE, SKIP, PLUS3, JOKER = "reverse", "skip", "plus3", "joker"
ACTIONS = (REVERSE, SKIP, PLUS3)
PILE, TABLE, DISCARDS = Place("pile"), Place("table"), Place("discards")


@dataclass(frozen=True, slots=True)
class House:
    players: int = setting(8, "how many players may take part", low=2, high=8)
    colours: tuple[str, ...] = setting(("red", "blue", "green", "yellow"), "the colours of the number cards")
    number_copies: int = setting(2, "how many cards show each number in each colour", low=1, high=20)
    action_copies: int = setting(2, "how many there are of each action card", low=0, high=20)
    jokers: int = setting(4, "how many numeral jokers there are", low=0, high=40)
    joker_is_any_colour: bool = setting(default=False, help="whether a numeral joker counts as any colour too")
    only_with_three: bool = setting(
        default=False,
        help="tres is said only while holding three cards, and missed for as long; only in matches from before",
        before=True,
        offered=False,
    )
    any_card_drawn: bool = setting(
        default=False,
        help="after a shuffle a card may be drawn that was not shuffled; only in matches from before",
        before=True,
        offered=False,
    )
    drawn_is_shuffled: bool = setting(
        default=False,
        help="a card drawn before a shuffle counts as one that was shuffled; only in matches from before",
        before=True,
        offered=False,
    )
    cards: str = setting(
        TOLD,
        "the referee is told every card, or only how many are laid and which of them act",
        choices=(COUNTED, TOLD),
        before=TOLD,
    )

    def __post_init__(self) -> None:
        if not self.colours or not all(self.colours) or len(set(self.colours)) < len(self.colours):
            raise HouseRuleError("House rule colours: name at least one colour, and none of them twice.")
        for colour in self.colours:
            if "-" in colour or colour in (*ACTIONS, JOKER):
                raise HouseRuleError(
                    Sentence(
                        "House rule colours: '{colour}' cannot be the name of a colour; a dash and the words "
                        "{ACTIONS}, {JOKER} mean something else.",
                        colour=colour,
                        ACTIONS=ACTIONS,
                        JOKER=JOKER,
                    )
                )


@dataclass(frozen=True, slots=True)
class Due:
    """Cards that a player has to draw before anything else, and what for."""

    player: str
    count: int
    why: tuple[str, ...]  # take-three, plus3, turned-up, caught


@dataclass(frozen=True, slots=True)
class State:
    """A table of Tres. Cards add up: hands + pile + table + discards = the whole deck."""

    players: tuple[str, ...]
    house: House
    phase: str  # dealer, deal, fill, turn, drawn, pay, over
    turn: str
    hands: tuple[tuple[str, ...], ...]  # UNSEEN where nobody showed the card
    pile: int
    contenders: tuple[str, ...]  # who may still become dealer
    tres: tuple[str, ...]  # of each player with three cards: said, caught, late (nobody was quick enough), or nothing
    shown: tuple[tuple[str, str], ...] = ()  # players and the cards they drew for dealer
    dealer: str = ""
    direction: int = 1  # -1 after a Reverse
    table: tuple[str, ...] = ()
    discards: tuple[str, ...] = ()
    drawn: str = ""  # the card that may be played although its player has drawn
    dues: tuple[Due, ...] = ()
    then: str = ""  # the phase after everything due is drawn; begin for a new turn
    upcoming: str = ""  # whose turn it is then
    passes: int = 0  # in a row
    announced: tuple[str, ...] = ()  # who has said tres in this turn, whatever their hands are
    recent: tuple[str, ...] = ()  # whose hand became three in this turn
    stock: tuple[str, ...] | None = inner(None)  # of the cards shuffled last, those not seen since; none shuffled yet
    filled: int = inner(0)  # cards that were only counted onto the table in this turn; any may have been an action card
    drawn_before: bool = inner(default=False)  # the card that was drawn is none of those: it was the last of the pile
    outcome: Outcome | None = None

    @property
    def scores(self) -> tuple[int, ...]:
        """The cards in each hand; fewest is best."""
        return tuple(map(len, self.hands))

    @property
    def deadline(self) -> None:
        return None

    @property
    def silent(self) -> tuple[str, ...]:
        """Who has exactly three cards, has not said so, and can be caught."""
        return tuple(
            player
            for player, hand, word in zip(self.players, self.hands, self.tres, strict=True)
            if len(hand) == THREE and not word
        )

    def may_say(self, player: str) -> bool:
        """Whether tres can be said: with three cards, or in the turn in which they may become three."""
        seat = self.players.index(player)
        has_three = len(self.hands[seat]) == THREE
        if has_three and self.tres[seat] == "caught":
            return False
        may_become = not self.house.only_with_three and (player == self.turn or self._owes(player))
        return (has_three and self.tres[seat] != "said") or (may_become and player not in self.announced)

    def _owes(self, player: str) -> bool:
        return any(due.player == player for due in self.dues)

    def hand(self, player: str) -> tuple[str, ...]:
        return self.hands[self.players.index(player)]

    def owed(self, player: str) -> int:
        """How many cards a player has to draw; never more than there are."""
        owed = sum(due.count for due in self.dues if due.player == player)
        return min(owed, self.pile + len(self.discards))


# --- the cards -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def deck(house: House) -> Mapping[str, int]:
    """Every card of the deck and how often it is there."""
    numbers = {f"{colour}-{number}": house.number_copies for colour in house.colours for number in NUMBERS}
    return numbers | dict.fromkeys(ACTIONS, house.action_copies) | {JOKER: house.jokers}


def number(card: str) -> int:
    """The number of a card; 0 for a joker."""
    if card == JOKER:
        return 0
    return THREE if card in ACTIONS else int(card[-1])


def _runs() -> frozenset[tuple[int, ...]]:
    """Two or three numbers, in any order, that are consecutive; 9 and 1 are neighbours and 0 is a joker."""
    windows = [[(first + step) % 9 + 1 for step in range(size)] for size in (2, 3) for first in range(9)]
    return frozenset(
        tuple(seen and value for value, seen in zip(order, known, strict=True))
        for window in windows
        for order in permutations(window)
        for known in product((0, 1), repeat=len(window))
    )


_RUNS = _runs()


def is_run(*cards: str) -> bool:
    return tuple(map(number, cards)) in _RUNS


def is_one_colour(house: House, *cards: str) -> bool:
    """Action cards are any colour; a joker is none, unless the house says any."""
    if JOKER in cards and not house.joker_is_any_colour:
        return False
    return len({card[:-2] for card in cards if card != JOKER and card not in ACTIONS}) <= 1


@dataclass(frozen=True, slots=True)
class Fits:
    """The numbers that go with a card of the table, one alone or two together. A joker may stand for any."""

    card: str
    one: tuple[int, ...]
    two: tuple[tuple[int, int], ...] = ()


@lru_cache(maxsize=1024)
def fits(card: str) -> Fits:
    own = number(card)
    return Fits(
        card,
        tuple(other for other in NUMBERS if (own, other) in _RUNS),
        tuple(pair for pair in combinations(NUMBERS, 2) if (own, *pair) in _RUNS),
    )


@dataclass(frozen=True, slots=True)
class Silent:
    """Somebody who has three cards and has not said so."""

    whom: str


# --- what may be done ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShowCard(Move):
    """The card that a player drew for dealer."""

    doing: ClassVar[str] = "draw for dealer"

    card: str


@dataclass(frozen=True, slots=True)
class Dealer(Move):
    """The table says who deals, without drawing for it."""

    doing: ClassVar[str] = "choose the dealer"


@dataclass(frozen=True, slots=True)
class Deal(Move):
    """Three cards on the table and seven for everybody; `hands` by seat, or empty where nobody shows them."""

    concealed: ClassVar[tuple[str, ...]] = ("hands",)

    table: tuple[str, ...]
    hands: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Fill(Move):
    """A turn begins: one card turned up to make the table three again. Where cards are only counted, the action card
    that turned up in this turn; "?" is any other, where the referee asks for each."""

    doing: ClassVar[str] = "fill the table"

    card: str


@dataclass(frozen=True, slots=True)
class Play(Move):
    """One card of the table with one or two cards of the hand."""

    doing: ClassVar[str] = "play"

    table_card: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Lay(Move):
    """A play where cards are only counted: how many of the hand, the action card among them, and whether all three were
    of one colour."""

    doing: ClassVar[str] = "lay cards"

    cards: int = 1
    action: str = ""  # reverse, skip, plus3
    one_colour: bool = False
    drew: bool = False  # the card was drawn just before


@dataclass(frozen=True, slots=True)
class Draw(Move):
    """One card drawn instead of a play. `card` is empty if nobody shows it."""

    doing: ClassVar[str] = "draw"
    concealed: ClassVar[tuple[str, ...]] = ("card",)

    card: str = ""


@dataclass(frozen=True, slots=True)
class Keep(Move):
    """The card just drawn is not played. Where cards are only counted it says that one was drawn, too."""

    doing: ClassVar[str] = "keep the card"


@dataclass(frozen=True, slots=True)
class Take(Move):
    """Everything that is due from a player, drawn. `cards` is empty if nobody shows them."""

    doing: ClassVar[str] = "draw what is due"
    concealed: ClassVar[tuple[str, ...]] = ("cards",)

    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Pass(Move):
    """No play, and no card left to draw."""


@dataclass(frozen=True, slots=True)
class Tres(Move):
    """'Tres': I have exactly three cards, or shall have when this turn is over. The photo finish comes along where
    somebody tried to catch the player at the same time: that is in time."""

    doing: ClassVar[str] = "say tres"

    finish: Finish | None = None


@dataclass(frozen=True, slots=True)
class Catch(Move):
    """Another player has three cards and did not say so. The photo finish comes along where a token was struck."""

    doing: ClassVar[str] = "catch anybody"

    whom: str
    finish: Finish | None = None


# --- what happens ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Showed(Event):
    text: ClassVar[str] = "{player} draws {card} for dealer: that counts {number}."
    player: str
    card: str
    number: int


@dataclass(frozen=True, slots=True)
class TiedForDealer(Event):
    text: ClassVar[str] = "{players} are equal at {number} and draw again for dealer."
    players: tuple[str, ...]
    number: int


@dataclass(frozen=True, slots=True)
class DealerChosen(Event):
    text: ClassVar[str] = "{player} deals."
    player: str


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    text: ClassVar[str] = "{player} has dealt; {table} lie on the table. Cards left to draw: {pile}."
    unseen: ClassVar[str] = "{player} has dealt. Cards left to draw: {pile}."
    player: str
    table: tuple[str, ...]
    pile: int

    @property
    def template(self) -> str:
        return self.unseen if UNSEEN in self.table else self.text


@dataclass(frozen=True, slots=True)
class TurnedUp(Event):
    text: ClassVar[str] = "{player} fills the table with {card}."
    player: str
    card: str


@dataclass(frozen=True, slots=True)
class TurnLost(Event):
    text: ClassVar[str] = "{player} loses the turn: {card} turned up."
    player: str
    card: str


@dataclass(frozen=True, slots=True)
class DirectionTurned(Event):
    text: ClassVar[str] = "Play goes the other way round now."
    clockwise: bool


@dataclass(frozen=True, slots=True)
class Played(Event):
    counts: ClassVar[int] = 1
    text: ClassVar[str] = "{player} plays {cards} with {table_card} from the table. Cards left: {left}."
    player: str
    table_card: str
    cards: tuple[str, ...]
    left: int


@dataclass(frozen=True, slots=True)
class Laid(Event):
    """A play of which only that much is known."""

    counts: ClassVar[int] = 1
    text: ClassVar[str] = "{player} plays {count} from the hand. Cards left: {rest}."
    with_action: ClassVar[str] = "{player} plays {card}, {count} from the hand in all. Cards left: {rest}."
    player: str
    count: int
    card: str  # the action card; empty if there is none
    rest: int

    @property
    def template(self) -> str:
        return self.with_action if self.card else self.text


@dataclass(frozen=True, slots=True)
class Skipped(Event):
    text: ClassVar[str] = "{player} is skipped."
    player: str


_REASONS = {
    "take-three": "three cards of one colour were played",
    "plus3": "a +3 was played",
    "turned-up": "a +3 turned up",
    "caught": "caught without saying tres",
}


@dataclass(frozen=True, slots=True)
class MustDraw(Event):
    text: ClassVar[str] = "{player} must draw {count}: {reasons}."
    player: str
    count: int
    why: tuple[str, ...]

    @property
    def facts(self) -> dict[str, Any]:
        return {**super(MustDraw, self).facts, "reasons": Both(_REASONS[reason] for reason in self.why)}


@dataclass(frozen=True, slots=True)
class Drew(Event):
    counts: ClassVar[int] = 1
    text: ClassVar[str] = "{player} draws, {count} in all. Cards in hand: {left}."
    player: str
    count: int
    left: int


@dataclass(frozen=True, slots=True)
class Kept(Event):
    text: ClassVar[str] = "{player} keeps the card."
    player: str


@dataclass(frozen=True, slots=True)
class Passed(Event):
    text: ClassVar[str] = "{player} passes: there is nothing to draw."
    player: str


@dataclass(frozen=True, slots=True)
class SaidTres(Event):
    text: ClassVar[str] = "{player} says tres."
    player: str
    at: int


@dataclass(frozen=True, slots=True)
class SaidTogether(Event):
    """The word and the catch cannot be told apart."""

    text: ClassVar[str] = "{player}'s tres and the catch by {catchers} came at the same moment: that is in time."
    player: str
    catchers: tuple[str, ...]
    margin: int


@dataclass(frozen=True, slots=True)
class Caught(Event):
    text: ClassVar[str] = "{player} catches {whom} with three cards and not a word."
    player: str
    whom: str
    at: int


@dataclass(frozen=True, slots=True)
class Reshuffled(Event):
    text: ClassVar[str] = "The draw pile is empty: the {cards} discards are shuffled into a new one."
    cards: int


@dataclass(frozen=True, slots=True)
class NotDrawn(Event):
    """What was due and is not drawn, because there is nothing left."""

    text: ClassVar[str] = "No card is left to draw: {player} is let off {count}."
    player: str
    count: int


# --- the rules -------------------------------------------------------------------------------------------------


def start(players: tuple[str, ...], house: House) -> Ruling:
    if len(players) > house.players:
        raise HouseRuleError(
            Sentence(
                "House rule players: at most {players} may take part, not {players2}.",
                players=house.players,
                players2=len(players),
            )
        )
    cards = sum(deck(house).values())
    needed = HAND * len(players) + THREE
    if cards < needed:
        raise HouseRuleError(
            Sentence(
                "House rules colours, number_copies, action_copies, jokers: {cards} cards are too few to deal "
                "{HAND} each to {players} players and {THREE} to the table; that takes {needed}.",
                cards=cards,
                HAND=HAND,
                players=len(players),
                THREE=THREE,
                needed=needed,
            )
        )
    nobody = ("",) * len(players)
    state = State(players, house, "dealer", "", ((),) * len(players), cards, contenders=players, tres=nobody)
    return _ruling(state)


def rule(state: State, move: Move) -> Ruling:
    """The ruling on a move, or a Foul."""
    phases, handle = _RULES[type(move)]
    if move.player not in state.players:
        raise Foul("unknown-player", move.player, "{player} is not in this match.")
    if _is_drawn_unsaid(state, move):
        drawn = _draw(state, Draw(move.player, at=move.at))
        ruling = rule(drawn.state, move)
        return replace(ruling, events=(*drawn.events, *ruling.events))
    if state.phase not in phases or _ONLY.get(move.word, state.house.cards) != state.house.cards:
        raise _out_of_phase(state, move)
    return handle(state, move)


def _is_drawn_unsaid(state: State, move: Move) -> bool:
    """Where cards are only counted, keeping or playing the card that was drawn says that it was drawn."""
    draws = isinstance(move, Keep) or (isinstance(move, Lay) and move.drew)
    return draws and state.phase == "turn" and state.house.cards == COUNTED


def _show_card(state: State, move: ShowCard) -> Ruling:
    if move.player not in state.contenders:
        raise Foul(
            "not-in-the-draw",
            move.player,
            "{player} has no more to draw for dealer: {contenders} had more.",
            contenders=state.contenders,
        )
    if any(player == move.player for player, _ in state.shown):
        raise Foul("shown-already", move.player, "{player} has drawn for dealer already.")
    _is_in_deck(state, move.player, move.card)
    if [card for _, card in state.shown].count(move.card) >= deck(state.house)[move.card]:
        raise _no_such_card_left(state, move.player, move.card)
    shown = (*state.shown, (move.player, move.card))
    events: list[Event] = [Showed(move.player, move.card, number(move.card))]
    if len(shown) < len(state.contenders):
        return _ruling(replace(state, shown=shown), *events)
    players = tuple(player for player, _ in shown)
    numbers = tuple(number(card) for _, card in shown)
    best = highest(players, numbers)
    if len(best) == 1:
        return _dealer_chosen(state, best[0], *events)
    tied = tuple(player for player in state.players if player in best)
    return _ruling(replace(state, contenders=tied, shown=()), *events, TiedForDealer(tied, max(numbers)))


def _dealer(state: State, move: Dealer) -> Ruling:
    return _dealer_chosen(state, move.player)


def _dealer_chosen(state: State, dealer: str, *events: Event) -> Ruling:
    state = replace(state, phase="deal", turn=dealer, dealer=dealer, contenders=(), shown=())
    return _ruling(state, *events, DealerChosen(dealer))


def _deal(state: State, move: Deal) -> Ruling:
    if move.player != state.dealer:
        raise Foul("not-the-dealer", move.player, "{player} cannot deal: {dealer} is the dealer.", dealer=state.dealer)
    hands = move.hands or ((UNSEEN,) * HAND,) * len(state.players)
    _can_be_dealt(state, move, hands)
    _only_counted(state, move, *move.table, *(card for hand in move.hands for card in hand))
    pile = state.pile - THREE - HAND * len(hands)
    events: list[Event] = [Dealt(move.player, move.table, pile)]
    events += [CardsMoved(hand, PILE, Place("hand", player)) for player, hand in zip(state.players, hands, strict=True)]
    events.append(CardsMoved(move.table, PILE, TABLE))
    turn, direction, dues = seat_after(state.players, move.player), 1, state.dues
    for card in move.table:
        turn, direction, due = _turned_up(state, turn, direction, card, events)
        dues += due
    return _settled(
        state,
        events,
        turn,
        "begin",
        hands=hands,
        pile=pile,
        table=_as_known(state, move.table),
        direction=direction,
        dues=dues,
    )


def _fill(state: State, move: Fill) -> Ruling:
    is_counted = state.phase == "turn"  # it lies there already, and nobody had said what it is
    if is_counted and state.house.cards == TOLD:
        raise _out_of_phase(state, move)
    _own_turn(state, move)
    _only_counted(state, move, move.card)
    _can_turn_up(state, move.player, move.card)
    if is_counted:
        _may_have_turned_up(state, move)
    events: list[Event] = [TurnedUp(move.player, move.card)]
    moved: dict[str, Any] = {"filled": state.filled - is_counted}
    if not is_counted:
        _can_be_drawn(state, move.player, (move.card,))
        events.append(CardsMoved((move.card,), PILE, TABLE))
        moved["stock"] = _without(state.stock, (move.card,))
        moved |= {"pile": state.pile - 1, "table": (*state.table, *_as_known(state, (move.card,)))}
    turn, direction, due = _turned_up(state, move.player, state.direction, move.card, events)
    then = "fill" if turn == move.player else "begin"
    return _settled(state, events, turn, then, **moved, direction=direction, dues=state.dues + due)


def _may_have_turned_up(state: State, move: Fill) -> None:
    _is_action(move, move.card)
    if not state.filled:
        raise Foul(
            "nothing-turned-up",
            move.player,
            "{player} cannot have turned up {card}: nothing was turned up in this turn.",
            card=move.card,
        )


def _turned_up(
    state: State, turn: str, direction: int, card: str, events: list[Event]
) -> tuple[str, int, tuple[Due, ...]]:
    """Whose turn it is and which way round play goes after a card turned up, and what became due."""
    if card == PLUS3:
        events.append(MustDraw(turn, THREE, ("turned-up",)))
        return turn, direction, (Due(turn, THREE, ("turned-up",)),)
    if card not in ACTIONS:
        return turn, direction, ()
    events.append(TurnLost(turn, card))
    if card == REVERSE:
        direction = -direction
        events.append(DirectionTurned(direction == 1))
    return seat_after(state.players, turn, direction), direction, ()


def _play(state: State, move: Play) -> Ruling:
    _own_turn(state, move)
    hand = _hand_after(state, move)
    state = _too_late_to_catch(state)
    if not is_run(move.table_card, *move.cards):
        raise Foul(
            "not-consecutive",
            move.player,
            "{player} cannot play {cards} with {table_card}: together they must be consecutive numbers.",
            cards=move.cards,
            table_card=move.table_card,
        )
    events: list[Event] = [Played(move.player, move.table_card, move.cards, len(hand))]
    is_three = len(move.cards) == 2 and is_one_colour(state.house, move.table_card, *move.cards)
    return _discarded(state, move, hand, events, is_three=is_three)


def _lay(state: State, move: Lay) -> Ruling:
    _own_turn(state, move)
    _can_be_laid(state, move)
    cards = (move.action or UNSEEN, UNSEEN)[: move.cards]
    hand = state.hand(move.player)[move.cards :]
    events: list[Event] = [Laid(move.player, move.cards, move.action, len(hand))]
    play = Play(move.player, UNSEEN, cards, at=move.at)
    return _discarded(_too_late_to_catch(state), play, hand, events, is_three=move.one_colour)


def _discarded(state: State, move: Play, hand: tuple[str, ...], events: list[Event], *, is_three: bool) -> Ruling:
    """What a play does: it goes to the discards, and its action cards act."""
    seat, cards = state.players.index(move.player), move.cards
    events += [
        CardsMoved((move.table_card,), TABLE, DISCARDS),
        CardsMoved(cards, Place("hand", move.player), DISCARDS),
    ]
    gone = state.table.index(move.table_card)
    moved: dict[str, Any] = {
        **_with_hand(state, seat, hand),
        "drawn": "",
        "filled": 0,
        "passes": 0,
        "table": state.table[:gone] + state.table[gone + 1 :],
        "discards": state.discards + _as_known(state, (move.table_card, *cards)),
    }
    moved["stock"] = _stock_after(state, move, replace(state, **moved))
    if not hand:
        return _over(
            replace(state, **moved), events, (move.player,), Sentence("{player} has no cards left.", player=move.player)
        )
    direction = state.direction
    if REVERSE in cards:
        direction = -direction
        events.append(DirectionTurned(direction == 1))
    follower = seat_after(state.players, move.player, direction)
    due = _due_after(follower, cards, events, is_three=is_three)
    if SKIP in cards:
        events.append(Skipped(follower))
        follower = seat_after(state.players, follower, direction)
    return _settled(state, events, follower, "begin", **moved, direction=direction, dues=due)


def _due_after(follower: str, cards: tuple[str, ...], events: list[Event], *, is_three: bool) -> tuple[Due, ...]:
    """What a play makes the next player draw, all of it in one."""
    why = ("take-three",) * is_three + ("plus3",) * (PLUS3 in cards)
    if not why:
        return ()
    due = Due(follower, THREE * len(why), why)
    events.append(MustDraw(due.player, due.count, why))
    return (due,)


def _draw(state: State, move: Draw) -> Ruling:
    _own_turn(state, move)
    if not state.pile:
        raise Foul(
            "nothing-to-draw", move.player, "{player} cannot draw: pile and discards are used up. Play, or pass."
        )
    card = move.card or UNSEEN
    _only_counted(state, move, card)
    state = _too_late_to_catch(state)
    events: list[Event] = []
    drawn = _drawn(state, move.player, (card,), events)
    return _settled(state, events, move.player, "drawn", **drawn, drawn=card, filled=0, drawn_before=state.pile == 1)


def _keep(state: State, move: Keep) -> Ruling:
    _own_turn(state, move)
    return _settled(state, [Kept(move.player)], _next(state), "begin", drawn="")


def _take(state: State, move: Take) -> Ruling:
    first = state.dues[0].player
    if move.player != first:
        raise Foul(
            "not-due",
            move.player,
            "{player} has nothing to draw now: {first} draws {count} first.",
            first=first,
            count=state.owed(first),
        )
    owed = state.owed(first)
    cards = move.cards or (UNSEEN,) * owed
    _only_counted(state, move, *cards)
    if len(cards) != owed:
        raise Foul(
            "wrong-count", move.player, "{player} must draw {owed} cards, not {count}.", owed=owed, count=len(cards)
        )
    events: list[Event] = []
    drawn = _drawn(state, first, cards, events)
    rest = sum(due.count for due in state.dues if due.player == first) - owed
    if rest:
        events.append(NotDrawn(first, rest))
    dues = tuple(due for due in state.dues if due.player != first)
    return _settled(state, events, state.upcoming, state.then, **drawn, dues=dues)


def _pass(state: State, move: Pass) -> Ruling:
    _own_turn(state, move)
    if state.pile:
        raise Foul(
            "cards-to-draw",
            move.player,
            "{player} cannot pass: {pile} cards are left to draw. Play, or draw one.",
            pile=state.pile,
        )
    state = _too_late_to_catch(state)
    passes = state.passes + 1
    if passes < len(state.players):
        return _settled(state, [Passed(move.player)], _next(state), "begin", passes=passes, filled=0)
    fewest = highest(state.players, tuple(-score for score in state.scores))
    return _over(
        replace(state, passes=passes),
        [Passed(move.player)],
        fewest,
        "Nobody plays and nothing is left to draw: fewest cards win.",
    )


def _tres(state: State, move: Tres) -> Ruling:
    if not state.may_say(move.player):
        raise _cannot_say(state, move)
    seat = state.players.index(move.player)
    state = replace(state, tres=changed(state.tres, seat, "said"))
    if not state.house.only_with_three:
        state = replace(state, announced=(*state.announced, move.player))
    return _ruling(state, *_together_with(move), SaidTres(move.player, move.at))


def _cannot_say(state: State, move: Tres) -> Foul:
    if move.player in state.announced and len(state.hand(move.player)) != THREE:
        return Foul("already-said", move.player, "{player} has said tres in this turn already.")
    seat = _seat_with_three(state, move.player, move.player)
    if state.tres[seat] == "said":
        return Foul("already-said", move.player, "{player} has said tres for these three cards already.")
    return Foul("already-caught", move.player, "{player} says tres too late and was caught without it.")


def _together_with(move: Tres) -> Iterator[SaidTogether]:
    if move.finish and (catchers := tuple(seat for seat in move.finish.tied if seat != move.player)):
        yield SaidTogether(move.player, catchers, move.finish.margin)


def _together(first: Move, claim: Move, finish: Finish) -> Move | None:
    """Who says tres at the moment of the catch says it in time."""
    late = isinstance(first, Catch) and isinstance(claim, Tres) and first.whom == claim.player
    return Tres(claim.player, finish) if late else None


def _catch(state: State, move: Catch) -> Ruling:
    if move.whom not in state.players:
        raise Foul(
            "unknown-player", move.player, "{player} wants to catch {whom}, who is not in this match.", whom=move.whom
        )
    if move.whom == move.player:
        raise Foul("caught-oneself", move.player, "{player} cannot catch {player}: only another player can.")
    seat = _seat_with_three(state, move.player, move.whom)
    if state.tres[seat] == "said":
        raise Foul("already-said", move.player, "{player} cannot catch {whom}, who said tres in time.", whom=move.whom)
    if state.tres[seat] == "caught":
        raise Foul(
            "already-caught", move.player, "{player} cannot catch {whom}, who has been caught already.", whom=move.whom
        )
    if state.tres[seat] == "late":
        raise Foul(
            "too-late",
            move.player,
            "{player} is too late to catch {whom}: a card of the next turn was laid or drawn before.",
            whom=move.whom,
        )
    due = Due(move.whom, THREE, ("caught",))
    caught = Caught(move.player, move.whom, move.at)
    then, upcoming = (state.then, state.upcoming) if state.phase == "pay" else (state.phase, state.turn)
    return _settled(
        state,
        [*ahead(move.player, move.finish), caught, MustDraw(due.player, due.count, due.why)],
        upcoming,
        then,
        tres=changed(state.tres, seat, "caught"),
        dues=(*state.dues, due),
    )


_AFTER_DEAL = ("fill", "turn", "drawn", "pay")
_RULES: dict[type[Move], tuple[tuple[str, ...], Callable[[State, Any], Ruling]]] = {
    ShowCard: (("dealer",), _show_card),
    Dealer: (("dealer",), _dealer),
    Deal: (("deal",), _deal),
    Fill: (("fill", "turn"), _fill),
    Play: (("turn", "drawn"), _play),
    Lay: (("turn", "drawn"), _lay),
    Draw: (("turn",), _draw),
    Keep: (("drawn",), _keep),
    Take: (("pay",), _take),
    Pass: (("turn",), _pass),
    Tres: (_AFTER_DEAL, _tres),
    Catch: (_AFTER_DEAL, _catch),
}

_ONLY = {Play.word: TOLD, Lay.word: COUNTED}  # what is said by one house rule only

_OUT_OF_PHASE = {
    "dealer": ("no-dealer", "{player} cannot {move} yet: draw for dealer first, or say who deals."),
    "deal": ("not-dealt", "{player} cannot {move} now: {turn} is the dealer and deals."),
    "fill": ("fill-first", "{player} cannot {move} now: first {turn} fills the table up to three cards."),
    "turn": ("not-now", "{player} cannot {move} now: {turn} plays, draws or, with nothing to draw, passes."),
    "drawn": ("drawn-already", "{player} cannot {move} now: {turn} has drawn, and plays that card or keeps it."),
    "pay": ("due-first", "{player} cannot {move} now: first {payer} draws {count}."),
    "over": ("match-over", "{player} cannot {move}: the match is over."),
}


_TOLD_OTHERWISE = {
    COUNTED: "{player} cannot name the cards of a play: in this match cards are only counted.",
    TOLD: "{player} cannot only count the cards of a play: in this match every card is told.",
}


def hidden(state: State) -> tuple[Hidden, ...]:
    """Table and discards lie open, the hands do not."""
    known = (
        Hidden(Place("hand", player), tuple(card for card in hand if card != UNSEEN))
        for player, hand in zip(state.players, state.hands, strict=True)
    )
    return tuple(one for one in known if one.cards)


def recalled(state: State) -> State:
    """Nobody looks up a hand, nor which card was drawn."""
    hands = tuple((UNSEEN,) * len(hand) for hand in state.hands)
    return replace(state, hands=hands, drawn=UNSEEN if state.drawn else "")


def adjusted(state: State, move: Move, foul: Foul) -> Move | None:
    """A card of the table that was another one after all is played as that, if it goes with the rest. Where cards are
    only counted, what was said in the turn of somebody else is that of whoever's turn it was after all."""
    if state.house.cards == COUNTED:
        is_of_turn = foul.code == "not-your-turn" and isinstance(move, Fill | Lay | Draw | Keep | Pass)
        return replace(move, player=state.turn) if is_of_turn else None
    if not isinstance(move, Play) or foul.code != "not-on-table":
        return None
    fitting = (card for card in state.table if is_run(card, *move.cards))
    return next((replace(move, table_card=card) for card in fitting), None)


def _out_of_phase(state: State, move: Move) -> Foul:
    code, text = _OUT_OF_PHASE[state.phase]
    match move:
        case ShowCard() | Dealer() if state.phase not in ("dealer", "over"):
            code, text = "dealer-known", "{player} cannot {move} now: {dealer} is the dealer of this match."
        case Deal() if state.phase in _AFTER_DEAL:
            code, text = "dealt-already", "{player} cannot deal now: the cards were dealt by {dealer}."
        case Play() | Lay() if _ONLY[move.word] != state.house.cards and state.phase in _AFTER_DEAL:
            code, text = "told-otherwise", _TOLD_OTHERWISE[state.house.cards]
        case Fill() if state.phase == "turn":
            code, text = "table-full", "{player} cannot fill the table now: it has {table}, and that is all it takes."
        case Take() if state.phase == "turn":
            code, text = "nothing-due", "{player} has nothing to draw: no cards are due from anybody."
    payer = state.dues[0].player if state.dues else ""
    return Foul(
        code,
        move.player,
        text,
        move=move.doing,
        turn=state.turn,
        dealer=state.dealer,
        table=state.table,
        payer=payer,
        count=state.owed(payer),
    )


def _only_counted(state: State, move: Move, *cards: str) -> None:
    """Where cards are only counted, none but action cards are told, and they only where they act."""
    if state.house.cards == TOLD:
        return
    acts = ACTIONS if isinstance(move, Deal | Fill) else ()
    for card in cards:
        if card not in (UNSEEN, *acts):
            raise Foul(
                "only-counted",
                move.player,
                "{player} cannot show {card}: in this match cards are only counted.",
                card=card or " ",
            )


def _as_known(state: State, cards: tuple[str, ...]) -> tuple[str, ...]:
    """Cards as they lie for the referee: where they are only counted it does not know which of them is played."""
    return cards if state.house.cards == TOLD else (UNSEEN,) * len(cards)


def _own_turn(state: State, move: Move) -> None:
    if move.player != state.turn:
        raise Foul(
            "not-your-turn",
            move.player,
            "{player} cannot {move} now: it is {turn}'s turn.",
            move=move.doing,
            turn=state.turn,
        )


def _seat_with_three(state: State, player: str, whom: str) -> int:
    seat = state.players.index(whom)
    if len(state.hands[seat]) != THREE:
        raise Foul(
            "not-three-cards",
            player,
            "{player} is wrong: {whom} has {count} cards, and tres is said with exactly three.",
            whom=whom,
            count=len(state.hands[seat]),
        )
    return seat


def _is_in_deck(state: State, player: str, card: str) -> None:
    if not deck(state.house).get(card):
        raise Foul(
            "unknown-card", player, "{player} shows '{card}', which is not a card of this deck.", card=card or " "
        )


def _can_turn_up(state: State, player: str, card: str) -> None:
    """A card of the deck; where cards are only counted, any that is not named too."""
    if card != UNSEEN or state.house.cards == TOLD:
        _is_in_deck(state, player, card)


def _no_such_card_left(state: State, player: str, card: str) -> Foul:
    return Foul(
        "no-such-card-left",
        player,
        "{player} cannot have {card}: all {copies} of it lie elsewhere.",
        card=card,
        copies=deck(state.house)[card],
    )


def _left(state: State, card: str) -> int:
    """How many of a card are where the referee cannot see them: in the pile or unseen in a hand."""
    copies = deck(state.house)[card] - state.table.count(card) - state.discards.count(card)
    for hand in state.hands:
        copies -= hand.count(card)
    return copies


def _can_be_dealt(state: State, move: Deal, hands: tuple[tuple[str, ...], ...]) -> None:
    if len(move.table) != THREE:
        raise Foul(
            "wrong-count",
            move.player,
            "{player} must lay {three} cards on the table, not {count}.",
            three=THREE,
            count=len(move.table),
        )
    sizes = tuple(map(len, hands))
    if sizes != (HAND,) * len(state.players):
        raise Foul(
            "wrong-count",
            move.player,
            "{player} must deal {hand} cards to each of {players}, not {sizes}.",
            hand=HAND,
            players=state.players,
            sizes=sizes,
        )
    dealt = Counter(move.table)
    for card in move.table:
        _can_turn_up(state, move.player, card)
    for hand in hands:
        dealt.update(card for card in hand if card != UNSEEN)
    for card, count in dealt.items():
        _can_turn_up(state, move.player, card)
        if count > deck(state.house).get(card, count):
            raise _no_such_card_left(state, move.player, card)


def _hand_after(state: State, move: Play) -> tuple[str, ...]:
    """The hand without the cards of a play, or a Foul where it cannot be these."""
    if not 1 <= len(move.cards) <= 2:
        raise Foul(
            "wrong-count",
            move.player,
            "{player} plays one or two cards of the hand, not {count}.",
            count=len(move.cards),
        )
    if move.table_card not in state.table:
        raise Foul(
            "not-on-table",
            move.player,
            "{player} cannot play with {table_card}: the table has {table}.",
            table_card=move.table_card or " ",
            table=state.table,
        )
    for card in move.cards:
        _is_in_deck(state, move.player, card)
    hand = list(state.hand(move.player))
    if state.phase == "drawn":
        return _hand_without_drawn(state, move, hand)
    unseen = []
    for card in move.cards:
        if card not in hand:
            unseen.append(card)
        hand.remove(card if card in hand else _unseen_in(hand, move, card))
    _can_be_in_hand(state, move.player, tuple(unseen))
    return tuple(hand)


def _can_be_laid(state: State, move: Lay) -> None:
    """A play of which only that much is told; or a Foul where it cannot be that."""
    if not 1 <= move.cards <= 2:
        raise Foul(
            "wrong-count",
            move.player,
            "{player} plays one or two cards of the hand, not {count}.",
            count=move.cards,
        )
    if move.action:
        _is_in_deck(state, move.player, move.action)
        _is_action(move, move.action)
    if move.one_colour and move.cards == 1:
        raise Foul("too-few", move.player, "{player} lays one card: three of one colour are two cards of the hand.")
    if state.phase == "drawn" and move.cards > 1:
        raise Foul(
            "not-the-drawn-card",
            move.player,
            "{player} cannot lay {count}: after drawing only the drawn card may be played, alone.",
            count=move.cards,
        )
    if move.cards > len(state.hand(move.player)):
        raise Foul(
            "too-many",
            move.player,
            "{player} has {rest} in hand and cannot lay {count}.",
            rest=len(state.hand(move.player)),
            count=move.cards,
        )
    if not state.table:
        raise Foul("nothing-on-table", move.player, "{player} cannot lay: no card is left on the table.")


def _is_action(move: Move, card: str) -> None:
    if card not in ACTIONS:
        raise Foul("no-action", move.player, "{player} names {card}, which is no action card.", card=card)


def _unseen_in(hand: list[str], move: Play, card: str) -> str:
    if UNSEEN not in hand:
        raise Foul("not-in-hand", move.player, "{player} does not have {card} in hand.", card=card)
    return UNSEEN


def _hand_without_drawn(state: State, move: Play, hand: list[str]) -> tuple[str, ...]:
    if len(move.cards) > 1 or state.drawn not in (UNSEEN, *move.cards):
        raise Foul(
            "not-the-drawn-card",
            move.player,
            "{player} cannot play {cards}: after drawing only the drawn card may be played, alone.",
            cards=move.cards,
        )
    if state.drawn == UNSEEN and not state.drawn_before:
        _can_be_drawn(state, move.player, move.cards)
    elif state.drawn == UNSEEN:
        _can_be_in_hand(state, move.player, move.cards)
    hand.remove(state.drawn)
    return tuple(hand)


def _drawn(state: State, player: str, cards: tuple[str, ...], events: list[Event]) -> dict[str, Any]:
    """What changes when a player draws; the discards become the pile where it ends midway."""
    at_once, later = cards[: state.pile], cards[state.pile :]
    hand, pile, discards = Place("hand", player), state.pile - len(at_once), state.discards
    drawn: dict[str, Any] = {}
    _can_be_drawn(state, player, at_once)
    stock = _without(state.stock, at_once)
    events.append(CardsMoved(at_once, PILE, hand))
    if later:
        for card in set(later) - {UNSEEN}:
            _is_in_deck(state, player, card)
            if discards.count(card) < later.count(card):
                raise _no_such_card_left(state, player, card)
        drawn = _reshuffled(state, discards, events)
        pile, discards, stock = drawn["pile"] - len(later), (), _without(drawn["stock"], later)
        events.append(CardsMoved(later, PILE, hand))
    seat = state.players.index(player)
    after = state.hands[seat] + cards
    events.append(Drew(player, len(cards), len(after)))
    return {**drawn, **_with_hand(state, seat, after), "pile": pile, "discards": discards, "stock": stock}


def _reshuffled(state: State, discards: tuple[str, ...], events: list[Event]) -> dict[str, Any]:
    """All discards are the pile, so it is known which cards are in it."""
    events += [Reshuffled(len(discards)), CardsMoved(discards, DISCARDS, PILE)]
    is_known = state.house.cards == TOLD and not state.house.any_card_drawn
    drawn = {"drawn_before": True} if state.drawn and not state.house.drawn_is_shuffled else {}
    return {"pile": len(discards), "discards": (), "stock": discards if is_known else None, **drawn}


def _can_be_drawn(state: State, player: str, cards: tuple[str, ...]) -> None:
    """Cards that are shown when they come from the pile: they are of the deck, lie nowhere else, and were shuffled."""
    for card in set(cards) - {UNSEEN}:
        _is_in_deck(state, player, card)
        most = _left(state, card) if state.stock is None else min(_left(state, card), state.stock.count(card))
        if most < cards.count(card):
            raise _no_such_card_left(state, player, card)


def _can_be_in_hand(state: State, player: str, cards: tuple[str, ...]) -> None:
    """Cards of a hand that were not seen before: they lie nowhere else, and not all of them in the pile."""
    for card in cards:
        if _left(state, card) - _surely_in_pile(state, card) < cards.count(card):
            raise _no_such_card_left(state, player, card)


def _surely_in_pile(state: State, card: str) -> int:
    """How many of a card nobody can have, because too few that were not shown have left the pile since the shuffle."""
    if state.stock is None:
        return 0
    return max(0, state.stock.count(card) - (len(state.stock) - state.pile))


def _without(stock: tuple[str, ...] | None, cards: tuple[str, ...]) -> tuple[str, ...] | None:
    """The stock when these cards have been seen; of those nobody showed any may be left."""
    if stock is None or not set(cards) - {UNSEEN}:
        return stock
    return tuple((Counter(stock) - Counter(cards)).elements())


def _stock_after(state: State, play: Play, after: State) -> tuple[str, ...] | None:
    """The stock when cards of a hand have been seen: without the one just drawn, and what can lie nowhere any more."""
    if state.stock is None:
        return None
    is_drawn = state.drawn == UNSEEN and not state.drawn_before
    stock = Counter(state.stock) - Counter(play.cards if is_drawn else ())
    most = {card: min(count, _left(after, card)) for card, count in stock.items()}
    return tuple(Counter(most).elements())


def _with_hand(state: State, seat: int, hand: tuple[str, ...]) -> dict[str, Any]:
    """What changes when the size of a hand does: what was said before this turn is forgotten."""
    player = state.players[seat]
    moved: dict[str, Any] = {
        "hands": changed(state.hands, seat, hand),
        "tres": changed(state.tres, seat, "said" if player in state.announced else ""),
    }
    if not state.house.only_with_three:
        others = tuple(other for other in state.recent if other != player)
        moved["recent"] = (*others, player) if len(hand) == THREE else others
    return moved


def _too_late_to_catch(state: State) -> State:
    """A card is laid or drawn: whoever has been silent since an earlier turn is not caught any more."""
    silent = () if state.house.only_with_three else set(state.silent) - set(state.recent)
    if not silent:
        return state
    words = ("late" if player in silent else word for player, word in zip(state.players, state.tres, strict=True))
    return replace(state, tres=tuple(words))


def _turn_over(state: State) -> State:
    """What was said in this turn holds for a hand of three, and was for nothing with another."""
    words = (
        "" if word == "said" and len(hand) != THREE else word
        for word, hand in zip(state.tres, state.hands, strict=True)
    )
    return replace(state, tres=tuple(words), announced=(), recent=())


def _next(state: State) -> str:
    return seat_after(state.players, state.turn, state.direction)


def _settled(state: State, events: list[Event], upcoming: str, then: str, **moved: Any) -> Ruling:
    """The state with what has moved, where everything due is drawn first and `then` it goes on."""
    pile, discards = moved.get("pile", state.pile), moved.get("discards", state.discards)
    if discards and not pile:
        moved |= _reshuffled(state, discards, events)
        pile = len(discards)
    dues = moved.get("dues", state.dues)
    if dues and pile:
        moved |= {
            "phase": "pay",
            "turn": state.turn if state.phase != "deal" else upcoming,
            "then": then,
            "upcoming": upcoming,
        }
        state = replace(state, **moved)
        if not _goes_without_saying(state):
            return _ruling(state, *events)
        taken = _take(state, Take(state.dues[0].player))
        return replace(taken, events=(*events, *taken.events))
    events += [NotDrawn(due.player, due.count) for due in dues]
    state = replace(state, **moved)
    if then == "begin":
        events.append(Turn(upcoming))
        state = _turn_over(state)
        then = "fill"
    if then == "fill" and len(state.table) < THREE and _goes_without_saying(state):
        state = _filled(state, events)
    if then == "fill" and (len(state.table) == THREE or not state.pile):
        then = "turn"
    return _ruling(replace(state, phase=then, turn=upcoming, dues=(), then="", upcoming=""), *events)


def _goes_without_saying(state: State) -> bool:
    """Where cards are only counted: whatever is drawn or turned up before the next card is laid, it does not matter in
    which order, and nobody who has to draw can be caught before."""
    if state.house.cards == TOLD or any(due.player in state.silent for due in state.dues):
        return False
    missing = THREE - len(state.table)
    owed = sum(due.count for due in state.dues) + THREE * (missing + len(state.silent))  # by each +3, by who is caught
    return state.pile + len(state.discards) >= missing + owed


def _filled(state: State, events: list[Event]) -> State:
    """The table with the cards that turn up without a word; the discards become the pile where it ends midway."""
    cards = (UNSEEN,) * (THREE - len(state.table))
    at_once, later = cards[: state.pile], cards[state.pile :]
    moved: dict[str, Any] = {"pile": state.pile - len(at_once)}
    events.append(CardsMoved(at_once, PILE, TABLE))
    if not moved["pile"]:
        moved |= _reshuffled(state, state.discards, events)
        moved["pile"] -= len(later)
        events += [CardsMoved(later, PILE, TABLE)] if later else []
    return replace(state, **moved, table=state.table + cards, filled=state.filled + len(cards))


def _over(state: State, events: list[Event], winners: tuple[str, ...], reason: str) -> Ruling:
    outcome = Outcome(winners, state.scores, reason)
    return _ruling(replace(state, phase="over", turn="", outcome=outcome), *events, ended(outcome))


def _ruling(state: State, *events: Event) -> Ruling:
    return Ruling(state, events, _may(state))


def _may(state: State) -> tuple[May, ...]:
    turn = (state.turn,)
    match state.phase:
        case "dealer":
            shown = [player for player, _ in state.shown]
            return (
                May("show-card", tuple(player for player in state.contenders if player not in shown)),
                May("dealer", state.players),
            )
        case "deal":
            return (May("deal", turn),)
        case "fill" | "turn" | "drawn":
            return (*_may_go_on(state), *_may_speak(state))
        case "pay":
            return (_may_take(state), *_may_speak(state))
        case _:
            return ()


def _may_go_on(state: State) -> tuple[May, ...]:
    """What the player whose turn it is can do."""
    turn = (state.turn,)
    match state.phase:
        case "fill":
            return (May("fill", turn),)
        case "turn" if not state.pile:
            return (*_may_fill(state), *_may_play(state), May("pass", turn))
        case "turn" if state.house.cards == COUNTED:
            return (*_may_fill(state), *_may_play(state), May("draw", turn), May("keep", turn))
        case "turn":
            return (*_may_play(state), May("draw", turn))
        case "drawn":
            return (*_may_play(state), May("keep", turn))
        case _:
            return ()


def _may_fill(state: State) -> tuple[May, ...]:
    return (May("fill", (state.turn,)),) if state.filled else ()


def _may_play(state: State) -> tuple[May, ...]:
    if state.house.cards == COUNTED:
        return (May("lay", (state.turn,)),) if state.table else ()
    choices = tuple(map(fits, state.table))
    if state.phase == "drawn":
        choices = tuple(
            Fits(fit.card, fit.one) for fit in choices if state.drawn == UNSEEN or is_run(fit.card, state.drawn)
        )
    return (May("play", (state.turn,), choices),) if choices else ()


def _may_take(state: State) -> May:
    player = state.dues[0].player
    why = tuple(reason for due in state.dues if due.player == player for reason in due.why)
    return May("take", (player,), (Due(player, state.owed(player), why),))


def _may_speak(state: State) -> tuple[May, ...]:
    silent, speakers = state.silent, tuple(player for player in state.players if state.may_say(player))
    says = (May("tres", speakers),) if speakers else ()
    if not silent:
        return says
    catchers = tuple(player for player in state.players if any(whom != player for whom in silent))
    return (*says, May("catch", catchers, tuple(map(Silent, silent))))


SUMMARY = """\
Everybody starts with seven cards; whoever has none left first wins. Three cards lie open, and a turn begins by
filling them up to three. Then take one of them together with one or two cards of your hand, so that they are
consecutive numbers; 9 and 1 are neighbours. All of them are discarded. If you cannot or will not, draw one card;
only that card may still be played. Three cards of one colour in a play: the next player draws three. Action
cards count as 3 and as any colour: Reverse turns the direction, Skip passes over the next player, +3 makes the
next player draw three, and all of that adds up. Turning up on the table they act at once on the player whose
turn it is. A numeral joker is any number. Say "tres" whenever you hold exactly three cards: whoever is caught
silent by another player draws three."""

GAME = Game(
    "tres",
    "Tres",
    (2, 8),
    20,
    SUMMARY,
    House,
    State,
    tuple(_RULES),
    (
        Showed,
        TiedForDealer,
        DealerChosen,
        Dealt,
        TurnedUp,
        TurnLost,
        DirectionTurned,
        Played,
        Laid,
        Skipped,
        MustDraw,
        Drew,
        Kept,
        Passed,
        SaidTres,
        SaidTogether,
        Ahead,
        Caught,
        Reshuffled,
        NotDrawn,
        CardsMoved,
        Turn,
        Ended,
    ),
    start,
    rule,
    together=_together,
    adjusted=adjusted,
    hidden=hidden,
    recalled=recalled,
    scored_in="cards",
    is_fewest_best=True,
)
