"""The screens on which a deck is chosen and taught, in their usual and in their hardest states, for the gallery."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, cast

from companion.core.game_faces import faces_of
from companion.core.sentence import Sentence
from companion.devices.camera import CameraSight, CameraStill
from companion.display.shelf import Shelf
from companion.display.view import Prefs, View
from companion.teaching.kept_decks import KeptDeck
from companion.teaching.teaching_desk import AGAIN, COVERED, FAILED
from companion.teaching.teaching_sight import AlikePair, FaceDoubt, KnownFace, Now, TaughtPlace, TeachingSight
from tools.gallery.played_matches import marked
from tools.gallery.scenes_watched import CORNERS, NO_MAT, STILL

SIDE = 56
LONG = "The deck that grandmother brought from Lisbon"[:40]
LOOKED: tuple[Now, ...] = ("known", "known", "again", "known", "doubt", "known", "covered", "known", "bare")


class _DrawnFace:
    """A card as a camera may have seen it: drawn when somebody looks, which takes OpenCV."""

    stamp, size = 0, (SIDE, SIDE)

    def __init__(self, card: str) -> None:
        self._card = card

    @cached_property
    def rgb(self) -> bytes:
        import cv2  # noqa: PLC0415

        from vision.card_drawing import face_picture  # noqa: PLC0415

        drawn = cv2.resize(face_picture(self._card, 240, (54.0, 54.0)), self.size, interpolation=cv2.INTER_AREA)
        return bytes(drawn[..., ::-1].tobytes())


def _known(cards: Sequence[str]) -> tuple[KnownFace, ...]:
    return tuple(KnownFace(card, 1, cast(CameraStill, _DrawnFace(card))) for card in cards)


def views(known: Mapping[str, View]) -> dict[str, View]:
    """From those of a table that nobody plays at."""
    blank = replace(known["settings"], depth=2, sight=CameraSight("looking", still=STILL))
    return {**_choosing(blank, known["triple3-play"]), **_teaching(replace(blank, about="triple3:mine"))}


def _choosing(blank: View, play: View) -> dict[str, View]:
    decks = (
        KeptDeck("cut"),
        KeptDeck("dogs", "three", 8, 8),
        KeptDeck("mine", "triple3", 64, 64),
        KeptDeck(LONG, "triple3", 40, 64),
    )
    listed = replace(blank, screen="decks", shelf=Shelf(decks=decks))
    many = tuple(KeptDeck(f"deck {number}", "triple3", 9 * number, 64) for number in range(1, 8))
    named = replace(listed, screen="deck-name", about="triple3")
    return {
        "decks": listed,
        "decks-none": replace(listed, shelf=Shelf()),
        "decks-many": replace(
            listed, shelf=Shelf(decks=many), prefs=Prefs(decks={"triple3": "/media/stick/theirs.deck"})
        ),
        "decks-playing": replace(listed, seen=play.seen),
        "teach": replace(blank, screen="teach"),
        "teach-no-camera": replace(blank, screen="teach", sight=CameraSight()),
        "deck-name": named,
        "deck-name-known": replace(named, marks=marked(text="mine")),
        "deck-name-wrong": replace(named, marks=marked(text="../mine")),
        "deck-name-taken": replace(named, marks=marked(text="dogs")),
    }


def _teaching(at: View) -> dict[str, View]:
    cards = faces_of("triple3").names
    seen = _known(cards)
    begun = TeachingSight("mine", "triple3", "ready", faces=cards, missing=cards)
    some = replace(begun, looks=4, known=seen[:36], missing=cards[36:])
    odd = replace(some, note=_NOTE, doubts=_doubts(seen), alike=_alike(seen), places=_places())
    whole = replace(some, known=(*seen, *_also(seen)), missing=())
    dogs, tres = faces_of("three").names, faces_of("tres").names
    ordered = TeachingSight("dogs", "three", "ready", faces=dogs, missing=dogs, following=dogs)
    later = replace(ordered, game="tres", faces=tres, missing=tres, following=tres[9:18], looks=1)
    failed = replace(begun, state="failed", why=Sentence(FAILED, kind="OSError", error="No space left on device"))
    live, faces = replace(at, screen="teaching"), replace(at, screen="faces")
    return {
        "teaching-loading": replace(live, teaching=None, sight=CameraSight("opening")),
        "teaching-begins": replace(live, teaching=begun),
        "teaching-no-table": replace(live, teaching=replace(some, note=NO_MAT)),
        "teaching": replace(live, teaching=replace(some, places=_places())),
        "teaching-doubts": replace(live, teaching=odd),
        "teaching-all": replace(live, teaching=whole),
        "teaching-dogs": replace(live, about="three:dogs", teaching=ordered),
        "teaching-tres": replace(live, about="tres:cards", teaching=later),
        "teaching-failed": replace(live, teaching=failed),
        "faces": replace(faces, teaching=some),
        "faces-all": replace(faces, teaching=whole),
        "faces-tres": replace(faces, about="tres:cards", teaching=later),
        "doubt": replace(at, screen="doubt", teaching=odd),
        "doubt-none": replace(at, screen="doubt", teaching=some),
        "alike": replace(at, screen="alike", teaching=odd),
        "alike-none": replace(at, screen="alike", teaching=some),
    }


_NOTE = Sentence("{first} {then}", first=Sentence(COVERED, place=7), then=Sentence(AGAIN, place=3))


def _doubts(seen: Sequence[KnownFace]) -> tuple[FaceDoubt, ...]:
    return tuple(FaceDoubt(at, seen[at].face, seen[at + 1].face, seen[at].still) for at in (2, 40))


def _alike(seen: Sequence[KnownFace]) -> tuple[AlikePair, ...]:
    pairs = ((2, 3, "count"), (20, 35, ""), (4, 20, "colour"))
    return tuple(AlikePair(seen[one], seen[other], part) for one, other, part in pairs)


def _also(seen: Sequence[KnownFace]) -> tuple[KnownFace, ...]:
    return tuple(replace(one, face=face) for one, face in zip(seen, ("back", "mat"), strict=False))


def _places() -> tuple[TaughtPlace, ...]:
    looked: Any = zip(CORNERS, LOOKED, strict=True)
    return tuple(TaughtPlace(place, corners, now) for place, (corners, now) in enumerate(looked, 1))
