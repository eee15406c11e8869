"""Classes: who is in one, its gradebook, links for its students. Organisers' alone, but for the link itself."""

from __future__ import annotations

import base64
from typing import Annotated, Any

from litestar import Response, get, post
from litestar.datastructures import UploadFile
from litestar.enums import RequestEncodingType
from litestar.params import Body

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.guests.site.edge.asking import AnyRequest, Asking, going, organisers_only, signed_in, text
from dohyo.guests.site.edge.own_addresses import is_here
from dohyo.guests.site.groups import gradebook, roster
from dohyo.guests.site.groups.gradebook import MAX_BYTES, Gradebook
from dohyo.guests.site.groups.roster import Group, Line, Student
from dohyo.guests.site.people import accounts
from dohyo.guests.site.tables import MAX_NUMBER

Form = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.URL_ENCODED)]
Upload = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.MULTI_PART)]


@get("/classes", sync_to_thread=True)
def show_groups(ask: Asking) -> Response[Any]:
    """Every class."""
    return organisers_only(ask) or ask.page("classes", groups=roster.all_of(ask.database), title="")


@post("/classes", sync_to_thread=True)
def make_group(ask: Asking, data: Form) -> Response[Any]:
    """Make a class."""
    if (refused := organisers_only(ask)) is not None:
        return refused
    title = text(data, "title", 200)
    try:
        group = roster.make(ask.database, ask.organiser, title)
    except OperatorError as error:
        return ask.problem("classes", error, groups=roster.all_of(ask.database), title=title)
    return going(f"/classes/{group.id}")


def _group(ask: Asking, number: int) -> Group | None:
    """The class of this number, for an organiser."""
    is_one = ask.person is not None and ask.person.is_organiser and 0 <= number <= MAX_NUMBER
    return roster.find(ask.database, number) if is_one else None


@get("/classes/{number:int}", sync_to_thread=True)
def show_group(ask: Asking, number: int) -> Response[Any]:
    """A class: its students, and what can be done for them."""
    group = _group(ask, number)
    if group is None:
        return organisers_only(ask) or ask.nothing()
    return ask.page("class", **_shown(ask, group))


def _shown(ask: Asking, group: Group) -> dict[str, Any]:
    return {"group": group, "students": roster.students(ask.database, group)}


# --- the gradebook


@post("/classes/{number:int}/import", sync_to_thread=True)
def look_at(ask: Asking, number: int, data: Upload) -> Response[Any]:
    """Read a gradebook, and show what would be done."""
    group = _group(ask, number)
    if group is None:
        return organisers_only(ask) or ask.nothing()
    try:
        given = data.get("file")
        content = given.file.read(MAX_BYTES + 1) if isinstance(given, UploadFile) and given.filename else b""
        gradebook.read(content)
    except OperatorError as error:
        return ask.problem("class", error, **_shown(ask, group))
    roster.look(ask.database, group, ask.site.files().put(content))
    return going(f"/classes/{group.id}/import")


@get("/classes/{number:int}/import", sync_to_thread=True)
def preview(ask: Asking, number: int) -> Response[Any]:
    """Say of each line of the gradebook that was looked at what would be done with it, and what is wrong."""
    group = _group(ask, number)
    if group is None or not group.draft:
        return organisers_only(ask) or ask.nothing()
    read = _draft(ask, group)
    lines = roster.plan(read, roster.students(ask.database, group))
    return ask.page("class-import", group=group, read=read, lines=lines, counts=_counts(lines))


def _draft(ask: Asking, group: Group) -> Gradebook:
    return gradebook.read(ask.site.files().get(group.draft, MAX_BYTES))


def _counts(lines: list[Line]) -> dict[str, int]:
    return {what: sum(line.what == what for line in lines) for what in ("new", "changed", "same", "wrong", "nobody")}


@post("/classes/{number:int}/import/take", sync_to_thread=True)
def take(ask: Asking, number: int, data: Form) -> Response[Any]:
    """Take over what was looked at."""
    group = _group(ask, number)
    if group is None or not group.draft:
        return organisers_only(ask) or ask.nothing()
    try:
        roster.take(ask.database, ask.organiser, group, _draft(ask, group), text(data, "file", 100))
    except OperatorError as error:
        return ask.problem("class", error, **_shown(ask, group))
    return going(f"/classes/{group.id}")


# --- links and accounts


@post("/classes/{number:int}/links", sync_to_thread=True)
def make_links(ask: Asking, number: int, data: Form) -> Response[Any]:
    """New links for all who have no account yet, or for one of them: on a page, and as CSV within it."""
    group = _group(ask, number)
    if group is None:
        return organisers_only(ask) or ask.nothing()
    only = text(data, "student", 20)
    made = roster.new_links(ask.database, ask.organiser, group, int(only) if only.isdecimal() else None)
    links = [(student, ask.address(f"/join/{secret}")) for student, secret in made]
    only_here = is_here(ask.address(""))
    return ask.page("class-links", group=group, links=links, table=_table(ask, links), only_here=only_here)


def _table(ask: Asking, links: list[tuple[Student, str]]) -> str:
    """The links as a file that a browser can save: it is in the page itself, as they are kept nowhere."""
    head = [ask.say(f"serve.student.{name}") for name in ("name", "ident", "mail", "link")]
    rows = [head, *([one.name, one.ident, one.mail, link] for one, link in links)]
    content = clean.CSV_MARK + "".join(map(clean.csv_row, rows))
    return f"data:text/csv;base64,{base64.b64encode(content.encode()).decode()}"


@post("/classes/{number:int}/students/{student:int}/{what:str}", sync_to_thread=True)
def change_student(ask: Asking, number: int, student: int, what: str, data: Form) -> Response[Any]:
    """Give a student an account that is there, take it from him again, or remove him where that was ticked."""
    group = _group(ask, number)
    if group is None or not 0 <= student <= MAX_NUMBER or what not in ("give", "part", "remove"):
        return organisers_only(ask) or ask.nothing()
    try:
        if what == "give":
            roster.give(ask.database, ask.organiser, group, student, text(data, "account", 100))
            return going(f"/classes/{group.id}")
        if what == "remove":
            _check_sure(ask, group, student, data)
        if not roster.part(ask.database, ask.organiser, group, student, wholly=what == "remove"):
            return ask.nothing()
    except OperatorError as error:
        return ask.problem("class", error, **_shown(ask, group))
    return going(f"/classes/{group.id}")


def _check_sure(ask: Asking, group: Group, student: int, data: dict[str, Any]) -> None:
    """Raise `OperatorError` where it was not said beside the button that this student shall go."""
    named = [one.name for one in roster.students(ask.database, group) if one.id == student]
    if named and text(data, "sure", 5) != "yes":
        raise OperatorError("serve-student-not-sure", name=named[0])


@post("/classes/{number:int}/remove", sync_to_thread=True)
def remove_group(ask: Asking, number: int, data: Form) -> Response[Any]:
    """Remove a class, where it was said beside the button that it shall go."""
    group = _group(ask, number)
    if group is None:
        return organisers_only(ask) or ask.nothing()
    try:
        if text(data, "sure", 5) != "yes":
            raise OperatorError("serve-class-not-sure")
        roster.remove(ask.database, ask.organiser, group)
    except OperatorError as error:
        return ask.problem("class", error, **_shown(ask, group))
    return going("/classes")


# --- for a student


@get("/join/{secret:str}", sync_to_thread=True)
def join_page(ask: Asking, secret: str) -> Response[Any]:
    """What a student's link leads to: a new account, or the one that he has."""
    found = roster.by_link(ask.database, secret)
    if found is None:
        return _over(ask)
    if ask.person is None and ask.has_no_passwords:
        return ask.page("sign-in", name="", next=f"/join/{secret}")
    return ask.page("join", secret=secret, group=found[0], student=found[1], name="", has_account=False)


@post("/join/{secret:str}", sync_to_thread=True)
def join(request: AnyRequest, ask: Asking, secret: str, data: Form) -> Response[Any]:
    """Tie an account to the student's line: a new one, or after signing in the one that is there."""
    found = roster.by_link(ask.database, secret)
    if found is None:
        return _over(ask)
    if ask.person is None and ask.has_no_passwords:
        return ask.needs_account()
    name, has_account = text(data, "name", 100), text(data, "has_account", 10) == "yes"
    person = ask.person
    try:
        if person is None:
            enter = accounts.sign_in if has_account else accounts.sign_up
            person = enter(ask.database, name, text(data, "password", 1000), ask.origin)
        roster.join(ask.database, secret, person, ask.speaker.language)
    except OperatorError as error:
        values = {"secret": secret, "group": found[0], "student": found[1], "name": name}
        return ask.problem("join", error, **values, has_account=has_account)
    return going("/") if ask.person else signed_in(request, ask.database, person, "/")


def _over(ask: Asking) -> Response[Any]:
    error = OperatorError("serve-join-over")
    return ask.page("message", status=410, title=ask.say("serve.join"), text=error.say(ask.speaker))


HANDLERS = [
    *(show_groups, make_group, show_group, remove_group),
    *(look_at, preview, take, make_links, change_student),
    *(join_page, join),
]
