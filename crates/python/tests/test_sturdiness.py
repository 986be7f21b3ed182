"""Threads, processes and memory."""

import concurrent.futures
import multiprocessing
import os
import sys

import pytest
from own import TicTacToe

import plyproof


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def searched(seed):
    position = plyproof.Game("loa").start().play("b1b3")
    return plyproof.search(position, "pn-mcts", sims=200, seed=seed, memory="64MB").visits.tolist()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_a_thousand_searches_leak_nothing():
    calls = [
        lambda seed: plyproof.search("connect4", "pn-mcts", sims=100, seed=seed, keep_tree=True).tree.children,
        lambda seed: plyproof.search(TicTacToe, "mcts", sims=20, seed=seed),
        lambda seed: plyproof.solve("tictactoe", "df-pn", memory="16MB"),
        lambda seed: plyproof.match("tictactoe", "mcts", lambda position: position.legal_moves[0], games=2, sims=10, seed=seed),
    ]
    for call, count in zip(calls, (1000, 1000, 200, 100), strict=True):
        for seed in range(count // 5):
            call(seed)
        before = resident()
        for seed in range(count):
            call(seed)
        assert resident() - before < 6 << 20, call


def test_threads_search_at_the_same_time():
    alone = [searched(seed) for seed in range(8)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert list(pool.map(searched, range(8))) == alone


@pytest.mark.parametrize("method", [method for method in ("fork", "spawn") if method in multiprocessing.get_all_start_methods()])
def test_processes_search_at_the_same_time(method):
    alone = [searched(seed) for seed in range(4)]
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(searched, range(4)) == alone
        positions = [plyproof.Game("loa").start(), plyproof.Game(TicTacToe).start().play("b2")]
        assert pool.map(hash, positions) == [hash(position) for position in positions]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_fork_during_a_search_searches():
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        running = [pool.submit(plyproof.search, "loa", time=0.5) for _ in range(2)]
        for _ in range(5):
            child = os.fork()
            if child == 0:
                os._exit(0 if searched(1) else 1)
            assert os.waitpid(child, 0)[1] == 0
        assert all(search.result().best for search in running)


def test_a_searcher_is_used_by_one_thread_at_a_time():
    searcher = plyproof.Searcher("loa")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        running = [pool.submit(searcher.search, "loa", time=0.3) for _ in range(2)]
        errors = [search.exception() for search in running]
    assert sum(error is None for error in errors) >= 1
    assert all(error is None or "give every thread a searcher of its own" in str(error) for error in errors)
