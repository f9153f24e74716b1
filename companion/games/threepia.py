"""Threepia: cover a card of the field with one of your own and score the rows that it makes.

The referee may know every symbol of the field, because somebody showed it the cards that were dealt; then it
checks each card that is laid and counts the points itself. Or it knows only whose turn it is, and takes the
players' word for their points, also later: points that are owed are entered in the order of the turns, and
points of later turns wait for them, so that it stays clear who was first.

What the sheet leaves open, settled here:
* A card is written as it is held; `turned` says by how many quarter turns clockwise it then lies.
* A triangle has a colour that matters only for the house rule triangle_fits; it never stands for a triangle.
* Triangles count for as many points as they can bring; they stand for nothing where they bring none.
* An L is three or four equal symbols of a block of two by two that holds a symbol just laid; the block has symbols
  of at least two cards, one within a card would score by itself.
* A row stood before if the symbols under the new card could be taken for the same value; one that has grown is new.
* An axis is a row and a column that score, a flush a line (or a block) that scores by shape and by colour; what a house
  gives for them it gives once for a card.
* Said points are those for rows and combinations; the 3 for an empty hand are added by the referee, who counts hands.
* A time that is up ends the turn as it is: no card is drawn. A move at the very stamp of the deadline is in time.
* The deck on the table is right, not the referee's count: anybody may say that it is used up, or how many cards there
  are. Where the count has ended the match too early that turn is undone, the cards are counted, and it is made again.
  If cards are found after the deck seemed to be used up, whoever has none in hand draws three of them.
* A deck that is used up is not shuffled again. A player without cards is passed over from then on, also in
  the rounds. Where a deck does not end the match, it ends when nobody has cards or time left, or, playing for
  points or by the stopwatch, when everybody in turn could lay nothing: most points win.
* Alone there are no points, also none for an empty hand. A time trial is won by its player, a relaxed game by nobody.
* A time trial goes on after the deck is used up, until the hand is, or until no card in it fits: the referee sees that
  where field and hand are shown, else the player says it. It counts among the best times unless the referee saw that
  a draw was not needed, and as one on the player's word unless the referee saw field and hand at every card.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain, product
from operator import itemgetter
from typing import Any, ClassVar

from companion.clocks import SECOND, Clock
from companion.clocks import shown as time_shown
from companion.exc import HouseRuleError
from companion.rules import (
    COUNTED,
    TOLD,
    UNSEEN,
    CardsMoved,
    Deadline,
    Ended,
    Event,
    Fact,
    Foul,
    Game,
    May,
    Move,
    Outcome,
    Place,
    Ruling,
    Turn,
    changed,
    ended,
    highest,
    setting,
)
from companion.sentence import Both, Sentence

HAND = 3  # cards dealt to each player, and drawn by whoever has played out the hand
HAND_POINTS = 3
MOST_CARDS = 1000  # in a deck
LONGEST = 6  # symbols in a row; the scoring goes no further

SHAPES = ("circle", "square", "cross", "triangle")
COLOURS = ("red", "blue", "yellow", "green")
TRIANGLE = "triangle"
CORNERS = ("top left", "top right", "bottom left", "bottom right")

WAYS = ("points", "rounds", "deck", "time", "stopwatch", "time-trial", "relaxed")
ALONE = ("time-trial", "relaxed")
NOBODY_CAN_LAY = "Nobody can lay a card any more: most points win."
DECK_ENDS = ("deck", "time", "time-trial", "relaxed")  # the ways that end with the deck


# --- cards -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Symbol:
    shape: str
    colour: str

    def __str__(self) -> str:
        return f"{self.shape}-{self.colour}"


SYMBOLS = tuple(Symbol(shape, colour) for shape in SHAPES for colour in COLOURS)
_CODES = {str(symbol): code for code, symbol in enumerate(SYMBOLS)}

_WILD = -1  # a triangle, when rows are counted
_GAP = -2  # no symbol
_SHAPE_VALUES = tuple(_WILD if symbol.shape == TRIANGLE else SHAPES.index(symbol.shape) for symbol in SYMBOLS)
_COLOUR_VALUES = tuple(_WILD if symbol.shape == TRIANGLE else COLOURS.index(symbol.colour) for symbol in SYMBOLS)

_Values = tuple[int, ...]  # of the four symbols of a card, in shape or in colour


@dataclass(frozen=True, slots=True)
class Card:
    """Four symbols: top left, top right, bottom left, bottom right. The rest follows from them."""

    symbols: tuple[Symbol, ...]
    text: str
    codes: _Values
    shapes: _Values
    colours: _Values

    def __str__(self) -> str:
        return self.text


@lru_cache(maxsize=1024)
def card_of(text: str, turned: int = 0) -> Card:
    """The card that is written so, as it lies after so many quarter turns clockwise."""
    words = text.split()
    if len(words) != len(CORNERS) or not all(word in _CODES for word in words):
        raise ValueError(f"'{text}' is not a card")
    for _ in range(turned):
        words = [words[2], words[0], words[3], words[1]]
    codes = tuple([_CODES[word] for word in words])
    return Card(
        tuple([SYMBOLS[code] for code in codes]),
        " ".join(words),
        codes,
        tuple([_SHAPE_VALUES[code] for code in codes]),
        tuple([_COLOUR_VALUES[code] for code in codes]),
    )


def fits(symbol: Symbol, covered: Symbol, *, triangle_fits: bool = True) -> bool:
    """May a symbol lie on another?"""
    if covered.shape == TRIANGLE or (triangle_fits and symbol.shape == TRIANGLE):
        return True
    return symbol.shape == covered.shape or symbol.colour == covered.colour


_FITS = {
    choice: tuple(tuple(fits(symbol, covered, triangle_fits=choice) for covered in SYMBOLS) for symbol in SYMBOLS)
    for choice in (False, True)
}


def misfits(card: Card, covered: Card, *, triangle_fits: bool = True) -> list[int]:
    """The corners at which a card does not fit on another."""
    table = _FITS[triangle_fits]
    return [
        corner
        for corner, (code, under) in enumerate(zip(card.codes, covered.codes, strict=True))
        if not table[code][under]
    ]


# --- fields ----------------------------------------------------------------------------------------------------


_Cell = int  # four times the number of a card place, plus the number of a corner
_Point = tuple[int, int]  # in half cards
_NEAR = 4  # the cells around a card, itself in the middle, are so many wide and high


@dataclass(frozen=True, slots=True, eq=False)
class _Line:
    """A row or column of symbols through a card, from end to end. Equal only to itself: it is a key."""

    name: str
    cells: tuple[_Cell, ...]
    names: tuple[str, ...]
    own: int  # where the first of the card's own two symbols is
    others: int  # cells of other cards
    take: Callable[[Sequence[int]], _Values]  # their values, from the card outwards: `own` before it, then those after


@dataclass(frozen=True, slots=True)
class _Geometry:
    """What follows from the places of a field: numbers by letter, names by cell, the rest by number."""

    numbers: dict[str, int]
    names: tuple[str, ...]  # of the cells
    lines: tuple[tuple[_Line, ...], ...]  # two rows and two columns
    near: tuple[tuple[_Cell | None, ...], ...]  # the sixteen cells around, row by row
    most: tuple[int, ...]  # points that the rows or the Ls of a card laid there can bring ...
    most_overlapping: tuple[int, ...]  # ... and all Ls of a block, where each of them counts


@dataclass(frozen=True)  # no slots: they have no room for what is cached
class Field:
    """Where cards lie, and what scores there."""

    name: str
    line: str  # row, or L
    places: tuple[tuple[str, int, int], ...]  # letter, and its top left corner in half cards

    @property
    def letters(self) -> tuple[str, ...]:
        return tuple(letter for letter, _, _ in self.places)

    @property
    def longest(self) -> int:
        """Symbols in the longest row or column."""
        return max(len(line.cells) for lines in self.geometry.lines for line in lines)

    @cached_property
    def geometry(self) -> _Geometry:
        at = {
            (x + corner % 2, y + corner // 2): 4 * number + corner
            for number, (_, x, y) in enumerate(self.places)
            for corner in range(4)
        }
        names = tuple(f"{letter}{corner}" for letter in self.letters for corner in (1, 2, 3, 4))
        lines = tuple(tuple(_lines_through(at, names, x, y)) for _, x, y in self.places)
        near = tuple(
            tuple(at.get((x - 1 + i % _NEAR, y - 1 + i // _NEAR)) for i in range(_NEAR * _NEAR))
            for _, x, y in self.places
        )
        in_rows = [sum(line.others for line in through) for through in lines]
        in_blocks = [sum(_most_in(block, cells) for block in _blocks()) for cells in near]
        return _Geometry(
            {letter: number for number, letter in enumerate(self.letters)},
            names,
            lines,
            near,
            tuple(2 * count for count in (in_rows if self.line == "row" else in_blocks)),  # shape and colour
            tuple(2 * sum(_most_in(three, cells) for three in chain.from_iterable(_LS)) for cells in near),
        )


def _lines_through(at: dict[_Point, _Cell], names: tuple[str, ...], x: int, y: int) -> Iterator[_Line]:
    for name, x1, y1, dx, dy in (
        ("row", x, y, 1, 0),
        ("row", x, y + 1, 1, 0),
        ("column", x, y, 0, 1),
        ("column", x + 1, y, 0, 1),
    ):
        before = tuple(_outwards(at, x1, y1, -dx, -dy))
        after = tuple(_outwards(at, x1 + dx, y1 + dy, dx, dy))
        cells = (*before[::-1], at[x1, y1], at[x1 + dx, y1 + dy], *after)
        others = before + after  # none, or at least the two of one card, which itemgetter needs for a tuple
        yield _Line(
            name,
            cells,
            tuple(names[cell] for cell in cells),
            len(before),
            len(others),
            itemgetter(*others) if others else _no_values,
        )


def _no_values(_values: Sequence[int]) -> _Values:
    return ()


def _outwards(at: dict[_Point, _Cell], x: int, y: int, dx: int, dy: int) -> Iterator[_Cell]:
    """The cells from one on, without it, up to the next gap."""
    while (cell := at.get((x := x + dx, y := y + dy))) is not None:
        yield cell


def _ls_closed_by(i: int) -> tuple[tuple[int, ...], ...]:
    """The Ls with a symbol of the card and another in the two-by-two window whose last cell is `i`."""
    own = set(_OWN)
    window = (i - _NEAR - 1, i - _NEAR, i - 1, i)
    if i < _NEAR or i % _NEAR == 0:
        return ()
    threes = [(window[a], window[b], window[c]) for a, b, c in ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3))]
    return tuple(three for three in threes if own & set(three) and not set(three) <= own)


def _block_closed_by(i: int) -> tuple[tuple[int, ...], ...]:
    """The block of two by two whose last cell is `i` of the sixteen around a card, unless it is the card itself."""
    if i < _NEAR or i % _NEAR == 0 or i == max(_OWN):
        return ()
    return ((i - _NEAR - 1, i - _NEAR, i - 1, i),)


_Around = tuple[tuple[tuple[int, ...], ...], ...]  # of the sixteen cells around a card, what each of them closes
_OWN = {5: 0, 6: 1, 9: 2, 10: 3}  # the card itself is in the middle of them: its corners
_LS: _Around = tuple(_ls_closed_by(i) for i in range(_NEAR * _NEAR))
_BLOCKS: _Around = tuple(_block_closed_by(i) for i in range(_NEAR * _NEAR))
_THREE = 3  # equal symbols make an L


def _blocks() -> Iterator[tuple[int, ...]]:
    return chain.from_iterable(_BLOCKS)


def _most_in(figure: tuple[int, ...], near: tuple[_Cell | None, ...]) -> int:
    return max(0, sum(near[i] is not None for i in figure) - _THREE + 1)


SQUARE = Field("Square", "row", (("A", 0, 0), ("B", 2, 0), ("C", 0, 2), ("D", 2, 2)))


# --- house rules and state -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class House:
    way: str = setting("points", "the way to play", choices=WAYS)
    target: int = setting(15, "points that win, playing for points", low=1, high=1000)
    rounds: int = setting(5, "turns that everybody has, playing rounds", low=1, high=1000)
    turn_seconds: int = setting(30, "seconds for a turn, playing against time", low=1, high=3600)
    match_seconds: int = setting(180, "seconds that each player has, playing by the stopwatch", low=1, high=36000)
    deck: int = setting(64, "how many cards there are in all", low=1, high=MOST_CARDS)
    rotate: bool = setting(True, "whether a card may be turned before it is laid")
    triangle_fits: bool = setting(True, "whether a triangle may be laid on anything")
    overlapping_l: bool = setting(
        False, "whether, on a field with Ls, four equal symbols in a block score as the four Ls in it", before=True
    )
    axis_bonus: int = setting(0, "points more for a row and a column with one card", low=0, high=20, before=0)
    flush_bonus: int = setting(0, "points more for a line that scores by shape and by colour", low=0, high=20, before=0)
    only_new_rows: bool = setting(False, "whether a row that stood before scores nothing", before=False)
    trial_ends_with_deck: bool = setting(
        False,
        "a time trial is over with the deck, whatever is in hand; only in matches from before",
        before=True,
        offered=False,
    )
    field: Field = setting(SQUARE, "one of the fields that come along, or a field file of your own")
    card: str = setting("2x2", "the symbols on a card", choices=("2x2",))
    cards: str = setting(
        TOLD,
        "the referee is told every card and counts the points, or is told the points alone",
        choices=(COUNTED, TOLD),
        before=TOLD,
    )


@dataclass(frozen=True, slots=True)
class Due:
    """Points of a turn that has ended. `points` is None while the player owes them."""

    player: str
    points: int | None
    bonus: int = 0  # for an empty hand


@dataclass(frozen=True, slots=True)
class State:
    """A table of Threepia. Cards add up: hands + deck + laid + missing = the whole deck."""

    players: tuple[str, ...]
    house: House
    phase: str  # deal, ready, turn, counting, over
    turn: str
    scores: tuple[int, ...]
    hands: tuple[int, ...]
    deck: int
    laid: int = 0  # cards on the field, covered ones too
    missing: int = 0  # cards that were counted in the deck and were not there; less than 0: there were more
    field: tuple[str, ...] = ()  # the cards that lie uncovered, as they lie; empty where nobody showed them
    held: tuple[str, ...] = ()  # the cards in hand of who plays alone; empty where none of them was shown
    on_word: bool = False  # alone, a card was laid or drawn while the referee did not know field and hand
    needless: int = 0  # draws of a time trial with a card in hand that fitted
    clocks: tuple[Clock, ...] = ()  # stopwatch: of each player; time: of the turn; time-trial: of the game
    out: tuple[str, ...] = ()  # whose time is used up
    waiting: tuple[Due, ...] = ()  # from the first turn on whose points are owed
    turns: int = 0  # that have ended since the first, with those of players who were passed over
    idle: int = 0  # turns since the last card in which nothing was laid and nothing was left to draw
    ending: str = ""  # why play is finished, while points are still owed
    outcome: Outcome | None = None

    @property
    def owed(self) -> tuple[str, ...]:
        """Whose points are still to be entered, oldest first."""
        return tuple([due.player for due in self.waiting if due.points is None])

    @property
    def is_seen(self) -> bool:
        return bool(self.field)

    @property
    def clock(self) -> Clock | None:
        """The clock of the turn."""
        if not self.clocks or not self.turn:
            return None
        return self.clocks[self.players.index(self.turn) if self.house.way == "stopwatch" else 0]

    @property
    def runs_out_at(self) -> int | None:
        clock = self.clock
        return clock.runs_out_at if clock else None

    @property
    def deadline(self) -> Deadline | None:
        at = self.runs_out_at
        return None if at is None else Deadline(at, TimeUp(self.turn, at=at))


# --- what may be done ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Deal(Move):
    """The field is laid out and everybody has a hand. `field` names a card for each place, if somebody shows them."""

    needs_player: ClassVar[bool] = False

    field: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()  # of who plays alone, if it is shown


@dataclass(frozen=True, slots=True)
class Begin(Move):
    """This player starts, and so do the clocks."""


@dataclass(frozen=True, slots=True)
class Lay(Move):
    """A card onto a place of the field. Nobody needs to show either where the field was not shown."""

    doing: ClassVar[str] = "lay a card"
    concealed: ClassVar[tuple[str, ...]] = ("card",)

    place: str = ""
    card: str = ""
    turned: int = 0  # quarter turns clockwise
    points: int | None = None  # not said: the referee counts them, or they are owed
    lies: bool = False  # the table lets it lie, whether it fits or not
    drawn: tuple[str, ...] = ()  # alone, the cards that are drawn after the last of a hand, if they are shown


@dataclass(frozen=True, slots=True)
class Draw(Move):
    """No card fits: one is drawn, if there is one, and the turn is over."""

    doing: ClassVar[str] = "draw"

    drawn: tuple[str, ...] = ()  # alone, the card that is drawn, if it is shown


@dataclass(frozen=True, slots=True)
class Points(Move):
    """The points that a player owes."""

    doing: ClassVar[str] = "enter points"

    points: int


@dataclass(frozen=True, slots=True)
class DeckEmpty(Move):
    """The deck on the table is used up, whatever the referee has counted."""

    doing: ClassVar[str] = "call the deck empty"


@dataclass(frozen=True, slots=True)
class DeckCount(Move):
    """So many cards are left in the deck on the table, whatever the referee has counted."""

    doing: ClassVar[str] = "count the deck"

    cards: int


@dataclass(frozen=True, slots=True)
class TimeUp(Move):
    """The clock of the turn has run out. The referee says so."""

    by_referee: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Finish(Move):
    """Enough of a relaxed game."""

    doing: ClassVar[str] = "finish"


# --- what happens ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Run:
    """Equal symbols that score: a row, a column, or an L."""

    line: str
    cells: tuple[str, ...]  # the letter of the place and 1 to 4: top left, top right, bottom left, bottom right
    by: str  # shape, or colour
    value: str
    points: int

    def __str__(self) -> str:
        return Sentence(
            "{line} {cells} all {value} ({points})",
            line=self.line,
            cells="-".join(self.cells),
            value=self.value,
            points=self.points,
        )


@dataclass(frozen=True, slots=True)
class Stood:
    """What a triangle stood for in a turn; empty where it brought nothing."""

    cell: str
    shape: str = ""
    colour: str = ""

    def __str__(self) -> str:
        return Sentence(
            "{cell} for {word}", cell=self.cell, word=" ".join(word for word in (self.colour, self.shape) if word)
        )


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    text: ClassVar[str] = "Everybody has {hand} cards, {field} lie on the field, {deck} are left to draw."
    hand: int
    field: int
    deck: int
    seen: bool


@dataclass(frozen=True, slots=True)
class Began(Event):
    text: ClassVar[str] = "{player} begins."
    player: str
    at: int


@dataclass(frozen=True, slots=True)
class Laid(Event):
    """A card on the field; `card` and `covered` are written as they lie."""

    text: ClassVar[str] = "{player} lays {card} on {place}."
    open_text: ClassVar[str] = "{player} lays a card on {place}."
    player: str
    card: str
    place: str
    covered: str


@dataclass(frozen=True, slots=True)
class Counted(Event):
    """What the referee found for a card that was laid."""

    counts: ClassVar[int] = 1
    text: ClassVar[str] = "{player} has made {runs}."
    player: str
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Combined(Event):
    """What the house gives for a combination, an axis or a flush; the points are among those that are scored."""

    counts: ClassVar[int] = 1
    text: ClassVar[str] = "{player} gets {points} more for {combination}."
    player: str
    combination: str
    points: int


@dataclass(frozen=True, slots=True)
class TrianglesUsed(Event):
    text: ClassVar[str] = "{player}'s triangles stand, in this turn: {triangles}."
    player: str
    triangles: tuple[Stood, ...]


@dataclass(frozen=True, slots=True)
class Scored(Event):
    counts: ClassVar[int] = 2
    text: ClassVar[str] = "{player} scores {points} and has {score}."
    player: str
    points: int
    score: int


@dataclass(frozen=True, slots=True)
class HandEmpty(Event):
    counts: ClassVar[int] = 1
    text: ClassVar[str] = "{player} has played out the hand: {points} points, which makes {score}."
    player: str
    points: int
    score: int


@dataclass(frozen=True, slots=True)
class PointsOwed(Event):
    text: ClassVar[str] = "{player}'s points are still to be entered."
    player: str


@dataclass(frozen=True, slots=True)
class NothingLaid(Event):
    text: ClassVar[str] = "{player} lays nothing and draws {cards}."
    player: str
    cards: int


@dataclass(frozen=True, slots=True)
class DrawnNeedlessly(Event):
    text: ClassVar[str] = "A card in {player}'s hand fitted: this run counts for no best time."
    player: str


@dataclass(frozen=True, slots=True)
class DeckUsedUp(Event):
    text: ClassVar[str] = "The deck is used up."
    missing: int = 0  # cards that the referee had still counted


@dataclass(frozen=True, slots=True)
class DeckCounted(Event):
    text: ClassVar[str] = "{player} finds {cards} cards in the deck; the referee had counted {counted}."
    player: str
    cards: int
    counted: int


@dataclass(frozen=True, slots=True)
class TurnTimeUp(Event):
    text: ClassVar[str] = "{player}'s {seconds} seconds for this turn are up."
    player: str
    seconds: int


@dataclass(frozen=True, slots=True)
class OutOfTime(Event):
    text: ClassVar[str] = "{player}'s {seconds} seconds are used up: the game is over for {player}."
    player: str
    seconds: int


@dataclass(frozen=True, slots=True)
class LeftInHand(Event):
    counts: ClassVar[int] = 1
    text: ClassVar[str] = "{player} has {cards} cards in hand: {points} points, which makes {score}."
    player: str
    cards: int
    points: int
    score: int


@dataclass(frozen=True, slots=True)
class PlayFinished(Event):
    text: ClassVar[str] = "Play is finished; points are still to be entered for: {owed}."
    owed: tuple[str, ...]


# --- points for a card -----------------------------------------------------------------------------------------


_Found = tuple[Run, tuple[_Cell, ...]]


@dataclass(frozen=True, slots=True)
class Score:
    """The points for a card that was just laid, and what they rest on."""

    points: int
    runs: tuple[Run, ...]
    triangles: tuple[Stood, ...]
    bonuses: tuple[tuple[str, int], ...] = ()  # what the house gives for combinations


def score(house: House, lying: Sequence[str], place: str, covered: str = "") -> Score:
    """The most points for the card on a place, with each triangle standing for one shape and one colour. Where only
    new rows count, `covered` is the card that lay there before."""
    geometry = house.field.geometry
    number = geometry.numbers[place]
    cards = [card_of(text) for text in lying]
    was = card_of(covered) if covered and house.only_new_rows else None
    kind = _Rows if house.field.line == "row" else _Ls
    shapes = list(chain.from_iterable([card.shapes for card in cards]))
    colours = list(chain.from_iterable([card.colours for card in cards]))
    by_shape = kind(house, number, shapes, "shape", was.shapes if was else None)
    by_colour = kind(house, number, colours, "colour", was.colours if was else None)
    is_combined = house.axis_bonus or house.flush_bonus
    one, other = _best_ways(house, by_shape, by_colour) if is_combined else (by_shape.best(), by_colour.best())
    if not one.points and not other.points:
        return _NO_SCORE
    found = by_shape.found(one) if one.points else [], by_colour.found(other) if other.points else []
    bonuses = tuple([bonus for bonus in _bonuses(house, one, other) if bonus[1]]) if is_combined else ()
    runs = tuple([run for which in found for run, _ in which])
    points = one.points + other.points + sum([more for _, more in bonuses])
    return Score(points, runs, _stood(geometry.names, shapes, *found), bonuses)


_NO_SCORE = Score(0, (), ())


def most_points(house: House, place: str = "") -> int:
    """Points that a card laid on a place can bring; without a place, on any."""
    geometry = house.field.geometry
    if not place:
        return max(most_points(house, letter) for letter in geometry.numbers)
    number = geometry.numbers[place]
    overlaps = house.field.line != "row" and house.overlapping_l
    most = (geometry.most_overlapping if overlaps else geometry.most)[number]
    scoring = sum(1 << bit for bit, line in enumerate(geometry.lines[number]) if line.others)
    whole = _Way(most, scoring=scoring if house.field.line == "row" else most)
    return most + sum(more for _, more in _bonuses(house, whole, whole))


def _stood(
    names: tuple[str, ...], shapes: list[int], by_shape: list[_Found], by_colour: list[_Found]
) -> tuple[Stood, ...]:
    """The triangles among the symbols that score, and what each of them is."""
    shape = {cell: run.value for run, cells in by_shape for cell in cells if shapes[cell] == _WILD}
    colour = {cell: run.value for run, cells in by_colour for cell in cells if shapes[cell] == _WILD}
    return tuple([Stood(names[cell], shape.get(cell, ""), colour.get(cell, "")) for cell in sorted(shape | colour)])


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to take the triangles, by shape or by colour, and what it brings."""

    points: int
    taken: _Values = ()
    scoring: int = 0  # a bit for each line, or for each block, that scores; where combinations count


_NO_WAY = _Way(0)
_AXES = (0b0011, 0b1100)  # the rows and the columns through a card


def _bonuses(house: House, by_shape: _Way, by_colour: _Way) -> Iterator[tuple[str, int]]:
    """What the house gives for the combinations of a card."""
    scoring = by_shape.scoring | by_colour.scoring
    if house.field.line == "row" and all(scoring & axis for axis in _AXES):
        yield "an axis", house.axis_bonus
    if by_shape.scoring & by_colour.scoring:
        yield "a flush", house.flush_bonus


def _best_ways(house: House, by_shape: "_Rows | _Ls", by_colour: "_Rows | _Ls") -> tuple[_Way, _Way]:
    """Shape and colour of a triangle do not depend on each other, but combinations rest on both."""

    def worth(ways: tuple[_Way, _Way]) -> int:
        return ways[0].points + ways[1].points + sum(more for _, more in _bonuses(house, *ways))

    return max(product(by_shape.ways(), by_colour.ways()), key=worth)


_VALUES = {"shape": SHAPES, "colour": COLOURS}
_OPTIONS = {"shape": (0, 1, 2), "colour": (0, 1, 2, 3)}  # for a triangle
_ROW_CORNERS = ((0, 1), (2, 3), (0, 2), (1, 3))  # of the card in its two rows and two columns
_UNKNOWN = (None,) * 4  # what they cover


class _Rows:
    """The rows and columns through a place, by shape or by colour.

    Only triangles of the card itself lie in two lines; each other one lies in one, and is best taken as
    what its row needs. So it is enough to try every value of the card's own triangles.
    """

    def __init__(self, house: House, place: int, values: list[int], by: str, was: _Values | None) -> None:
        self._by = by
        self._lines = house.field.geometry.lines[place]
        self._own = values[4 * place : 4 * place + 4]
        pairs = [(was[one], was[other]) for one, other in _ROW_CORNERS] if was else _UNKNOWN
        self._worths = [
            _worth(line.own, line.take(values), pair) for line, pair in zip(self._lines, pairs, strict=True)
        ]

    def best(self) -> _Way:
        """The best way to take the triangles."""
        top, bottom, left, right = [worth.points for worth in self._worths]
        best, most = _NO_WAY, 0
        for a, b, c, d in self._cards():
            points = top[a][b] + bottom[c][d] + left[a][c] + right[b][d]
            if points > most:
                best, most = _Way(points, (a, b, c, d)), points
        return best

    def ways(self) -> list[_Way]:
        """The best way for each set of lines that score."""
        best: dict[int, _Way] = {}
        for card in self._cards():
            corners = zip(self._worths, _ROW_CORNERS, strict=True)
            points = [worth.points[card[one]][card[other]] for worth, (one, other) in corners]
            scoring = sum(1 << bit for bit in range(4) if points[bit])
            if scoring not in best or sum(points) > best[scoring].points:
                best[scoring] = _Way(sum(points), card, scoring)
        return list(best.values())

    def _cards(self) -> Iterable[_Values]:
        """Every value of the card's own triangles."""
        if _WILD not in self._own:
            return (tuple(self._own),)
        return product(*[_OPTIONS[self._by] if value == _WILD else (value,) for value in self._own])

    def found(self, way: _Way) -> list[_Found]:
        found: list[_Found] = []
        for line, worth, (one, other) in zip(self._lines, self._worths, _ROW_CORNERS, strict=True):
            if worth.points[way.taken[one]][way.taken[other]]:
                found += _runs_of(line, worth, way.taken[one], way.taken[other], self._by)
        return found


_Span = tuple[int, int]  # of a row: where it begins and ends, counted from the card's first symbol in it


@dataclass(frozen=True, slots=True)
class _Worth:
    """What a line can bring, by the values that the card's two symbols in it stand for."""

    points: tuple[tuple[int, ...], ...]
    spans: tuple[tuple[tuple[_Span, ...], ...], ...]  # of the rows that score


@lru_cache(maxsize=2048)
def _worth(own: int, others: _Values, was: tuple[int, int] | None) -> _Worth:
    before, after = _reach(others[:own]), _reach(others[own:])
    spans = tuple(tuple(_spans(before, after, was, one, other) for other in range(4)) for one in range(4))
    points = tuple(tuple(sum(end - first - 2 for first, end in found) for found in row) for row in spans)
    return _Worth(points, spans)


def _spans(before: _Values, after: _Values, was: tuple[int, int] | None, one: int, other: int) -> tuple[_Span, ...]:
    """The rows that score, with the card's symbols standing for two values; one that stood before is none, if `was`
    says what they cover."""
    first = was is None or was[0] not in (one, _WILD)
    second = was is None or was[1] not in (other, _WILD)
    if one == other:
        spans = [(-before[one], 2 + after[other])] if first or second else []
    else:
        spans = [(-before[one], 1)] * first + [(1, 2 + after[other])] * second
    return tuple(span for span in spans if span[1] - span[0] > 2)


def _reach(outwards: _Values) -> _Values:
    """For each value, how far a row of it goes on outwards from a card."""
    reach = []
    for value in range(4):
        length = 0
        while length < len(outwards) and outwards[length] in (value, _WILD):
            length += 1
        reach.append(length)
    return tuple(reach)


def _runs_of(line: _Line, worth: _Worth, one: int, other: int, by: str) -> list[_Found]:
    """The one or two rows of a line that score, with the card's own symbols standing for two values."""
    return [
        _run(line, line.own + first, line.own + end, by, other if first > 0 else one)
        for first, end in worth.spans[one][other]
    ]


@lru_cache(maxsize=1024)
def _run(line: _Line, first: int, last: int, by: str, value: int) -> _Found:
    return Run(line.name, line.names[first:last], by, _VALUES[by][value], last - first - 2), line.cells[first:last]


class _Ls:
    """The Ls around a place, by shape or by colour: of each block, or, where they overlap, each of its own."""

    def __init__(self, house: House, place: int, values: list[int], by: str, was: _Values | None) -> None:
        self._by = by
        self._was = was
        self._names = house.field.geometry.names
        self._near = house.field.geometry.near[place]
        self._around = [_GAP if cell is None else values[cell] for cell in self._near]
        self._closed = _LS if house.overlapping_l else _BLOCKS
        self._figures = tuple(chain.from_iterable(self._closed))

    def best(self, wanted: tuple[int, ...] | None = None) -> _Way:
        """The best way to take the triangles, or the best in which one figure scores, if it can."""
        taken = self._taken(wanted)
        points = [self._points(figure, taken) for figure in self._figures]
        return _Way(sum(points), taken, sum([1 << bit for bit, worth in enumerate(points) if worth]))

    def ways(self) -> list[_Way]:
        """The best way of all, and the best in which each figure scores."""
        return [self.best(), *map(self.best, self._figures)]

    def _taken(self, wanted: tuple[int, ...] | None) -> _Values:
        """What the sixteen symbols around are best taken for, so that one figure scores before all others.

        The cells are gone through row by row. All that later Ls can depend on are the last five values, so of all
        the ways to take the triangles with the same last five only the best is kept.
        """
        # A value that no other symbol has is never better for a triangle than one that is there.
        present = tuple(sorted({value for value in self._around if value >= 0})) or (0,)
        best: dict[_Values, tuple[int, _Values]] = {(): (0, ())}
        for closed, value in zip(self._closed, self._around, strict=True):
            options = present if value == _WILD else (value,)
            longer: dict[_Values, tuple[int, _Values]] = {}
            for points, path in best.values():
                for option in options:
                    taken = (*path, option)
                    total = points
                    for figure in closed:
                        worth = self._points(figure, taken)
                        total += worth + _FIRST if worth and figure == wanted else worth
                    last = taken[-_NEAR - 1 :]
                    if last not in longer or total > longer[last][0]:
                        longer[last] = (total, taken)
            best = longer
        _, taken = max(best.values(), key=lambda way: way[0])
        return taken

    def _points(self, figure: tuple[int, ...], taken: _Values) -> int:
        return max(0, len(self._equal(figure, taken)) - _THREE + 1)

    def _equal(self, figure: tuple[int, ...], taken: _Values) -> tuple[int, ...]:
        """Where a figure has its equal symbols; nowhere if they are too few, or stood before."""
        values = [taken[i] for i in figure]
        value = values[0] if values[0] == values[1] else values[2]  # one of any two, if all but one are equal
        if value == _GAP or values.count(value) < _THREE:
            return ()
        equal = tuple([i for i, other in zip(figure, values, strict=True) if other == value])
        return equal if self._was is None or self._is_new(equal, value, self._was) else ()

    def _is_new(self, equal: tuple[int, ...], value: int, was: _Values) -> bool:
        return any(was[_OWN[i]] not in (value, _WILD) for i in equal if i in _OWN)

    def found(self, way: _Way) -> list[_Found]:
        return [self._found(equal, way) for figure in self._figures if (equal := self._equal(figure, way.taken))]

    def _found(self, equal: tuple[int, ...], way: _Way) -> _Found:
        cells = tuple([cell for i in equal if (cell := self._near[i]) is not None])
        names = tuple([self._names[cell] for cell in cells])
        value = _VALUES[self._by][way.taken[equal[0]]]
        return Run("L", names, self._by, value, len(equal) - _THREE + 1), cells


_FIRST = 1000  # more points than anything else brings


# --- the rules -------------------------------------------------------------------------------------------------


def start(players: tuple[str, ...], house: House) -> Ruling:
    count = len(players)
    if house.way in ALONE and count > 1:
        raise HouseRuleError(
            Sentence(
                "House rule way: {way} is for one player alone, not for {count}; choose another way to play.",
                way=house.way,
                count=count,
            )
        )
    if house.way not in ALONE and count < 2:
        raise HouseRuleError(
            Sentence(
                "House rule way: {way} needs at least 2 players; alone there are {ALONE}.",
                way=house.way,
                ALONE=Both(ALONE),
            )
        )
    needed = len(house.field.places) + HAND * count
    if needed > house.deck:
        raise HouseRuleError(
            Sentence(
                "House rule deck: {deck} cards are too few for the field {name} and {HAND} each for {count} "
                "players, which takes {needed}.",
                deck=house.deck,
                name=house.field.name,
                HAND=HAND,
                count=count,
                needed=needed,
            )
        )
    nothing = (0,) * count
    return _ruling(State(players, house, "deal", "", nothing, nothing, house.deck, clocks=_clocks(house, count)), [])


def _clocks(house: House, players: int) -> tuple[Clock, ...]:
    match house.way:
        case "stopwatch":
            return (Clock(house.match_seconds * SECOND),) * players
        case "time":
            return (Clock(house.turn_seconds * SECOND),)
        case "time-trial":
            return (Clock(),)
        case _:
            return ()


def rule(state: State, move: Move) -> Ruling:
    """The ruling on a move, or a Foul."""
    phases, handle = _RULES[type(move)]
    if state.phase not in phases:
        raise _out_of_phase(state, move)
    if state.clocks and type(move) is not TimeUp:
        _in_time(state, move)
    return handle(state, move)


def _deal(state: State, move: Deal) -> Ruling:
    places = state.house.field.letters
    if move.field and len(move.field) != len(places):
        raise Foul(
            "field-size",
            move.player,
            "{who} shows {cards} cards for the field; {field} has {places} places, so show one card for each, or none.",
            who=_who(move.player),
            cards=len(move.field),
            field=state.house.field.name,
            places=len(places),
        )
    field = tuple([str(_card_shown(move.player, text)) for text in move.field])
    hand = _cards_shown(state, move.player, move.hand, HAND)
    dealt = HAND * len(state.players)
    deck = state.deck - len(places) - dealt
    events: list[Event] = [
        CardsMoved((field[i] if field else UNSEEN,), Place("deck"), Place("field", letter))
        for i, letter in enumerate(places)
    ]
    events += [CardsMoved(hand, Place("deck"), Place("hand", player)) for player in state.players]
    events.append(Dealt(HAND, len(places), deck, bool(field)))
    state = replace(
        state,
        phase="ready",
        field=field,
        hands=(HAND,) * len(state.players),
        held=_held(hand),
        deck=deck,
        laid=len(places),
    )
    return _ruling(state, events)


def _begin(state: State, move: Begin) -> Ruling:
    state = replace(state, phase="turn", turn=move.player, clocks=_clocks_at(state, move.player, move.at))
    return _ruling(state, [Began(move.player, move.at), Turn(move.player)])


def _lay(state: State, move: Lay) -> Ruling:
    _own_turn(state, move)
    card = _card_laid(state, move)
    seat = state.players.index(move.player)
    number = state.house.field.geometry.numbers[move.place] if move.place else 0
    covered = state.field[number] if state.field else UNSEEN
    events: list[Event] = [
        Laid(move.player, card, move.place or "the field", covered),
        CardsMoved((card,), Place("hand", move.player), Place("field", move.place)),
    ]
    field = changed(state.field, number, card) if state.field else ()
    points = _points_of(state, move, field, events)
    hand = state.hands[seat] - 1
    drawn = 0 if hand else min(HAND, state.deck)
    cards = _cards_shown(state, move.player, move.drawn, drawn)
    scores, waiting = state.scores, state.waiting
    if state.house.way in ALONE:
        state = _holding(state, (*_hand_without(state, move), *cards), on_word=move.lies)
    else:
        due = Due(move.player, points, 0 if hand else HAND_POINTS)
        scores, waiting = _settled(state, (*waiting, due), events)
        if points is None:
            events.append(PointsOwed(move.player))
    _drawn(state, move.player, cards, events)
    state = replace(
        state,
        scores=scores,
        waiting=waiting,
        field=field,
        laid=state.laid + 1,
        idle=0,
        hands=changed(state.hands, seat, hand + drawn),
        deck=state.deck - drawn,
    )
    return _turn_over(state, move.at, events)


def _draw(state: State, move: Draw) -> Ruling:
    _own_turn(state, move)
    seat = state.players.index(move.player)
    drawn = 1 if state.deck else 0
    cards = _cards_shown(state, move.player, move.drawn, drawn)
    events: list[Event] = [NothingLaid(move.player, drawn)]
    if state.house.way == "time-trial" and _can_lay(state):
        _must_be_a_draw(state, move)
        events.append(DrawnNeedlessly(move.player))
        state = replace(state, needless=state.needless + 1)
    _drawn(state, move.player, cards, events)
    if state.house.way in ALONE:
        state = _holding(state, (*_hand(state), *cards))
    state = replace(
        state,
        hands=changed(state.hands, seat, state.hands[seat] + drawn),
        deck=state.deck - drawn,
        idle=0 if drawn else state.idle + 1,
    )
    return _turn_over(state, move.at, events)


def _points(state: State, move: Points) -> Ruling:
    owed = state.owed
    if not owed:
        raise Foul("nothing-owed", move.player, "{player} cannot enter points: nobody owes any.")
    if move.player != owed[0]:
        raise Foul(
            "not-the-oldest",
            move.player,
            "{player} cannot enter points now: those of {first} are older.",
            first=owed[0],
        )
    _possible_points(state, move.player, "", move.points)
    events: list[Event] = []
    due = replace(state.waiting[0], points=move.points)
    scores, waiting = _settled(state, (due, *state.waiting[1:]), events)
    state = replace(state, scores=scores, waiting=waiting)
    if _is_reached(state) or (state.phase == "counting" and not waiting):
        return _over(state, events, state.ending)
    return _ruling(state, events)


def _deck_empty(state: State, move: DeckEmpty) -> Ruling:
    if not state.deck:
        raise Foul("deck-empty-already", move.player, "{player} says that the deck is used up; the referee knows.")
    return _deck_put_right(*_deck_of(state, 0), move.at)


def _deck_count(state: State, move: DeckCount) -> Ruling:
    if not 0 <= move.cards <= MOST_CARDS:
        raise Foul(
            "impossible-deck",
            move.player,
            "{player} says that {cards} cards are in the deck; it can only be 0 to {most}.",
            cards=move.cards,
            most=MOST_CARDS,
        )
    if move.cards == state.deck:
        raise Foul(
            "deck-as-counted",
            move.player,
            "{player} finds {cards} cards in the deck; that is what the referee has counted.",
            cards=move.cards,
        )
    after, events = _deck_of(state, move.cards)
    return _deck_put_right(after, [DeckCounted(move.player, move.cards, state.deck), *events], move.at)


def _deck_put_right(state: State, events: list[Event], at: int) -> Ruling:
    """A time trial may be over with it: nothing is left to draw, and the referee sees that no card fits."""
    return _turn_over(state, at, events) if _is_trial(state.house) and _is_stuck(state) else _ruling(state, events)


def _deck_of(state: State, cards: int) -> tuple[State, list[Event]]:
    """The deck with so many cards as there are in truth."""
    missing = state.deck - cards
    where = (Place("deck"), Place("box")) if missing > 0 else (Place("box"), Place("deck"))
    events: list[Event] = [CardsMoved((UNSEEN,) * abs(missing), *where)]
    if not cards:
        events.append(DeckUsedUp(missing))
    idle = 0 if cards else state.idle
    return _dealt_anew(replace(state, deck=cards, missing=state.missing + missing, idle=idle), events)


def _dealt_anew(state: State, events: list[Event]) -> tuple[State, list[Event]]:
    """Whoever has no cards, because the deck seemed to be used up, draws three, if they have time left."""
    seat = state.players.index(state.turn)
    for player in (*state.players[seat:], *state.players[:seat]):
        seat = state.players.index(player)
        drawn = min(HAND, state.deck)
        if state.hands[seat] or player in state.out or not drawn:
            continue
        _drawn(state, player, (UNSEEN,) * drawn, events)
        state = replace(state, hands=changed(state.hands, seat, drawn), deck=state.deck - drawn)
    return state, events


def _time_up(state: State, move: TimeUp) -> Ruling:
    deadline = state.deadline
    if deadline is None:
        raise Foul(
            "no-countdown",
            move.player,
            "{player}'s time cannot be up: no clock runs down in {way}.",
            way=state.house.way,
        )
    if move.player != state.turn:
        raise Foul(
            "not-your-clock",
            move.player,
            "{player}'s time cannot be up: it is {turn}'s clock that runs.",
            turn=state.turn,
        )
    if move.at < deadline.at:
        raise Foul("time-not-up", move.player, "{player} still has {left}.", left=time_shown(deadline.at - move.at))
    if state.house.way == "time":
        return _turn_over(state, deadline.at, [TurnTimeUp(move.player, state.house.turn_seconds)])
    state = replace(state, out=(*state.out, move.player))
    return _turn_over(state, deadline.at, [OutOfTime(move.player, state.house.match_seconds)])


def _finish(state: State, move: Finish) -> Ruling:
    if state.house.way != "relaxed":
        raise Foul(
            "not-relaxed",
            move.player,
            "{player} cannot finish by word: only a relaxed game ends so, and this one is played the way {way}.",
            way=state.house.way,
        )
    return _over(state, [], Sentence("{player} has finished.", player=move.player))


_RULES: dict[type[Move], tuple[tuple[str, ...], Callable[[State, Any], Ruling]]] = {
    Deal: (("deal",), _deal),
    Begin: (("ready",), _begin),
    Lay: (("turn",), _lay),
    Draw: (("turn",), _draw),
    Points: (("turn", "counting"), _points),
    DeckEmpty: (("turn",), _deck_empty),
    DeckCount: (("turn",), _deck_count),
    TimeUp: (("turn",), _time_up),
    Finish: (("turn",), _finish),
}


# --- what a correction of something before leaves of a move, and of an end --------------------------------------


def adjusted(_state: State, move: Move, foul: Foul) -> Move | None:
    """A card that was laid lies there, and the referee counts its points by what lies around it now. Of cards that were
    drawn there may be more or fewer than were shown."""
    if isinstance(move, Lay | Draw) and foul.code == "hand-size":
        return replace(move, drawn=())
    if not isinstance(move, Lay) or foul.code not in ("does-not-fit", "not-in-hand", "points-differ"):
        return None
    return replace(move, points=None, lies=move.lies or foul.code != "points-differ")


def went_on(state: State, played: State) -> State | None:
    """The target was reached earlier than anybody knew, and play went on."""
    if state.house.way != "points" or played.phase != "turn":
        return None
    return replace(state, phase="turn", turn=played.turn, waiting=(), outcome=None)


def _out_of_phase(state: State, move: Move) -> Foul:
    match state.phase:
        case "deal":
            return Foul(
                "not-dealt",
                move.player,
                "{player} cannot {move} yet: lay out the field and deal first.",
                move=move.doing,
            )
        case "ready":
            return Foul(
                "not-begun",
                move.player,
                "{who} cannot {move} now: choose who begins.",
                who=_who(move.player),
                move=move.doing,
            )
        case "counting":
            return Foul(
                "points-owed",
                move.player,
                "{who} cannot {move} now: play is finished, and points are still to be entered for {owed}.",
                who=_who(move.player),
                move=move.doing,
                owed=state.owed,
            )
        case "over":
            return Foul(
                "match-over",
                move.player,
                "{who} cannot {move}: the match is over.",
                who=_who(move.player),
                move=move.doing,
            )
        case _:
            return Foul(
                "not-now",
                move.player,
                "{who} cannot {move} now: the match has begun.",
                who=_who(move.player),
                move=move.doing,
            )


def _who(player: str) -> str:
    return player or Sentence("The table")


def _in_time(state: State, move: Move) -> None:
    up = state.runs_out_at
    if up is not None and move.at > up:
        raise Foul(
            "time-was-up",
            move.player,
            "{player}'s {move} comes {late} after {turn}'s time was up.",
            move=move.doing,
            late=time_shown(move.at - up),
            turn=state.turn,
        )


def _own_turn(state: State, move: Move) -> None:
    if move.player != state.turn:
        raise Foul(
            "not-your-turn",
            move.player,
            "{player} cannot {move} now: it is {turn}'s turn.",
            move=move.doing,
            turn=state.turn,
        )


# --- a card is laid --------------------------------------------------------------------------------------------


def _card_shown(player: str, text: str, turned: int = 0) -> Card:
    try:
        return card_of(text, turned)
    except ValueError:
        raise Foul(
            "unknown-card",
            player,
            "{who} shows '{card}', which is not a card: name four symbols, such as "
            "circle-red or triangle-blue, for {corners}.",
            who=_who(player),
            card=text,
            corners=CORNERS,
        ) from None


def _card_laid(state: State, move: Lay) -> str:
    """The card as it lies, or a Foul if it cannot lie there."""
    house = state.house
    if move.place and move.place not in house.field.geometry.numbers:
        raise Foul(
            "unknown-place",
            move.player,
            "{player} lays {card} on {place}, but the places of {field} are {places}.",
            card=move.card or Sentence("a card"),
            place=move.place,
            field=house.field.name,
            places=house.field.letters,
        )
    if not 0 <= move.turned <= 3:
        raise Foul(
            "turned-too-far",
            move.player,
            "{player} turns the card by {turned} quarters; it can be 0 to 3.",
            turned=move.turned,
        )
    if move.turned and not house.rotate:
        raise Foul(
            "no-turning",
            move.player,
            "{player} cannot turn {card}: the house rule rotate is off.",
            card=move.card or Sentence("the card"),
        )
    card = _card_shown(move.player, move.card, move.turned) if move.card else None
    if state.field:
        _fit(state, move, card)
    return str(card) if card else UNSEEN


def _fit(state: State, move: Lay, card: Card | None) -> None:
    if card is None or not move.place:
        raise Foul(
            "card-needed",
            move.player,
            "{player} must show the card and its place: the referee checks every card of this match.",
        )
    if move.lies:
        return
    house = state.house
    number = house.field.geometry.numbers[move.place]
    covered = card_of(state.field[number])
    wrong = misfits(card, covered, triangle_fits=house.triangle_fits)
    if wrong:
        corner = wrong[0]
        raise Foul(
            "does-not-fit",
            move.player,
            "{player} cannot lay {card} on {place}: {where}, {symbol} agrees with "
            "{under} neither in shape nor in colour.",
            card=str(card),
            place=move.place,
            where=CORNERS[corner],
            symbol=card.symbols[corner],
            under=covered.symbols[corner],
            covered=str(covered),
            cells=tuple(house.field.geometry.names[4 * number + corner] for corner in wrong),
        )


def _points_of(state: State, move: Lay, field: tuple[str, ...], events: list[Event]) -> int | None:
    """The points for a card, counted or said; None where they are owed or not counted at all."""
    if state.house.way in ALONE:
        if move.points is not None:
            raise Foul(
                "no-points",
                move.player,
                "{player} says {points} points, but the way {way} counts none.",
                points=move.points,
                way=state.house.way,
            )
        return None
    if not field:
        if move.points is not None:
            _possible_points(state, move.player, move.place, move.points)
        return move.points
    number = state.house.field.geometry.numbers[move.place]
    found = score(state.house, field, move.place, state.field[number])
    if move.points is not None and move.points != found.points:
        raise Foul(
            "points-differ",
            move.player,
            "{player} says {said} points for the card on {place}, but the referee counts {counted}: {runs}.",
            said=move.points,
            counted=found.points,
            place=move.place,
            runs=found.runs,
            triangles=found.triangles,
        )
    if found.runs:
        events.append(Counted(move.player, found.runs))
    events += [Combined(move.player, *bonus) for bonus in found.bonuses]
    if found.triangles:
        events.append(TrianglesUsed(move.player, found.triangles))
    return found.points


def _possible_points(state: State, player: str, place: str, points: int) -> None:
    most = most_points(state.house, place)
    if not 0 <= points <= most:
        raise Foul(
            "impossible-points",
            player,
            "{player} says {points} points; for a card on {place} it can only be 0 to {most}.",
            points=points,
            place=place or state.house.field.name,
            most=most,
        )


def _settled(state: State, waiting: tuple[Due, ...], events: list[Event]) -> tuple[tuple[int, ...], tuple[Due, ...]]:
    """The scores with all points up to the first that are owed, and what still waits.

    Playing for points, whoever reaches the target first has won, and no later points count.
    """
    scores = state.scores
    while waiting:
        due = waiting[0]
        if due.points is None:
            break
        waiting = waiting[1:]
        seat = state.players.index(due.player)
        total = scores[seat] + due.points
        events.append(Scored(due.player, due.points, total))
        if due.bonus:
            total += due.bonus
            events.append(HandEmpty(due.player, due.bonus, total))
        scores = changed(scores, seat, total)
        if state.house.way == "points" and total >= state.house.target:
            return scores, ()
    return scores, waiting


def _drawn(state: State, player: str, cards: tuple[str, ...], events: list[Event]) -> None:
    if cards:
        events.append(CardsMoved(cards, Place("deck"), Place("hand", player)))
        if len(cards) == state.deck:
            events.append(DeckUsedUp())


# --- the hand of who plays alone ---------------------------------------------------------------------------------


_NOT_SHOWN = tuple((UNSEEN,) * count for count in range(HAND + 1))


def _cards_shown(state: State, player: str, cards: tuple[str, ...], count: int) -> tuple[str, ...]:
    """The cards that somebody takes, as they are shown; "?" for each where they are not."""
    if not cards:
        return _NOT_SHOWN[count]
    if state.house.way not in ALONE:
        raise Foul(
            "hand-shown", player, "{who} shows cards of a hand; only somebody who plays alone does.", who=_who(player)
        )
    if len(cards) != count:
        raise Foul(
            "hand-size",
            player,
            "{who} shows {shown} cards for the hand, which gets {count}: show each of them, or none.",
            who=_who(player),
            shown=len(cards),
            count=count,
        )
    return tuple([str(_card_shown(player, text)) for text in cards])


def _hand(state: State) -> tuple[str, ...]:
    return state.held or (UNSEEN,) * state.hands[0]


def _held(cards: tuple[str, ...]) -> tuple[str, ...]:
    return cards if any(card != UNSEEN for card in cards) else ()


def _holding(state: State, hand: tuple[str, ...], *, on_word: bool = False) -> State:
    """After a turn, with what is known of the hand then; `on_word` if the turn itself is."""
    return replace(state, held=_held(hand), on_word=on_word or is_on_word(state))


def _hand_without(state: State, move: Lay) -> tuple[str, ...]:
    """The hand without the card that is laid, or a Foul if it was not in there."""
    hand = _hand(state)
    if not move.card:
        return (UNSEEN,) * (len(hand) - 1)
    turns = range(4) if state.house.rotate else range(1)
    same = {str(card_of(move.card, turned)) for turned in turns}
    number = next((number for number, card in enumerate(hand) if card in same), None)
    if number is None and move.lies:
        return (UNSEEN,) * (len(hand) - 1)
    if number is None and UNSEEN not in hand:
        raise Foul(
            "not-in-hand",
            move.player,
            "{player} lays {card}, which is not in the hand that was shown.",
            card=str(card_of(move.card)),
        )
    number = hand.index(UNSEEN) if number is None else number
    return (*hand[:number], *hand[number + 1 :])


def is_on_word(state: State) -> bool:
    """Of who plays alone the referee cannot see whether a card fits, or could not before."""
    return state.on_word or _is_unseen(state)


def _is_unseen(state: State) -> bool:
    return state.house.way in ALONE and not (state.field and UNSEEN not in _hand(state))


def _can_lay(state: State) -> bool:
    """The referee sees a card in the hand that fits."""
    return not _is_unseen(state) and any(_fits_on_field(state, card) for card in state.held)


def _fits_on_field(state: State, card: str) -> bool:
    house = state.house
    return any(
        not misfits(card_of(card, turned), card_of(covered), triangle_fits=house.triangle_fits)
        for turned in (range(4) if house.rotate else range(1))
        for covered in state.field
    )


def _is_stuck(state: State) -> bool:
    """Nothing is left to draw, and the referee sees that no card in the hand fits."""
    return not state.deck and not _is_unseen(state) and not _can_lay(state)


def _must_be_a_draw(state: State, move: Draw) -> None:
    """Where nothing is left to draw, that no card fits ends a time trial."""
    if not state.deck:
        raise Foul("card-fits", move.player, "{player} says that no card fits, but one in the hand does: look again.")


def _is_trial(house: House) -> bool:
    """A time trial that goes on until the hand is used up too."""
    return house.way == "time-trial" and not house.trial_ends_with_deck


# --- a turn is over --------------------------------------------------------------------------------------------


def _turn_over(state: State, at: int, events: list[Event]) -> Ruling:
    """The next turn, which starts at the same stamp, or the end of play."""
    steps = _steps_to_next(state)
    turns = state.turns + steps
    reason = _why_finished(state, steps)
    if reason:
        state = replace(state, turn="", turns=turns, clocks=_clocks_at(state, "", at))
        if not state.waiting:
            return _over(state, events, reason)
        events.append(PlayFinished(state.owed))
        return _ruling(replace(state, phase="counting", ending=reason), events)
    players = state.players
    turn = players[(players.index(state.turn) + steps) % len(players)]
    events.append(Turn(turn))
    return _ruling(replace(state, turn=turn, turns=turns, clocks=_clocks_at(state, turn, at)), events)


def _steps_to_next(state: State) -> int:
    """Seats from this player to the next who has cards and time; 0 if there is nobody."""
    count = len(state.players)
    seat = state.players.index(state.turn)
    for steps in range(1, count + 1):
        following = (seat + steps) % count
        if state.hands[following] and (not state.out or state.players[following] not in state.out):
            return steps
    return 0


def _why_finished(state: State, steps: int) -> str:
    """Why there is no next turn; empty if there is one."""
    house, way = state.house, state.house.way
    if way == "points" and max(_known(state)) >= house.target:
        return "The target is reached."
    if way == "rounds" and state.turns + steps >= house.rounds * len(state.players):
        return Sentence("All {rounds} rounds are played: most points win.", rounds=house.rounds)
    if way in DECK_ENDS and not state.deck and not (_is_trial(house) and _goes_on(state, steps)):
        return "The deck is used up: most points win."
    if len(state.out) == len(state.players):
        return "Everybody's time is used up: most points win."
    if not steps or (way in ("points", "stopwatch") and state.idle and _all_idle(state)):
        return NOBODY_CAN_LAY
    return ""


def _goes_on(state: State, steps: int) -> bool:
    """There are cards in the hand, and neither the player nor what was shown says that none of them fits."""
    return steps > 0 and not state.idle and not _is_stuck(state)


def is_ended_by_deck(state: State) -> bool:
    """The match would have gone on if there had been more cards in the deck."""
    if state.outcome is None or state.deck:
        return False
    return state.house.way in DECK_ENDS or state.outcome.reason == NOBODY_CAN_LAY


def _all_idle(state: State) -> bool:
    playing = sum(
        1 for player, hand in zip(state.players, state.hands, strict=True) if hand and player not in state.out
    )
    return state.idle >= playing


def _known(state: State) -> tuple[int, ...]:
    """The scores with what waits behind owed points, as far as it is known."""
    scores = state.scores
    for due in state.waiting:
        seat = state.players.index(due.player)
        scores = changed(scores, seat, scores[seat] + (due.points or 0) + due.bonus)
    return scores


def _is_reached(state: State) -> bool:
    return state.house.way == "points" and max(state.scores) >= state.house.target


def _clocks_at(state: State, turn: str, at: int) -> tuple[Clock, ...]:
    """The clocks when the turn goes from whoever has it to another, or to nobody."""
    match state.house.way:
        case "stopwatch":
            clocks = state.clocks
            if state.turn:
                seat = state.players.index(state.turn)
                clocks = changed(clocks, seat, clocks[seat].stop(at))
            if turn:
                seat = state.players.index(turn)
                clocks = changed(clocks, seat, clocks[seat].start(at))
            return clocks
        case "time":
            return (Clock(state.clocks[0].limit, since=at) if turn else state.clocks[0].stop(at),)
        case "time-trial":
            return (state.clocks[0].start(at) if turn else state.clocks[0].stop(at),)
        case _:
            return ()


def _over(state: State, events: list[Event], reason: str) -> Ruling:
    scores = state.scores
    if state.house.way == "deck":
        scores = _less_hands(state, events)
    winners = highest(state.players, scores)
    if _is_reached(state):
        reason = Sentence(
            "{winners} has reached {scores} points; {target} were needed.",
            winners=winners[0],
            scores=max(scores),
            target=state.house.target,
        )
    elif state.house.way == "time-trial":
        reason = _how_far(state, winners[0], state.hands[0], time_shown(state.clocks[0].used))
    elif state.house.way == "relaxed":
        winners = ()
        reason = reason if state.deck else "The deck is played out."
    outcome = Outcome(winners, scores, reason)
    state = replace(state, phase="over", turn="", scores=scores, waiting=(), ending="", outcome=outcome)
    events.append(ended(outcome))
    return _ruling(state, events)


def _how_far(state: State, player: str, cards: int, used: str) -> str:
    if cards and not state.house.trial_ends_with_deck:
        return Sentence(
            "{player} has {cards} cards left after {used}, and none of them fits.",
            player=player,
            cards=cards,
            used=used,
        )
    return Sentence("{player} has played out the deck in {used}.", player=player, used=used)


def _less_hands(state: State, events: list[Event]) -> tuple[int, ...]:
    scores = tuple(score - hand for score, hand in zip(state.scores, state.hands, strict=True))
    events += [
        LeftInHand(player, hand, -hand, total)
        for player, hand, total in zip(state.players, state.hands, scores, strict=True)
        if hand
    ]
    return scores


def _ruling(state: State, events: list[Event]) -> Ruling:
    return Ruling(state, tuple(events), _may(state))


def _may(state: State) -> tuple[May, ...]:
    match state.phase:
        case "deal":
            return (May("deal", state.players),)
        case "ready":
            return (May("begin", state.players),)
        case "turn":
            return _may_in_turn(state.players, state.turn, state.owed[:1], state.house.way, state.deck > 0)
        case "counting":
            return (May("points", state.owed[:1]),)
        case _:
            return ()


@lru_cache(maxsize=1024)
def _may_in_turn(players: tuple[str, ...], turn: str, owes: tuple[str, ...], way: str, deck: bool) -> tuple[May, ...]:
    may = [May("lay", (turn,)), May("draw", (turn,))]
    if owes:
        may.append(May("points", owes))
    if deck:
        may.append(May("deck-empty", players))
    may.append(May("deck-count", players))
    if way == "relaxed":
        may.append(May("finish", (turn,)))
    return tuple(may)


def facts(state: State) -> tuple[Fact, ...]:
    """The time of a time trial, and what it is compared by; none of one in which a draw was not needed."""
    if state.outcome is None or state.house.way != "time-trial":
        return ()
    player = state.players[0]
    time = Fact("time-trial", player, state.clocks[0].used)
    if state.house.trial_ends_with_deck:
        return (time,)
    if state.needless:
        return ()
    return (
        time,
        Fact("trial-left", player, state.hands[0]),
        Fact("trial-cards", player, cards_played(state)),
        Fact("trial-word", player, int(state.on_word)),
    )


def cards_played(state: State) -> int:
    """How many cards there are in all, as far as they have been counted."""
    return state.house.deck - state.missing


SUMMARY = """\
Everybody holds three cards of four symbols each. In turn each player lays one on a card of the field; every
symbol must agree in shape or in colour with the one it covers. Triangles may lie on anything, anything may
lie on them, and on the field each stands for one shape and one colour, another in every turn. Every row or
column of equal shapes or equal colours with a symbol of the new card scores: three in a row 1 point, four 2,
five 3, six 4; on the field L box each block of two by two counts instead: three equal 1, four 2. Whoever
plays out the hand gets 3 points and draws three cards; whoever cannot lay draws one, and the turn is over.
The way to play says what wins: a number of points, most points after some rounds or when the deck is used up,
against the clock in each turn or in the whole match, or alone in the best time."""

GAME = Game(
    "threepia",
    "Threepia",
    (1, 6),
    20,
    SUMMARY,
    House,
    State,
    tuple(_RULES),
    (
        Dealt,
        Began,
        Laid,
        Counted,
        Combined,
        TrianglesUsed,
        Scored,
        HandEmpty,
        PointsOwed,
        NothingLaid,
        DrawnNeedlessly,
        DeckUsedUp,
        DeckCounted,
        TurnTimeUp,
        OutOfTime,
        LeftInHand,
        PlayFinished,
        CardsMoved,
        Turn,
        Ended,
    ),
    start,
    rule,
    facts,
    adjusted=adjusted,
    went_on=went_on,
    out=lambda state: state.out,
)
