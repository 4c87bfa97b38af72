// Why the runs that were played suffice: what was varied, how many orders they stand for, and what is assumed.

import type { Page, Result, Tree } from "./data";
import { el, plural, sentence } from "./dom";

const BUFFERING: Record<string, string> = {
  any: "for each standard send whether MPI buffers it or lets it wait for its receive, and for each collective whether it waits for all members",
  infinite: "while every standard send was buffered (--buffering=infinite)",
  zero: "while every standard send waited for its receive (--buffering=zero)",
};

function bufferingInWords(buffering: string): string {
  const eager = /^eager=(\d+)/.exec(buffering);
  return eager ? `while standard sends of at most ${plural(Number(eager[1]), "byte")} were buffered` : (BUFFERING[buffering] ?? `under ${buffering} buffering`);
}

interface Varied {
  call: string;
  place: string;
  ways: Set<string>;
}

/** The calls that could go more than one way, and which ways were seen. */
function variedIn(trees: Tree[]): Varied[] {
  const calls = new Map<string, Varied>();
  for (const tree of trees)
    for (const { call, place, text } of tree.twigs.slice(1)) {
      const name = tree.texts[call] ?? "a call";
      const where = tree.places[place]?.place ?? "an unknown place";
      const known = calls.get(`${name} ${where}`) ?? { call: name, place: where, ways: new Set() };
      known.ways.add(tree.texts[text] ?? "");
      calls.set(`${name} ${where}`, known);
    }
  return [...calls.values()];
}

const SHOWN = 8;

function inThisProgram(page: Page): HTMLElement {
  const { trees } = page.tree;
  const varied = variedIn(trees);
  const cut = trees.some((tree) => tree.twigs.length - 1 < tree.decisions);
  if (!trees.length) return el("p", {}, "Which calls these are in this program was not kept.");
  if (!varied.length) return el("p", {}, page.result.bounds.length ? "So far, nothing of that was open in this program." : "In this program nothing of that is open: each message can be received in one way only, so that one run stands for all.");
  return el("div", {}, el("p", {}, `In this program ${varied.length === 1 ? "this call" : "these calls"} could go more than one way${cut ? " (and perhaps others, further from the beginning)" : ""}:`),
    el("ul", {}, ...varied.slice(0, SHOWN).map(({ call, place, ways }) =>
      el("li", {}, el("code", {}, call), " ", el("small", {}, place), ways.size > 1 ? `: ${plural(ways.size, "outcome")}` : `: it ${[...ways][0]}`)),
    varied.length > SHOWN && el("li", { class: "quiet" }, `and ${varied.length - SHOWN} more`)));
}

function runsInWords(result: Result): string {
  const runs = `${plural(result.runs, "run")} ${result.runs === 1 ? "was" : "were"} played`;
  if (result.merged)
    return `${runs}, and ${result.runs === 1 ? "it stands" : "they stand"} for ${plural(result.runs + result.merged, "order")} in which messages can be received: ` +
      "where different orders bring a rank to the same state of memory, it does the same from there on, and was run on once.";
  return `${runs}.${result.runs === 1 ? "" : ` Each takes other decisions than all others${result.bounds.length ? "" : ", and together they take every combination that is possible"}.`}`;
}

export function makeGrounds(page: Page): HTMLElement {
  const { result } = page;
  return el("section", { class: "grounds" }, el("h3", {}, result.verdict === "clean" ? "Why these runs suffice" : "What was varied"),
    el("p", {}, "Everything that MPI leaves open was varied: which message a receive or a probe with MPI_ANY_SOURCE takes, which requests MPI_Waitany, MPI_Waitsome and their tests return, " +
      `whether MPI_Test and MPI_Iprobe return flag = 0 or flag = 1, ${result.buffering === "any" ? "and " : ""}${bufferingInWords(result.buffering)}.`),
    inThisProgram(page),
    el("p", {}, runsInWords(result)),
    el("p", {}, "How fast the ranks are makes no further difference: between these decisions each rank does the same, whatever the others do meanwhile."));
}

export function makeAssumed(result: Result): HTMLElement | null {
  const all = result.assumptions ?? [];
  if (!all.length) return null;
  return el("section", { class: "assumed-all" }, el("h3", {}, "What is assumed"),
    el("ul", {}, ...all.map((one) => el("li", {}, one.brief && el("b", {}, `${sentence(one.brief).slice(0, -1)}: `), one.place && el("b", {}, `${one.place}: `), sentence(one.text)))));
}
