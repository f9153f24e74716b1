"""What is open between a table and its match, reply by reply."""

from typing import Any

import pytest

from companion.outofstep import GUESSES, Astray, Called, Step

LOST = {"kind": "out-of-step", "cells": [], "code": "dark", "sentence": "It is dark.", "way_back": "Light."}
TWICE = {"kind": "out-of-step", "cells": [5], "code": "covered-twice", "sentence": "Twice.", "way_back": "Hands off."}


def after(*replies: dict[str, Any]) -> Step:
    step = Step()
    for reply in replies:
        step = step.after(reply)
    return step


def called(cell: int = 4, card: str = "red-star-1") -> dict[str, Any]:
    return {"kind": "foul", "evidence": {"cell": cell, "card": card, "guess": "Ben"}}


def ruling(number: int, word: str = "lay", guess: str = "", **move: Any) -> dict[str, Any]:
    return {"kind": "ruling", "number": number, "move": {"move": word, **move}, "evidence": {"guess": guess}}


def test_out_of_step_until_in_step() -> None:
    step = after(LOST, TWICE)
    assert dict(step.astray) == {
        0: Astray("dark", "It is dark.", "Light."),
        5: Astray("covered-twice", "Twice.", "Hands off."),
    }
    step = step.after({"kind": "in-step", "cells": []})
    assert list(step.astray) == [5]
    assert not step.after({"kind": "in-step", "cells": [5]}).astray


@pytest.mark.parametrize(
    "over",
    [
        {"kind": "put-right", "cell": 4},
        ruling(3, "lies", cell=4, card="red-star-1"),
        {"kind": "correction", "number": 2, "now": {"move": "lay", "cell": 4, "card": "red-star-1"}},
        ruling(9, "deal"),
        {"kind": "match"},
    ],
    ids=lambda reply: str(reply["kind"]),
)
def test_a_card_that_was_called_until_it_is_gone_or_counts(over: dict[str, Any]) -> None:
    step = after(called())
    assert dict(step.called) == {4: Called("red-star-1", "Ben")}
    assert not step.after(over).called


def test_a_foul_of_somebody_is_no_card_on_the_table() -> None:
    assert not after({"kind": "foul", "code": "not-yet"}).called


def test_guesses_belong_to_their_moves() -> None:
    step = after(ruling(3, guess="Ben"), ruling(4), ruling(5, guess="Anna"))
    assert dict(step.guesses) == {3: "Ben", 5: "Anna"}
    undone = {"kind": "done", "do": "undo", "table": {"moves": 4}}
    assert dict(step.after(undone).guesses) == {3: "Ben"}
    assert dict(step.after({"kind": "correction", "number": 3, "now": None}).guesses) == {}
    assert len(after(*(ruling(number, guess="Ben") for number in range(1, 40))).guesses) == GUESSES


def test_what_has_nothing_to_do_with_it_changes_nothing() -> None:
    step = after(LOST)
    assert step.after({"kind": "notice", "sentence": "…"}) is step
