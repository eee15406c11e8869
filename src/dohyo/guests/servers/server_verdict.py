"""Which fault of a server it was; those of programs are in `verdict.py`. Its words have the server's address."""

from __future__ import annotations

from dohyo.core.faults import Fault, FaultCode, FaultKind
from dohyo.match.verdict import QUOTED


def no_connection(url: str, reason: str) -> Fault:
    """The fault of a server that could not be reached."""
    detail = f"{url} cannot be reached ({reason[:QUOTED]}): is the server running?"
    return Fault(FaultKind.CLOSED, detail, code=FaultCode.NO_CONNECTION)


def not_secure(url: str, reason: str) -> Fault:
    """The fault of a server with an https address, with which no secure connection could be made."""
    detail = f"{url} makes no secure connection ({reason[:QUOTED]}): does the server speak https?"
    return Fault(FaultKind.CLOSED, detail, code=FaultCode.NO_CONNECTION)


def broken_off(url: str, reason: str) -> Fault:
    """The fault of a server whose connection ended before its response was whole."""
    detail = f"the connection to {url} ended before its response was whole ({reason[:QUOTED]})"
    return Fault(FaultKind.CLOSED, detail, code=FaultCode.NO_CONNECTION)


def not_http(url: str, reason: str) -> Fault:
    """The fault of a server that answers, but not in HTTP."""
    detail = f"what came from {url} is no response of HTTP: {reason[:QUOTED]}"
    return Fault(FaultKind.CLOSED, detail, code=FaultCode.NO_CONNECTION)


def no_response(url: str, came: bool = False) -> Fault:
    """The fault of a server whose response was not there in time, or that `came` too late."""
    if came:
        return Fault(FaultKind.TIMEOUT, f"the response from {url} came too late", code=FaultCode.ANSWER_LATE)
    return Fault(FaultKind.TIMEOUT, f"no response from {url} in time", code=FaultCode.NO_ANSWER)


def bad_status(url: str, status: str) -> Fault:
    """The fault of a server that answered with a status other than 200; `url` is all of the page that was asked."""
    detail = f"a POST to {url} was answered with status {status}, not with 200"
    return Fault(FaultKind.MALFORMED, detail, code=FaultCode.BAD_RESPONSE)


def too_long_response(most: int) -> Fault:
    """The fault of a server whose response has more than so many bytes."""
    return Fault(FaultKind.MALFORMED, f"its response has more than {most} bytes", code=FaultCode.BAD_RESPONSE)


def bad_response(body: bytes) -> Fault:
    """The fault of a server whose response is no answer."""
    if not body:
        return Fault(FaultKind.MALFORMED, "its response is empty", code=FaultCode.BAD_RESPONSE)
    written = repr(body[:QUOTED].decode("utf-8", "backslashreplace"))
    detail = f"its response is not the JSON that the game takes: {written}"
    return Fault(FaultKind.MALFORMED, detail, code=FaultCode.BAD_RESPONSE)
