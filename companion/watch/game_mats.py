"""Which mats a game is played on."""

from companion.core.game_print import mats_of
from vision.mat import MATS, NINE, Mat


def mats_for(game: str) -> tuple[Mat, ...]:
    """Those with nine places where a game has none of its own, or there is no game."""
    return tuple(mat for mat in MATS if mat.name in mats_of(game)) or NINE
