"""A deck is taught: the camera's picture with the nine places, how far it has come, and what to do next."""

from companion.core.card_ways import seen_games
from companion.core.sentence import N_
from companion.display.layout import Box, best_grid, columns, grid, rows
from companion.display.scene import ChangeTo, Go, Outline, PanelItem, Picture, Scene, Symbol
from companion.display.screens.camera_view import STATES
from companion.display.screens.elements import Page, page
from companion.display.screens.taught_look import named_face, of_teaching, seen_face
from companion.display.view import View
from companion.teaching.teaching_sight import Now, TeachingSight
from companion.words import labels

ROLES: dict[Now, str] = {
    "known": "good", "doubt": "warn", "again": "warn", "covered": "bad", "unclear": "bad", "bare": "quiet",
}  # fmt: skip
TELLS: dict[Now, str] = {"doubt": " ?", "again": " =", "covered": " …", "unclear": " …"}
LAY_NINE = N_("Lay nine cards, take your hands away, and wait for the sound. Then lay nine others.")
LAY_NEXT = N_("Well seen. Lay the next nine, on these or in their place.")
LAY_THESE = N_("Lay these, row by row, and take your hands away.")
ALL_KNOWN = N_("All faces are known. What is shown now makes them surer.")
USE = N_("Use this deck")
IN_DOUBT = N_("In doubt: {count}")
ALIKE = N_("Look alike: {count}")
CARDS = N_("All cards")


def scene(view: View) -> Scene:
    made, more, body = page(view, _title(view))
    m, sight = view.m, of_teaching(made)
    if not m.wide:
        body, more = rows(body, 1.0, m.of(12), gap=m.gap)
    _end(made, more, sight)
    if sight.state == "failed":
        made.text(body, view.words.heard(sight.why), m.of(6), "bad", lines=8)
        return made.done(is_live=True)
    if m.wide:
        left, beside = columns(body, 1.0, round(body.h * 0.66), gap=m.gap)
        picture, told = rows(left, 1.0, m.of(17), gap=m.gap)
    else:
        picture, told, beside = rows(body, 1.0, m.of(20), 1.5, gap=m.gap)
    _camera(made, picture, sight)
    made.text(told, _told(view, sight), m.of(5.6), "warn" if sight.note else "text", lines=4)
    _known(made, beside, sight)
    return made.done(is_live=True)


def _title(view: View) -> str:
    return view.about.partition(":")[2]


def _end(made: Page, box: Box, sight: TeachingSight) -> None:
    """What was taught is kept anyhow; a deck that a camera reads can be used at once."""
    used, done = columns(box, 1.5, 1.0, gap=made.m.gap)
    prefs = made.view.prefs
    if sight.game in seen_games():
        use = ChangeTo(prefs.with_deck(sight.game, sight.name), Go("decks")) if sight.count else None
        made.button(used, made.words.say(USE), use, look="main" if sight.is_complete else "plain", symbol="check")
    made.button(done, made.words.say(labels.DONE), Go("decks"), look="plain", key="return")


def _told(view: View, sight: TeachingSight) -> str:
    say = view.words.say
    if view.sight.state in ("none", "off", "opening", "gone"):
        return view.words.heard(view.sight.why) or say(STATES[view.sight.state])
    if sight.state == "loading":
        return say(labels.WAIT)
    if sight.note:
        return view.words.heard(sight.note)
    if sight.following:
        return say(LAY_THESE)
    if sight.is_complete:
        return say(ALL_KNOWN)
    return say(LAY_NEXT if sight.looks else LAY_NINE)


def _camera(made: Page, box: Box, sight: TeachingSight) -> None:
    m, still = made.m, made.view.sight.still
    made.panel(box)
    if still is None:
        made.add(Symbol(box.middle(m.of(20), m.of(20)), "camera", "quiet"))
        return
    outlines = tuple(
        Outline(one.corners, ROLES[one.now], f"{one.place}{TELLS.get(one.now, '')}") for one in sight.places
    )
    made.add(Picture(box.inset(m.edge), still=still, outlines=outlines))


def _known(made: Page, box: Box, sight: TeachingSight) -> None:
    """How many faces are known; all of them small, or the nine that are to be laid; and the ways to look closer."""
    m, say, about = made.m, made.words.say, made.view.about
    doubts, pairs = len(sight.doubts), len(sight.alike)
    more = (m.touch,) if doubts or pairs else ()
    count, shown, ways, *odd = rows(box, m.of(9), 1.0, m.touch, *more, gap=m.gap)
    total = len(sight.faces)
    made.text(count, say(labels.FACES_KNOWN, known=sight.count, count=total) if total else "", m.of(6.4))
    if sight.following:
        for face, cell in zip(sight.following, grid(shown, 9, 3, max(2, m.gap // 2), down=3), strict=False):
            made.panel(cell)
            named_face(made, cell.inset(max(2, m.gap // 2)), sight.game, face)
    elif total:
        known = {one.face: one for one in sight.known}
        for face, cell in zip(sight.faces, best_grid(shown, total, 1.0, 2), strict=True):
            if face in known:
                seen_face(made, cell, known[face])
            else:
                made.add(PanelItem(cell, "panel", radius=2))
    made.button(ways, say(CARDS), Go("faces", about) if sight.known else None, symbol="cards", key="c")
    for lower in odd:
        doubt, alike = columns(lower, 1.0, 1.0, gap=m.gap)
        _odd(made, doubt, alike, sight)


def _odd(made: Page, doubt: Box, alike: Box, sight: TeachingSight) -> None:
    """What is in doubt, and what looks alike."""
    say, about, doubts, pairs = made.words.say, made.view.about, len(sight.doubts), len(sight.alike)
    if doubts:
        is_last = len(sight.missing) <= 2 * doubts  # what comes later settles most doubts by itself
        look = "main" if is_last else "plain"
        made.button(doubt, say(IN_DOUBT, count=doubts), Go("doubt", about), look=look, key="d")
    if pairs:
        made.button(alike, say(ALIKE, count=pairs), Go("alike", about), key="a")
