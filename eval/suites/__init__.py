"""The suites by name: bundled, RestBench, ToolBench, APIBench, recovery, and the user's own tasks."""
