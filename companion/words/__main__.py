"""`python -m companion.words`: collect all texts, bring the catalogues up to date, and list what is missing."""

import argparse
import sys
from collections.abc import Mapping

from companion import whole
from companion.exc import CompanionError
from companion.words import catalogue
from companion.words.catalogue import Entry
from companion.words.checks import complaints
from companion.words.grammar import LANGUAGES
from companion.words.texts import put_together, sorted_texts, texts


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m companion.words", description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing, only say what is wrong")
    parser.add_argument("--drop", action="store_true", help="leave texts that are no longer used out of the catalogues")
    chosen = parser.parse_args(arguments)
    found = texts()
    wrong = 0
    for place in put_together():
        wrong += 1
        print(f"{place}: a sentence is put together here: make it a Sentence, with its text and its facts")  # noqa: T201
    for language in LANGUAGES:
        try:
            known = catalogue.read(language) if catalogue.file_of(language).exists() else {}
        except CompanionError as error:
            print(error, file=sys.stderr)  # noqa: T201
            return 2
        if not chosen.check:
            known = _updated(language, found, known, drop=chosen.drop)
        for complaint in complaints(language, known, found):
            wrong += 1
            print(complaint)  # noqa: T201
    print(f"{len(found)} texts in {len(LANGUAGES)} languages, {wrong} complaints")  # noqa: T201
    return 1 if wrong else 0


def _updated(
    language: str, found: Mapping[str, tuple[str, ...]], known: Mapping[str, str], *, drop: bool
) -> dict[str, str]:
    """The catalogue with every text that is said; one that is no longer said stays until it is to be dropped."""
    kept = {text: known.get(text, "") for text in found}
    if not drop:
        kept |= {text: said for text, said in known.items() if said and text}
    entries = [Entry(text, kept[text], found.get(text, ())) for text in sorted_texts(kept)]
    file = catalogue.file_of(language)
    whole.write(file, catalogue.written(language, entries, LANGUAGES[language].plural).encode())
    return kept


if __name__ == "__main__":
    sys.exit(main())
