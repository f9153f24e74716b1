"""Competing claims whose stamps cannot be told apart are a tie, whatever way they came in."""

from companion.core.match import Match
from companion.core.photo_finish import Finish, alone, joint
from companion.core.rules import Move


def tie(match: Match, claim: Move, gap: int, stamp: int, margin: int) -> Move | None:
    """The newest move of a match and a claim that came so many nanoseconds after it, as the one move that both are;
    none if they can be told apart or do not compete. `stamp` is the claim's on the machine's clock."""
    if abs(gap) > margin or not match.line or match.paused or match.waits or match.abandoned:
        return None
    first = match.line[-1].move
    seated, struck = claimants(claim), claimants(first)
    if not seated or not struck or set(seated) & set(struck) or not {*seated, *struck} <= set(match.setup.names):
        return None
    finish = joint(_finish(first, stamp - gap, margin), _finish(claim, stamp, margin))
    return match.game.together(first, claim, finish)


def claimants(move: Move) -> tuple[str, ...]:
    """Who makes a claim; several that are tied already, none where nobody knows whose hand it was."""
    finish = _own(move)
    tied: tuple[str, ...] = getattr(move, "tied", ()) or (finish.tied if finish else ())
    return tied or ((move.player,) if move.player else ())


def _finish(move: Move, stamp: int, margin: int) -> Finish:
    return _own(move) or alone(claimants(move), stamp, margin)


def _own(move: Move) -> Finish | None:
    found: Finish | None = getattr(move, "finish", None)
    return found
