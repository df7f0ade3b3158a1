"""Names and bounds that settings share with the code that acts on them. Loads nothing."""

from __future__ import annotations

from typing import Final, Literal

Strategy = Literal["bfs", "dfsdt", "react"]
ProbeOrder = Literal["poorest", "random"]
Edit = Literal["docs", "contract"]
ExplorationMethod = Literal["docrev", "toolbfs"]
Method = Literal["docrev", "toolbfs", "easytool", "draft"]
AgentForm = Literal["docrev", "toolbench"]
Profile = Literal["none", "openai", "gpt-actions", "bedrock", "mcp"]
Examples = Literal["masked", "observed", "none"]
MarksPlace = Literal["lock", "inline"]
Transport = Literal["stdio", "http"]
Listing = Literal["auto", "flat", "lazy"]

ALL_METHODS: Final = ("POST,PUT,PATCH,DELETE",)
"""What `allow` says where all methods are permitted: of services that are thrown away."""
MAX_SPEC_SIZE: Final = 20 * 2**20
"""The largest spec file that is read unless the user says otherwise, in bytes."""
DEFAULT_WORDS: Final = 50
"""How many words an operation gets unless the user says otherwise; `make bench ONLY=worth` shows the curve."""
