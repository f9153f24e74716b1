"""What a deck is to be called that is taught; one of that name is gone on with."""

from companion.core.deck_names import LONGEST, is_deck_name
from companion.core.sentence import N_
from companion.display.layout import Box, columns, rows
from companion.display.scene import Back, Go, Intent, Mark, Scene
from companion.display.screens.elements import Page
from companion.display.screens.keyboard import keyboard
from companion.display.view import View
from companion.words import labels

MY_DECK = N_("My deck")
IMPROPER = N_("A deck's name has letters, figures and blanks.")
OF_ANOTHER = N_("There is a deck of another game with this name.")
IS_THERE = N_("There is a deck of this name: it is gone on with.")


def scene(view: View) -> Scene:
    made, m = Page(view), view.m
    text = str(view.marks.get("text", ""))
    name = " ".join(text.split())[:LONGEST].strip() or _usual(view)
    whole = view.screen_box.inset(m.edge)
    if m.wide:
        head, told, keys = rows(whole, m.touch, m.of(12), 1.0, gap=m.gap)
        back, field, done = columns(head, m.touch, 1.0, m.of(34), gap=m.gap)
    else:
        head, field, told, keys = rows(whole, m.touch, m.of(13), 1.0, 2.0, gap=m.gap)
        back, _, done = columns(head, m.touch, 1.0, m.of(40), gap=m.gap)
    made.button(back, "", Back(), symbol="back")
    trouble, intent = _trouble(view, name), _teach(view, name)
    label = made.words.say(labels.GO_ON if _there(view, name) else labels.START)
    made.button(done, label, None if trouble else intent, look="main", symbol="check", key="return")
    _field(made, field, text, name, is_wrong=bool(trouble))
    about = trouble or made.words.say(IS_THERE if _there(view, name) else labels.DECK_NAME)
    made.text(told, about, m.body, "bad" if trouble else "quiet", lines=2)
    keyboard(made, keys, text)
    return made.done(writes=text)


def _field(made: Page, box: Box, text: str, name: str, *, is_wrong: bool) -> None:
    m = made.m
    field, erase = columns(box, 1.0, m.touch, gap=m.gap)
    made.panel(field, "raised", "bad" if is_wrong else "main")
    shown, role = (f"{text}|", "text") if text else (name, "quiet")
    made.text(field.inset(m.edge, 2), shown, m.of(6), role, align="left", lines=2)
    made.button(erase, "", Mark("text", text[:-1]) if text else None, symbol="erase")


def _teach(view: View, name: str) -> Intent:
    return Go("teaching", f"{view.about}:{name}")


def _there(view: View, name: str) -> bool:
    return any(deck.name == name for deck in view.shelf.decks)


def _usual(view: View) -> str:
    """A name that no deck has yet."""
    taken, mine = {deck.name for deck in view.shelf.decks}, view.words.say(MY_DECK)
    numbered = (mine, *(f"{mine} {number}" for number in range(2, len(taken) + 3)))
    return next(name for name in numbered if name not in taken)


def _trouble(view: View, name: str) -> str:
    if not is_deck_name(name):
        return view.words.say(IMPROPER)
    of_another = any(deck.name == name and deck.game != view.about for deck in view.shelf.decks)
    return view.words.say(OF_ANOTHER) if of_another else ""
