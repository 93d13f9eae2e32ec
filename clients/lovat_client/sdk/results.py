"""Answers of the rules: a judgement of an order, and what came of one. Refusal is an answer."""

from __future__ import annotations

from dataclasses import dataclass

from lovat.rules.v1 import core_pb2, event_pb2, rules_service_pb2

from .delta import apply_delta

Resolved = rules_service_pb2.SubmitOrdersResponse | rules_service_pb2.ResolveImpulseResponse


@dataclass(frozen=True, slots=True)
class Judgement:
    """Every rule that an order breaks, or the order as it was understood."""

    violations: tuple[core_pb2.Violation, ...]
    receipt: core_pb2.Receipt | None

    @property
    def is_legal(self) -> bool:
        return not self.violations


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of orders. If they were refused, `violations` says why and nothing has changed.

    `position` is the new position, also where only what has changed was asked for; None if
    refused, or if only events were asked for. `decision`,
    `version`, `checksum` and `dice_counter` are of the position as it now is, changed or not.
    """

    violations: tuple[core_pb2.Violation, ...]
    position: core_pb2.Position | None
    events: tuple[event_pb2.GameEvent, ...]
    decision: core_pb2.Decision
    version: int
    checksum: str
    dice_counter: int
    request_id: str

    @property
    def is_accepted(self) -> bool:
        return not self.violations

    @property
    def is_refused(self) -> bool:
        return bool(self.violations)


@dataclass(frozen=True, slots=True)
class Forecast:
    """What an order would come to, or every rule that it breaks."""

    violations: tuple[core_pb2.Violation, ...]
    preview: core_pb2.Preview | None

    @property
    def is_legal(self) -> bool:
        return not self.violations


def forecast_of(response: rules_service_pb2.PreviewCombatResponse) -> Forecast:
    preview = response.preview if response.HasField("preview") else None
    return Forecast(tuple(response.violations), preview)


def judgement_of(response: rules_service_pb2.ValidateOrdersResponse) -> Judgement:
    receipt = response.receipt if response.HasField("receipt") else None
    return Judgement(tuple(response.violations), receipt)


@dataclass(frozen=True, slots=True)
class Soundness:
    """Everything that is wrong with a position.

    The first `blocking` of the `faults` make play impossible. `checksum` is what the position has
    as it was asked about, "" without dice.
    """

    faults: tuple[core_pb2.Violation, ...]
    blocking: int
    checksum: str

    @property
    def is_sound(self) -> bool:
        return not self.faults

    @property
    def is_playable(self) -> bool:
        return not self.blocking


def soundness_of(response: rules_service_pb2.CheckPositionResponse) -> Soundness:
    return Soundness(tuple(response.faults), response.blocking, response.checksum)


def outcome_of(response: Resolved, before: core_pb2.Position) -> Outcome:
    """What came of orders that were given to the position `before`."""
    position: core_pb2.Position | None = None
    if response.HasField("delta"):
        position = apply_delta(before, response.delta)
    elif response.HasField("position"):
        position = response.position
    return Outcome(
        violations=tuple(response.violations),
        position=position,
        events=tuple(response.events),
        decision=response.decision,
        version=response.version,
        checksum=response.checksum,
        dice_counter=response.dice_counter,
        request_id=response.request_id,
    )
