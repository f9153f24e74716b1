"""Whole matches at the drawn table beside the display: by a mouse and keys on the window, with bots as the others."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pygame
import pytest

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.requests import Resume, Undo
from companion.core.rules import Move
from companion.display import text_fit as lettering
from companion.display.layout import Size
from companion.display.painter import button_parts, label_fit, text_fit
from companion.display.scene import Button, Go, Intent, Item, Mark, Say, Text
from companion.display.view import Prefs
from companion.games import NAMES
from companion.games.three import rules as three
from companion.games.three.spread import Three
from companion.games.threepia import rules as threepia
from companion.games.threepia.spread import Threepia
from companion.games.tres import rules as tres
from companion.games.tres.told_spread import TresTable
from companion.games.triple3 import rules as triple3
from companion.games.triple3.spread import Triple3
from companion.games.triple3.watched_spread import WatchedTriple3
from companion.games.triplexity import rules as triplexity
from companion.words import LANGUAGES, Words
from simulator.drawn.items import Swap, Thing
from tests.display.beside import SIZE, Visitor
from tests.display.table import NEXT_ROUND

MOST = 4_000  # looks at the window in a match
Seat = Callable[..., Visitor]


@pytest.fixture
def visitor() -> Iterator[Seat]:
    seated: list[Visitor] = []

    def it(**wishes: Any) -> Visitor:
        seated.append(Visitor(**wishes))
        return seated[0]

    yield it
    for one in seated:
        one.close()


def says(*kinds: type[Move], **facts: Any) -> Callable[[Intent], bool]:
    def it(intent: Intent) -> bool:
        if not isinstance(intent, Say) or not isinstance(intent.message, kinds):
            return False
        return all(getattr(intent.message, name) == value for name, value in facts.items())

    return it


def plays_out(visitor: Visitor, act: Callable[[Visitor, Random], bool], seed: int = 1) -> None:
    """Whatever can be done is done, until the match is over."""
    rng = Random(seed)
    for _ in range(MOST):
        if visitor.is_over:
            return
        if visitor.app.view.shows_round:
            reads_how_the_round_ended(visitor)
        elif not act(visitor, rng):
            visitor.goes_on()
    raise AssertionError(f"not over: {visitor.state.phase}, {visitor.app.match and len(visitor.app.match.line)} moves")


def reads_how_the_round_ended(visitor: Visitor) -> None:
    """Bots wait until somebody goes on."""
    moves = len(visitor.app.view.match.line)
    for _ in range(20):
        visitor.goes_on()
    assert len(visitor.app.view.match.line) == moves
    assert visitor.on_screen(lambda intent: intent == NEXT_ROUND)


# --- each game, whole ------------------------------------------------------------------------------------------


def test_three(visitor: Seat) -> None:
    guest = visitor()
    guest.sits_down("three", players=3)
    plays_out(guest, at_three)
    assert guest.state.outcome is not None
    struck = [done.move for done in guest.app.match.line if isinstance(done.move, three.Strike)]  # type: ignore[union-attr]
    assert struck, "nobody has struck the token"
    assert all(strike.finish is not None for strike in struck), "a strike without its photo finish"


def at_three(guest: Visitor, rng: Random) -> bool:
    state, me = guest.state, guest.me
    assert isinstance(guest.spread, Three)
    match state.phase:
        case "setup":
            return guest.on_screen(says(three.Begin, player=me))
        case "struck" if state.caller == me:
            guest.on_screen(lambda intent: isinstance(intent, Mark) and intent.key == "whom")
            return guest.on_screen(says(three.Call))
        case "check" if state.called == me:
            return guest.on_screen(says(three.Check))
        case "turn" if state.turn == me:
            if rng.random() < 0.1:
                guest.key(pygame.K_SPACE)
                return True
            guest.drag(Thing("hand", rng.randrange(guest.spread.counts(me))), Thing("pile", me))
            return True
        case "final" if state.turn == me:
            return guest.on_screen(says(three.Pass))
        case _:
            return False


def test_tres(visitor: Seat) -> None:
    guest = visitor(seed=9)
    guest.sits_down("tres", players=3)
    plays_out(guest, at_tres)
    assert guest.state.outcome is not None
    said = [done.move.player for done in guest.app.match.line if isinstance(done.move, tres.Tres)]  # type: ignore[union-attr]
    assert said


def at_tres(guest: Visitor, _rng: Random) -> bool:
    me, spread = guest.me, guest.spread
    assert isinstance(spread, TresTable)
    state = spread.state
    if me in state.silent and state.phase not in ("dealer", "deal"):
        guest.key(pygame.K_v)
        return True
    if state.phase == "dealer":
        draws = me in state.contenders and me not in dict(state.shown)
        return draws and clicked(guest, "pile")
    if spread.wanted() != me:
        return False
    hand = spread.cards.hands[me]
    if state.phase in ("turn", "drawn"):
        able = range(len(hand)) if state.phase == "turn" else [len(hand) - 1]
        for number in able:
            for place, card in enumerate(state.table):
                if tres.is_run(card, hand[number]):
                    guest.drag(Thing("hand", number), Thing("table", place))
                    return True
    return clicked(guest, "pile")


def clicked(guest: Visitor, kind: str) -> bool:
    guest.touch(Thing(kind))
    return True


@pytest.mark.parametrize("no_return", ["last", "each"])
def test_triplexity(visitor: Seat, no_return: str) -> None:
    guest = visitor()
    guest.sits_down("triplexity", play="advanced", rounds=2, no_return=no_return)
    plays_out(guest, at_triplexity)
    assert guest.state.outcome is not None


def at_triplexity(guest: Visitor, rng: Random) -> bool:
    state, me = guest.state, guest.me
    if state.turn not in ("", me):
        return False
    option = rng.choice(triplexity.options(state.position._replace(mover=guest.spread.names.index(me))))
    if option.source is None:
        piece = rng.choice(
            [item.intent for item in guest.room.scene.items if getattr(item.intent, "kind", "") == "piece"]
        )
        assert isinstance(piece, Thing)
        guest.drag(piece, Thing("stack", option.target))
    elif rng.random() < 0.5:
        guest.drag(Thing("stack", option.source), Thing("stack", option.target))
    else:
        guest.touch(Thing("stack", option.source))
        guest.touch(Thing("stack", option.target))
    return True


@pytest.mark.parametrize("way", ["points", "stopwatch"])
def test_threepia(visitor: Seat, way: str) -> None:
    guest = visitor(seed=4)
    guest.sits_down("threepia", players=3, way=way, deck=30)
    plays_out(guest, at_threepia)
    assert guest.state.outcome is not None
    laid = [done.move for done in guest.app.match.line if isinstance(done.move, threepia.Lay)]  # type: ignore[union-attr]
    assert any(move.player == guest.spread.names[0] and move.turned for move in laid), "no card was ever turned"


def test_a_time_trial_on_the_drawn_table_is_seen_whole(visitor: Seat) -> None:
    guest = visitor(seed=4)
    guest.sits_down("threepia", players=1, way="time-trial", deck=14)
    plays_out(guest, at_threepia)
    state: threepia.State = guest.state
    assert (state.phase, state.on_word, state.needless) == ("over", False, 0)
    assert tuple(guest.spread.cards.hands[guest.me]) == state.held  # type: ignore[attr-defined]
    assert {fact.kind: fact.value for fact in threepia.facts(state)}["trial-word"] == 0


def at_threepia(guest: Visitor, _rng: Random) -> bool:
    state, me, spread = guest.state, guest.me, guest.spread
    assert isinstance(spread, Threepia)
    match state.phase:
        case "deal":
            return clicked(guest, "pile")
        case "ready":
            return guest.on_screen(says(threepia.Begin, player=me))
        case "turn" if state.turn == me:
            return lays(guest, spread, state, me)
        case _:
            return False


def lays(guest: Visitor, spread: Threepia, state: Any, me: str) -> bool:
    for turned in (1, 0, 2, 3):
        for number, card in enumerate(spread.cards.hands[me]):
            for place, covered in zip(state.house.field.letters, state.field, strict=True):
                if not threepia.misfits(threepia.card_of(card, turned), threepia.card_of(covered)):
                    for _ in range(turned + 1 if turned else 0):  # the first click takes it up
                        guest.touch(Thing("hand", number))
                    guest.drag(Thing("hand", number), Thing("place", place))
                    return True
    return clicked(guest, "pile")


@pytest.mark.parametrize("illegal_plays", ["call", "keep"])
def test_triple3_without_a_camera(visitor: Seat, illegal_plays: str) -> None:
    guest = visitor()
    guest.sits_down("triple3", players=3, chips_to_win=1, illegal_plays=illegal_plays)
    plays_out(guest, at_triple3)
    assert guest.state.outcome is not None


def at_triple3(guest: Visitor, rng: Random) -> bool:
    state, me, spread = guest.state, guest.me, guest.spread
    assert isinstance(spread, Triple3)
    match state.phase:
        case "deal":
            return clicked(guest, "pile")
        case "ready":
            return guest.on_screen(says(triple3.Go))
        case "play":
            choice = spread.choice(me, wrong=False) if rng.random() < 0.5 else None
            if choice is None:
                return False
            guest.drag(Thing("card", choice[1]), Thing("cell", choice[0]))
            return True
        case "count":
            return guest.on_screen(says(triple3.Left, player=me))
        case "stopped":  # a bot says to be out and has laid an illegal card
            return "go-on" in guest.app.view.match.may and guest.on_screen(says(triple3.GoOn))
        case _:
            return False


# --- buttons, bots, mistakes -----------------------------------------------------------------------------------


def test_a_strike_is_told_within_two_frames(visitor: Seat) -> None:
    """From the key to the winner on the screen: the window in which stamps may still come, and not two frames more."""
    guest = visitor()
    guest.sits_down("three")
    guest.on_screen(says(three.Begin, player=guest.me))
    begun = guest.hour.now
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_SPACE, unicode=" ", mod=0))
    guest.wait(0)
    while guest.state.phase != "struck":
        guest.goes_on()
        assert guest.hour.now - begun < 34 * MILLISECOND
    assert guest.state.caller == guest.me
    assert guest.app.scene.targets()


def test_a_foul_of_the_mouse_is_said_and_changes_nothing(visitor: Seat) -> None:
    guest = visitor()
    guest.sits_down("triple3", chips_to_win=1)
    guest.touch(Thing("pile"))
    guest.on_screen(says(triple3.Go))
    spread = guest.spread
    assert isinstance(spread, Triple3)
    wrong = spread.choice(guest.me, wrong=True)
    assert wrong is not None
    before = spread.hand(guest.me)
    guest.drag(Thing("card", wrong[1]), Thing("cell", wrong[0]))
    guest.wait(30 * MILLISECOND)
    assert guest.app.view.notice is not None
    assert guest.app.view.notice.kind == "foul"
    assert spread.hand(guest.me) == before


def test_a_card_that_is_taken_back_comes_back_into_the_hand(visitor: Seat) -> None:
    guest = visitor()
    guest.sits_down("three")
    guest.on_screen(says(three.Begin, player=guest.me))
    spread = guest.spread
    assert isinstance(spread, Three)
    before = list(spread.cards.hands[guest.me])
    guest.drag(Thing("hand", 0), Thing("pile", guest.me))
    guest.wait(30 * MILLISECOND)
    assert spread.cards.piles[guest.me] == before[:1]
    assert spread.cards.hands[guest.me][:2] == before[1:]
    guest.app.take(Say(Undo()), guest.hour.now)
    guest.wait(30 * MILLISECOND)
    assert spread.cards.piles[guest.me] == []
    assert spread.cards.hands[guest.me] == before


@pytest.mark.parametrize(("game", "place"), [("threepia", "place"), ("tres", "table")])
def test_a_card_that_goes_back_to_the_pile_is_not_held_any_more(visitor: Seat, game: str, place: str) -> None:
    guest = visitor(mistakes=0)
    guest.sits_down(game)
    before = drawn_last(guest)
    guest.touch(Thing("hand", before))
    guest.app.take(Say(Undo()), guest.hour.now)
    guest.wait(30 * MILLISECOND)
    assert len(hand_of(guest)) == before
    guest.click(*guest.place_of(lambda intent: isinstance(intent, Thing) and intent.kind == place))


def test_a_card_that_is_laid_before_anybody_begins_is_a_foul(visitor: Seat) -> None:
    guest = visitor()
    guest.sits_down("threepia")
    guest.touch(Thing("pile"))
    assert guest.state.phase == "ready"
    guest.touch(Thing("hand", 0))
    guest.click(*guest.place_of(lambda intent: isinstance(intent, Thing) and intent.kind == "place"))
    assert guest.kinds()[-1] == "foul"


def drawn_last(guest: Visitor) -> int:
    """The place in the hand of the card that the visitor has just drawn."""
    for _ in range(20):
        before = len(hand_of(guest))
        if guest.found(lambda intent: intent == Thing("pile")):
            guest.touch(Thing("pile"))
        if before and len(hand_of(guest)) == before + 1:
            return before
        guest.on_screen(says(threepia.Begin))
        guest.goes_on()
    raise AssertionError("nothing is drawn")


def hand_of(guest: Visitor) -> list[str]:
    return list(guest.spread.cards.hands[guest.me])  # type: ignore[attr-defined]


def test_undo_goes_back_to_what_a_person_did(visitor: Seat) -> None:
    """Again and again at once; what bots did since is taken back with it, and they wait for the person."""
    guest = visitor(seed=4, mistakes=0)
    guest.sits_down("triplexity")
    mine: list[int] = []
    while len(mine) < 3:
        if guest.state.turn in ("", guest.me):
            mine.append(len(guest.app.match.line))  # type: ignore[union-attr]
            assert at_triplexity(guest, Random(1))
        guest.goes_on()
    until(guest, lambda: guest.state.turn == guest.me)
    for before in reversed(mine):
        guest.on_screen(lambda intent: intent == Say(Undo()))
        assert len(guest.app.match.line) == before  # type: ignore[union-attr]
    for _ in range(10):
        guest.goes_on()
    assert len(guest.app.match.line) == mine[0]  # type: ignore[union-attr]


def test_bots_alone_and_persons_alone(visitor: Seat) -> None:
    guest = visitor()
    guest.sits_down("triplexity")
    first, second = guest.spread.names
    guest.touch(Swap(second))
    assert guest.room.sitting is not None
    assert guest.room.sitting.people == {first, second}
    for _ in range(20):
        guest.goes_on()
    assert not guest.app.match.line, "a bot has moved, and there is none"  # type: ignore[union-attr]
    guest.touch(Swap(first))
    guest.touch(Swap(second))
    assert not guest.room.sitting.people
    while not guest.is_over:
        guest.goes_on()
        assert guest.hour.now < 3_000 * SECOND
    assert guest.state.outcome is not None


def test_bots_hold_still_while_the_menu_is_open(visitor: Seat) -> None:
    guest = visitor()
    guest.sits_down("three", players=3)
    guest.on_screen(says(three.Begin, player=guest.spread.names[1]))
    guest.on_screen(lambda intent: intent == Go("menu"))
    before = len(guest.app.match.line)  # type: ignore[union-attr]
    for _ in range(40):
        guest.goes_on()
    assert guest.app.view.screen == "menu"
    assert len(guest.app.match.line) == before  # type: ignore[union-attr]


def test_a_match_that_is_left_is_paused_although_presses_may_be_on_their_way(visitor: Seat, tmp_path: Path) -> None:
    guest = visitor(journal=tmp_path / "journal")
    guest.sits_down("three")
    guest.on_screen(says(three.Begin, player=guest.me))
    guest.on_screen(lambda intent: intent == Go("menu"))
    guest.on_screen(lambda intent: intent == Go("games"))
    guest.goes_on()
    assert guest.app.view.screen == "games"
    assert guest.app.match is not None
    assert guest.app.match.paused is not None
    guest.on_screen(lambda intent: intent == Go("table"))
    guest.on_screen(lambda intent: isinstance(intent, Say) and isinstance(intent.message, Resume))
    assert guest.app.match.paused is None
    guest.app.close(guest.hour.now)
    assert guest.journal is not None
    assert guest.journal.stored("").folded().paused is not None


@pytest.mark.parametrize("size", [(480, 320), (1920, 1080), (600, 1100), (701, 701)], ids=str)
@pytest.mark.parametrize("game", ["three", "tres", "triplexity", "threepia", "triple3"])
def test_everything_is_inside_at_every_size(visitor: Seat, game: str, size: tuple[int, int]) -> None:
    guest = visitor()
    guest.sits_down(game, players={"tres": 8, "triplexity": 2, "threepia": 6}.get(game, 4))
    pygame.display.set_mode(size)
    guest.wait(0)
    for _ in range(6):
        guest.goes_on()
    table, display = guest.window.parts.table, guest.window.parts.display
    assert table.with_(display).size == size, "what is drawn is drawn elsewhere"
    assert not table.meets(display)
    assert guest.room.size == table.size
    assert guest.app.state.size == display.size
    whole = table._replace(x=0, y=0)
    assert all(whole.holds(item.box) for item in guest.room.scene.items)


# --- Triple³ before the camera ---------------------------------------------------------------------------------

FRAME = 90 * MILLISECOND


def before_camera(visitor: Seat, **wishes: Any) -> Visitor:
    """A round that is played, with the camera over it."""
    guest = visitor(camera=FRAME, **wishes)
    guest.sits_down("triple3", players=2, chips_to_win=1)
    for _ in range(10):
        guest.goes_on()
    guest.touch(Thing("pile"))
    until(guest, lambda: guest.state.phase == "ready")
    assert guest.on_screen(says(triple3.Go))
    for _ in range(10):
        guest.goes_on()
    assert guest.state.phase == "play"
    return guest


def test_what_an_arm_lays_is_seen_and_ruled_on(visitor: Seat) -> None:
    guest = before_camera(visitor)
    guest.touch(Swap(guest.spread.names[1]))  # no bots
    spread = guest.spread
    assert isinstance(spread, WatchedTriple3)
    cell, card = chosen(spread, guest.me, wrong=False)
    guest.drag(Thing("card", card), Thing("cell", cell))
    assert card not in spread.hand(guest.me)
    assert guest.state.grid[cell - 1] != card, "ruled on before it lay there"
    until(guest, lambda: guest.state.grid[cell - 1] == card)
    assert guest.told[-1]["evidence"]["card"] == card


def test_an_illegal_card_is_called_and_taken_back_by_hand(visitor: Seat) -> None:
    guest = before_camera(visitor)
    guest.touch(Swap(guest.spread.names[1]))
    spread = guest.spread
    assert isinstance(spread, WatchedTriple3)
    cell, card = chosen(spread, guest.me, wrong=True)
    guest.drag(Thing("card", card), Thing("cell", cell))
    until(guest, lambda: "foul" in guest.kinds())
    assert card in spread.called
    until(guest, lambda: spread.live is not None and spread.live.is_still)
    guest.drag(Thing("cell", cell), Thing("hand"))
    until(guest, lambda: "put-right" in guest.kinds())
    assert card in spread.hand(guest.me)
    assert card not in spread.called


@pytest.mark.long
def test_triple3_before_the_camera(visitor: Seat) -> None:
    """A whole round: a person and a bot, arms, frames, the eye, the witness."""
    guest = before_camera(visitor, seed=3, mistakes=0.08)
    guest.spread.pace = (0.2, 0.6)
    plays_out(guest, at_watched_triple3)
    assert guest.state.outcome is not None
    laid = [done.move for done in guest.app.match.line if isinstance(done.move, triple3.Lay)]  # type: ignore[union-attr]
    assert len(laid) > 15
    live = guest.room.live  # type: ignore[attr-defined]
    called = {reply["facts"]["card"] for reply in guest.told if reply.get("code") == "no-new-triple"}
    tops = [pile[-1].card for pile in guest.state.piles]
    lying = zip(tops, live.cards, strict=True)
    # What was called at the very end still lies there.
    assert tops == [[card for card in pile if card == top or card not in called][-1] for top, pile in lying]


def test_a_deal_that_is_said_and_not_shown_is_no_end_of_the_drawn_table(visitor: Seat) -> None:
    guest = visitor(camera=FRAME)
    guest.sits_down("triple3", players=2)
    guest.app.take(Say(triple3.Deal("")), guest.hour.now)
    for _ in range(20):
        guest.goes_on()
    assert guest.state.phase != "deal"
    assert not guest.state.is_seen


def at_watched_triple3(guest: Visitor, rng: Random) -> bool:
    spread, me = guest.spread, guest.me
    assert isinstance(spread, WatchedTriple3)
    if guest.state.phase == "stopped":
        return guest.on_screen(says(triple3.GoOn))
    if guest.state.phase == "count":
        return guest.on_screen(says(triple3.Left, player=me))
    if guest.state.phase != "play" or spread.live is None or rng.random() < 0.9:
        return False
    if not spread.hand(me):
        return guest.on_screen(says(triple3.Out, player=me))
    choice = spread.choice(me, wrong=False)
    if choice is None or spread.live.is_busy(choice[0], SECOND // 3):
        return False
    guest.drag(Thing("card", choice[1]), Thing("cell", choice[0]))
    return True


def chosen(spread: Triple3, player: str, *, wrong: bool) -> tuple[int, str]:
    found = spread.choice(player, wrong=wrong)
    assert found is not None
    return found


def until(guest: Visitor, happened: Callable[[], bool], seconds: int = 8) -> None:
    begun = guest.hour.now
    while not happened():
        guest.goes_on()
        assert guest.hour.now - begun < seconds * SECOND, guest.told[-3:]


# --- whatever people do ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["three", "tres", "triplexity", "threepia", "triple3"])
def test_hands_everywhere_at_once(visitor: Seat, game: str) -> None:
    """Forty touches a second, anywhere and nowhere, with keys in between: it goes on, and cards still add up."""
    guest, rng = visitor(), Random(game)
    guest.sits_down(game)
    width, height = guest.window.parts.table.w + guest.window.parts.display.w, guest.window.parts.table.h
    kinds = (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP, pygame.MOUSEMOTION)
    for _ in range(400):
        pos = (rng.randrange(-50, width + 50), rng.randrange(-50, height + 50))
        facts = {"pos": pos, "button": rng.choice((1, 1, 1, 3)), "touch": False, "rel": (0, 0), "buttons": (1, 0, 0)}
        pygame.event.post(pygame.event.Event(rng.choice(kinds), facts))
        code = rng.choice((pygame.K_SPACE, pygame.K_v, pygame.K_q, pygame.K_TAB))
        pygame.event.post(pygame.event.Event(rng.choice((pygame.KEYDOWN, pygame.KEYUP)), key=code, unicode="", mod=0))
        guest.wait(25 * MILLISECOND)
        if guest.app.is_left:
            break
    assert guest.told


def test_what_is_dragged_out_of_the_table_is_in_the_hand_again(visitor: Seat) -> None:
    guest = visitor()
    guest.sits_down("three")
    guest.on_screen(says(three.Begin, player=guest.me))
    start = guest.place_of(lambda intent: intent == Thing("hand", 0))
    guest.press(*start, is_down=True)
    pygame.event.post(
        pygame.event.Event(pygame.MOUSEMOTION, pos=(SIZE[0] - 5, 5), rel=(0, 0), buttons=(1, 0, 0), touch=False)
    )
    guest.wait(20 * MILLISECOND)
    assert guest.room.scene.over, "nothing is seen of what is dragged"
    guest.press(SIZE[0] - 5, 5, is_down=False)
    assert not guest.room.scene.over
    assert guest.spread.counts(guest.me) == 3
    assert len(guest.app.match.line) == 1  # type: ignore[union-attr]


def test_a_button_held_down_does_not_count_twice(visitor: Seat) -> None:
    guest = visitor()
    guest.sits_down("three")
    guest.on_screen(says(three.Begin, player=guest.me))
    for _ in range(12):  # a key that is held repeats itself
        pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_SPACE, unicode=" ", mod=0))
        guest.wait(60 * MILLISECOND)
    strikes = [done for done in guest.app.match.line if isinstance(done.move, three.Strike)]  # type: ignore[union-attr]
    assert len(strikes) == 1


@pytest.mark.parametrize("size", [(1280, 720), (960, 600), (720, 1280)], ids=str)
@pytest.mark.parametrize("game", ["three", "tres", "triplexity", "threepia", "triple3"])
def test_texts_fit_in_every_language(visitor: Seat, game: str, size: tuple[int, int]) -> None:
    guest = visitor(size=size)
    guest.sits_down(game, players={"tres": 8, "triplexity": 2, "threepia": 6}.get(game, 4))
    for _ in range(10):
        guest.goes_on()
    for language in LANGUAGES:
        guest.app.state.prefs, guest.app.state.words = Prefs("dark", language), Words(language)
        cut = [text for text, fit in fitted(guest.room.scene.items) if fit.is_cut]
        assert cut == [], language


def fitted(items: tuple[Item, ...]) -> Iterator[tuple[str, lettering.Fitted]]:
    for item in items:
        if isinstance(item, Text):
            yield item.text, text_fit(item, item.box)
        if isinstance(item, Button):
            for part, kind in button_parts(item, item.box):
                if kind == "label":
                    yield item.label, label_fit(item, part)


@pytest.mark.parametrize("size", [(1280, 800), (600, 1100)], ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_the_games_that_lie_on_the_empty_table_can_be_chosen(name: str, size: Size, visitor: Seat) -> None:
    guest = visitor(size=size)
    guest.wait(SECOND)
    guest.touch(Go("players", name))
    assert (guest.app.view.screen, guest.app.view.draft.game) == ("players", name)
