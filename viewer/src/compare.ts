// The run beside the nearest one that ends well, rank by rank.

import { buttonLike, el, plural } from "./dom";
import type { Act, Run } from "./run";

type Row = { kind: "same" | "differs" | "left" | "right"; left: Act | null; right: Act | null };

const call = (act: Act): string => `${act.text} ${act.place?.place ?? ""}`;
const met = (act: Act): string => (act.partner ? `${act.partner.rank} ${call(act.partner)}` : act.status);

/** Calls as numbers: equal for equal ones. */
function numbers(left: Act[], right: Act[]): [number[], number[]] {
  const known = new Map<string, number>();
  const number = (act: Act): number => {
    const text = call(act);
    if (!known.has(text)) known.set(text, known.size);
    return known.get(text)!;
  };
  return [left.map(number), right.map(number)];
}

const MOST = 1_000_000; // pairs of operations to look at

/** Longest common subsequence of the calls, between what is the same at both ends; if too long, only these. */
function align(left: Act[], right: Act[]): Row[] {
  const rows: Row[] = [];
  const [a, b] = numbers(left, right);
  const pair = (x: Act, y: Act): void => void rows.push({ kind: met(x) === met(y) ? "same" : "differs", left: x, right: y });
  let from = 0;
  let tail = 0;
  while (from < a.length && from < b.length && a[from] === b[from]) from++;
  while (tail < a.length - from && tail < b.length - from && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const [n, m] = [a.length - from - tail, b.length - from - tail];
  const fits = n * m <= MOST;
  const length = new Uint16Array(fits ? (n + 1) * (m + 1) : 0);
  const at = (i: number, j: number): number => i * (m + 1) + j;
  for (let i = n - 1; fits && i >= 0; i--)
    for (let j = m - 1; j >= 0; j--)
      length[at(i, j)] = a[from + i] === b[from + j] ? length[at(i + 1, j + 1)] + 1 : Math.max(length[at(i + 1, j)], length[at(i, j + 1)]);

  for (let i = 0; i < from; i++) pair(left[i], right[i]);
  for (let i = 0, j = 0; i < n || j < m;) {
    if (fits && i < n && j < m && a[from + i] === b[from + j]) pair(left[from + i++], right[from + j++]);
    else if (i < n && (j >= m || !fits || length[at(i + 1, j)] >= length[at(i, j + 1)])) rows.push({ kind: "left", left: left[from + i++], right: null });
    else rows.push({ kind: "right", left: null, right: right[from + j++] });
  }
  for (let k = tail; k > 0; k--) pair(left[left.length - k], right[right.length - k]);
  return rows;
}

function cell(act: Act | null, select?: (act: Act) => void): HTMLElement {
  if (!act) return el("div", { class: "cell none" });
  const bad = act.status === "stuck" ? "stuck here" : act.status === "failed" ? "fails here" : act.status === "unmatched" ? (act.kind === "send" ? "nobody receives it" : "nothing comes") : "";
  return el("div", { class: `cell ${select ? "clickable" : ""}`, ...(select ? buttonLike(() => select(act)) : {}) },
    el("code", {}, act.text), act.place && el("small", {}, ` ${act.place.place}`),
    act.partner && act.kind !== "send" && el("span", { class: "met" }, `received the message from rank ${act.partner.rank}`),
    bad && el("span", { class: "met bad" }, bad));
}

const CONTEXT = 2; // operations around a difference

function table(rows: Row[], select: (act: Act) => void): HTMLElement {
  const body = el("div", { class: "compare-rows" });
  const near = (i: number): boolean => rows.slice(Math.max(0, i - CONTEXT), i + CONTEXT + 1).some((row) => row.kind !== "same");
  for (let i = 0; i < rows.length;) {
    let end = i;
    while (end < rows.length && !near(end)) end++;
    if (end > i) body.append(el("div", { class: "more" }, `${plural(end - i, "operation")} the same`));
    for (i = end; i < rows.length && near(i); i++)
      body.append(el("div", { class: `compare-row ${rows[i].kind}` }, cell(rows[i].left, select), cell(rows[i].right)));
  }
  return body;
}

export function makeCompare(run: Run, clean: Run, first: number, select: (act: Act) => void): HTMLElement {
  const all = run.lanes.map((lane) => align(lane.acts, clean.lanes[lane.rank].acts));
  const changes = all.map((rows) => rows.filter((row) => row.kind !== "same").length);
  const place = el("div");
  const buttons = run.lanes.map((lane) =>
    el("button", { class: changes[lane.rank] ? "" : "quiet", click: () => show(lane.rank) }, `rank ${lane.rank}`,
      changes[lane.rank] > 0 && el("small", {}, changes[lane.rank])));
  function show(rank: number): void {
    buttons.forEach((button, i) => {
      button.classList.toggle("on", i === rank);
      button.setAttribute("aria-pressed", String(i === rank));
    });
    place.replaceChildren(
      el("div", { class: "compare-row heads" }, el("div", { class: "cell bad" }, "this run, which goes wrong"), el("div", { class: "cell good" }, "the nearest run that ends well")),
      table(all[rank], select));
  }
  const start = changes[first] ? first : Math.max(0, changes.findIndex((n) => n > 0));
  show(start);
  return el("div", { class: "compare" },
    el("p", { class: "lead" }, "What each rank did in both runs. Marked lines differ: another message was taken, or the rank went on another way."),
    el("div", { class: "chips" }, ...buttons), place);
}
