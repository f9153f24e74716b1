"""Packages of others that a command needs: one that is missing is told in a sentence."""

import contextlib
from collections.abc import Iterator

from companion.__main__ import is_short
from companion.core.errors import CompanionError


@contextlib.contextmanager
def packages() -> Iterator[None]:
    """What is loaded in here may be missing."""
    try:
        yield
    except ImportError as error:
        if is_short(error):
            raise
        raise CompanionError(
            f"The package {error.name or error} is not installed or does not load: `make play` installs what is needed."
        ) from None
