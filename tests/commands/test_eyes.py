"""`companion read` and `companion doctor camera|reader`: what they tell, and one sentence for each thing wrong."""

import io
import json
import os
import shutil
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import jsonschema
import numpy as np
import pytest

from companion.commands import picture_reading as eyes
from companion.commands.picture_wish import corners_from
from companion.core.errors import CompanionError
from tests.doors import Refused, Run, sentence
from tests.kept import PROJECT, companion, without_rights
from tests.vision.laid import SHOTS as STORED
from vision import picture_doctor as doctor
from vision import runtime
from vision.apart import Apart
from vision.deck import CARDS
from vision.eye_errors import SourceError
from vision.frames import Picture, Points
from vision.mat import Mat
from vision.picture_doctor import SELFTEST, stored_truth
from vision.reader import Reader, Reading
from vision.runtime import CARD, FOLDER, RUNTIMES

PAGE = PROJECT / "docs" / "reading.md"
SCHEMA = json.loads((PROJECT / "docs" / "reading.schema.json").read_text(encoding="utf-8"))
VALID = jsonschema.Draft202012Validator(SCHEMA)
DAYLIGHT, LAMP, TURNED = (SELFTEST / name for name in STORED)
TRUTH = stored_truth()
MEGABYTES = 200


def data(told: str) -> list[dict[str, Any]]:
    lines = [json.loads(line) for line in told.splitlines()]
    for line in lines:
        VALID.validate(line)
    return lines


def lies(told: dict[str, Any]) -> list[str]:
    return [cell["card"] or cell["state"] for cell in told["cells"]]


class Known:
    """A reader that knows what lies there."""

    def __init__(self, *readings: Reading) -> None:
        self._known = {reading.cell: reading for reading in readings}

    def read(self, _picture: Picture, cells: Points, _mat: Mat | None = None) -> tuple[Reading, ...]:
        assert cells.shape == (9, 4, 2)
        return tuple(self._known.get(at, _sure(at)) for at in range(1, 10))


def _sure(cell: int) -> Reading:
    card = CARDS[cell * 7]
    return Reading(cell, "card", card, 0.9987, "", ((card, 0.9987), (CARDS[0], 0.001)))


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    def it(*readings: Reading) -> None:
        monkeypatch.setattr(eyes, "_reader", lambda _deck: Known(*readings))

    return it


# --- what is told ----------------------------------------------------------------------------------------------


def test_in_words(run: Run, known: Callable[..., None]) -> None:
    likely = (("red-star-2", 0.61), ("red-star-1", 0.38), ("red-plus-2", 0.004))
    known(
        Reading(2, "unclear", None, 0.61, "glare hides a part of it: 2 or 1?", likely),
        Reading(3, "empty", None, 0.99, "no card lies there"),
        Reading(7, "face-down", None, 0.99, "the card lies face down", likely),
        Reading(8, "unclear", None, 0.4, "it is blurred"),
    )
    code, told, said = run("read", LAMP)
    assert (code, said) == (0, "")
    note = "I see 3 of 4 markers; the bottom left one is covered or cannot be made out."
    assert told.splitlines() == [
        f"{LAMP}: found by the markers of the small mat. {note}",
        "  red diamond 3   ?                 (empty)",
        "  blue star 0     purple circle 3   purple plus 2",
        "  (face down)     ?                 yellow star 3",
        "Cell 2: glare hides a part of it: 2 or 1? Likely: red star 2 (61%), red star 1 (38%).",
        "Cell 3: no card lies there.",
        "Cell 7: the card lies face down.",
        "Cell 8: it is blurred.",
    ]


def test_as_json(run: Run, known: Callable[..., None]) -> None:
    known(Reading(2, "hand", None, 0.97, "a hand or an arm covers it", (("red-star-2", 0.01),)))
    code, told, said = run("read", "--json", DAYLIGHT)
    assert (code, said) == (0, "")
    (line,) = data(told)
    assert line["image"] == str(DAYLIGHT)
    assert line["table"] == {"how": "markers", "mat": "small", "note": ""}
    assert line["size"] == [960, 720]
    first, second = line["cells"][:2]
    card = first["card"].split("-")
    assert [first["colour"], first["shape"], str(first["count"])] == card
    assert (first["state"], first["confidence"], first["reason"]) == ("card", 0.9987, "")
    assert (second["state"], second["card"], second["count"]) == ("hand", None, None)
    assert second["likely"] == [["red-star-2", 0.01]]
    for cell in line["cells"]:
        assert all(-100 < x < 1060 and -100 < y < 820 for x, y in cell["corners"])


def test_the_page_shows_what_is_told() -> None:
    """The example of docs/reading.md is of the form that the schema describes."""
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    examples = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith('{"image"')]
    assert examples
    for line in examples:
        data(line)


def test_the_page_describes_every_field() -> None:
    page = PAGE.read_text(encoding="utf-8")
    fields = [
        *SCHEMA["properties"],
        *SCHEMA["properties"]["table"]["properties"],
        *SCHEMA["$defs"]["cell"]["properties"],
    ]
    assert [field for field in fields if f"`{field}`" not in page] == []


# --- the real reader on stored pictures ------------------------------------------------------------------------


def test_stored_pictures_are_read(run: Run) -> None:
    code, told, said = run("read", "--json", DAYLIGHT, LAMP, TURNED)
    assert (code, said) == (0, "")
    assert [lies(line) for line in data(told)] == [TRUTH[path.name] for path in (DAYLIGHT, LAMP, TURNED)]


def with_exif(content: bytes, orientation: int) -> bytes:
    tiff = b"MM\0*\0\0\0\x08" + struct.pack(">HHHIHHI", 1, 0x0112, 3, 1, orientation, 0, 0)
    body = b"Exif\0\0" + tiff
    return content[:2] + b"\xff\xe1" + struct.pack(">H", len(body) + 2) + body + content[2:]


def test_a_picture_turned_by_exif_is_read_right(run: Run, tmp_path: Path) -> None:
    picture = cv2.imread(str(DAYLIGHT))
    _, content = cv2.imencode(".jpg", cv2.rotate(picture, cv2.ROTATE_90_COUNTERCLOCKWISE))
    (tmp_path / "turned.jpg").write_bytes(with_exif(content.tobytes(), 6))
    code, told, _ = run("read", "--json", tmp_path / "turned.jpg")
    (line,) = data(told)
    assert (code, line["size"]) == (0, [960, 720])
    assert lies(line) == TRUTH[DAYLIGHT.name]


def test_a_picture_with_alpha_is_read_right(run: Run, tmp_path: Path) -> None:
    picture = cv2.cvtColor(cv2.imread(str(DAYLIGHT)), cv2.COLOR_BGR2BGRA)
    cv2.imwrite(str(tmp_path / "alpha.png"), picture)
    assert lies(data(run("read", "--json", tmp_path / "alpha.png")[1])[0]) == TRUTH[DAYLIGHT.name]


def test_of_a_grey_picture_no_colour_is_told(run: Run, tmp_path: Path) -> None:
    """Shapes and counts could be told, colours cannot: nothing is claimed that is wrong."""
    cv2.imwrite(str(tmp_path / "grey.png"), cv2.imread(str(DAYLIGHT), cv2.IMREAD_GRAYSCALE))
    code, told, _ = run("read", "--json", tmp_path / "grey.png")
    assert code == 0
    (line,) = data(told)
    wrong = [
        cell for cell, real in zip(line["cells"], TRUTH[DAYLIGHT.name], strict=True) if cell["card"] not in (None, real)
    ]
    assert wrong == []


def test_from_the_standard_input(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(DAYLIGHT.read_bytes())))
    (line,) = data(run("read", "--json", "-")[1])
    assert line["image"] == "-"
    assert lies(line) == TRUTH[DAYLIGHT.name]


def test_corners_by_hand(run: Run) -> None:
    (line,) = data(run("read", "--json", DAYLIGHT)[1])
    cells = np.array([cell["corners"] for cell in line["cells"]])
    # The outer corners of the cards: a card has 54 mm of a cell's 66.
    outer = [
        cells[at].mean(0) + (cells[at][corner] - cells[at].mean(0)) * 54 / 66
        for at, corner in ((0, 0), (2, 1), (8, 2), (6, 3))
    ]
    given = " ".join(f"{x:.0f},{y:.0f}" for x, y in outer)
    code, told, _ = run("read", "--json", "--corners", given, DAYLIGHT)
    (by_hand,) = data(told)
    assert (code, by_hand["table"]["how"], by_hand["table"]["mat"]) == (0, "corners", None)
    assert lies(by_hand) == TRUTH[DAYLIGHT.name]


def test_without_the_mat(run: Run) -> None:
    code, told, _ = run("read", "--json", "--no-mat", DAYLIGHT)
    (line,) = data(told)
    assert (code, line["table"]["how"], line["table"]["mat"]) == (0, "cards", None)
    assert lies(line) == TRUTH[DAYLIGHT.name]


# --- several pictures ------------------------------------------------------------------------------------------


def test_one_that_fails_does_not_keep_the_others(run: Run, known: Callable[..., None], tmp_path: Path) -> None:
    known()
    (tmp_path / "empty.jpg").touch()
    code, told, said = run("read", "--json", DAYLIGHT, tmp_path / "empty.jpg", LAMP, tmp_path / "none.jpg")
    assert code == 2
    assert [line["image"] for line in data(told)] == [str(DAYLIGHT), str(LAMP)]
    empty, none = said.splitlines()
    assert sentence(empty + "\n") == f"{tmp_path / 'empty.jpg'} is empty."
    assert sentence(none + "\n").startswith(f"{tmp_path / 'none.jpg'} ")


# --- annotated pictures ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["out.png", "out.jpg", "out.JPEG"])
def test_an_annotated_picture(run: Run, known: Callable[..., None], tmp_path: Path, name: str) -> None:
    known()
    assert run("read", DAYLIGHT, "--picture", tmp_path / name)[0] == 0
    assert os.listdir(tmp_path) == [name]  # noqa: PTH208 - names
    assert cv2.imread(str(tmp_path / name)).shape[0] > 700
    assert (tmp_path / name).read_bytes()[:2] in (b"\x89P", b"\xff\xd8")


def test_annotated_pictures_in_a_folder(
    run: Run, known: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No two of them have the same name, and none takes the place of a picture that is read."""
    known()
    here = tmp_path / "here"
    here.mkdir()
    for name in ("a.jpg", "a.png"):
        shutil.copy(DAYLIGHT, here / name)
    before = (here / "a.png").read_bytes()
    (tmp_path / "none").mkdir()
    pictures = (here / "a.jpg", here / "a.png", tmp_path / "none" / "b.jpg")
    monkeypatch.chdir(tmp_path)
    code, _, _ = run("read", *pictures, "--picture", "here")
    assert code == 2
    assert {path.name for path in here.iterdir()} == {"a.jpg", "a.png", "a-2.png", "a-3.png"}
    assert (here / "a.png").read_bytes() == before
    assert run("read", pictures[0], pictures[1], "--picture", tmp_path / "new")[0] == 0
    assert {path.name for path in (tmp_path / "new").iterdir()} == {"a.png", "a-2.png"}


def test_a_picture_that_cannot_be_written(refused: Refused, known: Callable[..., None], tmp_path: Path) -> None:
    known()
    assert "No such file or directory" in refused("read", DAYLIGHT, "--picture", tmp_path / "none" / "out.png")
    (tmp_path / "file").touch()
    assert "this is a file" in refused("read", DAYLIGHT, LAMP, "--picture", tmp_path / "file")
    assert "cannot be made" in refused("read", DAYLIGHT, LAMP, "--picture", tmp_path / "file" / "folder")
    assert {path.name for path in tmp_path.iterdir()} == {"file"}


def test_a_full_disk_leaves_nothing(
    refused: Refused, known: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known()

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    (tmp_path / "out.png").write_bytes(b"as it was")
    monkeypatch.setattr(os, "fsync", full)
    said = refused("read", DAYLIGHT, "--picture", tmp_path / "out.png")
    assert said == f"{tmp_path / 'out.png'} cannot be written: No space left on device."
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"out.png": b"as it was"}


# --- wrong arguments -------------------------------------------------------------------------------------------

WRONG: dict[str, tuple[tuple[object, ...], str]] = {
    "no picture": (("read",), "required: IMAGE"),
    "another deck": (
        ("read", DAYLIGHT, "--deck", "tarot"),
        "there are triple3, three, three-tall, threepia, tres, tres-tall, triplexity, and files that end in .deck.",
    ),
    "the input twice": (("read", "-", "-"), "The standard input (-) can be read only once."),
    "a GIF": (("read", DAYLIGHT, "--picture", "out.gif"), "must end in .png, .jpg or .jpeg"),
    "no ending": (("read", DAYLIGHT, "--picture", "out"), "must end in .png, .jpg or .jpeg"),
    "over itself": (("read", DAYLIGHT, "--picture", DAYLIGHT), "that is the picture to be read"),
    "three corners": (("read", DAYLIGHT, "--corners", "1,1 2,1 2,2"), "write four corners in pixels"),
    "no numbers": (("read", DAYLIGHT, "--corners", "a,b 2,1 2,2 1,2"), "write four corners in pixels"),
    "no commas": (("read", DAYLIGHT, "--corners", "1 2 3 4"), "write four corners in pixels"),
    "three numbers": (("read", DAYLIGHT, "--corners", "1,1,1 2,1 2,2 1,2"), "write four corners in pixels"),
    "not a number": (("read", DAYLIGHT, "--corners", "nan,1 2,1 2,2 1,2"), "write four corners in pixels"),
    "endless": (("read", DAYLIGHT, "--corners", "inf,1 2,1 2,2 1,2"), "write four corners in pixels"),
    "nothing": (("read", DAYLIGHT, "--corners", ""), "write four corners in pixels"),
    "anticlockwise": (("read", DAYLIGHT, "--corners", "1,1 1,200 200,200 200,1"), "they run anticlockwise"),
    "crossed": (("read", DAYLIGHT, "--corners", "1,1 200,200 200,1 1,200"), "their lines cross or fold back"),
    "on a line": (("read", DAYLIGHT, "--corners", "1,1 2,2 3,3 4,4"), "their lines cross or fold back"),
    "one point": (("read", DAYLIGHT, "--corners", "1,1 1,1 1,1 1,1"), "their lines cross or fold back"),
    "dented": (("read", DAYLIGHT, "--corners", "1,1 200,1 50,50 1,200"), "their lines cross or fold back"),
    "a source for the reader": (("doctor", "reader", "camera"), "Unrecognized arguments: camera"),
    "a wiring for the camera": (("doctor", "camera", "--wiring", "x"), "Unrecognized arguments: --wiring"),
    "another doctor": (("doctor", "teeth"), "invalid choice: 'teeth'"),
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_arguments(refused: Refused, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    arguments, expected = WRONG[what]
    assert expected in refused(*arguments)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("corner", "corners"),
    [
        ("-1,100", "-1,100 800,100 800,700 100,700"),
        ("961,100", "100,100 961,100 800,700 100,700"),
        ("100,-5", "100,-5 800,100 800,700 100,700"),
        ("800,721", "100,100 800,100 800,721 100,700"),
    ],
)
def test_corners_outside_of_the_picture(
    refused: Refused, known: Callable[..., None], corner: str, corners: str
) -> None:
    known()
    said = refused("read", DAYLIGHT, "--corners", corners)
    assert said == f"{DAYLIGHT}: the corner {corner} is outside of the picture, which is 960 × 720."


def test_corners_may_be_written_in_any_way() -> None:
    assert corners_from("  1,2  10.5,2\t10,20 1e0,20 ") == ((1, 2), (10.5, 2), (10, 20), (1, 20))
    with pytest.raises(CompanionError):
        corners_from("1,2 10,2 10,20 1,20 5,5")


# --- pictures that cannot be read ------------------------------------------------------------------------------


def png(width: int, height: int) -> bytes:
    """No more than the beginning and the end of a picture of this size."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"")) + chunk(b"IEND", b"")


PICTURES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "is empty"),
    "no picture": (b"Once upon a time there were nine cards.", "is not a picture that the companion can read"),
    "cut short": (DAYLIGHT.read_bytes()[:40_000], "is damaged"),
    "huge": (png(30_000, 30_000), "is too large: 30000 × 30000 are 900 megapixels"),
    "a film": (b"\0\0\0\x18ftypmp42" + b"\0" * 100, "is a film"),
    "no table": (cv2.imencode(".png", np.full((480, 640, 3), 90, np.uint8))[1].tobytes(), ""),
    "one pixel": (cv2.imencode(".png", np.zeros((1, 1, 3), np.uint8))[1].tobytes(), ""),
}


@pytest.mark.parametrize("what", PICTURES)
@pytest.mark.parametrize("from_input", [False, True], ids=["file", "input"])
def test_pictures_that_cannot_be_read(
    refused: Refused,
    known: Callable[..., None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    what: str,
    from_input: bool,
) -> None:
    known()
    content, expected = PICTURES[what]
    (tmp_path / "it.jpg").write_bytes(content)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    said = refused("read", "-" if from_input else tmp_path / "it.jpg", "--picture", tmp_path / "out.png")
    assert expected in said
    assert said.startswith("The standard input" if from_input else str(tmp_path / "it.jpg"))
    assert "/tmp/companion-" not in said
    assert not (tmp_path / "out.png").exists()


def test_files_that_cannot_be_opened(refused: Refused, known: Callable[..., None], tmp_path: Path) -> None:
    known()
    assert refused("read", "none.jpg") == "none.jpg cannot be read: No such file or directory."
    assert "is a folder" in refused("read", tmp_path)


def test_two_mats(
    refused: Refused, known: Callable[..., None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known()
    monkeypatch.chdir(tmp_path)
    picture = cv2.imread(str(DAYLIGHT))
    cv2.imwrite(str(tmp_path / "two.png"), np.hstack([picture, picture]))
    assert refused("read", "two.png") == "two.png: I see more than one small mat; take all but one of them away."


# --- models that cannot be used --------------------------------------------------------------------------------


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the models, in place of them."""
    folder = Path(shutil.copytree(FOLDER, tmp_path / "models"))
    monkeypatch.setattr(Reader.__init__, "__defaults__", (folder,))
    monkeypatch.setattr(doctor.examine_reader, "__defaults__", (folder, SELFTEST))
    return folder


def _cut_short(folder: Path) -> None:
    for path in folder.glob("*.tflite"):
        path.write_bytes(path.read_bytes()[:-100])


def _says(folder: Path, **what: Any) -> None:
    told = json.loads((folder / CARD).read_text(encoding="utf-8"))
    (folder / CARD).write_text(json.dumps({**told, **what}), encoding="utf-8")


MODELS: dict[str, tuple[Callable[[Path], None], str]] = {
    "cut short": (_cut_short, "is damaged or of another version"),
    "of another version": (lambda folder: _says(folder, format=99), "has format 99"),
    "of another deck": (lambda folder: _says(folder, deck="tarot"), "is for the deck tarot"),
    "absent": (shutil.rmtree, "cannot be read (No such file or directory)"),
}


@pytest.mark.parametrize("what", MODELS)
def test_models_that_cannot_be_used(run: Run, refused: Refused, models: Path, what: str) -> None:
    spoil, expected = MODELS[what]
    spoil(models)
    assert expected in refused("read", DAYLIGHT)
    code, told, said = run("doctor", "reader")
    assert (code, said) == (2, "")
    assert expected in told
    code, told, said = run("doctor", "camera", DAYLIGHT)
    assert (code, said) == (1, "")
    assert expected in told
    assert "Readable: nothing" in told


def test_neither_runtime_is_installed(
    run: Run, refused: Refused, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in RUNTIMES:
        monkeypatch.setitem(sys.modules, name, None)
        (tmp_path / name.partition(".")[0]).with_suffix(".py").write_text("raise ImportError", encoding="ascii")
    monkeypatch.syspath_prepend(tmp_path)  # for the process that loads models
    monkeypatch.setattr(runtime, "_apart", Apart("vision.inference"))
    assert refused("read", DAYLIGHT).startswith("Neither tflite-runtime nor ai-edge-litert is installed")
    code, told, _ = run("doctor", "reader")
    assert code == 2
    assert "Neither tflite-runtime nor ai-edge-litert is installed" in told


def test_a_package_that_is_missing() -> None:
    code = "import sys; sys.modules['cv2'] = None; from companion.cli import main; sys.exit(main(sys.argv[1:]))"
    for arguments in (("read", str(DAYLIGHT)), ("doctor", "reader"), ("doctor", "camera", str(DAYLIGHT))):
        done = subprocess.run(
            [sys.executable, "-c", code, *arguments], capture_output=True, text=True, cwd=PROJECT, check=False
        )
        assert (done.returncode, done.stdout) == (2, "")
        assert sentence(done.stderr) == (
            "The package cv2 is not installed or does not load: `make play` installs what is needed."
        )


# --- the doctor ------------------------------------------------------------------------------------------------


def test_the_reader_works(run: Run) -> None:
    code, told, said = run("doctor", "reader")
    assert (code, said) == (0, "")
    lines = told.splitlines()
    assert lines[0].startswith("Runtime: ")
    assert sum("ms for a cell here" in line for line in lines) == 4  # two networks, two files each
    assert sum("Taken: it is " in line for line in lines) == 1
    assert [line for line in lines if line.startswith("Self-test ")] == [
        f"Self-test {name}: 9 of 9 cells right." for name in TRUTH
    ]
    assert lines[-1] == "The reader works."
    code, told, _ = run("doctor", "reader", "--json")
    found = json.loads(told)
    assert (code, found["well"], found["advice"]) == (0, True, [])
    assert {file["name"] for file in found["files"]} == {
        path.name for name in ("reader", "closer") for path in FOLDER.glob(f"{name}-*.tflite")
    }


def test_a_picture_is_examined(run: Run) -> None:
    code, told, said = run("doctor", "camera", LAMP)
    assert (code, said) == (1, "")
    lines = told.splitlines()
    assert lines[0] == f"{LAMP}: 960 × 720 pixels."
    assert lines[1] == "Table: found by the markers of the small mat."
    assert "Readable: 9 of 9 cells." in lines
    assert "  I see 3 of 4 markers; the bottom left one is covered or cannot be made out." in lines
    code, told, _ = run("doctor", "camera", LAMP, "--json")
    found = json.loads(told)
    assert (code, found["well"], found["readable"], found["table"]) == (1, False, 9, "markers")
    assert found["marker_pixels"] > 24


def test_a_folder_is_examined(run: Run, tmp_path: Path) -> None:
    for number in range(3):
        shutil.copy(DAYLIGHT, tmp_path / f"{number}.jpg")
    _, told, said = run("doctor", "camera", tmp_path)
    assert said == ""
    assert told.startswith(f"{tmp_path}: 960 × 720 pixels, 3 pictures.")


def test_no_such_source(refused: Refused, tmp_path: Path) -> None:
    assert "There is no file or folder" in refused("doctor", "camera", tmp_path / "none")
    assert "There is no picture in the folder" in refused("doctor", "camera", tmp_path)
    assert refused("doctor", "camera", "camera:x").startswith("'camera:x' names no camera")


@pytest.mark.skipif(Path("/dev/video77").exists(), reason="there are very many cameras here")
def test_no_camera(refused: Refused) -> None:
    assert refused("doctor", "camera", "webcam:77").startswith("There is no /dev/video77")


WORDS = {
    "busy": "The camera is busy: another program has it. Close that program, or restart the Pi.",
    "no permission": "This user may not open /dev/video0: add the user to the group video, and log in again.",
}


@pytest.mark.parametrize("what", WORDS)
def test_a_camera_that_cannot_be_had(refused: Refused, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    from vision import sources  # noqa: PLC0415

    def no(_name: str, **_options: object) -> Iterator[object]:
        raise SourceError(WORDS[what])

    monkeypatch.setattr(sources, "open_source", no)
    assert refused("doctor", "camera") == WORDS[what]


def test_what_a_calibration_finds_is_kept_and_used(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from vision import eyeprocess, sources  # noqa: PLC0415
    from vision.calibration import CameraSettings  # noqa: PLC0415

    asked: list[object] = []

    def no(name: str, settings: CameraSettings | None = None) -> Iterator[object]:
        asked.extend((name, settings))
        raise SourceError("It is enough.")

    found = CameraSettings(exposure=12_000, gain=2.0, colours=(1.8, 1.5), lens=2.0)
    monkeypatch.setattr(eyeprocess, "calibrated", {0: found, 1: CameraSettings()}.__getitem__)
    monkeypatch.setattr(sources, "open_source", no)
    kept = tmp_path / "camera.json"
    code, told, _ = run("doctor", "camera", "--calibrate", kept)
    assert (code, told) == (
        0,
        f"Kept in {kept}: exposure 12.0 ms, gain 2.0, red 1.80 and blue 1.50 to 1 green, focus at 50 cm.\n",
    )
    run("doctor", "camera", "--settings", kept)
    assert asked == ["camera", found]
    assert "this camera has nothing to set" in run("doctor", "camera", "camera:1", "--calibrate", kept)[1]


def test_what_cannot_be_calibrated(refused: Refused, tmp_path: Path) -> None:
    kept = tmp_path / "camera.json"
    assert "only a Pi's own cameras can" in refused("doctor", "camera", "webcam:0", "--calibrate", kept)
    assert "Unrecognized arguments: --calibrate" in refused("doctor", "reader", "--calibrate", kept)
    kept.write_text("{}")
    assert "holds settings that no camera has" in refused("doctor", "camera", "--settings", kept, DAYLIGHT)
    assert kept.read_text() == "{}"


def test_a_picture_that_may_not_be_opened(tmp_path: Path) -> None:
    shutil.copy(DAYLIGHT, tmp_path / "secret.jpg")
    (tmp_path / "secret.jpg").chmod(0)
    done = companion("read", tmp_path / "secret.jpg", **without_rights())
    assert done.returncode == 2
    assert sentence(done.stderr) == f"{tmp_path / 'secret.jpg'} cannot be read: Permission denied."


# --- what it costs ---------------------------------------------------------------------------------------------


def test_help_is_there(run: Run) -> None:
    for command in ("read", "doctor"):
        code, told, said = run(command, "--help")
        assert (code, said) == (0, "")
        assert told.startswith(f"usage: companion {command}")


def test_memory() -> None:
    """The most that a process has needed; its own, since the most of a child begins with that of its parent."""
    code = (
        "import sys; from companion.cli import main; code = main(sys.argv[1:]); "
        "print(*open('/proc/self/status'), sep=''); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, "read", "--json", str(DAYLIGHT), str(LAMP), str(TURNED)],
        capture_output=True,
        text=True,
        cwd=PROJECT,
        check=True,
    )
    (most,) = [int(line.split()[1]) for line in done.stdout.splitlines() if line.strip().startswith("VmHWM:")]
    assert most <= MEGABYTES * 1024


def test_reading_loads_no_more_than_it_needs() -> None:
    code = "import sys; from companion.cli import main; main(sys.argv[1:]); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code, "read", str(DAYLIGHT)], capture_output=True, text=True, cwd=PROJECT, check=True
    )
    loaded = set(done.stderr.split())
    assert "vision.reader" in loaded
    assert not loaded & {
        "vision.overlay",
        "vision.card_drawing",
        "sqlite3",
        "reportlab",
        "pygame",
        "companion.core.match",
        "tomllib",
    }
