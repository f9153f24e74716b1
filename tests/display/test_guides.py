"""Guided first rounds at the drawn table: made as they ask, left at any step, and tried wrongly at each of them."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pygame
import pytest

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.match import Player
from companion.core.names import look_alike
from companion.core.record import move_plain
from companion.core.requests import Correct, Resume, Undo
from companion.core.rules import Foul, Move
from companion.display.app import App
from companion.display.fingers import touches
from companion.display.layout import Size, measure
from companion.display.scene import Go, Practise, Say, Start
from companion.display.screens import scene
from companion.display.theme import theme
from companion.display.view import Draft, Past, Prefs, View
from companion.games import NAMES
from companion.games import game as game_named
from companion.games.three.rules import Strike
from companion.games.threepia import rules as threepia
from companion.games.triplexity.rules import Put
from companion.words import LANGUAGES, Words
from simulator.drawn.guides import Lead, guide
from simulator.drawn.items import LeaveRound, PressKey, Spot, Swap, Thing
from simulator.drawn.practice import PracticeApp, PracticeRoom, names_for
from tests.display.beside import Visitor
from tests.display.test_beside import fitted
from tests.display.test_scenes import fits
from tools.gallery.scenes import SIZES, shots

MOST_ASKED, MOST_LOOKS = 25, 200
LONGEST = 120 * SECOND  # the bots and the mouse; people read besides
Seat = Callable[..., "Learner"]


@pytest.fixture
def visitor() -> Iterator[Seat]:
    seated: list[Learner] = []

    def it(**wishes: Any) -> Learner:
        seated.append(Learner(**wishes))
        return seated[0]

    yield it
    for one in seated:
        one.close()


class Learner(Visitor):
    """A visitor who is at whatever the window shows."""

    def learns(self, game: str) -> None:
        self.home: App = self.window.app
        self.home.take(Practise(game), self.hour.now)
        assert isinstance(self.window.app, PracticeApp)
        self.app, self.room = self.window.app, self.window.room
        self.wait(0)

    @property
    def practice(self) -> PracticeApp:
        assert isinstance(self.app, PracticeApp)
        return self.app

    @property
    def lead(self) -> Lead:
        assert isinstance(self.room, PracticeRoom)
        assert self.room.lead is not None
        return self.room.lead

    @property
    def asks(self) -> str:
        assert self.room.banner is not None
        return self.room.banner.asks

    def tries(self, move: Move) -> None:
        """Said, and nothing drawn."""
        self.app.take(Say(move), self.hour.now)
        self.hour.now += 30 * MILLISECOND
        self.app.attend(self.hour.now)
        self.room.attend(self.hour.now)

    def leaves(self) -> None:
        """One touch on the banner."""
        item = next((item for item in reversed(self.room.scene.items) if item.intent == LeaveRound()), None)
        assert item is not None
        self.room.down(*item.box.centre, self.hour.now)

    def hurries(self) -> Iterator[Move]:
        """What is asked for, one after the other, with everything said for both and no time for bots to think."""
        for step in self.lead.steps:
            if step.asks:
                yield step.move
            at = self.lead.at
            self.tries(step.move)
            assert self.lead.at == at + 1

    def steps(self) -> Iterator[Move]:
        """What is asked for, one after the other, to the end of the round; whoever takes one makes it."""
        while True:
            self.follows()
            if self.lead.asked is None:
                return
            at = self.lead.at
            yield self.lead.asked
            if self.lead.at == at:
                self.tries(self.lead.asked)
                self.wait(0)
            assert self.lead.at > at

    def follows(self) -> None:
        """Until somebody is asked for something, or the round has been shown."""
        for _ in range(MOST_LOOKS):
            if self.lead.is_done or self.lead.asked is not None:
                self.wait(0)
                return
            self.goes_on()
        raise AssertionError(f"the bots do not go on: {self.lead.step}")

    def makes(self, move: Move) -> None:
        """What is lit is touched: at the table, or on the screen."""
        if isinstance(move, threepia.Lay):
            number = self.spread.cards.hands[self.me].index(move.card)  # type: ignore[attr-defined]
            for _ in range(move.turned + 1 if move.turned else 0):  # the first click takes it up
                self.touch(Thing("hand", number))
        lit = self.spread.places(move)
        match lit:
            case ():
                self.on_display(move)
            case (PressKey(),):
                self.click(*self.place_of(lambda intent: intent == lit[0]))
            case (Thing() as only,):
                self.touch(only)
            case (Thing() as held, Thing() as onto):
                self.drag(held, onto)
            case (*held, onto):
                for one in held:
                    self.touch(one)
                self.touch(onto)
        self.wait(100 * MILLISECOND)

    def on_display(self, move: Move) -> None:
        for _ in range(5):
            path = touches(self.app.view, move)
            assert path, f"nothing on the screen says {move}"
            assert self.window.room.pointed(self.app.scene).over[-1].box == path[0].box, "it is not pointed at"
            self.on_screen(lambda intent, first=path[0].intent: intent == first)  # type: ignore[misc]
            if len(path) == 1:
                return


def refused(lead: Lead) -> Move:
    """A move of the round that the rules do not let make now."""
    for step in lead.steps:
        try:
            lead.match.game.rule(lead.match.state, step.move)
        except Foul:
            return step.move
    raise AssertionError(f"everything is allowed at {lead.step}")


# --- the round -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", NAMES)
def test_what_is_asked_leads_through_the_round(visitor: Seat, game: str) -> None:
    guest = visitor()
    guest.learns(game)
    asked, begun = 0, guest.hour.now
    for move in guest.steps():
        asked, at = asked + 1, guest.lead.at
        guest.makes(move)
        assert guest.lead.at > at, (move, guest.room.banner)
        assert guest.app.view.notice is None or guest.app.view.notice.kind != "foul"
    assert 5 <= asked <= MOST_ASKED
    assert guest.hour.now - begun < LONGEST
    assert guest.practice.is_shown
    guest.on_screen(lambda intent: intent == Go("players", game))
    guest.wait(0)
    assert guest.window.app is guest.home
    assert guest.home.view.screen == "players"


@pytest.mark.parametrize("game", NAMES)
def test_what_is_wrong_is_refused_and_the_same_is_asked_again(visitor: Seat, game: str) -> None:
    guest = visitor()
    guest.learns(game)
    for _ in guest.hurries():
        before, at = guest.asks, guest.lead.at
        guest.tries(refused(guest.lead))
        assert (guest.lead.at, guest.asks) == (at, before)
        banner, notice = guest.room.banner, guest.app.view.notice
        assert banner is not None
        assert notice is not None
        assert (banner.is_refused, banner.told) == (True, notice.sentence)


@pytest.mark.parametrize("game", NAMES)
def test_it_can_be_left_at_every_step(visitor: Seat, game: str) -> None:
    guest = visitor()
    count = sum(bool(step.asks) for step in guide(game).steps("Anna", "Ben"))
    for number in range(count + 1):
        guest.learns(game)
        for at, _ in enumerate(guest.hurries()):
            if at == number:
                break
        guest.leaves()
        guest.wait(0)
        assert guest.window.app is guest.home
        assert guest.home.match is None
        assert guest.home.view.screen == "games"


def test_what_is_allowed_but_not_asked_for_is_not_made(visitor: Seat) -> None:
    guest = visitor()
    guest.learns("triplexity")
    guest.follows()
    guest.drag(Thing("piece", (guest.me, 0, 0)), Thing("stack", 1))
    assert guest.lead.at == 0
    assert guest.app.view.notice is None
    assert guest.room.banner is not None
    assert guest.room.banner.is_refused
    guest.makes(guest.lead.steps[0].move)
    assert guest.lead.at == 1
    assert not guest.room.banner.is_refused


def test_what_lies_apart_is_lit_apart(visitor: Seat) -> None:
    """Of Three! the token and one's own button strike."""
    guest = visitor()
    guest.learns("three")
    strike = next(move for move in guest.steps() if isinstance(move, Strike))
    assert strike == guest.lead.asked
    buttons = [item.box for item in guest.room.scene.items if item.intent == guest.spread.places(strike)[0]]
    lit = [
        item.box for item in guest.room.scene.items if isinstance(item, Spot) and item.edge == theme("dark")["focus"]
    ]
    assert len(buttons) == len(lit) == 2
    for box in buttons:
        assert sum(light.holds(box) for light in lit) == 1


def test_what_is_undone_is_asked_for_again(visitor: Seat) -> None:
    guest = visitor()
    guest.learns("triplexity")
    guest.follows()
    first = guest.asks
    guest.makes(guest.lead.steps[0].move)
    guest.app.take(Say(Undo()), guest.hour.now)
    guest.wait(100 * MILLISECOND)
    assert guest.asks == first


def test_a_round_that_is_put_right_has_become_another_until_that_is_undone(visitor: Seat) -> None:
    guest = visitor()
    guest.learns("triplexity")
    for number, _ in enumerate(guest.steps()):
        if number == 1:
            break
    before, at = guest.asks, guest.lead.at
    guest.app.take(Go("moves"), guest.hour.now)
    assert guest.window.app is guest.app, "the screen belongs to the round"
    guest.app.take(Say(Correct(1, move_plain(Put(guest.me, "right")))), guest.hour.now)
    for _ in range(10):
        guest.goes_on()
    assert (guest.lead.at, guest.lead.is_astray, guest.lead.is_done) == (at, True, False)
    assert guest.asks != before
    guest.app.take(Say(Undo()), guest.hour.now)
    guest.wait(100 * MILLISECOND)
    guest.app.take(Say(Resume()), guest.hour.now)
    guest.wait(100 * MILLISECOND)
    assert (guest.asks, guest.lead.is_astray) == (before, False)


def test_the_bot_has_another_name() -> None:
    for name in ("Anna", "ANNA", "Ben", "Zoë"):
        view = View((800, 480), draft=Draft("tres", (Player(name, "red"),)))
        me, other = names_for(view)
        assert me == name
        assert not look_alike(other, (me,))


def test_cards_that_fit_nowhere_do_not() -> None:
    """In Threepia somebody is told that no card fits: the rules would not let any of them be laid."""
    made = guide("threepia")
    match = game_named("threepia")
    ruling = match.start(("Anna", "Ben"), match.house(**made.rules))
    for step in made.steps("Anna", "Ben"):
        if isinstance(step.move, threepia.Draw) and step.asks:
            break
        ruling = match.rule(ruling.state, step.move)
    from companion.games.threepia.guide import LAST  # noqa: PLC0415

    for place in ruling.state.house.field.letters:
        for turned in range(4):
            with pytest.raises(Foul):
                match.rule(ruling.state, threepia.Lay("Anna", place, LAST, turned))


# --- and everything else ---------------------------------------------------------------------------------------


def test_nothing_of_it_is_kept_and_what_waits_stays_as_it_was(visitor: Seat, tmp_path: Path) -> None:
    guest = visitor(journal=tmp_path / "journal")
    guest.sits_down("triplexity")
    real = guest.app.match
    assert real is not None
    guest.app.take(Say(guide("triplexity").steps(*real.setup.names)[0].move), guest.hour.now)
    assert not guest.app.view.can_lead, "a match is played"
    guest.app.take(Go("games"), guest.hour.now)
    assert guest.journal is not None
    entries = guest.journal.stored("").entries
    told = len(guest.told)
    guest.learns("three")
    for move in guest.steps():
        guest.makes(move)
    guest.touch(LeaveRound())
    guest.wait(0)
    assert len(guest.told) == told, "somebody has heard of it"
    assert len(guest.journal.matches()) == 1
    assert guest.journal.stored("").entries == entries
    assert guest.home.match is real
    guest.home.take(Go("table"), guest.hour.now)
    guest.home.take(Say(Resume()), guest.hour.now)
    assert real.is_running


def test_nobody_changes_seats_and_no_other_match_begins_in_it(visitor: Seat) -> None:
    guest = visitor()
    guest.learns("tres")
    assert not any(isinstance(item.intent, Swap) for item in guest.room.scene.items)
    guest.app.take(Start(), guest.hour.now)
    guest.wait(0)
    assert guest.window.app is guest.home


def test_it_is_offered_once_at_set_up_and_always_with_the_rules(visitor: Seat, tmp_path: Path) -> None:
    guest = visitor(journal=tmp_path / "journal")

    def is_offered(screen: str) -> bool:
        guest.app.take(Go(screen, "triplexity"), guest.hour.now)
        return any(item.intent == Practise("triplexity") for item in guest.app.scene.targets())

    assert is_offered("players")
    assert is_offered("rules")
    guest.app.take(Go("players", "triplexity"), guest.hour.now)
    guest.app.take(Start(), guest.hour.now)
    assert not is_offered("rules")
    guest.app.take(Go("games"), guest.hour.now)
    assert not is_offered("players")
    assert is_offered("rules")


@pytest.mark.parametrize("size", [*SIZES, (450, 800), (405, 720)], ids=str)
def test_set_up_keeps_its_targets_large_where_it_is_offered(size: Size) -> None:
    for shot in shots(size, Words()):
        if shot.view.screen == "players":
            found = scene(replace(shot.view, can_lead=True, past=Past())).targets()
            assert min(min(item.box.size) for item in found) >= measure(size).touch - 2, shot.name


def test_the_display_alone_offers_none() -> None:
    app = App((800, 480))
    app.take(Go("players", "tres"), 0)
    assert not any(isinstance(item.intent, Practise) for item in app.scene.targets())


def test_other_preferences_stay(visitor: Seat) -> None:
    guest = visitor()
    guest.learns("tres")
    guest.app.state.prefs = Prefs("bright", "de")
    guest.touch(LeaveRound())
    guest.wait(0)
    assert guest.home.prefs == Prefs("bright", "de")


def test_the_window_can_be_closed_in_it(visitor: Seat) -> None:
    guest = visitor()
    guest.learns("tres")
    guest.home.close(guest.hour.now)
    guest.wait(0)
    assert guest.app.is_left


@pytest.mark.parametrize("game", NAMES)
def test_hands_everywhere_at_once(visitor: Seat, game: str) -> None:
    """Forty touches a second, anywhere, with keys in between: the round goes on, or has been left."""
    guest, rng = visitor(), Random(game)
    guest.learns(game)
    width, height = guest.window.parts.table.w + guest.window.parts.display.w, guest.window.parts.table.h
    kinds = (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEMOTION)
    for _ in range(250):
        pos = (rng.randrange(width), rng.randrange(height))
        facts = {"pos": pos, "button": 1, "touch": False, "rel": (0, 0), "buttons": (1, 0, 0)}
        pygame.event.post(pygame.event.Event(rng.choice(kinds), facts))
        code = rng.choice((pygame.K_SPACE, pygame.K_v, pygame.K_u, pygame.K_TAB, pygame.K_RETURN, pygame.K_ESCAPE))
        pygame.event.post(pygame.event.Event(rng.choice((pygame.KEYDOWN, pygame.KEYUP)), key=code, unicode="", mod=0))
        guest.wait(25 * MILLISECOND)
        if guest.window.app is guest.home:
            guest.learns(game)
        elif not guest.lead.is_astray:
            line = [done.move for done in guest.lead.match.line]
            assert all(step.is_met_by(move) for step, move in zip(guest.lead.steps, line, strict=False))
    assert guest.home.match is None


@pytest.mark.parametrize("size", [(960, 600), (720, 1280)], ids=str)
@pytest.mark.parametrize("game", NAMES)
def test_its_words_fit_in_every_language(visitor: Seat, game: str, size: Size) -> None:
    guest = visitor(size=size)
    guest.learns(game)
    for _ in guest.hurries():
        in_every_language(guest)
    in_every_language(guest)


@pytest.mark.parametrize("size", [(480, 320), (600, 1100), (1920, 1080)], ids=str)
def test_everything_is_inside_at_every_size(visitor: Seat, size: Size) -> None:
    guest = visitor(size=size)
    for game in NAMES:
        guest.learns(game)
        whole = guest.window.parts.table._replace(x=0, y=0)
        for _ in guest.hurries():
            assert all(whole.holds(item.box) for item in guest.room.scene.items)
        guest.room.leave()
        guest.wait(0)


def in_every_language(guest: Learner) -> None:
    whole = guest.window.parts.table._replace(x=0, y=0)
    for language in LANGUAGES:
        guest.app.state.prefs, guest.app.state.words = Prefs("dark", language), Words(language)
        assert [text for text, fit in fitted(guest.room.scene.items) if fit.is_cut] == [], language
        assert all(whole.holds(item.box) for item in guest.room.scene.items)
        if guest.practice.is_shown:
            assert [text for text, fit in fits(guest.app.scene) if fit.is_cut] == [], language
    guest.app.state.prefs, guest.app.state.words = Prefs(), Words()
