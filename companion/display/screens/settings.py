"""What people at this table like: colours, language, sound and voice."""

from dataclasses import replace

from companion.core.sentence import N_
from companion.display.layout import Box, columns, grid, rows
from companion.display.scene import ChangeTo, Go, Scene
from companion.display.screens.elements import Page, page
from companion.display.view import Prefs, View
from companion.words import labels

LOOKS = (("dark", labels.DARK), ("bright", labels.BRIGHT), ("contrast", N_("High contrast")))
LANGUAGES = (
    ("en", "English"),
    ("de", "Deutsch"),
    ("fr", "Français"),
    ("it", "Italiano"),
    ("es", "Español"),
    ("pt", "Português"),
    ("nl", "Nederlands"),
)
VOLUMES = ((0, labels.OFF), (3, N_("Quiet")), (6, N_("Medium")), (10, N_("Loud")))
VOICES = ((False, labels.OFF), (True, labels.ON))

Choices = list[tuple[str, Prefs, bool, str]]  # what is written there, what it makes of the preferences, chosen, its key


def scene(view: View) -> Scene:
    made, more, body = page(view, view.words.say(labels.SETTINGS))
    decks, camera = columns(more, 1.0, 1.0, gap=view.m.gap)
    labelled = (labels.DECKS, labels.CAMERA) if view.m.wide else ("", "")  # too narrow for words
    made.button(decks, labelled[0] and view.words.say(labelled[0]), Go("decks"), symbol="cards", key="d")
    if view.sight.state != "none":
        made.button(camera, labelled[1] and view.words.say(labelled[1]), Go("camera"), symbol="camera", key="c")
    m, prefs, say = view.m, view.prefs, view.words.say
    chosen = min(VOLUMES, key=lambda volume: abs(volume[0] - prefs.volume))[0]
    looks: Choices = [
        (say(label), replace(prefs, theme=name), prefs.theme == name, str(number))
        for number, (name, label) in enumerate(LOOKS, 1)
    ]
    languages: Choices = [
        (label, replace(prefs, language=code), prefs.language == code, "") for code, label in LANGUAGES
    ]
    volumes: Choices = [(say(label), replace(prefs, volume=step), chosen == step, "") for step, label in VOLUMES]
    voices: Choices = [(say(label), replace(prefs, speech=on), prefs.speech == on, "") for on, label in VOICES]
    seats: Choices = [
        (
            say(N_("We sit around it") if on else N_("We sit on one side")),
            replace(prefs, around=on),
            prefs.around == on,
            "",
        )
        for on in (False, True)
    ]
    across = 4 if m.wide else 2
    down = -(-len(LANGUAGES) // across)
    boxes = rows(body, *_heights(view, 1, down, 1, 1, 1), gap=m.gap)
    _choice(made, boxes[0], labels.THEME, looks, 3)
    _choice(made, boxes[1], labels.LANGUAGE, languages, across)
    _choice(made, boxes[2], labels.SEATS, seats, 2)
    _choice(made, boxes[3], labels.SOUND, volumes, 4)
    trouble = _choice(made, boxes[4], labels.VOICE, voices, 4)[0]
    if view.troubles:
        made.text(trouble, " ".join(map(view.words.heard, view.troubles)), m.small, "quiet", align="left", lines=4)
    return made.done()


def _heights(view: View, *lines: int) -> list[float]:
    """The shares of choices with so many lines of buttons each; on an upright screen the title is a line of its own."""
    return [count + (0 if view.m.wide else 0.6) for count in map(float, lines)]


def _choice(made: Page, box: Box, title: str, choices: Choices, across: int) -> list[Box]:
    """A title and its buttons; what is left of the last row."""
    m = made.m
    if m.wide:
        name, field = columns(box, m.of(30), 1.0, gap=m.gap)
    else:
        name, field = rows(box, m.of(8), 1.0, gap=m.gap // 2)
    made.text(name, made.words.say(title), m.body, "quiet", align="left")
    cells = grid(field, -(-len(choices) // across) * across, across, m.gap)
    for (label, prefs, on, key), cell in zip(choices, cells, strict=False):
        made.button(cell, label, ChangeTo(prefs), on=on, key=key)
    left = cells[len(choices) :]
    return [Box(left[0].x, left[0].y, left[-1].right - left[0].x, left[0].h)] if left else []
