// What the words and numbers of the page mean: for the glossary, and for tooltips.

import { el, put } from "./dom.js";

export const WORDS = {
  agent: "A search with its parameters: mcts, pn-mcts, df-pn and others.",
  simulation: "One step of a search: select a leaf, expand it, play out or judge the position, and back up the result.",
  visits: "How many simulations went through a move. The most visited move is usually played.",
  mean: "The mean result of the simulations through a move, for the player to move, from −1 (all lost) to +1 (all won). Alpha-beta writes ≤ before a move that it only knows to be no better.",
  value: "An estimate of the position. “Black +0.06” means that Black is slightly better; 1 is a certain win.",
  proven: "Known for certain, with every reply considered: not an estimate.",
  pn: "Proof number: how many leaves at least must still be proven to show that the player to move at the root wins. 0 means proven.",
  dpn: "Disproof number: how many leaves at least must still be disproven to show that the player to move at the root does not win. 0 means disproven.",
  rank: "The place of a move among its siblings by proof number; PN-MCTS prefers moves of a small rank.",
  C: "The exploration constant of UCT: a larger C makes the search try unvisited moves more.",
  "C_pn": "The weight of the proof numbers in PN-MCTS: a larger C_pn follows moves that are easy to prove; 0 is plain MCTS.",
  "RAVE": "Rapid action value estimation: the mean result of all simulations in which the move was played later, not only next.",
  "OR node": "A node where the player to move at the root chooses: one winning move is enough. Drawn as a square.",
  "AND node": "A node where the opponent chooses: every reply must be answered. Drawn as a circle.",
  "most-proving node": "The leaf whose expansion can change the proof number of the root: PNS always expands it.",
  "principal variation": "The line of play that the search expects: the best moves of both players.",
  certificate: "A proof as a file, which an independent program checks.",
  variation: "Moves that were tried in place of those of the game.",
};

export function paintGlossary(host) {
  put(host, ...Object.entries(WORDS).flatMap(([word, text]) => [el("dt", { text: word }), el("dd", { text })]));
}
