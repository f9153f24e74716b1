"""A second renderer, made for testing only and of another kind than the training pictures: rays, lamps and a sensor."""

from tests.vision.second.layouts import Wish
from tests.vision.second.scene import EDITIONS, Shot, scene, shot

__all__ = ["EDITIONS", "Shot", "Wish", "scene", "shot"]
