"""What tests of all rooms can ask for."""

from tests.doors import refused, run

__all__ = ["refused", "run"]
