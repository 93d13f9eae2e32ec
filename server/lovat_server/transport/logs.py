"""The log: one JSON object a line on standard error. Never a payload, never a secret."""

from __future__ import annotations

import contextlib
import logging
import sys
from typing import TextIO, cast

import structlog

LEVELS = ("debug", "info", "warning", "error")


class _StandardError:
    """Standard error as it is at the moment; a line that cannot be written is lost."""

    def write(self, text: str) -> None:
        # whoever started the server may have closed the pipe: no reason to fail a call
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.write(text)

    def flush(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.flush()


def configure(level: str) -> None:
    """Set up structlog for the process. ValueError for a level that does not exist."""
    if level not in LEVELS:
        raise ValueError(f"{level!r} is no log level; expected one of {', '.join(LEVELS)}")
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(
            logging.getLevelNamesMapping()[level.upper()]),
        logger_factory=structlog.WriteLoggerFactory(file=cast(TextIO, _StandardError())),
        cache_logger_on_first_use=True,
    )
