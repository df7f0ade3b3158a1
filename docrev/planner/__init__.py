"""The offline planner: designs scenarios, plans their steps, judges answers and notes experience, by algorithm."""
