"""Triplexity is played without buttons."""

from companion.core.button_meanings import ButtonMeanings

BUTTONS = ButtonMeanings()
