"""The client of paho as this table needs it; imported only where something is published."""

import socket
import time

from paho.mqtt.client import CONNACK, PINGRESP, PUBACK, Client
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode

ANSWERS = (CONNACK, PUBACK, PINGRESP)  # to what this table says; it asks for nothing
ANSWER = 4  # bytes of the longest
AT_FIRST, EACH_SECOND = 100 * ANSWER, 2 * ANSWER  # bytes that a broker may say besides


class Outgoing(Client):
    """It binds no port of its own: paho would, and a service that may open none could not connect. A broker that says
    what nobody has asked for, or more than there is to answer, is not listened to."""

    is_talked_at = False
    _asked = 0  # packets that are to be answered
    _heard = 0  # bytes
    _since = 0.0

    def asks(self) -> None:
        """Something goes out that is to be answered."""
        self._asked += 1

    def _create_socket_connection(self) -> socket.socket:
        self._since = time.monotonic()
        return socket.create_connection((self._host, self._port), self.connect_timeout)

    def _sock_recv(self, bufsize: int) -> bytes:
        owed = AT_FIRST + ANSWER * self._asked + EACH_SECOND * (time.monotonic() - self._since)
        if self._heard + bufsize > owed:
            self.is_talked_at = True
            raise ConnectionAbortedError("the broker says more than there is to answer")
        data = super()._sock_recv(bufsize)
        self._heard += len(data)
        return data

    def _packet_handle(self) -> MQTTErrorCode:
        if self._in_packet["command"] & 0xF0 in ANSWERS:
            return super()._packet_handle()
        self.is_talked_at = True
        return MQTTErrorCode.MQTT_ERR_PROTOCOL


def outgoing(client_id: str) -> Outgoing:
    return Outgoing(CallbackAPIVersion.VERSION2, client_id, reconnect_on_failure=False)
