"""What takes its time is done beside the loop that draws the screen."""

import threading
from collections.abc import Callable

Work = Callable[[], None]


def in_thread(name: str) -> Callable[[Work], None]:
    """Runs what it is given in a thread of this name. Where none can be begun any more, whoever asked waits for it."""

    def run(work: Work) -> None:
        try:
            threading.Thread(target=work, name=name, daemon=True).start()
        except RuntimeError:
            work()

    return run
