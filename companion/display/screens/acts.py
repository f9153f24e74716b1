"""What can be done at a game's table, as buttons; and who begins, where the table says so."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.display.layout import Box, packed, rows
from companion.display.scene import Intent
from companion.display.screens.elements import Page
from companion.words import labels


@dataclass(frozen=True, slots=True)
class TableAct:
    """Something that can be done or chosen now."""

    label: str
    intent: Intent | None
    look: str = "plain"
    symbol: str = ""
    key: str = ""
    on: bool = False


def act_button(page: Page, box: Box, act: TableAct, **more: Any) -> None:
    page.button(box, act.label, act.intent, look=act.look, symbol=act.symbol, key=act.key, on=act.on, **more)


def who_begins(page: Page, body: Box, begins: Mapping[str, Intent | None], across: int) -> None:
    """Everybody at the table, with what it means to touch one of them."""
    m = page.m
    title, rest = rows(body, m.of(14), 1.0, gap=m.gap)
    page.text(title, page.words.say(labels.WHO_BEGINS), m.of(9))
    cells = packed(rest, len(begins), across, m.of(30), m.gap)
    for number, (player, cell) in enumerate(zip(begins, cells, strict=True), 1):
        badge = page.view.match.colours[player]
        page.button(cell, player, begins[player], badge=badge, size=m.of(9), key=str(number), lines=3)
