"""The examples of the documents run."""

import re

import pytest
from conftest import REPOSITORY

PAGES = ["docs/python.md", "crates/python/README.md"]


@pytest.mark.parametrize("page", PAGES)
def test_examples_run(page, tmp_path, monkeypatch, capsys):
    for module in ("pandas", "matplotlib", "pyspiel", "pettingzoo", "gymnasium"):
        pytest.importorskip(module)
    monkeypatch.chdir(tmp_path)
    text = (REPOSITORY / page).read_text()
    blocks = re.findall(r"^```python\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL)
    assert blocks
    names = {"__name__": "examples"}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
    assert capsys.readouterr().out
