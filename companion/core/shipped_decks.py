"""The decks that come with the companion as files: what `companion print` draws, and no network knows by itself."""

import hashlib
import json
from pathlib import Path

from companion.core import plainfile
from companion.core.errors import CompanionError

FOLDER = Path(__file__).parents[2] / "models"
CARD = "decks.json"
ENDING = ".deck"
LARGEST_CARD = 100_000  # bytes
LARGEST = 300_000


def shipped_decks(folder: Path = FOLDER) -> dict[str, Path]:
    """Their files by their names."""
    return {path.stem: path for path in sorted(folder.glob(f"*{ENDING}"), key=lambda path: path.stem)}


def must_be_shipped(path: Path) -> None:
    """Refuse a file that is not the one its card describes."""
    try:
        told = json.loads(plainfile.text(path.parent / CARD, LARGEST_CARD))["files"][path.name]["sha256"]
        content = plainfile.content(path, LARGEST)
    except OSError as error:
        raise CompanionError(
            f"{path} cannot be checked ({error.strerror or error}): take it from the project."
        ) from None
    except (ValueError, KeyError, TypeError, RecursionError):
        raise CompanionError(f"{path.parent / CARD} does not name {path.name}: take both from the project.") from None
    if hashlib.sha256(content).hexdigest() != told:
        raise CompanionError(f"{path} is not the file that {CARD} names: take both from the project.")
