"""Pictures of a match, `render_mode="rgb_array"`: the terminal view in its colours, without a browser."""

from __future__ import annotations

import gymnasium
import numpy
import pytest

from dohyo.core.game import Game
from dohyo.rl import AEC, Env, Parallel
from dohyo.rl.picture import HEIGHT, INK, PAPER, WIDTH, glyphs, picture
from dohyo.rl.registration import id_of
from tests.rl.small import any_legal, every_game, short


def cell(array: object, row: int, column: int) -> numpy.ndarray:
    """The points of one character; row 1 and column 1 are the first of the text."""
    return array[row * HEIGHT : (row + 1) * HEIGHT, column * WIDTH : (column + 1) * WIDTH]  # type: ignore[index, no-any-return]


@every_game
def test_every_game_has_pictures_of_one_size_that_change(game: Game) -> None:
    """`render` gives points, as Gymnasium's wrappers want them: the same size through a match, and not the same."""
    env, chance = gymnasium.make(id_of(game), render_mode="rgb_array", **short(game)), numpy.random.default_rng(1)
    _, info = env.reset(seed=5)
    pictures = [env.render()]
    for _ in range(8):
        *_, info = env.step(any_legal(info["action_mask"], chance))
        pictures.append(env.render())
        if not info["action_mask"].any():
            break
    env.close()
    for one in pictures:
        assert isinstance(one, numpy.ndarray)
        assert one.dtype == numpy.uint8
        assert one.shape == pictures[0].shape  # type: ignore[union-attr]
        assert one.shape[2] == 3
    assert any((one != pictures[0]).any() for one in pictures)  # type: ignore[union-attr]


def test_a_picture_has_the_letters_and_colours_of_the_text() -> None:
    """Each character in its cell, in the colours of its markup, inner ones over outer ones."""
    drawn = picture("[#ff0000 on #0000ff]A[#00ff00]B[/][/]C")
    for column, (letter, ink, paper) in enumerate(
        (("A", (255, 0, 0), (0, 0, 255)), ("B", (0, 255, 0), (0, 0, 255)), ("C", INK, PAPER)), 1
    ):
        points = cell(drawn, 1, column)
        wanted = numpy.where(glyphs()[letter][:, :, None], ink, paper)
        assert (points == wanted).all()
    assert (cell(drawn, 2, 1) == PAPER).all()


def test_what_has_no_letter_is_a_box_and_keeps_its_width() -> None:
    """A character of two columns that is not among the glyphs takes two, and what follows stands behind it."""
    drawn = picture("界x")
    assert (cell(drawn, 1, 1) == INK).any()
    assert (cell(drawn, 1, 2) == INK).any()
    assert (cell(drawn, 1, 3) == numpy.where(glyphs()["x"][:, :, None], INK, PAPER)).all()


def test_a_picture_is_never_smaller_than_asked_and_grows_with_the_text() -> None:
    """Nothing of the text is cut off."""
    small = picture("x")
    assert small.shape == (24 * HEIGHT, 80 * WIDTH, 3)
    assert picture("x", (400, 720)).shape[1] == 720
    assert picture("x" * 90).shape[1] > small.shape[1]
    assert picture("x\n" * 40).shape[0] > 40 * HEIGHT


def test_the_letter_a_is_drawn_as_one() -> None:
    """The file of glyphs is read the right way round."""
    assert ["".join(".#"[int(point)] for point in row) for row in glyphs()["A"][2:11]] == [
        "..#...",
        ".#.#..",
        "#...#.",
        "#...#.",
        "#...#.",
        "#####.",
        "#...#.",
        "#...#.",
        "#...#.",
    ]


@pytest.mark.parametrize("kind", [AEC, Parallel, Env])
def test_other_modes_are_refused_and_no_mode_draws_nothing(kind: type[AEC | Parallel | Env]) -> None:
    """The same for all environments."""
    with pytest.raises(ValueError, match="'ansi' or 'rgb_array'"):
        kind("shoot-em-up", render_mode="human")
    env = kind("shoot-em-up")
    env.reset(seed=1)
    assert env.render() is None
    seen = kind("shoot-em-up", render_mode="rgb_array")
    seen.reset(seed=1)
    assert seen.render().ndim == 3
