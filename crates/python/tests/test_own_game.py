"""Games written in Python: every search, solver, match and certificate works; what is broken is told."""

import pickle
import threading

import pytest
from own import Coins, TicTacToe, broken, play_as_itself

import plyproof


def test_a_game_in_python_has_the_values_of_the_same_game_in_rust():
    ours, theirs = plyproof.Game("tictactoe"), plyproof.Game(TicTacToe)
    assert theirs.check(games=10, playouts=200) > 50
    assert [theirs.start().perft(depth) for depth in range(5)] == [ours.start().perft(depth) for depth in range(5)]
    seen, stack = set(), [(ours.start(), theirs.start())]
    while stack:
        one, other = stack.pop()
        if other in seen or len(seen) > 300:
            continue
        seen.add(other)
        assert sorted(one.legal_moves) == sorted(other.legal_moves) and one.to_move == other.to_move
        assert (one.outcome and one.outcome.winner) == (other.outcome and other.outcome.winner)
        stack += [(one.play(move), other.play(move)) for move in one.legal_moves]
    for agent in ("df-pn", "alpha-beta", "portfolio", "minimax", "pns", "pn2"):
        goal = "win" if agent in ("pns", "pn2") else "value"
        solution = plyproof.solve(TicTacToe, agent, goal=goal)
        assert solution.value == "draw" if goal == "value" else solution.bounds[1] == "draw", agent
    for agent in ("plyproof", "mcts", "mcts-solver", "pn-mcts", "pn-mcts-fsu", "gpn-mcts", "random"):
        assert plyproof.search(TicTacToe, agent, sims=60).best in ours.start().legal_moves


def test_searches_are_repeatable():
    one, other = (plyproof.search(plyproof.Game(TicTacToe), "pn-mcts", sims=300, seed=4) for _ in range(2))
    assert one.to_json().split('"seconds"')[0].split('"bytes"')[0] == other.to_json().split('"seconds"')[0].split('"bytes"')[0]


def test_texts_by_default_and_parameters():
    game = plyproof.Game("py-coins(left=9)", games=[Coins])
    assert game.name == "py-coins(left=9)" and game.parameters == {"left": 9, "most": 2}
    assert str(game.start()) == '{"left":9,"mover":1,"most":2}' and game.check() > 20
    position = game.start().play("2", "1")
    assert position.state == Coins(6, 1, 2) and game.position(str(position)) == position
    assert plyproof.Game("tictactoe", games=[Coins]).start().state is None
    assert plyproof.solve(game).value == "loss" and plyproof.solve(position).value == "loss"
    assert pickle.loads(pickle.dumps(position)) == position
    for text in ("", "{}", "[1]", '{"left":9}', "nonsense"):
        with pytest.raises(ValueError, match="is not a position of py-coins"):
            game.position(text)
    with pytest.raises(ValueError, match="left is 1..100"):
        plyproof.Game("py-coins(left=0)", games=[Coins])


def test_certificates_are_about_games_in_python(tmp_path):
    solution = plyproof.solve(Coins, certificate=tmp_path / "coins.cert")
    assert solution.value == "win"
    assert plyproof.verify(solution.certificates[0], games=[Coins])["game"] == "py-coins"
    with pytest.raises(plyproof.CertificateError, match="unknown game"):
        plyproof.verify(solution.certificates[0])
    newer = type("Coins", (Coins,), {"version": 2})
    with pytest.raises(plyproof.CertificateError, match="rules"):
        plyproof.verify(solution.certificates[0], games=[newer])


def test_matches_of_games_in_python(tmp_path):
    result = plyproof.match(TicTacToe, "pn-mcts", "random", games=6, sims=60, record=tmp_path / "own.jsonl")
    assert result.losses == 0 and result.errors == 0
    assert len(plyproof.read_records(tmp_path / "own.jsonl")) == 6
    assert plyproof.match(TicTacToe, "mcts", "random", games=6, sims=30, jobs=3).games == 6
    standings = plyproof.tournament(plyproof.Game(Coins), ["mcts", "random"], games=2, sims=20)
    assert standings.complete
    plan = {"name": "coins", "game": "py-coins(left={left})", "a": "mcts", "b": "random", "sims": 5, "games": 2}
    results = plyproof.sweep({**plan, "grid": {"left": [5, 6]}}, tmp_path / "sweep", classes=[Coins])
    assert list(results.cells) == ["py-coins(left=5) left=5", "py-coins(left=6) left=6"]


def test_several_threads_share_a_game():
    game, found = plyproof.Game(TicTacToe), []

    def play():
        found.append(plyproof.search(game, "mcts", sims=300, seed=1).simulations)

    threads = [threading.Thread(target=play) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [300] * 4
    with pytest.raises(ValueError, match="searched by one thread"):
        plyproof.search(game, "mcts", sims=100, threads=2)
    with pytest.raises(ValueError, match="searched by one thread"):
        plyproof.solve(game, "df-pn(threads=2)")
    for player in ("mcts(threads=2)", plyproof.Agent("mcts(threads=2)")):
        with pytest.raises(ValueError, match="searched by one thread"):
            plyproof.match(game, player, "random", sims=10)


def failing(self, *given):
    raise LookupError("this method fails")


def later(method):
    """Fails once fewer than four coins are left."""
    original = Coins.__dict__[method]

    def some(self, *given):
        if self.left < 4:
            raise LookupError("this method fails")
        return play_as_itself(self, *given) if method == "play" else original(self, *given)

    return some


@pytest.mark.parametrize("method", ["to_move", "outcome", "legal_moves", "play"])
@pytest.mark.parametrize("agent", ["mcts", "pn-mcts", "plyproof", "random"])
def test_an_exception_in_a_method_is_raised(method, agent, capfd):
    if (agent, method) != ("random", "play"):
        with pytest.raises(LookupError, match="this method fails"):
            plyproof.search(broken(**{method: failing}), agent, sims=200)
    game = plyproof.Game(broken(**{method: later(method)}))
    if agent != "random":
        with pytest.raises(LookupError, match="this method fails"):
            plyproof.search(game, agent, sims=200)
        with pytest.raises(LookupError, match="this method fails"):
            plyproof.solve(game, "df-pn")
    with pytest.raises(LookupError, match="this method fails"):
        game.check()
    with pytest.raises(LookupError, match="this method fails"):
        plyproof.match(game, agent, "random", games=2, sims=50)
    assert "panicked" not in capfd.readouterr().err


@pytest.mark.parametrize(
    "methods, part",
    [
        ({"to_move": lambda self: 3}, r"to_move\(\) of broken has to return 1 or 2, not 3"),
        ({"outcome": lambda self: "won"}, r"outcome\(\) of broken has to return None, 0 \(a draw\), 1 or 2"),
        ({"legal_moves": lambda self: [1, 2]}, r"legal_moves\(\) of broken has to return texts, not 1"),
        ({"legal_moves": lambda self: ["take one"]}, "a move is a text without spaces"),
        ({"legal_moves": lambda self: []}, r"legal_moves\(\) of broken is empty and outcome\(\) is None"),
        ({"legal_moves": lambda self: 5}, "not iterable"),
        ({"play": lambda self, move: self.left}, "a position of broken was expected, not int"),
        ({"text": lambda self: "two\nlines"}, r"text\(\) of broken has to return one line of text"),
        ({"text": lambda self: 7}, r"text\(\) of broken has to return a text"),
    ],
)
def test_a_wrong_answer_of_a_method_is_told(methods, part):
    with pytest.raises((TypeError, ValueError), match=part):
        plyproof.Game(broken(**methods)).check()


@pytest.mark.parametrize(
    "methods, part",
    [
        ({"text": lambda self: "always the same"}, "position|key|text"),
        ({"legal_moves": lambda self: ["1", "1"]}, "two moves with one text"),
        ({"play": lambda self, move: self}, "playing . did not change the key"),
        ({"outcome": lambda self: None if self.left else 0}, "drawn"),
    ],
)
def test_the_contract_says_which_promise_is_broken(methods, part):
    with pytest.raises((plyproof.ContractError, ValueError, TypeError), match=part):
        plyproof.Game(broken(**methods)).check(games=5, playouts=0)


def test_what_is_no_game_is_refused():
    for wrong in (int, plyproof.PyGame, TicTacToe(), 3):
        with pytest.raises(TypeError):
            plyproof.Game(wrong)
    for name, part in (("two words", "cannot be a name"), ("loa", "there is a game"), (7, "has to be a text")):
        with pytest.raises((ValueError, TypeError), match=part):
            plyproof.Game(type("Wrong", (Coins,), {"name": name}))
    with pytest.raises(NotImplementedError, match="needs the method"):
        plyproof.Game(type("Empty", (plyproof.PyGame,), {"name": "empty"}))
    for parameters in ({"left": 3}, [1], {"left": (5, 6, 7)}):
        with pytest.raises((ValueError, TypeError)):
            plyproof.Game(type("Wrong", (Coins,), {"parameters": parameters}))


def test_threads_raise_their_own_exceptions():
    seen = []

    def named(self, move):
        raise LookupError(threading.current_thread().name)

    game = plyproof.Game(broken(play=named))

    def search():
        for _ in range(50):
            with pytest.raises(LookupError) as raised:
                plyproof.search(game, "mcts", sims=20)
            seen.append(str(raised.value) == threading.current_thread().name)

    threads = [threading.Thread(target=search) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert seen == [True] * 200
