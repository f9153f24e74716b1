"""How a round ended that is not the last: who won it and by what, what it brought, and how it stands now."""

from companion.display.layout import Box, columns, rows
from companion.display.scene import Go, Mark, Scene
from companion.display.screens.elements import Page, match_page
from companion.display.screens.lying import has_picture, picture
from companion.display.screens.result import banner, standings
from companion.display.view import View
from companion.reports import ending
from companion.words import labels


def scene(view: View) -> Scene:
    over = view.match.round_over
    assert over is not None
    m, words = view.m, view.words
    page, _, rest = match_page(view, words.say(labels.ROUND, round=over.number))
    head, body, foot = rows(rest, m.of(25) if m.wide else m.of(34), 1.0, m.of(15), gap=m.gap)
    banner(page, head, ending.round_headline(words, over), over.winners, words.why(over.ended))
    table, lying = _halves(page, body)
    standings(page, table, view.match, over.added)
    if lying is not None:
        page.panel(lying)
        picture(page, lying.inset(m.edge), view.match)
    _foot(page, foot)
    return page.done(escape=Go("menu"))


def _halves(page: Page, body: Box) -> tuple[Box, Box | None]:
    if not has_picture(page.view.match):
        return body, None
    cut = columns if page.m.wide else rows
    table, lying = cut(body, 1.0, 1.0, gap=page.m.gap)
    return table, lying


def _foot(page: Page, box: Box) -> None:
    m, words = page.m, page.words
    fix, following = columns(box, 1.0, 1.7, gap=m.gap)
    page.button(fix, words.say(labels.PUT_RIGHT), Go("moves"), key="r")
    page.button(
        following, words.say(labels.NEXT_ROUND), Mark("next", value=True),
        look="main", symbol="next", size=m.large, key="return",
    )  # fmt: skip
