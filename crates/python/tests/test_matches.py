"""Matches, tournaments, sweeps, records and players in Python."""

import json
import subprocess
import threading

import pytest

import plyproof
from plyproof import Side


def test_a_match_is_that_of_the_command_line(program):
    line = [program, "match", "tictactoe", "pn-mcts", "mcts", "--games", "20", "--sims", "50", "--seed", "3"]
    done = subprocess.run([*line, "--openings", "1", "--json"], check=True, capture_output=True, text=True)
    theirs = json.loads(done.stdout)
    ours = plyproof.match("tictactoe", "pn-mcts", "mcts", games=20, sims=50, seed=3, openings=1)
    for key in ("games", "wins", "draws", "losses", "elo", "elo95", "pentanomial", "wilson95", "mean_plies", "reasons"):
        assert ours.data[key] == theirs[key], key


def test_statistics_and_games_of_a_match(tmp_path):
    record = tmp_path / "match.jsonl"
    result = plyproof.match("connect4", Side("pn-mcts", sims=200), Side("mcts", sims=20), games=10, record=record)
    assert result.games == 10 == result.wins + result.draws + result.losses and result.complete
    frame = result.to_frame()
    assert len(frame) == 10 and (frame.points == 1).sum() == result.wins
    assert set(frame.sims_a) == {200} and set(frame.sims_b) == {20}
    again = plyproof.match("connect4", Side("pn-mcts", sims=200), Side("mcts", sims=20), games=12, record=record)
    assert again.data["resumed"] == 10 and again.games == 12
    read = plyproof.read_records(record)
    assert len(read) == 12 and read.a.unique().tolist() == ["pn-mcts"] and read.attrs["torn"] == []
    assert "Elo" in result._repr_html_() and "connect4" in repr(result)
    with record.open("a") as file:
        file.write('{"pair":')
    assert plyproof.read_records([record]).attrs["torn"] == [str(record)]
    kept = plyproof.match("tictactoe", "mcts", "random", games=4, sims=20)
    assert len(kept.to_frame()) == 4 and kept.sprt is None


def test_a_sequential_test_ends_early():
    result = plyproof.match("tictactoe", "mcts", "random", games=2000, sims=50, sprt=(0, 50))
    assert result.sprt == "H1" and result.games < 2000 and result.complete


def test_limits_openings_and_positions():
    result = plyproof.match("tictactoe", "random", "random", games=4, sims=1, openings=["b2 a1", "a1 b2 c3"])
    assert {row.split()[0] for row in result.to_frame().opening} == {"b2", "a1"}
    position = plyproof.Game("tictactoe").position("xx./oo./... x")
    assert plyproof.match(position, "mcts", "mcts", games=2, sims=200).data["mean_plies"] == 1
    assert plyproof.match("loa", "mcts", "mcts", games=2, sims=5, max_plies=10).data["ply_limit"] == 2
    timed = plyproof.match("tictactoe", "mcts", "random", games=2, clock=(5.0, 0.01))
    assert timed.data["side_a"]["clock_us"] == 5_000_000
    assert plyproof.match("connect4", "mcts", "random", games=2, sims=50, adjudicate=True).games == 2


def test_a_tournament_rates_its_players(tmp_path):
    folder = tmp_path / "all"
    standings = plyproof.tournament("connect4", ["mcts", "random", "pn-mcts"], games=4, sims=60, folder=folder)
    assert standings.players[-1]["agent"] == "random" and len(standings.meetings) == 3 and standings.complete
    assert list(standings.to_frame().columns)[:2] == ["agent", "elo"]
    assert len(plyproof.read_records(folder)) == 12
    gauntlet = plyproof.tournament("tictactoe", ["mcts", "random", "pn-mcts"], gauntlet=True, games=2, sims=20)
    assert len(gauntlet.meetings) == 2 and "mcts" in repr(gauntlet)


def test_a_sweep_goes_on_where_it_stopped(tmp_path):
    plan = {"name": "weights", "game": "tictactoe", "a": "pn-mcts(pn={pn})", "b": "mcts", "sims": 20, "games": 4}
    plan["grid"] = {"pn": [0, 1, 2]}
    results = plyproof.sweep(plan, tmp_path)
    assert results.complete and len(results.cells) == 3
    frame = results.to_frame()
    assert frame.pn.tolist() == [0, 1, 2] and frame.games.tolist() == [4, 4, 4]
    assert len(plyproof.read_records(tmp_path)) == 12
    again = plyproof.sweep(plan, tmp_path, games=6)
    assert [cell.data["resumed"] for cell in again.cells.values()] == [4, 4, 4]
    assert len(next(iter(again.cells.values())).to_frame()) == 6
    file = tmp_path / "plan.toml"
    file.write_text("name = 'x'\ngame = 'tictactoe'\na = 'mcts'\nb = 'random'\nsims = 5\ngames = 2\n")
    assert plyproof.sweep(file, tmp_path / "x").complete
    with pytest.raises(ValueError, match="plan.toml:3: a: unknown agent"):
        file.write_text("name = 'x'\ngame = 'tictactoe'\na = 'mcst'\nb = 'random'\nsims = 5\n")
        plyproof.sweep(file, tmp_path / "y")


def test_progress_is_told_and_ends_a_match():
    told = []
    result = plyproof.match("tictactoe", "mcts", "random", games=1000, sims=100, progress=lambda now: told.append(now.games) or now.games < 5)
    assert result.games < 1000 and not result.complete and told == sorted(told)
    with pytest.raises(ZeroDivisionError):
        plyproof.match("tictactoe", "mcts", "random", games=1000, sims=100, progress=lambda now: 1 / 0)


def test_progress_bars(capsys):
    plyproof.match("tictactoe", "mcts", "random", games=4, sims=10, progress=True)
    assert "games" in capsys.readouterr().err


class Careful:
    """A player with everything that a player can have."""

    name = "careful player"
    made = 0

    def __init__(self):
        Careful.made += 1
        self.games, self.seen = 0, []

    def new_game(self, start):
        self.games, self.seen = self.games + 1, []
        self.position = start

    def played(self, move):
        self.position = self.position.play(move)

    def choose(self, position, *, seed, sims, time, clock):
        assert position == self.position, "every move is told"
        assert sims == 30 and clock is None and seed >= 0
        return plyproof.search(position, "mcts", sims=sims, seed=seed).best


def test_players_in_python():
    result = plyproof.match("connect4", Careful, "random", games=6, sims=30)
    assert result.data["a"] == "python(careful-player)" and result.errors == 0 and result.wins >= 5
    assert Careful.made == 1
    plyproof.match("connect4", Careful, Careful, games=4, sims=30, jobs=2)
    assert plyproof.match("tictactoe", Careful(), lambda position: position.legal_moves[-1], games=2, sims=30).errors == 0


def test_a_function_is_a_player_with_the_seed_of_its_move():
    seeds = []

    def one(position, seed):
        seeds.append(seed)
        return position.legal_moves[seed % len(position.legal_moves)]

    first = plyproof.match("tictactoe", one, "random", games=4, sims=1, seed=5).to_frame()
    before, seeds = list(seeds), []
    again = plyproof.match("tictactoe", one, "random", games=4, sims=1, seed=5).to_frame()
    assert first.moves.tolist() == again.moves.tolist() and len(before) > 4


@pytest.mark.parametrize(
    "player, part",
    [
        (lambda position: "z9", '"z9" is not a legal move'),
        (lambda position: None, "TypeError: a player has to return a move as text, not NoneType"),
        (lambda position: 1 / 0, "ZeroDivisionError: division by zero"),
        (lambda: "a1", "TypeError"),
    ],
)
def test_a_player_that_fails_loses_and_the_record_says_why(player, part):
    result = plyproof.match("tictactoe", player, "random", games=2, sims=1)
    assert (result.losses, result.errors) == (2, 2) and part in result.data["first_error"]
    assert part in result.to_frame().error[0]


def test_what_is_no_player_is_refused():
    for wrong in (3, None, object()):
        with pytest.raises(TypeError, match="a player is a text"):
            plyproof.match("tictactoe", wrong, "random", sims=1)
    with pytest.raises(ValueError, match="needs simulations or time"):
        plyproof.match("tictactoe", "mcts", "mcts")


def test_matches_on_several_threads_do_not_disturb_each_other():
    results = {}

    def play(seed):
        results[seed] = plyproof.match("tictactoe", "mcts", "pn-mcts", games=10, sims=30, seed=seed, jobs=1)

    threads = [threading.Thread(target=play, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for seed, result in results.items():
        alone = plyproof.match("tictactoe", "mcts", "pn-mcts", games=10, sims=30, seed=seed)
        assert alone.to_frame().moves.tolist() == result.to_frame().moves.tolist()
