"""The characters that a sentence allows in a value: all of them, those at its ends, or those that it must not have."""

from __future__ import annotations

import re
from collections.abc import Iterator

from docrev.conventions.error_claims import Claim

_GIVEN_CLASS = re.compile(r"\(?([a-z]-[a-z]|[A-Z]-[A-Z]|0-9)\)?|\[([^\]\s]+)\]")
_CLASS = r"\[(?![^\]\s]*[a-z]{4})(?=[^\]\s]{0,60}(?:\w-\w|\\))[^\]\s]{1,60}\](?:[*+])?"
_CLASSED = re.compile(rf"(?:from|in|of|only|characters?:?|set|use|charset)\s+(?P<class>{_CLASS})", re.I)
_FIRST_AND_REST = re.compile(r"only (?P<first>\[[^\]\s]{1,60}\])(?P<rest>\[[^\]\s]{1,60}\])", re.I)
_ONLY = re.compile(
    r"(?:(?:can|may) (?:contain|include|have)|only (?:contains?|includes?|consists? of|use|have|hold|be|allows?"
    r"|accepts?|permits?)?|contains? only|(?:contain(?:s|ing)?|hold|have|include)(?: only)?(?=[\w, -]+ only\b)"
    r"|consist(?:s|ing)? (?:only )?of|composed of|combination of|comprised of|limited to|allowed characters(?: are|:)?"
    r"|valid char(?:acter)?s(?: are|:)?|made up of|(?:use|enter)(?=[\w, -]+ only\b)|characters other than|(?:must"
    r"|should|may) be|only)\s+(?P<list>.+)",
    re.I | re.DOTALL,
)
_EDGE = re.compile(
    r"(?P<both>(?:start|begin)(?:s|ning|ing)? and end(?:s|ing)?|(?:start|begin)(?:s|ning|ing)?|end(?:s"
    r"|ing)?)\s+(?:with|by|in)\s+(?P<what>.+)",
    re.I | re.DOTALL,
)
_LISTED_TEXTS = re.compile(r"(?:one|any) of (?:the )?following(?: values)?\s*:\s*(?P<texts>\S.*)", re.I)
_NO_SPECIAL_EDGE = re.compile(r"(?:not|n't|never)\s+(?:start|begin) with (?:an? |any )?special", re.I)
_THEN_ONLY = re.compile(r"\b(?:and (?:can|may|must|should) only contain|contain only)\b", re.I)
_NOT_EDGE = re.compile(r"(?:not|n't|never)\s+(?:start|begin|end)", re.I)
_FORBIDDEN = re.compile(
    r"(?:(?:must not|may not|cannot|can't|should not|can not|not be allowed to|mustn't) (?:contain|include|have)(?:"
    r" any)?|contains? (?:excluded|forbidden|illegal|disallowed|invalid|reserved) characters?)(?:"
    r" characters?)?:?\s+(?P<list>.+)",
    re.I | re.DOTALL,
)
_CASED = re.compile(r"(?:must|should|has to) (?:all )?be (?:all )?(?:in )?(lower|upper)[- ]?case[.,]?$", re.I)
_CLASS_WORDS = (
    (r"lower[- ]?case (?:alpha-?numeric|letters? (?:and|or) (?:digits|numbers))", "a-z0-9"),
    (r"alpha-?numerics?|letters? and (?:digits|numbers)", "a-zA-Z0-9"),
    (r"lower[- ]?case(?: (?:latin |ascii |english )?letters?| alphabetic\w*| characters?)?", "a-z"),
    (
        r"capitals?(?: letters?)?|upper[- ]?case(?: (?:latin |ascii |english )?letters?| alphabetic\w*| characters?)?",
        "A-Z",
    ),
    (r"hexadecimal(?: digits)?", "a-fA-F0-9"),
    (r"(?:ascii |latin |english )?letters?|alphabetic(?:al)?(?: characters?)?|alpha characters?", "a-zA-Z"),
    (r"(?:non-leading )?(?:digits?|numbers?|numerals?|numeric(?: characters?)?)", "0-9"),
    (r"underscores?", "_"),
    (r"hyphens?|dash(?:es)?|minus(?:es)?", "-"),
    (r"periods?|dots?|full stops?|points?", "."),
    (r"white ?spaces?|blanks?", r"\s"),
    (r"spaces?", " "),
    (r"(?:forward )?slash(?:es)?", "/"),
    (r"colons?", ":"),
    (r"plus(?:es| signs?)?", "+"),
    (r"commas?", ","),
    (r"at[- ]signs?", "@"),
)
_CLASS_PIECES = tuple((re.compile(rf"(?:{words})(?![\w])", re.I), piece) for words, piece in _CLASS_WORDS)
_JOINS = re.compile(
    r"[\s,]*(?:\b(?:and|or|the|an?(?!-)|any|characters?|chars|symbols?|valid|ascii|following|of|in|unicode|latin|only"
    r"|non-accented|signs?|;)(?![\w])|,|/(?=[^\s]))[\s,]*|\s+|\(\s*|\)",
    re.I,
)
_MARKS = {"slash": "/", "forward slash": "/", "underscore": "_", "hyphen": "-", "dot": ".", "period": "."}
_LITERAL = re.compile(
    r"[\"'`](?P<quoted>[^\"'`]{1,6}|[^A-Za-z0-9\"'`]{7,40})[\"'`]|\((?P<bracketed>[^\w\s]{1,3})\)"
    r"|(?P<bare>(?<=, )[()](?=,)|[^A-Za-z0-9\s\"'`(),](?:/[^A-Za-z0-9\s\"'`(),])*)(?=$|[\s,])"
)
_ALONE = re.compile(r"only (?P<list>[\w ,-]+)|(?P<before>[\w ,-]+) only", re.I)
_ASCII = re.compile(
    r"(?:\b(?:contain|be|have|include|use|allows?|accepts?)(?: only)?|^only|^) (?:only )?ascii(?: characters?| text)?"
    r"(?: only| (?:is|are) allowed)?\W*$|^(?:only )?ascii(?: characters?)? (?:only|(?:is|are) allowed)\W*$",
    re.I,
)
_NEEDS_CLASS = re.compile(r"\ba-z\b|characters?|letters?|alpha-?numeric|lower-?case", re.I)


def characters(text: str) -> Iterator[Claim]:
    """The characters that a value may have, all of it, at its ends, or not at all."""
    if cased := _CASED.search(text):
        yield Claim("forbidden-characters", ("[A-Z]" if cased.group(1).lower() == "lower" else "[a-z]",))
    elif forbidden := _FORBIDDEN.search(text):
        if piece := character_class(forbidden.group("list")):
            yield Claim("forbidden-characters", (piece,))
    elif alone := _alone(text):
        yield Claim("characters", (alone,))
    elif paired := _FIRST_AND_REST.search(text):
        first, rest = paired.group("first"), paired.group("rest")
        yield Claim("characters", (rest if set(first) <= set(rest) else first[:-1] + rest[1:],))
        yield Claim("first-character", (first,))
    else:
        # What a value must not begin with is told last, with what it must not end with.
        negated = _NOT_EDGE.search(text)
        end = negated.start() if negated else len(text)
        edge = _EDGE.search(text, 0, end)
        yield from _inner(text, edge)
        if _NO_SPECIAL_EDGE.search(text):
            yield Claim("first-character", ("[a-zA-Z0-9]",))
        while edge is not None:
            yield from _edges(edge.group("both").lower(), edge.group("what"))
            edge = _EDGE.search(text, edge.start("what"), end)


def _alone(text: str) -> str:
    """The class of characters that a text is all about: `letters only`; "" if it is about anything else."""
    if _ASCII.search(text):
        return "[ -~]"
    alone = _ALONE.fullmatch(text.strip(" ."))
    return character_class(alone.group("list") or alone.group("before")) if alone else ""


def _inner(text: str, edge: re.Match[str] | None) -> Iterator[Claim]:
    """The characters that all of a value may have: in front of what is said of its ends, or after it."""
    inner = text[: edge.start()] if edge else text
    if edge and (later := _THEN_ONLY.search(text, edge.end("both"))):
        inner = text[later.start() :]
    if classed := _CLASSED.search(inner):
        yield Claim("characters", (classed.group("class").rstrip("*+"),))
    elif _NEEDS_CLASS.search(inner):
        at = 0
        while match := _ONLY.search(inner, at):
            at = match.start("list")
            if not re.search(r"at least|at most|exactly|no more|\d+ char", match.group("list")[:24]) and (
                piece := character_class(match.group("list"))
            ):
                yield Claim("characters", (piece,))
                break


def _literal_texts(what: str) -> tuple[str, ...]:
    """The texts that a value begins or ends with, where they are quoted or named; () where a class is stated."""
    if listed := _LISTED_TEXTS.match(what):
        return tuple(part.strip(" \"'`") for part in listed.group("texts").rstrip(". ").split(","))
    literal = re.match(
        r"(?:an? |the |one of )?[\"'`](?P<text>[^\"'`]{1,20})[\"'`]\.?$|(?P<bare>(?=\S*(?:[^\w\s.]|_)"
        r"|\.\w)[\w@#/:.+-]{1,20})\.?$|(?:an? )?(?P<mark>slash|dot|period|forward slash|underscore|hyphen)\b",
        what.strip(),
        re.I,
    )
    if literal is None or re.search(_CLASS, what):
        return ()
    return (literal.group("text") or literal.group("bare") or _MARKS[literal.group("mark").lower()],)


def _edges(where: str, what: str) -> Iterator[Claim]:
    first, last = where.startswith(("start", "begin")), "end" in where
    what = re.split(
        r"(?:,|,? and) (?:and )?(?:(?:must|should|can|may) )?(?:only )?(?:end|start|be|contain|have)\b| \(e\.g|regex",
        what,
    )[0]
    if texts := _literal_texts(what):
        yield from (Claim(kind, texts) for kind, here in (("prefix", first), ("suffix", last)) if here)
        return
    classed = re.search(_CLASS, what)
    piece = classed.group(0).rstrip("*+") if classed else character_class(what)
    if piece:
        yield from (
            Claim(kind, (piece,)) for kind, here in (("first-character", first), ("last-character", last)) if here
        )


def character_class(text: str) -> str:
    """The class that words list, as `[a-zA-Z0-9_-]`; "" if the words are no such list."""
    pieces: dict[str, None] = {}
    text = re.sub(r"^(?:[a-z]+ ){0,2}char(?:acter)?s?: ", "", text.strip())
    at, text = 0, re.split(r"\.\s|(?<!,)\s-\s(?!\()|:\s(?=[\"'`])| \((?:e\.g|for example|case)|\.$", text)[0]
    while (step := _piece(text, at)) is not None:
        at, found = step
        pieces.update(dict.fromkeys(part for piece in found for part in re.findall(r"\\.|.-.|.", piece)))
    # A list that goes on with what cannot be read allows more than what was read.
    return _bracketed(list(pieces)) if pieces and not re.match(r"[\"'`]", text[at:]) else ""


def _marks(text: str) -> tuple[str, ...]:
    """The characters that a text shows; a slash, or a comma and a blank, stands between others."""
    text = text.replace(", ", "") if len(text) > 2 else text
    return tuple(mark for mark in text if mark != "/" or len(text) == 1 or "//" in text)


def _piece(text: str, at: int) -> tuple[int, tuple[str, ...]] | None:
    """Where the next word of a list of characters ends, and the pieces of a class that it stands for."""
    if at >= len(text):
        return None
    if given := _GIVEN_CLASS.match(text, at):
        return given.end(), (given.group(1) or given.group(2),)
    for pattern, piece in _CLASS_PIECES:
        if match := pattern.match(text, at):
            return match.end(), (piece,)
    if literal := _LITERAL.match(text, at):
        shown = literal.group("quoted") or literal.group("bracketed")
        return literal.end(), tuple(shown.replace(", ", "")) if shown else _marks(literal.group("bare"))
    join = _JOINS.match(text, at)
    return (join.end(), ()) if join and join.end() > at else None


def _bracketed(pieces: list[str]) -> str:
    """The pieces in brackets, ranges first, the hyphen at the end, where it is no range."""
    ranges = [piece for piece in pieces if len(piece) > 2]
    marks = [piece for piece in pieces if len(piece) <= 2 and piece != "-"]
    escaped = [re.sub(r"([\]\[^])", r"\\\1", mark) if mark != "\\" else "\\\\" for mark in marks]
    return "[" + "".join([*ranges, *escaped]) + ("-" if "-" in pieces else "") + "]"
