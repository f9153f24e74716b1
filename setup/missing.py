"""Which packages pip is to add to those of the system: one requirement a line, for the Python that runs this.

pygame is never one of them: pip's cannot draw on the console of a Pi.
"""

import importlib
import os
import re
import sys
import warnings

NEW = sys.version_info >= (3, 12)
HAS_LITERT = not NEW or sys.maxsize > 2**32  # none is made for Trixie's Python with 32 bits; cards cannot be read there
# What is imported, the least version that will do, and what pip is asked for.
WANTED = (
    ("numpy", "2" if NEW else "1.24", "numpy>=2" if NEW else "numpy>=1.26,<2"),
    ("cv2", "4.7", "opencv-python-headless"),
    ("gpiozero", "2.0.1", "gpiozero>=2.0.1.post1"),
    ("gpiod", "2.2", "gpiod>=2.2"),
    ("reportlab", "3.6", "reportlab>=4"),
    ("paho.mqtt", "2.0", "paho-mqtt"),
    ("ai_edge_litert" if NEW else "tflite_runtime", "0", "ai-edge-litert>=2.0" if NEW else "tflite-runtime==2.14.0"),
)


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", version.partition("+")[0])))


def version_of(module: str) -> str:
    """Of what is imported under that name; nothing if it is not there or does not load."""
    try:
        found = importlib.import_module(module)
    except Exception:
        return ""
    said = getattr(found, "__version__", None) or getattr(found, "Version", None)
    if isinstance(said, str):
        return said
    from importlib.metadata import PackageNotFoundError, version  # noqa: PLC0415

    try:
        return version(module.partition(".")[0].replace("_", "-"))
    except PackageNotFoundError:
        return "0"


def main() -> None:
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"  # its greeting is no requirement
    warnings.simplefilter("ignore")
    for module, least, requirement in WANTED if HAS_LITERT else WANTED[:-1]:
        found = version_of(module)
        if not found or numbers(found) < numbers(least):
            sys.stdout.write(f"{requirement}\n")


if __name__ == "__main__":
    main()
