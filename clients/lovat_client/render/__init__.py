"""Pictures of a game: an SVG map and a text map."""

from .picture import Picture, picture_of_position, picture_of_view
from .svg import render_svg
from .text import render_text
from .zones import zones_of_control

__all__ = ["Picture", "picture_of_position", "picture_of_view", "render_svg", "render_text",
           "zones_of_control"]
