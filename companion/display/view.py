"""What a screen is drawn from: the match as it stands, the set-up that is being made, and who looks on. All frozen."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from companion.core.correction import Done
from companion.core.match import COLOURS, Match, Player, Setup, is_stopped
from companion.core.replies import AdviceReply
from companion.core.rules import Advice, Event, Game, Move, Ruling
from companion.core.seats import Bot, BotSeats
from companion.devices.camera import CameraSight
from companion.display.layout import Box, Measure, Size, measure
from companion.display.question import Question
from companion.display.shelf import Shelf
from companion.games import game as game_named
from companion.reports.curve import Curve, curve_of
from companion.reports.progress import Round, round_just_over, rounds
from companion.teaching.teaching_sight import TeachingSight
from companion.words import Words

if TYPE_CHECKING:
    from companion.reports.trials import Trial

SIDES = ("bottom", "left", "top", "right")  # of the screen, clockwise as the seats are
TURNS = {"bottom": 0, "left": 1, "top": 2, "right": 3}  # quarter turns clockwise, so that it can be read from there
_AROUND = {
    1: (0,),
    2: (0, 2),
    3: (0, 1, 3),
    4: (0, 1, 2, 3),
    5: (0, 1, 2, 2, 3),
    6: (0, 0, 1, 2, 2, 3),
    7: (0, 0, 1, 2, 2, 2, 3),
    8: (0, 0, 1, 1, 2, 2, 3, 3),
}
NOTHING: Mapping[str, Any] = MappingProxyType({})


@cache
def english() -> Words:
    return Words()


@dataclass(frozen=True, slots=True)
class Prefs:
    """What people at this table like; it belongs to the table and not to a match."""

    theme: str = "dark"
    language: str = "en"
    around: bool = False  # they sit on all sides of the screen, not on one
    volume: int = 6  # 0 to 10; 0 is mute
    speech: bool = False  # rulings are spoken too, where espeak-ng is there
    # By game the taught deck that a camera reads, a name or a file; of the others it reads the printed one.
    decks: dict[str, str] = field(default_factory=dict, hash=False)

    def with_deck(self, game: str, deck: str) -> "Prefs":
        """Another deck of a game; without a name the printed one."""
        others = {of: name for of, name in self.decks.items() if of != game}
        return replace(self, decks={**others, game: deck} if deck else others)


@dataclass(frozen=True, slots=True)
class Draft:
    """A match that is being set up."""

    game: str = ""
    players: tuple[Player, ...] = ()
    house: Any = None
    is_seated: bool = False  # it was chosen who is a person and who a bot

    @property
    def playing(self) -> Game:
        return game_named(self.game)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.players)

    def with_player(self, seat: int, player: Player) -> "Draft":
        """Somebody else on a seat; who had the new colour gets the old one."""
        before = self.players[seat]
        others = tuple(
            replace(other, colour=before.colour) if other.colour == player.colour else other for other in self.players
        )
        return replace(self, players=(*others[:seat], player, *others[seat + 1 :]))

    def with_one_more(self, name: str, bot: Bot | None = None) -> "Draft":
        free = next(colour for colour in COLOURS if colour not in [player.colour for player in self.players])
        return replace(self, players=(*self.players, Player(name, free, bot)))

    def without(self, seat: int) -> "Draft":
        return replace(self, players=(*self.players[:seat], *self.players[seat + 1 :]))

    def at(self, table: BotSeats) -> "Draft":
        """The same at a table that has no bots for this game, or has them wherever nobody chose otherwise."""
        if self.game not in table.games:
            seats: tuple[Bot | None, ...] = (None,) * len(self.players)
        elif self.is_seated or not table.fills:
            return self
        else:
            seats = (None, *(table.usual for _ in self.players[1:]))
        sit = tuple(replace(player, bot=bot) for player, bot in zip(self.players, seats, strict=True))
        return replace(self, players=sit, is_seated=self.game in table.games)


@dataclass(frozen=True)
class Seen:
    """A match at one moment."""

    setup: Setup
    game: Game
    ruling: Ruling
    line: tuple[Done, ...]
    start: Ruling
    now: int = 0  # table time of the last thing that happened
    paused: str | None = None  # why, while it is paused
    abandoned: str | None = None
    can_redo: bool = False
    stands: bool = False  # no clock runs
    is_stopped: bool = False  # somebody has called Stop!
    table: int = 0  # the newest change of any kind; another number is another moment
    veil: frozenset[str] = frozenset()  # cards that lie hidden by now, where a moment before is shown

    @property
    def state(self) -> Any:
        return self.ruling.state

    @property
    def is_over(self) -> bool:
        return self.state.outcome is not None or self.abandoned is not None

    @cached_property
    def hidden(self) -> frozenset[str]:
        """The cards that no screen shows now."""
        lying = () if self.is_over else self.game.hidden(self.state)
        return self.veil | frozenset(card for one in lying for card in one.cards)

    @cached_property
    def covered(self) -> frozenset[str]:
        """Those of them that lay open once, of which there is but one each."""
        lying = () if self.is_over else self.game.hidden(self.state)
        return frozenset(card for one in lying if one.place.kind == "cell" for card in one.cards)

    @cached_property
    def may(self) -> dict[str, tuple[str, ...]]:
        """Which moves are open now, and to whom."""
        if self.paused is not None or self.is_over:
            return {}
        return {may.move: may.players for may in self.ruling.may}

    @cached_property
    def colours(self) -> dict[str, str]:
        return {player.name: player.colour for player in self.setup.players}

    @property
    def events(self) -> tuple[Event, ...]:
        """What the newest move did."""
        return self.line[-1].ruling.events if self.line else ()

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        """Those that are over."""
        return rounds(self)

    @cached_property
    def curve(self) -> Curve:
        """The scores from the beginning to now."""
        return curve_of(self)

    @cached_property
    def round_over(self) -> Round | None:
        """The round that the newest move has ended, while others are still to be played."""
        return round_just_over(self)


def seen(match: Match, table: int = 0) -> Seen:
    return Seen(
        match.setup,
        match.game,
        match.ruling,
        tuple(match.line),
        match.start,
        match.now,
        match.paused.why if match.paused else None,
        match.abandoned.why if match.abandoned else None,
        match.can_redo,
        match.stands,
        is_stopped(match),
        table,
    )


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that has to be said once: a foul to its player, anything else to everybody."""

    kind: str  # foul, error, notice, ruling
    sentence: str
    player: str = ""
    code: str = ""
    is_fading: bool = False  # it has been there for long, and is about to go


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A match in the journal that somebody may want to go on with."""

    code: str
    game: str
    players: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Past:
    """What the journal knows that helps to begin."""

    last: tuple[Draft, ...] = ()  # how each game was set up last, newest first
    names: tuple[str, ...] = ()  # who has played here
    unfinished: tuple[Unfinished, ...] = ()  # newest first
    trials: "tuple[Trial, ...]" = ()  # every run that counts, newest first


@dataclass(frozen=True, slots=True)
class Instead:
    """The move in whose place somebody says another one, and its number."""

    number: int
    move: Move


@dataclass(frozen=True)
class View:
    """All that a screen may know."""

    size: Size
    words: Words = field(default_factory=english)
    screen: str = "games"
    about: str = ""
    draft: Draft = Draft()
    prefs: Prefs = Prefs()
    marks: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    seen: Seen | None = None
    notice: Notice | None = None
    advice: Advice | AdviceReply | None = None
    past: Past = Past()
    depth: int = 0  # how many screens lie behind this one
    bot_seats: BotSeats = field(default_factory=BotSeats, kw_only=True)
    sight: CameraSight = field(default_factory=CameraSight, kw_only=True)
    teaching: TeachingSight | None = field(default=None, kw_only=True)  # the deck that is being taught
    shelf: Shelf = field(default_factory=Shelf)  # what was looked up for this screen
    troubles: tuple[str, ...] = field(default=(), kw_only=True)  # with the sound, in English sentences
    passed: int = field(default=0, kw_only=True)  # the newest moment of the state that has come by itself
    ailing: tuple[str, ...] = field(default=(), kw_only=True)  # devices that are missed or need care
    can_lead: bool = field(default=False, kw_only=True)  # this table can lead somebody through a first round
    has_bg_stats: bool = field(default=False, kw_only=True)  # a match that is over can be handed to that app
    has_board: bool = field(default=False, kw_only=True)  # this computer shows the match on phones
    draws: bool = field(default=False, kw_only=True)  # the cards are drawn beside the screen
    refused: str = field(default="", kw_only=True)  # the code of the foul that was told since the last ruling
    instead: Instead | None = field(default=None, kw_only=True)
    shares: bool = field(default=False, kw_only=True)  # a part of the screen is for what the camera sees
    question: Question | None = field(default=None, kw_only=True)  # what a correction would change, to be answered

    @cached_property
    def m(self) -> Measure:
        return measure(self.size)

    @property
    def screen_box(self) -> Box:
        return Box(0, 0, *self.size)

    @property
    def match(self) -> Seen:
        assert self.seen is not None
        return self.seen

    @property
    def shows_round(self) -> bool:
        """How a round ended is shown until somebody goes on, or looks at something else of it."""
        return self.screen == "table" and not self.marks and self.seen is not None and self.seen.round_over is not None

    def side_of(self, player: str) -> str:
        """The side of the screen where a player sits."""
        if not self.prefs.around or self.seen is None:
            return "bottom"
        names = self.seen.setup.names
        return sides(len(names))[names.index(player)] if player in names else "bottom"

    def half_turn(self, player: str) -> int:
        """A line across the screen faces whoever sits opposite; for those at the sides it stays as it is."""
        return TURNS["top"] if player and self.side_of(player) == "top" else 0


def sides(players: int) -> tuple[str, ...]:
    """Where players sit who sit around the screen, clockwise from its lower edge."""
    return tuple(SIDES[side] for side in _AROUND[players])
