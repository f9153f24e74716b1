"""The doctor of the eye: it notices what is wrong, says what to do, and says nothing of what is well."""

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision import laid
from tests.vision.laid import Camera, Shot, seen, some_cards
from vision import picture_doctor as doctor
from vision.deck import CARDS, STATES
from vision.eye_errors import SourceError
from vision.frames import Frame, Picture
from vision.locate import TableView
from vision.mat import SMALL
from vision.picture_doctor import (
    SELFTEST,
    PictureLook,
    Watched,
    advice,
    blur_of,
    distance,
    examine_reader,
    look_at,
    stored_truth,
    watch,
)
from vision.reader import Reading
from vision.runtime import CARD, FOLDER

MODULE_3 = {"kind": "camera", "name": "imx708"}


@pytest.fixture(scope="module")
def shot() -> Shot:
    """A table as it should be."""
    dice = np.random.default_rng(7)
    return seen(some_cards(dice), dice, Camera(blur=0.5, noise=2))


@pytest.fixture(scope="module")
def good(shot: Shot) -> PictureLook:
    return look_at(np.asarray(np.clip(shot.picture * 1.2, 0, 255), np.uint8), None)


def said(look: PictureLook, **about: Any) -> list[str]:
    return list(advice(Watched({"kind": "pictures", **about}, (look,), 1)))


def look_through(picture: Picture) -> list[str]:
    return said(look_at(picture, None))


# --- what is well ----------------------------------------------------------------------------------------------


def test_of_a_good_picture_there_is_nothing_to_say(good: PictureLook) -> None:
    assert said(good) == []
    assert good.table
    assert good.marker == pytest.approx(good.cell * SMALL.marker_side / SMALL.sight)
    assert len(good.blur) == len(good.light) == len(good.burnt) == 9


# --- focus -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("sigma", [1.5, 2.0, 3.0])
@pytest.mark.parametrize("contrast", [60, 180])
def test_blur_is_measured_in_pixels(sigma: float, contrast: int) -> None:
    square = np.full((96, 96), 40.0, np.float32)
    square[20:76, 20:76] += contrast
    dice = np.random.default_rng(1)
    seen_soft = cv2.GaussianBlur(square, (0, 0), sigma) + dice.normal(0, 2, square.shape)
    assert blur_of(seen_soft) == pytest.approx(sigma, rel=0.25)


def test_where_there_is_no_edge_blur_is_not_known() -> None:
    dice = np.random.default_rng(2)
    assert blur_of(dice.normal(128, 4, (96, 96))) is None
    assert blur_of(np.zeros((96, 96), np.uint8)) is None


def test_a_blurred_picture_is_to_be_focused(shot: Shot) -> None:
    soft = np.asarray(cv2.GaussianBlur(shot.picture, (0, 0), 5), np.uint8)
    look = look_at(soft, None)
    sharp = look_at(shot.picture, None)
    assert _softest(look) > doctor.BLURRED > _softest(sharp)
    (sentence,) = [one for one in said(look) if "blurred" in one]
    assert sentence == "The picture is blurred: focus on the table, and let nothing shake the camera."


def _softest(look: PictureLook) -> float:
    return max(blur for blur in look.blur if blur is not None)


def test_blurred_on_one_side(good: PictureLook) -> None:
    blur = tuple(3.0 if at % 3 == 0 else 1.0 for at in range(9))
    (sentence,) = said(replace(good, blur=blur), **MODULE_3)
    assert sentence.startswith("The picture is blurred at the left: set the focus to 0.")
    (sentence,) = said(replace(good, blur=(1.0, 1.0, 1.0, 1.0, 3.0, None, 1.0, 1.0, 1.0)))
    assert sentence.startswith("The picture is blurred at cell 5: ")


def test_how_far_away_the_mat_is(good: PictureLook) -> None:
    """From above and as large as a camera that sees 66 degrees shows it at 45 cm."""
    focal = 640 / np.tan(np.radians(33))
    side = focal * SMALL.sight / 450
    square = np.array(((0, 0), (side, 0), (side, side), (0, side)), np.float32)
    look = replace(good, size=(1280, 720), table=TableView(np.stack([square] * 9), "markers", SMALL), blur=(3.0,) * 9)
    assert distance(look, MODULE_3) == pytest.approx(0.45, abs=0.001)
    assert distance(look, {**MODULE_3, "mode": {"seen": 2 / 3}}) == pytest.approx(0.675, abs=0.001)
    assert distance(look, {"name": "webcam"}) is None
    assert said(look, **MODULE_3) == ["The picture is blurred: set the focus to 0.45 m (LensPosition 2.2)."]
    (sentence,) = said(look, **MODULE_3, metadata={"LensPosition": 2.3})
    assert "focused at the right distance" in sentence


def at_distance(good: PictureLook, metres: float, marker: float | None = None) -> PictureLook:
    """As a camera that sees 66 degrees shows the small mat from straight above."""
    side = 640 / np.tan(np.radians(33)) * SMALL.sight / (1000 * metres)
    square = np.array(((0, 0), (side, 0), (side, side), (0, side)), np.float32)
    table = TableView(np.stack([square] * 9), "markers", SMALL)
    return replace(
        good, size=(1280, 720), table=table, cell=side, marker=marker or side / SMALL.sight * SMALL.marker_side
    )


def test_a_camera_that_is_too_near_is_put_higher(good: PictureLook) -> None:
    assert said(at_distance(good, 0.26), **MODULE_3) == [
        "The camera is too near for the whole mat: put it 5 cm higher, 31 cm above the mat."
    ]
    assert said(at_distance(good, 0.32), **MODULE_3) == []


def test_a_camera_that_is_too_far_is_brought_nearer_by_so_much(good: PictureLook) -> None:
    (sentence,) = said(at_distance(good, 0.95), **MODULE_3)
    assert sentence.endswith("bring the camera nearer by 14 cm.")


# --- size ------------------------------------------------------------------------------------------------------


def test_markers_that_are_too_small(good: PictureLook) -> None:
    assert said(replace(good, marker=18.2, cell=46.0)) == [
        "Markers are 18 pixels wide, 24 are wanted: bring the camera nearer."
    ]


def test_cells_that_are_too_small(good: PictureLook) -> None:
    assert said(replace(good, marker=None, cell=60.0)) == [
        "Cells are 60 pixels wide, 80 are wanted: bring the camera nearer."
    ]


# --- light -----------------------------------------------------------------------------------------------------


def test_a_dark_picture(shot: Shot) -> None:
    (sentence,) = look_through(np.asarray(shot.picture * 0.3, np.uint8))
    assert sentence.startswith("It is dark, white paper is ")


def test_an_overexposed_picture(good: PictureLook) -> None:
    assert said(replace(good, burnt=(0.7,) * 9)) == [
        "White paper is burnt out: expose for a shorter time, or dim the light."
    ]


def test_glare_is_found_where_it_is(shot: Shot) -> None:
    glaring = shot.picture.copy()
    x, y = shot.cells[2].mean(0)
    cv2.circle(glaring, (round(float(x)), round(float(y))), 30, (255, 255, 255), -1)
    assert "There is glare at the top right: move the lamp, or tilt the camera a little." in look_through(glaring)


def test_light_from_one_side(good: PictureLook) -> None:
    light = tuple((200.0, 150.0, 80.0)[at // 3] for at in range(9))
    assert said(replace(good, light=light)) == [
        "The light is uneven, it is dim at the bottom: light the table from another side too."
    ]


@pytest.mark.parametrize(
    ("gains", "colour"),
    [((0.5, 0.8, 1.0), "orange"), ((1.0, 0.8, 0.6), "blue"), ((0.75, 1.0, 0.75), "green"), ((1.0, 0.72, 1.0), "pink")],
)
def test_a_colour_cast(shot: Shot, gains: tuple[float, float, float], colour: str) -> None:
    (sentence,) = look_through(np.asarray(shot.picture * np.array(gains), np.uint8))
    assert sentence.startswith(f"White looks {colour}: ")


# --- what cannot be read, and no table at all ------------------------------------------------------------------


def test_cells_that_are_spoilt_alike_are_said_together(good: PictureLook) -> None:
    def of(cell: int) -> Reading:
        if cell in (2, 5, 6):
            return Reading(cell, "unclear", None, 0.5, "glare hides a part of it: 1 or 2?")
        return Reading(cell, "unclear", None, 0.5, "it is blurred") if cell == 9 else Reading(cell, "empty", None, 0.9)

    look = replace(good, readings=tuple(map(of, range(1, 10))))
    assert look.readable == 5
    assert said(look) == [
        "Cells 2, 5 and 6 cannot be read: glare hides a part of it: 1 or 2?",
        "Cell 9 cannot be read: it is blurred.",
    ]


def test_nothing_can_be_read(good: PictureLook) -> None:
    look = replace(good, readings=tuple(Reading(at, "unclear", None, 0.5, "it is too dark") for at in range(1, 10)))
    assert said(look) == ["No cell can be read: it is too dark."]


def test_no_table() -> None:
    dice = np.random.default_rng(3)
    empty = dice.integers(100, 120, (480, 640, 3)).astype(np.uint8)
    look = look_at(empty, None)
    assert look.table is None
    assert said(look) == [look.missing]
    dark = look_through(np.asarray(empty // 4, np.uint8))
    assert len(dark) == 2
    assert dark[1].startswith("The picture is dark")


def test_a_covered_marker_is_said() -> None:
    dice = np.random.default_rng(8)
    covered = seen(some_cards(dice), dice, covered=(3,))
    assert "I see 3 of 4 markers; the bottom left one is covered or cannot be made out." in look_through(
        covered.picture
    )


# --- a camera --------------------------------------------------------------------------------------------------


def frames(pictures: list[Picture], every: int = 33_000_000, lose: int = 0) -> Iterator[Frame]:
    number = 0
    while True:
        yield Frame(pictures[number % len(pictures)], np.zeros((180, 320), np.uint8), 10**12 + number * every, number)
        number += 2 if number < lose else 1


def watched(monkeypatch: pytest.MonkeyPatch, looks: list[PictureLook], kind: str = "camera", **how: int) -> Watched:
    given = iter(looks * 50)
    monkeypatch.setattr(doctor, "look_at", lambda *_: next(given))
    return watch(frames([np.zeros((720, 1280, 3), np.uint8)], **how), lambda: {"kind": kind}, None)


def test_the_pace_is_of_the_stamps(monkeypatch: pytest.MonkeyPatch, good: PictureLook) -> None:
    found = watched(monkeypatch, [good], every=40_000_000)
    assert found.rate == pytest.approx(25)
    assert (found.frames, found.lost, len(found.looks)) == (doctor.FRAMES, 0, doctor.LOOKS)
    assert list(advice(found)) == []


def test_lost_frames_are_counted(monkeypatch: pytest.MonkeyPatch, good: PictureLook) -> None:
    assert watched(monkeypatch, [good], lose=6).lost == 3


def test_few_frames_and_a_flickering_light(monkeypatch: pytest.MonkeyPatch, good: PictureLook) -> None:
    dimmer = replace(good, light=tuple(light * 0.9 for light in good.light))
    slow, flickering = advice(watched(monkeypatch, [good, dimmer], every=100_000_000))
    assert slow.startswith("10.0 frames a second are few, 12 are wanted")
    assert flickering.startswith("The light flickers")


def test_stored_pictures_have_no_pace(monkeypatch: pytest.MonkeyPatch, good: PictureLook) -> None:
    dimmer = replace(good, light=tuple(light * 0.8 for light in good.light))
    found = watched(monkeypatch, [good, dimmer], "pictures")
    assert found.rate is None
    assert list(advice(found)) == []


def test_a_source_without_pictures() -> None:
    with pytest.raises(SourceError, match=r"film\.mp4 has no picture that could be looked at\."):
        watch([], lambda: {"kind": "film", "name": "film.mp4"}, None)


def test_a_picture_that_is_too_small() -> None:
    look = look_at(np.zeros((40, 60, 3), np.uint8), None)
    assert look.table is None
    assert look.missing.endswith(".")


def test_neither_the_best_nor_the_worst_look_is_told(monkeypatch: pytest.MonkeyPatch, good: PictureLook) -> None:
    def read(cells: int) -> PictureLook:
        state = ["card" if at < cells else "unclear" for at in range(9)]
        return replace(good, readings=tuple(Reading(at + 1, state[at], None, 0.9, "it is blurred") for at in range(9)))  # type: ignore[arg-type]

    assert watched(monkeypatch, [read(cells) for cells in (9, 0, 7, 8, 9)]).look.readable == 8


# --- the reader ------------------------------------------------------------------------------------------------


def test_the_reader_is_well() -> None:
    found = examine_reader()
    assert found.is_well, found.advice
    assert found.advice == []
    assert found.chosen in {file.name for file in found.files}
    assert all(file.micros and file.size and not file.wrong for file in found.files)
    assert {trial.name for trial in found.trials} == set(stored_truth())
    assert found.version[0].isdigit()


def test_a_damaged_file_is_named_and_the_others_are_still_looked_at(tmp_path: Path) -> None:
    folder = Path(shutil.copytree(FOLDER, tmp_path / "models"))
    card = json.loads((folder / CARD).read_text(encoding="utf-8"))
    damaged, *whole = [str(name) for name in card["files"] | card["closer"]["files"]]
    (folder / damaged).write_bytes(b"no model")
    found = examine_reader(folder)
    assert not found.is_well
    assert len(found.advice) == 1
    assert damaged in found.advice[0]
    assert {file.name: bool(file.micros) for file in found.files} == {damaged: False} | dict.fromkeys(whole, True)


def test_without_models(tmp_path: Path) -> None:
    found = examine_reader(tmp_path)
    assert not found.is_well
    assert len(found.advice) == 1
    assert str(tmp_path / CARD) in found.advice[0]


def test_without_stored_pictures(tmp_path: Path) -> None:
    found = examine_reader(stored=tmp_path)
    assert not found.is_well
    assert found.advice == [f"The pictures of the self-test are missing in {tmp_path}: install the companion again."]


def test_a_wrong_reading_is_told(tmp_path: Path) -> None:
    stored = Path(shutil.copytree(SELFTEST, tmp_path / "selftest"))
    truth = stored_truth(stored)
    name = next(iter(truth))
    old = truth[name][4]
    truth[name][4] = next(card for card in CARDS if card not in truth[name])
    (stored / doctor.TRUTH).write_text(json.dumps({name: truth[name]}), encoding="utf-8")
    found = examine_reader(stored=stored)
    assert not found.is_well
    assert found.advice == [f"{name}: cell 5 was read as {old} and is {truth[name][4]}."]


def test_stored_pictures_are_few_small_and_known() -> None:
    truth = stored_truth()
    assert {path.name for path in SELFTEST.iterdir()} == {doctor.TRUTH, *truth}
    assert sum(path.stat().st_size for path in SELFTEST.iterdir()) <= 300_000
    for names in truth.values():
        assert len(names) == 9
        assert set(names) <= {*CARDS, *STATES}


def test_stored_pictures_can_be_made_again() -> None:
    made = laid.stored_shots()
    assert {name: list(shot.truth) for name, shot in made.items()} == stored_truth()
