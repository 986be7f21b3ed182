"""Search trees, node by node."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

from . import _native

__all__ = ["Child", "Node"]


def _number(value: int | str | None) -> float:
    return math.nan if value is None else math.inf if value == "inf" else float(value)


class Child:
    """A child of a node, as its parent sees it."""

    def __init__(self, data: dict[str, Any]) -> None:
        self._data = data

    @property
    def move(self) -> str:
        """The move that leads to it."""
        return str(self._data["move"])

    @property
    def visits(self) -> int:
        """The simulations that went through it."""
        return int(self._data["visits"])

    @property
    def mean(self) -> float:
        """Their mean result for the player who chooses at the parent, from -1 to 1; 0 without visits."""
        return float(self._data["mean"])

    @property
    def pn(self) -> float:
        """The proof number of "the player to move at the root wins"; nan if there is none."""
        return _number(self._data["pn"])

    @property
    def dpn(self) -> float:
        """The disproof number of that goal."""
        return _number(self._data["dpn"])

    @property
    def rank(self) -> int | None:
        """The rank among its siblings by proof numbers."""
        found: int | None = self._data["rank"]
        return found

    @property
    def opened(self) -> bool:
        """Whether it has children in the tree."""
        return bool(self._data["opened"])

    @property
    def result(self) -> int | None:
        """The result for the player to move at the root, if the game is over there: 1, 0 or -1."""
        found: int | None = self._data["result"]
        return found

    @property
    def terms(self) -> dict[str, float]:
        """The sum by which selection compares the child, as ``score``, and its parts; empty if no sum is compared."""
        terms = self._data["terms"]
        return {} if terms is None else {"score": terms["score"], **terms["parts"]}

    @property
    def next(self) -> bool:
        """Whether the next simulation that comes to the parent would visit it."""
        return bool(self._data["next"])

    def __repr__(self) -> str:
        return f"Child({self.move!r}, {self.visits} visits, mean {self.mean:+.3f})"


class Node:
    """A node of the tree of a report, from ``Report.tree`` on.

    >>> import plyproof
    >>> root = plyproof.search("tictactoe", "mcts", sims=500, keep_tree=True).tree
    >>> root.visits, len(root.children)
    (500, 9)
    >>> best = root.children[0]
    >>> root[best.move].path == (best.move,)
    True
    """

    def __init__(
        self, searcher: _native.Searcher, search: int, path: tuple[str, ...], root: _native.Position
    ) -> None:
        self._searcher, self._search, self._root = searcher, search, root
        self.path = path
        text = searcher.node(search, list(path))
        if text is None:
            where = " ".join(path)
            raise KeyError(f"{where}: not in the tree" if path else "the agent keeps no tree")
        self._data: dict[str, Any] = json.loads(text)
        self._children = [Child(child) for child in self._data["children"]]

    @property
    def position(self) -> _native.Position:
        """The position at the node."""
        return self._root.play(*self.path)

    @property
    def mover(self) -> int:
        """The player who chooses here."""
        return int(self._data["mover"])

    @property
    def kind(self) -> str | None:
        """``"or"`` if the player to move at the root chooses, else ``"and"``; ``None`` without proof numbers."""
        found: str | None = self._data["kind"]
        return found

    @property
    def visits(self) -> int:
        """The simulations that went through the node."""
        return int(self._data["visits"])

    @property
    def pn(self) -> float:
        """The proof number of "the player to move at the root wins"; nan if there is none."""
        return _number(self._data["pn"])

    @property
    def dpn(self) -> float:
        """The disproof number of that goal."""
        return _number(self._data["dpn"])

    @property
    def children(self) -> list[Child]:
        """All children, the most visited first."""
        return self._children

    def __getitem__(self, move: str) -> Node:
        """The node below a move; a ``KeyError`` if it has no children in the tree."""
        return Node(self._searcher, self._search, (*self.path, move), self._root)

    def __iter__(self) -> Iterator[Child]:
        return iter(self._children)

    def __len__(self) -> int:
        return len(self._children)

    def walk(self, *, least: int = 1) -> Iterator[Node]:
        """This node and all nodes below it with at least so many visits, parents before children."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack += [node[child.move] for child in reversed(node.children) if child.opened and child.visits >= least]

    def __repr__(self) -> str:
        return f"Node({' '.join(self.path) or 'root'}, {self.visits} visits, {len(self)} children)"
