"""`companion` without a command: what it opens where, and what it says instead of failing."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from companion.commands import table_command, table_opening, table_options
from companion.core.match import set_up
from companion.core.referee import Referee
from companion.core.session import Session
from companion.devices import machine
from companion.display.loop import Loop
from companion.doctor.health import Finding, usual_checks
from companion.games import game
from companion.games.three import rules as three
from companion.journal import Journal
from companion.seat.table import Seated
from simulator.playing import NAMES
from tests.doors import Run

DISPLAYS = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER", "SSH_CONNECTION")


@pytest.fixture(autouse=True)
def nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No display, no Pi, and a journal of its own."""
    for name in DISPLAYS:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COMPANION_JOURNAL", str(tmp_path / "kept" / "journal.sqlite3"))
    monkeypatch.setattr(machine, "MODEL", tmp_path / "model")
    monkeypatch.setattr(machine, "CONSOLE", tmp_path / "dri")


def test_without_a_display_bots_play_and_pictures_are_kept(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "")
    code, told, said = run()
    assert (code, said) == (0, "")
    folder = tmp_path / "kept" / "pictures"
    assert str(folder / "three") in told
    for name in ("three", "triple3", "tres", "triplexity", "threepia"):
        assert list((folder / name).glob("*-result.png")), name


def test_what_counts_as_a_display(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    assert not machine.has_display()
    monkeypatch.setenv("DISPLAY", ":0")
    assert machine.has_display()
    monkeypatch.delenv("DISPLAY")
    (tmp_path / "model").write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    assert not machine.has_display()
    (tmp_path / "dri").mkdir()
    assert machine.is_pi()
    assert machine.has_display(), "the console of a Pi will do"
    monkeypatch.setenv("SSH_CONNECTION", "10.0.0.1 22")
    assert not machine.has_display(), "nobody sees it from elsewhere"


def test_a_display_that_is_not_there_is_said_and_the_demo_is_played(
    monkeypatch: pytest.MonkeyPatch, run: Run, tmp_path: Path
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "no-such-driver")
    code, told, said = run()
    assert code == 0
    assert said.startswith("companion: There is no screen to draw on")
    assert str(tmp_path / "kept" / "pictures") in told


def test_pictures_go_elsewhere_where_nothing_can_be_kept(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    folder = table_command._pictures(tmp_path / "file" / "journal.sqlite3")
    assert folder.is_dir()
    folder.rmdir()


def test_given() -> None:
    from argparse import ArgumentParser  # noqa: PLC0415

    parser = ArgumentParser()
    table_options.add(parser)
    assert table_options.given(parser.parse_args([])) == ""
    assert table_options.given(parser.parse_args(["--full-screen"])) == "--full-screen"
    assert table_options.given(parser.parse_args(["--journal", "x"])) == "--journal"


@pytest.mark.parametrize("words", [(), ("--no-table",)], ids=["with the table", "without"])
def test_a_window_is_opened_and_closed(
    words: tuple[str, ...], run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    import pygame  # noqa: PLC0415

    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    threading.Thread(target=closes_it, args=(pygame,), daemon=True).start()
    code, told, said = run("--size", "960x600", "--language", "de", *words)
    assert (code, told, said) == (0, "", "")
    with Journal.open(tmp_path / "kept" / "journal.sqlite3") as journal:
        assert journal.matches() == []


def test_where_nothing_can_be_kept_the_table_is_opened_all_the_same(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    import pygame  # noqa: PLC0415

    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    monkeypatch.setenv("COMPANION_JOURNAL", "/proc/none/journal.sqlite3")  # where not even root may write
    threading.Thread(target=closes_it, args=(pygame,), daemon=True).start()
    code, _, said = run("--size", "960x600", "--no-table")
    assert code == 0
    assert said.count("\n") == 1
    assert said.endswith(" Until then matches are not kept.\n")


def test_pygame_that_does_not_load_is_a_sentence(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setitem(sys.modules, "pygame", None)
    code, told, said = run("--no-table")
    assert (code, told) == (2, "")
    assert said.startswith("companion: pygame, which draws on the screen, does not load (")
    assert said.count("\n") == 1


def closes_it(pygame: object) -> None:
    for _ in range(400):
        time.sleep(0.02)
        if pygame.display.get_surface():  # type: ignore[attr-defined]
            time.sleep(0.3)
            pygame.event.post(pygame.event.Event(pygame.QUIT))  # type: ignore[attr-defined]
            return


def test_the_first_picture_needs_no_eye() -> None:
    """What takes long to load is loaded later: OpenCV, the network, what prints and what publishes."""
    code = (
        "import sys, companion.commands.table_command, companion.commands.table_opening\n"
        "import simulator.drawn.window, companion.sounds.hearing\n"
        "import companion.games.triple3.watched_spread\n"
        "late = {'cv2', 'tflite_runtime', 'ai_edge_litert', 'ssl', 'reportlab', 'PIL', 'paho'}\n"
        "print(sorted(late & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "SDL_VIDEODRIVER": "dummy"},
    )
    assert done.stdout.strip() == "[]"


# --- real devices ----------------------------------------------------------------------------------------------

WIRING = '[pins]\ndriver = "simulated"\n[[seat]]\nbutton = 17\nlight = 18\n[[seat]]\nbutton = 27\nlight = 23\n'


def seated_at(devices: table_opening.Devices, players: int) -> Seated:
    setup = set_up(game("three"), NAMES[:players], three.House())
    return devices.seat(Session(Referee.begin(setup, 0), time.monotonic_ns))


def test_the_buttons_of_the_wiring_file_are_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "table.toml").write_text(WIRING)
    said: list[str] = []
    devices = table_opening.Devices(said.append, None, buttons=True)
    assert seated_at(devices, 2).ears
    assert not said
    assert not seated_at(devices, 3).ears, "touches stand in where there are too few buttons"
    assert len(said) == 1
    assert "3 players and buttons for 2" in said[0]
    devices.close()


@pytest.mark.parametrize(
    ("camera", "words"), [('[camera]\nsource = "none"\n', ()), ("", ("--camera", "none"))], ids=["file", "option"]
)
def test_the_doctor_on_the_screen_knows_the_configuration_that_was_named(
    camera: str, words: tuple[str, ...], run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    file = tmp_path / "elsewhere" / "table.toml"
    file.parent.mkdir()
    file.write_text(camera + WIRING)
    found: dict[str, Finding] = {}

    def looks_around(loop: Loop) -> None:
        loop.app.attend(time.monotonic_ns())
        checks = usual_checks(loop.app._around)
        found.update({device: checks[device]() for device in ("camera", "buttons")})

    monkeypatch.setattr(Loop, "run", looks_around)
    assert run("--real", "--configuration", str(file), "--size", "960x600", *words)[0] == 0
    assert found["camera"].sentence == "This table does without a camera."
    assert found["buttons"].sentence == "The buttons are simulated: no pins are used."


def test_without_a_wiring_file_it_is_said_once_and_played_by_touch(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    said: list[str] = []
    devices = table_opening.Devices(said.append, None, buttons=True)
    assert not seated_at(devices, 2).ears
    assert not seated_at(devices, 2).ears
    assert len(said) == 1
    assert "There is no table.toml here" in said[0]
    devices.close()
