"""Decks of one's own: which there are, which one is read, and how one is taught."""
