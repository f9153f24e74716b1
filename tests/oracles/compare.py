"""Random matches ruled on twice, by the referee and by a model of the sheet, compared after every move."""

import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from importlib import import_module
from random import Random
from typing import Any, cast

from companion.core.codec import plain
from companion.core.errors import CompanionError
from companion.core.house import house_from_json
from companion.core.match import Match, set_up
from companion.core.record import move_plain, read_move
from companion.core.rules import Foul
from companion.games import game
from tests.oracles.model import SECOND, Data, Oracle, Refused

PROCESSES = 2
LONGEST = 400  # moves of a match; most end before
UNOFFERED = ("left", "time-up")  # accepted though nobody is asked: said anew, and the referee's own
AFTER_THE_END = 3  # moves that are still tried


def oracle(name: str) -> Oracle:
    return cast("Oracle", import_module(f"tests.oracles.{name}"))


@dataclass(frozen=True)
class Play:
    """Who plays what by which house rules, and what they do when."""

    game: str
    names: tuple[str, ...]
    house: Data
    moves: tuple[Data, ...] = ()


@dataclass(frozen=True)
class Difference:
    what: str
    engine: Any
    model: Any

    def __str__(self) -> str:
        return f"{self.what}\n  engine: {self.engine}\n  model:  {self.model}"


@dataclass
class Count:
    """How much was compared. A case is one ruling and the state after it."""

    cases: int = 0
    matches: int = 0
    ended: int = 0
    accepted: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def __add__(self, other: "Count") -> "Count":
        return Count(*(getattr(self, name) + getattr(other, name) for name in self.__dataclass_fields__))


class Both:
    """One match, kept by the referee's rules and on the model's paper."""

    def __init__(self, play: Play, count: Count) -> None:
        kind = game(play.game)
        self.match = Match(set_up(kind, play.names, house_from_json(kind, play.house)))
        self.model = oracle(play.game).Model(play.names, play.house)
        self.now = 0
        self._seated = set(play.names)
        self._count = count
        self._plain: dict[str, tuple[Any, Any]] = {}

    def say(self, move: Data) -> Difference | None:
        """Both rule on a move, and before it on what fell due."""
        while True:
            found = self._due_differs()
            due = self.model.due()
            if found or not due or due["at"] >= move["at"]:
                return found or self._ruled(move)
            if found := self._ruled(due, due):
                return found

    def _due_differs(self) -> Difference | None:
        deadline = self.match.deadline
        engine = {**move_plain(deadline.move), "at": deadline.at} if deadline else None
        model = self.model.due()
        return None if engine == model else Difference("what falls due when", engine, model)

    def _ruled(self, move: Data, due: Data | None = None) -> Difference | None:
        self._count.cases += 1
        offered = move == due or self._is_offered(move)
        engine, model = self._engine(move), self._model(move)
        (self._count.refused if model else self._count.accepted)[move["move"]] += 1
        if bool(engine) != bool(model):
            return Difference("whether it is accepted", engine or "accepted", model or "accepted")
        if not engine and not offered:
            return Difference("whether it was offered", "no", "it is accepted")
        return self._state_differs()

    def _is_offered(self, move: Data) -> bool:
        """The door names the move among those that may come now, and with it one whom it concerns."""
        whose = {move.get("player", ""), *move.get("tied", ())} - {""}
        return move["move"] in UNOFFERED or any(
            may.move == move["move"] and (not whose or whose & set(may.players)) for may in self.match.ruling.may
        )

    def _engine(self, move: Data) -> str:
        """Why it is refused, or nothing."""
        try:
            self.match.make(read_move(self.match.game, move))
        except (Foul, CompanionError) as refused:
            return str(refused)
        return ""

    def _model(self, move: Data) -> str:
        """The same; what has nothing to do with the game is known here."""
        move = {"player": "", **move}
        if move["at"] < self.now:
            return "it lies before the last move"
        if not (move["player"] in self._seated or (not move["player"] and move["move"] in self.model.nameless)):
            return "no such player"
        try:
            self.model.rule(move)
        except Refused as refused:
            return str(refused)
        self.now = move["at"]
        return ""

    def _state_differs(self) -> Difference | None:
        for name, on_paper in self.model.told().items():
            engine, model = self._told(name), on_paper
            if name in self.model.unordered:
                engine, model = _sorted(engine), _sorted(model)
            if engine != model:
                return _narrowed(f"the state's {name}", engine, model)
        return None

    def _told(self, name: str) -> Any:
        """A part of the engine's state as the door tells it."""
        value = self.match.ruling.may if name == "choices" else getattr(self.match.state, name)
        before = self._plain.get(name)
        if before is None or before[0] is not value:
            before = self._plain[name] = value, _told_plain(name, value)
        return before[1]


def _narrowed(what: str, engine: Any, model: Any) -> Difference:
    """The same difference without what is equal around it."""
    if isinstance(engine, list) and isinstance(model, list) and len(engine) == len(model):
        for number, (one, other) in enumerate(zip(engine, model, strict=True), 1):
            if one != other:
                return _narrowed(f"{what}, {number}", one, other)
    return Difference(what, engine, model)


def _sorted(cards: list[Any]) -> list[Any]:
    return sorted((_sorted(one) if isinstance(one, list) else one for one in cards), key=repr)


def _told_plain(name: str, value: Any) -> Any:
    if name == "choices":
        return [plain(choice) for may in value for choice in may.choices]
    if name == "outcome":
        return None if value is None else [list(value.winners), list(value.scores)]
    return plain(value)


def differs(play: Play) -> Difference | None:
    """Where the two rule differently on these moves."""
    both = Both(play, Count())
    for move in play.moves:
        if found := both.say(move):
            return found
    return None


# --- random matches --------------------------------------------------------------------------------------------


def random_match(name: str, chance: Random, count: Count) -> Play | None:
    """A match played out at random; its moves, if the last of them is ruled on differently."""
    found = oracle(name)
    names, house = found.seats(chance)
    play = Play(name, tuple(names), house)
    both = Both(play, count)
    mistakes, pace = chance.choice((0.02, 0.1, 0.4)), chance.choice((SECOND // 10, SECOND, 10 * SECOND))
    moves: list[Data] = []
    left = LONGEST
    while left:
        left -= 1
        draw = found.wild if chance.random() < mistakes else found.likely
        over = both.match.outcome is not None
        move = (found.wild if over else draw)(both.model, chance)
        move["at"] = _when(both, chance, pace)
        moves.append(move)
        if both.say(move):
            return Play(name, play.names, house, tuple(moves))
        if both.match.outcome is not None:
            left = min(left, AFTER_THE_END)
    count.matches += 1
    count.ended += both.match.outcome is not None
    return None


def _when(both: Both, chance: Random, pace: int) -> int:
    """Mostly some time later; now and then around a moment at which something changes, too early, or at once."""
    due = both.model.due()
    moments: list[int] = [at for at in both.model.moments() if at >= both.now] + ([due["at"]] if due else [])
    if moments and chance.random() < 0.1:
        return max(0, chance.choice(moments) + chance.choice((-1, 0, 1, SECOND)))
    if chance.random() < 0.03:
        return max(0, both.now - chance.choice((1, SECOND)))
    return both.now + (0 if chance.random() < 0.1 else chance.randrange(pace))


def compared(name: str, cases: int, seed: int) -> Count:
    """At least so many cases; a DifferenceFound, shortened, if the two disagree."""
    began, count, chance = time.process_time(), Count(), Random(seed)
    while count.cases < cases:
        if found := random_match(name, chance, count):
            raise DifferenceFound(found)
    count.seconds = time.process_time() - began
    return count


def compared_beside(
    names: Iterable[str], cases: int, seed: int, processes: int = PROCESSES
) -> Iterator[tuple[str, Count]]:
    """The same for several games, each shared over some processes; each game's count as soon as all of it is there."""
    with ProcessPoolExecutor(processes) as pool:
        shares = {
            name: [pool.submit(compared, name, cases // processes, seed + part) for part in range(processes)]
            for name in names
        }
        try:
            for name, parts in shares.items():
                yield name, sum((part.result() for part in parts), Count())
        finally:
            pool.shutdown(cancel_futures=True)


# --- what differs, made short ----------------------------------------------------------------------------------


class DifferenceFound(AssertionError):
    """The referee and the sheet disagree on the last move of a match; told with few moves, which takes its time."""

    def __init__(self, play: Play) -> None:
        super().__init__(play)
        self.play = play

    def __str__(self) -> str:
        return told(shortened(self.play))


def told(play: Play) -> str:
    """A match as it can be said at the door, and where the two differ."""
    lines = [json.dumps(move, ensure_ascii=False) for move in play.moves]
    house = json.dumps(play.house, ensure_ascii=False)
    return "\n".join([f"{play.game}: {', '.join(play.names)}, {house}", *lines, f"differs: {differs(play)}"])


def shortened(play: Play) -> Play:
    """Fewer moves and fewer house rules that still differ."""
    for key in play.house:
        fewer = replace(play, house={one: play.house[one] for one in play.house if one != key})
        play = fewer if still(fewer) else play
    size = len(play.moves)
    while size:
        size //= 2
        play = _without_stretches(play, max(1, size))
    return play


def _without_stretches(play: Play, size: int) -> Play:
    """Without each stretch of so many moves that the difference does not need, the latest first."""
    for start in range(len(play.moves) - size, -1, -size):
        fewer = replace(play, moves=play.moves[:start] + play.moves[start + size :])
        play = fewer if still(fewer) else play
    return play


def still(play: Play) -> bool:
    try:
        return differs(play) is not None
    except CompanionError:  # such a match cannot be set up
        return False
