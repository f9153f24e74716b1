"""Work in a process of its own: whatever happens to it is an error here, and the next order is done by another."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from tests.kept import PROJECT
from tests.vision import working
from vision.apart import PROCESSOR, Apart, ApartError, NoRoomError, SpentError, one_ahead


@pytest.fixture(scope="module")
def worker() -> Iterator[Apart]:
    with closing(Apart("tests.vision.working")) as found:
        yield found


def says(worker: Apart) -> int:
    """The process that answers."""
    answer, files = worker.ask({"say": "it works"})
    assert (answer["said"], files) == ("it works", [])
    return int(answer["pid"])


def test_one_process_works_for_all_orders(worker: Apart) -> None:
    assert says(worker) == says(worker) == worker.pid


def test_open_files_go_there_and_back(worker: Apart, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"content")
    with path.open("rb") as file:
        answer, [back] = worker.ask({"say": ""}, file.fileno())
    assert answer["files"] == 1
    assert os.read(back, 100) == b"content"
    os.close(back)


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL])
def test_one_that_crashes_is_followed_by_another(worker: Apart, number: int) -> None:
    before = says(worker)
    with pytest.raises(ApartError):
        worker.ask({"signal": number})
    assert says(worker) != before


def test_memory_is_bounded_and_the_process_lives_on(worker: Apart) -> None:
    before = says(worker)
    assert worker.ask({"take": working.ROOM // 4})[0] == {"taken": working.ROOM // 4}
    with pytest.raises(NoRoomError):
        worker.ask({"take": working.ROOM * 2})
    assert says(worker) == before


def test_bounds_that_are_lower_already_stay() -> None:
    """Whoever starts the table may have set some."""
    code = "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40));"
    code += "from vision.apart import Apart; print(Apart('tests.vision.working').ask({'say': 1})[0]['said'])"
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("1\n", 0)


def test_so_is_memory_that_is_handed_over(worker: Apart) -> None:
    assert worker.ask({"write": working.ROOM // 2})[0] == {}
    with pytest.raises(ApartError):
        worker.ask({"write": working.ROOM * 3})


def test_one_that_does_not_answer_is_ended() -> None:
    with closing(Apart("tests.vision.working")) as worker:
        number, usual = says(worker), worker.patience
        worker.patience = 0.05
        with pytest.raises(SpentError, match=r"within 0.05 s"):
            worker.ask({"sleep": 60})
        worker.patience = usual
        assert not Path(f"/proc/{number}").exists()
        assert says(worker) != number


def test_a_processor_may_be_used_for_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signal, "SIGPROF", signal.SIGALRM)  # which comes sooner
    with closing(Apart("tests.vision.working")) as worker:
        says(worker)
        with pytest.raises(SpentError):
            worker.ask({"signal": signal.SIGALRM})


def test_every_answer_may_use_as_much() -> None:
    """Whatever those before it used, by whatever clock."""
    with closing(Apart("tests.vision.working")) as worker:
        left = [worker.ask({"left": None})[0]["seconds"] for _ in range(2)]
    assert min(left) > PROCESSOR - 0.5


def test_what_it_prints_goes_nowhere(worker: Apart, capfd: pytest.CaptureFixture[str]) -> None:
    worker.ask({"print": "\x1b[2J"})
    assert capfd.readouterr() == ("", "")


def test_one_that_has_left_because_nobody_asked_is_followed_by_another() -> None:
    with closing(Apart("tests.vision.working", idle=0.01)) as worker:
        before = says(worker)
        os.waitid(os.P_PID, before, os.WEXITED | os.WNOWAIT)
        assert says(worker) != before


def test_one_that_is_closed_does_nothing_more() -> None:
    closed, refused = Apart("tests.vision.working"), []
    number = says(closed)

    def ask() -> None:
        try:
            closed.ask({"sleep": 60})
        except ApartError as error:
            refused.append(error)

    asking = threading.Thread(target=ask)
    asking.start()
    closed.close()
    asking.join()
    assert refused
    assert not Path(f"/proc/{number}").exists()
    with pytest.raises(ApartError):
        closed.ask({"say": ""})


def test_one_that_cannot_be_started() -> None:
    with closing(Apart("tests.vision.no_such_module")) as worker, pytest.raises(ApartError):
        worker.ask({})


def test_the_next_is_made_while_one_is_used() -> None:
    asked: list[int] = []

    def make(number: int) -> int:
        asked.append(number)
        if number == 3:
            raise ValueError("three")
        return number

    found = one_ahead(partial(make, number) for number in range(5))
    assert [next(found), next(found)] == [0, 1]
    assert asked[:3] == [0, 1, 2]
    assert next(found) == 2
    with pytest.raises(ValueError, match="three"):
        next(found)
