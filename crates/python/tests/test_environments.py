"""PettingZoo and Gymnasium, and the numbers of moves."""

import warnings

import numpy as np
import pytest
from conftest import GAMES, SIZES, walk
from own import Coins, TicTacToe

import plyproof
from plyproof.observations import Observations

pytest.importorskip("pettingzoo")
pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from pettingzoo.test import api_test  # noqa: E402

from plyproof.gymnasium import OpponentEnv  # noqa: E402
from plyproof.pettingzoo import env  # noqa: E402


@pytest.mark.parametrize("name", GAMES + SIZES)
def test_every_move_has_a_number_of_its_own(name):
    actions = plyproof.Actions(name)
    for seed in range(3):
        for position, _ in walk(name, seed=seed):
            numbers = [actions.number(move) for move in position.legal_moves]
            assert len(set(numbers)) == len(numbers) and all(0 <= number < actions.count for number in numbers)
            assert [actions.move(number) for number in numbers] == position.legal_moves
            assert actions.mask(position).sum() == len(numbers)


def test_numbers_stay_the_same():
    for game, move, number, count in [
        ("connect4", "d", 3, 7), ("tictactoe", "b2", 4, 9), ("hex", "k11", 120, 121), ("hex(size=5,swap=on)", "swap", 25, 26), ("othello", "pass", 64, 65),
        ("loa", "b1h1", 71, 4097), ("awari", "pass", 6, 7), ("minishogi", "a1b2", 12, 1375), ("minishogi", "P*c3", 1362, 1375),
        ("amazons(size=6)", "a1a2a3", 228, 46656), ("clobber", "a1b1", 1, 901),
    ]:  # fmt: skip
        actions = plyproof.Actions(game)
        assert (actions.number(move), actions.move(number), actions.count) == (number, move, count), game
    for wrong in ("z9", "b9", "", "pass", "a1a1"):
        with pytest.raises(ValueError, match="no move of tictactoe"):
            plyproof.Actions("tictactoe").number(wrong)
    with pytest.raises(ValueError, match="they are 0 to 8"):
        plyproof.Actions("tictactoe").move(9)
    with pytest.raises(ValueError, match="needs the attribute actions"):
        plyproof.Actions(plyproof.Game(Coins))
    assert plyproof.Actions(plyproof.Game(Coins), moves=["1", "2"]).count == 2


@pytest.mark.parametrize("name", GAMES + SIZES)
def test_observations_are_those_of_a_player(name):
    observations = Observations(plyproof.Game(name))
    for position, _ in walk(name, plies=30):
        one, other = observations.of(position, 1), observations.of(position, 2)
        assert one.shape == other.shape == observations.shape and one.min() >= 0
        assert one.sum() == other.sum()
    start = Observations(plyproof.Game("tictactoe")).of(plyproof.Game("tictactoe").start().play("a1"), 2)
    assert start[1, 2, 0] == 1 and start.sum() == 1, "the opponent's mark on a1, in the last row"


@pytest.mark.parametrize("name", GAMES)
def test_pettingzoo_accepts_the_environment(name, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(env(name, max_plies=40), num_cycles=60, verbose_progress=False)


def test_pettingzoo_accepts_a_game_in_python():
    api_test(env(plyproof.Game(TicTacToe)), num_cycles=50, verbose_progress=False)


def test_a_game_in_the_environment():
    game = env("tictactoe", render_mode="svg")
    game.reset(seed=1)
    rewards = {"player_1": 0, "player_2": 0}
    moves = iter([0, 3, 1, 4, 2])
    for agent in game.agent_iter():
        observation, reward, ended, cut, _ = game.last()
        rewards[agent] += reward
        game.step(None if ended or cut else next(moves))
    assert rewards == {"player_1": 1, "player_2": -1} and game.render().startswith("<svg")
    game.reset()
    game.step(0)
    game.step(0)
    assert game.rewards == {"player_1": 1, "player_2": -1}, "a move that is not legal loses"
    short = env("loa", max_plies=1)
    short.reset()
    short.step(short.actions.number("b1b3"))
    assert all(short.truncations.values())


@pytest.mark.parametrize("name", GAMES)
def test_gymnasium_accepts_the_environment(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env(OpponentEnv(name, opponent="random", sims=1), skip_render_check=True)


def test_opponents_of_all_kinds():
    for opponent in ("mcts", plyproof.Agent("pn-mcts"), lambda position: position.legal_moves[0], plyproof_player):
        game = OpponentEnv("connect4", opponent=opponent, sims=20, opening=2)
        ends = 0
        for seed in range(3):
            observation, info = game.reset(seed=seed)
            ended = False
            while not ended:
                legal = np.flatnonzero(game.action_masks())
                observation, reward, ended, cut, info = game.step(int(legal[0]))
            ends += reward in (-1.0, 0.0, 1.0)
        assert ends == 3
    again = [OpponentEnv("connect4", opponent="mcts", sims=20).reset(seed=9)[1]["position"] for _ in range(2)]
    assert again[0] == again[1]
    observation, info = game.reset(seed=1)
    taken = next(number for number in range(7) if not info["action_mask"][number]) if not info["action_mask"].all() else None
    assert taken is None
    for wrong in ({"player": 3}, {"sims": None}):
        with pytest.raises(ValueError):
            OpponentEnv("connect4", **{"opponent": "mcts", "sims": 5, **wrong})


class plyproof_player:
    """A class of players."""

    def choose(self, position):
        return position.legal_moves[-1]
