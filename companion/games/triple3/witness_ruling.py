"""Ruling on what was laid: when it is sure enough how it came about, in which order, and what nobody can rule on."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from companion.core.clocks import SECOND
from companion.core.requests import Undo
from companion.core.rules import Foul
from companion.games.triple3 import sight_calibrated
from companion.games.triple3.rules import DECK, Lay, TakeBack, is_legal
from companion.games.triple3.witness_account import REMEMBERED, Account
from companion.games.triple3.witness_orders import Happening, legal_order
from companion.games.triple3.witness_plays import IN_LINE, Play, Ruled
from companion.games.triple3.witness_settling import Settling
from companion.games.triple3.witness_table import SeenTable
from companion.games.triple3.witness_words import (
    Wrong,
    at_once,
    called_below,
    covered_twice,
    doubt,
    line_unknown,
    refused,
    too_late,
)
from companion.watch.evidence import Called, Statement
from companion.watch.tracker import Belief

PATIENCE = 2 * SECOND  # how long a ruling waits for what else is under the same arms


class Rulings:
    """If one order of what was laid under the same arms is legal, it is legal."""

    def __init__(self, account: Account, table: SeenTable, settling: Settling) -> None:
        self._account, self._table, self._settling = account, table, settling

    def judge(self) -> None:
        """Rule on what was laid, as soon as it is sure enough what came about."""
        while self._is_one_decided():
            if self._account.state.phase != "play":
                return

    def _is_one_decided(self) -> bool:
        """Whether a card was ruled on, or given up; first what is legal as the match stands."""
        held = [play for play in self._table.held() if not self._is_on_held(play)]
        called = [play for play in self._table.plays.values() if play.is_called]
        if not held and not called:
            return False
        beliefs = self._table.tracked().beliefs()
        held.sort(key=lambda play: not self._is_legal(play))
        for play in held:
            play.belief = beliefs.get(play.change.number, play.belief)  # what is settled is believed as it was
        return any(self._decide(play, play.belief) for play in held) or any(
            self._think_again(play, beliefs) for play in called
        )

    def _decide(self, play: Play, belief: Belief | None) -> bool:
        if play.blind or belief is None:
            return self._decide_blindly(play)
        _tell_chance(play, belief)
        if belief.legal >= sight_calibrated.SURENESS.legal:
            return self._let_pass(play)
        if self._may_change(play) or self._may_become_clear(play, belief):
            return False
        unknown = [cell for cell in sorted(IN_LINE[play.cell]) if not self._table.is_weighed(cell)]
        if unknown:
            self._give_up(play, line_unknown(play, unknown[0]))
        elif any(self._may_hide_what_makes_legal(cell, play) for cell in IN_LINE[play.cell]):
            self._nobody_can_rule(play)
        elif _is_surely_illegal(belief) and not is_legal(self._account.state.grid, play.cell, play.card):
            self._rule_in_time(play)
        else:
            self._leave_open(play, belief)
        return True

    def _think_again(self, play: Play, beliefs: Mapping[int, Belief]) -> bool:
        """Whether what was called is let pass, for what has been seen since tells how it came about."""
        belief = beliefs.get(play.change.number)
        if belief is None or belief.legal < sight_calibrated.SURENESS.legal or self._table.top(play.cell) != play.card:
            return False
        _tell_chance(play, belief)
        return self._let_pass(play)

    def _decide_blindly(self, play: Play) -> bool:
        """Nobody watched when it was laid: legal if it can be, and else it lies there."""
        if self._is_legal(play):
            self._rule(play)
        else:
            self._give_up(play)
        return True

    def _let_pass(self, play: Play) -> bool:
        """It is legal as it came about; the match is brought to where it is."""
        if self._is_legal(play):
            self._rule(play)
        elif not self.reordered([play]):
            self._let_stand(play)
        return True

    def _let_stand(self, play: Play) -> None:
        """It is legal, though not by the match."""
        doubtful = [cell for cell in sorted(IN_LINE[play.cell]) if cell in self._table.doubtful]
        if doubtful:
            self._give_up(play, line_unknown(play, doubtful[0]))
        else:
            self._account.do(at_once(self._account.stamp, play))
            self._settling.say_lies(play)

    def _leave_open(self, play: Play, belief: Belief) -> None:
        """Nobody can know; what is said is why, and what lies there counts when nobody objects."""
        if _hides_another(belief):
            legal = belief.deed if belief.deed.legal or belief.other is None else belief.other  # as it will count
            self._give_up(play, covered_twice(play), hidden=legal.unseen)
        else:
            self._nobody_can_rule(play)

    def _nobody_can_rule(self, play: Play) -> None:
        self._account.do(too_late(self._account.stamp, play))
        self._settling.say_lies(play)

    def _give_up(self, play: Play, wrong: Wrong | None = None, hidden: int = 0) -> None:
        play.status, play.hidden, play.since = "odd", hidden, self._account.stamp
        if wrong:
            self._account.out_of_step(play.cell, wrong)

    # --- what a ruling waits for

    def _may_become_clear(self, play: Play, belief: Belief) -> bool:
        """Whether what is laid next may tell; of a card that nobody saw it seldom does."""
        is_open = not _is_surely_illegal(belief) and not _hides_another(belief)
        return is_open and self._account.stamp - play.evidence.stamp < PATIENCE

    def _may_change(self, play: Play) -> bool:
        """Whether something in line with it has been under arms since before it settled."""
        if self._account.stamp - play.evidence.stamp >= PATIENCE:
            return False
        return any(self._is_hiding(cell, play.evidence.stamp) for cell in IN_LINE[play.cell])

    def _may_hide_what_makes_legal(self, cell: int, play: Play) -> bool:
        """Nobody is called while a card that makes his play legal may lie under somebody's arm."""
        grid = self._account.state.grid
        return self._is_hiding(cell, play.evidence.stamp) and any(
            is_legal((*grid[: cell - 1], card, *grid[cell:]), play.cell, play.card) for card in DECK
        )

    def _is_hiding(self, cell: int, stamp: int) -> bool:
        """Whether something that nobody has seen yet may have been laid on a cell before this stamp."""
        eye = self._table.eyes[cell]
        return not eye.is_clear and eye.turned <= stamp and eye.seen < stamp

    def _is_on_held(self, play: Play) -> bool:
        """Whether what it lies on has not been ruled on."""
        stack = self._table.stacks[play.cell - 1]
        at = stack.index(play.card)
        below = self._table.plays.get(stack[at - 1]) if at else None
        return below is not None and below.status == "held"

    # --- in which order

    def _is_legal(self, play: Play) -> bool:
        """Whether it is legal now, and nothing that surely came after it has been ruled on."""
        return is_legal(self._account.state.grid, play.cell, play.card) and not self._later(play)

    def _later(self, play: Play) -> list[Ruled]:
        """The newest moves from the first that surely came after this play."""
        for at, one in enumerate(self._account.tail):
            if play.happening.is_before(one.happening):
                return self._account.tail[at:]
        return []

    def reordered(self, held: list[Play]) -> bool:
        """Whether plays that were ruled on went behind one of these, because so all are legal."""
        newest = self._account.tail[-1:]
        for play in held if newest else ():
            if play.tried and play.tried[-1] is newest[0]:
                continue
            play.tried = newest
            for count in range(max(1, len(self._later(play))), len(self._overlapping(play)) + 1):
                tail = self._account.tail[-count:]
                order = legal_order(_piles_of(tail[0]), [*(one.happening for one in tail), play.happening])
                if order:
                    self._again(tail, play, order)
                    return True
        return False

    def _overlapping(self, play: Play) -> list[Ruled]:
        """The newest moves, from the first that was under arms at the same time as this play, or came after it."""
        tail = self._account.tail
        first = next((at for at, one in enumerate(tail) if not one.happening.is_before(play.happening)), None)
        found = tail[first:] if first is not None else []
        while any(one.is_fixed for one in found):
            found = found[1:]
        return found

    def _again(self, tail: list[Ruled], play: Play, order: Sequence[Happening]) -> None:
        """Undo these moves and make them anew in another order, with one more among them."""
        known = {one.happening.card: one.play for one in tail if one.play} | {play.card: play}
        account = self._account
        for _ in tail:
            account.send(Undo(at=account.at()), None)
        account.state = tail[0].before
        del account.tail[-len(tail) :]
        plays = [known[one.card] for one in order if one.is_laid]
        for one in order:
            if one.is_laid:
                self._rule(known[one.card], plays)
            else:
                account.make_among(TakeBack("", one.cell), one)

    def _rule_in_time(self, play: Play) -> None:
        """Rule on an illegal play as things stood when it was laid, not as they have become since."""
        later = self._later(play)
        if not later:
            self._rule(play)
        elif any(one.is_fixed for one in later):
            self._nobody_can_rule(play)
        else:
            self._again(later, play, [play.happening, *(one.happening for one in later)])

    def _rule(self, play: Play, order: Sequence[Play] = ()) -> None:
        """Have the referee rule on a play; a refused one stays on the table until it is taken back."""
        account = self._account
        cards = tuple(one.card for one in order) if len(order) > 1 else ()
        evidence = replace(play.evidence, held=account.stamp - play.evidence.stamp, order=cards)
        play.evidence = evidence
        before = account.state
        move = Lay("", play.cell, play.card)
        try:
            account.state = account.ruled(move)
        except Foul as foul:
            account.send(move, evidence)
            self._call(play, foul, before.grid)
            return
        account.send(move, evidence)
        self._table.plays.pop(play.card, None)
        account.tail = [*account.tail, Ruled(play.happening, play, before)][-REMEMBERED:]
        self._say_what_is_under(play)

    def _call(self, play: Play, foul: Foul, grid: tuple[str, ...]) -> None:
        stamp = self._account.stamp
        play.status, play.since = "called", stamp
        if foul.code == "no-new-triple":
            self._account.do(Called(stamp, play.cell, play.card, foul.sentence, play.evidence, grid))
        else:
            self._give_up(play, refused(play, foul.code, foul.sentence))

    def _say_what_is_under(self, play: Play) -> None:
        stack = self._table.stacks[play.cell - 1]
        if play.card not in stack:
            return  # it has been taken away meanwhile
        under = stack[stack.index(play.card) - 1]
        if under in self._table.plays and self._table.plays[under].is_called:
            self._account.do(called_below(self._account.stamp, play, under))

    # --- before a Stop!

    def judge_before(self, stopped: int) -> None:
        """Cards that were on their way when somebody called Stop! are ruled on as laid before it."""
        account = self._account
        line = account.match.line
        played = (at for at in range(len(line) - 1, 0, -1) if line[at - 1].ruling.state.phase == "play")
        stop = next(played, 0)  # Stop!, or a claim to be out for which cards are looked at
        held = [play for play in self._table.held() if play.evidence.since < stopped]
        if not held or not stop or any(isinstance(act, Statement) for act in account.acts):
            return
        acts, state, since = account.acts, account.state, [done.move for done in line[stop:]]
        account.acts, account.state = [], line[stop - 1].ruling.state
        self.judge()
        if not account.acts:
            account.acts, account.state = acts, state
            return
        undone = [Statement(account.stamp, Undo(at=account.at())) for _ in since]
        account.acts = [*acts, *undone, *account.acts]
        if account.state.phase == "play":
            tail = account.tail
            for move in since:
                account.make(replace(move, at=0))
            account.tail = tail


def _piles_of(ruled: Ruled) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(laid.card for laid in pile) for pile in ruled.before.piles)


def _is_surely_illegal(belief: Belief) -> bool:
    return belief.legal <= sight_calibrated.SURENESS.illegal


def _hides_another(belief: Belief) -> bool:
    return bool(belief.deed.unseen or (belief.other and belief.other.unseen))


def _tell_chance(play: Play, belief: Belief) -> None:
    chance = max(belief.legal, 1 - belief.legal)
    play.evidence = replace(play.evidence, chance=chance, other=doubt(belief, chance))
