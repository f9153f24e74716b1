"""What is told at the table, beside what the catalogues have for it.

`python -m tests.telling` looks at every foul and event of tests/games, of the matches kept, and of the earlier ones.
"""

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from string import Formatter
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from companion.core.codec import read_again
from companion.core.match import Match
from companion.core.record import read_setup
from companion.core.referee import Referee
from companion.core.replies import CorrectionReply, NoticeReply, PreviewReply, Refusal, Reply, RulingReply
from companion.core.requests import read_message
from companion.core.rules import UNSEEN, Foul, Place, Ruling
from companion.core.sentence import Sentence
from companion.core.session import Session
from companion.core.wire import reply_plain
from companion.games import NAMES
from companion.journal import Journal
from companion.words import LANGUAGES, Words, labels
from companion.words.blanks import KINDS, blanks
from companion.words.grammar import LANGUAGES as GRAMMARS
from companion.words.grammar import in_blank
from tests.matches.earlier import JOURNAL, journals, unpacked
from tests.said import said_in

FILES = sorted((Path(__file__).parent / "matches").glob("*.jsonl"))
OTHERS = tuple(language for language in LANGUAGES if language != "en")
SOMEBODY = "※"  # a name that is no word in any language
_WORD = re.compile(r"[^\W\d_]{2,}")


# --- what is told ----------------------------------------------------------------------------------------------


def of_files(files: Iterable[Path] = FILES, names: tuple[str, ...] = ()) -> Iterator[Sentence]:
    """Of the matches kept as messages; with other names for the players where some are given."""
    for file in files:
        head, *lines = map(json.loads, file.read_text(encoding="utf-8").splitlines())
        players = (player["name"] for player in head["match"]["players"])
        called = dict(zip(players, names, strict=False))
        session = Session(Referee.begin(read_setup(_renamed(head["match"], called)), 0), None)
        for line in lines[::2]:
            message = read_message(session.referee.match.game, _renamed(line["told"], called))
            for reply in session.answer(message):
                yield from of_reply(reply)


def of_reply(reply: Reply) -> Iterator[Sentence]:
    said: list[str] = []
    if isinstance(reply, RulingReply):
        said += [event.sentence for event in reply.events if event.text]
    if isinstance(reply, CorrectionReply | PreviewReply):
        said += [sentence for change in reply.changes for sentence in (*change.was, *change.now)]
    if isinstance(reply, Refusal | NoticeReply):
        told = json.loads(json.dumps(reply_plain(reply)))
        again = read_again(told["text"], {"player": told.get("player", ""), **told["facts"]})
        said += [reply.sentence, again]
    return (sentence for sentence in said if isinstance(sentence, Sentence))


def _renamed(value: Any, called: Mapping[str, str]) -> Any:
    if isinstance(value, str):
        return called.get(value, value)
    if isinstance(value, list):
        return [_renamed(item, called) for item in value]
    return {key: _renamed(item, called) for key, item in value.items()} if isinstance(value, dict) else value


def of_earlier(every: int = 1) -> Iterator[Sentence]:
    """Of the matches that earlier companions kept; of each so many one."""
    with TemporaryDirectory() as folder:
        for name in journals():
            path = Path(folder, "journal.sqlite3")
            path.write_bytes(unpacked(f"{name}{JOURNAL}"))
            with Journal.open(path) as journal:
                for playing in NAMES:
                    for one in journal.matches(playing)[::every]:
                        stored = journal.stored(one.code)
                        match = Match(stored.setup)
                        for came in map(match.take, stored.entries):
                            yield from came.sentences if isinstance(came, Ruling) else ()


class _Listening:
    """While this plugin runs tests, it notes every foul and every event whose sentence is asked for."""

    def __init__(self) -> None:
        self.heard: list[Sentence] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self) -> Iterator[None]:
        made, ruled = Foul.__init__, Ruling.__init__

        def listens(foul: Foul, *args: Any, **facts: Any) -> None:
            made(foul, *args, **facts)
            self.heard.append(foul.sentence)

        def notes(ruling: Ruling, *args: Any, **values: Any) -> None:
            ruled(ruling, *args, **values)
            self.heard += ruling.sentences

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Foul, "__init__", listens)
            patch.setattr(Ruling, "__init__", notes)
            return (yield)


def of_tests(*paths: str) -> list[Sentence]:
    """What is told while these tests run."""
    listening = _Listening()
    pytest.main(["-q", "-p", "no:cacheprovider", *paths], plugins=[listening])
    return listening.heard


# --- what it should be -----------------------------------------------------------------------------------------


def wrong(sentences: Iterable[Sentence], languages: Iterable[str] = LANGUAGES) -> Iterator[str]:
    """Every sentence that is not its text in the catalogue with its facts, or has an English word in it."""
    different = {(sentence.text, repr(sentence.facts)): sentence for sentence in sentences}
    for language in languages:
        words, seen = Words(language), set[str]()
        for sentence in different.values():
            said, wanted = words.heard(sentence), expected(words, sentence)
            if said != wanted:
                yield f"{language}: {sentence.text}: said {said!r}, wanted {wanted!r}"
            if unnamed(sentence):
                yield f"{language}: nobody's name stands in: {said}"
            anybodys = words.heard(nameless(sentence))
            if anybodys not in seen:
                seen.add(anybodys)
                yield from (f"{language}: English {word!r} in: {said}" for word in english(language, anybodys))


def expected(words: Words, sentence: Sentence) -> str:
    """The text in the catalogue with each fact as its blank asks for; a card that begins it is a capital."""
    text = _told(sentence)
    text = catalogue_of(words.language).get(text) or text
    facts = {
        name: in_blank(_fact(words, name, fact), GRAMMARS[words.language]) for name, fact in sentence.facts.items()
    }
    said = text.format_map(facts).replace("?.", "?")
    begins = next(iter(Formatter().parse(text)))
    is_card = not begins[0] and begins[1] in ("card", "gone", "under") and "-" not in said.partition(" ")[0]
    return said[:1].upper() + said[1:] if is_card else said


def _told(sentence: Sentence) -> str:
    """The text that is said of it; another where nobody's name stands in it."""
    other = labels.OF_NOBODY.get(sentence.text, sentence.text)
    missing = blanks(sentence.text) - blanks(other)
    return other if missing and not any(sentence.facts[name] for name in missing) else sentence.text


def unnamed(sentence: Sentence) -> list[str]:
    """Blanks for names in which none stands."""
    return [
        name for name in blanks(_told(sentence)) if KINDS.get(name) == "name" and sentence.facts[name] in ("", (), None)
    ]


def _fact(words: Words, name: str, fact: Any) -> Any:
    kind = KINDS.get(name)
    if isinstance(fact, bool):
        return words.say(labels.YES if fact else labels.NO).lower()
    if fact is None or fact == "" or (fact == () and kind == "name"):
        return words.say(labels.NOBODY)
    if isinstance(fact, int):
        return fact
    if isinstance(fact, tuple | list):
        items = [str(_fact(words, name, item)) for item in fact]
        return (words.either if kind == "either" else words.listed)(items) or words.say(labels.NOTHING)
    if isinstance(str(fact), Sentence):
        return expected(words, str(fact))  # type: ignore[arg-type]
    if isinstance(fact, Place):
        return words.say(labels.TO_BANK_OF, player=fact.of) if fact.of else words.say(labels.TO_THE_BOX)
    return _named(words, kind, str(fact), fact)


def _named(words: Words, kind: str | None, text: str, fact: Any) -> str:
    match kind:
        case "card":
            return words.card(text)
        case "dog" if text == UNSEEN:
            return words.say(labels.A_CARD)
        case "value" | "either":
            return words.value(text)
        case "choice":
            return words.choice(fact)
        case "time":
            return GRAMMARS[words.language].decimal(text)
        case "phrase":
            return catalogue_of(words.language).get(text) or text
        case _:
            return text


@cache
def catalogue_of(language: str) -> dict[str, str]:
    return said_in(language)


def nameless(sentence: Sentence) -> Sentence:
    """The same about somebody whose name is no word."""
    return Sentence(sentence.text, **{name: _nameless(name, fact) for name, fact in sentence.facts.items()})


def _nameless(name: str, fact: Any) -> Any:
    if isinstance(fact, tuple | list):
        return type(fact)(_nameless(name, item) for item in fact)
    if isinstance(fact, Place):
        return Place(fact.kind, SOMEBODY if fact.of else "")
    if isinstance(str(fact), Sentence):
        return nameless(str(fact))  # type: ignore[arg-type]
    return SOMEBODY if isinstance(fact, str) and fact and _is_anything(name, fact) else fact


def _is_anything(name: str, fact: str) -> bool:
    """A name, a key, or what somebody took for a card: no word of ours."""
    kind = KINDS.get(name, "raw")
    return kind in ("name", "raw", "dog") or (kind == "card" and Words("de").card(fact) == fact)


def english(language: str, said: str) -> list[str]:
    """The words in it that the catalogue translates everywhere."""
    return [] if language == "en" else [word for word in _WORD.findall(said) if word.lower() in _only_english(language)]


@cache
def _only_english(language: str) -> frozenset[str]:
    texts = catalogue_of(language)
    ours, theirs = _words_of(texts), _words_of(texts.values())
    return ours - theirs


def _words_of(texts: Iterable[str]) -> frozenset[str]:
    return frozenset(word.lower() for text in texts for word in _WORD.findall(_without_names(text)))


def _without_names(text: str) -> str:
    """A text with the words of its forms, without the names of its blanks."""
    parts = (f"{fixed} {form or ''} " for fixed, _, form, _ in Formatter().parse(text))
    return "".join(re.sub(r"\{\w+", " ", part) for part in parts)


def main() -> int:
    heard = [*of_tests("tests/games"), *of_files(), *of_earlier()]
    found = list(wrong(heard))
    texts = {sentence.text for sentence in heard}
    different = {(one.text, repr(one.facts)) for one in heard}
    told = f"{len(different)} fouls and events of {len(texts)} texts in {len(LANGUAGES)} languages: {len(found)} wrong"
    print(*found, told, sep="\n")  # noqa: T201
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
