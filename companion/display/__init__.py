"""The display: draws the newest ruling and turns touches into moves. It decides nothing and knows no pins."""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # replies on standard output must stay replies
