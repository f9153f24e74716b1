"""`companion doctor buttons` as a process: the keyboard for hands, exit codes, one sentence for each thing wrong."""

import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.config.table_file import FILE
from companion.doctor.button_walk import HOLD, LONGEST_LINE, NEXT, Keyboard
from companion.doctor.checkup import why_damaged
from companion.journal import Journal
from hardware.button_doctor import QUIET
from hardware.contact import MILLISECOND
from hardware.panel import Key
from hardware.wiring import Seat, Wiring
from tests.kept import PROJECT, many

DOCS = PROJECT / "docs"
HANDS = "stop\nturn\nstrike 1\ntres 1\nstrike 2\ntres 2\nstrike 3\ntres 3\nstrike 4\ntres 4\n"
NO_GPIOD = "import sys; sys.modules['gpiod'] = None; from companion.cli import main; sys.exit(main(sys.argv[1:]))"
NO_GPIOZERO = NO_GPIOD.replace("gpiod", "gpiozero")
ONE, TWO = Key("strike", 0), Key("strike", 1)
NO_LGPIO = NO_GPIOD.replace("'gpiod'", "'lgpio'")

Doctor = Callable[..., subprocess.CompletedProcess[str]]


def test_the_chain_of_a_journal_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite3"
    many(path, 2)
    before = path.read_bytes()
    assert why_damaged(path) is None
    assert [file.name for file in tmp_path.iterdir()] == [path.name], "looking makes nothing"
    assert path.read_bytes() == before
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("DELETE FROM entry WHERE match = 2 AND number > 30")
        database.commit()
    found = why_damaged(path)
    assert found is not None
    assert found.sentence == "journal.sqlite3 is no journal, or a damaged one: the last entry of match 2 is missing."


def test_a_journal_that_is_none_is_seen(tmp_path: Path) -> None:
    wrong, kept = tmp_path / "wrong.sqlite3", tmp_path / "kept.sqlite3"
    wrong.write_text("Not a journal at all.\n" * 100, encoding="utf-8")
    Journal.open(kept).close()
    found = {path.stem: why_damaged(path) for path in (wrong, kept)}
    assert found["kept"] is None
    assert found["wrong"] is not None
    assert found["wrong"].sentence == "wrong.sqlite3 is no journal, or a damaged one: file is not a database."
    assert wrong.read_text(encoding="utf-8").startswith("Not a journal"), "looking changes nothing"


@pytest.fixture
def here(tmp_path: Path) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    return folder


@pytest.fixture
def doctor(here: Path, tmp_path: Path) -> Doctor:
    """Run the doctor in a folder of its own, with a home of its own."""

    def run(
        *arguments: str, told: str = "", code: str = "", what: str = "buttons", **environment: str
    ) -> subprocess.CompletedProcess[str]:
        start = ["-c", code] if code else ["-m", "companion"]
        surroundings = {**os.environ, "PYTHONPATH": str(PROJECT), "HOME": str(tmp_path / "home"), **environment}
        if "XDG_CONFIG_HOME" not in environment:
            surroundings.pop("XDG_CONFIG_HOME", None)
        return subprocess.run(
            [sys.executable, *start, "doctor", what, *arguments],
            input=told,
            cwd=here,
            text=True,
            capture_output=True,
            check=False,
            timeout=60,
            env=surroundings,
        )

    return run


def simulated(example: str = "table.toml") -> str:
    text = (DOCS / example).read_text(encoding="utf-8")
    assert text.count('\ndriver = "libgpiod"') == 1
    return text.replace('\ndriver = "libgpiod"', '\ndriver = "simulated"')


def put(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / FILE
    file.write_text(text, encoding="utf-8")
    return file


def complaint(done: subprocess.CompletedProcess[str]) -> str:
    """The one sentence with which it could not be tried."""
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("companion: ")
    assert done.stderr.count("\n") == 1
    return done.stderr[len("companion: ") : -1]


# --- the walk --------------------------------------------------------------------------------------------------


def test_a_table_on_which_all_is_well(here: Path, doctor: Doctor) -> None:
    put(here, simulated())
    done = doctor(told=HANDS)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert lines[0] == "table.toml: a ring of buttons, driver simulated."
    assert lines[1].startswith("The buttons are simulated: ")
    assert "  strike 1  GPIO17 (pin 11), light GPIO18 (pin 12)" in lines
    assert "  buzzer    GPIO21 (pin 40)" in lines
    assert sum(line.startswith("Press ") for line in lines) == 10
    assert sum(": works, is clean, " in line for line in lines) == 10
    assert lines[-1] == "All 10 buttons work."


def test_one_big_button(here: Path, doctor: Doctor) -> None:
    put(here, simulated("table-single.toml"))
    done = doctor(told="stop\nturn\nstrike\n")
    assert done.returncode == 0
    assert "one big button" in done.stdout
    assert "Press the strike button (its light is on)." in done.stdout


def test_typing_is_forgiven(here: Path, doctor: Doctor) -> None:
    """Capitals, blanks and empty lines do nothing; a button that is not there is said, and the next line counts."""
    put(here, simulated())
    done = doctor(told="\nSTOP\n\n" + HANDS[5:].replace("strike 1", "strike 9\n  Strike   1 ").replace("\n", "\r\n"))
    assert done.returncode == 0
    assert done.stderr == (
        "companion: There is no button 'strike 9'; there are stop, turn, strike 1, tres 1, "
        "strike 2, tres 2, strike 3, tres 3, strike 4, tres 4.\n"
    )


def test_buttons_that_do_not_work(here: Path, doctor: Doctor) -> None:
    put(here, simulated())
    done = doctor(told=HANDS.replace("strike 2", "strike 3").removesuffix("tres 4\n"))
    assert (done.returncode, done.stderr) == (1, "")
    lines = done.stdout.splitlines()
    assert "strike 2: strike 3 came in instead. Swap their wires, or their pins in the file." in lines
    assert "tres 4: no press came in. Look at its wire, its pin, and the ground." in lines
    assert lines[-1] == "2 of 10 buttons do not work: strike 2, tres 4."


def test_nobody_at_the_keyboard(here: Path, doctor: Doctor) -> None:
    put(here, simulated())
    done = doctor()
    assert done.returncode == 1
    assert "No button works" in done.stdout


@pytest.mark.parametrize("told", ["strike 1", "\0\0\0\n", "x" * 100_000, "\n" * 9_999])
def test_whatever_is_typed_it_ends(told: str, here: Path, doctor: Doctor) -> None:
    put(here, simulated())
    assert doctor(told=told).returncode == 1


def test_json(here: Path, doctor: Doctor) -> None:
    put(here, simulated())
    done = doctor("--json", told=HANDS.replace("tres 3", "tres 1"))
    assert done.returncode == 1
    assert "Press the stop button." in done.stderr
    found = json.loads(done.stdout)
    assert done.stdout.count("\n") == 1
    assert {key: found[key] for key in ("wiring", "well", "kind", "driver", "chip", "simulated", "problems")} == {
        "wiring": "table.toml",
        "well": False,
        "kind": "ring",
        "driver": "simulated",
        "chip": None,
        "simulated": True,
        "problems": [],
    }
    assert (found["buttons"]["strike 4"], found["lights"]["strike 4"], found["status"]) == (5, 25, 20)
    ill = [one for one in found["findings"] if one["verdict"] != "works"]
    well = [one for one in found["findings"] if one["verdict"] == "works"]
    assert [(one["button"], one["verdict"], one["came_instead"]) for one in ill] == [("tres 3", "swapped", "tres 1")]
    assert len(well) == 9
    assert all(one["latency_ns"] >= 0 and one["spacing_ns"] > 0 for one in well)


# --- the file --------------------------------------------------------------------------------------------------


def test_all_that_is_wrong_with_the_file_is_said_at_once(here: Path, doctor: Doctor) -> None:
    text = simulated().replace("button = 27", "button = 17").replace("light = 24", "lamp = 24").replace("= 21", "= 31")
    file = put(here, text)
    lines = text.splitlines()
    places = [
        1 + max(number for number, line in enumerate(lines) if line.startswith(begins))
        for begins in ("button = 17", "lamp", "buzzer")
    ]
    done = doctor("--wiring", str(file))
    assert (done.returncode, done.stdout) == (2, "")
    parts = ("GPIO17 is wired to seat 2's button and, in line", "[seat] has no key lamp", "there is no GPIO31")
    for place, part, sentence in zip(places, parts, done.stderr.splitlines(), strict=True):
        assert sentence.startswith(f"companion: {file}, line {place}: ")
        assert part in sentence
    told = json.loads(doctor("--json", "--wiring", str(file)).stdout)
    assert (told["well"], [problem["line"] for problem in told["problems"]]) == (False, places)


def test_the_file_here_goes_before_the_users_own(here: Path, tmp_path: Path, doctor: Doctor) -> None:
    config = tmp_path / "config"
    own = put(config / "companion", simulated("table-single.toml"))
    usual = put(tmp_path / "home" / ".config" / "companion", simulated("table-single.toml"))
    assert doctor(XDG_CONFIG_HOME=str(config)).stdout.startswith(f"{own}: one big button")
    assert doctor().stdout.startswith(f"{usual}: one big button")
    put(here, simulated())
    assert doctor(XDG_CONFIG_HOME=str(config)).stdout.startswith("table.toml: a ring")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (None, "table.toml cannot be read: No such file or directory."),
        ("driver =", "table.toml is not TOML: "),
        (
            "[seat]\nbutton = 5\n[seat]\n",
            "table.toml is not TOML: [seat] stands there again in line 3; each of several is a [[seat]].",
        ),
    ],
)
def test_a_file_that_is_none(text: str | None, sentence: str, here: Path, doctor: Doctor) -> None:
    if text is not None:
        put(here, text)
    assert complaint(doctor("--wiring", "table.toml")).startswith(sentence)


def test_no_file_at_all(doctor: Doctor) -> None:
    assert complaint(doctor()).startswith("There is no table.toml here and no ")


@pytest.mark.parametrize("arguments", [("--wiring",), ("--loud",)])
def test_wrong_arguments(arguments: tuple[str, ...], doctor: Doctor) -> None:
    assert complaint(doctor(*arguments)).endswith("--help` says more.")


# --- what cannot be tried --------------------------------------------------------------------------------------


def test_a_chip_that_is_not_there(here: Path, doctor: Doctor) -> None:
    text = (DOCS / "table.toml").read_text(encoding="utf-8").replace('# chip = "gpiochip0"', 'chip = "gpiochip77"')
    put(here, text)
    line = text.split("chip = ")[0].count("\n") + 1
    assert complaint(doctor()).startswith(f"table.toml, line {line}: There is no GPIO chip gpiochip77; there is ")


@pytest.mark.parametrize(("code", "missing"), [(NO_GPIOD, "gpiod"), (NO_GPIOZERO, "gpiozero")])
def test_a_package_that_is_missing(code: str, missing: str, here: Path, doctor: Doctor) -> None:
    shutil.copy(DOCS / "table.toml", here)
    said = complaint(doctor(code=code))
    assert f"package {missing}" in said
    assert "is not installed" in said


def test_lgpio_that_is_missing(here: Path, doctor: Doctor) -> None:
    put(here, simulated().replace("simulated", "lgpio", 1))
    assert complaint(doctor(code=NO_LGPIO)) == "The pins cannot be used: the package lgpio is not installed."


def test_lgpio_knows_chips_by_number_only(here: Path, doctor: Doctor) -> None:
    text = (DOCS / "table.toml").read_text(encoding="utf-8").replace('driver = "libgpiod"', 'driver = "lgpio"')
    put(here, text.replace('# chip = "gpiochip0"', 'chip = "pinctrl-rp1"'))
    assert "lgpio knows no chip pinctrl-rp1" in complaint(doctor(code=NO_GPIOD.replace("None", "sys")))


# --- the keyboard ----------------------------------------------------------------------------------------------


class Typist:
    """A keyboard at the other end of a pipe."""

    def __init__(self) -> None:
        self.source, self.hand = os.pipe()
        self.said: list[str] = []
        self.keyboard = Keyboard(Wiring(seats=(Seat(4), Seat(5))), self.said.append, self.source)

    def type(self, text: str) -> list[tuple[Key, bool]]:
        """Type, wait for a millisecond, and see what was pressed."""
        os.write(self.hand, text.encode())
        return self.wait(MILLISECOND)

    def wait(self, nanoseconds: int) -> list[tuple[Key, bool]]:
        self.keyboard.wait(nanoseconds)
        return [(press.key, press.is_down) for press in self.keyboard.panel.inbox.take()]

    def close(self) -> None:
        for file in (self.source, self.hand):
            os.close(file)
        self.keyboard.panel.close()


@pytest.fixture
def typist() -> Iterator[Typist]:
    typing = Typist()
    yield typing
    typing.close()


def test_a_half_typed_line_is_waited_for(typist: Typist) -> None:
    assert typist.type("strike") == []
    assert typist.type(" 2\nstrike 1\n") == [(TWO, True)]
    assert typist.keyboard.panel.levels() == {ONE: False, TWO: True}
    assert typist.wait(1_000 * MILLISECOND) == [(TWO, False)]
    assert typist.said == []


def test_what_is_typed_ahead_waits_until_the_press_before_it_is_over(typist: Typist) -> None:
    start = typist.keyboard.clock()
    assert typist.type("strike 1\nstrike 2\n") == [(ONE, True)]
    assert typist.wait(HOLD) == [(ONE, False)]
    assert typist.wait(QUIET) == []  # the doctor listens for the bounce
    assert typist.wait(NEXT) == [(TWO, True)]
    assert typist.keyboard.clock() - start >= NEXT


def test_a_line_without_end_is_no_button(typist: Typist) -> None:
    assert typist.type("strike 1" * LONGEST_LINE) == []
    assert len(typist.said) == 1
    assert typist.said[0].startswith("There is no button 'strike 1strike 1")


# --- fairness ----------------------------------------------------------------------------------------------------


def simulated_file(here: Path, example: str) -> str:
    wiring = here / "simulated.toml"
    wiring.write_text(simulated(example), encoding="utf-8")
    return str(wiring)


def test_fairness_is_measured_and_a_simulated_table_gets_no_margin(here: Path, doctor: Doctor) -> None:
    wiring = simulated_file(here, "table.toml")
    done = doctor("--wiring", wiring, told="strike 1 + strike 2\n" * 50, what="fairness")
    assert (done.returncode, done.stderr) == (0, "")
    assert "SIMULATED: this says nothing of any table" in done.stdout
    assert "50 presses" in done.stdout
    assert "margin_us" not in done.stdout


def test_a_missing_jumper_is_said(here: Path, doctor: Doctor) -> None:
    wiring = simulated_file(here, "table.toml")
    done = doctor("--wiring", wiring, "--json", told="strike 1\n" * 3, what="fairness")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert (found["presses"], found["on_one_line"], found["margin_ns"]["proposed"]) == (0, 3, None)
    assert "is one contact wired to both strike 1 and strike 2?" in done.stderr


def test_with_one_big_button_there_is_no_margin_to_measure(here: Path, doctor: Doctor) -> None:
    done = doctor("--wiring", simulated_file(here, "table-single.toml"), what="fairness")
    assert done.returncode == 2
    assert "has one button for everybody" in done.stderr
    assert "Traceback" not in done.stderr
