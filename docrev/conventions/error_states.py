"""What a sentence says about the server, rather than about a value.

That something exists already, is in the wrong state, that a feature is missing, or credentials are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from docrev.conventions.error_absence import absent_thing
from docrev.conventions.error_claims import Claim
from docrev.conventions.error_locations import ErrorLocation
from docrev.conventions.error_subjects import Sentence
from docrev.conventions.statuses import NOT_FOUND

_FORBIDDEN = re.compile(r"^(?:is|are) forbidden\W*$", re.I)
_BUSY = frozenset({429, 502, 503, 504})
_BAD_REQUEST = 400
_ON_VALUES = frozenset({409, 413, 415, 422})
"""Statuses of calls that were let in: a password in such an answer is a value."""
_EXISTS = re.compile(
    r"already (?:exists?\b(?! as)|(?:been |being )?(?:taken|used|registered|claimed|reserved|assigned)|in use|present"
    r"|a member|defined|created)|must be unique|a unique value|(?:is|are) not unique|duplicate (?:key|entry|value|name"
    r"|record|id)|unique constraint|exists already|is (?:a )?duplicate|has to be unique"
    r"|unique set\b|(?:name|id|key|resource) conflict|is taken\b|exists with (?:the |this )?same\b"
    r"|\bre-?defined\b|\bthere is already (?:an?|one)\b|already (?:has|have|contains?|holds?) (?:an? |such |this )"
    r"|belongs to (?:another"
    r"|someone)|^(?!no ).* exists$"
    r"|\b(?:names?|id|key|slug|e-?mail|address|username|title|code|number) (?:is )?(?:in use"
    r"|not available|unavailable)",
    re.I,
)
_SAME = re.compile(
    r"exists with (?:the |this |that )?same (\w+)|duplicate (id|name|slug|code|username|e-?mail|title|login)$"
    r"|\bwith (?:this|that|the same|the given|such an?) (\w+) (?:already )?exists|^(?:the )?(name|id|key|slug|code"
    r"|username|e-?mail|title|login) [\"'`][^\"'`]+[\"'`] (?:is )?already\b",
    re.I,
)
"""What has the value that exists already."""
_SEVERAL_COLUMNS = re.compile(r"\bKey \((\w+(?:, \w+)+)\)=")
_UNIQUE_ITEMS = re.compile(r"(?:items|elements|entries|values)(?:\[[\d,]+\])? (?:must be|are not) unique", re.I)
_STATES = (
    r"started|stopped|running|paused|suspended|resumed|draft|drafts|active|inactive|activated|deactivated|open|opened"
    r"|closed|enabled|published|unpublished|archived|completed|complete|finished|pending|locked|unlocked|cancelled"
    r"|canceled|idle|online|offline|terminated|initiali[sz]ed|ready|empty|connected|approved|submitted|paid|processed"
    r"|shipped|confirmed|verified|loaded|mounted|attached|detached|frozen|queued|scheduled|finali[sz]ed|in progress"
    r"|in draft"
)
_STATE = (
    (
        re.compile(
            rf"must (?:first )?be (?:in (?:the )?)?[\"'`]?(?P<state>{_STATES})[\"'`]?(?: state| status)?(?: first|"
            rf" before\b.*| in order\b.*| to be\b.*| when\b.*|$)",
            re.I,
        ),
        "",
    ),
    (
        re.compile(
            rf"(?:is|are|was) not (?:currently |yet |in (?:the |an? )?)?[\"'`]?(?P<state>{_STATES})[\"'`]?(?:"
            rf" state| status)?\b|^not (?:currently|yet) (?P<doing>{_STATES}|[a-z]+ing)\.?$",
            re.I,
        ),
        "",
    ),
    (
        re.compile(
            rf"(?:only|unless|until) (?:\w+ ){{0,5}}?(?:is |in (?:the )?|are )?[\"'`]?(?<!can be )(?<!may be )"
            rf"(?P<state>{_STATES})[\"'`]?\b",
            re.I,
        ),
        "",
    ),
    (
        re.compile(
            rf"^(?:an? |the |this )?(?P<state>{_STATES}) [a-z]+ (?:cannot|can't|can not|may not|must not)\b",
            re.I,
        ),
        "not ",
    ),
    (
        re.compile(
            r"(?P<what>stop|start|pause|resume|close|open|lock|unlock|publish|activate|enable|cancel|archive"
            r"|detach|initiali[sz]e) (?:it|the \w+|this \w+) (?:first|before)",
            re.I,
        ),
        "",
    ),
    (
        re.compile(
            rf"(?:is |are |was |has |have )?(?:already|still|currently)(?: been| in(?: the)?)?"
            rf" [\"'`]?(?P<state>{_STATES})\b",
            re.I,
        ),
        "not ",
    ),
    (
        re.compile(
            r"(?:current|invalid|wrong|illegal|this|its|its current|present) (?:state|status|lifecycle"
            r"|phase)\b(?! (?:value|code|field|parameter)\b|:)|state transition"
            r"|(?:state|status) (?:is(?! (?:an? )?(?:required|missing|mandatory|needed|invalid|unknown|not one of"
            r"|not in))"
            r"|does not allow|of)\b",
            re.I,
        ),
        "",
    ),
    (
        re.compile(
            r"\bis not (?:currently |yet )?(?P<state>(?!avail|accept|process|read|applic|iter|call|nul|serial|pars"
            r"|hash)[a-z]{3,}able)$",
            re.I,
        ),
        "",
    ),
    (
        re.compile(
            r"\b(?:object|resource|item|document|it|record|version) (?:has been|was) (?:modified|changed|updated)\b"
            r"|\bconditional request failed|\bprecondition (?:failed|not met)|\b(?:current|latest|stale|outdated|old)"
            r" (?:version|revision|etag)|(?:version|revision|update|edit) conflict|marked (?:as |for )?deleted",
            re.I,
        ),
        "",
    ),
    (
        re.compile(
            r"\bcan no longer\b|\b(?:cannot|can't|can not|may not|must not) be (?:deleted|removed|destroyed)\b"
            r""
            r"|(?:can(?:not|'t)|may not) (?:be )?[a-z]+ (?:while|until|because|since|once(?! set))\b"
            r"|\b(?:has|have) been (?:locked|frozen|archived|closed|published|approved)\b"
            r"|\bis (?:locked|busy|(?<!field is )frozen)\b|in progress\b|not in a (?:valid |suitable )?state"
            r"|wrong state",
            re.I,
        ),
        "",
    ),
    (
        re.compile(
            r"not (?:be )?empty\b.{0,30}(?:delete|remove)|(?:delete|remove)\w*.{0,60}not empty|is not empty$"
            r"|\b(?:move|remove|delete|close|detach|finish|empty|clear) (?:it|them|these|those|this) first|still"
            r" (?:has|have|referenced|in use|contains)|because"
            r" .{1,60} exists?\b"
            r"|(?:delete|remove)\w*.{0,60}\b(?:depends?|refers?|references?|uses?) (?:on |to )?(?:it|this)\b",
            re.I,
        ),
        "",
    ),
)
_STATES_LISTED = re.compile(
    r"\bonly\b.{0,80}\b(?:one of the following|in (?:one of )?the following) (?:statuse?s"
    r"|states):\s*(?P<states>[\w, ]+)"
    rf"|\b(?:can|may) (?:only )?be \w+ (?:while|when|if)(?: \w+){{0,3}}? (?P<either>(?:{_STATES})(?:(?:, | or |, or"
    rf" )(?:{_STATES}))*)\b",
    re.I,
)
_PARTICIPLES = {
    verb: verb + ending
    for ending, verbs in (
        ("ped", "stop"),
        ("ed", "start open lock unlock publish cancel detach"),
        ("d", "pause resume close activate enable archive initialize initialise"),
    )
    for verb in verbs.split()
}
_METHODS = "(?-i:GET|HEAD|POST|PUT|PATCH|DELETE)"
_NO_ROUTE = re.compile(
    rf"\bcannot {_METHODS}:? ?/|^no (?:endpoint|static resource|route (?:found for|matches)) \S*(?:[\"\[/]|{_METHODS})"
    r"|^(?:the )?route \S*[/:]\S* (?:could not be|was not|not) found"
    r"|\bdoes(?: not|n't) (?:yet |currently )?support (?:this |the )?(?:service|operation|feature|endpoint|api)\b",
    re.I,
)
"""What servers and routers of frameworks answer where nothing is at an address, whatever its arguments are."""
_NO_FEATURE = re.compile(
    r"not (?:yet |currently )?(?:been )?implemented|unimplemented|NotImplemented|(?:feature|plugin|module|extension"
    r"|functionality|endpoint|api|service|operation|action|function|backend|support|capability|method"
    r"|mode)\b.{0,50}?(?:is |are |was |has been |been )?(?:not (?:yet |currently )?(?:supported|enabled|available"
    r"|installed|activated|loaded|configured|licensed)|disabled|turned off|switched off|unavailable|unsupported)"
    r"|\bmethod not found|unsupported (?:operation|feature"
    r"|action|method|function|api)|(?:operation|action|feature) not (?:supported|available|permitted in)|(?:is"
    r"|are) disabled\b|(?:has|have) been disabled|not (?:enabled|supported|available|activated) (?:on|in|for"
    r"|by) (?:this|your|the)\b|requires? (?:an? )?(?:\w+ )?(?:license|licence|edition|plan|subscription|plugin|module"
    r"|extension)|\b(?:plan|edition|tier|subscription|licen[cs]e)\b.{0,20}(?:not|n't) (?:include|cover|allow)"
    r"|license (?:does|is)|please (?:install|enable)|not installed|not licensed|upgrade (?:to|your)"
    r"|not supported yet|^(?:is |are )?not (?:yet |currently )?(?:supported|available|enabled)(?: yet)?$"
    r"|must be enabled|to be enabled\b|(?:enable|install) the\b|\benvironment variable"
    r"|\b(?:authentication|login|sign-?in|sign-?up|registration|integration|sso|ldap|oidc|oauth2?|saml|smtp|e-?mail"
    r"|telemetry|notifications?) (?:is|are) (?:not (?:yet |currently )?(?:enabled|configured|activated|set up)"
    r"|turned off)",
    re.I,
)
_FEATURE_OF_VALUE = re.compile(
    r"(?:value|format|type|encoding|version|character|media|content|parameter|field|variant|algorithm|protocol"
    r"|charset|language|currency|unit)\b.{0,30}(?:not|un)",
    re.I,
)
_CREDENTIALS = re.compile(
    r"(?:bearer|basic|digest|oauth\d?) auth|authentication (?:credentials|required|failed|is required|token|is needed)"
    r"|credentials (?:were|are|was|is)? ?(?:not|missing|invalid|required)|unauthori[sz]ed|unauthenticated"
    r"|not auth(?:ed|enticated|ori[sz]ed)|missing scope|access denied|accessdenied|permission denied|permissions? to"
    r"|forbidden$|insufficient (?:permissions?|privileges?|scope|rights|access)|(?:log ?in|sign ?in) (?:is "
    r")?(?:required|first|to)|please (?:log|sign) ?in|must be (?:logged|signed) in|(?:invalid|missing|expired|no|bad"
    r"|incorrect|wrong)\W+(?:or (?:invalid|missing|expired) )?(?:api[ -]?key|(?:access|client)[ -]?token"
    r"|auth\w*(?:[ -]?(?:token|header|key))?|bearer token|token|credentials|jwt|csrf\b.*|password|session"
    r"|signature)\b(?! ['\"`]\W)|(?:api[ -]?key|access[ -]?token|bearer token|jwt|token(?! [\"'])"
    r"|authorization header)\b.{0,30}(?:missing|invalid|required|expired|not (?:found|valid|provided))|csrf"
    r"|full authentication is required|do(?:es)? not have (?:permission|access|the (?:required|necessary))"
    r"|lacks? permission|admin(?:istrator)? (?:access|rights|privileges)|you (?:are not|aren't|don't"
    r"|do not) (?:allowed|permitted|have)",
    re.I,
)


def credentials(sentence: Sentence, status: int | None) -> Iterator[Claim]:
    """The claim that credentials are missing or not enough."""
    if sentence.subject.keys and status == _BAD_REQUEST and _FORBIDDEN.search(sentence.text):
        return
    if status in _ON_VALUES or (status == _BAD_REQUEST and re.match(r"[\"'`]\w+[\"'`] ", sentence.whole)):
        # A name in quotation marks is that of an argument.
        return
    if status in NOT_FOUND and absent_thing(sentence.whole) is not None:
        # "No authorized device with this ID found" is about a device.
        return
    if status == _BAD_REQUEST and re.search(r"does not exist or\b", sentence.whole):
        return
    if _CREDENTIALS.search(sentence.whole) and (
        status in (401, 403, 407, None) or not re.search(r"password|signature|session", sentence.whole, re.I)
    ):
        yield Claim("credentials")


def exists(sentence: Sentence, status: int | None) -> Iterator[Claim]:
    """The claim that something is there already, for each property that must be unique."""
    if _EXISTS.search(sentence.whole) and not _UNIQUE_ITEMS.search(sentence.whole):
        same = None if sentence.subject.keys else _SAME.search(sentence.whole)
        named = next(filter(None, same.groups())) if same else ""
        several = _SEVERAL_COLUMNS.search(sentence.whole)
        for name in several[1].split(", ") if several else [named]:
            yield Claim("exists", (), ErrorLocation("", (name,)) if name else ErrorLocation())


def state(sentence: Sentence, status: int | None) -> Iterator[Claim]:
    """The claim that a thing is in a state that does not allow the call, with the states that would."""
    if status is not None and status not in (400, 403, 405, 409, 412, 422, 423, 424, 500):
        return
    if listed := _STATES_LISTED.search(sentence.whole):
        told = listed.group("states") or listed.group("either")
        yield Claim("state", tuple(re.findall(r"\w+", re.sub(r"\b(?:or|and)\b", "", told))))
    elif (claim := _state_told(sentence, status)) is not None:
        yield claim


def _state_told(sentence: Sentence, status: int | None) -> Claim | None:
    """The first state that a pattern finds in a sentence."""
    for index, (pattern, negation) in enumerate(_STATE):
        match = pattern.search(sentence.whole)
        if match and (index != len(_STATE) - 1 or status in (409, 400, 422, 423, None)):
            groups = match.groupdict()
            state = (
                groups.get("state") or groups.get("doing") or _PARTICIPLES.get((groups.get("what") or "").lower(), "")
            )
            return Claim("state", (negation + state.lower(),) if state else ())
    return None


def unsupported(sentence: Sentence, status: int | None) -> Iterator[Claim]:
    """The claim that the service does not offer what was asked for."""
    whole = sentence.whole
    of_value = _FEATURE_OF_VALUE.search(whole) and status != 501
    if status not in _BUSY and (is_unrouted(whole) or (_NO_FEATURE.search(whole) and not of_value)):
        yield Claim("unsupported")


def is_unrouted(text: str) -> bool:
    """Whether an error says that no route leads to an address: it says nothing of what may be there."""
    return _NO_ROUTE.search(text) is not None
