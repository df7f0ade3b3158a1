"""Values for parameters that a document shows none for, by what their names say."""

from __future__ import annotations

from random import Random

_BY_WORD: dict[str, tuple[str, ...]] = {
    "city": ("Rome", "Boston", "Osaka", "Lyon", "Nairobi", "Toronto"),
    "country": ("Italy", "Canada", "Japan", "Kenya", "US", "Brazil"),
    "location": ("Berlin", "New York", "Madrid", "Sydney"),
    "state": ("CA", "Texas", "Bavaria", "NY"),
    "address": ("12 Main Street", "221 High Road"),
    "date": ("2023-05-01", "2022-12-24", "June 1, 2022"),
    "year": ("2019", "2022", "1998"),
    "time": ("08:30", "noon"),
    "email": ("anna@example.com", "info@example.org"),
    "phone": ("+14155550123", "34655719560"),
    "url": ("https://www.example.com", "https://example.org/page"),
    "link": ("https://www.example.com/post/1",),
    "domain": ("example.com", "example.org"),
    "name": ("Maria Silva", "Titanic", "Sunrise", "Arsenal"),
    "title": ("Inception", "Moonlight", "The Long Walk"),
    "query": ("birthday party ideas", "running shoes", "jazz"),
    "search": ("birthday party ideas", "running shoes", "jazz"),
    "keyword": ("marketing", "chocolate", "travel"),
    "text": ("Good morning everyone", "The quick brown fox"),
    "language": ("en", "French", "Spanish"),
    "lang": ("en", "fr", "German"),
    "currency": ("USD", "EUR", "JPY"),
    "symbol": ("AAPL", "TSLA", "BTC"),
    "ticker": ("AAPL", "MSFT"),
    "username": ("johndoe", "sunny_days"),
    "user": ("johndoe", "maria91"),
    "team": ("Lakers", "Real Madrid"),
    "player": ("Lionel Messi", "Serena Williams"),
    "league": ("Premier League", "NBA"),
    "color": ("ff0000", "blue"),
    "genre": ("comedy", "horror", "rock"),
    "category": ("sports", "music", "books"),
    "zip": ("90210", "10115"),
    "lat": ("48.85", "40.71"),
    "lon": ("2.35", "-74.0"),
    "lng": ("2.35", "-74.0"),
}
_NUMBERS = ("12345", "98765", "5", "20", "100", "7")


def value_for(name: str, random: Random) -> str:
    """A value for a parameter of this (split) name: by its last word that says something, else a number."""
    for word in reversed(name.lower().split()):
        if word in _BY_WORD:
            return random.choice(_BY_WORD[word])
    return random.choice(_NUMBERS)
