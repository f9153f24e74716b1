"""Triplexity before a camera."""
