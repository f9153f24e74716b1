"""The entries of a match in lines for people: what was done when, and what that changed."""

from collections.abc import Callable, Iterator

from companion.core.correction import Change
from companion.core.replies import CorrectionReply, RulingReply
from companion.reports.entries import Affected, EntryStep
from companion.reports.telling import BELOW, Telling
from companion.words import labels


def step_lines(step: EntryStep, telling: Telling | None = None) -> Iterator[str]:
    """An entry in lines: its number, its time, what was done; below it what that changed."""
    telling = telling or Telling()
    yield f"{step.entry:4}  {telling.words.time(step.at):>9}  {_STEPS[step.did](step, telling)}"
    changes = (_change(change, telling) for change in _changes(step))
    for line in (*changes, *_after_the_end(step, telling), *_difference(step, telling)):
        yield f"{BELOW}{line}"


def _made(step: EntryStep, telling: Telling) -> str:
    assert step.made is not None
    assert isinstance(step.reply, RulingReply)
    said = " ".join(telling.sentences(step.made.move, step.made.ruling))
    text = labels.MADE_BY_REFEREE if step.is_by_referee else labels.MADE
    return telling.say(text, number=step.reply.number, said=said)


def _undone(step: EntryStep, telling: Telling) -> str:
    return telling.say(labels.UNDONE, what=_of_which(step, telling))


def _redone(step: EntryStep, telling: Telling) -> str:
    return telling.say(labels.REDONE, what=_of_which(step, telling))


def _corrected(step: EntryStep, telling: Telling) -> str:
    assert step.of is not None
    return telling.say(labels.CORRECTED, what=_instead(step.of, telling))


def _of_which(step: EntryStep, telling: Telling) -> str:
    act = step.of
    assert act is not None
    what = _instead(act, telling)
    return telling.say(labels.OF_CORRECTION, entry=act.entry, what=what) if act.what == "correction" else what


def _instead(act: Affected, telling: Telling) -> str:
    """What a move was, and what it is now."""
    was, now = map(telling.quoted, act.done)
    if not now:
        return telling.say(labels.NOT_COUNTED, number=act.number, said=was)
    if not was:
        return telling.say(labels.NOW_COUNTED, number=act.number, said=now)
    if was == now:
        return telling.say(labels.SAME_AS_BEFORE, number=act.number, said=now)
    return telling.say(labels.SAYS_NOW, number=act.number, said=was, now=now)


def _paused(step: EntryStep, telling: Telling) -> str:
    why = telling.words.heard(step.why)
    return telling.say(labels.PAUSED_FOR, why=why.rstrip(".")) if why else telling.say(labels.PAUSED_THEN)


def _abandoned(step: EntryStep, telling: Telling) -> str:
    why = telling.words.heard(step.why)
    return telling.say(labels.ABANDONED_FOR, why=why.rstrip(".")) if why else telling.say(labels.ABANDONED_THEN)


_STEPS: dict[str, Callable[[EntryStep, Telling], str]] = {
    "made": _made,
    "undone": _undone,
    "redone": _redone,
    "corrected": _corrected,
    "paused": _paused,
    "resumed": lambda _, telling: telling.say(labels.CLOCKS_GO_ON),
    "abandoned": _abandoned,
}


def _changes(step: EntryStep) -> tuple[Change, ...]:
    return step.reply.changes if isinstance(step.reply, CorrectionReply) else ()


def _change(change: Change, telling: Telling) -> str:
    was, now, number = telling.heard(change.was), telling.heard(change.now), change.number
    if change.dropped:
        return telling.say(labels.FALLS_AWAY, number=number, said=was, why=telling.words.heard(change.dropped))
    if not change.was:
        is_restored = change.kind == "restored"
        return telling.say(labels.COUNTS_AGAIN if is_restored else labels.BY_REFEREE, said=now)
    text = labels.ADJUSTED_TO if change.adjusted else labels.CHANGED_TO
    return telling.say(text, number=number, said=was, now=now)


def _after_the_end(step: EntryStep, telling: Telling) -> Iterator[str]:
    if step.counts is not None:
        yield telling.say(labels.AFTER_COUNTS if step.counts else labels.AFTER_COUNTS_NOT)


def _difference(step: EntryStep, telling: Telling) -> Iterator[str]:
    """How the scores are others than before, where that is not what a move did."""
    before, after = step.scores_before, step.reply.table.scores
    if step.did != "made" and before != after:
        scores = {"after": telling.scores(after), "before": telling.scores(before)}
        yield telling.say(labels.SCORES_NOW, **scores)
    if isinstance(step.reply, CorrectionReply) and step.reply.winners_before != step.reply.winners_after:
        ends = (step.reply.winners_before, step.reply.winners_after)
        was, now = (_ending(winners, telling) for winners in ends)
        yield telling.say(labels.ENDS_OTHERWISE, before=was, after=now)


def _ending(winners: tuple[str, ...] | None, telling: Telling) -> str:
    if winners is None:
        return telling.say(labels.GOES_ON)
    return telling.say(labels.IS_WON_BY, players=winners) if winners else telling.say(labels.IS_DRAWN)
