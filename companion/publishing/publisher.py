"""Whatever the referee tells goes out: replies become payloads, payloads go into the outbox, and nobody waits."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.core.clocks import SECOND
from companion.core.codec import plain, written
from companion.core.match import Match
from companion.core.replies import MatchReply, Reply, RulingReply
from companion.core.sentence import N_, Sentence
from companion.doctor.anonymous import nameless
from companion.doctor.health import AILING, WORKS, Finding
from companion.publishing.broker import Broker, BrokerPatience, BrokerStanding
from companion.publishing.outbox import Outbox
from companion.publishing.owed import NotedReply, Owed
from companion.publishing.payloads import (
    Manner,
    Published,
    ResultNow,
    RulingNow,
    StateNow,
    Voice,
    idle,
    in_english,
    kind_of,
    result_now,
    ruling_now,
    state_now,
    time_of,
)
from companion.publishing.thumbnail import NO_CARDS, Eye, SeenCards, seen_cards, thumbnail
from companion.publishing.topics import discovery, topic_of
from companion.publishing.wish import Publish

if TYPE_CHECKING:
    from companion.display.app import App
    from companion.display.scene import Intent

Say = Callable[[str], None]
REST = SECOND  # between two looks at the cards on the table


def _today() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


class Publisher:
    """Hears the replies of a referee. `finding` is what the doctor may say of it."""

    def __init__(
        self,
        wish: Publish,
        say: Say,
        *,
        voice: Voice = in_english,
        today: Callable[[], str] = _today,
        patience: BrokerPatience = BrokerPatience(),  # noqa: B008
        journal: Callable[[], Path | None] = lambda: None,
    ) -> None:
        self._wish, self._voice, self._today, self._say = wish, voice, today, say
        self._table = wish.table
        self._life = secrets.token_hex(4)
        self._sequence = 0
        self._ended = ""  # the match whose result is out
        self._is_well = True  # nothing has gone wrong in here
        self.outbox = Outbox()
        self.owed = self._owed(journal)
        self.broker = Broker(wish, _standing(wish), self.outbox, self.owed, say, patience)
        self._cards = NO_CARDS.signature  # of the thumbnail that is out
        self._shows_well = True
        self._put_idle()

    def _owed(self, journal: Callable[[], Path | None]) -> Owed:
        """What is owed to this broker under this name."""
        host, port = self._wish.where
        broker = f"{host}:{port}/{topic_of(self._wish, 'entry')}"

        def put_head(content: bytes) -> None:
            self.outbox.put_kept(topic_of(self._wish, "head"), content)

        return Owed(journal, self._table, broker, put_head, self._say, naming=self._wish.naming)

    def start(self) -> None:
        self.broker.start()

    def heard(self, reply: Reply, match: Match | None) -> None:
        """A reply, and the match as it stands after it. Whatever goes wrong here goes wrong for nobody else."""
        try:
            if match is not None and isinstance(reply, Published):
                self._publish(reply, match)
        except Exception as error:  # a ruling at the table is not lost because it cannot be published
            if self._is_well:
                self._is_well = False
                self._say(f"Something could not be published: {type(error).__name__}: {error}"[:200])

    def _publish(self, reply: Published, match: Match) -> None:
        now = self._today()
        manner = Manner(self._table, self._life, self._voice, nameless(match.setup.names, self._wish.naming))
        standing, time = reply.table, time_of(reply, match)
        self.owed.note(_noted(reply, match, now))
        if kind_of(reply):
            self._sequence += 1
            self.outbox.put_ruling(_json(ruling_now(manner, self._sequence, match, reply, now)))
        self.outbox.put_kept(topic_of(self._wish, "state"), _json(state_now(manner, match, standing, time, now)))
        if match.outcome and standing.over and not match.abandoned:
            self.outbox.put_kept(topic_of(self._wish, "result"), _json(result_now(manner, match, standing, time, now)))
            self._ended = match.setup.id
        elif match.is_running and self._ended == match.setup.id:  # its end was taken back
            self.outbox.put_kept(topic_of(self._wish, "result"), b"")
            self._ended = ""
        self.broker.wake()

    def show(self, match: Match | None, eye: Eye | None) -> None:
        """The cards on the table as they lie now, if there are others than before; nothing of them without an eye."""
        if not self._wish.thumbnails:
            return
        seen = self._seen(match, eye) if match is not None and eye is not None else NO_CARDS
        if seen.signature != self._cards:
            self._cards, now = seen.signature, self._today()
            self.outbox.put_kept(topic_of(self._wish, "thumbnail"), lambda: self._thumbnail(seen, now))
            self.broker.wake()

    def _seen(self, match: Match, eye: Eye) -> SeenCards:
        try:
            return seen_cards(match, eye)
        except Exception as error:  # the match goes on
            self._say_once(error)
            return NO_CARDS

    def _thumbnail(self, seen: SeenCards, now: str) -> bytes:
        """Made by the thread that sends. A picture that cannot be made keeps nothing else from going out."""
        try:
            return thumbnail(seen, self._table, now)
        except Exception as error:
            self._say_once(error)
            return b""

    def _say_once(self, error: Exception) -> None:
        if self._shows_well:
            self._shows_well = False
            self._say(f"The cards could not be shown on phones: {type(error).__name__}: {error}"[:200])

    def forget_pictures(self) -> None:
        """What is out is taken back; the next one shows what lies there then."""
        self._cards = NO_CARDS.signature
        if self._wish.thumbnails:
            self.outbox.put_kept(topic_of(self._wish, "thumbnail"), b"")
            self.broker.wake()

    def _put_idle(self) -> None:
        self.forget_pictures()
        self.outbox.put_kept(topic_of(self._wish, "state"), _json(idle(self._table, self._life, self._today())))

    @property
    def finding(self) -> Finding:
        """What the doctor says."""
        waiting = self.outbox.waiting
        if self.broker.trouble:
            said = Sentence("Rulings that wait to be published: {waiting}.", waiting=waiting)
            return Finding("publishing", AILING, self.broker.trouble, said)
        if not self.broker.is_connected:
            return Finding("publishing", AILING, N_("Looking for a way to the broker."))
        if self.outbox.lost:
            lost = Sentence("Rulings that waited too long and were not published: {lost}.", lost=self.outbox.lost)
            return Finding("publishing", AILING, N_("Rulings are published."), lost)
        return Finding("publishing", WORKS, N_("Rulings are published."))

    def close(self) -> None:
        """Nobody plays any more."""
        self._put_idle()
        self.broker.close()


def _noted(reply: Published, match: Match, now: str) -> NotedReply:
    """What the journal will not know of this."""
    noted = NotedReply(match.setup.id, match.entries, now, greets=isinstance(reply, MatchReply))
    if isinstance(reply, RulingReply) and reply.evidence:
        return replace(noted, made_at=reply.move.at, chance=reply.evidence.chance)
    return noted


def _standing(wish: Publish) -> BrokerStanding:
    documents = {
        topic: b"" if document is None else written(document).encode() for topic, document in discovery(wish).items()
    }
    return BrokerStanding(topic_of(wish, "online"), topic_of(wish, "ruling"), topic_of(wish, "entry"), documents)


def _json(payload: StateNow | RulingNow | ResultNow) -> bytes:
    return written(plain(payload)).encode()


@contextmanager
def opened(wish: Publish, say: Say, **more: Any) -> Iterator[Publisher]:
    """A publisher at work, until this ends."""
    publisher = Publisher(wish, say, **more)
    publisher.start()
    try:
        yield publisher
    finally:
        publisher.close()


# --- at a table with a display ---------------------------------------------------------------------------------


class Bystander:
    """Goes along with an app: what becomes of publishing is said on its screen once, when nothing else is."""

    troubles: tuple[str, ...] = ()  # those are about the sound

    def __init__(self, app: "App", publisher: Publisher) -> None:
        self._app, self._publisher = app, publisher
        self._is_told = False
        self._shown_at = -REST  # when it was looked last which cards lie there

    def heard(self, reply: Reply) -> None:
        self._publisher.heard(reply, self._app.match)

    def touched(self, intent: "Intent") -> None: ...

    def wakes_at(self, now: int) -> int | None:  # noqa: ARG002
        return None

    def attend(self, now: int) -> None:
        if not 0 <= now - self._shown_at < REST:
            self._shown_at = now
            camera = self._app.surroundings.camera
            self._publisher.show(self._app.match, camera.eye if camera else None)
        why, is_told = self._publisher.broker.trouble, self._is_told
        if why and not is_told:
            self._is_told = self._app.mention(Sentence("{why} The match goes on, and its rulings wait.", why=why))
        elif not why and self._publisher.broker.is_connected:
            self._is_told = False


@contextmanager
def publishing(app: "App", wish: Publish, say: Say) -> Iterator[None]:
    """What happens in the app is published as long as this lasts, if that is wished."""
    if not wish.on:
        yield
        return

    def heard(sentence: str) -> str:
        return app.words.heard(sentence)  # in the language of the moment

    def journal() -> Path | None:
        return app.journal.path if app.journal else None

    with opened(wish, say, voice=heard, journal=journal) as publisher:
        bystander = Bystander(app, publisher)
        app.hearers.append(bystander.heard)
        app.listeners.append(bystander)
        keepers = app.surroundings.camera.keepers if app.surroundings.camera else []
        keepers.append(publisher.forget_pictures)
        app.surroundings.publishing = lambda: publisher.finding
        try:
            yield
        finally:
            app.hearers.remove(bystander.heard)
            app.listeners.remove(bystander)
            keepers.remove(publisher.forget_pictures)
            app.surroundings.publishing = None
