"""The client of paho as this table needs it; imported only where something is published."""

import socket

from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion


class Outgoing(Client):
    """It binds no port of its own: paho would, and a service that may open none could not connect."""

    def _create_socket_connection(self) -> socket.socket:
        return socket.create_connection((self._host, self._port), self.connect_timeout)


def outgoing(client_id: str) -> Client:
    return Outgoing(CallbackAPIVersion.VERSION2, client_id, reconnect_on_failure=False)
