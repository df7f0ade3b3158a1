"""Traffic: what an API was asked by others, read from their records, and calls written as such records."""
