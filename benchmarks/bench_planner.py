"""A planner made from nothing, stage 1 and stage 2, on instructions about services that it knows, in new words.

Four invented services in two categories; the offline agent solves their instructions, a LLaMA with random weights
learns its good ways (stage 1), its own trees are ranked (stage 2), once more without the ranking loss (β = 0), and all
three are measured on instructions that none of them saw. The tokenizer has what often recurs, line by line, as one
token, or prompts would be too long for minutes on a CPU: this measures the training, not how documents are read.

Takes about half an hour on one core. DOCREV_PLANNER_SCALE (1) makes the data and the epochs smaller.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from table import Row, render

from docrev.eval.intervals import paired_bootstrap, wilson
from docrev.train.toolllama.invented_services import invent

SCALE = float(os.environ.get("DOCREV_PLANNER_SCALE", "1"))
INSTRUCTIONS, HELD, TRIED = round(1800 * SCALE), max(4, round(40 * SCALE)), max(4, round(30 * SCALE))
CATEGORIES = ("Media", "Travel")
WAYS = ("--simulate", "--steps", "6", "--max-calls", "16")
LEARN = ("--batch", "8", "--seed", "0")
OFTEN, LONG = 40, 24
"""Lines of so many characters that stand in so many texts are one token."""
Grade = dict[str, Any]


def main() -> str:
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory() as place:
        found = _Planner(Path(place)).measured()
    title = f"Planner from nothing: {found[0][1]['tasks']} instructions at five granularities that it never saw"
    rows = [row for name, report in found for row in _rows(name, report)]
    return render(title, [*rows, *(_paired(found[one], found[other]) for one, other in ((0, 1), (0, 2), (2, 1)))])


def _paired(one: tuple[str, dict[str, Any]], other: tuple[str, dict[str, Any]]) -> Row:
    """How much more of what instructions name is matched, of the same instructions."""
    before, after = (_matched(report) for _, report in (one, other))
    low, high = paired_bootstrap(before, after)
    mean = (sum(after) - sum(before)) / len(before)
    what = f"match, {other[0]} − {one[0]}, of {len(before)} instructions, points"
    return Row(what, f"{100 * mean:+.1f} [{100 * low:+.1f}, {100 * high:+.1f}]")


def _matched(report: dict[str, Any]) -> list[float]:
    """The share of its columns that each instruction is matched in."""
    tasks = [task["match"].values() for task in sorted(report["runners"][0]["tasks"], key=lambda task: task["id"])]
    return [sum(map(bool, match)) / len(match) for match in tasks if match]


def _rows(name: str, report: dict[str, Any]) -> list[Row]:
    [told] = report["runners"]
    parts: dict[str, Callable[[str], bool]] = {
        "match, all columns": lambda key: " at " in key,
        "match at categories": lambda key: key.endswith("at category"),
        "match at tools": lambda key: key.endswith("at tool"),
        "match at operations": lambda key: key.endswith("at operation"),
        "pass (rules)": lambda key: " at " not in key,
    }
    shares = {**told["match"], **told["pass"]}
    rows = [Row(f"{name}: {part}", _pooled([shares[key] for key in shares if of(key)])) for part, of in parts.items()]
    for tags in report["tags"]:
        shown = ", ".join(f"{level} {one['f1']:.3f}" for level, one in tags.items() if level != "name")
        rows.append(Row(f"{name}: {re.sub('local:.*', 'model', tags['name'])}, F1", shown))
    return rows


def _pooled(shares: list[dict[str, Any]]) -> str:
    hits, total = sum(one["rate"] * one["tasks"] for one in shares), sum(one["tasks"] for one in shares)
    low, high = wilson(hits, total)
    return f"{hits / total:.1%} [{low:.1%}, {high:.1%}] of {total}"


class _Planner:
    """The experiment in a folder."""

    def __init__(self, place: Path) -> None:
        self._place = place

    def measured(self) -> list[tuple[str, dict[str, Any]]]:
        learned = self._made()
        self._train("base", "one", "learned.jsonl", "1", "--each", "4", "--rate", "3e-3", "--epochs", str(3 * SCALE))
        solved = _seeds(json.loads((self._place / "one" / "conversations.json").read_text()))
        rest = sorted({row["query_id"] for row in learned} - solved)[:TRIED]
        tried = {*sorted(solved)[: 2 * TRIED // 3], *rest}
        self._write("tried.jsonl", [row for row in learned if row["query_id"] in tried])
        self._write("ranked.jsonl", [row for row in learned if row["query_id"] in solved | tried])
        self._solve("tried.jsonl", "trees", "--runner", "toolplanner", *_asked("one"))
        ranking = ("--trees", "trees", "--each", "2", "--rate", "5e-4", "--epochs", "0.7")
        self._train("one", "two", "ranked.jsonl", "2", *ranking)
        self._train("one", "more", "ranked.jsonl", "2", *ranking, "--beta", "0")
        names = {"stage 1": "one", "stage 2": "two", "stage 2, β = 0": "more"}
        return [(name, self._bench(folder, tags=folder == "one")) for name, folder in names.items()]

    def _made(self) -> list[Grade]:
        """The data, the seeds' trees, and the untrained model; the rows to learn from."""
        (self._place / "specs").mkdir()
        for number in range(4):
            document = {**invent(7000 + number).good, "x-category": CATEGORIES[number % 2]}
            (self._place / "specs" / f"service{number}.json").write_text(json.dumps(document))
        self._docrev("generate", "instructions", "specs", "--kind", "I2", "-n", str(INSTRUCTIONS), "-o", "all.json")
        seeds = [row for row in json.loads((self._place / "all.json").read_text()) if len(row["relevant APIs"]) == 2]
        (self._place / "seeds.json").write_text(json.dumps(seeds))
        self._docrev("generate", "granularities", "seeds.json", "specs", "-o", "grades.jsonl")
        self._solve("seeds.json", "seeds")
        rows = [json.loads(line) for line in (self._place / "grades.jsonl").read_text().splitlines()]
        held = set(sorted({row["query_id"] for row in rows})[-HELD:])
        learned = [row for row in rows if row["query_id"] not in held]
        self._write("learned.jsonl", learned)
        self._write("held.jsonl", [row for row in rows if row["query_id"] in held])
        made = self._docrev("train", "toolplanner", "learned.jsonl", "specs", "--trees", "seeds", "--stage", "1",
                            "--base", "nowhere", "-o", "rows", check=False)  # fmt: skip
        assert "no such folder of a model" in made, made
        _untrained(json.loads((self._place / "rows" / "conversations.json").read_text()), self._place / "base")
        return learned

    def _train(self, base: str, out: str, rows: str, stage: str, *how: str) -> None:
        words = ("train", "toolplanner", rows, "specs", "--trees", "seeds", "--stage", stage)
        self._docrev(*words, "--base", base, "-o", out, *LEARN, *how)

    def _solve(self, rows: str, out: str, *how: str) -> None:
        self._docrev("generate", "annotations", rows, "specs", *WAYS, "-o", out, *how)

    def _bench(self, folder: str, *, tags: bool) -> dict[str, Any]:
        words = ("bench", "granularities", "held.jsonl", "specs", *WAYS, "--runner", "toolplanner", *_asked(folder))
        told = self._docrev(*words, "--out", f"bench-{folder}", "--json", *(["--tags"] if tags else []))
        found: dict[str, Any] = json.loads(told)
        return found

    def _write(self, name: str, rows: list[Grade]) -> None:
        (self._place / name).write_text("".join(f"{json.dumps(row)}\n" for row in rows))

    def _docrev(self, *words: str, check: bool = True) -> str:
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-m", "docrev", *words], cwd=self._place, capture_output=True, text=True
        )
        assert done.returncode == 0 or not check, done.stderr[-2000:]
        return done.stdout if check else done.stderr


def _asked(folder: str) -> tuple[str, ...]:
    return ("--model", f"local:{folder}", "--answer-tokens", "120")


def _seeds(conversations: list[dict[str, Any]]) -> set[int]:
    return {int(row["id"].partition(": ")[2].partition("-")[0]) for row in conversations}


def _untrained(rows: list[dict[str, Any]], folder: Path) -> None:
    """A LLaMA of 0.4 M random weights, with a tokenizer of these conversations."""
    import torch
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, trainers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast
    from transformers.utils import logging

    texts = sorted({turn["value"] for row in rows for turn in row["conversations"]})
    lines = re.compile(r'\n|(?<=\}\}), (?=\{"name")|(?<=functions: \[)')
    every = (turn["value"] for row in rows for turn in row["conversations"])
    count = Counter(part for text in every for part in set(lines.split(text)) if len(part) > LONG)
    often = sorted((part for part, times in count.items() if times >= OFTEN), key=lambda part: (-len(part), part))
    inner = Tokenizer(models.BPE(unk_token="<unk>"))
    inner.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    inner.decoder = decoders.ByteLevel()
    special, letters = ["<unk>", "<s>", "</s>", "<pad>"], pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(vocab_size=1500, special_tokens=special, initial_alphabet=letters)
    known = re.compile("|".join(map(re.escape, often)) or r"(?!)")
    inner.train_from_iterator((part for text in texts for part in known.split(text) if part), trainer)
    fast: Any = PreTrainedTokenizerFast
    tokenizer = fast(tokenizer_object=inner, unk_token="<unk>", bos_token="<s>", eos_token="</s>", pad_token="<pad>")
    tokenizer.add_tokens([AddedToken(part, normalized=False) for part in often])
    tokenizer.save_pretrained(folder)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=96, intermediate_size=288, num_hidden_layers=2, num_attention_heads=4,
        num_key_value_heads=4, max_position_embeddings=2048, tie_word_embeddings=True, attention_bias=True,
        bos_token_id=1, eos_token_id=2, pad_token_id=3,
    )  # fmt: skip
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    LlamaForCausalLM(config).save_pretrained(folder)
