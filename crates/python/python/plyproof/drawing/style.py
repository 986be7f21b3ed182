"""The colours of boards and pieces: those of the workbench in its light theme."""

from __future__ import annotations

#: What all boards share. ``@`` stands for the class of the board.
COMMON = """
@ text{text-anchor:middle;font-family:system-ui,sans-serif}
@ .labels text{font-size:19px;fill:#625d55;dominant-baseline:central}
@ .marks .last{fill:#d9c34a;fill-opacity:.42;stroke:none}
@ .piece .shade{fill:#000;opacity:.22}@ .piece .shine{fill:#fff;opacity:.28}
@ .piece .rim{fill:none;stroke:#000;stroke-opacity:.18;stroke-width:2.5}
@ .piece .body{stroke-width:2.5;stroke-linejoin:round}
@ .p1 .body{fill:#2b2a28;stroke:#111}@ .p2 .body{fill:#f6f3ec;stroke:#7d776b}
@ .p1 .rim{stroke:#fff;stroke-opacity:.16}@ .p1 .shine{opacity:.16}
@ .badge circle{fill:#b3362b}@ .badge text{fill:#fff;font-size:26px;font-weight:700}
"""

#: Square, dark square, lines between squares.
SQUARES = {
    "loa": ("#a58458", "#97764a", "#7c5e35"),
    "clobber": ("#788c96", "#6c808a", "#55676f"),
    "through": ("#85956f", "#71835c", "none"),
    "othello": ("#3f8a5c", "#3f8a5c", "#235237"),
    "connect4": ("#1d3f7d", "#1d3f7d", "#183569"),
    "domineering": ("#ece7db", "#e4decf", "#bdb5a2"),
    "marks": ("#fbfaf6", "#fbfaf6", "#a39c8e"),
    "points": ("transparent", "transparent", "none"),
    "hex": ("#a08357", "#a08357", "#6d5632"),
    "generic": ("#918979", "#837b6c", "#6a6355"),
    "awari": ("#6b4622", "#6b4622", "#4f3215"),
    "minishogi": ("#8f6d38", "#8f6d38", "#654a1f"),
}

LOOKS = {
    "through": """
@ .p1 .body{fill:#fbf9f3;stroke:#3b3831}@ .p2 .body{fill:#33302c;stroke:#12110f}
@ .mark,@ .line{stroke-width:2.5;fill:none;stroke-linecap:round}
@ .p1 .mark{fill:#3b3831}@ .p1 .line{stroke:#3b3831}@ .p2 .mark{fill:#f1ede2}@ .p2 .line{stroke:#8d877b}
""",
    "connect4": """
@ .p1 .body{fill:#f4c430;stroke:#b98f10}@ .p2 .body{fill:#f0604c;stroke:#a32c1c}
""",
    "domineering": """
@ .p0 .body{fill:#837b6d;stroke:#676053}@ .p1 .body{fill:#3d6fa8;stroke:#264c79}@ .p2 .body{fill:#b9592f;stroke:#7c3817}
""",
    "marks": """
@ .stroke{fill:none;stroke-width:13;stroke-linecap:round}@ .p1 .stroke{stroke:#2f6fb3}@ .p2 .stroke{stroke:#c4573c}
""",
    "points": """
@ .wood{fill:#a8875a;stroke:#7c5e35;stroke-width:2}@ .lines{stroke:#4a3713;stroke-width:1.6;fill:none}
@ .p2 .body{fill:#fbf8f1}@ .star{fill:#4a3713}@ .marks .last{fill:#d9442e;fill-opacity:.45}
""",
    "hex": """
@ .cell .shape{stroke-width:2}@ .goal{fill:none;stroke-width:15;stroke-linejoin:round}
@ .goal.p1{stroke:#2b2a28}@ .goal.p2{stroke:#fffdf8}@{background:#8c7a5c;border-radius:8px}
@ .labels text{fill:#2f2818;font-size:24px}@ .piece .body{stroke-width:3}
@ .p1 .body{fill:#1f1e1c;stroke:#000}@ .p2 .body{fill:#fffdf8;stroke:#4a4336}
""",
    "generic": """
@ .p0 .body{fill:#26241f;stroke:#111}@ .sign{font-size:48px;font-weight:700}@ .sign.long{font-size:34px}
@ .p0 .sign,@ .p2 .sign{fill:#26241f}@ .p1 .sign{fill:#f6f3ec}
""",
    "awari": """
@ .wood{fill:#8f6236;stroke:#6b4622;stroke-width:3}@ .cell .shape{stroke-width:3}
@ .seed{fill:#e9dcc0;stroke:#7c6645;stroke-width:1.5}@ .seed.s1{fill:#d8c6a1}@ .seed.s2{fill:#f3ead6}
@ .count{font-size:26px;font-weight:700;fill:#fff6e0}
@ .marks .last{fill:none;stroke:#ffe27a;stroke-opacity:.9;stroke-width:6}
""",
    "minishogi": """
@ .cell.hand .shape{fill:#7d6034;stroke:#654a1f}
@ .p1 .body{fill:#f7e3b4;stroke:#8a6a2f}@ .p2 .body{fill:#efd49a;stroke:#8a6a2f}
@ .sign{font-size:42px;font-weight:700;fill:#2b2117}@ .sign.long{font-size:33px}@ .sign.promoted{fill:#b3261a}
@ .sign.kanji{font-size:46px;font-family:"Noto Serif CJK JP","Yu Mincho","MS Mincho",serif;font-weight:600}
""",
}


def style(look: str) -> str:
    """The style sheet of a board, which holds for this board alone."""
    square, dark, lines = SQUARES[look]
    squares = f"@ .cell .shape{{fill:{square};stroke:{lines};stroke-width:1.5}}@ .cell.dark .shape{{fill:{dark}}}"
    text = (squares + COMMON + LOOKS.get(look, "")).replace("@", f".plyproof-{look}")
    return f"<style>{''.join(text.splitlines())}</style>"
