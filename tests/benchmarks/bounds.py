"""How large a share may be of which so many cases were counted."""

from math import exp, lgamma, log, log1p

SURE = 0.95
STEPS = 60  # halvings: more than a float can tell apart


def upper_bound(count: int, of: int, sure: float = SURE) -> float:
    """The share that is not exceeded, with this certainty, where `count` of so many cases were found (Clopper and
    Pearson, one side)."""
    if count >= of:
        return 1.0
    low, high = count / of, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _at_most(count, of, middle) > 1 - sure else (low, middle)
    return high


def _at_most(count: int, of: int, share: float) -> float:
    """How likely it is to find no more, if that is the share."""
    if not 0 < share < 1:
        return float(share <= 0)
    ways = (lgamma(of + 1) - lgamma(one + 1) - lgamma(of - one + 1) for one in range(count + 1))
    return sum(exp(way + one * log(share) + (of - one) * log1p(-share)) for one, way in enumerate(ways))
