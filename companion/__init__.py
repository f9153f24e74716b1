"""The table companion: an electronic referee for cardboard games."""

__version__ = "0.1.0"
