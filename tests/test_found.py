"""What `python -m tests.fuzz` has found once: each is read, or refused in a sentence, ever since."""

from pathlib import Path

import pytest

from companion.exc import CompanionError
from tests.fuzz import FOUND, fuzzed, is_sentence, patience
from tests.fuzz_targets import TARGETS

FILES = sorted(FOUND.glob("*/*.spoilt"))
QUICK = 40  # inputs of each target


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_it_is_not_found_again(file: Path, tmp_path: Path) -> None:
    said = "Nothing."
    with patience():
        try:
            TARGETS[file.parent.name].tries(file.read_bytes(), tmp_path)
        except CompanionError as error:
            said = str(error)
    assert is_sentence(said)


@pytest.mark.parametrize("what", TARGETS)
def test_what_is_spoilt_is_read_or_refused(what: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Few of the inputs that the command tries; other ones whenever the examples are others."""
    monkeypatch.setattr("tests.fuzz.FOUND", tmp_path)
    report = fuzzed(what, QUICK, 20, seed=5)
    assert report.found == []
    assert report.inputs
    assert report.lines
