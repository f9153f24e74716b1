"""The typeface: its fonts, which letters they have, and a line of words as runs of them, from left to right.

FiraGO, regular and bold, has Latin, Greek, Cyrillic, Vietnamese, Arabic, Hebrew, Devanagari, Georgian and Thai. For
what else people put into a name there are symbols, and fonts that are usual on Debian. A letter that no font has is a
run without a face: something is drawn for it, for a name is never blank.
"""

import io
import re
import struct
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from pathlib import Path

import pygame

from companion.core.names import BLANK, UNSEEN

REGULAR, BOLD = "FiraGO_Regular", "FiraGO_Bold"
_SYMBOLS = ("NotoSansSymbols2_Regular", "NotoSansSymbols_Regular", "NotoSansMath_Regular")
# Where other scripts may be found; whichever is there first and has the letters is taken. None of them is needed.
_SYSTEM = (
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf",
    "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
    "/usr/share/fonts/truetype/freefont/FreeSans.ttf",
    "/usr/share/fonts/truetype/unifont/unifont.ttf",
)
_NOTO = Path("/usr/share/fonts/truetype/noto")
# Scripts whose letters change with their neighbours, by ranges of their letters; the font engine has to be told.
_SCRIPTS = (
    ("Hebr", 0x0590, 0x05FF),
    ("Arab", 0x0600, 0x06FF),
    ("Arab", 0x0750, 0x077F),
    ("Arab", 0x0870, 0x08FF),
    ("Deva", 0x0900, 0x097F),
    ("Beng", 0x0980, 0x09FF),
    ("Guru", 0x0A00, 0x0A7F),
    ("Gujr", 0x0A80, 0x0AFF),
    ("Taml", 0x0B80, 0x0BFF),
    ("Telu", 0x0C00, 0x0C7F),
    ("Knda", 0x0C80, 0x0CFF),
    ("Mlym", 0x0D00, 0x0D7F),
    ("Sinh", 0x0D80, 0x0DFF),
    ("Thai", 0x0E00, 0x0E7F),
    ("Mymr", 0x1000, 0x109F),
    ("Khmr", 0x1780, 0x17FF),
    ("Hebr", 0xFB1D, 0xFB4F),
    ("Arab", 0xFB50, 0xFEFE),
)
_FROM_RIGHT = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff\U0001e800-\U0001efff"
# What is read from right to left: from its first letter to its last, and what stands between them within a name.
_NAME_FROM_RIGHT = re.compile(f"[{_FROM_RIGHT}](?:[{_FROM_RIGHT}\u200c\u200d\u00a0 0-9.'’\"-]*[{_FROM_RIGHT}])?")
_ONE = re.compile(
    r"[0-9]+|.[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u200d]*"
)
_TONES = "\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff"  # of the skin of the picture before
OPEN = 48  # fonts by size, of 0.75 MB each, most of it what joins letters; another one is open in 0.3 ms
_JOINERS = "\u200c\u200d"  # they choose how the letters beside them are written


@dataclass(frozen=True, slots=True)
class FontRun:
    """Letters that are written with one font; no face if none has them."""

    text: str
    face: str
    script: str = ""


@lru_cache(maxsize=4096)
def runs(text: str, face: str) -> tuple[FontRun, ...]:
    """A line as it stands from left to right."""
    if text.isascii() and text.isprintable():
        return (FontRun(text, face),)
    done: list[FontRun] = []
    for one in (_faced(cluster, face) for cluster in _clusters(_from_left(unicodedata.normalize("NFC", text)))):
        before = done[-1] if done else None
        if before and one.face and (before.face, before.script) == (one.face, one.script):
            done[-1] = FontRun(before.text + one.text, one.face, one.script)
        else:
            done.append(one)
    return tuple(done) or tuple(FontRun(letter, "") for letter in text)  # each of them shows nothing: something has to


def _from_left(text: str) -> str:
    """In the order in which it is seen. The languages of the screens are read from the left, so only such names are
    turned, each by itself: a number or a name that follows one stands to the right of it, as in any other sentence."""
    return _NAME_FROM_RIGHT.sub(lambda found: "".join(reversed(_ONE.findall(found[0]))), text)


def _clusters(text: str) -> Iterator[FontRun]:
    """Letters, each with the marks that belong to it and its script, and without what does not show."""
    cluster, script = "", ""
    for letter in text:
        if _belongs(letter, script) and cluster:
            cluster += letter
        elif not _is_nothing(letter):
            if cluster:
                yield FontRun(cluster, "", script)
            cluster, script = letter, _script(letter)
    if cluster:
        yield FontRun(cluster, "", script)


def _is_nothing(letter: str) -> bool:
    """It says how others are written, and nothing can be drawn for it."""
    return letter in UNSEEN or letter in _TONES or unicodedata.category(letter) == "Cf"


def _belongs(letter: str, script: str) -> bool:
    """To the letter before it."""
    if letter in _JOINERS:
        return script != ""
    return unicodedata.category(letter) in ("Mn", "Mc", "Me") and letter not in UNSEEN


def _script(letter: str) -> str:
    if letter < "\u0590":
        return ""
    return next((script for script, first, last in _SCRIPTS if first <= ord(letter) <= last), "")


def _faced(cluster: FontRun, face: str) -> FontRun:
    """With the first font that has all its letters, or the letter itself without its marks."""
    letters = {ord(letter) for letter in cluster.text if letter not in _JOINERS}
    if cluster.text[0] in BLANK or unicodedata.category(cluster.text[0]) in ("Cc", "Co", "Cs", "Cn"):
        return FontRun(cluster.text[0], "")
    for wanted in (letters, {ord(cluster.text[0])}):
        for one in (face, *others(), *_of_its_script(cluster.text[0])):
            if wanted <= letters_of(one):
                text = cluster.text if wanted == letters else cluster.text[0]
                return FontRun(text, one, cluster.script)
    return FontRun(cluster.text[0], "")


@cache
def others() -> tuple[str, ...]:
    return (*_SYMBOLS, *(file for file in _SYSTEM if Path(file).exists()))


@cache
def _of_its_script(letter: str) -> tuple[str, ...]:
    """Of Noto's fonts, one for each script, that of this letter: its name begins with the script's."""
    script = unicodedata.name(letter, "").partition(" ")[0].title()
    return tuple(map(str, _NOTO.glob(f"NotoSans{script}-Regular.ttf"))) if script.isalpha() else ()


# --- fonts -----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=OPEN)
def font(size: int, face: str = REGULAR, script: str = "") -> pygame.font.Font:
    if not pygame.font.get_init():
        pygame.font.init()
    made = pygame.font.Font(io.BytesIO(font_file(face)), size)  # a font of each size would keep its file open
    if script:
        with suppress(pygame.error):  # its engine may know no scripts: then letters only stand beside each other
            made.set_script(script)
    return made


@cache
def font_file(face: str) -> bytes:
    """What is in its file, wherever that is."""
    if face.startswith("/"):
        return Path(face).read_bytes()
    return bytes(import_module(f"pymupdf_fonts.{face}").fontbuffer)


@cache
def letters_of(face: str) -> frozenset[int]:
    """The letters that a font has, as its own table says; none where it cannot be read."""
    try:
        return _letters_in(face)
    except (OSError, KeyError, struct.error):
        return frozenset()


def _letters_in(face: str) -> frozenset[int]:
    content = font_file(face)
    start = struct.unpack_from(">I", content, 12)[0] if content[:4] == b"ttcf" else 0
    tables = {
        tag: at
        for tag, _, at, _ in struct.iter_unpack(">4sIII", content[start + 12 :][: 16 * _short(content, start + 4)])
    }
    cmap = tables[b"cmap"]
    forms = {}
    for number in range(_short(content, cmap + 2)):
        at = cmap + struct.unpack_from(">I", content, cmap + 8 + 8 * number)[0]
        forms[_short(content, at)] = at
    return frozenset(_all(content, forms[12]) if 12 in forms else _first_plane(content, forms[4]))


def _short(content: bytes, at: int) -> int:
    return int(struct.unpack_from(">H", content, at)[0])


def _all(content: bytes, at: int) -> Iterator[int]:
    """Format 12: groups of letters."""
    count = struct.unpack_from(">I", content, at + 12)[0]
    for first, last, _ in struct.iter_unpack(">III", content[at + 16 : at + 16 + 12 * count]):
        yield from range(first, last + 1)


def _first_plane(content: bytes, at: int) -> Iterator[int]:
    """Format 4: stretches of letters, their ends first."""
    count = _short(content, at + 6) // 2
    ends = struct.unpack_from(f">{count}H", content, at + 14)
    starts = struct.unpack_from(f">{count}H", content, at + 16 + 2 * count)
    for first, last in zip(starts, ends, strict=True):
        yield from range(first, last + 1)
