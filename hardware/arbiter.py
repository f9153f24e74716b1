"""Who struck first. A machine without input or output: it is told of edges, levels and the time, and answers.

It knows seats and stamps. It knows nothing of pins, clocks, threads, games or lights: those ask it. Time is in
nanoseconds of whatever clock stamped the edges.

    idle --arm--> armed --first press--> struck --window over, levels read--> settled --arm--> armed
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

from companion.core.photo_finish import Arrival, Finish, How
from hardware.answers import Amended, Answer, Brief, Freed, Settled, Stuck, Void, WakeAt
from hardware.contact import Settings, is_brief, is_chatter


class Phase(Enum):
    IDLE = "idle"  # nobody may strike; presses are void
    ARMED = "armed"
    STRUCK = "struck"  # somebody has; stamps may still be on their way
    SETTLED = "settled"  # the order is known; presses are void until the token is armed again


# --- the machine -----------------------------------------------------------------------------------------------


class StrikeButton(NamedTuple):
    """What is known of one seat's button."""

    down_since: int | None = None  # by an edge
    found_down: int | None = None  # by the level, when the token was armed
    last_edge: int | None = None
    excluded: str = ""  # why it does not count: held, stuck, early, or bounce (down again too soon to be a press)
    press: int | None = None  # first contact since the token was armed
    untimed: bool = False
    edges: tuple[int, ...] = ()  # after the first contact
    released: bool = False
    is_up_unseen: bool = False  # its newest edge tells of a release at a time that nobody knows
    is_doubted: bool = False  # the press came behind that, and may be no more than the chatter of the release
    void_at: int | None = None  # the same where nobody may strike: it is said when it has stayed down

    @property
    def since(self) -> int | None:
        """It is down, and has been for so long at least."""
        return self.found_down if self.down_since is None else self.down_since

    @property
    def is_unexplained(self) -> bool:
        """Down by the level alone. An edge may be on its way that tells it was pressed after the token was armed."""
        return self.excluded == "held" and self.found_down is not None and self.down_since is None


_UP = StrikeButton()


class Arbiter(NamedTuple):
    """The state of the token. The functions below return the arbiter afterwards and its answers."""

    seats: tuple[str, ...]
    settings: Settings = Settings()
    phase: Phase = Phase.IDLE
    buttons: Mapping[str, StrikeButton] = MappingProxyType({})
    armed_at: int = 0
    frees: Mapping[str, int] = MappingProxyType({})  # from when on each seat may strike, though the token is armed
    closes_at: int = 0  # when the window is over
    silent: tuple[str, ...] = ()  # seats found down without an edge, while that is waited for once more
    finish: Finish | None = None
    last: "Arbiter | None" = None  # as it was when it was armed again: a stamp of that strike may still come

    def button(self, seat: str) -> StrikeButton:
        return self.buttons.get(seat, _UP)

    @property
    def excluded(self) -> dict[str, str]:
        """The seats whose buttons do not count now, and why."""
        return {seat: self.button(seat).excluded for seat in self.seats if self.button(seat).excluded}


Step = tuple[Arbiter, list[Answer]]


def arm(arbiter: Arbiter, at: int, levels: Mapping[str, bool]) -> Step:
    """The token may be struck. Whoever is down now must come up first. The levels are read at that time or after it:
    an edge with an older stamp that is still on its way is in them."""
    buttons: dict[str, StrikeButton] = {}
    answers: list[Answer] = []
    for seat in arbiter.seats:
        before, down = arbiter.button(seat), levels.get(seat, False)
        excluded = ("stuck" if before.excluded == "stuck" else "held") if down else ""
        found_down = (at if before.since is None else before.since) if down else None
        buttons[seat] = StrikeButton(before.down_since if down else None, found_down, before.last_edge, excluded)
        answers += [] if down else _freed(seat, before)
    last = arbiter._replace(last=None) if arbiter.phase is Phase.SETTLED else None
    return arbiter._replace(
        phase=Phase.ARMED, buttons=buttons, finish=None, armed_at=at, closes_at=0, silent=(), last=last
    ), answers


def settled(arbiter: Arbiter, finish: Finish) -> Arbiter:
    """As it stands after a strike that was decided before this one was made."""
    return arbiter._replace(phase=Phase.SETTLED, finish=finish)


def edge(arbiter: Arbiter, seat: str, at: int, *, down: bool, sure: bool = True) -> Step:
    """An edge of a seat's button. Edges of different seats may arrive in any order, those of one seat in theirs."""
    if seat not in arbiter.seats:
        return arbiter, []
    before = arbiter.button(seat)
    chatter = is_chatter(before.last_edge, at, arbiter.settings.bounce)
    if at < arbiter.armed_at and arbiter.phase is not Phase.IDLE:
        return _of_last_strike(arbiter, seat, at, down=down, sure=sure) or _from_before(
            arbiter, seat, at, down=down, chatter=chatter
        )
    is_doubted = down and before.is_up_unseen and not chatter
    void_at = None
    if is_doubted and arbiter.phase not in (Phase.ARMED, Phase.STRUCK):
        chatter, void_at = True, at
    if down and not chatter and before.is_unexplained:
        before = before._replace(excluded="", found_down=None)  # after all, when the token was armed
    since = (at if before.down_since is None else before.down_since) if down else None
    found_down = before.found_down if down else None
    is_up_unseen = not (down or sure)
    last_edge = before.last_edge if is_up_unseen else at
    before = before._replace(is_up_unseen=is_up_unseen, is_doubted=before.is_doubted or is_doubted)
    before = before._replace(void_at=before.void_at if void_at is None else void_at)
    arbiter = _with(arbiter, seat, before._replace(down_since=since, found_down=found_down, last_edge=last_edge))
    if arbiter.phase is Phase.SETTLED and before.untimed and (before.last_edge or 0) < arbiter.armed_at:
        # after all, an edge of the press that was found in the levels and counts already
        arbiter = _with(arbiter, seat, arbiter.button(seat)._replace(void_at=None))
        is_its_own = down and sure and before.press is not None and at <= before.press
        return _amended(arbiter, seat, at) if is_its_own else (arbiter, [])
    if down and not chatter and at < arbiter.frees.get(seat, at) and arbiter.phase is not Phase.IDLE:
        return _early(arbiter, seat, at)
    if void_at is not None:
        return arbiter, [WakeAt(void_at + arbiter.settings.window)]
    if chatter and (before.press is None or arbiter.phase is Phase.SETTLED):
        return _chattered(arbiter, seat, down=down)
    return _EDGES[arbiter.phase, down](arbiter, seat, at, sure and not is_doubted)


def _chattered(arbiter: Arbiter, seat: str, *, down: bool) -> Step:
    """The tail of a press or a release that is over."""
    if down:
        return _bounced(arbiter, seat), []
    button = arbiter.button(seat)
    if button.excluded == "bounce":
        return _with(arbiter, seat, button._replace(excluded="")), []
    return _EDGES[arbiter.phase, False](arbiter, seat, 0, True)  # noqa: FBT003


def explained(arbiter: Arbiter, seat: str) -> Arbiter:
    """The seat was found down by its level, and that was no press."""
    return arbiter._replace(silent=tuple(one for one in arbiter.silent if one != seat))


def time_is(arbiter: Arbiter, at: int, levels: Mapping[str, bool], undecided: Collection[str] = frozenset()) -> Step:
    """The time now, and the level of every button, read from the chip: True is down. A level that is left out is
    not known; when the window is over, all are wanted. `undecided` are seats with edges that are not told yet, because
    they may be those of a spike."""
    answers: list[Answer] = []
    if arbiter.phase is Phase.STRUCK and at >= arbiter.closes_at:
        arbiter, answers = _window_over(arbiter, at, levels, undecided)
    arbiter, stayed = _stayed_down(arbiter, at, levels)
    answers += stayed
    if arbiter.phase is not Phase.STRUCK:
        arbiter, freed = _found_up(arbiter, levels)
        answers += freed
    arbiter, stuck = _stuck(arbiter, at)
    return arbiter, answers + stuck


def _stayed_down(arbiter: Arbiter, at: int, levels: Mapping[str, bool]) -> Step:
    """Presses that might have been the chatter of a release, and were none: a finger is still there."""
    answers: list[Answer] = []
    for seat, button in arbiter.buttons.items():
        if button.void_at is not None and at >= button.void_at + arbiter.settings.window:
            arbiter = _with(arbiter, seat, button._replace(void_at=None))
            if levels.get(seat):
                arbiter, void = _EDGES[arbiter.phase, True](arbiter, seat, button.void_at, False)  # noqa: FBT003
                answers += void
    return arbiter, answers


# --- edges, by phase ---


def _of_last_strike(arbiter: Arbiter, seat: str, at: int, *, down: bool, sure: bool) -> Step | None:
    """A stamp that puts the strike right after which the token was armed again, if nobody has struck since: that
    strike stands again."""
    if arbiter.phase is not Phase.ARMED or arbiter.last is None:
        return None
    last, answers = edge(arbiter.last, seat, at, down=down, sure=sure)
    if not any(isinstance(answer, Amended) for answer in answers):
        return None
    buttons = {}
    for one in arbiter.seats:
        now = arbiter.button(one)
        buttons[one] = last.button(one)._replace(down_since=now.down_since, found_down=now.found_down)
    return last._replace(buttons=buttons), answers


def _from_before(arbiter: Arbiter, seat: str, at: int, *, down: bool, chatter: bool) -> Step:
    """From before the token was armed; the levels read then tell already what came of it."""
    before = arbiter.button(seat)
    if before.found_down is not None:
        before = before._replace(down_since=at if down else None)
    arbiter = _with(arbiter, seat, before._replace(last_edge=at))
    if not down or chatter:
        return arbiter, []
    free = arbiter.frees.get(seat, at)
    return arbiter, [Void(seat, at, "early", at - free) if at < free else Void(seat, at, before.excluded or "idle")]


def _early(arbiter: Arbiter, seat: str, at: int) -> Step:
    """Before the seat may strike; it has to come up first."""
    button = arbiter.button(seat)
    if button.press is None and arbiter.phase is not Phase.SETTLED:
        arbiter = _with(arbiter, seat, button._replace(excluded=button.excluded or "early"))
    return arbiter, [Void(seat, at, "early", at - arbiter.frees[seat])]


def _idle_press(arbiter: Arbiter, seat: str, at: int, _sure: bool) -> Step:
    return arbiter, [Void(seat, at, "idle")]


def _first_press(arbiter: Arbiter, seat: str, at: int, sure: bool) -> Step:
    if arbiter.button(seat).excluded:
        return arbiter, [Void(seat, at, arbiter.button(seat).excluded)]
    arbiter = arbiter._replace(phase=Phase.STRUCK, closes_at=at + arbiter.settings.window)
    return _latched(arbiter, seat, at, sure), [WakeAt(arbiter.closes_at)]


def _further_press(arbiter: Arbiter, seat: str, at: int, sure: bool) -> Step:
    button = arbiter.button(seat)
    if button.press is not None:
        return _with(arbiter, seat, button._replace(edges=(*button.edges, at), released=False)), []
    if button.excluded:
        return arbiter, [Void(seat, at, button.excluded)]
    return _latched(arbiter, seat, at, sure), []


def _late_press(arbiter: Arbiter, seat: str, at: int, sure: bool) -> Step:
    button = arbiter.button(seat)
    if button.excluded:
        return arbiter, [Void(seat, at, button.excluded)]
    first = _first(arbiter)
    behind = None if first is None else at - first
    is_early = behind is not None and behind <= arbiter.settings.margin
    if sure and button.press is None and (is_early or _is_called_held(arbiter, seat, at)):
        return _amended(arbiter, seat, at)
    return arbiter, [Void(seat, at, "late", behind)]


def _is_called_held(arbiter: Arbiter, seat: str, at: int) -> bool:
    """The finish has this press for a button that was down before."""
    order = arbiter.finish.order if arbiter.finish else ()
    return at <= arbiter.closes_at and any(one.seat == seat and one.how is How.HELD for one in order)


def _first(arbiter: Arbiter) -> int | None:
    """The first stamp of the strike."""
    stamps = (button.press for button in arbiter.buttons.values() if not button.untimed)
    return min((press for press in stamps if press is not None), default=None)


def _amended(arbiter: Arbiter, seat: str, at: int) -> Step:
    """The stamp of a press has come too late to be settled with the others: the finish is another now."""
    first, stood = _first(arbiter), arbiter.finish
    assert stood is not None
    arbiter = _latched(arbiter, seat, at, sure=True)
    held = {arrival.seat for arrival in stood.order if arrival.how is How.HELD}
    finish = photo_finish(arbiter.seats, arbiter.buttons, arbiter.settings, held)
    return arbiter._replace(finish=finish), [Amended(seat, at - (at if first is None else first), stood, finish)]


def _release(arbiter: Arbiter, seat: str, _at: int, _sure: bool) -> Step:
    button = arbiter.button(seat)
    if not button.excluded:
        return arbiter, []
    return _with(arbiter, seat, button._replace(excluded="")), _freed(seat, button)


def _release_in_window(arbiter: Arbiter, seat: str, at: int, _sure: bool) -> Step:
    button = arbiter.button(seat)
    if button.press is not None:
        return _with(arbiter, seat, button._replace(edges=(*button.edges, at), released=True)), []
    return arbiter, []  # who was held counts again when the strike is settled, not in the middle of it


# What an edge does: by phase, and by whether the button went down.
_EDGES: dict[tuple[Phase, bool], Callable[[Arbiter, str, int, bool], Step]] = {
    (Phase.IDLE, True): _idle_press,
    (Phase.IDLE, False): _release,
    (Phase.ARMED, True): _first_press,
    (Phase.ARMED, False): _release,
    (Phase.STRUCK, True): _further_press,
    (Phase.STRUCK, False): _release_in_window,
    (Phase.SETTLED, True): _late_press,
    (Phase.SETTLED, False): _release,
}


def _with(arbiter: Arbiter, seat: str, button: StrikeButton) -> Arbiter:
    return arbiter._replace(buttons={**arbiter.buttons, seat: button})


def _latched(arbiter: Arbiter, seat: str, at: int, sure: bool) -> Arbiter:
    return _with(arbiter, seat, arbiter.button(seat)._replace(press=at, untimed=not sure))


def _bounced(arbiter: Arbiter, seat: str) -> Arbiter:
    """The tail of a press or a release that is over: no press, and if the button stays down, none until it comes up."""
    button = arbiter.button(seat)
    if button.excluded or arbiter.phase not in (Phase.ARMED, Phase.STRUCK):
        return arbiter
    return _with(arbiter, seat, button._replace(excluded="bounce"))


def _window_over(arbiter: Arbiter, at: int, levels: Mapping[str, bool], undecided: Collection[str]) -> Step:
    """Settle, unless somebody is down without an edge: that may still be on its way, and is waited for once, as is
    what may be a spike."""
    arbiter, wakes = _without_tails(arbiter, levels)
    if all(button.press is None for button in arbiter.buttons.values()):
        return arbiter._replace(phase=Phase.ARMED, closes_at=0, silent=()), wakes
    silent = tuple(
        seat
        for seat in arbiter.seats
        if arbiter.button(seat).is_unexplained
        or ((levels.get(seat, False) or seat in undecided) and _is_open(arbiter, seat))
    )
    if silent and not arbiter.silent:
        closes_at = at + arbiter.settings.window
        return arbiter._replace(silent=silent, closes_at=closes_at), [WakeAt(closes_at), *wakes]
    for seat in arbiter.silent:
        if _is_open(arbiter, seat) and seat not in undecided:
            # Down, and no edge ever came: the chip lost it. A press, at a time that nobody knows.
            up = levels.get(seat) is False
            arbiter = _with(
                arbiter,
                seat,
                arbiter.button(seat)._replace(press=at, untimed=True, released=up, down_since=None if up else at),
            )
    finish = photo_finish(arbiter.seats, arbiter.buttons, arbiter.settings, arbiter.excluded)
    answers: list[Answer] = [Settled(finish), *_brief(finish, levels), *wakes]
    return arbiter._replace(phase=Phase.SETTLED, finish=finish, silent=()), answers


def _without_tails(arbiter: Arbiter, levels: Mapping[str, bool]) -> Step:
    """Without presses that were the chatter of a release: a finger would still be there. One that is there after all,
    and chattered just then, shows a little later."""
    wakes: list[Answer] = []
    for seat, button in arbiter.buttons.items():
        if button.is_doubted and button.press is not None and levels.get(seat) is False:
            arbiter = _with(arbiter, seat, StrikeButton(last_edge=button.last_edge, void_at=button.press))
            wakes.append(WakeAt(button.press + arbiter.settings.window))
    return arbiter, wakes


def _brief(finish: Finish, levels: Mapping[str, bool]) -> Iterator[Brief]:
    for arrival in finish.order:
        lasted = max(arrival.bounces, default=0)
        if arrival.at is not None and arrival.released and is_brief(lasted) and not levels.get(arrival.seat):
            yield Brief(arrival.seat, arrival.at, lasted)


def _is_open(arbiter: Arbiter, seat: str) -> bool:
    """A seat that has not pressed and whose button counts."""
    button = arbiter.button(seat)
    return button.press is None and not button.excluded


def _found_up(arbiter: Arbiter, levels: Mapping[str, bool]) -> Step:
    """Buttons that have come up, whether or not their edges said so: a lost release must not swallow a press."""
    answers: list[Answer] = []
    for seat in arbiter.seats:
        button = arbiter.button(seat)
        if levels.get(seat) is False and (button.excluded or button.since is not None):
            arbiter = _with(arbiter, seat, button._replace(excluded="", down_since=None, found_down=None))
            answers += _freed(seat, button)
    return arbiter, answers


def _freed(seat: str, button: StrikeButton) -> list[Answer]:
    """Of who was only early nothing needs to be said."""
    return [Freed(seat)] if button.excluded and button.excluded != "early" else []


def _stuck(arbiter: Arbiter, at: int) -> Step:
    answers: list[Answer] = []
    for seat in arbiter.seats:
        button = arbiter.button(seat)
        since = button.since
        if since is not None and button.excluded != "stuck" and at - since >= arbiter.settings.stuck_after:
            arbiter = _with(arbiter, seat, button._replace(excluded="stuck"))
            answers.append(Stuck(seat, since))
    return arbiter, answers


def photo_finish(
    seats: tuple[str, ...], buttons: Mapping[str, StrikeButton], settings: Settings, excluded: Collection[str]
) -> Finish:
    """Every seat that pressed in order of its stamp, those without a time behind the others."""
    pressed = [(seat, button) for seat in seats if (button := buttons.get(seat)) and button.press is not None]
    timed = sorted((item for item in pressed if not item[1].untimed), key=lambda item: item[1].press or 0)
    untimed = [item for item in pressed if item[1].untimed]
    first = timed[0][1].press if timed else None
    order = [_arrival(seat, button, first) for seat, button in (*timed, *untimed)]
    there = {seat for seat, _ in pressed}
    held = [Arrival(seat, How.HELD, None, None) for seat in seats if seat in excluded and seat not in there]
    front = [
        arrival.seat
        for arrival in order
        if arrival.after is None or arrival.after <= settings.margin or arrival.how is How.UNTIMED
    ]
    return Finish((*order, *held), settings.margin, tuple(front) if len(front) > 1 else ())


def _arrival(seat: str, button: StrikeButton, first: int | None) -> Arrival:
    press = button.press
    assert press is not None
    bounces = tuple(sorted(edge - press for edge in button.edges))
    if button.untimed:
        return Arrival(seat, How.UNTIMED, None, None, bounces, button.released)
    return Arrival(seat, How.STAMPED, press, press - first if first is not None else None, bounces, button.released)
