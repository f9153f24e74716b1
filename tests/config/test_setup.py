"""The set-up, without a network: a stand-in for python3 and its pip that writes down what it was told to install."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]

# `python -m venv` puts a copy of itself into .venv/bin; `-m pip install` is written down and fails when told to.
STAND_IN = """#!/bin/sh
case "$*" in
*sys.version_info*) cat "$STAND_IN/version" ;;
"-m venv --without-pip"*) mkdir -p .venv/bin; cp "$0" .venv/bin/python ;;
"-m venv"*) test ! -e "$STAND_IN/no-ensurepip" || exit 1; mkdir -p .venv/bin; cp "$0" .venv/bin/python ;;
*pip*--version) test ! -e "$STAND_IN/no-pip" ;;
*install*)
    echo "$*" >>"$STAND_IN/told"
    test ! -e "$STAND_IN/trouble" || { cat "$STAND_IN/trouble"; exit 1; } ;;
*) exit 1 ;;
esac
"""


class Bench:
    """A project folder of its own, with a stand-in for python3."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "table companion"
        self.knobs = folder / "knobs"
        self.knobs.mkdir()
        (self.folder / "setup").mkdir(parents=True)
        for name in ("pyproject.toml", "constraints.txt", "setup/ready.sh"):
            shutil.copy(PROJECT / name, self.folder / name)
        self.python = folder / "python-stand-in"
        self.python.write_text(STAND_IN, encoding="utf-8")
        self.python.chmod(0o755)
        self.turn("version", "3.11 1 /usr")

    def turn(self, knob: str, text: str = "") -> None:
        (self.knobs / knob).write_text(text + "\n", encoding="utf-8")

    def release(self, knob: str) -> None:
        (self.knobs / knob).unlink()

    def make_ready(self, want: str = "test", python: str = "") -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHON": python or str(self.python), "STAND_IN": str(self.knobs)}
        environment["PATH"] = f"{self.knobs}:{os.environ['PATH']}"
        script = [str(self.folder / "setup/ready.sh"), want]
        return subprocess.run(script, env=environment, capture_output=True, text=True, check=False)

    def told(self) -> list[str]:
        """What pip was told to install since this was asked last."""
        path = self.knobs / "told"
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        path.unlink(missing_ok=True)
        return lines


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def test_second_run_does_and_says_nothing(bench: Bench) -> None:
    assert bench.make_ready().returncode == 0
    assert len(bench.told()) == 2
    again = bench.make_ready()
    assert (again.returncode, again.stdout, again.stderr, bench.told()) == (0, "", "", [])


def test_play_installs_only_what_running_needs(bench: Bench) -> None:
    bench.make_ready("play")
    assert [line for line in bench.told() if "dev" in line or "board" in line] == []
    bench.make_ready("test")
    assert [line for line in bench.told() if line.endswith("--editable .[dev,board,postgres]")] != []
    assert bench.make_ready("play").stdout == ""


@pytest.mark.parametrize("name", ["pyproject.toml", "constraints.txt"])
def test_changed_file_brings_up_to_date(bench: Bench, name: str) -> None:
    bench.make_ready()
    bench.told()
    with (bench.folder / name).open("a", encoding="utf-8") as file:
        file.write("# one more line\n")
    assert bench.make_ready().returncode == 0
    assert len(bench.told()) == 2


def test_half_finished_is_made_anew(bench: Bench) -> None:
    bench.turn("trouble", "something broke")
    assert bench.make_ready().returncode == 2
    (bench.folder / ".venv/half").touch()
    bench.release("trouble")
    assert bench.make_ready().returncode == 0
    assert not (bench.folder / ".venv/half").exists()


def test_trouble_while_updating_makes_it_anew(bench: Bench) -> None:
    bench.make_ready("play")
    bench.turn("trouble", "something broke")
    assert bench.make_ready("test").returncode == 2
    (bench.folder / ".venv/half").touch()
    bench.release("trouble")
    assert bench.make_ready("test").returncode == 0
    assert not (bench.folder / ".venv/half").exists()


def test_moved_folder_is_made_anew(bench: Bench) -> None:
    bench.make_ready()
    (bench.folder / ".venv/of-the-old-place").touch()
    bench.folder = bench.folder.rename(bench.folder.with_name("elsewhere"))
    assert bench.make_ready().returncode == 0
    assert not (bench.folder / ".venv/of-the-old-place").exists()


def test_other_python_is_made_anew(bench: Bench) -> None:
    bench.make_ready()
    (bench.folder / ".venv/of-the-old-python").touch()
    bench.turn("version", "3.13 1 /usr")
    assert bench.make_ready().returncode == 0
    assert not (bench.folder / ".venv/of-the-old-python").exists()


def test_pip_of_the_system_serves_where_ensurepip_is_missing(bench: Bench) -> None:
    bench.turn("no-ensurepip")
    assert bench.make_ready().returncode == 0
    assert bench.told()[0].startswith("-m pip --python .venv/bin/python install")


# --- One sentence, exit code 2


def _refusal(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    return done.stderr


def test_no_python(bench: Bench) -> None:
    assert "no working python-of-nobody here" in _refusal(bench.make_ready(python="python-of-nobody"))


def test_old_python(bench: Bench) -> None:
    bench.turn("version", "3.9 0 /usr")
    assert "needs Python 3.11 or newer" in _refusal(bench.make_ready())
    assert not (bench.folder / ".venv").exists()


def test_no_way_to_a_pip(bench: Bench) -> None:
    bench.turn("no-ensurepip")
    bench.turn("no-pip")
    bench.turn("apt-get", "#!/bin/sh\nexit 1")
    (bench.knobs / "apt-get").chmod(0o755)
    assert "sudo apt install python3-venv" in _refusal(bench.make_ready())


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("WARNING: Retrying after connection broken by 'NewConnectionError(...)'", "cannot be reached"),
        ("SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] not yet valid')", "is the clock right?"),
        ("ERROR: [Errno 28] No space left on device", "The disk is full"),
        ("ERROR: No matching distribution found for pip", "the end of .cache/setup.log says why"),
    ],
)
def test_trouble_of_pip(bench: Bench, said: str, sentence: str) -> None:
    bench.turn("trouble", said)
    assert sentence in _refusal(bench.make_ready())


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_folder(bench: Bench) -> None:
    bench.folder.chmod(0o555)
    try:
        assert "may not write" in _refusal(bench.make_ready())
    finally:
        bench.folder.chmod(0o755)
