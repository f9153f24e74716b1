"""`make train`: from nothing to the files in models/. Pictures first, then the network, then the files.

python -m tools.train [--folder build/train] [--squares N] [--passes N] [--editions N] [--wide N] [--only FILES]
                      [--to models]
"""

import platform
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from tools.train.data import SECOND, loaded, made
from vision.squares import FINE_SIDE

PROJECT = Path(__file__).parents[2]
LEARN_SEED, CHECK_SEED, START_SEED, SCATTER_SEED = 3001, 3002, 3003, 3004
WIDE_SEED, WIDE_CHECK_SEED, CLOSER_SEED = 3005, 3006, 3008

WIDE, WIDE_CHECK, CLOSER_PASSES = 14_000, 4_000, 5

Say = Callable[[str], None]


def arguments() -> Namespace:
    parser = ArgumentParser(prog="python -m tools.train", description="Trains the reader from nothing.")
    parser.add_argument("--folder", type=Path, default=PROJECT / "build" / "train", help="where the pictures go")
    parser.add_argument("--squares", type=int, default=120_000, help="to learn from (default: 120,000)")
    parser.add_argument("--check", type=int, default=12_000, help="to check and calibrate by (default: 12,000)")
    parser.add_argument("--passes", type=int, default=7, help="over all of them (default: 7)")
    parser.add_argument("--editions", type=int, default=300, help="drawn ones for the features (default: 300)")
    parser.add_argument("--wide", type=int, default=WIDE, help=f"squares of wide editions (default: {WIDE:,})")
    parser.add_argument(
        "--only",
        choices=("reader", "closer", "features", "decks"),
        default="",
        help="make some files only: closer is what looks closely, made of the reader that is there",
    )
    parser.add_argument("--to", type=Path, default=PROJECT / "models")
    return parser.parse_args()


def main(asked: Namespace) -> int:
    start = time.monotonic()

    def say(sentence: str) -> None:
        print(f"{(time.monotonic() - start) / 60:6.1f} min  {sentence}", flush=True)  # noqa: T201

    if asked.only in ("", "features"):
        _features(asked, say)
    if asked.only in ("", "reader"):
        _reader(asked, say, start)
    if asked.only in ("", "reader", "closer"):
        _closer(asked, say)
    if asked.only in ("", "decks"):
        _decks(asked, say)
    return 0


def _features(asked: Namespace, say: Say) -> None:
    """The network of all decks that are taught, from weights that others trained."""
    from tools.train import scatter  # noqa: PLC0415

    folder = asked.folder / "scatter"
    for share in scatter.scattered(asked.editions, SCATTER_SEED, folder):
        if share == 1:
            say(f"{asked.editions} editions to spread features by")
    from tools.train.features_file import written  # noqa: PLC0415 - TensorFlow would start in every process that draws
    from tools.train.lite0 import weights  # noqa: PLC0415

    about = {"seed": SCATTER_SEED, "editions": asked.editions, "with": _with()}
    card = written(weights(), scatter.loaded(folder), asked.to, about)
    say(f"written to {asked.to.name}/: {', '.join(card['files'])}")


def _reader(asked: Namespace, say: Say, start: float) -> None:
    """The network of our own deck and of editions that nobody taught."""
    for count, seed, name in ((asked.squares, LEARN_SEED, "learn"), (asked.check, CHECK_SEED, "check")):
        folder = asked.folder / name
        for share in made(count, seed, folder):
            if share == 1:
                say(f"{count:,} squares to {name} by")
    learn, check = loaded(asked.folder / "learn"), loaded(asked.folder / "check")
    from tools.train.export import written  # noqa: PLC0415 - TensorFlow would start in every process that draws
    from tools.train.fit import fitted, logits_of, right  # noqa: PLC0415

    model = None
    for number, (loss, fitted_model) in enumerate(fitted(learn, asked.passes, START_SEED), 1):
        model = fitted_model
        shares = right(check.labels, logits_of(model, check))
        say(f"pass {number}: loss {loss:.3f}; right: " + ", ".join(f"{name} {at:.2%}" for name, at in shares.items()))
    about = {
        "squares": asked.squares,
        "passes": asked.passes,
        "seeds": {"learn": LEARN_SEED, "check": CHECK_SEED, "start": START_SEED},
        "minutes": round((time.monotonic() - start) / 60, 1),
        "parameters": model.count_params() if model else 0,
        "with": _with(),
    }
    card = written(model, learn, check, asked.to, about)
    say(f"written to {asked.to.name}/: {card['held out']}")


def _decks(asked: Namespace, say: Say) -> None:
    """The files of printed decks that no network knows, taught with the features that are in models/."""
    from tools.train import printed_decks  # noqa: PLC0415 - it needs the features' files

    for name in printed_decks.written(asked.to):
        say(f"written to {asked.to.name}/: {name}")


def _closer(asked: Namespace, say: Say) -> None:
    """The network that looks closely where the first one doubts, which it begins as."""
    for count, seed, name in ((asked.wide, WIDE_SEED, "wide"), (WIDE_CHECK, WIDE_CHECK_SEED, "wide-check")):
        for share in made(count, seed, asked.folder / name, SECOND):
            if share == 1:
                say(f"{count:,} squares of wide editions, {name}")
    learn, check = loaded(asked.folder / "wide"), loaded(asked.folder / "wide-check")
    from tools.train.closely import closely_fitted  # noqa: PLC0415
    from tools.train.export import FLOAT, closer_written  # noqa: PLC0415
    from tools.train.fit import logits_of, right  # noqa: PLC0415
    from tools.train.unfolding import network_in  # noqa: PLC0415

    model = network_in(asked.to / FLOAT, FINE_SIDE)
    for number, loss in enumerate(closely_fitted(model, learn, CLOSER_PASSES, CLOSER_SEED), 1):
        shares = right(check.labels, logits_of(model, check))
        say(f"pass {number}: loss {loss:.3f}; right: " + ", ".join(f"{name} {at:.2%}" for name, at in shares.items()))
    about = {
        "squares": asked.wide,
        "passes": CLOSER_PASSES,
        "seeds": {"learn": WIDE_SEED, "check": WIDE_CHECK_SEED, "order": CLOSER_SEED},
        "parameters": model.count_params(),
        "with": _with(),
    }
    card = closer_written(model, learn, check, asked.to, about)
    say(f"written to {asked.to.name}/: {card['closer']['held out']}")


def _with() -> str:
    import tensorflow as tf  # noqa: PLC0415

    return f"Python {platform.python_version()}, TensorFlow {tf.__version__}"


if __name__ == "__main__":
    sys.exit(main(arguments()))
