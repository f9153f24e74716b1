"""What `make rigs` says of rigs that are good, fail, are left out, or are disturbed."""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.rigs import __main__ as rigs
from tests.rigs import running
from tests.rigs.__main__ import Beside, Watching, all_rigs, main, tried
from tests.rigs.roster import RIGS, Need, Rig
from tests.rigs.running import DISTURBED, FAILED, GOOD, LEFT_OUT, PROJECT, DisturbedError, RigError, conclude, followed

BUSY = "other jobs took all"


@dataclass
class Told:
    disturbance: str


def watched(*disturbances: str) -> Watching:
    """What is measured beside each attempt."""
    left = iter(disturbances)

    @contextmanager
    def watching() -> Iterator[Beside]:
        yield Told(next(left))

    def start() -> AbstractContextManager[Beside]:
        return watching()

    return start


def rig_of(name: str, *codes: int, folder: Path, needs: tuple[Need, ...] = ()) -> Rig:
    """It ends with these codes, one attempt after the other."""
    text = (
        "import pathlib, sys\n"
        f"tries = pathlib.Path({str(folder / name)!r})\n"
        "number = len(tries.read_text()) if tries.exists() else 0\n"
        "tries.write_text('x' * (number + 1))\n"
        f"print('attempt', number + 1, *sys.argv[1:], flush=True)\nsys.exit({codes!r}[number])"
    )
    return Rig(name, (sys.executable, "-c", text), needs)


def attempts(name: str, folder: Path) -> int:
    return len((folder / name).read_text(encoding="utf-8")) if (folder / name).exists() else 0


@pytest.mark.parametrize(
    ("codes", "disturbances", "word", "code"),
    [
        ((0,), ("",), "good", GOOD),
        ((0,), (BUSY,), "good", GOOD),
        ((1,), ("",), "failed", FAILED),
        ((1, 0), (BUSY, ""), "disturbed, good the second time", GOOD),
        ((1, 1), (BUSY, ""), "failed twice", FAILED),
        ((1, 1), (BUSY, BUSY), "failed twice", FAILED),
        ((DISTURBED, 0), ("", ""), "disturbed, good the second time", GOOD),
        ((DISTURBED, DISTURBED), ("", ""), "failed twice", FAILED),
        ((-9,), ("",), "failed", FAILED),
    ],
)
def test_once_more_only_if_disturbed(
    codes: tuple[int, ...], disturbances: tuple[str, ...], word: str, code: int, tmp_path: Path
) -> None:
    if codes == (-9,):
        rig = Rig("killed", (sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"))
    else:
        rig = rig_of("one", *codes, folder=tmp_path)
    with (tmp_path / "log").open("w") as log:
        verdict = tried(rig, log=log, watching=watched(*disturbances))
    assert (verdict.word, verdict.code) == (word, code)
    if codes != (-9,):
        assert attempts("one", tmp_path) == len(codes)
        assert ("tried once more" in (tmp_path / "log").read_text()) is (len(codes) > 1)


def test_what_is_missing_leaves_a_rig_out(tmp_path: Path) -> None:
    needs = (
        Need("bread", "bake some", lambda: False),
        Need("air", "breathe", lambda: True),
        Need("salt", "mine some", lambda: False),
    )
    verdict = tried(rig_of("one", 0, folder=tmp_path, needs=needs), watching=watched())
    assert (verdict.word, verdict.code) == ("left out", LEFT_OUT)
    assert verdict.why == "needs bread: bake some; needs salt: mine some"
    assert not attempts("one", tmp_path)


def test_all_are_tried_in_order_and_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    never = (Need("bread", "bake some", lambda: False),)
    some = (
        rig_of("first", 0, folder=tmp_path),
        rig_of("second", 3, folder=tmp_path),
        rig_of("third", 0, folder=tmp_path, needs=never),
        rig_of("fourth", 1, 0, folder=tmp_path),
    )
    code = all_rigs(some, tmp_path / "logs", watched("", "", BUSY, ""))
    lines = capsys.readouterr().out.splitlines()
    assert code == FAILED
    assert [line.split()[:2] for line in lines if not line.startswith(" ")][:4] == [
        ["first", "good"], ["second", "failed"], ["third", "left"], ["fourth", "disturbed,"],
    ]  # fmt: skip
    assert "    attempt 1" in lines, "the end of what a failed rig said"
    assert lines[-1] == "2 of 4 rigs good, 1 failed (second), 1 left out"
    assert (tmp_path / "logs" / "first.log").read_text() == "attempt 1\n"


def test_exit_codes_of_all(tmp_path: Path) -> None:
    never = (Need("bread", "bake some", lambda: False),)
    good, out = rig_of("good", 0, 0, folder=tmp_path), rig_of("out", 0, folder=tmp_path, needs=never)
    assert all_rigs((good, out), tmp_path / "logs", watched("")) == GOOD
    assert all_rigs((out,), tmp_path / "logs", watched()) == FAILED, "nothing was tried"


def test_one_rig_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(rigs, "RIGS", (rig_of("one", 1, folder=tmp_path),))
    monkeypatch.setattr(rigs, "tried", lambda rig, words: tried(rig, words, watching=watched("")))
    monkeypatch.setattr(rigs, "signal", lambda *_: None)
    assert main(["one", "--cuts", "3"]) == FAILED
    out = capfd.readouterr().out
    assert "attempt 1 --cuts 3" in out
    assert "rig-one" in out
    assert main(["two"]) == FAILED
    assert "there is no rig two, only one" in capfd.readouterr().err


def test_make_knows_every_rig() -> None:
    makefile = (PROJECT / "Makefile").read_text(encoding="utf-8")
    for rig in RIGS:
        assert f"tests.rigs {rig.name}" in makefile
        module = rig.command[2]
        places = (PROJECT / f"{module.replace('.', '/')}.py", PROJECT / module.replace(".", "/") / "__main__.py")
        assert any(place.exists() for place in places), module


def test_rooms_are_those_that_are_installed() -> None:
    found = running.rooms()
    assert {"companion", "hardware", "vision"} <= set(found)
    assert all((PROJECT / room / "__init__.py").exists() for room in found)


# --- How a rig begins and ends


def concluded(main: object, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setattr(running, "BUILT", tmp_path)
    monkeypatch.setattr("signal.signal", lambda *_: None)
    with pytest.raises(SystemExit) as ended:
        conclude("one", main)  # type: ignore[arg-type]
    return ended.value.code


def test_a_rig_ends_with_its_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> int:
        raise RigError("no bread.")

    def disturbed() -> int:
        raise DisturbedError("no calm.")

    def again() -> int:
        assert concluded(lambda: 0, tmp_path, monkeypatch) == FAILED
        return 0

    assert concluded(lambda: 0, tmp_path, monkeypatch) == GOOD
    assert concluded(lambda: 1, tmp_path, monkeypatch) == FAILED
    assert concluded(broken, tmp_path, monkeypatch) == FAILED
    assert concluded(disturbed, tmp_path, monkeypatch) == DISTURBED
    assert concluded(again, tmp_path, monkeypatch) == GOOD
    assert capsys.readouterr().err.splitlines() == [
        "rig-one: no bread.", "rig-one: disturbed: no calm.", "rig-one: another one is running in this folder.",
    ]  # fmt: skip


def test_only_silence_ends_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    talks = "import time\nfor n in range(6): print(n, flush=True); time.sleep(0.3)\nraise SystemExit(4)"
    assert followed([sys.executable, "-c", talks], 1.5) == 4
    assert capsys.readouterr().out.split() == list("012345")
    with pytest.raises(RigError, match="nothing was said"):
        followed([sys.executable, "-c", "import time; time.sleep(60)"], 0.3)
