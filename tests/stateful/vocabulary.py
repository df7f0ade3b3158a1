"""The words of generated services."""

from __future__ import annotations

NOUNS = (
    ("servers", "server"), ("zones", "zone"), ("records", "record"), ("projects", "project"), ("tasks", "task"),
    ("notes", "note"), ("playlists", "playlist"), ("tracks", "track"), ("teams", "team"), ("channels", "channel"),
    ("messages", "message"), ("orders", "order"), ("invoices", "invoice"), ("kernels", "kernel"),
    ("notebooks", "notebook"), ("annotations", "annotation"), ("connections", "connection"),
    ("pipelines", "pipeline"), ("watches", "watch"), ("tags", "tag"), ("devices", "device"), ("sensors", "sensor"),
    ("albums", "album"), ("photos", "photo"), ("tickets", "ticket"), ("comments", "comment"), ("buckets", "bucket"),
    ("folders", "folder"), ("files", "file"), ("groups", "group"), ("members", "member"), ("tenants", "tenant"),
    ("collections", "collection"), ("documents", "document"), ("jobs", "job"), ("environments", "environment"),
    ("variables", "variable"), ("forms", "form"), ("questions", "question"), ("checkpoints", "checkpoint"),
    ("snapshots", "snapshot"), ("keys", "key"), ("books", "book"), ("shelves", "shelf"), ("boxes", "box"),
    ("policies", "policy"), ("rules", "rule"), ("webhooks", "webhook"), ("domains", "domain"), ("addresses", "address"),
)  # fmt: skip

LABELS = ("name", "name", "name", "title", "label")
TEXTS = ("note", "description", "address", "text", "comment", "region", "origin")
NUMBERS = ("priority", "capacity", "weight", "quota", "rank")
FLAGS = ("enabled", "public", "pinned", "starred")
CHOICES = {
    "status": ("active", "paused", "closed"),
    "color": ("red", "green", "blue"),
    "level": ("low", "middle", "high"),
    "visibility": ("private", "internal", "open"),
}
VALUES = (
    "amber",
    "birch",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "harbor",
    "inlet",
    "juniper",
    "krill",
    "lagoon",
)

COUNTED = {
    "restart": "restarts", "run": "runs", "sync": "syncs", "send": "sends", "retry": "retries", "trigger": "triggers",
    "execute": "executions", "interrupt": "interrupts", "refresh": "refreshes", "import": "imports",
    "rebuild": "builds",
}  # fmt: skip
"""Actions that an item counts."""
SETTING = {
    "cancel": "cancelled", "approve": "approved", "archive": "archived", "lock": "locked", "publish": "published",
    "close": "closed", "pause": "paused", "disable": "disabled", "activate": "active", "reject": "rejected",
}  # fmt: skip
"""Actions that set the state of an item."""
REMOVING = ("convert-to-draft", "delete", "remove", "discard", "expire")
ADDING = ("add", "upsert", "append", "update")
ACTING_PARAMETERS = ("muted", "paused", "action", "set", "cmd", "op", "mute", "do")
SINGLETONS = ("settings", "profile", "me", "config", "preferences")
