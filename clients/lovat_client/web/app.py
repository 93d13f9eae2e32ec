"""The ASGI application: the page's files, the board, and the relayed services."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import hashlib
import html
import mimetypes
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from dataclasses import dataclass
from importlib import resources
from typing import Any

import grpc.aio
from connectrpc.server import ConnectASGIApplication

from lovat.play.v1 import match_service_pb2
from lovat.rules.v1 import catalog_service_pb2, rules_service_pb2

from ..bots import BOTS
from ..sdk.client import LovatClient
from ..sdk.errors import LovatError
from .board import board_svg
from .opponents import bot_service
from .relay import open_channel, relay

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

POLICY = "; ".join((
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self' data:",
    "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"))
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cache-control", b"no-cache"),
)
_TYPES = {".js": "text/javascript", ".html": "text/html", ".css": "text/css",
          ".svg": "image/svg+xml", ".json": "application/json"}


@dataclass(frozen=True, slots=True)
class File:
    """One file of the page, as it is sent."""

    content: bytes
    packed: bytes
    kind: str
    tag: str

    @classmethod
    def of(cls, content: bytes, kind: str) -> File:
        return cls(content, gzip.compress(content, 6, mtime=0), kind,
                   f'"{hashlib.sha256(content).hexdigest()[:20]}"')


class Table:
    """The application. `rules` and `arbiter` are addresses; without an arbiter there is none."""

    def __init__(self, rules: str, arbiter: str = "") -> None:
        self._rules = rules
        self._arbiter = arbiter
        self._files = _page(bots=BOTS, arbiter=bool(arbiter))
        self._services: dict[str, ConnectASGIApplication[None]] = {}
        self._boards: dict[str, File] = {}
        self._client = LovatClient.connect(rules)

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        if scope["type"] != "http":
            return
        path = scope["path"]
        service = self._services.get(path.rsplit("/", 1)[0])
        if service is not None:
            await service(scope, receive, send)  # type: ignore[arg-type]
        elif scope["method"] not in {"GET", "HEAD"}:
            await _answer(send, 404, b"no such method", "text/plain")
        elif path.startswith("/board/") and path.endswith(".svg"):
            await self._board(path.removeprefix("/board/").removesuffix(".svg"), scope, send)
        else:
            await _send_file(self._files.get(path), scope, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        """Open the channels when the server starts and close them when it stops."""
        async with contextlib.AsyncExitStack() as stack:
            while True:
                message = await receive()
                if message["type"] == "lifespan.startup":
                    rules = await stack.enter_async_context(open_channel(self._rules))
                    self._mount(rules, catalog_service_pb2, rules_service_pb2)
                    if self._arbiter:
                        self._mount(await stack.enter_async_context(open_channel(self._arbiter)),
                                    match_service_pb2)
                    bots = bot_service(self._rules)
                    self._services[bots.path] = bots
                    await send({"type": "lifespan.startup.complete"})
                else:
                    self._client.close()
                    await send({"type": "lifespan.shutdown.complete"})
                    return

    def _mount(self, channel: grpc.aio.Channel, *modules: Any) -> None:
        for module in modules:
            for descriptor in module.DESCRIPTOR.services_by_name.values():
                service = relay(descriptor, channel)
                self._services[service.path] = service

    async def _board(self, scenario: str, scope: Message, send: Send) -> None:
        try:
            catalog = await asyncio.to_thread(self._client.catalog, scenario)
        except LovatError as error:
            status = 404 if error.code.name == "NOT_FOUND" else 503
            await _answer(send, status, str(error).encode(), "text/plain")
            return
        held = self._boards.get(catalog.content_hash)
        if held is None:
            content = await asyncio.to_thread(board_svg, catalog.message)
            held = self._boards[catalog.content_hash] = File.of(content.encode(), _TYPES[".svg"])
        await _send_file(held, scope, send)


def _page(bots: Mapping[str, Any], arbiter: bool) -> dict[str, File]:
    """Every file by its path; the page itself is told what this server offers."""
    found = {}
    folder = resources.files(__package__) / "static"
    for entry in folder.iterdir():
        suffix = entry.name[entry.name.rfind("."):]
        content = entry.read_bytes()
        if suffix == ".html":
            content = content.replace(b"{{bots}}", html.escape(" ".join(bots)).encode())
            content = content.replace(b"{{arbiter}}", b"yes" if arbiter else b"no")
        kind = _TYPES.get(suffix) or mimetypes.guess_type(entry.name)[0] or "text/plain"
        found[f"/{entry.name}"] = File.of(content, kind)
    found["/"] = found["/index.html"]
    return found


async def _send_file(file: File | None, scope: Message, send: Send) -> None:
    if file is None:
        await _answer(send, 404, b"there is nothing here", "text/plain")
        return
    headers = dict(scope["headers"])
    if headers.get(b"if-none-match") == file.tag.encode():
        await _answer(send, 304, b"", file.kind, (b"etag", file.tag.encode()))
        return
    packs = b"gzip" in headers.get(b"accept-encoding", b"")
    body = b"" if scope["method"] == "HEAD" else file.packed if packs else file.content
    more = [(b"etag", file.tag.encode()), (b"vary", b"accept-encoding")]
    if packs:
        more.append((b"content-encoding", b"gzip"))
    await _answer(send, 200, body, file.kind, *more)


async def _answer(send: Send, status: int, body: bytes, kind: str,
                  *more: tuple[bytes, bytes]) -> None:
    text = kind.startswith("text/") or kind.endswith(("xml", "json"))
    named = f"{kind}; charset=utf-8" if text else kind
    await send({"type": "http.response.start", "status": status, "headers": [
        (b"content-type", named.encode()), (b"content-length", str(len(body)).encode()),
        *HEADERS, *more]})
    await send({"type": "http.response.body", "body": body})
