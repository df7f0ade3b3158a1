"""A file that no document declares, and that an error asks for by its name."""

from __future__ import annotations

from pathlib import Path

from servers import Answer, Received, reply
from shop import Shop
from test_explore_reach import explored, texts

LINES = ["GET /books", "POST /books", "GET /books/{id}", "DELETE /books/{id}", "POST /books/{id}/import"]


class Library(Shop):
    """Books, into which a file is imported; its document declares the title of the book instead."""

    def __init__(self) -> None:
        super().__init__({"/books/1": {"title": "theirs"}})

    def __call__(self, request: Received) -> Answer:
        if not request.path.endswith("/import"):
            return super().__call__(request)
        if request.path.removesuffix("/import") not in self.things:
            return reply({"detail": "Not found."}, 404)
        if b'name="chapter_file"; filename="' not in request.body:
            return reply({"chapter_file": ["No file was submitted."]}, 400)
        return reply({"imported": 1})


def test_a_file_is_sent_where_an_error_says_that_there_was_none(tmp_path: Path) -> None:
    library = Library()
    bodies = {line: texts("title") for line in ("POST /books", "POST /books/{id}/import")}
    reached, _ = explored(tmp_path, library, LINES, **bodies)
    assert reached == set(LINES)
    assert library.things == Library().things
