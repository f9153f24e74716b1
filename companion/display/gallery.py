"""Every screen in its usual and in its hardest states, to look at and to test: no table, no journal, no window."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import Any

from companion.clocks import MILLISECOND, SECOND
from companion.display.layout import Size
from companion.display.view import Draft, Notice, Past, Prefs, Seen, Unfinished, View, seen
from companion.fields import field
from companion.games import NAMES as NAMED
from companion.games import game as game_named
from companion.games import threepia, triplexity
from companion.match import COLOURS, Abandoned, Match, Paused, Player, Setup, set_up
from companion.playing import play_out
from companion.rules import Foul, Move
from companion.solver import advice
from companion.words import Words, labels

SIZES: tuple[Size, ...] = ((800, 480), (720, 1280), (1280, 720), (1920, 1080))
NAMES = ("Anna", "Ben", "Clara", "Dario", "Elif", "Finn", "Grete", "Hugo")
LONG = (
    "Maximiliane-Josephine von Hohenfels-Wittgenstein zu Altenbrück",
    "Ann",
    "Χρυσοβαλάντης Παπαδημητρόπουλος",
    "Екатерина Константиновна Преображенская",
    "Bartholomäus Featherstonehaugh-Cholmondeley the Younger",
    "Þórunn",
    "Nguyễn Thị Minh Khai",
    "Ob",
)
LONG_NAMES = tuple(name[:60].strip() for name in LONG)

Make = Callable[[], View]


@dataclass(frozen=True, slots=True)
class Shot:
    """A state of a screen by name."""

    name: str
    view: View

    @property
    def moment(self) -> int:
        """The table time of the picture: a little after the last thing that happened."""
        return self.view.seen.now + 1_700 * MILLISECOND if self.view.seen else 0


def shots(size: Size, words: Words, **prefs: Any) -> Iterator[Shot]:
    """All of them, at this size and in this language."""
    for name, view in _views().items():
        notice = view.notice and replace(view.notice, sentence=words.heard(view.notice.sentence))
        prefers = replace(view.prefs, language=words.language, **prefs)
        yield Shot(name, replace(view, size=size, words=words, notice=notice, prefs=prefers))


@cache
def _views() -> dict[str, View]:
    blank = View((800, 480))
    return {
        **{f"games-{name}": replace(blank, past=known) for name, known in _pasts().items()},
        **_set_ups(blank),
        **_threepias(blank),
        **_triplexities(blank),
        **_results(blank),
        **_others(blank),
    }


def _draft(game: str, names: tuple[str, ...], **house: Any) -> Draft:
    playing = game_named(game)
    people = tuple(Player(name, colour) for name, colour in zip(names, COLOURS, strict=False))
    return Draft(game, people, playing.house(**house))


def _pasts() -> dict[str, Past]:
    times = tuple((NAMES[n % 4], (150 + 17 * n) * SECOND) for n in range(8))
    return {
        "new": Past(),
        "again": Past((_draft("threepia", NAMES[:6]),), NAMES, None, times),
        "unfinished": Past((), LONG_NAMES, Unfinished("abc", "triplexity", LONG_NAMES[:2]), times),
    }


def _set_ups(blank: View) -> dict[str, View]:
    known = _pasts()["again"]
    two = replace(blank, screen="players", draft=_draft("triplexity", NAMES[:2]), past=known)
    eight = _draft("tres", LONG_NAMES)
    rules = replace(blank, screen="house", draft=_draft("threepia", NAMES[:3], way="stopwatch"))
    return {
        "players-two": two,
        "players-one": replace(two, draft=_draft("threepia", NAMES[:1], way="time-trial")),
        "players-three": replace(two, draft=_draft("threepia", NAMES[:3])),
        "players-eight-long": replace(two, draft=eight, prefs=Prefs(around=True)),
        "name-empty": replace(two, screen="name", about="1"),
        "name-new": replace(two, screen="name", about="0", past=Past(), marks=_marks(text="", more=True)),
        "name-long": replace(two, screen="name", about="3", draft=eight, marks=_marks(text=LONG_NAMES[0])),
        "name-taken": replace(two, screen="name", about="3", draft=eight, marks=_marks(text=LONG_NAMES[1])),
        "house-threepia": rules,
        "house-threepia-2": replace(rules, marks=_marks(page=1)),
        "house-way": replace(rules, about="way"),
        "house-field": replace(rules, about="field"),
        "house-triplexity": replace(rules, draft=_draft("triplexity", NAMES[:2], play="advanced", rounds=3)),
        "house-three": replace(rules, draft=_draft("three", NAMES[:2])),
        "house-tie": replace(rules, draft=_draft("three", NAMES[:2]), about="tie"),
        "house-tres": replace(rules, draft=_draft("tres", NAMES[:2])),
    }


def _marks(**marks: Any) -> MappingProxyType[str, Any]:
    return MappingProxyType(marks)


# --- Threepia --------------------------------------------------------------------------------------------------


def _threepias(blank: View) -> dict[str, View]:
    table = replace(blank, screen="table", past=_pasts()["again"])

    def at(match: Match, **more: Any) -> View:
        return replace(table, seen=seen(match), **more)

    stopwatch = _threepia(NAMES[:4], 9, way="stopwatch")
    long = _threepia(LONG_NAMES[:6], 11, way="stopwatch", deck=100)
    points = _threepia(NAMES[:3], 6, field=field("worm"))
    owes = _threepia(NAMES[:2], 4, way="time", last=None)
    foul = Notice("foul", "Ben cannot lay a card now: it is Anna's turn.", "Ben", "not-your-turn")
    paused = _threepia(NAMES[:4], 9, way="stopwatch")
    paused.take(Paused(paused.now + SECOND, labels.DISPUTE))
    return {
        "threepia-deal": at(_match("threepia", NAMES[:3], field=field("l-box"))),
        "threepia-begins": at(_threepia(NAMES[:3], 0)),
        "threepia-begins-six": at(_threepia(LONG_NAMES[:6], 0, deck=100)),
        "threepia-points": at(points),
        "threepia-points-chosen": at(points, marks=_marks(points=4, deck=True)),
        "threepia-rounds": at(_threepia(NAMES[:5], 7, way="rounds", field=field("x"))),
        "threepia-deck": at(_threepia(NAMES[:2], 3, way="deck", field=field("fridge"))),
        "threepia-time": at(owes),
        "threepia-stopwatch": at(stopwatch),
        "threepia-stopwatch-two": at(_threepia(NAMES[:2], 5, way="stopwatch")),
        "threepia-stopwatch-long": at(long, prefs=Prefs(around=True)),
        "threepia-foul": at(stopwatch, notice=foul),
        "threepia-paused": at(paused),
        "threepia-trial": at(_threepia(NAMES[:1], 4, way="time-trial", last=None)),
        "threepia-relaxed": at(_threepia(NAMES[:1], 4, way="relaxed", last=None)),
        "threepia-seen": at(_played("threepia", NAMES[:3], 5)),
        "menu": at(stopwatch, screen="menu"),
        "menu-sure": at(long, screen="menu", marks=_marks(end=True)),
    }


def _match(game: str, names: tuple[str, ...], **house: Any) -> Match:
    playing = game_named(game)
    return Match(set_up(playing, names, playing.house(**house), match_id="picture"))


def _threepia(names: tuple[str, ...], turns: int, *, last: int | None = 2, **house: Any) -> Match:
    """So many turns after the beginning; without points for the last card its player owes them."""
    match = _match("threepia", names, **house)
    match.make(threepia.Deal(""))
    if turns:
        match.make(threepia.Begin(names[0], at=SECOND))
    for turn in range(turns):
        at = (4 + 7 * turn) * SECOND + 123_456_789
        alone = house.get("way") in threepia.ALONE
        points = None if alone else last if turn == turns - 1 else (3 * turn) % 5
        match.make(threepia.Lay(match.state.turn, points=points, at=at))
    return match


def _played(game: str, names: tuple[str, ...], moves: int, **house: Any) -> Match:
    """A match of bots, up to so many moves or to its end."""
    match = _match(game, names, **house)
    for _ in play_out(match, 7, mistakes=0):
        if len(match.line) >= moves:
            break
    return match


# --- Triplexity ------------------------------------------------------------------------------------------------


def _triplexities(blank: View) -> dict[str, View]:
    table = replace(blank, screen="table")

    def at(match: Match, **more: Any) -> View:
        return replace(table, seen=seen(match), **more)

    middle = _triplexity(NAMES[:2], "lcrrcl", ("lr",))
    long = _triplexity(LONG_NAMES[2:4], "lcrrcl", ("lr", "cl"), play="advanced", rounds=5)
    back = Notice(
        "foul",
        "Ben cannot move the piece that was moved last back from the right to the left.",
        "Ben",
        "moved-back",
    )
    return {
        "triplexity-empty": at(_triplexity(NAMES[:2], "")),
        "triplexity-placing": at(_triplexity(NAMES[:2], "lcr")),
        "triplexity-faces": at(_triplexity(NAMES[:2], "lc", play="advanced"), marks=_marks(face=("Anna", 6))),
        "triplexity-move": at(middle),
        "triplexity-chosen": at(middle, marks=_marks(source="right")),
        "triplexity-solver": at(middle, advice=advice(middle.state.position)),
        "triplexity-foul": at(middle, notice=back),
        "triplexity-foul-around": at(middle, notice=back, prefs=Prefs(around=True)),
        "triplexity-long": at(long, prefs=Prefs(around=True)),
    }


def _triplexity(names: tuple[str, ...], puts: str, shifts: tuple[str, ...] = (), **house: Any) -> Match:
    """Pieces put on left, centre and right by their first letters, then moved from one to another."""
    match = _match("triplexity", names, **house)
    place = {name[0]: name for name in triplexity.PLACES}
    for number, letter in enumerate(puts):
        player = names[number % 2]
        hand = match.state.in_hand[number % 2]
        match.make(triplexity.Put(player, place[letter], hand[0].up, at=(number + 1) * 3 * SECOND))
    for number, shift in enumerate(shifts):
        _try(match, triplexity.Shift(match.state.turn, place[shift[0]], place[shift[1]], at=(30 + 4 * number) * SECOND))
    return match


def _try(match: Match, move: Move) -> None:
    try:
        match.make(move)
    except Foul as foul:
        raise ValueError(f"The gallery has a move that is none: {foul}") from None


# --- how it ends -----------------------------------------------------------------------------------------------


def _results(blank: View) -> dict[str, View]:
    over = replace(blank, screen="result", past=_pasts()["again"])
    every = 10**9
    given_up = _threepia(NAMES[:2], 5)
    given_up.take(Abandoned(given_up.now + SECOND, ""))
    trial = _played("threepia", NAMES[:1], every, way="time-trial", deck=20)
    times = ((NAMES[0], trial.state.clocks[0].used), *_pasts()["again"].time_trials[3:7])
    return {
        "result-points": replace(over, seen=seen(_played("threepia", NAMES[:3], every))),
        "result-six-long": replace(over, seen=seen(_played("threepia", LONG_NAMES[:6], every, way="rounds"))),
        "result-tie": replace(over, seen=_tied(LONG_NAMES[2:5])),
        "result-trial": replace(over, seen=seen(trial), past=Past(time_trials=times)),
        "result-triplexity": replace(over, seen=seen(_played("triplexity", NAMES[:2], every))),
        "result-mistake": replace(
            over, seen=seen(_played("triplexity", LONG_NAMES[2:4], every)), marks=_marks(mistake=True)
        ),
        "result-rounds-long": replace(
            over, seen=seen(_played("triplexity", LONG_NAMES[:2], every, play="advanced", rounds=5))
        ),
        "result-abandoned": replace(over, seen=seen(given_up)),
    }


def _tied(names: tuple[str, ...]) -> Seen:
    match = _match("threepia", names, way="rounds", rounds=2)
    match.make(threepia.Deal(""))
    match.make(threepia.Begin(names[0]))
    for turn in range(2 * len(names)):
        match.make(threepia.Lay(match.state.turn, points=2, at=turn * 5 * SECOND))
    return seen(match)


def _others(blank: View) -> dict[str, View]:
    return {
        "settings": replace(blank, screen="settings"),
        **{f"rules-{name}": replace(blank, screen="rules", about=name) for name in NAMED},
        "anygame": replace(blank, screen="table", seen=seen(_played("tres", NAMES[:4], 30))),
        "anygame-long": replace(blank, screen="table", seen=seen(_played("three", LONG_NAMES[:4], 30))),
    }


__all__ = ["LONG_NAMES", "NAMES", "SIZES", "Setup", "Shot", "shots"]
