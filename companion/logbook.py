"""The entries of a match in lines for people: what was done when, and what that changed."""

from collections.abc import Callable, Iterator
from typing import Any

from companion.clocks import shown
from companion.entries import Act, Step
from companion.sheet import BELOW, quoted


def step_lines(step: Step) -> Iterator[str]:
    """An entry in lines: its number, its time, what was done; below it what that changed."""
    yield f"{step.entry:4}  {shown(step.at):>9}  {_STEPS[step.did](step)}"
    for line in (*map(_change, step.reply.get("changes", ())), *_after_the_end(step), *_difference(step)):
        yield f"{BELOW}{line}"


def _made(step: Step) -> str:
    reply, move = step.reply, step.reply["move"]
    said = " ".join(event["sentence"] for event in reply["events"] if "sentence" in event)
    who = ", by the referee" if step.is_by_referee else ""
    return f"Move {reply['number']}{who}: {said or move.get('player', 'the table') + ': ' + move['move'] + '.'}"


def _undone(step: Step) -> str:
    act = _of(step)
    return f"Undone: {_correction(act)}{_instead(act)}"


def _redone(step: Step) -> str:
    act = _of(step)
    return f"Redone: {_correction(act)}{_instead(act)}"


def _corrected(step: Step) -> str:
    return f"Put right: {_instead(_of(step))}"


def _correction(act: Act) -> str:
    return f"the correction of entry {act.entry}; " if act.what == "correction" else ""


def _instead(act: Act) -> str:
    """What a move was, and what it is now."""
    if not act.now:
        return f"move {act.number} does not count, {quoted(act.was)}"
    if not act.was:
        return f"move {act.number} counts, {quoted(act.now)}"
    if act.was == act.now:
        return f"move {act.number} says the same, {quoted(act.now)}"
    return f"move {act.number} was {quoted(act.was)}, and is {quoted(act.now)}"


def _of(step: Step) -> Act:
    assert step.of is not None
    return step.of


_STEPS: dict[str, Callable[[Step], str]] = {
    "made": _made,
    "undone": _undone,
    "redone": _redone,
    "corrected": _corrected,
    "paused": lambda step: f"Paused{': ' + step.why if step.why else ''}.",
    "resumed": lambda _: "The clocks go on.",
    "abandoned": lambda step: f"Abandoned{': ' + step.why if step.why else ''}.",
}


def _change(change: dict[str, Any]) -> str:
    was, now, number = quoted(change["was"]), quoted(change["now"]), change["number"]
    if change["dropped"]:
        return f"Move {number} falls away, {was}: {change['dropped']}"
    if not change["was"]:
        return f"Counts again: {now}" if change["kind"] == "restored" else f"Added by the referee: {now}"
    return f"Move {number}{', adjusted,' if change['adjusted'] else ''} was {was}, and is {now}"


def _after_the_end(step: Step) -> Iterator[str]:
    if step.counts is not None:
        yield f"What was played after the end {'counts' if step.counts else 'does not count'}"


def _difference(step: Step) -> Iterator[str]:
    """How the scores are others than before, where that is not what a move did."""
    before, after = step.scores_before, step.reply["table"]["scores"]
    if step.did != "made" and before != after:
        yield f"Scores: {_scored(after)}; before {_scored(before)}"
    ends = [_ending(step.reply.get(name)) for name in ("winners_before", "winners_after")]
    if ends[0] != ends[1]:
        yield f"The match {ends[1]}; before it {ends[0]}"


def _ending(winners: list[str] | None) -> str:
    if winners is None:
        return "goes on"
    return f"is won by {' and '.join(winners)}" if winners else "is drawn"


def _scored(scores: dict[str, int]) -> str:
    return ", ".join(f"{name} {score}" for name, score in scores.items())
