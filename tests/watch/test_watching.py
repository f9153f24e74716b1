"""The loop: frames and messages in their order, what is kept of them, and what is said when a source fails."""

import json
import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, make_dataclass
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from companion.core.codec import read
from companion.core.replies import NoticeReply, Reply
from companion.core.requests import Message, Request, Touch
from companion.core.wire import reply_plain
from companion.inputs.inbox import Inbox
from companion.inputs.line_source import LineSource
from companion.inputs.presses import Meant, Noted
from companion.watch.sighting_text import Line
from companion.watch.watch_loop import IN_VAIN, PATIENCE, FileLoop, LiveLoop, Watch, news_plain
from companion.watch.watch_sources import Showing, TimedMessage
from tests.watched import SECOND, Eye, Film, at, frame, table_seen
from vision.eye_errors import NoTableError, SourceError
from vision.frames import Frame
from vision.recording import Recorder, Recording
from vision.sightings import Sighting, TableLost

Told = dict[str, Any]  # a message, or what is told as JSON
SOON = 5.0


def echo(kind: str, **facts: Any) -> Reply:
    """A reply of a kind that only these tests know."""
    fields = [(name, Any) for name in facts]
    made = make_dataclass(kind, fields, bases=(Reply,), frozen=True, namespace={"kind": kind})
    found: Reply = made(**facts)
    return found


@dataclass(frozen=True, slots=True)
class Shout(Request):
    """Something to say that only these tests know."""

    word: ClassVar[str] = "shout"
    say: str = ""


def shout(data: Any) -> Message:
    if isinstance(data, dict) and data.get("do") == Touch.word:
        return read(Touch, {"key": data["key"]})
    return read(Shout, {key: value for key, value in data.items() if key != "do"} if isinstance(data, dict) else data)


def typed(source: int) -> LineSource:
    return LineSource(source, shout)


class Parrot:
    """Repeats what it hears, and tells each sighting's name."""

    def saw(self, seen: list[Sighting], shown: Frame) -> Iterator[Reply]:
        for one in seen:
            yield echo(type(one).__name__, frame=shown.number)

    def heard(self, message: Message) -> Iterator[Reply]:
        assert isinstance(message, Shout)
        yield echo("heard", said=message.say, at=message.at)

    def gone(self, stamp: int, why: str) -> Iterator[Reply]:
        yield echo("gone", at=stamp, why=why)

    def back(self, stamp: int) -> Iterator[Reply]:
        yield echo("back", at=stamp)


class Table:
    """A watch, and what it has told so far."""

    def __init__(self, seen: dict[int, list[Sighting]] | None = None, recorder: Recorder | None = None) -> None:
        self.told: list[Told] = []
        eye: Any = Eye(seen if seen is not None else {0: [table_seen()]})
        self.watch = Watch(eye, Parrot(), self._tell, recorder)

    def _tell(self, news: Line | Reply, _stamp: int) -> None:
        self.told.append(news_plain(news))

    @property
    def kinds(self) -> list[str]:
        return [one["kind"] for one in self.told]


@pytest.fixture
def mouth() -> Iterator[Callable[[str], int]]:
    """Says lines into a pipe, and hands over the end to listen at."""
    ends: list[int] = []

    def say(text: str, *, closed: bool = True) -> int:
        ear, end = os.pipe()
        os.write(end, text.encode())
        ends.append(ear)
        if closed:
            os.close(end)
        else:
            ends.append(end)
        return ear

    yield say
    for end in ends:
        os.close(end)


def reel(
    table: Table,
    mouth: Callable[..., int],
    *shown: Frame | Exception,
    said: str = "",
    cues: tuple[TimedMessage, ...] = (),
) -> Film:
    film = Film(*shown)
    FileLoop(table.watch, Showing("film", film, cues=cues), typed(mouth(said))).run()
    return film


def heard(table: Table) -> list[tuple[str, int]]:
    return [(one["said"], one["at"]) for one in table.told if one["kind"] == "heard"]


# --- files


def test_time_is_what_the_frames_say(mouth: Callable[..., int]) -> None:
    table = Table({0: [table_seen()], 2: [table_seen(2)]})
    reel(table, mouth, frame(0), frame(1), frame(2))
    assert table.kinds == ["TableSeen", "TableSeen"]
    assert table.watch.clock == at(2)
    assert table.watch.frames == 3


def test_what_a_script_says_comes_at_its_stamp(mouth: Callable[..., int]) -> None:
    table = Table({number: [table_seen(number)] for number in range(4)})
    cues = (
        TimedMessage({"say": "go"}, at(1)),
        TimedMessage({"say": "stop"}, at(1) + 1),
        TimedMessage({"say": "on"}, at(9)),
    )
    reel(table, mouth, *map(frame, range(4)), cues=cues)
    assert [one.get("said") or one["frame"] for one in table.told] == [0, 1, "go", "stop", 2, 3, "on"]
    assert heard(table) == [("go", at(1)), ("stop", at(1) + 1), ("on", at(9))]


def test_what_was_recorded_comes_at_its_place(mouth: Callable[..., int]) -> None:
    table = Table({number: [table_seen(number)] for number in range(3)})
    cues = (
        TimedMessage({"say": "first"}, 5, after=0),
        TimedMessage({"say": "late"}, 7, after=2),
        TimedMessage({"say": "last"}, 1, after=3),
    )
    reel(table, mouth, *map(frame, range(3)), cues=cues)
    assert [one.get("said") or one["frame"] for one in table.told] == ["first", 0, 1, "late", 2, "last"]


def test_what_is_typed_has_the_newest_stamp_or_waits_for_its_own(mouth: Callable[..., int]) -> None:
    table = Table()
    said = (
        f'{{"say":"now"}}\n{{"say":"later","at":{at(2)}}}\n{{"say":"never","at":{at(99)}}}\n{{"say":"old","at":-5}}\n'
    )
    reel(table, mouth, *map(frame, range(4)), said=said)
    assert heard(table) == [("now", 0), ("old", -5), ("later", at(2)), ("never", at(99))]


def test_whatever_its_stamp_is_nothing_that_is_said_is_lost(mouth: Callable[..., int]) -> None:
    table = Table()
    reel(table, mouth, *map(frame, range(2)), said=f'{{"say":"far","at":{2**62 + 1}}}\n')
    assert heard(table) == [("far", 2**62 + 1)]


def test_what_is_typed_is_answered_line_by_line(mouth: Callable[..., int]) -> None:
    table = Table()
    reel(table, mouth, frame(0), said='{"say":"one"}\n{"sing":1}\n{"say":"two"}\n')
    assert [one.get("said", "wrong") for one in table.told if one["kind"] != "TableSeen"] == ["one", "wrong", "two"]


def test_a_cue_that_is_no_message_is_told_at_its_stamp_and_again_when_it_was_recorded(
    tmp_path: Path, mouth: Callable[..., int]
) -> None:
    table, recorder = recorded(tmp_path)
    cues = (TimedMessage({"say": "go"}, at(0)), TimedMessage({"sing": 1, "id": "s"}, at(1)))
    reel(table, mouth, *map(frame, range(3)), cues=cues)
    recorder.close()
    assert [(one["kind"], one.get("re")) for one in table.told[1:3]] == [("heard", None), ("error", "s")]
    again = Table({0: [table_seen()], 2: [table_seen(2)]})
    said = tuple(TimedMessage(one.message, one.at, one.after) for one in Recording(tmp_path).said())
    reel(again, mouth, *map(frame, range(3)), cues=said)
    assert again.told == table.told


def test_lines_that_are_no_messages_are_errors_and_nothing_else(tmp_path: Path) -> None:
    table = Table()
    lines = [
        "",
        "hello",
        "[]",
        '{"say":"well","at":1.5}',
        '{"at":1,"at":2}',
        "\xff" * 3,
        "x" * 70_000,
        '{"say":"last"}',
    ]
    path = tmp_path / "typed"
    path.write_bytes("\n".join(lines).encode("latin-1"))
    with path.open("rb") as kept:
        FileLoop(table.watch, Showing("film", Film(*map(frame, range(5)))), typed(kept.fileno())).run()
    errors = [one["sentence"] for one in table.told if one["kind"] == "error"]
    assert len(errors) == 6
    assert "longer than 65536 bytes" in errors[-1]
    assert table.watch.errors == 6
    assert heard(table)[-1] == ("last", 0)


@pytest.mark.parametrize("frames", [1, 5])
def test_a_film_without_a_table_is_one_sentence(mouth: Callable[..., int], frames: int) -> None:
    table = Table({0: [TableLost(0, 0, "I see no marker; lay the mat into the picture.")]})
    with pytest.raises(NoTableError, match=r"^film shows no table in 0\.\d s: I see no marker; lay the mat .*\.$"):
        reel(table, mouth, *map(frame, range(frames)))


def test_a_long_film_without_a_table_is_given_up_after_a_sensible_while(mouth: Callable[..., int]) -> None:
    table = Table({})
    frames = [frame(number, number * SECOND) for number in range(100)]
    with pytest.raises(NoTableError, match=r"^film shows no table in 10\.0 s: there is none\.$"):
        reel(table, mouth, *frames)
    assert table.watch.clock == PATIENCE


def test_a_table_that_is_lost_later_is_no_reason_to_end(mouth: Callable[..., int]) -> None:
    table = Table({0: [table_seen()], 1: [TableLost(at(1), 1, "Gone.")]})
    reel(table, mouth, *[frame(number, number * SECOND) for number in range(30)])
    assert table.watch.frames == 30


def test_frames_of_changing_size_are_one_sentence_and_what_was_before_is_told(mouth: Callable[..., int]) -> None:
    other = np.zeros((48, 64, 3), np.uint8)
    table = Table()
    with pytest.raises(SourceError, match="Frame 1 is 64 × 48, and those before it are 64 × 36"):
        reel(table, mouth, frame(0), Frame(other, other[..., 0], at(1), 1), frame(2))
    assert table.kinds == ["TableSeen"]


def test_a_film_that_breaks_off_has_told_what_was_before(mouth: Callable[..., int]) -> None:
    table = Table()
    with pytest.raises(SourceError, match="It breaks off"):
        reel(table, mouth, frame(0), frame(1), SourceError("It breaks off."))
    assert table.kinds == ["TableSeen"]


def test_a_camera_that_comes_back_when_it_is_asked_again(mouth: Callable[..., int]) -> None:
    class Simulated(Film):
        def frames(self) -> Iterator[Frame]:
            shown, self._shown = self._shown, self._shown[2:]
            yield from Film(*shown[:2]).frames()

    table = Table()
    gone = SourceError("It was pulled out.")
    film = Simulated(frame(0), gone, frame(1), gone, gone, gone)
    with pytest.raises(SourceError, match="pulled out"):
        FileLoop(table.watch, Showing("film", film, comes_back=True), typed(mouth(""))).run()
    assert table.kinds == ["TableSeen", "gone", "back", "gone"]


class Anew(Film):
    """Shows the same again whenever it is asked for more; `asked` says how often that was."""

    asked = 0
    gets_further = False

    def frames(self) -> Iterator[Frame]:
        self.asked += 1
        assert self.asked < 100, "asked for ever"
        shown = self._shown[: 1 + self.asked] if self.gets_further and self.asked < 9 else self._shown
        yield from Film(*shown).frames()
        raise SourceError("It was pulled out.")


def test_a_source_that_never_gets_beyond_where_it_failed_is_given_up(mouth: Callable[..., int]) -> None:
    table, film = Table({0: [table_seen()]}), Anew(frame(0), frame(1))
    with pytest.raises(SourceError, match=r"^It was pulled out\.$"):
        FileLoop(table.watch, Showing("film", film, comes_back=True), typed(mouth(""))).run()
    assert film.asked == 1 + IN_VAIN
    assert table.watch.clock == at(1)


def test_frames_of_changing_size_end_what_could_come_back_as_well(mouth: Callable[..., int]) -> None:
    other = np.zeros((48, 64, 3), np.uint8)
    table, film = Table({0: [table_seen()]}), Anew(frame(0), Frame(other, other[..., 0], at(1), 1))
    with pytest.raises(SourceError, match="Frame 1 is 64 × 48, and those before it are 64 × 36"):
        FileLoop(table.watch, Showing("film", film, comes_back=True), typed(mouth(""))).run()
    assert film.asked == 1 + IN_VAIN


def test_a_source_that_gets_further_each_time_is_asked_again(mouth: Callable[..., int]) -> None:
    table, film = Table({0: [table_seen()]}), Anew(*map(frame, range(9)))
    film.gets_further = True
    with pytest.raises(SourceError, match="pulled out"):
        FileLoop(table.watch, Showing("film", film, comes_back=True), typed(mouth(""))).run()
    assert film.asked == 8 + IN_VAIN
    assert table.watch.clock == at(8)


# --- what is kept


def recorded(folder: Path) -> tuple[Table, Recorder]:
    recorder = Recorder(folder, {"size": [64, 36]})
    return Table({0: [table_seen()], 2: [table_seen(2)]}, recorder), recorder


def lines(path: Path) -> list[Told]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_what_comes_in_and_what_is_told_is_kept_in_order(tmp_path: Path, mouth: Callable[..., int]) -> None:
    table, recorder = recorded(tmp_path)
    reel(table, mouth, *map(frame, range(3)), cues=(TimedMessage({"say": "go"}, at(1)),))
    recorder.close()
    assert lines(tmp_path / "told.jsonl") == table.told
    assert [(one["kind"], one["frame"]) for one in lines(tmp_path / "sightings.jsonl")] == [
        ("table-seen", 0),
        ("table-seen", 2),
    ]
    assert lines(tmp_path / "said.jsonl") == [{"at": at(1), "after": 2, "message": {"do": "shout", "say": "go"}}]
    assert [one.stamp for one in Recording(tmp_path).frames()] == [at(0), at(1), at(2)]


def test_what_is_looked_at_is_what_is_kept(tmp_path: Path, mouth: Callable[..., int]) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (36, 64, 3), np.uint8)
    looked: list[Frame] = []
    table, recorder = recorded(tmp_path)
    eye: Any = table.watch._eye

    def watch(one: Frame) -> list[Sighting]:
        looked.append(one)
        return [table_seen()]

    eye.watch = watch
    reel(table, mouth, Frame(noise, noise[..., 0], 0, 0))
    recorder.close()
    [kept] = Recording(tmp_path).frames()
    assert np.array_equal(looked[0].picture, kept.picture)
    assert not np.array_equal(looked[0].picture, noise)


def test_that_the_camera_was_gone_is_kept_and_comes_again(tmp_path: Path, mouth: Callable[..., int]) -> None:
    table, recorder = recorded(tmp_path)
    table.watch.frame(frame(0))
    table.watch.gone(at(1), "It was pulled out.")
    table.watch.frame(frame(2))
    recorder.close()
    again = Table({0: [table_seen()], 2: [table_seen(2)]})
    [heard] = Recording(tmp_path).said()
    reel(again, mouth, frame(0), frame(2), cues=(TimedMessage(heard.message, heard.at, heard.after),))
    assert again.told == table.told
    assert again.kinds == ["TableSeen", "gone", "back", "TableSeen"]


def test_a_recording_that_ends_is_said_once_and_the_rest_is_watched(
    tmp_path: Path, mouth: Callable[..., int], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, recorder = recorded(tmp_path)
    monkeypatch.setattr(recorder, "_must_have_room", _full)
    reel(table, mouth, *map(frame, range(3)))
    assert table.kinds == ["notice", "TableSeen", "TableSeen"]
    assert "No space left on device. The match goes on." in table.told[0]["sentence"]


def _full() -> None:
    raise OSError(28, "No space left on device")


# --- cameras


class Camera(Film):
    """Shows what it has, and then waits until it is closed."""

    def __init__(self, *shown: Frame | Exception) -> None:
        super().__init__(*shown)
        self._end = threading.Event()

    def frames(self) -> Iterator[Frame]:
        yield from super().frames()
        self._end.wait(SOON)

    def close(self) -> None:
        self._end.set()


class Buttons:
    """A press that takes its time."""

    window = 20
    wakes_at: int | None = None

    def __init__(self) -> None:
        self.pressed: list[Meant | Noted] = []
        self.touched: list[tuple[str, int]] = []
        self._ear, self._end = os.pipe()

    def fileno(self) -> int:
        return self._ear

    def attend(self, now: int) -> list[Meant | Noted]:
        due = [one for one in self.pressed if isinstance(one, Noted) or one.stamp + self.window <= now]
        self.pressed = [one for one in self.pressed if one not in due]
        return due

    def touch(self, kind: str, _seat: int, _down: bool | None, at: int) -> None:
        self.touched.append((kind, at))

    def close(self) -> None:
        os.close(self._ear)
        os.close(self._end)


def until(stage: LiveLoop, done: Callable[[], bool]) -> None:
    for _ in range(100):
        if done():
            return
        stage.once()
    raise AssertionError


def test_a_camera_is_watched_and_what_is_typed_is_stamped(mouth: Callable[..., int]) -> None:
    table, now = Table({0: [table_seen()]}), iter(range(1000, 10**6))
    showing = Showing("camera", Camera(frame(0), frame(1)), is_live=True, again=Camera)
    said = '{"say":"stop"}\nno\n{"say":"old","at":7}\n'
    stage = LiveLoop(table.watch, showing, typed(mouth(said, closed=False)), now=lambda: next(now))
    try:
        until(stage, lambda: len(table.told) == 4)
    finally:
        stage._feed.close()
    assert sorted(table.kinds) == ["TableSeen", "error", "heard", "heard"]
    assert [said for said, _ in heard(table)] == ["old", "stop"]
    assert heard(table)[1][1] >= 1000


def test_when_nobody_types_any_more_the_camera_is_still_watched(mouth: Callable[..., int]) -> None:
    table = Table({0: [table_seen()], 1: [table_seen(1)]})
    showing = Showing("camera", Camera(frame(0), frame(1)), is_live=True, again=Camera)
    stage = LiveLoop(table.watch, showing, typed(mouth("")))
    try:
        until(stage, lambda: len(table.told) == 2)
    finally:
        stage._feed.close()


def test_a_camera_that_fails_is_told_and_so_is_its_coming_back(mouth: Callable[..., int]) -> None:
    table = Table({0: [table_seen()]})
    first = Camera(frame(0), SourceError("It was pulled out."))
    showing = Showing("camera", first, is_live=True, again=lambda: Camera(frame(0)))
    stage = LiveLoop(table.watch, showing, typed(mouth("")), now=lambda: 77)
    try:
        until(stage, lambda: len(table.told) == 3)
    finally:
        stage._feed.close()
    assert table.kinds == ["TableSeen", "gone", "back"]
    assert table.told[1]["why"] == "It was pulled out."


def test_presses_and_messages_come_in_the_order_of_their_stamps(mouth: Callable[..., int]) -> None:
    table, buttons, clock = Table({}), Buttons(), [100]
    showing = Showing("camera", Camera(), is_live=True, again=Camera)
    said = '{"say":"typed","at":95}\n{"do":"touch","key":"stop"}\n'
    presses: Any = buttons
    stage = LiveLoop(table.watch, showing, typed(mouth(said)), Inbox(presses), now=lambda: clock[0])
    try:
        stage.once()
        assert buttons.touched == [("stop", 100)]
        assert heard(table) == []  # a press from before it may still be on its way
        pressed: Any = partial(Shout, "pressed", at=90)
        buttons.pressed = [Meant(pressed, 90), Noted("It is stuck.")]
        clock[0] = 115
        stage.once()
    finally:
        stage._feed.close()
        buttons.close()
    assert table.told[0] == reply_plain(NoticeReply("It is stuck."))
    assert heard(table) == [("pressed", 90), ("typed", 95)]
