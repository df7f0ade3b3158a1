"""What agents do with documentation: a suite's tasks, done by runners on several sets of documents, and compared."""
