"""Ruling on what was laid: in which order, what must wait, what is called, and what nobody can rule on."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import combinations

from companion.core.clocks import SECOND
from companion.core.requests import Undo
from companion.core.rules import UNSEEN, Foul
from companion.core.sentence import N_, Sentence
from companion.games.triple3 import rules as triple3
from companion.games.triple3.rules import Lay, Lies, TakeBack, is_legal
from companion.games.triple3.witness_orders import Happening, legal_order
from companion.games.triple3.witness_piles import IN_LINE, REMEMBERED, OnTable, Play, Ruled
from companion.watch.evidence import PLAIN, Called, Noticed, Statement
from companion.watch.tracker import Belief

PATIENCE = 2 * SECOND  # how long a ruling waits for what else is under the same arms
LEGAL = 0.93  # so likely a play must be legal before that is told ...
ILLEGAL = 0.03  # ... and so unlikely before it is called: an honest player who is called has more to lose
SURELY_LEGAL = N_("It is {percent} sure that it is legal. {sentence}")
SURELY_ILLEGAL = N_("It is {percent} sure that it is illegal. {sentence}")
UNDER_LEGAL = N_("A card that nobody saw may lie under it: then it is legal.")
UNDER_ILLEGAL = N_("A card that nobody saw may lie under it: then it is illegal.")
EARLIER_LEGAL = N_("It may have come at another moment: then it is legal.")
EARLIER_ILLEGAL = N_("It may have come at another moment: then it is illegal.")
HEARD = 10 * SECOND  # after a call; what is laid later was laid by people who know of it, and let the card lie


class Judging(OnTable):
    """If one order of what was laid under the same arms is legal, it is legal."""

    def __init__(self, seats: Mapping[str, str] | None = None) -> None:
        super().__init__(seats)
        self._stopped = 0  # the stamp of the newest Stop!

    @property
    def is_pondering(self) -> bool:
        """Whether a card has been seen on which nothing has been said yet."""
        return bool(self._held())

    def _judge(self) -> None:
        """Rule on what was laid, as soon as it is sure enough what came about."""
        while (held := self._held()) and self._decided(held, self._tracked().beliefs()):
            self._legal_after_all()
            if self._state.phase != "play":
                return

    def _decided(self, held: list[Play], beliefs: Mapping[int, Belief]) -> bool:
        """Whether one of them was ruled on, or given up; first what is legal as the match stands."""
        free = [play for play in held if not self._is_on_held(play)]
        free.sort(key=lambda play: not self._is_legal(play))
        for play in free:
            play.belief = beliefs.get(play.change.number, play.belief)  # what is settled is believed as it was
        return any(self._decide(play, play.belief) for play in free)

    def _decide(self, play: Play, belief: Belief | None) -> bool:
        if play.blind or belief is None:
            return self._decide_blindly(play)
        chance = max(belief.legal, 1 - belief.legal)
        play.evidence = replace(play.evidence, chance=chance, other=_doubt(belief, chance))
        if belief.legal >= LEGAL:
            return self._let_pass(play)
        if relied := self._relied_on(play):
            self._let_count(relied, play)
            return True
        if self._may_change(play) or self._waits_for_cell(play) or self._may_become_clear(play, belief):
            return False
        unknown = [cell for cell in sorted(IN_LINE[play.cell]) if not self._is_known(cell)]
        if unknown:
            self._line_unknown(play, unknown[0])
        elif belief.legal <= ILLEGAL and not is_legal(self._state.grid, play.cell, play.card):
            self._rule_in_time(play)
        else:
            self._leave_open(play, belief)
        return True

    def _may_become_clear(self, play: Play, belief: Belief) -> bool:
        """Whether what is laid next may tell; of a card that nobody saw it seldom does."""
        is_open = belief.legal > ILLEGAL and not _hides_another(belief)
        return is_open and self._stamp - play.evidence.stamp < PATIENCE

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
        elif self._reordered([play]):
            pass
        elif relied := self._relied_on(play):
            self._let_count(relied, play)
        else:
            self._stands(play)
        return True

    def _leave_open(self, play: Play, belief: Belief) -> None:
        """Nobody can know; what is said is why, and what lies there counts when nobody objects."""
        if _hides_another(belief):
            sentence = Sentence(
                "Cell {cell} was covered twice; I saw only the upper card, {card}.", cell=play.cell, card=play.card
            )
            legal = belief.deed if belief.deed.legal or belief.other is None else belief.other  # as it will count
            self._give_up(play, "covered-twice", sentence, hidden=legal.unseen)
        else:
            self._nobody_can_rule(play)

    def _line_unknown(self, play: Play, cell: int) -> None:
        sentence = Sentence(
            "I cannot rule on {card} on cell {cell}: what lies on cell {unknown}?",
            card=play.card,
            cell=play.cell,
            unknown=cell,
        )
        self._give_up(play, "line-unknown", sentence)

    def _is_legal(self, play: Play) -> bool:
        """Whether it is legal now, and nothing that surely came after it has been ruled on."""
        return is_legal(self._state.grid, play.cell, play.card) and not self._later(play)

    def _later(self, play: Play) -> list[Ruled]:
        """The newest moves from the first that surely came after this play."""
        for at, one in enumerate(self._tail):
            if play.happening.is_before(one.happening):
                return self._tail[at:]
        return []

    def _is_on_held(self, play: Play) -> bool:
        """Whether what it lies on has not been ruled on."""
        stack = self._stacks[play.cell - 1]
        at = stack.index(play.card)
        below = self._plays.get(stack[at - 1]) if at else None
        return below is not None and below.status == "held"

    def _waits_for_cell(self, play: Play) -> bool:
        """Whether what lies on a cell in line with it is not known just now, and it matters."""
        if self._stamp - play.evidence.stamp >= PATIENCE or self._is_legal(play):
            return False
        return not all(map(self._is_known, IN_LINE[play.cell]))

    def _reordered(self, held: list[Play]) -> bool:
        """Whether plays that were ruled on went behind one of these, because so all are legal."""
        held = [play for play in held if not play.tried or play.tried[-1] is not self._tail[-1]] if self._tail else []
        for play in held:
            play.tried = self._tail[-1:]
            for count in range(max(1, len(self._later(play))), len(self._overlapping(play)) + 1):
                tail = self._tail[-count:]
                order = legal_order(self._piles_of(tail[0].before), [*(one.happening for one in tail), play.happening])
                if order:
                    self._again(tail, play, order)
                    return True
        return False

    def _overlapping(self, play: Play) -> list[Ruled]:
        """The newest moves, from the first that was under arms at the same time as this play, or came after it."""
        first = next((at for at, one in enumerate(self._tail) if not one.happening.is_before(play.happening)), None)
        found = self._tail[first:] if first is not None else []
        while any(one.is_fixed for one in found):
            found = found[1:]
        return found

    def _again(self, tail: list[Ruled], play: Play | None, order: Sequence[Happening]) -> None:
        """Undo these moves and make them anew in another order, perhaps with one more among them."""
        known = {one.happening.card: one.play for one in tail if one.play}
        if play:
            known[play.card] = play
        for _ in tail:
            self._send(Undo(at=self._at()), None)
        self._state = tail[0].before
        del self._tail[-len(tail) :]
        plays = [known[one.card] for one in order if one.is_laid]
        for one in order:
            if one.is_laid:
                self._rule(known[one.card], plays)
            else:
                before, tail = self._state, self._tail
                self._make(TakeBack("", one.cell))
                self._tail = [*tail, Ruled(one, None, before)]

    def _rule_in_time(self, play: Play) -> None:
        """Rule on an illegal play as things stood when it was laid, not as they have become since."""
        later = self._later(play)
        if not later:
            self._rule(play)
        elif any(one.is_fixed for one in later):
            self._nobody_can_rule(play)
        else:
            self._again(later, play, [play.happening, *(one.happening for one in later)])

    def _stands(self, play: Play) -> None:
        """Nobody could see which came first; in one order it is legal, so it is legal."""
        sentence = Sentence(
            "{card} on cell {cell} was laid at the same time as another card: in one order it is legal, so it stands.",
            card=play.card,
            cell=play.cell,
        )
        self._do(Noticed(self._stamp, (play.cell,), "at-once", sentence))
        self._say_lies(play)

    def _relied_on(self, play: Play) -> list[Play]:
        """Cards that were called, and without which this one would be illegal: people count them, so the call was
        wrong, or they have agreed to let it pass."""
        around = IN_LINE[play.cell] | {play.cell}
        called = [
            one
            for one in self._plays.values()
            if one.is_called and one.cell in around and play.evidence.since - one.ruled_at >= HEARD
        ]
        for count in (1, 2):
            for some in combinations(called, count):
                if all(self._is_below_or_top(one, play) for one in some) and self._is_legal_with(play, some):
                    return list(some)
        return []

    def _is_below_or_top(self, one: Play, play: Play) -> bool:
        """Whether nothing lies on it, but perhaps this play."""
        return [card for card in self._stacks[one.cell - 1] if card != play.card][-1:] == [one.card]

    def _is_legal_with(self, play: Play, counted: Sequence[Play]) -> bool:
        grid = list(self._state.grid)
        for one in counted:
            grid[one.cell - 1] = one.card
        return is_legal(tuple(grid), play.cell, play.card)

    def _let_count(self, relied: Sequence[Play], play: Play) -> None:
        newer = play.card
        for one in relied:
            if one.card in self._plays:  # not thought over already, with another of them
                sentence = Sentence(
                    "{card} was called on cell {cell}, but {newer} counts on it: it stands.",
                    card=one.card,
                    cell=one.cell,
                    newer=newer,
                )
                self._do(Noticed(self._stamp, (one.cell,), "relied-on", sentence))
                self._say_lies(one)
        self._tracker = None  # it is known now what counts

    def _think_again(self, cell: int, counting: str, since: int) -> None:
        """What has been called since then was called against a table on which this card did not count, and it did."""
        for play in list(self._plays.values()):
            if not self._was_called_since(play, since):
                continue
            play.against = (*play.against[: cell - 1], counting, *play.against[cell:])
            if self._top(play.cell) == play.card and is_legal(play.against, play.cell, play.card):
                sentence = Sentence(
                    "{card} on cell {cell} is legal, now that {counting} counts: it stands.",
                    card=play.card,
                    cell=play.cell,
                    counting=counting,
                )
                self._do(Noticed(self._stamp, (play.cell,), "relied-on", sentence))
                self._say_lies(play)

    def _was_called_since(self, play: Play, since: int) -> bool:
        """Whether it is a call of that time that has not been settled meanwhile."""
        is_open = play.card in self._plays and play.is_called and bool(play.against)
        return is_open and play.evidence.stamp >= since

    def _nobody_can_rule(self, play: Play) -> None:
        sentence = Sentence(
            "{card} on cell {cell} was laid at the same time as others: nobody can rule on it.",
            card=play.card,
            cell=play.cell,
        )
        self._do(Noticed(self._stamp, (play.cell,), "too-late", sentence))
        self._say_lies(play)

    def _may_change(self, play: Play) -> bool:
        """Whether something in line with it has been under arms since before it settled."""
        if self._stamp - play.evidence.stamp >= PATIENCE:
            return False
        return any(self._is_hiding(cell, play.evidence.stamp) for cell in IN_LINE[play.cell])

    def _is_hiding(self, cell: int, stamp: int) -> bool:
        """Whether something that nobody has seen yet may have been laid on a cell before this stamp."""
        eye = self._eyes[cell]
        return not eye.is_clear and eye.turned <= stamp and eye.seen < stamp

    def _give_up(self, play: Play, code: str = "", sentence: str = "", hidden: int = 0) -> None:
        play.status, play.hidden, play.since = "odd", hidden, self._stamp
        if code:
            way_back = Sentence("Take your hands off for two seconds, or touch cell {cell}.", cell=play.cell)
            self._out_of_step(play.cell, code, sentence, way_back)

    def _rule(self, play: Play, order: Sequence[Play] = ()) -> None:
        """Have the referee rule on a play; a refused one stays on the table until it is taken back."""
        cards = tuple(one.card for one in order) if len(order) > 1 else ()
        evidence = replace(play.evidence, held=self._stamp - play.evidence.stamp, order=cards)
        play.evidence = evidence
        before = self._state
        move = Lay("", play.cell, play.card)
        try:
            self._state = triple3.rule(self._state, replace(move, at=self._match.now)).state
        except Foul as foul:
            self._send(move, evidence)
            play.status, play.since = "called", self._stamp
            if foul.code == "no-new-triple":
                play.against = before.grid
                self._do(
                    Called(self._stamp, play.cell, play.card, foul.sentence, evidence, before.grid),
                )
            else:
                self._give_up(play, foul.code, foul.sentence)
            return
        self._send(move, evidence)
        self._plays.pop(play.card, None)
        self._tail = [*self._tail, Ruled(play.happening, play, before)][-REMEMBERED:]
        self._say_what_is_under(play)

    def _say_what_is_under(self, play: Play) -> None:
        stack = self._stacks[play.cell - 1]
        if play.card not in stack:
            return  # it has been taken away meanwhile
        under = stack[stack.index(play.card) - 1]
        if under in self._plays and self._plays[under].is_called:
            sentence = Sentence(
                "{under}, which was called, may still lie under {card} on cell {cell}: take it out.",
                under=under,
                card=play.card,
                cell=play.cell,
            )
            self._do(Noticed(self._stamp, (play.cell,), "called-below", sentence))

    def _legal_after_all(self) -> bool:
        """Whether something that was found illegal is legal, because it came after another card under the same arms."""
        if not self._tail:
            return False
        newest = self._tail[-1].happening
        for play in self._plays.values():
            if play.is_called and play.happening.overlaps(newest) and self._is_legal(play):
                self._rule(play, (play,))
                return True
        for count in range(2, len(self._tail) + 1):
            tail = self._tail[-count:]
            first = tail[0]
            if any(one.is_fixed for one in tail):
                return False
            if first.happening.overlaps(newest) and self._was_illegal(first):
                order = legal_order(self._piles_of(first.before), [one.happening for one in tail])
                if order:
                    self._again(tail, None, order)
                    return True
        return False

    def _was_illegal(self, ruled: Ruled) -> bool:
        one = ruled.happening
        return one.is_laid and not is_legal(ruled.before.grid, one.cell, one.card)

    def _judge_before_stop(self) -> None:
        """Cards that were on their way when somebody called Stop! are ruled on as laid before it."""
        line = self._match.line
        played = (at for at in range(len(line) - 1, 0, -1) if line[at - 1].ruling.state.phase == "play")
        stop = next(played, 0)  # Stop!, or a claim to be out for which cards are looked at
        held = [play for play in self._held() if play.evidence.since < self._stopped]
        if not held or not stop or any(isinstance(act, Statement) for act in self._acts):
            return
        acts, state, since = self._acts, self._state, [done.move for done in line[stop:]]
        self._acts, self._state = [], line[stop - 1].ruling.state
        self._judge()
        if not self._acts:
            self._acts, self._state = acts, state
            return
        undone = [Statement(self._stamp, Undo(at=self._at())) for _ in since]
        self._acts = [*acts, *undone, *self._acts]
        if self._state.phase == "play":
            tail = self._tail
            for move in since:
                self._make(replace(move, at=0))
            self._tail = tail

    def _say_lies(self, play: Play) -> None:
        move = Lies("", play.cell, play.card, play.hidden)
        if play.hidden:
            stack = self._stacks[play.cell - 1]
            stack.insert(stack.index(play.card), UNSEEN)
        del self._plays[play.card]
        if play.blind:
            self._tracker = None  # what nobody watched has no hypothesis: what lies there counts
        before, tail = self._state, self._tail
        if self._make_or_say(move, play.cell, play.evidence):
            self._tail = [*tail, Ruled(play.happening, play, before, is_fixed=True)][-REMEMBERED:]
            if play.against:
                self._think_again(play.cell, play.card, play.evidence.stamp)


def _hides_another(belief: Belief) -> bool:
    return bool(belief.deed.unseen or (belief.other and belief.other.unseen))


def _doubt(belief: Belief, chance: float) -> str:
    """How sure the ruling is, and what may have been instead, if that is likely enough to be worth a word."""
    other = belief.other
    if other is None or other.legal is None or chance >= PLAIN:
        return ""
    if other.unseen and not belief.deed.unseen:
        story = UNDER_LEGAL if other.legal else UNDER_ILLEGAL
    else:
        story = EARLIER_LEGAL if other.legal else EARLIER_ILLEGAL
    text = SURELY_LEGAL if belief.legal >= 0.5 else SURELY_ILLEGAL
    return Sentence(text, percent=f"{chance:.0%}", sentence=Sentence(story))
