"""`companion plan`: where a camera has to stand over a mat, in words and as a drawing."""

import argparse
import re
from pathlib import Path

from companion.commands.console import say
from companion.core.errors import CompanionError
from companion.core.packages import packages
from vision.mat import MATS
from vision.optics import CAMERAS, Optics, webcam
from vision.stand_plan import CELL, MARKER, StandPlan, plan

NAME = "plan"
HELP = "say how high a camera has to be over a mat, and draw it (docs/build/camera.md)"
WEBCAMS = (20, 150)  # degrees


def arguments(parser: argparse.ArgumentParser) -> None:
    names = tuple(mat.name for mat in MATS)
    parser.add_argument("--mat", choices=names, default=names[0], help=f"which mat (default {names[0]})")
    cameras = ", ".join(optics.name for optics in CAMERAS)
    about = f"{cameras}, or webcam:70 with the degrees from side to side (default {CAMERAS[0].name})"
    parser.add_argument("--camera", type=_camera, default=CAMERAS[0], metavar="LENS", help=about)
    parser.add_argument("--to", type=Path, metavar="FILE.png|FILE.pdf", help="draw it into this file")


def _camera(text: str) -> Optics:
    if known := next((optics for optics in CAMERAS if optics.name == text), None):
        return known
    if (found := re.fullmatch(r"webcam:(\d{1,3})", text)) and WEBCAMS[0] <= int(found[1]) <= WEBCAMS[1]:
        return webcam(float(found[1]))
    cameras = ", ".join(optics.name for optics in CAMERAS)
    raise argparse.ArgumentTypeError(f"{text[:40]!r} is none of {cameras}, and not webcam:20 to webcam:150")


def run(options: argparse.Namespace) -> int:
    mat = next(mat for mat in MATS if mat.name == options.mat)
    found = plan(mat, options.camera)
    for sentence in _told(found):
        say(sentence)
    if options.to:
        _draw(found, options.to)
        say(f"Drawn: {options.to}")
    return 0 if found.fits else 1


def _told(found: StandPlan) -> list[str]:
    mat, optics = found.mat, found.optics
    title = f"{optics.title} over the mat {mat.name} ({mat.size[0]:g} by {mat.size[1]:g} mm):"
    least, most = f"{found.least / 10:.0f}", f"{found.most / 10:.0f}"
    if not found.fits:
        why = (
            f"  From {least} cm the whole mat is in its picture, but markers want {MARKER:.0f} pixels and cards "
            f"{CELL:.0f}, which it shows up to {most} cm only. Take another lens."
        )
        return [title, why]
    said = [
        title,
        f"  height   {found.height / 10:.0f} cm from the lens to the table; {least} to {most} cm can be",
        f"  aside    up to {found.aside / 10:.0f} cm of straight above, as far away as that, aimed at the mat's middle",
        f"  shows    a card with {found.card[0]:.0f} by {found.card[1]:.0f} pixels, a marker with {found.marker:.0f}",
    ]
    if found.sharp:
        near, far = found.sharp
        to = "as far as you like" if far == float("inf") else f"{far / 10:.0f} cm"
        position = f", lens position {found.dioptres:.1f}" if optics.moves else ", set at the lens by hand"
        said.append(f"  focus    {found.height / 10:.0f} cm{position}; sharp from {near / 10:.0f} cm to {to}")
    return [*said, "Computed from data sheets, not tried: `companion doctor camera` says what the camera really shows."]


def _draw(found: StandPlan, to: Path) -> None:
    if to.suffix.lower() not in (".png", ".pdf"):
        raise CompanionError(f"{to} must end in .png or .pdf.")
    with packages():
        from vision.stand_files import stand_file  # noqa: PLC0415  (loads NumPy and OpenCV)

    try:
        to.write_bytes(stand_file(found, to.suffix.lower()))
    except OSError as error:
        raise CompanionError(f"{to} cannot be written: {error.strerror}.") from None
