"""Messages: data until somebody reads them, and safe to read whoever wrote them."""

from __future__ import annotations

import errno

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.core.faults import CODES, Fault, FaultCode, FaultKind
from dohyo.games import all_games
from dohyo.i18n import ENGLISH, LANGUAGES, Message, Speaker, all_keys
from dohyo.i18n.messages import DEEPEST, LONGEST, MAX_VALUES
from tests.told import detail

KEYS = sorted({*all_keys(), *(key for game in all_games().values() for key in game.catalogue.get("en", {}))})
TEXTS = st.text(max_size=40) | st.sampled_from(["\x1b[31m", "{0}", "{x.__class__}", "%s", "\u202e", "\ud800"])
PLAIN = TEXTS | st.integers() | st.floats() | st.none() | st.booleans()
NAMES = st.sampled_from(["line", "seconds", "turns", "what", "first", "then", "status", "action", "url", "x" * 50])
MESSAGES = st.builds(Message, st.sampled_from(KEYS) | TEXTS, st.dictionaries(NAMES, PLAIN, max_size=4))
VALUES = st.dictionaries(NAMES, PLAIN | MESSAGES, max_size=6)
CODE = st.sampled_from(sorted(CODES)) | st.sampled_from(KEYS) | TEXTS


@given(st.builds(Fault, st.sampled_from(FaultKind), CODE, VALUES, also=st.tuples(MESSAGES)))
def test_any_fault_is_a_clean_sentence(fault: Fault) -> None:
    """Whatever code and values a stranger writes, in each language they are one line without control characters."""
    content = msgspec.json.encode(fault)
    read = msgspec.json.decode(content, type=Fault)
    for language in LANGUAGES:
        said = detail(read, language)
        assert clean.line(said, 100_000) == said
        assert "\n" not in said


def test_a_message_keeps_what_it_can() -> None:
    """Long texts are cut, other values become texts, an error its own message; it is the same when it was stored."""
    error = OperatorError("no-setup-keys", key="k")
    message = Message("x", {"long": "y" * LONGEST * 2, "path": ["a"], "why": error, "huge": 1 << 99, "none": None})
    assert len(str(message.values["long"])) == LONGEST + 3
    assert (message.values["path"], message.values["why"], message.values["none"]) == ("['a']", error.message, None)
    assert message.values["huge"] == str(1 << 99)
    assert msgspec.json.decode(msgspec.json.encode(message), type=Message) == message


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (errno.ENOENT, "そのファイルやフォルダーはありません"),
        (errno.ECONNREFUSED, "接続が拒否されました"),
        (errno.EIO, "入出力エラーです"),
    ],
)
def test_what_the_system_says_is_said_in_japanese(number: int, says: str) -> None:
    """An error of the system is kept by its code; one that Dohyo has no sentence for as the system says it."""
    assert Speaker("ja").say(Message("cannot-read", {"path": "x", "reason": OSError(number, "?")})).count(says) == 1
    other = Message("cannot-read", {"path": "x", "reason": OSError(errno.EDOM, "out of domain")})
    assert "out of domain" in Speaker("ja").say(other)


@pytest.mark.parametrize(
    "forged",
    [
        b'{"key":"' + b"x" * (LONGEST + 9) + b'"}',
        b'{"key":"x","values":{"a":"' + b"x" * (LONGEST + 9) + b'"}}',
        b'{"key":"x","values":{"a":[1]}}',
        b'{"key":"x","values":{"a":1e999}}',
        b'{"key":"x","values":{' + b",".join(b'"%d":1' % at for at in range(MAX_VALUES + 1)) + b"}}",
        b'{"key":"x","values":{"a":' * DEEPEST + b'{"key":"x","values":{"a":1}}' + b"}}" * DEEPEST,
        b'{"key":"x","values":{"a":' * 100_000,
    ],
    ids=["key", "text", "list", "infinite", "many", "deep", "deepest"],
)
def test_what_is_too_large_is_not_read(forged: bytes) -> None:
    """A replay with such a message is refused before anybody says it."""
    with pytest.raises((msgspec.MsgspecError, RecursionError)):
        msgspec.json.decode(forged, type=Message)


def test_values_that_do_not_fit_are_shown_as_they_stand() -> None:
    """A forged fault names itself and its values; no exception, no made-up sentence."""
    forged = Fault(FaultKind.TIMEOUT, FaultCode.STRIKE, {"strike": "\x1b[2J", "x": 1})
    assert detail(forged) == "detail.strike (strike=\ufffd, x=1)"
    assert detail(Fault(FaultKind.ILLEGAL, "my own words")) == "my own words"
    assert detail(Fault(FaultKind.ILLEGAL)) == ""


def test_messages_in_messages() -> None:
    """A value that is a message is said in the same language."""
    told = Message("detail.refused", {"action": "MOVE", "why": Message("detail.unread")})
    assert ENGLISH.say(told) == "MOVE: it did not read its input"
    assert Speaker("ja").say(told) == "MOVE：入力を読まなかった"
    for _ in range(DEEPEST - 2):
        told = Message("detail.refused", {"action": "x", "why": told})
    with pytest.raises(ValueError, match="deep"):
        Message("detail.refused", {"action": "x", "why": told})


def test_how_a_place_is_filled() -> None:
    """`{x:quoted}` is what a programmer would write, shortened; a number chooses the word beside it."""
    own = {"en": {"q": "{x:quoted}", "n": "{x} {x:turn|turns}"}}
    assert Speaker("en", own).say("q", x="a'\n") == repr("a'\n")
    assert Speaker("en", own).say("q", x="y" * 100) == f"'{'y' * 80}'..."
    assert [Speaker("en", own).say("n", x=number) for number in (1, 2)] == ["1 turn", "2 turns"]


def test_a_forged_fault_says_no_other_sentence_of_ours() -> None:
    """A key that is not about faults is shown as a text; sentences about faults lack nothing."""
    advice = Message("compare-other-terms", {"path": "x", "key": "y", "stored": 1, "given": 2})
    for fault in (
        Fault(FaultKind.ILLEGAL, advice.key, advice.values),
        Fault(FaultKind.ILLEGAL, "anything", also=(advice,)),
    ):
        assert "--force" not in detail(fault)
        assert advice.key in detail(fault)
    assert "{" not in detail(Fault(FaultKind.TIMEOUT, "anything", also=(Message("detail.and"),)))
    assert len(ENGLISH.say_any(Message("detail.strike", {"strike": 1, "strikes": 1, "seconds": 1e308}))) < 100
