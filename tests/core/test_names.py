"""A name shows something, and looks like nobody else's: at the door, on the screen, in a file that is taken in."""

import unicodedata
from pathlib import Path

import pytest

from companion.core.codec import written
from companion.core.errors import ImportedMatchError, PlayersError
from companion.core.match import Setup, set_up
from companion.core.names import check_kept_names, check_names, is_seen, look
from companion.display.past import draft_for, past
from companion.display.scene import ChangeTo, Go, GoOn, Mark
from companion.games import game
from companion.journal import Journal
from companion.journal.archive import archived, read_archive
from companion.words import Words
from tests.display.table import Guests
from tests.doors import Refused
from tests.kept import keep, played

ZALGO = "\u0301\u0308\u20dd"
UNSEEN = (
    "\u3164", "\u115f", "\u1160", "\uffa0", "\u2800", "\ufffc", "\U0001d159", "\ufe0f", "\U000e0100", "\u034f",
    "\u180b", "\u17b4", ZALGO, "\u3164 \u2800\ufe0f",
)  # fmt: skip
SEEN = ("Anna", "Ængus", "이순신", "O'Brien-3", "7", "🃏", "❤️", "?", "Zoë" + "\u0301", "क्षमा")
ALIKE = (
    ("Anna", "anna"), ("Anna", "ANNA"), ("Zoë", "Zoe\u0308"), ("Anna", "Ａｎｎａ"),
    ("Anna", "Anna\u3164"), ("Anna", "An\ufe0fna"), ("Straße", "STRASSE"), ("fi", "ﬁ"),
    ("A B", "A  B"), ("A B", "A \u2800B"), ("Σίσυφος", "ΣΊΣΥΦΟΣ"), ("❤️", "❤"),
)  # fmt: skip


@pytest.mark.parametrize("name", UNSEEN, ids=ascii)
def test_a_name_that_shows_nothing(name: str) -> None:
    assert name.isprintable(), "which is why Python's own word for it is not enough"
    with pytest.raises(PlayersError, match=r"shows nothing: give a player a name that can be read\.$"):
        check_names((name, "Ben"))


@pytest.mark.parametrize("names", ALIKE, ids=ascii)
def test_two_names_that_look_alike(names: tuple[str, str]) -> None:
    with pytest.raises(PlayersError, match=r"look alike: give each a name of one's own\.$"):
        check_names(names)


def test_names_that_people_have() -> None:
    check_names(SEEN)
    check_names(("Ann", "Anna", "Änn", "Ann B", "AnnB"))


def test_whatever_is_no_letter_is_not_seen_and_nothing_but_that() -> None:
    """By the category of each character: marks, blanks and controls show nothing alone."""
    codes = (*range(0x20000), *range(0xE0000, 0xE0200))
    blank = [chr(code) for code in codes if unicodedata.category(chr(code))[0] in "CMZ"]
    assert not any(map(is_seen, blank))
    assert all(map(is_seen, ("a", "ß", "字", "9", "½", "!", "€", "♥")))


def test_how_a_name_looks_does_not_depend_on_how_often_it_is_asked() -> None:
    """What has been folded folds to itself; the exceptions are letters that nobody has in a name."""
    letters = [chr(code) for code in range(0x3000) if is_seen(chr(code))]
    assert [one for one in letters if look(look(one)) != look(one)] == []


# --- one rule for all doors ------------------------------------------------------------------------------------


def unseen_setup() -> Setup:
    """Of a match as it was begun before more was asked of a name."""
    playing = game("tres")
    return set_up(playing, ("\u3164", "\u2800"), playing.house(), check=check_kept_names)


def test_at_the_door(refused: Refused) -> None:
    said = refused("referee", "three", "--no-journal", "--players", "\u3164,Ben")
    assert said == "The name '\\u3164' shows nothing: give a player a name that can be read."
    said = refused("demo", "three", "--players", "Zoë,zoe\u0308")
    assert said == "The names Zoë and zoe\u0308 look alike: give each a name of one's own."


def test_in_a_file_that_is_taken_in(tmp_path: Path) -> None:
    setup, entries = played("tres")
    with Journal.open(tmp_path / "journal.sqlite3") as journal:
        keep(journal, setup, entries)
        file = tmp_path / "match.json"
        file.write_text(
            archived(journal.stored(setup.id)).replace(written(setup.names[0]), written("\u3164")), encoding="utf-8"
        )
    with pytest.raises(ImportedMatchError, match="shows nothing"):
        read_archive(file)


def test_on_the_screen() -> None:
    guests = Guests()
    guests.do(Go("players", "threepia"))
    first, second, *_ = guests.app.view.draft.names
    guests.do(Go("name", "0"))
    guests.app.take(Mark("text", "\u3164"), 1)
    guests.hands.key("return", "\r", 1)
    assert guests.app.view.draft.names[0] == first, "as if nothing had been typed"
    guests.do(Go("name", "0"))
    guests.app.take(Mark("text", second.upper()), 1)
    assert not [item for item in guests.app.scene.targets() if item.key == "return"]


def test_a_match_of_old_is_read_and_gone_on_with_and_its_names_are_not_offered(tmp_path: Path) -> None:
    file = tmp_path / "journal"
    with Journal.open(file) as journal:
        keep(journal, unseen_setup(), ())
        assert journal.stored().folded().setup.names == ("\u3164", "\u2800")
        known = past(journal)
    assert known.names == ()
    assert draft_for("tres", known, Words()).names == ("\u3164", "\u2800"), "it can be played again once renamed"
    guests = Guests((800, 480), file)
    guests.do(lambda intent: isinstance(intent, GoOn))
    assert guests.screen == "table"


def test_who_looks_like_somebody_who_sits_there_is_not_offered() -> None:
    guests = Guests()
    guests.do(Go("players", "threepia"))
    draft = guests.app.view.draft
    first = Words("en").say("Player {number}", number=1)
    assert first in draft.names
    guests.do(Go("name", "0"))
    guests.app.take(Mark("text", first.replace("P", "p")), 1)
    guests.do(lambda intent: isinstance(intent, ChangeTo) and intent.then is not None)
    guests.do(Go("name", "2"))
    guests.do(lambda intent: isinstance(intent, ChangeTo) and intent.then is not None)
    names = guests.app.view.draft.names
    assert len(names) == len(draft.names) + 1
    assert len({look(name) for name in names}) == len(names)
