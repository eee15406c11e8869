"""A report in words, for the terminal and the page; and as data."""

from __future__ import annotations

from typing import Any

import msgspec

from dohyo import clean, doors
from dohyo.core.game import Game, title_in
from dohyo.guests.coach import findings as kinds
from dohyo.guests.coach.findings import Finding, Report, Watch, Where
from dohyo.guests.coach.inputs import FILLED, LEGAL
from dohyo.i18n import Speaker
from dohyo.match.command_lines import command
from dohyo.series.costs import FEW

BOT = "BOT"  # stands for the operator's word: a name in a replay is a stranger's text


def heading(report: Report, game: Game, speaker: Speaker) -> str:
    """Who it is, and how it did."""
    told = {"bot": clean.line(report.bot), "game": title_in(game, speaker), "matches": report.matches}
    return speaker.say("coach.heading", **told, points=two(report.points))


def nothing(report: Report, speaker: Speaker) -> str:
    """That nothing is named."""
    return speaker.say("coach.nothing" if report.asked else "coach.too-few", asked=report.asked, few=FEW)


def told(finding: Finding, game: Game, speaker: Speaker) -> list[str]:
    """The finding in a sentence, then its evidence."""
    return [first(finding, speaker), *_fault_facts(finding, game, speaker), *_cost(finding, speaker)]


def first(finding: Finding, speaker: Speaker) -> str:
    """What it is, in a sentence."""
    facts: dict[str, Any] = {"matches": finding.matches, "of": finding.of, "name": finding.name}
    key = finding.kind
    if finding.kind == kinds.FAULT:
        facts["fault"] = speaker.say(f"fault.{finding.name}")
    elif finding.kind == kinds.OPENING:
        key = f"opening-{finding.facts['whose']}"
    elif finding.kind in (*kinds.PARTS, kinds.TIME):
        key = f"{finding.kind}-{finding.name}"
    elif finding.kind == kinds.POSITION:
        facts |= {"better": clean.line(str(finding.facts["better"])), "turn": finding.watch and finding.watch.turn}
    elif finding.kind == kinds.VALUE:
        facts |= {"said": two(finding.facts["said"]), "points": two(finding.facts["points"])}
        key = f"value-{finding.facts['phase']}"
    elif finding.kind in (kinds.HABIT, kinds.REPEATS):
        key, more = _habit(finding)
        facts |= more
    return speaker.say(f"coach.{key}", **facts)


def _habit(finding: Finding) -> tuple[str, dict[str, Any]]:
    facts = finding.facts
    told = {"here": percent(facts["here"]), "there": percent(facts["there"])}
    if finding.kind == kinds.REPEATS:
        return f"repeats-{finding.name}", told
    never = "never" if facts["never"] else "habit"
    return f"{never}-{facts['phase']}" if facts["phase"] else never, told


def _fault_facts(finding: Finding, game: Game, speaker: Speaker) -> list[str]:
    """Where and on which inputs."""
    if finding.kind != kinds.FAULT:
        return []
    facts = finding.facts
    lines = []
    if not facts["asked"]:
        lines.append(speaker.say("coach.not-asked"))
    elif facts["first"] == facts["last"]:
        lines.append(speaker.say("coach.in-turn", turn=facts["first"]))
    else:
        lines.append(speaker.say("coach.in-turns", **{name: facts[name] for name in ("first", "median", "last")}))
    if facts["place"]:
        lines.append(speaker.say("coach.place", place=facts["place"]))
    if facts["reply"]:
        lines.append(speaker.say("coach.reply", reply=facts["reply"]))
    return [*lines, *(_where(one, speaker) for one in finding.where)]


def _where(one: Where, speaker: Speaker) -> str:
    name = one.name
    if one.name == LEGAL:
        name = speaker.say("coach.legal")
    elif one.name.endswith(FILLED):
        name = speaker.say("coach.filled", name=one.name.removesuffix(FILLED))
    elif one.kind != "condition":
        name = speaker.say("coach.number", name=one.name)
    facts = {"name": name, "value": one.value, "inside": one.inside, "of": one.of, "beside": percent(one.beside)}
    return speaker.say(f"coach.where-{one.kind}", **facts)


def _cost(finding: Finding, speaker: Speaker) -> list[str]:
    if finding.kind in (kinds.VALUE, kinds.HABIT, kinds.REPEATS):
        return [speaker.say("coach.unknown-cost")]
    facts: dict[str, Any] = {"matches": finding.matches, "of": finding.of}
    facts |= {"points": two(finding.points or 0.0), "others": two(finding.others or 0.0)}
    if finding.cost is None or finding.low is None or finding.high is None:
        return [speaker.say("coach.cost-few", **facts)]
    facts |= {"cost": one_digit(finding.cost), "low": one_digit(finding.low), "high": one_digit(finding.high)}
    if finding.kind in kinds.PARTS:
        return [speaker.say("coach.cost-part", **facts, each=two(finding.cost / finding.matches))]
    key = "coach.cost-usual" if finding.kind in (kinds.SEAT, kinds.OPPONENT) else "coach.cost"
    if finding.kind == kinds.POSITION:
        key = "coach.cost-position"
    if finding.kind == kinds.FAULT and finding.low <= 0:
        key = "coach.cost-unclear"
    return [speaker.say(key, **facts)]


def notes(report: Report, speaker: Speaker) -> list[str]:
    """What one has to know of all this, and what could not be asked."""
    found = [speaker.say("coach.how", asked=report.asked, beside=report.beside)] if report.asked else []
    found += [speaker.say(f"coach.unknown-{kind}") for kind in report.unknown]
    for key, count in (("unread", report.unread), ("more", report.more)):
        if count:
            found.append(speaker.say(f"coach.{key}", count=count))
    if report.versions > 1:
        found.append(speaker.say("coach.versions", count=report.versions))
    return found


# --- commands


def commands(finding: Finding) -> dict[str, str]:
    """How to see it, by name.

    `save` writes the replay, where it lies in a store, `see` shows it, `input` what the bot was sent, `rerun` sends
    it again.
    """
    watch = finding.watch
    if watch is None:
        return {}
    found = {"save": watch.save} if watch.save else {}
    found["see"] = _page_of(watch)
    if finding.kind != kinds.FAULT or watch.turn is None or not finding.facts["asked"]:
        return found
    seat, turn = str(watch.seat), str(watch.turn)
    found["input"] = command("replay", watch.file, "--inputs", seat, "--turn", turn)
    if doors.has_command("rerun"):
        found["rerun"] = command("rerun", watch.file, seat, BOT, "--until", turn)
    return found


def _page_of(watch: Watch) -> str:
    return command("replay", watch.file, "--html", "watch.html")


def commands_told(finding: Finding, speaker: Speaker) -> list[str]:
    """Which match to watch, and the commands to see it, in words."""
    watch = finding.watch
    if watch is None:
        return []
    lines = [watch_told(watch, speaker)]
    return [*lines, *(speaker.say(f"coach.do-{name}", command=line) for name, line in commands(finding).items())]


def watch_told(watch: Watch, speaker: Speaker) -> str:
    """Which match to watch, and where in it."""
    key = "coach.watch" if watch.turn is None else "coach.watch-turn"
    return speaker.say(key, match=watch.match, seat=watch.seat, turn=watch.turn)


def as_data(report: Report) -> dict[str, Any]:
    """The report for programs, each finding with its commands."""
    found: dict[str, Any] = msgspec.to_builtins(report)
    for made, finding in zip(found["findings"], report.findings, strict=True):
        made["commands"] = commands(finding)
    return found


# --- numbers


def two(number: float) -> str:
    """Points a match."""
    return f"{number:.2f}"


def one_digit(number: float) -> str:
    """Points of many matches."""
    return f"{number:.1f}"


def percent(part: float) -> str:
    """A part of a whole."""
    return f"{100 * part:.0f} %" if part >= 0.1 or part == 0 else f"{100 * part:.1f} %"
