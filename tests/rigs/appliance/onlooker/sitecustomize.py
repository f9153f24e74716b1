"""In the table's own process: tells the rig's hand what the referee has told, and where somebody would touch next.

Python imports this by its name when the rig puts this folder on PYTHONPATH, which a drop-in of the rig does and the
product never. The table runs as it is installed: a hearer more, as the sound is one, and a look at each new scene.

For the control alone, RIG_SYNCHRONOUS=OFF makes the journal as careless as it must not be.
"""

import json
import os
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from typing import Any

EAR = "/run/rig/ear"
MOST = 200_000  # bytes of a datagram
_ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)


def tell(**fields: Any) -> None:
    with suppress(OSError):  # nobody listens: the table is not to notice
        _ear.sendto(json.dumps(fields, default=str).encode()[:MOST], EAR)


# --- what would be touched next --------------------------------------------------------------------------------


def next_move(state: Any) -> Any:
    """What somebody at the table does who knows no card: enough to keep two games going for ever."""
    from companion.games.three import rules as three
    from companion.games.threepia import rules as threepia

    players, phase = state.players, state.phase
    others = [player for player in players if player != getattr(state, "caller", "")]
    moves: dict[tuple[type, str], Callable[[], Any]] = {
        (three.State, "setup"): lambda: three.Begin(players[0]),
        (three.State, "turn"): lambda: three.Play(state.turn),
        (three.State, "final"): lambda: three.Pass(state.turn),
        (three.State, "struck"): lambda: three.Call(state.caller, others[0], state.house.dogs[0].name),
        (three.State, "check"): lambda: three.Check(state.called, 0),
        (threepia.State, "deal"): lambda: threepia.Deal(""),
        (threepia.State, "ready"): lambda: threepia.Begin(players[0]),
        (threepia.State, "turn"): lambda: threepia.Lay(state.turn, points=1),
        (threepia.State, "counting"): lambda: threepia.Points(state.owed[0], 1),
    }
    made = moves.get((type(state), phase))
    return made() if made else None


def way_on(app: Any) -> list[Any]:
    """What is to be touched for the next move, one after the other."""
    if app.match is None or app.view.screen != "table" or app.match.outcome or app.match.paused:
        return []
    from companion.display.fingers import touches

    move = next_move(app.match.state)
    return [item.box.centre for item in touches(app.view, move)] if move else []


def tell_scene(app: Any) -> None:
    match = app.match
    tell(
        screen=app.view.screen,
        targets=[(repr(item.intent)[:160], item.box.centre) for item in app.scene.targets()],
        way=way_on(app),
        words=[item.text for item in app.scene.all() if hasattr(item, "text")][:60],
        moves=len(match.line) if match else None,
        phase=getattr(match.state, "phase", "") if match else "",
        paused=bool(match and match.paused),
    )


def tell_reply(reply: Any) -> None:
    """Told to those who sit there: from now on it must never be lost."""
    from companion.core.wire import reply_plain

    told = reply_plain(reply)
    tell(reply={name: told[name] for name in ("kind", "id", "number", "move", "sentence", "code") if name in told})


# --- how it gets in --------------------------------------------------------------------------------------------


def into_app(module: Any) -> None:
    begin = module.App.__init__

    def begun(app: Any, *words: Any, **more: Any) -> None:
        begin(app, *words, **more)
        app.hearers.append(tell_reply)

    module.App.__init__ = begun


def into_loop(module: Any) -> None:
    show = module.Loop.show

    def shown(loop: Any) -> None:
        scene = loop.app.scene
        show(loop)
        if scene is not getattr(loop, "rig_shown", None):
            loop.rig_shown = scene
            with suppress(Exception):
                tell_scene(loop.app)

    module.Loop.show = shown


def into_journal(module: Any) -> None:
    wanted = os.environ.get("RIG_SYNCHRONOUS")
    if not wanted:
        return
    connect = module.sqlite3.connect

    class Careless(module.sqlite3.Connection):  # type: ignore[misc]
        def execute(self, words: str, *more: Any) -> Any:
            careless = words.lower().startswith("pragma synchronous")
            return super().execute(f"PRAGMA synchronous = {wanted}" if careless else words, *more)

    module.sqlite3.connect = lambda *words, **more: connect(*words, **{**more, "factory": Careless})


CHANGES = {
    "companion.display.app": into_app,
    "companion.display.loop": into_loop,
    "companion.journal.file": into_journal,
}


class Finder(MetaPathFinder):
    """Finds those modules as everybody does, and changes them when they have been read."""

    def find_spec(self, name: str, *_: Any) -> ModuleSpec | None:
        change = CHANGES.pop(name, None)
        if change is None:
            return None
        spec = find_spec(name)
        if spec is None or spec.loader is None:
            return None
        run = spec.loader.exec_module

        def read(module: Any) -> None:
            run(module)
            change(module)

        spec.loader.exec_module = read  # type: ignore[method-assign]
        return spec


sys.meta_path.insert(0, Finder())
