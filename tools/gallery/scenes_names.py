"""Names that are read from the right, in other scripts, with pictures in them, or like words of a sentence."""

from dataclasses import replace

from companion.core.match import COLOURS, Match, Player, set_up
from companion.display.view import Draft, View, seen
from companion.games import game as game_named
from simulator.playing import play_out

NAMES = ("محمد علي", "שָׂרָה בן־דוד", "👍 Zoë 🦊", "გიორგი", "नरेन्द्र", "สมชาย ♥", "nobody", "a, b")
SEED = 5
ALL = 10**9


def views(blank: View) -> dict[str, View]:
    people = tuple(Player(name, colour) for name, colour in zip(NAMES, COLOURS, strict=True))
    over = replace(blank, screen="result")
    return {
        "odd-players": replace(blank, screen="players", draft=Draft("tres", people, game_named("tres").house())),
        "odd-name": replace(
            blank, screen="name", about="1", draft=Draft("tres", people[:2], game_named("tres").house())
        ),
        "odd-three": _at(blank, _played("three", 4, 22)),
        "odd-tres": _at(blank, _played("tres", 4, 30)),
        "odd-threepia": _at(blank, _played("threepia", 3, 20, way="stopwatch")),
        "odd-triplexity": _at(blank, _played("triplexity", 2, 9)),
        "odd-triple3": _at(blank, _played("triple3", 4, 9)),
        "odd-result": replace(over, seen=seen(_played("threepia", 6, ALL, way="rounds"))),
    }


def _at(blank: View, match: Match) -> View:
    return replace(blank, screen="table", seen=seen(match))


def _played(game: str, players: int, moves: int, **house: str) -> Match:
    """A match of bots, up to so many moves or to its end."""
    playing = game_named(game)
    match = Match(set_up(playing, NAMES[:players], playing.house(**house), match_id="gallery"))
    for _ in play_out(match, SEED, mistakes=0):
        if len(match.line) >= moves:
            break
    return match
