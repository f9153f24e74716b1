"""Moves that were refused, looked at again: kept in English, they are said in the language of the screen."""

from companion.core.codec import written
from companion.core.entry import Made
from companion.core.match import Match, set_up
from companion.core.record import move_plain
from companion.display.library import _refused
from companion.games import game
from companion.journal import KeptFoul, Stored
from companion.words import Words

NAMES = ("nobody", "Anna, Ben")
THREE = game("three")


def refused(*fouls: KeptFoul) -> list[str]:
    """What a German screen says of them; Anna, Ben has begun, and plays Ember after the first of them."""
    setup = set_up(THREE, NAMES, THREE.house())
    begin, play = THREE.moves[0](NAMES[1]), next(move for move in THREE.moves if move.word == "play")
    entries = (Made(begin), Made(play(NAMES[1], dog="Ember")))  # type: ignore[call-arg]
    assert Match.folded(setup, entries).line
    found = _refused(Stored(setup, entries, 0, 0, ""), fouls)
    return [Words("de").heard(one.sentence) for one in found]


def kept(code: str, sentence: str, after: int = 1) -> KeptFoul:
    play = next(move for move in THREE.moves if move.word == "play")
    return KeptFoul(after, code, NAMES[0], sentence, written(move_plain(play(NAMES[0]))))


def test_a_refused_move_is_refused_again_and_said_in_the_language_of_the_screen() -> None:
    was = kept("not-your-turn", "nobody cannot play now: it is Anna, Ben's turn.")
    assert refused(was) == ["nobody, ausspielen geht jetzt nicht: Anna, Ben ist am Zug."]


def test_what_is_no_foul_any_more_is_shown_as_it_was_kept() -> None:
    assert refused(kept("not-your-turn", "Wait for it, nobody.", after=2)) == ["Wait for it, nobody."]
    assert refused(kept("unheard-of", "Once this was a foul.")) == ["Once this was a foul."]


def test_a_move_that_cannot_be_read_is_shown_as_it_was_kept() -> None:
    broken = KeptFoul(1, "not-your-turn", NAMES[0], "It was not your turn.", "{}")
    assert refused(broken) == ["It was not your turn."]
