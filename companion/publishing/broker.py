"""The way to the broker: a thread of its own connects, sends what waits, and tries again later when it cannot.

Nobody waits for it. paho is asked to read and write by this thread's own loop: its own loops open a listening socket
on the loopback to wake themselves, and this table listens to nobody.
"""

import contextlib
import errno
import os
import select
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core import plainfile
from companion.core.errors import CompanionError
from companion.core.sentence import N_, Sentence
from companion.publishing.outbox import Outbox
from companion.publishing.owed import Owed
from companion.publishing.payloads import OFFLINE, ONLINE
from companion.publishing.wish import Publish, password_of

if TYPE_CHECKING:
    from companion.publishing.outgoing import Outgoing

AT_LEAST_ONCE = 1  # the QoS of everything
LARGEST_CA = 1_000_000  # bytes; all that a system trusts are fewer
SUSPICIOUS = 3  # connections in a row that the broker soon ended


@dataclass(frozen=True, slots=True)
class BrokerPatience:
    """In seconds."""

    connecting: float = 10  # for the way there, for TLS, and for the broker's yes, each
    acknowledging: float = 15  # of what was sent
    alive: int = 30  # between two signs of life
    first: float = 1  # before the second try, ...
    longest: float = 60  # ... twice as long before each further one, up to this
    leaving: float = 2  # for the last words

    @property
    def lasting(self) -> float:
        """So long does a connection stand that nobody else wants: another table of the same name would have taken it
        as soon as its own pause was over."""
        return 2 * self.longest


@dataclass(frozen=True, slots=True)
class BrokerStanding:
    """What is said in the name of the table whenever a connection stands."""

    online_topic: str
    ruling_topic: str
    entry_topic: str
    documents: dict[str, bytes]  # retained; an empty one takes away what was there


class BrokerError(CompanionError, OSError):
    """The broker cannot be used now; the message says why and what to do."""


class Broker:
    """`trouble` is what is wrong now, in one sentence; `say` is told of each change once."""

    def __init__(
        self,
        wish: Publish,
        standing: BrokerStanding,
        outbox: Outbox,
        owed: Owed,
        say: Callable[[str], None],
        patience: BrokerPatience = BrokerPatience(),
    ) -> None:
        self.trouble = ""
        self.is_connected = False
        self._cut_short = 0  # connections in a row that the broker soon ended
        self._wish, self._standing, self._outbox, self._say, self._patience = wish, standing, outbox, say, patience
        self._owed = owed
        self._is_leaving = threading.Event()
        self._ear, self._mouth = os.pipe()
        os.set_blocking(self._ear, False)
        os.set_blocking(self._mouth, False)
        self._thread = threading.Thread(target=self._run, name="publishing", daemon=True)

    def start(self) -> None:
        try:
            self._thread.start()
        except RuntimeError:
            self._tell(NO_THREAD)

    def wake(self) -> None:
        """There is something to send."""
        with contextlib.suppress(OSError):  # full: it is awake
            os.write(self._mouth, b".")

    def close(self) -> None:
        """Say goodbye if somebody listens; in any case be gone soon."""
        self._is_leaving.set()
        self.wake()
        if self._thread.ident is not None:
            self._thread.join(self._patience.leaving + 1)
        if not self._thread.is_alive():  # else it hangs in the system's network and ends with the process
            os.close(self._ear)
            os.close(self._mouth)

    # --- the thread ------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        pause = self._patience.first
        while not self._is_leaving.is_set():
            began = time.monotonic()
            why = self._why_it_ended()
            self._outbox.gone()
            self._owed.gone(was_wanted=not why)
            was_connected, self.is_connected = self.is_connected, False
            lasted = was_connected and time.monotonic() - began > self._patience.lasting
            self._cut_short = self._cut_short + 1 if was_connected and not lasted and why == GONE else 0
            self._tell(self._suspicion if self._is_suspicious else why)
            pause = self._patience.first if lasted else pause
            self._rest(pause)
            pause = min(2 * pause, self._patience.longest)
        self._owed.attend()
        self._owed.close()

    def _rest(self, seconds: float) -> None:
        """Until the next try. What is owed is written down meanwhile."""
        until = time.monotonic() + seconds
        while not self._is_leaving.is_set() and (left := until - time.monotonic()) > 0:
            self._owed.attend()
            select.select([self._ear], [], [], left)
            _emptied(self._ear)

    def _why_it_ended(self) -> str:
        """One connection, from its beginning to its end; nothing if that was wanted."""
        try:
            self._visit()
        except CompanionError as error:
            return str(error)
        except Exception as error:  # a driver may raise anything, and nobody else would hear of it
            unknown = N_("Nothing is published, and nobody knows why.")
            if self.trouble != unknown:
                self._say(f"{type(error).__name__}: {error}"[:200])
            return unknown
        return ""

    def _tell(self, trouble: str) -> None:
        if trouble != self.trouble and not self._is_leaving.is_set():
            self.trouble = trouble
            self._say(trouble)

    @property
    def _is_suspicious(self) -> bool:
        return self._cut_short >= SUSPICIOUS

    @property
    def _suspicion(self) -> str:
        """A broker lets in the newest of one name, and shows the door to whoever was there."""
        name = self._wish.client or self._wish.table
        return Sentence(
            "Perhaps another table is called {name} at this broker: give one of them another name.", name=name
        )

    def _visit(self) -> None:
        visit = BrokerVisit(self._wish, self._standing, self._outbox, self._owed, self._patience)
        with contextlib.closing(visit):
            visit.connect()
            self.is_connected = True
            since = time.monotonic()
            while not self._is_leaving.is_set():
                if self.trouble and not (self._is_suspicious and time.monotonic() - since < self._patience.lasting):
                    self.trouble = ""
                    self._say(N_("The broker is there again."))
                visit.send()
                visit.wait(self._ear)
            visit.leave()


class Tidy(ssl.SSLSocket):
    """Closed when the other side turns out to be somebody else."""

    def do_handshake(self, block: bool = False) -> None:  # noqa: FBT002
        try:
            super().do_handshake(block)
        except BaseException:
            self.close()
            raise


class BrokerVisit:
    """One connection to the broker, by one paho client."""

    def __init__(
        self, wish: Publish, standing: BrokerStanding, outbox: Outbox, owed: Owed, patience: BrokerPatience
    ) -> None:
        self._wish, self._standing, self._outbox, self._patience = wish, standing, outbox, patience
        self._owed = owed
        self._answer: Any = None  # the broker's yes or no
        self._is_gone = False
        self._waits: dict[int, float] = {}  # what is to be acknowledged, and since when it waits
        self._client = self._made()

    def _made(self) -> "Outgoing":
        try:
            from companion.publishing.outgoing import outgoing  # noqa: PLC0415
        except ImportError:
            raise BrokerError(N_("The package paho-mqtt is missing, so nothing is published.")) from None
        client = outgoing(self._wish.client_id)
        client.connect_timeout = self._patience.connecting
        client.max_inflight_messages_set(1000)  # the outbox counts
        if self._wish.user:
            client.username_pw_set(self._wish.user, password_of(self._wish) or None)
        if self._wish.tls:
            client.tls_set_context(self._trust())
        client.will_set(self._standing.online_topic, OFFLINE, AT_LEAST_ONCE, retain=True)
        client.on_connect = self._heard_answer
        client.on_disconnect = self._heard_end
        client.on_publish = self._heard_acknowledged
        return client

    def _trust(self) -> ssl.SSLContext:
        try:
            context = ssl.create_default_context(cadata=self._authority())
            context.sslsocket_class = Tidy
            return context
        except (OSError, ValueError):  # ssl.SSLError too
            raise BrokerError(N_("The file ca of [publish] is no certificate that can be read.")) from None

    def _authority(self) -> str | None:
        """The certificates that are trusted; what stands between them in other letters is none of them."""
        wanted = self._wish.ca
        return plainfile.content(Path(wanted), LARGEST_CA).decode("ascii", "ignore") if wanted else None

    def _heard_answer(self, _client: Any, _data: Any, _flags: Any, reason: Any, _properties: Any) -> None:
        self._answer = reason

    def _heard_end(self, *_: Any) -> None:
        self._is_gone = True

    def _heard_acknowledged(self, _client: Any, _data: Any, number: int, *_: Any) -> None:
        self._waits.pop(number, None)
        self._outbox.acknowledged(number)
        self._owed.acknowledged(number)

    def connect(self) -> None:
        """Raise a BrokerError that says why not."""
        try:
            self._client.connect(*self._wish.where, self._patience.alive)
        except OSError as error:
            raise BrokerError(reason(error)) from None
        until = time.monotonic() + self._patience.connecting
        while self._answer is None:
            if self._is_gone:
                raise BrokerError(HANGS_UP)
            if time.monotonic() > until:
                raise BrokerError(NO_ANSWER)
            self._turn(None, 0.1)
        if self._answer.is_failure:
            raise BrokerError(refusal(str(self._answer)))
        for topic, content in self._standing.documents.items():
            self._publish(topic, content, retain=True)
        self._tell_kept()  # before anybody who waits for `online` takes an old one for how it stands
        self._publish(self._standing.online_topic, ONLINE.encode(), retain=True)

    def send(self) -> None:
        """All that may go out now."""
        while (content := self._outbox.next_ruling()) is not None:
            number = -1  # whatever happens to it now, it is not lost
            try:
                number = self._publish(self._standing.ruling_topic, content)
            finally:
                self._outbox.sent(number, content)
        while (entry := self._owed.next_entry()) is not None:
            number = -1
            try:
                number = self._publish(self._standing.entry_topic, entry)
            finally:
                self._owed.sent(number)
        self._tell_kept()

    def _tell_kept(self) -> None:
        while (kept := self._outbox.next_kept()) is not None:
            self._publish(*kept, retain=True)

    def wait(self, ear: int) -> None:
        """For the broker, or for something to send."""
        self._turn(ear, 1.0)
        oldest = min(self._waits.values(), default=None)
        if self._is_gone:
            raise BrokerError(GONE)
        if oldest is not None and time.monotonic() - oldest > self._patience.acknowledging:
            raise BrokerError(NO_ANSWER)

    def leave(self) -> None:
        """The last words, as far as there is time for them."""
        until = time.monotonic() + self._patience.leaving
        while not (self._outbox.is_idle and self._owed.is_idle) and not self._is_gone and time.monotonic() < until:
            self.send()
            self._turn(None, 0.05)
        self._publish(self._standing.online_topic, OFFLINE.encode(), retain=True)
        while self._waits and not self._is_gone and time.monotonic() < until:
            self._turn(None, 0.05)
        if not self._waits:
            self._client.disconnect()  # a broker that has not heard us hears our will
            self._turn(None, 0)

    def close(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            sock = self._client.socket()
            if sock is not None:
                sock.close()

    def _publish(self, topic: str, content: bytes, *, retain: bool = False) -> int:
        self._client.asks()
        told = self._client.publish(topic, content, AT_LEAST_ONCE, retain=retain)
        self._waits[told.mid] = time.monotonic()
        return told.mid

    def _turn(self, ear: int | None, seconds: float) -> None:
        """Read and write what can be read and written, waiting so long for it."""
        sock: Any = self._client.socket()
        if sock is None:
            self._is_gone = True
            return
        writing = [sock] if self._client.want_write() else []
        ready, writable, _ = select.select([sock, *([] if ear is None else [ear])], writing, [], seconds)
        if ear is not None and ear in ready:
            _emptied(ear)
        if writable:
            self._client.loop_write()
        for _ in _pending(sock, is_ready=sock in ready):
            self._client.loop_read()
        if self._client.is_talked_at:
            raise BrokerError(TALKS)
        self._client.loop_misc()


def _pending(sock: Any, *, is_ready: bool) -> Iterator[None]:
    """Once if there is something to read, and as long as TLS holds something back that no `select` sees."""
    if is_ready:
        yield
    held = getattr(sock, "pending", lambda: 0)
    while sock.fileno() >= 0 and held():
        yield


def _emptied(ear: int) -> None:
    with contextlib.suppress(BlockingIOError):
        while os.read(ear, 4096):
            pass


# --- why not ---------------------------------------------------------------------------------------------------

NOT_YET_VALID, NO_MORE_VALID = 9, 10  # OpenSSL's numbers
NO_ANSWER = N_("The broker does not answer.")
HANGS_UP = N_("The broker hangs up at once: look at tls and port of [publish].")
GONE = N_("The broker is gone.")
TALKS = N_("The broker says what nobody asked for: look at host and port of [publish].")
NO_THREAD = N_("Nothing is published: this computer runs too much at once.")
NOT_LET_OUT = N_("This table is not let out into the network: run sudo make install again.")
NO_WAY = N_("There is no way to the broker in this network.")
_BY_NUMBER = {
    errno.ECONNREFUSED: N_("No broker runs at the host and port of [publish]."),
    errno.EAFNOSUPPORT: NOT_LET_OUT,
    errno.EPERM: NOT_LET_OUT,
    errno.EACCES: NOT_LET_OUT,
}


def reason(error: OSError) -> str:
    """What went wrong on the way to the broker, and what to do."""
    if isinstance(error, ssl.SSLCertVerificationError):
        if error.verify_code in (NOT_YET_VALID, NO_MORE_VALID):
            return N_("The certificate of the broker is not valid today: look at the date of this computer.")
        return N_("The certificate of the broker is not to be trusted: look at ca and host of [publish].")
    if isinstance(error, TimeoutError):
        return NO_ANSWER
    if isinstance(error, ssl.SSLError | ConnectionResetError):
        return N_("The broker does not speak TLS at this port.")
    if isinstance(error, socket.gaierror):
        return N_("The name of the broker is not known in this network.") if _is_let_out() else NOT_LET_OUT
    return _BY_NUMBER.get(error.errno or 0, NO_WAY)


def _is_let_out() -> bool:
    """Whether this process may have to do with the network at all."""
    try:
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM).close()
    except OSError:
        return False
    return True


def refusal(answer: str) -> str:
    """What a broker's no means."""
    if answer in ("Bad user name or password", "Not authorized"):
        return N_("The broker refuses the user or the password.")
    return N_("The broker refuses this table.")
