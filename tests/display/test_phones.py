"""The screen that leads phones to the match: what it shows is where the page is, and who can open it."""

import threading
from dataclasses import replace

from companion.config.board_choice import BoardChoice
from companion.config.table_file import Configuration
from companion.devices.board_page import BoardPage
from companion.display.app import App
from companion.display.scene import Button, Go, QrItem, Refresh, Text
from companion.display.screens import phones
from companion.reports.qr_code import qr_rows

NETWORK = BoardPage("http://192.168.178.23:8333/table/kitchen", "network")


def app_with(page: BoardPage | None) -> App:
    app = App((1280, 720))
    app.surroundings.configuration = Configuration(board=BoardChoice(on=True))
    app.library.board = lambda: page
    return app


def said(app: App) -> list[str]:
    return [item.text for item in app.scene.items if isinstance(item, Text)]


def codes(app: App) -> list[QrItem]:
    return [item for item in app.scene.items if isinstance(item, QrItem)]


def leads_there(app: App) -> bool:
    return any(item.intent == Go("phones") for item in app.scene.items if isinstance(item, Button))


def test_the_way_there_is_shown_where_there_is_a_board() -> None:
    assert leads_there(app_with(None))
    assert not leads_there(App((1280, 720)))


def test_a_page_in_the_network_is_shown_as_a_code_and_said_to_be_open() -> None:
    app, called = app_with(NETWORK), threading.Event()
    app.library.wake = called.set
    app.take(Go("phones"), 0)
    assert phones.IN_THE_NETWORK in said(app)
    assert NETWORK.address in said(app)
    assert called.wait(20)
    app.attend(0)
    assert [code.rows for code in codes(app)] == [qr_rows(NETWORK.address)]


def test_a_page_for_this_computer_alone_is_no_code() -> None:
    app = app_with(BoardPage("http://127.0.0.1:8333/table/kitchen", "computer"))
    app.take(Go("phones"), 0)
    assert phones.HERE_ALONE in said(app)
    assert phones.IN_THE_NETWORK not in said(app)
    assert not codes(app)


def test_a_page_that_went_is_said_at_the_next_look() -> None:
    app = app_with(NETWORK)
    app.take(Go("phones"), 0)
    app.library.board = lambda: replace(NETWORK, reach="nobody")
    app.take(Refresh(), 0)
    assert said(app).count(phones.NOBODY) == 1
    assert not codes(app)
