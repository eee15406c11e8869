"""Battlesnake by its rules: what each turn does, in the order in which it happens."""

from __future__ import annotations

import random
import subprocess
import sys

import pytest

import dohyo
from dohyo.classics.battlesnake_api import body_of, message
from dohyo.classics.battlesnake_hazards import MAPS
from dohyo.core import playback
from dohyo.core.faults import Fault, FaultKind
from dohyo.core.http_messages import HttpMatch
from dohyo.core.options import resolve
from dohyo.core.referee import Answer, Referee
from tests.classics.games import classic

UP, DOWN, LEFT, RIGHT = range(4)
SIZE = 11


def board(snakes, food=(), health=100, **more):
    """A state with these snakes: for each its places as (row, column), the head first; equal last ones are a tail
    that stays."""
    game = classic("battlesnake")
    state = game.new_state({"food": 0, "chance": 0, "turns": 1000}, len(snakes))
    state.turn, state.dealt = 5, 1
    for seat, places in enumerate(snakes):
        state.head[seat] = places[0][0] * SIZE + places[0][1]
        state.length[seat], state.health[seat] = len(places), health
        for at, (row, column) in reversed([*enumerate(places)]):
            state.snakes[row * SIZE + column] = seat + 1
            state.life[row * SIZE + column] = max(state.life[row * SIZE + column], len(places) - at)
    for row, column in food:
        state.food[row * SIZE + column] = 1
    for name, value in more.items():
        setattr(state, name, value)
    assert game.possible(state)
    return state


def play(state, *actions):
    """One turn."""
    classic("battlesnake").rules.step(state, [*actions, *[0] * 8][:8], None)
    return state


def row(at, *columns):
    """Places in a row of the board."""
    return [(at, column) for column in columns]


def is_out(state):
    """By seat, whether the snake is out."""
    return [state.died[seat] > 0 for seat in range(state.seats)]


FAR = row(10, 10, 9, 8)


def test_a_snake_moves_its_head_and_takes_its_tail_along():
    """Length stays, health falls by 1, the last place is free again."""
    state = play(board([row(5, 5, 4, 3), FAR]), UP, UP)
    assert state.head[0] == 4 * SIZE + 5
    assert (state.length[0], state.health[0]) == (3, 99)
    assert state.snakes[5 * SIZE + 3] == 0
    assert [state.life[place] for place in (4 * SIZE + 5, 5 * SIZE + 5, 5 * SIZE + 4)] == [3, 2, 1]


def test_who_eats_grows_a_turn_later_at_its_tail():
    """All health again at once; the tail stays where it is for the next turn."""
    state = play(board([row(5, 5, 4, 3), FAR], food=[(4, 5)], health=7), UP, UP)
    assert (state.length[0], state.health[0], state.food[4 * SIZE + 5]) == (4, 100, 0)
    assert state.snakes[5 * SIZE + 4] == 1
    state = play(state, UP, LEFT)
    assert state.snakes[5 * SIZE + 4] == 1
    assert play(state, UP, LEFT).snakes[5 * SIZE + 4] == 0


def test_who_starves_is_out_unless_it_eats_in_that_turn():
    """The last point of health is enough to reach food."""
    assert is_out(play(board([row(5, 5, 4, 3), FAR], food=[(4, 5)], health=1), UP, UP)) == [False, True]
    assert is_out(play(board([row(5, 5, 4, 3), FAR], food=[(9, 10)], health=1), UP, UP)) == [True, False]


@pytest.mark.parametrize(("place", "action"), [((0, 5), UP), ((10, 5), DOWN), ((5, 0), LEFT), ((5, 10), RIGHT)])
def test_the_wall_is_the_end(place, action):
    """On all four sides."""
    state = play(board([[place] * 3, row(3, 3, 4, 5)]), action, LEFT)
    assert is_out(state) == [True, False]
    assert state.ended == 1


def test_a_body_is_the_end_of_whoever_runs_into_it():
    """One's own and the others', but not a tail that moves away."""
    assert is_out(play(board([row(5, 5, 4, 3), FAR]), LEFT, UP)) == [True, False]
    assert is_out(play(board([[(4, 4)] * 3, row(5, 5, 4, 3), FAR]), DOWN, UP, UP)) == [True, False, False]
    assert is_out(play(board([[(4, 3)] * 3, row(5, 5, 4, 3), FAR]), DOWN, UP, UP)) == [False, False, False]


def test_a_tail_that_has_just_eaten_does_not_move_away():
    """The place of a stacked tail is taken for one more turn."""
    ate = [*row(5, 5, 4, 3), (5, 3)]
    assert is_out(play(board([[(4, 3)] * 3, ate, FAR]), DOWN, UP, UP)) == [True, False, False]


@pytest.mark.parametrize(("longer", "out"), [(0, [True, True]), (1, [False, True]), (-1, [True, False])])
def test_heads_that_meet_let_the_longer_one_live(longer, out):
    """Equal ones are both out."""
    first = [(5, column) for column in range(4, 1 - max(0, longer), -1)]
    second = [(5, column) for column in range(6, 9 + max(0, -longer))]
    assert is_out(play(board([first, second, FAR]), RIGHT, LEFT, UP)) == [*out, False]


def test_heads_that_meet_on_food_both_eat_it_first():
    """The lengths that count are those after the meal, and the food is gone."""
    state = play(board([row(5, 4, 3, 2), row(5, 6, 7, 8, 9), FAR], food=[(5, 5)]), RIGHT, LEFT, UP)
    assert is_out(state) == [True, False, False]
    assert (state.length[1], state.food[5 * SIZE + 5]) == (5, 0)


def test_who_leaves_by_the_wall_is_in_nobodys_way():
    """Snakes that starve or leave the board are taken away before others collide with them."""
    state = play(board([row(0, 5, 4, 3), [(1, 4)] * 3, FAR]), UP, UP, UP)
    assert is_out(state) == [True, False, False]


def test_the_last_snake_wins_and_places_follow_the_turns():
    """Those that are out in the same turn share a place."""
    game = classic("battlesnake")
    state = play(board([[(0, 5)] * 3, [(0, 7)] * 3, FAR]), UP, UP, UP)
    places = [0] * 3
    game.rules.places(state, places)
    assert (state.ended, game.rules.winner(state), places) == (1, 2, [2, 2, 1])
    assert game.score(state, 3) == (6, 6, 7)


def test_nobody_wins_when_the_last_ones_go_together():
    """A draw between them."""
    state = play(board([[(0, 5)] * 3, [(0, 7)] * 3]), UP, UP)
    assert (state.ended, classic("battlesnake").rules.winner(state)) == (2, -1)


@pytest.mark.parametrize("seats", [2, 4, 8])
def test_a_match_begins_as_the_standard_map_does(seats):
    """Every snake on a place of its own, coiled up, food two steps from it and not in a corner, and in the centre."""
    game = classic("battlesnake")
    for seed in range(30):
        state = Referee(game, {"food": 1, "chance": 15, "turns": 1000}, seats, seed).state
        heads = [divmod(state.head[seat], SIZE) for seat in range(seats)]
        assert len({*heads}) == seats
        assert all({row, column} <= {1, 5, 9} and (row, column) != (5, 5) for row, column in heads)
        food = {divmod(place, SIZE) for place in range(SIZE * SIZE) if state.food[place]}
        assert len(food) == seats + 1
        assert (5, 5) in food
        assert not food & {(0, 0), (0, 10), (10, 0), (10, 10)}
        for row, column in heads:
            assert any(abs(row - r) == 1 and abs(column - c) == 1 for r, c in food)


@pytest.mark.parametrize("seats", [2, 3, 4, 6, 8])
def test_the_first_four_begin_all_near_corners_or_all_between_them(seats):
    """Both happen, every place comes to every seat, and the other places are for further snakes."""
    game = classic("battlesnake")
    corners, taken = set(), set()
    for seed in range(120):
        state = Referee(game, {"food": 1, "chance": 15, "turns": 1000}, seats, seed).state
        near = ["5" not in f"{state.head[seat] // SIZE} {state.head[seat] % SIZE}" for seat in range(seats)]
        assert len({*near[:4]}) == 1
        assert all(each != near[0] for each in near[4:])
        corners.add(near[0])
        taken |= {(seat, state.head[seat]) for seat in range(seats)}
    assert corners == {False, True}
    assert len(taken) == 8 * seats


def turn_of(bodies, health, food, actions):
    """A turn played another way, on lists of places that begin with the head: in the order of the standard rules."""
    down, right = (-1, 1, 0, 0), (0, 0, -1, 1)
    alive = sorted(bodies)
    for seat in alive:
        (row, column), way = bodies[seat][0], actions[seat]
        bodies[seat] = [(row + down[way], column + right[way]), *bodies[seat][:-1]]
        health[seat] -= 1
    eaten = {bodies[seat][0] for seat in alive} & food
    for seat in alive:
        if bodies[seat][0] in eaten:
            health[seat] = 100
            bodies[seat].append(bodies[seat][-1])
    food -= eaten
    for seat in alive:
        if health[seat] == 0 or not all(0 <= at < SIZE for at in bodies[seat][0]):
            del bodies[seat]
    out = set()
    for seat, body in bodies.items():
        for other, its in bodies.items():
            meets = seat != other and its[0] == body[0] and len(its) >= len(body)
            if body[0] in its[1:] or meets:
                out.add(seat)
    for seat in out:
        del bodies[seat]


@pytest.mark.parametrize("seats", [2, 4, 8])
def test_turns_are_as_they_are_played_another_way(seats):
    """In random matches of snakes that like to live: bodies, health, food, and who is out."""
    game, out = classic("battlesnake"), 0
    for seed in range(12):
        chooser = random.Random(seed)
        referee = Referee(game, {"food": 6, "chance": 50, "turns": 150}, seats, seed)
        bodies = {seat: [divmod(referee.state.head[seat], SIZE)] * 3 for seat in range(seats)}
        health = dict.fromkeys(range(seats), 100)
        while not referee.over:
            state = referee.state
            food = {divmod(place, SIZE) for place in range(SIZE * SIZE) if state.food[place]}
            actions = {seat: chooser.choice(liked(state, seat)) for seat in bodies}
            referee.submit({seat: Answer(game.protocol.text(action)) for seat, action in actions.items()})
            turn_of(bodies, health, food, actions)
            state = referee.state
            assert [seat for seat in range(seats) if state.died[seat] == 0] == sorted(bodies)
            for seat, body in bodies.items():
                assert [divmod(place, SIZE) for place in body_of(state, seat)] == body
                assert (state.health[seat], state.length[seat]) == (health[seat], len(body))
            assert food <= {divmod(place, SIZE) for place in range(SIZE * SIZE) if state.food[place]}
        out += seats - len(bodies)
    assert out > 5 * seats


def liked(state, seat):
    """The ways to places that are free, if there are any, now and then all."""
    row, column = divmod(state.head[seat], SIZE)
    free = []
    for way, (r, c) in enumerate([(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]):
        if 0 <= r < SIZE and 0 <= c < SIZE and state.snakes[r * SIZE + c] == 0:
            free.append(way)
    return free if free and (state.turn + seat) % 11 else list(range(4))


def test_food_appears_where_no_head_can_reach_it_at_once():
    """Always the least number, and by chance one more."""
    game = classic("battlesnake")
    referee = Referee(game, {"food": 6, "chance": 0, "turns": 60}, 2, 4)
    appeared = 0
    while not referee.over:
        before = {place for place in range(SIZE * SIZE) if referee.state.food[place]}
        ways = {seat: Answer(("up", "right", "down", "left")[referee.turn % 4]) for seat in referee.pending()}
        referee.submit(ways)
        if referee.over:
            break
        state = referee.state
        now = {place for place in range(SIZE * SIZE) if state.food[place]}
        assert len(now) >= 6
        heads = [divmod(state.head[seat], SIZE) for seat in range(2) if state.died[seat] == 0]
        for row, column in (divmod(place, SIZE) for place in now - before):
            appeared += 1
            assert all(abs(row - r) + abs(column - c) > 1 for r, c in heads)
    assert appeared


@pytest.mark.parametrize(("chance", "shares"), [(0, (0, 0)), (1, (0, 0)), (15, (0.12, 0.16)), (100, (0.98, 0.999))])
def test_more_food_appears_as_often_as_by_the_official_rules(chance, shares):
    """There `(100 - rand) < chance`: never with 1, 14 times in 100 with 15, and not even with 100 always."""
    game = classic("battlesnake")
    state = board([row(5, 5, 4, 3), FAR], chance=chance, dealt=0)
    source, dice, found = game.source(7), [0] * game.rules.DICE, []
    for _ in range(4000):
        game.rules.roll(state, source, dice)
        found.append(dice[0])
    share = sum(found) / len(found)
    assert shares[0] <= share <= shares[1]


def test_who_does_not_answer_goes_straight_on():
    """Up before the first move; a late answer or nonsense does not end its part, the end of its program does."""
    game = classic("battlesnake")
    state = board([row(5, 5, 4, 3), FAR])
    late = Fault(FaultKind.TIMEOUT, "")
    assert game.protocol.answer(state, 0, late) == UP
    state = play(state, RIGHT, UP)
    assert game.protocol.answer(state, 0, late) == RIGHT
    assert [game.protocol.stops(Fault(kind, "")) for kind in (FaultKind.TIMEOUT, FaultKind.EXITED)] == [False, True]


def test_the_sample_bot_outlives_random_ones():
    """It wins nearly always."""
    won = [
        dohyo.play(classic("battlesnake"), ["roomy", "random", "random"], seed=seed, sandbox="none").result.places[0]
        for seed in range(4)
    ]
    assert won == [1, 1, 1, 1]


# --- hazards


def with_hazards(places, snakes, damage=14, **more):
    """A state with these snakes, and hazards that come one by one."""
    state = board(snakes, **more)
    state.map, state.every, state.damage = MAPS.index("hz_scatter"), 2, damage
    for row, column in places:
        state.hazards[row * SIZE + column] = 1
    assert classic("battlesnake").possible(state)
    return state


def test_a_hazard_costs_its_damage_beside_the_usual_health():
    """The head's place counts after the move, not the body's, and not the one that it leaves."""
    state = play(with_hazards([(4, 5), (5, 4)], [row(5, 5, 4, 3), FAR]), UP, UP)
    assert list(state.health[:2]) == [85, 99]
    assert play(state, UP, LEFT).health[0] == 84


def test_food_in_a_hazard_saves_whoever_eats_it():
    """All health, no damage, even with the last point of health."""
    state = with_hazards([(4, 5)], [row(5, 5, 4, 3), FAR], damage=100, food=[(4, 5)], health=1)
    state = play(state, UP, LEFT)
    assert (state.health[0], state.length[0], is_out(state)[0]) == (100, 4, False)
    assert state.hazards[4 * SIZE + 5] == 1


@pytest.mark.parametrize(("health", "out"), [(16, False), (15, True), (3, True)])
def test_who_has_no_more_health_than_a_hazard_costs_is_out(health, out):
    """With 16, one point is left of 14 and the usual 1; whoever is out so is in nobody's way."""
    state = play(with_hazards([(4, 5)], [row(5, 5, 4, 3), FAR, row(9, 9, 8, 7)], health=health), UP, UP, UP)
    assert is_out(state) == [out, False, False]
    assert (state.snakes[4 * SIZE + 5] == 0) == out


def test_whoever_a_hazard_ends_is_in_nobodys_way():
    """A longer snake whose health is over does not end the one whose head meets its."""
    snakes = [row(5, 4, 3, 2, 1), row(5, 6, 7, 8), FAR]
    state = with_hazards([(5, 5)], snakes)
    state.health[0] = 10
    assert is_out(play(state, RIGHT, LEFT, UP)) == [True, False, False]


def hazards_by_turn(name, seed, turns=250, shrink=25):
    """The places of hazards before each turn of a match on this map; its snakes go round in circles."""
    game = classic("battlesnake")
    setup = {"map": name, "damage": 0, "shrink": shrink, "food": 20, "chance": 100, "turns": turns}
    referee, found = Referee(game, resolve(game.options, setup), 2, seed), []
    while not referee.over:
        found.append({divmod(place, SIZE) for place in range(SIZE * SIZE) if referee.state.hazards[place]})
        for seat in range(2):  # who stays short and healthy
            referee.state.health[seat] = 100
            referee.state.food[:] = [0] * (SIZE * SIZE)
        referee.submit(
            {seat: Answer(("up", "right", "down", "left")[referee.turn % 4]) for seat in referee.pending()}
        )
    return found


@pytest.mark.parametrize(
    ("name", "count", "some"),
    [
        ("hz_inner_wall", 32, {(1, 1), (1, 5), (9, 9), (5, 1)}),
        ("hz_rings", 48, {(1, 1), (3, 3), (7, 5), (9, 2)}),
        ("hz_columns", 25, {(1, 1), (1, 3), (5, 5), (9, 9)}),
    ],
)
def test_maps_that_stay_have_their_hazards_from_the_start(name, count, some):
    """As many as the official maps have, in the same places, in every turn."""
    found = hazards_by_turn(name, 1, turns=30)
    assert {len(each) for each in found} == {count}
    assert some <= found[0]


def test_royale_shrinks_by_a_side_at_its_turns():
    """A whole row or column more each time, on a side that the seed decides; nothing between."""
    found = hazards_by_turn("royale", 3, turns=60, shrink=10)
    assert [bool(each) for each in found[:12]] == [False] * 10 + [True] * 2
    changes = [turn for turn in range(1, 60) if found[turn] != found[turn - 1]]
    assert changes == [10, 20, 30, 40, 50]
    safe = [(r, c) for r in range(SIZE) for c in range(SIZE) if (r, c) not in found[-1]]
    rows, columns = {r for r, _ in safe}, {c for _, c in safe}
    assert len(safe) == len(rows) * len(columns)
    assert 2 * SIZE - len(rows) - len(columns) == 5
    firsts = {frozenset(hazards_by_turn("royale", seed, turns=2, shrink=1)[1]) for seed in range(30)}
    assert len(firsts) == 4


@pytest.mark.parametrize(
    ("name", "first", "every", "most"),
    [
        ("hz_spiral", 3, 3, 1),
        ("hz_scatter", 2, 2, 1),
        ("hz_grow_box", 1, 12, SIZE),
        ("hz_expand_box", 1, 20, 4 * SIZE),
        ("hz_expand_scatter", 1, 2, 1),
    ],
)
def test_maps_that_grow_do_so_at_their_turns(name, first, every, most):
    """They only gain places, at most so many at once, and only in the turns that the official map has for it."""
    found = hazards_by_turn(name, 5)
    assert len(found[first]) == 1
    for turn in range(1, len(found)):
        new = found[turn] - found[turn - 1]
        assert found[turn - 1] <= found[turn]
        assert len(new) <= most
        assert not new or (turn - first) % every == 0
    assert len(found[-1]) > 9


def test_a_spiral_goes_round_its_first_place():
    """To the place above, then with the clock."""
    found = hazards_by_turn("hz_spiral", 5, turns=34)
    (row, column) = next(iter(found[3]))
    order = [next(iter(found[turn] - found[turn - 1])) for turn in range(6, 33, 3)]
    ring = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-2, -1)]
    assert order == [(row + down, column + right) for down, right in ring]


def test_servers_are_told_of_hazards():
    """The places, and the settings by the names of the API."""
    game = classic("battlesnake")
    match = HttpMatch("m", ["a", "b"], {}, 500, ["0", "0"], ["", ""])
    state = game.new_state(resolve(game.options, {"map": "hz_columns", "damage": 15}), 2)
    _, told = message("move", state, 0, match)
    assert {"x": 1, "y": 9} in told["board"]["hazards"]
    assert len(told["board"]["hazards"]) == 25
    settings = told["game"]["ruleset"]["settings"]
    assert (told["game"]["map"], settings["hazardMap"], settings["hazardDamagePerTurn"]) == ("hz_columns",) * 2 + (
        15,
    )
    state = game.new_state(resolve(game.options, {"map": "royale", "shrink": 7}), 2)
    told = message("move", state, 0, match)[1]["game"]
    settings = told["ruleset"]["settings"]
    assert (told["ruleset"]["name"], told["map"], settings["royale"]) == (
        "royale",
        "royale",
        {"shrinkEveryNTurns": 7},
    )
    assert (settings["hazardMap"], settings["hazardDamagePerTurn"]) == ("", 14)
    plain = message("move", game.new_state(resolve(game.options, {}), 2), 0, match)[1]
    assert (plain["board"]["hazards"], plain["game"]["map"]) == ([], "standard")
    assert plain["game"]["ruleset"]["settings"]["hazardDamagePerTurn"] == 0


@pytest.mark.parametrize("name", ["royale", "hz_spiral"])
def test_matches_with_hazards_are_played_again_from_their_replay(name):
    """Each digest and the result, hazards with them; another map is another match."""
    replay = dohyo.play("battlesnake", ["roomy", "random"], seed=2, setup={"map": name, "shrink": 1}, sandbox="none")
    last = list(playback.moments(classic("battlesnake"), replay))[-1].after
    assert any(last.hazards)
    replay.header.setup["map"] = "standard"
    with pytest.raises(playback.ReplayError):
        list(playback.moments(classic("battlesnake"), replay))


@pytest.mark.parametrize("name", ["royale", "hz_spiral", "hz_grow_box", "hz_expand_box", "hz_expand_scatter"])
def test_a_match_goes_on_from_where_it_was_interrupted(name):
    """Also between a turn and the next one's dice, with which that turn's hazards come."""
    replay = dohyo.play("battlesnake", ["roomy", "roomy"], seed=3, setup={"map": name}, sandbox="none")
    game = classic("battlesnake")
    assert len(replay.turns) > 42
    for moment in playback.moments(game, replay):
        assert game.possible(moment.after), moment.turn.turn


def test_the_sample_bot_keeps_out_of_hazards():
    """Where it can go round them; hungry beside food in one, it eats."""
    state = with_hazards([(4, 5)], [row(5, 5, 4, 3), FAR], damage=50)
    assert roomy(state) != "up"
    state.food[4 * SIZE + 5] = 1
    state.health[0] = 5
    assert roomy(state) == "up"


def roomy(state):
    """What the sample bot does on seat 0."""
    game = classic("battlesnake")
    program = [sys.executable, str(game.folder / "bots" / "roomy.py")]
    done = subprocess.run(program, input=game.prompt(state, 0), capture_output=True, check=True)
    return done.stdout.decode().strip()
