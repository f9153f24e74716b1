"""Files that others hand on: pipes, devices, files of nothing but a length, and lists and texts beyond all measure."""

import hashlib
import json
import os
import random
import socket
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

from tests.attacks.attack import Attack
from tests.attacks.meter import companion, must_be_refused

Make = Callable[[Path], object]
PROJECT = Path(__file__).parents[2]
MODELS = PROJECT / "models"


def a_pipe(path: Path) -> None:
    os.mkfifo(path)


def a_device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def a_length(path: Path) -> None:
    """Ten gigabytes that take no room on the disk."""
    path.touch()
    os.truncate(path, 10 * 10**9)


def a_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(str(path))


def brackets(path: Path) -> None:
    path.write_bytes(b'{"recording": 1, "size": ' + b"[" * 90_000_000)


def pairs_of_brackets(path: Path) -> None:
    path.write_bytes(b'{"recording": 1, "size": [' + b"[]," * 30_000_000 + b"[]]}")


def a_long_list(path: Path) -> None:
    path.write_bytes(b"0.jpg 0\n" * 12_250_000)


def many_short_lines(path: Path) -> None:
    path.write_bytes(b"0.jpg 0\n" * 2_000_000)


def a_key_of_parts(path: Path) -> None:
    path.write_text(".".join("a" * 32_000) + " = 1\n", encoding="ascii")


MAKES: dict[str, Make] = {
    "a pipe": a_pipe,
    "/dev/zero": a_device,
    "10 GB of nothing": a_length,
    "a socket": a_socket,
}

REFEREE = ("referee", "three", "--players", "Anna,Ben", "--no-journal")

# What is written in place of FILE, and which words lead to its being read.
DOORS: dict[str, tuple[str, tuple[str, ...]]] = {
    "a match that is imported": ("match.json", ("import", "FILE", "--journal", "j.sqlite3")),
    "--buttons": ("table.toml", (*REFEREE, "--buttons", "FILE")),
    "--publish": ("table.toml", (*REFEREE, "--publish", "FILE")),
    "a field": ("field.toml", ("rules", "threepia", "--house", "field=FILE")),
    "a script": ("script.json", ("watch", "FILE")),
    "the settings of a camera": ("settings.json", ("watch", "camera", "--settings", "FILE")),
    "a picture": ("table.jpg", ("read", "FILE")),
}


def through(door: str, make: Make) -> Callable[[Path], str]:
    name, words = DOORS[door]

    def run(folder: Path) -> str:
        make(folder / name)
        return must_be_refused(companion(*(word.replace("FILE", name) for word in words), folder=folder), name)

    return run


def recording(folder: Path, without: str) -> Path:
    """A recording that is sound but for one file, which is to be made."""
    made = folder / "recording"
    made.mkdir()
    about = {"recording": 1, "size": [64, 48], "frames": 1}
    for name, text in (("about.json", json.dumps(about)), ("stamps.txt", "0.jpg 0\n"), ("said.jsonl", "")):
        if name != without:
            (made / name).write_text(text, encoding="utf-8")
    return made


def _recorded(name: str, make: Make) -> Callable[[Path], str]:
    def run(folder: Path) -> str:
        make(recording(folder, name) / name)
        return must_be_refused(companion("watch", "recording", folder=folder), name)

    return run


def _listed(make: Make) -> Callable[[Path], str]:
    def run(folder: Path) -> str:
        (folder / "pictures").mkdir()
        (folder / "pictures" / "0.jpg").touch()
        make(folder / "pictures" / "stamps.txt")
        return must_be_refused(companion("watch", "pictures", folder=folder), "stamps.txt")

    return run


def configured(make: Make) -> Callable[[Path], str]:
    """A configuration stops nobody: it is told, and everything is as usual."""

    def run(folder: Path) -> str:
        make(folder / "table.toml")
        found = companion("backup", "--configuration", "table.toml", folder=folder)
        told = next(line for line in found.complaint.splitlines() if "table.toml" in line)
        assert "as usual" in told, told
        assert found.is_bearable, found.cost
        return f"{told.removeprefix('companion: ')} ({found.cost})"

    return run


def _with_models(folder: Path) -> Path:
    """The program, with a folder of its own for its models."""
    for room in ("companion", "hardware", "vision"):
        (folder / room).symlink_to(PROJECT / room)
    (folder / "models").mkdir()
    return folder / "models"


def spoilt_model(folder: Path, chance: random.Random, bytes_changed: int) -> None:
    """Model files with other bytes, and their checksums in the card: whoever exchanges the one can write the other."""
    card = json.loads((MODELS / "reader.json").read_text(encoding="utf-8"))
    for name, about in card["files"].items():
        content = bytearray((MODELS / name).read_bytes())
        for _ in range(bytes_changed):
            content[chance.randrange(len(content))] = chance.randrange(256)
        (folder / name).write_bytes(content)
        about["sha256"] = hashlib.sha256(content).hexdigest()
    (folder / "reader.json").write_text(json.dumps(card), encoding="utf-8")


def spoilt_models(folder: Path) -> str:
    """Each is refused in a sentence, or read with."""
    models, ends = _with_models(folder), Counter[str]()
    for seed in range(15):
        spoilt_model(models, random.Random(seed), 1 + 40 * seed**2)
        found = companion("read", PROJECT / "vision" / "selftest" / "daylight.jpg", folder=folder, project=folder)
        if found.code:
            must_be_refused(found, "model")
        ends["refused" if found.code else "read with"] += 1
    return ", ".join(f"{count} {end}" for end, count in sorted(ends.items()))


def _card(make: Make) -> Callable[[Path], str]:
    """The program with another card beside its model files."""

    def run(folder: Path) -> str:
        make(_with_models(folder) / "reader.json")
        picture = next((PROJECT / "vision" / "selftest").glob("*.jpg"))
        found = companion("read", picture, folder=folder, project=folder)
        return must_be_refused(found, "reader.json")

    return run


def _attacks() -> Iterator[Attack]:
    for (what, make), door in product(MAKES.items(), DOORS):
        yield Attack("file", f"{door} is {what}", through(door, make))
    for what, make in MAKES.items():
        yield Attack("file", f"--configuration is {what}", configured(make))
        yield Attack("file", f"reader.json is {what}", _card(make))
        yield Attack("recording", f"stamps.txt of pictures is {what}", _listed(make))
        for name in ("about.json", "stamps.txt", "said.jsonl"):
            yield Attack("recording", f"{name} is {what}", _recorded(name, make))
    for door in ("--buttons", "--publish", "a field"):
        yield Attack("file", f"{door} has a key of 32,000 parts", through(door, a_key_of_parts))
    yield Attack("model", "bytes are changed, and the checksum too", spoilt_models)
    yield Attack("recording", "about.json has 90 MB of brackets", _recorded("about.json", brackets))
    yield Attack("recording", "about.json has 90 MB of lists", _recorded("about.json", pairs_of_brackets))
    yield Attack("recording", "stamps.txt has 98 MB", _recorded("stamps.txt", a_long_list))
    yield Attack("recording", "stamps.txt has two million lines", _recorded("stamps.txt", many_short_lines))


ATTACKS = tuple(_attacks())
