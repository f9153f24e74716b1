"""The wiring file: the examples that come along, every mistake in one sentence with its line, and no other way out."""

import re
import xml.etree.ElementTree as Xml
from collections.abc import Callable
from pathlib import Path

import pytest
from gpiozero.pins.pi import PiBoardInfo
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.config.toml_file import TOO_LARGE
from companion.core.button_meanings import key_kinds
from hardware.contact import MICROSECOND, MILLISECOND, Settings
from hardware.panel import keys_of, lights_of
from hardware.pin_errors import WiringError
from hardware.wiring import ON_HEADER, PLACES, Seat, Wiring, check_wiring, read_wiring

DOCS = Path(__file__).parents[2] / "docs"
EXAMPLES = (DOCS / "table.toml", DOCS / "table-single.toml")
DRAWINGS = ("wiring-ring.svg", "wiring-single.svg", "wiring-lights.svg")
PI_4 = 0xC03111

RING = """\
[pins]
driver = "libgpiod"

[token]
kind = "ring"

[[seat]]
button = 17
light = 18

[[seat]]
button = 27
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "table.toml"


def found(file: Path, text: str) -> list[tuple[int, str]]:
    """What is wrong with such a file: lines and sentences."""
    file.write_text(text, encoding="utf-8")
    return [(problem.line, problem.sentence) for problem in check_wiring(file, key_kinds())[1]]


def refused(file: Path) -> str:
    """The sentence with which the whole file is refused."""
    with pytest.raises(WiringError) as refusal:
        check_wiring(file, key_kinds())
    return str(refusal.value)


# --- what comes along ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_the_examples_have_no_problem(example: Path) -> None:
    assert check_wiring(example, key_kinds())[1] == []


def test_the_ring_of_four() -> None:
    wiring = read_wiring(EXAMPLES[0], key_kinds())
    seats = tuple(
        Seat(pin, light, {"tres": tres}) for pin, light, tres in ((17, 18, 6), (27, 23, 13), (22, 24, 19), (5, 25, 26))
    )
    assert wiring == Wiring(seats=seats, keys={"turn": 12, "stop": 16}, status=20, buzzer=21)
    wiring.must_seat(4)


def test_the_one_big_button() -> None:
    wiring = read_wiring(EXAMPLES[1], key_kinds())
    assert wiring == Wiring(kind="single", button=17, light=18, keys={"turn": 12, "stop": 16}, status=20, buzzer=21)
    wiring.must_seat(8)


def test_settings_are_told_in_the_units_of_their_names(file: Path) -> None:
    file.write_text(
        RING.replace(
            'kind = "ring"',
            "window_ms = 7\nmargin_us = 8\nbounce_ms = 9\nstuck_after_ms = 1000\nshortest_ms = 3\ndouble_ms = 0",
        ),
        encoding="utf-8",
    )
    milliseconds = (7 * MILLISECOND, 8 * MICROSECOND, 9 * MILLISECOND, 1000 * MILLISECOND, 3 * MILLISECOND, 0)
    assert read_wiring(file, key_kinds()).settings == Settings(*milliseconds)


def test_what_may_be_a_spike_is_known_before_the_window_is_over(file: Path) -> None:
    file.write_text(RING.replace('kind = "ring"', "window_ms = 5\nshortest_ms = 5"), encoding="utf-8")
    with pytest.raises(WiringError, match=r"line \d+: shortest_ms \(5\) must be less than window_ms \(5\)\."):
        read_wiring(file, key_kinds())


def test_the_shortest_file_has_the_usual_settings(file: Path) -> None:
    file.write_text("[[seat]]\nbutton = 4\n[[seat]]\nbutton = 5\n", encoding="utf-8")
    assert read_wiring(file, key_kinds()) == Wiring(seats=(Seat(4), Seat(5)))


def test_a_file_from_another_system_is_read(file: Path) -> None:
    file.write_bytes(b"\xef\xbb\xbf" + RING.replace("\n", "\r\n").encode())
    assert len(read_wiring(file, key_kinds()).seats) == 2


def test_places_on_the_header_are_those_that_gpiozero_knows() -> None:
    header = PiBoardInfo.from_revision(PI_4).headers["J8"].pins
    assert {int(pin.name[4:]): place for place, pin in header.items() if pin.name.startswith("GPIO")} == PLACES
    assert set(PLACES) == set(ON_HEADER)


# --- the page and its drawings ---------------------------------------------------------------------------------


def page_rows() -> dict[str, tuple[int, int]]:
    """GPIO and place of each row of the pin table in docs/wiring.md, by what it is called in the file."""
    page = (DOCS / "wiring.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| [^|]+ \| `([^`]+)` \| (\d+) \| (\d+) \|", page, re.MULTILINE)
    return {name: (int(pin), int(place)) for name, pin, place in rows}


def file_rows(wiring: Wiring) -> dict[str, int]:
    seats: dict[str, int | None] = {
        f"seat {number} {key}": pin
        for number, seat in enumerate(wiring.seats, 1)
        for key, pin in {"button": seat.button, "light": seat.light, **seat.keys}.items()
    }
    own = {**wiring.keys, "status": wiring.status, "buzzer": wiring.buzzer}
    table = {f"table {key}": pin for key, pin in own.items()}
    return {name: pin for name, pin in (seats | table).items() if pin is not None}


def test_the_table_of_the_page_is_the_file() -> None:
    rows = page_rows()
    assert {name: pin for name, (pin, _) in rows.items()} == file_rows(read_wiring(EXAMPLES[0], key_kinds()))
    assert all(place == PLACES[pin] for pin, place in rows.values())


def drawn(name: str) -> Xml.Element:
    return Xml.parse(DOCS / name).getroot()


def words(name: str) -> set[str]:
    return {element.text or "" for element in drawn(name).iter("{http://www.w3.org/2000/svg}text")}


def coloured_pins(name: str) -> set[int]:
    """The pins in the drawing whose numbers are bold: those that are used."""
    found = [
        element.text or ""
        for element in drawn(name).iter("{http://www.w3.org/2000/svg}text")
        if element.get("font-weight") == "bold"
    ]
    return {int(text) for text in found if text.isdigit() and int(text) <= 40}


@pytest.mark.parametrize(("name", "example"), list(zip(DRAWINGS, (*EXAMPLES, EXAMPLES[0]), strict=True)))
def test_the_drawings_name_the_pins_of_the_files(name: str, example: Path) -> None:
    wiring = read_wiring(example, key_kinds())
    pins = {*keys_of(wiring).values(), *lights_of(wiring).values(), wiring.status, wiring.buzzer}
    if name == "wiring-lights.svg":
        pins -= set(keys_of(wiring).values())
    grounds = {9, 34, 39}
    assert coloured_pins(name) - grounds == {PLACES[pin] for pin in pins if pin is not None}
    assert {f"GPIO{pin}" for pin in pins} <= words(name)


@pytest.mark.parametrize("name", DRAWINGS)
def test_the_drawings_need_nothing_from_elsewhere(name: str) -> None:
    text = (DOCS / name).read_text(encoding="utf-8")
    assert re.findall(r"https?://[^\"]*", text) == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"href|@import|<image|url\(", text)
    assert f"({name})" in (DOCS / "wiring.md").read_text(encoding="utf-8")


# --- mistakes --------------------------------------------------------------------------------------------------


def test_a_pin_used_twice_names_both_lines(file: Path) -> None:
    assert found(file, RING.replace("27", "17")) == [
        (12, "GPIO17 is wired to seat 2's button and, in line 8, to seat 1's button.")
    ]


def test_a_pin_used_twice_is_found_across_tables_in_any_order(file: Path) -> None:
    assert found(file, RING + "[table]\nstop = 18\n") == [
        (14, "GPIO18 is wired to stop and, in line 9, to seat 1's light.")
    ]
    assert found(file, "[table]\nstop = 18\n" + RING) == [
        (11, "GPIO18 is wired to seat 1's light and, in line 2, to stop.")
    ]


def test_of_a_pin_used_twice_the_later_line_is_the_mistake(file: Path) -> None:
    text = RING.replace("button = 17\nlight = 18", "light = 17\nbutton = 17")
    assert found(file, text) == [(9, "GPIO17 is wired to seat 1's button and, in line 8, to seat 1's light.")]


def test_lines_are_counted_as_editors_count_them(file: Path) -> None:
    assert found(file, "# one\u2028line\x85only\n" + RING.replace("27", "28"))[0][0] == 13


def test_a_pin_used_three_times_is_two_mistakes(file: Path) -> None:
    assert [line for line, _ in found(file, RING.replace("18", "17").replace("27", "17"))] == [9, 12]


MISTAKES: dict[str, tuple[Callable[[str], str], int, str]] = {
    "pin that is not there": (lambda text: text.replace("27", "28"), 12, "there is no GPIO28 on the header"),
    "pin below nothing": (lambda text: text.replace("27", "-1"), 12, "there is no GPIO-1"),
    "reserved pin": (lambda text: text.replace("27", "1"), 12, "GPIO1 is reserved for the identity of a HAT"),
    "pin in words": (lambda text: text.replace("27", '"GPIO27"'), 12, "button must be a number"),
    "pin that is true": (lambda text: text.replace("27", "true"), 12, "button must be a number"),
    "half a pin": (lambda text: text.replace("27", "2.7"), 12, "button must be a number"),
    "pin in a list": (lambda text: text.replace("27", "[27]"), 12, "button must be a number"),
    "endless pin": (lambda text: text.replace("27", "0x" + "f" * 9000), 12, "button must be a number"),
    "unknown driver": (
        lambda text: text.replace("libgpiod", "rpi"),
        2,
        "driver: 'rpi' is not one of libgpiod, lgpio, simulated",
    ),
    "driver a number": (lambda text: text.replace('"libgpiod"', "3"), 2, "driver must be text in quotes"),
    "chip a number": (lambda text: text.replace('driver = "libgpiod"', "chip = 4"), 2, "chip must be text in quotes"),
    "unknown kind": (lambda text: text.replace('"ring"', '"row"'), 5, "kind: 'row' is not one of ring, single"),
    "unknown key": (lambda text: text.replace("light", "lamp"), 9, "[seat] has no key lamp; known are button, light"),
    "unknown key with strange signs": (lambda text: text.replace("light", '"\\u001b[2J"'), 7, r"no key '\x1b[2J'"),
    "unknown table": (lambda text: text + "[lights]\nall = 4\n", 13, "there is no table or key lights; known are pins"),
    "key outside the tables": (lambda text: "button = 4\n" + text, 1, "there is no table or key button"),
    "seat written once": (
        lambda text: text.replace("[[seat]]", "[seat]", 1).split("[[")[0],
        7,
        "seat is written [[seat]]",
    ),
    "table written twice": (lambda text: text.replace("[pins]", "[[pins]]"), 1, "pins is written [pins]"),
    "seats that are numbers": (lambda text: "seat = [17, 27]\n" + text.split("[[")[0], 1, "seat is written [[seat]]"),
    "table that is a number": (lambda text: "table = 4\n" + text, 1, "table is written [table]"),
    "window too long": (
        lambda text: text.replace('"ring"', '"ring"\nwindow_ms = 501'),
        6,
        "window_ms: 501 is not between 1 and 500",
    ),
    "margin of nothing": (lambda text: text.replace('"ring"', '"ring"\nmargin_us = 0'), 6, "margin_us: 0 is not"),
    "light without a button": (lambda text: text.replace("button = 17\n", ""), 7, "seat 1 has no button for its light"),
    "seat without a button": (lambda text: text + "[[seat]]\ntres = 5\n", 13, "seat 3 has no button."),
    "one seat": (lambda text: text.rsplit("[[", 1)[0], 7, "a ring has 2 to 8 seats, not 1"),
    "no seats": (lambda text: text.split("[[")[0], 1, "a ring has 2 to 8 seats, not 0"),
    "button of a ring": (
        lambda text: text.replace('"ring"', '"ring"\nbutton = 4'),
        6,
        'button of the token is for kind = "single"',
    ),
    "one button that is not there": (
        lambda text: text.split("[[")[0].replace("ring", "single"),
        5,
        "needs the button of the token",
    ),
    "key before a dot": (
        lambda text: 'token.kind = "row"\n' + text.replace('[token]\nkind = "ring"\n', ""),
        1,
        "kind: 'row' is not one of",
    ),
    "table in one line": (
        lambda text: 'token = {kind = "row"}\n' + text.replace('[token]\nkind = "ring"\n', ""),
        1,
        "kind: 'row' is not one of",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_named_with_its_line(mistake: str, file: Path) -> None:
    make, line, sentence = MISTAKES[mistake]
    problems = found(file, make(RING))
    assert [place for place, said in problems if sentence in said] == [line], problems
    assert all(said.endswith(".") and "\n" not in said and len(said) < 300 for _, said in problems)


def test_more_seats_than_there_can_be(file: Path) -> None:
    text = "".join(f"[[seat]]\nbutton = {pin}\n" for pin in range(4, 13))
    assert found(file, text) == [(17, "there are at most 8 seats, not 9.")]


def test_with_one_big_button_a_seat_has_none(file: Path) -> None:
    text = RING.replace('"ring"', '"single"\nbutton = 4').replace("button = 27", "tres = 27")
    assert found(file, text) == [
        (9, 'with kind = "single" a seat has no button of its own.'),
        (10, 'with kind = "single" a seat has no light of its own.'),
    ]


def test_all_mistakes_are_found_at_once_in_the_order_of_their_lines(file: Path) -> None:
    """A word that is unknown, a pin twice, a pin that is not there and a seat without a button, in one file."""
    text = RING.replace("libgpiod", "rpi").replace("light = 18", "light = 17") + "lamp = 3\n[[seat]]\nlight = 40\n"
    problems = found(file, "[table]\nstop = 27\nstart = 2\n" + text)
    assert [line for line, _ in problems] == [3, 5, 12, 15, 16, 17, 18]
    parts = (
        "no key start",
        "driver",
        "GPIO17 is wired",
        "GPIO27 is wired",
        "no key lamp",
        "seat 3 has no button",
        "no GPIO40",
    )
    assert all(part in sentence for part, (_, sentence) in zip(parts, problems, strict=True))


def test_reading_names_the_first_mistake_and_counts_the_others(file: Path) -> None:
    file.write_text(RING.replace("18", "17").replace("27", "17"), encoding="utf-8")
    with pytest.raises(WiringError, match=re.escape(f"{file}, line 9: GPIO17 is wired") + r".* \(1 more: `companion"):
        read_wiring(file, key_kinds())


@pytest.mark.parametrize(("players", "missing"), [(3, 1), (8, 6)])
def test_more_players_than_buttons(players: int, missing: int, file: Path) -> None:
    file.write_text(RING, encoding="utf-8")
    wiring = read_wiring(file, key_kinds())
    wiring.must_seat(2)
    with pytest.raises(WiringError, match=f"line 11: {players} players and buttons for 2: wire {missing} more"):
        wiring.must_seat(players)


# --- files that are none ---------------------------------------------------------------------------------------


def test_a_missing_file(file: Path) -> None:
    assert refused(file) == f"{file} cannot be read: No such file or directory."


def test_a_folder(tmp_path: Path) -> None:
    assert refused(tmp_path) == f"{tmp_path} cannot be read: it is a folder; name a file in it."


def test_a_name_that_cannot_be_one() -> None:
    assert "cannot be read" in refused(Path("table\0.toml"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[pins\n", "line 1"),
        (RING + "button = = 3\n", "line 13"),
        (RING + "button = 3\n", "line 13"),
        ("a = " + "[" * 5000, "is not TOML"),
        ("a = " + "9" * 5000, "is not TOML"),
    ],
)
def test_what_is_not_toml(text: str, said: str, file: Path) -> None:
    file.write_text(text, encoding="utf-8")
    assert f"{file} is not TOML: " in refused(file)
    assert said in refused(file)


def test_what_is_not_text(file: Path) -> None:
    file.write_bytes(b"driver = \xff")
    assert refused(file) == f"{file} is not UTF-8 text."


def test_what_is_too_large(file: Path) -> None:
    file.write_text("#" * (TOO_LARGE + 1), encoding="utf-8")
    assert "is larger than" in refused(file)


# --- anything --------------------------------------------------------------------------------------------------

TOKENS = (
    "button",
    "light",
    "tres",
    "[[seat]]",
    "[seat]",
    "[pins]",
    "[token]",
    "[table]",
    '"ring"',
    '"single"',
    "17",
    "0",
    "-3",
    "1e9",
    "true",
    "[]",
    "{}",
    '"""',
    "= {kind = 3}",
    "1979-05-27",
    "\u2028",
    "\x0c",
    "\r",
    "seat = [1]",
    "seat = [{button = 4}, {button = 4}]",
    "token.kind",
    '"driver"',
    "#",
    "\\",
    "nan",
    "é",
)
Mutation = tuple[str, int, str]
mutations = st.lists(
    st.tuples(
        st.sampled_from(("drop", "double", "swap", "put", "replace")),
        st.integers(0, 10_000),
        st.sampled_from(TOKENS) | st.text(max_size=5),
    ),
    min_size=1,
    max_size=6,
)


def mutated(text: str, changes: list[Mutation]) -> str:
    lines = text.split("\n")
    for kind, number, piece in changes:
        here = number % len(lines)
        line = lines[here]
        match kind:
            case "drop" if len(lines) > 1:
                del lines[here]
            case "double":
                lines.insert(here, line)
            case "swap":
                lines[here], lines[-1 - here] = lines[-1 - here], lines[here]
            case "put":
                lines.insert(here, piece)
            case "replace":
                lines[here] = re.sub(r"(?<=[=\[ ])[\w\"]+", lambda _, piece=piece: piece, line, count=1)  # type: ignore[misc]
    return "\n".join(lines)


@settings(max_examples=500)
@given(st.sampled_from(EXAMPLES), mutations)
def test_whatever_is_in_the_file_it_is_read_or_refused_in_a_sentence(
    tmp_path_factory: pytest.TempPathFactory, example: Path, changes: list[Mutation]
) -> None:
    file = tmp_path_factory.getbasetemp() / "mutated.toml"
    text = mutated(example.read_text(encoding="utf-8"), changes)
    file.write_text(text, encoding="utf-8", newline="")
    try:
        wiring, problems = check_wiring(file, key_kinds())
    except WiringError:
        return
    lines = [problem.line for problem in problems]
    assert lines == sorted(lines)
    assert all(1 <= line <= text.count("\n") + 1 for line in lines)
    pins = [*keys_of(wiring).values(), *lights_of(wiring).values()]
    assert problems or len(pins) == len(set(pins) & set(ON_HEADER))
