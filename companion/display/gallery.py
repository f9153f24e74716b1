"""Every screen in its usual and in its hardest states, to look at and to test: no table, no journal, no window."""

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import cache
from types import MappingProxyType
from typing import Any

from companion.clocks import MILLISECOND, SECOND
from companion.display.gallery_counted import views as counted
from companion.display.gallery_ends import views as ends
from companion.display.gallery_names import views as odd_names
from companion.display.gallery_watched import views as watched
from companion.display.layout import Size
from companion.display.question import Question
from companion.display.rulebook import leaves
from companion.display.shelf import Opened, Played, Refused, Shelf
from companion.display.view import Draft, Notice, Past, Prefs, Seen, Unfinished, View, seen
from companion.fields import field
from companion.games import NAMES as NAMED
from companion.games import game as game_named
from companion.games import three, threepia, tres, triple3, triplexity
from companion.marks import marks
from companion.match import COLOURS, Abandoned, Entry, Made, Match, Paused, Player, Setup, set_up
from companion.playing import play_out
from companion.protocol import Correct, preview_reply, reply_plain
from companion.record import move_plain
from companion.referee import Told
from companion.rules import Foul, Move
from companion.seats import Bot, BotSeats
from companion.sentence import Sentence
from companion.solver import advice
from companion.statistics import Tally
from companion.strike import Arrival, Finish, How
from companion.trials import Trial, course_of
from companion.wellbeing import AILING, LOOKING, MISSING, WORKS, Finding
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
    known = {
        **{f"games-{name}": replace(blank, past=known) for name, known in _pasts().items()},
        **_set_ups(blank),
        **_threepias(blank),
        **_triplexities(blank),
        **_triple3s(blank),
        **_disputes(blank),
        **_questions(blank),
        **_threes(blank),
        **_treses(blank),
        **counted(blank, NAMES, LONG_NAMES),
        **_results(blank),
        **_looking_back(blank),
        **_others(blank),
        **odd_names(blank),
    }
    return {**known, **watched(known), **ends(blank, NAMES, LONG_NAMES)}


def _draft(game: str, names: tuple[str, ...], **house: Any) -> Draft:
    playing = game_named(game)
    people = tuple(Player(name, colour) for name, colour in zip(names, COLOURS, strict=False))
    return Draft(game, people, playing.house(**house))


def _runs(numbers: Iterable[int], *, on_word: bool = True, **house: Any) -> tuple[Trial, ...]:
    """Time trials, the last of them with cards left."""
    course = replace(course_of(_match("threepia", NAMES[:1], way="time-trial", **house).state), on_word=on_word)
    return tuple(Trial(NAMES[n % 4], (150 + 17 * n) * SECOND, max(0, n - 5), course) for n in numbers)


def _pasts() -> dict[str, Past]:
    times = _runs(range(8))
    return {
        "new": Past(),
        "again": Past((_draft("threepia", NAMES[:6]),), NAMES, (), times),
        "unfinished": Past((), LONG_NAMES, (Unfinished("abc", "triplexity", LONG_NAMES[:2]),), times),
        "unfinished-three": Past((_draft("tres", NAMES[:3]),), NAMES, _left(), times),
    }


BOTS = BotSeats(frozenset(NAMED), fills=True)


def _with_bots(draft: Draft) -> Draft:
    """Persons and bots by turns, each bot another."""
    levels = (None, Bot(), None, Bot("easy", "slow"), Bot("strong", "quick"))
    kinds = zip(draft.players, itertools.cycle(levels), strict=False)
    return replace(draft, players=tuple(replace(player, bot=bot) for player, bot in kinds), is_seated=True)


def _left() -> tuple[Unfinished, ...]:
    games = (("tres", NAMES[:3]), ("threepia", NAMES[:2]), ("three", NAMES[:4]))
    return tuple(Unfinished(f"left-{game}", game, names) for game, names in games)


def _set_ups(blank: View) -> dict[str, View]:
    known = _pasts()["again"]
    two = replace(blank, screen="players", draft=_draft("triplexity", NAMES[:2]), past=known)
    eight = _draft("tres", LONG_NAMES)
    rules = replace(blank, screen="house", draft=_draft("threepia", NAMES[:3], way="stopwatch"))
    return {
        "players-two": two,
        "players-led": replace(two, draft=_draft("tres", NAMES[:2]), can_lead=True),
        "players-one": replace(two, draft=_draft("threepia", NAMES[:1], way="time-trial")),
        "players-three": replace(two, draft=_draft("threepia", NAMES[:3])),
        "players-bots": replace(two, draft=_with_bots(two.draft), bot_seats=BOTS),
        "players-eight-bots-long": replace(two, draft=_with_bots(eight), bot_seats=BOTS),
        "players-six-ways": replace(two, draft=_with_bots(_draft("threepia", NAMES[:6])), bot_seats=BOTS),
        "seat-person-long": replace(two, screen="seat", about="0", draft=_with_bots(eight), bot_seats=BOTS),
        "seat-bot": replace(two, screen="seat", about="1", draft=_with_bots(two.draft), bot_seats=BOTS),
        "name-more": replace(two, screen="name", about="3", draft=_draft("tres", NAMES[:3])),
        "players-eight-long": replace(two, draft=eight, prefs=Prefs(around=True)),
        "name-empty": replace(two, screen="name", about="1"),
        "name-new": replace(two, screen="name", about="0", past=Past(), marks=_marks(text="", more=True)),
        "name-long": replace(two, screen="name", about="0", draft=eight, marks=_marks(text=LONG_NAMES[0])),
        "name-taken": replace(two, screen="name", about="3", draft=eight, marks=_marks(text=LONG_NAMES[1])),
        "house-threepia": rules,
        "house-threepia-2": replace(rules, marks=_marks(page=1)),
        "house-field": replace(rules, about="field"),
        "house-triplexity": replace(rules, draft=_draft("triplexity", NAMES[:2], play="advanced", rounds=3)),
        "house-triplexity-points": replace(rules, draft=_draft("triplexity", NAMES[:2], play="advanced", points=30)),
        "house-no-return": replace(rules, draft=_draft("triplexity", NAMES[:2]), about="no_return"),
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
    foul = Notice("foul", _not_your_turn("Ben", "lay a card", "Anna"), "Ben", "not-your-turn")
    paused = _threepia(NAMES[:4], 9, way="stopwatch")
    paused.take(Paused(paused.now + SECOND, labels.PAUSE))
    return {
        "threepia-deal": at(_match("threepia", NAMES[:3], field=field("l-box"))),
        "threepia-begins": at(_threepia(NAMES[:3], 0)),
        "threepia-begins-six": at(_threepia(LONG_NAMES[:6], 0, deck=100)),
        "threepia-points": at(points),
        "threepia-points-chosen": at(points, marks=_marks(points=4)),
        "threepia-deck-count": at(stopwatch, marks=_marks(deck=True, cards=16)),
        "threepia-deck-count-long": at(long, marks=_marks(deck=True)),
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
        "threepia-scored": at(_scored(_match("threepia", NAMES[:2], way="stopwatch"), "counted", 3)),
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


def _scored(match: Match, word: str, times: int = 1) -> Match:
    """A match of bots until something has happened so often, and so a score has changed."""
    for _, told in play_out(match, 7, mistakes=0):
        if isinstance(told, Told) and any(event.word == word for event in told.ruling.events):
            times -= 1
            if not times:
                break
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
    each = _triplexity(NAMES[:2], "lcrrcl", ("lc", "rl", "rl", "cr", "lc"), no_return="each")
    long = _triplexity(LONG_NAMES[2:4], "lcrrcl", ("lr", "cl"), play="advanced", rounds=5)
    back = Notice(
        "foul",
        Sentence(
            "{player} cannot move the piece that was moved last back from the {source} to the {target}.",
            player="Ben",
            source="right",
            target="left",
        ),
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
        "triplexity-each": at(each),
        "triplexity-points": at(_triplexity(NAMES[:2], "lcr", play="advanced", points=30)),
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


# --- Three! ----------------------------------------------------------------------------------------------------


def _threes(blank: View) -> dict[str, View]:
    table = replace(blank, screen="table")

    def at(match: Match, **more: Any) -> View:
        return replace(table, seen=seen(match), **more)

    tied = _three(NAMES[:4], 6, _strike(NAMES[:4], (0, 1, 2)), tie="choice")
    differs = Notice("foul", _COUNT_DIFFERS, "Anna", "count-differs")
    called = _three(NAMES[:3], 9, _strike(NAMES[1:3], (0,)), three.Call("Ben", "Anna", "Ember"))
    unseen = _three(NAMES[:4], 8, three.Strike("Ben"), three.Call("Ben", "Anna", "Sky"), seen=False)
    opposite = _three(NAMES[:4], 8, three.Strike("Ben"), three.Call("Ben", "Clara", "Sky"))
    counted = _three(NAMES[:2], 6, three.Declare("Anna", "Ember"), three.Check("Anna", 3), seen=False)
    return {
        "three-begins": at(_match("three", NAMES[:4])),
        "three-turn": at(_three(NAMES[:4], 5, seen=False)),
        "three-two": at(counted),
        "three-dogs": at(_three(NAMES[:3], 8)),
        "three-found": at(_scored(_match("three", NAMES[:3]), "checked", 2)),
        "three-declare": at(_three(NAMES[:4], 8), marks=_marks(declare=True)),
        "three-whose": at(_three(NAMES[:3], 5, three.Strike(""))),
        "three-struck": at(_three(NAMES[:4], 6, _strike(NAMES[:4], ())), marks=_marks(whom="Dario")),
        "three-tied": at(tied, marks=_marks(caller="Ben")),
        "three-check": at(unseen, marks=_marks(found=2)),
        "three-referee-counts": at(called),
        "three-insist-long": at(called, marks=_marks(found=3), refused="count-differs", notice=differs),
        "three-ailing": at(_three(NAMES[:3], 8), ailing=("buttons",)),
        "three-around": at(opposite, prefs=Prefs(around=True)),
        "three-final": at(_three(NAMES[:3], 48)),
        "three-last-calls": at(_three(NAMES[:3], 48, declarations_per_turn=0)),
        "three-rearms": at(_three(NAMES[:3], 5, *_called_wrongly(NAMES[:3]), rearm=5)),
        "three-kept-out": at(_three(NAMES[:3], 5, *_called_wrongly(NAMES[:3]), cooldown=10)),
        "three-long": at(_three(LONG_NAMES[:4], 7, _strike(LONG_NAMES[:4], ()))),
    }


_COUNT_DIFFERS = Sentence(
    "{player} says {found} of {dog}, but the referee has seen {seen} on that pile, with {unseen} cards unseen: look "
    "again, or insist.",
    player="Anna",
    found=3,
    dog="Ember",
    seen=1,
    unseen=0,
)


def _not_your_turn(player: str, move: str, turn: str) -> Sentence:
    return Sentence("{player} cannot {move} now: it is {turn}'s turn.", player=player, move=move, turn=turn)


def _three(names: tuple[str, ...], cards: int, *moves: Move, seen: bool = True, **house: Any) -> Match:
    """So many cards played after the beginning, and then these moves, a second and a half apart."""
    match = _match("three", names, **house)
    match.make(three.Begin(names[0], at=SECOND))
    dogs = [dog.name for dog in three.DOGS]
    for card in range(cards):
        dog = dogs[(5 * card + card // 8) % 8] if seen else ""
        match.make(three.Play(match.state.turn, dog, at=(2 + 3 * card) * SECOND))
    for move in moves:
        _try(match, replace(move, at=match.now + 1_500 * MILLISECOND))
    return match


def _called_wrongly(names: tuple[str, ...]) -> tuple[Move, ...]:
    """The second strikes and calls the first for a dog of which there are too few; then the third plays a card."""
    called = three.Call(names[1], names[0], three.DOGS[0].name)
    return (three.Strike(names[1]), called, three.Check(names[0]), three.Play(names[2], three.DOGS[1].name))


def _strike(names: tuple[str, ...], tied: tuple[int, ...]) -> three.Strike:
    """Strikes a few milliseconds apart; the last one was held down, where there are four."""
    gaps = (0, 185_000, 2_104_000, None)
    order = tuple(
        Arrival(name, How.HELD if gap is None else How.STAMPED, None if gap is None else 5 * SECOND + gap, gap)
        for name, gap in zip(names, gaps, strict=False)
    )
    together = tuple(names[number] for number in tied) if len(tied) > 1 else ()
    return three.Strike(
        "" if together else names[0], together, Finish(order, 3_000_000 if together else 100_000, together)
    )


# --- Triple³ ---------------------------------------------------------------------------------------------------


def _triple3s(blank: View) -> dict[str, View]:
    table = replace(blank, screen="table")

    def at(match: Match, **more: Any) -> View:
        return replace(table, seen=seen(match), **more)

    new, play = _match("triple3", NAMES[:3]), _triple3(NAMES[:3], 9)
    shown = tuple(enumerate(_GRID, 1))
    illegal = "{card} on cell {cell} is illegal: it makes no new triple; the cell takes {accepts}."
    foul = Notice("foul", Sentence(illegal, card="red-circle-1", cell=5, accepts=("red",)), "", "no-new-triple")
    stuck = _triple3(NAMES[:4], 6, illegal_plays="keep")
    stuck.make(triple3.Stop("Ben", at=stuck.now + SECOND))
    return {
        "triple3-begins": at(new),
        "triple3-deal": at(new, marks=_marks(deal=(shown[:4], 0, False))),
        "triple3-leftover": at(new, marks=_marks(deal=(shown, 5, True), colour="blue")),
        "triple3-handicap": at(new, marks=_marks(deal=(shown, 0, False), handicap=True)),
        "triple3-ready": at(_triple3(NAMES[:2], -1)),
        "triple3-play": at(play),
        "triple3-two": at(_triple3(NAMES[:2], 30), marks=_marks(who="Ben")),
        "triple3-hints": at(_triple3(NAMES[:3], 9, hints=True)),
        "triple3-hints-cell": at(_triple3(NAMES[:3], 9, hints=True), marks=_marks(cell=5, colour="blue")),
        "triple3-few": at(_triple3(NAMES[:2], 52)),
        "triple3-counted": at(_triple3(NAMES[:2], 54)),
        "triple3-cell": at(play, marks=_marks(cell=5, colour="blue")),
        "triple3-found": at(play, marks=_marks(cell=5, colour="yellow", lies=True, hidden=1)),
        "triple3-foul": at(play, marks=_marks(cell=5, colour="red"), notice=foul),
        "triple3-out": at(_triple3(NAMES[:4], 12), marks=_marks(out=True)),
        "triple3-stopped": at(stuck, marks=_marks(grid=True)),
        "triple3-count": at(_triple3_blind(NAMES[:4], triple3.Stuck(""))),
        "triple3-blind": at(_triple3_blind(NAMES[:4])),
        "triple3-long": at(_triple3(LONG_NAMES[:4], 12), marks=_marks(out=True)),
        "triple3-count-long": at(_triple3_blind(LONG_NAMES[:4], triple3.Stuck(""))),
    }


def _disputes(blank: View) -> dict[str, View]:
    match = _triple3(NAMES[:3], 9, illegal_plays="keep")
    match.make(triple3.Stop("Ben", at=match.now + SECOND))
    early = _triple3(NAMES[:3], 0)
    early.make(triple3.Stop("", at=early.now + SECOND))
    table = replace(blank, screen="table", seen=seen(match))
    play = match.line[-2].ruling.events[0]
    assert isinstance(play, triple3.PlayedLegally | triple3.PlayedIllegally)
    seen_by = {"guess": "Ben"}
    watched = {"number": len(match.line) - 1, "verdict": "legal", "cell": play.cell, "card": play.card,
               "covered": play.covered, "sentence": play.sentence, "player": "", "likely": [], "evidence": seen_by,
               "pictures": []}  # fmt: skip
    kept = {**watched, "pictures": ["verdict.jpg", "moment.jpg"]}
    called = {**watched, "number": 0, "verdict": "called", "sentence": _NO_TRIPLE, "likely": list(_GRID[:6])}
    lay = {"move": "lay", "player": "Ben"}
    change = {"number": 9, "move": lay, "was": [play.sentence], "now": [], "dropped": _NO_TRIPLE, "kind": "dropped"}
    again = {**change, "now": [play.sentence], "dropped": "", "kind": "changed"}
    return {
        "dispute": table,
        "dispute-empty": replace(table, seen=seen(early)),
        "dispute-play": replace(table, marks=_marks(play=0)),
        "dispute-older": replace(table, marks=_marks(play=3)),
        "dispute-other": replace(table, marks=_marks(play=0, other=True, colour="purple")),
        "dispute-changed": replace(table, marks=_marks(correction={"changes": [change, again]})),
        "dispute-nothing": replace(table, marks=_marks(correction={"changes": []})),
        "dispute-watched": replace(table, marks=_marks(dispute={"plays": [kept, called]})),
        "dispute-called": replace(table, marks=_marks(dispute={"plays": [called, watched]}, play=0)),
        "dispute-claim": replace(table, seen=seen(_triple3_claimed(NAMES[:3]))),
        "dispute-claim-long": replace(table, seen=seen(_triple3_claimed(LONG_NAMES[:2], "")), marks=_marks(play=0)),
        "dispute-later": replace(table, screen="dispute", seen=seen(_triple3(NAMES[:2], 9)), depth=1),
        "dispute-long": replace(table, seen=_stopped(LONG_NAMES[:4]), marks=_marks(play=0)),
    }


def _questions(blank: View) -> dict[str, View]:
    """Corrections of all kinds, before they are made."""
    dogs = [dog.name for dog in three.DOGS]
    match = _match("three", NAMES[:3])
    match.make(three.Begin(NAMES[0]))
    for number in range(10):
        match.make(three.Play(NAMES[number % 3], dogs[number % 3], at=(number + 1) * SECOND))
    for move in (three.Strike(NAMES[1]), three.Call(NAMES[1], NAMES[0], dogs[0]), three.Check(NAMES[0], 4)):
        match.make(replace(move, at=match.now + SECOND))
    for number in range(3):
        match.make(three.Play(NAMES[(number + 1) % 3], dogs[5], at=match.now + SECOND))
    over = _played("triplexity", NAMES[:2], 200)
    falls, long = _played("tres", NAMES[:3], 40), _played("tres", LONG_NAMES, 60)
    deck = _match("threepia", NAMES[:6], way="points", target=9, deck=100)
    deck.make(threepia.Deal(""))
    deck.make(threepia.Begin(NAMES[0], at=SECOND))
    while deck.outcome is None:
        deck.make(threepia.Lay(deck.state.turn, points=deck.now % 3, at=deck.now + SECOND + 1))
    return {
        "question": _asked(blank, match, 2, three.Play(NAMES[0], dogs[1])),
        "question-dropped": _asked(blank, falls, 9, None),
        "question-dropped-2": replace(_asked(blank, falls, 9, None), marks=_marks(first=3)),
        "question-winner": _asked(blank, over, len(over.line), None),
        "question-points": _asked(blank, deck, 4, None),
        "question-asks": _asked(blank, deck, 4, threepia.Lay(NAMES[1], points=9)),
        "question-long": _asked(blank, long, 12, None),
        "moves": _moves(blank, match),
        "moves-check": _moves(blank, match, 14),
        "moves-card": _moves(blank, match, 17),
        "moves-points": _moves(blank, deck, 5),
        "moves-place": _moves(blank, _triplexity(NAMES[:2], "lcrrcl", ("lr",)), 7),
        "moves-really": _really(blank, _tres(NAMES[:3], *_dealt(NAMES[:3]), tres.Draw("Ben")), 3),
        "moves-really-card": _really(blank, _played("threepia", NAMES[:2], 5), 3),
        "moves-empty": _moves(blank, _match("three", NAMES[:3])),
        "moves-long": _moves(blank, long, 52),
    }


def _moves(blank: View, match: Match, number: int = 0) -> View:
    marks = _marks(move=number) if number else _marks()
    return replace(blank, screen="moves", seen=seen(match), depth=2, marks=marks)


def _really(blank: View, match: Match, number: int) -> View:
    """Somebody says what that move was instead."""
    return replace(_moves(blank, match, number), marks=_marks(move=number, really=True))


def _asked(blank: View, match: Match, number: int, move: Move | None) -> View:
    """Before that is put right."""
    reply = reply_plain(preview_reply(match, match.preview(number, move)))
    question = Question(Correct(number, move and move_plain(move), preview=True), reply, is_paused=True)
    return replace(blank, screen="question", seen=seen(match), depth=2, question=question)


_NO_TRIPLE = Sentence(
    "{card} on cell {cell} is illegal: {old} was there before; the cell takes {accepts}.",
    card="red-circle-1",
    cell=1,
    old=(Sentence("{value} in the {line}", value="red", line="top row"),),
    accepts=("blue", "star", "2"),
)
_GRID = (
    *("red-circle-0", "red-diamond-3", "red-star-2", "blue-diamond-1", "blue-star-0"),
    *("purple-circle-3", "purple-plus-2", "yellow-circle-1", "yellow-plus-0"),
)


def _triple3(names: tuple[str, ...], plays: int, **house: Any) -> Match:
    """So many plays after the beginning; -1: nobody has said Go!. Where it is kept, the fourth one is illegal."""
    match = _match("triple3", names, **house)
    deals = (triple3.TO_DEAL // len(names),) * len(names)
    match.make(triple3.Deal("", _GRID, (), deals, triple3.TO_DEAL - sum(deals)))
    if plays >= 0:
        match.make(triple3.Go("", at=SECOND))
    for number in range(plays):
        match.make(_triple3_lay(match, number, legal="illegal_plays" not in house or number != 3))
    return match


def _triple3_lay(match: Match, number: int, *, legal: bool) -> triple3.Lay:
    state = match.state
    free = [card for at, card in enumerate(triple3.DECK) if not state.seen >> at & 1]
    for step in range(9 * len(free)):
        cell, card = 1 + (5 * number + step) % 9, free[(11 * number + 7 * step) % len(free)]
        if triple3.is_legal(state.grid, cell, card) == legal:
            player = state.players[number % len(state.players)] if number % 3 else ""
            return triple3.Lay(player, cell, card, at=(4 + 3 * number) * SECOND)
    raise ValueError("The gallery finds no card to lay.")


def _triple3_claimed(names: tuple[str, ...], by: str | None = None) -> Match:
    """The first one says to be out, by an illegal card of his own, or of nobody knows whom."""
    match = _match("triple3", names, illegal_plays="keep")
    others = divmod(triple3.TO_DEAL - 1, len(names) - 1)
    match.make(triple3.Deal("", _GRID, (), (1, *(others[0],) * (len(names) - 1)), others[1]))
    match.make(triple3.Go("", at=SECOND))
    for number in (1, 2, 4, 5):
        lay = _triple3_lay(match, number, legal=number < 5)
        player = names[1] if number < 5 else names[0] if by is None else by
        match.make(replace(lay, player=player))
    match.make(triple3.Out(names[0], at=match.now + SECOND))
    return match


def _triple3_blind(names: tuple[str, ...], *moves: Move) -> Match:
    """A round of which nobody shows the grid."""
    match = _match("triple3", names)
    for move in (triple3.Deal(""), triple3.Go("", at=SECOND), *moves):
        match.make(replace(move, at=match.now + SECOND))
    return match


def _stopped(names: tuple[str, ...]) -> Seen:
    match = _triple3(names, 7)
    match.make(triple3.Stop(names[0], at=match.now + SECOND))
    return seen(match)


# --- Tres ------------------------------------------------------------------------------------------------------


def _treses(blank: View) -> dict[str, View]:
    table = replace(blank, screen="table")

    def at(match: Match, **more: Any) -> View:
        return replace(table, seen=seen(match), **more)

    drawn_for = _tres(NAMES[:4], tres.ShowCard("Anna", "red-7"), tres.ShowCard("Clara", "joker"))
    dealt = _dealt(NAMES[:4])
    playing = (*dealt, tres.Play("Ben", "red-3", ("red-1", "red-2")))
    owes = _tres(NAMES[:4], *playing)
    six = _tres(NAMES[:8], *_dealt(NAMES[:8]), tres.Draw("Ben"))
    long = _tres(LONG_NAMES, *_dealt(LONG_NAMES), tres.Play(LONG_NAMES[1], "joker", ("skip", "yellow-4")))
    many = _tres(NAMES[:3], tres.Dealer("Anna"), colours=("red", "blue", "green", "yellow", "purple", "white"))
    silent = _tres_silent(NAMES[:3])
    return {
        "tres-dealer": at(_match("tres", NAMES[:4])),
        "tres-dealer-eight": at(_match("tres", NAMES)),
        "tres-draws": at(drawn_for),
        "tres-shows": at(drawn_for, marks=_marks(draw=True, shows="Ben")),
        "tres-deal": at(_tres(NAMES[:4], dealt[0]), marks=_marks(cards=("red-3", "joker"))),
        "tres-hands": at(many, marks=_marks(cards=("red-3", "joker", "skip", "red-1", "red-1"), page=1)),
        "tres-turn": at(_tres(NAMES[:4], *dealt)),
        "tres-play": at(_tres(NAMES[:2], *_dealt(NAMES[:2])), marks=_marks(cards=("blue-4", "plus3"), **{"with": 0})),
        "tres-pay": at(owes, marks=_marks(cards=("red-9",))),
        "tres-fill": at(_tres(NAMES[:4], *playing, tres.Take("Clara"))),
        "tres-drawn": at(six),
        "tres-silent": at(silent),
        "tres-catch": at(silent, marks=_marks(catch=silent.state.silent[0])),
        "tres-around": at(_tres(NAMES[:2], *_dealt(NAMES[:2])), prefs=Prefs(around=True)),
        "tres-long": at(long),
    }


def _dealt(names: tuple[str, ...]) -> tuple[Move, ...]:
    return (tres.Dealer(names[0]), tres.Deal(names[0], ("red-3", "joker", "blue-9")))


def _tres(names: tuple[str, ...], *moves: Move, **house: Any) -> Match:
    """These moves, two seconds apart."""
    match = _match("tres", names, **house)
    for number, move in enumerate(moves, 1):
        _try(match, replace(move, at=2 * number * SECOND))
    return match


def _tres_silent(names: tuple[str, ...]) -> Match:
    """One has said it, the next plays down to three and says nothing yet."""
    match = _tres(names, *_dealt(names))
    for turn in range(40):
        state, at = match.state, (10 + turn) * SECOND
        if match.state.silent and "said" in state.tres:
            break
        _try(match, replace(_next_tres(state), at=at))
    return match


def _next_tres(state: tres.State) -> Move:
    if state.silent:
        return tres.Tres(state.silent[0])
    if state.phase == "fill":
        return tres.Fill(state.turn, f"{('green', 'yellow', 'blue', 'red')[state.pile % 4]}-{state.pile % 9 + 1}")
    if state.phase == "pay":
        return tres.Take(state.dues[0].player)
    if state.phase == "drawn":
        return tres.Keep(state.turn)
    if state.turn == state.players[0]:
        return tres.Draw(state.turn)
    own = tres.number(state.table[0]) or 5
    others = [f"green-{own % 9 + 1}", f"yellow-{(own + 1) % 9 + 1}"]
    return tres.Play(state.turn, state.table[0], tuple(others))


# --- how it ends -----------------------------------------------------------------------------------------------


def _results(blank: View) -> dict[str, View]:
    over = replace(blank, screen="result", past=_pasts()["again"])
    every = 10**9
    given_up = _threepia(NAMES[:2], 5)
    given_up.take(Abandoned(given_up.now + SECOND, ""))
    trial = _played("threepia", NAMES[:1], every, way="time-trial", deck=20)
    return {
        "result-points": replace(over, seen=seen(_played("threepia", NAMES[:3], every))),
        "result-six-long": replace(over, seen=seen(_played("threepia", LONG_NAMES[:6], every, way="rounds"))),
        "result-tie": replace(over, seen=_tied(LONG_NAMES[2:5])),
        "result-trial": replace(over, seen=seen(trial), past=Past(trials=_runs(range(3, 7), on_word=False, deck=20))),
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


NO_SOUND = "There is no sound: ALSA: Couldn't open audio device: No such file or directory."


# --- looking back and around -----------------------------------------------------------------------------------


def _looking_back(blank: View) -> dict[str, View]:
    history = replace(blank, screen="history", depth=1)
    three_of = _three(NAMES[:3], 9, _strike(NAMES[1:3], (0,)), three.Call("Ben", "Anna", "Ember"), three.Check("Anna"))
    plays = replace(_again(_triple3(NAMES[:2], 30)), screen="replay", marks=_marks(step=12))
    refused = replace(_opened(three_of), refused=(Refused(10, "Anna", _COUNT_DIFFERS), Refused(10, "Ben", _NO_CALL)))
    replay = replace(_again(three_of), screen="replay", marks=_marks(step=10), shelf=Shelf(_TODAY, opened=refused))
    over = _played("triplexity", NAMES[:2], 10**9)
    long = _played("threepia", LONG_NAMES[:6], 10**9, way="rounds")
    trial = _played("threepia", NAMES[:1], 10**9, way="time-trial", deck=20)
    counts = Shelf(_TODAY, tallies=_tallies(NAMES), counted=412, to_count=412)
    longest = tuple((name, 10**9 * 71) for name in NAMES[:4])
    best: dict[str, Any] = {"trials": (*_runs(range(2, 8)), *_runs(range(3), rotate=False)), "longest_rounds": longest}
    many = replace(counts, tallies=_tallies(LONG_NAMES), counted=1800, to_count=5000, **best)
    statistics, player = (replace(blank, screen=screen, depth=2) for screen in ("statistics", "player"))
    doctor = replace(blank, screen="doctor", depth=1)
    return {
        "history": replace(history, shelf=_history(NAMES, 4)),
        "history-empty": history,
        "history-many-long": replace(history, shelf=_history(LONG_NAMES, 5000)),
        "match-triplexity": _again(over),
        "match-trial": _again(trial),
        "match-running": _again(_triple3(NAMES[:3], 9)),
        "match-long": _again(long),
        "match-unreadable": replace(history, screen="match", about="picture", shelf=Shelf(trouble=_UNREADABLE)),
        "replay-begins": replace(_again(three_of), screen="replay"),
        "replay-refused": replay,
        "replay-put-right": _put_right(three_of, 2, three.Play("Anna", "Sky")),
        "replay-fallen": _put_right(three_of, 11, None),
        "replay-triple3": plays,
        "replay-triplexity": replace(_again(over), screen="replay", marks=_marks(step=len(over.line))),
        "replay-long": replace(_again(long), screen="replay", marks=_marks(step=len(long.line))),
        "statistics": replace(statistics, shelf=counts),
        "statistics-empty": statistics,
        "statistics-many-long": replace(statistics, shelf=many),
        "player": replace(player, about="Anna", shelf=replace(counts, trials=_runs(range(8)))),
        "player-one": replace(player, about="Anna", shelf=replace(counts, tallies=counts.tallies[:1])),
        "player-long": replace(player, about=LONG_NAMES[0], shelf=many),
        "doctor": replace(doctor, shelf=Shelf(findings=_FINDINGS)),
        "doctor-looking": replace(doctor, shelf=Shelf(findings=_LOOKING, is_looking=True)),
        "doctor-missing": replace(doctor, shelf=Shelf(findings=_NOTHING_THERE)),
        "doctor-ailing": replace(doctor, shelf=Shelf(findings=_AILING), ailing=("buttons", "configuration")),
        "doctor-publishing": replace(doctor, shelf=Shelf(findings=(*_FINDINGS, _NO_BROKER))),
    }


_TODAY = date(2026, 5, 17)
_NO_CALL = _not_your_turn("Ben", "play", "Clara")
_UNREADABLE = Sentence(
    "Match {match} cannot be played again by the rules of this companion: {error}",
    match="picture",
    error=Sentence("It is {player}'s turn.", player="Ben"),
)
_FINDINGS = (
    Finding("screen", WORKS, Sentence("{width} × {height} points.", width=800, height=480)),
    Finding(
        "journal",
        WORKS,
        Sentence("The journal takes {kept} MB; {megabytes} MB of the disk are free.", kept=3, megabytes=12450),
    ),
    Finding(
        "buttons",
        WORKS,
        Sentence("Buttons that are wired: {count}.", count=8),
        "To try each of them: companion doctor buttons",
    ),
    Finding(
        "camera",
        AILING,
        Sentence("The camera sees the table, and {readable} of its 9 cells can be read.", readable=7),
        "Light the table from another side too.",
    ),
    Finding("reader", WORKS, Sentence("It reads {right} of {tried} cards in its own pictures.", right=18, tried=18)),
    Finding("sound", WORKS, "There is a device for the sound."),
)
_AILING = (
    *_FINDINGS[:2],
    Finding(
        "buttons",
        MISSING,
        "The pins of the buttons are gone.",
        "Everything can be touched on the screen until they are back.",
        Sentence("{name} is gone.", name="gpiochip0"),
    ),
    *_FINDINGS[3:],
    Finding(
        "configuration",
        AILING,
        "There are mistakes in table.toml, and the rest of it holds.",
        "",
        "/etc/companion/table.toml, line 7: size: '12x' is not a size such as 1280x720, at least 480x320, or "
        "'whole'; until then it is as usual.",
    ),
)
_NO_BROKER = Finding(
    "publishing",
    AILING,
    "The certificate of the broker is not to be trusted: look at ca and host of [publish].",
    Sentence("Rulings that wait to be published: {waiting}.", waiting=12),
)
_LOOKING = (*_FINDINGS[:2], *(Finding(device, LOOKING) for device in ("buttons", "camera", "reader", "sound")))
_NOTHING_THERE = (
    Finding(
        "screen",
        AILING,
        Sentence("{width} × {height} points.", width=320, height=240),
        "A screen of 800 × 480 or more can be read and touched well.",
    ),
    Finding("journal", MISSING, "Matches are not kept: there is no journal.", "Name a file for it with --journal."),
    Finding(
        "buttons",
        MISSING,
        "No buttons are wired to this table.",
        "Everything can be touched on the screen; docs/wiring.md tells how buttons are added.",
    ),
    Finding(
        "camera",
        MISSING,
        "No camera can be opened.",
        "",
        "picamera2 is not there for this Python: on a Raspberry Pi `sudo apt install python3-picamera2` and a "
        "virtual environment made with --system-site-packages; elsewhere take a webcam, as in /dev/video0.",
    ),
    Finding(
        "reader",
        MISSING,
        "A package that it needs is missing.",
        Sentence("The package {name} is not installed or does not load.", name="cv2"),
    ),
    Finding(
        "sound", MISSING, "There is no device for the sound.", "Plug a loudspeaker in; everything is on the screen too."
    ),
)


def _opened(match: Match) -> Opened:
    names, outcome = match.setup.names, match.outcome
    began = datetime(2026, 5, 16, 20, 15, tzinfo=UTC)
    winners = outcome.winners if outcome else ()
    status = "over" if outcome else "running"
    return Opened(Played("picture", match.setup.game, began, status, names, (), winners), seen(match))


def _again(match: Match) -> View:
    shelf = Shelf(_TODAY, opened=_opened(match), trials=_runs(range(8)))
    return View((800, 480), screen="match", about="picture", shelf=shelf, depth=2)


def _put_right(match: Match, number: int, move: Move | None) -> View:
    """The move after which most has changed, once this one is put right."""
    entries: list[Entry] = [Made(done.move) for done in match.line]
    again = Match.folded(match.setup, entries, lambda entry, _: entries.append(entry))
    again.correct(number, move)
    places = tuple(marks(again.setup, entries).places)
    shown = max(range(len(places)), key=lambda step: bool(places[step].was) + 2 * bool(places[step].fallen))
    shelf = Shelf(_TODAY, opened=replace(_opened(again), places=places))
    return View((800, 480), screen="replay", about="picture", marks=_marks(step=shown), shelf=shelf, depth=2)


def _history(names: tuple[str, ...], count: int) -> Shelf:
    """Matches of one day after another, of all games; the first is still running and the third was given up."""
    found = []
    for number in range(min(count, 24)):
        game = NAMED[number % len(NAMED)]
        who = names[: game_named(game).players[1]][: 8 if count > 24 else 3]
        began = datetime(2026, 5, 17, 20, 15, tzinfo=UTC) - timedelta(hours=19 * number)
        status = ("running", "over", "abandoned")[number] if number < 3 else "over"
        over = status == "over"
        scores = tuple(5 * seat + number for seat in range(len(who))) if over else ()
        found.append(Played(f"code{number}", game, began, status, who, scores, who[-1:] if over else ()))
    return Shelf(_TODAY, count, 0, tuple(found))


def _tallies(names: tuple[str, ...]) -> tuple[Tally, ...]:
    """Of everybody in every game, so that all that can be counted is there."""
    more: dict[str, dict[str, Any]] = {
        "three": {"strikes": 31, "closest": 2_104_000, "calls": 40, "right": 33},
        "triple3": {"rounds": 25, "longest_round": 184 * SECOND, "illegal": 12},
        "tres": {"calls": 3, "right": 3},
    }
    return tuple(
        Tally(game, name, 80 - 7 * seat, 36 - 4 * seat, 11 + seat, 2 * seat + 3, **more.get(game, {}))
        for game in NAMED
        for seat, name in enumerate(names)
    )


def _others(blank: View) -> dict[str, View]:
    return {
        "games-ailing": replace(blank, ailing=("buttons", "camera")),
        "settings": replace(blank, screen="settings"),
        "settings-no-sound": replace(blank, screen="settings", troubles=(NO_SOUND,)),
        "rules": replace(blank, screen="rules", depth=1),
        "rules-led": replace(blank, screen="rules", about="triple3", can_lead=True, marks=_marks(leaf=2)),
        **{
            f"rules-{name}-{number + 1}": replace(blank, screen="rules", about=name, marks=_marks(leaf=number))
            for name in NAMED
            for number in range(len(leaves(name)))
        },
        "anygame": replace(blank, screen="table", seen=_of_no_name(seen(_played("tres", NAMES[:4], 30)))),
        "anygame-long": replace(blank, screen="table", seen=_of_no_name(seen(_played("three", LONG_NAMES[:4], 30)))),
    }


def _of_no_name(found: Seen) -> Seen:
    """As if its game had no table of its own."""
    return replace(found, setup=replace(found.setup, game=""))


__all__ = ["LONG_NAMES", "NAMES", "SIZES", "Setup", "Shot", "shots"]
