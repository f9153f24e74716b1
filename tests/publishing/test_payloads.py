"""What is published of every game: of the form that the page describes, and nothing that only the referee may know."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jinja2
import jsonschema
import pytest

from companion.core.clocks import SECOND
from companion.core.match import Match, set_up
from companion.core.referee import Referee
from companion.core.requests import Abandon, Correct, MoveMessage, Pause, Redo, Request, Resume, Show, Undo
from companion.core.session import Session
from companion.doctor.anonymous import Nameless
from companion.games import NAMES, game
from companion.games.threepia import rules as threepia
from companion.games.triplexity.rules import Put
from companion.publishing.payloads import (
    LONGEST_SCORE,
    LONGEST_SENTENCE,
    Manner,
    Published,
    in_english,
    kind_of,
    ruling_now,
    state_now,
    time_of,
)
from companion.publishing.publisher import Publisher
from companion.publishing.topics import discovery
from companion.publishing.wish import Publish
from companion.words import Words
from simulator.playing import play_out, seated
from tests import telling
from tools.schema import publishing_schema, publishing_tables, shown, with_tables

DOCS = Path(__file__).parents[2] / "docs"
DAY = "2026-11-18T21:00:00.000+00:00"
DEFINITIONS = publishing_schema()["$defs"]
GERMAN = Words("de").heard
NOWHERE = Publish(on=True, host="127.0.0.1", port=1, tls=False, name="t")

Payload = dict[str, Any]


def must_fit(kind: str, payload: Payload) -> Payload:
    jsonschema.Draft202012Validator(DEFINITIONS[kind]).validate(payload)
    return payload


class Heard(Publisher):
    """What goes into the outbox, taken out again."""

    def __init__(self, **more: Any) -> None:
        wish = Publish(on=True, host="127.0.0.1", port=1, tls=False, name="t", names=more.pop("names", True))
        self.said: list[str] = []
        self.kept: dict[str, Payload | None] = {}  # by the last word of the topic
        super().__init__(wish, self.said.append, today=lambda: DAY, **more)

    def rulings(self) -> Iterator[Payload]:
        while (content := self.outbox.next_ruling()) is not None:
            yield must_fit("ruling", json.loads(content))

    def state(self) -> Payload:
        while (kept := self.outbox.next_kept()) is not None:
            topic, content = kept
            kind = topic.rpartition("/")[2]
            self.kept[kind] = must_fit(kind, json.loads(content)) if content else None
        assert self.kept["state"]
        return self.kept["state"]

    def result(self) -> Payload | None:
        self.state()
        return self.kept.get("result")


def played(name: str, heard: Heard, players: tuple[str, ...] = (), seed: int = 3) -> Iterator[tuple[Payload, Session]]:
    """The state after everything that happens in a match of bots."""
    playing = game(name)
    setup = set_up(playing, players, playing.house()) if players else seated(playing, playing.house())
    session = Session(Referee.begin(setup, 0), None)
    for reply in session.greeting():
        heard.heard(reply, session.referee.match)
    yield heard.state(), session
    for move, _ in play_out(Match(setup), seed, mistakes=0.1):
        for reply in session.answer(MoveMessage(move, move.at, "")):
            heard.heard(reply, session.referee.match)
            if isinstance(reply, Published):
                yield heard.state(), session


@pytest.mark.parametrize("name", NAMES)
def test_everything_fits_the_page(name: str) -> None:
    heard = Heard()
    rulings: list[Payload] = []
    for state, session in played(name, heard):
        match = session.referee.match
        assert state["moves"] == len(match.line)
        assert [player["score"] for player in state["players"]] == list(match.state.scores)
        assert state["turn"] == match.state.turn
        rulings += heard.rulings()
    assert [told["sequence"] for told in rulings] == list(range(1, len(rulings) + 1))
    assert match.outcome
    assert (state["status"], rulings[-1]["over"]["winners"]) == ("over", list(match.outcome.winners))
    assert all(told["sentences"] for told in rulings if told["kind"] != "ruling")
    assert heard.said == []


def test_hands_stay_hidden() -> None:
    """The bots show the referee every card of their hands; nobody else is told of them."""
    heard, hidden = Heard(), 0
    for _, session in played("tres", heard):
        hands = {card for hand in getattr(session.referee.match.state, "hands", ()) for card in hand}
        for told in heard.rulings():
            if told["move"] == "deal":
                hidden += 1
                words = json.dumps(told)
                open_cards = set(session.referee.match.line[-1].ruling.state.table)
                assert hands, "the hands are known to the referee"
                assert not [card for card in hands - open_cards if f'"{card}"' in words or f" {card}" in words]
            assert "hands" not in told
    assert hidden


def test_clocks_are_as_of_the_message() -> None:
    house = threepia.House(way="stopwatch")
    setup = set_up(game("threepia"), ("Anna", "Ben"), house)
    session = Session(Referee.begin(setup, 0), None)
    heard = Heard()

    def do(message: Any) -> Payload:
        for reply in session.answer(message):
            heard.heard(reply, session.referee.match)
        return heard.state()

    do(MoveMessage(threepia.Deal(""), SECOND, ""))
    state = do(MoveMessage(threepia.Begin("Anna"), 2 * SECOND, ""))
    assert [(clock["player"], clock["used"], clock["runs"]) for clock in state["clocks"]] == [
        ("Anna", 0.0, True),
        ("Ben", 0.0, False),
    ]
    assert state["until"] == state["clocks"][0]["limit"] == house.match_seconds
    state = do(Pause("tea", at=9 * SECOND))
    assert (state["status"], state["until"], state["time"]) == ("paused", None, 9.0)
    assert [(clock["used"], clock["runs"]) for clock in state["clocks"]] == [(7.0, False), (0.0, False)]


def test_the_page_is_up_to_date() -> None:
    page = (DOCS / "publishing.md").read_text(encoding="utf-8")
    assert page == with_tables(page, publishing_tables()), "python -m tools.schema docs"
    assert (DOCS / "publishing.schema.json").read_text(encoding="utf-8") == shown(publishing_schema())


# --- names -----------------------------------------------------------------------------------------------------

STRANGE = ("running", "red", 'Zoë "Z" O\'Neil', "ruling")


@pytest.mark.parametrize("name", [one for one in NAMES if one != "triplexity"])
def test_without_names_nobody_is_named(name: str) -> None:
    names = ("Annalena", "Bartholomäus", 'Zoë "Z" O\'Neil')
    heard = Heard(names=False)
    everything = ""
    for state, _ in played(name, heard, names):
        everything += json.dumps([state, *heard.rulings()], ensure_ascii=False)
        assert {player["name"] for player in state["players"]} == {"Player 1", "Player 2", "Player 3"}
    assert "Player 2" in everything
    assert not [name for name in (*names, "Zoë", "O'Neil", "Neil", "annalena") if name in everything]


def test_names_that_are_words_of_ours_change_no_word_of_ours() -> None:
    heard = Heard(names=False)
    session = None
    for state, session in played("tres", heard, STRANGE):  # noqa: B007
        assert state["status"] in ("running", "over")
        for told in heard.rulings():
            assert told["kind"] in ("match", "ruling")
            assert list(told["scores"]) == ["Player 1", "Player 2", "Player 3", "Player 4"]
    assert session
    assert session.referee.match.outcome


# --- sizes and words -------------------------------------------------------------------------------------------


def test_a_long_reason_and_long_names_are_cut() -> None:
    names = tuple(f"{number}{'x' * 58}" for number in range(4))
    heard = Heard()
    state, session = next(played("tres", heard, names))
    assert len(state["score"]) <= LONGEST_SCORE
    for reply in session.answer(Abandon("why " * 5000, at=SECOND)):
        heard.heard(reply, session.referee.match)
    state = heard.state()
    assert state["status"] == "over"
    assert len(state["over"]["reason"]) == LONGEST_SENTENCE


def test_the_language_is_that_of_the_screen() -> None:
    heard = Heard(voice=GERMAN)
    for _ in played("triplexity", heard):
        pass
    told = [sentence for ruling in heard.rulings() for sentence in ruling["sentences"]]
    assert any("legt" in sentence or "setzt" in sentence for sentence in told), told[:5]


def test_whatever_is_told_beside_rulings_is_in_that_language_too() -> None:
    heard = Heard(voice=GERMAN)
    _, session = next(played("triplexity", heard))
    first = session.referee.match.setup.names[0]
    put_right = Correct(1, {"move": "put", "player": first, "place": "right"}, at=3 * SECOND)
    requests: tuple[Request | MoveMessage, ...] = (
        *(MoveMessage(Put(first, "left", at=SECOND), SECOND, ""), Undo(at=SECOND), Redo(at=SECOND)),
        *(Pause(at=2 * SECOND), Resume(at=3 * SECOND), put_right),
        Abandon(at=4 * SECOND),
    )
    for request in requests:
        for reply in session.answer(request):
            heard.heard(reply, session.referee.match)
    told = list(heard.rulings())
    assert [(one["kind"], one["sentences"][0]) for one in told if one["kind"] != "ruling"] == [
        ("match", "Eine Partie beginnt."),
        ("undo", "Der letzte Zug ist zurückgenommen."),
        ("redo", "Der Zug ist wiederholt."),
        ("pause", "Die Partie ist angehalten."),
        ("resume", "Die Partie geht weiter."),
        ("correction", "Zug 1 ist richtiggestellt."),
        ("abandon", "Die Partie ist abgebrochen."),
    ]
    assert told[-1]["over"]["reason"] == heard.state()["over"]["reason"] == "Die Partie ist abgebrochen."
    heard.heard(session.greeting()[0], session.referee.match)
    assert [one["sentences"] for one in heard.rulings()] == [["Die Partie geht weiter."]]


def test_clocks_run_on_while_something_is_put_right_or_shown() -> None:
    heard = Heard()
    setup = set_up(game("threepia"), ("Anna", "Ben"), threepia.House(way="stopwatch"))
    session = Session(Referee.begin(setup, 0), None)
    lay = threepia.Lay("Anna", points=3, at=10 * SECOND)
    for move in (threepia.Deal("", at=0), threepia.Begin("Anna", at=0), lay):
        for reply in session.answer(MoveMessage(move, move.at, "")):
            heard.heard(reply, session.referee.match)
    for request in (Correct(3, {"move": "lay", "player": "Anna", "points": 2}, at=18 * SECOND), Show(at=25 * SECOND)):
        for reply in session.answer(request):
            heard.heard(reply, session.referee.match)
        state, at = heard.state(), (request.at or 0) / SECOND
        assert (state["time"], state["until"]) == (at, 190 - at)
        assert [(clock["used"], clock["runs"]) for clock in state["clocks"]] == [(10, False), (at - 10, True)]


def test_what_somebody_typed_in_is_told_as_it_is() -> None:
    heard = Heard(voice=GERMAN)
    _, session = next(played("triplexity", heard))
    for reply in session.answer(Abandon("The match is paused.", at=SECOND)):
        heard.heard(reply, session.referee.match)
    over = heard.state()["over"]
    assert (over["reason"], over["abandoned"]) == ("The match is paused.", True)


@pytest.mark.parametrize("name", NAMES)
def test_how_a_match_ended_is_told_in_that_language_too(name: str) -> None:
    heard, english = Heard(voice=GERMAN), Heard()
    for _ in played(name, heard):
        pass
    for _ in played(name, english):
        pass
    reason = english.state()["over"]["reason"]
    german = heard.state()["over"]["reason"]
    assert reason
    assert german != reason
    assert list(telling.english("de", german)) == []


# --- lives and results -----------------------------------------------------------------------------------------


def test_another_life_has_another_word() -> None:
    """Its sequence begins anew, while the match may be the same."""
    lives = set()
    for _ in range(3):
        heard = Heard()
        state, _ = next(played("three", heard))
        rulings = list(heard.rulings())
        assert {state["life"]} == {one["life"] for one in rulings}
        assert [one["sequence"] for one in rulings] == [1]
        lives.add(state["life"])
    assert len(lives) == 3


@pytest.mark.parametrize("name", NAMES)
def test_the_result_of_a_match_stays(name: str) -> None:
    heard = Heard()
    told = [(state["status"], heard.kept.get("result") is not None, session) for state, session in played(name, heard)]
    assert all((status == "over") == has_result for status, has_result, _ in told)
    session = told[-1][2]
    match, result = session.referee.match, heard.result()
    assert match.outcome
    assert result
    assert result["match"] == match.setup.id
    assert [player["score"] for player in result["players"]] == list(match.outcome.scores)
    assert [player["name"] for player in result["players"] if player["won"]] == list(match.outcome.winners)
    assert (result["winners"], result["reason"]) == (list(match.outcome.winners), match.outcome.reason)
    assert (result["as_of"], result["moves"]) == (DAY, len(match.line))
    next(played(name, heard))
    assert heard.result() == result, "another begins"


def test_an_end_that_is_taken_back_is_no_result() -> None:
    heard = Heard()
    *_, (_, session) = played("triplexity", heard)
    assert heard.result()
    for reply in session.answer(Undo(at=session.referee.match.now)):
        heard.heard(reply, session.referee.match)
    assert heard.state()["status"] == "running"
    assert heard.result() is None
    for reply in session.answer(Redo(at=session.referee.match.now)):
        heard.heard(reply, session.referee.match)
    assert heard.result()


def test_a_match_that_is_abandoned_has_no_result() -> None:
    heard = Heard()
    *_, (_, session) = played("triplexity", heard)
    before = heard.result()
    _, session = next(played("three", heard))
    for reply in session.answer(Abandon("rain", at=SECOND)):
        heard.heard(reply, session.referee.match)
    assert heard.state()["over"] == {"winners": [], "reason": "rain", "abandoned": True}
    assert heard.result() == before


def test_without_names_a_result_names_nobody() -> None:
    heard = Heard(names=False)
    for _ in played("tres", heard, ("Annalena", "Bartholomäus", "Zoë")):
        pass
    words = json.dumps(heard.result(), ensure_ascii=False)
    assert "Player 2" in words
    assert not [name for name in ("Annalena", "Bartholomäus", "Zoë") if name in words]


def test_what_goes_wrong_in_here_is_said_once_and_stops_nothing() -> None:
    heard = Heard(voice=lambda _: str(1 / 0))
    playing = game("triplexity")
    session = Session(Referee.begin(seated(playing, playing.house()), 0), None)
    player = session.referee.match.setup.names[0]
    for number in (1, 2):
        for reply in session.answer(MoveMessage(Put(player, "left", at=number), number, "")):
            heard.heard(reply, session.referee.match)
        session.answer(Undo(at=number))
    assert len(heard.said) == 1
    assert "ZeroDivisionError" in heard.said[0]


def test_a_manner_without_names_is_the_same_for_state_and_ruling() -> None:
    setup = seated(game("triplexity"), game("triplexity").house())
    session = Session(Referee.begin(setup, 0), None)
    (reply,) = session.greeting()
    assert isinstance(reply, Published)
    manner = Manner("t", "l", in_english, Nameless(setup.names))
    match = session.referee.match
    state = state_now(manner, match, reply.table, time_of(reply, match), DAY)
    ruling = ruling_now(manner, 1, match, reply, DAY)
    assert kind_of(reply) == "match"
    assert [player.name for player in state.players] == list(ruling.scores) == ["Player 1", "Player 2"]


# --- Home Assistant --------------------------------------------------------------------------------------------

NEEDED = {"p", "name", "unique_id", "default_entity_id", "state_topic"}
ALIVE = {"availability_topic", "payload_available", "payload_not_available"}
KNOWN = {
    "sensor": NEEDED | ALIVE
    | {"icon", "value_template", "json_attributes_topic", "device_class", "options", "unit_of_measurement"},
    "binary_sensor": NEEDED | ALIVE
    | {"icon", "value_template", "payload_on", "payload_off", "device_class", "entity_category"},
}  # fmt: skip
DEVICE = "homeassistant/device/companion_{}/config"


def components(name: str = "t") -> dict[str, dict[str, Any]]:
    document = discovery(replace(NOWHERE, name=name))[DEVICE.format(name)]
    assert document
    found: dict[str, dict[str, Any]] = document["cmps"]
    return found


def test_one_document_for_all_that_home_assistant_finds() -> None:
    found = discovery(NOWHERE)
    device = found.pop(DEVICE.format("t"))
    assert device
    assert set(found.values()) == {None}, "those of old are taken away"
    assert len(found) == 3
    assert device["dev"]["ids"] == ["companion_t"]
    assert {"name", "sw"} <= set(device["o"])
    assert set(device["cmps"]) == {"state", "turn", "score", "clock", "called", "online"}
    for document in device["cmps"].values():
        assert NEEDED <= set(document) <= KNOWN[document["p"]]
        assert document["state_topic"].startswith("companion/t/")
        assert document["default_entity_id"].startswith(f"{document['p']}.companion_t_")
    assert len({document["unique_id"] for document in device["cmps"].values()}) == 6
    json.dumps(device)


def shown_by(component: str, state: dict[str, Any]) -> str:
    """As Jinja, which Home Assistant has, makes it of a payload."""
    template = jinja2.Environment().from_string(components()[component]["value_template"])
    return template.render(value_json=state)


def test_what_its_templates_make_of_a_state() -> None:
    runs = {"player": "Anna", "used": 12.5, "limit": 60.0, "runs": True}
    state = {"status": "running", "turn": "Anna", "score": "Anna 1, Ben 0", "called": False}
    waits = {"player": "Ben", "used": 3.0, "limit": 60.0, "runs": False}
    found = {**state, "clocks": [waits, runs]}
    assert [shown_by(name, found) for name in ("state", "turn", "score", "clock", "called")] == [
        "running", "Anna", "Anna 1, Ben 0", "47.5", "OFF",
    ]  # fmt: skip
    assert shown_by("called", {**found, "called": True}) == "ON"
    assert shown_by("clock", {**found, "clocks": [waits]}) == "57.0"
    assert shown_by("clock", {**found, "clocks": [{**waits, "limit": None}]}) == "3.0"
    assert shown_by("clock", {**found, "clocks": []}) == ""


def entities(name: str) -> set[str]:
    return {document["default_entity_id"] for document in components(name).values()}


def test_the_page_calls_entities_as_they_are_called() -> None:
    page = (DOCS / "publishing.md").read_text(encoding="utf-8")
    named = set(re.findall(r"(?:binary_)?sensor\.companion_\w+", page))
    assert len(named) == 3
    assert named < entities("kitchen")
    assert "object_id" not in page


def test_an_entity_is_called_as_home_assistant_would_write_it() -> None:
    assert "sensor.companion_games_room_2_state" in entities("games-room__2")


def test_discovery_is_taken_away() -> None:
    assert set(discovery(replace(NOWHERE, discovery=False)).values()) == {None}
