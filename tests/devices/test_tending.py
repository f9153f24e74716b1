"""What is missing at a table is on its screen while it is missing, and the match goes on; asked to end, it does."""

import os
import signal
from pathlib import Path
from typing import Any

import pytest

from companion.__main__ import AGAIN
from companion.core.clocks import SECOND
from companion.core.replies import NoticeReply
from companion.core.requests import Redo
from companion.devices.buttons import Buttons
from companion.devices.camera import CameraSight, RoomCamera
from companion.devices.connectors import TRY_EVERY, NewScreens
from companion.devices.disk import Disk
from companion.devices.signals import ENDS, SAY_NOTHING
from companion.devices.supervisor import OLD, Care, Ending, Tending, ending_in_order, of_camera, tended
from companion.devices.watchdog import Notifier
from companion.display.scene import Dismiss, Go, GoOn, Say, Start
from companion.display.view import Notice
from companion.doctor.health import AILING, MISSING, WORKS, Around, Finding, usual_checks
from companion.games.triplexity import rules as triplexity
from companion.journal import Journal
from hardware.panel import Key, Press
from hardware.pin_errors import NoChipError
from tests.devices.test_buttons import WIRING, Pins
from tests.display.table import Guests

WELL = Finding("journal", WORKS)


class Evening:
    """Guests at a table that is looked after."""

    def __init__(self, folder: Path, **care: Any) -> None:
        self.guests = Guests((800, 480), folder / "journal")
        self.said: list[str] = []
        self.ending = Ending()
        self.trouble: Exception | None = None
        self.pins: Pins | None = None
        self.disk = WELL
        self.buttons = Buttons(lambda: WIRING, self.open, self.said.append, lambda work: work())
        disk = Disk(folder / "journal", ask=lambda _: self.disk, run=lambda work: work())
        usual: dict[str, Any] = {"buttons": self.buttons, "disk": disk}
        app = self.guests.app
        self.tending = Tending(app, self.said.append, self.ending, Care(**{**usual, **care}), Notifier())
        self.guests.app.listeners.append(self.tending)
        self.guests.app.surroundings.parts = lambda: self.tending.parts

    def open(self, *_: object) -> Pins:
        if self.trouble:
            raise self.trouble
        self.pins = Pins(WIRING)
        return self.pins

    @property
    def notice(self) -> str:
        found = self.guests.app.view.notice
        return found.sentence if found else ""

    @property
    def ailing(self) -> tuple[str, ...]:
        return self.guests.app.view.ailing

    def waits(self, seconds: int) -> None:
        for _ in range(seconds):
            self.guests.wait(1)

    def hears_else(self, seconds: int) -> None:
        """Something else is said all the time."""
        for _ in range(seconds):
            self.guests.app.state.tell(Notice("notice", "Something else."))
            self.guests.wait(1)

    def reads(self) -> None:
        """Until the notice has gone by itself."""
        said = self.notice
        while said and self.notice == said:
            self.guests.wait(0.1)

    def begins(self) -> None:
        self.guests.do(Go("players", "threepia"))
        self.guests.do(Start())


def until(evening: Evening, notice: str) -> None:
    """It is said within ten seconds."""
    for _ in range(10):
        evening.guests.wait(1)
        if evening.notice == notice:
            return
    raise AssertionError(evening.notice)


def test_all_is_well(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.guests.wait(1)
    assert (evening.ailing, evening.notice, evening.said) == ((), "", [])


def test_buttons_that_vanish_in_a_match_are_said_once_shown_until_they_are_back_and_the_match_goes_on(
    tmp_path: Path,
) -> None:
    evening = Evening(tmp_path)
    guests = evening.guests
    evening.begins()
    assert evening.pins is not None
    evening.pins.is_gone = True
    guests.wait(1)
    assert (evening.ailing, evening.notice) == (("buttons",), "The pins of the buttons are gone.")
    guests.do(Dismiss())
    guests.wait(30)
    assert (evening.ailing, evening.notice) == (("buttons",), "")
    assert guests.screen == "table"
    assert Go("doctor") in guests.intents, "a small sign leads to the doctor"
    evening.pins.is_gone = False
    guests.wait(1)
    assert evening.ailing == ()
    assert Go("doctor") not in guests.intents


def test_buttons_that_are_not_there_at_the_start(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.trouble = NoChipError("There is no GPIO chip.")
    evening.waits(2)
    assert evening.ailing == ("buttons",)
    assert evening.notice == "The buttons cannot be used."
    evening.trouble = None
    evening.waits(62)
    assert not evening.ailing


def test_the_doctor_asks_who_looks_after_it(tmp_path: Path) -> None:
    evening = Evening(tmp_path, notices=("table.toml, line 3: size: no.",))
    evening.trouble = NoChipError("There is no GPIO chip.")
    evening.waits(2)
    checks = usual_checks(evening.guests.app._around)
    found = checks["buttons"]()
    assert (found.state, found.detail) == (MISSING, "There is no GPIO chip.")
    found = checks["configuration"]()
    assert (found.state, found.detail) == (AILING, "table.toml, line 3: size: no.")


def test_mistakes_in_the_configuration_are_said_one_after_the_other(tmp_path: Path) -> None:
    evening = Evening(tmp_path, notices=tuple(f"table.toml, line {number}: no." for number in range(5)))
    for number in range(3):
        evening.guests.wait(1)
        assert evening.notice == f"table.toml, line {number}: no."
        evening.guests.do(Dismiss())
    evening.guests.wait(1)
    assert evening.notice == "", "the others are in the log"
    assert evening.ailing == ("configuration",)


def test_a_disk_with_errors_and_none_at_all(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.disk = Finding("journal", AILING, "The disk with the journal has errors.")
    evening.guests.wait(1)
    assert (evening.ailing, evening.notice) == (("journal",), "The disk with the journal has errors.")
    (tmp_path / "other").mkdir()
    evening = Evening(tmp_path / "other", disk=None)
    evening.guests.wait(1)
    assert evening.notice == "Matches are not kept: there is no journal."
    evening.guests.app.surroundings.unkept = "The journal cannot be opened: it is another's."
    (part,) = (part for part in evening.tending.parts if part.device == "journal")
    assert part.detail == ""
    evening.guests.wait(1)
    (part,) = (part for part in evening.tending.parts if part.device == "journal")
    assert part.detail == "The journal cannot be opened: it is another's."


FEW = "The journal takes 3 MB; {} MB of the disk are free."
ERRORS = "The disk with the journal has errors."


def ill(sentence: str, **more: str) -> Finding:
    return Finding("journal", AILING, sentence, **more)


def test_what_comes_and_goes_while_something_else_is_said_does_not_come_up_afterwards(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.hears_else(1)
    for _ in range(20):
        evening.disk = ill(ERRORS)
        evening.hears_else(10)
        evening.disk = WELL
        evening.hears_else(10)
    assert evening.said == [ERRORS, "The journal works again."] * 20
    evening.reads()
    evening.waits(2)
    assert evening.notice == ""
    evening.disk = ill(ERRORS)
    until(evening, ERRORS)
    assert evening.notice == ERRORS, "and it is said when it is so again"


def test_what_becomes_otherwise_is_said_anew_and_a_megabyte_less_is_not(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.disk = ill(FEW.format(99), remedy="Make room on the disk.")
    until(evening, FEW.format(99))
    evening.reads()
    evening.disk = ill(FEW.format(98), remedy="Make room on the disk.")
    evening.waits(10)
    assert evening.notice == ""
    evening.disk = ill(ERRORS, remedy="Take another card or disk soon.", detail="Input/output error")
    until(evening, ERRORS)
    evening.disk = WELL
    evening.waits(10)
    assert evening.said == [
        FEW.format(99) + " Make room on the disk.",
        "The disk with the journal has errors. Take another card or disk soon. Input/output error",
        "The journal works again.",
    ]


def test_what_has_to_wait_is_said_as_it_is_by_then(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.hears_else(1)
    for megabytes in (99, 98, 50):
        evening.disk = ill(FEW.format(megabytes))
        evening.hears_else(10)
    evening.reads()
    assert evening.notice == FEW.format(50)


def test_a_camera_that_is_gone_is_in_the_log(tmp_path: Path) -> None:
    camera = RoomCamera(lambda: pytest.fail("nobody opens it"))
    evening = Evening(tmp_path, camera=camera)
    evening.waits(1)
    camera.sight = CameraSight("gone", "The cable is out.")
    evening.waits(30)
    camera.sight = CameraSight("opening")
    evening.waits(1)
    camera.sight = CameraSight("gone", "The cable is out.")
    evening.waits(1)
    assert evening.said == ["No camera can be opened. The cable is out."]
    assert evening.notice == "", "the match that is watched speaks of it"
    camera.sight = CameraSight("looking")
    evening.waits(1)
    assert evening.said[1:] == ["The camera works again."]
    camera.close()


def test_buttons_log_by_themselves(tmp_path: Path) -> None:
    evening = Evening(tmp_path, notices=("table.toml, line 3: no.",))
    evening.trouble = NoChipError("There is no GPIO chip.")
    evening.waits(3)
    assert evening.said == ["There is no GPIO chip."]


def test_what_the_match_says_of_the_table_is_in_the_log_and_what_it_says_of_moves_is_not(tmp_path: Path) -> None:
    guests = Guests((800, 480), tmp_path / "journal")
    said: list[str] = []
    told: list[str] = []
    disk = Disk(tmp_path / "journal", ask=lambda _: WELL, run=lambda work: work())
    with tended(guests.app, said.append, Ending(), Care(disk=disk)):
        guests.app.hearers.append(lambda reply: told.append(reply.kind))
        guests.do(Go("players", "triplexity"))
        guests.do(Start())
        for _ in range(3):
            guests.app.take(Say(Redo()), guests.hour.now)
        guests.app.take(Say(triplexity.Put("Ben", "left")), guests.hour.now)
        guests.app._conversation.hear([NoticeReply("The camera is gone.")])
        guests.app.take(GoOn("nothing"), guests.hour.now)
    assert told == ["match", *["error"] * 3, "foul", "notice", "error"]
    assert said[:2] == ["There is no undone move to make again.", "The camera is gone."]
    assert "no match begins with 'nothing'" in said[2]
    assert len(said) == 3
    guests.app._conversation.hear([NoticeReply("More.")])
    assert len(said) == 3
    guests.close()


def test_what_was_saved_of_a_damaged_journal_is_on_the_screen(tmp_path: Path) -> None:
    lost = "The journal was damaged; it is kept beside the new one. Lost: 2."
    guests = Guests((800, 480), tmp_path / "journal")
    assert guests.app.journal
    guests.app.journal.notices = (lost,)
    guests.app.listeners.append(Tending(guests.app, print, Ending(), Care(), Notifier()))
    guests.wait(1)
    assert guests.app.view.notice
    assert guests.app.view.notice.sentence == lost


def test_what_is_pressed_while_nobody_plays_is_for_nobody(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.guests.wait(1)
    assert evening.pins is not None
    evening.pins.inbox.put(Press(Key("strike", 0), 5, is_down=True))
    evening.guests.wait(1)
    assert evening.pins.inbox.take() == []


def test_in_a_match_with_more_players_than_buttons_it_is_found_out_that_they_vanish(tmp_path: Path) -> None:
    """Nobody sits at them, and they are read all the same."""
    evening = Evening(tmp_path)
    evening.guests.wait(1)
    evening.begins()
    assert not evening.guests.app.has_buttons
    assert evening.pins is not None
    evening.pins.inbox.put(Press(Key("strike", 0), 5, is_down=True))
    evening.guests.wait(1)
    assert evening.pins.inbox.taken == 1
    evening.pins.inbox.naps = 0.5
    now = evening.guests.hour.now
    assert evening.tending.wakes_at(now) == now + SECOND // 2, "they are looked for"


# --- a camera --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sight", "came", "state"),
    [
        (CameraSight("none"), None, "absent"),
        (CameraSight("off"), None, "absent"),
        (CameraSight("opening"), None, "starting"),
        (CameraSight("gone", "busy"), None, "gone"),
        (CameraSight("blind", "no model"), 0, "ailing"),
        (CameraSight("looking"), 100 * SECOND, "working"),
        (CameraSight("found"), 100 * SECOND, "working"),
        (CameraSight("found"), 100 * SECOND - OLD - 1, "ailing"),
        (CameraSight("looking"), None, "working"),
    ],
)
def test_how_a_camera_stands(sight: CameraSight, came: int | None, state: str) -> None:
    camera = RoomCamera(lambda: pytest.fail("nobody opens it"))
    camera.sight, camera.came_at = sight, came
    assert of_camera(camera, 100 * SECOND).state == state
    camera.close()


def test_a_camera_whose_pictures_cannot_be_read_is_not_one_that_sees_no_table() -> None:
    camera = RoomCamera(lambda: pytest.fail("nobody opens it"))
    camera.sight = CameraSight("blind", "The model reader.tflite is damaged.")
    part = of_camera(camera, 0)
    assert part.reason == "The camera works, but nothing can be read in its pictures."
    assert part.detail == "The model reader.tflite is damaged."
    found = usual_checks(Around(lambda: (800, 480), camera=camera))["camera"]()
    assert (found.sentence, found.detail) == (part.reason, part.detail)
    camera.close()


# --- ending ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", ENDS, ids=lambda number: signal.Signals(number).name)
def test_in_the_middle_of_a_match_it_is_paused_and_kept(number: signal.Signals, tmp_path: Path) -> None:
    with ending_in_order() as ending:
        evening = Evening(tmp_path)
        evening.tending._ending = ending
        evening.begins()
        guests = evening.guests
        match = guests.app.match
        assert match is not None
        os.kill(os.getpid(), number)
        assert ending.is_asked
        assert guests.app.wakes_at(guests.hour.now) == guests.hour.now
        guests.wait(0.1)
        assert guests.app.is_left
        assert match.paused is not None
    guests.close()
    again = Guests((800, 480), tmp_path / "journal")
    assert again.find(lambda intent: isinstance(intent, GoOn))
    with Journal.open(tmp_path / "journal") as journal:
        assert journal.stored().folded().paused is not None


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGQUIT])
def test_the_second_ctrl_c_ends_at_once(number: signal.Signals) -> None:
    with ending_in_order():
        os.kill(os.getpid(), number)
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), number)
        os.kill(os.getpid(), signal.SIGTERM)


def test_signals_that_say_nothing_end_nothing() -> None:
    with ending_in_order() as ending:
        for number in SAY_NOTHING:
            os.kill(os.getpid(), number)
        assert not ending.is_asked


def test_signals_are_as_before_afterwards() -> None:
    before = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)
    with ending_in_order():
        assert signal.getsignal(signal.SIGTERM) != before[0]
    assert (signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)) == before


def socket_in(folder: Path, name: str, status: str) -> Path:
    """A socket for a screen, as the kernel shows it."""
    file = folder / name / "status"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{status}\n", encoding="ascii")
    return file


def test_a_screen_that_comes_is_taken(tmp_path: Path) -> None:
    hdmi = socket_in(tmp_path / "drm", "card0-HDMI-A-1", "disconnected")
    evening = Evening(tmp_path, screens=NewScreens(tmp_path / "drm"))
    evening.begins()
    evening.guests.wait(20)
    assert "screen" in evening.ailing
    assert not evening.guests.app.is_left
    hdmi.write_text("connected\n", encoding="ascii")
    evening.guests.wait(6)
    assert evening.guests.app.is_left
    assert evening.tending.code == AGAIN


def test_one_that_was_there_and_could_not_be_drawn_on_is_tried_only_while_nobody_plays(tmp_path: Path) -> None:
    """Otherwise the table would end as soon as it stood, again and again."""
    hdmi = socket_in(tmp_path / "drm", "card0-HDMI-A-1", "connected")
    evening = Evening(tmp_path, screens=NewScreens(tmp_path / "drm"))
    evening.begins()
    evening.waits(TRY_EVERY // SECOND + 20)
    assert not evening.guests.app.is_left
    hdmi.write_text("disconnected\n", encoding="ascii")
    evening.guests.wait(6)
    hdmi.write_text("connected\n", encoding="ascii")
    evening.guests.wait(6)
    assert evening.guests.app.is_left, "it was plugged in again"
    evening = Evening(tmp_path / "idle", screens=NewScreens(tmp_path / "drm"))
    evening.waits(TRY_EVERY // SECOND - 20)
    assert not evening.guests.app.is_left
    evening.waits(40)
    assert evening.tending.code == AGAIN


def test_afterwards_nobody_listens_any_more(tmp_path: Path) -> None:
    guests = Guests((800, 480), tmp_path / "journal")
    with tended(guests.app, print, Ending(), Care()):
        assert len(guests.app.listeners) == 1
        guests.wait(1)
    assert guests.app.listeners == []
