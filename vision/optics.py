"""What lenses and sensors of cameras show, by their makers' data sheets; nothing here was measured."""

import math
from dataclasses import dataclass

PICTURE = (1280, 720)  # that the table is watched with


@dataclass(frozen=True, slots=True)
class Optics:
    """A camera with its lens. Of a webcam only its angle is known."""

    name: str
    title: str
    view: float  # degrees from side to side
    focal: float = 0.0  # millimetres
    aperture: float = 0.0  # f-number
    sensor: float = 0.0  # millimetres, its width
    nearest: float = 0.0  # millimetres that it can focus on; 0: not known
    moves: bool = False  # the program sets its focus

    @property
    def pixels(self) -> float:
        """The focal length in pixels of the picture."""
        return PICTURE[0] / 2 / math.tan(math.radians(self.view / 2))

    def sharp(self, away: float) -> tuple[float, float] | None:
        """From where to where it is sharp, focused so far away: what is blurred by no more than a pixel. In
        millimetres; none where the lens is not known."""
        if not self.aperture:
            return None
        hyperfocal = self.focal**2 / (self.aperture * self.sensor / PICTURE[0]) + self.focal
        reach = away * (hyperfocal - self.focal)
        near = reach / (hyperfocal + away - 2 * self.focal)
        return near, reach / (hyperfocal - away) if away < hyperfocal else math.inf


def of_lens(name: str, title: str, focal: float, aperture: float, nearest: float) -> Optics:
    """The High Quality Camera with one of its lenses."""
    width = 6.287
    view = 2 * math.degrees(math.atan(width / 2 / focal))
    return Optics(name, title, view, focal, aperture, width, nearest)


CAMERAS = (
    Optics("module3", "Camera Module 3", 66.0, 4.74, 1.8, 6.45, 100.0, moves=True),
    Optics("module3-wide", "Camera Module 3 Wide", 102.0, 2.75, 2.2, 6.45, 50.0, moves=True),
    Optics("module2", "Camera Module 2", 62.2, 3.04, 2.0, 3.68),
    Optics("module1", "Camera Module 1", 53.5, 3.6, 2.9, 3.76),
    of_lens("hq-6mm", "High Quality Camera, 6 mm lens", 6.0, 1.2, 200.0),
    of_lens("hq-16mm", "High Quality Camera, 16 mm lens", 16.0, 1.4, 200.0),
)
OF_SENSOR = {  # as libcamera calls them
    "imx708": "module3",
    "imx708_noir": "module3",
    "imx708_wide": "module3-wide",
    "imx708_wide_noir": "module3-wide",
    "imx219": "module2",
    "ov5647": "module1",
}


def webcam(view: float) -> Optics:
    return Optics("webcam", f"A webcam of {view:g} degrees", view)


def of_camera(name: str) -> Optics | None:
    """By the name of its sensor; none where nobody knows what lens is before it."""
    return next((one for one in CAMERAS if one.name == OF_SENSOR.get(name)), None)
