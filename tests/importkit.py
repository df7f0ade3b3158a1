"""Sources to import, written where a test wants them, and the way there, back and there again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from docrev.spec import Catalog, validate
from docrev.spec.formats import Imported, export, read

PACKAGES = {
    "tool_name": "Parcel Post",
    "title": "Parcel Post",
    "standardized_name": "parcel_post",
    "tool_description": "Follows parcels.",
    "home_url": "https://example.org/parcels",
    "api_list": [
        {
            "name": "Get Parcel",
            "url": "https://parcels.example.org/parcels/{id}",
            "method": "GET",
            "description": "One parcel by its id.",
            "required_parameters": [{"name": "id", "type": "STRING", "description": "", "default": "P-7"}],
            "optional_parameters": [
                {"name": "weight", "type": "NUMBER", "description": "At most, in kg.", "default": "2.5"},
                {"name": "since", "type": "DATE (YYYY-MM-DD)", "description": "", "default": "2024-02-30x"},
                {"name": "area", "type": "GEOPOINT (latitude, longitude)", "description": "", "default": ""},
                {"name": "express", "type": "BOOLEAN", "description": "", "default": "true"},
                {"name": "size", "type": "ENUM", "description": "", "default": "s", "options": ["s", "m"]},
            ],
            "template_response": {"id": "str", "steps": [{"at": "str", "km": "float", "_list_length": 3}]},
            "statuscode": 200,
        },
        {
            "name": "Search",
            "url": "https://parcels.example.org/search",
            "method": "POST",
            "description": "",
            "required_parameters": [],
            "optional_parameters": [
                {"name": "text", "type": "STRING", "description": "Words to find.", "default": ""},
                {"name": "limit", "type": "NUMBER", "description": "", "default": "10"},
            ],
        },
    ],
}
WEATHER = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather of a city.",
        "strict": True,
        "parameters": {
            "type": "object",
            "properties": {"city": {"$ref": "#/$defs/City"}, "days": {"type": "integer", "default": 3}},
            "required": ["city"],
            "$defs": {"City": {"type": "string", "description": "Its name."}},
        },
    },
}
TOOL = {
    "name": "read_file",
    "title": "Read a file",
    "description": "Reads one file.",
    "inputSchema": {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
    "outputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
    "annotations": {"readOnlyHint": True},
    "_meta": {"since": 2},
}


def put(path: Path, tree: Any) -> Path:
    """Write a tree as JSON, its folders made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(tree), encoding="utf-8")
    return path


def errors(catalog: Catalog) -> list[str]:
    """What the published schemas hold against the documents of a catalog."""
    return [str(finding) for document in catalog.documents.values() for finding in validate(document, catalog.refs)]


def again(format: str, imported: Imported, folder: Path) -> Imported:
    """Export what was imported into a fresh folder, and import that."""
    shutil.rmtree(folder, ignore_errors=True)
    export(format, imported.catalog()).write(folder)
    return read(format, [folder])
