"""What the fuzzer has found, and a small Python file that shows it again."""

from __future__ import annotations

import base64
import textwrap
from dataclasses import dataclass


@dataclass
class Find(Exception):  # noqa: N818  # what is found need not be an error
    """`kind` in a word; `method` and `request` are the call that showed it."""

    kind: str
    message: str
    method: str
    request: bytes
    seed: str = ""

    def __str__(self) -> str:
        return f"{self.kind}: {self.method}: {self.message}"


_FILE = '''"""{title}

Found with seed {seed}. `position()` and `order()` are the messages of the call; run this file to
make the call again, on a server of its own or on the one at HOST:PORT.
"""

from __future__ import annotations

import base64
import sys

import grpc

from lovat.rules.v1 import core_pb2, rules_service_pb2

METHOD = {method!r}
KIND = {kind!r}
REQUEST = base64.b64decode(
{request}
)


def request():
    """The whole request; raises DecodeError if it was not a message."""
    return getattr(rules_service_pb2, f"{{METHOD}}Request").FromString(REQUEST)


def position() -> core_pb2.Position:
    return request().position


def order() -> core_pb2.Order:
    """The order of the call, if it has one."""
    return request().order


def call(address: str) -> bytes:
    with grpc.insecure_channel(address) as channel:
        return channel.unary_unary(f"/lovat.rules.v1.RulesService/{{METHOD}}")(REQUEST, timeout=60)


def main() -> None:
    if sys.argv[1:]:
        print(call(sys.argv[1]))
        return
    from lovat_client.sdk.server import EmbeddedServer
    with EmbeddedServer() as server:
        print(call(server.address))


if __name__ == "__main__":
    main()
'''


def reproduction(find: Find) -> str:
    """An importable Python file: the call as base64 protobuf, and how to repeat it."""
    text = base64.b64encode(find.request).decode()
    wrapped = "\n".join(f'    "{line}"' for line in textwrap.wrap(text, 90)) or '    ""'
    title = str(find).replace("\\", "/").replace('"""', "'''").splitlines()[0][:160]
    return _FILE.format(title=title, seed=find.seed, method=find.method, kind=find.kind,
                        request=wrapped)
