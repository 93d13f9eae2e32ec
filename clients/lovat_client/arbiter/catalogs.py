"""lovat.rules.v1.CatalogService at the arbiter: passed on to its rules server, for everybody."""

# ruff: noqa: N802  # a servicer's methods are named by the .proto

from __future__ import annotations

from typing import Any

from lovat.rules.v1 import catalog_service_pb2 as catalogs
from lovat.rules.v1.catalog_service_pb2_grpc import CatalogServiceServicer

from .calls import Desk
from .referee import Referee

NAME = catalogs.DESCRIPTOR.services_by_name["CatalogService"].full_name


class CatalogServicer(CatalogServiceServicer):
    """What is printed is no secret: no token is needed, and none is looked at."""

    def __init__(self, referee: Referee, desk: Desk) -> None:
        self._referee = referee
        self._desk = desk

    async def ListGames(self, request: catalogs.ListGamesRequest,
                        context: Any) -> catalogs.ListGamesResponse:
        return await self._desk.for_all(context, lambda: self._referee.list_games(request))

    async def ListScenarios(self, request: catalogs.ListScenariosRequest,
                            context: Any) -> catalogs.ListScenariosResponse:
        return await self._desk.for_all(context, lambda: self._referee.list_scenarios(request))

    async def GetCatalog(self, request: catalogs.GetCatalogRequest,
                         context: Any) -> catalogs.GetCatalogResponse:
        return await self._desk.for_all(context, lambda: self._referee.get_catalog(request))
