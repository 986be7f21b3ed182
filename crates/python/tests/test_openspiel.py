"""OpenSpiel in both directions: the rules compared ply by ply, and evaluations."""

import random

import pytest
from own import TicTacToe

import plyproof

pyspiel = pytest.importorskip("pyspiel")

from plyproof.openspiel import Bot, Player, _Follower, game_of, native_name, spiel_name  # noqa: E402

NATIVE = [
    "lines_of_action", "oware", "breakthrough", "breakthrough(rows=6,columns=5)", "connect_four", "connect_four(rows=4,columns=5)",
    "othello", "hex(board_size=7)", "hex(num_cols=5,num_rows=5)", "gomoku", "gomoku(size=9)", "tic_tac_toe", "mnk(m=5,n=4,k=4)", "clobber",
    "clobber(rows=4,columns=5)", "amazons", "amazons(board_size=6)",
]  # fmt: skip
GENERIC = ["checkers", "pentago", "nim"]


@pytest.mark.parametrize("name", NATIVE)
def test_the_rules_are_those_of_openspiel(name):
    spiel = pyspiel.load_game(name)
    follower = _Follower(spiel, native=True)
    parts = follower.native.parts
    for number in range(4):
        chance = random.Random(f"{name} {number}")
        follower.start()
        state = spiel.new_initial_state()
        while not state.is_terminal() and len(state.history()) < 150:
            if len(state.history()) % parts == 0:
                ours = follower.position
                assert ours.to_move == state.current_player() + 1
                if parts == 1:
                    theirs = {follower.text(action) for action in state.legal_actions()}
                    assert theirs == set(ours.legal_moves), str(ours)
                else:
                    first = {move[: len(follower.text(action))] for move in ours.legal_moves for action in state.legal_actions() if move.startswith(follower.text(action))}
                    assert first == {follower.text(action) for action in state.legal_actions()}
            action = chance.choice(state.legal_actions())
            state.apply_action(action)
            follower.follow(state)
        if state.is_terminal():
            repeated = name == "lines_of_action" and follower.position.outcome is None
            assert repeated or follower.position.result(1) == state.returns()[0], str(follower.position)


@pytest.mark.parametrize("name", ["amazons(board_size=6)"])
def test_three_actions_are_the_moves_of_amazons(name):
    spiel = pyspiel.load_game(name)
    follower, moves = _Follower(spiel, native=True), set()
    state = spiel.new_initial_state()
    for start in state.legal_actions():
        second = state.child(start)
        for end in second.legal_actions():
            third = second.child(end)
            for arrow in third.legal_actions():
                words = [state.action_to_string(0, start), second.action_to_string(0, end), third.action_to_string(0, arrow)]
                moves.add("".join(map(follower.native.ours, words)))
    assert moves == set(follower.position.legal_moves)


@pytest.mark.parametrize("name", NATIVE)
def test_names_go_both_ways(name):
    ours = plyproof.Game(native_name(name))
    assert plyproof.Game(native_name(spiel_name(ours))) == ours


def test_games_without_a_counterpart_have_none():
    for name in ("chess", "hex(board_size=7,swap=true)", "gomoku(size=9,connect=4)", "connect_four(x_in_row=3)", "breakthrough(rows=12)"):
        assert native_name(name) is None, name
    for name in ("loa", "awari", "minishogi", "gomoku", "othello(size=6)", "knightthrough", "domineering"):
        with pytest.raises(ValueError, match="OpenSpiel has no game"):
            spiel_name(plyproof.Game(name))
    with pytest.raises(ValueError, match="has no game"):
        spiel_name(plyproof.Game(TicTacToe))


@pytest.mark.parametrize("name", [name for name in NATIVE if name not in ("amazons", "gomoku")])
def test_a_bot_plays_every_native_game(name):
    game = pyspiel.load_game(name)
    bot, other = Bot(game, "mcts", sims=60), pyspiel.make_uniform_random_bot(1, 5)
    assert bot.game.name == native_name(name)
    for seat in (0, 1):
        if seat:
            other = pyspiel.make_uniform_random_bot(0, 5)
        bots = [bot, other] if seat == 0 else [other, bot]
        returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, 5)
        assert len(returns) == 2 and sum(returns) == 0


def test_a_bot_wins_against_random_moves():
    game = pyspiel.load_game("connect_four")
    bots = [Bot(game, "pn-mcts", sims=300), pyspiel.make_uniform_random_bot(1, 1)]
    assert [pyspiel.evaluate_bots(game.new_initial_state(), bots, seed)[0] for seed in range(4)] == [1.0] * 4


@pytest.mark.parametrize("name", GENERIC)
def test_a_bot_plays_any_game_through_its_states(name):
    game = pyspiel.load_game(name)
    for seat in (0, 1):
        bots = [Bot(game, "mcts", sims=10), Bot(game, "mcts", sims=3, seed=9)]
        returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, 5)
        assert len(returns) == 2 and bots[seat].game.name.startswith("openspiel-")


@pytest.mark.parametrize("name", ["tic_tac_toe", "nim(pile_sizes=2;3)", "connect_four(rows=3,columns=3,x_in_row=3)"])
def test_a_game_through_states_keeps_the_contract(name):
    game = game_of(name)
    assert game.check(games=3, playouts=0) > 5
    native = plyproof.solve("tictactoe") if name == "tic_tac_toe" else None
    if native:
        assert plyproof.solve(game, "alpha-beta", nodes=200_000).value in (native.value, None)
    assert plyproof.search(game, "pn-mcts", sims=50).best in game.start().legal_moves
    with pytest.raises(ValueError, match="is not a position of"):
        game.position("99999")


def test_games_that_do_not_fit_are_refused():
    for name in ("kuhn_poker", "matrix_pd", "backgammon", "chinese_checkers(players=3)"):
        with pytest.raises(ValueError, match="is not a game of two players"):
            game_of(name)
    with pytest.raises(ValueError, match="needs sims or time"):
        Bot(pyspiel.load_game("hex"))


def test_a_bot_is_restarted_anywhere():
    game = pyspiel.load_game("connect_four")
    bot, state = Bot(game, "mcts", sims=50), game.new_initial_state()
    for action in (3, 3, 2):
        state.apply_action(action)
    bot.restart_at(state)
    first = bot.step(state)
    assert first in state.legal_actions()
    bot.restart()
    assert bot.step(state) == first, "the same state, seed and simulations"
    policy, action = bot.step_with_policy(game.new_initial_state())
    assert sum(share for _, share in policy) == 1 and dict(policy)[action] == 1
    other = state.clone()
    other.undo_action(state.history() and 0, 2) if False else None
    assert bot.step(other) in other.legal_actions()


@pytest.mark.parametrize("game", ["connect4", "breakthrough(size=5x6)", "amazons(size=6)", "hex(size=5)"])
def test_bots_of_openspiel_play_in_our_matches(game):
    def mcts(spiel, player):
        return pyspiel.MCTSBot(spiel, pyspiel.RandomRolloutEvaluator(1, 3), 2.0, 5, 50, True, 3, False)

    result = plyproof.match(game, Player(mcts, name="spiel-mcts"), "mcts", games=4, sims=100, openings=2)
    assert result.errors == 0 and result.games == 4 and result.data["a"] == "python(spiel-mcts)"


def test_a_bot_plays_on_where_openspiel_draws_a_repetition():
    player = Player(lambda spiel, number: pyspiel.make_uniform_random_bot(number, 3))
    position = plyproof.Game("loa(both=mover)").start()
    player.new_game(position)
    for move in ["b1b3", "a2c2", "b3b1", "c2a2", "b1b3", "a2c2"]:
        position = position.play(move)
        player.played(move)
    assert player._follower.state.is_terminal() and not position.is_over
    assert player.choose(position) in position.legal_moves


def test_bots_of_openspiel_play_games_of_openspiel():
    uniform = Player(lambda spiel, player: pyspiel.make_uniform_random_bot(player, 3))
    result = plyproof.match(game_of("nim"), uniform, "mcts", games=2, sims=20)
    assert result.errors == 0
    refused = plyproof.match(TicTacToe, uniform, "random", games=2, sims=2)
    assert refused.errors == 2 and "OpenSpiel has no game" in refused.data["first_error"]
