"""Small services that hold somebody's data, and a referee that counts what a client does to it.

`drawing` draws a `Service` from a seed, `documents` writes its spec, `app` answers for it, `network` puts that on
loopback, `referee` judges a run, `exploring` lets docrev use one.
By hand: `PYTHONPATH=tests python -m stateful --help`.
"""
