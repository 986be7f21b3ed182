"""The tutorial: every notebook runs without an error."""

import os
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


def execute(path, folder):
    """The notebook with what its cells print."""
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    return notebook


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, tmp_path, monkeypatch):
    pytest.importorskip("ipykernel")
    pytest.importorskip("matplotlib")
    monkeypatch.delenv("MPLBACKEND", raising=False)
    shown = nbformat.read(path, as_version=4)
    assert all(cell.execution_count for cell in shown.cells if cell.cell_type == "code"), "executed before it was committed"
    execute(path, tmp_path)


if __name__ == "__main__":
    # Writes the notebooks with what they print, after a change: python tests/test_notebooks.py
    import tempfile

    for name in NOTEBOOKS:
        with tempfile.TemporaryDirectory() as folder:
            done = execute(name, folder)
        for cell in done.cells:
            cell.metadata = {}
            # Progress is no part of the tutorial, and paths belong to one machine.
            cell.outputs = [output for output in cell.get("outputs", []) if output.get("name") != "stderr"] if cell.cell_type == "code" else []
            if cell.cell_type != "code":
                del cell["outputs"]
        nbformat.write(done, name)
        print(name, os.path.getsize(name), "bytes")


def test_there_are_five():
    assert len(NOTEBOOKS) == 5
