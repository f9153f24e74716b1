"""What can be done with a match besides moves: pause it, take back, make again, end it."""

from companion.core.requests import Abandon, Pause, Redo, Resume, Undo
from companion.core.sentence import N_
from companion.display.layout import packed
from companion.display.scene import Go, Intent, Mark, Say, Scene
from companion.display.screens.elements import page
from companion.display.view import View
from companion.words import labels


def scene(view: View) -> Scene:
    seen, m = view.match, view.m
    made, more, body = page(view, seen.game.title)
    made.text(more, view.words.say(labels.MOVES_COUNT, count=len(seen.line)), m.body, "quiet", align="right")
    paused = seen.paused is not None
    pause: tuple[str, str, Intent | None, str] = (labels.PAUSE, "pause", Say(Pause(labels.PAUSE)), "plain")
    if seen.stands and not seen.is_over:
        pause = (labels.GO_ON, "play", Say(Resume()), "main")
    sure = view.marks.get("end")
    end: tuple[str, str, Intent | None, str] = (labels.END_MATCH, "flag", Mark("end", value=True), "plain")
    if sure:
        end = (labels.END_MATCH_SURELY, "flag", Say(Abandon()), "danger")
    entries: tuple[tuple[str, str, Intent | None, str], ...] = (
        (N_("Back to the table"), "back", Go("table"), "plain" if paused else "main"),
        pause,
        (labels.UNDO, "undo", Say(Undo()) if seen.line else None, "plain"),
        (labels.REDO, "redo", Say(Redo()) if seen.can_redo else None, "plain"),
        (labels.PUT_RIGHT, "check", Go("moves") if seen.line else None, "plain"),
        (labels.RULES_IN_SHORT, "bulb", Go("rules", seen.setup.game), "plain"),
        (labels.SETTINGS, "gear", Go("settings"), "plain"),
        (labels.DOCTOR, "pulse", Go("doctor"), "plain"),
        *((labels.ON_PHONES, "phone", Go("phones"), "plain") for _ in range(view.has_board)),
        (labels.HISTORY, "sheet", Go("history"), "plain"),
        (N_("Other game"), "cards", Go("games"), "plain"),
        end,
    )
    cells = packed(body, len(entries), 2 if m.wide else 1, m.of(28 if m.wide else 18), m.gap)
    for (label, symbol, intent, look), cell in zip(entries, cells, strict=True):
        made.button(
            cell.middle(cell.w, m.of(34)), view.words.say(label), intent, symbol=symbol, look=look, size=m.of(6.4)
        )
    return made.done()
