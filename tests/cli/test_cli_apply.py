"""`docrev revise --overlay` and `docrev apply`: a revision that outlives the next build of a generated spec."""

from __future__ import annotations

from pathlib import Path

from clikit import docrev
from revisekit import experience, explored, origin

REVISE = ("revise", "specs", "--evidence", "evidence")


def test_an_overlay_of_a_revision_gives_the_revision(tmp_path: Path) -> None:
    explored(tmp_path, facts=[origin()], lessons=[experience()])
    done = docrev(*REVISE, "--overlay", "docs.overlay.yaml", cwd=tmp_path)
    assert (done.code, done.out.rpartition("wrote ")[2]) == (0, "docs.overlay.yaml.\n"), done.err
    spec = tmp_path / "specs" / "library.yaml"
    before = spec.read_text()
    done = docrev("apply", "docs.overlay.yaml", cwd=tmp_path)
    assert done.code == 0, done.err
    assert "description" in done.out
    assert spec.read_text() == before
    assert docrev(*REVISE, "-o", "revised", cwd=tmp_path).code == 0
    done = docrev("apply", "docs.overlay.yaml", "specs/library.yaml", "-o", "applied", cwd=tmp_path)
    assert done.code == 0, done.err
    assert (tmp_path / "applied" / "library.yaml").read_text() == (tmp_path / "revised" / "library.yaml").read_text()


def test_what_no_longer_fits_is_told_and_the_rest_is_written(tmp_path: Path) -> None:
    explored(tmp_path, facts=[origin()], lessons=[experience()])
    assert docrev(*REVISE, "--overlay", "overlays", cwd=tmp_path).code == 0
    spec = tmp_path / "specs" / "library.yaml"
    spec.write_text(spec.read_text().replace("      summary: Get authors.", "      description: Written by hand."))
    done = docrev("apply", "overlays/library.overlay.yaml", "specs/library.yaml", "--in-place", "--json", cwd=tmp_path)
    assert done.code == 1
    assert [(entry["fate"], entry["found"]) for entry in done.json["unfit"]] == [("changed", "Written by hand.")]
    assert done.json["applied"] > 0
    assert "left as it is" in done.err
    assert "Written by hand." in spec.read_text()


def test_wrong_use_ends_in_one_line(tmp_path: Path) -> None:
    explored(tmp_path, facts=[origin()])
    docrev("apply", "specs/library.yaml", cwd=tmp_path).failed(2, "not an overlay")
    docrev("apply", "missing.yaml", cwd=tmp_path).failed(2, "no such file")
    (tmp_path / "specs" / "second.yaml").write_text((tmp_path / "specs" / "library.yaml").read_text())
    docrev(*REVISE, "--overlay", "specs", "-o", "x", "--in-place", cwd=tmp_path).failed(2, "both")
