"""A process of its own that does as it is told: whatever a file could make one do."""

import os
import signal
import time

from vision.apart import Answer, Order, serve

ROOM = 50_000_000


def work(order: Order, files: list[int]) -> Answer:
    match order:
        case {"say": words}:
            return {"said": words, "files": len(files), "pid": os.getpid()}, files
        case {"signal": number}:
            os.kill(os.getpid(), number)
        case {"take": size}:
            return {"taken": len(bytes(size))}, []
        case {"write": size}:
            memory = os.memfd_create("large")
            os.write(memory, bytes(size // 2)) + os.write(memory, bytes(size // 2))
        case {"sleep": seconds}:
            time.sleep(seconds)
        case {"spend": _}:
            signal.setitimer(signal.ITIMER_REAL, 30)
            while True:
                pass
        case {"left": _}:
            return {"seconds": signal.getitimer(signal.ITIMER_PROF)[0]}, []
        case {"print": words}:
            os.write(1, words.encode()), os.write(2, words.encode())
    return {}, []


def main(*words: str) -> None:
    serve(words, ROOM, work)
