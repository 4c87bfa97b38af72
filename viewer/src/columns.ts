// Where each lane stands: all alike or, if there are many, wide for the ranks that matter and folded for the others.

export const MARGIN = 14;
const MOST = 210;
const LEAST = 24; // for a letter; 16 ranks fit into 480 px
const READABLE = 88; // for a call and its peer
const FOLDED = 3; // still a line

const WINDOW = 64; // for "0–1023"

export interface Columns {
  width: number[]; // by rank; of one with several threads, of all their lanes
  left: number[];
  windows: (number | null)[]; // where the line of each window is, beside the lane of its owner; null: there is no room
  total: number;
}

/**
 * `lanes`: how many each rank has.  `members`: who should be in view together; none: all are alike.  `owners`: of windows.  `needed`: windows, by index, that have their
 * lines even if there is no room for all.
 */
export function makeColumns(lanes: number[], members: Set<number>, whole: number, owners: number[] = [], needed = new Set<number>()): Columns {
  const sum = (ranks: number[]): number => ranks.reduce((all, rank) => all + lanes[rank], 0);
  const all = lanes.reduce((a, b) => a + b, 0);
  const wanted = sum([...members]);
  const fits = (whole - owners.length * WINDOW) / all >= READABLE;
  const room = whole - (fits ? owners.length : needed.size) * WINDOW;
  const clamp = (low: number, value: number, high: number): number => Math.max(low, Math.min(high, value));
  const others = all - wanted;
  const alike = clamp(LEAST, room / all, MOST);
  const folds = wanted > 0 && others > 0 && alike < READABLE;
  const folded = folds ? clamp(FOLDED, (room - wanted * READABLE) / others, LEAST) : alike;
  const wide = folds ? clamp(LEAST, (room - others * folded) / wanted, MOST) : alike;
  const width = lanes.map((count, rank) => count * (members.has(rank) ? wide : folded));
  const left: number[] = [];
  let total = MARGIN;
  const windows: (number | null)[] = owners.map(() => null);
  width.forEach((one, rank) => {
    left.push(total);
    total += one;
    owners.forEach((owner, i) => {
      if (owner !== rank || !(fits || needed.has(i))) return;
      windows[i] = total + WINDOW / 2;
      total += WINDOW;
    });
  });
  return { width, left, windows, total: total + MARGIN };
}
