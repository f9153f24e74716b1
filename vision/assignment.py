"""Who gets what, so that all together have the most: each row one column, and no column twice."""

import numpy as np
from numpy.typing import NDArray


def assigned(gains: NDArray[np.float64]) -> NDArray[np.int64]:
    """For each row its column; there must be at least as many columns as rows.

    Rows come one after the other. Each finds the cheapest way of exchanges to a column that nobody has, along prices
    that keep every exchange made so far a cheapest one.
    """
    costs = -np.asarray(gains, np.float64)
    rows, columns = costs.shape
    if rows > columns:
        raise ValueError(f"{rows} rows cannot have a column each of {columns}")
    of_row, of_column = np.zeros(rows), np.zeros(columns)  # prices
    owner = np.full(columns, -1)
    for row in range(rows):
        way, last = _cheapest_way(costs, of_row, of_column, owner, row)
        while last >= 0:
            before = way[last]
            owner[last] = owner[before] if before >= 0 else row
            last = before
    taken = np.empty(rows, np.int64)
    taken[owner[owner >= 0]] = np.flatnonzero(owner >= 0)
    return taken


def _cheapest_way(
    costs: NDArray[np.float64],
    of_row: NDArray[np.float64],
    of_column: NDArray[np.float64],
    owner: NDArray[np.int64],
    row: int,
) -> tuple[NDArray[np.int64], int]:
    """From which column one came to each, and the free column at the end; the prices change with it."""
    columns = len(of_column)
    least, way = np.full(columns, np.inf), np.full(columns, -1)
    is_seen, at, who = np.zeros(columns, bool), -1, row
    while True:
        reduced = costs[who] - of_row[who] - of_column
        is_nearer = ~is_seen & (reduced < least)
        least[is_nearer], way[is_nearer] = reduced[is_nearer], at
        open_ = np.where(is_seen, np.inf, least)
        following = int(open_.argmin())
        step = open_[following]
        of_row[row] += step
        of_row[owner[is_seen]] += step
        of_column[is_seen] -= step
        least[~is_seen] -= step
        is_seen[following] = True
        at, who = following, int(owner[following])
        if who < 0:
            return way, at
