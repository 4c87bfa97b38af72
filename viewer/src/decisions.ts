// The decisions of the run, and where the nearest run that ends well parts from it.

import type { Choice, Finding, Result } from "./data";
import { el, plural } from "./dom";
import { isOnlyRun } from "./story";
import { type Act, type Run, findAct } from "./run";

const SHOWN = 120; // of a long list: so many at its end

export function makeDecisions(finding: Finding, result: Result, run: Run | null, select: (act: Act) => void): HTMLElement {
  const { decisions, clean, critical } = finding;
  const shared = critical < 0 ? decisions.length : critical;

  function card(choice: Choice, tone: string, note?: string): HTMLElement {
    const act = tone === "good" ? null : run && findAct(run, choice.rank, choice.op);
    const others = act?.kind === "receive" ? act.possible.map((send) => send.rank) : [];
    return el("button", { class: `decision ${tone}`, disabled: !act, click: () => act && select(act) },
      note && el("span", { class: "decision-note" }, note),
      el("span", {}, el("span", { class: "rank-tag" }, `rank ${choice.rank}`), ` ${choice.call ?? ""} `, el("small", {}, choice.place)),
      el("b", {}, choice.outcome),
      others.length > 0 && el("small", { class: "instead" }, `could also take rank ${others.slice(0, 12).join(", ")}${others.length > 12 ? ", …" : ""}`));
  }
  function cards(list: Choice[], tone: string, noteOfFirst?: string): HTMLElement[] {
    const cut = list.length > SHOWN + 1;
    return [
      ...list.slice(0, cut ? SHOWN : undefined).map((choice, i) => card(choice, tone, i ? undefined : noteOfFirst)),
      ...(cut ? [el("div", { class: "more" }, `and ${plural(list.length - SHOWN, "decision")} more`)] : [])];
  }

  const head = decisions.slice(0, shared);
  const skipped = head.length > SHOWN ? head.length - SHOWN : 0;
  const trunk = el("div", { class: "trunk" }, el("div", { class: "terminal" }, "the run begins"),
    skipped > 0 && el("div", { class: "more" }, `${plural(skipped, "decision")} before these`),
    ...head.slice(skipped).map((choice) => card(choice, "")));
  const badEnd = el("div", { class: "terminal bad" }, finding.kind.replace(/-/g, " "));
  if (critical < 0)
    return el("div", { class: "decisions" },
      el("p", { class: "lead" }, isOnlyRun(result)
        ? "There is one way only in which the messages of this program can meet: every run goes like this."
        : decisions.length
        ? `The run is fixed by ${plural(decisions.length, "decision")}. No run that begins like it and ends well was met${result.bounds.length ? ", but the search was cut short" : ": whatever MPI decides, it ends badly"}.`
        : "Nothing had to be decided: every run of the program goes like this."), trunk, badEnd);
  return el("div", { class: "decisions" },
    el("p", { class: "lead" }, "A decision is a point where MPI may go one way or another: which message a receive from any source takes, which request comes back first. Up to the fork both runs are the same; after it one goes wrong."),
    trunk,
    el("div", { class: "fork" },
      el("div", { class: "branch bad" }, ...cards(decisions.slice(shared), "bad", "from here on it was inevitable"), badEnd),
      el("div", { class: "branch good" }, ...cards(clean.slice(shared), "good", "the nearest run that ends well"), el("div", { class: "terminal good" }, "ends well"))));
}
