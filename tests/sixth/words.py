"""What Sticks calls its house rules."""

from companion.words.game_words import GameWords

WORDS = GameWords(rules={"sticks": "Sticks", "most": "At once at most"})
