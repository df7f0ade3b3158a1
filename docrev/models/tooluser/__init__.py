"""Small tool users made from nothing: they know function words only, every other word is a sign for itself.

A word that is not among the known ones becomes a slot, the same wherever it occurs, drawn anew for each prompt, and is
put back when an action is read. So a model of a million parameters can copy names it has never seen, from documents
and observations of any catalog, and has nothing to remember but how documents, tasks and answers hang together.
"""
