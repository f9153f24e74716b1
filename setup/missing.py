"""Which packages pip is to add to those of the system: one requirement a line, for the Python that runs this.

With `--board` also what the pages for phones need. With the file of all pins: those of them that hold for what is
added, and for what comes with it. What the system has, and is new enough, is taken as it is.

pygame is never one of them: pip's cannot draw on the console of a Pi.
"""

import importlib
import os
import re
import sys
import warnings
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, distributions, version
from pathlib import Path

NEW = sys.version_info >= (3, 12)
HAS_LITERT = not NEW or sys.maxsize > 2**32  # none is made for Trixie's Python with 32 bits; cards cannot be read there
# What is imported, the least version that will do, and what pip is asked for.
WANTED = (
    ("numpy", "2" if NEW else "1.24", "numpy>=2" if NEW else "numpy>=1.26,<2"),
    ("cv2", "4.7", "opencv-python-headless"),
    ("gpiozero", "2.0.1", "gpiozero>=2.0.1.post1"),
    ("gpiod", "2.2", "gpiod>=2.2"),
    ("reportlab", "3.6", "reportlab>=4"),
    ("pymupdf_fonts", "0", "pymupdf-fonts>=1.0.5"),
    ("paho.mqtt", "2.0", "paho-mqtt"),
    ("ai_edge_litert" if NEW else "tflite_runtime", "0", "ai-edge-litert>=2.0" if NEW else "tflite-runtime==2.14.0"),
)
# The extra `board` of pyproject.toml.
FOR_BOARD = (
    ("sqlalchemy", "2", "sqlalchemy>=2"),
    ("alembic", "1.13", "alembic>=1.13"),
    ("starlette", "0.40", "starlette>=0.40"),
    ("uvicorn", "0.30", "uvicorn>=0.30"),
    ("jinja2", "3.1", "jinja2>=3.1"),
    ("caissify_pairings", "0.5", "caissify-pairings>=0.5"),
    ("openskill", "6.1", "openskill>=6.1"),
)
BOARD = "--board"


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version.partition("+")[0])))


def version_of(module: str) -> str:
    """Of what is imported under that name; nothing if it is not there or does not load."""
    try:
        found = importlib.import_module(module)
    except Exception:
        return ""
    said = getattr(found, "__version__", None) or getattr(found, "Version", None)
    if isinstance(said, str):
        return said
    try:
        return version(module.partition(".")[0].replace("_", "-"))
    except PackageNotFoundError:
        return "0"


def missing(*, board: bool = False) -> list[str]:
    found = []
    wanted = WANTED if HAS_LITERT else WANTED[:-1]
    for module, least, requirement in (*wanted, *(FOR_BOARD if board else ())):
        there = version_of(module)
        if not there or numbers(there) < numbers(least):
            found.append(requirement)
    return found


def name_of(requirement: str) -> str:
    return re.split(r"[<>=;@ \[]", requirement.strip(), maxsplit=1)[0].lower().replace("_", "-").replace(".", "-")


def pins(lines: Iterable[str], *, board: bool = False) -> Iterator[str]:
    added = set(map(name_of, missing(board=board)))
    there = {name_of(found.metadata["Name"] or "") for found in distributions()} - added
    return (line for line in lines if line.strip() and line[0] != "#" and name_of(line) not in there)


def main(arguments: list[str]) -> None:
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"  # its greeting is no requirement
    warnings.simplefilter("ignore")
    board = BOARD in arguments
    files = [Path(one) for one in arguments if one != BOARD]
    told = pins(files[0].read_text(encoding="utf-8").splitlines(), board=board) if files else missing(board=board)
    sys.stdout.writelines(f"{line}\n" for line in told)


if __name__ == "__main__":
    main(sys.argv[1:])
