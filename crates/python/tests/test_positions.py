"""Games and positions: texts both ways, hashes, pickles, copies."""

import copy
import pickle

import pytest
from conftest import GAMES, SIZES, walk

import plyproof


@pytest.mark.parametrize("name", GAMES + SIZES)
def test_a_position_is_its_text(name):
    game = plyproof.Game(name)
    seen = {}
    for position, move in walk(name):
        again = game.position(str(position))
        assert again == position and hash(again) == hash(position) and str(again) == str(position)
        assert again.legal_moves == position.legal_moves and again.outcome == position.outcome
        assert pickle.loads(pickle.dumps(position)) == position
        assert copy.copy(position) is position and copy.deepcopy([position])[0] is position
        assert (position.to_move is None) == position.is_over == (not position.legal_moves)
        assert all(position != other or text == str(position) for text, other in seen.items())
        seen[str(position)] = position
        if move:
            before = str(position)
            assert position.play(move) != position and str(position) == before, "play changes nothing"
    assert len(set(seen.values())) == len(seen)


def test_moves_can_be_given_in_a_row():
    game = plyproof.Game("tictactoe")
    one = game.start().play("b2", "a1", "c1")
    assert one == game.position(moves="b2 a1 c1") == game.position(moves=["b2", "a1", "c1"])
    assert str(one) == ".../.x./o.x o" and one.to_move == 2 and one.key == one.key
    over = one.play("a3", "a2", "b1", "c2")
    assert over.outcome.winner == 1 and (over.result(1), over.result(2)) == (1, -1) and repr(over.outcome)
    assert (over.outcome.of(1), over.outcome.margin) == (1, 0)


def test_a_game_says_what_it_is():
    game = plyproof.Game("loa(size=7)")
    assert (game.name, game.title, game.parameters) == ("loa(size=7)", "Lines of Action", {"size": 7, "both": "draw"})
    assert game == plyproof.Game("loa(size=7,both=draw)") and game != plyproof.Game("loa")
    assert pickle.loads(pickle.dumps(game)) == game and hash(game) == hash(plyproof.Game("loa(size=7)"))
    assert (game.players, game.may_repeat, game.rules, game.symmetries, str(game)) == (2, True, 1, 8, "loa(size=7)")
    assert "openspiel" in game.notations
    assert {agent["name"] for agent in plyproof.agents()} >= {"plyproof", "pn-mcts", "df-pn"}


def test_other_notations_are_read_and_written():
    position = plyproof.Game("minishogi").start()
    move = position.legal_moves[0]
    assert position.own_move(position.move_in("usi", move)) == move
    assert position.position_in("usi")


def test_counts_and_random_games():
    start = plyproof.Game("connect4").start()
    assert [start.perft(depth) for depth in range(4)] == [1, 7, 49, 343]
    wins, draws, losses = start.playouts(500, seed=3)
    assert wins + draws + losses == 500 and (wins, draws, losses) == start.playouts(500, seed=3)
    line = start.random_line(6, seed=2)
    assert len(line) == 6 and not start.play(*line).is_over


def test_positions_of_different_games_differ():
    one, other = plyproof.Game("mnk").start(), plyproof.Game("tictactoe").start()
    assert str(one) == str(other) and one != other
    assert one != str(one) and (one == 3) is False
