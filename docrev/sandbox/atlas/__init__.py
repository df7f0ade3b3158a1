"""Atlas: countries, cities, currencies and languages of the world, with notes that can be written."""

KEY = "atlas-demo-key"
"""The only key that `GET /reports/density` accepts. It guards nothing: the facts are public."""
