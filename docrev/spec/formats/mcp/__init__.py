"""Lists of tools of the Model Context Protocol: reader and writer."""
