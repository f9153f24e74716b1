"""Out of step and back: what cannot be ruled on is said to lie there, once nothing moves and nobody has objected."""

from companion.core.clocks import SECOND
from companion.core.rules import UNSEEN
from companion.games.triple3.rules import CELLS, Lies
from companion.games.triple3.witness_account import Account
from companion.games.triple3.witness_plays import IN_LINE, Play
from companion.games.triple3.witness_table import SeenTable
from companion.games.triple3.witness_words import (
    AS_IT_WAS,
    COVERED_OVER,
    EYES_BACK,
    HANDS_OFF,
    OTHER_DECK,
    Wrong,
    bare,
    called_stays,
    differs,
    left_lying,
)
from companion.watch.evidence import InStep, LookAgain

CLEAR = 2 * SECOND  # hands off for so long, and what lies there counts
KNOCKED = 3 * SECOND  # a card that slid to another cell may be put back for so long
HEEDED = 15 * SECOND  # within which people take back what was called
MANY = 3  # cells that show no card are told as one
BARE = "bare"  # the code of that


class Settling:
    """Keeps the match and the table together."""

    def __init__(self, account: Account, table: SeenTable) -> None:
        self.lost: dict[str, int] = {}  # what is wrong with the whole table, since when
        self.grid_awaited = False
        self._bare: list[int] = []  # cells that have just been seen without a card
        self._account, self._table = account, table

    def say_lies(self, play: Play) -> None:
        """It lies there, however it came there."""
        table, move = self._table, Lies("", play.cell, play.card, play.hidden)
        if play.hidden:
            stack = table.stacks[play.cell - 1]
            stack.insert(stack.index(play.card), UNSEEN)
        del table.plays[play.card]
        if play.blind:
            table.tracker = None  # what nobody watched has no hypothesis: what lies there counts
        self._account.make_among(move, play.happening, play, play.evidence)

    def settle(self) -> None:
        """Say what lies there, where nobody can know how it came there and nobody has objected."""
        for play in list(self._table.plays.values()):
            if self._table.plays.get(play.card) is not play:
                continue  # it counts already, with another one
            if play.status == "moved":
                self._settle_moved(play)
            elif play.status == "called":
                self._settle_called(play)
            elif self._is_due(play):
                if play.status == "stays":  # what was called and counts all the same is not counted without a word
                    self._account.do(left_lying(self._account.stamp, play))
                self.say_lies(play)
                self._table.learn_that_it_counts(play)

    def _is_due(self, play: Play) -> bool:
        """Whether it is to be said now that it lies there; not of what was called, while people settle just that."""
        if play.status == "stays":
            return self._account.state.phase == "play" and self._is_at_rest(play)
        return play.status == "odd" and (self._is_at_rest(play) or self._is_in_the_way(play))

    def _settle_called(self, play: Play) -> None:
        """A card that was called and that nobody takes back: people go on as if it counted, and so must the match."""
        account, table = self._account, self._table
        lies = table.top(play.cell) == play.card and table.eyes[play.cell].is_clear
        if lies and account.state.phase == "play" and account.stamp - play.since >= HEEDED:
            play.status, play.since = "stays", account.stamp
            account.out_of_step(play.cell, called_stays(play))

    def _settle_moved(self, play: Play) -> None:
        """A card that slid here from another cell: there are some seconds to put it back."""
        account, table = self._account, self._table
        other = table.eyes[play.came_from] if play.came_from else None
        if other and other.is_clear and other.look and other.look.card == play.card and not play.blind:
            table.stacks[play.cell - 1].remove(play.card)
            table.stacks[play.came_from - 1].append(play.card)
            del table.plays[play.card]
            table.impossible(play.cell, play.card, play.came_from)
            return
        is_over = account.stamp - play.since >= KNOCKED
        is_clear = bool(other and other.is_clear)
        if play.came_from and not play.is_told and not play.blind and (is_over or is_clear):
            table.say_knocked(play)
        if is_over:
            self.say_lies(play)
            table.learn_that_it_counts(play)

    def _is_at_rest(self, play: Play) -> bool:
        eye = self._table.eyes[play.cell]
        rests = eye.is_clear and self._account.stamp - max(eye.turned, play.since) >= CLEAR
        return play.blind or bool(play.came_from) or rests

    def _is_in_the_way(self, play: Play) -> bool:
        """Whether the ruling on another play hangs on what lies here."""
        touched = IN_LINE[play.cell] | IN_LINE.get(play.came_from, frozenset()) | {play.cell, play.came_from}
        return self._table.eyes[play.cell].is_clear and any(other.cell in touched for other in self._table.held())

    def compare(self) -> None:
        """A cell that has been clear for a while must show what the match has there."""
        account, table = self._account, self._table
        sliding = {play.came_from for play in table.plays.values()}
        for cell in CELLS:
            eye = table.eyes[cell]
            if cell in sliding or cell in account.troubles or account.stamp - eye.turned < CLEAR or not eye.is_clear:
                continue
            if table.match_agrees(cell) or any(card in table.plays for card in table.stacks[cell - 1]):
                continue
            top = table.top(cell)
            account.out_of_step(cell, differs(cell, top))
            if account.state.piles[cell - 1][-1].card != top:
                account.make_or_say(Lies("", cell, top), cell)

    def lose(self, code: str, sentence: str, way_back: str = "") -> None:
        self.lost[code] = self._account.stamp
        self._account.out_of_step(0, Wrong(code, sentence, way_back or (HANDS_OFF if code == "covered" else EYES_BACK)))

    def found_again(self, code: str) -> None:
        if self.lost.pop(code, None) is None or self.lost:
            return
        if code != "covered":
            self.grid_awaited = True
            self._account.do(LookAgain(self._account.stamp, ()))

    # --- cells without a card

    def no_card(self, cell: int) -> None:
        self._table.eyes[cell].readable = False
        self._bare.append(cell)

    def tell_bare(self) -> None:
        """Of cells that show no card; of many at once in one sentence: they were cleared, or covered."""
        found, self._bare = self._bare, []
        looks = {cell: eye.look for cell, eye in self._table.eyes.items() if eye.look and eye.look.card is None}
        if BARE in self.lost:
            if not looks:
                self.found_again(BARE)
        elif len(looks) >= MANY:
            states = {look.state for look in looks.values()}
            self.lose(BARE, OTHER_DECK if states == {"foreign"} else COVERED_OVER, AS_IT_WAS)
        else:
            for cell in found:
                look = self._table.eyes[cell].look
                self._account.out_of_step(cell, bare(cell, look.state if look else "empty", self._table.top(cell)))

    # --- in step again

    def back_in_step(self) -> None:
        account = self._account
        for cell, trouble in list(account.troubles.items()):
            if self._is_in_step(cell):
                del account.troubles[cell]
                cells = (cell,) if cell else ()
                account.do(InStep(account.stamp, cells, trouble.code, account.stamp - trouble.since))

    def _is_in_step(self, cell: int) -> bool:
        table = self._table
        if self._account.state.phase not in ("play", "stopped") and not self.lost:
            return True
        if not cell:
            return not self.lost and not self.grid_awaited and all(eye.is_clear for eye in table.eyes.values())
        top = table.top(cell)
        is_settled = top not in table.plays or table.plays[top].status in ("held", "called", "aside")
        return is_settled and table.is_known(cell) and table.match_agrees(cell)
