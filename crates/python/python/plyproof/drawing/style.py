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
    "loa": ("#e8d3a9", "#ddc493", "#b89a63"),
    "clobber": ("#d9e0e3", "#c3ced3", "#9aa9b0"),
    "through": ("#ece5d3", "#a9b995", "none"),
    "othello": ("#3f8a5c", "#3f8a5c", "#2c6644"),
    "connect4": ("#2f62b5", "#2f62b5", "#2a57a1"),
    "domineering": ("#ece7db", "#e4decf", "#bdb5a2"),
    "marks": ("#fbfaf6", "#fbfaf6", "#a39c8e"),
    "points": ("transparent", "transparent", "none"),
    "hex": ("#c9ae7f", "#c9ae7f", "#8a744c"),
    "generic": ("#eeeae0", "#ddd6c7", "#b9b09d"),
    "awari": ("#8a5f34", "#8a5f34", "#6b4824"),
    "minishogi": ("#e9cf98", "#e9cf98", "#8d713a"),
}

LOOKS = {
    "through": """
@ .p1 .body{fill:#fbf9f3;stroke:#3b3831}@ .p2 .body{fill:#3a3733;stroke:#12110f}
@ .mark,@ .line{stroke-width:2.5;fill:none;stroke-linecap:round}
@ .p1 .mark{fill:#3b3831}@ .p1 .line{stroke:#3b3831}@ .p2 .mark{fill:#f1ede2}@ .p2 .line{stroke:#8d877b}
""",
    "connect4": """
@ .p1 .body{fill:#f4c430;stroke:#b98f10}@ .p2 .body{fill:#d6402f;stroke:#94251a}
""",
    "domineering": """
@ .p0 .body{fill:#a69f91;stroke:#857e70}@ .p1 .body{fill:#3d6fa8;stroke:#264c79}@ .p2 .body{fill:#c4673c;stroke:#8c4320}
""",
    "marks": """
@ .stroke{fill:none;stroke-width:13;stroke-linecap:round}@ .p1 .stroke{stroke:#2f6fb3}@ .p2 .stroke{stroke:#c4573c}
""",
    "points": """
@ .wood{fill:#e2bd7a;stroke:#c29a52;stroke-width:2}@ .lines{stroke:#6e5424;stroke-width:1.6;fill:none}
@ .star{fill:#6e5424}@ .marks .last{fill:#d9442e;fill-opacity:.45}
""",
    "hex": """
@ .cell .shape{stroke-width:2}@ .goal{fill:none;stroke-width:15;stroke-linejoin:round}
@ .goal.p1{stroke:#2b2a28}@ .goal.p2{stroke:#fffdf8}@{background:#a8977a;border-radius:8px}
@ .labels text{fill:#2f2818;font-size:24px}@ .piece .body{stroke-width:3}
@ .p1 .body{fill:#1f1e1c;stroke:#000}@ .p2 .body{fill:#fffdf8;stroke:#4a4336}
""",
    "generic": """
@ .p0 .body{fill:#8d8678;stroke:#6d675b}@ .sign{font-size:48px;font-weight:700}@ .sign.long{font-size:34px}
@ .p0 .sign,@ .p2 .sign{fill:#26241f}@ .p1 .sign{fill:#f6f3ec}
""",
    "awari": """
@ .wood{fill:#b98650;stroke:#8d6233;stroke-width:3}@ .cell .shape{stroke-width:3}
@ .seed{fill:#e9dcc0;stroke:#7c6645;stroke-width:1.5}@ .seed.s1{fill:#d8c6a1}@ .seed.s2{fill:#f3ead6}
@ .count{font-size:26px;font-weight:700;fill:#fff6e0}
@ .marks .last{fill:none;stroke:#ffe27a;stroke-opacity:.9;stroke-width:6}
""",
    "minishogi": """
@ .cell.hand .shape{fill:#f3f1ec;stroke:#d8d4cc}
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
