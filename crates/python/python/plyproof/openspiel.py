"""plyproof in OpenSpiel, and OpenSpiel in plyproof.

``Bot`` is a bot of OpenSpiel. Ten games are played by plyproof's own rules, at full speed; every other game of two players
with turns and perfect information is played through OpenSpiel's states, which is slow.

>>> import pyspiel
>>> from plyproof.openspiel import Bot
>>> game = pyspiel.load_game("connect_four")
>>> bots = [Bot(game, sims=200), pyspiel.make_uniform_random_bot(1, 7)]
>>> pyspiel.evaluate_bots(game.new_initial_state(), bots, 7)
[1.0, -1.0]

``Player`` is the other way round: a bot of OpenSpiel in a match of plyproof.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import pyspiel

from ._native import Agent, Game, Position, Searcher
from ._types import Count, Duration, Size
from .actions import board_size
from .own_game import PyGame

__all__ = ["Bot", "Player", "game_of", "native_name", "spiel_name"]


@dataclass(frozen=True)
class _Native:
    """One of plyproof's own games behind a game of OpenSpiel."""

    #: The game with its parameters.
    name: str
    #: The text of an action in our notation.
    ours: Callable[[str], str]
    #: How many actions make a move.
    parts: int = 1


def _size(columns: int, rows: int) -> str:
    return str(rows) if columns == rows else f"{columns}x{rows}"


def _plain(text: str) -> str:
    return text.replace("-", "").replace("x", "").replace("*", "")


def _point(text: str) -> str:
    row, column = (int(number) for number in re.findall(r"\d+", text))
    return f"{chr(97 + column)}{row + 1}"


def _turned(rows: int) -> Callable[[str], str]:
    """The first player of OpenSpiel starts at the top; captures have a star."""
    return lambda text: re.sub(r"\d+", lambda rank: str(rows + 1 - int(rank[0])), _plain(text))


def _amazon(rows: int) -> Callable[[str], str]:
    def square(text: str) -> str:
        row, column = (int(number) for number in re.findall(r"\d+", text))
        return f"{chr(96 + column)}{rows + 1 - row}"

    return square


def _native(game: pyspiel.Game) -> _Native | None:
    """Our game that has the same rules, if there is one."""
    given: dict[str, Any] = game.get_parameters()
    kind = game.get_type()
    every = {**kind.parameter_specification, **given} if hasattr(kind, "parameter_specification") else given

    def at(name: str, default: Any) -> Any:
        value = every.get(name, default)
        return default if value is None else value

    name = kind.short_name
    if name == "lines_of_action":
        return _Native("loa(both=mover)", _plain)
    if name == "oware" and at("num_houses_per_player", 6) == 6 and at("num_seeds_per_house", 4) == 4:
        return _Native("awari(rules=oware)", lambda text: str("ABCDEF".index(text.upper()) + 1))
    if name == "breakthrough":
        rows, columns = int(at("rows", 8)), int(at("columns", 8))
        if 2 <= columns <= 8 and 2 <= rows <= 8:
            return _Native(f"breakthrough(size={_size(columns, rows)})", _turned(rows))
    if name == "connect_four" and at("x_in_row", 4) == 4:
        rows, columns = int(at("rows", 6)), int(at("columns", 7))
        if columns <= 8 and rows <= 7:
            return _Native(f"connect4(width={columns},height={rows})", lambda text: chr(97 + int(text[1:])))
    if name == "othello":
        return _Native("othello", lambda text: text.lower().split(" ")[0])
    if name == "hex" and not at("swap", False):
        size = int(at("board_size", 11))
        if int(at("num_cols", size)) == int(at("num_rows", size)):
            size = int(at("num_cols", size))
            if size <= 13:
                return _Native(f"hex(size={size})", str)
    if name == "gomoku" and at("dims", 2) == 2 and at("connect", 5) == 5 and not at("wrap", False) and not at("anti", False):
        size = int(at("size", 15))
        if 5 <= size <= 19:
            return _Native(f"gomoku(size={size},exact=false)", _point)
    if name == "tic_tac_toe":
        return _Native("tictactoe", _point)
    if name == "mnk":
        m, n, k = int(at("m", 15)), int(at("n", 15)), int(at("k", 5))
        if max(m, n, k) <= 19:
            return _Native(f"mnk(m={m},n={n},k={k})", _point)
    if name == "clobber":
        rows, columns = int(at("rows", 5)), int(at("columns", 6))
        if rows <= 8 and columns <= 8:
            return _Native(f"clobber(size={_size(columns, rows)})", _plain)
    if name == "amazons" and int(at("board_size", 10)) in (6, 8, 10):
        size = int(at("board_size", 10))
        return _Native(f"amazons(size={size})", _amazon(size), parts=3)
    return None


def native_name(game: pyspiel.Game | str) -> str | None:
    """The game of plyproof with the rules of a game of OpenSpiel; ``None`` if there is none.

    >>> native_name("breakthrough(rows=6,columns=5)")
    'breakthrough(size=5x6)'
    """
    found = _native(pyspiel.load_game(game) if isinstance(game, str) else game)
    return None if found is None else Game(found.name).name


def spiel_name(game: Game) -> str:
    """The game of OpenSpiel with the rules of a game of plyproof.

    >>> spiel_name(Game("hex(size=7)"))
    'hex(num_cols=7,num_rows=7)'
    """
    python = game.python_class
    if python is not None and issubclass(python, _SpielGame):
        return str(python.spiel)
    name, given = game.name.partition("(")[0], game.parameters
    columns, rows = (0, 0) if name in ("awari", "minishogi") else board_size(game)
    found = {
        "loa": "lines_of_action" if given.get("both") == "mover" and rows == 8 else None,
        "awari": "oware" if given.get("rules") == "oware" else None,
        "breakthrough": f"breakthrough(columns={columns},rows={rows})",
        "connect4": f"connect_four(columns={columns},rows={rows})",
        "othello": "othello" if rows == 8 else None,
        "hex": f"hex(num_cols={columns},num_rows={rows})",
        "gomoku": f"gomoku(size={rows})" if given.get("exact") == "false" else None,
        "tictactoe": "tic_tac_toe",
        "mnk": "mnk(k={k},m={m},n={n})".format_map(given) if name == "mnk" else None,
        "clobber": f"clobber(columns={columns},rows={rows})",
        "amazons": f"amazons(board_size={rows})",
    }.get(name)
    if found is None:
        raise ValueError(f"OpenSpiel has no game with the rules of {game.name}")
    return found


class _SpielGame(PyGame):
    """A position of a game that OpenSpiel knows. Its text is the history, so that no position comes back."""

    may_repeat = False
    spiel: ClassVar[pyspiel.Game]
    _texts: dict[str, int] | None = None

    def __init__(self, state: pyspiel.State | None = None) -> None:
        self.state = type(self).spiel.new_initial_state() if state is None else state

    def to_move(self) -> int:
        return int(self.state.current_player()) + 1

    def outcome(self) -> int | None:
        if not self.state.is_terminal():
            return None
        first, second = self.state.returns()
        return 0 if first == second else 1 if first > second else 2

    def numbers(self) -> dict[str, int]:
        """The legal moves with the actions of OpenSpiel."""
        if self._texts is None:
            player, self._texts = self.state.current_player(), {}
            for action in self.state.legal_actions():
                text = "_".join(self.state.action_to_string(player, action).split()) or str(action)
                self._texts[text if text not in self._texts else f"{text}#{action}"] = action
        return self._texts

    def legal_moves(self) -> list[str]:
        return list(self.numbers())

    def play(self, move: str) -> _SpielGame:
        child = self.state.clone()
        child.apply_action(self.numbers()[move])
        return type(self)(child)

    def text(self) -> str:
        return ",".join(map(str, self.state.history())) or "-"

    @classmethod
    def parse(cls, text: str) -> _SpielGame:
        state = cls.spiel.new_initial_state()
        for word in [] if text == "-" else text.split(","):
            action = int(word)
            if state.is_terminal() or action not in state.legal_actions():
                raise ValueError(f"{action} is no legal action after {state.history()}")
            state.apply_action(action)
        return cls(state)

    def board(self) -> str:
        return str(self.state)


def game_of(game: pyspiel.Game | str) -> Game:
    """A game of OpenSpiel as a game of plyproof, played through OpenSpiel's states: slow, but every search works.

    >>> import plyproof
    >>> plyproof.search(game_of("nim(pile_sizes=3;4)"), "pn-mcts", sims=500).value
    'win'
    """
    spiel = pyspiel.load_game(game) if isinstance(game, str) else game
    kind = spiel.get_type()
    fits = (
        spiel.num_players() == 2
        and kind.dynamics == pyspiel.GameType.Dynamics.SEQUENTIAL
        and kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
        and kind.chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    )
    if not fits:
        raise ValueError(f"{spiel} is not a game of two players with turns, perfect information and no chance")
    name = "openspiel-" + re.sub("[^A-Za-z0-9]+", "-", str(spiel)).strip("-")[:80]
    own = {"name": name, "title": kind.long_name, "summary": f"{kind.long_name}, by OpenSpiel.", "spiel": spiel}
    return Game(type("SpielGame", (_SpielGame,), own))


class _Follower:
    """Our position of a game that goes on in OpenSpiel."""

    def __init__(self, game: pyspiel.Game, native: bool) -> None:
        self.spiel = game
        self.native = _native(game) if native else None
        self.game = game_of(game) if self.native is None else Game(self.native.name)
        self.start()

    def start(self) -> None:
        """Back to the start."""
        self.state = self.spiel.new_initial_state()
        self.position = self.game.start()
        self._parts: list[str] = []

    def text(self, action: int) -> str:
        """An action in our notation."""
        text = str(self.state.action_to_string(self.state.current_player(), action))
        return text if self.native is None else self.native.ours(text)

    def apply(self, action: int) -> None:
        """An action was played in OpenSpiel."""
        if self.native is None:
            moves = {number: text for text, number in self.position.state.numbers().items()}
            self.position = self.position.play(moves[action])
        else:
            self._parts.append(self.text(action))
            if len(self._parts) == self.native.parts:
                self.position = self.position.play("".join(self._parts))
                self._parts = []
        self.state.apply_action(action)

    def follow(self, state: pyspiel.State) -> None:
        """To the state of OpenSpiel."""
        theirs, ours = list(state.history()), list(self.state.history())
        if theirs[: len(ours)] != ours:
            self.start()
            ours = []
        for action in theirs[len(ours) :]:
            self.apply(action)

    def actions(self, move: str) -> list[int]:
        """The actions of OpenSpiel that make our move."""
        if self.native is None:
            return [self.position.state.numbers()[move]]
        words = re.findall(r"[a-z]\d+", move) if self.native.parts > 1 else [move]
        state, found = self.state.clone(), []
        for word in words[len(self._parts) :]:
            player = state.current_player()
            by_text = {self.native.ours(state.action_to_string(player, action)): action for action in state.legal_actions()}
            found.append(by_text[word])
            state.apply_action(by_text[word])
        return found


class Bot(pyspiel.Bot):  # type: ignore[misc]
    """One of plyproof's agents as a bot of OpenSpiel, with the same limits for each move.

    With ``native=False`` the bot plays every game through OpenSpiel's states. Moves depend on ``seed``, the moves before and
    the number of simulations alone.
    """

    def __init__(
        self,
        game: pyspiel.Game,
        agent: str | Agent = "plyproof",
        *,
        sims: Count | None = None,
        time: Duration | None = None,
        memory: Size = "1GB",
        seed: int = 1,
        native: bool = True,
    ) -> None:
        pyspiel.Bot.__init__(self)
        if sims is None and time is None:
            raise ValueError("the bot needs sims or time for its moves")
        self._follower = _Follower(game, native)
        self._searcher = Searcher(self._follower.game)
        self._agent = Agent(agent) if isinstance(agent, str) else agent
        self._sims, self._time, self._memory, self._seed = sims, time, memory, seed
        self._planned: list[int] = []

    @property
    def game(self) -> Game:
        """The game of plyproof that the bot plays."""
        return self._follower.game

    def _search(self) -> Any:
        return self._searcher.search(
            self._follower.position,
            self._agent,
            sims=self._sims,
            time=self._time,
            memory=self._memory,
            seed=self._seed + len(self._follower.state.history()),
            keep_tree=False,
        )

    def step(self, state: pyspiel.State) -> int:
        """The action to play."""
        self._follower.follow(state)
        if self._planned and self._planned[0] in state.legal_actions():
            return self._planned.pop(0)
        found = self._search()
        if found.best is None:
            raise RuntimeError(f"{self._agent} chose no move")
        action, *self._planned = self._follower.actions(found.best)
        return action

    def step_with_policy(self, state: pyspiel.State) -> tuple[list[tuple[int, float]], int]:
        """The share of the simulations of each action, and the action to play."""
        action = self.step(state)
        return [(legal, float(legal == action)) for legal in state.legal_actions()], action

    def provides_policy(self) -> bool:
        """The bot plays one action, and names no others."""
        return False

    def restart(self) -> None:
        """A new game begins."""
        self._follower.start()
        self._searcher.forget()
        self._planned = []

    def restart_at(self, state: pyspiel.State) -> None:
        """A new game begins at a state."""
        self.restart()
        self._follower.follow(state)

    def inform_action(self, state: pyspiel.State, player: int, action: int) -> None:
        """The opponent plays an action at a state; ``step`` would see it too."""
        self._planned = []


class Player:
    """A bot of OpenSpiel as a player in ``match``. ``make`` makes a bot for a game of OpenSpiel and a player's number.

    Lines of Action is over in OpenSpiel when a board comes back; where our game goes on, the player moves at random.

    >>> import plyproof
    >>> uniform = Player(lambda game, player: pyspiel.make_uniform_random_bot(player, 3), name="uniform")
    >>> plyproof.match("connect4", "pn-mcts", uniform, games=4, sims=200).losses
    0
    """

    def __init__(self, make: Callable[[pyspiel.Game, int], pyspiel.Bot], *, name: str = "openspiel") -> None:
        self.name, self._make = name, make
        self._follower: _Follower | None = None

    def new_game(self, start: Position) -> None:
        """A game begins."""
        game = start.game
        if start != game.start():
            raise ValueError("bots of OpenSpiel play from the start position of a game")
        if self._follower is None or self._follower.game != game:
            spiel = pyspiel.load_game(spiel_name(game))
            self._follower = _Follower(spiel, native=game.python_class is None)
            self._follower.game = game
        self._follower.start()
        self._bots: dict[int, pyspiel.Bot] = {}

    def played(self, move: str) -> None:
        """A move was played."""
        assert self._follower is not None
        if self._follower.state.is_terminal():
            return
        for action in self._follower.actions(move):
            state, player = self._follower.state, self._follower.state.current_player()
            for bot in self._bots.values():
                bot.inform_action(state, player, action)
            self._follower.apply(action)

    def choose(self, position: Position) -> str:
        """The move of the bot."""
        assert self._follower is not None
        follower, state = self._follower, self._follower.state.clone()
        if state.is_terminal():
            return random.Random(len(state.history())).choice(position.legal_moves)
        player = state.current_player()
        if player not in self._bots:
            self._bots[player] = self._make(follower.spiel, player)
        words = []
        for _ in range(1 if follower.native is None else follower.native.parts):
            action = self._bots[player].step(state)
            text = state.action_to_string(player, action)
            words.append(text if follower.native is None else follower.native.ours(text))
            state.apply_action(action)
        if follower.native is None:
            moves: dict[str, int] = position.state.numbers()
            return next(move for move, number in moves.items() if number == action)
        return "".join(words)
