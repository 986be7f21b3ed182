// What people are told of the games that the page knows: the rules in a few sentences, and a position that shows them.
//
// `moves` lead to the picture; `shown` are moves drawn on it as arrows.

export const RULES = {
  loa: {
    text: "Bring all your stones together.",
    rules: ["A stone moves in a straight line, in any direction, exactly as many squares as there are stones of both colours on that line.", "It may jump over its own stones, not over enemy stones; it captures an enemy stone by landing on it.", "You win when all your stones are connected, diagonally included. If a move connects both sides, the game is drawn, unless you choose otherwise."],
    moves: ["b1b3", "a2c2", "f1f3", "h4f4"], shown: ["b3d5", "b3b5", "g1g3"],
  },
  awari: {
    text: "Sow seeds around the board and capture twos and threes.",
    rules: ["Take all the seeds of one of your six holes and sow them one by one, counter-clockwise.", "If the last seed makes two or three in an enemy hole, you capture them, and also those of the holes just before it with two or three.", "You must leave your opponent a move. More than half of the 48 seeds win."],
    moves: ["3", "4", "6", "2"], shown: ["1", "5"],
  },
  minishogi: {
    text: "Japanese chess on 5×5: captured pieces come back.",
    rules: ["Pieces move as in shogi. A piece that you capture is yours to drop on an empty square instead of a move.", "Pieces promote on the last row. A pawn may not be dropped on a file with a pawn of yours, nor to give mate.", "Whoever has no legal move loses: checkmate ends the game."],
    moves: ["d1b3", "b5d3", "b3a4", "d3e2"], shown: ["b1b2", "c1c2"],
  },
  gomoku: {
    text: "Five in a row wins.",
    rules: ["Place stones in turn on the crossings of the lines.", "The first row of exactly five stones wins, in any direction. Longer rows do not count, unless you choose otherwise."],
    moves: ["h8", "i9", "h9", "i8", "h10", "h7", "g9", "i10", "i7", "f10"], shown: ["h11", "g10"],
  },
  knightthrough: {
    text: "Leap forward like a knight to the far row.",
    rules: ["Every piece moves as a chess knight, and only forward. It captures by landing on an enemy piece.", "The first knight on the far row wins; so does capturing every enemy piece."],
    moves: ["c2d4", "d7c5", "f2e4", "e7f5"], shown: ["d4c6", "d4e6", "e4d6"],
  },
  breakthrough: {
    text: "Reach the far row with one piece.",
    rules: ["A piece steps one square straight or diagonally forward onto an empty square.", "It captures diagonally forward, never straight.", "The first piece on the far row wins."],
    moves: ["d2d3", "e7e6", "d3d4", "e6e5", "g2g3", "b7b6"], shown: ["d4e5", "d4d5", "d4c5"],
  },
  clobber: {
    text: "Step onto an enemy stone; who cannot move loses.",
    rules: ["Each move takes a stone onto a neighbouring enemy stone, along a file or rank, and removes it.", "Whoever cannot move loses."],
    moves: ["b2a2", "d3c3", "d4c4"], shown: [],
  },
  connect4: {
    text: "Drop discs; four in a row wins.",
    rules: ["A disc falls to the lowest free square of its column.", "Four in a row win: across, vertically or diagonally."],
    moves: ["d", "d", "e", "c", "d", "e", "c", "f", "e"], shown: ["b", "f"],
  },
  domineering: {
    text: "Vertical dominoes against horizontal ones; who cannot place loses.",
    rules: ["The first player places vertical dominoes, the second horizontal ones, each on two free squares.", "Whoever cannot place a domino loses."],
    moves: ["b1b2", "c4d4", "g1g2", "e7f7", "b5b6", "g5h5"], shown: [],
  },
  hex: {
    text: "Connect your two sides; there is no draw.",
    rules: ["Place stones in turn on any free hexagon.", "Black connects top and bottom, White left and right. One of the two always succeeds.", "With the swap rule, White may take over the first stone in place of a move: it changes colour and is reflected, so that Black opens fairly."],
    moves: ["f6", "d8", "g4", "e6", "f8", "h3", "h5", "e9", "f9", "e10"], shown: ["f10", "h2"],
  },
  othello: {
    text: "Enclose lines of discs to turn them over.",
    rules: ["Place a disc so that it encloses a line of enemy discs between itself and another disc of yours: they change colour.", "Whoever cannot do so passes. When neither side can, more discs win."],
    moves: ["d3", "c3", "c4", "c5"], shown: [],
  },
  amazons: {
    text: "Queens that shoot arrows; who cannot move loses.",
    rules: ["An amazon moves like a chess queen, and then shoots an arrow, also like a queen, from where it stands.", "The arrow blocks its square for the rest of the game. Nothing is captured.", "Whoever cannot move loses."],
    moves: [], shown: [],
  },
  tictactoe: { text: "Three in a row wins.", rules: ["Place marks in turn; three in a row win.", "With good play it is a draw: let the page prove it."], moves: ["b2", "a1", "c1", "a3"], shown: ["a2"] },
  mnk: { text: "k in a row on any board.", rules: ["Place marks in turn on m files and n ranks; a row of k or more wins."], moves: ["b2", "a1", "c1"], shown: [] },
};
