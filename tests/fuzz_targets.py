"""What `python -m tests.fuzz` tries: of everything that reads, sound examples, and how it is read."""

import contextlib
import hashlib
import json
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from companion.archive import archived, read_archive
from companion.codec import parsed
from companion.counted import Counted
from companion.exc import CompanionError
from companion.fields import field as field_of
from companion.games import NAMES, game
from companion.journal import Journal, checksum
from companion.match import Abandoned, Corrected, Made, Match, Paused, Redone, Resumed, Undone
from companion.playing import seated
from companion.protocol import Session, read_message
from companion.record import entry_plain, move_plain, setup_plain
from companion.referee import Referee
from companion.rules import Foul
from companion.statistics import tallied
from tests.fuzz import PROJECT, Target
from tests.kept import played

SHORT = 24  # entries of a match that is an example
MIDDLE = 10  # an entry after which other things than moves happen
STREAMS = ("about.json", "stamps.txt", "said.jsonl")
CUT = b"\n--- 8< ---\n"  # between the files of one input


def clean(folder: Path) -> Path:
    for file in folder.iterdir():
        shutil.rmtree(file) if file.is_dir() else file.unlink()
    return folder


# --- matches ---------------------------------------------------------------------------------------------------


@cache
def matches() -> list[tuple[Any, tuple[Any, ...]]]:
    """The beginning of a match of each game, with entries of every kind."""
    found = []
    for seed, name in enumerate(NAMES):
        setup, entries = played(name, seed)
        match = Match(setup)
        for entry in entries[:MIDDLE]:
            match.take(entry)
        at, last = match.now, match.line[-1].move
        others = (Undone(), Redone(), Paused(at, "tea"), Resumed(), Corrected(len(match.line), last))
        found.append((setup, (*entries[:MIDDLE], *others, *entries[MIDDLE:SHORT])))
    setup, entries = found[-1]
    found.append((seated(game(setup.game), setup.house), (*entries[:3], Abandoned(2**40, "rain"))))
    return found


@cache
def journal_examples() -> list[bytes]:
    """Journals with and without a log beside them."""
    found = []
    with tempfile.TemporaryDirectory() as place:
        for number, kept in enumerate((matches()[:2], matches()[2:4], matches()[4:])):
            path = Path(place) / f"{number}.sqlite3"
            with Journal(path) as journal:
                for setup, entries in kept:
                    match = Match(setup, journal.begin(setup))
                    for entry in entries:
                        with contextlib.suppress(Foul, CompanionError):
                            match.take(entry)
                log = path.with_name(f"{path.name}-wal").read_bytes()
                found.append(path.read_bytes() + CUT + log)
            found.append(path.read_bytes())
    return found


def journal(content: bytes, folder: Path) -> None:
    """Opened as the table does, mended if it is damaged; then everything in it is looked at."""
    path = clean(folder) / "journal.sqlite3"
    data, _, log = content.partition(CUT)
    path.write_bytes(data)
    if log:
        path.with_name(f"{path.name}-wal").write_bytes(log)
    with Journal.open(path) as opened:
        _looked_through(opened)


def _looked_through(opened: Journal) -> None:
    from companion.display.past import past  # noqa: PLC0415

    past(opened)
    for summary in opened.matches():
        with contextlib.suppress(CompanionError):
            stored = opened.stored(summary.code)
            tallied(stored.folded())
            archived(stored)
            opened.fouls(summary.code)
        with contextlib.suppress(CompanionError):
            referee = Referee.go_on(opened, 0, summary.code)
            referee.undo(0)
    opened.most_wins()
    opened.best_time_trials()
    opened.longest_rounds()
    counted = Counted(opened)
    counted.count(lambda: False)


def row_examples() -> list[bytes]:
    found = []
    for setup, entries in matches():
        rows = [["setup", setup_plain(setup)], *([kind, body] for kind, body in map(entry_plain, entries))]
        found.append(json.dumps(rows).encode())
    return found


@cache
def _empty_journal() -> bytes:
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "journal.sqlite3"
        with Journal(path) as opened:
            opened.begin(matches()[0][0])
        return path.read_bytes()


def rows(content: bytes, folder: Path) -> None:
    """Rows that somebody made who knows how checksums are made."""
    import sqlite3  # noqa: PLC0415

    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        return
    path = clean(folder) / "journal.sqlite3"
    path.write_bytes(_empty_journal())
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("DELETE FROM entry")
        for number, row in enumerate(found if isinstance(found, list) else []):
            kind, body = (str(row[0]), json.dumps(row[1])) if isinstance(row, list) and len(row) > 1 else ("", "")
            values = (1 << 32 | number, 1, number, kind, body.encode("utf-8", "replace").decode())
            with contextlib.suppress(sqlite3.Error, UnicodeError):
                database.execute("INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?)", (*values, checksum("entry", values)))
        database.commit()
    with Journal.open(path) as opened:
        _looked_through(opened)


def match_examples() -> list[bytes]:
    from companion.journal import Stored  # noqa: PLC0415

    return [archived(Stored(*one, time=0, row=1, began="2026-01-01T10:00:00")).encode() for one in matches()]


def a_match(content: bytes, folder: Path) -> None:
    path = folder / "match.json"
    path.write_bytes(content)
    stored = read_archive(path)
    tallied(stored.folded())


# --- lines -----------------------------------------------------------------------------------------------------


def line_examples() -> list[bytes]:
    words = ("show", "undo", "redo", "time", "advise", "rematch")
    found = [json.dumps({"do": word, "at": 5}).encode() for word in words]
    found += [b'{"do":"pause","why":"tea"}', b'{"do":"resume"}', b'{"do":"correct","number":1,"move":null,"id":"a"}']
    for name in NAMES:
        _, entries = played(name)
        made = [entry.move for entry in entries[:SHORT] if isinstance(entry, Made) and entry.move]
        moves = [json.dumps(move_plain(move)).encode() for move in made]
        found += [name.encode() + b"\n" + b"\n".join(moves), *(name.encode() + b"\n" + move for move in moves[:4])]
    return found


def lines(content: bytes, _folder: Path) -> None:
    """The first line may name a game; the others are said to its referee, one by one."""
    first, *rest = content.split(b"\n")
    name = first.decode(errors="replace") if first in [one.encode() for one in NAMES] else "three"
    setup, _ = played(name)
    session = Session(Referee.begin(setup, 0), lambda: 2**50)
    for line in rest or [first]:
        with contextlib.suppress(CompanionError):
            for reply in session.answer(read_message(session.referee.match.game, parsed(line))):
                json.dumps(reply, allow_nan=False).encode()


# --- what people write -----------------------------------------------------------------------------------------


def wiring_examples() -> list[bytes]:
    return [file.read_bytes() for file in sorted((PROJECT / "docs").glob("table*.toml"))]


def wiring(content: bytes, folder: Path) -> None:
    from hardware.wiring import read_wiring  # noqa: PLC0415

    path = folder / "table.toml"
    path.write_bytes(content)
    read_wiring(path)


def configuration_examples() -> list[bytes]:
    return [(PROJECT / "setup" / "table.toml").read_bytes(), *wiring_examples()]


def configuration(content: bytes, folder: Path) -> None:
    from companion.configuration import read_configuration  # noqa: PLC0415

    path = folder / "table.toml"
    path.write_bytes(content)
    for notice in read_configuration(path).notices:
        assert "\n" not in notice, notice
        assert notice.endswith((".", "?", "!")), notice


def field_examples() -> list[bytes]:
    return [file.read_bytes() for file in sorted((PROJECT / "companion" / "fields").glob("*.toml"))]


def a_field(content: bytes, folder: Path) -> None:
    path = folder / "field.toml"
    path.write_bytes(content)
    field_of(str(path))


# --- what the table writes for itself --------------------------------------------------------------------------


def settings_examples() -> list[bytes]:
    from dataclasses import asdict  # noqa: PLC0415

    from companion.display.view import Prefs  # noqa: PLC0415

    tallies = b'{"companion": 1, "matches": {"abcdef123456": [3, "three", ["Anna", 1, 0, 1]]}}'
    camera = b'{"exposure": 12000, "gain": 1.5, "colours": [1.2, 1.4], "lens": 2.5}'
    return [json.dumps(asdict(Prefs())).encode(), tallies, camera]


def settings(content: bytes, folder: Path) -> None:
    """Preferences, tallies and the camera's settings: each reads whatever is there."""
    from companion.counted import _read  # noqa: PLC0415
    from companion.display.remembered import Remembered  # noqa: PLC0415
    from vision.calibration import read_settings  # noqa: PLC0415

    path = clean(folder) / "file.json"
    path.write_bytes(content)
    with contextlib.suppress(CompanionError):
        read_settings(path)
    list(_read(path))
    kept = Remembered(path)
    assert kept.keep(kept.prefs) == ""


# --- the eye ---------------------------------------------------------------------------------------------------


def model_examples() -> list[bytes]:
    models = PROJECT / "models"
    card = (models / "reader.json").read_bytes()
    return [card + CUT + (models / "reader-int8.tflite").read_bytes()[:100_000], card]


def model(content: bytes, folder: Path) -> None:
    """The card, and the beginning of a model file; the file is whole only as the project's own."""
    from vision.runtime import bytes_of, card_in  # noqa: PLC0415

    card, _, file = content.partition(CUT)
    (clean(folder) / "reader.json").write_bytes(card)
    found = card_in(folder)
    for name, sha256 in found.files.items():
        if "/" not in name and len(name) < 100 and name not in (".", "..") and "\0" not in name:
            (folder / name).write_bytes(file)
        assert hashlib.sha256(bytes_of(folder, name, sha256)).hexdigest() == sha256


@cache
def small_recording() -> dict[str, bytes]:
    """The files of a recording of three small frames."""
    import numpy as np  # noqa: PLC0415

    from vision.frames import Frame  # noqa: PLC0415
    from vision.grey import grey_of  # noqa: PLC0415
    from vision.recording import Recorder  # noqa: PLC0415

    about = {"size": (32, 24), "game": "triple3", "players": ["Anna", "Ben"], "house": {"chips_to_win": 2}, "began": 5}
    with tempfile.TemporaryDirectory() as place:
        recorder = Recorder(Path(place) / "one", about)
        for number in range(3):
            picture = np.full((24, 32, 3), 40 * number, np.uint8)
            recorder.kept(Frame(picture, grey_of(picture), number * 33_000_000, number))
            recorder.heard(number * 33_000_000, {"move": "go", "player": ""})
        recorder.close()
        return {file.name: file.read_bytes() for file in sorted((Path(place) / "one").iterdir())}


def recording_examples() -> list[bytes]:
    return [CUT.join(small_recording()[name] for name in STREAMS)]


def recording(content: bytes, folder: Path) -> None:
    """Its text files; the pictures are sound."""
    from companion.showing import shown  # noqa: PLC0415

    for name, kept in small_recording().items():
        if name.endswith(".jpg"):
            (folder / name).write_bytes(kept)
    for name, part in zip(STREAMS, content.split(CUT), strict=False):
        (folder / name).write_bytes(part)
    showing = shown(str(folder))
    for _ in showing.source.frames():
        pass


def script_examples() -> list[bytes]:
    from companion.bots.hands import script_plain, write_script  # noqa: PLC0415

    plain = script_plain(write_script(3))
    return [json.dumps({**plain, "arms": plain["arms"][:12], "said": plain["said"][:3]}).encode()]


def script(content: bytes, folder: Path) -> None:
    """Of the simulated table: read, and put together as `companion watch` does."""
    from companion.showing import shown  # noqa: PLC0415

    path = folder / "match.script.json"
    path.write_bytes(content)
    showing = shown(str(path))
    assert showing.truth is not None
    showing.truth()


TARGETS: dict[str, Target] = {
    "configuration": Target(configuration_examples, configuration),
    "wiring": Target(wiring_examples, wiring),
    "journal": Target(journal_examples, journal),
    "rows": Target(row_examples, rows),
    "protocol": Target(line_examples, lines),
    "model": Target(model_examples, model),
    "matches": Target(match_examples, a_match),
    "recordings": Target(recording_examples, recording),
    "scripts": Target(script_examples, script),
    "fields": Target(field_examples, a_field),
    "settings": Target(settings_examples, settings),
}
