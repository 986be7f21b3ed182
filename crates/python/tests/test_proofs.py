"""Exact values, certificates, tables and puzzles."""

import gzip
import json
import math
import subprocess

import pytest

import plyproof


def test_values_of_small_games():
    for game, value in [("tictactoe", "draw"), ("loa(size=4)", "win"), ("connect4(width=4,height=4)", "draw"), ("hex(size=3)", "win")]:
        for agent in ("portfolio", "df-pn", "alpha-beta"):
            assert plyproof.solve(game, agent).value == value
    assert plyproof.solve("othello(size=4)", goal="score").score == -8


def test_a_solution_is_that_of_the_command_line(program):
    line = [program, "solve", "mnk(m=4,n=3,k=3)", "--agent", "df-pn", "--all-moves", "--threads", "1", "--json"]
    theirs = json.loads(subprocess.run(line, check=True, capture_output=True, text=True).stdout)
    ours = plyproof.solve("mnk(m=4,n=3,k=3)", "df-pn", all_moves=True)
    assert ours.moves == {move["move"]: move["value"] for move in theirs["moves"]}
    assert (ours.value, ours.nodes, ours.line) == (theirs["value"], theirs["nodes"], theirs["line"])


def test_a_question_that_stays_open_has_bounds():
    solution = plyproof.solve("loa", "df-pn", nodes=1000)
    assert (solution.value, solution.bounds, solution.stopped) == (None, ("loss", "win"), "simulations")
    assert solution.numbers[0] > 1 and not math.isinf(solution.numbers[0]) and "unknown" in repr(solution)


def test_certificates_are_written_and_verified(tmp_path):
    file = tmp_path / "loa4.cert.gz"
    solution = plyproof.solve("loa(size=4)", certificate=file)
    assert solution.certificates == [str(file)] and solution.distance > 0
    proof = plyproof.verify(file)
    assert (proof["game"], proof["player"], proof["goal"]) == ("loa(size=4)", 1, "win")
    assert proof["entries"] > 0 and "wins" in proof["claim"]
    draw = plyproof.solve("tictactoe", certificate=tmp_path / "draw.cert")
    assert [plyproof.verify(name)["player"] for name in draw.certificates] == [1, 2]
    assert draw.certificates[1].endswith("draw-2.cert")


def test_a_changed_certificate_is_refused(tmp_path):
    file = tmp_path / "win.cert"
    plyproof.solve("mnk(m=4,n=3,k=3)", certificate=file)
    lines = file.read_text().splitlines(keepends=True)
    for broken in (lines[:-1], [lines[0].replace('"win"', '"margin>=3"'), *lines[1:]], ["{}\n"]):
        file.write_text("".join(broken))
        with pytest.raises(plyproof.CertificateError, match="win.cert"):
            plyproof.verify(file)
    with gzip.open(tmp_path / "cut.cert.gz", "wt") as cut:
        cut.write("".join(lines))
    data = (tmp_path / "cut.cert.gz").read_bytes()
    (tmp_path / "cut.cert.gz").write_bytes(data[: len(data) // 2])
    with pytest.raises(OSError, match="cut off"):
        plyproof.verify(tmp_path / "cut.cert.gz")
    with pytest.raises(OSError, match="nowhere"):
        plyproof.verify(tmp_path / "nowhere")
    with pytest.raises(OSError, match="cannot write"):
        plyproof.solve("tictactoe", certificate=tmp_path / "no" / "folder.cert")


def test_tables_are_made_and_used(tmp_path):
    file = tmp_path / "awari4.table"
    told = []
    made = plyproof.make_table("awari", file, limit=4, progress=told.append)
    assert made["limit"] == 4 and plyproof.table_contents(file) == made
    endgame = plyproof.Game("awari").position("0,1,0,0,1,1,1,1,2,1,0,0|24,16 2")
    agent = f"df-pn(table={file})"
    assert plyproof.solve(endgame, agent).value == plyproof.solve(endgame, "df-pn").value
    assert plyproof.search(endgame, f"pn-mcts(table={file})", sims=100).best in endgame.legal_moves
    searcher = plyproof.Searcher("awari")
    for name in (f"mcts(table={file})", "mcts", f"mcts(table={file})"):
        assert searcher.search(endgame, name, sims=50).best in endgame.legal_moves
    with pytest.raises(ValueError, match="solve without table="):
        plyproof.solve(endgame, agent, certificate=tmp_path / "x.cert")
    with pytest.raises(OSError):
        plyproof.search(endgame, f"mcts(table={tmp_path / 'none'})", sims=5)


def test_puzzles_are_solved():
    found = plyproof.puzzles("knightthrough")[:3]
    for puzzle in found:
        assert plyproof.solve(puzzle.position, "df-pn", goal="win").value == "win"
        assert plyproof.solve(puzzle.position.play(puzzle.best), "df-pn").value == "loss"
    with pytest.raises(ValueError, match="no puzzles of othello"):
        plyproof.puzzles("othello")


def test_progress_of_a_solver():
    told = []
    plyproof.solve("loa(size=6)", "df-pn", time=0.5, progress=lambda state: told.append(state))
    assert told and told[-1]["nodes"] >= told[0]["nodes"] and set(told[0]) >= {"seconds", "nodes", "numbers"}
    assert plyproof.solve("loa(size=6)", "df-pn", time=60, progress=lambda state: False).stopped == "cancelled"
