"""The process with the sound device, from outside: it plays, it fails, it hangs, it dies, and nobody waits for it."""

import json
import select
import sys
import threading
import time
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.core.clocks import SECOND
from companion.core.sentence import Sentence
from companion.sounds.cues import Cue
from companion.sounds.loudspeaker import NO_DEVICE
from companion.sounds.speaker import GONE, NO_ANSWER, NO_PROCESS, OPENING, Speaker, loudness, tried
from companion.sounds.synthesis import samples
from companion.words import LANGUAGES, Words
from tests.display.table import Hour
from tests.sounds.mixer import needs_mixer

LONG = 20.0  # seconds that a slow computer may take to start a process


@pytest.fixture
def speakers() -> Iterator[list[Speaker]]:
    made: list[Speaker] = []
    yield made
    for speaker in made:
        speaker.close()


def until(speaker: Speaker, done: Callable[[], bool]) -> None:
    """Listen to the process until that is so."""
    end = time.monotonic() + LONG
    while not done() and time.monotonic() < end:
        process = speaker._process
        if process and process.stdout:
            select.select([process.stdout], [], [], 0.2)
        speaker.attend()
    assert done()


def python(source: str) -> Callable[[], list[str]]:
    return lambda: [sys.executable, "-c", source]


def heard_in(file: Path, cue: Cue) -> bool:
    """Whether the samples went to the device, whatever silence was around them."""
    raw = file.read_bytes()
    quiet, wanted = array("h", raw[: len(raw) // 2 * 2]), array("h", samples(cue))
    first = next((number for number, value in enumerate(quiet) if value), len(quiet))
    begin = next(number for number, value in enumerate(wanted) if value)
    found = quiet[first : first + 2000]
    expected = wanted[begin : begin + 2000]
    return len(found) == 2000 and all(abs(a - b) <= 2 for a, b in zip(found, expected, strict=True))


@needs_mixer
def test_what_is_ordered_goes_to_the_device(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, speakers: list[Speaker]
) -> None:
    file = tmp_path / "heard.raw"
    monkeypatch.setenv("SDL_AUDIODRIVER", "disk")
    monkeypatch.setenv("SDL_DISKAUDIOFILE", str(file))
    monkeypatch.setenv("SDL_DISKAUDIODELAY", "1")
    speakers.append(speaker := Speaker())
    speaker.start()
    until(speaker, lambda: speaker.is_ready)
    speaker.play(Cue.STRIKE, 10)
    until(speaker, lambda: heard_in(file, Cue.STRIKE))
    assert speaker.trouble == ""


@needs_mixer
def test_the_dummy_device_plays_everything_and_closes_in_order(speakers: list[Speaker]) -> None:
    speakers.append(speaker := Speaker())
    for cue in Cue:
        speaker.play(cue, 6)
    speaker.say("Anna wins.", "en", 6)
    until(speaker, lambda: speaker.is_ready)
    speaker.attend()
    process = speaker._process
    speaker.close()
    assert process
    assert process.poll() is not None
    assert speaker.trouble == ""


@needs_mixer
def test_a_device_that_fails_is_said_once_and_everything_goes_on(
    monkeypatch: pytest.MonkeyPatch, speakers: list[Speaker]
) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "nonsense")
    speakers.append(speaker := Speaker())
    speaker.play(Cue.STRIKE, 6)
    until(speaker, lambda: bool(speaker.trouble))
    assert speaker.trouble == Sentence(NO_DEVICE, error="Audio target 'nonsense' not available")
    speaker.play(Cue.STRIKE, 6)
    speaker.say("Anna.", "de", 6)
    speaker.attend()
    assert speaker._process is None


@needs_mixer
def test_touching_the_volume_tries_it_again(monkeypatch: pytest.MonkeyPatch, speakers: list[Speaker]) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "nonsense")
    speakers.append(speaker := Speaker())
    speaker.start()
    until(speaker, lambda: bool(speaker.trouble))
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    speaker.try_again()
    until(speaker, lambda: speaker.is_ready)
    assert speaker.trouble == ""


def test_a_process_that_takes_long_to_be_gone_is_waited_for_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy computer, as who hangs up would have to."""
    monkeypatch.setattr("companion.sounds.speaker.DYING", 0)
    speaker = Speaker(command=python("import time; time.sleep(60)"))
    speaker.start()
    process = speaker._process
    assert process
    speaker.close()
    waiting = [thread for thread in threading.enumerate() if thread.name == "process that ends"]
    for thread in waiting:
        thread.join()
    assert process.returncode is not None


def test_mute_starts_nothing(speakers: list[Speaker]) -> None:
    speakers.append(speaker := Speaker(command=python("raise SystemExit")))
    speaker.play(Cue.STRIKE, 0)
    speaker.say("Anna.", "de", 0)
    assert speaker._process is None


def test_a_process_that_cannot_be_started(speakers: list[Speaker]) -> None:
    speakers.append(speaker := Speaker(command=lambda: ["/nowhere/python"]))
    speaker.play(Cue.STRIKE, 6)
    assert speaker.trouble == NO_PROCESS


def test_a_device_that_hangs_while_it_is_opened_holds_nobody_up(speakers: list[Speaker]) -> None:
    hour = Hour()
    speakers.append(speaker := Speaker(hour, python("import time; time.sleep(600)")))
    speaker.play(Cue.STRIKE, 6)
    process = speaker._process
    hour.now += OPENING
    speaker.attend()
    assert speaker.trouble == ""
    hour.now += SECOND
    speaker.attend()
    assert speaker.trouble == NO_ANSWER
    assert process
    assert process.poll() is not None


def test_one_that_hangs_later_holds_nobody_up_either(speakers: list[Speaker]) -> None:
    source = "import sys, time; print('{\"ready\": true}', flush=True); time.sleep(600)"
    speakers.append(speaker := Speaker(command=python(source)))
    speaker.start()
    until(speaker, lambda: speaker.is_ready)
    for _ in range(20_000):  # more than any pipe holds
        speaker.play(Cue.LEGAL, 6)
    assert speaker.trouble == NO_ANSWER


def test_one_that_dies_in_mid_match_is_said(speakers: list[Speaker]) -> None:
    speakers.append(speaker := Speaker(command=python("input()")))
    speaker.play(Cue.LEGAL, 6)
    until(speaker, lambda: bool(speaker.trouble))
    assert speaker.trouble == GONE
    speaker.play(Cue.LEGAL, 6)


def test_what_it_says_before_it_dies_is_the_reason(speakers: list[Speaker]) -> None:
    speakers.append(speaker := Speaker(command=python('print(\'{"trouble": ["Pulled out.", {}]}\', flush=True)')))
    speaker.start()
    assert speaker._process
    speaker._process.wait(LONG)
    speaker.play(Cue.LEGAL, 6)
    assert speaker.trouble == "Pulled out."


def test_orders_are_lines_with_their_moment(tmp_path: Path, speakers: list[Speaker]) -> None:
    file, hour = tmp_path / "orders", Hour(5)
    source = f"import sys; read = sys.stdin.readline; open({str(file)!r}, 'w').write(read() + read())"
    speakers.append(speaker := Speaker(hour, python(source)))
    speaker.play(Cue.TIME_UP, 5)
    speaker.say('“Zeit”\n"aus"', "de", 10)
    until(speaker, lambda: bool(speaker.trouble))
    first, second = map(json.loads, file.read_text().splitlines())
    assert first == {"play": "time-up", "loud": 0.25, "at": 5}
    assert second == {"say": '“Zeit”\n"aus"', "language": "de", "loud": 1.0, "at": 5}


def test_every_step_of_the_volume_is_louder() -> None:
    steps = [loudness(volume) for volume in range(-1, 13)]
    assert steps[:2] == [0, 0]
    assert steps[1:12] == sorted(set(steps))
    assert steps[-1] == 1


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_its_troubles_can_be_said_in_every_language(language: str) -> None:
    for sentence in (NO_ANSWER, NO_PROCESS, GONE, Sentence(NO_DEVICE, error="Audio target 'nonsense' not available")):
        assert Words(language).heard(sentence) != sentence


@needs_mixer
@pytest.mark.parametrize(
    ("driver", "trouble"),
    [("dummy", ""), ("nonsense", Sentence(NO_DEVICE, error="Audio target 'nonsense' not available"))],
)
def test_a_doctor_can_try_the_device(driver: str, trouble: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", driver)
    assert tried(Speaker(), LONG) == trouble


def test_a_doctor_waits_no_longer_than_it_says() -> None:
    assert tried(Speaker(command=python("import time; time.sleep(600)")), 0.1) == NO_ANSWER
