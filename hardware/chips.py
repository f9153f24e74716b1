"""Finding the GPIO chip that the header of this machine hangs on, and saying plainly what is in the way."""

import contextlib
import errno
import socket
from pathlib import Path
from types import ModuleType

from hardware.pin_errors import ChipGoneError, LineTakenError, NoChipError, NoLineError, NoPermissionError, PinsError

# The kernel's own names of the chips behind the 40-pin header, by generation of Pi. A number is no help: it has
# been 0 and 4 on the same Pi 5, by kernel.
HEADERS = {
    "pinctrl-rp1": "Pi 5",
    "pinctrl-bcm2711": "Pi 4",
    "pinctrl-bcm2835": "Pi 1 to 3 and Zero",
}
DEVICES = Path("/dev")
_KOBJECT_UEVENT = 15  # NETLINK_KOBJECT_UEVENT
_FROM_THE_KERNEL = 1


def bindings() -> ModuleType:
    """libgpiod's Python bindings, imported when pins are wanted and not before."""
    try:
        import gpiod  # noqa: PLC0415
    except ImportError:
        raise PinsError(
            "The package gpiod is not installed: `pip install gpiod`, or choose another pin factory."
        ) from None
    return gpiod


def find(wanted: str = "") -> Path:
    """The chip of that path, name or label; without one, the chip of a Pi's header."""
    gpiod = bindings()
    known: dict[str, Path] = {}
    refused = ""
    for path in sorted(DEVICES.glob("gpiochip*"), key=lambda path: (len(path.name), path.name)):
        try:
            if not gpiod.is_gpiochip_device(str(path)):
                continue
            with gpiod.Chip(str(path)) as chip:
                label = chip.get_info().label
        except PermissionError:
            refused = refused or path.name
            label = ""
        except OSError:
            continue  # gone while we looked
        if wanted and wanted in (str(path), path.name, label):
            return path
        known.setdefault(label, path)
    return _chosen(wanted, known, refused)


def _chosen(wanted: str, known: dict[str, Path], refused: str) -> Path:
    if not wanted:
        for label in HEADERS:
            if label in known:
                return known[label]
    if refused:
        raise NoPermissionError(
            f"This user may not open /dev/{refused}: add the user to the group gpio "
            "(`sudo adduser $USER gpio`) and log in again."
        )
    there = ", ".join(f"{path.name} ({label})" for label, path in known.items()) or "none at all"
    if wanted:
        raise NoChipError(f"There is no GPIO chip {wanted}; there is {there}.")
    raise NoChipError(
        f"There is no GPIO chip of a Raspberry Pi's header here; there is {there}. Name one with "
        'chip = "…" if it is wired to your buttons.'
    )


def uevents() -> socket.socket | None:
    """The kernel's own news of devices; None where this process may not hear them."""
    try:
        news = socket.socket(socket.AF_NETLINK, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK, _KOBJECT_UEVENT)
    except (AttributeError, OSError):
        return None
    try:
        news.bind((0, _FROM_THE_KERNEL))
    except OSError:
        news.close()
        return None
    return news


def drain(news: socket.socket) -> None:
    """Whatever it was: whoever heard it looks at the chip."""
    with contextlib.suppress(OSError):
        while news.recv(8192):
            pass


def explained(error: OSError, chip: Path, line: int | None = None) -> PinsError:
    """What an error of the kernel means for the person who wired the table."""
    where = f"line {line} of {chip.name}" if line is not None else chip.name
    match error.errno:
        case errno.EBUSY:
            return LineTakenError(
                f"{where[:1].upper()}{where[1:]} is held by another program or by the kernel: close "
                "it, or use another pin."
            )
        case errno.EINVAL | errno.ERANGE:
            return NoLineError(f"There is no {where} that can be used so.")
        case errno.EACCES | errno.EPERM:
            return NoPermissionError(f"This user may not use {where}: add the user to the group gpio and log in again.")
        case errno.ENODEV | errno.ENXIO | errno.ENOENT | errno.EBADF | errno.EIO:
            return ChipGoneError(f"{where[:1].upper()}{where[1:]} is gone.")
        case _:
            return PinsError(f"{where[:1].upper()}{where[1:]}: {error.strerror or error}.")
