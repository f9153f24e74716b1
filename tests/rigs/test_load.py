"""How much others take: computed from readings, and read from this computer."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.rigs import load
from tests.rigs.load import Patience, Reading, Share, in_words, ours_of, read, share

BURN = "import time\nwhile time.process_time() < 0.3: pass"


def test_what_is_neither_idle_nor_ours_is_of_others() -> None:
    found = share(Reading(100, 40, 10), Reading(120, 45, 15))
    assert (found.idle, found.others) == (0.25, 0.5)


def test_more_than_went_by_is_nobodys() -> None:
    """The kernel counts processes and processors at different instants."""
    assert share(Reading(100, 0, 0), Reading(101, 0.5, 2)).others == 0
    assert share(Reading(100, 0, 0), Reading(100, 0, 0)).others == 1


@pytest.mark.parametrize(
    ("idle", "others", "is_disturbing"),
    [(0.0, 0.5, True), (0.5, 0.5, False), (0.0, 0.05, False), (0.09, 0.1, True), (0.1, 0.9, False)],
)
def test_others_disturb_where_no_processor_is_left(idle: float, others: float, is_disturbing: bool) -> None:
    assert Share(idle, others).is_disturbing is is_disturbing


def test_a_disturbance_is_told_in_words() -> None:
    calm, busy, busier = Share(0.6, 0.4, 5), Share(0, 0.25, 5), Share(0.01, 0.4, 5)
    assert in_words([calm, calm]) == ""
    assert in_words([]) == ""
    assert in_words([calm, busy, busier]) == "other jobs took up to 40% of the processors, in 10 of 15 s"


def test_what_children_use_is_ours() -> None:
    before = read()
    subprocess.run([sys.executable, "-c", BURN], check=True)
    ended = read()
    assert ended.ours - before.ours >= 0.25
    with subprocess.Popen([sys.executable, "-c", f"{BURN}\nprint()\ninput()"], stdin=-1, stdout=-1) as alive:
        assert alive.stdout is not None
        alive.stdout.readline()
        assert read().ours - ended.ours >= 0.25
        alive.kill()


def test_a_process_of_somebody_else_is_not_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names may have anything in them."""
    (tmp_path / "stat").write_text("cpu  100 0 0 200 100 0 0 50 7 7\n", encoding="ascii")
    for pid, name, parent, used in ((40, "rig", 1, 3), (41, "a) S 40 (b", 40, 5), (42, "c", 41, 7), (43, "d", 1, 11)):
        (tmp_path / str(pid)).mkdir()
        fields = " ".join(["0"] * 9 + [str(used)] * 4 + ["0"] * 5)
        (tmp_path / str(pid) / "stat").write_text(f"{pid} ({name}) S {parent} {fields}\n", encoding="ascii")
    monkeypatch.setattr(load, "PROC", tmp_path)
    monkeypatch.setattr(load, "TICKS", 1)
    monkeypatch.setattr("os.getpid", lambda: 40)
    assert read() == Reading(total=450, idle=300, ours=4 * (3 + 5 + 7))


def test_others_make_patience_longer() -> None:
    assert ours_of(10, Share(0, 0.0)) == 10
    assert ours_of(10, Share(0, 0.75)) == 2.5
    assert ours_of(10, Share(0, 1.0)) == 0.5, "every wait has an end"


def test_patience_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "share", lambda *_: Share(0, 0.5))
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    patience = Patience(10)
    for now[0] in (5.0, 10.0, 19.5):
        assert not patience.is_over
    now[0] = 20.5
    assert patience.is_over


def test_suspended_no_patience_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(load, "share", lambda *_: Share(0, 0))
    now = [0.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    patience = Patience(60)
    now[0] = 5000.0
    assert not patience.is_over
