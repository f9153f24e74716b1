"""`companion board`: a service that shows what tables publish, on phones and on a big screen."""

import argparse
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING

from companion.commands import BOARDS
from companion.commands.command_parser import add_commands
from companion.commands.console import complain, say
from companion.config.home import own_folder
from companion.core.errors import CompanionError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.board.books import BoardBooks

NAME = "board"
HELP = "show on phones what tables publish: a service of its own, beside a broker (docs/board.md)"
MISSING = "The board needs more packages than a table: pip install 'table-companion[board]' brings them."


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--broker", default="127.0.0.1", metavar="HOST[:PORT]", help="where the tables publish")
    parser.add_argument("--user", default="", help="as whom to listen there")
    parser.add_argument("--password-file", type=Path, metavar="FILE", help="its password, in the first line")
    parser.add_argument("--ca", type=Path, metavar="FILE", help="speak TLS, and trust whom this file signs for")
    about = "as the broker knows this board; each board has its own"
    parser.add_argument("--client", default="companion-board", metavar="NAME", help=about)
    parser.add_argument("--topic", default="companion", help="before the names of the tables")
    about = "the address to listen at; 0.0.0.0 lets in everybody in the network (default: this computer alone)"
    parser.add_argument("--host", default="127.0.0.1", metavar="ADDRESS", help=about)
    parser.add_argument("--port", type=int, default=8333, help="0: any that is free")
    parser.add_argument("--behind-proxy", action="store_true", help="a proxy on this computer says who asks")
    add_database(parser)
    add_commands(parser, BOARDS, title="what else to do", metavar="WHAT", dest="what")


def add_database(parser: argparse.ArgumentParser) -> None:
    about = "where results are kept: sqlite:///FILE or postgresql://USER@HOST/NAME"
    parser.add_argument("--database", default=argparse.SUPPRESS, metavar="URL", help=about)


def database_of(options: argparse.Namespace) -> str:
    named: str = getattr(options, "database", "")
    if named:
        return named
    try:
        folder = own_folder("XDG_STATE_HOME", "~/.local/state") / "companion"
    except RuntimeError:
        raise CompanionError("There is no home folder to keep results in: name a --database.") from None
    return f"sqlite:///{folder / 'board.sqlite3'}"


@contextlib.contextmanager
def opened_books(options: argparse.Namespace) -> "Iterator[BoardBooks]":
    """What fails in the database while it is open is said in a sentence too."""
    try:
        from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415  (which no table has)

        from companion.board.books import books_on  # noqa: PLC0415
        from companion.board.database import not_usable, opened  # noqa: PLC0415
    except ModuleNotFoundError:
        raise CompanionError(MISSING) from None
    engine = opened(database_of(options))
    try:
        yield books_on(engine)
    except SQLAlchemyError as error:
        raise not_usable(error) from None
    finally:
        engine.dispose()


def run(options: argparse.Namespace) -> int:
    try:
        from companion.board.broker_ear import BrokerAddress  # noqa: PLC0415  (what no table has)
        from companion.board.service import BoardWish, serve  # noqa: PLC0415
    except ModuleNotFoundError:
        raise CompanionError(MISSING) from None
    host, port = _address(options.broker, 8883 if options.ca else 1883)
    broker = BrokerAddress(host, port, options.user, options.password_file, options.ca, options.client, options.topic)
    serve(BoardWish(broker, database_of(options), options.host, options.port, options.behind_proxy), _tell)
    return 0


def _tell(sentence: str) -> None:
    if sentence.startswith("The board is at "):
        say(sentence)
    else:
        complain(sentence)


def _address(text: str, usual: int) -> tuple[str, int]:
    """A host and a port; an IPv6 address with a port stands in brackets."""
    host, colon, port = text.rpartition(":")
    if not colon or (":" in host and not host.endswith("]")):
        host, port = text, str(usual)
    host = host.removeprefix("[").removesuffix("]")
    if not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise CompanionError(f"--broker {text[:60]!r}: write HOST or HOST:PORT.")
    return host, int(port)
