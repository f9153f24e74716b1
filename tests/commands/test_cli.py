"""The command line: every wrong input is one sentence and exit code 2, nothing is lost, nothing heavy is loaded."""

import json
import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.games import NAMES
from companion.journal import Journal
from companion.journal.rows import MIGRATIONS
from simulator.playing import NAMES as PLAYERS
from tests import doors
from tests.doors import Refused, Run
from tests.kept import COMPANION, PROJECT, companion, contents, keep, many, played, without_rights

COMMANDS = ("referee", "demo", "rules", "matches", "replay", "export", "import", "print", "read", "doctor")
MOVE = '{"move":"begin","player":"Anna","at":1}\n'


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPANION_JOURNAL", str(tmp_path / "journal.sqlite3"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite3"


def sentence(done: subprocess.CompletedProcess[str]) -> str:
    """The one sentence on the error output of a command that ended with 2."""
    assert done.returncode == 2, done
    return doors.sentence(done.stderr)


# --- help ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("word", ["Triple³", "triple³", "triple3"])
def test_a_game_may_be_called_as_its_box_does(word: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", word]) == 0
    assert capfd.readouterr().out.startswith("Triple³: 2 to 4 players")


@pytest.mark.parametrize("command", [["matches"], ["replay", "0000"], ["export", "0000"]])
def test_a_journal_that_was_named_and_is_not_there_is_not_made(command: list[str], tmp_path: Path) -> None:
    wrong = tmp_path / "typo.sqlite3"
    assert sentence(companion(*command, "--journal", wrong)) == f"There is no journal {wrong}."
    assert not wrong.exists()


def test_a_demo_of_all_games_is_short(capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["demo"]) == 0
    told = capfd.readouterr().out
    assert len(told.splitlines()) < 250
    assert "Round 2" not in told.partition("Triple³:")[2].partition("Tres:")[0]


@pytest.mark.parametrize("house", ["way=time,turn_seconds=10", "way=stopwatch"])
def test_bots_let_the_referee_end_their_time(house: str, run: Run) -> None:
    rules = [word for one in house.split(",") for word in ("--house", one)]
    code, told, said = run("demo", "threepia", *rules, "--mistakes", "0.5", "--seed", "4")
    assert (code, said) == (0, "")
    assert "referee's own move" not in told


@pytest.mark.parametrize("command", COMMANDS)
def test_help(command: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert main([command, "--help"]) == 0
    told, said = capfd.readouterr()
    assert told.startswith(f"usage: companion {command}")
    assert said == ""


def test_help_names_every_command() -> None:
    done = companion("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert set(COMMANDS) <= set(done.stdout.split())
    assert set(NAMES) <= set(done.stdout.replace(",", " ").split())
    assert companion("--version").stdout.startswith("companion 0.")


def test_help_loads_nothing_heavy() -> None:
    code = "import sys; from companion.cli import main; main(['--help']); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=PROJECT, check=True)
    loaded = set(done.stderr.split())
    assert "companion.cli" in loaded
    assert not loaded & {
        "sqlite3",
        "json",
        "tomllib",
        "subprocess",
        "asyncio",
        "numpy",
        "companion.journal",
        "companion.core.match",
        *(f"companion.games.{name}" for name in NAMES),
    }


def test_help_without_a_home(monkeypatch: pytest.MonkeyPatch, run: Run, refused: Refused) -> None:
    def homeless(_path: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    for name in ("COMPANION_JOURNAL", "XDG_STATE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "expanduser", homeless)
    assert run("matches", "--help")[0] == 0
    assert "no home folder" in refused("matches")


def test_an_empty_home_is_none(monkeypatch: pytest.MonkeyPatch, refused: Refused) -> None:
    """Else matches would be kept in the root of the system, and with a place from nowhere in whatever folder it is."""
    monkeypatch.delenv("COMPANION_JOURNAL", raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", "somewhere")
    monkeypatch.setenv("HOME", "")
    assert "no home folder" in refused("matches")


# --- wrong arguments -------------------------------------------------------------------------------------------

REFEREE = ("referee", "three", "--players", "Anna,Ben")
WRONG: dict[str, tuple[tuple[str, ...], str]] = {
    "a command with an option of the table": (("--no-table", "matches"), "--no-table is for the table"),
    "no size": (("--size", "12x"), "'12x' is not a size such as 1280x720"),
    "a window too small": (("--size", "10x10"), "at least 480x320"),
    "no language": (("--language", "tlh"), "--language 'tlh': choose one of en, de, fr, it, es, pt, nl."),
    "no theme": (("--theme", "pink"), "--theme 'pink': choose one of dark, bright, contrast."),
    "unknown command": (("dance",), "invalid choice: 'dance'"),
    "an option written wrongly": (("--langauge", "de"), "There is no option --langauge"),
    "unknown option": (("matches", "--dance"), "--dance"),
    "no game": (("referee",), "required: GAME"),
    "unknown game": (("referee", "chess"), "invalid choice: 'chess'"),
    "unknown game of a demo": (("demo", "chess"), "invalid choice: 'chess'"),
    "nobody": (("referee", "three"), "--players NAME,NAME,… is needed"),
    "one player": (("referee", "three", "--players", "Anna"), "Three! needs 2 to 4 players, not 1."),
    "seven players": (("referee", "three", "--players", ",".join(PLAYERS[:7])), "needs 2 to 4 players, not 7."),
    "seven of Threepia": (("referee", "threepia", "--players", ",".join(PLAYERS[:7])), "not 7"),
    "one of Triplexity": (("referee", "triplexity", "--players", "Anna"), "needs 2 players, not 1."),
    "nine of Tres": (("referee", "tres", "--players", "a,b,c,d,e,f,g,h,i"), "not 9"),
    "twins": (("referee", "three", "--players", "Anna,Anna"), "Two players are called Anna"),
    "nameless": (("referee", "three", "--players", "Anna,"), "A player's name has 1 to 60 printable"),
    "unprintable": (("referee", "three", "--players", "Anna,\x1b[2J"), "printable characters, not '\\x1b[2J'"),
    "no UTF-8": (("referee", "three", "--players", "Anna,\udcff"), "is not UTF-8"),
    "unknown rule": ((*REFEREE, "--house", "copys=6"), "no such rule; did you mean copies?"),
    "no value": ((*REFEREE, "--house", "copies"), "is written KEY=VALUE"),
    "twice": ((*REFEREE, "--house", "copies=6", "--house", "copies=6"), "copies is given twice"),
    "no number": ((*REFEREE, "--house", "copies=six"), "'six' is not a whole number"),
    "huge number": ((*REFEREE, "--house", "copies=" + "9" * 99), "is not a whole number"),
    "too small": ((*REFEREE, "--house", "call_timeout=0"), "0 is less than 1"),
    "impossible deck": ((*REFEREE, "--house", "deck=47"), "make 48 cards, not 47"),
    "a deck too small": ((*REFEREE, "--house", "copies=1", "--house", "deck=8", "--players", "a,b,c,d"), "too few"),
    "no field": (("referee", "threepia", "--players", "A,B", "--house", "field=/no/such.toml"), "/no/such.toml"),
    "journal is a folder": (("matches", "--journal", "/"), "it is a folder"),
    "nothing to go on with": (("referee", "three", "--resume"), "there is no match of Three! to go on with"),
    "resume of what": (("referee", "three", "--resume", "abc"), "no match begins with 'abc'"),
    "resume with players": ((*REFEREE, "--resume"), "leave out --players and --house"),
    "resume of nothing": (("referee", "three", "--resume", "--no-journal"), "--resume needs a journal"),
    "replay of what": (("replay", "zzz"), "no match begins with 'zzz'"),
    "export of what": (("export", "zzz"), "no match begins with 'zzz'"),
    "import of nothing": (("import", "/no/such/file"), "/no/such/file cannot be read"),
    "no seed": (("demo", "--seed", "x"), "invalid int value: 'x'"),
    "no fraction": (("demo", "--mistakes", "nan"), "'nan' is not a number from 0 to 0.9"),
    "mistakes": (("demo", "--mistakes", "x"), "'x' is not a number from 0 to 0.9"),
    "house of what": (("rules", "tres", "--house", "x=1"), "Tres has no such rule"),
}


@pytest.mark.parametrize(("arguments", "says"), WRONG.values(), ids=WRONG)
def test_wrong_arguments_are_one_sentence(arguments: tuple[str, ...], says: str, refused: Refused, path: Path) -> None:
    assert says in refused(*arguments)
    if "--players" in arguments:
        assert not path.exists()  # nothing was begun


def test_the_same_as_a_process() -> None:
    assert "not 1" in sentence(companion("referee", "three", "--players", "Anna"))
    assert "is not UTF-8" in sentence(companion("replay", b"\xff".decode(errors="surrogateescape")))


# --- the journal -----------------------------------------------------------------------------------------------


def referee(path: Path, told: str = MOVE, **options: Any) -> subprocess.CompletedProcess[str]:
    return companion(*REFEREE, "--time", "given", "--journal", path, told=told, **options)


def test_a_journal_from_a_newer_version(path: Path) -> None:
    many(path, 1)
    database = sqlite3.connect(path)
    database.executescript(f"CREATE TABLE mood (x); PRAGMA user_version = {len(MIGRATIONS) + 1}")
    database.close()
    before = path.read_bytes()
    assert "update the companion" in sentence(referee(path))
    assert path.read_bytes() == before


def test_a_damaged_journal_is_told_and_the_command_goes_on(path: Path) -> None:
    whole = many(path, 3)
    data = bytearray(path.read_bytes())
    data[100] ^= 0xFF
    path.write_bytes(data)
    done = companion("matches", "--journal", path)
    assert done.returncode == 0
    assert "3 matches whole" in sentence(subprocess.CompletedProcess([], 2, "", done.stderr))
    assert all(code in done.stdout for code in whole)


@pytest.mark.parametrize("arguments", [REFEREE, ("demo", "three")], ids=lambda given: given[0])
def test_a_read_only_folder(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    folder = tmp_path / "closed"
    folder.mkdir()
    folder.chmod(0o555)
    path = folder / "journal.sqlite3"
    said = sentence(companion(*arguments, "--journal", path, **without_rights()))
    assert str(path) in said
    assert "check that its folder exists and may be written" in said
    assert list(folder.iterdir()) == []


def test_a_read_only_file(path: Path) -> None:
    whole = many(path, 2)
    path.chmod(0o444)
    said = sentence(referee(path, **without_rights()))
    assert str(path) in said
    assert "make the file and its folder writable" in said
    path.chmod(0o644)
    assert contents(path) == (whole, ())


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o555)
    said = sentence(companion(*REFEREE, "--journal", closed / "more" / "journal.sqlite3", **without_rights()))
    assert "Permission denied".lower() in said.lower()
    assert str(closed / "more") in said


# --- a full disk -----------------------------------------------------------------------------------------------


@pytest.fixture
def full_disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk that can be filled."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=512k", "none", str(folder)]
    mounted = subprocess.run(mount, capture_output=True, check=False)
    if mounted.returncode:
        pytest.skip("only root can mount a small disk")
    yield folder
    subprocess.run(["umount", folder], check=True)


def legal_moves(count: int) -> list[str]:
    _, entries = played("three")
    moves = [{**body, "at": number} for number, body in enumerate(_bodies(entries)[:count], 1)]
    return [json.dumps(move) + "\n" for move in moves]


def _bodies(entries: Any) -> list[dict[str, Any]]:
    from companion.core.record import entry_plain  # noqa: PLC0415

    return [entry_plain(entry)[1] for entry in entries]


def test_a_disk_that_fills_in_the_middle_of_a_match(full_disk: Path) -> None:
    """An error to the moves that cannot be kept; when there is room again the match goes on; nothing is lost."""
    path, ballast = full_disk / "journal.sqlite3", full_disk / "ballast"
    moves = legal_moves(12)
    command = [
        *COMPANION,
        "referee",
        "three",
        "--players",
        ",".join(played("three")[0].names),
        "--time",
        "given",
        "--journal",
        str(path),
    ]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=PROJECT, text=True
    ) as process:

        def say(line: str) -> dict[str, Any]:
            assert process.stdin
            assert process.stdout
            process.stdin.write(line)
            process.stdin.flush()
            found: dict[str, Any] = json.loads(process.stdout.readline())
            return found

        assert process.stdout
        code = json.loads(process.stdout.readline())["id"]
        assert [say(move)["kind"] for move in moves[:5]] == ["ruling"] * 5
        _fill(ballast)
        kept, stops = 0, ['{"do":"pause","at":5}\n', '{"do":"resume","at":5}\n']
        while say(stops[kept % 2])["kind"] == "done":  # the log has room for a while, and begins anew when it is full
            kept += 1
        before = say('{"do":"show","at":5}\n')
        errors = [say(stops[kept % 2]) for _ in range(3)]
        assert {error["code"] for error in errors} == {"journal"}
        assert "nothing was changed: database or disk is full; make room on the disk." in errors[0]["sentence"]
        assert str(path) in errors[0]["sentence"]
        assert say('{"do":"show","at":5}\n') == before
        ballast.unlink()
        if kept % 2:
            assert say(stops[1])["kind"] == "done"
            kept += 1
        assert [say(move)["kind"] for move in moves[5:]] == ["ruling"] * 7
        assert process.stdin
        process.stdin.close()
        assert process.wait() == 2
        assert process.stderr
        assert process.stderr.read() == ""
    with Journal.open(path) as journal:
        assert len(journal.stored(code).entries) == 12 + kept
        assert journal.notices == ()


def _fill(ballast: Path) -> None:
    with ballast.open("wb", buffering=0) as file:
        for size in (4096, 1):
            try:
                while True:
                    file.write(b"x" * size)
            except OSError:
                continue


def test_a_disk_that_is_full_at_the_start(full_disk: Path) -> None:
    _fill(full_disk / "ballast")
    said = sentence(companion("matches", "--journal", full_disk / "journal.sqlite3"))
    assert "full" in said or "disk" in said


def _small_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (60_000, 60_000))


def test_a_file_that_may_not_grow(path: Path) -> None:
    """The same without being root: a limit to the size of files."""
    setup, entries = played("triple3")
    moves = [json.dumps({**body, "at": body.get("at", 0)}) + "\n" for body in _bodies(entries)]
    done = companion(
        "referee",
        "triple3",
        "--players",
        ",".join(setup.names),
        "--time",
        "given",
        "--journal",
        path,
        told="".join(moves),
        preexec_fn=_small_files,
    )
    assert done.returncode == 2
    assert done.stderr == ""
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    rulings = [reply for reply in replies if reply["kind"] == "ruling"]
    errors = [reply for reply in replies if reply["kind"] == "error"]
    assert rulings
    assert errors[0]["code"] == "journal"
    assert "nothing was changed" in errors[0]["sentence"]
    code = replies[0]["id"]
    with Journal.open(path) as journal:
        assert journal.notices == ()
        assert len(journal.stored(code).entries) == len(rulings)
    first = replies.index(errors[0])
    assert replies[first + 1]["kind"] != "error"
    assert len(rulings) > 2 * first, "the file is read again, its log begins anew, and the match goes on"


# --- what goes out ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "arguments",
    [("demo", "three"), ("demo", "triple3", "--seed", "2"), ("--help",), ("rules", "tres")],
    ids=lambda given: given[0],
)
def test_output_that_is_closed_early(arguments: tuple[str, ...]) -> None:
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([*COMPANION, *arguments], stdout=write, stderr=subprocess.PIPE, cwd=PROJECT, check=False)
    os.close(write)
    assert done.stderr == b""
    assert done.returncode == 0


def test_a_referee_whose_reader_has_gone(path: Path) -> None:
    """What it has kept is kept."""
    read, write = os.pipe()
    with subprocess.Popen(
        [*COMPANION, *REFEREE, "--journal", str(path)],
        stdin=subprocess.PIPE,
        stdout=write,
        stderr=subprocess.PIPE,
        cwd=PROJECT,
    ) as process:
        os.close(write)
        with os.fdopen(read, "rb", buffering=0) as told:
            code = json.loads(told.readline())["id"]
        _, said = process.communicate(b'{"move":"begin","player":"Anna"}\n{"move":"play","player":"Anna"}\n')
    assert said == b""
    with Journal.open(path) as journal:
        assert len(journal.stored(code).entries) == 1


def test_an_output_on_a_full_disk() -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [*COMPANION, "demo", "three"], stdout=full, stderr=subprocess.PIPE, text=True, cwd=PROJECT, check=False
        )
    assert "The output cannot be written: No space left on device." in sentence(done)


def test_what_is_wrong_with_publishing_is_said_before_a_match_begins(
    tmp_path: Path, path: Path, refused: Refused
) -> None:
    missing = tmp_path / "club.toml"
    assert "club.toml cannot be read" in refused("referee", "three", "--players", "Anna,Ben", "--publish", missing)
    assert not path.exists()
    watched = ("watch", "simulated", "--game", "triple3", "--record", tmp_path / "record")
    assert "club.toml cannot be read" in refused(*watched, "--publish", missing)
    assert not (tmp_path / "record").exists()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (PermissionError(13, "Permission denied", "/etc/x"), "/etc/x cannot be used: Permission denied."),
        (OSError(40, "Too many levels of links"), "The system refuses something: Too many levels of links."),
        (OSError(), "The system refuses something: OSError."),
    ],
)
def test_what_else_the_system_refuses_is_not_put_down_to_the_output(
    error: OSError, said: str, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_options: object) -> int:
        raise error

    monkeypatch.setattr("companion.commands.matches_command.run", fails)
    assert refused("matches") == said


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_without_an_input_or_output(closed: str) -> None:
    done = subprocess.run(
        ["sh", "-c", f'"$@" {closed}', "sh", *COMPANION, *REFEREE, "--no-journal"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "must be open" in sentence(done)


def test_without_an_error_output_nothing_is_complained_of_on_the_other() -> None:
    """Who reads JSON there would find a sentence in it."""
    words = ["sh", "-c", '"$@" 2>&-', "sh", *COMPANION, *REFEREE, "--no-journal"]
    done = subprocess.run(words, cwd=PROJECT, capture_output=True, check=False)
    assert (done.returncode, done.stdout) == (2, b"")


def test_the_lines_are_utf_8_whatever_the_locale(path: Path) -> None:
    done = companion(
        "demo",
        "triple3",
        "--journal",
        path,
        env={**os.environ, "LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Triple³: ")


# --- commands --------------------------------------------------------------------------------------------------


def test_exit_codes_of_the_referee(path: Path) -> None:
    assert referee(path).returncode == 0
    assert referee(path, '{"move":"pass","player":"Otto","at":1}\n').returncode == 0  # a foul is no wrong input
    assert referee(path, MOVE + '{"move":"play","player":"Anna","at":0}\n').returncode == 2
    assert referee(path, "nonsense\n").returncode == 2


def test_a_replay_tells_what_was_told(path: Path) -> None:
    """Ruling for ruling, each table as it was then."""
    demo = companion("demo", "tres", "--journal", path, "--seed", "5", "--mistakes", "0")
    code = next(iter(contents(path)[0]))
    replay = companion("replay", code[:5], "--journal", path)
    assert replay.stdout.splitlines() == demo.stdout.splitlines()[1:-1]
    rulings = [json.loads(line) for line in companion("replay", code, "--json", "--journal", path).stdout.splitlines()]
    assert [reply["table"]["moves"] for reply in rulings] == list(range(1, len(rulings) + 1))
    assert [reply["number"] for reply in rulings] == list(range(1, len(rulings) + 1))
    assert rulings[0]["table"]["over"] is None
    stepped = companion("replay", code, "--step", "--journal", path, told="\n\n")
    assert stepped.stdout.splitlines() == replay.stdout.splitlines()[:3]


def test_what_was_played(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["matches"]) == 0
    assert capfd.readouterr().out == "Nothing has been played yet.\n"
    with Journal.open(path) as journal:
        for name in NAMES:
            keep(journal, *played(name))
        keep(journal, *played("threepia", 3, time_trial=True))
        codes = [one.code for one in journal.matches()]
    assert main(["matches"]) == 0
    assert [line.split()[0] for line in capfd.readouterr().out.splitlines()] == codes
    assert main(["matches", "tres"]) == 0
    assert capfd.readouterr().out.count("\n") == 1
    assert main(["matches", "--best"]) == 0
    told = capfd.readouterr().out
    assert told.startswith("Most wins:\n  ")
    assert codes[0] in told.split("Best Threepia time trials:")[1].split("Longest")[0]
    assert main(["export", codes[0], "--sheet"]) == 0
    assert codes[0] in capfd.readouterr().out
