// The decisions of a search as a tree that can be folded, and its rows from top to bottom.

import type { Tree } from "./data";

const BORING = 12; // rows below a decision that all end well: folded at first

export interface Twig {
  index: number;
  parent: Twig | null;
  children: Twig[];
  depth: number; // levels at which it could have gone otherwise
  last: boolean; // nothing else stands beside it, further down
  data: Tree["twigs"][number];
  below: number; // twigs
  onPath: boolean; // leads to the finding that is shown
  folded: boolean;
}

/** A line of the picture: a decision, or what is missing behind one. */
export type Row = { twig: Twig; missing: "left_out" | "untried" | null };

export function makeTwigs(tree: Tree, finding: number): Twig[] {
  const twigs: Twig[] = tree.twigs.map((data, index) =>
    ({ index, parent: null, children: [], depth: 0, last: false, data, below: 0, onPath: false, folded: false }));
  for (const twig of twigs) {
    twig.parent = twig.data.parent < 0 ? null : twigs[twig.data.parent];
    twig.parent?.children.push(twig);
  }
  for (const twig of twigs) if (twig.parent) twig.depth = twig.parent.depth + Number(branches(twig.parent));
  for (const twig of twigs) if (twig.children.length) twig.children[twig.children.length - 1].last = !twig.data.left_out && !twig.data.untried;
  for (let i = twigs.length - 1; i > 0; i--) twigs[i].parent!.below += twigs[i].below + 1; // children stand behind their parents
  const shown = twigs.find((twig) => twig.data.finding === finding || twig.data.held === finding);
  for (let twig = shown ?? null; twig; twig = twig.parent) twig.onPath = true;
  for (const twig of twigs) twig.folded = twig.data.leads === "good" && twig.below > BORING && twig.depth > 0;
  return twigs;
}

/** It could have gone otherwise here. */
export function branches(twig: Twig): boolean {
  return twig.children.length + Number(twig.data.left_out > 0) + Number(twig.data.untried > 0) > 1;
}

/** Behind a decision that had an alternative: it begins a line of its own. */
export function startsBranch(row: Row): boolean {
  return row.missing ? branches(row.twig) : row.twig.parent !== null && branches(row.twig.parent);
}

export function canFold(twig: Twig): boolean {
  return twig.children.length > 0 && twig.depth > 0 && branches(twig.parent ?? twig);
}

export function depthOf(row: Row): number {
  return row.twig.depth + Number(row.missing !== null && branches(row.twig));
}

export function rowsOf(root: Twig): Row[] {
  const rows: Row[] = [];
  const stack: Row[] = [{ twig: root, missing: null }];
  while (stack.length) {
    const row = stack.pop()!;
    rows.push(row);
    if (row.missing || row.twig.folded) continue;
    const { twig } = row;
    if (twig.data.untried) stack.push({ twig, missing: "untried" });
    if (twig.data.left_out) stack.push({ twig, missing: "left_out" });
    for (let i = twig.children.length - 1; i >= 0; i--) stack.push({ twig: twig.children[i], missing: null });
  }
  return rows;
}

/** The levels whose lines go on below a row: there is more to come beside it, or beside what it stands behind. */
export function linesBelow(row: Row): Set<number> {
  const levels = new Set<number>();
  if (row.missing === "left_out" && row.twig.data.untried && branches(row.twig)) levels.add(depthOf(row));
  for (let twig = row.twig; twig.parent; twig = twig.parent) if (!twig.last && branches(twig.parent)) levels.add(twig.depth);
  return levels;
}
