"""Searches: columns, trees, progress, interrupts, the answers of the command line."""

import json
import math
import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import GAMES

import plyproof


def search_of(program, game, agent, sims, seed):
    line = [program, "search", game, "--agent", agent, "--sims", str(sims), "--seed", str(seed), "--json"]
    return json.loads(subprocess.run(line, check=True, capture_output=True, text=True).stdout)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("agent", ["plyproof", "pn-mcts"])
def test_a_search_is_that_of_the_command_line(program, game, agent):
    theirs = search_of(program, game, agent, 300, 7)
    report = plyproof.search(game, agent, sims=300, seed=7)
    ours = json.loads(report.to_json())
    changing = {"seconds", "simulations_per_s", "bytes"}
    assert {key: value for key, value in ours.items() if key not in changing} == {
        key: theirs[key] for key in ours if key not in changing
    }


def test_columns_have_an_entry_for_each_move():
    report = plyproof.search("loa", "pn-mcts", sims=2000)
    data = json.loads(report.to_json())
    assert report.moves == [move["move"] for move in data["moves"]] and len(report.moves) == 36
    assert report.visits.dtype == np.int64 and report.visits.sum() == 2000 == report.simulations
    assert np.allclose(report.mean, [move["mean"] for move in data["moves"]])
    assert report.at_most.tolist() == [move["at_most"] for move in data["moves"]]
    assert np.all(report.pn >= 0) and np.all(report.rank >= 1) and np.all(np.isnan(report.proven))
    score = report.terms["score"]
    parts = sum(column for name, column in report.terms.items() if name != "score")
    assert np.allclose(score, parts, atol=1e-6)
    frame = report.to_frame()
    assert list(frame.index) == report.moves and frame.visits.tolist() == report.visits.tolist()
    assert report._repr_html_().count("<tr>") == 13
    assert (report.agent, report.seed, report.stopped, report.value) == ("pn-mcts", 1, "simulations", None)
    again = pickle.loads(pickle.dumps(report))
    assert again.to_json() == report.to_json() and again.position == report.position


def test_proven_moves_have_their_values():
    position = plyproof.Game("tictactoe").position("xx./oo./... x")
    report = plyproof.search(position, "pn-mcts", sims=200)
    assert report.value == "win" and report.best == "c3" and report.numbers == (0.0, math.inf)
    assert report.proven[report.moves.index("c3")] == 1
    assert report.bounds == ("win", "win") and report.line == ["c3"] and report.pn[report.moves.index("c3")] == 0


def test_a_finished_game_has_no_moves():
    report = plyproof.search(plyproof.Game("tictactoe").position("xxx/oo./... o"), sims=10)
    assert (report.best, report.stopped, report.moves, len(report.visits)) == (None, "game over", [], 0)


def test_the_tree_is_walked():
    report = plyproof.search("tictactoe", "pn-mcts", sims=3000, keep_tree=True)
    root = report.tree
    assert root.visits == report.simulations and [child.move for child in root] == report.moves
    assert root.position == report.position and root.kind == "or" and root.mover == 1
    nodes = list(root.walk(least=50))
    assert len(nodes) > 9 and all(node.position == report.position.play(*node.path) for node in nodes)
    for node in nodes:
        assert node.visits >= sum(child.visits for child in node.children)
        assert {child.move for child in node} == set(node.position.legal_moves)
    with pytest.raises(KeyError, match="not in the tree"):
        root["a1"]["a1"]


def test_a_tree_that_is_not_there_says_why():
    report = plyproof.search("tictactoe", sims=10)
    with pytest.raises(ValueError, match="keep_tree=True"):
        report.tree
    searcher = plyproof.Searcher("tictactoe")
    first = searcher.search("tictactoe", "mcts", sims=100)
    assert first.tree.visits == 100
    searcher.search("tictactoe", "mcts", sims=50)
    with pytest.raises(RuntimeError, match="searched again"):
        first.tree
    with pytest.raises(KeyError, match="keeps no tree"):
        plyproof.search("tictactoe", "random", keep_tree=True).tree


def test_a_searcher_goes_on_in_its_tree():
    searcher = plyproof.Searcher("loa")
    position = plyproof.Game("loa").start()
    report = searcher.search(position, "plyproof(eval=off,reuse=on)", sims=3000)
    after = position.play(*report.line[:2])
    follows = searcher.search(after, "plyproof(eval=off,reuse=on)", sims=10)
    alone = plyproof.search(after, "plyproof(eval=off,reuse=on)", sims=10)
    assert follows.visits.sum() > alone.visits.sum()
    searcher.forget()
    assert searcher.search(after, "plyproof(eval=off,reuse=on)", sims=10).visits.sum() == alone.visits.sum()


def test_progress_is_told_and_can_end_the_search():
    seen = []

    def told(report):
        seen.append(report.simulations)
        return len(seen) < 3

    report = plyproof.search("loa", time=60, progress=told)
    assert report.stopped == "cancelled" and report.best and len(seen) == 3 and seen == sorted(seen)


def test_an_exception_in_a_callback_is_raised():
    def told(report):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        plyproof.search("loa", time=60, progress=told)
    with pytest.raises(LookupError, match="enough"):
        plyproof.solve("loa(size=7)", "df-pn", time=60, progress=told)


@pytest.mark.parametrize(
    "call",
    [
        "plyproof.search('loa', time=60)",
        "plyproof.solve('loa', 'df-pn', time=60)",
        "plyproof.match('loa', 'mcts', 'mcts', time=30)",
        "plyproof.match('loa', lambda position: __import__('time').sleep(0.1) or position.legal_moves[0], 'mcts', sims=1)",
        "plyproof.make_table('awari', FILE, limit=18)",
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_ctrl_c_ends_it(call, tmp_path):
    code = f"import plyproof\nFILE={str(tmp_path / 'table')!r}\nprint('ready', flush=True)\n{call}\nprint('not interrupted')"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as run:
        assert run.stdout.readline() == "ready\n"
        time.sleep(0.7)
        run.send_signal(signal.SIGINT)
        out, error = run.communicate(timeout=30)
    assert "KeyboardInterrupt" in error and "not interrupted" not in out and "panicked" not in error


def test_other_threads_run_during_a_search():
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    plyproof.search("loa", time=0.5)
    done.set()
    thread.join()
    assert counted[0] > 20


def test_an_agent_is_a_value():
    agent = plyproof.Agent("pn-mcts(pn=2)")
    assert str(agent) == "pn-mcts(pn=2)" and agent.name == "pn-mcts" and agent.solves
    assert agent.parameters["pn"] == "2" and agent == plyproof.Agent(agent) and pickle.loads(pickle.dumps(agent)) == agent
    one, other = (plyproof.search("loa", given, sims=100) for given in (agent, "pn-mcts(pn=2)"))
    assert one.visits.tolist() == other.visits.tolist()


def test_a_bonus_of_python_selects():
    asked = []

    def by_rank(node):
        asked.append((node.depth, len(node.visits)))
        return 1 - node.rank / node.worst_rank

    agent = plyproof.Agent("pn-mcts", bonus=by_rank, name="by-rank")
    report = plyproof.search("tictactoe", agent, sims=300)
    assert report.agent == "pn-mcts+by-rank" and asked and report.visits.sum() == report.simulations
    plain = plyproof.search("tictactoe", "mcts", sims=300)
    assert report.visits.tolist() != plain.visits.tolist()
    result = plyproof.match("tictactoe", agent, "random", games=4, sims=50)
    assert result.data["a"] == "pn-mcts+by-rank" and result.losses == 0


@pytest.mark.parametrize("answer", [None, [1.0], "text", [float("nan")] * 9])
def test_a_wrong_bonus_is_an_exception(answer):
    agent = plyproof.Agent("pn-mcts", bonus=lambda node: answer)
    with pytest.raises((ValueError, TypeError)):
        plyproof.search("tictactoe", agent, sims=300)
    result = plyproof.match("tictactoe", agent, "random", games=2, sims=100)
    assert result.errors == 2 and "the bonus raised" in result.data["first_error"]


def test_a_bonus_plays_by_a_clock():
    agent = plyproof.Agent("pn-mcts", bonus=lambda node: node.mean * 0, name="none")
    result = plyproof.match("tictactoe", agent, "random", games=2, clock=(1.0, 0.0))
    assert result.errors == 0 and result.games == 2
    with pytest.raises(ValueError, match="leave out threads"):
        plyproof.search("tictactoe", agent, sims=10, threads=2)


def test_several_threads_search_one_tree():
    report = plyproof.search("loa", sims=4000, threads=2)
    assert report.simulations >= 4000
