"""Processes that do not outlive the one that started them, however that one ended."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import threading
import time

_PR_SET_PDEATHSIG = 1
_EVERY = 1.0  # seconds between two looks where the kernel does not tell


def die_with(parent: int) -> None:
    """Kill this process when its parent, whose process id is given, has ended.

    On Linux the kernel does it at once, even while the process hangs, and also after `exec`.
    There "the parent" is the thread that started this process, so that thread must last.
    Elsewhere a thread of this process looks once a second, which an `exec` ends.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it ended before the kernel was asked
            os._exit(1)
        return
    threading.Thread(target=_watch, args=(parent,), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(_EVERY)
    os._exit(1)
