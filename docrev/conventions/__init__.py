"""What APIs by convention do: lists in responses, paging, roles of parameters, ids, statuses, errors, example values.

The one home of names such as `items`, `per_page` and `next_cursor`; whoever reads a response or a parameter asks here.
The simulator alone keeps tables of its own, so that what is found in its worlds was not put there by the same table.
"""
