"""The drawn table beside the display: what stands in for cards, buttons, a camera and people where there are none.

Each file of a game knows every card of it, and draws what lies on the table as players would see it. What is done there
goes to the referee by the same buttons, messages and pictures as at a real table; nothing is decided here.
"""
