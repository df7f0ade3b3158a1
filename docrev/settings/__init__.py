"""The settings of every function and command, each written once: its name, type, bounds, default and help."""
