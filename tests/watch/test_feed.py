"""A camera that goes and comes back: frames keep their order and their numbers, and nobody waits for them."""

import queue
import select
import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import numpy as np
import pytest

from companion.watch.feed import ENDED, WAITING, Feed, Gone
from vision.eye_errors import SourceError
from vision.frames import Frame

PICTURE = np.zeros((9, 16, 3), np.uint8)
SOON = 5.0  # seconds; a test that waits for so long fails


def frame(number: int, stamp: int = 0) -> Frame:
    return Frame(PICTURE, PICTURE[..., 0], stamp or number, number)


class Camera:
    """Gives what is put into it: frames, or the error that ends it."""

    size = (16, 9)

    def __init__(self) -> None:
        self.shown: queue.Queue[Frame | Exception | None] = queue.Queue()
        self.closed = threading.Event()

    def frames(self) -> Iterator[Frame]:
        while (one := self.shown.get()) is not None:
            if isinstance(one, Exception):
                raise one
            yield one

    def about(self) -> dict[str, Any]:
        return {}

    def close(self) -> None:
        self.closed.set()
        self.shown.put(None)


class Cameras:
    """Opened one after the other; an error is a try that fails."""

    def __init__(self, *cameras: Camera | Exception) -> None:
        self.left = list(cameras)
        self.tries = 0

    def __call__(self) -> Camera:
        self.tries += 1
        one = self.left.pop(0) if self.left else SourceError("There is no camera.")
        if isinstance(one, Exception):
            raise one
        return one


def news(feed: Feed, count: int) -> list[Frame | Gone]:
    found: list[Frame | Gone] = []
    while len(found) < count:
        assert select.select([feed], [], [], SOON)[0], f"only {found}"
        found += feed.take()
    return found


def told(found: list[Frame | Gone]) -> list[int | str]:
    return [one.why if isinstance(one, Gone) else one.number for one in found]


def test_frames_come_in_their_order() -> None:
    camera = Camera()
    with closing(Feed(camera, Cameras())) as feed:
        for number in range(3):
            camera.shown.put(frame(number))
            assert told(news(feed, 1)) == [number]
        assert select.select([feed], [], [], 0)[0] == []
        assert feed.take() == []
    assert camera.closed.is_set()


def test_who_is_slow_gets_the_newest_frames() -> None:
    camera = Camera()
    with closing(Feed(camera, Cameras())) as feed:
        for number in range(20):
            camera.shown.put(frame(number))
        camera.shown.put(SourceError("It was pulled out."))
        while "It was pulled out." not in told(list(feed._news)):
            pass
        assert told(feed.take()) == [*range(20 - WAITING, 20), "It was pulled out."]


def test_a_camera_that_comes_back_goes_on_counting() -> None:
    first, second = Camera(), Camera()
    cameras = Cameras(SourceError("Not yet."), ValueError("nor now"), second)
    with closing(Feed(first, cameras, pauses=(0, 0), now=lambda: 77)) as feed:
        first.shown.put(frame(0))
        first.shown.put(frame(5))
        first.shown.put(SourceError("It was pulled out."))
        found = news(feed, 3)
        assert told(found) == [0, 5, "It was pulled out."]
        assert isinstance(found[2], Gone)
        assert found[2].at == 77
        second.shown.put(frame(0))
        second.shown.put(frame(1))
        assert told(news(feed, 2)) == [7, 8]  # 6 is what may have been lost
        assert first.closed.is_set()
        assert cameras.tries == 3


@pytest.mark.parametrize(
    ("how", "says"),
    [(None, ENDED), (SourceError("Gone."), "Gone."), (RuntimeError("bus"), "The camera fails: bus.")],
)
def test_however_it_fails_it_is_told_once_and_tried_again(how: Exception | None, says: str) -> None:
    first = Camera()
    cameras = Cameras(*[SourceError("no")] * 5)
    with closing(Feed(first, cameras, pauses=(0,))) as feed:
        first.shown.put(how)
        assert told(news(feed, 1)) == [says]
        while cameras.tries < 6:
            pass
        assert feed.take() == []


def test_closing_does_not_wait_for_the_next_try() -> None:
    first = Camera()
    feed = Feed(first, Cameras(), pauses=(3600,))
    first.shown.put(None)
    news(feed, 1)
    feed.close()
    assert not feed._thread.is_alive()


def test_one_that_does_not_close_is_left_behind() -> None:
    class Hangs(Camera):
        def close(self) -> None:
            super().close()
            assert lets_go.wait(SOON)

    lets_go, camera = threading.Event(), Hangs()
    feed = Feed(camera, Cameras())
    feed.close()
    assert camera.closed.is_set()
    lets_go.set()


def test_one_that_fails_to_close_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Fails(Camera):
        def close(self) -> None:
            super().close()
            raise RuntimeError("what a driver does")

    shouts: list[object] = []
    monkeypatch.setattr(threading, "excepthook", shouts.append)
    Feed(Fails(), Cameras()).close()
    assert shouts == []
