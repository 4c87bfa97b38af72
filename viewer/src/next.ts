// A search that was cut short: what each bound means, and what to do next.

import type { Page } from "./data";
import { el, plural, quote, sentence } from "./dom";

interface Advice {
  bound: RegExp;
  words: string;
  resumes?: boolean; // the search was stopped, and can go on from there
}

const ADVICE: Advice[] = [
  { bound: /^limit of \d+ runs reached/, resumes: true, words: "The search was to stop after so many runs (--max-runs). Let it go on without that bound, or with a larger one." },
  { bound: /^time limit of/, resumes: true, words: "The search was to stop after so much time (--time). Give it more." },
  { bound: /^the search did not come to its end/, resumes: true, words: "The search was ended from outside, or it was still running when this page was made." },
  { bound: /^stopped by signal/, resumes: true, words: "The search was interrupted." },
  { bound: /^a rank could not be run on/, resumes: true, words: "tourney said on standard error why. If memory or processes ran out, use --jobs 1, fewer ranks or a smaller input." },
  { bound: /was killed again and again/, resumes: true, words: "If memory ran out, use --jobs 1, fewer ranks or a smaller input." },
  { bound: /^stopped at the first defect/, words: "Repair that defect, and search again; without --stop-first all defects are told at once." },
  { bound: /set that MPI_Waitsome can return/, words: "A call of MPI_Waitsome or MPI_Testsome had so many complete requests that not all of their subsets were tried. Use an input with which fewer requests are pending at a time." },
  { bound: /choice of what MPI buffers/, words: "Sends can be held up in too many combinations. Search with --buffering=zero and with --buffering=infinite, or with fewer ranks." },
  { bound: /^alternatives were not all combined/, words: "Search with a larger --mix-bound, or without it." },
  { bound: /^polls said no/, words: "Search with a larger --poll-bound, or without it." },
  { bound: /MPI_Pcontrol\(0\)/, words: "The program marks regions in which one choice is enough. Take MPI_Pcontrol(0) out to have them searched, too." },
  { bound: /^not every run could be led to its end/, words: "On some jobs ranks did not report how they ended. See what the launcher said, and search again." },
  { bound: /^runs were taken at random/, words: "Search without --sample to have every run looked at, if they are not too many." },
  { bound: /^a rank is not deterministic/, words: "Take out what differs from run to run: random numbers without a fixed seed, the time of day, addresses, files that change." },
  { bound: /^a call is not supported/, words: "tourney-calls(7) lists what is done with each MPI call. If the call can be left out with another input, search with that." },
  { bound: /not looked into/, words: "tourney-calls(7) lists what is done with each MPI call. What depends on these calls was not varied." },
  { bound: /^no rank called MPI_Init/, words: "Is this the program itself? It must be linked with the shared library of MPICH or Open MPI, and must not be started by mpiexec: tourney starts the ranks." },
  { bound: /control flow|predict/, words: "This was foretold from one run. With --engine=explore every run is looked at." },
];

function adviceOn(bound: string): Advice | undefined {
  return ADVICE.find((advice) => advice.bound.test(bound));
}

/** Decisions that are known to be open. */
function untried(page: Page): number {
  return page.tree.trees.reduce((sum, tree) => sum + tree.twigs.reduce((n, twig) => n + twig.untried, 0), 0);
}

export function makeNext(page: Page): HTMLElement {
  const { result, directory } = page;
  const open = untried(page);
  const resume = page.can_go_on && result.bounds.some((bound) => adviceOn(bound)?.resumes);
  const command = (options: string): HTMLElement => el("code", { class: "command" }, `tourney resume ${options}${quote(directory)}`);
  return el("section", { class: "next" }, el("h3", {}, "What to do next"),
    ...result.bounds.map((bound) => el("p", {}, el("b", {}, sentence(bound)), " ", adviceOn(bound)?.words ?? "")),
    result.complete && el("p", {}, el("b", {}, "What is complete."), ` ${sentence(result.complete)}`),
    open > 0 && el("p", {}, `At least ${plural(open, "decision")} ${open === 1 ? "is" : "are"} left to try; each may lead to further ones.`),
    resume && el("p", {}, "To go on where the search stopped, until everything is looked at, or for ten more minutes:"),
    resume && command(""), resume && command("--time 600 "),
    !resume && el("p", {}, "This search cannot be gone on with; begin a new one with the changes above."),
    !!result.next?.length && el("p", {}, "With the same time, this comes further:"),
    !!result.next?.length && el("ul", {}, ...result.next.map((words) => el("li", {}, words))),
    el("p", {}, "If that takes too long, make the problem smaller: fewer ranks (-n), a smaller input, fewer steps of a loop. Most defects show with few ranks already."));
}
