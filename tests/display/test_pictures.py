"""The command that saves a picture of every screen."""

from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pygame
import pytest

from companion.display.layout import Size
from companion.display.scene import Button
from companion.display.theme import theme
from tests.amounts import amounts
from tests.display.pictures import are_apart, inside, lettered, part, pixels, small, tiles_of
from tools.gallery.__main__ import SMALL, PictureMade, main


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


SHORT = ((800, 480),)  # the smallest; test_scenes.py looks at each of them
SHOWN = Path(__file__).parents[2] / "docs" / "screens"
REMEDY = "`make` them anew with `python -m tools.gallery docs/screens --small`, and look at them."


@pytest.mark.parametrize(
    "size", [pytest.param(size, marks=[] if size in SHORT else pytest.mark.long) for size in SMALL]
)
def test_the_pictures_of_the_documents_are_those_of_today(size: Size) -> None:
    """With a tolerance for the letters of another FreeType. No two states look the same."""
    names, wrong, alike = [], [], Counter[tuple[object, ...]]()
    for made in small(size=[size]):
        names.append(made.file.as_posix())
        alike[made.file.parent, made.scene.size, made.surface.get_buffer().raw] += 1
        file = SHOWN / made.file
        if file.exists() and are_apart(pixels(made.surface), pixels(pygame.image.load(file)), lettered(made)):
            wrong.append(made.file.as_posix())
    assert max(alike.values()) == 1
    assert sorted(names) == sorted(shown(size)), REMEDY
    assert wrong == [], REMEDY


def test_no_picture_of_the_documents_is_of_another_size() -> None:
    of_sizes = [name for size in SMALL for name in shown(size)]
    assert sorted(of_sizes) == sorted(file.relative_to(SHOWN).as_posix() for file in SHOWN.rglob("*.png")), REMEDY


def shown(size: Size) -> list[str]:
    """The files of the documents of a size."""
    return [file.relative_to(SHOWN).as_posix() for file in SHOWN.rglob(f"*-{size[0]}x{size[1]}.png")]


@pytest.fixture(scope="module")
def states() -> list[PictureMade]:
    """Every named state at the size of the smallest screen."""
    return list(small(small=False, size=[(800, 480)], shrink=2))


def test_no_two_named_states_share_a_picture(states: list[PictureMade]) -> None:
    names: dict[bytes, list[str]] = defaultdict(list)
    for made in states:
        names[made.surface.get_buffer().raw].append(made.file.name)
    assert [found for found in names.values() if len(found) > 1] == []


@amounts("apart", 3, 1)
def test_a_button_that_is_blanked_is_noticed(states: list[PictureMade], apart: int) -> None:
    """Any button, alive or dead, of any named state."""
    ground = theme("dark")["ground"]
    unnoticed = []
    for made in states[::apart]:
        shown, letters = pixels(made.surface), lettered(made)
        for button in (item for item in made.scene.all() if item.intent or isinstance(item, Button)):
            around = tiles_of(part(button.box, made.shrink))
            blank = shown[around].copy()
            blank[inside(part(button.box, made.shrink), around)] = ground
            if not are_apart(blank, shown[around], letters[around]):
                unnoticed.append((made.file.name, button))
    assert unnoticed == []


@amounts("apart", 3, 1)
def test_two_pictures_that_are_swapped_are_noticed(states: list[PictureMade], apart: int) -> None:
    """Each with the one that is most like it."""
    shown = [pixels(made.surface) for made in states]
    coarse = np.array([one.reshape(25, 16, 15, 16, 3).mean(axis=(1, 3)).ravel() for one in shown])
    for number in range(0, len(states), apart):
        made = states[number]
        away = abs(coarse - coarse[number]).max(axis=1)
        away[number] = np.inf
        nearest = int(away.argmin())
        assert are_apart(shown[number], shown[nearest], lettered(made)), (made.file.name, states[nearest].file.name)
