"""Leaving on a signal, by processes that are sent one."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from lovat_client.sdk.server import child_environment

READY = "ready"
SIGNALS = (signal.SIGTERM, signal.SIGINT)


def ended(numbers: tuple[signal.Signals, ...], sent: signal.Signals, within: float,
          body: str) -> tuple[int, str]:
    """The exit status of a program that is sent a signal once it waits, and what it then prints."""
    lines = "\n".join(f"    {line}" for line in body.splitlines())
    program = (
        "import contextlib, signal, sys, time\n"
        "from lovat_client.leaving import leave_on\n"
        f"def wait():\n    print({READY!r}, flush=True)\n    time.sleep(60)\n"
        f"leave_on(*map(signal.Signals, {[int(number) for number in numbers]}), within={within})\n"
        f"try:\n{lines}\n"
        "finally:\n    print('cleaned up', flush=True)\n")
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, text=True, env=child_environment())
    assert process.stdout is not None
    with process:
        assert process.stdout.readline().strip() == READY
        process.send_signal(sent)
        rest = process.stdout.read()
        return process.wait(30), rest


@pytest.mark.parametrize(("sent", "status"), [
    (signal.SIGTERM, 128 + signal.SIGTERM),
    (signal.SIGINT, -signal.SIGINT),  # Python's own end after a KeyboardInterrupt
])
def test_a_signal_ends_a_process_after_its_clean_up(sent: signal.Signals, status: int) -> None:
    assert ended(SIGNALS, sent, 60, "wait()") == (status, "cleaned up\n")


@pytest.mark.parametrize("sent", SIGNALS)
def test_a_process_that_loses_the_exception_ends_all_the_same(sent: signal.Signals) -> None:
    body = ("with contextlib.suppress(BaseException):\n    wait()\n"
            "with contextlib.suppress(BaseException):\n    time.sleep(60)")
    assert ended(SIGNALS, sent, 0.2, body) == (128 + sent, "")


@pytest.mark.parametrize("sent", SIGNALS)
def test_a_process_that_cannot_clean_up_ends_all_the_same(sent: signal.Signals) -> None:
    body = "try:\n    wait()\nfinally:\n    time.sleep(60)"
    assert ended(SIGNALS, sent, 0.2, body) == (128 + sent, "")


def test_an_ignored_signal_stays_ignored() -> None:
    program = (
        "import signal\nfrom lovat_client.leaving import leave_on\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "leave_on(signal.SIGINT)\n"
        "print(signal.getsignal(signal.SIGINT) == signal.SIG_IGN)\n")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          check=True, env=child_environment())
    assert done.stdout == "True\n"


def test_a_signal_that_is_not_named_keeps_its_handler() -> None:
    assert ended((signal.SIGTERM,), signal.SIGINT, 0.2,
                 "try:\n    wait()\nexcept KeyboardInterrupt:\n    sys.exit(3)") == (
        3, "cleaned up\n")
