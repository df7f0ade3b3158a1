"""Files of the types that services take: what the standard library reads them as, and what names their types."""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import json
import tarfile
import tomllib
import zipfile
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest
import yaml

from docrev.calls.media import encode
from docrev.calls.sample_files import content_of, ending_for, ending_of, endings, media_type_of, named_endings
from docrev.conventions.run_names import RunNames, run_name

NAME = "docrev-7"


def members(content: bytes) -> list[bytes]:
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        return [found.read() for member in archive if (found := archive.extractfile(member)) is not None]


def zipped(content: bytes) -> list[bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return [archive.read(name) for name in archive.namelist()]


def parts(content: bytes, first: int, last: int, inside: bytes) -> tuple[bytes, bytes]:
    """How a file begins and ends, if what must stand in it does."""
    assert inside in content
    return content[:first], content[-last:]


READ: dict[str, tuple[Callable[[bytes], Any], Any]] = {
    "zip": (zipped, [b"docrev-7\n"]),
    "tar": (members, [b"docrev-7\n"]),
    "tar.gz": (members, [b"docrev-7\n"]),
    "tar.bz2": (members, [b"docrev-7\n"]),
    "gz": (gzip.decompress, b"docrev-7\n"),
    "bz2": (bz2.decompress, b"docrev-7\n"),
    "csv": (lambda content: [*csv.reader(content.decode().splitlines())], [["name", "value"], [NAME, "1"]]),
    "json": (json.loads, {"name": NAME}),
    "jsonl": (json.loads, {"name": NAME}),
    "yaml": (yaml.safe_load, {"name": NAME}),
    "toml": (lambda content: tomllib.loads(content.decode()), {"name": NAME}),
    "xml": (lambda content: ElementTree.fromstring(content).text, NAME),
    "png": (lambda content: parts(content, 4, 8, b"tEXtComment\0docrev-7"), (b"\x89PNG", b"IEND\xaeB`\x82")),
    "gif": (lambda content: parts(content, 6, 1, NAME.encode()), (b"GIF89a", b";")),
    "pdf": (lambda content: parts(content, 5, 6, NAME.encode().hex().upper().encode()), (b"%PDF-", b"%%EOF\n")),
    "txt": (bytes.decode, "docrev-7\n"),
    "html": (bytes.decode, "<!DOCTYPE html><title>docrev-7</title>\n"),
    "md": (bytes.decode, "# docrev-7\n"),
}  # fmt: skip


def test_each_file_is_what_its_ending_says() -> None:
    assert {ending: READ[ending][0](content_of(ending, NAME)) for ending in endings()} == {
        ending: expected for ending, (_, expected) in READ.items()
    }
    assert all(content_of(ending, NAME) == content_of(ending, NAME) for ending in endings())


def test_the_table_of_a_pdf_tells_where_its_objects_begin() -> None:
    content = content_of("pdf", NAME)
    table = int(content.split(b"startxref\n")[1].split()[0])
    places = [int(line[:10]) for line in content[table:].splitlines()[3:7]]
    assert [content[place : place + 7] for place in places] == [b"%d 0 obj" % number for number in range(1, 5)]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("not a bzip2 file", ["bz2"]),
        ("File must be a ZIP archive", ["zip"]),
        ("only .csv files are supported", ["csv"]),
        ("Unexpected file type. Allowed: .whl, .tar.gz", ["tar.gz"]),
        ("Only GIFs or PNGs", ["gif", "png"]),
        ("profile picture", ["png"]),
        ("a zipper, or jsonish", []),
    ],
)
def test_types_of_files_are_named_by_their_endings_and_in_words(text: str, named: list[str]) -> None:
    assert named_endings(text) == named


def test_endings_and_media_types_belong_together() -> None:
    assert [ending_of(name) for name in ("a.TGZ", "a.b.tar.gz", "a.gz", "a.whl", "zip")] == ["tar.gz"] * 2 + [
        "gz",
        "",
        "",
    ]
    assert all(media_type_of(ending_for(media_type_of(ending))) == media_type_of(ending) for ending in endings())
    assert [ending_for(kind) for kind in ("application/x-gzip", "application/x-zip-compressed", "a/b")] == [
        "gz",
        "zip",
        "",
    ]


def test_a_body_that_is_a_file_is_of_its_media_type_or_of_the_ending_that_it_is_called_by() -> None:
    assert encode(NAME, "application/x-tar") == ("application/x-tar", content_of("tar", NAME))
    body = encode(f"{NAME}.bz2", "application/octet-stream")
    assert body == ("application/octet-stream", content_of("bz2", f"{NAME}.bz2"))
    assert encode(NAME, "application/octet-stream")[1] == NAME.encode()


def test_what_has_checksums_holds_no_name_that_is_exchanged_on_the_wire() -> None:
    sealed = {"zip", "png", "gz", "tar.gz", "bz2", "tar.bz2", "pdf"}
    names = RunNames("12345678")
    for ending in endings():
        content = content_of(ending, run_name(7))
        sent = names.outgoing_bytes(content)
        assert (sent == content) == (ending in sealed)
        READ[ending][0](sent.replace(b"docrev-12345678-7", b"docrev-7"))
