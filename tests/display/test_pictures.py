"""The command that saves a picture of every screen."""

from pathlib import Path

import pygame
import pytest

from companion.display.__main__ import main


def test_a_picture_of_every_screen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "new"), "--size", "800x480", "--only", "triplexity", "--shrink", "2"]) == 0
    found = sorted(tmp_path.glob("new/*.png"))
    assert len(found) >= 9
    assert pygame.image.load(found[0]).get_size() == (400, 240)
    assert f"{len(found)} pictures" in capsys.readouterr().out


def test_another_language(tmp_path: Path) -> None:
    assert main([str(tmp_path), "--size", "800x480", "--only", "menu", "--language", "de"]) == 0


@pytest.mark.parametrize("size", ["800", "0x5", "axb", "99999x2", "-3x4", ""])
def test_a_size_that_is_none(size: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([str(tmp_path), f"--size={size}"])
    assert "is not a size such as 800x480" in capsys.readouterr().err


def test_a_folder_that_cannot_be_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert main([str(tmp_path / "file" / "new"), "--size", "800x480"]) == 2
    assert "no folder can be made there" in capsys.readouterr().err


def test_no_folder(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "Name the folder" in capsys.readouterr().err


SHOWN = Path(__file__).parents[2] / "docs" / "screens"


def test_the_pictures_of_the_documents_are_those_of_today(tmp_path: Path) -> None:
    """With tolerance, for another FreeType. They are made by `python -m companion.display docs/screens --small`."""
    assert main([str(tmp_path), "--small"]) == 0
    made = {str(file.relative_to(tmp_path)): file for file in tmp_path.rglob("*.png")}
    assert sorted(made) == sorted(str(file.relative_to(SHOWN)) for file in SHOWN.rglob("*.png"))
    for name, file in made.items():
        assert difference(file, SHOWN / name) < TOLERANCE, name


TOLERANCE = 5.0  # of 255, in the mean over a picture


def difference(one: Path, other: Path) -> float:
    first, second = (pygame.surfarray.array3d(pygame.image.load(file)).astype(int) for file in (one, other))
    return float(abs(first - second).mean()) if first.shape == second.shape else 255.0
