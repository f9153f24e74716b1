"""How much of one thing is tested: a few of it by `make test`, all of it by `make long`."""

import pytest


def amounts(name: str, few: int, many: int) -> pytest.MarkDecorator:
    """A test that is told by this argument how many seeds, pages or deaths it is to go through."""
    return pytest.mark.parametrize(name, [few, pytest.param(many, marks=pytest.mark.long)])
