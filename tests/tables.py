"""table.toml with everything in it: as somebody writes it who leaves nothing out, and as it is installed with every `#`
taken away."""

import re
from pathlib import Path

INSTALLED = Path(__file__).parents[1] / "setup" / "table.toml"
FULL = """[screen]
size = "1280x720"
language = "de"
bg_stats = false

[camera]
source = "webcam:0"
settings = "camera.toml"

[journal]
file = "/games/journal.sqlite3"

[backup]
folder = "/stick"
keep = 3

[publish]
on = true
host = "broker.example"
port = 8884
tls = true
ca = "club-ca.pem"
user = "table"
password_file = "password"
client = "companion-kitchen"
topic = "club/companion"
name = "kitchen"
discovery = true
names = false
initials = true
thumbnails = true

[board]
on = false
lan = true
port = 8334

[wiring]
file = "wiring.toml"

[pins]
driver = "libgpiod"
chip = "gpiochip0"

[token]
kind = "ring"
window_ms = 20
margin_us = 100
bounce_ms = 30
shortest_ms = 0
stuck_after_ms = 5000
double_ms = 250

[[seat]]
button = 17
light = 18
tres = 6
turn = 10

[[seat]]
button = 27
light = 23
tres = 13
turn = 9

[table]
turn = 12
stop = 16
status = 20
buzzer = 21
"""


def uncommented() -> str:
    """The file that is installed, as if every key in it were wanted."""
    text = INSTALLED.read_text(encoding="utf-8")
    return re.sub(r"^# (?=\[|\w+ = )", "", text, flags=re.MULTILINE)
