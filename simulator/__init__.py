"""The table without hardware: bots, a drawn table beside the display, a drawn table before a drawn camera."""
