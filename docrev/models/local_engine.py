"""The weights of a local model, and what is done with them: the only module here that loads torch."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docrev.errors import InputError, ModelError
from docrev.language.characters import one_line
from docrev.models.backend import Completion, Message
from docrev.models.precision import cuda_has_bfloat16
from docrev.models.system_messages import without_system

if TYPE_CHECKING:
    import torch

MIN_ROOM = 64
"""Tokens that an answer must have room for."""


class Engine:
    """A tokenizer with its weights, on CUDA if there is a device, in bfloat16 if the hardware has it.

    Raises InputError if the folder cannot be loaded. Nothing is fetched from a network, and no code that comes with
    the weights is run.
    """

    def __init__(self, path: Path, template: str | None = None) -> None:
        # More threads than one make small models slower, and CPUs that others use much slower.
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        import torch

        self._device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        # On a processor always float32: what a model answers is then the same on every one.
        kind = torch.bfloat16 if self._device.type == "cuda" and cuda_has_bfloat16() else torch.float32
        try:
            self._tokenizer, self._model = _load(path, kind)
        except Exception as error:  # whatever the loaders of tokenizers, weights and adapters raise
            what = f"not a model that transformers can load: {one_line(error)}"
            raise InputError(what, where=str(path), fix="name a folder with weights and tokenizer") from None
        self._model.to(self._device).eval()
        self._tokenizer.padding_side = "left"
        self._tokenizer.chat_template = template or self._tokenizer.chat_template
        if self._tokenizer.pad_token_id is None:
            self._tokenizer.pad_token = self._tokenizer.eos_token or self._tokenizer.convert_ids_to_tokens(0)
        self._context = _context(self._model.config, self._tokenizer)

    def generate(
        self, conversations: Sequence[Sequence[Message]], most: int, temperature: float, seed: int
    ) -> list[Completion | Exception]:
        """An answer to each conversation, of at most `most` tokens; ModelError for one that leaves no room."""
        texts = [self._rendered(messages) for messages in conversations]
        tokens = [self._tokenizer(text, add_special_tokens=False)["input_ids"] for text in texts]
        rooms = [self._context - len(each) for each in tokens]
        fits = [at for at, room in enumerate(rooms) if room >= min(MIN_ROOM, most)]
        done: list[Completion | Exception] = [
            ModelError(f"the prompt has {len(each)} tokens, too many for a model of {self._context}") for each in tokens
        ]
        if fits:
            limit = min(most, *(rooms[at] for at in fits))
            answers = self._answers([tokens[at] for at in fits], limit, temperature, seed)
            for at, answer in zip(fits, answers, strict=True):
                done[at] = self._completion(tokens[at], answer, limit)
        return done

    def _rendered(self, messages: Sequence[Message]) -> str:
        """The conversation by the model's chat template; a base model without one gets plain paragraphs."""
        if not self._tokenizer.chat_template:
            told = "\n\n".join(message["content"] for message in messages)
            return f"{self._tokenizer.bos_token or ''}{told}\n\n"
        for given in (list(messages), without_system(messages)):
            try:
                text = self._tokenizer.apply_chat_template(given, tokenize=False, add_generation_prompt=True)
                return str(text)
            except Exception as error:  # a template is code of the model's makers, and raises what it likes
                refused = error
        raise ModelError(f"the chat template refuses the conversation: {one_line(refused)}")

    def _answers(self, prompts: list[list[int]], limit: int, temperature: float, seed: int) -> list[list[int]]:
        import torch

        batch = self._tokenizer.pad({"input_ids": prompts}, return_tensors="pt").to(self._device)
        sampled: dict[str, Any] = {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}
        if temperature > 0:
            digest = hashlib.sha256(f"{seed}:{prompts}".encode()).digest()
            torch.manual_seed(int.from_bytes(digest[:8], "big") % 2**63)
            sampled = {"do_sample": True, "temperature": temperature}
        with torch.inference_mode():
            out: torch.Tensor = self._model.generate(
                input_ids=batch["input_ids"],
                attention_mask=batch["attention_mask"],
                max_new_tokens=limit,
                pad_token_id=self._tokenizer.pad_token_id,
                **sampled,
            )
        return [list(row) for row in out[:, batch["input_ids"].shape[1] :].tolist()]

    def _completion(self, prompt: list[int], answer: list[int], limit: int) -> Completion:
        """The answer up to its end; what a batch padded behind it does not count."""
        ends = self._model.generation_config.eos_token_id
        stops = set(ends) if isinstance(ends, list) else {ends}
        length = next((at for at, token in enumerate(answer) if token in stops), None)
        kept = answer if length is None else answer[:length]
        return Completion(
            text=str(self._tokenizer.decode(kept, skip_special_tokens=True)),
            tokens_in=len(prompt),
            tokens_out=len(kept),
            finish="length" if length is None and len(answer) >= limit else "stop",
        )


def _load(path: Path, kind: Any) -> tuple[Any, Any]:
    """Tokenizer and weights of a folder; of an adapter, over the base that it names."""
    from transformers import AutoModelForCausalLM, AutoTokenizer
    from transformers.utils import logging

    quiet: Any = logging.disable_progress_bar
    quiet()
    adapter = (path / "adapter_config.json").is_file()
    if adapter:
        from peft import AutoPeftModelForCausalLM

        model = AutoPeftModelForCausalLM.from_pretrained(path, dtype=kind, local_files_only=True)
        base = model.peft_config["default"].base_model_name_or_path
        home = path if (path / "tokenizer_config.json").is_file() else Path(base)
    else:
        model = AutoModelForCausalLM.from_pretrained(path, dtype=kind, local_files_only=True)
        home = path
    return AutoTokenizer.from_pretrained(home, local_files_only=True), model


def _context(config: Any, tokenizer: Any) -> int:
    """Tokens that the model can see; tokenizers without a limit name an absurd one."""
    known = [getattr(config, "max_position_embeddings", None), tokenizer.model_max_length]
    return min([int(each) for each in known if each and each < 10**7], default=4096)
