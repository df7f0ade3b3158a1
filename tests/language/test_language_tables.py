"""Tables: as wide as they are, or folded to the room there is."""

from __future__ import annotations

from docrev.language.tables import columns, room

ROWS = [("name", "n", "what it is"), ("first", "7", "some words of a text"), ("你好", "1,234", "y" * 30)]


def test_columns_stand_under_each_other() -> None:
    assert columns(ROWS[:2], right={1}) == ["name   n  what it is", "first  7  some words of a text"]
    assert columns([]) == []


def test_cells_take_several_lines_where_there_is_less_room() -> None:
    token = room.set(30)
    try:
        folded = columns(ROWS, right={1})
    finally:
        room.reset(token)
    assert max(map(len, folded)) <= 30
    assert len(folded) > len(ROWS)
    assert "".join("".join(folded).split()).count("y") == 30
    assert all(word in " ".join(folded) for word in ("first", "1,234", "你好", "words"))


def test_what_steers_a_terminal_is_written_out_in_folded_tables_too() -> None:
    token = room.set(10)
    try:
        assert "\x1b" not in "".join(columns([("\x1b[2Ja", "b" * 20)]))
    finally:
        room.reset(token)
