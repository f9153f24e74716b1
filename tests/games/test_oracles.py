"""The referee rules as the models of the sheets do, and the comparison finds it where he does not."""

import pytest

from companion.games import NAMES
from tests.oracles.compare import DifferenceFound, compared
from tests.oracles.mutants import MUTANTS, Mutant, spoilt

CASES = {"three": 5000, "triple3": 3000, "tres": 3000, "triplexity": 5000, "threepia": 3000}  # below half a second each


@pytest.mark.parametrize("name", NAMES)
def test_the_referee_rules_as_the_sheet_does(name: str) -> None:
    count = compared(name, CASES[name], seed=16)
    assert count.cases >= CASES[name]
    assert count.ended > 0
    assert min(count.accepted.total(), count.refused.total()) > CASES[name] / 10


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.id)
def test_a_rule_that_is_broken_is_found(mutant: Mutant, monkeypatch: pytest.MonkeyPatch) -> None:
    spoilt(mutant, monkeypatch)
    with pytest.raises(DifferenceFound):
        compared(mutant.game, 20_000, seed=1)


def test_a_difference_is_told_with_few_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    spoilt(next(mutant for mutant in MUTANTS if mutant.function == "_next_round"), monkeypatch)
    with pytest.raises(DifferenceFound) as found:
        compared("triplexity", 20_000, seed=1)
    first, *moves, differs, _engine, _model = str(found.value).splitlines()
    assert first.startswith("triplexity: Anna, Ben, {")
    assert differs == "differs: the state's turn"
    assert 5 <= len(moves) < len(found.value.play.moves), "a round that is won, and nothing else"
