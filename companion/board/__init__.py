"""The board: a service of its own that reads what tables publish, keeps the results and shows them on phones.

It is never a part of a table: nothing but its command imports it. docs/board.md.
"""
