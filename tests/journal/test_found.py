"""What `python -m tests.fuzz` has found: each is read, or refused in a sentence, ever since; and what it counts."""

import sys
from pathlib import Path

import pytest

from companion.core.errors import CompanionError
from tests.fuzz import FOUND, Lines, Report, fuzzed, is_sentence, patience
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
    assert report.refused
    assert report.lines > report.known > 0


@pytest.mark.parametrize("what", TARGETS)
def test_its_sound_examples_are_accepted(what: str, tmp_path: Path) -> None:
    """What begins with something that is refused at once explores nothing."""
    for example in TARGETS[what].examples():
        TARGETS[what].tries(example, tmp_path)


READS = """
class Reader:
    size = 3

    @property
    def kind(self):
        return "one"

def read(text):
    if text:
        return [one for one in text]
    raise ValueError("nothing to read")
"""


def test_only_lines_of_functions_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What runs when a file is imported runs whatever the input is."""
    monkeypatch.setattr("tests.fuzz.OURS", (str(tmp_path),))
    file, lines, known = tmp_path / "reads.py", Lines(), dict[str, object]()
    file.write_text(READS)
    with lines.looked_at():
        exec(compile(READS, str(file), "exec"), known)
    assert lines.reached == 0
    read: object = known["read"]
    assert callable(read)
    with lines.looked_at():
        read("x")
        read("y")
    assert lines.reached == 2
    with lines.looked_at(), pytest.raises(ValueError, match="nothing to read"):
        read("")
    assert lines.reached == 3
    with lines.looked_at():
        tracer = sys.gettrace()
        read("z")
    assert tracer
    assert all(not left for left in lines._left.values()), "and of a function of which all was run nothing is left"


def test_a_plateau_is_one_of_what_the_examples_do_not_reach() -> None:
    def report(second_half: int) -> Report:
        news = [(0, 800), (10, 900), (90, 900 + second_half)]
        return Report("x", inputs=100, known=800, lines=900 + second_half, news=news)

    assert report(1).stands
    assert not report(2).stands, "two of a hundred and two, although of nine hundred they would be few"
    assert "102 lines reached beyond the 800 of the examples, 100 of them by half of the inputs;" in str(report(2))
