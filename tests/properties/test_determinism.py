"""The same input gives the same bytes, whatever the process and its hash seed."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DECISIONS = 45


def fingerprints(seed: int) -> list[str]:
    """One line a decision: what was listed, ordered and rolled, and the checksum after."""
    from tests.properties.player import play

    from lovat_server.games.white_death.game import WHITE_DEATH
    from lovat_server.scenarios.loader import load_catalog

    catalog = load_catalog("purkayevs-attack")
    lines = [catalog.content_hash]
    for played in play(catalog, seed, most=DECISIONS):
        view = WHITE_DEATH.view(catalog, played.state, played.state.decision.side)
        words = "\n".join(map(repr, (
            _moves(played.listing), view, played.order, played.done.events, played.dice)))
        lines.append(f"{played.state.decision.kind.name} "
                     f"{hashlib.sha256(words.encode()).hexdigest()[:16]} "
                     f"{WHITE_DEATH.checksum(played.done.state)}")
    return lines


def _moves(listing: object) -> object:
    """The listing with its reaches spelt out, in the order they are listed."""
    units = getattr(listing, "units", ())
    return [(unit.unit, unit.left, unit.hexes, unit.costs, unit.previous, unit.marks, unit.rail,
             unit.assaults) for unit in units] or repr(listing)


def in_process(seed: int, hash_seed: str) -> list[str]:
    path = os.pathsep.join(str(ROOT / part) for part in ("", "proto", "server", "clients"))
    done = subprocess.run(
        [sys.executable, "-m", "tests.properties.test_determinism", str(seed)], cwd=ROOT,
        env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path},
        capture_output=True, text=True, check=True, timeout=120)
    return done.stdout.splitlines()


def test_two_processes_agree():
    one, other = in_process(11, "1"), in_process(11, "4242")
    assert len(one) == DECISIONS + 1
    assert one == other
    assert one == fingerprints(11)


def test_a_game_twice_in_one_process_agrees():
    assert fingerprints(12) == fingerprints(12)


def test_another_seed_gives_another_game():
    assert fingerprints(11) != fingerprints(12)


if __name__ == "__main__":
    print("\n".join(fingerprints(int(sys.argv[1]))))
