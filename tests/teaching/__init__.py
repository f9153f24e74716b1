"""Decks of one's own: taught, kept, chosen."""
