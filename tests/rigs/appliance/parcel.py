"""Today's project as the tar that the guest finds on its second disk."""

import tarfile
from pathlib import Path

from tests.rigs.gpio.vm import is_wanted
from tests.rigs.running import PROJECT, rooms

ROOMS = ("models", "setup", "systemd", "tests/__init__.py", "tests/rigs")  # besides those that are installed
PAPERS = (
    "pyproject.toml",
    "constraints.txt",
    "README.md",
    "LICENSE",
    "Makefile",
    "docs/appliance.md",
    "docs/table.toml",
)


def pack(path: Path) -> None:
    """As it lies in the work tree, so that what is not committed yet is tried too."""
    with tarfile.open(path, "w") as tar:
        for name in (*rooms(), *ROOMS, *PAPERS):
            if (PROJECT / name).exists():
                tar.add(PROJECT / name, name, filter=is_wanted)
