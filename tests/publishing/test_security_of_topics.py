"""Nobody gives this table orders: whatever a broker sends it, it does nothing."""

import socket
import struct
import threading
from pathlib import Path

from companion.publishing.broker import TALKS
from companion.publishing.wish import Publish
from tests.publishing.conftest import Brokers
from tests.publishing.mosquitto import eventually, listening
from tests.publishing.test_broker import party, wish

ROOM = Path(__file__).parents[2] / "companion" / "publishing"
CONNACK = b"\x20\x02\x00\x00"


def test_it_subscribes_to_nothing(brokers: Brokers) -> None:
    """Mosquitto counts, every second: the only subscription is our own."""
    broker = brokers("sys_interval 1")
    with party(wish(broker)) as table, listening(broker.port, "$SYS/broker/subscriptions/count") as counting:
        eventually(lambda: table.publisher.outbox.is_idle)
        eventually(lambda: counting.words("count")[-1:] == ["1"])
        assert table.publisher.broker.is_connected
    assert not [file for file in ROOM.glob("*.py") if ".subscribe(" in file.read_text(encoding="utf-8")]


def test_messages_that_nobody_asked_for_change_nothing() -> None:
    """A broker that pushes orders, refused and acknowledged in every way, from the first moment on."""
    topic = b"companion/t/set"
    order = struct.pack(">H", len(topic)) + topic + b'{"do":"abandon"}'
    pushed = b"\x30" + bytes([len(order)]) + order

    with socket.create_server(("127.0.0.1", 0)) as door:
        is_over = threading.Event()

        def serve() -> None:
            door.settimeout(10)
            guest, _ = door.accept()
            with guest:
                guest.settimeout(0.05)
                guest.recv(999)
                guest.sendall(CONNACK + pushed * 50)
                while not is_over.is_set():
                    try:
                        guest.recv(9999)
                        guest.sendall(pushed)
                    except TimeoutError:
                        continue
                    except OSError:
                        return

        thread = threading.Thread(target=serve)
        thread.start()
        asked = Publish(on=True, host="127.0.0.1", port=door.getsockname()[1], tls=False, name="t")
        with party(asked) as table:
            eventually(lambda: table.said == [TALKS])
            before = table.session.referee.match.state
            table.turn_about(2)
            assert table.session.referee.match.is_running
            assert table.session.referee.match.state == before
            is_over.set()
        thread.join()
