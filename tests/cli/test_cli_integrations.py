"""The scripts of the GitHub Action, with the event files and the API that GitHub gives, a repository and its remote."""

from __future__ import annotations

from pathlib import Path

import pytest
from clikit import docrev
from githubkit import GitHub, clone, git
from githubkit import run_action as run
from test_cli_check import SPEC, Shop, serving


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A clone of a bare remote, with a spec that is committed."""
    work = clone(tmp_path)
    (work / "specs").mkdir()
    (work / "specs" / "shop.yaml").write_text(SPEC)
    git(work, "add", "-A")
    git(work, "commit", "-qm", "Published")
    git(work, "push", "-q", "origin", "HEAD:main")
    return work


def test_a_review_annotates_and_keeps_one_comment(repository: Path) -> None:
    github, spec = GitHub(), repository / "specs" / "shop.yaml"
    spec.write_text(SPEC.replace("One of `name` and `price`.", "How to sort."))
    git(repository, "commit", "-qam", "Say how to sort")
    done = run("review", repository, github)
    assert done.returncode == 0, done.stderr
    assert "::notice file=" in done.stdout
    assert [comment["id"] for comment in github.comments] == [7, 101]
    assert "How to sort." in github.comments[1]["body"]
    spec.write_text(SPEC.replace("One of `name` and `price`.", "What to sort by."))
    git(repository, "commit", "-qam", "Say it again")
    assert run("review", repository, github).returncode == 0
    assert len(github.comments) == 2
    assert "What to sort by" in github.comments[1]["body"]
    assert github.comments[0]["body"] == "Looks good."
    assert github.tokens == {"Bearer t0ken-of-the-job"}
    assert "t0ken" not in done.stdout + done.stderr


@pytest.mark.long
def test_a_review_fails_for_errors_and_for_what_is_no_longer_true(repository: Path) -> None:
    spec = repository / "specs" / "shop.yaml"
    spec.write_text(SPEC.replace("description: OK\n", "x: y\n", 1))
    done = run("review", repository, GitHub())
    assert (done.returncode, "::error " in done.stdout) == (1, True)
    assert run("review", repository, GitHub(), FAIL_ON="check").returncode == 0
    spec.write_text(SPEC)
    with serving(Shop(price=str)) as server:
        words = {"BASE_URL": server.url, "ARGUMENTS": "--max-calls 80"}
        done = run("review", repository, GitHub(), **words)
        assert (done.returncode, "no-longer-true" in done.stdout) == (1, True), done.stderr
        assert run("review", repository, GitHub(), FAIL_ON="lint", **words).returncode == 0
    spec.write_text("not: a spec")
    assert run("review", repository, GitHub()).returncode == 2


@pytest.mark.long
def test_a_refresh_opens_a_pull_request_and_updates_it(repository: Path) -> None:
    github = GitHub()
    with serving(Shop()) as server:
        done = run("refresh", repository, github, BASE_URL=server.url)
        assert done.returncode == 0, done.stderr
        assert [(pull["head"], pull["base"]) for pull in github.pulls] == [("docrev/refresh", "main")]
        assert "documentation changes" in github.pulls[0]["body"]
        assert "Default" in git(repository, "show", "origin/docrev/refresh:specs/shop.yaml")
        assert '["shop.yaml"]' in git(repository, "show", "origin/docrev/refresh:specs/docrev.lock")
        git(repository, "switch", "-q", "-")
        assert run("refresh", repository, github, BASE_URL=server.url).returncode == 0
        assert len(github.pulls) == 1
        git(repository, "push", "-q", "origin", "docrev/refresh:main")
        git(repository, "switch", "-q", "docrev/refresh")
        done = run("refresh", repository, github, BASE_URL=server.url)
        assert done.stdout.endswith("The documents are as they were.\n")


@pytest.mark.long
def test_a_refresh_asks_again_although_evidence_is_kept_and_keeps_the_new_one(repository: Path) -> None:
    github, shop = GitHub(), Shop()
    with serving(shop) as server:
        words = {"BASE_URL": server.url, "EVIDENCE": ".docrev"}
        assert docrev("explore", "specs", "--base-url", server.url, cwd=repository).code == 0
        git(repository, "add", "-A")
        git(repository, "commit", "-qm", "Explored")
        shop.most = 13
        assert run("refresh", repository, github, **words).returncode == 0
    assert "13" in github.pulls[0]["body"]
    assert ".docrev/evidence.db" in git(repository, "diff", "--name-only", "HEAD~1", "origin/docrev/refresh")
    assert f"(`{git(repository, 'rev-parse', '--short=12', 'HEAD~1')}:specs`" in github.pulls[0]["body"]


def test_a_refresh_needs_an_api(repository: Path) -> None:
    done = run("refresh", repository, GitHub())
    assert done.returncode != 0
    assert "a refresh needs base-url" in done.stderr
