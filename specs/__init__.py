"""The published specs of the bundled services, with the faults that real documentation has."""
