"""The role of a parameter by its name and schema: what parameters that are called so do, by the conventions of APIs.

A role is an expectation. Whether a parameter really pages, sorts or searches, only calls can show.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from docrev.language.words import singular, words
from docrev.records import Json

if TYPE_CHECKING:
    from docrev.spec.operation import Parameter


class Role(StrEnum):
    """What a parameter is for."""

    PAGE = "page"
    PAGE_SIZE = "page-size"
    OFFSET = "offset"
    CURSOR = "cursor"
    SORT = "sort"
    DIRECTION = "direction"
    SEARCH = "search"
    NAME = "name"
    DATE = "date"
    DATE_FROM = "date-from"
    DATE_TO = "date-to"
    MINIMUM = "minimum"
    MAXIMUM = "maximum"
    FIELDS = "fields"
    EXPAND = "expand"
    FILTER = "filter"
    ID = "id"
    LANGUAGE = "language"
    COUNTRY = "country"
    UNIT = "unit"
    FORMAT = "format"
    COORDINATE = "coordinate"
    RADIUS = "radius"
    CREDENTIAL = "credential"
    CALLBACK = "callback"
    VERSION = "version"
    OTHER = "other"


class Shape(Protocol):
    """What a role depends on beside the name; `docrev.spec.Schema` has it, and `Typed` if there is no schema."""

    @property
    def type(self) -> str | None: ...

    @property
    def format(self) -> str | None: ...

    @property
    def enum(self) -> Sequence[Json] | None: ...


class Typed(NamedTuple):
    """A shape without a schema: a JSON type, a format and the allowed values, as far as they are known."""

    type: str | None = None
    format: str | None = None
    enum: tuple[Json, ...] | None = None


_UNTYPED = Typed()
PAGING = frozenset({Role.PAGE, Role.PAGE_SIZE, Role.OFFSET, Role.CURSOR})
STARTS = {Role.PAGE: 1, Role.OFFSET: 0}
"""Where everybody expects pages to begin."""
SEARCHES = frozenset({Role.SEARCH, Role.NAME})
"""Roles of parameters that take a text to look for."""
ORDERING = frozenset({Role.SORT, Role.DIRECTION})
TECHNICAL = frozenset({Role.CREDENTIAL, Role.CALLBACK, Role.VERSION, Role.FORMAT})

_NUMERIC = frozenset({Role.PAGE, Role.PAGE_SIZE, Role.OFFSET})
_TEXTUAL = frozenset({Role.SEARCH, Role.SORT, Role.DIRECTION, Role.FIELDS, Role.EXPAND, Role.CURSOR, Role.LANGUAGE})
_PERIODS = frozenset({Role.DATE, Role.DATE_FROM, Role.DATE_TO})
_DIRECTED = frozenset({Role.SORT, Role.DIRECTION, Role.OTHER})
_ALSO_IN_PATHS = frozenset({Role.DATE, Role.LANGUAGE, Role.VERSION, Role.FORMAT})
_NOT_IN_HEADERS = frozenset({Role.PAGE, Role.PAGE_SIZE, Role.OFFSET, Role.SEARCH, Role.SORT, Role.NAME})
_NAMES: dict[Role, str] = {
    Role.PAGE: "page pagenumber pageno pageindex pagenum currentpage p pg",
    Role.PAGE_SIZE: (
        "limit pagesize perpage size count top take rows max first maxresults maxitems maxrecords pagelimit pagelen "
        "pagelength resultsperpage itemsperpage hitsperpage perpagecount numresults numberofresults numresult "
        "resultlimit maxcount maxrows maxkeys resultsize psize n num amountofresults nresults"
    ),
    Role.OFFSET: "offset skip start startindex startat startposition pageoffset from startrow firstresult startfrom",
    Role.CURSOR: (
        "cursor token pagetoken nexttoken nextcursor nextpagetoken continuation continuationtoken continue after "
        "startingafter endingbefore pagecursor pageafter pagebefore sinceid maxid bookmark scrollid marker "
        "startcursor startkey exclusivestartkey nextmarker searchafter paginationtoken resumptiontoken skiptoken"
    ),
    Role.SORT: "sort sortby order orderby ordering sorting sortfield sortkey sortcolumn sortparam orderfield sorts",
    Role.DIRECTION: (
        "direction dir sortorder sortdir sortdirection orderdirection orderdir ordertype ascending descending reverse "
        "asc desc sortasc sortdesc sortreverse orderdesc"
    ),
    Role.SEARCH: (
        "q query search term terms searchterm searchterms searchquery searchtext searchstring searchphrase keyword "
        "keywords text phrase s fulltext find querystring srsearch qs"
    ),
    Role.NAME: "name title label",
    Role.FIELDS: "fields field select only columns attributes properties props attrs mask fieldmask returnfields",
    Role.EXPAND: (
        "expand include includes embed embeds populate with expansions sideload appendtoresponse append appends "
        "preload related relations associations"
    ),
    Role.FILTER: "filter filters where conditions criteria filterby filterquery fq jql odatafilter predicate",
    Role.LANGUAGE: "lang language locale hl culture languagecode acceptlanguage uselang lc langcode",
    Role.COUNTRY: "country countrycode region gl market cc marketcode",
    Role.UNIT: "unit units measure measurement temperatureunit windspeedunit precipitationunit distanceunit",
    Role.FORMAT: "format output outputformat alt responseformat fmt mediatype filetype returnformat wt accept",
    Role.COORDINATE: "lat lon lng latitude longitude ll latlng location near point coordinates geo",
    Role.RADIUS: "radius distance within maxdistance radiuskm radiusm rad",
    Role.CREDENTIAL: (
        "apikey accesstoken authtoken appid appkey clientid clientsecret authorization xapikey signature sig secret "
        "password subscriptionkey accesskey"
    ),
    Role.CALLBACK: "callback jsonp jsoncallback redirecturi",
    Role.VERSION: "version apiversion v ver",
}
_ROLES: dict[str, Role] = {name: role for role, names in reversed(_NAMES.items()) for name in names.split()}
_ALONE = {"since": Role.DATE_FROM, "until": Role.DATE_TO, "till": Role.DATE_TO, "before": Role.DATE_TO}
"""Bounds without a word for what they bound: of a time, as a rule."""
_ORIGINS = frozenset(("from", "startfrom"))
"""As texts, where something begins or comes from (a place, a currency, a sender): no position in a list."""
_DATES = frozenset(("date", "day", "time", "timestamp", "datetime"))
_FROM = frozenset(("from", "since", "after", "start", "begin", "earliest", "min", "minimum", "gte", "gt", "lower"))
_TO = frozenset(("to", "until", "before", "end", "latest", "max", "maximum", "lte", "lt", "upper", "till", "through"))
_MOMENTS = frozenset(
    ("created", "updated", "modified", "published", "closed", "opened", "pushed", "started", "ended", "resolved")
)
_DIRECTIONS = frozenset(("asc", "desc", "ascending", "descending", "1", "-1", "up", "down", ""))


def role_of(name: str, shape: Shape | None = None, place: str = "query") -> Role:
    """The role of a parameter. `place` is query, path, header, cookie or body.

    The name decides, in any spelling (`per_page`, `page[size]`, `$top`, `maxResults`); the shape settles names that
    mean several things: `page` as a text is a cursor, `order` with `asc` and `desc` a direction, `start` as a date the
    beginning of a period, `max` of a number not of a page.
    """
    shape = shape or _UNTYPED
    role = _settled(name, shape.type, shape.format, tuple(str(value).lower() for value in shape.enum or ()))
    if place == "path":
        return role if role in _ALSO_IN_PATHS else Role.ID
    return Role.OTHER if place == "header" and role in _NOT_IN_HEADERS else role


def role_in(parameter: Parameter) -> Role:
    """The role of a documented parameter, by all that its documentation says of it."""
    return role_of(parameter.name, parameter.schema, parameter.location)


def _settled(name: str, kind: str | None, form: str | None, values: tuple[str, ...]) -> Role:
    """The role of a query parameter that has a name, with a type, a format and allowed values."""
    role = _named(name)
    if form in ("date", "date-time") or role in _PERIODS:
        return _dated(name)
    # "1" alone switches something on.
    if role in _DIRECTED and set(values) <= _DIRECTIONS and not set(values) <= {"", "1"}:
        return Role.DIRECTION
    if role in _NUMERIC and kind in ("string", "boolean", "array", "object"):
        return Role.OTHER if name.lower() in _ORIGINS else _textual(role, kind, values)
    if role in _TEXTUAL and kind in ("integer", "number", "boolean"):
        return _numeric(role, kind)
    return role


def _textual(role: Role, kind: str, values: tuple[str, ...]) -> Role:
    """A name of a number that is none: a page or an offset to go on from, otherwise a choice."""
    if kind == "string" and not values:
        return Role.CURSOR if role in (Role.PAGE, Role.OFFSET) else role
    return Role.OTHER


def _numeric(role: Role, kind: str) -> Role:
    """A name of a text that is a number or a flag: `include=true`, `reverse=true`, `after=17`."""
    if role is Role.DIRECTION:
        return role
    if role is Role.CURSOR:
        return role if kind != "boolean" else Role.OTHER
    return Role.OTHER


@lru_cache(maxsize=8192)
def _named(name: str) -> Role:
    """The role of a name alone."""
    parts = _parts(name)
    joined = "".join(parts)
    if joined in _ALONE:
        return _ALONE[joined]
    if joined in _ROLES:
        return _ROLES[joined]
    if parts and parts[0] in ("filter", "filters", "where"):
        return _bounded(parts[1:]) or Role.FILTER
    if parts and parts[0] in ("fields", "sort", "include") and "[" in name:
        return _ROLES[parts[0]]
    return _bounded(parts) or _by_ending(parts)


def _parts(name: str) -> tuple[str, ...]:
    """The words of a parameter's name, without a prefix that says nothing: `_limit`, `$top`, `page[size]`."""
    parts = words(name)
    return parts[1:] if len(parts) > 1 and parts[0] in ("x", "filter") and "[" not in name else parts


def _by_ending(parts: tuple[str, ...]) -> Role:
    """The role by the last word, or by the last two: `movie_id`, `search_query`, `user_name`."""
    if not parts:
        return Role.OTHER
    last = parts[-1]
    if last in ("id", "ids", "pk", "uuid", "uuids", "guid", "uri", "uris"):
        return Role.ID
    if last in ("limit", "pagesize") and parts[0] not in ("time", "rate", "credit", "age"):
        return Role.PAGE_SIZE
    for ending, role in (("cursor", Role.CURSOR), ("sort", Role.SORT), ("search", Role.SEARCH), ("query", Role.SEARCH)):
        if last == ending:
            return role
    if "".join(parts[-2:]) in ("apikey", "accesstoken", "authtoken"):
        return Role.CREDENTIAL
    return Role.OTHER


def _bounded(parts: tuple[str, ...]) -> Role | None:
    """A bound, by a word at either end: `created_after`, `min_price`, `release_date.gte`, `to_date`."""
    if len(parts) < 2:
        return Role.DATE if parts and parts[0] in _DATES else None
    ends = {parts[0], parts[-1]}
    low, high = bool(ends & _FROM), bool(ends & _TO)
    if _is_dated(parts):
        return Role.DATE_FROM if low else Role.DATE_TO if high else Role.DATE if _names_date(parts) else None
    return None if low == high else Role.MINIMUM if low else Role.MAXIMUM


def _is_dated(parts: tuple[str, ...]) -> bool:
    return bool({singular(part) for part in parts} & (_DATES | _MOMENTS)) or parts[-1] in ("at", "on")


def _names_date(parts: tuple[str, ...]) -> bool:
    return bool(_DATES & {parts[0], parts[-1]}) or (parts[-1] in ("at", "on") and parts[-2] in _MOMENTS)


def _dated(name: str) -> Role:
    """A date, or a bound of a period."""
    parts = set(_parts(name))
    if parts & _FROM:
        return Role.DATE_FROM
    return Role.DATE_TO if parts & _TO else Role.DATE


def takes_paths(name: str) -> bool:
    """Whether a path parameter takes whole paths, the empty one too: `path`, `filePath`, `proxy+`, `+key`, `x:path`."""
    marked = name[:1] in "+*" or name[-1:] in "+*" or name.endswith((":path", ":.*"))
    return marked or words(name)[-1:] in (("path",), ("filepath",))
