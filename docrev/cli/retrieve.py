"""`docrev retrieve`: which operations a text asks for."""

from __future__ import annotations

import click

from docrev.cli.options import as_json, settings_options, specs
from docrev.cli.printing import hint
from docrev.cli.progress import waiting
from docrev.cli.results import print_result, print_warnings
from docrev.language.tables import columns
from docrev.retrieval.settings import RetrieveSettings


@click.command("retrieve")
@click.argument("text", metavar="TEXT")
@specs
@settings_options(RetrieveSettings, from_file=False)
@as_json
def command(text: str, specs: tuple[str, ...], settings: RetrieveSettings, *, as_json: bool) -> None:
    """Find the operations of SPECS (files, or folders of files) that TEXT asks for, the best first.

    bm25 counts words, embedding compares vectors, hybrid joins the ranks of both, or weighs all that is seen as a
    model of docrev train retriever has learned to. Vectors are kept in --cache by model and text, so that only new
    texts are encoded. With --json, one object: {method, hits: [{tool, operation, score,
    text}]}; scores compare within one search only.
    """
    from docrev.retrieval import open_retriever
    from docrev.spec import load

    with waiting("reading the specs"):
        catalog = load(list(specs), max_size=settings.max_spec_size)
    print_warnings([str(finding) for finding in catalog.left_out])
    retriever = open_retriever(
        catalog,
        method=settings.method,
        model=settings.model,
        url=settings.model_url,
        cache=None if settings.no_cache else settings.cache,
        notice=hint,
    )
    hits = retriever.search(text, settings.count)
    lines = columns([(f"{hit.score:7.3f}", str(hit.key), hit.sentence) for hit in hits])
    result = {"method": retriever.method, "hits": [hit.to_json() for hit in hits]}
    print_result(result, "\n".join(lines), as_json=as_json)
