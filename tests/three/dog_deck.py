"""The dogs of Three! as they come with the companion, read."""

from functools import cache

from companion.teaching.deck_choice import printed_deck, reader_of
from vision.reader import Reader


@cache
def dog_reader() -> Reader:
    return reader_of(printed_deck("three"))
