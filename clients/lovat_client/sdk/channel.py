"""What both clients set on their channel."""

from __future__ import annotations

MEBIBYTE = 1024 * 1024
LARGEST_ANSWER = 32 * MEBIBYTE

OPTIONS: tuple[tuple[str, int], ...] = (
    ("grpc.max_receive_message_length", LARGEST_ANSWER),
    ("grpc.max_send_message_length", -1),  # the server says what is too large, and says it better
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2000),
    ("grpc.enable_retries", 0),  # the client counts its own attempts
)
DEFAULT_TIMEOUT = 30.0
"""Seconds for one call, its repetitions included."""

REPLAY_TIMEOUT = 600.0
"""Seconds for a whole replay."""
