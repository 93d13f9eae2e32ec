"""CatalogService: what is printed."""

from __future__ import annotations

from threading import Lock
from typing import Any

from lovat.rules.v1 import catalog_service_pb2, catalog_service_pb2_grpc
from lovat_server.service.library import Library, Volume

from .codecs import Codecs
from .faults import guarded


class CatalogServicer(catalog_service_pb2_grpc.CatalogServiceServicer):
    """Catalogs are converted once and then copied."""

    def __init__(self, library: Library, codecs: Codecs) -> None:
        self._library = library
        self._codecs = codecs
        self._messages: dict[str, Any] = {}
        self._lock = Lock()

    @guarded
    def ListGames(
        self, _request: catalog_service_pb2.ListGamesRequest
    ) -> catalog_service_pb2.ListGamesResponse:
        return catalog_service_pb2.ListGamesResponse(games=[
            catalog_service_pb2.GameInfo(id=game.id, title=game.title, sides=game.sides,
                                         ruleset_version=game.ruleset_version)
            for game in self._library.games()
        ])

    @guarded
    def ListScenarios(
        self, request: catalog_service_pb2.ListScenariosRequest
    ) -> catalog_service_pb2.ListScenariosResponse:
        return catalog_service_pb2.ListScenariosResponse(scenarios=[
            catalog_service_pb2.ScenarioInfo(id=volume.scenario, game=volume.game.id,
                                             title=volume.title,
                                             content_hash=volume.content_hash)
            for volume in self._library.volumes(request.game)
        ])

    @guarded
    def GetCatalog(
        self, request: catalog_service_pb2.GetCatalogRequest
    ) -> catalog_service_pb2.GetCatalogResponse:
        volume = self._library.volume(request.scenario)
        response = catalog_service_pb2.GetCatalogResponse(
            game=volume.game.id, scenario=volume.scenario, content_hash=volume.content_hash)
        if request.known_hash == volume.content_hash:
            response.unchanged = True
        else:
            getattr(response, volume.game.id).CopyFrom(self._message(volume))
        return response

    def _message(self, volume: Volume) -> Any:
        with self._lock:
            message = self._messages.get(volume.scenario)
            if message is None:
                message = self._codecs.of(volume).encode_catalog()
                self._messages[volume.scenario] = message
            return message
