"""Faces that can hardly be told from each other: both pictures side by side, and what alone differs."""

from companion.core.sentence import N_
from companion.display.layout import Box, columns, rows
from companion.display.scene import Back, Scene, ShowAnew
from companion.display.screens.elements import Page, page, pager
from companion.display.screens.taught_look import face_name, of_teaching, seen_face
from companion.display.view import View
from companion.teaching.teaching_sight import AlikePair
from companion.words import labels

ONLY = N_("{one} and {other} look alike, they differ only in their {part}.")
ALIKE = N_("{one} and {other} look alike.")
NONE_ALIKE = N_("No two cards look alike.")
ANEW = N_("Show both anew")
PARTS = {"colour": N_("colour"), "shape": N_("shape"), "count": N_("number"), "pips": N_("pips")}


def scene(view: View) -> Scene:
    made, more, body = page(view, view.words.say(labels.LOOK_ALIKE))
    m, sight = view.m, of_teaching(made)
    if not sight.alike:
        told, done = rows(body, 1.0, m.of(15), gap=m.gap)
        made.text(told, view.words.say(NONE_ALIKE), m.large, lines=2)
        made.button(done, view.words.say(labels.DONE), Back(), look="main", key="return")
        return made.done(is_live=True)
    high = m.of(24) if m.wide else m.of(46)
    room = max(1, (body.h + m.gap) // (high + m.gap))
    first = min(int(view.marks.get("first", 0)), len(sight.alike) - 1)
    pager(made, more, first, room, len(sight.alike))
    lines = rows(body, *(1.0,) * room, gap=m.gap)
    for pair, line in zip(sight.alike[first:], lines, strict=False):
        _pair(made, line, pair)
    return made.done(is_live=True)


def _pair(made: Page, box: Box, pair: AlikePair) -> None:
    m, say = made.m, made.words.say
    made.panel(box)
    inside = box.inset(m.edge)
    if m.wide:
        one, other, about = columns(inside, inside.h, inside.h, 1.0, gap=m.gap)
    else:
        both, about = rows(inside, 1.0, 1.2, gap=m.gap)
        one, other = columns(both, 1.0, 1.0, gap=m.gap)
    seen_face(made, one, pair.one)
    seen_face(made, other, pair.other)
    told, anew = rows(about, 1.0, m.touch, gap=m.gap)
    names = {"one": face_name(made, pair.one.face), "other": face_name(made, pair.other.face)}
    part = PARTS.get(pair.part, "")
    sentence = say(ONLY, **names, part=say(part)) if part else say(ALIKE, **names)
    made.text(told, sentence, m.body, align="left", lines=4)
    made.button(anew, say(ANEW), ShowAnew((pair.one.face, pair.other.face)), symbol="redo")
