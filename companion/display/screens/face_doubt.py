"""A card that may be one of two: what was seen, and both of them; a touch decides."""

from companion.core.sentence import N_
from companion.display.layout import Box, columns, rows
from companion.display.scene import Back, DecideFace, PanelItem, Picture, Scene
from companion.display.screens.elements import Page, page
from companion.display.screens.taught_look import drawn_face, face_name, named_face, of_teaching
from companion.display.view import View
from companion.teaching.teaching_sight import FaceDoubt, TeachingSight
from companion.words import labels

WHICH = N_("Which card is this? Touch it.")
NEITHER = N_("Neither: leave it out")
NO_DOUBT = N_("No card is in doubt.")
STILL_IN_DOUBT = N_("{count:{count} card is in doubt|{count} cards are in doubt}")


def scene(view: View) -> Scene:
    made, more, body = page(view, view.words.say(labels.WHICH_CARD))
    m, sight = view.m, of_teaching(made)
    if not sight.doubts:
        told, done = rows(body, 1.0, m.of(15), gap=m.gap)
        made.text(told, view.words.say(NO_DOUBT), m.large, lines=2)
        made.button(done, view.words.say(labels.DONE), Back(), look="main", key="return")
        return made.done(is_live=True)
    made.text(more, view.words.say(STILL_IN_DOUBT, count=len(sight.doubts)), m.body, "quiet", align="right", lines=2)
    told, body, neither = rows(body, m.of(9), 1.0, m.touch, gap=m.gap)
    made.text(told, view.words.say(WHICH), m.of(6), lines=2)
    _asked(made, body, sight, sight.doubts[0])
    leave_out = DecideFace(sight.doubts[0].number, "")
    made.button(neither, view.words.say(NEITHER), leave_out, symbol="no", key="0")
    return made.done(is_live=True)


def _asked(made: Page, body: Box, sight: TeachingSight, doubt: FaceDoubt) -> None:
    m = made.m
    if m.wide:
        one, seen, other = columns(body, 1.0, 1.0, 1.0, gap=2 * m.gap)
    else:
        seen, both = rows(body, 1.0, 1.0, gap=m.gap)
        one, other = columns(both, 1.0, 1.0, gap=m.gap)
    made.add(Picture(seen.shaped(1, 1).inset(m.edge), still=doubt.still))
    for key, face, box in (("1", doubt.one, one), ("2", doubt.other, other)):
        decided = DecideFace(doubt.number, face)
        made.add(PanelItem(box, "raised", "line", radius=m.of(2.4), intent=decided, key=key))
        inside = box.inset(m.edge)
        known = next((each for each in sight.known if each.face == face), None)
        if known is None:
            named_face(made, inside, sight.game, face)
            continue
        drawn, was, name = rows(inside, 1.2, 1.0, m.of(7), gap=m.gap)
        drawn_face(made, drawn, sight.game, face)
        made.add(Picture(was.shaped(1, 1), still=known.still))
        made.text(name, face_name(made, face), m.small, "quiet")
