"""Classes and who is in them: lines of a gradebook, and the accounts that belong to them."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from time import time
from typing import Any, Literal

import msgspec
from sqlalchemy import Connection, delete, func, select, update

from dohyo import clean
from dohyo.core.errors import OperatorError
from dohyo.guests.site import tables
from dohyo.guests.site.groups.gradebook import MAX_RECORDS, Entry, Gradebook
from dohyo.guests.site.people.accounts import Person, key_of
from dohyo.guests.site.people.audit import audit
from dohyo.guests.site.tables import inserted
from dohyo.series.store.database import Database

LONGEST_TITLE = 60
MAX_GROUPS = 500
LINK = 60 * 86_400.0  # seconds for which a student's link can be used

What = Literal["new", "changed", "same", "wrong", "nobody"]


class Group(msgspec.Struct, frozen=True):
    """A class: `students` are in it, of whom `joined` have an account."""

    id: int
    title: str
    file: str
    draft: str
    students: int = 0
    joined: int = 0


class Student(msgspec.Struct, frozen=True):
    """A line of a class. `person` and `account` are number and name of his account, none and empty before."""

    id: int
    name: str
    mail: str
    ident: str
    person: int | None
    account: str
    language: str


class Line(msgspec.Struct, frozen=True):
    """What is done with a record of a gradebook, and why not if it is `wrong`; `student` is who is in it already."""

    entry: Entry
    what: What
    problem: str = ""
    other: int = 0
    student: int | None = None


# --- classes


def make(database: Database, by: Person, title: str) -> Group:
    """Make a class. Raises `OperatorError` for a title that is empty, too long or there already."""
    told = " ".join(clean.line(title, LONGEST_TITLE + 1).split())
    if not told or len(told) > LONGEST_TITLE:
        raise OperatorError("serve-class-title", most=LONGEST_TITLE)

    def act(connection: Connection) -> Group:
        titles = {*connection.execute(select(tables.groups.c.title)).scalars()}
        if key_of(told) in map(key_of, titles) or len(titles) >= MAX_GROUPS:
            raise OperatorError("serve-class-taken", title=told)
        row = {"title": told, "by": by.id, "since": time(), "file": "", "draft": ""}
        number = inserted(connection, tables.groups, row)
        audit(connection, by, "class-make", {"class": told})
        return Group(number, told, "", "")

    return database.write(act)


def all_of(database: Database) -> list[Group]:
    """Every class, the newest first."""
    asked = _groups().order_by(tables.groups.c.id.desc())
    return [_group(row) for row in database.read(lambda connection: connection.execute(asked).mappings().all())]


def find(database: Database, number: int) -> Group | None:
    """The class of this number; none if there is none."""
    asked = _groups().where(tables.groups.c.id == number)
    row = database.read(lambda connection: connection.execute(asked).mappings().first())
    return None if row is None else _group(row)


def remove(database: Database, by: Person, group: Group) -> None:
    """Remove a class with all its lines; accounts stay. Raises `OperatorError` while a ladder is for it alone."""

    def act(connection: Connection) -> None:
        ladders = tables.ladders
        used = connection.execute(select(ladders.c.title).where(ladders.c.group == group.id)).scalars().first()
        if used is not None:
            raise OperatorError("serve-class-used", ladder=used)
        connection.execute(delete(tables.students).where(tables.students.c.group == group.id))
        connection.execute(delete(tables.groups).where(tables.groups.c.id == group.id))
        audit(connection, by, "class-remove", {"class": group.title})

    database.write(act)


def of_person(database: Database, person: Person | None) -> set[int]:
    """The numbers of the classes that somebody is in."""
    if person is None:
        return set()
    students = tables.students
    asked = select(students.c.group).where(students.c.person == person.id)
    return {*database.read(lambda connection: connection.execute(asked).scalars().all())}


def _groups() -> Any:
    groups, students = tables.groups, tables.students
    here = students.c.group == groups.c.id
    count = select(func.count()).where(here).correlate(groups).scalar_subquery()
    joined = select(func.count(students.c.person)).where(here).correlate(groups).scalar_subquery()
    return select(groups, count.label("students"), joined.label("joined"))


def _group(row: Any) -> Group:
    return Group(**{name: row[name] for name in Group.__struct_fields__})


# --- students


def students(database: Database, group: Group) -> list[Student]:
    """The students of a class, in the order of its gradebook."""
    asked = _students().where(tables.students.c.group == group.id).order_by(tables.students.c.id)
    return [_student(row) for row in database.read(lambda connection: connection.execute(asked).mappings().all())]


def _students() -> Any:
    students, people = tables.students, tables.people
    joined = students.outerjoin(people, students.c.person == people.c.id)
    own = [students.c[name] for name in ("id", "name", "mail", "ident", "person", "language")]
    return select(*own, func.coalesce(people.c.name, "").label("account")).select_from(joined)


def _student(row: Any) -> Student:
    return Student(**{name: row[name] for name in Student.__struct_fields__})


# --- from a gradebook


def look(database: Database, group: Group, file: str) -> None:
    """Keep a gradebook that was looked at, until it is taken or another one is looked at."""
    groups = tables.groups
    database.write(
        lambda connection: connection.execute(update(groups).where(groups.c.id == group.id).values(draft=file))
    )


def plan(gradebook: Gradebook, known: Iterable[Student]) -> list[Line]:
    """What is done with each record of a gradebook: who is there already is known by number, mail or name."""
    left = list(known)
    taken: dict[tuple[str, str], int] = {}
    lines = []
    for record, entry in gradebook.entries():
        if entry is None:
            lines.append(Line(Entry(record.line, record.cells[0].strip()), "nobody"))
            continue
        keys = _keys(entry.ident, entry.mail, entry.name)
        kind, twice = next(((key[0], taken[key]) for key in keys if key in taken), ("", 0))
        if entry.problem or twice:
            lines.append(Line(entry, "wrong", entry.problem or f"serve.line-twice-{kind}", twice))
            continue
        taken |= dict.fromkeys(keys, entry.line)
        student = _same(entry, left)
        if student is None:
            lines.append(Line(entry, "new"))
            continue
        left.remove(student)
        is_same = (student.name, student.mail, student.ident) == (entry.name, entry.mail, entry.ident)
        lines.append(Line(entry, "same" if is_same else "changed", student=student.id))
    return lines


def _keys(ident: str, mail: str, name: str) -> list[tuple[str, str]]:
    """By what a student is known: number and mail, otherwise the name."""
    found = [("ident", ident.casefold()), ("mail", mail.casefold())]
    return [key for key in found if key[1]] or [("name", key_of(name))]


def _same(entry: Entry, known: list[Student]) -> Student | None:
    for name in ("ident", "mail"):
        wanted = getattr(entry, name).casefold()
        for student in known:
            if wanted and getattr(student, name).casefold() == wanted:
                return student
    for student in known:
        is_other = any(
            getattr(entry, name) and getattr(student, name) for name in ("ident", "mail")
        )  # and both differ
        if not is_other and key_of(student.name) == key_of(entry.name):
            return student
    return None


def take(database: Database, by: Person, group: Group, gradebook: Gradebook, file: str) -> list[Line]:
    """Take over what a gradebook says, but for what is wrong in it; what was done.

    Nobody is removed. Raises `OperatorError` if it is not the one that was looked at last, or holds too many.
    """

    def act(connection: Connection) -> list[Line]:
        groups, students = tables.groups, tables.students
        draft = connection.execute(select(groups.c.draft).where(groups.c.id == group.id).with_for_update()).scalar()
        if draft != file or not file:
            raise OperatorError("serve-csv-other")
        rows = connection.execute(_students().where(students.c.group == group.id)).mappings().all()
        lines = plan(gradebook, [_student(row) for row in rows])
        if len(rows) + sum(line.what == "new" for line in lines) > MAX_RECORDS:
            raise OperatorError("serve-csv-many", records=MAX_RECORDS, columns=0)
        for line in lines:
            entry = line.entry
            values = {"name": entry.name, "mail": entry.mail, "ident": entry.ident}
            if line.what == "new":
                inserted(connection, students, {**values, "group": group.id, "language": ""})
            elif line.what == "changed":
                connection.execute(update(students).where(students.c.id == line.student).values(values))
        connection.execute(update(groups).where(groups.c.id == group.id).values(file=file, draft=""))
        count = sum(line.what in ("new", "changed") for line in lines)
        audit(connection, by, "class-import", {"class": group.title, "count": count})
        return lines

    return database.write(act)


# --- their accounts


def new_links(database: Database, by: Person, group: Group, only: int | None = None) -> list[tuple[Student, str]]:
    """New links for those who have no account yet (`only` one of them), with their secrets; older ones are over."""
    wanted = [
        (one, secrets.token_urlsafe(18))
        for one in students(database, group)
        if one.person is None and only in (None, one.id)
    ]
    until = time() + LINK

    def act(connection: Connection) -> None:
        table = tables.students
        for student, secret in wanted:
            values = {"link": _digest(secret), "until": until}
            connection.execute(update(table).where(table.c.id == student.id, table.c.person.is_(None)).values(values))
        audit(connection, by, "class-links", {"class": group.title, "count": len(wanted)})

    database.write(act)
    return wanted


def by_link(database: Database, secret: str) -> tuple[Group, Student] | None:
    """Whose link it is, and of which class; none if it is used, over or nobody's."""
    table = tables.students
    asked = _students().add_columns(table.c.group).where(table.c.link == _digest(secret), table.c.until > time())
    row = database.read(lambda connection: connection.execute(asked).mappings().first())
    group = None if row is None else find(database, row["group"])
    return None if row is None or group is None else (group, _student(row))


def join(database: Database, secret: str, person: Person, language: str) -> None:
    """Tie an account to the line of a link, which is used by that.

    Raises `OperatorError` for a link that is over, and for an account that has another line of the class.
    """

    def act(connection: Connection) -> None:
        table = tables.students
        asked = select(table).where(table.c.link == _digest(secret), table.c.until > time()).with_for_update()
        row = connection.execute(asked).mappings().first()
        if row is None or row["person"] is not None:
            raise OperatorError("serve-join-over")
        _tie(connection, row["group"], row["id"], person.id, language)

    database.write(act)


def give(database: Database, by: Person, group: Group, number: int, name: str) -> None:
    """Tie an account that is there to a line of a class, for an organiser.

    Raises `OperatorError` if there is no such account or line, or the account has another line of the class.
    """

    def act(connection: Connection) -> None:
        people, table = tables.people, tables.students
        person = connection.execute(select(people.c.id).where(people.c.key == key_of(name))).scalar()
        if person is None:
            raise OperatorError("serve-no-account", name=clean.line(name, 40))
        here = select(table.c.name).where(table.c.id == number, table.c.group == group.id, table.c.person.is_(None))
        student = connection.execute(here).scalar()
        if student is None:
            raise OperatorError("serve-no-student")
        _tie(connection, group.id, number, person, "")
        audit(connection, by, "class-give", {"class": group.title, "student": student, "name": name})

    database.write(act)


def _tie(connection: Connection, group: int, number: int, person: int, language: str) -> None:
    table = tables.students
    other = select(table.c.name).where(table.c.group == group, table.c.person == person)
    if (taken := connection.execute(other).scalar()) is not None:
        raise OperatorError("serve-join-twice", name=taken)
    values = {"person": person, "link": None, "until": None, "language": language}
    connection.execute(update(table).where(table.c.id == number).values(values))


def part(database: Database, by: Person, group: Group, number: int, *, wholly: bool) -> bool:
    """Let an account and a line of a class part; `wholly`: remove the line. Whether there is such a line."""
    table = tables.students
    this = (table.c.id == number, table.c.group == group.id)

    def act(connection: Connection) -> bool:
        name = connection.execute(select(table.c.name).where(*this)).scalar()
        if name is None:
            return False
        if wholly:
            connection.execute(delete(table).where(*this))
        else:
            connection.execute(update(table).where(*this).values(person=None, link=None, until=None))
        what = "student-remove" if wholly else "student-part"
        audit(connection, by, what, {"class": group.title, "student": name})
        return True

    return database.write(act)


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()
