"""Version 2 of what is published: what an entry says, in which words, and what it must not say."""

from dataclasses import fields, replace
from typing import Any

import pytest

from companion.core.codec import parsed, plain, read_again, written
from companion.core.entry import Abandoned, Corrected, Entry, Made, Paused, Resumed, Undone
from companion.core.match import Match
from companion.core.photo_finish import Arrival, Finish, How
from companion.core.rules import UNSEEN, Foul, Game
from companion.core.wire import open_plain
from companion.doctor.anonymous import Nameless
from companion.games import NAMES, game
from companion.journal.chain import SETUP
from companion.journal.open_chain import OpenChain
from companion.publishing import entry_payloads
from companion.publishing.entry_payloads import EntryMoment, EntryTeller
from companion.reports.trials import course_of
from companion.words import Words
from tests.publishing.kept_matches import BEGAN, entries_of, payloads, rows_of, told

SECRET = [
    (name, {"cards": cards} if cards else {})
    for name in NAMES
    for cards in ("", "seen", "told")
    if not cards or "cards" in {field.name for field in fields(game(name).house)}
]


def house_of(name: str, settings: dict[str, Any]) -> Any:
    kind = game(name).house
    allowed = {field.name: field.metadata.get("choices", ()) for field in fields(kind)}
    fitting = {key: value for key, value in settings.items() if value in allowed[key]}
    return kind(**fitting)


@pytest.mark.parametrize("name", NAMES)
def test_entries_are_numbered_and_each_follows_the_one_before(name: str) -> None:
    found = payloads(rows_of(*entries_of(game(name))))
    assert [one["number"] for one in found] == list(range(len(found)))
    assert [one["before"] for one in found] == ["", *(one["hash"] for one in found[:-1])]
    assert len({one["hash"] for one in found}) == len(found)
    assert found[0]["kind"] == SETUP
    assert found[-1]["standing"]["status"] == "over"
    assert found[-1]["standing"]["over"]["winners"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_a_reader_says_it_as_the_table_does(name: str, language: str) -> None:
    """From text and facts that went through JSON, in the reader's language."""
    words = Words(language)
    setup, entries = entries_of(game(name))
    match = Match(setup)
    for entry, payload in zip(entries, payloads(rows_of(setup, entries))[1:], strict=True):
        assert isinstance(entry, Made)
        events = [event for event in match.make(entry.move).events if event.text]
        said = [words.heard(read_again(one["text"], one["facts"])) for one in payload["said"]]
        assert said == [words.open_sentence(event) for event in events]
    over = match.outcome
    end = payload["standing"]["over"]
    assert over
    assert words.heard(read_again(end["text"], end["facts"])) == words.heard(over.reason)


def concealed_otherwise(entry: Entry, instead: str) -> Entry | None:
    """The same entry with other cards where nobody may look; none where it has no such card."""
    if not isinstance(entry, Made):
        return None
    changes = {name: value for name in entry.move.concealed if (value := _otherwise(entry, name, instead)) is not None}
    return Made(replace(entry.move, **changes)) if changes else None


def _otherwise(entry: Made, name: str, instead: str) -> Any:
    value = getattr(entry.move, name)
    if isinstance(value, str) and value not in ("", UNSEEN):
        return instead
    return None


@pytest.mark.parametrize("name", ["three", "tres", "threepia"])
def test_a_hash_says_nothing_of_what_nobody_may_look_up(name: str) -> None:
    """Else a card that lies face down could be guessed: there are only so many."""
    setup, entries = entries_of(game(name), house=house_of(name, {"cards": "told"}))
    rows = rows_of(setup, entries)
    other = [concealed_otherwise(entry, "another card") or entry for entry in entries]
    assert other != entries, "there was nothing to conceal"
    chains = []
    for told_rows in (rows, rows_of(setup, other)):
        chain = OpenChain(told_rows[0].body)
        chains.append([chain.follow(row.kind, row.body) for row in told_rows])
    assert chains[0] == chains[1]


def test_a_hash_tells_every_other_change() -> None:
    setup, entries = entries_of(game("triplexity"))
    first = entries[0]
    assert isinstance(first, Made)
    later = [Made(replace(first.move, at=first.move.at + 1)), *entries[1:]]
    elsewhere = [Made(replace(first.move, place="right" if first.move.place != "right" else "left")), *entries[1:]]  # type: ignore[attr-defined,call-arg]
    whole = [one["hash"] for one in payloads(rows_of(setup, entries))]
    for changed in (later, elsewhere, entries[1:]):
        assert not set(whole[1:]) & {one["hash"] for one in payloads(rows_of(setup, changed))[1:]}


@pytest.mark.parametrize(("name", "settings"), SECRET)
@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_hidden_is_in_no_payload(name: str, settings: dict[str, Any], seed: int) -> None:
    """A card that lies hidden stands in a payload only where one like it lies open, or has just been shown."""
    playing = game(name)
    house = house_of(name, settings)
    setup, entries = entries_of(playing, seed, house)
    match, teller = Match(setup), EntryTeller("t", BEGAN, rows_of(setup, [])[0].body)
    rows = rows_of(setup, entries)
    teller.tell(rows[0])
    for entry, row in zip(entries, rows[1:], strict=True):
        match.take(entry)
        told_now = teller.tell(row)
        if not match.is_running:
            break
        hidden = {card for one in playing.hidden(match.state) for card in one.cards}
        open_now = {card for lying in playing.face_up(match.state) for card in lying.cards}
        assert told_now.standing
        assert {card for lying in told_now.standing.open for card in lying.cards} == open_now
        said = texts(plain(told_now.said))
        shown = texts(open_plain(entry.move)) if isinstance(entry, Made) else set()
        for card in hidden - open_now - shown:
            assert card not in said, (row, said)


def texts(value: Any) -> set[str]:
    """Every text in a value of JSON."""
    if isinstance(value, dict):
        return set().union(*map(texts, value.values())) if value else set()
    if isinstance(value, list | tuple):
        return set().union(*map(texts, value)) if value else set()
    return {value} if isinstance(value, str) else set()


@pytest.mark.parametrize("name", ["three", "tres"])
def test_what_is_told_does_not_depend_on_hidden_cards(name: str) -> None:
    """Two matches that differ only in what a player holds or covers are told alike, until the table shows it."""
    playing = game(name)
    setup, entries = entries_of(playing, house=house_of(name, {"cards": "told"}))
    tried = 0
    for number, entry in enumerate(entries[:40]):
        values = [getattr(entry.move, one) for one in entry.move.concealed] if isinstance(entry, Made) else []
        for card in {value for value in values if isinstance(value, str) and value not in ("", UNSEEN)}:
            for other in others(entries, card):
                changed = concealed_otherwise(entry, other)
                match = Match(setup)
                try:
                    for one in (*entries[:number], changed):
                        match.take(one)  # type: ignore[arg-type]
                except Foul:
                    continue
                line = [*entries[:number], changed]
                one_way, other_way = payloads(rows_of(setup, entries[: number + 1])), payloads(rows_of(setup, line))  # type: ignore[arg-type]
                if one_way[-1]["standing"]["open"] != other_way[-1]["standing"]["open"]:
                    continue  # the card lies open
                assert one_way == other_way
                tried += 1
                break
    assert tried or name == "three", "nothing was concealed"


def others(entries: list[Entry], card: str) -> list[str]:
    """Other cards of the deck, as they come up."""
    found = dict.fromkeys(
        value
        for entry in entries
        if isinstance(entry, Made)
        for one in entry.move.concealed
        if isinstance(value := getattr(entry.move, one), str) and value not in ("", UNSEEN, card)
    )
    return [*found][:4]


def test_acts_that_are_no_moves_are_entries_too() -> None:
    setup, entries = entries_of(game("triplexity"))
    first = entries[0]
    assert isinstance(first, Made)
    at = first.move.at
    instead = replace(first.move, place="right" if first.move.place != "right" else "left")  # type: ignore[attr-defined,call-arg]
    acts: list[Entry] = [first, Paused(at, "tea"), Resumed()]
    acts += [Corrected(1, instead, at, whole=True), Undone(correction=True, at=at)]
    found = payloads(rows_of(setup, [*acts, Abandoned(at + 5, "Anna’s bedtime")]))
    kinds = [SETUP, "made", "paused", "resumed", "corrected", "undone", "abandoned"]
    assert [one["kind"] for one in found] == kinds
    statuses = [one["standing"]["status"] for one in found]
    assert statuses == ["running", "running", "paused", "running", "running", "running", "over"]
    words = Words("de")
    said = [[words.heard(read_again(one["text"], one["facts"])) for one in payload["said"]] for payload in found]
    assert said[2:] == [
        ["Die Partie ist angehalten."],
        ["Die Partie geht weiter."],
        [words.heard(read_again("Move {number} is put right.", {"number": 1}))],
        [words.say("The last move is taken back.")],
        [words.say("The match is abandoned.")],
    ]
    assert found[-1]["standing"]["over"] == {
        "winners": [],
        "abandoned": True,
        "text": "{why}",
        "facts": {"why": "Anna’s bedtime"},
        "run": None,
    }


def test_an_end_that_is_taken_back_is_an_entry_of_the_same_chain() -> None:
    setup, entries = entries_of(game("triplexity"))
    found = payloads(rows_of(setup, [*entries, Undone(at=0)]))
    assert [one["standing"]["status"] for one in found[-2:]] == ["over", "running"]
    assert found[-1]["before"] == found[-2]["hash"]


def test_without_names_nobody_is_named() -> None:
    setup, entries = entries_of(game("three"))
    rows = rows_of(setup, entries)
    bare = written([plain(one) for one in told(rows, naming="numbers")])
    assert not any(name in bare for name in setup.names)
    assert "Player 1" in bare
    assert [one["hash"] for one in payloads(rows, naming="numbers")] == [one["hash"] for one in payloads(rows)]


def test_with_initials_nobody_is_named_and_everybody_told_apart() -> None:
    setup, entries = entries_of(game("three"))
    names = ("Anna", "Ben", "Anton", "Zoë")[: len(setup.players)]
    named = tuple(replace(player, name=name) for player, name in zip(setup.players, names, strict=True))
    rows = rows_of(replace(setup, players=named), [])
    bare = written([plain(one) for one in told(rows, naming="initials")])
    assert not any(name in bare for name in names)
    whole = [*told(rows_of(setup, entries), naming="initials")][-1].standing
    assert whole
    assert len({player.name for player in whole.players}) == len(setup.players)
    assert payloads(rows, naming="initials")[0]["hash"] == payloads(rows)[0]["hash"]


def test_a_photo_finish_is_told_as_it_was() -> None:
    order = (
        Arrival("Anna", How.STAMPED, 5, 0),
        Arrival("Ben", How.STAMPED, 85_005, 85_000),
        Arrival("Carl", How.HELD, 1, None),
    )
    found = entry_payloads._finish(Finish(order, 100_000, ("Anna", "Ben")), Nameless(("Anna", "Ben", "Carl")))
    assert plain(found) == {
        "order": [
            {"name": "Player 1", "how": "stamped", "after": 0.0},
            {"name": "Player 2", "how": "stamped", "after": 8.5e-05},
            {"name": "Player 3", "how": "held", "after": None},
        ],
        "margin": 0.0001,
        "tied": ["Player 1", "Player 2"],
    }
    assert entry_payloads._finish("red", Nameless()) is None


@pytest.mark.parametrize("name", NAMES)
def test_what_was_called_out_is_told_as_long_as_it_holds(name: str) -> None:
    playing = game(name)
    found = {(one["standing"]["phase"], one["standing"]["called"]) for one in payloads(rows_of(*entries_of(playing)))}
    assert {phase for phase, called in found if called} <= set(playing.halts)
    assert not {phase for phase, called in found if not called} & set(playing.halts)
    assert not set(playing.halts) or any(called for _, called in found)


def test_the_moment_and_the_chance_come_from_whoever_was_there() -> None:
    rows = rows_of(*entries_of(game("triplexity")))
    teller = EntryTeller("t", BEGAN, rows[0].body)
    teller.tell(rows[0])
    told_now = teller.tell(rows[1], EntryMoment("2026-11-18T21:00:00+00:00", 0.97))
    assert (told_now.as_of, told_now.chance, told_now.began) == ("2026-11-18T21:00:00+00:00", 0.97, BEGAN)
    later = teller.tell(rows[2])
    assert (later.as_of, later.chance) == ("", None)


def test_a_match_that_the_rules_cannot_follow_is_told_without_its_standing() -> None:
    """By its numbers and hashes: nothing is lost, and a newer board may know better."""
    rows = rows_of(*entries_of(game("triplexity")))
    body = {**rows[1].body, "place": "nowhere"}
    spoilt = [rows[0], replace(rows[1], body=body), *rows[2:]]
    found = payloads(spoilt)
    assert [one["standing"] is None for one in found] == [False, *[True] * (len(found) - 1)]
    assert [one["number"] for one in found] == list(range(len(found)))
    assert parsed(written(found)) == found


def test_a_run_against_the_clock_tells_what_it_is_compared_by() -> None:
    playing = game("threepia")
    house = replace(playing.house(), way="time-trial", deck=20, rotate=False)
    *before, last = payloads(rows_of(*entries_of(playing, 3, house)))
    assert not [one for one in before if one["standing"]["over"]]
    run = last["standing"]["over"]["run"]
    assert run["player"] == "Anna"
    assert run["used"] == last["standing"]["clocks"][0]["used"]
    words = Words("de")
    course = [words.say(piece["text"], **piece["facts"]) for piece in run["course"]]
    assert course == ["Quadrat", "20 Karten", "Karten nicht gedreht"]
    shown = course_of("threepia", _end_of(playing, house)).said(words)
    assert shown == " · ".join(course)
    (nameless,) = [*payloads(rows_of(*entries_of(playing, 3, house)), naming="numbers")][-1:]
    assert nameless["standing"]["over"]["run"]["player"] == "Player 1"


def _end_of(playing: Game, house: Any) -> Any:
    setup, acts = entries_of(playing, 3, house)
    match = Match(setup)
    for act in acts:
        match.take(act)
    return match.state
