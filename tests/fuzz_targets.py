"""What `python -m tests.fuzz` tries: of everything that reads, sound examples, and how it is read."""

import contextlib
import hashlib
import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

from companion.core.codec import parsed
from companion.core.entry import Abandoned, Corrected, Made, Paused, Redone, Resumed, Undone
from companion.core.errors import CompanionError, MatchError
from companion.core.match import Match
from companion.core.record import entry_plain, move_plain, setup_plain
from companion.core.referee import Referee
from companion.core.requests import read_message
from companion.core.session import Session
from companion.games import NAMES, game
from companion.games.threepia.fields import field as field_of
from companion.journal import Journal
from companion.journal.archive import archived, read_archive
from companion.journal.rows import checksum
from companion.reports.statistics import tallied
from companion.reports.tally_cache import Counted
from companion.reports.trials import trials
from simulator.playing import seated
from tests.fuzz import PROJECT, Target, is_sentence
from tests.kept import played
from tests.replies import told as as_told
from tests.tables import FULL, INSTALLED, uncommented

SHORT = 24  # moves of a match that is an example
MIDDLE = 10  # moves after which other things than moves happen
FEW, FIRST = 3, 2  # the same in a journal, where each is some pages of its log
BEGINNING = 1000  # bytes of a model file
SMALL = (320, 240)  # points of a simulated camera
STREAMS = ("about.json", "stamps.txt", "said.jsonl")
CUT = b"\n--- 8< ---\n"  # between the files of one input


def clean(folder: Path) -> Path:
    for file in folder.iterdir():
        shutil.rmtree(file) if file.is_dir() else file.unlink()
    return folder


# --- matches ---------------------------------------------------------------------------------------------------


@cache
def matches(middle: int = MIDDLE, short: int = SHORT) -> list[tuple[Any, tuple[Any, ...]]]:
    """The beginning of a match of each game, with entries of every kind."""
    found = []
    for seed, name in enumerate(NAMES):
        setup, entries = played(name, seed)
        match = Match(setup)
        for entry in entries[:middle]:
            match.take(entry)
        at, last = match.now, match.line[-1].move
        others = (Undone(), Redone(), Paused(at, "tea"), Resumed(), Corrected(len(match.line), last))
        found.append((setup, (*entries[:middle], *others, *entries[middle:short])))
    setup, entries = found[-1]
    found.append((seated(game(setup.game), setup.house), (*entries[:3], Abandoned(2**40, "rain"))))
    return found


@cache
def journal_examples() -> list[bytes]:
    """Journals with and without a log beside them: one with two matches, and one of each further game."""
    found = []
    first, second, *others = matches(FIRST, FEW)
    with tempfile.TemporaryDirectory() as place:
        for number, kept in enumerate(((first, second), *((other,) for other in others))):
            path = Path(place) / f"{number}.sqlite3"
            with Journal(path) as journal:
                for setup, entries in kept:
                    match = Match(setup, journal.begin(setup))
                    for entry in entries:
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
    _as_tables_do(path)


def _as_tables_do(path: Path) -> None:
    """Looked at before all of it was read, and afterwards, as it was found or mended."""
    refused = None
    try:
        with Journal.open(path) as opened:
            _looked_through(opened)
    except CompanionError as error:
        refused = error
    with Journal.open(path, whole=True) as opened:
        _looked_through(opened)
    if refused:
        raise refused


def _looked_through(opened: Journal) -> None:
    """Everything that anybody looks at in a journal; what was not as it should be is raised at the end."""
    from companion.display.past import past  # noqa: PLC0415

    said = [*map(CompanionError, opened.notices)]
    past(opened)
    for summary in opened.matches():
        try:
            stored = opened.stored(summary.code)
            tallied(stored.folded())
            archived(stored)
            opened.fouls(summary.code)
            with contextlib.suppress(MatchError):  # it is over
                Referee.go_on(opened, 0, summary.code).undo(0)
        except CompanionError as error:
            said.append(error)
    opened.most_wins()
    trials(opened)
    opened.longest_rounds()
    Counted(opened).count(lambda: False)
    if said:
        raise said[0]


def row_examples() -> list[bytes]:
    found = []
    for setup, entries in matches():
        rows = [["setup", setup_plain(setup)], *([kind, body] for kind, body in map(entry_plain, entries))]
        found.append(json.dumps(rows).encode())
    return found


@cache
def _a_journal() -> bytes:
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
    path.write_bytes(_a_journal())
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.execute("DELETE FROM entry")
        for number, row in enumerate(found if isinstance(found, list) else []):
            kind, body = (str(row[0]), json.dumps(row[1])) if isinstance(row, list) and len(row) > 1 else ("", "")
            values = (1 << 32 | number, 1, number, kind, body.encode("utf-8", "replace").decode())
            with contextlib.suppress(sqlite3.Error, UnicodeError):
                database.execute(
                    "INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?)", (*values, checksum("entry", values), None)
                )
        database.commit()
    _as_tables_do(path)


def match_examples() -> list[bytes]:
    from companion.journal import Stored  # noqa: PLC0415

    stored = [Stored(*one, time=0, row=1, began="2026-01-01T10:00:00") for one in matches()]
    return [archived(one, is_chained=is_chained).encode() for one in stored for is_chained in (True, False)]


def a_match(content: bytes, folder: Path) -> None:
    path = folder / "match.json"
    path.write_bytes(content)
    stored = read_archive(path)
    tallied(stored.folded())


# --- lines -----------------------------------------------------------------------------------------------------


def line_examples() -> list[bytes]:
    """Conversations: the beginning of each match, short and long, and everything else that can be said in one."""
    others: list[dict[str, Any]] = [
        *({"do": word} for word in ("show", "time", "undo", "redo")),
        *({"do": "pause", "why": "tea"}, {"do": "resume"}, {"do": "undo", "id": "a"}),
        *({"do": "correct", "number": 1, "move": None}, {"do": "abandon", "why": "rain"}, {"do": "rematch"}),
    ]
    found = []
    for name in NAMES:
        _, entries = played(name)
        made = [entry.move for entry in entries[:SHORT] if isinstance(entry, Made) and entry.move]
        moves = [json.dumps(move_plain(move)).encode() for move in made]
        found += [b"\n".join((name.encode(), *moves[:most])) for most in (1, 2, 4, 8, SHORT)]
        said = [json.dumps({**other, "at": made[1].at + number}).encode() for number, other in enumerate(others)]
        found.append(b"\n".join((name.encode(), *moves[:2], *said)))
    return [*found, b'triplexity\n{"do":"advise"}']


def lines(content: bytes, _folder: Path) -> None:
    """The first line may name a game; the others are said to its referee, one by one. The first error is raised."""
    first, *rest = content.split(b"\n")
    name = first.decode(errors="replace") if first in [one.encode() for one in NAMES] else "three"
    setup, _ = played(name)
    session = Session(Referee.begin(setup, 0), lambda: 2**50)
    refused = [error for line in rest or [first] for error in _said(session, line)]
    if refused:
        raise refused[0]


def _said(session: Session, line: bytes) -> Iterator[CompanionError]:
    """Why a line was refused."""
    try:
        for reply in as_told(session.answer(read_message(session.referee.match.game, parsed(line)))):
            json.dumps(reply, allow_nan=False).encode()
            if reply["kind"] in ("error", "foul"):
                yield CompanionError(reply["sentence"])
    except CompanionError as error:
        yield error


# --- what people write -----------------------------------------------------------------------------------------


def wiring_examples() -> list[bytes]:
    return [FULL.encode(), *(file.read_bytes() for file in sorted((PROJECT / "docs").glob("table*.toml")))]


def wiring(content: bytes, folder: Path) -> None:
    from companion.core.button_meanings import key_kinds  # noqa: PLC0415
    from hardware.wiring import read_wiring  # noqa: PLC0415

    path = folder / "table.toml"
    path.write_bytes(content)
    read_wiring(path, key_kinds())


def configuration_examples() -> list[bytes]:
    insecure = re.sub("tls = true\nca = .*", "tls = false", FULL)
    return [INSTALLED.read_bytes(), uncommented().encode(), insecure.encode(), *wiring_examples()]


def configuration(content: bytes, folder: Path) -> None:
    """As the table reads it, whose first mistake is raised, and as a door does to which it was named for publishing."""
    from companion.config.table_file import read_configuration  # noqa: PLC0415
    from companion.publishing.wish import read_wish  # noqa: PLC0415

    path = folder / "table.toml"
    path.write_bytes(content)
    notices = read_configuration(path).notices
    for notice in notices:
        assert is_sentence(notice), notice
    said = []
    try:
        read_wish(path)
    except CompanionError as error:
        said.append(str(error))
    assert all(map(is_sentence, said)), said
    if notices:
        raise CompanionError(notices[0])


def field_examples() -> list[bytes]:
    return [
        file.read_bytes() for file in sorted((PROJECT / "companion" / "games" / "threepia" / "fields").glob("*.toml"))
    ]


def a_field(content: bytes, folder: Path) -> None:
    path = folder / "field.toml"
    path.write_bytes(content)
    field_of(str(path))


# --- what the table writes for itself --------------------------------------------------------------------------


def settings_examples() -> list[bytes]:
    from dataclasses import asdict  # noqa: PLC0415

    from companion.display.view import Prefs  # noqa: PLC0415
    from companion.reports.tally_cache import FORMAT, _plain  # noqa: PLC0415

    setup, entries = played("three")
    counted = {setup.id: [len(entries), *_plain(tallied(Match.folded(setup, entries)))]}
    tallies = json.dumps({"companion": FORMAT, "matches": counted}).encode()
    camera = b'{"exposure": 12000, "gain": 1.5, "colours": [1.2, 1.4], "lens": 2.5}'
    return [json.dumps(asdict(Prefs())).encode(), tallies, camera]


def settings(content: bytes, folder: Path) -> None:
    """Preferences, tallies and the camera's settings: each reads whatever is there, and refuses what is another's."""
    from companion.display.remembered import Remembered  # noqa: PLC0415
    from companion.reports.tally_cache import _read  # noqa: PLC0415
    from vision.calibration import read_settings  # noqa: PLC0415

    path = clean(folder) / "file.json"
    path.write_bytes(content)
    refused: list[CompanionError] = []
    try:
        read_settings(path)
    except CompanionError as error:
        refused.append(error)
    if not list(_read(path)):
        refused.append(CompanionError("There are no tallies."))
    kept = Remembered(path)
    assert kept.keep(kept.prefs) == ""
    if kept.notice:
        refused.append(CompanionError(kept.notice))
    if len(refused) == 3:
        raise refused[0]


# --- the eye ---------------------------------------------------------------------------------------------------


def model_examples() -> list[bytes]:
    """The project's card, as if it were about the beginning of the project's file: that can be read in no time."""
    models = PROJECT / "models"
    file = (models / "reader-int8.tflite").read_bytes()[:BEGINNING]
    card = json.loads((models / "reader.json").read_bytes())
    for about in card["files"].values():
        about["sha256"] = hashlib.sha256(file).hexdigest()
    return [json.dumps(card).encode() + CUT + file]


def model(content: bytes, folder: Path) -> None:
    """The card, and a model file under every name that the card gives it."""
    from vision.runtime import bytes_of, card_in  # noqa: PLC0415

    card, _, file = content.partition(CUT)
    (clean(folder) / "reader.json").write_bytes(card)
    found = card_in(folder)
    for name, sha256 in found.files.items():
        if len(name) < 100:
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
    from companion.watch.watch_sources import shown  # noqa: PLC0415

    for name, kept in small_recording().items():
        if name.endswith(".jpg"):
            (folder / name).write_bytes(kept)
    for name, part in zip(STREAMS, content.split(CUT), strict=False):
        (folder / name).write_bytes(part)
    showing = shown(str(folder))
    for _ in showing.source.frames():
        pass


@cache
def script_examples() -> list[bytes]:
    """Two stretches of play before a small camera, in one of which everything goes wrong that can."""
    from companion.games.triple3.hands import script_plain, write_script  # noqa: PLC0415
    from simulator.rendered.mishaps import KNOWN  # noqa: PLC0415
    from simulator.rendered.script import Mishap  # noqa: PLC0415

    calm = replace(write_script(3, plays=4, trouble={}), size=SMALL)
    mishaps = tuple(Mishap(what, at * 10**9, (at + 1) * 10**9, 1.0, 0.5, 2.0) for at, what in enumerate(KNOWN))
    troubled = replace(write_script(5, plays=4, players=4), size=SMALL, mishaps=mishaps, mat=None)
    return [json.dumps(script_plain(one)).encode() for one in (calm, troubled)]


@cache
def _noise_of(size: tuple[int, int]) -> Any:
    import numpy as np  # noqa: PLC0415

    return np.full((size[1], size[0], 3), 128, np.uint8)


@cache
def _wood() -> Any:
    import numpy as np  # noqa: PLC0415

    from simulator.rendered.room_light import a_tabletop  # noqa: PLC0415

    return a_tabletop(np.random.default_rng(3))


def script(content: bytes, folder: Path) -> None:
    """Of the simulated table: read, and put together as `companion watch` does. The wood of the table and the noise of
    the camera are not drawn anew for each: nothing in a script says anything about them."""
    from companion.watch.watch_sources import shown  # noqa: PLC0415

    path = folder / "match.script.json"
    path.write_bytes(content)
    with (
        patch("simulator.rendered.rendered_table.a_tabletop", lambda _: _wood()),
        patch("simulator.rendered.sensor._noise", lambda _, size, __: _noise_of(size)),
    ):
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
