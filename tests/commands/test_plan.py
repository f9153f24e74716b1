"""`companion plan` from the command line."""

from pathlib import Path

import cv2
import pytest

from companion.cli import main


def test_a_plan_is_told_and_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("plan.png", "plan.pdf"):
        assert main(["plan", "--mat", "lattice", "--camera", "hq-6mm", "--to", str(tmp_path / name)]) == 0
    said = capsys.readouterr().out
    assert "High Quality Camera, 6 mm lens over the mat lattice (262 by 388 mm):" in said
    assert "set at the lens by hand" in said
    assert "not tried" in said
    picture = cv2.imread(str(tmp_path / "plan.png"))
    assert picture.std() > 20, "something is drawn"
    assert (tmp_path / "plan.pdf").read_bytes().startswith(b"%PDF")


def test_of_a_webcam_no_focus_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "--camera", "webcam:70"]) == 0
    assert "focus" not in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--camera", "webcam:170"), "is none of module3"),
        (("--camera", "fisheye"), "is none of module3"),
        (("--to", "plan.jpg"), "must end in .png or .pdf"),
        (("--to", "/no/such/folder/plan.png"), "cannot be written"),
    ],
)
def test_what_cannot_be_planned(arguments: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", *arguments]) != 0
    assert sentence in capsys.readouterr().err
