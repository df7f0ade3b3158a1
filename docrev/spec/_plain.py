"""A stand-in until the document module lands."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from docrev.errors import InputError

Json = Any


def escape(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def unescape(key: str) -> str:
    return key.replace("~1", "/").replace("~0", "~")


def join(*parts: str) -> str:
    return "".join(f"/{escape(part)}" for part in parts)


def split(pointer: str) -> list[str]:
    return [unescape(part) for part in pointer.split("/")[1:]]


def _strings(value: Json) -> Json:
    if isinstance(value, dict):
        return {str(key): _strings(item) for key, item in value.items()}
    return [_strings(item) for item in value] if isinstance(value, list) else value


@dataclass(frozen=True)
class Document:
    name: str
    path: Path | None
    text: str
    format: str
    tree: Json

    @classmethod
    def read(cls, path: Path | str, *, max_size: int = 20 * 2**20) -> Document:
        try:
            return cls.parse(Path(path).read_bytes(), str(path))
        except OSError as error:
            raise InputError(str(error), where=str(path)) from error

    @classmethod
    def parse(cls, source: bytes | str, name: str) -> Document:
        text = source if isinstance(source, str) else source.decode()
        try:
            if text.lstrip()[:1] in "{[":
                return cls(name, Path(name), text, "json", json.loads(text))
            return cls(name, Path(name), text, "yaml", _strings(yaml.safe_load(text)))
        except (ValueError, yaml.YAMLError) as error:
            raise InputError(str(error), where=name) from error

    def get(self, pointer: str, default: Json = None) -> Json:
        node = self.tree
        for part in split(pointer):
            try:
                node = node[int(part)] if isinstance(node, list) else node[part]
            except (KeyError, IndexError, ValueError, TypeError):
                return default
        return node

    def line(self, pointer: str) -> int:
        return 1

    def where(self, pointer: str) -> str:
        return f"{self.name}:1"

    def definition(self, pointer: str) -> str:
        return pointer

    def to_bytes(self) -> bytes:
        return self.text.encode()
