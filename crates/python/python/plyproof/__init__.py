"""plyproof in Python: play, search, prove and measure two-player board games.

>>> import plyproof
>>> position = plyproof.Game("connect4").start().play("d", "d", "e")
>>> report = plyproof.search(position, "pn-mcts", sims=2000, seed=1)
>>> report.best in position.legal_moves
True
>>> plyproof.solve("loa(size=4)").value
'win'

``search`` and ``solve`` take a ``Position``, a ``Game`` (its start position) or the name of a game; ``match``,
``tournament`` and ``sweep`` play many games. Games and players can be written in Python: ``PyGame``, and any function that
chooses a move.
"""

from ._native import (
    Agent,
    CertificateError,
    ContractError,
    Game,
    Outcome,
    Position,
    Report,
    Searcher,
    __version__,
    agents,
    games,
)
from .actions import Actions
from .matching import MatchResult, Side, Standings, SweepResults, match, sweep, tournament
from .own_game import PyGame
from .proofs import Puzzle, Solution, make_table, puzzles, solve, table_contents, verify
from .records import read_records
from .searching import search
from .tree import Node

__all__ = [
    "Actions",
    "Agent",
    "CertificateError",
    "ContractError",
    "Game",
    "MatchResult",
    "Node",
    "Outcome",
    "Position",
    "PyGame",
    "Puzzle",
    "Report",
    "Searcher",
    "Side",
    "Solution",
    "Standings",
    "SweepResults",
    "__version__",
    "agents",
    "games",
    "make_table",
    "match",
    "puzzles",
    "read_records",
    "search",
    "solve",
    "sweep",
    "table_contents",
    "tournament",
    "verify",
]
