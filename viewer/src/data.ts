// The data in the page: what tourney wrote, see doc/result.md for what it means.

/** A load or store of the program itself in a window: no operation, but something before the one with this number. */
export interface Touch extends WindowData, ByteRange {
  kind: "load" | "store";
  before: number;
}

export interface Site {
  rank: number;
  thread?: number; // of the rank; not there: the one that called MPI_Init
  op: number;
  call: string | null;
  text: string | null;
  place: string;
  function: string | null;
  file: string | null;
  line: number;
  callers?: Place[]; // the nearest first; none if they are not known
  touch?: Touch; // not there: it is a call
}

export interface Choice extends Site {
  kind: "match" | "probe" | "some" | "no" | "cancel" | "choice";
  source: number;
  message: number;
  outcome: string;
}

/** A thread of a rank that has several, and what it waits for. */
export interface WaitingThread extends Place {
  thread: number;
  waits_for: "call" | "lock" | "end" | "thread";
  call: string | null;
  lock: string | null; // its name in the program
  other: number; // who holds the lock, or is to end; -1: unknown
}

export interface Wait {
  rank: number;
  all: boolean;
  lacks: { all: boolean; ranks: number[] }[];
  threads?: WaitingThread[];
}

export interface Finding {
  id: number;
  kind: string;
  severity: "error" | "warning" | "note";
  message: string;
  args: string[];
  ranks: number[];
  places: Site[];
  run: number;
  runs: number;
  decisions: Choice[];
  buffered: Site[];
  unbuffered: Site[];
  critical: number;
  clean: Choice[];
  waits: Wait[];
  cycles: { ranks: number[] }[];
  thread_cycle?: { rank: number; thread: number }[]; // -1: of a rank with one
  near_misses: { rank: number; other: number; end: string; difference: string; text: string }[];
  culprits: number[];
  blame: string | null;
  stderr?: { rank: number; lines: string[] }[];
  text: string;
}

export interface Assumption {
  kind: string;
  brief: string | null;
  text: string;
  place: string | null;
}

export interface Result {
  program: string;
  args: string[];
  ranks: number;
  mpi: string;
  buffering: string;
  verdict: "clean" | "defects" | "incomplete";
  runs: number;
  merged: number;
  seconds: number;
  bounds: string[];
  complete?: string | null; // these two are missing in results of early versions
  next?: string[];
  assumptions?: Assumption[]; // missing in results of early versions
  findings: Finding[];
}

export interface OpName {
  rank: number;
  op: number;
}

export interface Place {
  place: string;
  function: string | null;
  file: string | null;
  line: number;
}

/** Bytes from the base of a window. */
export interface ByteRange {
  at: number;
  bytes: number;
}

/** The part of a window that is at one rank; windows that there are at one time have different slots. */
export interface WindowData {
  owner: number;
  slot: number;
}

export interface ActData {
  op: number;
  kind: string;
  thread?: number;
  text: number;
  place: number;
  blocking: boolean;
  window?: number; // it goes to this window: no receive takes it
  reads?: boolean; // from there
  ranges?: ByteRange[]; // that it accesses there
  requests: number[];
  stack: number[]; // of a crash
  frame: number; // of another, the innermost; -1: not known
}

/** A call on a stack; it stands behind its caller. */
export interface FrameData {
  place: number; // -1: from here outwards it is not known
  caller: number;
}

export interface Execution {
  texts: string[];
  places: Place[];
  frames: FrameData[];
  lanes: { end: "in-call" | "computing" | "finalized" | "exited"; left_out: number; acts: ActData[] }[];
  matches: { send: OpName; receive: OpName }[];
  possible: { send: OpName; receive: OpName }[];
  collectives: { members: OpName[] }[];
  windows?: WindowData[]; // these two are missing in results of early versions
  turns?: { members: OpName[] }[]; // what a window or its lock took, in this order
}

/** Lines of a file; those between two pieces are left out. */
export interface Source {
  file: string;
  changed: boolean;
  pieces: { first: number; lines: string[] }[];
}

/** The decisions of a search; a twig stands behind its parent. */
export interface Tree {
  args: string[];
  texts: string[];
  places: Place[];
  twigs: {
    parent: number;
    rank: number;
    call: number;
    text: number;
    place: number;
    same: number;
    end: "goes-on" | "good" | "bad" | "open";
    leads: "good" | "bad" | "both" | "open";
    finding: number;
    held: number;
    left_out: number;
    untried: number;
  }[];
  decisions: number;
}

/** What kinds of findings are called and mean, by their names. */
export type Kinds = Record<string, { title: string; meaning: string; stuck: boolean }>;

export interface Page {
  directory: string;
  can_go_on: boolean; // tourney resume can take the search up again
  result: Result;
  kinds: Kinds; // that there are
  tree: { trees: Tree[] };
  runs: { finding: number; run: Execution | null; clean: Execution | null }[];
  sources: Source[];
}

export function load(): Page {
  return JSON.parse(document.getElementById("data")!.textContent!) as Page;
}
