"""The doctor of the eye: what the camera shows, which model reads it and how well, and what to improve."""

import json
import re
import statistics
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.core.errors import CompanionError
from companion.core.game_print import usual_deck
from companion.games import title_of_game
from companion.teaching.deck_choice import reader_of, taught_deck
from companion.watch.reading_text import how
from vision import eyeprocess, sources
from vision.calibration import read_settings, write_settings
from vision.eye_errors import ModelError
from vision.picture_doctor import Checkup, PictureLook, ReadingTrial, Watched, Weights, advice, watch
from vision.picture_doctor import examine_reader as examine
from vision.reader import Reader
from vision.teaching import too_alike

WELL, ILL, UNTRIED = 0, 1, 2  # exit codes
USUAL = "camera"
SHOWN = 12  # digits of a checksum
MOST_PAIRS = 4  # in one sentence

Say = Callable[[str], None]


# --- the camera ------------------------------------------------------------------------------------------------


def calibrate_camera(source: str | None, kept: Path, say: Say) -> int:
    """Let a Pi's camera find focus, exposure and colours by itself, and keep what it found."""
    number = re.fullmatch(r"camera(?::(\d{1,3}))?", source or USUAL)
    if not number:
        raise CompanionError(f"{source} cannot be calibrated: only a Pi's own cameras can, camera or camera:1.")
    settings = eyeprocess.calibrated(int(number[1] or 0))
    write_settings(kept, settings)
    found = [
        f"exposure {settings.exposure / 1000:.1f} ms" if settings.exposure else "",
        f"gain {settings.gain:.1f}" if settings.gain else "",
        "red {:.2f} and blue {:.2f} to 1 green".format(*settings.colours) if settings.colours else "",
        f"focus at {100 / settings.lens:.0f} cm" if settings.lens else "",
    ]
    what = ", ".join(filter(None, found)) or "nothing, this camera has nothing to set"
    say(f"Kept in {kept}: {what}.")
    return WELL


def examine_camera(
    source: str | None, say: Say, *, as_json: bool, kept: Path | None = None, deck: str | None = None
) -> int:
    """PictureLook through the camera, or at a stored picture; 1 if something is to be improved."""
    settings = read_settings(kept) if kept else None
    reader, without = _reader(deck or usual_deck())
    with closing(sources.open_source(source or USUAL, settings=settings)) as opened:
        watched = watch(opened.frames(), opened.about, reader)
    recommended = [*([without] if without else []), *advice(watched)]
    if as_json:
        say(json.dumps(_camera_data(watched, recommended), ensure_ascii=False, default=str))
        return ILL if recommended else WELL
    for line in (*_camera_words(watched), *_recommended(recommended, "All is well with the camera.")):
        say(line)
    return ILL if recommended else WELL


def _reader(deck: str) -> tuple[Reader | None, str]:
    """Without a model the rest can still be measured."""
    try:
        return reader_of(deck), ""
    except ModelError as error:
        return None, str(error)


def _camera_words(watched: Watched) -> Iterator[str]:
    look = watched.look
    yield f"{watched.about.get('name', 'camera')}: {look.size[0]} × {look.size[1]} pixels{_pace(watched)}."
    if look.table is None:
        yield f"Table: not found. {look.missing}"
        return
    yield f"Table: found by {how(look.table)}."
    yield from _measures(look)
    yield f"Readable: {look.readable} of 9 cells." if look.readings else "Readable: nothing, there is no model."


def _pace(watched: Watched) -> str:
    if watched.rate is None:
        return f", {watched.frames} pictures" if watched.frames > 1 else ""
    return f", {watched.rate:.1f} frames per second, {watched.lost or 'none'} lost of {watched.frames + watched.lost}"


def _measures(look: PictureLook) -> Iterator[str]:
    blurs = [blur for blur in look.blur if blur is not None]
    if blurs:
        yield f"Sharpness: edges are blurred by {min(blurs):.1f} to {max(blurs):.1f} hundredths of a cell."
    lights = look.light
    yield (
        f"Light: white paper is {statistics.median(lights):.0f} of 255, the darkest cell has "
        f"{min(lights) / max(*lights, 1):.0%} of the brightest."
    )
    yield f"Glare: {max(look.burnt):.1%} of the worst cell is burnt out."
    yield f"Colour: in white there is {look.tint[0]:.2f} red and {look.tint[1]:.2f} blue to 1 green."
    markers = f"markers are {look.marker:.0f} pixels wide, " if look.marker is not None else ""
    yield f"Size: {markers}cells {look.cell:.0f}, where they are smallest."


def _recommended(sentences: list[str], well: str) -> Iterator[str]:
    if not sentences:
        yield well
        return
    yield "Recommendations:"
    for sentence in sentences:
        yield f"  {sentence}"


def _camera_data(watched: Watched, recommended: list[str]) -> dict[str, Any]:
    look = watched.look
    return {
        "well": not recommended,
        "source": watched.about,
        "size": list(look.size),
        "frames": watched.frames,
        "lost": watched.lost,
        "frames_per_second": watched.rate,
        "table": look.table.how if look.table else None,
        "blur": list(look.blur),
        "light": list(look.light),
        "burnt": list(look.burnt),
        "tint": {"red": look.tint[0], "blue": look.tint[1]},
        "marker_pixels": look.marker,
        "cell_pixels": look.cell,
        "readable": look.readable if look.readings else None,
        "cells": [
            {"cell": one.cell, "state": one.state, "card": one.card, "reason": one.reason} for one in look.readings
        ],
        "advice": recommended,
    }


# --- the reader ------------------------------------------------------------------------------------------------


def examine_reader(say: Say, *, as_json: bool, deck: str | None = None) -> int:
    """What reads the cards, from the runtime to stored pictures, and a deck that was taught; 2 if it does not work."""
    taught = _examined_deck(deck) if deck else None
    found = examine(deck=usual_deck())
    found.advice.extend(taught.advice if taught else ())
    if as_json:
        say(json.dumps({**_reader_data(found), "deck": taught and taught.data}, ensure_ascii=False))
    else:
        told = [*_reader_words(found), *([taught.line] if taught else [])]
        for line in (*told, *_recommended(found.advice, "The reader works.")):
            say(line)
    return WELL if found.is_well else UNTRIED


@dataclass(frozen=True, slots=True)
class ExaminedDeck:
    """A deck that was taught, as far as it can be judged without its cards."""

    name: str
    game: str
    faces: int
    missing: tuple[str, ...]
    alike: tuple[tuple[str, str], ...]

    @property
    def line(self) -> str:
        known = self.faces - len(self.missing)
        of = f"{self.faces} faces of {title_of_game(self.game)}"
        return f"Deck {self.name}: {known} of {of}, {len(self.alike)} pairs look alike."

    @property
    def advice(self) -> list[str]:
        again = f"companion teach {self.name!r} --game {self.game}"
        missing = f"{len(self.missing)} faces of the deck {self.name} are missing: show them with `{again}`."
        alike = f"Cards of the deck {self.name} look alike ({_pairs(self.alike)}): show each once more with `{again}`."
        return [sentence for sentence, is_so in ((missing, self.missing), (alike, self.alike)) if is_so]

    @property
    def data(self) -> dict[str, Any]:
        pairs = [list(pair) for pair in self.alike]
        return {"name": self.name, "game": self.game, "faces": self.faces, "missing": self.missing, "alike": pairs}


def _examined_deck(word: str) -> ExaminedDeck | None:
    """A CompanionError if it cannot be read; nothing of a deck that comes with the companion."""
    deck = taught_deck(word)
    if deck is None:
        return None
    Reader(taught=deck)  # it may be of another version
    return ExaminedDeck(deck.name, deck.game, len(deck.faces), deck.missing, tuple(too_alike(deck)))


def _pairs(alike: Sequence[tuple[str, str]]) -> str:
    more = ", …" if len(alike) > MOST_PAIRS else ""
    return ", ".join(" and ".join(pair) for pair in alike[:MOST_PAIRS]) + more


def _reader_words(found: Checkup) -> Iterator[str]:
    if found.runtime:
        yield f"Runtime: {found.runtime} {found.version}, on one thread."
    if found.files:
        yield f"Model card: {found.card}."
    for file in found.files:
        yield f"  {file.name}: {_file(file, found)}"
    yield from _figures(found.figures)
    for trial in found.trials:
        yield f"Self-test {trial.name}: {_trial(trial)}"


def _file(file: Weights, found: Checkup) -> str:
    if file.micros is None:
        return file.wrong
    taken = f" Taken: {_why(file, found)}." if file.name == found.chosen else ""
    size = f"{file.size / 1024:.0f} KiB, sha256 {file.sha256[:SHOWN]}…"
    return f"{file.micros / 1000:.2f} ms for a cell here, {size}.{taken}"


def _why(file: Weights, found: Checkup) -> str:
    others = [other.micros for other in found.files if other is not file and other.micros is not None]
    if not others:
        return "it is the only one"
    if file.micros is not None and file.micros <= min(others):
        return "it is the quickest here"
    return "it is more exact, and another is not so much quicker"


def _figures(card: dict[str, Any]) -> Iterator[str]:
    """What the card says of how good the model is, of squares that training did not see."""
    held = card.get("held out", {})
    if isinstance(held, dict) and isinstance(held.get("right"), dict):
        right = ", ".join(f"{name} {share:.2%}" for name, share in held["right"].items())
        squares = f"{held.get('squares', 0):,} squares that training never saw, drawn far harder than a table's"
        yield f"Right, of {squares}: {right}."
    closer = card.get("closer", {})
    held = closer.get("held out", {}) if isinstance(closer, dict) else {}
    if isinstance(held, dict) and held:
        yield (
            f"It tells what it has read where it is at least {closer.get('accepted', 0):.1%} sure: of "
            f"{held['squares']:,} squares of editions that training never saw either that is "
            f"{held['cards accepted']:.1%} of the cards, and {held['wrong among accepted']:.3%} of them are wrong."
        )


def _trial(trial: ReadingTrial) -> str:
    return f"{trial.right} of 9 cells right{f', {trial.unsure} in doubt' if trial.unsure else ''}."


def _reader_data(found: Checkup) -> dict[str, Any]:
    return {
        "well": found.is_well,
        "runtime": found.runtime or None,
        "version": found.version or None,
        "card": str(found.card),
        "files": [
            {"name": file.name, "sha256": file.sha256, "bytes": file.size, "micros": file.micros, "wrong": file.wrong}
            for file in found.files
        ],
        "chosen": found.chosen or None,
        "figures": found.figures.get("held out"),
        "selftest": [
            {"picture": trial.name, "right": trial.right, "unsure": trial.unsure, "wrong": list(trial.wrong)}
            for trial in found.trials
        ],
        "advice": found.advice,
    }
