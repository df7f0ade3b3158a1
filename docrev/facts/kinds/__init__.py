"""The kinds of facts, a module each, named after the kind: see `docrev.facts.registry`."""
