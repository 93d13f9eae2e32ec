"""A front-end author reads proto/ and needs nothing else: everything there has a comment."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from google.protobuf import descriptor_pb2 as d

import generate

protoc = pytest.importorskip("grpc_tools.protoc", reason="grpcio-tools is not installed")

PROTO = Path(generate.__file__).resolve().parent
WELL_KNOWN = Path(protoc.__file__).parent / "_proto"
F, M, E, S = d.FileDescriptorProto, d.DescriptorProto, d.EnumDescriptorProto, \
    d.ServiceDescriptorProto


class Element(NamedTuple):
    """Something a .proto declares: "message rules.v1.Position", its short name, its comment."""

    kind: str
    place: str
    name: str
    comment: str


def elements(file: d.FileDescriptorProto) -> Iterator[Element]:
    comments = {
        tuple(location.path): (location.leading_comments or location.trailing_comments).strip()
        for location in file.source_code_info.location
    }

    def element(kind: str, path: tuple[int, ...], within: str, name: str) -> Element:
        return Element(kind, f"{within}.{name}", name, comments.get(path, ""))

    def enum(node: d.EnumDescriptorProto, path: tuple[int, ...], within: str) -> Iterator[Element]:
        yield element("enum", path, within, node.name)
        for place, value in enumerate(node.value):
            yield element("enum value", (*path, E.VALUE_FIELD_NUMBER, place),
                          f"{within}.{node.name}", value.name)

    def message(node: d.DescriptorProto, path: tuple[int, ...], within: str) -> Iterator[Element]:
        if node.options.map_entry:
            return
        yield element("message", path, within, node.name)
        inside = f"{within}.{node.name}"
        for place, field in enumerate(node.field):
            yield element("field", (*path, M.FIELD_FIELD_NUMBER, place), inside, field.name)
        for place, inner in enumerate(node.nested_type):
            yield from message(inner, (*path, M.NESTED_TYPE_FIELD_NUMBER, place), inside)
        for place, inner_enum in enumerate(node.enum_type):
            yield from enum(inner_enum, (*path, M.ENUM_TYPE_FIELD_NUMBER, place), inside)

    for place, top in enumerate(file.message_type):
        yield from message(top, (F.MESSAGE_TYPE_FIELD_NUMBER, place), file.package)
    for place, top_enum in enumerate(file.enum_type):
        yield from enum(top_enum, (F.ENUM_TYPE_FIELD_NUMBER, place), file.package)
    for place, service in enumerate(file.service):
        path = (F.SERVICE_FIELD_NUMBER, place)
        yield element("service", path, file.package, service.name)
        for number, method in enumerate(service.method):
            yield element("rpc", (*path, S.METHOD_FIELD_NUMBER, number),
                          f"{file.package}.{service.name}", method.name)


def described(root: Path, names: list[str], out: Path) -> list[d.FileDescriptorProto]:
    target = out / "set.binpb"
    assert names, "there are no .proto files"
    assert protoc.main(["protoc", f"--proto_path={root}", f"--proto_path={WELL_KNOWN}",
                        "--include_source_info", f"--descriptor_set_out={target}", *names]) == 0
    return list(d.FileDescriptorSet.FromString(target.read_bytes()).file)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[d.FileDescriptorProto]:
    return described(PROTO, generate.protos(), tmp_path_factory.mktemp("set"))


def without_comment(files: list[d.FileDescriptorProto]) -> list[str]:
    return [f"{found.kind} {found.place}" for file in files for found in elements(file)
            if not found.comment]


def not_opened_by_name(files: list[d.FileDescriptorProto]) -> list[str]:
    return [f"{found.kind} {found.place}" for file in files for found in elements(file)
            if found.kind in ("message", "enum", "service", "rpc")
            and found.comment and found.comment.split()[0].rstrip(".,:;") != found.name]


def test_everything_in_the_contract_has_a_comment(files: list[d.FileDescriptorProto]) -> None:
    assert without_comment(files) == []


def test_a_comment_opens_with_the_name_of_what_it_describes(
    files: list[d.FileDescriptorProto]
) -> None:
    assert not_opened_by_name(files) == []


def test_a_package_is_its_folder_and_ends_in_a_version(
    files: list[d.FileDescriptorProto]
) -> None:
    for file in files:
        assert file.package == str(Path(file.name).parent).replace("/", ".")
        assert file.package.rpartition(".")[2] == "v1"


def test_every_enum_opens_with_its_unspecified_value(files: list[d.FileDescriptorProto]) -> None:
    def enums(node: d.FileDescriptorProto | d.DescriptorProto) -> Iterator[d.EnumDescriptorProto]:
        yield from node.enum_type
        nested = node.message_type if isinstance(node, F) else node.nested_type
        for inner in nested:
            yield from enums(inner)

    wrong = [f"{file.name}: {enum.name}" for file in files for enum in enums(file)
             if enum.value[0].number != 0 or not enum.value[0].name.endswith("_UNSPECIFIED")]
    assert wrong == []


def test_every_rpc_has_a_request_and_response_of_its_own(
    files: list[d.FileDescriptorProto]
) -> None:
    for file in files:
        for service in file.service:
            for method in service.method:
                assert method.input_type.endswith(f".{method.name}Request")
                assert method.output_type.endswith(f".{method.name}Response")


def test_a_missing_comment_is_seen_wherever_it_is_missing(tmp_path: Path) -> None:
    (tmp_path / "a.proto").write_text("""
syntax = "proto3";
package p.v1;
// This opens with another word.
message Said {
  int32 x = 1;  // x trails.
  int32 y = 2;

  enum Kind {
    KIND_UNSPECIFIED = 0;
  }
}
// Serving serves.
service Serving {
  rpc Ask(Said) returns (Said);
}
""", "utf-8")
    files = described(tmp_path, ["a.proto"], tmp_path)
    assert without_comment(files) == [
        "field p.v1.Said.y", "enum p.v1.Said.Kind",
        "enum value p.v1.Said.Kind.KIND_UNSPECIFIED", "rpc p.v1.Serving.Ask",
    ]
    assert not_opened_by_name(files) == ["message p.v1.Said"]
