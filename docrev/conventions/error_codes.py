"""What the codes beside error messages mean: pydantic's `type`, ajv's `keyword`, zod's `code`, validators' tags.

The codes of all vocabularies are in one table, in small letters without separators, by the kind of hint that they are.
A code that is in no table is read as words: `resource_already_exists_exception`, `NoSuchBucket`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from docrev.conventions.error_choices import listed_values
from docrev.conventions.error_claims import Claim
from docrev.conventions.error_constraints import readable_pattern
from docrev.conventions.error_locations import ErrorLocation, location_of
from docrev.conventions.error_types import type_of
from docrev.conventions.methods import SAFE_METHODS, UNSAFE_METHODS
from docrev.json_values.containers import sequence
from docrev.json_values.scalars import is_number
from docrev.language.words import words
from docrev.records import Json

_TABLE = """
required: required missing valueerrormissing anyrequired isnotempty notblank notnull notempty blank empty null isdefined
required: presence fieldrequired missingfield parametermissing requiredproperty stringempty anyempty optionality nonnull
required: requiredwith requiredwithout requiredwithall requiredwithoutall requiredif requiredunless
required: objectrequired missingparameter missingrequiredparameter missingrequiredfield nullable requiredfield
unknown: extraforbidden unrecognizedkeys additionalproperties objectunknown unknown whitelistvalidation nounknown
unknown: unevaluatedproperties unknownfield unknownproperty unknownparameter valueerrorextra objectallowunknown
unknown: additionalproperty
exists: unique taken uniqueness alreadyexists duplicate valueerrorunique isunique
allowed-values: enum literalerror invalidenumvalue invalidliteral anyonly isin isenum oneof inclusion
allowed-values: invalidchoice const enumvalue
allowed-values: invalidvalue typeerrorenum valueerrorconst notinenum enums literal choice choices
allowed-values: invaliduniondiscriminator
minimum: minimum greaterthanequal min numbermin minvalue valueerrornumbernotge gte ge decimalmin isgte valuetoosmall
minimum: greaterthanorequal greaterthanorequalto decimalminvalue
maximum: maximum lessthanequal max numbermax maxvalue valueerrornumbernotle lte le decimalmax valuetoolarge
maximum: lessthanorequal lessthanorequalto
exclusive-minimum: exclusiveminimum greaterthan numbergreater valueerrornumbernotgt gt
exclusive-maximum: exclusivemaximum lessthan numberless valueerrornumbernotlt lt
min-length: minlength stringtooshort stringmin valueerroranystrminlength lengthmin
max-length: maxlength stringtoolong stringmax valueerroranystrmaxlength lengthmax
min-items: minitems arraymin arrayminsize valueerrorlistminitems
max-items: maxitems arraymax arraymaxsize valueerrorlistmaxitems
unique-items: uniqueitems arrayunique
multiple-of: multipleof numbermultiple notmultipleof isdivisibleby valueerrornumbernotmultiple
pattern: pattern stringpatternmismatch matches regex stringpatternbase valueerrorstrregex stringregex
characters [a-zA-Z]: alpha isalpha
characters [a-zA-Z0-9]: alphanum alphanumeric isalphanumeric stringalphanum
characters [0-9]: isnumberstring isnumericstring
characters [ -~]: ascii isascii printascii
forbidden-characters [A-Z]: lowercase islowercase stringlowercase
forbidden-characters [a-z]: uppercase isuppercase stringuppercase
format url: valueerrorurlscheme valueerrorurlhost valueerrorurlport valueerrorurluserinfo valueerrorurlextra
"""
# Of a part of a URL, pydantic 1 says only what is wrong with the part: `URL host invalid, top level domain required`.
_KINDS = {
    code: line.partition(": ")[0] for line in _TABLE.strip().splitlines() for code in line.partition(": ")[2].split()
}
_LIMITS = ("limit", "limit_value", "count", "constraint", "expected", "param")
_BOUNDS = {
    "minimum": ("minimum", "min", "ge", "value_min"),
    "maximum": ("maximum", "max", "le"),
    "exclusive-minimum": ("exclusiveMinimum", "minimum", "gt"),
    "exclusive-maximum": ("exclusiveMaximum", "maximum", "lt"),
    "min-length": ("min_length", "minLength", "minimum", "min"),
    "max-length": ("max_length", "maxLength", "maximum", "max"),
    "min-items": ("min_length", "min_items", "minItems", "minimum", "min"),
    "max-items": ("max_length", "max_items", "maxItems", "maximum", "max"),
    "multiple-of": ("multipleOf", "multiple_of", "multiple", "divisor", "base"),
    "pattern": ("pattern", "regex", "regexp"),
}
"""Under which names the value of a rule stands beside its code; a limit is called so, too."""
_CHOICES = (
    *"allowedValues allowedValue options values valids expected permitted enum_values choices".split(),
    *("expected_tags", "enum", "allowed", "allowed_values", "accepted", "acceptedValues", "possibleValues"),
    *("validValues", "valid_values", "supported"),
)
_LISTS = frozenset(_CHOICES) - {"expected", "values"}
_INSIDE = {
    "required": ("missingProperty", "missing", "missing_property"),
    "unknown": ("keys", "additionalProperty", "unevaluatedProperty", "child", "unexpected", "unknownKeys"),
}
_CALLED = re.compile(r"(?<![\w.])(?P<rule>[A-Za-z]\w*)\((?P<given>.{1,400})\)[.\s]*$")
_CALLED_ALONE = {"in": "allowed-values", "length": "length", "size": "length", "range": "range", "between": "range"}
"""What is a rule only with its arguments: words, or codes whose parameters stand beside them."""
_MEMBER = re.compile(r"[A-Z][A-Za-z0-9]*\.[A-Za-z_]\w*")
_AFFIXES = {"startswith": "prefix", "endswith": "suffix"}
_SIZES = {"number": "", "bigint": "", "int": "", "string": "-length", "array": "-items", "set": "-items"}
_OF_TYPES = re.compile(
    r"(?:(?:type|value)_?error\.)?(int(?:eger)?|float|number|string|str|bool(?:ean)?|list|dict|array|object|date_?time"
    r"|date|time(?:_delta)?|uuid|url|decimal|email|ip|ipv[46])(?:[_.](?:type|parsing|base|from_\w+|error|format"
    r"|guid|email|uri|scheme)|address)?"
)

_OF_TEXTS = re.compile(r"^(?:string|str|text|format|(?:invalid|not|bad)(?:[_-]an?)?)[._-]", re.I)
"""What stands before the name of a format in a code."""
_BOUNDARY = re.compile(r"[_\s-]+|(?<=[a-z0-9])(?=[A-Z])")


def claims_of_code(code: str, params: dict[str, object]) -> tuple[Claim, ...]:
    """What a code and the parameters beside it require; nothing if the code is in no vocabulary."""
    plain = "".join(words(code.partition(".openapi")[0]))
    if reader := _SPECIAL.get(plain):
        return reader(plain, params)
    if measured := _measured(plain, params):
        return measured
    kind = _KINDS.get(plain, "")
    if kind == "allowed-values":
        # Go's `oneof=a b` lists the values as one text, which is a name elsewhere.
        listed = str(params.get("param", "")).split()
        return _chosen(params) or (_chosen({"values": listed}) if len(listed) > 1 else ())
    if kind in _BOUNDS:
        return _bounded(kind, params)
    if kind in _INSIDE:
        return _lacking(kind, params)
    kind, _, value = kind.partition(" ")
    return (Claim(kind, (value,) if value else ()),) if kind else ()


def _measured(plain: str, params: dict[str, object]) -> tuple[Claim, ...]:
    """Go's `len=4`, `min=2`, `endswith=z` of a text or a list, which stands beside the tag."""
    value, bound = params.get("value"), params.get("param")
    if not isinstance(bound, str) or not isinstance(value, str | list):
        return ()
    if plain in _AFFIXES and isinstance(value, str) and bound:
        return (Claim(_AFFIXES[plain], (bound,)),)
    ends = {"len": ("min", "max"), "min": ("min",), "max": ("max",)}.get(plain, ())
    size = "length" if isinstance(value, str) else "items"
    return tuple(Claim(f"{end}-{size}", (bound,)) for end in ends) if bound.isdecimal() else ()


def _lacking(kind: str, params: dict[str, object]) -> tuple[Claim, ...]:
    inside = _locations(next((params[key] for key in _INSIDE[kind] if params.get(key)), None))
    return tuple(Claim(kind, (), at) for at in inside) or (Claim(kind),)


def _mistyped(plain: str, params: dict[str, object]) -> tuple[Claim, ...]:
    """zod's `invalid_type`: of a value that is missing, too."""
    expected = params.get("expected")
    if params.get("received") == "undefined" or str(params.get("message", "")).endswith("received undefined"):
        return (Claim("required"),)
    return tuple(Claim(kind, (name,)) for kind, name in type_of(expected)) if isinstance(expected, str) else ()


def _typed(plain: str, params: dict[str, object]) -> tuple[Claim, ...]:
    """ajv's `type`, of one or several."""
    expected = params.get("type")
    names = [str(name) for name in (expected if isinstance(expected, list) else [expected]) if name is not None]
    return (Claim("type", tuple(names)),) if names and all(type_of(name) for name in names) else ()


def choices_beside(params: dict[str, object]) -> tuple[Claim, ...]:
    """The values in a list that stands beside a message under a name for such lists."""
    found = _chosen({k: v for k, v in params.items() if k == "schema" or (isinstance(v, list) and k in _LISTS)})
    return () if any(SAFE_METHODS.union(UNSAFE_METHODS).issuperset(claim.values) for claim in found) else found


def rules_beside(params: dict[str, object]) -> tuple[Claim, ...]:
    """What members that are called as rules say, whatever the code is: `{"min": 1}`, `{"expected": "int"}`."""
    kinds = ((_KINDS.get("".join(words(key)), ""), value) for key, value in params.items())
    bounds = tuple(
        c for kind, value in kinds if kind in _BOUNDS for c in _bounded(kind, {"limit": value, "pattern": value})
    )
    named = (params.get(key) for key in ("expected", "expectedType", "wanted"))
    expected = next((name for name in named if isinstance(name, str)), "")
    return bounds or tuple(Claim(kind, (name,)) for kind, name in type_of(expected))


def words_of_code(code: str) -> str:
    """A code as a sentence: `resource_already_exists_exception` is "resource already exists"."""
    parts = [word for word in words(code) if word not in ("exception", "error", "err", "fault", "code")]
    return " ".join(parts)


def type_of_code(code: str) -> tuple[Claim, ...]:
    """The type that a code says is expected: `int_parsing`, `number.base`, `type_error.integer`, `isInt`."""
    if match := _OF_TYPES.fullmatch(
        code.removeprefix("is").lower()
        if code[:2] == "is" and code[2:3].isupper()
        else re.sub(r"(?<=\.ip)vany|^(?:not_an?_|(?:must_be|expected)_(?:an?_)?|error\.expected\.js)", "", code)
    ):
        return tuple(Claim(kind, (name,)) for kind, name in type_of(match.group(1).replace("_", " ")))
    return ()


def format_of_rule(code: str) -> tuple[Claim, ...]:
    """The format that a rule of a validator is called by: `uuid4`, `isHexColor`, `string.isoDate`, `credit_card`."""
    said = re.sub(r"^is ", "", _BOUNDARY.sub(" ", _OF_TEXTS.sub("", code)).lower())
    found = type_of(said) or type_of(said.replace(" ", ""))
    return tuple(Claim(kind, (name,)) for kind, name in found if kind == "format")


def _locations(names: object) -> list[ErrorLocation]:
    listed = names if isinstance(names, list) else [names]
    return [location_of(name) for name in listed if isinstance(name, str) and name]


def _sized(plain: str, params: dict[str, object]) -> tuple[Claim, ...]:
    """zod's `too_small` and `too_big`, of a number, a text or an array."""
    end = "minimum" if plain == "toosmall" else "maximum"
    bound = params.get(end, params.get(end[:3]))
    size = _SIZES.get(str(params.get("origin") or params.get("type") or "number"))
    if size is None or not isinstance(bound, int | float):
        return ()
    exclusive = params.get("inclusive") is False
    if not size:
        return (Claim(f"exclusive-{end}" if exclusive else end, (str(bound),)),)
    whole = int(bound) + (exclusive and plain == "toosmall") - (exclusive and plain != "toosmall")
    ends = (end[:3],) if not params.get("exact") else ("min", "max")
    return tuple(Claim(f"{one}{size}", (str(whole),)) for one in ends)


def _formatted(plain: str, params: dict[str, object]) -> tuple[Claim, ...]:
    """The format that `format` (ajv, zod 4) or `validation` (zod 3) names."""
    name = str(params.get("format") or params.get("validation") or "")
    if name == "regex":
        return _bounded("pattern", params)
    return tuple(Claim(kind, (found,)) for kind, found in type_of(name.replace("-", "")) or type_of(name))


def _listed(values: object) -> list[Json]:
    if isinstance(values, str):
        return [*listed_values(values)] or [values]
    return values if isinstance(values, list) else [values]


def _chosen(params: dict[str, object]) -> tuple[Claim, ...]:
    """The values that the parameters beside a code list."""
    listed = _listed(next((params[key] for key in _CHOICES if params.get(key) is not None), _constants(params)))
    if not listed or not all(isinstance(value, str | int | float) for value in listed):
        return ()
    if len({value.partition(".")[0] for value in map(str, listed) if _MEMBER.fullmatch(value)}) == 1:
        # `Role.admin` is what the program calls a member, and no value.
        return ()
    return (Claim("allowed-values", tuple(_text(value) for value in listed)),)


def _constants(params: dict[str, object]) -> list[Json]:
    """The values of a union of constants, where its schema stands beside a code."""
    schema = params.get("schema")
    members = schema.get("anyOf") if isinstance(schema, dict) else None
    listed = sequence(members)
    return [one["const"] for one in listed] if all(isinstance(one, dict) and "const" in one for one in listed) else []


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _bounded(kind: str, params: dict[str, object]) -> tuple[Claim, ...]:
    for key in (*_BOUNDS[kind], *(_LIMITS if kind[:3] in ("min", "max", "exc") else ())):
        value = params.get(key)
        if kind == "pattern" and isinstance(value, str) and (pattern := readable_pattern(value)):
            return (Claim("pattern", (pattern,)),)
        if kind != "pattern" and (is_number(value) or re.fullmatch(r"-?\d{1,15}(?:\.\d{1,9})?", str(value))):
            return (Claim(kind, (str(value),)),)
    return ()


def _tagged(plain: str, params: dict[str, object]) -> tuple[Claim, ...]:
    """pydantic's tags of a union: the name that tells its members apart is missing, or has another value."""
    named = params.get("discriminator")
    # It may have several names: `'provider_type' | 'providerType'`.
    inside = location_of(named.partition("|")[0].strip(" '\"")) if isinstance(named, str) else ErrorLocation()
    if plain == "uniontagnotfound":
        return (Claim("required", (), inside),)
    return tuple(claim._replace(inside=inside) for claim in _chosen(params))


def _absent(plain: str, params: dict[str, object]) -> tuple[Claim, ...]:
    """`missing`: no value; or, beside the value that was sent, no such thing."""
    name, value = params.get("field"), params.get("value")
    if isinstance(name, str) and isinstance(value, str | int) and value != "":
        return (Claim("not-found", (name, str(value))),)
    return _lacking("required", params)


def _dependent(plain: str, params: dict[str, Json]) -> tuple[Claim, ...]:
    """A property that is needed beside another one."""
    given, needed = params.get("property"), params.get("missingProperty")
    if not (isinstance(given, str) and isinstance(needed, str)):
        return ()
    return (Claim("needs", (needed,), location_of(given)),)


def claims_of_rule(text: str) -> tuple[Claim, ...]:
    """What a rule requires that a text ends with, as it is called: `range(1|20)`, `in(S|M|L)`, `matches(^x)`."""
    if (called := _CALLED.search(text)) is None:
        return ()
    plain = "".join(words(called["rule"]))
    return _called(_CALLED_ALONE.get(plain) or _KINDS.get(plain, ""), called["given"])


def _called(kind: str, given: str) -> tuple[Claim, ...]:
    listed = [part.strip(" \"'`:") for part in re.split(r"[|,]", given.strip("[] "))]
    if kind == "pattern":
        return _bounded(kind, {"pattern": given.strip("\"'`")})
    if kind == "allowed-values":
        return (Claim(kind, tuple(listed)),) if len(listed) > 1 and all(listed) else ()
    if kind in _CALLED_ALONE.values():
        return _ends(kind, {"min": listed[0], "max": listed[1]}) if len(listed) > 1 else ()
    return _bounded(kind, {"limit": listed[0]}) if kind in _BOUNDS else ()


def _ends(plain: str, params: dict[str, Json]) -> tuple[Claim, ...]:
    """Both ends of a length or of a range, under one code (`length`, `range`), or Rails' `count` for one of them."""
    end = {"tooshort": ("min",), "toolong": ("max",), "wronglength": ("min", "max")}.get(plain)
    if end is not None:
        kinds = [f"{one}-length" for one in end] if "count" in params else []
    else:
        kinds = ["minimum", "maximum"] if plain == "range" else ["min-length", "max-length"]
    return tuple(claim for kind in kinds for claim in _bounded(kind, params))


_SPECIAL: dict[str, Callable[[str, dict[str, Json]], tuple[Claim, ...]]] = {
    "toosmall": _sized,
    "toobig": _sized,
    "invalidtype": _mistyped,
    "invalidformat": _formatted,
    "invalidstring": _formatted,
    "format": _formatted,
    "type": _typed,
    "uniontaginvalid": _tagged,
    "uniontagnotfound": _tagged,
    "missing": _absent,
    "jsoninvalid": lambda plain, params: (Claim("format", ("json",)),),
    **dict.fromkeys(("tooshort", "toolong", "wronglength", "length", "range"), _ends),
    "dependentrequired": _dependent,
    "dependencies": _dependent,
}
