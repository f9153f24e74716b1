"""The arm64 rig: the reader on a Pi's processors, emulated, compared with the same on this machine."""
