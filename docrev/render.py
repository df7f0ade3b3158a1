"""Templates to text: the only module that knows jinja2, and loads it only when something is rendered.

The bundled templates lie in `docrev.templates`; a user's own folder may replace any of them, one by one, by a
file of the same name. Names that end in `.html.j2` are autoescaped, all others are plain text.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docrev.errors import DocrevError, InputError

if TYPE_CHECKING:
    from jinja2 import Environment, TemplateError


def render(template: str, /, *, templates: Path | str | None = None, **context: Any) -> str:
    """Fill the template named `template` (`diff/page.html.j2`) with `context`; no newline at the end.

    `templates` is a folder whose files are taken before the bundled ones. A name that the template uses and
    the context lacks is an error, never an empty string. InputError for a user's template that is missing or
    wrong, DocrevError for one of ours.
    """
    from jinja2 import TemplateError

    try:
        return _environment(_folder(templates)).get_template(template).render(context)
    except TemplateError as error:
        raise _explain(error, template, own=templates is None) from None


def _folder(templates: Path | str | None) -> str:
    if templates is None:
        return ""
    if not Path(templates).is_dir():
        raise InputError("no such folder of templates", where=str(templates), fix="name an existing folder")
    return str(Path(templates).resolve())


@lru_cache(maxsize=8)
def _environment(folder: str) -> Environment:
    """One environment for each folder of overrides ("" for none): compiled templates are kept with it."""
    from jinja2 import ChoiceLoader, FileSystemLoader, PackageLoader, StrictUndefined
    from jinja2.sandbox import ImmutableSandboxedEnvironment

    bundled = PackageLoader("docrev.templates", "")
    # Sandboxed, since a folder of templates may come with a repository that somebody else wrote.
    return ImmutableSandboxedEnvironment(
        loader=ChoiceLoader([FileSystemLoader(folder), bundled]) if folder else bundled,
        autoescape=lambda name: name is not None and name.endswith((".html", ".html.j2")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _explain(error: TemplateError, template: str, *, own: bool) -> DocrevError:
    from jinja2 import TemplateNotFound, TemplateSyntaxError

    where, what = template, error.message or str(error)
    if isinstance(error, TemplateNotFound):
        what = "no such template"
        where = str(error.name or template)
    elif isinstance(error, TemplateSyntaxError):
        where = f"{error.filename or error.name or template}:{error.lineno}"
    if own:
        return DocrevError(what, where=where)
    return InputError(what, where=where, fix="mend the template, or remove it to use the bundled one")
