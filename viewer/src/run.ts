// A run: operations with their partners, and where each is drawn.

import type { ActData, ByteRange, Execution, OpName, Place, Site, Touch, Wait, WaitingThread, WindowData } from "./data";

export interface Act {
  id: number;
  rank: number;
  thread: number; // of the rank: 0 has called MPI_Init
  index: number; // in its lane
  op: number; // in the history of the rank; -1 for a gap, and for a load or store
  kind: string;
  text: string;
  name: string; // "Recv"
  place: Place | null;
  blocking: boolean;
  window: WindowData | null; // it goes there: no receive takes it
  reads: boolean; // from the window
  ranges: ByteRange[]; // that it accesses there
  touch: Site | null; // it is this load or store of the program, and no operation
  before: Act | null; // what the window, or its lock, took before it
  requests: Act[];
  stack: Place[]; // from the place of the call outwards; empty: not known
  deeper: boolean; // and further out than is known
  partner: Act | null;
  possible: Act[]; // of a receive: sends it could have taken; of a send: receives that could have taken it
  group: Act[]; // of a collective: who has joined, itself included
  status: "done" | "unmatched" | "pending" | "stuck" | "halted" | "failed" | "race" | "gap";
  decided: boolean; // a choice was made here
}

export interface Lane {
  rank: number;
  threads: number[]; // that have made calls, or wait in the end; one has no lane of its own
  waits: WaitingThread[]; // if they are several: what each waits for in the end
  end: Execution["lanes"][number]["end"];
  leftOut: number;
  acts: Act[];
}

export interface Run {
  lanes: Lane[];
  acts: Act[]; // by id
  matches: [Act, Act][];
  possible: [Act, Act][];
  groups: Act[][];
  windows: WindowData[];
  rivals: Act[]; // two accesses to a window that race
  byMatch: Int32Array; // row of each act, by id
  order: Act[]; // in which they can be stepped through
  position: Int32Array; // of each act in it, by id
}

const FAILURES = new Set(["crash", "abort", "error", "refused"]);

/** "Recv", or what stands for it where nothing is called. */
function nameOf(kind: string, text: string): string {
  if (kind === "crash") return "crash";
  if (kind === "choose" && text.startsWith("choice of thread")) return "who is next";
  if (kind !== "access") return text.replace(/^MPI_/, "").replace(/\(.*$/s, "");
  return / is read /.test(text) ? "reads" : / is written to /.test(text) ? "writes" : / is given back /.test(text) ? "gives back" : "reuses";
}

/** From where an operation was called; what is not known has no place. */
function stackOf(execution: Execution, act: ActData): { stack: Place[]; deeper: boolean } {
  const places = [...act.stack];
  for (let at = act.frame; at >= 0; at = execution.frames[at].caller) places.push(execution.frames[at].place);
  return { stack: places.filter((place) => place >= 0).map((place) => execution.places[place]), deeper: places.includes(-1) };
}

/** The part of a window that is touched; one that nothing else goes to is not in the data of the run. */
function windowOf(windows: WindowData[], { owner, slot }: Touch): WindowData {
  const known = windows.find((window) => window.owner === owner && window.slot === slot);
  if (!known) windows.push({ owner, slot });
  return known ?? windows[windows.length - 1];
}

function actOfTouch(site: Site & { touch: Touch }, thread: number, windows: WindowData[]): Partial<Act> {
  const { touch } = site;
  return { kind: "touch", thread, text: site.text ?? touch.kind, name: touch.kind, place: site, window: windowOf(windows, touch), reads: touch.kind === "load",
    ranges: [{ at: touch.at, bytes: touch.bytes }], touch: site };
}

const isTouch = (site: Site): site is Site & { touch: Touch } => site.touch !== undefined;

/** Loads and stores stand between the operations where they were made. */
function makeLanes(execution: Execution, acts: Act[], waits: Wait[], touches: (Site & { touch: Touch })[], windows: WindowData[]): Lane[] {
  return execution.lanes.map((data, rank) => {
    const waiting = waits.find((wait) => wait.rank === rank)?.threads ?? [];
    const threads = [...new Set([...data.acts.map((act) => act.thread ?? 0), ...waiting.map((thread) => thread.thread)])].sort((a, b) => a - b);
    const lane: Lane = { rank, threads: threads.length ? threads : [0], waits: waiting, end: data.end, leftOut: data.left_out, acts: [] };
    const add = (act: Partial<Act>): void => {
      const whole: Act = {
        id: acts.length, rank, thread: 0, index: lane.acts.length, op: -1, kind: "gap", text: "", name: "", place: null,
        blocking: false, window: null, reads: false, ranges: [], touch: null, before: null, requests: [], stack: [], deeper: false, partner: null, possible: [], group: [], status: "done",
        decided: false, ...act,
      };
      acts.push(whole);
      lane.acts.push(whole);
    };
    const own = touches.filter((site) => site.rank === rank).sort((a, b) => a.touch.before - b.touch.before);
    const addTouches = (until: number, thread: number): void => {
      while (own.length && own[0].touch.before <= until) add(actOfTouch(own.shift()!, thread, windows));
    };
    data.acts.forEach((act, i) => {
      addTouches(act.op, act.thread ?? 0);
      if (data.left_out && i === data.acts.length >> 1)
        add({ status: "gap", text: `${data.left_out.toLocaleString("en")} operations are not shown here`, name: "…" });
      const text = execution.texts[act.text];
      add({
        op: act.op, thread: act.thread ?? 0, kind: act.kind, text, blocking: act.blocking,
        window: windows[act.window ?? -1] ?? null, reads: act.reads ?? false, ranges: act.ranges ?? [],
        name: nameOf(act.kind, text),
        place: execution.places[act.place] ?? null,
        ...stackOf(execution, act),
        status: FAILURES.has(act.kind) ? "failed" : act.kind === "access" ? "race" : "done",
      });
    });
    addTouches(Infinity, data.acts.at(-1)?.thread ?? 0);
    return lane;
  });
}

/** Calls in which ranks are stuck stand on one line, so that all are in view together: nothing comes after them. */
function alignStuck(lanes: Lane[], rows: Int32Array): void {
  const isStuck = (act: Act): boolean => act.status === "stuck";
  const stuck = lanes.flatMap((lane) => (lane.threads.length > 1 ? [] : lane.acts.slice(-1))).filter((act) => isStuck(act) && act.group.every(isStuck));
  const lowest = stuck.reduce((row, act) => Math.max(row, rows[act.id]), -1);
  for (const act of stuck) rows[act.id] = lowest;
}

interface Rows {
  rows: Int32Array; // by id
  order: Act[];
}

/** The rows such that what depends on something stands below it, and a collective on one line.  `least`: where some stand at the highest. */
function rowsByMatch(lanes: Lane[], acts: Act[], least = new Map<Act, number>()): Rows {
  const rows = new Int32Array(acts.length).fill(-1);
  const next = lanes.map(() => 0);
  const order: Act[] = [];

  const needs = (act: Act): Act[] => {
    if (act.before) return [act.before];
    if (act.kind === "receive" && act.blocking && act.partner) return [act.partner];
    if (act.kind === "wait") return act.requests.flatMap((r) => (r.kind === "receive" && r.partner ? [r.partner] : r.group));
    return act.kind === "probe" && act.partner ? [act.partner] : [];
  };
  const place = (act: Act, row: number): void => {
    rows[act.id] = row;
    order.push(act);
    next[act.rank]++;
  };
  const above = (act: Act): number => (act.index ? rows[lanes[act.rank].acts[act.index - 1].id] : -1);
  const lowest = (act: Act): number => {
    let row = above(act);
    for (const need of needs(act)) row = Math.max(row, rows[need.id]);
    return Math.max(row + 1, least.get(act) ?? 0);
  };
  const isReady = (act: Act): boolean => needs(act).every((need) => need === act || rows[need.id] >= 0);
  const isTogether = (act: Act): boolean =>
    act.group.every((other) => lanes[other.rank].acts[next[other.rank]] === other);

  const advance = (rank: number, forced: boolean): boolean => {
    const act = lanes[rank].acts[next[rank]];
    if (!act) return false;
    if (act.kind === "collective" && act.blocking && act.group.length > 1 && !forced) {
      if (!isTogether(act)) return false;
      const row = Math.max(...act.group.map(lowest));
      act.group.forEach((other) => place(other, row));
      return true;
    }
    if (!forced && !isReady(act)) return false;
    place(act, lowest(act));
    return true;
  };
  // Round by round; should dependences turn out to be circular, which data that flows one way only can make
  // them look like, somebody goes on regardless.
  for (let left = acts.length; left > 0; left = acts.length - order.length) {
    let moved = false;
    for (let rank = 0; rank < lanes.length; rank++) while (advance(rank, false)) moved = true;
    if (!moved) lanes.some((lane) => advance(lane.rank, true));
  }
  alignStuck(lanes, rows);
  return { rows, order: order.sort((a, b) => rows[a.id] - rows[b.id] || a.rank - b.rank) };
}

/** Two that race stand side by side, if nothing that the drawing keeps to has one below the other: the upper one comes down. */
function rowsWithRivals(lanes: Lane[], acts: Act[], rivals: Act[]): Rows {
  const plain = rowsByMatch(lanes, acts);
  const lowest = Math.max(...rivals.map((act) => plain.rows[act.id]));
  if (rivals.length < 2 || rivals.every((act) => plain.rows[act.id] === lowest)) return plain;
  const beside = rowsByMatch(lanes, acts, new Map(rivals.map((act) => [act, lowest])));
  return rivals.every((act) => beside.rows[act.id] === lowest) ? beside : plain;
}

/** Of the operations that were started at one line, those of the call that is named. */
function racingWith(access: Act): Act[] {
  const [, call] = /(?:buffer of|in common with) (MPI_\w+)/.exec(access.text) ?? [];
  const named = access.requests.filter((request) => request.text.startsWith(`${call}(`));
  return named.length ? named : access.requests;
}

/** Of a call that posts several operations, the last that has met nothing. */
function lastOfCall(lane: Lane, { thread, place }: WaitingThread): Act[] {
  const own = lane.acts.filter((act) => act.thread === thread);
  const posted = own.filter((act) => act.status === "unmatched" && act.place?.place === place);
  return posted.length ? posted.slice(-1) : own.slice(-1);
}

/** Where a rank, or each of its threads that is in a call, was in the end. */
function lastActs(lane: Lane): Act[] {
  if (lane.threads.length < 2) return lane.acts.slice(-1);
  return lane.waits.filter((thread) => thread.waits_for === "call").flatMap((thread) => lastOfCall(lane, thread));
}

/**
 * `deadlocked`: who is in a call at the end will never leave it, and `waits` tells of its threads; else the run just stopped there.  `places`: what the finding
 * is about, loads and stores among it; if they race, they stand out.
 */
export function makeRun(execution: Execution, deadlocked: boolean, waits: Wait[] = [], places: Site[] = [], race = false): Run {
  const acts: Act[] = [];
  const windows = [...(execution.windows ?? [])];
  const lanes = makeLanes(execution, acts, waits, places.filter(isTouch), windows);
  const byOp = lanes.map((lane) => new Map(lane.acts.map((act) => [act.op, act])));
  const find = (name: OpName): Act | undefined => byOp[name.rank]?.get(name.op);
  const pairs = (list: Execution["matches"]): [Act, Act][] =>
    list.flatMap(({ send, receive }) => {
      const ends = [find(send), find(receive)] as [Act | undefined, Act | undefined];
      return ends[0] && ends[1] ? [ends as [Act, Act]] : [];
    });

  const matched = new Set<Act>();
  for (const { send, receive } of execution.matches)
    for (const end of [find(send), find(receive)]) if (end) matched.add(end);
  const matches = pairs(execution.matches);
  for (const [send, receive] of matches) {
    send.partner = receive;
    receive.partner = send;
  }
  const possible = pairs(execution.possible);
  for (const [send, receive] of possible) {
    send.possible.push(receive);
    receive.possible.push(send);
    receive.decided = true;
  }
  const groups = execution.collectives.map(({ members }) => members.map(find).filter((act) => act !== undefined));
  for (const group of groups) for (const act of group) act.group = group;

  for (const { members } of execution.turns ?? []) {
    const taken = members.map(find).filter((act) => act !== undefined);
    taken.slice(1).forEach((act, i) => (act.before = taken[i]));
  }

  const stopped = !deadlocked && lanes.some((lane) => lane.end === "in-call" || lane.end === "computing");
  const cancelled = new Set<Act>();
  execution.lanes.forEach((data, rank) => {
    for (const { op, requests, kind } of data.acts) {
      const act = byOp[rank].get(op)!;
      act.requests = requests.map((request) => byOp[rank].get(request)).filter((a) => a !== undefined);
      if (kind === "access") act.requests = racingWith(act);
      if (kind === "cancel") act.requests.forEach((a) => cancelled.add(a));
    }
  });
  for (const act of acts)
    if ((act.kind === "send" || act.kind === "receive") && !act.window && !matched.has(act) && !cancelled.has(act)) act.status = stopped ? "pending" : "unmatched";
  for (const lane of lanes)
    for (const last of lane.end === "in-call" ? lastActs(lane) : [])
      if (last.status !== "failed") last.status = deadlocked ? "stuck" : "halted";

  const rivals = [...new Set((race ? places : []).map((site) => findActAt(lanes, site)).filter((act) => act !== null))];
  for (const act of rivals) act.status = "race";
  const { rows, order } = rowsWithRivals(lanes, acts, rivals);
  const position = new Int32Array(acts.length);
  order.forEach((act, i) => (position[act.id] = i));
  return { lanes, acts, matches, possible, groups, windows, rivals, byMatch: rows, order, position };
}

export function findAct(run: Run, rank: number, op: number): Act | null {
  return run.lanes[rank]?.acts.find((act) => act.op === op) ?? null;
}

/** The act of an operation or, if it has none, the next one of its line: an access is told before its message is sent. */
export function findActAt(lanes: Lane[], site: Site): Act | null {
  const acts = lanes[site.rank]?.acts ?? [];
  if (site.touch) return acts.find((act) => act.touch === site) ?? null;
  if (site.op < 0) return null;
  return acts.find((act) => act.op === site.op) ?? acts.find((act) => act.op >= site.op && act.place?.place === site.place) ?? null;
}

/** What ended badly here: the first operation to look at. */
export function firstBad(run: Run, ranks: number[]): Act | null {
  const lasts = [...ranks, ...run.lanes.map((lane) => lane.rank)].flatMap((rank) => (run.lanes[rank] ? [...lastActs(run.lanes[rank]), ...run.lanes[rank].acts.slice(-1)] : []));
  return lasts.find((act) => (act.status === "failed" || act.status === "stuck")) ?? lasts[0] ?? null;
}

/** "rank 0", or "rank 0, thread 2" if the rank has several. */
export function whose(run: Run, { rank, thread }: { rank: number; thread?: number }): string {
  return (run.lanes[rank]?.threads.length ?? 1) > 1 ? `rank ${rank}, thread ${thread ?? 0}` : `rank ${rank}`;
}

/** What a thread waits for in the end. */
export function threadInWords({ waits_for, call, lock, other }: WaitingThread): string {
  switch (waits_for) {
    case "call":
      return `is in ${call}`;
    case "lock":
      return `waits for ${lock ? `the lock ${lock}` : "a lock"}${other >= 0 ? ` that thread ${other} holds` : ""}`;
    case "end":
      return `waits for thread ${other} to end`;
    case "thread":
      return "waits for another thread";
  }
}

/** "← any", "→ 3": with whom, as the call says. */
export function peerOf(act: Act): string {
  const [, end, who] = /\b(dest|source|root|target)=(-?\w+)/.exec(act.text) ?? [];
  if (!end) return "";
  const shown = who === "MPI_ANY_SOURCE" ? "any" : who;
  return end === "dest" || (end === "target" && !act.reads) ? `→ ${shown}` : end === "source" || end === "target" ? `← ${shown}` : `root ${shown}`;
}

/** "bytes 0 to 7 and 16 to 23"; nothing of a lock. */
export function rangesInWords({ ranges }: Act, most = 3): string {
  const one = ({ at, bytes }: ByteRange): string => (bytes === 1 ? `${at}` : `${at} to ${at + bytes - 1}`);
  const shown = ranges.filter((range) => range.bytes > 0);
  if (!shown.length) return "";
  const words = shown.slice(0, most).map(one).join(", ") + (shown.length > most ? ` and ${shown.length - most} more` : "");
  return shown.length === 1 && shown[0].bytes === 1 ? `byte ${words}` : `bytes ${words}`;
}

/** "window at rank 1"; with its number, if there are several. */
export function windowInWords(run: Run, window: WindowData): string {
  const many = run.windows.some((other) => other.slot !== window.slot);
  return `window${many ? ` ${window.slot + 1}` : ""} at rank ${window.owner}`;
}
