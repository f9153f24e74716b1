"""One button: which of its edges are a press, which a release, and which chatter. A machine without input or output.

It is told of edges in the order of their stamps, of the time and of the level; it knows no pins, seats or games. Edges
that follow each other closer than the bounce are one movement of a finger, and where that began tells what it is:

    open --down--> closing --quiet--> closed --up--> opening --quiet--> open

A movement from open is a press, with the stamp of its first contact, wherever it ends. One from closed is a release;
where it ends closed the contact came off for less than the bounce, and the press goes on. An edge that got lost shows
in the next one, which then leads where the button is already, or is marked as unsure.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from companion.core.photo_finish import MARGIN

MICROSECOND = 1_000
MILLISECOND = 1_000_000
BRIEF = 5 * MILLISECOND  # a finger presses for longer
LOOK = 50 * MILLISECOND  # how often the level of a button that is down is read: its release may be lost
LOOK_STUCK = 1_000 * MILLISECOND  # and when it is down for too long
TRACE = 64  # edges of a press that are kept
NEVER = -(10**18)


class Where(Enum):
    """Where the contact is."""

    UNKNOWN = "unknown"  # not heard of yet
    OPEN = "open"
    CLOSING = "closing"  # it went down and may chatter
    CLOSED = "closed"
    OPENING = "opening"  # it came up and may chatter


@dataclass(frozen=True, slots=True)
class Settings:
    """Of all buttons: how long what lasts, in nanoseconds."""

    window: int = 20 * MILLISECOND  # how long stamps that are still on their way are waited for
    margin: int = MARGIN  # presses closer than this cannot be told apart: a tie
    bounce: int = 30 * MILLISECOND  # contacts that follow each other closer than this are one press
    stuck_after: int = 5_000 * MILLISECOND  # down for so long: the button is stuck, or somebody leans on it
    shortest: int = 0  # a contact that is over sooner is a spike, and no press; 0: every contact counts
    double: int = 250 * MILLISECOND  # of the one turn button that all share: pressed again so soon, it does nothing


@dataclass(frozen=True, slots=True)
class News:
    """Something that a button did."""


@dataclass(frozen=True, slots=True)
class Pressed(News):
    """A press. Not `sure`: an edge was lost, and nobody knows the moment; `at` is when it was noticed."""

    at: int
    sure: bool = True


@dataclass(frozen=True, slots=True)
class PressEnded(News):
    """A press is over, and all its edges after the first contact, counted from there. Where the release was not seen
    nobody knows how long it lasted."""

    at: int
    lasted: int | None
    edges: tuple[int, ...] = ()

    @property
    def is_brief(self) -> bool:
        return self.lasted is not None and is_brief(self.lasted)


@dataclass(frozen=True, slots=True)
class Wavered(News):
    """The contact came off for less than the bounce; no second press."""

    at: int
    up_for: int


@dataclass(frozen=True, slots=True)
class ContactStuck(News):
    since: int


@dataclass(frozen=True, slots=True)
class ContactFreed(News):
    """A stuck button has come up."""


class Contact(NamedTuple):
    """What is known of a button."""

    where: Where = Where.UNKNOWN
    is_down: bool = False  # after its newest edge
    newest: int = NEVER  # stamp of that edge
    down_at: int = NEVER  # the newest time at which it was down for certain
    up_at: int = NEVER  # the newest time at which its level was read and was up
    looked_at: int = NEVER  # when its level was last asked for
    is_doubted: bool = False  # its level is not where its edges led: another may be on its way, and is waited for
    is_back: bool = False  # and then was there again
    press: int = NEVER  # the first contact of the press that lasts
    is_timed: bool = True  # the first contact has a stamp to be trusted
    came_up: int = NEVER  # when the movement that may be a release began
    is_seen: bool = True  # that has a stamp to be trusted
    is_stuck: bool = False
    edges: tuple[int, ...] = ()  # after the first contact, counted from there

    def is_in_doubt(self, rules: Settings, at: int) -> bool:
        """Going down then may be a press, or the chatter of an unseen release: whether it stays down tells."""
        match self.where:
            case Where.UNKNOWN:
                return False
            case Where.OPEN:
                return _is_soon(self, rules, at)
            case Where.CLOSED:
                return True
            case _:
                return at - self.newest >= rules.bounce or not self.is_seen

    def wakes_at(self, rules: Settings) -> int | None:
        """When the time and the level have to be told."""
        if self.is_doubted:
            return self.looked_at + rules.window
        if self.where in (Where.CLOSING, Where.OPENING):
            return self.newest + rules.bounce
        if self.where is not Where.CLOSED:
            return None
        return max(self.down_at, self.looked_at) + (LOOK_STUCK if self.is_stuck else LOOK)


Step = tuple[Contact, list[News]]


class ContactEdge(NamedTuple):
    """An edge, and whether the button is down a window later: a press stays down, the chatter of a release does not."""

    at: int
    down: bool
    sure: bool = True
    stays: bool = True


class Level(NamedTuple):
    """What was read of a button, and when: no edge is waiting that could have led there."""

    is_down: bool
    at: int


def is_chatter(newest: int | None, at: int, bounce: int) -> bool:
    """An edge belongs to the movement of the edge before it."""
    return newest is not None and abs(at - newest) < bounce


def is_brief(lasted: int) -> bool:
    """Shorter than any finger's press; one of no length is a message that stands in for a finger."""
    return 0 < lasted < BRIEF


def edge(contact: Contact, rules: Settings, one: ContactEdge) -> Step:
    """An edge. One with an older stamp than the one before it belongs to what is over, and changes nothing."""
    if one.at < contact.newest:
        return contact, []
    contact, news = _settled(contact, rules, one)
    contact, more = _EDGES[contact.where, one.down](contact, rules, one)
    down_at = one.at if one.down else contact.down_at
    return contact._replace(is_down=one.down, newest=one.at, down_at=down_at, is_doubted=False, is_back=False), [
        *news,
        *more,
    ]


def _settled(contact: Contact, rules: Settings, one: ContactEdge) -> Step:
    """As the edge finds it. Where the level was not as told, and this is not the edge that was missing, the level was
    right."""
    if contact.is_doubted and contact.is_down and one.at > contact.up_at:
        return _found_up(contact, contact.up_at)
    if contact.is_doubted and not contact.is_down and not (one.down and one.sure and one.stays):
        contact = contact._replace(is_down=True)
    return _rested(contact, rules, one.at, None)


def time_is(contact: Contact, rules: Settings, at: int, level: Level | None = None) -> Step:
    """All edges stamped until then are known; and the level, where it was read."""
    was_doubted = contact.is_doubted
    contact, news = _rested(contact, rules, at, level)
    contact = contact._replace(looked_at=at)
    if contact.where is Where.CLOSED and level and level.is_down and contact.is_down and not was_doubted:
        contact = contact._replace(down_at=max(contact.down_at, at))
    contact, stuck = _stuck(contact, rules, at)
    return contact, [*news, *stuck]


def _rested(contact: Contact, rules: Settings, at: int, level: Level | None) -> Step:
    """What a movement was, if it is over; where the level says otherwise, an edge was lost."""
    if at - contact.newest < rules.bounce or contact.where in (Where.UNKNOWN, Where.OPEN):
        return contact, []
    if level and level.is_down is not contact.is_down:
        return _not_as_told(contact, level)
    if contact.is_down:
        return _back_down(contact, level) if level and contact.is_doubted else _still_down(contact)
    return _found_up(contact, level.at) if level and contact.is_doubted else _over(contact, contact.newest)


def _back_down(contact: Contact, level: Level) -> Step:
    """Found up, and then down again. When no edge came, it was let go and pressed, and the edges of both were lost."""
    if not contact.is_back:
        return contact._replace(is_back=True), []
    contact, ended = _over(contact, None)
    contact, pressed = _pressed(contact, level.at, sure=False)
    return contact._replace(is_down=True, newest=level.at), [*ended, *pressed]


def _not_as_told(contact: Contact, level: Level) -> Step:
    """The level is not where the edges led: when no other came, one was lost."""
    if not contact.is_doubted:
        return contact._replace(is_doubted=True, up_at=contact.up_at if level.is_down else level.at), []
    if not level.is_down:
        return _found_up(contact, level.at)
    return _still_down(contact._replace(is_down=True, is_seen=False))


# --- edges, by where the contact is ----------------------------------------------------------------------------


def _press(contact: Contact, rules: Settings, one: ContactEdge) -> Step:
    """A press, unless it is the tail of a release: soon after it, and soon up again."""
    if not one.stays and _is_soon(contact, rules, one.at):
        return _tail(contact, one)
    return _pressed(contact, one.at, sure=one.sure)


def _pressed(contact: Contact, at: int, *, sure: bool) -> Step:
    begun = contact._replace(where=Where.CLOSING, press=at, is_timed=sure, edges=())
    return begun, [Pressed(at, sure)]


def _press_unseen(contact: Contact, rules: Settings, one: ContactEdge) -> Step:
    """Up where it was up: the edge of a press was lost, and what follows is its chatter. No finger comes down and up
    so soon after a release: that is still the same one's."""
    if _is_soon(contact, rules, one.at):
        return _tail(contact, one)
    return _pressed(contact, one.at, sure=False)


def _tail(contact: Contact, one: ContactEdge) -> Step:
    return contact._replace(where=Where.OPENING, came_up=one.at, is_seen=False), []


def _release_of_nothing(contact: Contact, _rules: Settings, one: ContactEdge) -> Step:
    return _tail(contact, one)


def _is_soon(contact: Contact, rules: Settings, at: int) -> bool:
    return at < max(contact.newest + 2 * rules.bounce, contact.up_at + rules.bounce)


def _chatter(contact: Contact, _rules: Settings, one: ContactEdge) -> Step:
    return contact._replace(edges=(*contact.edges, one.at - contact.press)[:TRACE]), []


def _release(contact: Contact, rules: Settings, one: ContactEdge) -> Step:
    contact, _ = _chatter(contact, rules, one)
    return contact._replace(where=Where.OPENING, came_up=one.at, is_seen=one.sure), []


def _down_again(contact: Contact, rules: Settings, one: ContactEdge) -> Step:
    """Down where it was down, or came up at a time that nobody knows: where it was up for long enough, and stays
    down, it is the next press, and the edge of a release was lost; else the chatter of a release."""
    was_up = one.at - contact.down_at >= rules.bounce or contact.up_at > contact.down_at
    if was_up and one.stays:
        contact, ended = _over(contact, None)
        contact, pressed = _pressed(contact, one.at, sure=False)
        return contact, [*ended, *pressed]
    if contact.where is Where.OPENING:
        return _chatter(contact, rules, one)
    return _release(contact, rules, one._replace(sure=False))


def _opening_down(contact: Contact, rules: Settings, one: ContactEdge) -> Step:
    return _chatter(contact, rules, one) if contact.is_seen else _down_again(contact, rules, one)


# What an edge is: by where the contact is, and by whether it leads down.
_EDGES: dict[tuple[Where, bool], Callable[[Contact, Settings, ContactEdge], Step]] = {
    (Where.UNKNOWN, True): _press,
    (Where.UNKNOWN, False): _release_of_nothing,
    (Where.OPEN, True): _press,
    (Where.OPEN, False): _press_unseen,
    (Where.CLOSING, True): _chatter,
    (Where.CLOSING, False): _chatter,
    (Where.CLOSED, True): _down_again,
    (Where.CLOSED, False): _release,
    (Where.OPENING, True): _opening_down,
    (Where.OPENING, False): _chatter,
}


# --- a movement that is over -----------------------------------------------------------------------------------


def _still_down(contact: Contact) -> Step:
    at_rest = contact._replace(where=Where.CLOSED, is_doubted=False, is_back=False)
    if contact.press == NEVER:  # what was taken for the tail of a press begins one
        return at_rest._replace(press=contact.newest, is_timed=False), [Pressed(contact.newest, sure=False)]
    if contact.where is Where.OPENING and contact.is_seen:
        return at_rest, [Wavered(contact.newest, contact.newest - contact.came_up)]
    return at_rest, []


def _over(contact: Contact, last: int | None) -> Step:
    """The press is over; its last edge was then, if that is known."""
    news: list[News] = [ContactFreed()] if contact.is_stuck else []
    if contact.press != NEVER:
        is_known = last is not None and contact.is_timed and contact.is_seen
        news.append(
            PressEnded(contact.press, last - contact.press if last is not None and is_known else None, contact.edges)
        )
    open_ = Contact(Where.OPEN, newest=contact.newest, down_at=contact.down_at, up_at=contact.up_at)
    return open_, news


def _found_up(contact: Contact, at: int) -> Step:
    """The level tells what an edge did not: it has come up."""
    contact, news = _over(contact, None)
    return contact._replace(up_at=at), news


def _stuck(contact: Contact, rules: Settings, at: int) -> Step:
    is_held = contact.where is Where.CLOSED and contact.press != NEVER and not contact.is_stuck
    if not is_held or at - contact.press < rules.stuck_after:
        return contact, []
    return contact._replace(is_stuck=True), [ContactStuck(contact.press)]
