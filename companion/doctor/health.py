"""How the table is: of each device whether it works, and if not, why and what to do. A missing one is a finding too.

Each device is looked at on a thread of its own: a camera that hangs keeps nobody from hearing of the others.
"""

import os
import shutil
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.__main__ import is_short
from companion.config.table_file import NONE, Configuration
from companion.core.background import in_thread
from companion.core.button_meanings import key_kinds
from companion.core.errors import CompanionError
from companion.core.game_print import usual_deck
from companion.core.sentence import N_, Sentence
from companion.doctor.button_walk import usual_wiring
from hardware import chips
from hardware.panel import keys_of
from hardware.pin_errors import PinsError, WiringError
from hardware.wiring import check_wiring
from vision.eye_errors import ModelError, SourceError

if TYPE_CHECKING:
    from companion.devices.camera import CameraSight, RoomCamera
    from companion.devices.device import Part
    from vision.frames import Source

DEVICES = ("screen", "journal", "buttons", "camera", "reader", "sound")
LOOKING, WORKS, AILING, MISSING = "looking", "works", "ailing", "missing"  # how a device can be
MEGABYTE = 1_000_000
LITTLE = 100 * MEGABYTE  # of a disk; a match is a tenth of a megabyte at most
USUAL = "camera"  # what is opened where no other was asked for
SOUND_DEVICES = Path("/dev/snd")
BLIND = N_("The camera works, but nothing can be read in its pictures.")
SMALLEST = 320  # pixels along the shorter side that can still be touched


@dataclass(frozen=True, slots=True)
class Finding:
    """What there is to say of a device: a sentence, and what to do where there is something to do. `detail` is what the
    device or its driver says itself, in its own words."""

    device: str
    state: str
    sentence: str = ""
    remedy: str = ""
    detail: str = ""


Check = Callable[[], Finding]


@dataclass(frozen=True)
class Around:
    """What the doctor is told of a table: the same things may be asked again later, and be otherwise."""

    size: Callable[[], tuple[int, int]]
    journal: Path | None = None
    notices: tuple[str, ...] = ()  # what was said of the journal when it was opened
    camera: "RoomCamera | None" = None  # the one that may be at work
    sound: Callable[[], tuple[int, tuple[str, ...]]] = lambda: (1, ())  # the volume, and what is wrong
    publishing: Callable[[], Finding] | None = None  # where rulings are published
    parts: "Callable[[], tuple[Part, ...]]" = tuple  # the devices that are supervised
    unkept: str = ""  # why there is no journal
    configuration: "Configuration | None" = None  # of this table, if not the usual one


def usual_checks(around: Around) -> dict[str, Check]:
    """How each device of this table is looked at."""
    checks: dict[str, Check] = {
        "screen": lambda: of_screen(around.size()),
        "journal": partial(of_journal, around.journal, around.notices, around.unkept),
        "buttons": lambda: _supervised(around, "buttons") or of_buttons(around.configuration),
        "camera": partial(of_camera, around.camera, around.configuration),
        "reader": of_reader,
        "sound": lambda: of_sound(*around.sound()),
    }
    if around.publishing:
        checks["publishing"] = around.publishing
    if ill := _supervised(around, "configuration"):
        checks["configuration"] = lambda: _supervised(around, "configuration") or ill
    return checks


def _supervised(around: Around, device: str) -> Finding | None:
    """What is wrong with a device that the table looks after itself; None if nothing is, or it does not."""
    found = next((part for part in around.parts() if part.device == device), None)
    return None if found is None or found.state == "working" else found.finding


def looked_at(device: str, check: Check) -> Finding:
    """What the check finds; whatever goes wrong in it is a finding too."""
    try:
        return check()
    except ImportError as error:
        if is_short(error):
            return Finding(device, AILING, "It cannot be checked.", detail=_reason(error))
        remedy = Sentence("The package {name} is not installed or does not load.", name=error.name or error)
        return Finding(device, MISSING, N_("A package that it needs is missing."), remedy)
    except CompanionError as error:
        return Finding(device, AILING, N_("It cannot be checked."), detail=error.sentence)
    except Exception as error:  # a driver may raise anything, and the doctor must not die of it
        return Finding(device, AILING, N_("It cannot be checked."), detail=_reason(error))


def _reason(error: Exception) -> str:
    return " ".join(f"{type(error).__name__}: {error}".split())[:200]


# --- the devices -----------------------------------------------------------------------------------------------


def of_screen(size: tuple[int, int]) -> Finding:
    width, height = size
    sentence = Sentence("{width} × {height} points.", width=width, height=height)
    if min(size) < SMALLEST:
        remedy = N_("A screen of 800 × 480 or more can be read and touched well.")
        return Finding("screen", AILING, sentence, remedy)
    pygame: Any = sys.modules.get("pygame")
    if pygame is not None and pygame.display.get_init() and pygame.display.get_driver() == "dummy":
        return Finding("screen", MISSING, N_("Nobody can see it: the pictures go nowhere."), sentence)
    return Finding("screen", WORKS, sentence)


def of_journal(path: Path | None, notices: tuple[str, ...] = (), unkept: str = "") -> Finding:
    """The disk, as far as it keeps matches."""
    if path is None:
        remedy = "" if unkept else N_("Name a file for it with --journal.")
        return Finding("journal", MISSING, N_("Matches are not kept: there is no journal."), remedy, unkept)
    try:
        free = shutil.disk_usage(path.parent).free
        size = path.stat().st_size
    except OSError as error:
        return Finding("journal", MISSING, N_("The journal is not there any more."), detail=_reason(error))
    megabytes, kept = free // MEGABYTE, -(-size // MEGABYTE)
    room = Sentence("The journal takes {kept} MB; {megabytes} MB of the disk are free.", kept=kept, megabytes=megabytes)
    if notices:
        return Finding("journal", AILING, notices[0], room)
    if not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        remedy = N_("Make the file and its folder writable.")
        return Finding("journal", AILING, N_("The journal cannot be written."), remedy)
    if free < LITTLE:
        return Finding("journal", AILING, room, N_("Make room on the disk."))
    return Finding("journal", WORKS, room)


def of_buttons(configuration: "Configuration | None" = None) -> Finding:
    try:
        path = usual_wiring(configuration)
    except WiringError:
        remedy = N_("Everything can be touched on the screen; docs/wiring.md tells how buttons are added.")
        return Finding("buttons", MISSING, N_("No buttons are wired to this table."), remedy)
    try:
        wiring, problems = check_wiring(path, key_kinds())
    except WiringError as error:
        return Finding("buttons", AILING, N_("The wiring file cannot be read."), detail=error.sentence)
    if problems:
        sentence = N_("There are mistakes in the wiring file.")
        return Finding("buttons", AILING, sentence, detail=f"{path}, {problems[0]}")
    count = len(keys_of(wiring))
    sentence = Sentence("Buttons that are wired: {count}.", count=count)
    if wiring.driver == "simulated":
        return Finding("buttons", WORKS, N_("The buttons are simulated: no pins are used."), sentence)
    try:
        chips.find(wiring.chip)
    except PinsError as error:
        return Finding("buttons", MISSING, N_("The pins of the buttons cannot be used."), detail=error.sentence)
    return Finding("buttons", WORKS, sentence, N_("To try each of them: companion doctor buttons"))


def of_camera(camera: "RoomCamera | None" = None, configuration: "Configuration | None" = None) -> Finding:
    """The table's own camera, if it is at work already; else the one that would be opened."""
    asked = configuration.camera if configuration else ""
    if camera is None and asked == NONE:
        return Finding("camera", WORKS, N_("This table does without a camera."))
    if camera is not None and camera.sight.state not in ("none", "off"):
        return _of_sight(camera.sight)
    from vision.sources import open_source  # noqa: PLC0415  (loads OpenCV)

    return through(camera.opener if camera is not None else partial(open_source, asked or USUAL))


def _of_sight(sight: "CameraSight") -> Finding:
    match sight.state:
        case "found":
            return Finding("camera", WORKS, N_("The camera is at work and sees the table."))
        case "gone":
            return Finding("camera", MISSING, N_("No camera can be opened."), detail=sight.why)
        case "opening":
            return Finding("camera", AILING, N_("The camera is being opened."))
        case "blind":
            return Finding("camera", AILING, BLIND, detail=sight.why)
    return Finding("camera", AILING, N_("The camera works, but sees no table."), detail=sight.why)


def through(opener: "Callable[[], Source]") -> Finding:
    """What is seen through a camera that is opened for this alone."""
    from vision import picture_doctor  # noqa: PLC0415  (loads OpenCV)
    from vision.reader import Reader  # noqa: PLC0415

    try:
        reader = Reader(deck=usual_deck())
    except ModelError:  # the reader has a line of its own
        reader = None
    try:
        with closing(opener()) as opened:
            watched = picture_doctor.watch(opened.frames(), opened.about, reader)
    except SourceError as error:
        return Finding("camera", MISSING, N_("No camera can be opened."), detail=error.sentence)
    found = list(picture_doctor.advice(watched))
    if watched.look.table is None:
        return Finding("camera", AILING, N_("The camera works, but sees no table."), detail=" ".join(found[:1]))
    readable = watched.look.readable
    sentence = Sentence("The camera sees the table, and {readable} of its 9 cells can be read.", readable=readable)
    remedy, detail = in_short(found)
    return Finding("camera", AILING if found else WORKS, sentence, remedy, detail)


def in_short(found: list[str]) -> tuple[str, str]:
    """What to do first, shortly; or what there is to say, where there is no short word for it."""
    for sentence in found:
        for sign, remedy in REMEDIES.items():
            if sign in sentence:
                return remedy, ""
    return "", " ".join(found[:1])


REMEDIES = {  # what a doctor of cameras says, and what to do, in a few words
    "bring the camera nearer": N_("Bring the camera nearer."),
    "is blurred": N_("Focus the camera on the table, and let nothing shake it."),
    "It is dark": N_("Switch a lamp on."),
    "is uneven": N_("Light the table from another side too."),
    "is burnt out": N_("Dim the light."),
    "There is glare": N_("Move the lamp, or tilt the camera a little."),
    "White looks": N_("Set the white balance of the camera, or take another lamp."),
    "flickers": N_("The light flickers: take another lamp."),
    "frames a second are few": N_("Give more light, so that the pictures come quicker."),
}


def of_reader() -> Finding:
    from vision.picture_doctor import examine_reader  # noqa: PLC0415  (loads OpenCV)

    found = examine_reader(deck=usual_deck())
    if not found.runtime:
        sentence = N_("There is nothing that reads cards.")
        return Finding("reader", MISSING, sentence, detail=" ".join(found.advice[:1]))
    if not found.is_well:
        sentence = N_("The cards are not read as they should be.")
        return Finding("reader", AILING, sentence, detail=" ".join(found.advice[:1]))
    right, tried = sum(trial.right for trial in found.trials), 9 * len(found.trials)
    sentence = Sentence("It reads {right} of {tried} cards in its own pictures.", right=right, tried=tried)
    return Finding("reader", WORKS, sentence)


def of_sound(volume: int, troubles: tuple[str, ...]) -> Finding:
    """Whether anything could be heard; what plays it knows best, and nothing is played."""
    if not volume:
        return Finding("sound", WORKS, N_("The sound is off in the settings."))
    remedy = N_("Plug a loudspeaker in; everything is on the screen too.")
    if troubles:
        return Finding("sound", MISSING, troubles[0], remedy)
    if sys.platform == "linux" and not SOUND_DEVICES.exists() and "SDL_AUDIODRIVER" not in os.environ:
        return Finding("sound", MISSING, N_("There is no device for the sound."), remedy)
    return Finding("sound", WORKS, N_("There is a device for the sound."))


# --- looking at all of them ------------------------------------------------------------------------------------


class Rounds:
    """The doctor's rounds: what was found, device by device, while everything else goes on."""

    def __init__(
        self,
        checks: Mapping[str, Check],
        wake: Callable[[], None] = lambda: None,
    ) -> None:
        self._checks = checks
        self._wake = wake
        self._run = in_thread("doctor")
        self._lock = threading.Lock()
        self._found = {device: Finding(device, "") for device in checks}

    @property
    def findings(self) -> tuple[Finding, ...]:
        with self._lock:
            return tuple(self._found.values())

    @property
    def is_looking(self) -> bool:
        return any(finding.state == LOOKING for finding in self.findings)

    def look(self) -> None:
        """Begin to look at every device; one that is still being looked at is left alone."""
        for device, check in self._checks.items():
            with self._lock:
                if self._found[device].state == LOOKING:
                    continue
                self._found[device] = Finding(device, LOOKING)
            self._run(partial(self._look_at, device, check))

    def _look_at(self, device: str, check: Check) -> None:
        finding = looked_at(device, check)
        with self._lock:
            self._found[device] = finding
        self._wake()
