// Where each lane stands: all alike or, if there are many, wide for the ranks that matter and folded for the others.

export const MARGIN = 14;
const MOST = 210;
const LEAST = 24; // for a letter; 16 ranks fit into 480 px
const READABLE = 88; // for a call and its peer
const FOLDED = 3; // still a line

const WINDOW = 64; // for "0–1023"

export interface Columns {
  width: number[]; // by rank
  left: number[];
  windows: (number | null)[]; // where the line of each window is, beside the lane of its owner; null: there is no room
  total: number;
}

/** `members`: who should be in view together; none: all are alike.  `owners`: of windows. */
export function makeColumns(ranks: number, members: Set<number>, whole: number, owners: number[] = []): Columns {
  const fits = (whole - owners.length * WINDOW) / ranks >= READABLE;
  const room = fits ? whole - owners.length * WINDOW : whole;
  const clamp = (low: number, value: number, high: number): number => Math.max(low, Math.min(high, value));
  const others = ranks - members.size;
  const alike = clamp(LEAST, room / ranks, MOST);
  const folds = members.size > 0 && others > 0 && alike < READABLE;
  const folded = folds ? clamp(FOLDED, (room - members.size * READABLE) / others, LEAST) : alike;
  const wide = folds ? clamp(LEAST, (room - others * folded) / members.size, MOST) : alike;
  const width = Array.from({ length: ranks }, (_, rank) => (members.has(rank) ? wide : folded));
  const left: number[] = [];
  let total = MARGIN;
  const windows: (number | null)[] = owners.map(() => null);
  width.forEach((one, rank) => {
    left.push(total);
    total += one;
    owners.forEach((owner, i) => {
      if (owner !== rank || !fits) return;
      windows[i] = total + WINDOW / 2;
      total += WINDOW;
    });
  });
  return { width, left, windows, total: total + MARGIN };
}
