"""ToolPlanner (Wu et al., 2024): tags, path and tree as three tasks of one model, then ranked by two feedbacks."""
