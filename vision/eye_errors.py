"""What can be wrong with pictures, cameras and models, each in one sentence for whoever set the table."""

from companion.core.errors import CompanionError


class SightError(CompanionError):
    """Something about seeing; the table goes on by touch."""


class PictureError(SightError, ValueError):
    """A picture that cannot be read, or cannot be used."""


class NoTableError(SightError):
    """No table was found in a picture, or more than one."""


class OtherMatError(NoTableError):
    """A mat lies there that is not one of those that are wanted."""

    def __init__(self, sentence: str, mat: str) -> None:
        super().__init__(sentence)
        self.mat = mat


class ModelError(SightError, ValueError):
    """A model file that is damaged, or not for this deck, or not for this companion."""


class DeckError(SightError, ValueError):
    """A deck file that is damaged or of another kind, or teaching that cannot go on."""


class SourceError(SightError, OSError):
    """Frames that do not come: no camera, a busy one, a clip that ends early."""


class PrintError(SightError, ValueError):
    """Something that cannot be printed as asked."""
