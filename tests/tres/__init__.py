"""Tres before a camera."""
