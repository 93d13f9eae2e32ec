"""The codec of every scenario in a library."""

from __future__ import annotations

from lovat_server.service.library import Library, Volume

from .white_death_codec import WhiteDeathCodec

Codec = WhiteDeathCodec
"""Every game's codec has the methods of this one; a second game makes it a protocol."""

_CODECS: dict[str, type[Codec]] = {WhiteDeathCodec.game: WhiteDeathCodec}


class Codecs:
    """Built once for a library; read by many threads."""

    def __init__(self, library: Library) -> None:
        self._codecs = {volume.scenario: _CODECS[volume.game.id](volume.catalog)
                        for volume in library.volumes()}

    def of(self, volume: Volume) -> Codec:
        return self._codecs[volume.scenario]
