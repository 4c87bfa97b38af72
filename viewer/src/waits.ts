// Who waits for whom: the graph of a deadlock, and the same in words.

import type { Finding, Wait } from "./data";
import { arrowheads, buttonLike, el, ranksInWords, svg } from "./dom";
import type { Act, Run } from "./run";

interface Edge {
  from: number;
  to: number;
  all: boolean; // every such edge is needed; else any one will do
  circle: boolean;
}

/** An edge may be left out only if neither level of the wait needs all of what it lists. */
function edgesOf(finding: Finding): Edge[] {
  const circle = new Set(finding.cycles.flatMap(({ ranks }) => ranks.map((rank, i) => `${rank} ${ranks[(i + 1) % ranks.length]}`)));
  const edges = new Map<string, Edge>();
  for (const wait of finding.waits)
    for (const lack of wait.lacks)
      for (const to of lack.ranks) {
        const key = `${wait.rank} ${to}`;
        const all = (wait.all || wait.lacks.length === 1) && (lack.all || lack.ranks.length === 1);
        const known = edges.get(key);
        if (known) known.all ||= all;
        else edges.set(key, { from: wait.rank, to, all, circle: circle.has(key) });
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
  const circle = finding.cycles[0]?.ranks ?? []; // side by side, in the order in which they wait
  const rest = [...finding.waits.map((wait) => wait.rank), ...edges.map((edge) => edge.to)].sort((a, b) => a - b);
  const involved = [...new Set([...circle, ...rest])];
  const waiting = new Set(finding.waits.map((wait) => wait.rank));
  const n = involved.length;
  const node = n > 16 ? 17 : 24;
  const radius = n < 2 ? 0 : Math.max(n === 2 ? 95 : 110, (n * (node * 2 + 14)) / (2 * Math.PI));
  const size = 2 * radius + 2 * node + 70;
  const high = n === 2 ? 2 * node + 110 : size;
  const at = new Map(involved.map((rank, i) => {
    const angle = (n === 2 ? Math.PI : -Math.PI / 2) + (2 * Math.PI * i) / n;
    return [rank, { x: radius * Math.cos(angle), y: radius * Math.sin(angle) }];
  }));
  const lastAct = (rank: number): Act | null => run?.lanes[rank]?.acts.at(-1) ?? null;

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
  const nodes = involved.map((rank) => {
    const { x, y } = at.get(rank)!;
    const end = run?.lanes[rank]?.end;
    return svg("g", { class: `wait-node ${waiting.has(rank) ? "waits" : "over"}`, transform: `translate(${x} ${y})`, "aria-label": `rank ${rank}`,
      ...(lastAct(rank) ? buttonLike(() => select(lastAct(rank)!)) : {}) },
      svg("title", {}, `rank ${rank}: ${waiting.has(rank) ? (lastAct(rank)?.text ?? "waits") : end === "finalized" ? "has finished" : "does not wait"}`),
      svg("circle", { r: node }), svg("text", { y: 5 }, rank),
      waiting.has(rank) ? null : svg("text", { class: "node-note", y: node + 14 }, end === "finalized" || end === "exited" ? "finished" : ""));
  });
  const drawing = svg("svg", { class: "wait-graph", viewBox: `${-size / 2} ${-high / 2} ${size} ${high}`, style: `max-width:${size * 1.35}px`, role: "group", "aria-label": "Who waits for whom" },
    arrowheads(["circle", "needs", "any"]), ...paths, ...nodes);

  const legend = el("div", { class: "legend" },
    el("span", {}, el("i", { class: "key-line needs" }), "waits for this rank"),
    el("span", {}, el("i", { class: "key-line or" }), "any one of these would do"),
    finding.cycles.length > 0 && el("span", {}, el("i", { class: "key-line circle" }), "part of a circle: each waits for the next"));

  const words = finding.waits.map((wait) => {
    const act = lastAct(wait.rank);
    return el("li", {}, el("span", { class: "rank-tag" }, `rank ${wait.rank}`), " waits for ", el("b", {}, waitInWords(wait)),
      act && el("button", { class: "link", click: () => select(act) }, el("code", {}, act.text), act.place && el("small", {}, ` ${act.place.place}`)));
  });
  return el("div", { class: "waits" },
    el("div", { class: "waits-picture" }, drawing, legend),
    el("div", { class: "waits-words" },
      el("h3", {}, "Who waits for whom"),
      finding.cycles.slice(0, 3).map(({ ranks }) => `A circle: ${[...ranks, ranks[0]].join(" → ")}.`).join(" ") && el("p", { class: "callout bad" },
        finding.cycles.slice(0, 3).map(({ ranks }) => `rank ${[...ranks, ranks[0]].join(" → ")}`).join("; "), finding.cycles.length > 3 && " and more", ". Each waits for the next, so none can go on."),
      el("ul", {}, ...words)));
}
