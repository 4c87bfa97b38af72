// Who waits for whom: the graph of a deadlock, and the same in words.

import type { Finding, Wait, WaitingThread } from "./data";
import { arrowheads, buttonLike, el, ranksInWords, svg } from "./dom";
import { type Act, type Run, threadInWords } from "./run";

/** A rank, or a thread of a rank that has several. */
interface Waiter {
  key: string;
  rank: number;
  thread: number; // -1: the rank has one
}

interface Edge {
  from: string;
  to: string;
  all: boolean; // every such edge is needed; else any one will do
  circle: boolean;
}

function waiter(rank: number, thread: number): Waiter {
  return { key: thread < 0 ? `${rank}` : `${rank}·${thread}`, rank, thread };
}

function threadsOf(finding: Finding, rank: number): WaitingThread[] {
  return finding.waits.find((wait) => wait.rank === rank)?.threads ?? [];
}

/** The circle, in the order in which they wait. */
function circleOf(finding: Finding): Waiter[] {
  const ranks = finding.cycles[0]?.ranks ?? [];
  return finding.thread_cycle?.map(({ rank, thread }) => waiter(rank, thread)) ?? ranks.map((rank) => waiter(rank, -1));
}

/** Whom a call waits for in a rank: any thread of it could bring what is missing, so it is one of the circle if there is one. */
function waiterIn(finding: Finding, rank: number, from: Waiter): Waiter {
  const threads = threadsOf(finding, rank);
  if (!threads.length) return waiter(rank, -1);
  const circle = circleOf(finding);
  const at = circle.findIndex((one) => one.key === from.key);
  const next = at >= 0 ? circle[(at + 1) % circle.length] : undefined;
  if (next?.rank === rank) return next;
  const other = circle.find((one) => one.rank === rank && one.key !== from.key);
  return other ?? waiter(rank, (threads.find((one) => waiter(rank, one.thread).key !== from.key) ?? threads[0]).thread);
}

/** An edge may be left out only if neither level of the wait needs all of what it lists. */
function edgesOf(finding: Finding): Edge[] {
  const circles = finding.thread_cycle ? [circleOf(finding)] : finding.cycles.map(({ ranks }) => ranks.map((rank) => waiter(rank, -1)));
  const circle = new Set(circles.flatMap((ring) => ring.map((one, i) => `${one.key} ${ring[(i + 1) % ring.length].key}`)));
  const edges = new Map<string, Edge>();
  const add = (from: Waiter, to: Waiter, all: boolean): void => {
    const key = `${from.key} ${to.key}`;
    const known = edges.get(key);
    if (known) known.all ||= all;
    else edges.set(key, { from: from.key, to: to.key, all, circle: circle.has(key) });
  };
  for (const wait of finding.waits) {
    const threads = wait.threads ?? [];
    const callers = threads.length ? threads.filter((thread) => thread.waits_for === "call").map((thread) => waiter(wait.rank, thread.thread)) : [waiter(wait.rank, -1)];
    for (const from of callers)
      for (const lack of wait.lacks)
        for (const to of lack.ranks)
          add(from, waiterIn(finding, to, from), (wait.all || wait.lacks.length === 1) && (lack.all || lack.ranks.length === 1));
    for (const thread of threads) if (thread.waits_for !== "call" && thread.other >= 0) add(waiter(wait.rank, thread.thread), waiter(wait.rank, thread.other), true);
  }
  return [...edges.values()];
}

function lackInWords(lack: Wait["lacks"][number]): string {
  if (!lack.ranks.length) return "something nobody can bring any more";
  return lack.ranks.length === 1 ? `rank ${lack.ranks[0]}` : lack.all ? `all of ${ranksInWords(lack.ranks)}` : `any one of ${ranksInWords(lack.ranks, "or")}`;
}

function waitInWords(wait: Wait): string {
  const lacks = [...new Set(wait.lacks.map(lackInWords))];
  return lacks.slice(0, 5).join(wait.all ? ", and for " : ", or for ") + (lacks.length > 5 ? ", …" : "") || "nothing that can still come";
}

export function makeWaits(finding: Finding, run: Run | null, select: (act: Act) => void): HTMLElement {
  const edges = edgesOf(finding);
  const circle = circleOf(finding); // side by side, in the order in which they wait
  const ofRank = (rank: number): Waiter[] => (threadsOf(finding, rank).length ? threadsOf(finding, rank).map((one) => waiter(rank, one.thread)) : [waiter(rank, -1)]);
  const byNumber = (a: Waiter, b: Waiter): number => a.rank - b.rank || a.thread - b.thread;
  const others = finding.waits.flatMap((wait) => wait.lacks.flatMap((lack) => lack.ranks));
  const rest = [...finding.waits.map((wait) => wait.rank), ...others].flatMap(ofRank).sort(byNumber);
  const involved = [...new Map([...circle, ...rest].map((one) => [one.key, one])).values()];
  const waiting = new Set(finding.waits.map((wait) => wait.rank));
  const n = involved.length;
  const node = n > 16 ? 17 : 24;
  const radius = n < 2 ? 0 : Math.max(n === 2 ? 95 : 110, (n * (node * 2 + 14)) / (2 * Math.PI));
  const size = 2 * radius + 2 * node + 70;
  const high = n === 2 ? 2 * node + 110 : size;
  const at = new Map(involved.map(({ key }, i) => {
    const angle = (n === 2 ? Math.PI : -Math.PI / 2) + (2 * Math.PI * i) / n;
    return [key, { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }];
  }));
  const lastAct = ({ rank, thread }: Waiter): Act | null => run?.lanes[rank]?.acts.filter((act) => thread < 0 || act.thread === thread).at(-1) ?? null;
  const nameOf = ({ rank, thread }: Waiter): string => (thread < 0 ? `rank ${rank}` : `rank ${rank}, thread ${thread}`);
  const whatOf = (one: Waiter): string => {
    const thread = threadsOf(finding, one.rank).find(({ thread }) => thread === one.thread);
    return thread ? threadInWords(thread) : (lastAct(one)?.text ?? "waits");
  };

  const paths = edges.map((edge) => {
    const a = at.get(edge.from)!;
    const b = at.get(edge.to)!;
    const name = edge.circle ? "circle" : edge.all ? "needs" : "any";
    if (edge.from === edge.to)
      return svg("path", { class: `wait-edge ${name}`, "marker-end": `url(#head-${name})`,
        d: `M${a.x - 8} ${a.y - node} C${a.x - 34} ${a.y - node - 46}, ${a.x + 34} ${a.y - node - 46}, ${a.x + 9} ${a.y - node - 3}` });
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const [ux, uy] = [(b.x - a.x) / length, (b.y - a.y) / length];
    const both = edges.some((other) => other.from === edge.to && other.to === edge.from);
    const bend = both ? Math.min(28, length * 0.16) : 0;
    const mid = { x: (a.x + b.x) / 2 - uy * bend, y: (a.y + b.y) / 2 + ux * bend };
    const pull = (from: { x: number; y: number }, by: number): string => {
      const d = Math.hypot(mid.x - from.x, mid.y - from.y) || 1;
      return `${from.x + ((mid.x - from.x) / d) * by} ${from.y + ((mid.y - from.y) / d) * by}`;
    };
    return svg("path", { class: `wait-edge ${name}${edge.all ? "" : " or"}`, "marker-end": `url(#head-${name})`,
      d: `M${pull(a, node + 1)} Q${mid.x} ${mid.y} ${pull(b, node + 4)}` });
  });
  const nodes = involved.map((one) => {
    const { x, y } = at.get(one.key)!;
    const end = run?.lanes[one.rank]?.end;
    const waits = waiting.has(one.rank);
    return svg("g", { class: `wait-node ${waits ? "waits" : "over"}`, transform: `translate(${x} ${y})`, "aria-label": nameOf(one),
      ...(lastAct(one) ? buttonLike(() => select(lastAct(one)!)) : {}) },
      svg("title", {}, `${nameOf(one)}: ${waits ? whatOf(one) : end === "finalized" ? "has finished" : "does not wait"}`),
      svg("circle", { r: node }), svg("text", { y: 5 }, one.key),
      waits ? null : svg("text", { class: "node-note", y: node + 14 }, end === "finalized" || end === "exited" ? "finished" : ""));
  });
  const drawing = svg("svg", { class: "wait-graph", viewBox: `${-size / 2} ${-high / 2} ${size} ${high}`, style: `max-width:${size * 1.35}px`, role: "group", "aria-label": "Who waits for whom" },
    arrowheads(["circle", "needs", "any"]), ...paths, ...nodes);

  const legend = el("div", { class: "legend" },
    el("span", {}, el("i", { class: "key-line needs" }), `waits for this ${finding.thread_cycle ? "rank or thread" : "rank"}`),
    el("span", {}, el("i", { class: "key-line or" }), "any one of these would do"),
    finding.cycles.length > 0 && el("span", {}, el("i", { class: "key-line circle" }), "part of a circle: each waits for the next"));

  const called = (act: Act | null): HTMLElement | null =>
    act && el("button", { class: "link", click: () => select(act) }, el("code", {}, act.text), act.place && el("small", {}, ` ${act.place.place}`));
  const threadWords = (wait: Wait, thread: WaitingThread): HTMLElement => {
    const one = waiter(wait.rank, thread.thread);
    return el("li", {}, el("span", { class: "rank-tag" }, nameOf(one)), ` ${threadInWords(thread)} `, thread.waits_for === "call" && wait.lacks.length > 0 && el("span", {}, "and waits for ", el("b", {}, waitInWords(wait))),
      thread.waits_for === "call" ? called(lastAct(one)) : el("small", { class: "quiet" }, thread.place));
  };
  const words = finding.waits.flatMap((wait) => wait.threads?.map((thread) => threadWords(wait, thread)) ??
    [el("li", {}, el("span", { class: "rank-tag" }, `rank ${wait.rank}`), " waits for ", el("b", {}, waitInWords(wait)), called(lastAct(waiter(wait.rank, -1))))]);
  const rings = finding.thread_cycle ? [circle.map(nameOf)] : finding.cycles.map(({ ranks }) => ranks.map((rank, i) => (i ? `${rank}` : `rank ${rank}`)));
  const closed = (ring: string[]): string => [...ring, ring[0].replace(finding.thread_cycle ? "" : "rank ", "")].join(" → ");
  return el("div", { class: "waits" },
    el("div", { class: "waits-picture" }, drawing, legend),
    el("div", { class: "waits-words" },
      el("h3", {}, "Who waits for whom"),
      rings.length > 0 && el("p", { class: "callout bad" }, rings.slice(0, 3).map(closed).join("; "), rings.length > 3 && " and more", ". Each waits for the next, so none can go on."),
      el("ul", {}, ...words)));
}
