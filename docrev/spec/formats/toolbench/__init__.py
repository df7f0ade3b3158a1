"""ToolBench's tool and instruction files: reader and writer."""
