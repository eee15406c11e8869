"""From the names in a file of rules to a `Game`: every hook that the file omits is completed by a default.

What is missing or wrong in the file is the operator's mistake: one sentence that says which name, and how it is
written.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import PurePath
from types import FunctionType, SimpleNamespace
from typing import Any

from dohyo.core.errors import OperatorError
from dohyo.core.flat import Layout, flat, flat_as
from dohyo.core.game import (
    RULES,
    Chance,
    Game,
    Information,
    ObservationSpace,
    Plane,
    Rules,
    State,
    TextProtocol,
    Turns,
)
from dohyo.core.possible import outside
from dohyo.core.starter import Starter
from dohyo.i18n import LANGUAGES, Catalogue, Message, Speaker, has
from dohyo.one_file import drawing, source
from dohyo.one_file.default_prompt import PromptReading, described
from dohyo.one_file.fields import StateField, actions_hidden, fields_of, given_as

OVER, GAVE_UP = "reason.over", "reason.gave-up"  # why a match ended, in our own catalogues
GIVE_UP = "give-up"  # what a bot answers
# How each name is written, for whoever forgot it, or gave it other arguments.
WRITTEN = {
    "LAYOUT": 'LAYOUT = Layout("State", ("turn", "i4", 0), ("board", "i1", (3, 3)))',
    "ACTIONS": "ACTIONS = 9",
    "SEATS": "SEATS = 2, SEATS = (2, 4)",
    "REASONS": 'REASONS = {1: "the board is full"}',
    "is_legal": "def is_legal(s, seat, action): ...",
    "step": "def step(s, actions, events): ...",
    "acts": "def acts(s, seat): ...",
    "over": "def over(s): ...",
    "winner": "def winner(s): ...",
    "score": "def score(s, seat): ...",
    "legal": "def legal(s, seat, out): ...",
    "count_legal": "def count_legal(s, seat, notes): ...",
    "kth_legal": "def kth_legal(s, seat, k, notes): ...",
    "places": "def places(s, out): ...",
    "scores": "def scores(s, out): ...",
    "reason": "def reason(s): ...",
    "needs_dice": "def needs_dice(s): ...",
    "roll": "def roll(s, source, dice): ...",
    "deal": "def deal(s, dice, events): ...",
    "start": "def start(s, setup, seats): ...",
    "why_illegal": "def why_illegal(s, seat, action): ...",
    "possible": "def possible(s): ...",
    "DICE": "DICE = 1",
}
OR = {  # what may stand in the place of a name
    "acts": 'a field "turn", TURNS = "simultaneous"',
    "over": 'a field "ended"',
    "winner": WRITTEN["score"],
}
PLAIN = ("start", "why_illegal", "possible")  # functions that are never compiled
FLAT = (
    *(name for name in WRITTEN if name.islower() and name not in PLAIN),
    "prompt",
    "farewell",
    "observe",
    "reseed",
)
FACTS = (
    "title",
    "version",
    "options",
    "clocks",
    "demo",
    "lifetimes",
    "commands",
    "judge",
    "reading",
)  # of a Game, in capitals
HOOKS = (
    "terminal",
    "possible",
    "out",
    "map_name",
    "reseat",
    "starter",
    "why_illegal",
    "uci",
    "engine_variant",
    "xboard_move",
    "meant",
    "http",
    "pgn",
    "draw_setup",
    "adjudicator",
)  # of a Game, as functions
FIELD_FACTS = (
    "SIGNS",
    "PIECES",
    "EDGES",
    "RANGES",
    "HIDDEN",
    "MEANINGS",
    "LABELS",
    "OWNERS",
    "PER_SEAT",
    "DRAWN",
    "FACING",
    "CHECKERED",
)
MORE = ("GAME", "ABOUT", "TURNS", "CHANCE", "KIND", "SHAPE", "PLANES", "frame", "seat_outcome", "score", "reason")


def game_of(
    names: Mapping[str, Any], file: PurePath, folder: PurePath, general_bots: PurePath, catalogue: Catalogue
) -> Game:
    """The game that a file of rules is.

    `names` are what it defines, with what stands in the files of its `folder`; `general_bots` are bots that play by
    the default protocol, `catalogue` holds the sentences of its folder. Raises `OperatorError`.
    """
    shown = file.name
    seats = _seats(shown, names)
    name = file.stem.replace("_", "-")
    _check_needed(shown, names, seats)
    fields = fields_of(shown, names["LAYOUT"], names, seats[1])
    rules = _rules(file, names, seats, fields)
    gave_up = rules.pop("GAVE_UP", None)
    rules["REASONS"], own = _reasons(name, names.get("REASONS", {}), gave_up, catalogue)
    added = () if gave_up is None else _fields_of_giving_up(seats[1])
    told = (*fields, *(added[:1] if seats[1] > 2 else ()))  # a match of two is over when one gives up
    protocol, usual = _protocol(file, names, rules, told, seats[1])
    hides = actions_hidden(shown, names)
    given: dict[str, Any] = {fact: names[fact.upper()] for fact in FACTS if fact.upper() in names}
    given |= {hook: names[hook] for hook in HOOKS if hook in names}
    given["possible"] = _possible((*fields, *added), names)
    if gave_up is not None:
        given.setdefault("out", lambda state, seat: bool(state.gave_up[seat]))
    given.setdefault("terminal", drawing.terminal)
    title, about = _said(names)
    given.setdefault("title", title)
    given = {**_of_usual_prompt(usual, given, told, rules["LAYOUT"]), **given}
    return Game(
        name=name,
        about=about,
        seats=seats,
        rules=SimpleNamespace(**rules),
        protocol=SimpleNamespace(**protocol),
        folder=folder,
        file=file,
        fields=told,
        general_bots=None if usual is None else general_bots,
        turns=_choice(shown, names, "TURNS", Turns.ALTERNATING),
        chance=_choice(shown, names, "CHANCE", Chance.EVERY_TURN if "roll" in names else Chance.NEVER),
        information=Information.IMPERFECT if names.get("HIDDEN") else Information.PERFECT,
        start=_start(names),
        frame=names.get("frame")
        or drawing.drawing(fields, _labels(name, fields, own), protocol["text"], hides, rules.get("score")),
        catalogue=own,
        seat_outcome=names.get("seat_outcome") or _seat_outcome(rules["winner"], seats, gave_up is not None),
        observation=_observation(file, names, told, seats),
        **given,
    )


def known_names() -> set[str]:
    """Every name that a file of rules may define to some effect."""
    declared = {
        name for kind in (Rules, TextProtocol) for name in (*kind.__annotations__, *vars(kind)) if name[0] != "_"
    }
    return declared.union(WRITTEN, FLAT, HOOKS, FIELD_FACTS, MORE, (fact.upper() for fact in FACTS))


def _of_usual_prompt(
    usual: Starter | None, given: Mapping[str, Any], fields: tuple[StateField, ...], layout: Layout
) -> dict[str, Any]:
    """The hooks that follow from the default prompt; none where the file describes what it sends by itself."""
    if usual is None or "starter" in given:
        return {}
    return {"starter": lambda setup: usual, "reading": PromptReading(fields, layout)}


def _said(names: Mapping[str, Any]) -> tuple[str, str]:
    """Title and description, by default from the first line of the file's docstring, such as "Nim: take sticks."."""
    title, colon, about = (names.get("__doc__") or "").strip().partition("\n")[0].partition(": ")
    if not colon:
        title, about = "", title
    return title, str(names.get("ABOUT", about))


# --- what must be there


def _seats(file: str, names: Mapping[str, Any]) -> tuple[int, int]:
    given = names.get("SEATS", 2)
    fewest, most = given if isinstance(given, tuple) and len(given) == 2 else (given, given)
    if not (isinstance(fewest, int) and isinstance(most, int) and 1 <= fewest <= most):
        raise _wrong(file, "SEATS", given)
    return fewest, most


def _check_needed(file: str, names: Mapping[str, Any], seats: tuple[int, int]) -> None:
    """Raises `OperatorError` for the first name that is missing, or is not what it should be."""
    for name in ("LAYOUT", "ACTIONS", "is_legal", "step"):
        if name not in names:
            raise OperatorError("game-file-omits", file=file, name=name, written=WRITTEN[name])
    if not isinstance(names["LAYOUT"], Layout):
        raise _wrong(file, "LAYOUT", names["LAYOUT"])
    if not isinstance(names["ACTIONS"], int) or names["ACTIONS"] < 1:
        raise _wrong(file, "ACTIONS", names["ACTIONS"])
    reasons = names.get("REASONS", {})
    if not isinstance(reasons, Mapping) or not all(isinstance(number, int) for number in reasons):
        raise _wrong(file, "REASONS", reasons)
    fields = names["LAYOUT"].shapes
    if seats[0] != seats[1] and fields.get("seats") != ():
        raise OperatorError("game-file-seats", file=file, fewest=seats[0], most=seats[1])
    if "acts" not in names and "turn" not in fields and names.get("TURNS") != Turns.SIMULTANEOUS.value:
        _refuse_missing(file, "acts")
    if "over" not in names and "ended" not in fields:
        _refuse_missing(file, "over")
    if "winner" not in names and "score" not in names:
        _refuse_missing(file, "winner")
    if any(name in names for name in ("roll", "deal", "needs_dice")):
        for name in ("needs_dice", "roll", "deal", "DICE"):
            if name not in names:
                raise OperatorError("game-file-omits", file=file, name=name, written=WRITTEN[name])
    if ("count_legal" in names) != ("kth_legal" in names):
        missing = "kth_legal" if "count_legal" in names else "count_legal"
        raise OperatorError("game-file-omits", file=file, name=missing, written=WRITTEN[missing])
    for name in WRITTEN:
        if name.islower() and name in names:
            _check_arguments(file, name, names[name])


def _wrong(file: str, fact: str, given: Any) -> OperatorError:
    return OperatorError("game-file-value", file=file, fact=fact, given=given_as(given), takes=WRITTEN[fact])


def _refuse_missing(file: str, name: str) -> None:
    raise OperatorError("game-file-omits-or", file=file, name=name, written=WRITTEN[name], instead=OR[name])


def _check_arguments(file: str, name: str, function: Any) -> None:
    """Refuse what is no function, and a function of another number of arguments."""
    wanted = WRITTEN[name].partition("(")[2].partition(")")[0].split(", ")
    code = getattr(function, "__code__", None)
    if code is None or code.co_argcount != len(wanted):
        raise OperatorError("game-file-arguments", file=file, name=name, written=WRITTEN[name])


def _choice(file: str, names: Mapping[str, Any], fact: str, usual: Any) -> Any:
    """One of an enum's values, which a file may name by its text."""
    given = names.get(fact, usual)
    kind = type(usual)
    try:
        return given if isinstance(given, kind) else kind(given)
    except ValueError as error:
        takes = ", ".join(f'"{each.value}"' for each in kind)
        raise OperatorError("game-file-value", file=file, fact=fact, given=given_as(given), takes=takes) from error


# --- what follows


def _rules(
    file: PurePath, names: Mapping[str, Any], seats: tuple[int, int], fields: tuple[StateField, ...]
) -> dict[str, Any]:
    """All names of the rules: the file's own, which count as flat, and the defaults."""
    wanted = {*Rules.__annotations__, *(name for name in vars(Rules) if not name.startswith("_")), "score", "reason"}
    rules = {name: names[name] for name in wanted if name in names}
    for name in FLAT:
        if isinstance(names.get(name), FunctionType):
            _mark(names[name])
    declared = [field.name for field in fields]
    gives_up = not {"CONCESSIONS", "answer"} & set(names) and not {"gave_up", "stand_ins"} & set(declared)
    count = "s.seats" if seats[0] != seats[1] else str(seats[0])
    simultaneous = _choice(file.name, names, "TURNS", Turns.ALTERNATING) is Turns.SIMULTANEOUS
    usual = source.simple_rules(count, simultaneous, names.__contains__, declared, gives_up)
    text = "".join(each for name, each in usual.items() if name not in rules)
    rules |= source.made(text, str(file), {**_known(names, rules), "ACTIONS": names["ACTIONS"]})
    rules = {**RULES, **rules}
    return {**rules, **_giving_up(file, names, rules, count, seats[1])} if gives_up else rules


def _known(names: Mapping[str, Any], rules: Mapping[str, Any]) -> dict[str, Any]:
    """What source made for a file may call: the rules so far."""
    known = {name: value for name, value in rules.items() if isinstance(value, FunctionType)}
    return {"__name__": _module(names), **known}


def _giving_up(
    file: PurePath, names: Mapping[str, Any], rules: Mapping[str, Any], count: str, most: int
) -> dict[str, Any]:
    """What differs in the rules when a seat may give up: one more action, and two fields of the state."""
    layout = names["LAYOUT"]
    wide, (name, kind) = source.FIELDS_OF_GIVING_UP
    declared = [(field, kinds, layout.shapes[field] or 0) for field, kinds, _ in layout.fields]
    extended = Layout(layout.name, *declared, wide, (name, kind, most))
    given_up = max((1, *dict(names.get("REASONS", {})))) + 1
    own = {f"own_{name}": rules[name] for name in ("is_legal", "over", "step", "winner", "places")}
    known = {"__name__": _module(names), **own, "acts": rules["acts"]}
    known |= {"GIVE_UP": names["ACTIONS"], "GAVE_UP": given_up, "MAX_STAND_INS": source.MAX_STAND_INS}
    made = source.made(source.GIVING_UP.format(seats=count), str(file), known)
    # what lists actions asks for what is legal, and so does the prompt
    listed = (
        {"legal": rules["legal"]}
        if "legal" in names
        else source.made(source.LEGAL, str(file), {**known, **made, "ACTIONS": names["ACTIONS"]})
    )
    facts = {"LAYOUT": extended, "ACTIONS": names["ACTIONS"] + 1, "CONCESSIONS": (names["ACTIONS"],)}
    return {**made, **listed, **facts, "GAVE_UP": given_up}


def _fields_of_giving_up(seats: int) -> tuple[StateField, ...]:
    """What a state has besides: who has given up, 1 by seat, of which bots are told; and a count of stand-ins."""
    (wide, count, _), (name, kind) = source.FIELDS_OF_GIVING_UP
    return (
        StateField(name=name, kind=kind, shape=(seats,), by_seat=True, low=0.0, high=1.0),
        StateField(name=wide, kind=count, shape=(), low=0.0, high=float(source.MAX_STAND_INS)),
    )


def _possible(fields: tuple[StateField, ...], names: Mapping[str, Any]) -> Callable[[State], bool]:
    """Whether a match can come to a state: numbers are in their fields' ranges, and the file's `possible` agrees."""
    own = names.get("possible")

    def possible(state: State) -> bool:
        return outside(fields, state) is None and (own is None or bool(own(state)))

    return possible


def _mark(function: FunctionType) -> None:
    """Mark a function as flat, and every function of the same file that it calls."""
    if getattr(function, "__flat__", False):
        return
    flat(function)
    for name in function.__code__.co_names:
        called = function.__globals__.get(name)
        if isinstance(called, FunctionType) and called.__globals__ is function.__globals__:
            _mark(called)


def _module(names: Mapping[str, Any]) -> str:
    return str(names.get("__name__", "game"))


def _reasons(
    name: str, given: Mapping[int, str], gave_up: int | None, catalogue: Catalogue
) -> tuple[dict[int, str], dict[str, dict[str, str]]]:
    """Why a match ended, as keys, and the catalogue that has them: a reason is its own English sentence, or a key.

    `gave_up` is the number for a match that nobody else was left to play.
    """
    own = {language: dict(catalogue.get(language, {})) for language in LANGUAGES}
    general = {OVER} | ({GAVE_UP} if gave_up is not None else set())
    for language, key in ((language, key) for language in LANGUAGES for key in general):
        own[language].setdefault(key, Speaker(language).say(key))
    english = own[LANGUAGES[0]]
    reasons = Reasons({1: OVER} if 1 not in given else {})
    for number, sentence in given.items():
        reasons[number] = sentence if sentence in english else f"{name}.reason.{number}"
        english.setdefault(reasons[number], sentence)
    if gave_up is not None:
        reasons[gave_up] = GAVE_UP
    return reasons, own


def _labels(name: str, fields: tuple[StateField, ...], own: dict[str, dict[str, str]]) -> dict[str, str]:
    """By field, the key of what people call it, in the game's catalogue `own` or in ours.

    The file's LABELS are put into the catalogue, as its reasons are; a field that nobody names has no key.
    """
    found = {}
    english = own[LANGUAGES[0]]
    for field in fields:
        key, usual = f"{name}.label.{field.name}", f"field-name.{field.name}"
        if field.label:
            english.setdefault(key, field.label)
        if key in english or has(usual):
            found[field.name] = key if key in english else usual
    return found


class Reasons(dict[int, str]):
    """Keys of reasons; a number that has none is simply the end of the match."""

    def __missing__(self, number: int) -> str:
        return OVER


def _protocol(
    file: PurePath, names: Mapping[str, Any], rules: Mapping[str, Any], fields: tuple[StateField, ...], seats: int
) -> tuple[dict[str, Any], Starter | None]:
    """All names of the protocol that this file decides, and what its prompt is, if that is the default one."""
    wanted = {*TextProtocol.__annotations__, *(name for name in vars(TextProtocol) if not name.startswith("_"))}
    protocol = {name: names[name] for name in wanted if name in names}
    concessions = tuple(rules["CONCESSIONS"])
    text = protocol.get("text", str)
    if rules["ACTIONS"] > names["ACTIONS"]:
        protocol["text"] = lambda action: GIVE_UP if action == names["ACTIONS"] else text(action)
    protocol.setdefault("text", text)
    if "prompt" in protocol:
        if "PROMPT_BYTES" not in protocol:
            raise OperatorError("game-file-omits", file=file.name, name="PROMPT_BYTES", written="PROMPT_BYTES = 1000")
        return protocol, None
    texts = [
        _word(file.name, protocol["text"], action) for action in range(max((rules["ACTIONS"] - 1, *concessions)) + 1)
    ]
    words = [texts[action] for action in (*range(rules["ACTIONS"]), *concessions)]
    usual = described(fields, seats, words)
    prompt, known, size = source.prompt(usual, fields, texts, names["ACTIONS"], concessions)
    known |= {"__name__": _module(names), "is_legal": rules["is_legal"]}
    protocol["prompt"] = source.made(prompt, str(file), known)["prompt"]
    if "legal" in names:  # in plain Python, to ask of every action takes most of a turn
        known["listed"] = source.listing(rules["legal"], names["ACTIONS"])
        plain = source.made(source.by_list(prompt, names["ACTIONS"]), str(file), known)["prompt"]
        protocol["prompt"] = flat_as(protocol["prompt"])(plain)
    protocol["PROMPT_BYTES"] = size
    return protocol, usual


def _word(file: str, text: Callable[[int], str], action: int) -> str:
    """An action's text, which is one word in the prompt's last line."""
    found = text(action)
    if not isinstance(found, str) or not found or any(not "!" <= sign <= "~" for sign in found):
        raise OperatorError("game-file-text", file=file, action=action, text=repr(found))
    return found


def _start(names: Mapping[str, Any]) -> Callable[..., None]:
    """What makes the first state: it knows how many seats there are, then it is the file's own `start`."""
    own = names.get("start")
    has_seats = names["LAYOUT"].shapes.get("seats") == ()

    def start(state: State, setup: Mapping[str, Any], seats: int) -> None:
        if has_seats:
            state.seats = seats
        if own is not None:
            own(state, setup, seats)

    return start


def _seat_outcome(
    winner: Callable[[State], int], seats: tuple[int, int], gives_up: bool
) -> Callable[[State, int], Message]:
    """What became of a seat: it gave up, it won, it lost to the only other one, or nobody won."""

    def seat_outcome(state: State, seat: int) -> Message:
        if gives_up and state.gave_up[seat]:
            return Message("fate.gave-up")
        first = winner(state)
        if first == seat:
            return Message("fate.won")
        if seats == (2, 2):
            return Message("fate.lost" if first >= 0 else "fate.drew")
        return Message("fate.played")

    return seat_outcome


# --- what a learner sees


class GeneralObservation(SimpleNamespace):
    """The default observation; what is always the same in it is so because the game says nothing better."""

    is_general = True


def _observation(
    file: PurePath, names: Mapping[str, Any], fields: tuple[StateField, ...], seats: tuple[int, int]
) -> ObservationSpace | Any:
    """What a learner sees: the file's own observation, or all that the prompt has, as numbers."""
    if "observe" in names:
        for name in ("KIND", "SHAPE", "PLANES"):
            if name not in names:
                raise OperatorError("game-file-omits", file=file.name, name=name, written=f"{name} = ...")
        return SimpleNamespace(**{name: names[name] for name in ("KIND", "SHAPE", "PLANES", "observe")})
    seen = [field for field in fields if field.is_told]
    grid = next((field.board for field in seen if field.board), ())
    cells = grid[0] * grid[1] if grid else 1
    planes = [Plane("seat", 0, max(1, seats[1] - 1), "the number of the seat")]
    for field in seen:
        count = field.rows * field.columns // (cells if grid and field.board == grid else 1)
        planes += [_plane(field, at, count) for at in range(count)]
    count_of_seats = "s.seats" if seats[0] != seats[1] else str(seats[0])
    text = source.observe(seen, cells, grid, seats[1], count_of_seats)
    known = {"__name__": _module(names), "fill": source.fill}
    kinds = {field.kind for field in seen} | {"i1"}
    return GeneralObservation(
        KIND="f4" if kinds - {"i1", "i2"} else "i2" if "i2" in kinds else "i1",
        SHAPE=tuple(grid),
        PLANES=tuple(planes),
        observe=source.made(text, str(file), known)["observe"],
    )


def _plane(field: StateField, at: int, count: int) -> Plane:
    """Plane `at` of the `count` that show a field; what belongs to seats is told from the observing seat on."""
    seats = field.shape[0] if field.by_seat and not field.is_own else 1
    each = count // seats
    named = f"{field.name} ({field.meaning})" if field.meaning else field.name
    what = f"the field {named}" if each == 1 else f"number {at % each} of the field {named}"
    if field.by_seat:
        further = at // each
        whose = f"the seat {further} after it" if further > 1 else ("the observing seat", "the next seat")[further]
        what = f"{what}, of {whose}"
    if field.owners:
        what = f"{what}; 0: nobody's, 1: the observing seat's, 2: the next one's, and so on"
    elif field.signs:
        what += "; " + ", ".join(f"{value}: {sign}" for value, sign in enumerate(field.signs))
    return Plane(field.name if count == 1 else f"{field.name}[{at}]", field.low, field.high, what)
