"""The names that APIs give to the parts of a response that stand around its data: envelopes, paging, status, links.

All tables hold plain names: the words of a name joined, in small letters, without the prefix of a vocabulary
(`@odata.nextLink` → `nextlink`, `hydra:member` → `member`, `total_count` and `totalCount` → `totalcount`).
"""

from __future__ import annotations

from functools import lru_cache

from docrev.conventions.error_hints import read_hints
from docrev.conventions.statuses import BAD_REQUEST, is_client_error, is_server_fault
from docrev.language.words import words

_VOCABULARIES = frozenset({"odata", "hydra", "opensearch", "deltapath"})

LISTS: tuple[str, ...] = (
    *("data", "items", "results", "result", "records", "rows", "entries", "hits", "matches", "docs", "documents"),
    *("member", "members", "elements", "edges", "nodes", "features", "values", "value", "content", "contents"),
    *("objects", "resources", "children", "list", "entry", "item"),
)
"""Members that contain the items of a list, the surest first."""
RESULTS = frozenset({"results", "result", "hits", "matches", "data", "edges", "nodes", "docs", "features", "member"})
"""Of `LISTS`, the names that a part of a single object hardly ever has: an order has `items`, never `results`."""
WRAPPERS: tuple[str, ...] = (
    *("data", "result", "results", "response", "embedded", "payload", "body", "hits", "d", "query", "message"),
    *"collection list content value item object resource record entity entry attributes".split(),
)
"""Members that contain an object, or the envelope of a list, and say nothing about it."""
ENVELOPES = frozenset(
    "data items results result content records entries list value values hits rows objects docs edges nodes node "
    "elements response payload embedded d".split()
)
"""Names that say nothing about what they contain: the fields below them belong to the resource of the path."""

TOTALS = frozenset(
    "total totalcount totalresults totalitems totalhits totalelements totalrecords totalsize totalrows totalobjects "
    "totalentries totalfound totalnumber grandtotal numfound nbhits estimatedtotalhits found foundcount matches "
    "matchcount hitcount recordcount recordstotal recordsfiltered elementcount availablecount numresults "
    "numberofresults numberofrecords numberofitems objectcount resultscount hits xtotalcount".split()
)
"""Names of the number of items in all."""
COUNTS = frozenset({"count", "cnt", "resultcount", "numitems", "itemcount", "size"})
"""Names of the number of items in all, or of those on the page: which, only the number itself can say."""
PAGE_NUMBERS = frozenset(
    {"page", "currentpage", "pagenumber", "pageno", "pageindex", "number", "thispage", "pagecurrent"}
)
PAGE_COUNTS = frozenset(
    {"pages", "totalpages", "pagecount", "lastpage", "numpages", "nbpages", "pagetotal", "maxpage", "totalpagecount"}
)
PAGE_SIZES = frozenset(
    "limit perpage pagesize pagelen pagelength pagelimit maxresults resultsperpage itemsperpage hitsperpage "
    "perpagecount maxitems maxkeys requestedcount numberofelements take rowsperpage".split()
)
OFFSETS = frozenset({"offset", "skip", "start", "startat", "startindex", "startposition", "from", "sroffset"})
NEXTS = frozenset(
    "next nextpage nexturl nexturi nextlink nexthref nextpageurl nextpageuri nextpagelink nextresultsurl "
    "nextrecordsurl nextpagetoken nexttoken nextcursor nextpagecursor nextmarker nextoffset nextstart nextmaxid "
    "nextindex nextkey nextpagekey nextpagenumber".split()
)
"""Names of the next page: its URL, its number, or what to send to get it."""
CURSORS = frozenset(
    "cursor endcursor aftercursor after pagetoken continuationtoken continuation continue scrollid bookmark "
    "lastevaluatedkey lastkey marker resumptiontoken pagingtoken synctoken".split()
)
"""Names of a value from which the list may be continued; it may be there on the last page, too."""
MORE = frozenset({"hasmore", "hasnext", "hasnextpage", "more", "moreresults", "istruncated", "truncated", "moreitems"})
LAST = frozenset({"done", "last", "islast", "islastpage", "lastpage", "endoflist", "complete"})
PREVIOUS = frozenset(
    "prev previous prevpage previouspage prevurl previousurl previouslink prevlink prevpageurl previouspageuri "
    "prevcursor previouscursor startcursor before beforecursor prevpagetoken first firstpage firstpageuri firstid "
    "lastid haspreviouspage hasprevious hasprev firstpageurl lastpageurl".split()
)
PAGING_OBJECTS = frozenset(
    "meta metadata paging pagination pageinfo pages page pageable links link cursors info responsemetadata urls "
    "searchinformation searchinfo searchmetadata attr view context nextpage next pager responseheader resultinfo "
    "listmetadata extra summary".split()
)
"""Members that contain what there is to know about the paging of the list beside them."""

_STATUS = frozenset({"status", "stat", "code", "cod", "success", "ok", "response"})
_ASIDE = frozenset(
    "errors error errormessages warnings warning warningmessages detail links link included includes facets "
    "facetcounts aggregations aggs suggestions suggest highlighting highlights meta metadata pagination paging "
    "pageinfo pageable responsemetadata responseheader searchmetadata searchinformation searchinfo jsonapi schema "
    "columns context expand shards copyright attribution attributions htmlattributions license help params "
    "requestparams parameters filters appliedfilters sort orderby order permissions notice notices debug profile "
    "trace extensions attr limits changekeys dates".split()
)
"""Members about the response, whatever they contain."""
_ASIDE_SCALARS = frozenset(
    "self href url uri etag requestid traceid timestamp generatedat took timedout terminatedearly maxscore "
    "processingtimems searchtimems querytime elapsed duration time qtime documentation documentationurl version "
    "apiversion schemaversion kind object xmlns batchcomplete incompleteresults incompletesearch partial q query "
    "searchterm ordering numfoundexact empty exhaustive exhaustivenbhits cached cacheduntil fetchedat servertime "
    "uptime typename message msg statusmessage statuscode".split()
)
"""Members about the response if they are scalars."""
_FINE = ("ok", "success", "successful", "true", "200", "error", "fail", "failure", "done", "completed", "200ok")
_FAILED = ("error", "fail", "failure", "failed")
_NUMBERS = ("code", "errorcode", "errcode", "errno", "retcode", "returncode", "resultcode")
_MESSAGES = ("message", "msg", "errmsg", "errormessage", "error")
_COLLECTION_KEYS = ("object", "kind", "type", "resourcetype", "class", "elementtype")
_COLLECTIONS = ("list", "listing", "collection", "bundle", "resultset", "searchset")
_PAGED = TOTALS | PAGE_NUMBERS | PAGE_COUNTS | PAGE_SIZES | OFFSETS | NEXTS | CURSORS | MORE | LAST | PREVIOUS
_ASIDE_IF_SCALAR = _ASIDE_SCALARS | COUNTS | _PAGED


@lru_cache(maxsize=16384)
def plain_name(name: str) -> str:
    """The words of a name in one, without the prefix of a vocabulary: `@odata.nextLink` → `nextlink`."""
    parts = words(name)
    return "".join(parts[1:] if len(parts) > 1 and parts[0] in _VOCABULARIES else parts)


def is_aside(name: str, value: object) -> bool:
    """Whether a member of a response is about the response, and no part of its data.

    That goes by its name and, for names that data has as well (`status`, `code`), by its value.
    """
    plain = plain_name(name)
    if plain in _STATUS:
        return _is_status(value)
    if plain in _ASIDE:
        return True
    if isinstance(value, dict):
        return plain in _PAGED and (not value or any(is_paging(inner, part) for inner, part in value.items()))
    if isinstance(value, list):
        return False
    return plain in _ASIDE_IF_SCALAR or _ends_like_paging(name, value)


def wraps_null(body: object) -> bool:
    """Whether a body is an envelope with null in the place of its data, whatever it says of the response beside it."""
    if not isinstance(body, dict) or body.get("data", body.get("result", ...)) is not None:
        return False
    return all(is_aside(name, value) or not value for name, value in body.items())


def says_error(body: object) -> bool:
    """Whether a body says that the call failed and has no data, whatever its status: `{"success": false}`."""
    if not isinstance(body, dict) or not all(is_aside(name, value) or not value for name, value in body.items()):
        return False
    is_named = any(_says_failure(plain_name(name), value) for name, value in body.items())
    return is_named or _is_numbered_failure({plain_name(name): value for name, value in body.items()})


def _is_numbered_failure(body: dict[str, object]) -> bool:
    """Whether a code that is not 0 stands beside a message that reads as a refusal: which codes are fine differs."""
    codes = [value for name, value in body.items() if name in _NUMBERS and isinstance(value, int)]
    texts = [value for name, value in body.items() if name in _MESSAGES and isinstance(value, str)]
    return any(codes) and any(read_hints(BAD_REQUEST, {}, {"message": text}) for text in texts)


def _says_failure(plain: str, value: object) -> bool:
    if plain in ("error", "errors", "exception", "fault"):
        return bool(value)
    if plain in _STATUS and not isinstance(value, bool):
        return is_client_error(value) or is_server_fault(value) if isinstance(value, int) else value in _FAILED
    return plain in ("success", "ok") and value is False


def counts_things(name: str) -> bool:
    """Whether a member is how many things there are, or are on a page."""
    return plain_name(name) in TOTALS | COUNTS | PAGE_COUNTS | PAGE_SIZES


def is_paging(name: str, value: object) -> bool:
    """Whether a member says that a response is a page of a list; a bare count does not, for many things have one."""
    plain = plain_name(name)
    if plain in ("total", "found", "matches", "number", "last", "done", "complete", "before", "first"):
        return False
    if plain in ("pagination", "paging", "pageinfo", "pageable"):
        return isinstance(value, dict)
    return plain in _PAGED and not isinstance(value, list | dict)


def says_collection(body: dict[str, object]) -> bool:
    """Whether an object declares that it is a list: `"object": "list"`, `"kind": "PodList"`, `FeatureCollection`."""
    for name, value in body.items():
        if isinstance(value, str) and plain_name(name) in _COLLECTION_KEYS:
            parts = words(value)
            if parts and (parts[-1] in _COLLECTIONS or "".join(parts[-2:]) in _COLLECTIONS):
                return True
    return False


def _is_status(value: object) -> bool:
    """Whether a `status` or `code` is the response's: a number, a flag, a word such as "ok", a sentence."""
    if value is None or isinstance(value, bool | int):
        return True
    if not isinstance(value, str):
        return False
    return value.lower() in _FINE or value.isdecimal() or " " in value.strip()


def _ends_like_paging(name: str, value: object) -> bool:
    """`release-count`, `page_size`, `total_seconds`: a number whose name is made of words of paging."""
    parts = words(name)
    if len(parts) < 2 or not isinstance(value, int) or isinstance(value, bool):
        return False
    return parts[-1] in ("count", "offset", "total") or parts[0] in ("page", "total", "per")
