"""The builder of Debian roots as far as it goes without root's rights: what is made, kept, lent, and entered."""

from pathlib import Path

import pytest

from tests.rigs import debian, lending
from tests.rigs.debian import Manner, Recipe, Root, entered, kept
from tests.rigs.running import RigError


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debian, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(debian, "PROJECT", tmp_path)
    monkeypatch.setattr(debian, "own_kind", lambda: "amd64")
    monkeypatch.setattr(debian, "lent", lambda **_: {"/etc/pip.conf": Path("/etc/hostname")})


@pytest.fixture
def bootstrapped(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Bases that were made, each with a file in it."""
    found: list[str] = []

    def bootstrap(suite: str, kind: str, folder: Path) -> None:
        found.append(f"{suite}-{kind}")
        (folder / "of").write_text(found[-1], encoding="utf-8")

    monkeypatch.setattr(debian, "_bootstrap", bootstrap)
    return found


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = []
    monkeypatch.setattr(Root, "install", lambda _root, packages: found.append(tuple(packages)))
    return found


def test_a_base_is_made_once(bootstrapped: list[str], installed: list[tuple[str, ...]], tmp_path: Path) -> None:
    for number, suite in enumerate(("bookworm", "bookworm", "trixie")):
        root = debian.make(Recipe(suite), tmp_path / str(number))
        assert (root.path / "of").read_text(encoding="utf-8") == f"{suite}-amd64"
        assert root.rig.is_dir()
    debian.make(Recipe("trixie", ("gcc",), "arm64"), tmp_path / "foreign")
    assert bootstrapped == ["bookworm-amd64", "trixie-amd64", "trixie-arm64"]
    assert installed == [("gcc",)]
    debian.forget()
    debian.make(Recipe("trixie"), tmp_path / "again")
    assert bootstrapped[3:] == ["trixie-amd64"]


def test_what_a_rig_does_to_its_root_stays_there(
    bootstrapped: list[str], installed: list[tuple[str, ...]], tmp_path: Path
) -> None:
    (debian.make(Recipe("trixie"), tmp_path / "one").path / "of").write_text("used up", encoding="utf-8")
    assert (debian.make(Recipe("trixie"), tmp_path / "two").path / "of").read_text(encoding="utf-8") == "trixie-amd64"
    assert len(bootstrapped) == 1
    assert not installed


def test_half_a_base_is_none(
    bootstrapped: list[str], installed: list[tuple[str, ...]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = debian._bootstrap

    def breaks_off(_suite: str, _kind: str, folder: Path) -> None:
        (folder / "half").touch()
        raise RigError("the mirror is gone.")

    monkeypatch.setattr(debian, "_bootstrap", breaks_off)
    with pytest.raises(RigError):
        debian.make(Recipe("trixie"), tmp_path / "one")
    monkeypatch.setattr(debian, "_bootstrap", whole)
    root = debian.make(Recipe("trixie"), tmp_path / "one")
    assert not (root.path / "half").exists()
    assert bootstrapped == ["trixie-amd64"]
    assert not installed


def test_a_root_is_kept_while_its_recipe_stays(
    bootstrapped: list[str], installed: list[tuple[str, ...]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "root"
    for packages in (("gcc",), ("gcc",), ("make",), ("make",)):
        kept(Recipe("trixie", packages), place)
    assert installed == [("gcc",), ("make",)]
    assert len(bootstrapped) == 1

    def breaks_off(_root: Root, _packages: object) -> None:
        raise RigError("the mirror is gone.")

    with monkeypatch.context() as broken:
        broken.setattr(Root, "install", breaks_off)
        with pytest.raises(RigError):
            kept(Recipe("trixie", ("cpio",)), place)
    kept(Recipe("trixie", ("cpio",)), place)
    assert installed[2:] == [("cpio",)], "half a root is none"


def test_a_copy_is_another_root(tmp_path: Path) -> None:
    root = Root(tmp_path / "root")
    (root.path / "etc").mkdir(parents=True)
    (tmp_path / "copy" / "old").mkdir(parents=True)
    copy = root.copied_to(tmp_path / "copy")
    assert [path.name for path in copy.path.iterdir()] == ["etc"]


# --- How a root is entered


def script_of(manner: Manner, root: str = "/a root") -> tuple[list[str], list[str]]:
    """The lines of the script, and all words around it."""
    words = entered(Path(root), ["true"], manner)
    return words[words.index("-c") + 1].splitlines(), words


def test_the_project_and_what_is_lent_are_shown_and_cannot_be_changed(tmp_path: Path) -> None:
    lines, words = script_of(Manner())
    assert lines[1] == "cd '/a root'"
    for there, path in (("./rig/project", tmp_path), ("./etc/pip.conf", "/etc/hostname")):
        bound = lines.index(f"mount --bind {path} {there}")
        assert lines[bound + 1] == f"mount -o remount,bind,ro {there}"
    assert words[-1] == "true"
    assert {"--mount", "--pid", "--kill-child"} <= set(words)
    assert "--net" not in words


def test_hidden_folders_hide_what_is_lent_too() -> None:
    lines, _ = script_of(Manner(hidden=("/etc",)))
    assert lines.index("mount -t tmpfs none ./etc") > lines.index("mount --bind /etc/hostname ./etc/pip.conf")


def test_who_and_how(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debian, "environment", lambda: {"PIP_CERT": "/cert"})
    _, words = script_of(Manner(user="nobody", settings={"HOME": "/there"}, network=False))
    assert "--net" in words
    assert words[words.index("setpriv") :][:4] == ["setpriv", "--reuid=nobody", "--regid=nogroup", "--init-groups"]
    assert {"HOME=/there", "PIP_CERT=/cert", "LC_ALL=C.UTF-8"} <= set(words)
    lines, words = script_of(Manner(user="companion", written={"/var/cache": tmp_path}))
    assert "--regid=companion" in words
    assert lines.index(f"mount --bind {tmp_path} ./var/cache") > 0
    assert "mount -o remount,bind,ro ./var/cache" not in lines


def test_a_failure_inside_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(debian, "entered", lambda _root, command, _manner: list(command))
    root = Root(Path("/there"))
    assert root.must("echo", "good") == "good\n"
    with pytest.raises(RigError, match=r"(?s)ended with 3 in /there.*why"):
        root.must("sh", "-c", "echo why; exit 3")


# --- What is lent


@pytest.fixture
def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """This computer's, with an index in a folder, a certificate in another, and one that is not there."""
    for name in ("index/simple", "wheels/more", "ssl"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "ssl/ca.crt").touch()
    links = f"find-links = {tmp_path}/wheels {tmp_path}/wheels/more\n"
    pip = f"[global]\nextra-index-url = file://{tmp_path}/index/simple\n{links}"
    monkeypatch.setattr(lending, "pip_settings", lambda: pip)
    monkeypatch.setattr(lending, "apt_settings", lambda: f'Acquire::https::CaInfo "{tmp_path}/ssl/ca.crt";\n')
    monkeypatch.setattr(lending, "environment", lambda: {"SSL_CERT_DIR": "/not/there"})
    return tmp_path


def test_every_path_of_the_settings_is_lent_once(settings: Path) -> None:
    assert lending.lent_paths() == [settings / "index", settings / "wheels", settings / "ssl/ca.crt"]


def test_certificates_are_kept_back_while_a_root_installs_its_own(
    settings: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lending, "CERTIFICATES", str(settings / "ssl"))
    monkeypatch.setattr(lending, "_settings_files", lambda: {"/etc/pip.conf": settings / "pip.conf"})
    theirs = str(settings / "ssl/ca.crt")
    assert theirs in lending.lent()
    assert theirs not in lending.lent(certificates=False)
    assert {"/etc/pip.conf", "/etc/hosts", "/etc/resolv.conf", str(settings / "wheels")} <= set(
        lending.lent(certificates=False)
    )


def test_only_what_reaches_an_index_is_lent_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PIP_CERT", "https_proxy", "HTTP_PROXY", "SSL_CERT_FILE", "SECRET", "PIPE", "MY_PIP_CERT"):
        monkeypatch.setenv(name, "of this test")
    found = {name for name, value in lending.environment().items() if value == "of this test"}
    assert found == {"PIP_CERT", "https_proxy", "HTTP_PROXY", "SSL_CERT_FILE"}
