"""Sticks, a game that is in no box: what docs/add-a-game.md makes, file by file. A test registers it and plays it."""
