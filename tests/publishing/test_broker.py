"""The way to a real Mosquitto: what arrives, what is kept, and every way in which a broker can fail."""

import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion.core.match import set_up
from companion.core.referee import Referee
from companion.core.requests import read_message
from companion.core.session import Session
from companion.doctor.health import AILING, WORKS
from companion.games import game
from companion.publishing.broker import TALKS, BrokerPatience
from companion.publishing.outbox import MOST
from companion.publishing.publisher import Publisher
from companion.publishing.wish import Publish
from tests.publishing.conftest import Brokers
from tests.publishing.mosquitto import PASSWORDS, Authority, Listener, Mosquitto, eventually, listening

QUICK = BrokerPatience(connecting=1, acknowledging=1, alive=2, first=0.05, longest=0.2, leaving=2)
DAY = "2026-11-18T21:00:00.000+00:00"


class Party:
    """A match whose replies are published."""

    def __init__(self, wish: Publish, patience: BrokerPatience = QUICK) -> None:
        self.said: list[str] = []
        self.publisher = Publisher(wish, self.said.append, today=lambda: DAY, patience=patience)
        playing = game("triplexity")
        self.session = Session(Referee.begin(set_up(playing, ("Anna", "Ben"), playing.house()), 0), None)
        self.stamp = 0
        for reply in self.session.greeting():
            self.publisher.heard(reply, self.session.referee.match)

    def do(self, **message: object) -> float:
        """Say something, and how long publishing held the table up, in seconds."""
        self.stamp += 10**9
        match = self.session.referee.match
        replies = self.session.answer(read_message(match.game, {**message, "at": self.stamp}))
        began = time.perf_counter()
        for reply in replies:
            self.publisher.heard(reply, match)
        return time.perf_counter() - began

    def turn_about(self, times: int) -> None:
        """So many rulings: a move, and the move taken back."""
        for number in range(times):
            self.do(move="put", player="Anna", place="left") if number % 2 == 0 else self.do(do="undo")


def wish(broker: Mosquitto, **more: Any) -> Publish:
    usual = {"on": True, "host": "127.0.0.1", "port": broker.port, "tls": False, "name": "t"}
    return Publish(**{**usual, **more})


@contextmanager
def party(asked: Publish, patience: BrokerPatience = QUICK) -> Iterator[Party]:
    made = Party(asked, patience)
    made.publisher.start()
    try:
        yield made
    finally:
        made.publisher.close()


def sequences(listener: Listener) -> list[int]:
    return [told["sequence"] for told in listener.of("t/ruling")]


def test_rulings_come_one_by_one_and_in_order(broker: Mosquitto) -> None:
    with listening(broker.port) as club:
        with party(wish(broker)) as table:
            table.do(move="put", player="Anna", place="left")
            table.do(do="pause", why="tea")
            eventually(lambda: len(club.of("t/ruling")) == 3)
            assert [told["kind"] for told in club.of("t/ruling")] == ["match", "ruling", "pause"]
            assert sequences(club) == [1, 2, 3]
            told = club.of("t/ruling")[1]
            sentence = "Anna places a piece on the left."
            assert (told["move"], told["player"], told["sentences"][0]) == ("put", "Anna", sentence)
            eventually(lambda: club.of("t/state")[-1]["status"] == "paused")
            assert table.publisher.finding.state == WORKS
        eventually(lambda: club.words("t/online") == ["online", "offline"])
    assert table.said == []


def test_who_comes_late_finds_how_it_stands(broker: Mosquitto) -> None:
    with party(wish(broker)) as table:
        table.do(move="put", player="Anna", place="left")
        eventually(lambda: table.publisher.outbox.is_idle)
        with listening(broker.port) as late:
            eventually(lambda: len(late.kept) == 3)
            assert late.kept["companion/t/online"] == b"online"
            (state,) = late.of("t/state")
            assert (state["status"], state["turn"], state["moves"]) == ("running", "Ben", 1)
            assert late.of("t/ruling") == [], "rulings are news"
    with listening(broker.port, "companion/#") as later:
        eventually(lambda: len(later.kept) == 2)
        assert later.kept["companion/t/online"] == b"offline"
        assert later.of("t/state")[0]["status"] == "idle"


def test_how_it_stands_is_there_before_it_is_online(broker: Mosquitto) -> None:
    """Else whoever waits for `online` hears once more how the last evening ended."""
    with listening(broker.port, "companion/t/#") as club:
        for _ in ("this evening", "the next one"):
            club.came.clear()
            with party(wish(broker)):
                eventually(lambda: club.words("t/online") and club.of("t/ruling"))
            eventually(lambda: "offline" in club.words("t/online"))
            told = [topic.rpartition("/")[2] for topic, _, _ in club.came]
            assert told[:2] == ["state", "online"]
            assert told.index("ruling") > 1


def test_rulings_outlast_a_restart_of_the_broker(broker: Mosquitto) -> None:
    with listening(broker.port, "companion/t/ruling", name="board") as board, party(wish(broker)) as table:
        table.turn_about(50)
        broker.stop()
        table.turn_about(50)
        eventually(lambda: table.publisher.broker.trouble)
        assert table.publisher.finding.state == AILING
        broker.start()
        eventually(lambda: set(sequences(board)) == set(range(1, 102)))
        eventually(lambda: table.publisher.finding.state == WORKS)
    assert table.said[-1] == "The broker is there again."
    assert len(table.said) == len(set(table.said)) <= 3


def test_a_broker_that_comes_later_is_found(brokers: Brokers) -> None:
    broker = brokers()
    with listening(broker.port, "companion/t/#", name="board") as board:  # the broker keeps what comes for the board
        broker.stop()
        with party(wish(broker)) as table:
            eventually(lambda: table.publisher.broker.trouble)
            table.turn_about(4)
            broker.start()
            eventually(lambda: sequences(board) == [1, 2, 3, 4, 5])
            assert board.of("t/state")[0]["moves"] == 0
    assert table.said == ["No broker runs at the host and port of [publish].", "The broker is there again."]


def test_a_frozen_broker_holds_nobody_up(broker: Mosquitto) -> None:
    with listening(broker.port, name="board") as club, party(wish(broker)) as table:
        eventually(lambda: sequences(club))
        broker.send(signal.SIGSTOP)
        slowest = max(table.do(do="pause" if number % 2 == 0 else "resume") for number in range(500))
        assert slowest < 0.5, "publishing waits for nobody"
        eventually(lambda: table.publisher.broker.trouble == "The broker does not answer.")
        broker.send(signal.SIGCONT)
        eventually(lambda: set(sequences(club)) == set(range(1, 502)))
    assert table.said[0] == "The broker does not answer."


def test_leaving_a_frozen_broker_is_quick(broker: Mosquitto) -> None:
    with party(wish(broker)) as table:
        eventually(lambda: table.publisher.broker.is_connected)
        broker.send(signal.SIGSTOP)
        table.turn_about(3)
        began = time.monotonic()
    assert time.monotonic() - began < QUICK.leaving + 2
    assert not [one for one in threading.enumerate() if one.name == "publishing"]


PATIENT = replace(QUICK, first=0.05, longest=1)  # a pause is long beside what a busy computer takes for anything
TWINS = "Perhaps another table is called t at this broker: give one of them another name."


def test_two_tables_of_one_name_say_so_and_then_nothing_more(broker: Mosquitto) -> None:
    """Each throws the other out whenever it comes back, and would tell of it for ever."""
    with listening(broker.port, "companion/t/online") as club, party(wish(broker), PATIENT) as one:
        eventually(lambda: one.publisher.broker.is_connected)
        with party(wish(broker), PATIENT) as other:
            eventually(lambda: one.publisher.broker.trouble == other.publisher.broker.trouble == TWINS)
            for table in (one, other):
                assert table.said.count(TWINS) == 1
                assert len(table.said) <= 5
                assert table.publisher.finding.sentence == TWINS
            said, flips = list(one.said + other.said), len(club.came)
            eventually(lambda: len(club.came) > flips + 8)
            assert one.said + other.said == said, "there is nothing new to say"
        eventually(lambda: one.publisher.broker.trouble == "")
        assert one.said[-1] == "The broker is there again."
        assert one.publisher.finding.state == WORKS


def test_the_pause_grows_until_a_connection_has_lasted(broker: Mosquitto) -> None:
    """Ten seconds were enough once, which the other's pause always gives."""
    with listening(broker.port, "companion/t/online") as club, party(wish(broker), PATIENT) as one:
        eventually(lambda: one.publisher.broker.is_connected)
        with party(wish(broker), PATIENT) as other:
            eventually(lambda: TWINS in one.said and TWINS in other.said)
            time.sleep(4)
            flips = len(club.came)
            time.sleep(3)
            assert len(club.came) - flips <= 8, "once a second, each time an offline and an online"


def test_a_thousand_rulings_quickly(broker: Mosquitto) -> None:
    with listening(broker.port, "companion/#") as club, party(wish(broker)) as table:
        table.turn_about(1000)
        eventually(lambda: len(club.of("t/ruling")) >= 1001)
        assert sequences(club) == list(range(1, 1002)), "each once, in order"
        eventually(lambda: club.of("t/state")[-1]["moves"] == 0)
        assert len(club.of("t/state")) <= 1003
        assert table.publisher.outbox.lost == 0


def test_of_too_many_that_wait_the_newest_are_kept() -> None:
    nowhere = Publish(on=True, host="127.0.0.1", port=1, tls=False)
    table = Party(nowhere)
    table.turn_about(MOST + 100)
    assert table.publisher.outbox.waiting == MOST
    assert table.publisher.outbox.lost == 101
    assert "100" not in table.said


HANGS_UP = "The broker hangs up at once: look at tls and port of [publish]."
NOT_LET_IN = "The broker refuses the user or the password."

# --- who may ---------------------------------------------------------------------------------------------------


@pytest.fixture
def guarded(tmp_path: Path, brokers: Brokers) -> Mosquitto:
    """A broker that wants to know who comes: club, with the password secret-7."""
    assert PASSWORDS
    import subprocess  # noqa: PLC0415

    file = tmp_path / "passwords"
    subprocess.run([PASSWORDS, "-b", "-c", file, "club", "secret-7"], check=True, capture_output=True)
    return brokers(f"password_file {file}")


def test_user_and_password(guarded: Mosquitto, tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("wrong-8\n")
    with listening(guarded.port, user="club", password="secret-7") as club:
        with party(wish(guarded, user="club", password_file=str(file))) as table:
            eventually(lambda: table.publisher.broker.trouble)
            assert table.publisher.broker.trouble == NOT_LET_IN
            file.write_text("secret-7\n")
            eventually(lambda: club.of("t/state"), "the password is read again")
        assert table.said == [NOT_LET_IN, "The broker is there again."]


def test_nobody_gets_in_without_a_user(guarded: Mosquitto) -> None:
    with party(wish(guarded)) as table:
        eventually(lambda: table.said)
        assert table.said == [NOT_LET_IN]


@pytest.mark.parametrize("content", [None, b"", b"\n", b"\xff\xfe", b"x" * 5000])
def test_a_password_file_that_is_none_is_said_without_the_password(tmp_path: Path, content: bytes | None) -> None:
    file = tmp_path / "password"
    if content is not None:
        file.write_bytes(content)
    with party(Publish(on=True, host="127.0.0.1", port=1, tls=False, user="a", password_file=str(file))) as table:
        eventually(lambda: table.said)
    assert table.said[0].startswith("The file with the password for the broker")
    assert "xxx" not in table.said[0]


def test_tls(tmp_path: Path, brokers: Brokers) -> None:
    club = Authority(tmp_path / "club").found()
    broker = brokers(*club.sign("localhost"))
    asked = wish(broker, host="localhost", tls=True, ca=str(club.certificate))
    with listening(broker.port, ca=club.certificate) as listener, party(asked) as table:
        table.turn_about(200)
        eventually(lambda: sequences(listener) == list(range(1, 202)))
    assert table.said == []


NOT_TRUSTED = "The certificate of the broker is not to be trusted: look at ca and host of [publish]."
NOT_TODAY = "The certificate of the broker is not valid today: look at the date of this computer."


@pytest.mark.parametrize(
    ("shown", "days", "sentence"),
    [("other.example", 2, NOT_TRUSTED), ("localhost", -1, NOT_TODAY)],
    ids=["other name", "expired"],
)
def test_a_certificate_that_does_not_fit(
    tmp_path: Path, brokers: Brokers, shown: str, days: int, sentence: str
) -> None:
    club = Authority(tmp_path / "club").found()
    try:
        broker = brokers(*club.sign(shown, days=days))
    except Exception:
        pytest.skip("this openssl signs nothing that has expired")
    refused(wish(broker, host="localhost", tls=True, ca=str(club.certificate), user="club"), sentence)


def test_a_certificate_of_somebody_else(tmp_path: Path, brokers: Brokers) -> None:
    broker = brokers(*Authority(tmp_path / "thief").found().sign("localhost"))
    club = Authority(tmp_path / "club").found()
    refused(wish(broker, host="localhost", tls=True, ca=str(club.certificate)), NOT_TRUSTED)
    refused(wish(broker, host="localhost", tls=True), NOT_TRUSTED)


def refused(asked: Publish, sentence: str) -> None:
    with party(asked) as table:
        table.turn_about(2)
        eventually(lambda: table.publisher.broker.trouble)
        tries = threading.active_count()
        assert table.publisher.broker.trouble == sentence
        assert table.publisher.outbox.waiting == 3, "nothing went out"
        assert threading.active_count() <= tries
    assert table.said == [sentence]


def test_no_tls_to_a_broker_with_it(tmp_path: Path, brokers: Brokers) -> None:
    broker = brokers(*Authority(tmp_path / "club").found().sign("localhost"))
    refused(wish(broker, host="localhost"), HANGS_UP)


def test_a_broker_that_wants_to_see_a_certificate_of_the_table(tmp_path: Path, brokers: Brokers) -> None:
    club = Authority(tmp_path / "club").found()
    broker = brokers(*club.sign("localhost"), f"cafile {club.certificate}", "require_certificate true")
    refused(wish(broker, host="localhost", tls=True, ca=str(club.certificate)), HANGS_UP)


def test_tls_to_a_broker_without(broker: Mosquitto) -> None:
    with party(wish(broker, tls=True)) as table:
        eventually(lambda: table.said)
        assert table.said == ["The broker does not speak TLS at this port."]


@pytest.mark.parametrize("ca", ["ca.pem", "missing.pem"])
def test_a_ca_that_is_none(tmp_path: Path, ca: str) -> None:
    (tmp_path / "ca.pem").write_text("none")
    with party(Publish(on=True, host="127.0.0.1", port=1, ca=str(tmp_path / ca))) as table:
        eventually(lambda: table.said)
        assert table.said == ["The file ca of [publish] is no certificate that can be read."]


# --- what is no broker -----------------------------------------------------------------------------------------


@contextmanager
def served(serve: Callable[[socket.socket], None]) -> Iterator[int]:
    """Something else at a port."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        door.settimeout(0.1)
        is_over = threading.Event()

        def work() -> None:
            while not is_over.is_set():
                try:
                    guest, _ = door.accept()
                except OSError:
                    continue
                with guest:
                    serve(guest)

        thread = threading.Thread(target=work)
        thread.start()
        try:
            yield door.getsockname()[1]
        finally:
            is_over.set()
            thread.join()


@pytest.mark.parametrize(
    "content",
    [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\xff" * 999, b"\x20\x02\x00", b"\x20\xff\xff\xff\x7f" + b"x" * 99],
    ids=["silence", "http", "noise", "half an answer", "a long one"],
)
def test_somebody_else_answers(content: bytes) -> None:
    def serve(guest: socket.socket) -> None:
        guest.settimeout(0.05)
        try:
            guest.sendall(content)
            guest.recv(999)
        except OSError:
            pass

    with served(serve) as port, party(Publish(on=True, host="127.0.0.1", port=port, tls=False)) as table:
        table.turn_about(3)
        eventually(lambda: table.said)
        time.sleep(0.3)
        assert table.publisher.outbox.waiting == 4
    assert set(table.said) <= {"The broker does not answer.", HANGS_UP, TALKS}


@pytest.mark.parametrize(
    "content",
    [b"\x40\xff\xff\xff\x7f", b"\x30\x06\x00\x01tabc", b"\xd0\x00" * 1000, b"\x40\x02\x00\x01" * 1000],
    ids=["a packet of 256 MB", "an order", "signs of life without end", "acknowledgements without end"],
)
def test_a_broker_that_says_what_nobody_asked_for_is_not_listened_to(content: bytes) -> None:
    """Nothing of it is held, and nothing is done for it: tests/attacks/brokers.py measures that."""

    def serve(guest: socket.socket) -> None:
        guest.settimeout(1)
        with suppress(OSError):
            guest.sendall(b"\x20\x02\x00\x00" + content)
            while guest.recv(9999):
                pass

    with served(serve) as port, party(Publish(on=True, host="127.0.0.1", port=port, tls=False)) as table:
        eventually(lambda: TALKS in table.said)
        assert table.publisher.outbox.waiting


@pytest.mark.parametrize("code", [1, 2, 3, 4, 5, 9])
def test_every_refusal_has_its_sentence(code: int) -> None:
    def serve(guest: socket.socket) -> None:
        guest.settimeout(1)
        guest.recv(999)
        guest.sendall(bytes([0x20, 2, 0, code]))

    with served(serve) as port, party(Publish(on=True, host="127.0.0.1", port=port, tls=False)) as table:
        eventually(lambda: table.said)
    sentences = {1: HANGS_UP, 4: NOT_LET_IN, 5: NOT_LET_IN}
    assert table.said == [sentences.get(code, "The broker refuses this table.")]


def test_a_name_that_nobody_knows() -> None:
    with party(Publish(on=True, host="no-such-broker.invalid", tls=False)) as table:
        eventually(lambda: table.said)
    assert table.said == ["The name of the broker is not known in this network."]
