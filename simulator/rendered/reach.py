"""How an arm moves: in over the edge of the picture, to the cell, through its deed, and out again."""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from simulator.rendered.limbs import Grip
from simulator.rendered.outcomes import SLIDE, OutcomeCourse, Piece, Push
from simulator.rendered.pinhole import Array, Rng
from simulator.rendered.script import Deed, ScriptedArm, Seat
from simulator.rendered.still_life import StillView, card_corners, height_of

OUT: dict[Seat, tuple[float, float]] = {"top": (0, -1), "right": (1, 0), "bottom": (0, 1), "left": (-1, 0)}
BEHIND = 330.0  # millimetres from the mat's edge to where an arm comes from
GRIPPED: dict[Grip, float] = {"over": 12.0, "under": -12.0}  # from the finger tips to the middle of the card
LAYS: tuple[Deed, ...] = ("lay", "put")
LIFTS: tuple[Deed, ...] = ("take", "lift")
HIGH = 75.0  # of the finger tips on their way
STEP = 12.0  # by which is tried how far an arm must go to be out of the picture
FARTHEST = 1400.0
SWAYS = 1.5  # mm, to each side, of a hand that rests in the air
CALM = 120_000_000  # nanoseconds around a deed
LOOSE = 250_000_000  # in which what is moved leaves the table, or comes to it
OVER = 30.0  # mm that what is moved is carried over the table
FRONT = np.array([[u, v, z] for u in (-20.0, 46.0) for v in (-48.0, 48.0) for z in (0.0, HIGH + 25)])


@dataclass(frozen=True, slots=True, eq=False)
class Pose:
    """An arm at a moment, on the mat: where its finger tips are, and which way the hand and the forearm point."""

    tip: Array  # x, y, height
    ahead: Array
    bend: float  # of the wrist, radians
    card: Array | None  # 4 × 3: the corners of what it carries
    pushed: tuple[tuple[str, Array], ...]  # cards that it pushes over the table, the lowest first


@dataclass(frozen=True, slots=True, eq=False)
class KeyFrame:
    at: int
    place: Array  # x, y, height of the finger tips


@dataclass(frozen=True, slots=True, eq=False)
class Visit:
    """One visit of an arm, worked out."""

    arm: ScriptedArm
    number: int
    keys: tuple[KeyFrame, ...]
    ahead: Array
    grip: Grip
    is_left: bool
    sway: float  # how far it bows aside on its way, mm
    askew: float  # how a card is turned in the hand, degrees
    lift: float  # over other hands
    bend: float
    tremor: float  # mm
    card: str = ""
    middle: Array | None = None  # x, y, height of the carried card where it lies, or would
    turn: float = 0.0
    pushes: tuple[Push, ...] = ()
    was: str = ""  # the face that what it moves showed before

    def is_there(self, at: int) -> bool:
        return self.arm.enters <= at < self.arm.gone

    def carries(self, at: int) -> bool:
        match self.arm.what:
            case what if what in LAYS:
                return at < self.arm.deed
            case what if what in LIFTS:
                return at >= self.arm.deed
            case "move":
                return self.arm.lifts <= at < self.arm.deed
            case _:
                return self.arm.what == "hover"

    def face(self, at: int) -> str:
        """Of what it carries: what is moved may be turned over on its way."""
        is_early = self.arm.what == "move" and 2 * at < self.arm.lifts + self.arm.deed
        return self.was if is_early else self.card

    def tip(self, at: float) -> Array:
        """Where the finger tips are, x, y and height."""
        for first, second in pairwise(self.keys):
            if at < second.at:
                share = _eased((at - first.at) / max(1, second.at - first.at))
                place = first.place + (second.place - first.place) * share
                far = np.hypot(*(second.place - first.place)[:2])
                bow = math.sin(math.pi * share) * min(1.0, far / 200)
                aside = np.array([-self.ahead[1], self.ahead[0], 0.0]) * self.sway
                return np.asarray(place + bow * (aside + (0, 0, self.lift)))
        return self.keys[-1].place

    def trembling(self, at: int) -> Array:
        """No hand is ever still, but for the moment in which it lays something down; held in the air it sways too."""
        hovers = self.arm.what == "hover"
        strong = self.tremor if hovers else min(1.0, abs(at - self.arm.deed) / CALM) * self.tremor
        a = at / 1e9 * 2 * math.pi
        swift = np.array([math.sin(3.1 * a + self.sway), math.sin(4.3 * a + self.askew), 0.5 * math.sin(2.3 * a)])
        slow = np.array([math.sin(0.7 * a + self.askew), math.sin(0.9 * a + self.sway), math.sin(0.5 * a)])
        return np.asarray(strong * swift + (SWAYS * slow if hovers else 0))

    def pose(self, at: int, size: tuple[float, float], view: StillView) -> Pose:
        tip = self.tip(at) + self.trembling(at)
        card = self._card(at, tip, size) if self.card and self.middle is not None and self.carries(at) else None
        pushed = tuple(_pushed(push, at, size, view) for push in self.pushes if push.start <= at < push.end)
        return Pose(tip, self.ahead, self.bend, card, pushed)

    def _card(self, at: int, tip: Array, size: tuple[float, float]) -> Array:
        assert self.middle is not None
        off = self._off(at)
        middle = np.array([*(tip[:2] + self.ahead * GRIPPED[self.grip]), tip[2] - self._resting()[2] + self.middle[2]])
        corners = card_corners(middle[:2], size, self.turn + self.askew * off)
        dip = (corners - middle[:2]) @ self.ahead * (-0.16 * off)
        return np.c_[corners, np.maximum(middle[2] + dip, 0.3)]

    def _resting(self) -> Array:
        """The finger tips when the card lies."""
        assert self.middle is not None
        return np.array([*(self.middle[:2] - self.ahead * GRIPPED[self.grip]), self.middle[2]])

    def _off(self, at: int) -> float:
        """How much the card is still held, and not lying."""
        arm = self.arm
        if arm.what == "hover":
            return 1.0
        if arm.what == "move":
            return _eased(min(at - arm.lifts, arm.deed - at) / LOOSE)
        if arm.what in LAYS:
            return 1 - _eased((at - arm.enters) / max(1, arm.deed - arm.enters))
        return _eased((at - arm.deed) / max(1, arm.gone - arm.deed) * 2)


def _eased(share: float) -> float:
    share = min(1.0, max(0.0, share))
    return share * share * share * (10 - share * (15 - 6 * share))


def _pushed(push: Push, at: int, size: tuple[float, float], view: StillView) -> tuple[str, Array]:
    share = _eased((at - push.start) / max(1, push.end - push.start))
    ends = []
    for piece in (push.before, push.after):
        middle = np.array(view.places[piece.cell - 1]) + piece.lying.slip
        ends.append(np.array([*middle, height_of(piece.level), piece.lying.turn]))
    x, y, high, turn = ends[0] + (ends[1] - ends[0]) * share
    return push.before.lying.card, np.c_[card_corners(np.array([x, y]), size, turn), np.full(4, high)]


# --- Working out a visit


def visit(number: int, arm: ScriptedArm, course: OutcomeCourse, view: StillView, rng: Rng) -> Visit:
    """Where the arm comes from, how it holds, and its way."""
    piece = course.carried[number]
    place = np.array(view.places[(arm.onto if arm.what == "move" and piece else arm.cell) - 1])
    pushes = tuple(push for push in course.pushes if push.end == arm.deed and push.before.cell == arm.cell)
    middle = place + (piece.lying.slip if piece else (0.0, 0.0))
    high = height_of(piece.level) if piece else height_of(pushes[-1].before.level) if pushes else 1.0
    ahead = middle - _shoulder(arm.seat, middle, view, rng)
    ahead /= np.linalg.norm(ahead)
    grip = _grip(arm, rng)
    back = GRIPPED[grip] if piece and grip in GRIPPED else 4.0
    resting = np.array([*(middle - ahead * back), high])
    lifted = course.lifted[number]
    start = np.array([*_middle_of(lifted, view), height_of(lifted.level)]) if lifted else None
    picks = None if start is None else start - (*(ahead * back), 0.0)
    return Visit(
        arm,
        number,
        _keys(arm, resting, ahead, view, pushes, picks),
        ahead,
        grip=grip,
        is_left=bool(rng.random() < 0.25),
        sway=float(rng.normal(0, 14)),
        askew=float(rng.normal(0, 13)),
        lift=float(rng.uniform(0, 24)),
        bend=float(rng.normal(0, 0.1)),
        tremor=float(rng.uniform(0.1, 0.8)),
        card=piece.lying.card if piece else "",
        middle=np.array([*middle, high]) if piece else None,
        turn=piece.lying.turn if piece else 0.0,
        pushes=pushes,
        was=lifted.lying.card if lifted else "",
    )


def _middle_of(piece: Piece, view: StillView) -> Array:
    return np.asarray(np.array(view.places[piece.cell - 1]) + piece.lying.slip)


def _grip(arm: ScriptedArm, rng: Rng) -> Grip:
    if arm.what in ("square", "knock"):
        return "flat"
    return "under" if arm.what == "hover" and rng.random() < 0.7 else "over"


def _shoulder(seat: Seat, middle: Array, view: StillView, rng: Rng) -> Array:
    size, out = np.array(view.mat.size), np.array(OUT[seat])
    along = np.abs(out[::-1])
    start = size / 2 + out * (size / 2 + BEHIND)
    return np.asarray(start + along * (0.45 * (middle - size / 2) + rng.normal(0, 45)))


def _keys(
    arm: ScriptedArm, resting: Array, ahead: Array, view: StillView, pushes: tuple[Push, ...], picks: Array | None
) -> tuple[KeyFrame, ...]:
    outside = _outside(resting, ahead, view)
    up = {"hover": 26.0}.get(arm.what, 0.0)
    step = np.array([*ahead, 0.0])
    over = resting + (0, 0, 22 + up) - step * 4
    done = resting + (0, 0, up)
    keys = [KeyFrame(arm.enters, outside), KeyFrame(arm.there, over)]
    if picks is not None:
        raised = (0, 0, OVER)
        first, second = (arm.lifts + (arm.deed - arm.lifts) * share // 4 for share in (1, 3))
        keys[1] = KeyFrame(arm.there, picks + (0, 0, 22) - step * 4)
        keys += [KeyFrame(arm.lifts, picks), KeyFrame(first, picks + (resting - picks) * 0.12 + raised)]
        keys += [KeyFrame(second, resting + (picks - resting) * 0.12 + raised), KeyFrame(arm.deed, done)]
        last = done + step * 9
    elif arm.what == "knock" and pushes:
        way = np.array([*_moved(pushes[-1], view), 0.0])
        keys += [KeyFrame(max(arm.there + 1, arm.deed - SLIDE), done), KeyFrame(arm.deed, done + way)]
        last = done + way
    elif arm.what == "hover":
        keys.append(KeyFrame(arm.deed, done + step * 5))
        last = done
    else:
        keys.append(KeyFrame(arm.deed, done))
        for cell, at in arm.gathers[1:] if arm.what == "take" else ():
            way = np.array(view.places[cell - 1]) - np.array(view.places[arm.cell - 1])
            done = resting + np.array([*way, 0.0])
            keys.append(KeyFrame(at, done))
        last = done + step * (9 if arm.what in LAYS else 0) + (0, 0, 18 if arm.what in LIFTS else 1)
    keys += [KeyFrame(max(arm.leaves, arm.deed + 1), last), KeyFrame(arm.gone, outside)]
    return tuple(keys)


def _moved(push: Push, view: StillView) -> Array:
    places = view.places
    start = np.array(places[push.before.cell - 1]) + push.before.lying.slip
    return np.asarray(np.array(places[push.after.cell - 1]) + push.after.lying.slip - start)


def _outside(resting: Array, ahead: Array, view: StillView) -> Array:
    """Where the hand is out of the picture, straight back from where it works."""
    width, height = view.camera.size
    aside = np.array([-ahead[1], ahead[0]])
    for back in np.arange(0.0, FARTHEST, STEP):
        place = np.array([*(resting[:2] - ahead * back), HIGH])
        front = place + np.c_[FRONT[:, :1] * ahead + FRONT[:, 1:2] * aside, FRONT[:, 2] - HIGH]
        seen = view.seen(front)
        low, high = seen.min(0), seen.max(0)
        if high[0] < 0 or high[1] < 0 or low[0] >= width or low[1] >= height:
            return place
    return place
