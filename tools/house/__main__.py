"""`make house`: print each figure with its bound; exit 1 where one does not hold."""

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from tools.house.code_sizes import size_figures, test_figures
from tools.house.figure import HouseFigure
from tools.house.game_names import game_name_figure
from tools.house.laws_kept import dead_code_figures, law_figures, lazy_figure
from tools.house.names_twice import name_figures
from tools.house.run_costs import cost_figures
from tools.house.source_tree import SHIPPED, source_files


def read_figures() -> list[HouseFigure]:
    """What is read from the files."""
    shipped, tools = list(source_files(*SHIPPED)), list(source_files("tools"))
    names = [*name_figures([*shipped, *tools]), game_name_figure(shipped)]
    return [*size_figures(shipped, tools), *names, lazy_figure(shipped)]


def main() -> int:
    asked: list[Callable[[], list[HouseFigure]]] = [read_figures, law_figures, dead_code_figures, test_figures]
    with ThreadPoolExecutor() as pool:
        answers = [pool.submit(one) for one in asked]
        figures = [figure for answer in answers for figure in answer.result()]
    figures += cost_figures()  # measured alone
    print(*(line for figure in figures for line in figure.lines()), sep="\n")  # noqa: T201
    bounds = [figure for figure in figures if figure.bound]
    missed = sum(not figure.holds for figure in bounds)
    print(f"{len(bounds) - missed} of {len(bounds)} bounds hold.")  # noqa: T201
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
