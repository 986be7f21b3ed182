"""Games from rules files and from texts of rules."""

import pickle
from pathlib import Path

import pytest

import plyproof

DATA = Path(__file__).parents[2] / "rules" / "tests" / "data"
TEXT = (DATA / "take.rbg").read_text(encoding="utf-8")


def test_a_rules_file_is_a_game():
    file = str(DATA / "take.rbg")
    game = plyproof.Game(f"{file}(size=6)")
    assert game.name == f"{file}(size=6)" and game.title == "Take one or two"
    assert game.parameters == {"size": 6, "most": 2} and game.rules.startswith("sha256:")
    assert game.rules_text == TEXT and plyproof.Game("loa").rules_text is None
    assert plyproof.solve(game).value == "loss" and plyproof.solve(file).value == "win"
    assert plyproof.search(file, "mcts", sims=50).best in game.start().legal_moves
    with pytest.raises(ValueError, match="there is no such file"):
        plyproof.Game("no/such.rbg")


def test_a_text_of_rules_is_a_game():
    game = plyproof.Game.from_rules(TEXT, "own(size=6)")
    assert game.name == "own(size=6)" and plyproof.solve(game).value == "loss"
    assert plyproof.Game.from_rules(TEXT).name == "mine" and game.check(games=3, playouts=50) > 5
    with pytest.raises(ValueError, match="line 9"):
        plyproof.Game.from_rules(TEXT.replace("heap - n", "heep - n"))
    with pytest.raises(ValueError, match="there is a game \"loa\" already"):
        plyproof.Game.from_rules(TEXT, "loa")


def test_a_game_is_pickled_with_its_rules(tmp_path):
    file = tmp_path / "own.rbg"
    file.write_text(TEXT, encoding="utf-8")
    game = plyproof.Game(str(file))
    packed = pickle.dumps([game, game.start()])
    file.unlink()
    restored, position = pickle.loads(packed)
    assert restored == game and position == game.start() and restored.rules_text == TEXT
    other = plyproof.Game.from_rules(TEXT + "// changed", game.name)
    assert other.name == game.name and other != game


def test_certificates_are_about_a_text(tmp_path):
    game = plyproof.Game.from_rules(TEXT, "own")
    solution = plyproof.solve(game, certificate=tmp_path / "own.cert")
    found = plyproof.verify(solution.certificates[0], games=[game])
    assert found["rules"] == game.rules
    with pytest.raises(plyproof.CertificateError, match="the text with digest"):
        plyproof.verify(solution.certificates[0], games=[plyproof.Game.from_rules(TEXT + "\n", "own")])
    with pytest.raises(plyproof.CertificateError, match="unknown game"):
        plyproof.verify(solution.certificates[0])
    with pytest.raises(TypeError, match="games"):
        plyproof.verify(solution.certificates[0], games=[7])
