"""In the guest: pictures of a webcam of the kernel's, through the process of their own that they come by at a table; it
is pulled out, and plugged in again. A line for each thing found."""

import os
import sys
import time
from contextlib import closing
from itertools import islice, pairwise
from pathlib import Path

from vision.eye_errors import SourceError
from vision.sources import open_source

DRIVER = Path("/sys/bus/platform/drivers/vivid")


def note(what: str, *, good: bool) -> None:
    print(f"rig: {'' if good else 'NOT '}{what}", flush=True)


def main(device: str) -> int:
    plug = next(DRIVER.glob("vivid.*")).name
    with closing(open_source(device)) as source:
        frames = source.frames()
        seen = list(islice(frames, 8))
        about = source.about()
        in_order = all(one.stamp < two.stamp and one.number < two.number for one, two in pairwise(seen))
        note(f"pictures of {about['size'][0]} × {about['size'][1]} as {about['format']}, in order", good=in_order)
        note(
            f"their stamps {about['stamps']}", good=True
        )  # a machine as slow as this one may believe those of arrival only
        late = time.monotonic_ns() - seen[-1].stamp
        note("on the monotonic clock", good=0 < late < 30_000_000_000)
        os.write(os.open(DRIVER / "unbind", os.O_WRONLY), plug.encode())
        try:
            for _ in frames:
                pass
            note("told when it was pulled out", good=False)
        except SourceError as error:
            note(f"pulled out: “{error}”", good=True)
    os.write(os.open(DRIVER / "bind", os.O_WRONLY), plug.encode())
    until = time.monotonic() + 300
    while True:
        try:
            with closing(open_source(device)) as source:
                note("plugged in again: pictures", good=bool(list(islice(source.frames(), 2))))
                return 0
        except SourceError as error:
            if time.monotonic() > until:
                note(f"plugged in again: “{error}”", good=False)
                return 0
            time.sleep(1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
