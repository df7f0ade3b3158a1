"""From options to models: who answers which role, what is remembered, and what it may cost."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from docrev.errors import LockedError, ModelError, UsageError
from docrev.events import Event, Handler, Notice, ignore
from docrev.language.urls import without_url_secrets
from docrev.models import Model
from docrev.models.backend import Backend, CompletionRequest, CompletionSettings
from docrev.models.budgets import MICRO, Budgets, Kind, Price
from docrev.models.fallback import FallbackModel, RoleModel
from docrev.models.recorded import RecordedBackend, RememberingBackend
from docrev.models.store import Answers, Seat
from docrev.models.tooluser.conversation_model import OWN_TEMPLATE, SLOTS, ConversationModel, form_of, is_own
from docrev.models.tooluser.model import ToolUser
from docrev.models.usage import Usage
from docrev.prompts.questions import AnswerT, Prompt
from docrev.records import Json
from docrev.settings.choices import AgentForm
from docrev.settings.models import OFFLINE, ROLES, ModelSettings

CACHE = "models.db"
_CHECK = CompletionRequest(
    "Ready",
    ({"role": "system", "content": "Answer in JSON."}, {"role": "user", "content": 'Answer {"ready": true}.'}),
    {
        "type": "object",
        "properties": {"ready": {"type": "boolean"}},
        "required": ["ready"],
        "additionalProperties": False,
    },
    256,
)


@dataclass
class OpenModel:
    """The models of a run as one; `name` is that of the first that is not offline.

    `usage` counts what they are asked, `budgets` is what they may cost.
    """

    name: str
    model: Model
    usage: Usage
    budgets: Budgets
    roles: RoleModel
    backends: dict[str, Backend]
    files: list[Answers] = field(default_factory=list)

    async def ask(self, prompt: Prompt[AnswerT]) -> AnswerT:
        """The typed answer to `prompt`."""
        return await self.model.ask(prompt)

    async def check(self, roles: Iterable[str] = ROLES) -> None:
        """Ask each model of these roles something short: all goes well, or UnreachableError is raised."""
        asked = {self.roles.of(role).name for role in roles}
        for name, backend in sorted(self.backends.items()):
            if name in asked:
                # It answers; what else it does is seen when it is asked something.
                with suppress(ModelError):
                    await backend.complete(_CHECK)

    async def close(self) -> None:
        """Let go of connections, weights and files."""
        for backend in self.backends.values():
            await backend.close()
        for file in self.files:
            file.close()


@asynccontextmanager
async def checked_models(
    options: ModelSettings, roles: Iterable[str], *, offline: Model, folder: Path | None, seed: int = 0, emit: Handler
) -> AsyncIterator[OpenModel]:
    """The models of `options` for as long as the block lasts; nobody else answers what those of `roles` cannot.

    Raises as `open_model`, and UnreachableError if one of these roles' models cannot be reached.
    """
    models = open_model(options, offline=offline, fall_back=False, folder=folder, seed=seed, emit=emit)
    try:
        await models.check(roles)
        yield models
    finally:
        await models.close()


def identity(options: ModelSettings) -> dict[str, Json]:
    """What decides the answers, beside the model's name: part of what makes "the same command"."""
    return {
        "roles": options.roles,
        "url": without_url_secrets(options.model_url or "") or None,
        "temperature": options.temperature,
        "answer_tokens": options.answer_tokens,
        "templates": None if options.templates is None else _digest(Path(options.templates)),
    }


def open_model(
    options: ModelSettings,
    *,
    offline: Model,
    fall_back: bool = True,
    learn: Callable[[], None] = lambda: None,
    folder: Path | None = None,
    run: str = "",
    seed: int = 0,
    emit: Handler = ignore,
) -> OpenModel:
    """Open the models of `options`. Nothing is asked yet.

    `offline` answers the roles that are left to it and, if it may `fall_back`, whatever the others cannot; `learn`
    has it take in what was observed. Answers are remembered in `folder` unless they are recorded elsewhere; `run`
    names the run that asks. Raises UsageError and its kinds for what cannot be opened, StoreError for a damaged file.
    """
    return _Opening(options, offline, folder, run, seed, emit).open(fall_back, learn)


class _Opening:
    def __init__(
        self, options: ModelSettings, offline: Model, folder: Path | None, run: str, seed: int, emit: Handler
    ) -> None:
        self._options, self._offline, self._folder, self._run, self._emit = options, offline, folder, run, emit
        self._settings = CompletionSettings(
            temperature=options.temperature,
            seed=seed,
            max_tokens=options.answer_tokens,
            timeout=options.model_timeout,
            concurrency=options.model_concurrency,
        )
        self._budgets = Budgets(_limits(options), _prices(options))
        self._usage = Usage(self._budgets)
        self._answers: Answers | None = None
        self._models: dict[str, Model] = {OFFLINE: offline}
        self._seats: dict[str, Seat] = {OFFLINE: Seat(OFFLINE, CompletionSettings())}
        self._backends: dict[str, Backend] = {}
        self._records: dict[str, Answers] = {}

    def open(self, fall_back: bool, learn: Callable[[], None]) -> OpenModel:
        options, by_role = self._options, self._options.roles
        try:
            self._answers = self._store({options.model, *by_role.values()})
            default = self._model(options.model, "")
            models = {role: self._model(by_role.get(role, options.model), role) for role in ROLES}
        except BaseException:
            for file in self._files():
                file.close()
            raise
        self._priced()
        roles = RoleModel(default, models, self._note)
        offline = self._offline if fall_back else None
        model = FallbackModel(roles, self._usage, offline=offline, learn=learn)
        names = [name for name in (options.model, *by_role.values()) if name != OFFLINE]
        return OpenModel(names[0], model, self._usage, self._budgets, roles, self._backends, self._files())

    def _store(self, names: set[str]) -> Answers | None:
        """The file that answers are remembered in, if anybody is asked who is not there already."""
        options = self._options
        if options.record is not None:
            replayed = [name.partition(":")[2] for name in names if name.startswith("recorded:")]
            if any(Path(file).resolve() == Path(options.record).resolve() for file in replayed):
                raise UsageError("this file is replayed", where="--record", fix="record into another")
            record = Answers.open(options.record, write=True)
            record.records = True
            return record
        live = any(name.startswith(("openai:", "local:")) for name in names)
        if options.no_model_cache or self._folder is None or not live:
            return None
        path = self._folder / CACHE
        try:
            return Answers.open(path, write=True)
        except LockedError:
            # Who may only read the evidence may still read what was answered.
            return Answers.open(path, write=False) if path.is_file() else None

    def _model(self, name: str, role: str) -> Model:
        if name.startswith("recorded:"):
            return self._recorded(name.partition(":")[2], role)
        if name not in self._models:
            backend = self._backends[name] = self._backend(name)
            self._seats[name] = Seat(name, self._settings)
            self._models[name] = self._asked(name, backend)
        return self._models[name]

    def _asked(self, name: str, backend: Backend) -> Model:
        """The backend as a model: one that was trained to use tools is asked as it was trained."""
        folder = name.partition(":")[2]
        released = self._form == "toolbench"
        if not name.startswith("local:") or (form_of(folder) is None and not released):
            return self._asker(backend, self._run)
        if isinstance(backend, ToolUser):
            return backend
        remembering = RememberingBackend(backend, self._answers, self._budgets, run=self._run)
        own = released or is_own(folder)
        asker = self._asker(backend, self._run)
        return ConversationModel(remembering, asker, own=own, form=self._form, emit=self._tell)

    @property
    def _form(self) -> AgentForm:
        """How tool users are asked, where the settings say so: those of agents do."""
        return "toolbench" if getattr(self._options, "form", "") == "toolbench" else "docrev"

    def _backend(self, name: str) -> Backend:
        kind, _, which = name.partition(":")
        if kind == "local":
            from docrev.models.local import LocalBackend

            if form_of(which) == SLOTS:
                return ToolUser(which, settings=self._settings, emit=self._tell)
            template = OWN_TEMPLATE if self._form == "toolbench" else None
            return LocalBackend(which, settings=self._settings, template=template)
        from docrev.models.chat import ChatBackend
        from docrev.models.chat_client import OPENAI_URL, check_url, find_key, is_loopback

        url = self._options.model_url or OPENAI_URL
        host, key = check_url(url), find_key(url)
        if not is_loopback(host):
            self._emit(Notice(f"{name} is asked at {host}"))
        return ChatBackend(which, url=url, key=key, settings=self._settings)

    def _recorded(self, file: str, role: str) -> Model:
        """Whoever answered the role's questions when they were recorded."""
        record = self._records.get(file) or self._records.setdefault(file, Answers.open(file, write=False))
        seat = record.seats().get(role) or Seat(f"recorded:{file}", self._settings)
        if seat.name == OFFLINE:
            return self._offline
        known = f"{file}\n{seat}"
        if known not in self._models:
            backend: Backend = RecordedBackend(seat, file)
            self._seats[seat.name] = seat
            if self._answers is None:
                self._models[known] = self._asker(backend, None, record)
            else:
                backend = RememberingBackend(backend, record, Budgets(), run=None)
                self._models[known] = self._asker(backend, self._run)
        return self._models[known]

    def _asker(self, backend: Backend, run: str | None, answers: Answers | None = None) -> Model:
        from docrev.models.asking import Asker

        remembering = RememberingBackend(backend, answers or self._answers, self._budgets, run=run)
        templates = Path(self._options.templates) if self._options.templates is not None else None
        return Asker(remembering, emit=self._tell, templates=templates)

    def _tell(self, event: Event) -> None:
        self._usage(event)
        self._emit(event)

    def _note(self, role: str, name: str) -> None:
        if self._answers is not None and self._answers.writes:
            self._answers.seat(role, self._seats[name])

    def _files(self) -> list[Answers]:
        return [*([self._answers] if self._answers else []), *self._records.values()]

    def _priced(self) -> None:
        if "cost" not in self._budgets.limits:
            return
        for name in sorted(self._seats):
            if name.startswith("openai:") and name not in self._budgets.prices:
                fix = f'put prices = {{"{name}" = {{in = 2.5, out = 10}}}} under [models] of docrev.toml'
                raise UsageError(f"{name} has no price", where="--max-cost", fix=fix)


def _digest(folder: Path) -> str:
    digest = hashlib.sha256()
    for file in sorted(folder.rglob("*.j2")):
        digest.update(f"{file.relative_to(folder)}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


def _limits(options: ModelSettings) -> dict[Kind, int]:
    given: dict[Kind, float | None] = {
        "calls": options.max_model_calls,
        "tokens": options.max_tokens,
        "cost": None if options.max_cost is None else options.max_cost * MICRO,
    }
    return {kind: round(limit) for kind, limit in given.items() if limit is not None}


def _prices(options: ModelSettings) -> dict[str, Price]:
    return {model: Price(price["in"], price["out"]) for model, price in (options.prices or {}).items()}
