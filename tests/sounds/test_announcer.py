"""Sentences become waves in a process of its own: of a stand-in, and of espeak-ng where it is there."""

import io
import select
import shlex
import shutil
import stat
import sys
import time
import wave
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.clocks import SECOND
from companion.core.rules import Event
from companion.games.threepia import rules as threepia
from companion.games.tres import rules as tres
from companion.sounds.announcer import (
    LONGEST_TEXT,
    NO_VOICE,
    NOT_THERE,
    PATIENCE,
    PROGRAM,
    TOO_LATE,
    Announcer,
    whole_wave,
)
from companion.words import LANGUAGES, Words

HEAD = "import sys, time; text = sys.stdin.read(); out = sys.stdout.buffer"
FORMAT = bytes([16, 0, 0, 0, 1, 0, 1, 0, 34, 86, 0, 0, 68, 172, 0, 0, 2, 0, 16, 0])
WAVE = f"wave = b'RIFF' + b'\\xff' * 4 + b'WAVEfmt ' + {FORMAT!r}"
SPEAKS = f"{HEAD}; {WAVE}; out.write(wave + b'data' + b'\\xff' * 4 + text.encode('utf-16-le'))"
HANGS = "import time; time.sleep(600)"


def program(folder: Path, source: str) -> str:
    """A program in the place of espeak-ng."""
    file = folder / "speak"
    line = f"exec {shlex.quote(sys.executable)} -c {shlex.quote(source)}"  # its folder may have a space in its name
    file.write_text(f"#!/bin/sh\n{line}\n", encoding="utf-8")
    file.chmod(file.stat().st_mode | stat.S_IXUSR)
    return str(file)


@pytest.fixture
def announcers() -> Iterator[list[Announcer]]:
    made: list[Announcer] = []
    yield made
    for announcer in made:
        announcer.hush()


def wait_for(announcer: Announcer, now: int = 0) -> bytes:
    """What it makes in the end; nothing if it gives up."""
    until = time.monotonic() + 20
    while announcer.ears and time.monotonic() < until:
        select.select(announcer.ears, [], [], 20)
        if made := announcer.attend(now):
            return made
    return b""


def text_in(file: bytes) -> str:
    with wave.open(io.BytesIO(file)) as read:
        assert (read.getnchannels(), read.getsampwidth(), read.getframerate()) == (1, 2, 22_050)
        return str(read.readframes(read.getnframes()), "utf-16-le")


def test_a_sentence_becomes_a_whole_wave(tmp_path: Path, announcers: list[Announcer]) -> None:
    announcers.append(announcer := Announcer(program(tmp_path, SPEAKS)))
    announcer.say("de", "Anna schlägt zu.", 0)
    assert text_in(wait_for(announcer)) == "Anna schlägt zu."
    assert announcer.trouble == ""
    assert announcer.ears == []


def test_the_newest_wins_and_at_most_one_runs(tmp_path: Path, announcers: list[Announcer]) -> None:
    announcers.append(announcer := Announcer(program(tmp_path, SPEAKS)))
    before: list[Any] = []
    for number in range(5):
        announcer.say("de", f"Satz {number}.", 0)
        assert announcer._process
        assert all(process.poll() is not None for process in before)
        before.append(announcer._process)
    assert text_in(wait_for(announcer)) == "Satz 4."


def test_a_text_that_looks_like_an_option_or_has_no_end_is_only_a_text(
    tmp_path: Path, announcers: list[Announcer]
) -> None:
    announcers.append(announcer := Announcer(program(tmp_path, SPEAKS)))
    announcer.say("de", "--help " + "x" * 100_000, 0)
    assert text_in(wait_for(announcer)) == ("--help " + "x" * 1000)[:LONGEST_TEXT]


def test_one_that_is_late_is_killed(tmp_path: Path, announcers: list[Announcer]) -> None:
    announcers.append(announcer := Announcer(program(tmp_path, HANGS)))
    announcer.say("de", "Anna.", 5 * SECOND)
    process = announcer._process
    assert process
    assert announcer.wakes_at == 5 * SECOND + PATIENCE
    assert announcer.attend(5 * SECOND + PATIENCE - 1) == b""
    assert announcer.trouble == ""
    assert announcer.attend(5 * SECOND + PATIENCE) == b""
    assert announcer.trouble == TOO_LATE
    assert process.poll() is not None
    assert announcer.wakes_at is None


def test_one_that_does_not_read_blocks_nobody(tmp_path: Path, announcers: list[Announcer]) -> None:
    announcers.append(announcer := Announcer(program(tmp_path, HANGS)))
    for _ in range(20):
        announcer.say("de", "x" * 1000, 0)
    assert announcer.attend(0) == b""


def test_a_missing_program_is_said(announcers: list[Announcer]) -> None:
    announcers.append(announcer := Announcer("/nowhere/espeak-ng"))
    announcer.say("de", "Anna.", 0)
    assert announcer.trouble == NOT_THERE
    assert announcer.attend(0) == b""


@pytest.mark.parametrize("source", ["import sys; sys.exit(1)", f"{HEAD}; sys.exit(1)"])
def test_a_missing_voice_is_said_and_forgotten_when_another_speaks(
    tmp_path: Path, announcers: list[Announcer], source: str
) -> None:
    announcers.append(announcer := Announcer(program(tmp_path, source)))
    announcer.say("xx", "Anna.", 0)
    assert wait_for(announcer) == b""
    assert announcer.trouble == NO_VOICE
    program(tmp_path, SPEAKS)
    announcer.say("de", "Anna.", 0)
    assert text_in(wait_for(announcer)) == "Anna."
    assert announcer.trouble == ""


@pytest.mark.parametrize(
    "made",
    [b"", b"RIFF", b"nonsense" * 20, b"RIFF....WAVEfmt data", b"RIFF....WAVEfmt " + bytes(24) + b"data" + bytes(90)],
)
def test_what_is_no_wave_is_nothing(made: bytes) -> None:
    assert whole_wave(made) == b""


# --- the real one ----------------------------------------------------------------------------------------------

real = pytest.mark.skipif(shutil.which(PROGRAM) is None, reason="espeak-ng is not installed here")
SENTENCES: tuple[Event, ...] = (
    threepia.OutOfTime("Anna", 180),
    tres.Caught("Anna", "Ben", 0),
)


@real
@pytest.mark.parametrize("language", LANGUAGES)
def test_espeak_speaks_the_languages_of_the_table(language: str, announcers: list[Announcer]) -> None:
    announcers.append(announcer := Announcer())
    words = Words(language)
    for event in SENTENCES:
        announcer.say(language, words.heard(event.sentence), 0)
        with wave.open(io.BytesIO(wait_for(announcer))) as read:
            assert 1 < read.getnframes() / read.getframerate() < 12
            loudest = max(read.readframes(read.getnframes())[1::2], key=lambda high: min(high, 256 - high))
        assert min(loudest, 256 - loudest) > 20
    assert announcer.trouble == ""


@real
def test_espeak_says_when_it_has_no_voice(announcers: list[Announcer]) -> None:
    announcers.append(announcer := Announcer())
    announcer.say("xx", "Anna.", 0)
    assert wait_for(announcer) == b""
    assert announcer.trouble == NO_VOICE
