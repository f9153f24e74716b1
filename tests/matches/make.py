"""Makes the whole matches that stand in this folder, one for each ending of each game.

`python -m tests.matches.make` plays bots by many seeds, takes the shortest match with the wanted ending, and writes
what the referee was told and what it said. Lines that begin with {"told" are messages to the referee; the line
after each is its reply, cut down to what a person at the table would hear.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from companion.core.codec import written
from companion.core.errors import CompanionError
from companion.core.match import Match
from companion.core.record import move_plain, setup_plain
from companion.core.referee import Referee
from companion.core.requests import read_message
from companion.core.rules import Foul, Move
from companion.core.session import Session
from companion.games import game
from companion.games.three import rules as three
from companion.games.threepia import fields
from companion.games.threepia import rules as threepia
from companion.games.tres import rules as tres
from companion.games.triple3 import rules as triple3
from companion.games.triplexity import rules as triplexity
from simulator.playing import play_out, seated
from tests.replies import told as as_told

FOLDER = Path(__file__).parent
SEEDS = 400


@dataclass(frozen=True)
class Ending:
    """A file of this folder: what it shows, and how to tell a match that shows it."""

    about: str
    game: str
    house: Any
    shows: Callable[[Match], bool]
    players: int = 2
    seen: bool = True
    mistakes: float = 0.05
    then: tuple[dict[str, Any], ...] = field(default=())  # requests after the end


def _winners(match: Match) -> int:
    assert match.outcome is not None
    return len(match.outcome.winners)


def _reason(*words: str) -> Callable[[Match], bool]:
    return lambda match: match.outcome is not None and all(word in match.outcome.reason for word in words)


def _last_round(*words: str) -> Callable[[Match], bool]:
    return lambda match: all(word in match.state.rounds[-1].reason for word in words)


def _event(*kinds: type) -> Callable[[Match], bool]:
    return lambda match: {type(event) for done in match.line for event in done.ruling.events} >= set(kinds)


def _three_of(how: str, *, by_other: bool = False, placing: bool = False) -> Callable[[Match], bool]:
    def shows(match: Match) -> bool:
        done = match.line[-1]
        won = next(event for event in done.ruling.events if isinstance(event, triplexity.ThreeOfAColour))
        return (
            how in won.how
            and (won.owner != done.move.player) == by_other
            and isinstance(done.move, triplexity.Put) == placing
        )

    return shows


def _really_used_up(*kinds: type) -> Callable[[Match], bool]:
    """The deck was drawn to its end, not declared empty."""
    return lambda match: (
        not any(isinstance(done.move, threepia.DeckEmpty) for done in match.line)
        and _event(threepia.DeckUsedUp, *kinds)(match)
    )


_FEW_DOGS = three.House(dogs=three.DOGS[:4], copies=4, deck=16)
_BOTH = (three.Called, three.Declared, three.Released)

ENDINGS = {
    "three-most-cards": Ending(
        "Most cards in the bank win; the referee has seen every card.",
        "three",
        _FEW_DOGS,
        lambda m: _winners(m) == 1 and _event(*_BOTH)(m),
    ),
    "three-shared": Ending(
        "Two players with the same number of cards share the win.",
        "three",
        _FEW_DOGS,
        lambda m: _winners(m) == 2 and max(m.state.banks) > 0,
    ),
    "three-counts-typed-in": Ending(
        "Nobody shows the referee a card; players say what they found.",
        "three",
        _FEW_DOGS,
        lambda m: _winners(m) == 1 and _event(*_BOTH)(m),
        players=3,
        seen=False,
    ),
    "triple3-out": Ending(
        "A player lays the last card.",
        "triple3",
        triple3.House(chips_to_win=1),
        _last_round("has laid the last card"),
        players=4,
    ),
    "triple3-out-claimed": Ending(
        "A player claims to be out, and the plays seen allow it.",
        "triple3",
        triple3.House(chips_to_win=1),
        _last_round("as the plays allow"),
        players=4,
    ),
    "triple3-nobody-can-lay": Ending(
        "No card that is left can be laid: the cards are counted, fewest win.",
        "triple3",
        triple3.House(chips_to_win=1),
        _last_round("fewest cards"),
    ),
    "triple3-illegal-plays-kept": Ending(
        "Illegal plays are kept for Stop!, and taken back there.",
        "triple3",
        triple3.House(chips_to_win=1, illegal_plays="keep"),
        _event(triple3.PlayedIllegally, triple3.Stopped, triple3.TakenBack),
        players=4,
        mistakes=0.2,
    ),
    "triple3-grid-not-shown": Ending(
        "Without a camera: rounds, claims on trust, chips.",
        "triple3",
        triple3.House(),
        lambda m: _event(triple3.NobodyCanLay)(m) and len(m.state.rounds) > 4,
        players=3,
        seen=False,
    ),
    "tres-out": Ending(
        "The hand is empty.", "tres", tres.House(), _event(tres.DirectionTurned, tres.Skipped, tres.Caught), players=4
    ),
    "tres-cards-not-shown": Ending(
        "The referee sees no hands and counts cards.", "tres", tres.House(), lambda _: True, players=2, seen=False
    ),
    "tres-only-counted": Ending(
        "Cards are only counted: one message is a turn, and what goes without saying is not said.",
        "tres",
        tres.House(cards="counted"),
        _event(tres.TurnLost, tres.Skipped, tres.Caught, tres.MustDraw),
        players=3,
    ),
    "tres-blocked": Ending(
        "Nothing is left to draw and everybody passes: fewest cards win.",
        "tres",
        tres.House(colours=("red",), jokers=0),
        lambda m: min(m.state.scores) > 0,
        players=3,
    ),
    "triplexity-stack": Ending(
        "Three of one colour in one stack.", "triplexity", triplexity.House(), _three_of("one stack")
    ),
    "triplexity-on-top": Ending(
        "One colour on top of all three places.", "triplexity", triplexity.House(), _three_of("on top")
    ),
    "triplexity-given-away": Ending(
        "The other player makes the winning move.", "triplexity", triplexity.House(), _three_of("on top", by_other=True)
    ),
    "triplexity-while-placing": Ending(
        "It is over before all pieces lie there.", "triplexity", triplexity.House(), _three_of("on top", placing=True)
    ),
    "triplexity-drawn": Ending(
        "The same position for the third time is a draw, by house rule.",
        "triplexity",
        triplexity.House(repetition_draw=True),
        lambda m: _winners(m) == 0,
    ),
    "triplexity-nobody-can-move": Ending(
        "No piece may go back, and nobody has a move: the round is drawn.",
        "triplexity",
        triplexity.House(no_return="each"),
        lambda m: _winners(m) == 0,
    ),
    "triplexity-advanced-rounds": Ending(
        "Pips over an agreed number of rounds.",
        "triplexity",
        triplexity.House(play="advanced", rounds=3),
        _reason("rounds are played"),
    ),
    "triplexity-advanced-points": Ending(
        "Pips up to an agreed number of points.",
        "triplexity",
        triplexity.House(play="advanced", rounds=20, points=20),
        _reason("points reached"),
    ),
    "triplexity-points-alone": Ending(
        "Pips up to an agreed number of points, in as many rounds as it takes.",
        "triplexity",
        triplexity.House(play="advanced", points=20),
        _reason("points reached"),
    ),
    "threepia-points": Ending("First to 15 points.", "threepia", threepia.House(), lambda m: _winners(m) == 1),
    "threepia-points-typed-in": Ending(
        "Points entered by hand, some of them late.",
        "threepia",
        threepia.House(),
        _event(threepia.PointsOwed),
        seen=False,
    ),
    "threepia-rounds": Ending(
        "Five rounds, most points.", "threepia", threepia.House(way="rounds"), lambda m: _winners(m) == 1, players=3
    ),
    "threepia-rounds-shared": Ending(
        "Two rounds, and the win is shared.",
        "threepia",
        threepia.House(way="rounds", rounds=2),
        lambda m: _winners(m) == 2,
    ),
    "threepia-deck": Ending(
        "The deck is used up; cards in hand cost a point each.",
        "threepia",
        threepia.House(way="deck", deck=24),
        _really_used_up(threepia.HandEmpty),
    ),
    "threepia-time": Ending(
        "Six seconds a turn, until the deck is used up.",
        "threepia",
        threepia.House(way="time", deck=18, turn_seconds=6),
        _really_used_up(threepia.TurnTimeUp),
    ),
    "threepia-stopwatch": Ending(
        "A clock for each player; all run out.",
        "threepia",
        threepia.House(way="stopwatch", match_seconds=30),
        lambda m: _winners(m) == 1,
        players=3,
    ),
    "threepia-time-trial": Ending(
        "Alone, the deck against the clock.",
        "threepia",
        threepia.House(way="time-trial", deck=18, trial_ends_with_deck=True),
        _really_used_up(),
        players=1,
    ),
    "threepia-time-trial-hand": Ending(
        "Alone, deck and hand against the clock; field and hand are shown, and no card fits at the end.",
        "threepia",
        threepia.House(way="time-trial", deck=18),
        lambda m: m.state.hands[0] > 0 and not m.state.on_word,
        players=1,
    ),
    "threepia-l-box": Ending(
        "Ls by blocks of two by two, and a point more for a flush.",
        "threepia",
        threepia.House(field=fields.field("l-box"), flush_bonus=1),
        lambda m: _winners(m) == 1 and _event(threepia.Combined)(m),
    ),
    "threepia-relaxed": Ending(
        "Alone, without points or clock.",
        "threepia",
        threepia.House(way="relaxed", deck=18),
        _really_used_up(),
        players=1,
    ),
}


def shortest(ending: Ending) -> list[Move]:
    """The moves that were tried in the shortest match with that ending, fouls included."""
    best: list[Move] = []
    playing = game(ending.game)
    for seed in range(SEEDS):
        match = Match(seated(playing, ending.house, ending.players))
        tried: list[Move] = []
        fouls = 0
        for move, told in play_out(match, seed, seen=ending.seen, mistakes=ending.mistakes):
            tried.append(move)
            fouls += isinstance(told, Foul)
            if best and len(tried) >= len(best):
                break
        else:
            if ending.shows(match) and (fouls or seed > SEEDS // 2):
                best = tried
    assert best, f"no match found: {ending.about}"
    return [move for move in best if not move.by_referee]


def lines(ending: Ending) -> Iterator[str]:
    """The file of an ending."""
    setup = seated(game(ending.game), ending.house, ending.players)
    match = {**setup_plain(setup), "id": ending.game}
    yield written({"about": ending.about, "match": match})
    session = Session(Referee.begin(setup, 0), None)
    for move in shortest(ending):
        message = move_plain(move) | {"at": move.at}
        yield written({"told": message})
        yield written(heard(session, message))


def heard(session: Session, message: dict[str, Any]) -> dict[str, Any]:
    """What a person hears of the replies to a message: sentences, scores, the end."""
    try:
        replies = as_told(session.answer(read_message(session.referee.match.game, message)))
    except CompanionError as error:
        return {"error": str(error)}
    said = [event["sentence"] for reply in replies for event in reply.get("events", ()) if "sentence" in event]
    last = replies[-1]
    if last["kind"] in ("foul", "error"):
        return ({"said": said} if said else {}) | {last["kind"]: last["sentence"]}
    table = last["table"]
    found = {"said": said, "scores": table["scores"]}
    if last["kind"] == "correction":
        found["changed"] = [
            f"{change['number']}: {change['dropped'] or ' '.join(change['now'])}" for change in last["changes"]
        ]
    if table["until"]:
        found["until"] = table["until"]["at"]
    return found | ({"over": table["over"]["reason"], "won by": table["over"]["winners"]} if table["over"] else {})


def main() -> None:
    for name, ending in ENDINGS.items():
        text = "\n".join(lines(ending)) + "\n"
        (FOLDER / f"{name}.jsonl").write_text(text, encoding="utf-8")
        print(f"{name}: {text.count('told')} messages")  # noqa: T201


if __name__ == "__main__":
    main()
