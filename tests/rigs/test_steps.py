"""What is made anew, and which wheels for which Python."""

from pathlib import Path

import pytest

from tests.rigs import wheels
from tests.rigs.steps import Step, make_all


def made(stamps: Path, *made_from: str, breaks: str = "") -> list[str]:
    """Which of the steps a, b and c are done."""
    done: list[str] = []

    def make(name: str) -> None:
        if name == breaks:
            raise ValueError(name)
        done.append(name)

    steps = [Step(name, lambda name=name: make(name), of) for name, of in zip("abc", made_from, strict=True)]  # type: ignore[misc]
    try:
        make_all(steps, stamps)
    except ValueError:
        done.append("broken")
    return done


def test_a_change_is_made_with_all_after_it(tmp_path: Path) -> None:
    assert made(tmp_path, "1", "1", "1") == ["a", "b", "c"]
    assert made(tmp_path, "1", "1", "1") == []
    assert made(tmp_path, "1", "2", "1") == ["b", "c"]
    assert made(tmp_path, "2", "2", "1") == ["a", "b", "c"]


def test_what_broke_is_made_again(tmp_path: Path) -> None:
    assert made(tmp_path, "1", "1", "1", breaks="b") == ["a", "broken"]
    assert made(tmp_path, "1", "1", "1") == ["b", "c"]
    assert made(tmp_path, "1", "2", "1", breaks="b") == ["broken"]
    assert made(tmp_path, "1", "1", "1") == ["b", "c"], "b may have taken away what c made"


PINS = """\
# a line about pip==1
gpiod==2.5.0; sys_platform == "linux"
numpy==1.26.4; python_version < "3.12"
numpy==2.5.4; python_version >= "3.12"  # newer
numpy-financial==7
tqdm==4.7; python_version >= "3.12"
"""


@pytest.mark.parametrize(
    ("name", "python", "wanted"),
    [
        ("numpy", "3.11", "numpy==1.26.4"),
        ("numpy", "3.13", "numpy==2.5.4"),
        ("gpiod", "3.13", "gpiod==2.5.0"),
        ("tqdm", "3.13", "tqdm==4.7"),
        ("tqdm", "3.11", "tqdm"),
        ("pip", "3.11", "pip"),
        ("lgpio==0.2.2.0", "3.11", "lgpio==0.2.2.0"),
    ],
)
def test_pins_of_each_python(
    name: str, python: str, wanted: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "constraints.txt").write_text(PINS, encoding="utf-8")
    monkeypatch.setattr(wheels, "PROJECT", tmp_path)
    assert wheels.pinned(name, python) == wanted


def test_wheels_are_asked_for_the_other_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(wheels, "pip", lambda: ("pip",))
    monkeypatch.setattr(wheels, "run", lambda *words: asked.extend(map(str, words)))
    wheels.fetch(("numpy",), "bookworm", "arm64", tmp_path / "wheels")
    platforms = [word for word in asked if word.startswith("--platform=")]
    assert "--python-version=3.11" in asked
    assert asked[-1].startswith("numpy==1.")
    assert all(word.endswith("_aarch64") for word in platforms)
    assert "--platform=manylinux_2_36_aarch64" in platforms
    assert "--platform=manylinux_2_37_aarch64" not in platforms, "Debian 12 cannot run it"
