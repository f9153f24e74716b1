"""`companion` without a command: the table. On a Pi with its real devices; elsewhere in a window with a drawn table
beside the display; and where there is no display at all, the demo with pictures."""

import argparse
import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.exc import CompanionError

if TYPE_CHECKING:
    from companion.camera import Camera
    from companion.display.app import App
    from companion.display.layout import Size
    from companion.display.remembered import Remembered
    from companion.display.view import Prefs
    from companion.journal import Journal
    from companion.protocol import Session
    from companion.table import Seated

MODEL = Path("/proc/device-tree/model")
CONSOLE = Path("/dev/dri")
BIGGEST = 8000  # pixels along a side
SMALLEST = (480, 320)
USUAL = (1600, 900)  # of a window, if the screen has room for it
SHARE = 0.9  # of the screen that a window takes at most
PICTURES = "pictures"

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Doors:
    """What the command line lends."""

    say: Say
    complain: Say
    journal: Callable[[], contextlib.AbstractContextManager["Journal"]]
    place: Callable[[], Path]  # of the journal
    demo: Callable[[Path], int]  # prints the rulings, and keeps pictures there


def add_options(parser: argparse.ArgumentParser) -> None:
    """Those of the table itself; with a command none of them is taken."""
    group = parser.add_argument_group("the table", "Without a command the table is opened.")

    def option(flag: str, **more: Any) -> None:
        group.add_argument(flag, dest=_name(flag), **more)

    option("--size", type=read_size, metavar="WxH", help="of the window, such as 1280x720")
    option("--language", metavar="xx", help="of the screen; the settings change it too")
    option("--theme", metavar="NAME", help="dark, bright or contrast")
    option("--journal", type=Path, metavar="FILE", help="where matches and settings are kept")
    option("--full-screen", action="store_true", help="no window, the whole screen")
    option("--no-table", action="store_true", help="the display alone, without a drawn table beside it")
    option("--simulated", action="store_true", help="the drawn table on a Pi too")
    option("--camera", metavar="SOURCE", help="what watches Triple³: camera, webcam:0, /dev/video0 (docs/camera.md)")


def _name(flag: str) -> str:
    """Apart from the options of commands that are called the same."""
    return f"table_{flag.removeprefix('--').replace('-', '_')}"


def given(options: argparse.Namespace) -> str:
    """The first option of the table that was given; empty if there is none."""
    found = next((name for name, value in vars(options).items() if name.startswith("table_") and value), "")
    return found and "--" + found.removeprefix("table_").replace("_", "-")


def read_size(text: str) -> "Size":
    width, _, height = text.partition("x")
    if width.isdecimal() and height.isdecimal() and len(text) < 12:
        size = int(width), int(height)
        if SMALLEST[0] <= size[0] <= BIGGEST and SMALLEST[1] <= size[1] <= BIGGEST:
            return size
    raise argparse.ArgumentTypeError(
        f"{text[:40]!r} is not a size such as 1280x720, at least {SMALLEST[0]}x{SMALLEST[1]}"
    )


def is_pi() -> bool:
    with contextlib.suppress(OSError):
        return MODEL.read_bytes().startswith(b"Raspberry Pi")
    return False


def has_display() -> bool:
    """Something that a window can be opened on; on a Pi the console will do."""
    if sys.platform in ("darwin", "win32") or os.environ.get("SDL_VIDEODRIVER"):
        return True
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return True
    return is_pi() and CONSOLE.exists() and not os.environ.get("SSH_CONNECTION")


def run(options: argparse.Namespace, doors: Doors) -> int:
    """Open the table, or play the demo where it cannot be seen."""
    prefs_of = _wished(options)
    if has_display():
        from companion.display.loop import NoScreenError  # noqa: PLC0415

        try:
            return _play(options, doors, prefs_of)
        except NoScreenError as error:
            doors.complain(str(error))
    doors.say("There is no display here: bots play a short match of each game instead.")
    return doors.demo(_folder(options.table_journal or doors.place()))


def _folder(journal: Path) -> Path:
    """Where pictures are kept: beside the journal, or, where nothing can be kept there, among what is temporary."""
    folder = journal.parent / PICTURES
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.mkdtemp(prefix="companion-"))
    return folder if os.access(folder, os.W_OK) else Path(tempfile.mkdtemp(prefix="companion-"))


def _wished(options: argparse.Namespace) -> Callable[["Prefs"], "Prefs"]:
    """What was asked for on top of what is remembered."""
    from companion.display.theme import THEMES  # noqa: PLC0415
    from companion.words import LANGUAGES  # noqa: PLC0415

    for flag, value, known in (
        ("--language", options.table_language, LANGUAGES),
        ("--theme", options.table_theme, THEMES),
    ):
        if value is not None and value not in known:
            raise CompanionError(f"{flag} {value[:40]!r}: choose one of {', '.join(known)}.")
    asked = {"language": options.table_language, "theme": options.table_theme}
    wishes = {name: value for name, value in asked.items() if value is not None}
    return lambda prefs: replace(prefs, **wishes)


# --- the window ------------------------------------------------------------------------------------------------


def _play(options: argparse.Namespace, doors: Doors, prefs_of: "Callable[[Prefs], Prefs]") -> int:
    from companion.display.loop import Looks, window  # noqa: PLC0415

    real = is_pi() and not options.table_simulated
    whole = options.table_full_screen or (real and options.table_size is None)
    with contextlib.ExitStack() as stack:
        size = None if whole else options.table_size or _usual_size()
        surface = stack.enter_context(window(Looks(size, "Table companion" if real else "Table companion (simulated)")))
        journal = stack.enter_context(doors.journal())
        remember = _remembered(options.table_journal or doors.place())
        settings = {"prefs": prefs_of(remember.prefs), "remember": remember}
        if real or options.table_no_table:
            _alone(options, doors, stack, surface, {"journal": journal, **settings}, real=real)
        else:
            _beside(options, stack, surface, {"journal": journal, **settings})
    return 0


def _usual_size() -> "Size":
    """As large as is usual, or as there is room for."""
    import pygame  # noqa: PLC0415

    from companion.display.loop import NoScreenError  # noqa: PLC0415

    try:
        pygame.display.init()
        width, height = pygame.display.get_desktop_sizes()[0]
    except (pygame.error, IndexError) as error:
        raise NoScreenError(f"There is no screen to draw on ({error}).") from None
    return max(SMALLEST[0], min(USUAL[0], int(width * SHARE))), max(SMALLEST[1], min(USUAL[1], int(height * SHARE)))


def _remembered(journal: Path) -> "Remembered":
    from companion.display.remembered import Remembered, beside  # noqa: PLC0415

    return Remembered(beside(journal))


def _alone(
    options: argparse.Namespace,
    doors: Doors,
    stack: contextlib.ExitStack,
    surface: Any,
    settings: dict[str, Any],
    *,
    real: bool,
) -> None:
    """The display on its own: with the devices of a Pi, or with touches only."""
    from companion.display.app import App  # noqa: PLC0415
    from companion.display.loop import Loop  # noqa: PLC0415

    devices = Devices(doors.complain, _camera(options, stack, real=real), buttons=real)
    stack.callback(devices.close)
    app = App(surface.get_size(), table_for=devices.seat, **_camera_for(devices.camera), **settings)
    with _open(app):
        Loop(app, surface).run()


def _beside(options: argparse.Namespace, stack: contextlib.ExitStack, surface: Any, settings: dict[str, Any]) -> None:
    """The display with the drawn table beside it."""
    import time  # noqa: PLC0415

    from companion.beside.halves import halves  # noqa: PLC0415
    from companion.beside.watched import room_with_camera  # noqa: PLC0415
    from companion.beside.window import Window  # noqa: PLC0415
    from companion.display.app import App  # noqa: PLC0415

    display, table = halves(surface.get_size())
    room = room_with_camera(table.size, time.monotonic_ns, _camera(options, stack, real=False))
    stack.callback(room.close)
    app = App(display.size, table_for=room.seat, **_camera_for(room.camera), **settings)
    with _open(app):
        Window(app, room, surface).run()


def _camera(options: argparse.Namespace, stack: contextlib.ExitStack, *, real: bool) -> "Camera | None":
    """The camera that was asked for; on a Pi the usual one."""
    name = options.table_camera or ("camera" if real else "")
    if not name:
        return None
    from companion.camera import camera_named  # noqa: PLC0415

    camera = camera_named(name)
    stack.callback(camera.close)
    return camera


def _camera_for(camera: "Camera | None") -> dict[str, Any]:
    return {"camera": camera} if camera is not None else {}


@contextlib.contextmanager
def _open(app: "App") -> Iterator[None]:
    """While people sit at it, what happens is heard; whatever ends it, the match is left in order."""
    import time  # noqa: PLC0415

    from companion.sounds.hearing import sound  # noqa: PLC0415

    try:
        with sound(app):
            yield
    finally:
        if not app.is_left:
            app.close(time.monotonic_ns())


# --- real devices ----------------------------------------------------------------------------------------------


class Devices:
    """The buttons and the camera of a real table; whatever of them is missing is said once, and touches stand in."""

    def __init__(self, complain: Say, camera: "Camera | None", *, buttons: bool) -> None:
        self.camera = camera
        self._complain = complain
        self._panel: Any = None
        if buttons:
            self._open_panel()

    def _open_panel(self) -> None:
        from companion.doctor import usual_wiring  # noqa: PLC0415
        from hardware.real import RealPanel  # noqa: PLC0415
        from hardware.simulated import SimulatedPanel  # noqa: PLC0415
        from hardware.wiring import read_wiring  # noqa: PLC0415

        try:
            wiring = read_wiring(usual_wiring())
            is_real = wiring.driver != "simulated"
            self._panel = RealPanel(wiring, self._complain) if is_real else SimulatedPanel(wiring)
        except CompanionError as error:
            self._complain(str(error))

    def seat(self, session: "Session") -> "Seated":
        """A match at this table."""
        from companion.presses import Presses  # noqa: PLC0415
        from companion.table import Table  # noqa: PLC0415

        match = session.referee.match
        presses = None
        if self._panel is not None:
            try:
                presses = Presses(self._panel, match)
            except CompanionError as error:  # more players than buttons
                self._complain(str(error))
        if self.camera is not None and match.setup.game == "triple3":
            from companion.watchedtable import WatchedTable  # noqa: PLC0415

            return WatchedTable(session, self.camera, presses)
        return Table(session, presses)

    def close(self) -> None:
        if self._panel is not None:
            self._panel.close()
