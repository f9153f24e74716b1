"""`companion` without a command: the table. On a Pi with its real devices; elsewhere in a window with a drawn table
beside the display; and where there is no display at all, the demo with pictures."""

import argparse
import contextlib
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.exc import CompanionError

if TYPE_CHECKING:
    from companion.buttons import Buttons
    from companion.camera import Camera
    from companion.configuration import Configuration
    from companion.display.app import App
    from companion.display.layout import Size
    from companion.display.remembered import Remembered
    from companion.display.view import Prefs
    from companion.journal import Journal
    from companion.protocol import Session
    from companion.screens import NewScreens
    from companion.starting import Starting
    from companion.table import Seated
    from companion.tending import Ending, Tending

MODEL = Path("/proc/device-tree/model")
CONSOLE = Path("/dev/dri")
BIGGEST = 8000  # pixels along a side
SMALLEST = (480, 320)
USUAL = (1600, 900)  # of a window, if the screen has room for it
SHARE = 0.9  # of the screen that a window takes at most
PICTURES = "pictures"
WHOLE = "whole"  # as a size: the whole screen
DUMMY = "dummy"  # a driver that draws for nobody
WRONG = 2  # exit code
WAIT = 120.0  # seconds that a table that is started by the machine waits for another copy to end

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Doors:
    """What the command line lends."""

    say: Say
    complain: Say
    journal: Callable[[Path, Callable[[], None]], contextlib.AbstractContextManager["Journal"]]
    place: Callable[[], Path]  # of the journal
    demo: Callable[[Path], int]  # prints the rulings, and keeps pictures there


@dataclass(frozen=True)
class Wish:
    """What is asked of this table, by options and by its configuration, and who asks it to end."""

    options: argparse.Namespace
    configuration: "Configuration"
    ending: "Ending"
    starting: "Starting"
    journal: Path
    prefs_of: Callable[["Prefs"], "Prefs"]
    screens: "NewScreens | None" = None  # asked now and then where there is none
    unkept: list[str] = field(default_factory=list)  # why matches are not kept, once that has been tried

    @property
    def is_real(self) -> bool:
        """Buttons and camera are real, not drawn."""
        return bool(self.options.table_real or (is_pi() and not self.options.table_simulated))

    @property
    def size(self) -> "Size | None":
        """Of the window; None: as is usual."""
        if self.options.table_size or not self.configuration.size or self.configuration.size == WHOLE:
            found: Size | None = self.options.table_size
            return found
        return read_size(self.configuration.size)

    @property
    def is_whole(self) -> bool:
        """The whole screen."""
        asked = self.options.table_full_screen or (self.configuration.size == WHOLE and not self.options.table_size)
        return bool(asked or (self.is_real and self.size is None))


def add_options(parser: argparse.ArgumentParser) -> None:
    """Those of the table itself; with a command none of them is taken."""
    group = parser.add_argument_group("the table", "Without a command the table is opened.")

    def option(flag: str, **more: Any) -> None:
        group.add_argument(flag, dest=_name(flag), **more)

    option(
        "--configuration",
        type=Path,
        metavar="FILE",
        help="the table.toml of this table (default: here, in ~/.config/companion, in /etc/companion)",
    )
    option("--size", type=read_size, metavar="WxH", help="of the window, such as 1280x720")
    option("--language", metavar="xx", help="of the screen; the settings change it too")
    option("--theme", metavar="NAME", help="dark, bright or contrast")
    option("--journal", type=Path, metavar="FILE", help="where matches and settings are kept")
    option("--full-screen", action="store_true", help="no window, the whole screen")
    option("--no-table", action="store_true", help="the display alone, without a drawn table beside it")
    option("--simulated", action="store_true", help="the drawn table on a Pi too")
    option("--real", action="store_true", help="real buttons and camera on a computer that is no Pi, too")
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
    from companion.configuration import read_configuration, usual_configuration  # noqa: PLC0415
    from companion.watchdog import is_supervised  # noqa: PLC0415

    prefs_of = _wished(options)
    if options.table_real and options.table_simulated:
        raise CompanionError("--real and --simulated exclude each other: leave one of them out.")
    configuration = read_configuration(options.table_configuration or usual_configuration())
    for notice in configuration.notices:
        doors.complain(notice)
    journal = options.table_journal or configuration.journal or doors.place()
    if has_display() or is_supervised():
        _must_have_pygame()
        from companion.display.loop import NoScreenError  # noqa: PLC0415
        from companion.starting import Starting  # noqa: PLC0415
        from companion.tending import ending_in_order  # noqa: PLC0415
        from companion.watchdog import Notifier, stopping  # noqa: PLC0415

        with ending_in_order() as ending, contextlib.closing(Notifier.usual()) as notifier:
            try:
                return _stand(
                    Wish(options, configuration, ending, Starting(ending, notifier), journal, prefs_of), doors
                )
            except NoScreenError as error:
                doors.complain(str(error))
            finally:
                stopping()
    doors.say("There is no display here: bots play a short match of each game instead.")
    return doors.demo(_folder(journal))


def _must_have_pygame() -> None:
    try:
        import pygame  # noqa: F401, PLC0415
    except ImportError as error:
        remedy = "install it (`sudo apt install python3-pygame`, or `make play`), or what it lacks"
        raise CompanionError(f"pygame, which draws on the screen, does not load ({error}): {remedy}.") from None


def _stand(wish: Wish, doors: Doors) -> int:
    """The table, for as long as it stands; started by the machine it stands without a screen too."""
    from companion.__main__ import AGAIN  # noqa: PLC0415
    from companion.display.loop import NoScreenError, ScreenGoneError  # noqa: PLC0415
    from companion.starting import AskedToEndError  # noqa: PLC0415
    from companion.watchdog import is_supervised  # noqa: PLC0415

    try:
        return _play(wish, doors)
    except AskedToEndError:
        return 0
    except ScreenGoneError as error:
        doors.complain(f"{error} The match is kept, and offered when the table is opened again.")
        return AGAIN if is_supervised() else WRONG
    except NoScreenError as error:
        if not is_supervised():
            raise
        doors.complain(str(error))
        return _play_unseen(wish, doors)


def _play_unseen(wish: Wish, doors: Doors) -> int:
    """The machine's table goes on by its buttons, and may be heard; as soon as there is a screen it begins anew."""
    from companion.screens import NewScreens  # noqa: PLC0415
    from companion.starting import AskedToEndError  # noqa: PLC0415

    doors.complain("The table is played without a screen; when one is connected, it is taken at once.")
    with _environment("SDL_VIDEODRIVER", DUMMY), contextlib.suppress(AskedToEndError):
        return _play(replace(wish, screens=NewScreens()), doors)
    return 0


@contextlib.contextmanager
def _environment(name: str, value: str) -> Iterator[None]:
    before = os.environ.get(name)
    os.environ[name] = value
    try:
        yield
    finally:
        del os.environ[name]
        if before is not None:
            os.environ[name] = before


def is_on_the_console() -> bool:
    """The machine itself has started it, and there is no desktop behind it."""
    from companion.watchdog import is_supervised  # noqa: PLC0415

    return is_supervised() and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


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


def _play(wish: Wish, doors: Doors) -> int:
    from companion.display.loop import Looks, window  # noqa: PLC0415
    from companion.onlyone import only_one  # noqa: PLC0415
    from companion.watchdog import is_supervised  # noqa: PLC0415

    with contextlib.ExitStack() as stack:
        patience = WAIT if is_supervised() else 0
        stack.enter_context(only_one(wish.journal, patience, alive=wish.starting.alive))
        size = None if wish.is_whole else wish.size or _usual_size()
        title = "Table companion" if wish.is_real else "Table companion (simulated)"
        surface = stack.enter_context(window(Looks(size, title)))
        settings = _kept(wish, doors, stack, surface)
        if wish.is_real or wish.options.table_no_table:
            return _alone(wish, doors, stack, surface, settings)
        return _beside(wish, doors, stack, surface, settings)


def _kept(wish: Wish, doors: Doors, stack: contextlib.ExitStack, surface: Any) -> dict[str, Any]:
    """The journal and the preferences. A journal that nobody has named and that cannot be used stops no game."""
    from companion.display.loop import show_words  # noqa: PLC0415
    from companion.exc import JournalError  # noqa: PLC0415
    from companion.words import Words, labels  # noqa: PLC0415

    remember = _remembered(wish)
    prefs = wish.prefs_of(remember.prefs)
    wish.starting.show = lambda: show_words(surface, prefs.theme, Words(prefs.language).say(labels.IS_BEING_MENDED))
    journal = None
    try:
        journal = stack.enter_context(doors.journal(wish.journal, wish.starting.alive))
        journal.make_room()
    except JournalError as error:
        if wish.options.table_journal:
            raise
        doors.complain(f"{error} Until then matches are not kept.")
        wish.unkept.append(str(error))
    return {"journal": journal, "prefs": prefs, "remember": remember}


def _usual_size() -> "Size":
    """As large as is usual, or as there is room for."""
    import pygame  # noqa: PLC0415

    from companion.display.loop import no_screen  # noqa: PLC0415

    try:
        pygame.display.init()
        width, height = pygame.display.get_desktop_sizes()[0]
    except (pygame.error, IndexError) as error:
        raise no_screen(error) from None
    return max(SMALLEST[0], min(USUAL[0], int(width * SHARE))), max(SMALLEST[1], min(USUAL[1], int(height * SHARE)))


def _remembered(wish: Wish) -> "Remembered":
    from companion.display.remembered import Remembered, beside  # noqa: PLC0415
    from companion.display.view import Prefs  # noqa: PLC0415

    return Remembered(beside(wish.journal), Prefs(language=wish.configuration.language or Prefs().language))


def _alone(wish: Wish, doors: Doors, stack: contextlib.ExitStack, surface: Any, settings: dict[str, Any]) -> int:
    """The display on its own: with real devices, or with touches only."""
    from companion.beside.opponents import Opponents  # noqa: PLC0415
    from companion.display.app import App  # noqa: PLC0415
    from companion.display.loop import Loop  # noqa: PLC0415

    devices = Devices(doors.complain, _camera(wish, stack), wish.configuration, buttons=wish.is_real)
    stack.callback(devices.close)
    app = App(surface.get_size(), table_for=devices.seat, **_camera_for(devices.camera), **settings)
    app.stays = is_on_the_console()
    Opponents(app)
    with _open(app, wish, doors, devices.buttons) as tending:
        Loop(app, surface).run()
        return tending.code


def _beside(wish: Wish, doors: Doors, stack: contextlib.ExitStack, surface: Any, settings: dict[str, Any]) -> int:
    """The display with the drawn table beside it."""
    import time  # noqa: PLC0415

    from companion.beside.halves import halves  # noqa: PLC0415
    from companion.beside.watched import room_with_camera  # noqa: PLC0415
    from companion.beside.window import Window  # noqa: PLC0415
    from companion.display.app import App  # noqa: PLC0415

    display, table = halves(surface.get_size())
    room = room_with_camera(table.size, time.monotonic_ns, _camera(wish, stack))
    stack.callback(room.close)
    app = App(display.size, table_for=room.seat, **_camera_for(room.camera), **settings)
    with _open(app, wish, doors) as tending:
        Window(app, room, surface).run()
        return tending.code


def _camera(wish: Wish, stack: contextlib.ExitStack) -> "Camera | None":
    """The camera that was asked for; where devices are real the usual one."""
    from companion.configuration import NONE  # noqa: PLC0415

    asked = wish.options.table_camera or (wish.configuration.camera if wish.is_real else "")
    name = asked or ("camera" if wish.is_real else "")
    if not name or name == NONE:
        return None
    from companion.camera import camera_named  # noqa: PLC0415

    camera = camera_named(name, wish.configuration.camera_settings if wish.is_real else None)
    stack.callback(camera.close)
    return camera


def _camera_for(camera: "Camera | None") -> dict[str, Any]:
    return {"camera": camera} if camera is not None else {}


@contextlib.contextmanager
def _open(app: "App", wish: Wish, doors: Doors, buttons: "Buttons | None" = None) -> Iterator["Tending"]:
    """While people sit at it, what happens is heard, and published where that is wished, and the devices are looked
    after; whatever ends it, the match is left in order."""
    import time  # noqa: PLC0415

    from companion.disk import Disk  # noqa: PLC0415
    from companion.keeping import Keeping, opener  # noqa: PLC0415
    from companion.sounds.hearing import sound  # noqa: PLC0415
    from companion.tending import Care, tended  # noqa: PLC0415

    publish = wish.configuration.publish
    app.unkept = " ".join(wish.unkept)
    asked = wish.options.table_camera or wish.configuration.camera
    app.configuration = replace(wish.configuration, camera=asked)
    disk = Disk(app.journal.path) if app.journal else None
    camera = app.camera if wish.is_real else None
    keeping = None if app.journal else Keeping(app, opener(wish.journal, doors.journal), doors.complain)
    care = Care(wish.configuration.notices, buttons, camera, disk, wish.screens, keeping)
    with contextlib.ExitStack() as stack:
        if keeping:
            stack.callback(keeping.close)
        tending = stack.enter_context(tended(app, doors.complain, wish.ending, care))
        if publish.on:
            from companion.publishing.publisher import publishing  # noqa: PLC0415

            stack.enter_context(publishing(app, publish, doors.complain))
        stack.enter_context(sound(app))
        try:
            yield tending
        finally:
            if not app.is_left:
                app.close(time.monotonic_ns())


# --- real devices ----------------------------------------------------------------------------------------------


class Devices:
    """The buttons and the camera of a real table; whatever of them is missing is said once, and touches stand in."""

    def __init__(
        self, complain: Say, camera: "Camera | None", configuration: "Configuration | None" = None, *, buttons: bool
    ) -> None:
        self.camera = camera
        self.buttons: Buttons | None = None
        self._complain = complain
        if buttons:
            self._open_buttons(configuration)

    def _open_buttons(self, configuration: "Configuration | None") -> None:
        from companion.buttons import Buttons  # noqa: PLC0415
        from companion.doctor import usual_wiring  # noqa: PLC0415
        from hardware.real import RealPanel  # noqa: PLC0415
        from hardware.wiring import read_wiring  # noqa: PLC0415

        self.buttons = Buttons(lambda: read_wiring(usual_wiring(configuration)), RealPanel, self._complain)

    def seat(self, session: "Session") -> "Seated":
        """A match at this table."""
        from companion.presses import Presses  # noqa: PLC0415
        from companion.table import Table  # noqa: PLC0415
        from companion.ways import is_seen  # noqa: PLC0415

        match = session.referee.match
        presses = None
        if self.buttons is not None and self.buttons.is_wired:
            self.buttons.inbox.take()  # what was pressed before anybody sat down
            try:
                presses = Presses(self.buttons, match)
            except CompanionError as error:  # more players than buttons
                self._complain(str(error))
        if self.camera is not None and is_seen(match.setup.house):
            from companion.watchedtable import WatchedTable  # noqa: PLC0415

            return WatchedTable(session, self.camera, presses)
        return Table(session, presses)

    def close(self) -> None:
        if self.buttons is not None:
            self.buttons.close()
