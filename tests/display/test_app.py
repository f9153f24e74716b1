"""The display without a screen: every screen is reached and left, and nothing is shown that is not kept."""

from pathlib import Path
from typing import Any

import pytest

from companion.core.clocks import SECOND
from companion.core.errors import JournalError
from companion.core.match import Player
from companion.core.requests import Abandon, Pause, Redo, Rematch, Resume, Undo
from companion.core.seats import BotSeats
from companion.core.wire import reply_plain
from companion.display.app import App
from companion.display.layout import Size
from companion.display.scene import Back, ChangeTo, Go, GoOn, Intent, Leave, Mark, Say, Start
from companion.display.screens import SCREENS
from companion.display.view import Draft, Prefs, View
from companion.games import game as game_named
from companion.games.threepia import rules as threepia
from companion.games.triplexity import rules as triplexity
from companion.inputs.presses import Presses
from companion.seat.table import PlainTable
from hardware.panel import Key
from hardware.simulated import SimulatedContact, SimulatedPanel
from hardware.wiring import Seat, Wiring
from tests.amounts import amounts
from tests.display.table import Guests, Hour


def started(game: str, names: tuple[str, ...] = ("Anna", "Ben"), journal: Path | None = None, **house: Any) -> Guests:
    guests = Guests(journal=journal)
    colours = ("red", "blue", "yellow", "green", "purple", "orange")
    players = tuple(Player(name, colour) for name, colour in zip(names, colours, strict=False))
    guests.app.take(ChangeTo(Draft(game, players, game_named(game).house(**house)), Start()), guests.hour.now)
    assert guests.screen == "table"
    return guests


def test_it_begins_with_the_choice_of_a_game() -> None:
    assert Guests().screen == "games"


def test_two_touches_start_the_same_people_again(tmp_path: Path) -> None:
    first = started("threepia", ("Anna", "Ben", "Clara"), tmp_path / "journal", way="stopwatch")
    first.app.take(Say(Abandon()), first.hour.now)
    first.close()
    again = Guests(journal=tmp_path / "journal")
    again.do(Go("players", "threepia"))
    again.do(Start())
    seen = again.app.view.match
    assert (seen.setup.names, seen.setup.house.way) == (("Anna", "Ben", "Clara"), "stopwatch")
    again.close()


def test_the_people_of_another_game_are_proposed_too(tmp_path: Path) -> None:
    first = started("threepia", ("Anna", "Ben", "Clara"), tmp_path / "journal")
    first.close()
    again = Guests(journal=tmp_path / "journal")
    again.do(Go("players", "triplexity"))
    assert again.app.view.draft.names == ("Anna", "Ben")
    again.close()


def test_a_foul_is_told_to_its_player_and_changes_nothing() -> None:
    guests = started("triplexity")
    guests.app.take(Say(triplexity.Put("Anna", "left")), guests.hour.now)
    before = guests.app.view.match.state
    guests.app.take(Say(triplexity.Put("Anna", "left")), guests.hour.now)
    notice = guests.app.view.notice
    assert notice is not None
    assert (notice.kind, notice.player, notice.code) == ("foul", "Anna", "not-your-turn")
    assert guests.app.view.match.state == before
    guests.do(lambda intent: isinstance(intent, Say))
    guests.wait(4)
    assert guests.app.view.notice is None, "its cause is over"


def test_nothing_is_shown_that_could_not_be_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    guests = started("triplexity", journal=tmp_path / "journal")

    def fail(*_: object) -> None:
        raise JournalError("The disk is full.")

    monkeypatch.setattr("companion.journal.file.File.put", fail)
    guests.app.take(Say(triplexity.Put("Anna", "left")), guests.hour.now)
    assert guests.app.view.match.state.stacks == ((), (), ())
    assert guests.app.view.notice is not None
    assert guests.app.view.notice.sentence == "The disk is full."
    guests.close()


def test_the_stamp_of_the_touch_is_the_stamp_of_the_move() -> None:
    guests = started("threepia", way="stopwatch")
    guests.app.take(Say(threepia.Deal("")), guests.hour.now)
    begun = guests.hour.now
    guests.app.take(Say(threepia.Begin("Anna")), begun)
    guests.hour.now += 7 * SECOND + 123  # the touch was noticed late
    guests.app.take(Say(threepia.Lay("Anna", points=0)), begun + 5 * SECOND + 1)
    assert guests.app.view.match.state.clocks[0].used == 5 * SECOND + 1


def test_a_deadline_falls_due_without_a_touch() -> None:
    guests = started("threepia", way="time", turn_seconds=10)
    guests.app.take(Say(threepia.Deal("")), guests.hour.now)
    guests.app.take(Say(threepia.Begin("Anna")), guests.hour.now)
    wakes = guests.app.wakes_at(guests.hour.now)
    assert wakes is not None
    assert wakes - guests.hour.now <= SECOND
    guests.wait(9.9)
    assert guests.app.view.match.state.turn == "Anna"
    guests.wait(0.3)
    assert guests.app.view.match.state.turn == "Ben"


def test_a_closed_window_pauses_the_match_and_it_goes_on_later(tmp_path: Path) -> None:
    guests = started("threepia", journal=tmp_path / "journal", way="stopwatch")
    guests.app.take(Say(threepia.Deal("")), guests.hour.now)
    guests.app.take(Say(threepia.Begin("Anna")), guests.hour.now)
    guests.hour.now += 4 * SECOND
    guests.app.take(Leave(is_sure=True), guests.hour.now)
    assert guests.app.is_left
    guests.close()

    later = Guests(journal=tmp_path / "journal")
    later.do(lambda intent: isinstance(intent, GoOn))
    seen = later.app.view.match
    assert seen.paused == "The window was closed."
    later.wait(60)
    later.do(Say(Resume()))
    later.wait(1)
    clock = later.app.view.match.state.clocks[0]
    assert 4.9 * SECOND < clock.used_at(later.app.table_time(later.hour.now)) < 5.5 * SECOND
    later.close()


def test_who_leaves_the_table_stops_its_clocks_and_finds_it_again() -> None:
    guests = started("threepia", way="stopwatch")
    guests.app.take(Say(threepia.Deal("")), guests.hour.now)
    guests.app.take(Say(threepia.Begin("Anna")), guests.hour.now)
    guests.do(Go("menu"))
    guests.do(Go("games"))
    assert guests.app.view.match.paused is not None
    guests.wait(600)
    guests.do(Go("table"))
    guests.do(Say(Resume()))
    assert guests.app.view.match.state.clocks[0].used < 2 * SECOND


def test_taken_back_and_made_again() -> None:
    guests = started("triplexity")
    guests.app.take(Say(triplexity.Put("Anna", "left")), guests.hour.now)
    guests.app.take(Say(Undo()), guests.hour.now)
    assert not guests.app.view.match.line
    assert guests.app.view.match.can_redo
    guests.app.take(Say(Redo()), guests.hour.now)
    assert len(guests.app.view.match.line) == 1
    assert not guests.app.view.match.can_redo


def test_what_cannot_be_kept_when_time_is_up_is_heard_by_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    guests = started("threepia")
    told: list[dict[str, Any]] = []
    guests.app.hearers.append(lambda reply: told.append(reply_plain(reply)))

    def full(*_: object) -> Any:
        raise JournalError("The disk is full.")

    monkeypatch.setattr("companion.core.session.Session.pass_time", full)
    for _ in range(15):
        guests.wait(1)
    assert [(reply["kind"], reply["code"], reply["sentence"]) for reply in told] == [
        ("error", "journal", "The disk is full.")
    ] * 2, "and not every time that somebody looks"
    assert guests.app.view.notice
    assert guests.app.view.notice.sentence == "The disk is full."


def test_while_it_is_paused_the_table_offers_to_go_on_and_nothing_else_moves() -> None:
    guests = started("triplexity")
    guests.app.take(Say(Pause("A dispute.")), guests.hour.now)
    moves = [item for item in guests.app.scene.targets() if isinstance(item.intent, Say)]
    assert [type(item.intent.message).__name__ for item in moves if isinstance(item.intent, Say)] == ["Resume"] * 2


def test_what_was_chosen_is_forgotten_with_the_next_ruling() -> None:
    guests = started("threepia")
    guests.app.take(Say(threepia.Deal("")), guests.hour.now)
    guests.app.take(Say(threepia.Begin("Anna")), guests.hour.now)
    guests.app.take(Mark("points", 3), guests.hour.now)
    assert guests.app.view.marks["points"] == 3
    guests.app.take(Say(threepia.Lay("Anna", points=3)), guests.hour.now)
    assert not guests.app.view.marks


def test_after_the_end_comes_the_result_and_the_rematch() -> None:
    guests = started("triplexity")
    guests.app.take(Say(Abandon("Enough.")), guests.hour.now)
    assert guests.screen == "result"
    guests.do(Say(Rematch()))
    assert guests.screen == "table"
    assert guests.app.view.match.setup.rematch_of


def test_too_many_people_are_refused_with_a_sentence() -> None:
    guests = started("threepia")
    draft = Draft("threepia", (Player("Anna", "red"),), game_named("threepia").house())
    guests.app.take(ChangeTo(draft, Start()), guests.hour.now)
    assert guests.app.view.notice is not None
    assert "at least 2 players" in guests.app.view.notice.sentence


def test_preferences_are_used_at_once() -> None:
    guests = Guests()
    guests.app.take(ChangeTo(Prefs(theme="bright", language="no such")), guests.hour.now)
    assert guests.app.prefs.theme == "bright"
    assert guests.app.words.say("Start") == "Start"


# --- buttons ---------------------------------------------------------------------------------------------------

WIRING = Wiring(
    seats=tuple(Seat(button=pin, light=pin + 8, keys={"turn": pin + 12}) for pin in (4, 5)), keys={"turn": 20}
)


def test_a_press_and_a_touch_are_ruled_on_in_the_order_of_their_stamps() -> None:
    """Anna presses that her card is laid; Ben touches later, and his touch is told first."""
    hour = Hour()
    panel = SimulatedPanel(WIRING, hour)
    app = App(
        (800, 480), clock=hour, table_for=lambda session: PlainTable(session, Presses(panel, session.referee.match))
    )
    app.take(Go("players", "threepia"), hour.now)
    anna, ben = app.view.draft.names
    app.take(Start(), hour.now)
    for move in (threepia.Deal(""), threepia.Begin(anna)):
        app.take(Say(move), hour.now)
        hour.now += SECOND
        app.attend(hour.now)
    pressed = hour.now
    app.take(Say(threepia.Draw(ben)), pressed + 2_000_000)
    panel.contact(SimulatedContact(pressed + 1_000_000, Key("turn", 0), is_down=True))
    assert app.ears
    hour.now += SECOND
    app.attend(hour.now)
    assert [type(done.move) for done in app.view.match.line[2:]] == [threepia.Lay, threepia.Draw]
    assert app.view.match.line[2].move.at - app.view.match.line[1].move.at == SECOND + 1_000_000


# --- every screen is reached and left --------------------------------------------------------------------------


def state_of(view: View) -> tuple[Any, ...]:
    """What tells two places apart for somebody who walks through all of them."""
    seen = view.seen
    match = (
        None
        if seen is None or view.screen in ALIKE
        else (seen.setup.game, getattr(seen.state, "phase", ""), seen.paused, seen.is_over)
    )
    return view.screen, view.about, match, frozenset(view.marks)


@amounts("walks", 3_000, 100_000)
def test_a_walk_through_everything_that_can_be_touched_finds_no_dead_end(walks: int) -> None:
    """Every screen can be left again, and from everywhere the way back leads to the games."""
    reached: set[str] = set()
    seen_places: set[tuple[Any, ...]] = set()
    todo: list[tuple[Intent, ...]] = [()]
    while todo and walks:
        walks -= 1
        path = todo.pop(0)  # the nearest first: short ways
        app = walked((800, 480), path)
        view = app.view
        if state_of(view) in seen_places:
            continue
        seen_places.add(state_of(view))
        reached.add(view.screen)
        steps = {kind(intent): intent for item in app.scene.targets() if (intent := item.intent) and leads_on(intent)}
        assert app.scene.targets(), view.screen
        assert_home(app)
        todo += [(*path, step) for step in steps.values()]
    names = {name for name in SCREENS if not name.startswith("table-")}
    assert reached | ELSEWHERE == names


ELSEWHERE = {
    *("match", "replay", "player", "camera", "question"),  # need a journal, a camera, a costly correction
    *("deck-name", "teaching", "faces", "doubt", "alike"),  # need a camera
    *("phones", "bg-stats"),  # need a board, a result of a game that is known there
}
ALIKE = {"settings", "rules", "history", "statistics", "doctor", "decks", "teach"}  # whatever is played meanwhile


def kind(intent: Intent) -> tuple[Any, ...]:
    """Of what is of one kind, one is enough: a letter, a colour, a number."""
    match intent:
        case Go(screen, about):
            return Go, screen, about if screen != "name" else ""
        case Say(message):
            return Say, type(message)
        case Mark(key, value):
            return Mark, key, value is None
        case _:
            return type(intent), type(getattr(intent, "to", None)), type(getattr(intent, "then", None))


def leads_on(intent: Intent) -> bool:
    if isinstance(intent, Say):
        return not isinstance(intent.message, threepia.Lay) or intent.message.points is None
    return not isinstance(intent, Leave) and not (
        isinstance(intent, Mark) and intent.key in ("text", "shift", "numbers")
    )


def walked(size: Size, path: tuple[Intent, ...]) -> App:
    hour = Hour()
    app = App(size, clock=hour)
    app.seat_bots(BotSeats(frozenset(("triplexity",))))
    for intent in path:
        hour.now += SECOND
        app.take(intent, hour.now)
    return app


def assert_home(app: App) -> None:
    """Whoever always goes back comes to the games, and does not go round."""
    for _ in range(12):
        if app.view.screen == "games":
            return
        escape = app.scene.escape
        app.take(escape, 10**15)
        if app.view.screen == "menu":
            assert any(item.intent == Go("games") for item in app.scene.targets())
            app.take(Go("games"), 10**15)
    raise AssertionError(f"no way back from {app.view.screen}")


def test_back_at_the_beginning_stays_there() -> None:
    guests = Guests()
    guests.app.take(Back(), guests.hour.now)
    assert guests.screen == "games"
