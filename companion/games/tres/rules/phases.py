"""What each phase allows next, and why it refuses the rest."""

from companion.core.rules import COUNTED, TOLD, UNSEEN, Event, Foul, May, Move, Ruling
from companion.core.sentence import N_
from companion.games.tres.rules.cards import is_run
from companion.games.tres.rules.house import ACTIONS
from companion.games.tres.rules.moves import Deal, Dealer, Fill, Lay, Play, ShowCard, Take
from companion.games.tres.rules.state import Due, Fits, Silent, State, fits

AFTER_DEAL = ("fill", "turn", "drawn", "pay")

ONLY = {Play.word: TOLD, Lay.word: COUNTED}  # what is said by one house rule only

_OUT_OF_PHASE = {
    "dealer": ("no-dealer", N_("{player} cannot {move} yet: draw for dealer first, or say who deals.")),
    "deal": ("not-dealt", N_("{player} cannot {move} now: {turn} is the dealer and deals.")),
    "fill": ("fill-first", N_("{player} cannot {move} now: first {turn} fills the table up to three cards.")),
    "turn": ("not-now", N_("{player} cannot {move} now: {turn} plays, draws or, with nothing to draw, passes.")),
    "drawn": ("drawn-already", N_("{player} cannot {move} now: {turn} has drawn, and plays that card or keeps it.")),
    "pay": ("due-first", N_("{player} cannot {move} now: first {payer} draws {count}.")),
    "over": ("match-over", N_("{player} cannot {move}: the match is over.")),
}


_TOLD_OTHERWISE = {
    COUNTED: N_("{player} cannot name the cards of a play: in this match cards are only counted."),
    TOLD: N_("{player} cannot only count the cards of a play: in this match every card is told."),
}


def out_of_phase(state: State, move: Move) -> Foul:
    code, text = _OUT_OF_PHASE[state.phase]
    match move:
        case ShowCard() | Dealer() if state.phase not in ("dealer", "over"):
            code, text = "dealer-known", N_("{player} cannot {move} now: {dealer} is the dealer of this match.")
        case Deal() if state.phase in AFTER_DEAL:
            code, text = "dealt-already", N_("{player} cannot deal now: the cards were dealt by {dealer}.")
        case Play() | Lay() if ONLY[move.word] != way_of(state) and state.phase in AFTER_DEAL:
            code, text = "told-otherwise", _TOLD_OTHERWISE[way_of(state)]
        case Fill() if state.phase == "turn":
            code, text = (
                "table-full",
                N_("{player} cannot fill the table now: it has {table}, and that is all it takes."),
            )
        case Take() if state.phase == "turn":
            code, text = "nothing-due", N_("{player} has nothing to draw: no cards are due from anybody.")
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


def way_of(state: State) -> str:
    """Cards that a camera sees are told."""
    return COUNTED if state.house.cards == COUNTED else TOLD


def only_counted(state: State, move: Move, *cards: str) -> None:
    """Where cards are only counted, none but action cards are told, and they only where they act."""
    if state.house.cards != COUNTED:
        return
    acts = ACTIONS if isinstance(move, Deal | Fill) else ()
    for card in cards:
        if card not in (UNSEEN, *acts):
            raise move.foul(
                "only-counted", "{player} cannot show {card}: in this match cards are only counted.", card=card or " "
            )


def as_known(state: State, cards: tuple[str, ...]) -> tuple[str, ...]:
    """Cards as they lie for the referee: where they are only counted it does not know which of them is played."""
    return cards if state.house.cards != COUNTED else (UNSEEN,) * len(cards)


def own_turn(state: State, move: Move) -> None:
    if move.player != state.turn:
        raise move.foul("not-your-turn", "{player} cannot {move} now: it is {turn}'s turn.", turn=state.turn)


def ruling(state: State, *events: Event) -> Ruling:
    return Ruling(state, events, may(state))


def may(state: State) -> tuple[May, ...]:
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
