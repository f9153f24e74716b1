"""`make rig-camera`: make what is missing, drive the real picamera2 with our source inside, end by the result.

python3 -m tests.rigs.camera            everything
python3 -m tests.rigs.camera --fresh    forget the root that was made before
"""

import shutil
import sys
import time

from tests.rigs.camera.build import BUILT, PYTHON, ROOT, build
from tests.rigs.camera.virtual import SETTINGS
from tests.rigs.debian import THERE, Manner, entered
from tests.rigs.running import conclude, followed, say

SILENCE = 300  # seconds without a row, after which no other will come


def main(words: list[str]) -> int:
    if "--fresh" in words:
        shutil.rmtree(BUILT, ignore_errors=True)
    start = time.monotonic()
    build()
    manner = Manner(settings={**SETTINGS, "PYTHONPATH": THERE, "PYTHONDONTWRITEBYTECODE": "1"})
    code = followed(entered(ROOT.path, [PYTHON, "-W", "error", "-m", "tests.rigs.camera.inside"], manner), SILENCE)
    say(f"rig-camera: {'good' if not code else 'BAD'}, {time.monotonic() - start:.0f} s in all")
    return 1 if code else 0


if __name__ == "__main__":
    conclude("camera", lambda: main(sys.argv[1:]))
