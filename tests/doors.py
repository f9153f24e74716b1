"""A door of the command line, opened in this process: what it tells, what it complains of, and with which exit code.

Tests ask for `run` and `refused` by these names (tests/conftest.py); where a file has a `run` of its own, that is
what `refused` runs.
"""

from collections.abc import Callable

import pytest

from companion.cli import main

Run = Callable[..., tuple[int, str, str]]
Refused = Callable[..., str]


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str]) -> Run:
    """A command: its exit code, and what it wrote where."""

    def it(*arguments: object) -> tuple[int, str, str]:
        code = main([str(argument) for argument in arguments])
        return code, *capfd.readouterr()

    return it


@pytest.fixture
def refused(run: Run) -> Refused:
    """The one sentence of a command that fails and tells nothing."""

    def it(*arguments: object) -> str:
        code, told, said = run(*arguments)
        assert (code, told) == (2, ""), (code, told, said)
        return sentence(said)

    return it


def sentence(said: str) -> str:
    """What the error output says, without the name of the command before it."""
    assert said.startswith("companion: "), said
    assert said.count("\n") == 1, said
    assert said.endswith((".\n", "?\n")), said
    return said.removeprefix("companion: ").rstrip("\n")
