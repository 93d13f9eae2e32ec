"""VASSAL saves: read, laid over our hexes, turned into positions."""

from .calibration import Calibration, read_calibration
from .commands import Piece, Save, read_pieces
from .errors import VassalError
from .mapping import Mapping, read_mapping
from .placing import Plan, Sighting, apply, plan
from .reader import SavedGame, read_save

__all__ = ["Calibration", "Mapping", "Piece", "Plan", "Save", "SavedGame", "Sighting",
           "VassalError", "apply", "plan", "read_calibration", "read_mapping", "read_pieces",
           "read_save"]
