"""What a model is asked when it writes documentation in docrev's own way: an operation at a time, then a review.

A question shows evidence by label (`c1`, `t1`), so that each text can name what it rests on.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import SkipValidation

from docrev.prompts.questions import Answer, Prompt, ShownPart
from docrev.records import Call, OperationKey

TextKind = Literal["correction", "trap", "bound", "source", "wording"]
"""Classes of changes that a model's text may be of."""


class PlaceShown(ShownPart):
    """A parameter or property that may get a text. `about` says type and necessity, `text` is what people wrote, and
    `added` what docrev writes beside it anyway."""

    location: str
    about: str = ""
    text: str = ""
    added: tuple[str, ...] = ()


class LabelledCall(ShownPart):
    """A call as evidence."""

    label: str
    call: Annotated[Call, SkipValidation]


class TriedValues(ShownPart):
    """What was returned for other values of one argument, all else being equal: one line a value.

    `operation` is set if it is another one, which has an argument of the same name.
    """

    label: str
    location: str
    lines: tuple[str, ...]
    operation: str = ""


class PlaceText(Answer):
    """A text for a place: `evidence` are the labels of what shows it."""

    location: str
    evidence: tuple[str, ...] = ()
    kind: TextKind = "wording"
    text: str = ""


class OperationTexts(Answer):
    """The texts of an operation; what needs none is left out."""

    texts: tuple[PlaceText, ...] = ()


class DocumentOperation(Prompt[OperationTexts]):
    """The documentation of an operation, its parameters, body and response fields in one question.

    `places` begins with the operation itself (location ""). `sources` say where ids come from and who takes them,
    `differences` what is documented and was not observed, and the other way round. `words` is what all texts of the
    operation may have, with what is added, `place_words` one of them. `complaints` are what was wrong with earlier
    texts, or what a reader of the whole document found.
    """

    role: ClassVar[str] = "revise"
    operation: OperationKey
    places: tuple[PlaceShown, ...]
    calls: Annotated[tuple[LabelledCall, ...], SkipValidation] = ()
    tried: tuple[TriedValues, ...] = ()
    sources: tuple[str, ...] = ()
    differences: tuple[str, ...] = ()
    misuses: tuple[str, ...] = ()
    words: int = 50
    place_words: int = 25
    complaints: tuple[str, ...] = ()


class Complaint(Answer):
    """A sentence of the documentation that misleads, or claims more than anybody can have seen."""

    operation: OperationKey
    location: str = ""
    problem: str = ""


class Complaints(Answer):
    complaints: tuple[Complaint, ...] = ()


class DocumentedOperation(ShownPart):
    """An operation as the revised document has it: `lines` are the operation's text and then `location: text`."""

    key: OperationKey
    lines: tuple[str, ...]


class ReviewDocuments(Prompt[Complaints]):
    """Where a reader of the revised document alone would call an API wrongly."""

    role: ClassVar[str] = "revise"
    tool: str
    operations: tuple[DocumentedOperation, ...]
