"""The table is opened: on a Pi with its real devices, elsewhere in a window with a drawn table beside the display."""

import argparse
import contextlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from companion.__main__ import AGAIN
from companion.config.table_file import NONE, Configuration
from companion.config.window_size import SMALLEST, WHOLE, read_size
from companion.core.button_meanings import key_kinds
from companion.core.errors import CompanionError, JournalError
from companion.core.session import Session
from companion.devices.board_page import board_page
from companion.devices.buttons import Buttons
from companion.devices.camera import RoomCamera, camera_named
from companion.devices.connectors import NewScreens
from companion.devices.disk import Disk
from companion.devices.late_journal import Keeping, opener
from companion.devices.lock import only_one
from companion.devices.machine import is_on_the_console, is_pi
from companion.devices.startup import AskedToEndError, Starting
from companion.devices.supervisor import Care, Ending, Tending, ending_in_order, tended
from companion.devices.watchdog import Notifier, is_supervised, stopping
from companion.display.app import App
from companion.display.layout import Size
from companion.display.loop import Looks, Loop, NoScreenError, ScreenGoneError, desktop, show_words, window
from companion.display.remembered import Remembered, beside
from companion.display.view import Prefs
from companion.doctor.button_walk import usual_wiring
from companion.inputs.presses import Presses
from companion.journal import Journal
from companion.seat.seating import table_with
from companion.seat.table import Seated
from companion.sounds.hearing import sound
from companion.words import Words, labels
from hardware.real import RealPanel
from hardware.wiring import read_wiring
from simulator.drawn.drawn_table import room_with_camera
from simulator.drawn.opponents import Opponents

USUAL = (1600, 900)  # of a window, if the screen has room for it
SHARE = 0.9  # of the screen that a window takes at most
DUMMY = "dummy"  # a driver that draws for nobody
WRONG = 2  # exit code
WAIT = 120.0  # seconds that a table that is started by the machine waits for another copy to end

Say = Callable[[str], None]
OpenJournal = Callable[[Path, Callable[[], None]], contextlib.AbstractContextManager[Journal]]


@dataclass(frozen=True)
class TableWish:
    """What is asked of this table, by options and by its configuration, and who asks it to end."""

    options: argparse.Namespace
    configuration: Configuration
    ending: Ending
    starting: Starting
    journal: Path
    complain: Say
    open_journal: OpenJournal
    screens: NewScreens | None = None  # asked now and then where there is none
    unkept: list[str] = field(default_factory=list)  # why matches are not kept, once that has been tried

    @property
    def is_real(self) -> bool:
        """Buttons and camera are real, not drawn."""
        return bool(self.options.table_real or (is_pi() and not self.options.table_simulated))

    @property
    def size(self) -> Size | None:
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


def open_table(
    options: argparse.Namespace, configuration: Configuration, journal: Path, complain: Say, open_journal: OpenJournal
) -> int | None:
    """The exit code of the table; None where there is no screen, which has been said then."""
    with ending_in_order() as ending, contextlib.closing(Notifier.usual()) as notifier:
        starting = Starting(ending, notifier)
        wish = TableWish(options, configuration, ending, starting, journal, complain, open_journal)
        try:
            return _stand(wish)
        except NoScreenError as error:
            complain(str(error))
            return None
        finally:
            stopping()


def _stand(wish: TableWish) -> int:
    """The table, for as long as it stands; started by the machine it stands without a screen too."""
    try:
        return _play(wish)
    except AskedToEndError:
        return 0
    except ScreenGoneError as error:
        wish.complain(f"{error} The match is kept, and offered when the table is opened again.")
        return AGAIN if is_supervised() else WRONG
    except NoScreenError as error:
        if not is_supervised():
            raise
        wish.complain(str(error))
        return _play_unseen(wish)


def _play_unseen(wish: TableWish) -> int:
    """The machine's table goes on by its buttons, and may be heard; as soon as there is a screen it begins anew."""
    wish.complain("The table is played without a screen; when one is connected, it is taken at once.")
    with _environment("SDL_VIDEODRIVER", DUMMY), contextlib.suppress(AskedToEndError):
        return _play(replace(wish, screens=NewScreens()))
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


# --- the window ------------------------------------------------------------------------------------------------


def _play(wish: TableWish) -> int:
    with contextlib.ExitStack() as stack:
        patience = WAIT if is_supervised() else 0
        stack.enter_context(only_one(wish.journal, patience, alive=wish.starting.alive))
        size = None if wish.is_whole else wish.size or _usual_size()
        title = "Table companion" if wish.is_real else "Table companion (simulated)"
        surface = stack.enter_context(window(Looks(size, title)))
        settings = _kept(wish, stack, surface)
        if wish.is_real or wish.options.table_no_table:
            return _alone(wish, stack, surface, settings)
        return _beside(wish, stack, surface, settings)


def _kept(wish: TableWish, stack: contextlib.ExitStack, surface: Any) -> dict[str, Any]:
    """The journal and the preferences. A journal that nobody has named and that cannot be used stops no game."""
    remember = _remembered(wish)
    prefs = _wished(wish.options, remember.prefs)
    wish.starting.show = lambda: show_words(surface, prefs.theme, Words(prefs.language).say(labels.IS_BEING_MENDED))
    journal = None
    try:
        journal = stack.enter_context(wish.open_journal(wish.journal, wish.starting.alive))
        journal.make_room()
    except JournalError as error:
        if wish.options.table_journal:
            raise
        wish.complain(f"{error} Until then matches are not kept.")
        wish.unkept.append(str(error))
    return {"journal": journal, "prefs": prefs, "remember": remember}


def _wished(options: argparse.Namespace, prefs: Prefs) -> Prefs:
    """What was asked for on top of what is remembered."""
    asked = {"language": options.table_language, "theme": options.table_theme}
    prefs = replace(prefs, **{name: value for name, value in asked.items() if value is not None})
    return prefs.with_deck(*options.table_deck) if options.table_deck else prefs


def _usual_size() -> Size:
    """As large as is usual, or as there is room for."""
    width, height = desktop()
    return max(SMALLEST[0], min(USUAL[0], int(width * SHARE))), max(SMALLEST[1], min(USUAL[1], int(height * SHARE)))


def _remembered(wish: TableWish) -> Remembered:
    return Remembered(beside(wish.journal), Prefs(language=wish.configuration.language or Prefs().language))


def _alone(wish: TableWish, stack: contextlib.ExitStack, surface: Any, settings: dict[str, Any]) -> int:
    """The display on its own: with real devices, or with touches only."""
    devices = Devices(wish.complain, _camera(wish, stack), wish.configuration, buttons=wish.is_real)
    stack.callback(devices.close)
    app = App(surface.get_size(), table_for=devices.seat, **_camera_for(devices.camera), **settings)
    app.surroundings.stays = is_on_the_console()
    Opponents(app)
    with _open(app, wish, devices.buttons) as tending:
        Loop(app, surface).run()
        return tending.code


def _beside(wish: TableWish, stack: contextlib.ExitStack, surface: Any, settings: dict[str, Any]) -> int:
    """The display with the drawn table beside it."""
    from simulator.drawn.halves import halves  # noqa: PLC0415  (a real table needs no drawn one)
    from simulator.drawn.window import Window  # noqa: PLC0415

    display, table = halves(surface.get_size())
    room = room_with_camera(table.size, time.monotonic_ns, _camera(wish, stack))
    stack.callback(room.close)
    app = App(display.size, table_for=room.seat, **_camera_for(room.camera), **settings)
    with _open(app, wish) as tending:
        Window(app, room, surface).run()
        return tending.code


def _camera(wish: TableWish, stack: contextlib.ExitStack) -> RoomCamera | None:
    """The camera that was asked for; where devices are real the usual one."""
    asked = wish.options.table_camera or (wish.configuration.camera if wish.is_real else "")
    name = asked or ("camera" if wish.is_real else "")
    if not name or name == NONE:
        return None
    camera = camera_named(name, wish.configuration.camera_settings if wish.is_real else None)
    stack.callback(camera.close)
    return camera


def _camera_for(camera: RoomCamera | None) -> dict[str, Any]:
    return {"camera": camera} if camera is not None else {}


@contextlib.contextmanager
def _open(app: App, wish: TableWish, buttons: Buttons | None = None) -> Iterator[Tending]:
    """While people sit at it, what happens is heard, and published where that is wished, and the devices are looked
    after; whatever ends it, the match is left in order."""
    publish = wish.configuration.publish
    app.surroundings.unkept = " ".join(wish.unkept)
    asked = wish.options.table_camera or wish.configuration.camera
    app.surroundings.configuration = replace(wish.configuration, camera=asked)
    board = wish.configuration.board
    if board.on:
        app.library.board = lambda: board_page(board, publish.table, shows_cards=publish.thumbnails)
    disk = Disk(app.journal.path) if app.journal else None
    camera = app.surroundings.camera if wish.is_real else None
    keeping = Keeping(app, opener(wish.journal, wish.open_journal), wish.complain)
    care = Care(wish.configuration.notices, buttons, camera, disk, wish.screens, keeping)
    with contextlib.ExitStack() as stack:
        stack.callback(keeping.close)
        tending = stack.enter_context(tended(app, wish.complain, wish.ending, care))
        if publish.on:
            from companion.publishing.publisher import publishing  # noqa: PLC0415  (loads ssl, which few tables need)

            stack.enter_context(publishing(app, publish, wish.complain))
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
        self, complain: Say, camera: RoomCamera | None, configuration: Configuration | None = None, *, buttons: bool
    ) -> None:
        self.camera = camera
        self.buttons: Buttons | None = None
        self._complain = complain
        if buttons:
            self._open_buttons(configuration)

    def _open_buttons(self, configuration: Configuration | None) -> None:
        self.buttons = Buttons(lambda: read_wiring(usual_wiring(configuration), key_kinds()), RealPanel, self._complain)

    def seat(self, session: Session) -> Seated:
        """A match at this table."""
        match = session.referee.match
        presses = None
        if self.buttons is not None and self.buttons.is_wired:
            self.buttons.inbox.take()  # what was pressed before anybody sat down
            try:
                presses = Presses(self.buttons, match)
            except CompanionError as error:  # more players than buttons
                self._complain(str(error))
        return table_with(session, presses, self.camera)

    def close(self) -> None:
        if self.buttons is not None:
            self.buttons.close()
