"""What stands under which topic, and what Home Assistant is told of it."""

import re
from typing import Any, Literal

from companion import __version__
from companion.publishing.payloads import OFFLINE, ONLINE
from companion.publishing.wish import Publish

ASSISTANT = "homeassistant"
OF_OLD = ("sensor/state", "sensor/score", "binary_sensor/online")  # a topic each, before there was one for the device
# Of the clock that runs, or else the first: what is left of it or, where nothing limits it, what is used.
_CLOCK = (
    "{% set clock = (value_json.clocks | selectattr('runs') | list + value_json.clocks) | first %}"
    "{{ (clock.used if clock.limit is none else clock.limit - clock.used) | round(1) if clock is defined and clock }}"
)

Topic = Literal["state", "ruling", "result", "online", "entry", "head", "thumbnail"]


def topic_of(wish: Publish, told: Topic) -> str:
    return f"{wish.topic}/{wish.table}/{told}"


def discovery(wish: Publish) -> dict[str, dict[str, Any] | None]:
    """The documents by their topics; None is for one that is to be taken away, those of old always."""
    name = f"companion_{wish.table}"
    old: dict[str, dict[str, Any] | None] = {
        f"{ASSISTANT}/{kind}/{name}/{what}/config": None for kind, _, what in (one.partition("/") for one in OF_OLD)
    }
    return {**old, f"{ASSISTANT}/device/{name}/config": _device(wish) if wish.discovery else None}


def _device(wish: Publish) -> dict[str, Any]:
    """One document for the device and all that it has."""
    about = {"name": "Table companion", "sw": __version__}
    return {
        "dev": {
            "ids": [f"companion_{wish.table}"],
            "name": f"Table companion {wish.table}",
            "mdl": "Table companion",
            "sw": __version__,
        },
        "o": about,
        "cmps": {
            "state": _state(wish),
            "turn": _sensor(wish, "turn", "Turn", "mdi:account-arrow-right", "{{ value_json.turn }}"),
            "score": _sensor(wish, "score", "Score", "mdi:scoreboard", "{{ value_json.score }}"),
            "clock": {
                **_sensor(wish, "clock", "Clock", "mdi:timer-outline", _CLOCK),
                "device_class": "duration",
                "unit_of_measurement": "s",
            },
            "called": _called(wish),
            "online": _online(wish),
        },
    }


def _state(wish: Publish) -> dict[str, Any]:
    return {
        **_sensor(wish, "state", "State", "mdi:cards", "{{ value_json.status }}"),
        "json_attributes_topic": topic_of(wish, "state"),
        "device_class": "enum",
        "options": ["idle", "running", "paused", "over"],
    }


def _sensor(wish: Publish, name: str, title: str, icon: str, template: str) -> dict[str, Any]:
    return {
        **_component(wish, "sensor", name, title),
        "icon": icon,
        "state_topic": topic_of(wish, "state"),
        "value_template": template,
        **_while_online(wish),
    }


def _called(wish: Publish) -> dict[str, Any]:
    """On while something such as Stop! holds."""
    return {
        **_component(wish, "binary_sensor", "called", "Stop"),
        "icon": "mdi:hand-back-left",
        "state_topic": topic_of(wish, "state"),
        "value_template": "{{ 'ON' if value_json.called else 'OFF' }}",
        **_while_online(wish),
    }


def _online(wish: Publish) -> dict[str, Any]:
    return {
        **_component(wish, "binary_sensor", "online", "Online"),
        "state_topic": topic_of(wish, "online"),
        "payload_on": ONLINE,
        "payload_off": OFFLINE,
        "device_class": "connectivity",
        "entity_category": "diagnostic",
    }


def _while_online(wish: Publish) -> dict[str, Any]:
    return {
        "availability_topic": topic_of(wish, "online"),
        "payload_available": ONLINE,
        "payload_not_available": OFFLINE,
    }


def _component(wish: Publish, kind: str, name: str, title: str) -> dict[str, Any]:
    table = f"companion_{wish.table}"
    return {
        "p": kind,
        "name": title,
        "unique_id": f"{table}_{name}",
        "default_entity_id": f"{kind}.{_entity(f'{table}_{name}')}",
    }


def _entity(name: str) -> str:
    """As Home Assistant writes names of entities: it knows one _ at a time, and no -."""
    return re.sub("[-_]+", "_", name)
