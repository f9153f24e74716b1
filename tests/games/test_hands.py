"""Matches played by simulated hands: what is on the table adds up, verdicts are the rules', trouble comes as asked."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import groupby, pairwise
from typing import Any

import pytest

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.codec import parsed, written
from companion.core.errors import CompanionError, HouseRuleError, MalformedError, PlayersError
from companion.core.match import Match
from companion.core.record import read_move
from companion.games.triple3.hands import (
    KINDS,
    TROUBLE,
    Play,
    match_setup,
    moves_of,
    plays_of,
    read_script,
    script_plain,
    write_script,
)
from companion.games.triple3.rules import CELLS, DECK, LINES, House
from simulator.hands.hand_visits import cells_covered
from simulator.rendered.script import Lying, Script, ScriptedArm, ScriptLine
from tests.piles import piles_at
from vision.mat import LARGE, MATS, SMALL

SEEDS, SHORT = range(30), 10
KEEP = House(chips_to_win=1, illegal_plays="keep")


def _wild(rate: float = 0.08) -> dict[str, float]:
    """Trouble of every kind, and much of it."""
    return dict.fromkeys(KINDS, rate)


@cache
def script_of(kind: str, seed: int) -> Script:
    """A usual match, or a wild one."""
    if kind == "usual":
        return write_script(seed, players=2 + seed % 3)
    return write_script(seed, players=2 + seed % 3, trouble=_wild(), house=(House(), KEEP)[seed % 2])


def of(*kinds: str) -> pytest.MarkDecorator:
    """A test that is told a script of these kinds; ten of them in short. A script is written when it is needed."""
    scripts = [
        pytest.param((kind, seed), id=f"{kind}, seed {seed}", marks=[] if seed < SHORT else pytest.mark.long)
        for kind in kinds
        for seed in SEEDS
    ]
    return pytest.mark.parametrize("script", scripts, indirect=True)


@pytest.fixture
def script(request: pytest.FixtureRequest) -> Script:
    return script_of(*request.param)


def _names(script: Script) -> str:
    return f"seed {script.seed}"


# --- What is on the table


def test_a_seed_is_a_script() -> None:
    assert write_script(7) == write_script(7)
    assert write_script(7) != write_script(8)


@of("usual", "wild")
def test_cards_add_up_at_every_moment(script: Script) -> None:
    """64 cards: each on the table, in a hand, or in a moving one; none twice, and an arm only moves what is there."""
    lay = [card.card for pile in script.grid for card in pile]
    hands = [card for cards in script.about["hands"].values() for card in cards]
    leftovers = {arm.lying.card for arm in script.arms if arm.what == "lay" and arm.lying} - set(hands)
    assert sorted([*lay, *hands, *leftovers]) == sorted(DECK)
    for arm in script.arms:
        before = [card.card for pile in piles_at(script, arm.deed - 1) for card in pile]
        after = [card.card for pile in piles_at(script, arm.deed) for card in pile]
        assert len(set(after)) == len(after)
        assert len(after) - len(before) == {"lay": 1, "take": -1}.get(arm.what, 0)
        if arm.what in ("take", "knock", "square") and arm.lying:
            assert piles_at(script, arm.deed - 1)[arm.cell - 1][-1].card == arm.lying.card


@of("usual", "wild")
def test_nobody_lays_a_card_of_another(script: Script) -> None:
    seats = {seat: name for name, seat in script.about["seats"].items()}
    holds = {name: set(cards) for name, cards in script.about["hands"].items()}
    for play in plays_of(script):
        if play.what == "lay":
            holds[play.player].remove(play.card)
        else:
            assert seats[play.seat] == play.player
            holds[play.player].add(play.card)


@of("usual", "wild")
def test_every_arm_is_a_human_one(script: Script) -> None:
    assert [arm.enters for arm in script.arms] == sorted(arm.enters for arm in script.arms)
    assert len({arm.deed for arm in script.arms}) == len(script.arms)
    for arm in script.arms:
        assert 0 < arm.enters < arm.there <= arm.deed <= arm.leaves < arm.gone < script.length
        assert 240 * MILLISECOND < arm.there - arm.enters < 1100 * MILLISECOND
        assert arm.gone - arm.leaves >= 240 * MILLISECOND
        assert arm.cell in CELLS
        assert (arm.what == "knock") == (arm.onto in CELLS)


@of("usual", "wild")
def test_nobody_has_three_hands_and_two_only_on_purpose(script: Script) -> None:
    for _, arms in groupby(sorted(script.arms, key=lambda one: (one.seat, one.enters)), key=lambda one: one.seat):
        own = list(arms)
        for one in own:
            at_once = [
                other for other in own if other is not one and other.enters < one.gone and one.enters < other.gone
            ]
            assert len(at_once) <= 1
            for other in at_once:
                # The second of both hands may have thought better of it.
                assert {one.kind, other.kind} <= {"same arms", "hover"}


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", [1, 2])
def test_set_up(players: int, seed: int) -> None:
    script = write_script(seed, players=players)
    [go] = [said.at for said in script.said if said.message == {"move": "go"}]
    before = [arm for arm in script.arms if arm.enters < go]
    assert len(before) == (3 if players == 4 else 1)
    assert before[0].enters >= 18 * SECOND // 10
    assert go == before[-1].gone + 15 * SECOND // 10
    assert all(one.gone < other.enters for one, other in pairwise(before))
    assert len(script.about["players"]) == len(set(script.about["seats"].values())) == players
    assert {len(cards) for cards in script.about["hands"].values()} == {55 // players}


def test_where_they_sit() -> None:
    seats = {
        players: {tuple(write_script(seed, players=players, plays=1).about["seats"].values()) for seed in range(20)}
        for players in (2, 3, 4)
    }
    assert seats[2] == {("bottom", "top")}
    assert seats[4] == {("bottom", "left", "top", "right")}
    assert seats[3] == {("bottom", "left", "right"), ("bottom", "left", "top"), ("bottom", "top", "right")}


@of("wild")
def test_nothing_is_laid_while_the_table_is_stopped(script: Script) -> None:
    said = [one for one in script.said if one.message["move"] in ("stop", "go-on")]
    lays = [arm.deed for arm in script.arms if arm.what == "lay"]
    for stop, on in zip(said[::2], said[1::2], strict=False):
        assert (stop.message["move"], on.message["move"]) == ("stop", "go-on")
        assert not [at for at in lays if stop.at <= at <= on.at]


@of("wild")
def test_nobody_works_under_a_cover(script: Script) -> None:
    for cover in (mishap for mishap in script.mishaps if mishap.what == "cover"):
        below = cells_covered(cover, SMALL)
        assert not [
            arm for arm in script.arms if arm.what == "lay" and arm.cell in below and cover.at < arm.deed < cover.until
        ]


@of("wild")
def test_what_was_knocked_is_put_back(script: Script) -> None:
    for knock, back in _pairs([arm for arm in script.arms if arm.what == "knock"]):
        assert knock.lying
        assert back.lying
        assert (back.cell, back.onto, back.lying.card) == (knock.onto, knock.cell, knock.lying.card)
        between = [arm for arm in script.arms if knock.deed < arm.deed < back.deed and arm.what != "hover"]
        assert not [arm for arm in between if arm.cell in (knock.cell, knock.onto) and arm.what != "square"]


def _pairs(knocks: list[ScriptedArm]) -> list[tuple[ScriptedArm, ScriptedArm]]:
    knocks = sorted(knocks, key=lambda arm: arm.deed)
    assert len(knocks) % 2 == 0
    return list(zip(knocks[::2], knocks[1::2], strict=True))


# --- Verdicts


def _legal(grid: dict[int, str], cell: int, card: str) -> bool:
    """The rule of the sheet once more, in other words than the engine's."""
    for _, line in LINES:
        if cell not in line:
            continue
        one, other = (set(grid[at].split("-")) for at in line if at != cell)
        common = one & other & set(card.split("-"))
        if common - set(grid[cell].split("-")):
            return True
    return False


@of("usual", "wild")
def test_every_verdict_is_the_rules(script: Script) -> None:
    go = next(said.at for said in script.said)
    piles = {cell: [card.card for card in pile] for cell, pile in enumerate(piles_at(script, go), 1)}
    is_kept = script.about["house"]["illegal_plays"] == "keep"
    for play in plays_of(script):
        pile = piles[play.cell]
        if play.what == "lay":
            is_legal = _legal({cell: cards[-1] for cell, cards in piles.items()}, play.cell, play.card)
            assert play.verdict == ("legal" if is_legal else "illegal")
            assert play.covered == pile[-1]
            assert bool(play.line and play.value) == is_legal
            assert play.legal_in_some_order >= is_legal
            assert play.legal_in_some_order <= (is_legal or play.order_free)
            if is_legal or is_kept:
                pile.append(play.card)
        elif play.verdict == "taken back":
            assert pile.pop() == play.card
            assert play.covered == pile[-1]
        else:
            assert play.verdict == "removed"
            assert play.card not in pile
            assert not is_kept


@of("usual", "wild")
def test_the_match_folds_and_ends_as_they_said(script: Script) -> None:
    match = Match(match_setup(script))
    for message in moves_of(script):
        match.make(read_move(match.game, message))
    plays = plays_of(script)
    laid = [play.move for play in plays if play.move and not play.foul]
    assert [move for move in moves_of(script) if move["move"] in ("lay", "take-back")] == laid
    outs = [said.message["player"] for said in script.said if said.message["move"] == "out"]
    [done] = match.state.rounds
    is_won = "Nobody can lay" not in done.reason
    assert not is_won or outs[-1:] == list(done.winners)
    assert script.about["house"]["illegal_plays"] == "keep" or len(outs) == is_won  # others are open at first
    assert not [arm for arm in script.arms if arm.what == "lay" and arm.deed > plays[-1].at]


@of("usual")
def test_illegal_cards_are_taken_back_by_their_owners(script: Script) -> None:
    plays = plays_of(script)
    refused = {play.number: play for play in plays if play.verdict == "illegal"}
    for number, play in refused.items():
        taken = next((one for one in plays if one.number > number and one.card == play.card), None)
        if taken is None:  # the round was over before
            assert plays[-1].at - play.at < 20 * SECOND
            continue
        assert (taken.verdict, taken.player, taken.cell) == ("removed", play.player, play.cell)
        assert taken.at - play.at > SECOND


def test_kept_ones_lie_until_stop() -> None:
    taken = illegal = 0
    for seed in range(10):
        script = write_script(seed, house=KEEP, illegal=0.3, trouble={"stop": 0.03})
        stops = [said.at for said in script.said if said.message["move"] in ("stop", "out")]
        plays = plays_of(script)
        illegal += sum(play.verdict == "illegal" for play in plays)
        for play in plays:
            if play.what == "take":
                taken += 1
                assert [at for at in stops if at < play.at]
    assert illegal > 50
    assert taken > 10


# --- How often


@cache
def _arms(trouble: tuple[tuple[str, float], ...], seeds: int) -> list[ScriptedArm]:
    return [arm for seed in range(seeds) for arm in write_script(seed, pace=0.8, trouble=dict(trouble)).arms]


def _shares(trouble: dict[str, float], kind: str, *, seeds: int = 25) -> float:
    """Of cards that somebody decided to lay, those with this kind of trouble."""
    arms = _arms(tuple(trouble.items()), seeds)
    decided = sum(arm.what == "lay" or arm.kind == "hover" for arm in arms)
    return sum(arm.kind == kind for arm in arms) / decided


@pytest.mark.parametrize(
    ("kind", "arms"),
    [
        ("simultaneous", 2),
        ("covered twice", 2),
        ("taken back", 2),
        ("passing", 2),
        ("slipped", 1),
        ("squared", 1),
        ("knocked", 2),
        ("same arms", 2),
    ],
)
def test_trouble_comes_as_often_as_asked(kind: str, arms: int) -> None:
    assert _shares({kind: 0.1}, kind) / arms == pytest.approx(0.1, rel=0.35)
    assert _shares({}, kind) < 0.01


def test_mishaps_come_as_often_as_asked() -> None:
    names = ("glare", "nudge", "moved", "light", "flicker", "cover")
    rates = dict.fromkeys(("glare", "nudged", "moved", "light", "flicker", "covered"), 0.05)
    scripts = [write_script(seed, trouble=rates) for seed in range(25)]
    found = Counter(mishap.what for script in scripts for mishap in script.mishaps)
    lays = sum(arm.what == "lay" for script in scripts for arm in script.arms)
    for name in names:  # a second cover waits until the first is taken away
        assert found[name] / lays == pytest.approx(0.05, rel=0.5), name
    assert not any(write_script(seed, trouble={}).mishaps for seed in range(5))


def test_slipped_is_seen_and_others_are_nearly_in_place() -> None:
    scripts = [write_script(seed, trouble={"slipped": 0.2}) for seed in range(8)]
    lain = [(arm.kind, arm.lying) for script in scripts for arm in script.arms if arm.what == "lay" and arm.lying]
    for kind, lies in lain:
        off, askew = _off(lies)
        if kind == "slipped":
            assert 7.9 < off < 14.1 or 11.9 < askew < 25.1
        else:
            assert off < 4.4
            assert askew < 6.1
    ways_round = Counter(round(lies.turn / 90) % 4 for _, lies in lain)
    assert min(ways_round.values()) > len(lain) / 6


def _off(lies: Lying) -> tuple[float, float]:
    off: float = (lies.slip[0] ** 2 + lies.slip[1] ** 2) ** 0.5
    return off, abs((lies.turn + 45) % 90 - 45)


def test_simultaneous_is_within_a_fifth_of_a_second() -> None:
    together = mates = 0
    for seed in range(15):
        script = write_script(seed, players=4, trouble={"simultaneous": 0.1})
        plays = [play for play in plays_of(script) if play.kind == "simultaneous"]
        for one, other in pairwise(plays):
            if other.at - one.at <= 200 * MILLISECOND and one.cell != other.cell:
                together += 1
                mates += one.order_free and other.order_free
                assert one.seat != other.seat
    assert together > 30
    assert mates > together / 2


def test_a_tenth_is_meant_to_be_illegal() -> None:
    """Somewhat more is: what was legal when the hand set out may not be any more."""
    found = {}
    for illegal in (0.0, 0.1, 0.3):
        scripts = [write_script(seed, pace=0.6, illegal=illegal, trouble={}) for seed in range(25)]
        verdicts = Counter(play.verdict for script in scripts for play in plays_of(script))
        found[illegal] = verdicts["illegal"] / (verdicts["illegal"] + verdicts["legal"])
    assert found[0.0] < 0.06
    assert found[0.1] - found[0.0] == pytest.approx(0.1, abs=0.035)
    assert found[0.3] - found[0.0] == pytest.approx(0.3, abs=0.06)


@pytest.mark.parametrize("pace", [0.5, 1.0, 2.0])
def test_pace(pace: float) -> None:
    rates = []
    for seed in range(12):
        script = write_script(seed, players=4, pace=pace, trouble={})
        laid = [play.at for play in plays_of(script) if play.what == "lay"]
        laid = laid[: len(laid) * 2 // 3]  # at the end few have anything to lay
        rates.append(len(laid) * SECOND / (laid[-1] - laid[0]))
    assert sum(rates) / len(rates) == pytest.approx(pace, rel=0.2)


def test_thirty_seeds_have_fifty_plays_each() -> None:
    plays = [len(plays_of(write_script(seed))) for seed in SEEDS]
    assert min(plays) >= 50


@pytest.mark.parametrize("plays", [1, 12])
def test_so_many_plays_and_no_more(plays: int) -> None:
    script = write_script(3, plays=plays)
    assert sum(play.what == "lay" for play in plays_of(script)) == plays
    assert "out" not in {said.message["move"] for said in script.said}


# --- What nobody can know


LAID = (
    "red-circle-0", "red-circle-1", "blue-star-2",
    "yellow-plus-3", "purple-plus-0", "blue-plus-1",
    "yellow-star-0", "purple-diamond-2", "blue-diamond-3",
)  # fmt: skip


def _table(*arms: ScriptedArm) -> Script:
    grid = tuple((Lying(card),) for card in LAID)
    about = {"players": ["Anna", "Ben"], "seats": {"Anna": "bottom", "Ben": "top"}, "house": {}}
    return Script(0, 60 * SECOND, grid, arms, said=(ScriptLine(SECOND, {"move": "go"}),), about=about)


def _arm(seat: Any, deed: int, cell: int, card: str) -> ScriptedArm:
    enters, there, leaves, gone = (deed + by * MILLISECOND for by in (-500, -150, 150, 500))
    return ScriptedArm(seat, enters, there, deed, leaves, gone, cell, "lay", Lying(card))


def _two(gap: int, *cards: str) -> tuple[Play, ...]:
    """Anna lays on 3 and Ben, so many milliseconds later, on 1."""
    first, second = cards
    arms = (_arm("bottom", 10 * SECOND, 3, first), _arm("top", 10 * SECOND + gap * MILLISECOND, 1, second))
    return plays_of(_table(*arms))


def test_two_in_a_line_at_once() -> None:
    """Red on 3 makes a red row with 1 and 2; a blue card laid on 1 before it would have spoilt that."""
    first, second = _two(100, "red-star-1", "blue-star-1")
    assert (first.verdict, first.line, first.value) == ("legal", "top row", "red")
    assert (second.verdict, second.value) == ("legal", "1")
    assert first.order_free
    assert second.order_free
    first, second = _two(-100, "red-star-1", "blue-star-1")
    assert first.player == "Ben"
    assert (second.player, second.cell, second.verdict) == ("Anna", 3, "legal")


def test_legal_only_if_it_was_the_first() -> None:
    first, second = _two(-100, "red-plus-3", "yellow-star-1")
    assert (first.cell, first.verdict) == (1, "legal")
    assert (second.cell, second.verdict, second.order_free) == (3, "illegal", True)
    assert second.legal_in_some_order
    late = _two(-5000, "red-plus-3", "yellow-star-1")[1]
    assert (late.verdict, late.order_free, late.legal_in_some_order) == ("illegal", False, False)


def test_how_long_a_card_was_to_be_seen() -> None:
    arms = (
        _arm("bottom", 10 * SECOND, 9, "purple-circle-1"),
        _arm("top", 10 * SECOND + 400 * MILLISECOND, 9, "red-star-3"),
    )
    hidden, last = plays_of(_table(*arms))
    assert hidden.seen_for == 0
    assert last.seen_for > 40 * SECOND
    apart = plays_of(_table(arms[0], replace(_arm("top", 14 * SECOND, 9, "red-star-3"))))[0]
    assert 2 * SECOND < apart.seen_for < 4 * SECOND


def test_a_script_that_says_nothing_of_the_match() -> None:
    script = replace(_table(_arm("left", 10 * SECOND, 3, "red-star-1")), about={}, said=())
    [play] = plays_of(script)
    assert (play.player, play.verdict) == ("", "legal")
    assert [move["move"] for move in moves_of(script)] == ["deal", "go", "lay"]


def test_what_the_rules_refuse_is_told_with_its_code() -> None:
    arms = (_arm("bottom", 10 * SECOND, 3, "red-star-1"), _arm("bottom", 12 * SECOND, 4, "red-star-1"))
    assert [(play.verdict, play.foul) for play in plays_of(_table(*arms))] == [
        ("legal", ""),
        ("refused", "card-seen-already"),
    ]


# --- Kept as a file


@pytest.mark.parametrize(
    "made",
    [*(script_of("wild", seed) for seed in range(4)), write_script(1, mat=None), write_script(2, mat=LARGE)],
    ids=_names,
)
def test_a_script_comes_back_from_json(made: Script) -> None:
    assert read_script(parsed(written(script_plain(made)))) == made
    assert json.loads(json.dumps(script_plain(made))) == script_plain(made)


def _set(*way: str | int) -> Callable[[Any], Callable[[dict[str, Any]], None]]:
    def to(value: Any) -> Callable[[dict[str, Any]], None]:
        def change(data: Any) -> None:
            for step in way[:-1]:
                data = data[step]
            data[way[-1]] = value

        return change

    return to


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda data: data.pop("grid"), "grid: this is missing."),
        (_set("colour")("red"), "colour: there is no such key here"),
        (_set("seed")("7"), "seed must be a whole number, not text."),
        (_set("length")(-1), "length: -1 lies before the first frame"),
        (_set("grid")([]), "grid has 0 piles instead of 9."),
        (_set("grid", 0, 0, "card")("green-plus-1"), "grid[0][0].card: 'green-plus-1' is not a card of this deck"),
        (_set("grid", 1)(script_plain(script_of("usual", 0))["grid"][0]), "lies there twice"),
        (_set("grid", 2, 0, "slip")([1]), "grid[2][0].slip must be a list of two numbers."),
        (_set("grid", 2, 0, "turn")(float("nan")), "grid[2][0].turn must be a number."),
        (_set("arms", 1, "seat")("above"), "arms[1].seat must be one of top, right, bottom, left."),
        (
            _set("arms", 1, "what")("steal"),
            "arms[1].what must be one of lay, take, hover, square, knock, move, lift, put.",
        ),
        (_set("arms", 1, "cell")(10), "arms[1].cell: there is no cell 10"),
        (_set("arms", 1, "gone")(1), "arms[1]: enters, there, deed, leaves and gone must follow each other"),
        (_set("arms", 0, "lying")(None), "arms[0].lying: to lay needs to say how the card lies then."),
        (_set("arms", 0, "onto")(2), "arms[0].onto: what is knocked or moved goes onto another cell"),
        (_set("arms")({}), "arms must be a list."),
        (_set("said", 0, "message")("go"), "said[0].message must be an object."),
        (_set("mishaps")([{"what": "light", "at": 5, "until": 2, "x": 1, "y": 0, "turn": 0}]), "mishaps[0].until lies"),
        (_set("mat")("huge"), f"mat must be one of {', '.join(mat.name for mat in MATS)}, or null for a bare table."),
        (_set("size")([1, 1]), "size: a picture of 1 × 1 pixels cannot be drawn"),
        (_set("rate")(0), "rate: 0 frames a second cannot be drawn"),
        (_set("rate")("fast"), "rate must be a number."),
    ],
)
def test_what_does_not_fit_is_one_sentence(change: Callable[[dict[str, Any]], Any], sentence: str) -> None:
    data = json.loads(json.dumps(script_plain(script_of("usual", 0))))
    change(data)
    with pytest.raises(MalformedError) as told:
        read_script(data)
    assert sentence in str(told.value)
    assert "\n" not in str(told.value)


def test_no_script_at_all() -> None:
    with pytest.raises(MalformedError, match="A script must be an object"):
        read_script([])


@pytest.mark.parametrize(
    ("wish", "kind", "sentence"),
    [
        ({"players": 5}, PlayersError, "2 to 4 players, not 5"),
        ({"trouble": {"earthquake": 0.1}}, HouseRuleError, "no trouble called 'earthquake'"),
    ],
)
def test_what_cannot_be_written(wish: dict[str, Any], kind: type[CompanionError], sentence: str) -> None:
    with pytest.raises(kind, match=sentence):
        write_script(1, **wish)


def test_usual_trouble_is_known() -> None:
    assert set(TROUBLE) == set(KINDS)
