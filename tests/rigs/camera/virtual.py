"""Makes the real picamera2 run on libcamera's virtual camera; imported inside the rig before picamera2 is used.

What a computer without a Pi lacks is put in its place, and nothing else is touched:

* pykms, of which there is no package and which only its previews on bare screens use;
* the list of raw modes, which the virtual camera does not have;
* buffers from the DMA heap: anonymous files here, with luma and chroma as two planes of each;
* the pace: the virtual camera is done with a request before it is asked, picamera2 expects it some time later.

The fifth thing is the environment (`SETTINGS`): libcamera 0.4 leaves the status of a virtual frame as it finds the
memory, and with these settings of the allocator what it finds is never the number of a frame that failed.
"""

import mmap
import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from types import ModuleType
from typing import Any

SETTINGS = {
    "GLIBC_TUNABLES": "glibc.malloc.perturb=255:glibc.malloc.tcache_count=0",
    "LIBCAMERA_LOG_LEVELS": "*:FATAL",
}
PER_SECOND = 30


class _Names:
    """Answers every attribute with its name."""

    def __getattr__(self, name: str) -> str:
        return name


class _Opened:
    """A buffer as memory for as long as somebody reads it."""

    def __init__(self, _allocator: Any, buffer: Any, _write: bool) -> None:
        self._planes = buffer.planes

    def __enter__(self) -> mmap.mmap:
        length = sum(plane.length for plane in self._planes)
        self._memory = mmap.mmap(self._planes[0].fd, length)
        return self._memory

    def __exit__(self, *_what: object) -> None:  # picamera2 calls it with nothing, too
        with suppress(BufferError):  # an array still looks at it, and takes it along when it goes
            self._memory.close()


def install() -> ModuleType:
    """picamera2 as it is, with those four things in place."""
    if SETTINGS["GLIBC_TUNABLES"] != os.environ.get("GLIBC_TUNABLES"):
        sys.exit("The virtual camera needs the settings of tests.rigs.camera.virtual.SETTINGS in the environment.")
    _stand_in_for_pykms()
    libcamera = import_module("libcamera")
    whole = import_module("picamera2")
    inner: Any = import_module("picamera2.picamera2")
    _raw_modes_from_views(libcamera, inner.Picamera2)
    inner.DmaAllocator = _files_for_buffers(libcamera, import_module("picamera2.allocators").Allocator)
    _slow_down(inner.CameraManager)
    return whole


def _stand_in_for_pykms() -> None:
    pykms: Any = ModuleType("pykms")
    pykms.PixelFormat = _Names()
    sys.modules.setdefault("pykms", pykms)


def _raw_modes_from_views(libcamera: Any, camera_class: Any) -> None:
    def raw_modes(camera: Any) -> list[dict[str, Any]]:
        view = camera.camera.generate_configuration([libcamera.StreamRole.Viewfinder]).at(0)
        return [{"format": str(view.pixel_format), "size": (view.size.width, view.size.height)}]

    camera_class._get_raw_modes = raw_modes


def _files_for_buffers(libcamera: Any, allocator_class: Any) -> type:
    def plane(number: int, offset: int, length: int) -> Any:
        made = libcamera.FrameBuffer.Plane()
        made.fd, made.offset, made.length = number, offset, length
        return made

    class Allocator(allocator_class):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.sync = _Opened
            self._numbers: list[int] = []
            self._buffers: dict[Any, list[Any]] = {}

        def allocate(self, streams: Sequence[Any], _use: str) -> None:
            self.close()
            self._buffers = {one.stream: [self._buffer(one) for _ in range(one.buffer_count)] for one in streams}

        def _buffer(self, stream: Any) -> Any:
            number = os.memfd_create("frame")
            self._numbers.append(number)
            os.ftruncate(number, stream.frame_size)
            luma = stream.stride * stream.size.height
            return libcamera.FrameBuffer([plane(number, 0, luma), plane(number, luma, stream.frame_size - luma)])

        def buffers(self, stream: Any) -> list[Any]:
            return self._buffers[stream]

        def close(self) -> None:
            self._buffers = {}
            while self._numbers:
                os.close(self._numbers.pop())

        def __del__(self) -> None:
            self.close()

    return Allocator


def _slow_down(manager_class: Any) -> None:
    at_once = manager_class.handle_request

    def in_time(manager: Any, flushid: int | None = None) -> Any:
        if flushid is None:
            waiting = [len(made) for camera in manager.cameras.values() for made in camera.allocator._buffers.values()]
            time.sleep(max(waiting, default=1) / PER_SECOND)
        return at_once(manager, flushid)

    manager_class.handle_request = in_time


def trouble(kind: str) -> None:
    """What the rig can do wrong on purpose."""
    if kind == "busy":
        global _holder  # noqa: PLW0603
        _holder = import_module("picamera2").Picamera2(0)
    elif kind == "silent":
        inner: Any = import_module("picamera2.picamera2")
        inner.CameraManager.handle_request = lambda *_: time.sleep(1)


_holder: Any = None
