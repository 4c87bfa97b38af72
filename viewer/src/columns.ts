// Where each lane stands: all alike or, if there are many, wide for the ranks that matter and folded for the others.

export const MARGIN = 14;
const MOST = 210;
const LEAST = 24; // for a letter; 16 ranks fit into 480 px
const READABLE = 88; // for a call and its peer
const FOLDED = 3; // still a line

export interface Columns {
  width: number[]; // by rank
  left: number[];
  total: number;
}

/** `members`: who should be in view together; none: all are alike. */
export function makeColumns(ranks: number, members: Set<number>, room: number): Columns {
  const clamp = (low: number, value: number, high: number): number => Math.max(low, Math.min(high, value));
  const others = ranks - members.size;
  const alike = clamp(LEAST, room / ranks, MOST);
  const folds = members.size > 0 && others > 0 && alike < READABLE;
  const folded = folds ? clamp(FOLDED, (room - members.size * READABLE) / others, LEAST) : alike;
  const wide = folds ? clamp(LEAST, (room - others * folded) / members.size, MOST) : alike;
  const width = Array.from({ length: ranks }, (_, rank) => (members.has(rank) ? wide : folded));
  const left: number[] = [];
  let total = MARGIN;
  for (const one of width) {
    left.push(total);
    total += one;
  }
  return { width, left, total: total + MARGIN };
}
