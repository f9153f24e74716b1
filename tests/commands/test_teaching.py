"""Teaching a deck and keeping it, by the commands that people type."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.core.shipped_decks import shipped_decks
from companion.games import part
from tests.doors import Run
from tests.vision.laid import EMPTY, FACE_DOWN, PER_MM, bare, seen
from vision.deck import CARDS
from vision.deck_file import read_deck
from vision.frames import Picture
from vision.mat import SMALL
from vision.printed_deck import PrintedDeck, face_picture

Tell = Callable[..., str]
NINE, MORE = CARDS[0:63:7], CARDS[3:63:7]


def taken(path: Path, cards: Sequence[str], seed: int) -> Path:
    """A picture of the mat with these cards."""
    cv2.imwrite(str(path), seen(cards, np.random.default_rng(seed)).picture)
    return path


def labels(folder: Path, *pictures: tuple[str, Sequence[str]]) -> Path:
    path = folder / "labels.csv"
    rows = [f"{name},{place},{card}" for name, cards in pictures for place, card in enumerate(cards, 1)]
    path.write_text("picture,place,face\n" + "\n".join(rows), encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def decks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_DECKS", str(tmp_path / "decks"))
    return tmp_path / "decks"


@pytest.fixture
def pictures(tmp_path: Path) -> tuple[Path, Path]:
    return taken(tmp_path / "one.png", NINE, 1), taken(tmp_path / "two.png", MORE, 2)


@pytest.fixture
def tell(run: Run) -> Tell:
    """What a command says, wherever it says it."""

    def it(*words: object, code: int = 0) -> str:
        ended, told, said = run(*words)
        assert ended == code, (told, said)
        return told + said

    return it


def teach(*words: object) -> list[str]:
    return ["teach", "mine", "--game", "triple3", *map(str, words)]


def test_a_deck_is_taught_gone_on_with_and_read(
    tell: Tell, tmp_path: Path, decks: Path, pictures: tuple[Path, Path]
) -> None:
    one, two = pictures
    told = tell(*teach(one, "--labels", labels(tmp_path, ("one.png", NINE))), code=1)
    assert "9 of 64 faces" in told
    told = tell(*teach(two, "--labels", labels(tmp_path, ("two.png", MORE))), code=1)
    assert "18 of 64 faces" in told
    assert len(read_deck(decks / "mine.deck").missing) == 46
    again = taken(tmp_path / "again.png", (*NINE[:4], *MORE[:5]), 7)
    told = tell("read", str(again), "--deck", "mine")
    for card in (*NINE[:4], *MORE[:5]):
        assert card.replace("-", " ") in told


def test_cards_that_nobody_names(tell: Tell, decks: Path, pictures: tuple[Path, Path]) -> None:
    tell(*teach(*pictures), code=1)
    deck = read_deck(decks / "mine.deck")
    assert {*deck.faces} - {*deck.missing} == {*NINE, *MORE}


def test_backs_and_the_empty_mat_are_taught_too(tell: Tell, tmp_path: Path, decks: Path) -> None:
    picture = taken(tmp_path / "odd.png", (*NINE[:7], FACE_DOWN, EMPTY), 3)
    tell(*teach(picture), code=1)
    assert {read_deck(decks / "mine.deck").tiles[at] for at in read_deck(decks / "mine.deck").shown} >= {"back", "mat"}


def test_a_deck_of_another_game(tell: Tell, tmp_path: Path, decks: Path, pictures: tuple[Path, Path]) -> None:
    told = tell("teach", "dogs", "--game", "three", str(pictures[0]), "--in-order")
    assert "8 of 8 faces" in told
    assert read_deck(decks / "dogs.deck").missing == ()
    shown = tmp_path / "shown.png"
    told = tell("read", str(pictures[0]), "--deck", str(decks / "dogs.deck"), "--json", "--picture", str(shown))
    assert json.loads(told)["cells"][0] | {"card": "Ember", "colour": None} == json.loads(told)["cells"][0]
    assert shown.exists()
    assert "do not belong together" in tell(
        "watch", str(tmp_path), "--game", "triple3", "--deck", "dogs", "--players", "A,B", code=2
    )


def test_two_cards_exchanged(tell: Tell, tmp_path: Path) -> None:
    cards = list(CARDS[:36])
    names = [f"p{at}.png" for at in range(4)]
    files = [taken(tmp_path / name, cards[9 * at : 9 * at + 9], 10 + at) for at, name in enumerate(names)]
    cards[2], cards[9] = cards[9], cards[2]
    told = tell(
        *teach(*files, "--labels", labels(tmp_path, *((n, cards[9 * at : 9 * at + 9]) for at, n in enumerate(names)))),
        code=1,
    )
    assert "p0.png, place 3: named red plus 1, and looks like red circle 2; are two cards exchanged?" in told
    assert told.count("exchanged?") == 2


def test_the_same_card_twice(tell: Tell, tmp_path: Path, decks: Path, pictures: tuple[Path, Path]) -> None:
    """A known card may be shown again; within one look it lies there once, and the other is left out."""
    tell(*teach(pictures[0]), code=1)
    again = taken(tmp_path / "again.png", NINE, 4)
    assert "9 of 64 faces" in tell(*teach(again, "--redo", ",".join(NINE[:2])), code=1)
    twice = taken(tmp_path / "twice.png", (*NINE[:8], NINE[0]), 5)
    told = tell("teach", "other", "--game", "triple3", str(twice), code=1)
    assert "is left out" in told
    assert {*read_deck(decks / "other.deck").missing} >= {*CARDS} - {*NINE[:8]}


def half_covered(card: Picture) -> Picture:
    covered = card.copy()
    covered[:, : card.shape[1] // 2] = (110, 140, 190)
    return covered


def of_another_deck(card: Picture) -> Picture:
    paper = np.full_like(card, 245)
    height, width = card.shape[:2]
    cv2.putText(paper, "K", (width // 4, height * 3 // 4), cv2.FONT_HERSHEY_SIMPLEX, height / 50, (0, 0, 0), 3)
    return paper


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (half_covered, "odd.png, place 5: it is covered, and is left out; show it again."),
        (of_another_deck, "and is left out; name it with --labels."),
        (lambda card: cv2.GaussianBlur(card, (0, 0), 9), "and is left out; name it with --labels."),
    ],
)
def test_a_card_that_teaches_nothing_is_one_sentence(
    tell: Tell, tmp_path: Path, decks: Path, change: Callable[[Picture], Picture], said: str
) -> None:
    """The other eight are learned."""
    shot = seen(NINE, np.random.default_rng(1))
    (left, top), (right, bottom) = shot.cells[4].min(0).astype(int), shot.cells[4].max(0).astype(int)
    shot.picture[top:bottom, left:right] = change(shot.picture[top:bottom, left:right])
    cv2.imwrite(str(tmp_path / "odd.png"), shot.picture)
    told = tell(*teach(tmp_path / "odd.png"), code=1)
    assert told.count(said) == 1
    assert told.count("left out") == 1
    assert {*CARDS} - {*read_deck(decks / "mine.deck").missing} == {*NINE} - {NINE[4]}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "names no face"),
        ("one.png,1", "must have three"),
        ("one.png,10,red-circle-0", "is no place"),
        ("one.png,1,green-circle-0", "there is no face 'green-circle-0'"),
        ("other.png,1,red-circle-0", "not among those given"),
        ("one.png,1,red-circle-0\none.png,1,red-circle-1", "twice"),
    ],
)
def test_labels_that_cannot_be_followed(
    tell: Tell, tmp_path: Path, pictures: tuple[Path, Path], text: str, said: str
) -> None:
    path = tmp_path / "labels.csv"
    path.write_text(text, encoding="utf-8")
    assert said in tell(*teach(pictures[0], "--labels", path), code=2)


def test_what_cannot_be_taught(tell: Tell, tmp_path: Path, decks: Path, pictures: tuple[Path, Path]) -> None:
    one, two = pictures
    assert "must be named" in tell("teach", "dogs", "--game", "three", str(one), code=2)
    assert "no such game" in tell("teach", "dogs", "--game", "poker", str(one), code=2)
    assert "cannot be the name of a deck" in tell("teach", "../x", "--game", "triple3", str(one), code=2)
    assert "has no such face" in tell(*teach(one, "--redo", "green"), code=2)
    blank = tmp_path / "blank.png"
    cv2.imwrite(str(blank), np.full((480, 640, 3), 90, np.uint8))
    assert "blank.png" in tell(*teach(blank), code=2)
    assert not decks.exists()
    tell(*teach(one), code=1)
    assert "is a deck of triple3" in tell("teach", "mine", "--game", "three", str(two), "--in-order", code=2)


def test_decks_are_listed_renamed_sent_and_deleted(
    tell: Tell, tmp_path: Path, decks: Path, pictures: tuple[Path, Path]
) -> None:
    tell(*teach(pictures[0]), code=1)
    assert "mine: Triple³, 9 of 64 faces." in tell("decks")
    assert "yellow" in tell("decks", "show", "mine", "--picture", str(tmp_path / "faces.jpg"))
    assert cv2.imread(str(tmp_path / "faces.jpg")) is not None
    tell("decks", "rename", "mine", "ours")
    assert [path.name for path in decks.iterdir()] == ["ours.deck"]
    tell("decks", "export", "ours", str(tmp_path))
    assert "is there already" in tell("decks", "export", "ours", str(tmp_path), code=2)
    assert "There is a deck ours already" in tell("decks", "import", str(tmp_path / "ours.deck"), code=2)
    tell("decks", "delete", "ours")
    assert not list(decks.iterdir())
    tell("decks", "import", str(tmp_path / "ours.deck"))
    assert (decks / "ours.deck").exists()
    tell("decks", "export", "ours", str(tmp_path / "new folder"))
    assert read_deck(tmp_path / "new folder" / "ours.deck").name == "ours"
    (decks / "copied.deck").write_bytes((decks / "ours.deck").read_bytes())
    assert "copied: Triple³" in tell("decks")
    assert "There is no deck nix" in tell("decks", "delete", "nix", code=2)
    assert "There is no deck nix" in tell("decks", "show", "nix", code=2)
    assert "no file to export" in tell("decks", "export", "triple3", str(tmp_path), code=2)
    assert "stays as it is" in tell("decks", "delete", "triple3", code=2)


def test_a_damaged_deck_is_a_sentence(tell: Tell, tmp_path: Path, pictures: tuple[Path, Path]) -> None:
    path = tmp_path / "cut.deck"
    path.write_bytes(b"PK")
    assert "cut short or damaged" in tell("read", str(pictures[0]), "--deck", str(path), code=2)
    assert "cut short or damaged" in tell("decks", "import", str(path), code=2)
    assert "there is no such deck" in tell("read", str(pictures[0]), "--deck", "nix", code=2)


# --- decks that come with the companion ------------------------------------------------------------------------


def test_printed_decks_are_there_and_stay_as_they_are(tell: Tell, tmp_path: Path) -> None:
    told = tell("decks")
    assert "triple3: Triple³, comes with the companion." in told
    assert "three: Three!, 8 of 8 faces, comes with the companion." in told
    assert "tres-tall: Tres, 40 of 40 faces, comes with the companion." in told
    assert "comes with the companion" in tell("decks", "show", "threepia")
    assert "stays as it is" in tell("decks", "rename", "three", "ours", code=2)
    assert "stays as it is" in tell("decks", "delete", "three", code=2)
    assert "8 faces" in tell("decks", "export", "three", tmp_path)
    assert read_deck(tmp_path / "three.deck").name == "three"
    assert "stays as it is" in tell("decks", "import", tmp_path / "three.deck", code=2)


def test_ones_own_deck_comes_before_one_of_the_same_name(tell: Tell, decks: Path) -> None:
    decks.mkdir()
    (decks / "three.deck").write_bytes(shipped_decks()["threepia"].read_bytes())
    told = tell("decks")
    assert "three: Threepia, 16 of 16 faces.\n" in told
    assert "three: Three!" not in told
    assert tell("decks", "delete", "three") == ""
    assert "three: Three!, 8 of 8 faces, comes with the companion." in tell("decks")


def test_a_printed_deck_is_read_by_its_name(tell: Tell, tmp_path: Path) -> None:
    paper = part("three", "paper", PrintedDeck)
    dogs = [*paper.faces, paper.faces[0]]
    sheet = bare(SMALL).copy()
    for place, dog in zip(SMALL.places, dogs, strict=True):
        face = face_picture(paper, dog, 54 * PER_MM, SMALL.card)
        left, top = (round(at * PER_MM) - face.shape[0] // 2 for at in place)
        sheet[top : top + face.shape[0], left : left + face.shape[1]] = face
    framed = cv2.copyMakeBorder(sheet, 40, 40, 40, 40, cv2.BORDER_CONSTANT, value=(60, 90, 120))
    cv2.imwrite(str(tmp_path / "dogs.png"), framed * 0.9)
    told = tell("read", tmp_path / "dogs.png", "--deck", "three")
    assert [told.count(dog) for dog in paper.faces] == [2, *[1] * 7]
    assert "Cell" not in told
