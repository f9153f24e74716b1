"""The grid and the leftovers as they are laid out before a round, seen cell by cell, until they add up to a deal."""

from collections.abc import Sequence

from companion.games.triple3.rules import CELLS, DECK, TO_DEAL, Deal, Leftover


class Dealing:
    """One laying out. `old` are the piles of the round before, which lie there until they are cleared away.

    With `covered` the leftovers were laid before anybody looked, and lie under the nine cards that are seen.
    """

    def __init__(
        self, deals: tuple[int, ...], players: int, *, covered: bool = False, old: Sequence[Sequence[str]] = ()
    ) -> None:
        self.deals = deals or (TO_DEAL // players,) * players
        self.stacks: list[list[str]] = []  # nine, once the grid has been seen
        self._given = deals
        self._covered = covered
        self._old = [set(pile) for pile in old]
        self._fresh: dict[int, str] = {}  # cells that show a card of the new grid, as far as can be told
        self._changed: set[int] = set()
        self._asked = False

    @property
    def leftovers(self) -> int:
        """How many cards lie on the grid besides the nine."""
        return len(DECK) - len(CELLS) - sum(self.deals)

    @property
    def missing(self) -> int:
        """How many leftovers have not been seen yet."""
        return self.leftovers - sum(map(len, self.stacks)) + len(self.stacks)

    @property
    def deal(self) -> Deal | None:
        """As soon as it adds up."""
        if not self.stacks or (self.missing and not self._covered) or self.missing < 0:
            return None
        return self.deal_now

    @property
    def deal_now(self) -> Deal | None:
        """With the leftovers that have not been seen as hidden ones: somebody said that all lie there."""
        cards = [card for stack in self.stacks for card in stack]
        if not cards or self.missing < 0 or len(set(cards)) < len(cards):
            return None
        grid = tuple(stack[0] for stack in self.stacks)
        laid = tuple(Leftover(cell, card) for cell, stack in zip(CELLS, self.stacks, strict=True) for card in stack[1:])
        return Deal("", grid, laid, self._given, self.missing)

    @property
    def wants_a_look(self) -> bool:
        """Whether most of the old grid is gone, so that all nine should be read anew; asked for once."""
        wanted = bool(self._old) and not self.stacks and not self._asked and len(self._changed) > len(CELLS) // 2
        self._asked = self._asked or wanted
        return wanted

    def grid_seen(self, cards: Sequence[str]) -> None:
        """All nine at once."""
        if [stack[-1] for stack in self.stacks] == list(cards):
            return
        still_old = sum(card in pile for card, pile in zip(cards, self._old, strict=False))
        if still_old <= len(CELLS) // 2 and len(set(cards)) == len(CELLS):
            self.stacks = [[card] for card in cards]

    def card_seen(self, cell: int, card: str, *, misread: bool = False) -> None:
        if not self.stacks:
            self._part_seen(cell, card)
            return
        stack = self.stacks[cell - 1]
        if misread:
            stack[-1] = card
        elif card in stack:
            del stack[stack.index(card) + 1 :]
        else:
            self._lifted(card)
            stack.append(card)

    def no_card(self, cell: int) -> None:
        """The cell shows no card: the table is being cleared, or a card of the grid was lifted."""
        self._changed.add(cell)
        if self._old:
            self._old[cell - 1] = set()
        self._fresh.pop(cell, None)
        if self.stacks and len(self.stacks[cell - 1]) == 1:
            self._fresh = {one: stack[0] for one, stack in zip(CELLS, self.stacks, strict=True) if one != cell}
            self.stacks = []

    def _part_seen(self, cell: int, card: str) -> None:
        if self._old and card in self._old[cell - 1]:
            return
        self._changed.add(cell)
        self._fresh = {one: other for one, other in self._fresh.items() if other != card} | {cell: card}
        if len(self._fresh) == len(CELLS):
            self.stacks = [[self._fresh[one]] for one in CELLS]

    def _lifted(self, card: str) -> None:
        """A leftover that lies on another cell now."""
        for stack in self.stacks:
            if card in stack[1:]:
                stack.remove(card)
