"""What a square looks like, in numbers: one network for every deck that is taught.

It knows no deck. Two squares of one card have numbers that are near each other in whatever light they were seen, as
far as drawn cards could teach that: along each number the squares of one card scatter by about one.
"""

import io
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from companion.core import plainfile
from vision.cells import whitened
from vision.eye_errors import ModelError
from vision.runtime import FOLDER, LARGEST_CARD, Model, bytes_of, loaded_apart, quicker
from vision.squares import SIDE, Squares

CARD, SPREAD = "features.json", "features-spread.npz"
FORMAT = 1  # of the card
RAW = 1008  # numbers that the network answers for a square, and features that are made of them
NEAR = 128  # the first of them, along which the cards of a deck differ most

Features = NDArray[np.float32]  # … × RAW, or × NEAR


@dataclass(frozen=True, slots=True, eq=False)
class FeatureSpread:
    """How the network's numbers become features."""

    middle: NDArray[np.float32]
    directions: NDArray[np.float32]  # RAW × features
    strength: NDArray[np.float32]  # the variance of each feature between the cards of a deck; within a card it is one
    anywhere: NDArray[np.float32]  # NEAR × NEAR: the inverse of how features scatter over the cards of any deck

    def of(self, raw: NDArray[np.float32]) -> Features:
        return (raw - self.middle) @ self.directions

    def strangeness(self, features: Features) -> NDArray[np.float32]:
        """How far each square is from what cards of any deck look like in the mean."""
        near = features[..., :NEAR]
        return np.sqrt(np.maximum(((near @ self.anywhere) * near).sum(-1), 0))


class FeatureNetwork:
    """The quickest of the files where this runs, or the `only` one that is asked for."""

    def __init__(self, folder: Path = FOLDER, *, only: str = "") -> None:
        files = _files(folder)
        names = [name for name in files if name != SPREAD and only in name]
        if not names or SPREAD not in files:
            raise ModelError(f"{folder / CARD} names no model {only!r}: take the one from the project.")
        self.spread = _spread(bytes_of(folder, SPREAD, files[SPREAD], CARD), folder / SPREAD)
        self.model: Model = quicker(
            [loaded_apart(bytes_of(folder, name, files[name], CARD), name, RAW) for name in names]
        )
        self.width = RAW
        self.name = files[SPREAD][:12]  # what was taught with another spread is of no use with this one

    def of(self, squares: Squares) -> Features:
        """The first features of squares as the camera saw them."""
        return self.all_of(squares)[..., :NEAR]

    def all_of(self, squares: Squares) -> Features:
        return self.spread.of(self.model.run(whitened(squares)))


def _files(folder: Path) -> dict[str, str]:
    """What the card names, each with its sha256."""
    path = folder / CARD
    try:
        told = json.loads(plainfile.text(path, LARGEST_CARD))
        version = (told["format"], told["side"])
        files = {str(name): str(about["sha256"]) for name, about in told["files"].items()}
    except OSError as error:
        raise ModelError(f"{path} cannot be read ({error.strerror}): take it from the project.") from None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise ModelError(f"{path} is not the card of a features network: take the one from the project.") from None
    if version != (FORMAT, SIDE):
        raise ModelError(f"{path} is for another version of the companion: take the one it came with.")
    if not all(name.isprintable() and name == Path(name).name for name in files):
        raise ModelError(f"{path} names a file that lies elsewhere: take the one from the project.")
    return files


def _spread(content: bytes, path: Path) -> FeatureSpread:
    with np.load(io.BytesIO(content), allow_pickle=False) as held:
        names = ("middle", "directions", "strength", "anywhere")
        if not {*names} <= {*held.files}:
            raise ModelError(f"{path} is for another version of the companion: take the one from the project.")
        spread = FeatureSpread(*(held[name].astype(np.float32) for name in names))
    shapes = tuple(part.shape for part in (spread.middle, spread.directions, spread.strength, spread.anywhere))
    if shapes != ((RAW,), (RAW, RAW), (RAW,), (NEAR, NEAR)):
        raise ModelError(f"{path} is for another network: take the one from the project.")
    return spread
