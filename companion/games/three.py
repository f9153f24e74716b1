"""Three!: collect three of a dog on your pile without the others noticing, and catch them when they do.

The referee may know the dogs on a pile, because somebody showed it each card, or only how many cards
lie there. It is sure of what it has seen, checks what is said against that, and takes a player's word
for the rest.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from companion.clocks import SECOND, short
from companion.exc import HouseRuleError
from companion.rules import (
    COUNTED,
    TOLD,
    UNSEEN,
    Ahead,
    CardsMoved,
    Deadline,
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
    seat_after,
    setting,
)
from companion.sentence import Sentence
from companion.strike import Finish, How

HAND = 3  # cards dealt to each player
THREE = 3  # of a kind


@dataclass(frozen=True, slots=True)
class Dog:
    name: str
    colour: str


DOGS = (
    Dog("Ember", "red"),
    Dog("Sky", "blue"),
    Dog("Juniper", "green"),
    Dog("Honey", "yellow"),
    Dog("Biscuit", "brown"),
    Dog("Domino", "black"),
    Dog("Snow", "white"),
    Dog("Misty", "grey"),
)


@dataclass(frozen=True, slots=True)
class House:
    dogs: tuple[Dog, ...] = setting(DOGS, "the dogs of this deck, each as NAME:COLOUR")
    copies: int = setting(6, "how many cards show each dog", low=1, high=100)
    deck: int = setting(48, "how many cards the whole deck has", low=1, high=1000)
    declarations_per_turn: int = setting(1, "how often a player may declare in one turn", low=0, high=10)
    call_timeout: int = setting(10, "seconds from a strike to its call before the token is released", low=1, high=600)
    tie: str = setting(
        "replay",
        "strikes that cannot be told apart: strike again, the next in the order of the seats, "
        "or the choice of one who did not strike",
        choices=("replay", "seats", "choice"),
    )
    rearm: int = setting(1, "seconds after a call until the token may be struck again", low=0, high=30, before=0)
    cooldown: int = setting(0, "seconds for which whoever called wrongly may not strike", low=0, high=120, before=0)
    everybody_passes: bool = setting(
        default=False,
        help="in the last round everybody passes, who has declared too; only in matches from before",
        before=True,
        offered=False,
    )
    cards: str = setting(
        TOLD,
        "the referee is told each dog that is played, or only that a card is",
        choices=(TOLD, COUNTED),
        before=TOLD,
    )

    def __post_init__(self) -> None:
        total = len(self.dogs) * self.copies
        if total != self.deck:
            raise HouseRuleError(
                Sentence(
                    "House rules dogs, copies, deck: {dogs} dogs with {copies} copies make {total} cards, not "
                    "{deck}; change one of the three.",
                    dogs=len(self.dogs),
                    copies=self.copies,
                    total=total,
                    deck=self.deck,
                )
            )
        said = [word for dog in self.dogs for word in (dog.name, dog.colour)]
        if len(set(said)) < len(said) or not all(said):
            raise HouseRuleError("House rule dogs: each dog needs a name and a colour that no other dog has.")


@dataclass(frozen=True, slots=True)
class State:
    """A table of Three!. Cards add up: hands + deck + piles + banks + out = the whole deck."""

    players: tuple[str, ...]
    house: House
    phase: str  # setup, turn, whose, tied, struck, check, final, over
    turn: str
    hands: tuple[int, ...]
    deck: int
    piles: tuple[tuple[str, ...], ...]  # bottom to top, UNSEEN where nobody showed the card
    banks: tuple[int, ...]
    out: int = 0  # declared wrongly, or left on the piles at the end
    gone: tuple[int, ...] = ()  # of each dog, how many left the piles by a check
    declared: int = 0  # declarations made in this turn
    caller: str = ""
    called: str = ""  # whose pile is checked
    dog: str = ""
    struck_at: int = 0
    tied: tuple[str, ...] = ()  # who struck together, while one of them is chosen
    final_turns: int = 0  # turns of the last round still to come
    free_at: int = 0  # until then the token is being armed again, and a strike is too early
    kept_out: tuple[int, ...] = ()  # until when each player may not strike; empty while nobody has called wrongly
    outcome: Outcome | None = None

    @property
    def scores(self) -> tuple[int, ...]:
        return self.banks

    @property
    def deadline(self) -> Deadline | None:
        if self.phase not in ("struck", "whose", "tied"):
            return None
        at = self.struck_at + self.house.call_timeout * SECOND
        return Deadline(at, Release(self.caller, at=at))

    @property
    def moments(self) -> tuple[int, ...]:
        """When something may be done that could not be done before, without a move."""
        return (self.free_at, *self.kept_out)

    def may_strike_at(self, player: str) -> int:
        """When a strike of this player counts again; where nobody knows whose hand it is, when one counts at all."""
        if not player or not self.kept_out:
            return self.free_at
        return max(self.free_at, self.kept_out[self.players.index(player)])

    def pile(self, player: str) -> tuple[str, ...]:
        return self.piles[self.players.index(player)]


# --- what may be done ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Begin(Move):
    """The cards are dealt and this player, whom the table chose, starts."""


@dataclass(frozen=True, slots=True)
class Play(Move):
    """One card onto one's own pile, and one drawn while the deck lasts. `dog` is empty if nobody shows it."""

    doing: ClassVar[str] = "play a card"
    concealed: ClassVar[tuple[str, ...]] = ("dog",)

    dog: str = ""


@dataclass(frozen=True, slots=True)
class Declare(Move):
    """'I have three of these', at the start of one's own turn."""

    doing: ClassVar[str] = "declare"
    concealed: ClassVar[tuple[str, ...]] = ("dog",)

    dog: str


@dataclass(frozen=True, slots=True)
class Strike(Move):
    """A hand on the token. No player: one big button was struck, and the table says whose hand it was; or several
    are `tied`, because their strikes cannot be told apart. The photo finish comes along where there is one."""

    needs_player: ClassVar[bool] = False
    tied: tuple[str, ...] = ()
    finish: Finish | None = None


@dataclass(frozen=True, slots=True)
class Hand(Move):
    """'It was my hand', after a strike on the one big button."""

    doing: ClassVar[str] = "say whose hand it was"


@dataclass(frozen=True, slots=True)
class Choose(Move):
    """One who did not strike says which of the tied players has the call."""

    doing: ClassVar[str] = "choose who has the call"

    caller: str


@dataclass(frozen=True, slots=True)
class Call(Move):
    """Whoever struck names another player and a dog, by its name or its colour."""

    doing: ClassVar[str] = "call"
    concealed: ClassVar[tuple[str, ...]] = ("dog",)

    whom: str
    dog: str


@dataclass(frozen=True, slots=True)
class Release(Move):
    """No call followed the strike: the token is free again. The referee does it when the time is up."""

    doing: ClassVar[str] = "release the token"

    needs_player: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class Check(Move):
    """The checked player says how many there were. `insist` stands by a number the referee has seen otherwise."""

    doing: ClassVar[str] = "answer a check"

    found: int | None = None  # not said: the referee counts, if it has seen every card
    insist: bool = False


@dataclass(frozen=True, slots=True)
class Pass(Move):
    """Nothing, or nothing more, to declare in the last round; where nobody may ever declare: nobody calls any more."""


# --- what happens ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Began(Event):
    text: ClassVar[str] = "{player} begins. Cards left to draw: {deck}."
    player: str
    deck: int


@dataclass(frozen=True, slots=True)
class Played(Event):
    text: ClassVar[str] = "{player} plays {dog}. Cards on the pile: {pile}."
    open_text: ClassVar[str] = "{player} plays a card. Cards on the pile: {pile}."
    player: str
    dog: str
    pile: int


@dataclass(frozen=True, slots=True)
class DeckEmpty(Event):
    text: ClassVar[str] = "The deck is empty: play goes on without drawing."


@dataclass(frozen=True, slots=True)
class Struck(Event):
    text: ClassVar[str] = "{player} strikes and calls: whom, and which dog?"
    player: str
    at: int


@dataclass(frozen=True, slots=True)
class StruckTogether(Event):
    text: ClassVar[str] = "{players} struck together: {settled}."
    no_time: ClassVar[str] = "{players} all struck, but an edge was lost and nobody knows who was first: {settled}."
    players: tuple[str, ...]
    settled: str
    margin: int | None  # nanoseconds within which they cannot be told apart, where it is known
    untimed: tuple[str, ...] = ()  # who was there without a time

    @property
    def template(self) -> str:
        return self.no_time if self.untimed else self.text


@dataclass(frozen=True, slots=True)
class WhoseHand(Event):
    text: ClassVar[str] = "The token is struck. Whose hand was it?"
    at: int


@dataclass(frozen=True, slots=True)
class Rearming(Event):
    """The call is over; a strike counts again from then on."""

    free_at: int


@dataclass(frozen=True, slots=True)
class KeptOut(Event):
    text: ClassVar[str] = "{player} called wrongly and may not strike for {seconds} s."
    player: str
    seconds: int
    until: int


@dataclass(frozen=True, slots=True)
class Called(Event):
    text: ClassVar[str] = "{player} calls {whom} for {dog}: {whom} checks."
    open_text: ClassVar[str] = "{player} calls {whom}: {whom} checks."
    player: str
    whom: str
    dog: str


@dataclass(frozen=True, slots=True)
class Released(Event):
    text: ClassVar[str] = "No call from {player}; the token is free again."
    player: str
    waited: int  # nanoseconds since the strike


@dataclass(frozen=True, slots=True)
class Declared(Event):
    text: ClassVar[str] = "{player} declares three of {dog} and checks."
    open_text: ClassVar[str] = "{player} declares three of a dog and checks."
    player: str
    dog: str


@dataclass(frozen=True, slots=True)
class Checked(Event):
    """The result of a check: `right` if three or more were there."""

    counts: ClassVar[int] = 1
    text: ClassVar[str] = "{found} of {dog} on {player}'s pile: the cards go to {to}."
    open_text: ClassVar[str] = "{found} of that dog on {player}'s pile: the cards go to {to}."
    player: str
    dog: str
    found: int
    right: bool
    to: Place


@dataclass(frozen=True, slots=True)
class SeenOtherwise(Event):
    text: ClassVar[str] = (
        "{player} stands by {said} of {dog}; the referee had seen {seen} and now takes that pile as unseen."
    )
    open_text: ClassVar[str] = "{player} stands by {said}; the referee now takes that pile as unseen."
    player: str
    dog: str
    said: int
    seen: int


@dataclass(frozen=True, slots=True)
class Passed(Event):
    text: ClassVar[str] = "{player} has nothing to declare."
    player: str


@dataclass(frozen=True, slots=True)
class NothingMore(Event):
    text: ClassVar[str] = "{player} has nothing more to declare."
    player: str


@dataclass(frozen=True, slots=True)
class FinalRound(Event):
    text: ClassVar[str] = "All hands are empty: one last round to declare in. {player} is first."
    player: str


@dataclass(frozen=True, slots=True)
class LastCalls(Event):
    """The same where nobody may ever declare: calls are possible until somebody ends the match."""

    text: ClassVar[str] = "All hands are empty: {player} ends the match when nobody calls any more."
    player: str


@dataclass(frozen=True, slots=True)
class CallsOver(Event):
    text: ClassVar[str] = "Nobody calls any more."


# --- the rules -------------------------------------------------------------------------------------------------


def start(players: tuple[str, ...], house: House) -> Ruling:
    dealt = HAND * len(players)
    if dealt > house.deck:
        raise HouseRuleError(
            Sentence(
                "House rule deck: {deck} cards are too few to deal {HAND} each to {players} players.",
                deck=house.deck,
                HAND=HAND,
                players=len(players),
            )
        )
    empty = (0,) * len(players)
    state = State(
        players,
        house,
        "setup",
        "",
        hands=(HAND,) * len(players),
        deck=house.deck - dealt,
        piles=((),) * len(players),
        banks=empty,
        gone=(0,) * len(house.dogs),
    )
    return _ruling(state)


def rule(state: State, move: Move) -> Ruling:
    """The ruling on a move, or a Foul."""
    phases, handle = _RULES[type(move)]
    if state.phase not in phases:
        is_nobodys = isinstance(move, Strike) and not move.player
        raise _nobodys_strike(state) if is_nobodys else _out_of_phase(state, move)
    return handle(state, move)


def _begin(state: State, move: Begin) -> Ruling:
    state = replace(state, phase="turn", turn=move.player)
    return _ruling(state, Began(move.player, state.deck))


def _play(state: State, move: Play) -> Ruling:
    _own_turn(state, move, "{player} cannot play now: it is {turn}'s turn.")
    dog = UNSEEN
    if move.dog:
        dog = _dog_named(state, move.player, move.dog)
        if _left(state, dog) <= 0:
            raise Foul(
                "no-such-card-left",
                move.player,
                "{player} cannot play {dog}: all {copies} cards of it have been seen already.",
                dog=dog,
                copies=state.house.copies,
            )
    seat = state.players.index(move.player)
    pile = (*state.piles[seat], dog)
    drawn = 1 if state.deck else 0
    hands = changed(state.hands, seat, state.hands[seat] - 1 + drawn)
    events: list[Event] = [
        Played(move.player, dog, len(pile)),
        CardsMoved((dog,), Place("hand", move.player), Place("pile", move.player)),
    ]
    if drawn:
        events.append(CardsMoved((UNSEEN,), Place("deck"), Place("hand", move.player)))
        if state.deck == 1:
            events.append(DeckEmpty())
    state = replace(state, hands=hands, deck=state.deck - drawn, piles=changed(state.piles, seat, pile), declared=0)
    if any(hands):
        state = replace(state, turn=_next_with_cards(state, move.player))
        return _ruling(state, *events, Turn(state.turn))
    first, declares = seat_after(state.players, move.player), has_last_turns(state)
    state = replace(state, phase="final", turn=first, final_turns=len(state.players) if declares else 1)
    return _ruling(state, *events, FinalRound(first) if declares else LastCalls(first))


def has_last_turns(state: State) -> bool:
    """There is a last round, in which everybody has a turn."""
    return state.house.declarations_per_turn > 0 or state.house.everybody_passes


def _declare(state: State, move: Declare) -> Ruling:
    _own_turn(
        state,
        move,
        "{player} declares too late or too early: a declaration opens a player's turn, and it is {turn}'s turn.",
    )
    if state.declared >= state.house.declarations_per_turn:
        raise Foul(
            "declared-enough",
            move.player,
            "{player} has declared {times} times in this turn; the house rule declarations_per_turn allows no more.",
            times=state.declared,
        )
    dog = _dog_named(state, move.player, move.dog)
    state = replace(state, phase="check", called=move.player, dog=dog, declared=state.declared + 1)
    return _ruling(state, Declared(move.player, dog))


def _strike(state: State, move: Strike) -> Ruling:
    for player in (move.player, *move.tied):
        _may_strike(state, player, move.at)
    state = replace(state, caller="", struck_at=move.at)
    if move.tied:
        return _tie(state, move)
    if not move.player:
        return _ruling(replace(state, phase="whose"), WhoseHand(move.at))
    return _struck(state, move.player, *ahead(move.player, move.finish))


def _may_strike(state: State, player: str, at: int) -> None:
    """The token is free, and the player is not kept out."""
    if at < state.free_at:
        text = "{player} struck {early} too early: the token was not free yet."
        if not player:
            text = "The token was struck {early} too early: it was not free yet."
        raise Foul("early", player, text, early=short(state.free_at - at))
    if player in state.players and at < state.may_strike_at(player):
        raise Foul(
            "kept-out",
            player,
            "{player} called wrongly and may not strike for another {left}.",
            left=short(state.may_strike_at(player) - at),
        )


def _rearming(state: State, at: int) -> tuple[State, tuple[Event, ...]]:
    """A call is over: the token is free again in a while."""
    if not state.house.rearm:
        return state, ()
    free_at = at + state.house.rearm * SECOND
    return replace(state, free_at=free_at), (Rearming(free_at),)


def _struck(state: State, caller: str, *events: Event) -> Ruling:
    return _ruling(replace(state, phase="struck", caller=caller, tied=()), *events, Struck(caller, state.struck_at))


def _tie(state: State, move: Strike) -> Ruling:
    tied = tuple(player for player in state.players if player in move.tied)
    if len(tied) < 2 or len(tied) < len(move.tied):
        raise Foul(
            "impossible-tie", move.player, "A tie needs two or more players of this match, not {tied}.", tied=move.tied
        )
    margin = move.finish.margin if move.finish else None
    order = move.finish.order if move.finish else ()
    untimed = tuple(arrival.seat for arrival in order if arrival.how is How.UNTIMED)
    if state.house.tie == "seats":
        first = next(player for player in _from_turn(state) if player in tied)
        return _struck(
            state,
            first,
            StruckTogether(tied, Sentence("{first} is next in the order of the seats", first=first), margin, untimed),
        )
    if state.house.tie == "choice" and len(tied) < len(state.players):
        state = replace(state, phase="tied", tied=tied)
        return _ruling(
            state, StruckTogether(tied, "a player who did not strike chooses who has the call", margin, untimed)
        )
    state, rearming = _rearming(state, move.at)
    return _ruling(state, StruckTogether(tied, "nobody has the call, strike again", margin, untimed), *rearming)


def _from_turn(state: State) -> tuple[str, ...]:
    """The players in the order of the seats, from the one whose turn it is."""
    seat = state.players.index(state.turn)
    return (*state.players[seat:], *state.players[:seat])


def _hand(state: State, move: Hand) -> Ruling:
    _may_strike(state, move.player, state.struck_at)
    return _struck(state, move.player)


def _choose(state: State, move: Choose) -> Ruling:
    if move.player in state.tied:
        raise Foul(
            "tied-oneself", move.player, "{player} struck too and cannot choose between {tied}.", tied=state.tied
        )
    if move.caller not in state.tied:
        raise Foul(
            "not-tied",
            move.player,
            "{caller} is not among those who struck together: {tied}.",
            caller=move.caller,
            tied=state.tied,
        )
    return _struck(state, move.caller)


def _call(state: State, move: Call) -> Ruling:
    if move.player != state.caller:
        raise Foul("not-the-caller", move.player, "{player} cannot call: {caller} struck first.", caller=state.caller)
    if move.whom == move.player:
        raise Foul("called-oneself", move.player, "{player} cannot call {player}: name another player.")
    if move.whom not in state.players:
        raise Foul("unknown-player", move.player, "{player} calls {whom}, who is not in this match.", whom=move.whom)
    dog = _dog_named(state, move.player, move.dog)
    return _ruling(replace(state, phase="check", called=move.whom, dog=dog), Called(move.player, move.whom, dog))


def _release(state: State, move: Release) -> Ruling:
    if state.caller and move.player != state.caller:
        raise Foul(
            "not-the-caller", move.player, "{player} cannot release the token: {caller} struck it.", caller=state.caller
        )
    waited = move.at - state.struck_at
    state, rearming = _rearming(state, move.at)
    state = replace(state, phase=_phase_between_calls(state), caller="", tied=())
    return _ruling(state, Released(move.player, waited), *rearming)


def _check(state: State, move: Check) -> Ruling:
    if move.player != state.called:
        raise Foul(
            "not-the-checked", move.player, "{player} cannot answer: the pile is {called}'s.", called=state.called
        )
    found = _found(state, move)
    seat = state.players.index(state.called)
    pile, dog = state.piles[seat], state.dog
    seen = pile.count(dog)
    events: list[Event] = []
    if seen <= found <= seen + pile.count(UNSEEN):
        rest = _without(pile, dog, found - seen)
    else:
        rest = (UNSEEN,) * (len(pile) - found)
        events.append(SeenOtherwise(move.player, dog, found, seen))
    to = _where_cards_go(state, found >= THREE)
    banks = state.banks
    if to.kind == "bank":
        owner = state.players.index(to.of)
        banks = changed(banks, owner, banks[owner] + found)
    index = _index(state.house, dog)
    events += [
        Checked(move.player, dog, found, found >= THREE, to),
        CardsMoved((dog,) * found, Place("pile", move.player), to),
    ]
    if state.caller:
        state, after = _after_call(state, move.at, right=found >= THREE)
        events += after
    state = replace(
        state,
        phase=_phase_between_calls(state),
        caller="",
        called="",
        dog="",
        banks=banks,
        piles=changed(state.piles, seat, rest),
        out=state.out + (found if to.kind == "box" else 0),
        gone=changed(state.gone, index, state.gone[index] + found),
    )
    if state.phase == "final" and _has_declared_enough(state):
        return _next_last_turn(state, *events)
    return _ruling(state, *events)


def _has_declared_enough(state: State) -> bool:
    """In this turn of the last round there is nothing left to do."""
    return not state.house.everybody_passes and 0 < state.house.declarations_per_turn <= state.declared


def _after_call(state: State, at: int, *, right: bool) -> tuple[State, tuple[Event, ...]]:
    state, rearming = _rearming(state, at)
    seconds = state.house.cooldown
    if right or not seconds:
        return state, rearming
    until = at + seconds * SECOND
    kept_out = changed(state.kept_out or (0,) * len(state.players), state.players.index(state.caller), until)
    return replace(state, kept_out=kept_out), (KeptOut(state.caller, seconds, until), *rearming)


def _pass(state: State, move: Pass) -> Ruling:
    _own_turn(state, move, "{player} cannot pass now: it is {turn}'s turn.")
    return _next_last_turn(state, _passed(state, move.player))


def _passed(state: State, player: str) -> Event:
    if not has_last_turns(state):
        return CallsOver()
    is_more = state.declared and not state.house.everybody_passes
    return NothingMore(player) if is_more else Passed(player)


def _next_last_turn(state: State, *events: Event) -> Ruling:
    """Whoever has the turn has had it; behind the last one the match is over."""
    if state.final_turns > 1:
        turn = seat_after(state.players, state.turn)
        state = replace(state, turn=turn, final_turns=state.final_turns - 1, declared=0)
        return _ruling(state, *events, Turn(state.turn))
    discarded = [
        CardsMoved(pile, Place("pile", player), Place("box"))
        for player, pile in zip(state.players, state.piles, strict=True)
        if pile
    ]
    outcome = Outcome(highest(state.players, state.banks), state.banks, "The last round is over: most cards win.")
    state = replace(
        state,
        phase="over",
        turn="",
        final_turns=0,
        out=state.out + sum(map(len, state.piles)),
        piles=((),) * len(state.players),
        outcome=outcome,
    )
    return _ruling(state, *events, *discarded, ended(outcome))


_RULES: dict[type[Move], tuple[tuple[str, ...], Callable[[State, Any], Ruling]]] = {
    Begin: (("setup",), _begin),
    Play: (("turn",), _play),
    Declare: (("turn", "final"), _declare),
    Strike: (("turn", "final"), _strike),
    Call: (("struck",), _call),
    Hand: (("whose",), _hand),
    Choose: (("tied",), _choose),
    Release: (("struck", "whose", "tied"), _release),
    Check: (("check",), _check),
    Pass: (("final",), _pass),
}


# --- what nobody may look up -----------------------------------------------------------------------------------


def hidden(state: State) -> tuple[Hidden, ...]:
    """Only the top of a pile is for everybody."""
    known = (
        Hidden(Place("pile", player), tuple(card for card in pile[:-1] if card != UNSEEN))
        for player, pile in zip(state.players, state.piles, strict=True)
    )
    return tuple(one for one in known if one.cards)


def recalled(state: State) -> State:
    """Nobody looks up what lay on a pile, nor for which dog it was checked."""
    return replace(state, piles=tuple((UNSEEN,) * len(pile) for pile in state.piles), dog="")


# --- what a correction of something before leaves of a move ----------------------------------------------------


def adjusted(state: State, move: Move, foul: Foul) -> Move | None:
    """A dog that cannot be there any more was not seen; whose pile is checked finds what is on it by now."""
    match move:
        case Play() if foul.code == "no-such-card-left":
            return replace(move, dog="")
        case Check() if state.phase == "check":
            return _check_adjusted(state, move)
        case Call() if foul.code == "not-the-caller" and move.whom != state.caller:
            return replace(move, player=state.caller)
    return None


def looks_anew(state: State, played: State, move: Move) -> bool:
    """A check of another pile, or for another dog, than at the table."""
    return isinstance(move, Check) and (state.called, state.dog) != (played.called, played.dog)


def _check_adjusted(state: State, move: Check) -> Check:
    pile = state.pile(state.called)
    seen = pile.count(state.dog)
    most = seen + max(0, min(pile.count(UNSEEN), _left(state, state.dog)))
    said = move.found if move.found is not None and move.player == state.called else seen
    return replace(move, player=state.called, found=min(max(said, seen), most), insist=False)


def _nobodys_strike(state: State) -> Foul:
    """Of a hand that nobody knows."""
    match state.phase:
        case "setup":
            return Foul("not-begun", "", "The token was struck too early: choose who begins first.")
        case "over":
            return Foul("match-over", "", "The token was struck too late: the match is over.")
        case "struck" | "check":
            text = "This strike is void: {owner} was first and that call is still being settled."
            return Foul("strike-void", "", text, owner=state.caller or state.called)
        case _:
            return Foul("strike-void", "", "This strike is void: an earlier strike is still being settled.")


def _out_of_phase(state: State, move: Move) -> Foul:
    match state.phase:
        case "setup":
            return Foul(
                "not-begun", move.player, "{player} cannot {move} yet: choose who begins first.", move=move.doing
            )
        case "over":
            return Foul("match-over", move.player, "{player} cannot {move}: the match is over.", move=move.doing)
        case "struck" | "check" if isinstance(move, Strike):
            return Foul(
                "strike-void",
                move.player,
                "{player}'s strike is void: {owner} was first and that call is still being settled.",
                owner=state.caller or state.called,
            )
        case "whose" | "tied" if isinstance(move, Strike):
            return Foul(
                "strike-void", move.player, "{player}'s strike is void: an earlier strike is still being settled."
            )
        case "whose":
            return Foul(
                "whose-hand",
                move.player,
                "{player} cannot {move} now: say first whose hand struck the token.",
                move=move.doing,
            )
        case "tied":
            return Foul(
                "tie-open",
                move.player,
                "{player} cannot {move} now: choose first which of {tied} has the call.",
                move=move.doing,
                tied=state.tied,
            )
        case "struck":
            return Foul(
                "call-open",
                move.player,
                "{player} cannot {move} now: {caller} has struck and names a player and a dog.",
                move=move.doing,
                caller=state.caller,
            )
        case "check":
            return Foul(
                "check-open",
                move.player,
                "{player} cannot {move} now: {called} is checking for {dog}.",
                move=move.doing,
                called=state.called,
                dog=state.dog,
            )
        case "final" if isinstance(move, Play):
            return Foul("no-cards", move.player, "{player} cannot play: all hands are empty.")
        case _:
            return Foul(
                "not-now",
                move.player,
                "{player} cannot {move} now: nobody has struck or declared, and cards are still in hand.",
                move=move.doing,
            )


def _own_turn(state: State, move: Move, text: str) -> None:
    if move.player != state.turn:
        raise Foul("not-your-turn", move.player, text, turn=state.turn)


def _dog_named(state: State, player: str, said: str) -> str:
    for dog in state.house.dogs:
        if said in (dog.name, dog.colour):
            return dog.name
    raise Foul(
        "unknown-dog",
        player,
        "{player} says {said}, but the dogs of this deck are {dogs}.",
        said=said,
        dogs=tuple(Sentence("{dog} ({hue})", dog=dog.name, hue=dog.colour) for dog in state.house.dogs),
    )


def _index(house: House, name: str) -> int:
    return next(i for i, dog in enumerate(house.dogs) if dog.name == name)


def _left(state: State, dog: str) -> int:
    """How many cards of a dog the referee has not seen yet."""
    on_piles = sum(pile.count(dog) for pile in state.piles)
    return state.house.copies - state.gone[_index(state.house, dog)] - on_piles


def _next_with_cards(state: State, player: str) -> str:
    steps = range(1, len(state.players) + 1)
    candidates = (seat_after(state.players, player, step) for step in steps)
    return next(name for name in candidates if state.hands[state.players.index(name)])


def _phase_between_calls(state: State) -> str:
    return "turn" if any(state.hands) else "final"


def _found(state: State, move: Check) -> int:
    """The number that counts for a check, or a Foul where it cannot be."""
    pile, dog = state.pile(move.player), state.dog
    seen, unseen = pile.count(dog), pile.count(UNSEEN)
    if move.found is None:
        if unseen:
            raise Foul(
                "count-needed",
                move.player,
                "{player} must say how many {dog} there are: {unseen} cards of the pile were never shown.",
                dog=dog,
                unseen=unseen,
            )
        return seen
    most = min(len(pile), max(seen, state.house.copies - state.gone[_index(state.house, dog)]))
    if not 0 <= move.found <= most:
        raise Foul(
            "impossible-count",
            move.player,
            "{player} says {found} of {dog}; it can only be 0 to {most}.",
            found=move.found,
            dog=dog,
            most=most,
        )
    possible = max(0, min(unseen, _left(state, dog)))
    if not move.insist and not seen <= move.found <= seen + possible:
        raise Foul(
            "count-differs",
            move.player,
            "{player} says {found} of {dog}, but the referee has seen {seen} on "
            "that pile, with {unseen} cards unseen: look again, or insist.",
            found=move.found,
            dog=dog,
            seen=seen,
            unseen=possible,
        )
    return move.found


def _without(pile: tuple[str, ...], dog: str, unseen: int) -> tuple[str, ...]:
    """The pile after a check: the dog is gone, and so many of the unseen cards, lowest first."""
    rest = []
    for card in pile:
        if card == UNSEEN and unseen:
            unseen -= 1
        elif card != dog:
            rest.append(card)
    return tuple(rest)


def _where_cards_go(state: State, right: bool) -> Place:
    if state.caller:
        return Place("bank", state.caller if right else state.called)
    return Place("bank", state.called) if right else Place("box")


def _ruling(state: State, *events: Event) -> Ruling:
    return Ruling(state, events, _may(state))


def _together(first: Move, claim: Move, finish: Finish) -> Move | None:
    both = isinstance(first, Strike) and isinstance(claim, Strike)
    return Strike("", finish.tied, finish) if both else None


def _may(state: State) -> tuple[May, ...]:
    turn = (state.turn,)
    declare = (May("declare", turn),) if state.declared < state.house.declarations_per_turn else ()
    match state.phase:
        case "setup":
            return (May("begin", state.players),)
        case "turn":
            return (May("play", turn), *declare, May("strike", state.players))
        case "final":
            return (May("pass", turn), *declare, May("strike", state.players))
        case "whose":
            return (May("hand", state.players), May("release", state.players))
        case "tied":
            choosers = tuple(player for player in state.players if player not in state.tied)
            return (May("choose", choosers), May("release", state.players))
        case "struck":
            return (May("call", (state.caller,)), May("release", (state.caller,)))
        case "check":
            return (May("check", (state.called,)),)
        case _:
            return ()


SUMMARY = """\
Everybody holds three cards and plays one a turn onto their own pile, of which only the top card is seen.
Whoever thinks that another player has three or more of one dog on the pile strikes the token, first come
first served, and names the player and the dog. Three or more: the cards go to the caller's bank; fewer: to
the bank of the player who was called. At the start of their turn a player may declare instead: three or
more go to their own bank, fewer leave the game. When all hands are empty there is one last round to declare
in; then the most cards in the bank win."""

GAME = Game(
    "three",
    "Three!",
    (2, 4),
    15,
    SUMMARY,
    House,
    State,
    tuple(_RULES),
    (
        Began,
        Played,
        DeckEmpty,
        Struck,
        Ahead,
        StruckTogether,
        WhoseHand,
        Called,
        Released,
        Rearming,
        KeptOut,
        Declared,
        Checked,
        SeenOtherwise,
        FinalRound,
        LastCalls,
        Passed,
        NothingMore,
        CallsOver,
        CardsMoved,
        Turn,
        Ended,
    ),
    start,
    rule,
    together=_together,
    adjusted=adjusted,
    looks_anew=looks_anew,
    hidden=hidden,
    recalled=recalled,
    scored_in="cards",
)
