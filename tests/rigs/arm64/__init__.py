"""The arm64 rig: the reader on a Pi's processors, emulated, compared with the same on this machine."""

PYTHON_AGAIN = "/python"  # in an emulated machine: what starts Python once more from within
