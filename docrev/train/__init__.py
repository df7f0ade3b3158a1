"""Training what uses tools, and what finds them."""
