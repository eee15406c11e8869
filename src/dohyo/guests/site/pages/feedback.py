"""Feedback: to each participant his own, to organisers everybody's, and as files to be sent."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, get, post
from litestar.enums import RequestEncodingType
from litestar.params import Body

from dohyo.guests.site.arena import ladders
from dohyo.guests.site.arena.ladders import Ladder
from dohyo.guests.site.edge.asking import Asking, download, organisers_only
from dohyo.guests.site.groups import feedback, roster
from dohyo.guests.site.groups.feedback import Letter
from dohyo.guests.site.pages.teaching import chosen, taught
from dohyo.guests.site.people import audit
from dohyo.guests.site.people.accounts import AUTHOR, Person
from dohyo.i18n import LANGUAGES, Speaker

Form = Annotated[dict[str, Any], Body(media_type=RequestEncodingType.URL_ENCODED)]


@get("/ladders/{slug:str}/feedback", sync_to_thread=True)
def show_own(ask: Asking, slug: str) -> Response[Any]:
    """For a participant his own; for an organiser who takes part, and files for all."""
    ladder = ladders.find(ask.database, slug, ask.person)
    if ladder is None:
        return ask.nothing()
    if ask.person is None:
        return ask.needs_account()
    if ask.person.is_organiser:
        people = feedback.participants(ask.database, ladder)
        return ask.page("feedbacks", ladder=ladder, people=people, groups=roster.all_of(ask.database))
    return _page(ask, ladder, ask.person)


@get("/ladders/{slug:str}/feedback/{number:int}", sync_to_thread=True)
def show_one(ask: Asking, slug: str, number: int) -> Response[Any]:
    """A participant's, for organisers: as he sees it himself."""
    ladder = taught(ask, slug)
    if ladder is None:
        return organisers_only(ask) or ask.nothing()
    found = next((one for one in feedback.participants(ask.database, ladder) if one.id == number), None)
    return ask.nothing() if found is None else _page(ask, ladder, found)


def _page(ask: Asking, ladder: Ladder, person: Person) -> Response[Any]:
    # Also of an organiser's own bots: as one who only takes part would see them.
    reader = Person(person.id, person.name, AUTHOR)
    own = ask.person is not None and ask.person.id == person.id
    sections = feedback.feedback(ask.database, ask.arena, ladder, reader, ask.speaker, own=own)
    return ask.page("feedback", ladder=ladder, about=person, sections=sections)


@post("/ladders/{slug:str}/feedback/files", sync_to_thread=True)
def save_all(ask: Asking, slug: str, data: Form) -> Response[Any]:
    """A file for each student of a class who takes part, or for each participant, in one zip."""
    ladder = taught(ask, slug)
    if ladder is None:
        return organisers_only(ask) or ask.nothing()
    number = chosen(data)
    group = None if number is None else roster.find(ask.database, number)
    there = {one.id: one for one in feedback.participants(ask.database, ladder)}
    if group is None:
        letters = [_letter(ask, ladder, person, person.name, "", "") for person in there.values()]
    else:
        letters = [
            _letter(ask, ladder, there[one.person], one.name, one.mail, one.language)
            for one in roster.students(ask.database, group)
            if one.person in there
        ]
    about = {"ladder": ladder.slug, "count": len(letters)}
    ask.database.write(lambda connection: audit.audit(connection, ask.organiser, "feedback", about))
    return download(feedback.packed(letters), f"feedback-{ladder.slug}.zip")


def _letter(ask: Asking, ladder: Ladder, person: Person, name: str, mail: str, language: str) -> Letter:
    speaker = Speaker(language) if language in LANGUAGES else ask.speaker
    reader = Person(person.id, person.name, AUTHOR)
    sections = feedback.feedback(ask.database, ask.arena, ladder, reader, speaker)
    text = feedback.as_text(speaker, name, ladder, sections, ask.address)
    return Letter(name, mail, text, speaker.say("serve.feedback.subject", ladder=ladder.title))


HANDLERS = [show_own, show_one, save_all]
