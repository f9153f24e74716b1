"""What people at this table like: colours and language."""

from dataclasses import replace

from companion.display.layout import grid, rows
from companion.display.scene import Change, Scene
from companion.display.screens.parts import page
from companion.display.view import View
from companion.words import labels

LOOKS = (("dark", labels.DARK), ("bright", labels.BRIGHT), ("contrast", "High contrast"))  # said
LANGUAGES = (
    ("en", "English"),
    ("de", "Deutsch"),
    ("fr", "Français"),
    ("it", "Italiano"),
    ("es", "Español"),
    ("pt", "Português"),
    ("nl", "Nederlands"),
)


def scene(view: View) -> Scene:
    made, _, body = page(view, view.words.say(labels.SETTINGS))
    m, prefs = view.m, view.prefs
    looks_title, looks, languages_title, languages = rows(
        body, m.of(8), 1.0, m.of(8), 2.0 if m.wide else 3.0, gap=m.gap
    )
    made.text(looks_title, view.words.say(labels.THEME), m.body, "quiet", align="left")
    for number, ((name, label), cell) in enumerate(zip(LOOKS, grid(looks, 3, 3, m.gap), strict=True), 1):
        change = Change(replace(prefs, theme=name))
        made.button(cell, view.words.say(label), change, on=prefs.theme == name, key=str(number))
    made.text(languages_title, view.words.say(labels.LANGUAGE), m.body, "quiet", align="left")
    across = 4 if m.wide else 2
    for (code, label), cell in zip(LANGUAGES, grid(languages, len(LANGUAGES), across, m.gap), strict=True):
        made.button(cell, label, Change(replace(prefs, language=code)), on=prefs.language == code)
    return made.done()
