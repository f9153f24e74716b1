"""`companion print`: the files it writes, and that it writes all of them or none."""

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.games import NAMES, part
from tests.kept import PROJECT
from vision.deck import CARDS
from vision.mat import LARGE, SMALL
from vision.printed_deck import PrintedDeck, face_picture

Door = Callable[..., tuple[int, list[str], list[str]]]

FACES = {f"{name}.png" for name in (*CARDS, "blank", "back")} | {"deck.json"}


@pytest.fixture
def door(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Door:
    """Run the command in a folder of its own: exit code, lines of output, lines of complaint."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> tuple[int, list[str], list[str]]:
        code = main(["print", *arguments])
        told = capsys.readouterr()
        return code, told.out.splitlines(), told.err.splitlines()

    return run


def everything_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def test_the_usual_is_everything_for_the_small_mat(door: Door, tmp_path: Path) -> None:
    code, out, err = door("--to", "new/folder")
    names = ["mat-small-a4.pdf", *(f"triple3-{kind}-54x54-a4.pdf" for kind in ("deck", "backs", "duplex"))]
    assert (code, err) == (0, [])
    assert out[:-1] == [f"new/folder/{name}" for name in names]
    assert "100 mm" in out[-1]
    assert everything_in(tmp_path / "new/folder") == set(names)
    assert all((tmp_path / "new/folder" / name).read_bytes().startswith(b"%PDF-") for name in names)


def test_only_what_is_asked_for(door: Door, tmp_path: Path) -> None:
    assert door("mat", "backs", "mat", "--mat", "large", "--paper", "letter", "--to", ".")[0] == 0
    assert everything_in(tmp_path) == {"mat-large-halves-letter.pdf", "triple3-backs-63x88-letter.pdf"}


def test_halves_and_sizes(door: Door, tmp_path: Path) -> None:
    assert door("mat", "deck", "--size", "63x88", "--to", "tall")[0] == 0
    assert everything_in(tmp_path / "tall") == {"mat-large-halves-a4.pdf", "triple3-deck-63x88-a4.pdf"}
    assert door("mat", "--halves", "--paper", "A4", "--to", "small")[0] == 0
    assert everything_in(tmp_path / "small") == {"mat-small-halves-a4.pdf"}


def test_every_game_by_its_name(door: Door, tmp_path: Path) -> None:
    """And all of them at once are the same files."""
    for name in NAMES:
        assert door(name, "deck", "--to", "apart")[0] == 0
    assert door("all", "deck", "--to", "together")[0] == 0
    made = {f"{name}-deck-54x54-a4.pdf" for name in NAMES}
    assert everything_in(tmp_path / "apart") == everything_in(tmp_path / "together") == made
    for name in made:
        assert (tmp_path / "together" / name).read_bytes() == (tmp_path / "apart" / name).read_bytes()


def test_the_usual_of_a_game_of_pieces(door: Door, tmp_path: Path) -> None:
    code, out, err = door("triplexity", "--to", ".")
    assert (code, err) == (0, [])
    decks = {f"triplexity-{kind}-54x54-a4.pdf" for kind in ("deck", "backs", "duplex")}
    assert everything_in(tmp_path) == {*decks, "mat-stacks-a4.pdf"}
    assert "measure the line" in out[-1]


def test_sizes_that_a_game_has(door: Door, tmp_path: Path) -> None:
    assert door("triplexity", "backs", "--size", "25x25", "--paper", "letter", "--to", ".")[0] == 0
    assert door("three", "threepia", "deck", "mat", "--mat", "large", "--to", ".")[0] == 0
    assert everything_in(tmp_path) == {
        "triplexity-backs-25x25-letter.pdf",
        "mat-large-halves-a4.pdf",
        "three-deck-63x88-a4.pdf",
        "threepia-deck-54x54-a4.pdf",  # square whatever the mat
    }


def test_a_mat_to_teach_on(door: Door, tmp_path: Path) -> None:
    assert door("teaching", "--to", ".")[0] == 0
    assert door("teaching", "mat", "--mat", "large", "--paper", "letter", "--to", ".")[0] == 0
    assert everything_in(tmp_path) == {
        "teaching-small-a4.pdf",
        "teaching-large-halves-letter.pdf",
        "mat-large-halves-letter.pdf",
    }


def test_what_was_there_is_replaced_and_the_rest_is_left(door: Door, tmp_path: Path) -> None:
    (tmp_path / "mat-small-a4.pdf").write_text("old")
    (tmp_path / "mine.txt").write_text("mine")
    assert door("mat", "--to", ".")[0] == 0
    assert everything_in(tmp_path) == {"mat-small-a4.pdf", "mine.txt"}
    assert (tmp_path / "mat-small-a4.pdf").read_bytes().startswith(b"%PDF-")
    assert (tmp_path / "mine.txt").read_text() == "mine"


def test_faces_are_pictures_by_name(door: Door, tmp_path: Path) -> None:
    code, out, err = door("--faces", "faces", "--pixels", "60")
    assert (code, err, len(out)) == (0, [], 1)
    assert everything_in(tmp_path / "faces") == FACES
    about = json.loads((tmp_path / "faces/deck.json").read_text())
    assert about["cards"] == list(CARDS)
    assert (about["card_mm"], about["corner_radius_mm"], about["pixels"]) == ([54, 54], 3, [60, 60])
    for name in FACES - {"deck.json"}:
        picture = cv2.imread(str(tmp_path / "faces" / name), cv2.IMREAD_UNCHANGED)
        assert picture is not None
        assert picture.shape == (60, 60, 3)
        assert picture[0, 0].min() > 250


@pytest.mark.parametrize("name", ["three", "triplexity", "threepia"])
def test_faces_of_every_game(door: Door, tmp_path: Path, name: str) -> None:
    deck = part(name, "paper", PrintedDeck)
    assert door(name, "--faces", ".", "--pixels", "32")[0] == 0
    about = json.loads((tmp_path / "deck.json").read_text())
    assert everything_in(tmp_path) == {"deck.json", *(f"{face}.png" for face in deck.pictured)}
    assert (about["faces"], dict(zip(about["cards"], about["copies"], strict=True))) == (list(deck.faces), deck.cards)
    for face in deck.faces[:3]:
        picture = cv2.imread(str(tmp_path / f"{face}.png"))
        assert np.array_equal(picture, face_picture(deck, face, 32, (54.0, 54.0)))


def test_taller_faces_keep_their_proportions(door: Door, tmp_path: Path) -> None:
    assert door("--faces", ".", "--pixels", "88", "--mat", "large")[0] == 0
    picture = cv2.imread(str(tmp_path / "red-star-1.png"))
    assert picture is not None
    assert picture.shape == (88, 63, 3)
    assert json.loads((tmp_path / "deck.json").read_text())["pixels"] == [63, 88]


@pytest.mark.parametrize("mat", [SMALL, LARGE], ids=lambda mat: mat.name)
def test_the_mat_is_a_picture_with_its_geometry(door: Door, tmp_path: Path, mat: object) -> None:
    """Whoever has only these two files finds the markers where the second says."""
    assert isinstance(mat, type(SMALL))
    assert door("--mat", mat.name, "--mat-picture", ".", "--pixels-per-mm", "4")[0] == 0
    picture = cv2.imread(str(tmp_path / f"mat-{mat.name}.png"))
    told = json.loads((tmp_path / f"mat-{mat.name}.json").read_text())
    assert picture is not None
    assert picture.shape[:2] == (told["size_mm"][1] * 4, told["size_mm"][0] * 4)
    for marker in told["markers"]:
        dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, marker["dictionary"]))
        corners, numbers, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(picture)
        assert numbers is not None
        seen = corners[numbers.ravel().tolist().index(marker["number"])][0]
        assert np.abs((seen + 0.5) / 4 - np.array(marker["corners_mm"])).max() < 0.3
    assert [cell["centre_mm"] for cell in told["cells"]] == [list(centre) for centre in mat.places]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Say where to"),
        (["mat"], "Where should the mat go"),
        (["deck", "--faces", "f"], "Where should the deck go"),
        (
            ["cards", "--to", "f"],
            "'cards' is not one of three, triple3, tres, triplexity, threepia, all",
        ),
        (["three"], "Where should the three go"),
        (["tres", "deck", "--faces", "f"], "Where should the deck go"),
        (["three", "tres", "--faces", "f"], "--faces takes one game at a time, not three and tres"),
        (["threepia", "--size", "63x88", "--to", "f"], "Threepia is printed in 54x54 mm, not in 63x88"),
        (["three", "tres", "--size", "25x25", "--to", "f"], "Three! is printed in 54x54 or 63x88 mm, not in 25x25"),
        (["three", "--size", "big", "--to", "f"], "'big' is not a size like 54x54"),
        (["--to", "f", "--paper", "a5"], "a5"),
        (["--to", "f", "--mat", "huge"], "huge"),
        (["--to", "f", "--size", "1x1"], "1x1"),
        (["--to", "f", "--size", "63x88", "--mat", "small"], "Cards of 63x88 mm do not fit on the small mat"),
        (["--faces", "f", "--pixels", "0"], "'0' is not a whole number from 16 to 4000"),
        (["--faces", "f", "--pixels", "-600"], "-600"),
        (["--faces", "f", "--pixels", "1e3"], "'1e3' is not a whole number"),
        (["--faces", "f", "--pixels", "9" * 5000], "is not a whole number from 16 to 4000"),
        (["--faces", "f", "--pixels", "٣٣٣"], "is not a whole number"),
        (["--mat-picture", "f", "--pixels-per-mm", "1000"], "from 2 to 40"),
        (["mat", "--to", "a file"], "a file is a file, not a folder"),
        (["mat", "--to", "a file/below"], "a file/below cannot be written to"),
        (["mat", "--to", "x" * 300], "cannot be written to"),
        (["mat", "--to", "a\0b"], "cannot be written to"),
        (["mat", "--to", "taken"], "taken/mat-small-a4.pdf is a folder"),
        (["mat", "--to", "new", "--faces", "a file", "--pixels", "16"], "a file is a file, not a folder"),
    ],
)
def test_bad_input_is_one_sentence_and_leaves_nothing(
    door: Door, tmp_path: Path, arguments: list[str], said: str
) -> None:
    (tmp_path / "a file").write_text("mine")
    (tmp_path / "taken/mat-small-a4.pdf").mkdir(parents=True)
    before = everything_in(tmp_path)
    code, out, err = door(*arguments)
    assert (code, out, len(err)) == (2, [], 1)
    assert said in err[0]
    assert "Traceback" not in err[0]
    assert len(err[0]) < 600
    assert everything_in(tmp_path) == before
    assert (tmp_path / "a file").read_text() == "mine"


def test_a_folder_that_may_not_be_written_to(door: Door, tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may write anywhere")
    (tmp_path / "locked").mkdir(mode=0o555)
    code, _, err = door("mat", "--to", "locked")
    assert (code, len(err)) == (2, 1)
    assert "locked cannot be written to: Permission denied" in err[0]


def test_a_full_disk_leaves_nothing(door: Door, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not the files that still fitted, not half of one, not the new folders."""
    (tmp_path / "old").mkdir()
    (tmp_path / "old/triple3-backs-54x54-a4.pdf").write_text("old")
    written: list[Path] = []
    write = Path.write_bytes

    def until_full(path: Path, content: bytes) -> int:
        written.append(path)
        if len(written) == 3:
            write(path, content[:100])
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", until_full)
    code, out, err = door("backs", "mat", "--to", "old", "--mat-picture", "new/er", "--pixels-per-mm", "2")
    assert (code, out, len(err)) == (2, [], 1)
    assert "new/er cannot be written to: No space left on device" in err[0]
    assert len(written) == 3
    assert everything_in(tmp_path) == {"old", "old/triple3-backs-54x54-a4.pdf"}
    assert (tmp_path / "old/triple3-backs-54x54-a4.pdf").read_text() == "old"


def test_without_reportlab_it_says_what_to_do(door: Door, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == "reportlab"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "reportlab", None)
    code, _, err = door("mat", "--to", "new")
    assert (code, err) == (
        2,
        ["companion: Printing needs reportlab, which is not installed: run `make play` once more."],
    )
    assert everything_in(tmp_path) == set()
    assert door("--faces", "new", "--pixels", "16")[0] == 0


def test_the_help_needs_nothing_heavy() -> None:
    check = (
        "import sys, companion.cli\n"
        "companion.cli.main(['print', '--help'])\n"
        "sys.exit(any(name in sys.modules for name in ('cv2', 'numpy', 'reportlab')))"
    )
    done = subprocess.run(
        [sys.executable, "-c", check],
        env={**os.environ, "PYTHONPATH": str(PROJECT)},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "--mat-picture" in done.stdout


# --- what is cut and drilled


def test_a_box_and_templates_are_written(door: Door, tmp_path: Path) -> None:
    code, said, _ = door("box", "drilling", "--board", "4", "--hole", "24", "--to", "parts")
    assert code == 0
    assert everything_in(tmp_path / "parts") == {
        "box-board-4-hole-24.svg",
        "box-board-4-hole-24.pdf",
        "drilling-hole-24-a4.pdf",
    }
    assert "Measure your own button" in said[-1]


@pytest.mark.parametrize("arguments", [("box", "three", "--to", "x"), ("drilling", "mat", "--to", "x")])
def test_what_is_cut_is_printed_alone(door: Door, tmp_path: Path, arguments: tuple[str, ...]) -> None:
    code, _, complaints = door(*arguments)
    assert code != 0
    assert "alone, and say where to" in complaints[0]
    assert not (tmp_path / "x").exists()
