"""What the head of a JPEG says of its size: a picture that a phone is to decode is looked at first."""

START, END = b"\xff\xd8", b"\xff\xd9"
SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # segments that hold the size
MOST_SEGMENTS = 64


def size_of(jpeg: bytes) -> tuple[int, int] | None:
    """Width and height; None where it is no JPEG that is whole."""
    if not (jpeg.startswith(START) and jpeg.endswith(END)):
        return None
    at = 2
    for _ in range(MOST_SEGMENTS):
        head = jpeg[at : at + 9]
        if len(head) < 9 or head[0] != 0xFF:
            return None
        if head[1] in SIZES:
            return int.from_bytes(head[7:9], "big"), int.from_bytes(head[5:7], "big")
        at += 2 + int.from_bytes(head[2:4], "big")
    return None
