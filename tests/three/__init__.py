"""Three! before a camera."""
