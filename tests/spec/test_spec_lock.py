"""`docrev.lock`: what stands in it, how Git merges it, and what is done about a file that is not as it should be."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from docrev.errors import InputError
from docrev.revision import write
from docrev.spec import Document, load
from docrev.spec.lock import LOCK_NAME, lock_files, place_marks, read_lock, read_marks
from docrev.spec.marks import Mark, Marks, written

SPEC = '{"openapi": "3.0.3", "info": {"title": "A", "version": "1"}, "paths": {%s}}'
PLACE = "/paths/~1%s/get/description"


def spec(path: Path, **texts: str) -> Document:
    """A document at `path` whose operations have these descriptions, all marked as docrev's."""
    operations = (
        f'"/{name}": {{"get": {{"description": "{text}", "responses": {{}}}}}}' for name, text in texts.items()
    )
    path.write_text(SPEC % ", ".join(operations))
    return Document.read(path).with_marks({PLACE % name: written(text, ["trap"]) for name, text in texts.items()})


def keep(*documents: Document) -> Path:
    """Writes documents where they are; the lock file beside them."""
    pairs = [(document, document.path.resolve()) for document in documents if document.path is not None]
    assert len(pairs) == len(documents)
    write(pairs)
    return pairs[0][1].parent / LOCK_NAME


def marks_of(path: Path) -> dict[str, Mark]:
    document = Document.read(path)
    return read_marks({document.name: document})[0][document.name].entries


def test_a_line_for_each_place_sorted_in_toml(tmp_path: Path) -> None:
    lock = keep(spec(tmp_path / "b.json", z="Zebras.", a="Apes."), spec(tmp_path / "a.yaml", q="A `quoted` one."))
    text = lock.read_text()
    quoted, apes, zebras = (written(text).texts[0] for text in ("A `quoted` one.", "Apes.", "Zebras."))
    assert text.endswith(
        f'\n["a.yaml"]\n"/paths/~1q/get/description" = {{ text = "{quoted}", class = "trap" }}\n'
        f'\n["b.json"]\n"/paths/~1a/get/description" = {{ text = "{apes}", class = "trap" }}\n'
        f'"/paths/~1z/get/description" = {{ text = "{zebras}", class = "trap" }}\n'
    )
    assert text.startswith("# Which texts")
    assert tomllib.loads(text)["version"] == 1
    assert keep(Document.read(tmp_path / "b.json").with_marks(marks_of(tmp_path / "b.json"))).read_text() == text


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    odd = {'/paths/~1"q"\\n/get/description': Mark(("1234567", "7654321"), ("trap", "bound"), "high", ("abcdefa",))}
    document = spec(tmp_path / 'odd "name".json').with_marks(odd)
    assert read_lock(keep(document)).sections == {'odd "name".json': odd}
    hidden = {"/paths/~1\u202eturned\U000e0041/get/responses/404": Mark((), ("undeclared",), "high")}
    lock = keep(document.with_marks(hidden))
    assert all(line.isprintable() for line in lock.read_text().splitlines())
    assert read_lock(lock).sections == {'odd "name".json': hidden}


def test_both_sides_of_a_merge_count_and_its_markers_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    lock = keep(spec(path, a="Apes.", b="Bears."))
    lines = lock.read_text().splitlines()
    theirs = lines[-1].replace(written("Bears.").texts[0], written("Boars.").texts[0])
    lock.write_text("\n".join([*lines[:-1], "<<<<<<< ours", lines[-1], "=======", theirs, ">>>>>>> theirs", ""]))
    document = Document.read(path)
    marks, [finding] = read_marks({"a.json": document})
    assert (finding.id, finding.line) == ("lock-damaged", len(lines))
    assert str(finding).startswith(f"{lock}:")
    assert [marks["a.json"].split(PLACE % "b", text).edited for text in ("Bears.", "Boars.", "Bulls.")] == [
        *(False, False, True)
    ]
    keep(document.with_marks(marks["a.json"].entries))
    assert read_lock(lock).damaged == 0


def test_a_file_that_is_renamed_keeps_its_marks_and_its_old_name_goes(tmp_path: Path) -> None:
    old, new = tmp_path / "a.json", tmp_path / "renamed.json"
    lock = keep(spec(old, a="Apes."), spec(tmp_path / "b.json", b="Bears."))
    old.rename(new)
    document = Document.read(new)
    assert list(marks_of(new)) == [PLACE % "a"]
    keep(document.with_marks(marks_of(new)))
    assert list(read_lock(lock).sections) == ["b.json", "renamed.json"]


def test_a_file_that_was_put_back_has_no_marks_and_one_with_a_text_removed_keeps_them(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    document = spec(path, a="Apes.", b="Bears.")
    marks = {**(document.marks or {}), PLACE % "c": Mark(rejected=("1234567",))}
    keep(document.with_marks(marks))
    path.write_text(SPEC % '"/a": {"get": {"description": "Apes.", "responses": {}}}')
    assert marks_of(path) == marks
    path.write_text(SPEC % '"/a": {"get": {"responses": {}}}')
    assert marks_of(path) == {PLACE % "c": Mark(rejected=("1234567",))}


def test_another_file_in_the_folder_takes_no_marks_and_loses_none(tmp_path: Path) -> None:
    lock = keep(spec(tmp_path / "a.json", a="Apes."))
    other = spec(tmp_path / "other.json", a="Ants.")
    assert marks_of(tmp_path / "other.json") == {}
    keep(other)
    assert list(read_lock(lock).sections) == ["a.json", "other.json"]
    keep(other.with_marks({}))
    assert list(read_lock(lock).sections) == ["a.json"]
    keep(Document.read(tmp_path / "a.json").with_marks({}))
    assert not lock.exists()


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"[[package]]\nname = 'serde'\n", "not a lock file of docrev"),
        (b'{"lockfileVersion": 3}\n', "not a lock file of docrev"),
        (b"version = 2\n", "newer docrev"),
        (b"\xff\xfe\x00", "not UTF-8"),
    ],
)
def test_a_lock_file_of_somebody_else_is_one_line_and_stays(tmp_path: Path, content: bytes, what: str) -> None:
    document = spec(tmp_path / "a.json", a="Apes.")
    lock = tmp_path / LOCK_NAME
    lock.write_bytes(content)
    for use in (lambda: marks_of(tmp_path / "a.json"), lambda: keep(document)):
        with pytest.raises(InputError, match=what) as error:
            use()
        assert str(lock) in str(error.value)
    assert lock.read_bytes() == content


def test_an_empty_lock_file_and_one_with_other_line_ends_are_fine(tmp_path: Path) -> None:
    lock = tmp_path / LOCK_NAME
    lock.write_bytes(b"")
    document = spec(tmp_path / "a.json", a="Apes.")
    keep(document)
    unix = lock.read_bytes()
    lock.write_bytes(unix.replace(b"\n", b"\r\n"))
    assert list(marks_of(tmp_path / "a.json")) == [PLACE % "a"]
    keep(document)
    assert lock.read_bytes() == unix.replace(b"\n", b"\r\n")


def test_marks_go_where_they_are_wanted(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    document = spec(path, a="Apes.")
    marks = {"a.json": Marks.of(document.tree, document.marks or {})}
    inside, findings = place_marks({"a.json": document}, marks, "inline")
    assert findings == []
    assert list(inside["a.json"].get("/x-docrev/texts")) == ["/a"]
    assert lock_files([(inside["a.json"], path)]) == ([], [])
    outside, [finding] = place_marks(inside, marks, "lock")
    assert finding.id == "marks-moved"
    assert outside["a.json"].text == document.text
    assert outside["a.json"].marks == document.marks


def test_an_edited_document_keeps_its_marks(tmp_path: Path) -> None:
    keep(spec(tmp_path / "a.json", a="Apes."))
    document = load([tmp_path]).documents[str(tmp_path / "a.json")]
    assert document.marks is None
    marked = document.with_marks(marks_of(tmp_path / "a.json"))
    assert marked.edited([]).marks == marked.marks
    assert document.marks is None
