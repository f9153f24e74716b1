"""Pages for phones: what is kept, in the language of whoever reads it. Nothing here decides anything."""

from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from companion.board import phrases
from companion.board.card_signs import CardFace, card_face
from companion.board.drawn_events import FinishShown, finish_shown
from companion.board.hall import Hall, RunningClocks, TableNow
from companion.board.match_outcomes import MatchResult
from companion.board.results import MatchLine
from companion.core.codec import read_again
from companion.core.errors import CompanionError
from companion.games import game
from companion.publishing.entry_payloads import EntryNow, LyingNow, PieceNow, SaidNow, StandingNow
from companion.words import LANGUAGES, Words, labels
from companion.words.speaking import ENGLISH, known_language

PAGES = Path(__file__).parent / "pages"
STATIC = Path(__file__).parent / "static"
RUNS = ("running", "paused")


@dataclass(frozen=True, slots=True)
class ClockShown:
    """`used` seconds at `since`, by the board's clock; `since` is empty for one that stands."""

    used: float
    limit: float | None
    since: float | None
    text: str


@dataclass(frozen=True, slots=True)
class PlayerShown:
    name: str
    colour: str
    score: int
    is_turn: bool
    has_won: bool
    clock: ClockShown | None
    holds: tuple[str, ...]  # what lies before the player, in words


@dataclass(frozen=True, slots=True)
class PlaceShown:
    """`colours`: of pieces, by whom they belong to."""

    label: str
    count: int
    cards: tuple[CardFace, ...]
    colours: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PictureShown:
    """The cards as the camera sees them."""

    source: str
    wide: int
    high: int
    told: str


@dataclass(frozen=True, slots=True)
class MatchShown:
    """A match as a page shows it."""

    code: str
    table: str
    title: str
    status: str
    players: tuple[PlayerShown, ...]
    said: tuple[str, ...]
    end: str
    grid: tuple[PlaceShown, ...]
    places: tuple[PlaceShown, ...]
    clock: ClockShown | None
    chance: str
    notices: tuple[str, ...]
    is_called: bool = False  # something such as Stop! holds
    finish: FinishShown | None = None
    picture: PictureShown | None = None


def language_for(header: str) -> str:
    """The reader's own language, as far as we have it: Accept-Language of a browser."""
    wishes = []
    for place, part in enumerate(header[:200].split(",")):
        name, _, quality = part.partition(";")
        try:
            weight = float(quality.strip().removeprefix("q=") or 1)
        except ValueError:
            weight = 0.0
        wishes.append((-weight, place, known_language(name)))
    return next((language for weight, _, language in sorted(wishes) if language and weight < 0), ENGLISH)


@cache
def words_in(language: str) -> Words:
    return Words(language)


class Pages:
    """Renders; `hall` has what is shown now."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self._templates = Environment(
            loader=FileSystemLoader(PAGES), autoescape=True, undefined=StrictUndefined, trim_blocks=True,
            lstrip_blocks=True,
        )  # fmt: skip
        self._fragments: dict[tuple[str, str], tuple[int, str]] = {}

    def page(self, template: str, language: str, **values: Any) -> str:
        words = words_in(language)
        return self._templates.get_template(template).render(
            language=language, languages=LANGUAGES, words=words, phrases=phrases, labels=labels, **values
        )

    def fragment(self, name: str, language: str) -> tuple[int, str]:
        """What changes on the page of a table, and of which version it is; made once for all who read it. Without a
        name: on that of the hall."""
        table = self._hall.tables.get(name) if name else None
        bell = self._hall.bell if not name else table.bell if table else None
        version = bell.version if bell else 0
        known = self._fragments.get((name, language))
        if known is None or known[0] != version:
            known = version, self._fragment(name, table, language)
            self._fragments[name, language] = known
        return known

    def _fragment(self, name: str, table: TableNow | None, language: str) -> str:
        words = words_in(language)
        if not name:
            tables = [shown_now(one, words) for _, one in sorted(self._hall.tables.items())]
            return self.page("tables.html", language, tables=tables)
        return self.page("standing.html", language, shown=shown_now(table or TableNow(name), words))


# --- what is shown of a match ----------------------------------------------------------------------------------


def shown_now(table: TableNow, words: Words) -> MatchShown:
    """What is played at a table now."""
    line = table.line
    notices = [] if table.is_online or line is None else [words.say(phrases.CANNOT_BE_REACHED)]
    if table.is_unheard:
        notices.append(words.say(phrases.SOMETHING_IS_MISSING))
    if line is None:
        return _nothing(table.name, (*notices,) or (words.say(phrases.NOBODY_PLAYS),))
    clocks = table.clocks if table.is_online else RunningClocks(table.clocks.clocks)
    return replace(shown(line, words, clocks, (*notices,)), picture=_picture(table, words))


def _picture(table: TableNow, words: Words) -> PictureShown | None:
    found = table.picture
    if found is None:
        return None
    told = words.say(phrases.THE_CARDS, cards=", ".join(map(words.card, found.cards)))
    return PictureShown(f"/table/{table.name}/cards/{found.tag}", found.wide, found.high, told)


def shown(
    line: MatchLine, words: Words, clocks: RunningClocks | None = None, notices: tuple[str, ...] = ()
) -> MatchShown:
    """A match as its newest entry tells."""
    entry, standing = line.entry, line.entry.standing
    if not line.is_whole:
        notices = (*notices, words.say(phrases.SOMETHING_IS_MISSING))
    if standing is None:
        return _nothing(line.table, (*notices, words.say(phrases.CANNOT_BE_TOLD)), line.match, title(line.game))
    times = _clocks(clocks or RunningClocks(standing.clocks), words)
    seats = {player.name for player in standing.players}
    cells = [lying for lying in standing.open if lying.kind == "cell"]
    others = [lying for lying in standing.open if lying.kind != "cell" and lying.of not in seats]
    colours = {player.name: player.colour for player in standing.players}
    known = {name: colour for name, colour in colours.items() if colour in labels.COLOURS}
    return MatchShown(
        line.match,
        line.table,
        title(line.game),
        line.status,
        tuple(
            PlayerShown(
                player.name,
                player.colour if player.colour in labels.COLOURS else "",
                player.score,
                player.turn,
                standing.over is not None and player.name in standing.over.winners,
                times.get(player.name),
                tuple(_held(lying, words) for lying in standing.open if lying.of == player.name),
            )
            for player in standing.players
        ),
        said(entry, words),
        _end(standing, words),
        tuple(_place(lying, words, colours) for lying in cells),
        tuple(_place(lying, words, colours) for lying in others),
        times.get(""),
        words.say(phrases.SURE_TO, percent=int(100 * entry.chance)) if entry.chance is not None else "",
        notices,
        standing.called,
        finish_shown(entry.finish, known, words),
    )


def _nothing(table: str, notices: tuple[str, ...], code: str = "", name: str = "") -> MatchShown:
    return MatchShown(code, table, name, "", (), (), "", (), (), None, "", notices)


def title(name: str) -> str:
    """Of a game that this board may not know."""
    try:
        return game(name).title
    except CompanionError:
        return name


def said(entry: EntryNow, words: Words) -> tuple[str, ...]:
    return tuple(_sentence(one, words) for one in entry.said)


def _sentence(one: SaidNow, words: Words) -> str:
    """What cannot be said from its facts, because they are not as they should be, is left as it was written."""
    try:
        return words.heard(read_again(one.text, one.facts))
    except (LookupError, ValueError, TypeError, AttributeError):
        return one.text


def piece_said(piece: PieceNow, words: Words) -> str:
    """What cannot be said from its facts, because they are not as they should be, is left as it was written."""
    try:
        return words.say(piece.text, **piece.facts)
    except (LookupError, ValueError, TypeError, AttributeError):
        return piece.text


def _end(standing: StandingNow, words: Words) -> str:
    return _sentence(SaidNow("", standing.over.text, standing.over.facts), words) if standing.over else ""


def _held(lying: LyingNow, words: Words) -> str:
    told = ", ".join(words.card(card) for card in lying.cards)
    what = words.say(phrases.PLACES.get(lying.kind, lying.kind))
    return words.told_of(what, f"{lying.count} ({told})" if told else lying.count)


def _place(lying: LyingNow, words: Words, colours: dict[str, str]) -> PlaceShown:
    label = lying.of if lying.kind == "cell" else words.value(lying.of) or words.say(phrases.PLACES.get(lying.kind, ""))
    pieces = tuple(colours.get(card, "") for card in lying.cards) if lying.kind == "stack" else ()
    cards = () if pieces else tuple(card_face(card, words) for card in lying.cards)
    return PlaceShown(label, lying.count, cards, tuple(one for one in pieces if one in labels.COLOURS))


def _clocks(running: RunningClocks, words: Words) -> dict[str, ClockShown]:
    return {
        clock.player: ClockShown(
            clock.used,
            clock.limit,
            running.since if clock.runs and running.since is not None else None,
            words.time(int(1e9 * (clock.used if clock.limit is None else max(0.0, clock.limit - clock.used)))),
        )
        for clock in running.clocks
    }


# --- matches ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class LineShown:
    code: str
    table: str
    title: str
    day: str
    status: str
    score: str
    winners: str


def line_shown(line: MatchLine, words: Words) -> LineShown:
    standing = line.entry.standing
    players = standing.players if standing else ()
    winners = standing.over.winners if standing and standing.over else ()
    said_status = {"running": labels.RUNNING, "paused": labels.PAUSED, "abandoned": labels.ABANDONED}.get(line.status)
    return LineShown(
        line.match,
        line.table,
        title(line.game),
        day_shown(line.began, words),
        words.say(said_status) if said_status else "",
        ", ".join(f"{player.name} {player.score}" for player in players),
        winners_shown(winners, words),
    )


def winners_shown(winners: tuple[str, ...], words: Words) -> str:
    if len(winners) > 1:
        return words.say(labels.WINNERS, players=words.listed(winners))
    return words.say(labels.WINNER, player=winners[0]) if winners else ""


def day_shown(began: str, words: Words) -> str:
    try:
        return words.date(datetime.fromisoformat(began).astimezone().date())
    except (ValueError, OverflowError):
        return ""


def result_shown(result: MatchResult, words: Words) -> str:
    """In a line."""
    scores = ", ".join(f"{player.name} {player.score}" for player in result.players)
    if len(result.players) < 2:
        return scores
    winners = winners_shown(tuple(player.name for player in result.players if player.won), words)
    return f"{scores} · {winners or words.say(labels.NOBODY_WON)}"
