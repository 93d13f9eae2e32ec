"""The commands of a save, and the pieces that they put on the maps.

Everything is sequences of strings in one string: the delimiter stands between two tokens, a
backslash before a delimiter makes it part of the token, and a token in single quotes is what is
between them. They nest, each level with its own delimiter:

    ESC   commands          begin_save ESC command ESC command ... ESC end_save
    /     a command         +/ID/TYPE/STATE adds a piece
    tab   traits            of TYPE and STATE alike: the outermost, then all the rest as one token
    ;     a trait           piece;CLONE;DELETE;IMAGE;NAME       MAP;X;Y;GPID;N;KEY;VALUE;...

The innermost trait says what a piece is: `piece`, or a `stack` (MAP;X;Y;ID;ID;...;@@LAYER, from the
bottom) or `deck` (MAP;X;Y;FACEDOWN;ID,ID,...) of other pieces, which stand where it stands. Of the
traits between, those that hold a property are read: `mark` (Marker), `PROP` (Dynamic Property),
`emb2` (Layer: NAME_Level, NAME_Active) and `label` (Text Label).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from .errors import VassalError
from .reader import TEXT_ENTRY, SavedGame

COMMANDS, PARTS, TRAITS, FIELDS, LIST = "\x1b", "/", "\t", ";", ","
NO_MAP = "null"
ADD, LAST_COMMAND = "+/", "end_save"
CHANGES = ("D/", "M/", "-/")

MOST_NESTED = 40
"""Commands within commands; saves have three or four."""

MOST_TRAITS = 400
MOST_PIECE = 2 * 1024 * 1024
"""Characters of one piece."""

_LAYER = "@@"
_LAYER_NAME, _LABEL_NAME = 18, 16


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece as it lies on the table.

    `name` and `image` are of its Basic Piece, `gpid` is the slot of the module it comes from ("" if
    not said), `map` the name of its map ("" off any map), `x` and `y` its place on it in pixels.
    `heap` counts the things that lie on the tables, later ones on top, `above` the pieces of its
    stack that lie on top of it.
    """

    id: str
    name: str
    image: str
    gpid: str
    map: str
    x: int
    y: int
    properties: Mapping[str, str] = field(default_factory=dict)
    heap: int = 0
    above: int = 0


@dataclass(frozen=True, slots=True)
class Save:
    """All pieces of a save, in its order. `notes` say what in it was not read."""

    pieces: tuple[Piece, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Heap:
    """A stack or a deck: its place, and its pieces from the bottom."""

    map: str
    x: int
    y: int
    contents: tuple[str, ...]


def tokens(text: str, delimiter: str) -> list[str]:
    """The tokens of a sequence; at least one, which may be empty."""
    found: list[str] = []
    held: list[str] = []
    parts = text.split(delimiter)
    for part in parts[:-1]:
        if part.endswith("\\"):
            held.append(part[:-1])
        else:
            found.append(_unquoted(delimiter.join([*held, part])))
            held = []
    found.append(_unquoted(delimiter.join([*held, parts[-1]])))
    return found


def commands(file: object, text: str) -> Iterator[str]:
    """Every command of a text in order, those within others too."""
    waiting = [(text, 0)]
    while waiting:
        current, depth = waiting.pop()
        found = tokens(current, COMMANDS)
        if found == [current]:
            yield current
        elif depth == MOST_NESTED:
            raise VassalError(file, TEXT_ENTRY, f"commands lie within commands more than "
                                                 f"{MOST_NESTED} deep; this is no save of VASSAL")
        else:
            waiting.extend((part, depth + 1) for part in reversed(found))


def read_pieces(game: SavedGame) -> Save:
    """The pieces of a save. `VassalError` names the piece that cannot be read."""
    pieces: dict[str, Piece] = {}
    heaps: list[_Heap | str] = []
    unknown: dict[str, int] = {}
    changes = logged = 0
    is_over = False
    for command in commands(game.file, game.text):
        if is_over:
            logged += 1
        elif command == LAST_COMMAND:
            is_over = True
        elif command.startswith(ADD):
            _add(game.file, command, pieces, heaps, unknown)
        elif command.startswith(CHANGES):
            changes += 1
    if not is_over:
        raise VassalError(game.file, TEXT_ENTRY, "it is broken off: the last command of every "
                                                  f"save, {LAST_COMMAND!r}, is missing")
    notes = [f"{count} pieces of the kind {kind!r} are of no use here"
             for kind, count in sorted(unknown.items())]
    if changes:
        notes.append(f"{changes} commands that change pieces are not carried out; save the game "
                     "once more in VASSAL")
    if logged:
        notes.append(f"{logged} commands after the save, of a log, are not carried out")
    return Save(tuple(_placed(pieces, heaps)), tuple(notes))


def _unquoted(token: str) -> str:
    if len(token) > 1 and token.startswith("'") and token.endswith("'"):
        return token[1:-1]
    return token


def _add(file: str, command: str, pieces: dict[str, Piece], heaps: list[_Heap | str],
         unknown: dict[str, int]) -> None:
    parts = tokens(command.removeprefix(ADD), PARTS)
    if len(parts) < 3 or not parts[0]:
        raise VassalError(file, TEXT_ENTRY, f"the command {command[:60]!r} adds no piece; "
                                             "expected +/ID/TYPE/STATE")
    id_, type_, state = parts[:3]
    place = f"piece {id_}"
    if id_ in pieces:
        raise VassalError(file, place, "it is added twice; expected one piece of each id")
    if len(type_) > MOST_PIECE or len(state) > MOST_PIECE:
        raise VassalError(file, place, f"it is longer than {MOST_PIECE} characters, the most that "
                                       "is read of one piece")
    types, states = _traits(file, place, type_), _traits(file, place, state)
    kind = types[-1].partition(FIELDS)[0]
    if kind == "piece":
        if len(types) != len(states):
            raise VassalError(file, place, f"it has {len(types)} traits, but the state of "
                                           f"{len(states)}")
        pieces[id_] = _piece(file, place, id_, types, states)
        heaps.append(id_)
    elif kind in {"stack", "deck"}:
        heaps.append(_heap(file, f"{kind} {id_}", kind, states[-1]))
    else:
        unknown[kind[:40]] = unknown.get(kind[:40], 0) + 1


def _traits(file: str, place: str, text: str) -> list[str]:
    """The traits of a type or a state, from the outermost to the piece itself."""
    found: list[str] = []
    while len(found) < MOST_TRAITS:
        parts = tokens(text, TRAITS)
        found.append(parts[0])
        if len(parts) == 1:
            return found
        text = parts[1]
    raise VassalError(file, place, f"it has more than {MOST_TRAITS} traits, the most that are read")


def _piece(file: str, place: str, id_: str, types: list[str], states: list[str]) -> Piece:
    basic, state = tokens(types[-1], FIELDS), tokens(states[-1], FIELDS)
    if len(basic) < 5:
        raise VassalError(file, place, f"its Basic Piece is {types[-1][:60]!r}; expected "
                                       "piece;CLONE;DELETE;IMAGE;NAME")
    if len(state) < 3:
        raise VassalError(file, f"{place} ({basic[4]})", f"its place is {states[-1][:60]!r}; "
                          "expected MAP;X;Y")
    name = f"{place} ({basic[4]})"
    x, y = _whole(file, name, "X", state[1]), _whole(file, name, "Y", state[2])
    properties: dict[str, str] = {}
    for trait, value in zip(types[:-1], states[:-1], strict=True):
        for key, held in _properties(trait, value):
            properties.setdefault(key, held)     # the outer traits are asked first
    for key, held in zip(state[5::2], state[6::2], strict=False):
        properties.setdefault(key, held)
    return Piece(id_, basic[4], basic[3], state[3] if len(state) > 3 else "",
                 "" if state[0] == NO_MAP else state[0], x, y, properties)


def _properties(trait: str, state: str) -> Iterator[tuple[str, str]]:
    """The properties that one trait holds."""
    kind, _, body = trait.partition(FIELDS)
    if kind == "mark":
        yield from zip(tokens(body, LIST), tokens(state, LIST), strict=False)
    elif kind == "PROP":
        yield tokens(body, FIELDS)[0], state
    elif kind == "emb2":
        fields = tokens(body, FIELDS)
        name = fields[_LAYER_NAME] if len(fields) > _LAYER_NAME else ""
        level = tokens(state, FIELDS)[0]
        if name and level.removeprefix("-").isdecimal():
            yield f"{name}_Level", level.removeprefix("-")
            yield f"{name}_Active", "true" if int(level) > 0 else "false"
    elif kind == "label":
        fields = tokens(trait, FIELDS)
        yield fields[_LABEL_NAME] if len(fields) > _LABEL_NAME else "TextLabel", state.strip()


def _heap(file: str, place: str, kind: str, text: str) -> _Heap:
    state = tokens(text, FIELDS)
    if state[0] == NO_MAP:
        x = y = 0
        rest = state[1:]
    elif len(state) < 3:
        raise VassalError(file, place, f"its place is {text[:60]!r}; expected MAP;X;Y")
    else:
        x, y = _whole(file, place, "X", state[1]), _whole(file, place, "Y", state[2])
        rest = state[3:]
    if kind == "deck":
        rest = tokens(rest[-1], LIST) if len(rest) > 1 else []
    contents = tuple(id_ for id_ in rest if not id_.startswith(_LAYER))
    return _Heap("" if state[0] == NO_MAP else state[0], x, y, contents)


def _placed(pieces: dict[str, Piece], heaps: list[_Heap | str]) -> Iterator[Piece]:
    """Every piece, those of a stack or deck where that stands."""
    found = dict(pieces)
    for number, heap in enumerate(heaps):
        if isinstance(heap, str):
            found[heap] = replace(found[heap], heap=number)
    for number, heap in enumerate(heaps):
        if not isinstance(heap, str):
            known = [id_ for id_ in heap.contents if id_ in found]
            for above, id_ in enumerate(reversed(known)):
                found[id_] = replace(found[id_], map=heap.map, x=heap.x, y=heap.y, heap=number,
                                     above=above)
    yield from found.values()


def _whole(file: str, place: str, name: str, value: str) -> int:
    if not value.removeprefix("-").isdecimal() or len(value) > 9:
        raise VassalError(file, place, f"its {name} is {value[:20]!r}; expected a whole number of "
                                       "pixels")
    return int(value)
