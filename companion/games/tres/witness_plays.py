"""What lies in the columns becomes moves: plays, those that are refused, cards turned up, plays taken back."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.core.clocks import SECOND
from companion.core.record import move_plain
from companion.core.requests import Correct, Undo
from companion.core.rules import Foul
from companion.games.tres.rules import Deal, Draw, Fill, Play, Take, is_run
from companion.games.tres.witness_account import TABLE, TresAccount
from companion.games.tres.witness_columns import COUNTS, REFUSED, STILL, UNDONE, Column, SeenCard, SeenColumns
from companion.games.tres.witness_pile import ASKED, TresPile
from companion.games.tres.witness_turns import AT_ONCE, SURE, PlaySeen, ahead, told_otherwise, ways
from companion.games.tres.witness_words import (
    TWO_COLUMNS,
    cannot_be,
    card_gone,
    differs,
    drawn_and_two,
    due_first,
    who_plays,
)
from companion.watch.evidence import Evidence, Know, PutRight, Statement

if TYPE_CHECKING:
    from companion.core.rules import Move

ALONE = 7 * SECOND // 2  # a card that does not fit alone: another may still come to it
BACK = 6 * SECOND // 10  # cards are off, and that of the table lies there: they were taken back ...
THOUGHT_BETTER = 3 * SECOND  # ... and if they had counted, the table may still be swept up
FETCHED = 3 * SECOND  # before a card is turned up it is taken from the pile
GONE = 2 * SECOND  # a card of the table is off, and nothing was played with it
UNSURE = 9 * SECOND  # for whoever turns up the next card, which tells whose play it was
LEFT_OFF = 5 * SECOND  # what was swept up wrongly is not put back
UNFILLED = 3 * SECOND  # cards are played, and the table lacks one
CALLED = ("not-consecutive", "fill-first")  # what the rules may say of what was seen; anything else was seen wrongly


class Plays:
    """`seats` says which player sits at which side of the mat."""

    def __init__(self, account: TresAccount, columns: SeenColumns, pile: TresPile, seats: Mapping[str, str]) -> None:
        self._account, self._seen, self._pile, self._seats = account, columns, pile, seats

    # --- the match as it stands

    def as_the_match(self) -> None:
        """Which cards of its table lie in which column; others may have changed it."""
        left = list(self._account.state.table)
        columns = self._seen.columns.values()
        for column in columns:
            if column.card in left:
                left.remove(column.card)
            elif column.card:
                column.card = ""
                self._account.settled(column.number, *ASKED)
                if column.hand:
                    column.verdict, column.ruled = COUNTS, column.key
                else:
                    column.bare_at = 0
        for column in columns:
            face = self._seen.faces[column.number]
            if not column.card and face and face in left:
                left.remove(face)
                self._is_of_the_match(column, face)
        unread = [one for one in columns if not one.card and one.number in self._account.troubles]
        if len(left) == len(unread) == 1:
            (column,), (card,) = unread, left
            self._account.do(Know(self._account.stamp, column.number, card))
            self._seen.faces[column.number] = card
            self._is_of_the_match(column, card)

    def _is_of_the_match(self, column: Column, face: str) -> None:
        if column.number in self._account.troubles:
            self._pile.filled(self._account.troubles[column.number][1])
        column.card, column.turned_up, column.bare_at = face, None, 0
        self._account.step(column.number)
        if column.verdict == COUNTS and column.hand:
            column.verdict = UNDONE

    def answered(self, act: Statement, code: str) -> None:
        """What the referee said to a play."""
        if act.evidence is None:
            return
        column = self._seen.columns[(act.evidence.cell - 1) % len(self._seen.columns) + 1]
        if code:
            column.verdict, column.code, column.move = REFUSED, code, 0
        else:
            column.move = len(self._account.match.line)

    # --- column by column

    def due(self) -> None:
        columns = list(self._seen.columns.values())
        for column in sorted(columns, key=lambda one: one.since if one.hand else one.bare_at):
            self._column(column)
            if column.turned_up and not column.is_open:
                self._turned_up(column, column.turned_up)
        open_ones = [column for column in self._seen.with_hands() if self._is_still(column, SECOND)]
        if len(open_ones) > 1:
            self._account.out_of_step(TABLE, "two-columns", *TWO_COLUMNS)
        else:
            self._account.settled(TABLE, "two-columns")

    def _is_still(self, column: Column, span: int) -> bool:
        return self._seen.is_still(column, self._account.stamp - span)

    def _column(self, column: Column) -> None:
        self._tell_put_right(column)
        if column.verdict == COUNTS:
            self._counted(column)
        elif column.verdict:
            self._refused(column)
        if not column.verdict:
            self._open_column(column)

    def _tell_put_right(self, column: Column) -> None:
        """What was refused and is off."""
        for one in column.off:
            self._account.do(PutRight(self._account.stamp, one.place, one.card, self._account.stamp - one.by))
        column.off = []

    def _open_column(self, column: Column) -> None:
        """Nothing was ruled on what lies there."""
        if not column.hand:
            self._without_hand(column)
        elif column.is_swept:
            self._swept(column)
        elif not column.played:
            if self._is_still(column, BACK):
                column.remembered, column.lifted = column.lifted, {}
                self._account.settled(column.number, *ASKED)
        elif column.lifted and self._is_still(column, BACK):
            self._seen.put_back(column)
        elif self._is_whole(column):
            self._rule(column)

    def _is_whole(self, column: Column) -> bool:
        """Two cards are a play; one that does not fit is none, if no other comes to it."""
        others = [one for one in self._seen.with_hands() if one is not column]
        if not column.card or others or column.missed:
            return False
        if len(column.played) > 1:
            return self._is_still(column, STILL)
        (one,) = column.played.values()
        lies_long = self._account.stamp - one.by >= ALONE and self._is_still(column, ALONE)
        return lies_long and not is_run(column.card, one.card)

    def _swept(self, column: Column) -> None:
        """The card of the table is gone, with what was played."""
        if not self._is_still(column, STILL) and self._account.stamp - column.bare_at < GONE:
            return
        if column.missed:
            self._account.out_of_step(column.number, "card-gone", *card_gone(column.card, column.number))
        elif column.card:
            self._rule(column)

    def _without_hand(self, column: Column) -> None:
        if not column.card or not (column.bare_at or column.turned_up):
            self._account.settled(column.number, "card-gone")
        elif self._seen.remembers(column, self._account.stamp):
            column.lifted, column.remembered = column.remembered, {}
        elif column.bare_at and self._account.stamp - column.bare_at >= GONE and self._is_still(column, GONE):
            self._account.out_of_step(column.number, "card-gone", *card_gone(column.card, column.number))

    def _counted(self, column: Column) -> None:
        """It is swept up, or taken back."""
        if column.played:
            return
        if column.bare_at or column.turned_up:
            self._seen.begin_anew(column)
        elif column.lifted and self._is_still(column, THOUGHT_BETTER) and self._is_newest(column):
            number = column.move
            self._seen.begin_anew(column)
            self._account.take_back(number)

    def _is_newest(self, column: Column) -> bool:
        """It stands in the match as it was said, and nothing but what goes without hands came after it."""
        line = self._account.match.line
        return 0 < column.move <= len(line) and isinstance(line[column.move - 1].move, Play)

    def _refused(self, column: Column) -> None:
        """It is taken back, or something else is played instead."""
        added = {(one.place, one.card) for one in column.played.values()} - column.ruled
        may_count = column.code == "fill-first" and self._account.state.phase == "turn" and column.hand
        if added or may_count:
            column.verdict = column.code = ""
        elif not column.played and not (column.bare_at or column.turned_up) and self._is_still(column, BACK):
            column.off += column.hand.values() if column.verdict == REFUSED else ()
            self._account.settled(column.number, "card-gone")
            self._seen.begin_anew(column)
        elif column.bare_at and self._account.stamp - column.bare_at >= LEFT_OFF:
            self._account.out_of_step(column.number, "card-gone", *card_gone(column.card, column.number))

    # --- a play

    def _rule(self, column: Column) -> None:
        cards = [column.hand[place] for place in sorted(column.hand)]
        if not self._has_turn(column, cards):
            return
        turn = self._account.state.turn
        move = Play(turn, column.card, tuple(one.card for one in cards))
        ruled = self._account.outcome(move)
        if isinstance(ruled, Foul) and ruled.code not in CALLED:
            self._account.out_of_step(column.number, "cannot-be", *cannot_be(column.card, ruled.sentence))
            return
        self._account.settled(column.number, *ASKED)
        newest = max(cards, key=lambda one: one.by)
        column.ruled = column.key
        column.verdict = REFUSED if isinstance(ruled, Foul) else COUNTS
        column.code = ruled.code if isinstance(ruled, Foul) else ""
        self._account.say(move, newest.by, self._evidence(newest, cards))
        if column.verdict == COUNTS:
            column.card = ""
            self._pile.played()

    def _evidence(self, seen: SeenCard, cards: Sequence[SeenCard]) -> Evidence:
        arms = tuple(dict.fromkeys(side for one in cards for side in one.arms))
        since = min(one.since for one in cards)
        return Evidence(
            seen.place, seen.card, seen.before, seen.after, since, seen.stamp, arms, self._player(arms), seen.by
        )

    def _player(self, arms: Sequence[str]) -> str:
        """Whose arms they were; nobody's where that is not known, or several were there."""
        players = {self._seats[side] for side in arms if side in self._seats}
        return next(iter(players)) if len(players) == 1 else ""

    def _has_turn(self, column: Column, cards: Sequence[SeenCard]) -> bool:
        """Whether it is the turn of whoever plays, once all is said that must have been before it; or that is asked."""
        account, state = self._account, self._account.state
        at = min(one.since for one in cards)
        if state.phase == "pay":
            return self._has_paid(column) and self._has_turn(column, cards)
        if state.phase == "fill":
            return account.stamp - at >= UNFILLED and self._lacks_a_card()
        filler = self._filler(column, max(one.by for one in cards))
        who = self._player([side for one in cards for side in one.arms])
        visited = self._pile.has_maybe_drawn()
        own, any_one = self._pile.chance_of_draw(state.turn)
        seen = PlaySeen(column.card, tuple(one.card for one in cards), who, filler, own, any_one)
        found = ways(state, seen)
        is_known = filler or account.stamp - max(one.by for one in cards) >= UNSURE
        if ahead(found) < AT_ONCE and not is_known:
            return False
        if ahead(found) < SURE or not found[0].is_legal:
            is_drawn = state.phase == "drawn" and len(cards) > 1
            asked = drawn_and_two(state.turn) if is_drawn else who_plays(column.card, state.turn)
            account.out_of_step(column.number, "drawn-and-two" if is_drawn else "who-plays", *asked)
            return False
        for move in found[0].moves:
            account.say(move, visited if isinstance(move, Draw) and visited else at)
        return True

    def _filler(self, column: Column, since: int) -> str:
        """Who turned up the card that lies there now."""
        seen = column.turned_up
        if seen is None:
            return ""
        return self._player(seen.arms) or self._pile.hand_between(since, seen.by)

    def _has_paid(self, column: Column) -> bool:
        """What is due was drawn, as far as anybody was at the pile; otherwise that is asked."""
        account, payer = self._account, self._account.state.dues[0].player
        if drawn_at := self._pile.has_maybe_drawn():
            account.say(Take(payer), drawn_at)
            return True
        account.out_of_step(column.number, "due", *due_first(payer, account.state.owed(payer)))
        return False

    def _lacks_a_card(self) -> bool:
        """All of the table is seen, and a place is bare."""
        return all(
            self._seen.faces[column.number] != "?" and not column.turned_up and self._is_still(column, STILL)
            for column in self._seen.columns.values()
        )

    # --- a card of the table

    def _turned_up(self, column: Column, seen: SeenCard) -> None:
        account, state = self._account, self._account.state
        if column.verdict == REFUSED:
            return
        if column.card:
            self._reads_otherwise(column, seen)
        elif state.phase == "fill":
            self._fill(column, seen)
        elif state.phase == "pay":
            if self._has_paid(column):
                self._turned_up(column, seen)
        elif account.stamp - seen.stamp >= GONE:
            account.out_of_step(column.number, "differs", *differs(column.number, seen.card, state.table))

    def _fill(self, column: Column, seen: SeenCard) -> None:
        account = self._account
        self._tell_otherwise(self._filler(column, seen.since - FETCHED))
        if account.state.phase != "fill":
            return  # something is due before
        move = Fill(account.state.turn, seen.card)
        ruled = account.outcome(move)
        if isinstance(ruled, Foul):
            account.out_of_step(column.number, "cannot-be", *cannot_be(seen.card, ruled.sentence))
            return
        account.settled(column.number, *ASKED)
        evidence = Evidence(
            seen.place, seen.card, seen.before, seen.after, seen.since, seen.stamp, seen.arms, by=seen.by
        )
        account.say(move, seen.by, evidence)
        column.card, column.turned_up, column.bare_at = seen.card, None, 0
        if column.verdict:
            self._seen.begin_anew(column)
        self._pile.filled(seen.by)

    def _tell_otherwise(self, filler: str) -> None:
        """Somebody else fills the table than who has the turn: then the play may have been another one's."""
        account = self._account
        if not filler or filler == account.state.turn or account.state is not account.match.state:
            return
        back, moves = told_otherwise(account.match.line, filler)
        if not moves:
            return
        for _ in range(back):
            account.send(Undo())
        account.state = account.match.line[-back - 1].ruling.state
        for move in moves:
            account.say(move, account.latest)

    def _reads_otherwise(self, column: Column, seen: SeenCard) -> None:
        """The match has another card there, which nobody has played: that was read wrongly, if nobody was there."""
        account = self._account
        if account.stamp - seen.stamp < SECOND // 2:
            return
        if seen.arms or column.bare_at:
            account.out_of_step(column.number, "differs", *differs(column.number, seen.card, account.state.table))
            return
        for number in range(len(account.match.line), 0, -1):
            move = account.match.line[number - 1].move
            if put := _with_card(move, column.card, seen.card):
                account.send(Correct(number, move_plain(put)))
                column.card, column.turned_up = seen.card, None
                return


def _with_card(move: "Move", read: str, card: str) -> "Move | None":
    """The move that brought a card to the table, with another one instead."""
    if isinstance(move, Fill) and move.card == read:
        return Fill(move.player, card, at=move.at)
    if isinstance(move, Deal) and read in move.table:
        at = move.table.index(read)
        return Deal(move.player, (*move.table[:at], card, *move.table[at + 1 :]), move.hands, at=move.at)
    return None
