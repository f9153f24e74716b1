"""What is a press and what is a spike on a cable."""

import pytest

from hardware.contact import MICROSECOND, MILLISECOND, Settings
from hardware.panel import Key, Press
from hardware.sieve import Sieve, Sifted, Spike
from tests.hardware.oracle import NEVER
from tests.hardware.spikes import noisy

KEY, OTHER = Key("strike", 0), Key("strike", 1)
SETTINGS = Settings(shortest=2 * MILLISECOND)
T = 1_000 * MILLISECOND


def down(at: int, key: Key = KEY, *, sure: bool = True, after_gap: bool = False) -> Press:
    return Press(key, at, True, sure, after_gap)  # noqa: FBT003


def up(at: int, key: Key = KEY, *, sure: bool = True, after_gap: bool = False) -> Press:
    return Press(key, at, False, sure, after_gap)  # noqa: FBT003


def sifted(*edges: Press, settings: Settings = SETTINGS, level: bool | None = None) -> list[Sifted]:
    """What comes of edges where that is the level of the key whenever it is read."""
    sieve, found = Sieve(settings), list[Sifted]()

    def waited(until: int) -> None:
        while (due := sieve.wakes_at) is not None and due < until:
            found.extend(sieve.time_is(due, lambda: {KEY: level} if level is not None else {}))

    for edge in edges:
        waited(edge.at)
        found += sieve.heard(edge)
    waited(NEVER)
    return found


def test_without_a_shortest_length_every_edge_goes_through_at_once() -> None:
    edges = [down(T), up(T + 1), down(T + 2), up(T + 3)]
    assert sifted(*edges, settings=Settings()) == edges


def test_a_press_goes_through_with_its_own_stamps() -> None:
    assert sifted(down(T), up(T + 60 * MILLISECOND), level=True) == [down(T), up(T + 60 * MILLISECOND)]


def test_a_press_goes_through_as_soon_as_it_is_long_enough() -> None:
    sieve = Sieve(SETTINGS)
    assert sieve.heard(down(T)) == []
    assert sieve.undecided == {KEY}
    assert sieve.wakes_at == T + SETTINGS.shortest
    assert sieve.time_is(T + SETTINGS.shortest, lambda: {KEY: True}) == [down(T)]
    assert sieve.undecided == frozenset()


def test_a_contact_that_is_over_sooner_is_a_spike() -> None:
    assert sifted(down(T), up(T + 300 * MICROSECOND)) == [Spike(KEY, T, 300 * MICROSECOND)]


def test_one_nanosecond_decides() -> None:
    short, long = SETTINGS.shortest - 1, SETTINGS.shortest
    assert sifted(down(T), up(T + short)) == [Spike(KEY, T, short)]
    assert sifted(down(T), up(T + long)) == [down(T), up(T + long)]


def test_a_press_that_bounces_when_it_begins_is_one_press() -> None:
    edges = [down(T), up(T + 100 * MICROSECOND), down(T + 3 * MILLISECOND), up(T + 90 * MILLISECOND)]
    assert sifted(*edges, level=True) == edges


def test_spikes_that_are_apart_are_spikes_each() -> None:
    far = SETTINGS.bounce + MILLISECOND
    assert sifted(down(T), up(T + 5), down(T + far), up(T + far + 7)) == [Spike(KEY, T, 5), Spike(KEY, T + far, 7)]


def test_a_press_behind_a_spike_has_its_own_stamp_where_it_is_apart() -> None:
    at = T + SETTINGS.bounce + MILLISECOND
    found = sifted(down(T), up(T + 5), down(at), up(at + 80 * MILLISECOND), level=True)
    assert found == [Spike(KEY, T, 5), down(at), up(at + 80 * MILLISECOND)]


def test_the_chatter_of_a_release_goes_through() -> None:
    let_go = T + 80 * MILLISECOND
    edges = [down(T), up(let_go), down(let_go + 1_000), up(let_go + 2_000)]
    assert sifted(*edges, level=True) == edges


def test_where_the_release_was_lost_the_level_decides() -> None:
    assert sifted(down(T), level=True) == [down(T)]
    assert sifted(down(T), level=False) == [Spike(KEY, T, None)]


def test_a_release_that_was_only_late_proves_a_press() -> None:
    late = [down(T), up(T + 10 * MILLISECOND)]
    sieve = Sieve(SETTINGS)
    assert sieve.heard(late[0]) == []
    assert sieve.time_is(T + 15 * MILLISECOND, lambda: {KEY: False}) == []
    assert sieve.heard(late[1]) == late


def test_where_no_level_can_be_read_no_press_is_lost() -> None:
    assert sifted(down(T)) == [down(T)]


def test_behind_a_gap_in_the_kernels_count_nothing_is_held_back() -> None:
    edges = [down(T, sure=False, after_gap=True), up(T, sure=False, after_gap=True)]
    assert sifted(*edges, level=False) == edges
    assert sifted(down(T), up(T + 9, sure=False, after_gap=True)) == [down(T), up(T + 9, sure=False, after_gap=True)]


def test_two_edges_that_came_as_one_are_a_spike() -> None:
    """A chip that reads the level too late tells of a release alone, of a button that was up."""
    assert sifted(down(T, sure=False), up(T, sure=False), level=False) == [Spike(KEY, T, None)]


def test_a_message_that_stands_for_a_finger_counts() -> None:
    assert sifted(down(T), up(T)) == [down(T), up(T)]


def test_one_button_does_not_wait_for_another() -> None:
    sieve = Sieve(SETTINGS)
    sieve.heard(down(T))
    assert sieve.heard(down(T, OTHER, after_gap=True)) == [down(T, OTHER, after_gap=True)]
    assert sieve.undecided == {KEY}


@pytest.mark.parametrize("seed", [3, 4])
def test_no_spike_wins_and_no_press_is_lost(seed: int) -> None:
    assert [wrong for _, _, wrong in noisy(750, seed) if wrong] == []
