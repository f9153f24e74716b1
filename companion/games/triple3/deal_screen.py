"""The deal of Triple³: the nine cards are shown, and how many cards each player was dealt."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.display.layout import Box, columns, grid, packed, rows
from companion.display.scene import Badge, Intent, Mark, Say
from companion.display.screens.elements import Page
from companion.games.triple3 import dispute_screen as dispute
from companion.games.triple3 import words as own
from companion.games.triple3.grid_screen import draw_cell, lies_there, stepper
from companion.games.triple3.rules import CELLS, TO_DEAL, Deal, Leftover, State
from companion.words import labels


def halves(page: Page, body: Box) -> tuple[Box, Box]:
    """Where the grid lies, and what is beside or below it."""
    m = page.m
    if m.wide:
        board, beside = columns(body, min(body.h, body.w // 2), 1.0, gap=m.gap)
    else:
        board, beside = rows(body, min(body.w, body.h - m.of(76)), 1.0, gap=m.gap)
    return board, beside


@dataclass(frozen=True, slots=True)
class _Dealing:
    """What has been shown of a deal: cards with their cells, the lowest first."""

    cards: tuple[tuple[int, str], ...]
    deals: tuple[int, ...]
    at: int  # the cell that is shown next; 0: the first empty one
    above: bool  # the next card is a leftover on what lies there

    @property
    def grid(self) -> dict[int, str]:
        """The lowest cards."""
        found: dict[int, str] = {}
        for cell, card in self.cards:
            found.setdefault(cell, card)
        return found

    @property
    def leftovers(self) -> tuple[Leftover, ...]:
        lowest = set(self.grid.items())
        return tuple(Leftover(cell, card) for cell, card in self.cards if (cell, card) not in lowest)

    @property
    def next(self) -> int:
        return self.at or next((cell for cell in CELLS if cell not in self.grid), 0)

    def with_(self, card: str) -> tuple[tuple[int, str], ...]:
        """One card more; in the place of the top one of its cell, unless it is a leftover on that."""
        cards = list(self.cards)
        if not self.above:
            above = [place for place, (cell, _) in enumerate(cards) if cell == self.next]
            if above:
                cards[above[-1]] = (self.next, card)
                return tuple(cards)
        return (*cards, (self.next, card))

    @property
    def move(self) -> Deal | None:
        """Cards that nobody has shown and nobody was dealt lie hidden under the others."""
        if len(self.grid) < len(CELLS):
            return None
        grid_ = tuple(self.grid[cell] for cell in CELLS)
        hidden = TO_DEAL - len(self.leftovers) - sum(self.deals)
        return Deal("", grid_, self.leftovers, self.deals, max(0, hidden))


def _dealing(marks: Mapping[str, Any], state: State) -> _Dealing:
    share = TO_DEAL // len(state.players)
    deals = marks.get("deals") or (state.deals if state.phase == "ready" else (share,) * len(state.players))
    cards, at, above = marks["deal"]
    return _Dealing(cards, tuple(deals), at, above)


def deal_page(page: Page, body: Box, state: State) -> None:
    m, words = page.m, page.words
    dealing = _dealing(page.view.marks, state)
    board, beside = halves(page, body)
    _dealt_grid(page, board, dealing)
    title, middle, acts = rows(beside, m.of(8), 1.0, m.of(12), gap=m.gap)
    if page.view.marks.get("handicap"):
        page.text(title, words.say(own.HANDICAP), m.of(5.6), align="left")
        _deals(page, middle, state, dealing)
    else:
        page.text(title, _asks(page, dealing), m.of(4.8), align="left", lines=2)
        shown = {card for _, card in dealing.cards}
        dispute.picker(page, middle, lambda card: _shows(dealing, card) if card not in shown else None)
    _deal_acts(page, acts, dealing)


def _asks(page: Page, dealing: _Dealing) -> str:
    if dealing.next:
        return page.words.say("Touch the card that lies on cell {cell}.", cell=dealing.next)
    hidden = TO_DEAL - len(dealing.leftovers) - sum(dealing.deals)
    if hidden > 0:
        return page.words.say("Leftovers not shown: {count}. Touch a cell to show one.", count=hidden)
    return page.words.say("The deal is complete.")


def _shows(dealing: _Dealing, card: str) -> Intent | None:
    return Mark("deal", (dealing.with_(card), 0, False)) if dealing.next else None


def _dealt_grid(page: Page, box: Box, dealing: _Dealing) -> None:
    for cell, place in zip(CELLS, grid(box, 9, 3, page.m.gap, down=3), strict=True):
        here = [card for at, card in dealing.cards if at == cell]
        on = cell == dealing.next
        intent = Mark("deal", (dealing.cards, 0 if cell == dealing.at else cell, False))
        draw_cell(page, place, cell, intent, on=on)
        lies_there(page, place, here[-1] if here else "", len(here))


def _deals(page: Page, box: Box, state: State, dealing: _Dealing) -> None:
    """How many cards each player was dealt."""
    m = page.m
    lines = packed(box, len(state.players), 1, m.of(14), m.gap)
    for seat, (player, line) in enumerate(zip(state.players, lines, strict=True)):
        count = dealing.deals[seat]
        badge, rest = columns(line, m.of(8), 1.0, gap=m.gap)
        page.add(Badge(badge.middle(m.of(8), m.of(8)), page.view.match.colours[player]))

        def to(number: int, seat: int = seat) -> Intent:
            return Mark("deals", (*dealing.deals[:seat], number, *dealing.deals[seat + 1 :]))

        stepper(page, rest, page.words.told_of(player, count), to, (1, count, TO_DEAL))


def _deal_acts(page: Page, box: Box, dealing: _Dealing) -> None:
    m, words = page.m, page.words
    above, handicap, deal = columns(box, 1.0, 1.0, 1.2, gap=m.gap)
    on_it = dealing.at in dealing.grid
    intent = Mark("deal", (dealing.cards, dealing.at, not dealing.above)) if on_it else None
    page.button(above, words.say("Leftover"), intent, on=dealing.above, key="l")
    open_ = bool(page.view.marks.get("handicap"))
    page.button(
        handicap,
        words.say(own.HANDICAP),
        Mark("handicap") if open_ else Mark("handicap", value=True),
        on=open_,
        key="h",
    )
    move = dealing.move
    page.button(deal, words.say(labels.DEAL), Say(move) if move else None, look="main", key="d", size=m.of(6.4))
