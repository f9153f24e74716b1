"""The open chain of a match: what its entries say, without names and without what nobody may look up, hashed one into
the next.

Whoever hears of a match by the network tells by it whether an entry follows the one before, and whether two that have
the same number are the same. The chain in the journal covers everything, so a card that lies face down could be
guessed from it; from this one it cannot. It is the same in a journal, in a copy and in an exported file.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from companion.core.codec import written
from companion.core.record import moves_of
from companion.games import game as game_named
from companion.journal.chain import SETUP

LETTERS = 32  # of a hash: 128 bits
BEGINNING = ""  # what the set-up goes on from


class OpenChain:
    """Makes the hashes of one match, the set-up first. `setup` is its JSON form."""

    def __init__(self, setup: Mapping[str, Any]) -> None:
        self._game = game_named(str(setup["game"]))
        self._seats = {player["name"]: f"#{seat}" for seat, player in enumerate(setup["players"])}
        self.number = -1  # of the newest entry
        self.hash = BEGINNING

    def follow(self, kind: str, body: Mapping[str, Any]) -> str:
        """The hash of the next entry."""
        told = self._of_setup(body) if kind == SETUP else self._opened(body)
        self.number += 1
        line = f"{self.hash} {self.number} {kind} {written(told)}"
        self.hash = sha256(line.encode(errors="replace")).hexdigest()[:LETTERS]
        return self.hash

    def _of_setup(self, body: Mapping[str, Any]) -> list[Any]:
        """House rules are not in it: one that came with a newer companion is filled in when a set-up is read."""
        return [body["id"], body["game"], len(body["players"]), body["rematch_of"]]

    def _opened(self, body: Any) -> Any:
        """Without names, and without what nobody may look up."""
        if isinstance(body, Mapping):
            word = body.get("move")
            kind = moves_of(self._game).get(word) if isinstance(word, str) else None
            concealed = kind.concealed if kind else ()
            return {key: self._opened(body[key]) for key in sorted(body) if key not in concealed}
        if isinstance(body, list):
            return [self._opened(item) for item in body]
        return self._seats.get(body, body) if isinstance(body, str) else body
