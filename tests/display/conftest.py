"""No device of this machine is looked at."""

from collections.abc import Mapping
from functools import partial

import pytest

from companion.doctor.health import WORKS, Check, Finding


@pytest.fixture(autouse=True)
def _well_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    """The doctor finds two devices at once, both well."""

    def checks(*_: object) -> Mapping[str, Check]:
        return {device: partial(Finding, device, WORKS) for device in ("screen", "journal")}

    monkeypatch.setattr("companion.display.app.usual_checks", checks)
