"""Every screen in its usual and in its hardest states, to look at and to test: no table, no journal, no window."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from companion.core.clocks import MILLISECOND
from companion.core.match import Setup
from companion.display.layout import Size
from companion.display.rulebook import leaves
from companion.display.view import Past, Prefs, Seen, View, seen
from companion.games import NAMES as NAMED
from companion.words import Words
from tools.gallery.played_matches import BOTS, LONG_NAMES, NAMES, drafted, marked, pasts, played_match, with_bots
from tools.gallery.scenes_back import NO_SOUND, looking_back_views, result_views
from tools.gallery.scenes_counted import views as counted
from tools.gallery.scenes_ends import views as ends
from tools.gallery.scenes_games import three_views, threepia_views, tres_views, triple3_views, triplexity_views
from tools.gallery.scenes_names import views as odd_names
from tools.gallery.scenes_phones import views as phones
from tools.gallery.scenes_put_right import dispute_views, question_views
from tools.gallery.scenes_taught import views as taught
from tools.gallery.scenes_watched import views as watched
from tools.gallery.scenes_watched_games import views as watched_games

SIZES: tuple[Size, ...] = ((800, 480), (720, 1280), (1280, 720), (1920, 1080))


@dataclass(frozen=True, slots=True)
class ShownScene:
    """A state of a screen by name."""

    name: str
    view: View

    @property
    def moment(self) -> int:
        """The table time of the picture: a little after the last thing that happened."""
        return self.view.seen.now + 1_700 * MILLISECOND if self.view.seen else 0


def shots(size: Size, words: Words, **prefs: Any) -> Iterator[ShownScene]:
    """All of them, at this size and in this language."""
    for name, view in _views().items():
        notice = view.notice and replace(view.notice, sentence=words.heard(view.notice.sentence))
        prefers = replace(view.prefs, language=words.language, **prefs)
        yield ShownScene(name, replace(view, size=size, words=words, notice=notice, prefs=prefers))


@cache
def _views() -> dict[str, View]:
    blank = View((800, 480))
    known = {
        **{f"games-{name}": replace(blank, past=known) for name, known in pasts().items()},
        **_set_ups(blank),
        **threepia_views(blank),
        **triplexity_views(blank),
        **triple3_views(blank),
        **dispute_views(blank),
        **question_views(blank),
        **three_views(blank),
        **tres_views(blank),
        **counted(blank, NAMES, LONG_NAMES),
        **result_views(blank),
        **looking_back_views(blank),
        **_others(blank),
        **odd_names(blank),
        **watched_games(blank),
    }
    known |= watched(known)
    return {**known, **taught(known), **phones(blank, known), **ends(blank, NAMES, LONG_NAMES)}


def _set_ups(blank: View) -> dict[str, View]:
    known = pasts()["again"]
    two = replace(blank, screen="players", draft=drafted("triplexity", NAMES[:2]), past=known)
    eight = drafted("tres", LONG_NAMES)
    rules = replace(blank, screen="house", draft=drafted("threepia", NAMES[:3], way="stopwatch"))
    return {
        "players-two": two,
        "players-led": replace(two, draft=drafted("tres", NAMES[:2]), can_lead=True),
        "players-one": replace(two, draft=drafted("threepia", NAMES[:1], way="time-trial")),
        "players-three": replace(two, draft=drafted("threepia", NAMES[:3])),
        "players-bots": replace(two, draft=with_bots(two.draft), bot_seats=BOTS),
        "players-eight-bots-long": replace(two, draft=with_bots(eight), bot_seats=BOTS),
        "players-six-ways": replace(two, draft=with_bots(drafted("threepia", NAMES[:6])), bot_seats=BOTS),
        "seat-person-long": replace(two, screen="seat", about="0", draft=with_bots(eight), bot_seats=BOTS),
        "seat-bot": replace(two, screen="seat", about="1", draft=with_bots(two.draft), bot_seats=BOTS),
        "name-more": replace(two, screen="name", about="3", draft=drafted("tres", NAMES[:3])),
        "players-eight-long": replace(two, draft=eight, prefs=Prefs(around=True)),
        "name-empty": replace(two, screen="name", about="1"),
        "name-new": replace(two, screen="name", about="0", past=Past(), marks=marked(text="", more=True)),
        "name-long": replace(two, screen="name", about="0", draft=eight, marks=marked(text=LONG_NAMES[0])),
        "name-taken": replace(two, screen="name", about="3", draft=eight, marks=marked(text=LONG_NAMES[1])),
        "house-threepia": rules,
        "house-threepia-2": replace(rules, marks=marked(page=1)),
        "house-field": replace(rules, about="field"),
        "house-triplexity": replace(rules, draft=drafted("triplexity", NAMES[:2], play="advanced", rounds=3)),
        "house-triplexity-points": replace(rules, draft=drafted("triplexity", NAMES[:2], play="advanced", points=30)),
        "house-no-return": replace(rules, draft=drafted("triplexity", NAMES[:2]), about="no_return"),
        "house-three": replace(rules, draft=drafted("three", NAMES[:2])),
        "house-tie": replace(rules, draft=drafted("three", NAMES[:2]), about="tie"),
        "house-tres": replace(rules, draft=drafted("tres", NAMES[:2])),
    }


def _others(blank: View) -> dict[str, View]:
    return {
        "games-ailing": replace(blank, ailing=("buttons", "camera")),
        "settings": replace(blank, screen="settings"),
        "settings-no-sound": replace(blank, screen="settings", troubles=(NO_SOUND,)),
        "rules": replace(blank, screen="rules", depth=1),
        "rules-led": replace(blank, screen="rules", about="triple3", can_lead=True, marks=marked(leaf=2)),
        **{
            f"rules-{name}-{number + 1}": replace(blank, screen="rules", about=name, marks=marked(leaf=number))
            for name in NAMED
            for number in range(len(leaves(name)))
        },
        "anygame": replace(blank, screen="table", seen=_of_no_name(seen(played_match("tres", NAMES[:4], 30)))),
        "anygame-long": replace(
            blank, screen="table", seen=_of_no_name(seen(played_match("three", LONG_NAMES[:4], 30)))
        ),
    }


def _of_no_name(found: Seen) -> Seen:
    """As if its game had no table of its own."""
    return replace(found, setup=replace(found.setup, game=""))


__all__ = ["LONG_NAMES", "NAMES", "SIZES", "Setup", "ShownScene", "shots"]
