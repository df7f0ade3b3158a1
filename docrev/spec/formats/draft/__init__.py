"""DRAFT's and EasyTool's documents (read only)."""
