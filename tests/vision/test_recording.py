"""Recordings: watched again they give the same frames; cut off, damaged, or on a full disk they say so."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np
import pytest

from vision.eye_errors import SightError
from vision.files import Folder
from vision.frames import Frame
from vision.grey import grey_of
from vision.recording import ABOUT, SAID, SIGHTINGS, STREAMS, TOLD, TRUTH, Heard, Recorder, Recording
from vision.sources import open_source

SIZE = (128, 96)
SECOND = 1_000_000_000
PROJECT = Path(__file__).resolve().parents[2]


def frame(number: int, stamp: int | None = None) -> Frame:
    noise = np.random.default_rng(number)
    picture = cv2.GaussianBlur(noise.integers(0, 255, (SIZE[1], SIZE[0], 3), np.uint8), (5, 5), 1)
    picture = np.asarray(picture, np.uint8)
    return Frame(picture, grey_of(picture), number * SECOND // 30 if stamp is None else stamp, number)


def recorded(folder: Path, frames: list[Frame], *, whole: bool = True) -> list[Frame]:
    """What was handed to whoever watched."""
    recorder = Recorder(folder, {"size": SIZE, "game": "triple3"})
    seen = [recorder.kept(one) for one in frames]
    if whole:
        recorder.close()
    recorder._shut()
    return seen


def again(folder: Path) -> list[Frame]:
    with closing(Recording(folder)) as source:
        return list(source.frames())


def assert_same(seen: list[Frame], found: list[Frame]) -> None:
    assert [(one.stamp, one.number) for one in found] == [(one.stamp, one.number) for one in seen]
    for one, other in zip(seen, found, strict=True):
        assert np.array_equal(one.picture, other.picture)
        assert np.array_equal(one.grey, other.grey)


def refusal(action: Callable[[], object]) -> str:
    with pytest.raises(SightError) as caught:
        action()
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(".")
    return str(caught.value)


# --- what is kept is what is looked at


def test_it_gives_the_same_frames_again_bit_for_bit(tmp_path: Path) -> None:
    taken = [frame(number) for number in range(4)]
    seen = recorded(tmp_path / "new", taken)
    assert_same(seen, again(tmp_path / "new"))
    assert not np.array_equal(seen[0].picture, taken[0].picture)  # it went through JPEG


def test_numbers_that_are_missing_and_stamps_that_go_back_or_repeat_stay_as_they_were(tmp_path: Path) -> None:
    odd = [frame(0, 50), frame(3, 90), frame(2, 80), frame(2, 80), frame(4, 80), frame(0, 7)]
    assert_same(recorded(tmp_path, odd), again(tmp_path))


def test_it_is_found_by_its_path_and_is_a_folder_of_pictures_too(tmp_path: Path) -> None:
    seen = recorded(tmp_path, [frame(number) for number in range(3)])
    source = open_source(str(tmp_path))
    assert isinstance(source, Recording)
    assert source.size == SIZE
    assert source.about()["frames"] == 3
    (tmp_path / ABOUT).unlink()
    plain = open_source(str(tmp_path))
    assert isinstance(plain, Folder)
    assert_same(seen, list(plain.frames()))


def test_it_says_what_it_was_told_of_the_source(tmp_path: Path) -> None:
    about = {"size": SIZE, "source": {"gain": np.float32(2.5), "path": Path("here"), "sizes": (1, 2)}}
    recorder = Recorder(tmp_path, about)
    recorder.truth({"plays": [1, 2]})
    recorder.close()
    told = json.loads((tmp_path / ABOUT).read_text())
    assert told == {
        "recording": 1,
        "size": [128, 96],
        "source": {"gain": 2.5, "path": "here", "sizes": [1, 2]},
        "frames": 0,
    }
    assert json.loads((tmp_path / TRUTH).read_text()) == {"plays": [1, 2]}


def test_what_was_said_comes_back_with_its_place_among_the_frames(tmp_path: Path) -> None:
    recorder = Recorder(tmp_path, {"size": SIZE})
    recorder.heard(-5, {"move": "go"})
    recorder.kept(frame(0))
    recorder.kept(frame(1))
    recorder.heard(77, {"move": "stop", "player": "Zoë"})
    recorder.note(TOLD, {"kind": "notice"})
    recorder.note(SIGHTINGS, {"saw": "grid"})
    recorder.close()
    assert Recording(tmp_path).said() == (
        Heard(-5, 0, {"move": "go"}),
        Heard(77, 2, {"move": "stop", "player": "Zoë"}),
    )
    assert (tmp_path / TOLD).read_text() == '{"kind":"notice"}\n'
    assert (tmp_path / SIGHTINGS).read_text() == '{"saw":"grid"}\n'


def test_closing_ends_the_frames(tmp_path: Path) -> None:
    recorded(tmp_path, [frame(number) for number in range(3)])
    source = Recording(tmp_path)
    frames = source.frames()
    next(frames)
    source.close()
    assert list(frames) == []


# --- where it cannot be made


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "holiday.jpg").write_bytes(b"sun")
    assert "has something in it" in refusal(lambda: Recorder(tmp_path, {}))
    assert [one.name for one in tmp_path.iterdir()] == ["holiday.jpg"]


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    assert "is a file" in refusal(lambda: Recorder(tmp_path / "file", {}))
    assert "cannot be recorded into" in refusal(lambda: Recorder(tmp_path / "file" / "deeper", {}))


def test_a_folder_that_cannot_be_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", no)
    says = refusal(lambda: Recorder(tmp_path / "new", {}))
    assert says == f"{tmp_path / 'new'} cannot be recorded into: Permission denied."


class _Usage(NamedTuple):
    free: int


def test_a_full_disk_ends_the_recording_and_not_the_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder(tmp_path, {"size": SIZE})
    seen = [recorder.kept(frame(0))]
    monkeypatch.setattr(shutil, "disk_usage", lambda _: _Usage(63_000_000))
    raw = frame(1)
    assert recorder.kept(raw) is raw
    assert recorder.trouble.endswith("ends here, after 1 frames: the disk is full. The match goes on.")
    monkeypatch.undo()
    assert recorder.kept(raw) is raw
    recorder.note(TOLD, {"kind": "notice"})
    recorder.close()
    assert (tmp_path / TOLD).read_bytes() == b""
    assert_after_break(tmp_path, seen, "whoever made it was stopped in the middle")


def test_a_disk_that_fills_up_within_a_picture_leaves_no_half_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recorder = Recorder(tmp_path, {"size": SIZE})
    seen = [recorder.kept(frame(0))]
    write = Path.write_bytes

    def half(path: Path, content: bytes) -> int:
        write(path, content[:100])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", half)
    recorder.kept(frame(1))
    assert "No space left on device" in recorder.trouble
    assert sorted(one.name for one in tmp_path.glob("*.jpg")) == ["0000000.jpg"]
    assert_after_break(tmp_path, seen, "stopped in the middle")


def test_lines_that_cannot_be_written_end_it_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        def write(self, content: bytes) -> int:
            return len(content) // 2

        def close(self) -> None: ...

    recorder = Recorder(tmp_path, {"size": SIZE})
    recorder._files[TOLD].close()
    monkeypatch.setitem(recorder._files, TOLD, Full())
    recorder.note(TOLD, {"kind": "notice"})
    assert "only a part" in recorder.trouble


# --- cut off, damaged


def assert_after_break(folder: Path, seen: list[Frame], why: str) -> None:
    """All frames up to the break, then one sentence."""
    collected: list[Frame] = []
    with pytest.raises(SightError) as caught:
        collected.extend(Recording(folder).frames())
    assert f"breaks off after {len(seen)} frames" in str(caught.value)
    assert why in str(caught.value)
    assert_same(seen, collected)


def test_one_that_was_not_closed_is_good_up_to_there(tmp_path: Path) -> None:
    seen = recorded(tmp_path, [frame(number) for number in range(3)], whole=False)
    assert_after_break(tmp_path, seen, "stopped in the middle")


def test_one_of_which_a_part_was_copied_says_so(tmp_path: Path) -> None:
    seen = recorded(tmp_path, [frame(number) for number in range(3)])
    lines = (tmp_path / "stamps.txt").read_text().splitlines(keepends=True)
    (tmp_path / "stamps.txt").write_text("".join(lines[:2]) + lines[2][:9])
    assert_after_break(tmp_path, seen[:2], "copied only a part")


@pytest.mark.parametrize("harm", ["gone", "half", "other", "size"])
def test_a_picture_that_is_gone_or_damaged_is_where_it_breaks_off(tmp_path: Path, harm: str) -> None:
    seen = recorded(tmp_path, [frame(number) for number in range(3)])
    path = tmp_path / "0000001.jpg"
    content = path.read_bytes()
    if harm == "gone":
        path.unlink()
    elif harm == "half":
        path.write_bytes(content[: len(content) // 2])
    elif harm == "other":
        path.write_bytes(b"not a picture")
    else:
        assert cv2.imwrite(str(path), np.zeros((48, 64, 3), np.uint8))
    assert_after_break(tmp_path, seen[:1], "0000001.jpg")


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "is damaged"),
        (b"{", "is damaged"),
        (b"\xff\xfe", "is damaged"),
        (b"[" * 100_000, "is damaged"),
        (b"[]", "does not say that this is a recording"),
        (b'{"name": "my holiday"}', "does not say that this is a recording"),
        (b'{"recording": 2, "size": [128, 96]}', "this companion knows 1"),
        (b'{"recording": 1}', "size must be"),
        (b'{"recording": 1, "size": [0, 96]}', "size must be"),
        (b'{"recording": 1, "size": "128"}', "size must be"),
    ],
)
def test_what_it_says_of_itself_may_be_damaged(tmp_path: Path, content: bytes, says: str) -> None:
    recorded(tmp_path, [frame(0)])
    (tmp_path / ABOUT).write_bytes(content)
    sentence = refusal(lambda: open_source(str(tmp_path)))
    assert says in sentence
    assert str(tmp_path) in sentence


@pytest.mark.parametrize(
    "line",
    [
        "0000000.jpg",
        "0000000.jpg x",
        "../other.jpg 5",
        "0000000.png 5",
        "0000000.jpg -5",
        "",
        "0000000.jpg 5 6",
        "\x00",
    ],
)
def test_a_line_of_stamps_that_is_none(tmp_path: Path, line: str) -> None:
    recorded(tmp_path, [frame(0)])
    with (tmp_path / "stamps.txt").open("a") as file:
        file.write(f"{line}\n")
    assert "stamps.txt, line 2: a line is NUMBER.jpg" in refusal(lambda: Recording(tmp_path))


@pytest.mark.parametrize("name", [ABOUT, "stamps.txt"])
def test_files_that_never_end_or_never_begin(tmp_path: Path, name: str) -> None:
    """Somebody hands a recording on with a link or a pipe in it."""
    recorded(tmp_path, [frame(0)])
    (tmp_path / name).unlink()
    (tmp_path / name).symlink_to("/dev/zero")
    assert "it is a device, not a file" in refusal(lambda: Recording(tmp_path))
    (tmp_path / name).unlink()
    os.mkfifo(tmp_path / name)
    assert "it is a pipe, not a file" in refusal(lambda: Recording(tmp_path))


def test_stamps_that_are_no_text(tmp_path: Path) -> None:
    recorded(tmp_path, [frame(0)])
    (tmp_path / "stamps.txt").write_bytes(b"\xff\xff")
    assert "cannot be read as text" in refusal(lambda: Recording(tmp_path))


def test_one_without_a_frame(tmp_path: Path) -> None:
    recorded(tmp_path, [], whole=False)
    assert "has no frame" in refusal(lambda: Recording(tmp_path))


@pytest.mark.parametrize("line", ["x", "[]", '{"at": 1, "after": 2}', '{"at": "1", "after": 2, "message": {}}'])
def test_what_was_said_may_be_damaged(tmp_path: Path, line: str) -> None:
    recorded(tmp_path, [frame(0)])
    (tmp_path / SAID).write_text(f"{line}\n")
    assert "said.jsonl, line 1" in refusal(Recording(tmp_path).said)


def test_of_what_was_said_a_last_line_that_is_not_whole_does_not_count(tmp_path: Path) -> None:
    recorded(tmp_path, [frame(0)])
    (tmp_path / SAID).write_text('{"at": 1, "after": 0, "message": {}}\n{"at": 1, "aft')
    assert Recording(tmp_path).said() == (Heard(1, 0, {}),)
    (tmp_path / SAID).unlink()
    assert Recording(tmp_path).said() == ()


# --- killed

_FOR_EVER = """
import sys
from pathlib import Path
from typing import NamedTuple
from tests.vision.test_recording import SIZE, frame
from vision.recording import Recorder
recorder = Recorder(Path(sys.argv[1]), {"size": SIZE})
number = 0
while True:
    recorder.kept(frame(number))
    recorder.heard(number, {"move": "stop"})
    print(number, flush=True)
    number += 1
"""


def test_one_whose_maker_was_killed_is_good_up_to_there(tmp_path: Path) -> None:
    command = [sys.executable, "-c", _FOR_EVER, str(tmp_path / "new")]
    with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as maker:
        assert maker.stdout
        told = [int(maker.stdout.readline()) for _ in range(5)]
        maker.kill()
    source = Recording(tmp_path / "new")
    found: list[int] = []
    with pytest.raises(SightError, match="breaks off"):
        found.extend(one.number for one in source.frames())
    assert found[: len(told)] == told
    assert len(source.said()) in (len(found), len(found) - 1)


def test_the_names_of_the_streams_are_those_of_the_page() -> None:
    page = (PROJECT / "docs" / "watching.md").read_text(encoding="utf-8")
    for name in (ABOUT, TRUTH, *STREAMS, "stamps.txt"):
        assert f"`{name}`" in page
