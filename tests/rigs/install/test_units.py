"""What systemd says of our units, and which of it does not count."""

import pytest

from tests.rigs.install.__main__ import without_newer_keys

KNOWN = "/etc/systemd/system/companion.service:34: Unknown key 'RestartSteps' in section [Service], ignoring."
OTHERS = (
    "/etc/systemd/system/companion.service:34: Unknown key 'RestartStep' in section [Service], ignoring.",
    "/etc/systemd/system/companion.service:34: Unknown key 'RestartSteps' in section [Unit], ignoring.",
    "companion.service: Command /opt/companion is not executable: No such file or directory",
)


def test_newer_keys_count_for_nothing_where_systemd_is_older() -> None:
    assert without_newer_keys(f"{KNOWN}\n", "bookworm") == ""
    assert without_newer_keys(KNOWN, "trixie") == KNOWN


@pytest.mark.parametrize("line", OTHERS)
def test_whatever_else_it_says_counts(line: str) -> None:
    assert without_newer_keys(f"{KNOWN}\n{line}\n", "bookworm") == line
