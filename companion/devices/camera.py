"""The camera of this table: opened, and the model loaded, behind everybody's back; its frames are watched, and a screen
may show what it sees."""

import os
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from companion.core.clocks import SECOND
from companion.core.errors import CompanionError
from companion.core.game_print import deck_of, usual_deck
from companion.core.packages import packages
from companion.core.sentence import Sentence
from companion.core.shipped_decks import must_be_shipped, shipped_decks
from companion.games import load
from companion.watch.feed import Feed, Gone, lost_the_thread
from companion.watch.game_mats import mats_for
from companion.watch.out_of_step import Differences

if TYPE_CHECKING:
    from vision.frames import Frame, Source
    from vision.locate import TableView
    from vision.reader import Reader
    from vision.sightings import Sighting
    from vision.watcher import Watcher

BY = "camera"  # whose replies these are: with nobody having touched, pressed or said anything
FRESH = SECOND // 5  # between two pictures of a screen that shows what the camera sees
LONG_SIDE = 640  # pixels of such a picture, about
OFTEN = 3  # times that the eye may be startled before it is blind

State = Literal["none", "off", "opening", "gone", "blind", "looking", "found"]
Corners = tuple[tuple[float, float], ...]  # shares of the picture's width and height


# --- what a screen may show ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class CameraStill:
    """A picture in memory: rows of red, green and blue."""

    stamp: int
    size: tuple[int, int]
    rgb: bytes


@dataclass(frozen=True, slots=True)
class SeenCell:
    """A cell in the picture: what the camera has of it now, and which card was last read there."""

    cell: int
    corners: Corners
    now: str  # unknown, clear, covered, changed, unreadable
    card: str


@dataclass(frozen=True, slots=True, eq=False)
class Film:
    """The last seconds before a Stop!, packed; between two pictures the earlier one stands for what was to be seen."""

    stamps: tuple[int, ...]
    jpegs: tuple[bytes, ...]
    places: tuple[SeenCell, ...] = ()

    @property
    def length(self) -> int:
        return self.stamps[-1] - self.stamps[0]


@dataclass(frozen=True, slots=True)
class CameraSight:
    """What the camera sees. `state`: there is none; off; opening; gone (`why`); blind, because nothing can be read
    (`why`); looking for the table (`why` it is not there); found."""

    state: State = "none"
    why: str = ""
    places: tuple[SeenCell, ...] = ()
    still: CameraStill | None = None  # the newest picture, while somebody looks at it
    film: Film | None = None  # the seconds before the Stop! that is being disputed
    step: Differences = field(default_factory=Differences)  # of the match that is watched
    mat: str = ""  # the name of the mat that lies there, wanted or not
    kept: int = 0  # pictures of what is or was disputed in this match, in memory or in a folder


# --- frames as they come ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class LookedAt:
    """A frame, and what became known with it."""

    frame: "Frame"
    seen: "list[Sighting]"


@dataclass(frozen=True, slots=True)
class Blind:
    """Nothing can be read any more, and why; pictures may be shown all the same."""

    why: str


@dataclass(frozen=True, slots=True)
class Startled:
    """What watched has lost its head, and another watches instead of it."""

    why: str


@dataclass(frozen=True, slots=True)
class OtherDeck:
    """The deck that was to be read cannot be, why, and the printed one is read."""

    why: str


News = LookedAt | Gone | Blind | Startled | OtherDeck


class Frames(Protocol):
    """Where frames come from without anybody waiting for them, as from a `companion.watch.feed.Feed`."""

    def fileno(self) -> int: ...
    def take(self) -> "list[Frame | Gone]": ...
    def close(self) -> None: ...


Open = Callable[[], "Source"]
Printed = Callable[[str], "Reader"]  # of the deck that is printed of a game
Taught = Callable[[str, str], "Reader"]  # of a game's taught deck; a CompanionError says why it cannot be read


@dataclass(frozen=True, slots=True)
class Cards:
    """What is to be read: a game's cards, as they are printed or from a deck that was taught."""

    game: str = ""
    deck: str = ""


ANY = Cards()


class RoomCamera:
    """Opened while a match is watched or somebody looks through it; frames are taken by `attend`."""

    def __init__(
        self,
        open_: Open,
        *,
        mat: bool = True,
        reader: Printed | None = None,
        feed: "Callable[[Source, Open], Frames]" = Feed,
    ) -> None:
        self._open, self._mat, self._new_reader, self._new_feed = open_, mat, reader or printed_reader, feed
        self.taught: Taught | None = None  # as whoever puts the table together says it
        self._onlooker: Callable[[Frame], None] | None = None
        self._cards = self._read = Cards()  # what is to be read, and what is
        self._not_read = ""  # why it is not
        self._reader: Reader | None = None
        self._blind = ""  # why nothing can be read
        self._blind_told = False
        self._feed: Frames | None = None
        self._loaded: list[Frames] = []  # what the loader has made ready
        self._loader: threading.Thread | None = None
        self._ear, self._mouth = os.pipe()
        self._times_startled = 0
        self._is_watched = self._is_shown = False
        self._lost = ""  # why there is no table
        self._framed: tuple[TableView | None, tuple[Corners, ...]] = (None, ())
        self._newest: Frame | None = None
        self.came_at: int | None = None  # the stamp at which pictures last came, while they do
        self.eye: Watcher | None = None
        self.keepers: list[Callable[[], None]] = []  # what forgets the pictures that somebody keeps
        self.sight = CameraSight("off")

    @property
    def opener(self) -> Open:
        """What opens it, for a doctor who looks while nobody else does."""
        return self._open

    # --- who looks

    @property
    def is_watched(self) -> bool:
        """A match is watched: its table takes the frames."""
        return self._is_watched

    def choose(self, cards: Cards) -> None:
        """What is read unless a match says otherwise."""
        if not self._is_watched and cards != self._cards:
            self._cards = cards
            self._take_over()

    def watch(self, cards: Cards = ANY) -> None:
        """A match sits down before it; whatever was known of the table is forgotten, and what is wrong is told anew."""
        self._is_watched, self._cards = True, cards
        if self.sight.state == "gone":
            self._shut()
        self._begin_anew()

    def rest(self) -> None:
        """The match has got up."""
        self._is_watched = False
        self.eye = None
        self.tell(Differences(), None, 0)
        self._open_or_close()

    def show(self, *, on: bool) -> None:
        """Whether the newest picture is on a screen."""
        if on != self._is_shown:
            self._is_shown = on
            self.sight = replace(self.sight, still=None)
            self._open_or_close()

    def lend(self, onlooker: "Callable[[Frame], None] | None") -> None:
        """All frames are shown to this one, and nothing is read meanwhile. Whatever deck it taught is read anew."""
        self._onlooker, self.eye = onlooker, None
        if onlooker is None:
            self._reader = None
            self._shut()
            self._open_or_close()

    def tell(self, step: Differences, film: Film | None, kept: int) -> None:
        """What the match has to say about it."""
        if film is not self.sight.film or step is not self.sight.step or kept != self.sight.kept:
            self.sight = replace(self.sight, film=film, step=step, kept=kept)

    def forget_pictures(self) -> None:
        """Whoever keeps any forgets them all."""
        for forget in self.keepers:
            forget()

    def close(self) -> None:
        """For good."""
        self._is_watched = self._is_shown = False
        self.wait()
        self._open_or_close()
        for end in (self._ear, self._mouth):
            os.close(end)

    def wait(self) -> None:
        """Until everything is loaded."""
        if self._loader and self._loader.is_alive():
            self._loader.join()

    # --- what has come

    @property
    def ears(self) -> "list[RoomCamera | Frames]":
        """Readable when there is something to attend to."""
        return [self, self._feed] if self._feed else [self]

    def fileno(self) -> int:
        """Readable when everything is loaded."""
        return self._ear

    def attend(self, now: int) -> Iterator[News]:
        """The frames that have come, each watched; and what is wrong with the camera."""
        self._take_over()
        if self._blind and not self._blind_told:
            self._blind_told = True
            yield Blind(self._blind)
        if self._not_read and self._loader is None:
            why, self._not_read = self._not_read, ""
            yield OtherDeck(why)
        for news in self._feed.take() if self._feed else ():
            self.came_at = None if isinstance(news, Gone) else now
            if isinstance(news, Gone):
                self._newest = None
                self.sight = replace(self.sight, state="gone", why=news.why, places=(), still=None)
                yield news
            else:
                yield from self._looked(news)
        if self._newest and self._is_shown:
            self._refresh(self._newest, now)

    def _looked(self, frame: "Frame") -> Iterator[News]:
        self._newest = frame
        if self._onlooker is not None:
            self._onlooker(frame)
            self.sight = replace(self.sight, state="looking", why="", places=())
            return
        seen: list[Sighting] = []
        try:
            seen = self.eye.watch(frame) if self.eye else []
        except Exception as error:  # whatever is wrong in the eye, the match goes on
            yield self.startled(error)
        yield LookedAt(frame, seen)
        self._tell(frame, seen)

    def startled(self, error: Exception) -> Startled | Blind:
        """What watched, or who judges what is seen, has lost its head: another begins, but not again and again."""
        self.eye = None
        self._times_startled += 1
        kind, said = type(error).__name__, str(error)
        if self._times_startled >= OFTEN:
            self._blind, self._blind_told = (
                Sentence("I cannot watch any more ({kind}: {error}).", kind=kind, error=said),
                True,
            )
            return Blind(self._blind)
        self._take_over()
        return Startled(lost_the_thread(error))

    def _tell(self, frame: "Frame", seen: "list[Sighting]") -> None:
        for one in seen:
            if type(one).__name__ in ("TableLost", "Trouble"):
                self._lost = getattr(one, "why", "") or getattr(one, "sentence", "")
        state: State = "found"
        why, places, mat = "", self._places(frame), self.eye.mat if self.eye else ""
        if not places:
            state, why = ("blind", self._blind) if self.eye is None else ("looking", self._lost)
        before = self.sight
        if (state, why, places, mat) != (before.state, before.why, before.places, before.mat):
            self.sight = replace(before, state=state, why=why, places=places, mat=mat)

    def _places(self, frame: "Frame") -> tuple[SeenCell, ...]:
        eye = self.eye
        if eye is None or eye.table is None:
            return ()
        if eye.table is not self._framed[0]:
            high, wide = frame.picture.shape[:2]
            table = eye.table
            squares = [*table.cells, *(() if table.piles is None else table.piles)]
            corners = [(square / (wide, high)).round(4).tolist() for square in squares]
            self._framed = (table, tuple(tuple((x, y) for x, y in cell) for cell in corners))
        shown = zip(self._framed[1], eye.cells, eye.looks, strict=True)
        return tuple(
            SeenCell(cell, corners, now.now, (look.card or "") if look else "")
            for cell, (corners, now, look) in enumerate(shown, 1)
        )

    def _refresh(self, frame: "Frame", now: int) -> None:
        """A few times a second."""
        before = self.sight.still
        if before is None or not 0 <= now - before.stamp < FRESH:
            self.sight = replace(self.sight, still=_still(frame, now))

    # --- opening and closing

    def _begin_anew(self) -> None:
        self.eye = None
        self._times_startled, self._blind_told = 0, False
        if self._reader:
            self._blind = ""
        self._open_or_close()
        self._take_over()

    @property
    def _is_wanted(self) -> bool:
        return self._is_watched or self._is_shown

    def _open_or_close(self) -> None:
        if self._is_wanted and self._feed is None and self._loader is None:
            self.sight = replace(self.sight, state="opening", why="")
            self._loader = threading.Thread(target=self._load, name="camera-loader", daemon=True)
            try:
                self._loader.start()
            except RuntimeError:  # no thread can be begun any more
                self._loader.run()
        self._take_over()

    def _load(self) -> None:
        """In a thread."""
        try:
            if self._reader is None or self._read != self._cards:
                self._blind, self._read = "", self._cards
                self._reader = self._reader_of(self._read)
                _load_the_rest()
        except CompanionError as error:
            self._blind = error.sentence
        except Exception as error:  # whatever a runtime does with a model
            self._blind = Sentence(
                "The reader of the cards does not load ({kind}: {error}).", kind=type(error).__name__, error=str(error)
            )
        self._loaded.append(self._new_feed(_NotYet(self._open), self._open))
        os.write(self._mouth, b"!")

    def _reader_of(self, cards: Cards) -> "Reader":
        """Of the printed deck, if the taught one cannot be read."""
        if cards.deck and self.taught:
            try:
                return self.taught(cards.game, cards.deck)
            except CompanionError as error:
                self._not_read = error.sentence
        return self._new_reader(cards.game)

    def _take_over(self) -> None:
        """What the thread has made ready, if it is still wanted."""
        if self._loader and not self._loader.is_alive():
            self._loader = None
            os.read(self._ear, 1)
            self._feed = self._loaded.pop()
        if not self._is_wanted:
            self._shut()
        elif self._loader is None and self._reader and self._read != self._cards:
            self._shut()
            self._open_or_close()
        elif self._reader and self._feed and self.eye is None and not self._blind:
            from vision.watcher import Watcher  # noqa: PLC0415

            self.eye = Watcher(self._reader, mat=self._mat, mats=mats_for(self._read.game))
            self._lost = ""

    def _shut(self) -> None:
        if self._feed:
            self._feed.close()
        self._feed = self.eye = self._newest = self.came_at = None
        self.sight = CameraSight("off")


class _NotYet:
    """A source that is opened when its frames are asked for, which is in the thread that takes them."""

    size = (0, 0)

    def __init__(self, open_: Open) -> None:
        self._open = open_
        self._source: Source | None = None
        self._is_closed = False

    def frames(self) -> "Iterator[Frame]":
        self._source = self._open()
        if not self._is_closed:
            yield from self._source.frames()

    def about(self) -> dict[str, object]:
        return self._source.about() if self._source else {}

    def close(self) -> None:
        self._is_closed = True
        if self._source:
            self._source.close()


def printed_reader(game: str) -> "Reader":
    """What reads the deck that is printed of a game: the network knows it, or a file that comes with the companion."""
    with packages():
        from vision.deck_file import read_deck  # noqa: PLC0415
        from vision.reader import Reader  # noqa: PLC0415
    path = shipped_decks().get(game)
    if path is None:
        return Reader(deck=deck_of(game) or usual_deck())
    must_be_shipped(path)
    return Reader(taught=read_deck(path))


def _load_the_rest() -> None:
    """What is needed with the first frame, so that nobody waits for it then."""
    with packages():
        import vision.cells  # noqa: PLC0415
        import vision.ring  # noqa: PLC0415
        import vision.watcher  # noqa: F401, PLC0415

        load("dispute_pictures")


def _still(frame: "Frame", now: int) -> CameraStill:
    from vision.cells import shrunk  # noqa: PLC0415

    by = max(1, round(max(frame.picture.shape[:2]) / LONG_SIDE))
    small = shrunk(frame.picture, by) if by > 1 else frame.picture
    high, wide = small.shape[:2]
    return CameraStill(now, (wide, high), small[..., ::-1].tobytes())


def camera_named(name: str, settings: Path | None = None, *, mat: bool = True) -> RoomCamera:
    """The camera that is called so: `camera`, `camera:1`, `webcam:0`, `/dev/video0`."""

    def opened() -> "Source":
        with packages():
            from vision.calibration import read_settings  # noqa: PLC0415
            from vision.sources import open_source  # noqa: PLC0415
        return open_source(name, settings=read_settings(settings) if settings else None)

    return RoomCamera(opened, mat=mat)
