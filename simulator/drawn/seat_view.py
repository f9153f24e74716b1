"""What is seen of the drawn table: the seats around it with their buttons and hands, and the game in the middle."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, reduce
from typing import Any

from companion.core.button_meanings import TOKEN
from companion.display.layout import Box, Measure, Size, columns, measure, rows
from companion.display.scene import Art, Badge, Go, PanelItem, Scene, Symbol
from companion.display.screens.elements import Page
from companion.display.theme import Ink, theme
from companion.display.view import Prefs, Seen, View
from companion.games import NAMES
from companion.words import Words, labels
from hardware.panel import Key, Light
from simulator.drawn.card_faces import back
from simulator.drawn.items import Banner, Cloth, HandOf, Lamp, LeaveRound, PressKey, Spot, Swap, Thing
from simulator.drawn.sitters import Sitting, shine_at
from simulator.drawn.spread import Picked, Sight, Spread, fan

CLOSE = 0.62  # this is looked at from nearer than a display: so much smaller
FELT: Ink = (22, 74, 62)
FELT_EDGE: Ink = (92, 62, 38)
NARROW = 46  # hundredths: a seat that is narrower shows no cards, only how many there are
BACKS = 9  # cards of somebody else's hand that are drawn


@dataclass(frozen=True)
class Standing:
    """Everything that the picture follows from."""

    size: Size
    words: Words
    prefs: Prefs
    seen: Seen | None
    spread: Spread | None
    sitting: Sitting | None
    me: str
    picked: Picked
    lights: Mapping[Key, Light]
    down: frozenset[Key]
    now: int
    dragged: tuple[Thing, int, int] | None
    extra: tuple[Any, ...] = ()
    status: Light = Light.OFF  # of the lamp in the middle
    banner: Banner | None = None  # in a guided round
    shines: dict[Key, int] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "shines", {key: shine_at(light, self.now) for key, light in self.lights.items()})

    @property
    def token(self) -> int:
        """How bright the token in the middle shines."""
        return shine_at(self.status, self.now)

    @property
    def key(self) -> tuple[Any, ...]:
        """The same key, the same picture."""
        return (
            self.size,
            self.words.language,
            self.prefs.theme,
            (self.seen.table, self.seen.paused) if self.seen else 0,
            (id(self.spread), self.spread.version) if self.spread else None,
            self.sitting,
            self.me,
            self.picked,
            tuple(self.shines.items()),
            self.down,
            self.token,
            self.dragged,
            self.extra,
            self.banner,
        )


class Near(View):
    """Somebody who sits at the window."""

    @cached_property
    def m(self) -> Measure:
        found = measure(self.size)
        return Measure(max(1.0, found.unit * CLOSE), found.wide)


def scene_of(standing: Standing) -> Scene:
    view = Near(standing.size, standing.words, "beside", standing.me, prefs=standing.prefs, seen=standing.seen)
    page = Page(view)
    whole = view.screen_box
    page.add(
        Cloth(whole, FELT_EDGE, None, 0, 0), Cloth(whole.inset(max(4, view.m.edge // 2)), FELT, None, 0, view.m.of(2))
    )
    inside = whole.inset(view.m.edge)
    head, body = rows(inside, view.m.of(5), 1.0, gap=view.m.gap)
    page.text(
        head, view.words.say("Simulated: keys and the mouse stand in for buttons and cards."), view.m.small, "on-black"
    )
    if standing.spread is None or standing.sitting is None or standing.seen is None:
        _nothing(page, body)
    else:
        _table(page, body, standing, standing.spread, standing.sitting)
    if standing.dragged and standing.spread:
        _dragged(page, standing.spread, standing.dragged)
    return Scene(standing.size, tuple(page.items), tuple(page.over))


def _nothing(page: Page, box: Box) -> None:
    """Nobody plays yet."""
    m = page.m
    art, text = rows(box.inset(m.edge), 1.0, m.of(30), gap=m.gap)
    count = len(NAMES)
    side = min(art.h, (art.w - (count - 1) * m.gap) // count)
    cells = columns(art.middle(count * side + (count - 1) * m.gap, side), *(1.0,) * count, gap=m.gap)
    for name, cell in zip(NAMES, cells, strict=True):
        page.panel(cell, "panel", "line", intent=Go("players", name))
        page.add(Art(cell.inset(m.edge), name))
    said = page.words.say("Choose a game: its table is laid here, and bots play with you.")
    page.text(text, said, m.large, "on-black", lines=3)


def _table(page: Page, box: Box, standing: Standing, spread: Spread, sitting: Sitting) -> None:
    m = page.m
    others = [name for name in spread.names if name != standing.me]
    theirs, mine = spread.deep
    deep = m.of(29) if standing.banner else m.of(6)
    above, middle, hint, own = rows(box, m.of(theirs) if others else 1, 1.0, deep, m.of(mine), gap=m.gap)
    seats = columns(above, *(1.0,) * len(others), gap=m.gap) if others else []
    for name, cell in zip(others, seats, strict=True):
        _other(page, cell, name, standing, spread, sitting)
    if standing.banner:
        _banner(page, hint, standing.banner)
    else:
        page.text(hint, _hint(page, standing.me, spread, sitting), m.body, "yellow")
    plate, hand = columns(own, m.of(40), 1.0, gap=m.gap)
    _mine(page, plate, standing, spread, sitting)
    beside = tuple(zip(others, seats, strict=True))
    spread.draw(Sight(page, middle, hand.inset(m.gap), standing.me, standing.picked, beside, standing.token))
    if standing.banner:
        _lights(page, standing.banner)


def _banner(page: Page, box: Box, banner: Banner) -> None:
    """What has happened, what is to be done, how far it is, and the way out."""
    m = page.m
    page.add(PanelItem(box, "notice", "", 0, m.of(2)))
    words, way = columns(box.inset(m.edge), 1.0, m.of(34), gap=2 * m.gap)
    told, asks = rows(words, m.of(8), 1.0, gap=m.gap // 2)
    if banner.told:
        sign, text = columns(told, m.of(5), 1.0, gap=m.gap)
        page.add(Symbol(sign.shaped(1, 1), "no" if banner.is_refused else "check", "on-notice"))
        page.text(text, banner.told, m.small, "on-notice", align="left", lines=2)
    page.text(asks, banner.asks, m.of(6.4), "on-notice", align="left", lines=3)
    far, leave = rows(way, m.of(6), 1.0, gap=m.gap)
    page.text(far, f"{banner.number} / {banner.count}", m.small, "on-notice")
    page.button(leave, page.words.say("Leave"), LeaveRound(), size=m.body, symbol="wrong")


def _lights(page: Page, banner: Banner) -> None:
    """An edge of light around whatever is to be touched: cards that lie on each other have one together."""
    width = max(4, page.m.of(1))
    for intent in banner.lit:
        for box in _heaps([item.box for item in page.items if item.intent == intent]):
            page.add(Spot(box.inset(-width), theme("dark")["focus"], width))


def _heaps(boxes: Iterable[Box]) -> list[Box]:
    """What covers boxes that overlap."""
    found: list[Box] = []
    for box in boxes:
        under = [heap for heap in found if heap.meets(box)]
        found = [heap for heap in found if heap not in under] + [reduce(Box.with_, under, box)]
    return found


def _hint(page: Page, me: str, spread: Spread, sitting: Sitting) -> str:
    """What a person can do here now; or whose turn it is."""
    if page.view.match.is_over:
        return ""
    if page.view.match.paused is not None:
        return page.words.say(labels.PAUSED)
    found = spread.hint(page.words, me) if me in sitting.people else ""
    wanted = spread.wanted()
    return found or (page.words.say(labels.WHOSE_TURN, player=wanted) if wanted else "")


def _other(page: Page, box: Box, name: str, standing: Standing, spread: Spread, sitting: Sitting) -> None:
    """Somebody else: name, switch and button, and the backs of the cards in the hand."""
    m = page.m
    page.add(PanelItem(box, "panel", "line", 2, m.of(2), intent=HandOf(name) if name in sitting.people else None))
    inside = box.inset(m.edge)
    head, rest = rows(inside, m.of(8), 1.0, gap=m.gap)
    if inside.w < m.of(NARROW):
        _head(page, head, name)
        buttons, other = columns(rest, 1.0, m.of(9), gap=m.gap)
        switch, count = rows(other, m.of(8), 1.0)
        page.text(count, str(spread.counts(name) or ""), m.body)
    else:
        who, switch = columns(head, 1.0, m.of(26) if head.w > m.of(60) else m.of(10), gap=m.gap)
        _head(page, who, name)
        buttons, backs = columns(rest, min(rest.w * 3 // 5, len(_widths(spread)) * (rest.h + m.gap)), 1.0, gap=m.gap)
        _backs(page, backs, spread.counts(name))
    if standing.banner is None:
        _switch(page, switch, name, sitting)
    lamps, keys = rows(buttons, 1.0, m.of(4.4)) if name in sitting.people else (buttons, buttons._replace(h=0))
    _buttons(page, lamps, name, standing, spread)
    _key_labels(page, keys, name, spread, sitting)


def _backs(page: Page, box: Box, count: int) -> None:
    """The cards of a hand from behind, as many as there is room for, and how many there are."""
    if not count:
        return
    number, room = columns(box, page.m.of(9), 1.0, gap=page.m.gap)
    page.text(number, str(count), page.m.large)
    for place in fan(room, min(count, BACKS), 0.72, 2):
        back(page, place)


def _mine(page: Page, box: Box, standing: Standing, spread: Spread, sitting: Sitting) -> None:
    m = page.m
    page.add(PanelItem(box, "panel", "focus", 3, m.of(2)))
    head, switch, lamps, keys = rows(box.inset(m.edge), m.of(8), m.of(8), 1.0, m.of(5), gap=m.gap)
    _head(page, head, standing.me)
    if standing.banner is None:
        _switch(page, switch, standing.me, sitting)
    _buttons(page, lamps, standing.me, standing, spread)
    _key_labels(page, keys, standing.me, spread, sitting)


def _head(page: Page, box: Box, name: str) -> None:
    side = min(box.h, box.w // 5)
    badge, words = columns(box, side, 1.0, gap=page.m.gap)
    page.add(Badge(badge.middle(side, side), page.view.match.colours[name]))
    page.text(words, name, page.m.body, align="left", lines=2)


def _switch(page: Page, box: Box, name: str, sitting: Sitting) -> None:
    """Whether a person or a bot sits there."""
    is_person = name in sitting.people
    label = page.words.say("Person") if is_person else page.words.say("Bot")
    shown = label if box.w > page.m.of(20) else ""
    page.button(box, shown, Swap(name), size=page.m.small, symbol="people" if is_person else "gear")


def _buttons(page: Page, box: Box, name: str, standing: Standing, spread: Spread) -> None:
    """The arcade button with its lamp, and the smaller one where the game has it."""
    seat = spread.names.index(name)
    others = spread.second_buttons
    strike, *seconds = columns(box, *_widths(spread), gap=page.m.gap)
    button = Key(TOKEN, seat)
    shine, is_down = standing.shines.get(button, 0), button in standing.down
    page.add(Lamp(strike.shaped(1, 1), page.view.match.colours[name], shine, is_down, intent=PressKey(button)))
    for kind, cell in zip(others, seconds, strict=True):
        button, square = Key(kind.name, seat), cell.shaped(1, 1)
        page.add(Lamp(square, "white", 1, button in standing.down, intent=PressKey(button)))
        if square.w > page.m.of(9):
            word = page.words.say(kind.word) if kind.word and square.w > page.m.of(16) else kind.sign
            page.text(square.inset(square.w // 5, square.h // 3), word, page.m.small, "on-white")


def _widths(spread: Spread) -> list[float]:
    """Of the buttons of a seat."""
    return [1.0, *(0.75 for _ in spread.second_buttons)]


def _key_labels(page: Page, box: Box, name: str, spread: Spread, sitting: Sitting) -> None:
    """Which keys press them."""
    seat, kinds = spread.names.index(name), [TOKEN, *(kind.name for kind in spread.second_buttons)]
    if box.h < 6:
        return
    for kind, cell in zip(kinds, columns(box, *_widths(spread), gap=page.m.gap), strict=True):
        key = sitting.key_of(Key(kind, seat))
        if key:
            page.text(cell, page.words.say("Space") if key == "space" else key.upper(), page.m.small, "quiet")


def _dragged(page: Page, spread: Spread, dragged: tuple[Thing, int, int]) -> None:
    thing, x, y = dragged
    side = page.m.of(20)
    over = Page(page.view)
    spread.face(over, Box(x - side // 2, y - side // 2, side, side), thing)
    page.over += over.items
