"""What was corrected stays on the screen until somebody has read it."""

from companion.core.requests import Correct
from companion.display.scene import Go, Intent, Mark, Say
from companion.games.triple3.rules import GoOn
from tests.display.test_dispute_screen import disputed, words_of
from tests.display.test_triple3_table import is_move


def was_not_laid(intent: Intent) -> bool:
    return isinstance(intent, Say) and isinstance(intent.message, Correct) and not intent.message.move


def test_after_a_correction_the_screen_says_what_has_changed() -> None:
    guests = disputed()
    guests.do(Mark("play", 0))
    guests.do(was_not_laid)
    assert "No other ruling changes." in words_of(guests.app.scene)
    guests.do(Mark("correction"))
    assert "No other ruling changes." not in words_of(guests.app.scene)
    guests.do(is_move(GoOn))


def test_while_the_round_is_played_too() -> None:
    guests = disputed()
    guests.do(is_move(GoOn))
    guests.do(Go("dispute"))
    guests.do(Mark("play", 1))
    guests.do(was_not_laid)
    assert any(text.startswith(("What changed", "No other")) for text in words_of(guests.app.scene))
    guests.do(Mark("correction"))
    assert guests.screen == "table"
    assert guests.app.view.match.may["lay"]
