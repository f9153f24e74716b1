"""Sources by their names, and those that are files or webcams: order, stamps, and what is said when they fail."""

import os
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from vision import sources
from vision.calibration import CameraSettings, found, read_settings, took_hold, write_settings
from vision.eye_errors import SightError, SourceError
from vision.files import Clip, Folder
from vision.frames import Frame, Source
from vision.grey import grey_of, grey_size
from vision.sources import open_source


def put(path: Path, level: int, size: tuple[int, int] = (64, 36)) -> None:
    assert cv2.imwrite(str(path), np.full((size[1], size[0], 3), level, np.uint8))


def put_film(path: Path, count: int, rate: float = 25, size: tuple[int, int] = (64, 48)) -> None:
    film = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), rate, size)
    noise = np.random.default_rng(1)
    for number in range(count):
        picture = np.full((size[1], size[0], 3), 10 * number, np.uint8)
        picture[24:] = noise.integers(0, 255, picture[24:].shape)
        film.write(picture)
    film.release()


def all_of(source: Source) -> list[Frame]:
    with closing(source):
        return list(source.frames())


def level(frame: Frame) -> int:
    return round(float(frame.picture.mean()))


def refusal(action: Callable[[], object]) -> str:
    with pytest.raises(SightError) as caught:
        action()
    assert "\n" not in str(caught.value)
    return str(caught.value)


# --- The grey plane


@pytest.mark.parametrize(
    ("size", "small"),
    [
        ((1280, 720), (320, 180)),
        ((1920, 1080), (320, 180)),
        ((640, 480), (320, 240)),
        ((720, 1280), (180, 320)),
        ((4056, 3040), (320, 240)),
        ((100, 60), (100, 60)),
        ((5000, 3), (320, 2)),
    ],
)
def test_the_grey_plane_has_the_proportions_of_the_picture(size: tuple[int, int], small: tuple[int, int]) -> None:
    assert grey_size(size) == small
    assert grey_of(np.zeros((size[1], size[0], 3), np.uint8)).shape == small[::-1]


# --- Names


@pytest.mark.parametrize(
    ("name", "opened"),
    [
        ("camera", ("camera", 0)),
        ("camera:1", ("camera", 1)),
        ("webcam", ("webcam", "/dev/video0")),
        ("webcam:2", ("webcam", "/dev/video2")),
        ("/dev/video12", ("webcam", "/dev/video12")),
        ("/dev/v4l/by-id/usb-cam", ("webcam", "/dev/v4l/by-id/usb-cam")),
    ],
)
def test_a_name_opens_what_it_says(name: str, opened: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        sources,
        "CameraApart",
        lambda wanted: ("webcam", wanted.device) if wanted.device else ("camera", wanted.camera),
    )
    assert open_source(name) == opened


@pytest.mark.parametrize("name", ["", "camera:", "camera:one", "camera:-1", "webcam:0x1", "a\0b", "camera:0\n"])
def test_a_name_that_is_none(name: str) -> None:
    assert "webcam:0" in refusal(lambda: open_source(name))


def test_a_path_that_leads_nowhere(tmp_path: Path) -> None:
    assert "There is no file or folder" in refusal(lambda: open_source(str(tmp_path / "x")))
    os.mkfifo(tmp_path / "pipe")
    assert "neither a film nor a folder" in refusal(lambda: open_source(str(tmp_path / "pipe")))
    (tmp_path / "text").write_text("no film")
    assert "not a film or a picture" in refusal(lambda: open_source(str(tmp_path / "text")))
    (tmp_path / "empty.mp4").touch()
    assert "is empty" in refusal(lambda: open_source(str(tmp_path / "empty.mp4")))


# --- Pictures


def test_a_folder_counts_stamps_where_nothing_tells(tmp_path: Path) -> None:
    for number in (10, 9, 1):
        put(tmp_path / f"frame{number}.png", number)
    (tmp_path / "notes.txt").write_text("not a picture")
    put(tmp_path / ".hidden.png", 99, (2, 2))
    frames = all_of(open_source(str(tmp_path)))
    assert [level(frame) for frame in frames] == [1, 9, 10]
    assert [(frame.number, frame.stamp) for frame in frames] == [(0, 0), (1, 33333333), (2, 66666667)]
    assert frames[0].picture.shape == (36, 64, 3)
    assert frames[0].grey.tolist() == np.full((36, 64), 1).tolist()


def test_a_folder_with_stamps_in_the_names(tmp_path: Path) -> None:
    for name, value in (("a@3000.png", 3), ("b@1000.png", 1), ("c@2000.jpg", 2)):
        put(tmp_path / name, value)
    assert [(level(frame), frame.stamp) for frame in all_of(open_source(str(tmp_path)))] == [
        (1, 1000),
        (2, 2000),
        (3, 3000),
    ]


def test_a_folder_with_a_list_of_stamps(tmp_path: Path) -> None:
    put(tmp_path / "with space.png", 2)
    put(tmp_path / "b.png", 1)
    put(tmp_path / "left out.png", 3)
    (tmp_path / "stamps.txt").write_text("with space.png 2000\n\nb.png 1000\n")
    source = open_source(str(tmp_path))
    assert source.about()["stamps"] == "of the list"
    assert [(level(frame), frame.stamp) for frame in all_of(source)] == [(1, 1000), (2, 2000)]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a.png", "line 1: a line is"),
        ("a.png 1\na.png -2", "line 2: a line is"),
        ("a.png 1\nc.png 2", "line 2: there is no picture 'c.png'"),
        ("a.png 7\nb.png 7", "the same stamp, 7"),
        ("\n", "lists no picture"),
    ],
)
def test_a_list_of_stamps_that_is_wrong(tmp_path: Path, text: str, says: str) -> None:
    put(tmp_path / "a.png", 1)
    put(tmp_path / "b.png", 1)
    (tmp_path / "stamps.txt").write_text(text)
    assert says in refusal(lambda: open_source(str(tmp_path)))
    (tmp_path / "stamps.txt").write_bytes(b"\xff\xfe")
    assert "cannot be read as text" in refusal(lambda: open_source(str(tmp_path)))


def test_a_folder_that_cannot_be_used(tmp_path: Path) -> None:
    assert "no picture in the folder" in refusal(lambda: open_source(str(tmp_path)))
    put(tmp_path / "1.png", 1)
    put(tmp_path / "2.png", 1, (32, 36))
    source = Folder(tmp_path)
    frames = source.frames()
    next(frames)
    assert "2.png is 32 × 36, and the pictures before it are 64 × 36" in refusal(lambda: next(frames))
    (tmp_path / "1.png").write_bytes(b"")
    assert "1.png is empty" in refusal(lambda: open_source(str(tmp_path)))


def test_one_picture_is_one_frame(tmp_path: Path) -> None:
    put(tmp_path / "table.png", 50)
    (tmp_path / "table").write_bytes((tmp_path / "table.png").read_bytes())
    for name in ("table.png", "table"):
        (frame,) = all_of(open_source(str(tmp_path / name)))
        assert (level(frame), frame.number) == (50, 0)


def test_a_closed_folder_ends(tmp_path: Path) -> None:
    for number in range(3):
        put(tmp_path / f"{number}.png", number)
    source = Folder(tmp_path)
    frames = source.frames()
    next(frames)
    source.close()
    assert list(frames) == []


# --- Films


def test_a_film_tells_when_its_frames_were(tmp_path: Path) -> None:
    put_film(tmp_path / "film.avi", 5)
    source = open_source(str(tmp_path / "film.avi"))
    assert source.size == (64, 48)
    assert source.about()["frames"] == 5
    frames = all_of(source)
    assert [round(float(frame.picture[:16].mean()) / 10) for frame in frames] == [0, 1, 2, 3, 4]
    assert [(frame.number, round(frame.stamp / 1e6)) for frame in frames] == [(n, 40 * n) for n in range(5)]
    assert frames[0].grey.shape == (48, 64)


def test_a_film_that_breaks_off_gives_what_it_has(tmp_path: Path) -> None:
    put_film(tmp_path / "whole.avi", 20)
    data = (tmp_path / "whole.avi").read_bytes()
    (tmp_path / "part.avi").write_bytes(data[: len(data) // 2])
    with closing(Clip(tmp_path / "part.avi")) as source:
        frames = source.frames()
        assert [next(frames).number for _ in range(5)] == [0, 1, 2, 3, 4]
        with pytest.raises(SourceError, match=r"breaks off: it has \d+ frames of 20\."):
            list(frames)


def test_a_closed_film_ends(tmp_path: Path) -> None:
    put_film(tmp_path / "film.avi", 20)
    source = open_source(str(tmp_path / "film.avi"))
    frames = source.frames()
    next(frames)
    source.close()
    assert list(frames) == []


# --- Calibration

RESTLESS = [
    {"ExposureTime": 1000 * n, "AnalogueGain": 1.0, "ColourGains": (1.0, 1.0), "AfState": 1} for n in range(1, 9)
]
STEADY = {"ExposureTime": 20_000, "AnalogueGain": 2.0, "ColourGains": (1.5, 1.7), "LensPosition": 2.1, "AfState": 2}


def test_settings_are_what_the_camera_comes_to_rest_at() -> None:
    assert found([*RESTLESS, *[STEADY] * 8]) == CameraSettings(20_000, 2.0, (1.5, 1.7), 2.1)


def test_settings_of_a_camera_that_has_little_to_set() -> None:
    assert found([{}] * 8) == CameraSettings()
    assert CameraSettings().controls() == {}


@pytest.mark.parametrize(
    "change",
    [
        {"ExposureTime": 21_000},
        {"AnalogueGain": 2.1},
        {"ColourGains": (1.5, 1.8)},
        {"LensPosition": 2.3},
        {"AfState": 1},
    ],
)
def test_one_restless_thing_is_enough(change: dict[str, Any]) -> None:
    assert "does not come to rest" in refusal(lambda: found([STEADY, {**STEADY, **change}] * 200))


def test_light_is_steady_if_gain_makes_up_for_exposure() -> None:
    assert found([STEADY, {**STEADY, "ExposureTime": 10_000, "AnalogueGain": 4.0}] * 4).colours == (1.5, 1.7)


def test_settings_take_hold_when_the_frame_says_so() -> None:
    settings = CameraSettings(20_000, 2.0, (1.5, 1.7), 2.1)
    assert took_hold(settings, STEADY)
    assert took_hold(settings, {**STEADY, "ExposureTime": 19_950, "AnalogueGain": 1.95})
    assert took_hold(settings, {})
    for change in ({"ExposureTime": 19_000}, {"AnalogueGain": 2.2}, {"ColourGains": (1.5, 1.6)}, {"LensPosition": 1.9}):
        assert not took_hold(settings, {**STEADY, **change}), change


def test_settings_are_kept(tmp_path: Path) -> None:
    for settings in (CameraSettings(), CameraSettings(20_000, 2.0, (1.5, 1.7), 2.1)):
        write_settings(tmp_path / "camera.json", settings)
        assert read_settings(tmp_path / "camera.json") == settings
    assert [path.name for path in tmp_path.iterdir()] == ["camera.json"]


@pytest.mark.parametrize(
    "text",
    [
        "", "{", "[]", "null", "{}", "[" * 4000,
        '{"exposure": 0, "gain": null, "colours": null, "lens": null}',
        '{"exposure": NaN, "gain": null, "colours": null, "lens": null}',
        '{"exposure": true, "gain": null, "colours": null, "lens": null}',
        '{"exposure": null, "gain": "2", "colours": null, "lens": null}',
        '{"exposure": null, "gain": null, "colours": [1], "lens": null}',
        '{"exposure": null, "gain": null, "colours": 3, "lens": null}',
        '{"exposure": null, "gain": null, "colours": null, "lens": null, "more": 1}',
    ],
)  # fmt: skip
def test_settings_that_are_none(tmp_path: Path, text: str) -> None:
    path = tmp_path / "camera.json"
    path.write_text(text)
    assert "find them anew" in refusal(lambda: read_settings(path))


def test_settings_that_cannot_be_kept(tmp_path: Path) -> None:
    assert "cannot be read" in refusal(lambda: read_settings(tmp_path / "camera.json"))
    assert "cannot be kept" in refusal(lambda: write_settings(tmp_path / "no" / "camera.json", CameraSettings()))
