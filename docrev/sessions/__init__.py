"""One exploration or revision put together: documents, evidence, models and driver, as the settings say."""
