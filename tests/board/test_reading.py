"""What comes in from a broker: what fits is read as it was written, and anything else is refused in a sentence."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.board.reading import LARGEST, LONGEST_SAID, read_clocks_now, read_entry_now, read_head_now
from companion.core.codec import parsed, plain, written
from companion.core.errors import MalformedError
from companion.games import NAMES, game
from companion.publishing.entry_payloads import EntryNow
from tests.publishing.kept_matches import entries_of, rows_of, told


@pytest.mark.parametrize("name", NAMES)
def test_every_entry_of_ours_is_read_as_it_was_written(name: str) -> None:
    for entry in told(rows_of(*entries_of(game(name)))):
        assert read_entry_now(written(plain(entry)).encode(), "kitchen") == entry


def an_entry() -> EntryNow:
    return [*told(rows_of(*entries_of(game("triplexity"))))][1]


def refused(content: bytes, table: str = "kitchen") -> str:
    with pytest.raises(MalformedError) as caught:
        read_entry_now(content, table)
    said = str(caught.value)
    assert "\n" not in said
    assert len(said) < 300
    return said


def changed(**changes: Any) -> bytes:
    return written({**plain(an_entry()), **changes}).encode()


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "not JSON"),
        (b"[]", "must be an object"),
        (b"{}", "missing"),
        (b"\xff", "UTF-8"),
        (b"{" * 100_000, "bytes"),
        (b"[" * 60_000, "nested too deeply"),
        (b" " * (LARGEST + 1), f"{LARGEST} are the most"),
        (changed(version=3), "update the board"),
        (changed(number=-1), "number must be from 0"),
        (changed(number=10**9), "number must be from 0"),
        (changed(number="1"), "must be a whole number"),
        (changed(hash="x"), "hash is no hash"),
        (changed(hash="A" * 32), "hash is no hash"),
        (changed(before=""), "before is no hash"),
        (changed(match="../etc"), "match is not the code of a match"),
        (changed(match=""), "match is not the code of a match"),
        (changed(game="<b>"), "must be words"),
        (changed(kind="<b>"), "must be words"),
        (changed(table="club"), "it says it is of table 'club'"),
        (changed(more=1), "there is no such key"),
        (changed(chance="sure"), "must be a fraction"),
        (changed(chance=10**30), "too large"),
        (changed(said=[{"event": "", "text": "a"}]), "missing"),
        (changed(standing={}), "missing"),
    ],
)
def test_what_does_not_fit_is_refused(content: bytes, sentence: str) -> None:
    assert sentence in refused(content)


def said(text: str, **facts: Any) -> bytes:
    return changed(said=[{"event": "", "text": text, "facts": facts}])


def nested(depth: int) -> dict[str, Any]:
    return {"text": "{a}{a}", "facts": {"a": nested(depth - 1) if depth else "x"}}


@pytest.mark.parametrize(
    "content",
    [
        said("{player:>999999999}", player="a"),
        said("{player:|>999999999}", player="a"),
        said("{player.__class__}", player="a"),
        said("{player[0]}", player="a"),
        said("{player!r}", player="a"),
        said("{", player="a"),
        said("{a}", a={"text": "b"}),
        said("{a}", a={"text": 7, "facts": {}}),
        said("{a}", a=nested(9)),
        said("{a}" * 200, a="x" * 500),
        said("{a}", a=["x" * 500] * 100),
    ],
)
def test_a_sentence_that_would_fill_the_memory_is_refused(content: bytes) -> None:
    assert "sentence" in refused(content)


def test_the_longest_sentence_is_bounded() -> None:
    read_entry_now(said("x" * (LONGEST_SAID - 10)), "kitchen")
    assert f"longer than {LONGEST_SAID}" in refused(said("x" * (LONGEST_SAID + 10)))


def test_too_many_players_are_refused() -> None:
    entry = an_entry()
    assert entry.standing
    crowd = replace(entry, standing=replace(entry.standing, players=entry.standing.players * 20))
    assert "too many" in refused(written(plain(crowd)).encode())


@given(
    st.binary(max_size=300) | st.text(max_size=300).map(str.encode), st.sampled_from([read_head_now, read_entry_now])
)
def test_noise_is_refused_in_a_sentence(content: bytes, reader: Callable[[bytes, str], object]) -> None:
    with pytest.raises(MalformedError):
        reader(content, "kitchen")
    with pytest.raises(MalformedError):
        read_clocks_now(content)


def test_the_clocks_of_a_state_of_today() -> None:
    clocks = [{"player": "Anna", "used": 12.5, "limit": None, "runs": True}]
    state = {"match": "5f0c", "status": "running", "moves": 3, "clocks": clocks, "until": None, "as_of": "", "x": 1}
    assert read_clocks_now(written(state).encode()).clocks[0].used == 12.5
    assert parsed(written(state)) == state
