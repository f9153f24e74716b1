"""A hand at an X server: pointer and keys by XTEST, which a program cannot tell from a person's."""

import ctypes
import subprocess
import time

SECOND = "second"
TAP = 0.06  # seconds that a finger stays
CURRENT = 0  # time: now
CLOSED = "WM_DELETE_WINDOW"
CLIENT_MESSAGE = 33
XID = ctypes.c_ulong


class ClientMessage(ctypes.Structure):
    """What a window manager sends when somebody closes a window."""

    _fields_ = [
        ("type", ctypes.c_int),
        ("serial", ctypes.c_ulong),
        ("send_event", ctypes.c_int),
        ("display", ctypes.c_void_p),
        ("window", XID),
        ("message_type", XID),
        ("format", ctypes.c_int),
        ("data", ctypes.c_long * 5),
        ("room", ctypes.c_long * 24),
    ]


class Fingers:
    """One pointer and one keyboard."""

    def __init__(self, name: str, *, second: bool = False) -> None:
        self._x, self._test = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
        self._x.XOpenDisplay.restype = ctypes.c_void_p
        self._x.XDefaultRootWindow.restype = self._x.XInternAtom.restype = self._x.XStringToKeysym.restype = XID
        self._display = ctypes.c_void_p(self._x.XOpenDisplay(name.encode()))
        assert self._display
        if second:
            self._is_second(name)

    def _is_second(self, name: str) -> None:
        """A pointer of its own, so that two are down at the same time; events that this connection makes are its."""
        inputs = ctypes.CDLL("libXi.so.6")
        listed = ["xinput", "--list", "--id-only", f"{SECOND} pointer"]
        known = subprocess.run(listed, env={"DISPLAY": name}, check=False, capture_output=True, text=True)
        if known.returncode:
            subprocess.run(["xinput", "create-master", SECOND], env={"DISPLAY": name}, check=True)
            known = subprocess.run(listed, env={"DISPLAY": name}, check=True, capture_output=True, text=True)
        inputs.XISetClientPointer(self._display, XID(0), int(known.stdout.split()[0]))
        self._x.XSync(self._display, 0)

    def move(self, x: int, y: int) -> None:
        self._test.XTestFakeMotionEvent(self._display, -1, x, y, CURRENT)
        self._x.XSync(self._display, 0)

    def press(self, *, down: bool, button: int = 1) -> None:
        self._test.XTestFakeButtonEvent(self._display, button, int(down), CURRENT)
        self._x.XSync(self._display, 0)

    def touch(self, x: int, y: int) -> None:
        self.move(x, y)
        self.press(down=True)
        time.sleep(TAP)
        self.press(down=False)

    def key(self, name: str) -> None:
        code = self._x.XKeysymToKeycode(self._display, XID(self._x.XStringToKeysym(name.encode())))
        for down in (1, 0):
            self._test.XTestFakeKeyEvent(self._display, code, down, CURRENT)
        self._x.XSync(self._display, 0)

    def close_window(self) -> None:
        """As its cross does, or the key that closes windows."""
        window = self._window(self._x.XDefaultRootWindow(self._display))
        protocols = self._x.XInternAtom(self._display, b"WM_PROTOCOLS", 0)
        event = ClientMessage(CLIENT_MESSAGE, 0, 1, self._display, window, protocols, 32)
        event.data[0] = self._x.XInternAtom(self._display, CLOSED.encode(), 0)
        self._x.XSendEvent(self._display, XID(window), 0, ctypes.c_long(0), ctypes.byref(event))
        self._x.XSync(self._display, 0)

    def _window(self, root: int) -> int:
        """The one that is open, over everything else."""
        parent, above, count = XID(), XID(), ctypes.c_uint()
        children = ctypes.POINTER(XID)()
        self._x.XQueryTree(self._display, XID(root), *map(ctypes.byref, (above, parent, children, count)))
        return int(children[count.value - 1])

    def close(self) -> None:
        self._x.XCloseDisplay(self._display)
