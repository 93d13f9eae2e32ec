"""Leaving on a signal, also where the process is held back."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from types import FrameType
from typing import NoReturn

LONGEST = 20.0
"""Seconds that a process may clean up after a signal to end; ending a tournament takes fewer."""


def leave_on(*signals: signal.Signals, within: float = LONGEST) -> None:
    """Make each signal raise in the main thread, and end the process if that does not.

    SIGINT raises KeyboardInterrupt, any other SystemExit(128 + number). Such an exception can be
    lost in a finalizer, and gRPC can wait for ever when it closes a channel whose call one has
    interrupted; then the process ends after `within` seconds with status 128 + number. A signal
    that is ignored stays so, as SIGINT is for a shell's background command.
    """
    reader, writer = os.pipe()
    threading.Thread(target=_watch, args=(reader, within), daemon=True).start()

    def leave(number: int, _: FrameType | None) -> NoReturn:
        os.write(writer, bytes([number]))
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        sys.exit(128 + number)

    for number in signals:
        if signal.getsignal(number) != signal.SIG_IGN:
            signal.signal(number, leave)


def _watch(reader: int, within: float) -> None:
    number = os.read(reader, 1)[0]
    time.sleep(within)
    os._exit(128 + number)
