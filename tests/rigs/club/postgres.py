"""A PostgreSQL of its own, in a folder, at a free port of the loopback; it can be stopped and started again."""

import os
import shutil
import subprocess
from pathlib import Path

from tests.publishing.mosquitto import free_port
from tests.rigs.running import RigError

PLACES = ("/usr/lib/postgresql/17/bin", "/usr/lib/postgresql/16/bin", "/usr/lib/postgresql/15/bin")
OWNER = "postgres"  # root may not run it


def program(name: str) -> str | None:
    return shutil.which(name, path=":".join((*PLACES, os.environ.get("PATH", os.defpath))))


class Postgres:
    def __init__(self, folder: Path) -> None:
        self._data, self._log, self.port = folder / "postgres", folder / "postgres.log", free_port()
        self._as = ("runuser", "-u", OWNER, "--") if os.geteuid() == 0 else ()
        self._data.mkdir()
        if self._as:
            folder.chmod(0o755)
            shutil.chown(self._data, OWNER)
            self._log.touch()
            shutil.chown(self._log, OWNER)
        self._do("initdb", "-D", str(self._data), "-A", "trust", "-U", "board", "--no-sync")

    @property
    def address(self) -> str:
        return f"postgresql://board@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={self._data}"
        self._do("pg_ctl", "-D", str(self._data), "-l", str(self._log), "-o", options, "-w", "start")

    def stop(self) -> None:
        self._do("pg_ctl", "-D", str(self._data), "-m", "fast", "-w", "stop")

    def _do(self, name: str, *words: str) -> None:
        found = program(name)
        if found is None:
            raise RigError(f"{name} is missing: apt install postgresql.")
        quiet, told = subprocess.DEVNULL, subprocess.PIPE
        command = [*self._as, found, *words]
        done = subprocess.run(command, stdout=quiet, stderr=told, text=True, check=False, cwd="/")
        if done.returncode:
            raise RigError(f"{name}: {done.stderr.strip()[-500:]}")
