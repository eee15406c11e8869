"""Points of a class's students from where their bots stand: shown first, then written into its gradebook."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, get, post
from litestar.enums import RequestEncodingType
from litestar.params import Body

from dohyo.core.errors import OperatorError
from dohyo.guests.site.arena import hand_ins
from dohyo.guests.site.arena.contest_page import contest_lines
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.arena.sight import seen
from dohyo.guests.site.arena.standings import Line, all_lines
from dohyo.guests.site.edge.asking import Asking, download, organisers_only, text
from dohyo.guests.site.groups import gradebook, points, roster
from dohyo.guests.site.groups.filled import filled
from dohyo.guests.site.groups.gradebook import MAX_BYTES
from dohyo.guests.site.groups.points import Rule, Scored
from dohyo.guests.site.groups.roster import Group
from dohyo.guests.site.pages.teaching import chosen, taught
from dohyo.guests.site.people import audit

Form = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.URL_ENCODED)]


@get("/ladders/{slug:str}/points", sync_to_thread=True)
def show_points(ask: Asking, slug: str) -> Response[Any]:
    """The form for a rule, and what each student would get by it."""
    ladder = taught(ask, slug)
    if ladder is None:
        return organisers_only(ask) or ask.nothing()
    form = dict(ask.request.query_params)
    group = _group(ask, ladder, form)
    try:
        shown = _shown(ask, ladder, group, _rule(ladder, form), form)
    except OperatorError as error:
        return ask.problem("points", error, **_shown(ask, ladder, None, Rule(), form))
    return ask.page("points", **shown)


def _group(ask: Asking, ladder: Ladder, form: dict[str, Any]) -> Group | None:
    """The class that was chosen; otherwise the one that the ladder is for."""
    number = chosen(form) or ladder.group
    return None if number is None else roster.find(ask.database, number)


def _lines(ask: Asking, ladder: Ladder) -> list[Line]:
    if ladder.terms is not None:
        return contest_lines(ask.arena, ask.database, ladder, ask.person)
    with seen(ask.arena, ladder, ask.person) as store:
        return all_lines(store, ladder.slug)


def _rule(ladder: Ladder, form: dict[str, Any]) -> Rule:
    """The rule that a form says. Raises `OperatorError` for one that does not fit: in a contest places decide."""
    rule = points.read(form)
    if rule.kind == "rating" and ladder.terms is not None:
        raise OperatorError("serve-points-rating")
    return rule


def _shown(ask: Asking, ladder: Ladder, group: Group | None, rule: Rule, form: dict[str, Any]) -> dict[str, Any]:
    lines, owners = _lines(ask, ladder), hand_ins.owners(ask.database, ladder)
    scored: list[Scored] = []
    columns: dict[int, str] = {}
    if group is not None:
        scored = points.score(rule, lines, owners, roster.students(ask.database, group))
        columns = gradebook.read(ask.site.files().get(group.file, MAX_BYTES)).takes() if group.file else {}
    return {
        "ladder": ladder,
        "group": group,
        "groups": roster.all_of(ask.database),
        "rule": rule,
        "steps": [*rule.steps, *[("", "")] * points.STEPS][: points.STEPS],
        "samples": [line.bot for line in lines if line.bot not in owners],
        "scored": scored,
        "columns": columns,
        "has_file": group is not None and bool(group.file),
        "column": text(form, "column", 10),
        "title": text(form, "title", 200) or ladder.title,
        "replaces": 0,
        "asked": {name: str(value)[:100] for name, value in form.items() if name != "_csrf_token"},
    }


@post("/ladders/{slug:str}/points/export", sync_to_thread=True)
def export_points(ask: Asking, slug: str, data: Form) -> Response[Any]:
    """The class's gradebook with the points in it, as a file."""
    ladder = taught(ask, slug)
    group = None if ladder is None else _group(ask, ladder, data)
    if ladder is None or group is None or not group.file:
        return organisers_only(ask) or ask.nothing()
    try:
        rule = _rule(ladder, data)
        read = gradebook.read(ask.site.files().get(group.file, MAX_BYTES))
        students = roster.students(ask.database, group)
        scored = points.score(rule, _lines(ask, ladder), hand_ins.owners(ask.database, ladder), students)
    except OperatorError as error:
        return ask.problem("points", error, **_shown(ask, ladder, None, Rule(), data))
    by_student = {one.student.id: one.written for one in scored if one.points is not None}
    lines = roster.plan(read, students)
    values = {line.entry.line: by_student[line.student] for line in lines if line.student in by_student}
    at = text(data, "column", 10)
    column = int(at) if at.isdecimal() else None
    if column is not None and column not in read.takes():
        return ask.problem(
            "points", OperatorError("serve-points-column"), **_shown(ask, ladder, group, rule, {**data, "column": ""})
        )
    replaces = 0 if column is None else read.holds(column, values.keys())
    if replaces and text(data, "replace", 5) != "yes":
        return ask.page("points", status=422, **{**_shown(ask, ladder, group, rule, data), "replaces": replaces})
    content = filled(read, column, text(data, "title", 200) or ladder.title, values, f"{rule.most:g}")
    about = {"ladder": ladder.slug, "class": group.title, "count": len(values)}
    ask.database.write(lambda connection: audit.audit(connection, ask.organiser, "points", about))
    return download(content, f"points-{ladder.slug}.csv")


HANDLERS = [show_points, export_points]
