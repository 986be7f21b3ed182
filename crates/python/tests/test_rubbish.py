"""Rubbish for every function: an exception of the right kind with a message, and never a panic."""

import inspect
import math

import pytest
from own import TicTacToe

import plyproof

RUBBISH = [
    None, True, 0, -1, 1, 2**70, 1.5, math.nan, math.inf, "", " ", "x" * 5000, "loa(", "é\0\n", b"bytes", [], {}, object(), (1, 2),
    ["a1", 3], type, lambda *given: None, "mcts", "loa",
]  # fmt: skip

ALLOWED = (ValueError, TypeError, OSError, OverflowError, KeyError, RuntimeError)


def survives(function, *given, **named):
    try:
        function(*given, **named)
    except ALLOWED as error:
        assert "plyproof failed inside" not in str(error), error
        assert type(error).__name__ != "PanicException"
    except BaseException as error:  # noqa: BLE001
        pytest.fail(f"{function} {given!r:.80} {named!r:.80}: {type(error).__name__}: {error}")


QUICK = {"sims": 2, "memory": "1MB"}


def functions(tmp_path):
    start = plyproof.Game("tictactoe").start()
    own = plyproof.Game(TicTacToe).start()
    yield from [(one, "", QUICK) for one in (plyproof.search,)]
    yield lambda *given, **named: plyproof.solve(*given, **{**named, "nodes": 5, "memory": "1MB"}), "", {}
    yield lambda *given: plyproof.match(*given, games=2, sims=2, max_plies=4), "", {}
    for one in (plyproof.Game, plyproof.Agent, plyproof.Searcher, plyproof.Actions, plyproof.verify, plyproof.table_contents):
        yield one, "", {}
    for one in (plyproof.read_records, plyproof.puzzles):
        yield one, "", {}
    for position in (start, own):
        for name in ("play", "own_move", "move_in", "perft", "playouts", "random_line", "result", "position_in", "__eq__"):
            yield getattr(position, name), name, {}
    for name in ("position", "check"):
        yield getattr(start.game, name), name, {}
    yield plyproof.Actions("loa").move, "", {}
    yield plyproof.Actions("loa").number, "", {}
    yield plyproof.Actions("loa").mask, "", {}


def test_rubbish_as_the_only_argument(tmp_path):
    for function, name, named in functions(tmp_path):
        for rubbish in RUBBISH:
            if name in ("perft", "playouts") and rubbish == 2**70:
                continue
            survives(function, rubbish, **named)
        survives(function, **named)


def test_rubbish_as_the_second_and_third_argument():
    for rubbish in RUBBISH:
        survives(plyproof.search, "tictactoe", rubbish, **QUICK)
        survives(plyproof.solve, "tictactoe", rubbish, nodes=5)
        survives(lambda: plyproof.match("tictactoe", rubbish, "random", games=2, sims=2, max_plies=4))
        survives(lambda: plyproof.match("tictactoe", "random", rubbish, games=2, sims=2, max_plies=4))
        survives(lambda: plyproof.tournament("tictactoe", rubbish, games=2, sims=2, max_plies=4))
        survives(lambda: plyproof.tournament("tictactoe", ["random", rubbish], games=2, sims=2, max_plies=4))


SLOW = {("time", True), ("sims", 2**70)}


@pytest.mark.parametrize("function", [plyproof.search, plyproof.solve, plyproof.match, plyproof.tournament])
def test_rubbish_as_a_named_argument(function, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given = {
        plyproof.search: (("tictactoe",), {"sims": 2}),
        plyproof.solve: (("tictactoe",), {"nodes": 5}),
        plyproof.match: (("tictactoe", "random", "random"), {"games": 2, "sims": 1}),
        plyproof.tournament: (("tictactoe", ["random", "mcts"]), {"games": 2, "sims": 1}),
    }[function]
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.KEYWORD_ONLY:
            for rubbish in RUBBISH:
                if name != "games" or not isinstance(rubbish, int) or rubbish < 100:
                    survives(function, *given[0], **{**given[1], name: rubbish})


@pytest.mark.parametrize(
    "call, kind, message",
    [
        (lambda: plyproof.Game("lao"), ValueError, 'unknown game "lao" (did you mean loa?); known: loa'),
        (lambda: plyproof.Game("loa(size=20)"), ValueError, "size=20 is not allowed for loa: size is 3..9 (default 8)"),
        (lambda: plyproof.Game("tictactoe").start().play("d4"), ValueError, '"d4" is not a legal move here; legal: a1'),
        (lambda: plyproof.Game("tictactoe").position(moves="a1 a1"), ValueError, 'move 2: "a1" is not a legal move'),
        (lambda: plyproof.Game("tictactoe").position("xo"), ValueError, '"xo"'),
        (lambda: plyproof.search("tictactoe", "mtcs"), ValueError, 'unknown agent "mtcs" (did you mean mcts?)'),
        (lambda: plyproof.search("tictactoe", sims=-3), ValueError, "sims=-3 is not a whole number from 1"),
        (lambda: plyproof.search("tictactoe", sims="many"), ValueError, 'sims="many" is not a whole number from 1'),
        (lambda: plyproof.search("tictactoe", sims=[3]), TypeError, "sims has to be a whole number, not list"),
        (lambda: plyproof.search("tictactoe", time=-1), ValueError, "time=-1 is not a number of seconds"),
        (lambda: plyproof.search("tictactoe", time="soon"), ValueError, '"soon" is not a duration, as in 1s'),
        (lambda: plyproof.search("tictactoe", sims=5, memory="big"), ValueError, '"big" is not a size, as in 512MB'),
        (lambda: plyproof.search("tictactoe", sims=5, threads=0), ValueError, "threads=0 is not a whole number from 1 to 1024"),
        (lambda: plyproof.search(3), TypeError, "the game has to be a name"),
        (lambda: plyproof.solve("tictactoe", goal="mate"), ValueError, 'goal="mate" is unknown; known: value, win'),
        (lambda: plyproof.solve("tictactoe", "mcts"), ValueError, "mcts proves no values; use df-pn"),
        (lambda: plyproof.match("tictactoe", "mcts", "mcts", games=0, sims=1), ValueError, "games=0 is not a whole number"),
        (lambda: plyproof.match("tictactoe", "mcts", "mcts", sims=1, openings=["z1"]), ValueError, "book: line 1:"),
        (lambda: plyproof.read_records("nowhere.jsonl"), OSError, "nowhere.jsonl"),
        (lambda: plyproof.table_contents("nowhere"), OSError, "nowhere"),
        (lambda: plyproof.Searcher("loa").search("awari", sims=1), ValueError, "this searcher is for positions of loa"),
    ],
)
def test_messages_say_what_would_be_right(call, kind, message):
    with pytest.raises(kind) as raised:
        call()
    assert message in str(raised.value) and "\n" not in str(raised.value)


def test_counts_may_be_written_in_several_ways():
    for sims in (100, 1e2, "100", "0.1k"):
        assert plyproof.search("loa", sims=sims).simulations == 100
    import datetime

    import numpy as np

    assert plyproof.search("loa", sims=np.int64(50)).simulations == 50
    for time in (0.02, "20ms", datetime.timedelta(milliseconds=20)):
        assert plyproof.search("loa", time=time).stopped == "time"
