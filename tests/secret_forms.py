"""A secret in the forms in which an API may return it, by name."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote, quote_plus


def coded(before: bytes, secret: str, after: bytes) -> str:
    return base64.b64encode(before + secret.encode() + after).decode()


def forms(secret: str) -> dict[str, str]:
    """The secret as an API may return it, by the name of the form."""
    content = secret.encode()
    once = quote(secret, safe="")
    return {
        "plain": secret,
        "within words": f"xx{secret}yy",
        "upper case": secret.upper(),
        "lower case": secret.lower(),
        "swapped case": secret.swapcase(),
        "zero-width": "\u200b".join(secret),
        "joined by words": "\u2060".join(secret),
        "soft hyphens": "\u00ad".join(secret),
        "direction": f"\u202e{secret[:5]}\u202c{secret[5:]}",
        "variation": "\ufe0f".join(secret),
        "NUL": "\x00".join(secret),
        "line ends": "\n".join(secret),
        "full width": "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in secret),
        "percent": once,
        "percent, lower": once.lower(),
        "percent, each": "".join(f"%{byte:02x}" for byte in content),
        "percent, twice": quote(once, safe=""),
        "percent, thrice": quote(quote(once, safe=""), safe=""),
        "form": quote_plus(secret),
        "half percent": secret.replace("/", "%2F").replace("Ü", "%C3%9C"),
        "JSON": json.dumps(secret)[1:-1],
        "JSON, each": "".join(f"\\u{ord(c):04x}" if ord(c) < 128 else c for c in secret),
        "JSON in JSON": json.dumps(json.dumps(secret)),
        "slashes": secret.replace("/", "\\/"),
        "entities": "".join(f"&#{ord(c)};" if ord(c) < 128 else c for c in secret),
        "entities, hexadecimal": "".join(f"&#x{ord(c):X};" if ord(c) < 128 else c for c in secret),
        "HTML": secret.replace("&", "&amp;"),
        "escapes": "".join(f"\\x{ord(c):02x}" if ord(c) < 128 else c for c in secret),
        "escapes, octal": "".join(f"\\{byte:03o}" for byte in content),
        "escapes, braces": "".join(f"\\u{{{ord(c):x}}}" for c in secret),
        "escapes, eight": "".join(f"\\U{ord(c):08x}" for c in secret),
        "percent u": "".join(f"%u{ord(c):04x}" for c in secret),
        "percent, five times": quote(quote(quote(quote(once, safe=""), safe=""), safe=""), safe=""),
        "entities, open": "".join(f"&#{ord(c)}" for c in secret),
        "entities, named": secret.replace("&", "&AMP;").replace("+", "&plus;").replace("/", "&sol;"),
        "bytes": ", ".join(f"0x{byte:02X}" for byte in content),
        "latin-1": content.decode("latin-1"),
        "hexadecimal": content.hex(),
        "hexadecimal, upper": content.hex().upper(),
        "hexadecimal, colons": content.hex(":"),
        "base64": base64.b64encode(content).decode(),
        "hexadecimal, blanks": content.hex(" "),
        "hexadecimal of base64": base64.b64encode(content).hex(),
        "base64 of hexadecimal": base64.b64encode(content.hex().encode()).decode(),
        "base64 of UTF-16": base64.b64encode(secret.encode("utf-16-le")).decode(),
        "base64, URL": base64.urlsafe_b64encode(content).decode().rstrip("="),
        "base64 behind a user": coded(b"user:", secret, b""),
        "base64 behind a letter": coded(b"u", secret, b"!"),
        "base64 within": coded(b"ab", secret, b"; more"),
        "base64, twice": base64.b64encode(base64.b64encode(content)).decode(),
        "base64, percent": quote(base64.b64encode(content).decode(), safe=""),
        "base64, split": "\r\n".join(coded(b"user:", secret, b"")[at : at + 6] for at in range(0, 40, 6)),
        "base32": base64.b32encode(content).decode(),
    }
