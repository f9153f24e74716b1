"""Publishing beside a display: what is said of it on the screen, and what the doctor finds."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from types import SimpleNamespace

from companion.display.scene import ChangeTo, Dismiss, Go, Say, Start
from companion.doctor.health import AILING, WORKS, Around, usual_checks
from companion.games.triplexity.rules import Put
from companion.publishing.publisher import Bystander, publishing
from companion.publishing.wish import Publish
from tests.display.table import Guests
from tests.publishing.mosquitto import Mosquitto, eventually, free_port, listening


@contextmanager
def guests(wish: Publish) -> Iterator[tuple[Guests, list[str]]]:
    people = Guests()
    said: list[str] = []
    with publishing(people.app, wish, said.append):
        yield people, said


def at(port: int) -> Publish:
    return Publish(on=True, host="127.0.0.1", port=port, tls=False, name="t")


def begin(people: Guests) -> None:
    people.do(Go("players", "triplexity"))
    people.do(Start())


def test_what_happens_on_the_screen_is_published(broker: Mosquitto) -> None:
    with listening(broker.port) as club:
        with guests(at(broker.port)) as (people, said):
            eventually(lambda: club.of("t/state"))
            assert club.of("t/state")[-1]["status"] == "idle"
            begin(people)
            eventually(lambda: club.of("t/state")[-1]["game"] == "triplexity")
            people.wait(1)
            assert people.app.view.notice is None
            finding = people.app.surroundings.publishing
            assert finding
            assert finding().state == WORKS
        eventually(lambda: club.words("t/online")[-1] == "offline")
        assert said == []
        assert not people.app.hearers
        assert not people.app.listeners
        assert people.app.surroundings.publishing is None


def test_a_broker_that_is_not_there_is_said_once_and_the_match_goes_on(broker: Mosquitto) -> None:
    port = broker.port
    broker.stop()
    with guests(at(port)) as (people, said):
        eventually(lambda: said)
        people.wait(1)
        notice = people.app.view.notice
        assert notice
        assert notice.sentence == (
            "No broker runs at the host and port of [publish]. The match goes on, and its rulings wait."
        )
        people.app.take(Dismiss(), people.hour.now)
        begin(people)
        for _ in range(5):
            people.wait(30)
            assert people.app.view.notice is None, "said once"
        checks = usual_checks(Around(lambda: (800, 480), publishing=people.app.surroundings.publishing))
        found = checks["publishing"]()
        assert (found.state, found.sentence) == (AILING, "No broker runs at the host and port of [publish].")
        assert found.remedy == "Rulings that wait to be published: 1."
        broker.start()
        eventually(lambda: checks["publishing"]().state == WORKS)
        people.wait(1)
        assert people.app.view.notice is None
    assert said == ["No broker runs at the host and port of [publish].", "The broker is there again."]


def test_what_stays_wrong_while_it_is_connected_is_said_once() -> None:
    """Another table of the same name takes the connection away again and again."""
    with guests(at(free_port())) as (people, said):
        eventually(lambda: said)
        (bystander,) = (one for one in people.app.listeners if isinstance(one, Bystander))
        broker = SimpleNamespace(trouble="Perhaps another table is called t.", is_connected=True)
        bystander._publisher = SimpleNamespace(broker=broker, show=lambda *_: None)  # type: ignore[assignment]
        told = []
        for moment in range(6):
            broker.is_connected = moment % 2 == 0
            bystander.attend(moment)
            if people.app.view.notice:
                told.append(people.app.view.notice.sentence)
                people.app.take(Dismiss(), people.hour.now)
        assert told == ["Perhaps another table is called t. The match goes on, and its rulings wait."]


def test_what_else_is_said_on_the_screen_comes_first() -> None:
    with guests(at(free_port())) as (people, said):
        eventually(lambda: said)
        assert people.app.mention("The match is paused.")
        people.wait(1)
        notice = people.app.view.notice
        assert notice
        assert notice.sentence == "The match is paused."
        people.app.take(Dismiss(), people.hour.now)
        people.wait(1)
        assert people.app.view.notice


def test_the_language_may_change_at_any_time(broker: Mosquitto) -> None:
    with listening(broker.port) as club, guests(at(broker.port)) as (people, _):
        begin(people)
        people.app.take(ChangeTo(replace(people.app.prefs, language="de")), people.hour.now)
        match = people.app.match
        assert match
        people.app.take(Say(Put(match.setup.names[0], "left")), people.hour.now)
        eventually(lambda: len(club.of("t/ruling")) == 2)
        assert "setzt" in club.of("t/ruling")[1]["sentences"][0]


def test_off_is_nothing_at_all() -> None:
    with guests(Publish(host="broker")) as (people, _):
        assert people.app.hearers == []
        assert people.app.surroundings.publishing is None
        assert "publishing" not in usual_checks(
            Around(lambda: (800, 480), publishing=people.app.surroundings.publishing)
        )
