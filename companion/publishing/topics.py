"""What stands under which topic, and what Home Assistant is told of it."""

import re
from typing import Any, Literal

from companion import __version__
from companion.publishing.payloads import OFFLINE, ONLINE
from companion.publishing.wish import Publish

ASSISTANT = "homeassistant"


Topic = Literal["state", "ruling", "result", "online", "entry", "head"]


def topic_of(wish: Publish, told: Topic) -> str:
    return f"{wish.topic}/{wish.table}/{told}"


def discovery(wish: Publish) -> dict[str, dict[str, Any] | None]:
    """The documents by their topics; None is for one that is to be taken away."""
    documents = {"sensor/state": _state(wish), "sensor/score": _score(wish), "binary_sensor/online": _online(wish)}
    return {
        f"{ASSISTANT}/{kind}/companion_{wish.table}/{name}/config": document if wish.discovery else None
        for (kind, _, name), document in ((key.partition("/"), document) for key, document in documents.items())
    }


def _state(wish: Publish) -> dict[str, Any]:
    return {
        "name": "State",
        "icon": "mdi:cards",
        "state_topic": topic_of(wish, "state"),
        "value_template": "{{ value_json.status }}",
        "json_attributes_topic": topic_of(wish, "state"),
        "device_class": "enum",
        "options": ["idle", "running", "paused", "over"],
        **_while_online(wish),
        **_common(wish, "sensor", "state"),
    }


def _score(wish: Publish) -> dict[str, Any]:
    return {
        "name": "Score",
        "icon": "mdi:scoreboard",
        "state_topic": topic_of(wish, "state"),
        "value_template": "{{ value_json.score }}",
        **_while_online(wish),
        **_common(wish, "sensor", "score"),
    }


def _online(wish: Publish) -> dict[str, Any]:
    return {
        "name": "Online",
        "state_topic": topic_of(wish, "online"),
        "payload_on": ONLINE,
        "payload_off": OFFLINE,
        "device_class": "connectivity",
        "entity_category": "diagnostic",
        **_common(wish, "binary_sensor", "online"),
    }


def _while_online(wish: Publish) -> dict[str, Any]:
    return {
        "availability_topic": topic_of(wish, "online"),
        "payload_available": ONLINE,
        "payload_not_available": OFFLINE,
    }


def _common(wish: Publish, kind: str, name: str) -> dict[str, Any]:
    table = f"companion_{wish.table}"
    return {
        "unique_id": f"{table}_{name}",
        "default_entity_id": f"{kind}.{_entity(f'{table}_{name}')}",
        "device": {
            "identifiers": [table],
            "name": f"Table companion {wish.table}",
            "model": "Table companion",
            "sw_version": __version__,
        },
        "origin": {"name": "Table companion", "sw_version": __version__},
    }


def _entity(name: str) -> str:
    """As Home Assistant writes names of entities: it knows one _ at a time, and no -."""
    return re.sub("[-_]+", "_", name)
