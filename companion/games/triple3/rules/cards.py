"""The deck, and the values of its cards."""

COLOURS = ("red", "blue", "purple", "yellow")
SHAPES = ("circle", "diamond", "plus", "star")
COUNTS = ("0", "1", "2", "3")
VALUES = COLOURS + SHAPES + COUNTS
DECK = tuple(f"{colour}-{shape}-{count}" for colour in COLOURS for shape in SHAPES for count in COUNTS)

# A card is three bits of twelve, one for each value it has; what two cards have in common is their `&`.
BITS = {card: sum(1 << VALUES.index(value) for value in card.split("-")) for card in DECK}
PLACE_IN_DECK = {card: 1 << number for number, card in enumerate(DECK)}
WITH_VALUE = tuple(sum(PLACE_IN_DECK[card] for card in DECK if BITS[card] >> bit & 1) for bit in range(len(VALUES)))
ALL_CARDS = (1 << len(DECK)) - 1
