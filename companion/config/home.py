"""Where somebody's own files are."""

import os
from pathlib import Path


def own_folder(variable: str, usual: str) -> Path:
    """As the variable says, if it names a place from the root on, else in the home folder; a RuntimeError where there
    is none. An empty HOME would be the root of the system."""
    named = Path(os.environ.get(variable, ""))
    if named.is_absolute():
        return named
    if os.environ.get("HOME") == "":
        raise RuntimeError("HOME is empty")
    return Path(usual).expanduser()
