"""What a deck may be called. Its name is the name of a file too, and never leads elsewhere."""

import re

LONGEST = 40  # letters
_NAME = re.compile(r"[^\W_](?:[\w '+³-]*[\w³])?")


def is_deck_name(text: str) -> bool:
    return len(text) <= LONGEST and bool(_NAME.fullmatch(text)) and text.isprintable()
