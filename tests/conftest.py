"""What tests of all rooms can ask for."""

from hypothesis import settings

from tests.doors import refused, run

__all__ = ["refused", "run"]

settings.register_profile("table", deadline=None)  # how long an example takes is the machine's business
settings.load_profile("table")
