// The verdict on the whole program: what it rests on or, if there is none, what to do next.

import type { Page } from "./data";
import { el } from "./dom";
import { makeAssumed, makeGrounds } from "./grounds";
import { makeNext } from "./next";
import { verdict } from "./story";

export function makeOverview(page: Page): HTMLElement {
  const { tone, title, words } = verdict(page.result);
  const mark = { good: "✓", warn: "?", bad: "!" }[tone] ?? "";
  return el("div", { class: `overview ${tone}` },
    el("div", { class: "overview-head" }, el("div", { class: "overview-mark", "aria-hidden": "true" }, mark), el("div", {}, el("h2", {}, title), el("p", {}, words))),
    el("div", { class: "overview-parts" },
      page.result.bounds.length ? makeNext(page) : null, makeGrounds(page), makeAssumed(page.result)));
}
