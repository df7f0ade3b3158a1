"""`python -m docrev` is the command line."""

from docrev.cli import main

main()
