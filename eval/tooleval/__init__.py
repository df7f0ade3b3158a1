"""ToolEval: judged pass rate and win rate, by any model or by rules."""
