"""What is told, as whoever is outside of the process reads it: most tests judge that, and not the objects behind it."""

from collections.abc import Iterable
from typing import Any

from companion.core.replies import Reply
from companion.core.wire import reply_plain


def told(replies: Iterable[Reply]) -> list[dict[str, Any]]:
    return [reply_plain(reply) for reply in replies]
