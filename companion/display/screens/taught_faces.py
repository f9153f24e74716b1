"""All faces of the deck that is taught: as they were seen, and which are missing; a touch shows one anew."""

from companion.core.sentence import N_
from companion.display.layout import Box, best_grid, rows
from companion.display.scene import PanelItem, Scene, ShowAnew
from companion.display.screens.elements import Page, page, pager
from companion.display.screens.taught_look import drawn_face, of_teaching, seen_face
from companion.display.view import View
from companion.teaching.teaching_sight import KnownFace
from companion.words import labels

TOUCH = N_("Touch a card to show it anew. {count:{count} is missing|{count} are missing}.")
ALL_THERE = N_("Touch a card to show it anew. None is missing.")


def scene(view: View) -> Scene:
    made, more, body = page(view, view.words.say(labels.FACES_OF_DECK))
    m, sight = view.m, of_teaching(made)
    told, body = rows(body, m.of(7), 1.0, gap=m.gap)
    missing = len(sight.missing)
    made.text(told, view.words.say(TOUCH, count=missing) if missing else view.words.say(ALL_THERE), m.small, "quiet")
    known = {one.face: one for one in sight.known}
    faces = [*sight.faces, *(face for face in known if face not in sight.faces)]
    gap = max(2, m.gap // 2)
    room = max(1, ((body.w + gap) // (m.touch + gap)) * ((body.h + gap) // (m.touch + gap)))
    first = min(int(view.marks.get("first", 0)), len(faces))
    pager(made, more, first, room, len(faces))
    shown = faces[first : first + room]
    for face, cell in zip(shown, best_grid(body, len(shown), 1.0, gap), strict=True):
        _face(made, cell, sight.game, face, known.get(face))
    return made.done(is_live=True)


def _face(made: Page, box: Box, game: str, face: str, known: KnownFace | None) -> None:
    """A known one can be touched; of a missing one there is only what the game draws of it."""
    inside = box.inset(max(3, made.m.of(1)))
    if known is None:
        made.add(PanelItem(box, "", "line", radius=made.m.of(1.2)))
        drawn_face(made, inside.inset(inside.w // 6, inside.h // 6), game, face, made.m.least)
        return
    made.add(PanelItem(box, "raised", "good", radius=made.m.of(1.2), intent=ShowAnew((face,))))
    seen_face(made, inside, known)
