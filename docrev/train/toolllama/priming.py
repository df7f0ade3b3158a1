"""Initial weights by which a model can copy from the start: otherwise it learns that last.

Heads of the first layer look at the tokens just before; heads of the next look for where the present token stood
before, and pass on what followed there (the circuit of Olsson et al., 2022, laid out by hand); in the others queries
begin like keys (mimetic initialisation, Trockman and Kolter, 2023). All of it is trained on like any weight.
"""

from __future__ import annotations

import math
from typing import Any

NEAR, MATCH, WRITE = 14.0, 1.2, 1.0
"""How sharply heads look back, how sharply they match, how loudly they write."""


def prime(model: Any) -> None:
    """Lay out the weights of a new LLaMA whose attention has biases."""
    import torch

    config = model.config
    width, heads = config.hidden_size, config.num_attention_heads
    size = width // heads
    layers = [layer.self_attn for layer in model.model.layers]
    # What is written must not drown the embeddings, which are small where they are the scores' weights too.
    loud = WRITE * float(model.model.embed_tokens.weight.detach().std())
    with torch.no_grad():
        for inner in layers:
            for part in (inner.q_proj, inner.k_proj, inner.v_proj, inner.o_proj):
                torch.nn.init.normal_(part.weight, std=0.4 / math.sqrt(width))
                torch.nn.init.zeros_(part.bias)
            inner.o_proj.weight *= 0.05
        for layer in model.model.layers:
            layer.mlp.down_proj.weight *= 0.05
        bases = torch.linalg.qr(torch.randn(width, width))[0]
        writes = torch.linalg.qr(torch.randn(width, width))[0]
        for head in range(heads):
            rows = slice(head * size, (head + 1) * size)
            _look_back(layers[0], rows, head + 1, float(config.rope_parameters["rope_theta"]))
            layers[0].v_proj.weight[rows] = bases[rows]
            layers[0].o_proj.weight[:, rows] = loud * writes[rows].T
            for later, inner in enumerate(layers[1:]):
                # Half the heads match what stood before, half the token itself.
                source = 0 if later == 0 else head % 2
                sought = bases[:size] if (head + later) % 2 == 0 else bases[rows]
                held = writes[source * size : source * size + size] if (head + later) % 2 == 0 else bases[rows]
                inner.q_proj.weight[rows] += MATCH * sought
                inner.k_proj.weight[rows] += MATCH * held
                inner.v_proj.weight[rows] = bases[rows]
                inner.o_proj.weight[:, rows] = loud * bases[rows].T


def _look_back(inner: Any, rows: slice, far: int, theta: float) -> None:
    """Biases by which a head attends to the token `far` places before: a sum of cosines that peaks there."""
    import torch

    size = rows.stop - rows.start
    half = size // 2
    angles = theta ** (-torch.arange(half, dtype=torch.float32) / half)
    fast = torch.zeros(half)
    used = max(2, half // 3)
    fast[:used] = math.sqrt(NEAR * math.sqrt(size) / used)
    inner.k_proj.bias[rows] = torch.cat([fast, torch.zeros(half)])
    inner.q_proj.bias[rows] = torch.cat([fast * torch.cos(angles * far), -fast * torch.sin(angles * far)])
    inner.q_proj.weight[rows] *= 0.2
    inner.k_proj.weight[rows] *= 0.2
