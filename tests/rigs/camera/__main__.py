"""`make rig-camera`: make what is missing, drive the real picamera2 with our source inside, end by the result.

python3 -m tests.rigs.camera            everything
python3 -m tests.rigs.camera --fresh    forget the root that was made before
"""

import shutil
import subprocess
import sys
import time

from tests.rigs.camera.build import BUILT, PATH, PYTHON, THERE, entered, root
from tests.rigs.camera.virtual import SETTINGS
from tests.rigs.gpio.workshop import RigError, alone, say

SECONDS = 300


def main(words: list[str]) -> int:
    if "--fresh" in words:
        shutil.rmtree(BUILT, ignore_errors=True)
    start = time.monotonic()
    settings = {**PATH, **SETTINGS, "PYTHONPATH": THERE, "PYTHONDONTWRITEBYTECODE": "1"}
    inside = entered(root(), [PYTHON, "-W", "error", "-m", "tests.rigs.camera.inside"], settings)
    try:
        code = subprocess.run(inside, check=False, timeout=SECONDS, stdin=subprocess.DEVNULL).returncode
    except subprocess.TimeoutExpired:
        raise RigError(f"it was not done after {SECONDS} s.") from None
    say(f"rig-camera: {'good' if not code else 'BAD'}, {time.monotonic() - start:.0f} s in all")
    return 1 if code else 0


if __name__ == "__main__":
    try:
        with alone(BUILT):
            sys.exit(main(sys.argv[1:]))
    except RigError as error:
        sys.exit(f"rig-camera: {error}")
