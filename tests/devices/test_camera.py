"""The camera of the room: opened in a thread when somebody looks, shut when nobody does, and never in anybody's way."""

import os
import re
import select
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import numpy as np
import pytest

from companion.devices.camera import Blind, CameraSight, LookedAt, News, RoomCamera
from companion.watch.feed import Gone
from tests.watched import Film, frame
from vision import runtime
from vision.eye_errors import ModelError, SourceError
from vision.frames import Frame
from vision.reader import Reader

SOON = 10.0  # seconds; a test that waits for so long fails


class Endless(Film):
    """Shows frames until it is closed."""

    def frames(self) -> Iterator[Frame]:
        number = 0
        while not self.closed:
            yield frame(number, 1 + number)
            number += 1
            self.waits.wait(0.002)

    waits = threading.Event()


class Sources:
    """What is opened, one after the other."""

    def __init__(self, *what: Any) -> None:
        self.left, self.opened = list(what), list[Any]()

    def __call__(self) -> Any:
        one = self.left.pop(0) if self.left else SourceError("There is no camera.")
        if isinstance(one, Exception):
            raise one
        self.opened.append(one)
        return one


def no_reader(_game: str) -> Any:
    raise ModelError("The model is damaged.")


def until(camera: RoomCamera, kind: type[Any]) -> list[News]:
    found: list[News] = []
    late = time.monotonic() + SOON
    while not any(isinstance(one, kind) for one in found):
        assert time.monotonic() < late
        assert select.select(camera.ears, [], [], SOON)[0]
        found += camera.attend(0)
    return found


def test_nobody_looks_and_nothing_is_opened() -> None:
    sources = Sources(Endless())
    with closing(RoomCamera(sources, reader=no_reader)) as camera:
        assert camera.sight.state == "off"
        assert list(camera.attend(0)) == []
    assert sources.opened == []


def test_it_is_opened_for_a_screen_and_shut_after_it() -> None:
    sources = Sources(Endless(), Endless())
    with closing(RoomCamera(sources, reader=no_reader)) as camera:
        for number in range(2):
            camera.show(on=True)
            assert camera.sight.state in ("opening", "blind")
            until(camera, LookedAt)
            assert camera.sight.state == "blind"
            assert camera.sight.why == "The model is damaged."
            assert camera.sight.still is not None
            camera.show(on=False)
            assert sources.opened[number].closed
            assert camera.sight == CameraSight("off")
            assert len(camera.ears) == 1


def test_it_stays_open_for_a_match_when_the_screen_is_left() -> None:
    sources = Sources(Endless())
    with closing(RoomCamera(sources, reader=no_reader)) as camera:
        camera.watch()
        camera.show(on=True)
        until(camera, LookedAt)
        camera.show(on=False)
        assert not sources.opened[0].closed
        camera.rest()
        assert sources.opened[0].closed


def test_what_cannot_be_read_is_told_once_for_each_match() -> None:
    sources = Sources(Endless())
    with closing(RoomCamera(sources, reader=no_reader)) as camera:
        for _ in range(2):
            camera.watch()
            found = [*until(camera, LookedAt), *until(camera, LookedAt)]
            assert [one for one in found if isinstance(one, Blind)] == [Blind("The model is damaged.")]


def test_a_model_that_crashes_blinds_the_camera_and_nobody_else() -> None:
    def crashes(_game: str) -> Reader:
        runtime.start_runtime()
        os.kill(runtime._apart.pid, signal.SIGSEGV)
        return Reader()

    with closing(RoomCamera(Sources(Endless()), reader=crashes)) as camera:
        camera.watch()
        [told] = [one for one in until(camera, Blind) if isinstance(one, Blind)]
    assert re.fullmatch(
        r"The model [\w.-]+ cannot be run \(its process ended by SIGSEGV\): take it from the project again\.", told.why
    )


def test_who_leaves_while_it_is_being_opened_does_not_wait() -> None:
    loading, goes_on = threading.Event(), threading.Event()
    sources = Sources(Endless())

    def slowly(_game: str) -> Any:
        loading.set()
        assert goes_on.wait(SOON)
        raise ModelError("")

    with closing(RoomCamera(sources, reader=slowly)) as camera:
        camera.watch()
        assert loading.wait(SOON)
        camera.rest()  # does not wait for the reader
        goes_on.set()
        camera.wait()
        assert list(camera.attend(0)) == []
        assert camera.sight.state == "off"
        assert all(one.closed for one in sources.opened)


def test_whoever_closes_it_for_good_does_wait() -> None:
    goes_on = threading.Event()
    sources = Sources(Endless())

    def slowly(_game: str) -> Any:
        assert goes_on.wait(SOON)
        raise ModelError("")

    camera = RoomCamera(sources, reader=slowly)
    camera.watch()
    threading.Timer(0.05, goes_on.set).start()
    camera.close()
    assert not any(thread.name in ("camera", "camera-loader") for thread in threading.enumerate())
    assert all(one.closed for one in sources.opened)


def test_one_that_is_not_there_is_told_as_gone() -> None:
    with closing(RoomCamera(Sources(), reader=no_reader)) as camera:
        camera.watch()
        [gone] = [one for one in until(camera, Gone) if isinstance(one, Gone)]
        assert gone.why == "There is no camera."
        assert (camera.sight.state, camera.sight.why) == ("gone", "There is no camera.")


def test_a_picture_on_a_screen_is_small_and_in_the_right_colours() -> None:
    picture = np.zeros((720, 1280, 3), np.uint8)
    picture[..., 0] = 200  # blue comes first

    class Blue(Endless):
        def frames(self) -> Iterator[Frame]:
            for one in super().frames():
                yield Frame(picture, picture[..., 0], one.stamp, one.number)

    with closing(RoomCamera(Sources(Blue()), reader=no_reader)) as camera:
        camera.show(on=True)
        until(camera, LookedAt)
        still = camera.sight.still
        assert still is not None
        assert still.size == (640, 360)
        assert still.rgb[:3] == bytes((0, 0, 200))


@pytest.mark.parametrize("later", [0, 10**8, 3 * 10**8])
def test_pictures_are_made_a_few_times_a_second(later: int) -> None:
    with closing(RoomCamera(Sources(Endless()), reader=no_reader)) as camera:
        camera.show(on=True)
        until(camera, LookedAt)
        first = camera.sight.still
        while not any(isinstance(one, LookedAt) for one in camera.attend(later)):
            assert select.select(camera.ears, [], [], SOON)[0]
        assert (camera.sight.still is first) == (later < 2 * 10**8)
