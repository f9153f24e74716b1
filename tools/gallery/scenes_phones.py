"""The match on phones: the page with its code, and the ways to it."""

from dataclasses import replace

from companion.devices.board_page import BoardPage
from companion.display.shelf import Shelf
from companion.display.view import View
from companion.reports.qr_code import qr_rows

PLAY = f"https://app.bgstatsapp.com/createPlay.html?data={'%22name%22%3A' * 50}"
ADDRESS = "http://192.168.178.23:8333/table/kitchen"


def views(blank: View, known: dict[str, View]) -> dict[str, View]:
    page = replace(blank, screen="phones", depth=1, has_board=True)
    over, camera, dispute = known["result-points"], known["camera"], known["triple3-play"]
    network = BoardPage(ADDRESS, "network")
    return {
        "phones": replace(page, shelf=Shelf(board=network, code=qr_rows(ADDRESS))),
        "phones-cards": replace(page, shelf=Shelf(board=replace(network, shows_cards=True), code=qr_rows(ADDRESS))),
        "phones-making": replace(page, shelf=Shelf(board=network)),
        "phones-no-code": replace(page, shelf=Shelf(board=network, code=())),
        "phones-here": replace(page, shelf=Shelf(board=BoardPage("http://127.0.0.1:8333/table/kitchen", "computer"))),
        "phones-nobody": replace(page, shelf=Shelf(board=BoardPage("", "nobody"))),
        "bg-stats": replace(over, screen="bg-stats", depth=2, shelf=Shelf(written=ADDRESS, code=qr_rows(PLAY))),
        "bg-stats-too-long": replace(over, screen="bg-stats", depth=2, shelf=Shelf(written=ADDRESS, code=())),
        "result-code": replace(over, has_bg_stats=True),
        "result-code-trial": replace(known["result-trial"], has_bg_stats=True),
        "camera-kept": replace(camera, sight=replace(camera.sight, kept=12)),
        "triple3-kept": replace(dispute, sight=replace(dispute.sight, kept=12)),
        "games-phones": replace(known["games-again"], has_board=True),
        "menu-phones": replace(known["menu"], has_board=True),
    }
