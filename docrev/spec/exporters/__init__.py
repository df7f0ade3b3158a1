"""OpenAPI documents in other formats, for those who read no OpenAPI."""
