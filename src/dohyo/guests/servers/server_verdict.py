"""Which fault of a server it was; those of programs are in `verdict.py`. The values have the server's address."""

from __future__ import annotations

from dohyo.core.faults import KEPT, Fault, FaultCode, FaultKind


def no_connection(url: str, reason: str) -> Fault:
    """The fault of a server that could not be reached."""
    return Fault(FaultKind.CLOSED, FaultCode.NO_CONNECTION, {"url": url, "reason": reason[:KEPT]})


def not_secure(url: str, reason: str) -> Fault:
    """The fault of a server with an https address, with which no secure connection could be made."""
    return Fault(FaultKind.CLOSED, FaultCode.NOT_SECURE, {"url": url, "reason": reason[:KEPT]})


def broken_off(url: str, reason: str) -> Fault:
    """The fault of a server whose connection ended before its response was whole."""
    return Fault(FaultKind.CLOSED, FaultCode.BROKEN_OFF, {"url": url, "reason": reason[:KEPT]})


def not_http(url: str, reason: str) -> Fault:
    """The fault of a server that answers, but not in HTTP."""
    return Fault(FaultKind.CLOSED, FaultCode.NOT_HTTP, {"url": url, "written": reason[:KEPT]})


def no_response(url: str, came: bool = False) -> Fault:
    """The fault of a server whose response was not there in time, or that `came` too late."""
    return Fault(FaultKind.TIMEOUT, FaultCode.RESPONSE_LATE if came else FaultCode.NO_RESPONSE, {"url": url})


def bad_status(url: str, status: str) -> Fault:
    """The fault of a server that answered with a status other than 200; `url` is all of the page that was asked."""
    return Fault(FaultKind.MALFORMED, FaultCode.BAD_STATUS, {"url": url, "status": status})


def too_long_response(most: int) -> Fault:
    """The fault of a server whose response has more than so many bytes."""
    return Fault(FaultKind.MALFORMED, FaultCode.RESPONSE_TOO_LONG, {"size": most})


def bad_response(body: bytes) -> Fault:
    """The fault of a server whose response is no answer."""
    if not body:
        return Fault(FaultKind.MALFORMED, FaultCode.RESPONSE_EMPTY)
    written = body[:KEPT].decode("utf-8", "backslashreplace")
    return Fault(FaultKind.MALFORMED, FaultCode.BAD_RESPONSE, {"written": written})
