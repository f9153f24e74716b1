"""The catalogues of texts as gettext compiled them, one a language: docs/languages.md."""

import gettext
import struct
from pathlib import Path

from companion.core.errors import CompanionError

DOMAIN = "companion"
LOCALE = Path(__file__).parent / "locale"


class CatalogueError(CompanionError, ValueError):
    """A catalogue that cannot be read."""


def file_of(language: str) -> Path:
    return LOCALE / language / "LC_MESSAGES" / f"{DOMAIN}.mo"


def opened(language: str) -> gettext.NullTranslations:
    """What is said for every text in this language."""
    try:
        with file_of(language).open("rb") as file:
            return gettext.GNUTranslations(file)
    except (OSError, ValueError, LookupError, struct.error) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else "it is not as it was made"
        raise CatalogueError(f"The texts of the language '{language}' cannot be read: {why}.") from None
