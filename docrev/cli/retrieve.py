"""`docrev retrieve`: which operations a text asks for."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from docrev.cli.options import as_json, max_spec_size, specs
from docrev.cli.told import tell, warn


@click.command("retrieve")
@click.argument("text", metavar="TEXT")
@specs
@click.option("--method", type=click.Choice(("bm25", "embedding", "hybrid")), help="hybrid with --model, else bm25.")
@click.option("--model", metavar="PATH", help="A sentence-transformers folder, or openai:NAME.")
@click.option("--model-url", metavar="URL", help="Server of an openai: model, OpenAI's own by default.")
@click.option("-k", default=5, show_default=True, type=click.IntRange(1), metavar="N", help="How many operations.")
@click.option("--cache", type=click.Path(path_type=Path), default=Path(".docrev/retriever"), show_default=True)
@click.option("--no-cache", is_flag=True, help="Keep no vectors on disk.")
@max_spec_size
@as_json
@click.pass_context
def command(ctx: click.Context, /, text: str, specs: tuple[str, ...], **_: Any) -> None:
    """Find the operations of SPECS (files, or folders of files) that TEXT asks for, the best first.

    bm25 counts words, embedding compares vectors, hybrid joins the ranks of both, or weighs all that is seen as a
    model of docrev train retriever has learned to. Vectors are kept in --cache by model and text, so that only new
    texts are encoded. With --json, one object: {method, hits: [{tool, operation, score,
    text}]}; scores compare within one search only.
    """
    from docrev.retrieval import open_retriever
    from docrev.spec import load

    values = ctx.params
    catalog = load(list(specs), max_size=values["max_spec_size"])
    warn([str(finding) for finding in catalog.left_out])
    cache = None if values["no_cache"] else values["cache"]
    retriever = open_retriever(
        catalog,
        method=values["method"],
        model=values["model"],
        url=values["model_url"],
        cache=cache,
        notice=lambda line: click.echo(line, err=True),
    )
    hits = retriever.search(text, values["k"])
    width = max(len(str(hit.key)) for hit in hits)
    lines = [f"{hit.score:7.3f}  {hit.key!s:<{width}}  {hit.sentence}" for hit in hits]
    told = {"method": retriever.method, "hits": [hit.to_json() for hit in hits]}
    tell(told, "\n".join(lines), as_json=values["as_json"])
