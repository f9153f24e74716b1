"""What a screen may know of a deck that is being taught: frozen, and without anything that computes."""

from dataclasses import dataclass
from typing import Literal

from companion.devices.camera import CameraStill, Corners

State = Literal["loading", "ready", "failed"]
Now = Literal["known", "doubt", "again", "covered", "unclear", "bare"]


@dataclass(frozen=True, slots=True)
class TaughtPlace:
    """A place in the camera's picture, and what the last look made of it."""

    place: int
    corners: Corners
    now: Now


@dataclass(frozen=True, slots=True)
class KnownFace:
    """A face with what it looked like, and how many pictures of it there are."""

    face: str
    count: int
    still: CameraStill


@dataclass(frozen=True, slots=True)
class FaceDoubt:
    """A card that may be one of two; the number is for the answer."""

    number: int
    one: str
    other: str
    still: CameraStill


@dataclass(frozen=True, slots=True)
class AlikePair:
    """Two faces that can hardly be told from each other, and the part in which alone they differ, if it is one."""

    one: KnownFace
    other: KnownFace
    part: str


@dataclass(frozen=True, slots=True)
class TeachingSight:
    """How far it has come. `why`: what failed; `note`: what the last look had to say."""

    name: str
    game: str
    state: State = "loading"
    why: str = ""
    looks: int = 0  # that taught something
    troubles: int = 0  # looks that had something to complain of
    note: str = ""
    faces: tuple[str, ...] = ()  # all that there are, in their order
    known: tuple[KnownFace, ...] = ()  # the back and the mat among them
    missing: tuple[str, ...] = ()
    following: tuple[str, ...] = ()  # to be laid next, where the order is asked for
    doubts: tuple[FaceDoubt, ...] = ()
    alike: tuple[AlikePair, ...] = ()
    places: tuple[TaughtPlace, ...] = ()

    @property
    def count(self) -> int:
        """Of the faces that are known."""
        return len(self.faces) - len(self.missing)

    @property
    def is_complete(self) -> bool:
        return bool(self.faces) and not self.missing
