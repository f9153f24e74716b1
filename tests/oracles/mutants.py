"""Rules of the games with one thing wrong in each: what a comparison that is worth anything has to find."""

import importlib
import inspect
import pkgutil
from dataclasses import dataclass
from types import ModuleType

import pytest


@dataclass(frozen=True)
class Mutant:
    """A function of a game in which a text stands in the place of another."""

    game: str
    function: str
    right: str
    wrong: str

    @property
    def id(self) -> str:
        return f"{self.game}.{self.function}"


MUTANTS = (
    Mutant("three", "_where_cards_go", "state.caller if right", "state.caller if not right"),
    Mutant("three", "_may_strike", "at < state.free_at", "at <= state.free_at"),
    Mutant("three", "_from_turn", "state.players.index(state.turn)", "0"),
    Mutant("three", "has_declared_enough", "<= state.declared", "< state.declared"),
    Mutant("triple3", "accepted", "bits & ~covered", "bits"),
    Mutant("triple3", "_end_counted", "-cards", "cards"),
    Mutant("triple3", "_playable", "& ~state.seen ", ""),
    Mutant("tres", "_due_after", "THREE * len(why)", "THREE"),
    Mutant("tres", "is_one_colour", "and card not in ACTIONS", ""),
    Mutant("tres", "too_late_to_catch", "if not silent", "if silent"),
    Mutant("tres", "_goes_without_saying", "missing + owed", "missing"),
    Mutant("tres", "_filled", "state.filled + len(cards)", "0"),
    Mutant("triplexity", "_round_won", "and not state.house.count_covered", "and state.house.count_covered"),
    Mutant("triplexity", "ways_back", "(back,) if back else ()", "()"),
    Mutant("triplexity", "_next_round", "1 - state.starter", "state.starter"),
    Mutant("threepia", "_bonuses", "by_shape.scoring & by_colour.scoring", "by_shape.scoring | by_colour.scoring"),
    Mutant("threepia", "_less_hands", "score - hand", "score"),
    Mutant("threepia", "in_time", "move.at > up", "move.at >= up"),
)


def spoilt(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game is ruled by the mutant until the patch is undone, from whichever module it is called."""
    modules = _modules(f"companion.games.{mutant.game}.rules")
    right = next(vars(module)[mutant.function] for module in modules if mutant.function in vars(module))
    source = inspect.getsource(right)
    assert mutant.right in source, f"{mutant.id} reads otherwise now: say here what to spoil in it"
    found = dict(right.__globals__)
    exec(source.replace(mutant.right, mutant.wrong), found)
    for module in modules:
        if vars(module).get(mutant.function) is right:
            monkeypatch.setattr(module, mutant.function, found[mutant.function])


def _modules(name: str) -> list[ModuleType]:
    rules = importlib.import_module(name)
    return [rules, *(importlib.import_module(f"{name}.{info.name}") for info in pkgutil.iter_modules(rules.__path__))]
