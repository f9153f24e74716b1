"""The board: what it keeps, what it shows, and what it does not."""
