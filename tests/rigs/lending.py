"""What this computer lends to a Debian root: how a mirror and a package index are reached from here.

Mirrors, proxies, certificates and folders of wheels are asked of apt, pip and the environment at run time, and shown in
a root only while a command runs there. Nothing of them is kept in it.
"""

import os
import re
import sys
from functools import cache
from pathlib import Path

from tests.rigs.running import PROJECT, RigError, asked

SETTINGS = PROJECT / ".cache" / "rigs" / "lent"
CERTIFICATES = "/etc/ssl"


@cache
def mirror() -> str:
    """The mirror from which apt on this computer takes Debian."""
    found = mirror_if_any()
    if not found:
        raise RigError("apt on this machine names no mirror of Debian; `apt-get update` may help.")
    return found


def mirror_if_any() -> str:
    targets = asked("apt-get", "indextargets", "--format", "$(ORIGIN) $(REPO_URI)", "Created-By: Packages")
    named = (target.partition(" ") for target in targets.splitlines())
    return next((address for origin, _, address in named if origin == "Debian"), "")


def proxies() -> dict[str, str]:
    """The environment with apt's proxies in it, because debootstrap does not ask apt."""
    found = dict(os.environ)
    for scheme in ("http", "https"):
        answer = re.search(r"'(.+)'", asked("apt-config", "shell", "found", f"Acquire::{scheme}::Proxy"))
        if answer and answer[1] != "DIRECT":
            found.setdefault(f"{scheme}_proxy", answer[1])
    return found


@cache
def apt_settings() -> str:
    wanted = re.compile(r"Acquire::(\w+::Proxy|https?::.*Ca\w+|Check-Valid-Until)\b", re.IGNORECASE)
    return "".join(line + "\n" for line in asked("apt-config", "dump").splitlines() if wanted.match(line))


@cache
def pip_settings() -> str:
    """All levels of pip's configuration as one file; the environment goes along by itself."""
    found = re.findall(r"^(\w+)\.([\w-]+)='(.*)'$", asked(sys.executable, "-m", "pip", "config", "list"), re.MULTILINE)
    sections: dict[str, str] = {}
    for section, key, value in found:
        sections[section] = sections.get(section, f"[{section}]\n") + f"{key} = {value}\n"
    return "".join(sections.values())


def environment() -> dict[str, str]:
    wanted = re.compile(r"PIP_\w+|\w+_proxy|SSL_CERT_\w+|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE", re.IGNORECASE)
    return {name: value for name, value in os.environ.items() if wanted.fullmatch(name)}


def lent_paths() -> list[Path]:
    """Every file or folder of this computer of which those settings speak."""
    words = re.split(r"[\s'\"=;]+", " ".join([pip_settings(), apt_settings(), *environment().values()]))
    indexes = [Path(word.removeprefix("file://")).parent for word in words if word.startswith("file://")]
    others = [Path(word) for word in words if word.startswith("/")]
    found = [path for path in dict.fromkeys(indexes + others) if path.exists()]
    return [path for path in found if not any(parent in found for parent in path.parents)]


def lent(*, certificates: bool = True) -> dict[str, Path]:
    """What is shown where in a root. Its own certificates can only be installed while ours are not shown over them."""
    shown = {str(path): path for path in lent_paths() if certificates or not str(path).startswith(CERTIFICATES)}
    shown |= {f"/etc/{name}": Path("/etc", name) for name in ("resolv.conf", "hosts")}
    return shown | _settings_files()


@cache
def _settings_files() -> dict[str, Path]:
    SETTINGS.mkdir(parents=True, exist_ok=True)
    texts = {"/etc/apt/apt.conf.d/90lent": apt_settings(), "/etc/pip.conf": pip_settings()}
    found = {there: SETTINGS / Path(there).name for there in texts}
    for there, path in found.items():
        path.write_text(texts[there], encoding="utf-8")
    return found
