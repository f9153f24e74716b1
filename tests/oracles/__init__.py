"""A second opinion: each game once more, from its printed sheet, beside the rules that referee.

A model shares nothing with `companion`: it was written from the sheets alone, in plain lists and dicts, and keeps a
match move by move as a person with paper would. `compare` plays random matches against both and says where they
differ. Field names and the form of a move are those of docs/protocol.md, so that the two can be compared.

A model never learns from the rules it checks. Where the two differ the sheet says who is right.
"""
