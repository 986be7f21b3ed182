"""Gymnasium environments: a game against one of the agents, or against any player written in Python.

>>> import gymnasium
>>> from plyproof.gymnasium import OpponentEnv
>>> env = OpponentEnv("tictactoe", opponent="pn-mcts", sims=50, player=1)
>>> observation, info = env.reset(seed=3)
>>> int(info["action_mask"].sum())
9
>>> observation, reward, ended, cut, info = env.step(4)
>>> ended, int(info["action_mask"].sum())
(False, 7)
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from ._native import Agent, Game, Position, Searcher
from ._types import AnyGame, Count, Duration, Size
from .actions import Actions
from .observations import Observations
from .players import PythonPlayers, is_python, players_of

__all__ = ["OpponentEnv"]


class OpponentEnv(gymnasium.Env[npt.NDArray[Any], np.int64]):
    """A game from the point of view of one player; ``opponent`` makes the other moves.

    Observations are those of ``plyproof.observations``, actions the numbers of ``plyproof.Actions``;
    ``info["action_mask"]`` and ``action_masks()`` say which are legal. The reward is 1, 0 or -1 at the end; a move that is
    not legal loses. ``player`` is 1 or 2, or ``None`` for a side drawn at random in every game. ``opening`` random plies
    come first, so that games against an opponent without randomness differ.
    """

    metadata = {"render_modes": ["ansi", "svg"]}

    def __init__(
        self,
        game: AnyGame,
        *,
        opponent: Any = "plyproof",
        sims: Count | None = None,
        time: Duration | None = None,
        memory: Size = "256MB",
        player: int | None = None,
        opening: int = 0,
        max_plies: int = 2500,
        render_mode: str | None = None,
    ) -> None:
        self.game = game if isinstance(game, Game) else Game(game)
        self.actions = Actions(self.game)
        self._observations = Observations(self.game)
        if player not in (None, 1, 2):
            raise ValueError(f"player={player!r} has to be 1, 2 or None")
        if not is_python(opponent) and sims is None and time is None:
            raise ValueError("the opponent needs sims or time")
        self._opponent = players_of(opponent)
        if isinstance(opponent, str):
            self._opponent = Agent(opponent)
        self._sims, self._time, self._memory = sims, time, memory
        self._given_player, self._opening, self.max_plies = player, opening, max_plies
        shape, dtype, high = self._observations.shape, self._observations.dtype, self._observations.high
        low = 0 if dtype == np.uint8 or self.game.python_class is None else -high
        self.observation_space = gymnasium.spaces.Box(low, high, shape, dtype.type)
        self.action_space = gymnasium.spaces.Discrete(self.actions.count)
        self.render_mode = render_mode
        self.position: Position = self.game.start()
        self.player = 1
        self._last: str | None = None

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, for libraries that ask for it by this name."""
        return self.actions.mask(self.position).astype(np.bool_)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[Any], dict[str, Any]]:
        """Begins a game."""
        super().reset(seed=seed)
        self.player = self._given_player or int(self.np_random.integers(1, 3))
        self.position, self.plies, self._last = self.game.start(), 0, None
        if self._opening:
            line = self.position.random_line(self._opening, seed=int(self.np_random.integers(2**31)))
            self.position = self.position.play(*line)
            self.plies = len(line)
        if isinstance(self._opponent, PythonPlayers):
            self._chooser = self._opponent.player()
            self._chooser.new_game(self.position)
        else:
            self._searcher = Searcher(self.game)
        self._answer()
        return self._seen()

    def _choose(self) -> str:
        seed = int(self.np_random.integers(2**31))
        if isinstance(self._opponent, PythonPlayers):
            return str(self._chooser.choose(self.position, seed=seed, sims=self._sims, time=self._time, clock=None))
        report = self._searcher.search(
            self.position,
            self._opponent,
            sims=self._sims,
            time=self._time,
            memory=self._memory,
            seed=seed,
            keep_tree=False,
        )
        if report.best is None:
            raise RuntimeError(f"{self._opponent} chose no move")
        return report.best

    def _answer(self) -> None:
        while not self.position.is_over and self.position.to_move != self.player and self.plies < self.max_plies:
            self._play(self._choose())

    def _play(self, move: str) -> None:
        self.position, self._last = self.position.play(move), move
        self.plies += 1
        if isinstance(self._opponent, PythonPlayers):
            self._chooser.played(move)

    def _seen(self) -> tuple[npt.NDArray[Any], dict[str, Any]]:
        info = {"action_mask": self.actions.mask(self.position), "player": self.player, "position": str(self.position)}
        return self._observations.of(self.position, self.player), info

    def step(self, action: np.int64 | int) -> tuple[npt.NDArray[Any], float, bool, bool, dict[str, Any]]:
        """Plays a move by its number, and the answer of the opponent."""
        move = self.actions.move(int(action))
        if move not in self.position.legal_moves:
            observation, info = self._seen()
            return observation, -1.0, True, False, {**info, "illegal": move}
        self._play(move)
        self._answer()
        observation, info = self._seen()
        outcome = self.position.outcome
        reward = 0.0 if outcome is None else float(outcome.of(self.player))
        cut = outcome is None and self.plies >= self.max_plies
        return observation, reward, outcome is not None, cut, info

    def render(self) -> str | None:
        """The board as text or as SVG."""
        if self.render_mode == "svg":
            from .drawing import svg

            return svg(self.position, last=self._last, flip=self.player == 2)
        return self.position.board()
