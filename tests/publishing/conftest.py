"""Brokers for the tests of this room; where there is no Mosquitto they are left out, and say so."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.publishing.mosquitto import PROGRAM, Mosquitto

Brokers = Callable[..., Mosquitto]


@pytest.fixture
def brokers(tmp_path: Path) -> Iterator[Brokers]:
    """Starts a Mosquitto, with further lines for its configuration."""
    if PROGRAM is None:
        pytest.skip("mosquitto is not installed (apt-get install mosquitto)")
    with ExitStack() as stack:

        def start(*lines: str) -> Mosquitto:
            broker = Mosquitto(tmp_path, *lines)
            stack.callback(broker.stop)
            broker.start()
            return broker

        yield start


@pytest.fixture
def broker(brokers: Brokers) -> Mosquitto:
    return brokers()
