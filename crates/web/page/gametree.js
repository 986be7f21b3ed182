// The moves of a game with all variations, and what is said about them: a list of nodes, the first is the start position.
//
// A node is {move, parent, children, comment?, mark?, value?, header?}: `parent` and `children` are places in the list, the
// first child continues the line. `value` is what a search said of the position after the move: {value, proven, agent} for
// player 1, and `best` the line that it expected. Nodes are only added in place; whatever takes something away copies the list.

export const freshTree = () => [{ move: "", parent: 0, children: [] }];

/** The child of a node by its move; -1 if there is none. */
const childOf = (tree, id, move) => tree[id].children.find((child) => tree[child].move === move) ?? -1;

/** Adds what is missing of a line, and returns its nodes, the start position first. */
export function grow(tree, moves) {
  const ids = [0];
  for (const move of moves) {
    const at = ids.at(-1);
    let next = childOf(tree, at, move);
    if (next < 0) {
      next = tree.push({ move, parent: at, children: [] }) - 1;
      tree[at].children.push(next);
    }
    ids.push(next);
  }
  return ids;
}

/** The nodes of a line as far as the tree has it. */
export function along(tree, moves) {
  const ids = [0];
  for (const move of moves) {
    const next = childOf(tree, ids.at(-1), move);
    if (next < 0) break;
    ids.push(next);
  }
  return ids;
}

/** The moves that lead to a node. */
export function movesTo(tree, id) {
  const moves = [];
  for (let at = id; at; at = tree[at].parent) moves.push(tree[at].move);
  return moves.reverse();
}

/** The line through a node: the moves that lead there, and from there on always the first child. */
export function lineThrough(tree, id) {
  const moves = movesTo(tree, id);
  for (let at = tree[id].children[0]; at !== undefined; at = tree[at].children[0]) moves.push(tree[at].move);
  return moves;
}

/** Whether a node belongs to the main line: everybody before it is a first child. */
export function isMain(tree, id) {
  for (let at = id; at; at = tree[at].parent) if (tree[tree[at].parent].children[0] !== at) return false;
  return true;
}

const copied = (tree) => tree.map((node) => ({ ...node, children: [...node.children] }));

/** A tree in which the variation that a node belongs to comes one place further up. */
export function promoted(tree, id) {
  const next = copied(tree);
  for (let at = id; at; at = next[at].parent) {
    const siblings = next[next[at].parent].children;
    const place = siblings.indexOf(at);
    if (place > 0) {
      siblings.splice(place, 1);
      siblings.splice(place - 1, 0, at);
      break;
    }
  }
  return next;
}

/** A tree without a node and all that follows it. */
export function without(tree, id) {
  const places = new Map([[0, 0]]);
  const next = [{ ...tree[0], children: [] }];
  const open = [0];
  while (open.length) {
    const at = open.shift();
    for (const child of tree[at].children) {
      if (child === id) continue;
      const place = next.push({ ...tree[child], parent: places.get(at), children: [] }) - 1;
      next[places.get(at)].children.push(place);
      places.set(child, place);
      open.push(child);
    }
  }
  return next;
}

/** A tree in which something else is said about a node. */
export function noted(tree, id, notes) {
  const next = [...tree];
  next[id] = { ...tree[id], ...notes };
  return next;
}

/** Whether a tree from elsewhere is one. */
export const isTree = (tree) =>
  Array.isArray(tree) && tree.length > 0 && tree.every((node, id) => typeof node?.move === "string" && Array.isArray(node.children) && node.children.every((child) => Number.isInteger(child) && child > 0 && child < tree.length && tree[child].parent === id));

const VALUES = { win: 1, draw: 0, loss: -1 };
const WORDS = { 1: "win", 0: "draw", "-1": "loss" };

/** The nodes of a game as a file has them. `mover(ply)` is who made a move of the tree, 1 or 2. */
export function toFile(tree, moverOf) {
  return tree.map((node, id) => {
    const { move, parent, comment, mark, value } = node;
    const sign = moverOf(id) === 2 ? -1 : 1;
    const told = id ? { parent, move } : {};
    if (comment) told.comment = comment;
    if (mark) told.mark = mark;
    if (id && value) {
      if (value.proven) told.proven = WORDS[sign * value.value];
      else told.value = Math.round(sign * value.value * 1000) / 1000;
    }
    return told;
  });
}

/** The tree of a game from a file. */
export function ofFile(nodes, moverOf) {
  const tree = nodes.map(({ parent = 0, move = "", comment, mark }) => ({ move, parent, children: [], ...(comment && { comment }), ...(mark && { mark }) }));
  nodes.forEach((node, id) => {
    if (id) tree[node.parent ?? 0].children.push(id);
  });
  nodes.forEach((node, id) => {
    const sign = moverOf(tree, id) === 2 ? -1 : 1;
    if (node.proven !== undefined) tree[id].value = { value: sign * VALUES[node.proven], proven: true };
    else if (node.value !== undefined) tree[id].value = { value: sign * node.value, proven: false };
  });
  return tree;
}
