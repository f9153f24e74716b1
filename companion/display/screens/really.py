"""What a move was instead, said as it would have been said at the table: the game's own screen as it was before that
move, on which every move means "it was really this one"."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from companion.core.record import move_plain
from companion.core.requests import Correct
from companion.core.rules import Move
from companion.devices.camera import CameraSight
from companion.display.scene import Filling, Intent, Item, Mark, Moving, Picture, Say, Scene, Ticking
from companion.display.view import Instead, Seen, View

KEY = "really"  # the mark by which this is shown
LIST = ("move", "first")  # what is chosen on the list of moves; all else belongs to one move
ENTER, LEAVE = Mark(KEY, value=True, keeps=LIST), Mark(KEY, keeps=LIST)


def scene(view: View, number: int) -> Scene:
    from companion.display.screens import scene as scene_of  # noqa: PLC0415  (it knows this file)

    before, instead = as_it_was(view.match, number), Instead(number, view.match.line[number - 1].move)
    table = scene_of(replace(view, screen="table", seen=before, sight=CameraSight(), advice=None, instead=instead))
    items = tuple(_instead(table.items, number))
    return replace(table, items=items, over=tuple(_instead(table.over, number)), escape=LEAVE, is_live=False)


def as_it_was(seen: Seen, number: int) -> Seen:
    """The match before a move, without what happened until then; while it runs, without what nobody may look up."""
    done = seen.line[number - 1]
    ruling = seen.line[number - 2].ruling if number > 1 else seen.start
    if not seen.is_over:
        ruling = replace(ruling, state=seen.game.recalled(ruling.state))
    return replace(seen, ruling=ruling, line=(), now=done.move.at, paused=None, abandoned=None, veil=seen.hidden)


def _instead(items: Iterable[Item], number: int) -> Iterator[Item]:
    """What can be seen and touched; nothing runs, and nothing else can be done meanwhile."""
    for item in items:
        if not isinstance(item, Ticking | Filling | Moving | Picture):
            yield replace(item, intent=_meant(item.intent, number))


def _meant(intent: Intent | None, number: int) -> Intent | None:
    if isinstance(intent, Say) and isinstance(intent.message, Move):
        return Say(Correct(number, move_plain(intent.message), preview=True))
    return intent if isinstance(intent, Mark) else None
