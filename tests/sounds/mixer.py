"""Whether pygame's mixer can be tried here: a bare Debian lacks a library that it needs."""

from importlib import import_module

import pytest


def _is_whole() -> bool:
    try:
        import_module("pygame.mixer")
    except ImportError:
        return False
    return True


needs_mixer = pytest.mark.skipif(not _is_whole(), reason="pygame's mixer lacks a library of the system: libglib2.0-0")
