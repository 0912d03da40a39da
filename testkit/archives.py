"""WARC records for tests."""


def warc_response(url: str, body: bytes, *headers: str, status: str = "200 OK") -> bytes:
    """Return a WARC record of an HTTP response."""
    head = "\r\n".join([f"HTTP/1.1 {status}", *headers, "", ""]).encode()
    fields = [
        *("WARC/1.0", "WARC-Type: response", f"WARC-Target-URI: {url}"),
        "WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000000>",
        "WARC-Date: 2026-01-01T00:00:00Z",
        "Content-Type: application/http; msgtype=response",
        f"Content-Length: {len(head + body)}",
    ]
    return "\r\n".join([*fields, "", ""]).encode() + head + body + b"\r\n\r\n"
