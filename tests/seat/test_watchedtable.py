"""A watched match as people sit at it: frames, presses and messages in the order of their stamps."""

from collections.abc import Iterator
from typing import Any, cast

import pytest

from companion.core.requests import Correct, MoveMessage, Pause, Rematch, Resume
from companion.core.rules import Move
from companion.devices.camera import Blind, CameraSight, Film, LookedAt, News, RoomCamera, Startled
from companion.games.triple3.rules import DECK, Go, GoOn, Out, Stop
from companion.seat.watched_table import WatchedTable
from companion.watch.bench import LAST_CARD
from companion.watch.feed import Gone
from companion.watch.messages import LookRequest, Really
from companion.watch.out_of_step import Differences
from tests.replies import told as as_told
from tests.watched import GRID, Eye, a_card, at, frame, grid_seen, laid, session, table_seen
from vision.sightings import CellNow, Sighting

CELL, CARD = a_card(legal=True)
THEN = (*GRID[: CELL - 1], CARD, *GRID[CELL:])
NEXT = a_card(legal=False, grid=THEN, but=(CARD,))
OTHER = next(card for card in DECK if card not in (*GRID, CARD, NEXT[1]))


class Looker:
    """A camera that sees what it is told to, at ten frames a second."""

    def __init__(self, seen: dict[int, list[Sighting]]) -> None:
        self.eye: Any = Eye(seen)
        self.sight = CameraSight("found")
        self.ears: list[Any] = []
        self.keepers: list[Any] = []
        self.coming: list[News] = []
        self.watched = self.times_startled = 0

    def frames(self, *numbers: int) -> None:
        self.coming += [LookedAt(frame(number), self.eye.watch(frame(number))) for number in numbers]

    def watch(self, _deck: str = "") -> None:
        self.watched += 1

    def rest(self) -> None:
        self.watched -= 1

    def attend(self, _now: int) -> Iterator[News]:
        while self.coming:
            yield self.coming.pop(0)

    def startled(self, error: Exception) -> News:
        self.times_startled += 1
        return Startled(f"I lost the thread ({error}).")

    def tell(self, step: Differences, film: Film | None, kept: int) -> None:
        self.sight = CameraSight("found", step=step, film=film, kept=kept)


class Sat:
    def __init__(
        self, seen: dict[int, list[Sighting]] | None = None, deals: tuple[int, ...] = (28, 27), **house: Any
    ) -> None:
        first: list[Sighting] = [table_seen(), grid_seen()]
        self.camera = Looker({0: first, 20: [laid(20, CELL, CARD, GRID[CELL - 1])], **(seen or {})})
        self.session = session(0, **house)
        self.table = WatchedTable(self.session, cast(RoomCamera, self.camera), deals=deals, seats={"bottom": "Anna"})
        self.told: list[dict[str, Any]] = []

    def see(self, *numbers: int) -> list[dict[str, Any]]:
        self.camera.frames(*numbers)
        return self.attend(at(numbers[-1]))

    def attend(self, now: int) -> list[dict[str, Any]]:
        found = as_told(self.table.attend(now))
        self.told += found
        return found

    def say(self, message: Any, number: int) -> list[dict[str, Any]]:
        stamp = at(number)
        self.table.say(MoveMessage(message, stamp, "") if isinstance(message, Move) else message, stamp)
        return self.attend(stamp)

    @property
    def words(self) -> list[str]:
        return [done.move.word for done in self.session.referee.match.line]


@pytest.fixture
def sat() -> Iterator[Sat]:
    made = Sat()
    made.see(*range(25))
    yield made
    made.table.close()
    assert made.camera.watched == 0


def kinds(told: list[dict[str, Any]]) -> list[str]:
    return [reply["kind"] for reply in told]


def test_what_the_camera_has_to_say_says_so(sat: Sat) -> None:
    assert sat.words == ["deal", "go", "lay"]
    assert {reply.get("by") for reply in sat.told} == {"camera"}
    assert sat.camera.sight.step.guesses == {3: "Anna"}
    [stop, dispute] = sat.say(Stop("Ben"), 26)
    assert (stop["kind"], dispute["kind"]) == ("ruling", "dispute")
    assert "by" not in stop


def test_before_there_is_an_eye_messages_are_answered() -> None:
    sat = Sat()
    eye, sat.camera.eye = sat.camera.eye, None
    assert kinds(sat.say(Stop(""), 1)) == ["foul"]
    [error] = sat.say(LookRequest(3), 1)
    assert error["sentence"] == "The camera does not see the table yet."
    sat.camera.eye = eye
    sat.see(*range(25))
    assert sat.words == ["deal", "go", "lay"]
    sat.table.close()


def test_a_film_is_kept_while_a_stop_is_disputed(sat: Sat) -> None:
    assert sat.camera.sight.film is None
    sat.say(Stop(""), 26)
    film = sat.camera.sight.film
    assert film is not None
    assert film.stamps[0] == 0
    sat.see(*range(26, 60))
    assert sat.camera.sight.film is film
    sat.say(GoOn(""), 60)
    assert sat.camera.sight.film is None


def test_after_a_correction_the_dispute_is_told_anew(sat: Sat) -> None:
    sat.say(Stop(""), 26)
    told = sat.say(Correct(3, None), 27)
    assert kinds(told) == ["correction", "dispute"]
    assert told[-1]["plays"] == []
    assert kinds(sat.say(GoOn(""), 28)) == ["ruling"]
    assert kinds(sat.say(Stop(""), 29)) == ["ruling", "dispute"]


def test_a_claim_to_be_out_is_answered_even_if_no_frames_come(sat: Sat) -> None:
    sat.camera.eye.cells = (CellNow("covered", at(24)), *sat.camera.eye.cells[1:])
    assert sat.say(Out("Anna"), 26) == []
    assert sat.table.wakes_at == at(26) + LAST_CARD
    assert sat.attend(at(26) + LAST_CARD - 1) == []
    assert kinds(sat.attend(at(26) + LAST_CARD)) == ["foul"]
    assert sat.table.wakes_at is None


def test_in_a_pause_nothing_is_ruled_on_and_afterwards_all_is_looked_at() -> None:
    cell, card = NEXT
    before = (*GRID[: CELL - 1], CARD, *GRID[CELL:])
    sat = Sat({40: [laid(40, cell, card, before[cell - 1])]})
    sat.see(*range(25))
    sat.say(Pause(), 30)
    assert sat.see(*range(31, 50)) == []
    sat.say(Resume(), 50)
    assert sat.see(51) == []
    assert sat.camera.eye.asked == [()]
    sat.table.close()


def test_a_camera_that_never_was_there_is_a_notice_and_one_that_goes_is_out_of_step(sat: Sat) -> None:
    sat.camera.coming.append(Gone(at(30), "The camera is gone."))
    [reply] = sat.attend(at(30))
    assert (reply["kind"], reply["code"]) == ("out-of-step", "camera")
    assert sat.camera.sight.step.astray[0].sentence == "The camera is gone."
    other = Sat()
    other.camera.coming.append(Gone(at(1), "There is no camera."))
    [notice] = other.attend(at(1))
    assert notice["sentence"] == "There is no camera. The match goes on by touch."
    other.table.close()


@pytest.mark.parametrize("what", [Blind("It is broken."), Startled("I look anew.")], ids=["blind", "startled"])
def test_when_the_eye_is_another_nothing_of_the_old_one_stays(what: News, sat: Sat) -> None:
    sat.camera.coming.append(Gone(at(30), "The camera is gone."))
    sat.attend(at(30))
    sat.camera.coming.append(what)
    sat.attend(at(31))
    assert not sat.camera.sight.step.astray
    assert sat.words == ["deal", "go", "lay"]
    assert kinds(sat.say(Stop(""), 32))[0] == "ruling"


def breaks(*_: Any, **__: Any) -> Any:
    raise RuntimeError("boom")


LOST = "I lost the thread (boom)."
HIDDEN: dict[int, list[Sighting]] = {30: [laid(30, *NEXT, THEN[NEXT[0] - 1])]}


@pytest.mark.parametrize(
    "what",
    [
        "vision.ring.Ring.add",
        "companion.watch.bench.Bench.saw",
        "companion.watch.dispute_gallery.SeenTables.keep",
        "companion.games.triple3.dispute.Recollection.keep",
        "tests.watched.Eye.expect",
    ],
)
def test_whatever_goes_wrong_with_a_frame_the_match_goes_on_with_another_eye(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    sat = Sat(HIDDEN)
    sat.see(*range(25))
    with monkeypatch.context() as patched:
        patched.setattr(what, breaks)
        told = sat.see(30)
    assert kinds(told)[-2:] == ["match", "notice"], "a screen looks anew, and says why"
    assert told[-1]["sentence"] == LOST
    assert {reply["by"] for reply in told} == {"camera"}
    assert sat.camera.times_startled == 1
    assert sat.see(31) == []
    assert kinds(sat.say(Stop(""), 32)) == ["ruling", "dispute"]
    sat.table.close()


def test_a_witness_who_fails_over_a_card_that_is_put_right_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    sat = Sat(HIDDEN)
    sat.see(*range(31))
    with monkeypatch.context() as patched:
        patched.setattr("companion.games.triple3.witness.Witness.said_card", breaks)
        told = sat.say(Really(*NEXT, OTHER, id="x"), 32)
    assert [reply["sentence"] for reply in told if reply["kind"] == "notice"] == [
        "I lost the thread (RuntimeError: boom) and look at the table anew: hands off, please."
    ]
    assert any(reply.get("re") == "x" for reply in told)
    sat.table.close()


@pytest.mark.parametrize(
    ("what", "message"),
    [
        ("companion.games.triple3.witness.Witness.said_move", Go("")),
        ("companion.games.triple3.witness.Witness.not_before", Stop("")),
        ("companion.watch.dispute_gallery.Gallery.shown", Stop("")),
        ("tests.watched.Eye.look_again", LookRequest(0, id="x")),
    ],
)
def test_whatever_goes_wrong_with_a_message_it_is_answered(
    what: str, message: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    sat = Sat(HIDDEN)
    sat.see(*range(2 if isinstance(message, Go) else 31))
    with monkeypatch.context() as patched:
        patched.setattr(what, breaks)
        told = sat.say(message, 32)
    assert LOST in [reply.get("sentence") for reply in told]
    assert "match" in kinds(told)
    answers = [reply for reply in told if reply.get("re") == "x" or reply.get("move", {}).get("move") == message.word]
    assert len(answers) == 1
    assert sat.camera.times_startled == 1
    sat.table.close()


def test_what_is_wrong_between_frames_stops_nothing_either(sat: Sat, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.watch.bench.Bench.time_is", breaks)
    assert kinds(sat.attend(at(30))) == ["match", "notice"]
    assert sat.table.wakes_at is None
    assert kinds(sat.say(Stop(""), 31)) == ["ruling"]


def test_a_claim_that_waits_is_answered_though_the_eye_is_another(sat: Sat) -> None:
    sat.camera.eye.cells = (CellNow("covered", at(24)), *sat.camera.eye.cells[1:])
    assert sat.say(Out("Anna"), 26) == []
    sat.camera.coming.append(Startled("I look anew."))
    assert kinds(sat.attend(at(27))) == ["notice", "foul"]


def test_what_was_on_its_way_while_a_card_was_ruled_on_comes_after_it_then_too(
    sat: Sat, monkeypatch: pytest.MonkeyPatch
) -> None:
    ruled = sat.session.referee.match.now
    monkeypatch.setattr("companion.watch.bench.Bench.heard", breaks)
    sat.table.say(MoveMessage(Stop("Ben"), ruled - 1, ""), at(25))
    told = sat.attend(at(25))
    assert kinds(told) == ["match", "notice", "ruling"]
    assert told[-1]["move"]["at"] == ruled


def test_what_is_said_is_done_though_only_what_had_to_come_before_was(monkeypatch: pytest.MonkeyPatch) -> None:
    sat = Sat(deals=())  # a card is over, and nobody has seen where it lies
    sat.see(0, 1)
    assert sat.words == []
    monkeypatch.setattr("companion.games.triple3.witness.Witness.told", breaks)
    assert kinds(sat.say(Go(""), 2)) == ["ruling", "match", "notice", "ruling"]
    assert sat.words == ["deal", "go"]
    sat.table.close()


def test_a_frame_older_than_a_pause_is_no_trouble() -> None:
    sat = Sat()
    eye, sat.camera.eye = sat.camera.eye, None
    sat.say(Pause(), 40)
    sat.say(Resume(), 41)
    sat.camera.eye = eye
    assert kinds(sat.see(*range(25))) == ["ruling", "ruling", "ruling"]
    assert sat.words == ["deal", "go", "lay"]
    sat.table.close()


def test_a_rematch_begins_with_the_cards_as_they_lie(sat: Sat) -> None:
    assert kinds(sat.say(Rematch(), 30)) == ["error"]  # not while it is played
    assert sat.words == ["deal", "go", "lay"]
