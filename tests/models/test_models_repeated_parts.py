"""What several functions of a prompt have in common stands there once."""

from __future__ import annotations

from docrev.models.rendering import functions
from docrev.prompts.agents import Argument, ResponseField, Sheet
from docrev.records import OperationKey

PRIORITY = Argument(
    name="priority", location="query:priority", type="integer", description="`1` is `urgent`, `2` `high`, `3` `low`."
)
OTHER = PRIORITY.model_copy(update={"description": "From 1 to 3."})
PAGE = Argument(name="page", location="query:page", type="integer")
FIELDS = ("id", "number", "priority_name", "placed_at", "delivered_at")


def sheet(name: str, *parameters: Argument, fields: tuple[str, ...] = FIELDS) -> Sheet:
    returned = tuple(ResponseField(pointer=f"/{one}") for one in fields)
    return Sheet(name=name, key=OperationKey("shop", f"GET /{name}"), parameters=parameters, fields=returned)


def test_a_parameter_of_several_functions_stands_once_and_they_name_it() -> None:
    text = functions((sheet("orders", PRIORITY, PAGE), sheet("returns", PRIORITY), sheet("carts", OTHER)))
    assert text.count("`1` is `urgent`") == 1
    assert text.index("  priority (integer): `1` is `urgent`") < text.index("- orders")
    assert text.count("  with priority\n") == 2
    assert text.count("  parameter priority (integer): From 1 to 3.\n") == 1


def test_short_parameters_stay_where_they_are() -> None:
    text = functions((sheet("orders", PAGE), sheet("returns", PAGE)))
    assert text.count("  parameter page (integer)\n") == 2
    assert "with" not in text


def test_of_several_texts_of_one_name_that_which_saves_most_stands_once() -> None:
    every = [sheet(f"f{at}", PRIORITY if at < 4 else OTHER, fields=()) for at in range(6)]
    text = functions(every)
    assert text.count("`1` is `urgent`") == 1
    assert text.count("From 1 to 3.") == 2


def test_what_returns_the_same_at_length_names_the_first_of_them() -> None:
    text = functions((sheet("orders"), sheet("returns"), sheet("notes", fields=("id",)), sheet("tags", fields=("id",))))
    assert text.count("placed_at") == 1
    assert "- returns\n  returns what orders returns\n" in text
    assert text.count("  returns {id}\n") == 2


def test_the_same_line_of_another_meaning_names_the_first_function_that_has_it() -> None:
    text = "Number of the order. Takes the `id`, not the `number`."
    order = Argument(name="id", location="path:id", type="integer", description=text)
    shop = order.model_copy(update={"description": "Number of the shop, which is not the number of its owner."})
    every = (
        *(sheet(f"f{at}", shop, fields=()) for at in range(3)),
        *(sheet(f"o{at}", order, fields=()) for at in "ab"),
    )
    shown = functions(every)
    assert shown.count("  with id\n") == 3
    assert shown.count("Number of the order") == 1
    assert "- ob\n  parameter id as in oa\n" in shown
