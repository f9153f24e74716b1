"""Pins: edges in as stamped presses, rulings out as lights. Knows no game. Nothing has moved in yet."""
