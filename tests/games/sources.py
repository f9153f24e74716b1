"""The source text of a game's rules, all modules of them."""

from pathlib import Path
from types import ModuleType


def source_of(rules: ModuleType) -> str:
    files = sorted(file for folder in rules.__path__ for file in Path(folder).glob("*.py"))
    assert len(files) > 1, rules
    return "\n".join(file.read_text(encoding="utf-8") for file in files)
