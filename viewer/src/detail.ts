// What is known of one operation: call, arguments, partners, stack, source.

import type { Site } from "./data";
import { el, ranksInWords } from "./dom";
import { type Act, type Run, findActAt, rangesInWords, whose } from "./run";
import type { Rivals } from "./race";
import { type Mark, type SourceView } from "./source";

const KINDS: Record<string, string> = {
  send: "posts a message", receive: "posts a receive", collective: "joins a collective", wait: "waits for requests",
  test: "asks whether requests are complete", probe: "waits to see a message", iprobe: "asks whether a message is there",
  init: "starts MPI", finalize: "ends MPI", cancel: "withdraws a request", free: "gives up a request",
  abort: "aborts the program", error: "made a fatal MPI error", refused: "made a call tourney does not support",
  "one-sided": "accesses a window", load: "loads from a window", store: "stores to a window", access: "touches a buffer that MPI is using", crash: "crashed", pcontrol: "marks a region", choose: "one of several alternatives is chosen", gap: "",
};

/** What goes to a window is no message to the reader. */
const AT_WINDOW: [RegExp, string][] = [
  [/^Win_lock/, "asks for the lock of a window"], [/^Win_unlock/, "gives the lock of a window back"],
  [/^Win_start/, "begins to access windows"], [/^Win_complete/, "has accessed windows"],
];

function kindInWords(act: Act): string {
  if (act.touch?.touch) return KINDS[act.touch.touch.kind];
  if (!act.window || act.ranges.length) return KINDS[act.window ? "one-sided" : act.kind] ?? "";
  return AT_WINDOW.find(([name]) => name.test(act.name))?.[1] ?? KINDS["one-sided"];
}

function status(act: Act): { words: string; tone: string } {
  switch (act.status) {
    case "stuck":
      return { words: "never returns: it is stuck here", tone: "bad" };
    case "failed":
      return { words: act.kind === "crash" ? "the rank crashed here" : "the run ended here", tone: "bad" };
    case "halted":
      return { words: "the rank was in this call when the run stopped", tone: "warn" };
    case "unmatched":
      return { words: act.kind === "send" ? "nobody received this message" : "no message arrived for this receive", tone: "bad" };
    case "pending":
      return { words: act.kind === "send" ? "not yet received when the run stopped" : "nothing had come when the run stopped", tone: "warn" };
    case "race":
      return { words: act.kind === "access" ? "races with the pending operation" : "races", tone: "bad" };
    case "gap":
      return { words: "left out to keep the report readable", tone: "quiet" };
    default:
      return { words: "done", tone: "good" };
  }
}

/** At both lines of a race: what happens there. */
function noteOn(act: Act, shown: Act): string {
  if (act.kind === "access") return ` ${act.name}`;
  return shown.kind === "access" ? ": pending" : "";
}

/** The other accesses of a race in a window, if the operation is one of them. */
function othersOf(run: Run, act: Act, rivals: Rivals | null): Site[] {
  const own = rivals?.places.findIndex((place) => findActAt(run.lanes, place) === act) ?? -1;
  return own < 0 ? [] : rivals!.places.filter((_, i) => i !== own);
}

/** One mark for all ranks that are at a line in the same role. */
function marksOf(act: Act): Mark[] {
  const marks = new Map<string, Mark & { ranks: number[] }>();
  const add = (other: Act, kind: Mark["kind"]): void => {
    if (!other.place) return;
    const key = `${kind} ${other.place.file} ${other.place.line}`;
    const mark = marks.get(key) ?? { place: other.place, kind, note: "", ranks: [] };
    if (!mark.ranks.includes(other.rank)) mark.ranks.push(other.rank);
    mark.note = ranksInWords(mark.ranks) + noteOn(other, act);
    marks.set(key, mark);
  };
  add(act, "own");
  if (act.partner) add(act.partner, "partner");
  act.requests.slice(0, 8).forEach((request) => add(request, "partner"));
  act.possible.forEach((other) => add(other, "could"));
  act.group.forEach((other) => other !== act && add(other, "partner"));
  return [...marks.values()];
}

/** The stack of an operation, of which one frame after the other can be looked at. */
function makeStack(act: Act, source: SourceView): HTMLElement {
  const buttons = act.stack.map((place, i) =>
    el("button", { class: "link frame", "aria-current": i === 0 ? "true" : "false", click: () => open(i) }, place.place));
  const open = (at: number): void => {
    buttons.forEach((button, i) => button.setAttribute("aria-current", String(i === at)));
    source.show([{ place: act.stack[at], kind: "frame", note: `frame ${at + 1} of ${act.stack.length}` }, ...marksOf(act)]);
    source.element.querySelector(".line.frame")?.scrollIntoView({ block: "nearest" }); // on a small screen it may be below
  };
  return el("ol", { class: "stack" }, ...buttons.map((button) => el("li", {}, button)),
    act.deeper && el("li", { class: "quiet" }, "… and further out"));
}

/** The frame next to the one that is looked at, outwards or inwards. */
export function nextFrame(detail: HTMLElement, direction: 1 | -1): void {
  const frames = [...detail.querySelectorAll<HTMLElement>(".frame")];
  const at = frames.findIndex((frame) => frame.getAttribute("aria-current") === "true");
  const next = frames[Math.max(0, at + direction)];
  next?.focus();
  next?.click();
}

/** Where a finding is whose call is no operation of the run, such as one that makes a datatype. */
function showPlace(into: HTMLElement, source: SourceView, place: Site | undefined): void {
  if (place)
    into.replaceChildren(
      el("div", { class: "detail-head" }, el("span", { class: "rank-tag" }, `rank ${place.rank}`), el("span", { class: "quiet" }, "made a call that is not among the operations of this run")),
      el("code", { class: "call" }, place.call ?? ""),
      el("div", { class: "fact" }, el("span", { class: "fact-head" }, "at"), el("span", {}, place.place)));
  else into.replaceChildren(el("p", { class: "quiet" }, "Click an operation to see what it is, what it met, and from where it was called."));
  source.show(place ? [{ place, kind: "own", note: `rank ${place.rank}` }] : []);
}

/** `place`: shown if there is no operation to be shown. */
export function showDetail(into: HTMLElement, source: SourceView, run: Run, act: Act | null, place: Site | undefined, rivals: Rivals | null, select: (act: Act) => void): void {
  if (!act) return showPlace(into, source, place);
  const link = (other: Act): HTMLElement =>
    el("button", { class: "link", click: () => select(other) },
      el("b", {}, whose(run, other)), " ", el("code", {}, other.text), other.place && el("small", {}, ` ${other.place.place}`));
  const row = (head: string, ...body: Node[]): HTMLElement | null =>
    body.length ? el("div", { class: "fact" }, el("span", { class: "fact-head" }, head), el("div", {}, ...body)) : null;
  const some = (list: Act[]): Node[] => [
    ...list.slice(0, 6).map(link), ...(list.length > 6 ? [el("small", { class: "quiet" }, `and ${list.length - 6} more`)] : [])];

  const { words, tone } = status(act);
  const others = act.group.filter((other) => other !== act);
  const [before, after] = [run.lanes[act.rank].acts[act.index - 1], run.lanes[act.rank].acts[act.index + 1]];
  const races = othersOf(run, act, rivals);
  into.replaceChildren(
    el("div", { class: "detail-head" },
      el("span", { class: "rank-tag" }, whose(run, act)),
      el("span", { class: "quiet" }, kindInWords(act)),
      el("span", { class: `state ${tone}` }, words)),
    el("code", { class: "call" }, act.text));
  into.append(...[
    act.stack.length > 1 ? row("called from", makeStack(act, source))
      : row("at", ...(act.place ? [el("span", {}, act.place.place)] : [])),
    row("window", ...(act.window ? [el("span", {}, [`at rank ${act.window.owner}`, rangesInWords(act, 6)].filter(Boolean).join(", "))] : [])),
    row("races with", ...races.map((other) => {
      const there = findActAt(run.lanes, other);
      return there ? link(there) : el("span", {}, el("b", {}, `rank ${other.rank}`), " ", el("code", {}, other.text), el("small", {}, ` ${other.place}`));
    })),
    row("after", ...(act.touch && before ? [link(before)] : [])),
    row("before", ...(act.touch && after ? [link(after)] : [])),
    row("comes behind", ...(act.before ? [link(act.before)] : [])),
    row(act.kind === "send" ? "taken by" : "took", ...(act.partner ? [link(act.partner)] : [])),
    row(act.kind === "send" ? "could have been taken by" : "could have taken", ...some(act.possible)),
    row("together with", ...some(others)),
    row(act.kind === "access" ? "races with" : "about", ...some(act.requests)),
  ].filter((node) => node !== null));
  source.show([...marksOf(act), ...races.map((other): Mark => ({ place: other, kind: "rival", note: `rank ${other.rank}` }))]);
}
