"""Recordings: the same match gives the same film, in time and in size, and what goes wrong leaves nothing behind."""

import errno
import io
import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pygame
import pytest
from PIL import Image, ImageSequence

from companion import cli
from companion.core.errors import CompanionError
from companion.core.match import Match
from companion.display import film
from companion.display.app import App
from companion.display.demo_recording import SHORTEST, played, record, recorded
from companion.display.moments import screen
from companion.display.painter import Painter
from companion.display.reel import LEAST, Reel, ReelPart, Still, kept
from companion.display.scene import ChangeTo, Start
from companion.display.show import BEGUN, ScreenShow, ShowWish
from companion.display.view import Draft, Prefs
from companion.games import NAMES, game
from simulator.playing import play_out, seated
from tools.recordings import MATCHES, SECONDS, SIZE, wish_for

SMALL = (320, 192)
DOCS = Path(__file__).parents[2] / "docs" / "recordings"
TYPED = [name for name in NAMES if name != "triple3"]


def wish(name: str = "triplexity", seed: int = 3, seconds: float = 8, **more: object) -> ShowWish:
    playing = game(name)
    return ShowWish(seated(playing, playing.house()), seed, SMALL, seconds, **more)  # type: ignore[arg-type]


def filmed(asked: ShowWish, file: Path) -> bytes:
    record(asked, file)
    return file.read_bytes()


def frames(content: bytes) -> list[tuple[Image.Image, int]]:
    """The pictures of a GIF, and for how many milliseconds each is shown."""
    shown = ImageSequence.Iterator(Image.open(io.BytesIO(content)))
    return [(frame.convert("RGB"), frame.info["duration"]) for frame in shown]


# --- the film --------------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    first, again = (filmed(wish(), tmp_path / name) for name in ("first.gif", "again.gif"))
    assert first == again
    assert first != filmed(wish(seed=4), tmp_path / "other.gif")


@pytest.mark.parametrize("name", TYPED)
def test_a_recording_is_as_long_as_it_may_be_and_small(name: str, tmp_path: Path) -> None:
    asked = wish(name)
    content = filmed(asked, tmp_path / "match.gif")
    shown = frames(content)
    lasts = sum(time for _, time in shown)
    assert asked.seconds * 600 <= lasts <= asked.seconds * 1000
    assert min(time for _, time in shown) >= LEAST - 10
    assert len(shown) >= 8
    assert len(content) <= 150_000
    assert {picture.size for picture, _ in shown} == {SMALL}


def test_the_first_frame_is_the_picture_of_the_painter(tmp_path: Path) -> None:
    asked = wish("three")
    [first, _], *_ = frames(filmed(asked, tmp_path / "match.gif"))
    app = App(SMALL, None, clock=lambda: BEGUN)
    app.take(ChangeTo(Draft("three", asked.setup.players, asked.setup.house), Start()), BEGUN)
    with screen(SMALL) as surface:
        Painter(surface).paint(app.scene, 0)
        painted = np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8).astype(int)
    differs = np.abs(np.frombuffer(first.tobytes(), np.uint8).astype(int) - painted)
    assert np.mean(differs == 0) > 0.95
    assert differs.max() <= 24


def test_a_film_shows_what_was_taken() -> None:
    """Frame by frame, though only what changes is kept."""
    with screen(SMALL) as surface:
        reel, size = recorded(wish("threepia"), surface)
    stills = kept(reel.parts, 8)
    shown = frames(film.gif(size, stills))
    assert len(shown) == len(stills)
    for (picture, lasts), still in zip(shown, stills, strict=True):
        taken = np.frombuffer(still.pixels, np.uint8).astype(int)
        differs = np.abs(np.frombuffer(picture.tobytes(), np.uint8).astype(int) - taken)
        assert differs.mean() < 0.5
        assert abs(lasts - still.lasts) <= 10


def test_an_mp4_lasts_as_long(tmp_path: Path) -> None:
    import cv2  # noqa: PLC0415

    found = record(wish(seconds=SHORTEST), tmp_path / "match.mp4")
    opened = cv2.VideoCapture(str(tmp_path / "match.mp4"))
    assert opened.get(cv2.CAP_PROP_FPS) == film.RATE
    assert abs(opened.get(cv2.CAP_PROP_FRAME_COUNT) - found.seconds * film.RATE) <= 1
    is_read, picture = opened.read()
    assert is_read
    assert picture.shape == (SMALL[1], SMALL[0], 3)
    assert found.bytes == (tmp_path / "match.mp4").stat().st_size
    assert list(tmp_path.iterdir()) == [tmp_path / "match.mp4"]


def test_themes_and_languages_are_recorded(tmp_path: Path) -> None:
    usual = filmed(wish(), tmp_path / "usual.gif")
    assert filmed(wish(prefs=Prefs("bright", "en")), tmp_path / "bright.gif") != usual
    assert filmed(wish(prefs=Prefs("dark", "pt")), tmp_path / "pt.gif") != usual


# --- what is played --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", TYPED)
def test_the_match_on_the_screen_is_the_one_that_was_rehearsed(name: str) -> None:
    """With its clocks, to the nanosecond; and whatever bots may do there, fingers can."""
    asked = wish(name)
    rehearsed = Match(asked.setup)
    steps = list(play_out(rehearsed, asked.seed, seen=False, mistakes=asked.mistakes))
    said = Spy()
    with screen(SMALL) as surface:
        show = ScreenShow(asked, surface)
        show.say = said  # type: ignore[method-assign]
        said.show = show
        played(show, steps)
    assert show.app.view.screen == "result"
    assert show.app.match is not None
    assert show.app.match.outcome == rehearsed.outcome
    assert show.app.match.now == rehearsed.now
    assert getattr(show.app.match.state, "clocks", None) == getattr(rehearsed.state, "clocks", None)
    # Strikes are pressed; a card and its points at once while others' points are owed are two touches of a screen.
    assert set(said.words) <= {"strike", "lay"}
    assert len(said.words) < len(steps) / 4


class Spy:
    """Notes what is said without a finger, and says it."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.show: ScreenShow | None = None

    def __call__(self, move: object, stamp: int) -> None:
        self.words.append(move.word)  # type: ignore[attr-defined]
        assert self.show is not None
        ScreenShow.say(self.show, move, stamp)  # type: ignore[arg-type]


def test_a_finger_is_seen_where_it_touches() -> None:
    with screen(SMALL) as surface:
        show = ScreenShow(wish("three"), surface)
        item = show.app.scene.targets()[-1]
        show.still(100)
        show.still(100, item)
    without, with_finger = (
        np.frombuffer(still.pixels, np.uint8).reshape(SMALL[1], SMALL[0], 3) for still in show.reel.parts[0].stills
    )
    rows, columns = np.nonzero((without != with_finger).any(axis=2))
    x, y = item.box.centre
    assert abs(columns.mean() - x) < 2
    assert abs(rows.mean() - y) < 2
    assert columns.max() - columns.min() < 40


def test_a_round_that_is_watched_has_the_cameras_picture_beside_it() -> None:
    with screen(SMALL) as surface:
        reel, size = recorded(wish("triple3", plays=3), surface)
    assert size == (SMALL[0] + SMALL[1], SMALL[1])
    last = reel.parts[-1].stills[-1]
    picture = np.frombuffer(last.pixels, np.uint8).reshape(size[1], size[0], 3)
    beside = picture[:, SMALL[0] :]
    assert beside.std() > 20  # a table with cards, and not nothing
    assert picture[0, 0].max() < 60  # the dark ground of the display
    assert len(reel.parts) > 3
    changes = {still.packed for part in reel.parts for still in part.stills}
    assert len(changes) > 20


# --- what is kept ----------------------------------------------------------------------------------------------


def parts(*made: tuple[str, float, int]) -> list[ReelPart]:
    found = []
    for number, (name, weight, lasts) in enumerate(made):
        found.append(ReelPart(name, weight, [Still(bytes([number]), lasts)]))
    return found


def numbers(stills: list[Still]) -> list[int]:
    return [still.packed[0] for still in stills]


def test_what_is_decisive_is_kept_in_its_order() -> None:
    long = parts(("", 0, 900), *[("", 0, 1000)] * 32, ("strike", 9, 1000), *[("", 0, 1000)] * 7)
    chosen = numbers(kept(long, 4))
    assert chosen == sorted(chosen)
    assert {0, 33, 40} <= set(chosen)
    assert len(chosen) == 4


def test_of_each_kind_one_before_another_of_the_same() -> None:
    made = parts(("", 0, 1000), ("foul", 9, 1000), ("foul", 9, 1000), ("foul", 9, 1000), ("check", 4, 1000), ("", 0, 0))
    assert set(numbers(kept(made, 3))) == {0, 1, 4, 5}


def test_too_little_time_makes_everything_quicker() -> None:
    found = kept(parts(("", 0, 8000), ("", 0, 4000)), 3)
    assert [still.lasts for still in found] == [2000, 1000]


def test_the_same_picture_is_shown_for_longer() -> None:
    reel = Reel()
    for pixels in (b"one", b"one", b"two"):
        reel.add(pixels, 100.4)
    assert [(still.pixels, still.lasts) for still in reel.parts[0].stills] == [(b"one", 200), (b"two", 100)]


def test_times_of_a_gif_lose_nothing() -> None:
    stills = [Still(b"", 133)] * 30
    assert sum(film._hundredths(stills)) == round(30 * 133, -1)


# --- what goes wrong -------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _nothing_is_left(tmp_path: Path) -> Iterator[None]:
    yield
    assert not [file for file in tmp_path.iterdir() if file.name.startswith((".", "tmp"))]


@pytest.mark.parametrize(
    ("file", "sentence"),
    [
        ("match.avi", "neither a GIF nor an MP4"),
        ("match", "neither a GIF nor an MP4"),
        ("nowhere/match.gif", "cannot be written: No such file or directory."),
        ("file/match.gif", "cannot be written: Not a directory."),
        ("folder.gif", "is a folder"),
    ],
)
def test_what_cannot_be_written_is_refused_before_anything_is_played(
    file: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.gif").mkdir()
    monkeypatch.setattr("companion.display.demo_recording.recorded", None)
    with pytest.raises(CompanionError, match=sentence):
        record(wish(), tmp_path / file)


@pytest.mark.parametrize(("ending", "package"), [(".gif", "python3-pil"), (".mp4", "opencv-python-headless")])
def test_a_missing_library_is_named(ending: str, package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    with pytest.raises(CompanionError, match=package):
        record(wish(), tmp_path / f"match{ending}")


def test_a_full_disk_leaves_what_was_there_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "match.gif"
    file.write_bytes(b"before")

    def full(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("companion.core.wholefile.os.fsync", full)
    with pytest.raises(CompanionError, match="cannot be written: No space left"):
        record(wish(seconds=SHORTEST), file)
    assert file.read_bytes() == b"before"


def test_a_film_that_got_lost_on_its_way_is_no_film(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film, "_count", lambda _file: 1)
    with pytest.raises(CompanionError, match="no room on the disk"):
        record(wish(seconds=SHORTEST), tmp_path / "match.mp4")
    assert not (tmp_path / "match.mp4").exists()


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("three --record F --seconds 1", "--seconds 1: a recording is 3 to 600 seconds long."),
        ("three --record F --seconds nan", "--seconds nan: a recording"),
        ("three --record F --language xx", "--language 'xx': choose one of en, de"),
        ("three --record F --theme pink", "--theme 'pink': choose one of dark"),
        ("three --record F --size 5x5", "'5x5' is not a size"),
        ("three --record F --journal J", "keeps nothing else"),
        ("--record F", "Name the game"),
        ("three --seconds 20", "--seconds is for a recording: add --record FILE."),
        ("triple3 --record F --players Anna", "Triple³ needs 2 to 4 players"),
    ],
)
def test_the_door_refuses_in_one_sentence(
    said: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    places = {"F": str(tmp_path / "match.gif"), "J": str(tmp_path / "journal")}
    assert cli.main(["demo", *(places.get(word, word) for word in said.split())]) == 2
    told = capsys.readouterr()
    assert sentence in told.err
    assert told.err.count("\n") == 1
    assert told.out == ""
    assert list(tmp_path.iterdir()) == []


def test_the_door_says_what_it_has_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "match.gif"
    options = ["--size", "480x320", "--seconds", "5", "--language", "de", "--theme", "bright"]
    assert cli.main(["demo", "triplexity", "--record", str(file), *options]) == 0
    [line] = capsys.readouterr().out.splitlines()
    assert line.startswith(f"{file}: Triplexity, 5 seconds, ")
    assert frames(file.read_bytes())[0][0].size == (480, 320)


# --- those of README.md ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_there_is_a_small_recording_of_each_game(name: str) -> None:
    content = (DOCS / f"{name}.gif").read_bytes()
    shown = frames(content)
    assert len(content) <= 400_000
    assert 15_000 <= sum(time for _, time in shown) <= 1000 * SECONDS <= 25_000
    assert shown[0][0].size[1] == SIZE[1]
    assert len(shown) >= 15


def test_matches_of_the_readme_can_be_played() -> None:
    assert set(MATCHES) == set(NAMES)
    for name in NAMES:
        Match(wish_for(name).setup)
