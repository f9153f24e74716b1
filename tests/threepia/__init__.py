"""Threepia before a camera."""
