"""A seat is chosen to be a person's or a bot's, and the bot really sits there: now, later, and in the rematch."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.core.clocks import SECOND
from companion.core.errors import MalformedError
from companion.core.match import set_up
from companion.core.record import read_setup, setup_plain
from companion.core.referee import Referee
from companion.core.requests import Abandon, Rematch, Resume
from companion.core.seats import LEVELS, PACES, Bot, BotSeats
from companion.display.app import App
from companion.display.past import past
from companion.display.scene import ChangeTo, Go, GoOn, Intent, Say, Start
from companion.games import NAMES as GAMES
from companion.games.triplexity import rules as triplexity
from companion.journal import Journal
from companion.journal.archive import archived, read_archive
from companion.words import labels
from simulator.drawn.drawn_table import Room
from simulator.drawn.opponents import Opponents
from tests import levels
from tests.display.beside import Visitor
from tests.display.table import Guests

DRAWN = BotSeats(frozenset(GAMES), fills=True)
BOTS = (None, Bot("strong", "quick"))


@pytest.fixture
def visitor(tmp_path: Path) -> Iterator[Visitor]:
    made = Visitor(journal=tmp_path / "journal")
    yield made
    made.close()


def chooses(level: str = "", pace: str = "") -> Any:
    """The touch that makes the second seat this one."""

    def means(intent: Intent) -> bool:
        if not isinstance(intent, ChangeTo) or not hasattr(intent.to, "players"):
            return False
        bot = intent.to.players[1].bot
        return bot is not None and (not level or bot.level == level) and (not pace or bot.pace == pace)

    return means


# --- set-up, journal, rematch ----------------------------------------------------------------------------------


def test_what_is_chosen_is_who_sits_there(visitor: Visitor) -> None:
    visitor.app.take(Go("players", "triplexity"), visitor.hour.now)
    visitor.wait(SECOND)
    assert visitor.on_screen(lambda intent: intent == Go("seat", "1"))
    assert visitor.on_screen(chooses(level="strong"))
    assert visitor.on_screen(chooses(level="strong", pace="quick"))
    visitor.app.take(Start(), visitor.hour.now)
    visitor.wait(0)
    sat(visitor)
    first = visitor.app.match
    for message in (Abandon(), Rematch()):
        visitor.app.take(Say(message), visitor.hour.now)
        visitor.wait(SECOND)
    assert visitor.app.match is not first
    sat(visitor)
    sat(another_evening(visitor))


def another_evening(visitor: Visitor) -> Visitor:
    """The same match, in another life of the program."""
    assert visitor.journal is not None
    assert visitor.app.match is not None
    code = visitor.app.match.setup.id
    visitor.app.take(Go("games"), visitor.hour.now)
    visitor.wait(SECOND)
    room = Room((1, 1), visitor.hour)
    app = App((800, 480), visitor.journal, clock=visitor.hour, table_for=room.seat)
    room.join(app)
    app.take(GoOn(code), visitor.hour.now)
    room.attend(visitor.hour.now)
    visitor.room.close()
    visitor.room, visitor.app = room, app
    return visitor


def sat(visitor: Visitor) -> None:
    sitting = visitor.room.sitting
    assert sitting is not None
    assert visitor.app.match is not None
    first, second = sitting.names
    assert (sitting.people, sitting.bot(second)) == (frozenset((first,)), Bot("strong", "quick"))
    assert [player.bot for player in visitor.app.match.setup.players] == list(BOTS)


def test_a_table_of_persons_has_no_bots(visitor: Visitor) -> None:
    visitor.app.take(Go("players", "triplexity"), visitor.hour.now)
    draft = visitor.app.view.draft
    people = tuple(replace(player, bot=None) for player in draft.players)
    visitor.app.take(ChangeTo(replace(draft, players=people), Start()), visitor.hour.now)
    visitor.wait(0)
    assert visitor.room.sitting is not None
    assert visitor.room.sitting.bots == frozenset()
    visitor.wait(60 * SECOND)
    assert visitor.app.match is not None
    assert visitor.app.match.line == []


def test_the_next_match_is_proposed_as_the_last_was_set_up(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal") as journal:
        Referee.begin(setup(BOTS), 0, journal)
        (draft,) = past(journal, DRAWN).last
        assert [player.bot for player in draft.players] == list(BOTS)
        (draft,) = past(journal).last
        assert [player.bot for player in draft.players] == [None, None], "here nobody plays by itself"
        Referee.begin(setup((None, None)), 0, journal)
        draft = past(journal, DRAWN).last[0]
        assert [player.bot for player in draft.players] == [None, None], "that was chosen"


def test_bots_know_what_to_do_with_cards_that_were_only_counted_elsewhere(visitor: Visitor) -> None:
    visitor.sits_down("tres", cards="counted")
    for _ in range(40):
        visitor.goes_on()
    assert visitor.state.phase != "deal"


def setup(bots: tuple[Bot | None, ...] | None) -> Any:
    return set_up(triplexity.GAME, ("Anna", "Ben"), triplexity.House(), bots=bots)


def test_a_match_from_before_is_written_and_read_as_it_was(tmp_path: Path) -> None:
    before = setup(None)
    assert set(setup_plain(before)) == {"id", "game", "players", "house", "rematch_of"}
    assert read_setup(setup_plain(before)) == before
    with Journal.open(tmp_path / "journal") as journal:
        Referee.begin(before, 0, journal)
        (draft,) = past(journal, DRAWN).last
    assert [player.bot for player in draft.players] == [None, Bot()], "as the drawn table has always had it"


@pytest.mark.parametrize("bots", [BOTS, (None, None), (Bot("easy"), Bot("usual", "slow"))])
def test_bots_are_kept(bots: tuple[Bot | None, ...], tmp_path: Path) -> None:
    kept = setup(bots)
    assert read_setup(setup_plain(kept)) == kept
    with Journal.open(tmp_path / "journal") as journal:
        Referee.begin(kept, 0, journal)
        assert journal.stored().setup == kept
        (tmp_path / "archive").write_text(archived(journal.stored()))
    assert read_archive(tmp_path / "archive").setup == kept


@pytest.mark.parametrize(
    "bots", ["none", [None], [None, 3], [None, {"level": "best"}], [{"pace": "x" * 99}, None], [None, {"speed": 1}]]
)
def test_bots_that_cannot_be_are_refused_in_a_sentence(bots: Any) -> None:
    with pytest.raises(MalformedError, match="bots"):
        read_setup({**setup_plain(setup(None)), "bots": bots})


# --- where there is no drawn table -----------------------------------------------------------------------------


def test_a_choice_that_this_table_cannot_do_is_not_shown() -> None:
    guests = Guests()
    Opponents(guests.app)
    for game in GAMES:
        guests.do(Go("players", game))
        can = game == "triplexity"
        assert any(isinstance(intent, Go) and intent.screen == "seat" for intent in guests.intents) is can, game
        guests.app.take(Go("games"), guests.hour.now)


def test_a_bot_plays_where_everything_lies_open(tmp_path: Path) -> None:
    """Without a drawn table; and when the match is gone on with."""
    guests = Guests((800, 480), tmp_path / "journal")
    Opponents(guests.app, mistakes=0)
    guests.do(Go("players", "triplexity"))
    guests.do(Go("seat", "1"))
    guests.do(chooses())
    guests.do(chooses(level="strong"))
    guests.app.take(Start(), guests.hour.now)
    code = guests.app.match.setup.id if guests.app.match else ""
    assert moves_of_ben(guests, 20) == 0, "somebody has to begin, and that is no bot"
    guests.app.take(Say(triplexity.Put(guests.app.view.match.setup.names[0], "left")), guests.hour.now)
    assert moves_of_ben(guests, 20) == 1
    guests.app.close(guests.hour.now)
    guests.close()
    again = Guests((800, 480), tmp_path / "journal")
    Opponents(again.app, mistakes=0)
    again.do(GoOn(code))
    again.app.take(Say(Resume()), again.hour.now)
    again.app.take(Say(triplexity.Put(again.app.view.match.setup.names[0], "right")), again.hour.now)
    assert moves_of_ben(again, 20) == 2
    again.close()


def moves_of_ben(guests: Guests, seconds: int) -> int:
    for _ in range(seconds):
        guests.wait(1)
    match = guests.app.match
    assert match is not None
    return sum(done.move.player == match.setup.names[1] for done in match.line)


# --- levels and pace -------------------------------------------------------------------------------------------

# Of 300 matches the higher level won at least 60 of 100 in each game; here are fewer, and the far ends only.
FEW = {"triplexity": 30, "three": 20, "tres": 30, "threepia": 60, "triple3": 20}


@pytest.mark.parametrize("game", GAMES)
def test_a_strong_bot_beats_an_easy_one(game: str) -> None:
    won, open_ = levels.wins(game, "strong", "easy", FEW[game])
    assert open_ == 0
    assert won / FEW[game] > 0.6


@pytest.mark.parametrize("game", GAMES)
def test_the_pace_changes_the_time_and_nothing_else(game: str) -> None:
    """Of a game in turns the moves are the same; in a race they come later."""
    slow, quick = (levels.played(game, (Bot(pace=pace),) * 2, 3, **levels.GAMES[game]) for pace in ("slow", "quick"))
    assert slow.now > 2 * quick.now
    if game == "triplexity":
        made = [[replace(done.move, at=0) for done in bench.match.line] for bench in (slow, quick)]
        assert made[0] == made[1]


def test_every_level_and_pace_has_a_name() -> None:
    assert tuple(labels.LEVELS) == LEVELS
    assert tuple(labels.PACES) == tuple(PACES)
