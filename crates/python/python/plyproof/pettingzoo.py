"""PettingZoo AEC environments of every game, with action masks.

>>> from plyproof.pettingzoo import env
>>> game = env("connect4")
>>> game.reset(seed=1)
>>> observation, reward, ended, cut, info = game.last()
>>> observation["action_mask"].tolist()
[1, 1, 1, 1, 1, 1, 1]
>>> game.step(3)
>>> game.agent_selection
'player_2'
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv

from ._native import Game, Position
from ._types import AnyGame
from .actions import Actions
from .observations import Observations

__all__ = ["GameEnv", "env"]


def env(game: AnyGame, **options: Any) -> GameEnv:
    """An environment of a game; see ``GameEnv``."""
    return GameEnv(game, **options)


class GameEnv(AECEnv):  # type: ignore[misc]
    """A game of two players, ``player_1`` and ``player_2``.

    An observation is a dictionary of ``observation`` (see ``plyproof.observations``) and ``action_mask``; actions are the
    numbers of ``plyproof.Actions``. The rewards at the end are 1, 0 and -1. A move that is not legal loses, as PettingZoo
    asks. Games are cut after ``max_plies``.
    """

    metadata = {"name": "plyproof_v0", "render_modes": ["ansi", "human", "svg"], "is_parallelizable": False}

    def __init__(self, game: AnyGame, *, max_plies: int = 2500, render_mode: str | None = None) -> None:
        super().__init__()
        self.game = game if isinstance(game, Game) else Game(game)
        self.metadata = {**GameEnv.metadata, "name": f"plyproof_{self.game.name.partition('(')[0]}_v0"}
        self.actions = Actions(self.game)
        self._observations = Observations(self.game)
        self.max_plies, self.render_mode = max_plies, render_mode
        self.possible_agents = ["player_1", "player_2"]
        shape, dtype, high = self._observations.shape, self._observations.dtype, self._observations.high
        low = 0 if dtype == np.uint8 or self.game.python_class is None else -high
        seen = spaces.Dict(
            {
                "observation": spaces.Box(low, high, shape, dtype.type),
                "action_mask": spaces.Box(0, 1, (self.actions.count,), np.int8),
            }
        )
        self.observation_spaces = {agent: seen for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(self.actions.count) for agent in self.possible_agents}
        self.position = self.game.start()
        self._last: str | None = None

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The space of observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game; ``options={"position": …}`` from a position."""
        given = (options or {}).get("position")
        self.position = given if isinstance(given, Position) else self.game.start()
        self.plies, self._last = 0, None
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, self.position.is_over)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[(self.position.to_move or 1) - 1]

    def observe(self, agent: str) -> dict[str, Any]:
        """What a player sees; the mask is empty for the player who is not to move."""
        player = self.possible_agents.index(agent) + 1
        to_move = self.position.to_move == player
        mask = self.actions.mask(self.position) if to_move else np.zeros(self.actions.count, dtype=np.int8)
        return {"observation": self._observations.of(self.position, player), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Plays a move by its number."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        if action is None:
            raise ValueError("the game goes on: a number of a move is needed, not None")
        move = self.actions.move(int(action))
        if move not in self.position.legal_moves:
            self._end({agent: -1, self._other(agent): 1})
        else:
            self.position, self._last = self.position.play(move), move
            self.plies += 1
            outcome = self.position.outcome
            if outcome is not None:
                self._end({name: outcome.of(player) for player, name in enumerate(self.possible_agents, 1)})
            elif self.plies >= self.max_plies:
                self.truncations = dict.fromkeys(self.agents, True)
        to_move = self.position.to_move
        self.agent_selection = self._other(agent) if to_move is None else self.possible_agents[to_move - 1]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def _other(self, agent: str) -> str:
        return self.possible_agents[1 - self.possible_agents.index(agent)]

    def _end(self, rewards: dict[str, int]) -> None:
        self.rewards = rewards
        self.terminations = dict.fromkeys(self.agents, True)

    def render(self) -> str | None:
        """The board: as text, on the screen, or as SVG."""
        if self.render_mode == "svg":
            from .drawing import svg

            return svg(self.position, last=self._last)
        if self.render_mode == "human":
            print(self.position.board())
            return None
        return self.position.board()

    def close(self) -> None:
        """Nothing is held."""
