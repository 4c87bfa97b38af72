// A finding told to somebody who wants to repair the program.

import type { Choice, Finding, Kinds, Page, Result, Site } from "./data";
import { el, plural, quote, ranksInWords } from "./dom";
import { leakInWords } from "./leak";
import { type Race, accessIn, completionOf, raceInOneLine, raceOf, rivalsOf } from "./race";
import type { Run } from "./run";

function meaningOf(finding: Finding, kinds: Kinds): string {
  return leakInWords(finding) ?? kinds[finding.kind]?.meaning ?? "";
}

export function titleOf(finding: Finding, kinds: Kinds): string {
  const words = finding.kind.replace(/-/g, " ");
  return kinds[finding.kind]?.title ?? words[0].toUpperCase() + words.slice(1);
}

/** The title of its page: a race is called by what happens. */
function headOf(finding: Finding, kinds: Kinds): string {
  const race = raceOf(finding);
  return race ? `${titleOf(finding, kinds)}: ${raceInOneLine(finding, race)}` : titleOf(finding, kinds);
}

/** The sentence of a finding without the words of its title. */
export function messageOf(finding: Finding): string {
  const race = raceOf(finding);
  if (race?.access) return `At ${race.access.place}; the pending operation was started at ${race.pending.place}`;
  const [place] = finding.places;
  const message = finding.message.replace(/^(deadlock|livelock)[^:]*: |^warning: |^note: /, "").replace(` [${finding.kind}]`, "").replace(` (${place?.place})`, "");
  return message.charAt(0).toUpperCase() + message.slice(1);
}

/** There is one run only, and it is this. */
export function isOnlyRun(result: Result): boolean {
  return result.runs === 1 && !result.merged && !result.bounds.length;
}

/** Where, and from where that was called, if it is known: the next two frames, as on the terminal. */
function whereabouts(s: Site): string {
  const [nearest, next] = s.callers ?? [];
  return `${s.place}${nearest ? `, called at ${nearest.place}` : ""}${next ? `, from ${next.place}` : ""}`;
}

function site(s: Site): HTMLElement {
  return el("span", {}, el("code", {}, s.call ?? s.text ?? ""), " ", el("small", {}, whereabouts(s)));
}

function bullets(items: Node[], most: number): HTMLElement {
  return el("ul", {}, ...items.slice(0, most), items.length > most && el("li", { class: "quiet" }, `and ${items.length - most} more`));
}

/** Ranks at the same place are one line; what they almost met stands below. */
function stuck(finding: Finding): Node[] {
  const together = new Map<string, Site[]>();
  for (const place of finding.places) {
    const key = `${place.call} ${place.thread ?? 0} ${whereabouts(place)}`;
    together.set(key, [...(together.get(key) ?? []), place]);
  }
  return [...together.values()].map((places) => {
    const ranks = finding.places.length > 1 ? places.map((place) => place.rank) : [...new Set([places[0].rank, ...finding.ranks])].sort((a, b) => a - b);
    const misses = finding.near_misses.filter((miss) => ranks.includes(miss.rank));
    const verb = !finding.waits.length ? " " : ranks.length > 1 ? " are stuck in " : " is stuck in ";
    const { thread, call, text } = places[0];
    const tag = el("span", { class: "rank-tag" }, ranksInWords(ranks), thread !== undefined && `, thread ${thread}`);
    if (!call && text && finding.waits.length) return el("li", {}, tag, ` ${text} `, el("small", {}, whereabouts(places[0])));
    return el("li", {}, tag, verb, site(places[0]),
      ...misses.slice(0, 2).map((miss) => el("div", { class: "near" }, ranks.length > 1 ? `rank ${miss.rank}: ${miss.text}` : miss.text)));
  });
}

function rankAt(words: string, place: Site, tag: HTMLElement): HTMLElement {
  return el("li", {}, tag, ` ${words} at `, el("small", {}, place.place));
}

/** The access and the operation, each with its line. */
function whatOfRace(finding: Finding, race: Race): HTMLElement {
  const tag = (): HTMLElement => el("span", { class: "rank-tag" }, ranksInWords(finding.ranks));
  return el("section", {}, el("h3", {}, "What goes wrong"),
    el("ul", {},
      race.access ? rankAt(race.touches, race.access, tag()) : el("li", {}, tag(), ` ${race.touches}. The line that does so is not known: it was seen from the contents of the buffer, when the operation was completed.`),
      rankAt(`${finding.ranks.length > 1 ? "have" : "has"} started the pending operation with ${race.call}`, race.pending, tag())));
}

function what(finding: Finding, kinds: Kinds): HTMLElement {
  const race = raceOf(finding);
  if (race) return whatOfRace(finding, race);
  const where = rivalsOf(finding)?.where;
  return el("section", {}, el("h3", {}, "What goes wrong"), el("p", {}, meaningOf(finding, kinds)), bullets(stuck(finding), 3), where && el("p", {}, `${where}.`));
}

function decided(choice: Choice, instead = ""): (Node | string)[] {
  return [el("span", { class: "rank-tag" }, `rank ${choice.rank}`), ", in ", site(choice), ", ", instead, el("b", {}, choice.outcome)];
}

/** What the check says of the two operations. */
function raceInWords(finding: Finding): string {
  const words = /^ {2}the second (is called only .*)$/m.exec(finding.text);
  return words && finding.places[1] ? `The ${finding.places[1].call} at ${finding.places[1].place} ${words[1]}.` : "";
}

/** What can come of it, and where the access should be. */
function whyOfRace(finding: Finding, race: Race, run: Run | null): HTMLElement {
  const access = run && accessIn(run, finding);
  const completion = access && completionOf(run, access);
  return el("p", {}, `${race.harm} Use the buffer only behind the call that completes the operation, `,
    ...(completion?.place ? ["here ", el("code", {}, `MPI_${completion.name}`), " ", el("small", {}, completion.place.place)] : ["such as MPI_Wait"]), ", or use another one.");
}

function why(finding: Finding, result: Result, run: Run | null): HTMLElement {
  const parts: Node[] = [];
  const race = raceOf(finding);
  if (race) parts.push(whyOfRace(finding, race, run));
  const advice = rivalsOf(finding)?.advice;
  if (advice) parts.push(el("p", {}, `Nothing orders the two. To do so, ${advice}.`));
  const bad = finding.decisions[finding.critical];
  const good = finding.clean[finding.critical];
  const circle = finding.cycles[0]?.ranks;
  const threads = finding.thread_cycle;
  if (threads) {
    const name = ({ rank, thread }: (typeof threads)[number]): string => (thread < 0 ? `rank ${rank}` : `thread ${thread} of rank ${rank}`);
    parts.push(el("p", {}, "They wait in a circle: ", el("b", {}, [...threads, threads[0]].map(name).join(" → ")), ". Each needs the next one to go on first."));
  } else if (circle)
    parts.push(el("p", {}, "They wait in a circle: ", el("b", {}, [...(circle.length > 6 ? [...circle.slice(0, 4), "…"] : circle), circle[0]].join(" → ")), ". Each rank needs the next one to go on first."));
  if (bad) parts.push(el("p", {}, "It became inevitable when ", ...decided(bad), "."));
  if (bad && good) parts.push(el("p", { class: "good-words" }, "It ends well when ", ...decided(good, "instead "), "."));
  if (finding.unbuffered.length)
    parts.push(el("p", {}, finding.buffered.length ? "This needs MPI to let these calls wait for the other side, which the standard allows:" : "MPI may let these wait for the other side:"), bullets(finding.unbuffered.map((s) => el("li", {}, el("span", { class: "rank-tag" }, `rank ${s.rank}`), " ", site(s))), 3));
  if (finding.unbuffered.length && finding.buffered.length)
    parts.push(el("p", {}, "and lets these calls return at once:"), bullets(finding.buffered.map((s) => el("li", {}, el("span", { class: "rank-tag" }, `rank ${s.rank}`), " ", site(s))), 3));
  if (finding.blame && finding.culprits.length) parts.push(el("p", {}, "Likely at fault: ", el("b", {}, ranksInWords(finding.culprits)), `, ${finding.blame}.`));
  for (const said of finding.stderr ?? []) parts.push(el("p", {}, `The last lines of rank ${said.rank} on standard error:`), el("pre", {}, said.lines.join("\n")));
  if (!finding.unbuffered.length && (isOnlyRun(result) || (!bad && !finding.decisions.length))) parts.push(el("p", {}, "It does not depend on which message comes first: the program always goes this way."));
  if (finding.kind === "message-race") parts.push(el("p", {}, "It takes several runs to see, of which one is below. ", raceInWords(finding)));
  if (!parts.length) parts.push(el("p", {}, `It comes about with ${plural(finding.decisions.length, "decision")} of MPI, which the tab Decisions lists.`));
  if (result.runs > 1 && finding.runs > 0 && finding.kind !== "buffering-deadlock" && finding.kind !== "mixed-synchronisation")
    parts.push(el("p", { class: "quiet" }, finding.runs === result.runs ? `Seen in all ${plural(result.runs, "outcome")}.` : `Seen in ${finding.runs.toLocaleString("en")} of ${plural(result.runs, "outcome")}.`));
  return el("section", {}, el("h3", {}, "Why"), ...parts);
}

function see(finding: Finding, directory: string, hasRun: boolean): HTMLElement {
  const key = (name: string): HTMLElement => el("kbd", {}, name);
  return el("section", {}, el("h3", {}, "See it happen"),
    hasRun && el("p", {}, key("←"), key("→"), " step through the run below; ", key("Shift"), key("→"), " goes to the next decision. Click an operation for its source and its stack."),
    el("p", {}, "Run it again, exactly like this:"), el("code", { class: "command" }, `tourney replay ${quote(directory)} ${finding.id}`));
}

export function makeStory(finding: Finding, { result, kinds, directory }: Page, run: Run | null): HTMLElement {
  return el("div", { class: "story" },
    el("div", { class: "story-head" }, el("span", { class: `badge ${finding.severity}` }, finding.severity), el("h2", {}, headOf(finding, kinds)), el("p", {}, messageOf(finding))),
    el("div", { class: "story-parts" }, what(finding, kinds), why(finding, result, run), see(finding, directory, run !== null)));
}

/** What the search says of the whole program. */
export function verdict(result: Result): { tone: string; title: string; words: string } {
  const one = result.runs === 1;
  const stood = result.merged ? `, which ${one ? "stands" : "stand"} for ${(result.runs + result.merged).toLocaleString("en")},` : "";
  const runs = `${plural(result.runs, "run")}${stood} ${one ? "was" : "were"} played`;
  const errors = result.findings.filter((finding) => finding.severity === "error").length;
  if (result.verdict === "clean") {
    const lesser = result.findings.length;
    const scope = `in any outcome that ${plural(result.ranks, "rank")} can have with this input, under ${result.buffering} buffering`;
    return { tone: "good", title: lesser ? "No errors" : "No defects",
      words: `${lesser ? `${plural(lesser, "warning or note", "warnings or notes")}, but no error` : "None"} ${scope}. ${runs}.` };
  }
  if (result.verdict === "incomplete") return { tone: "warn", title: "Not decided", words: `No defect was found, but not every outcome was explored. ${runs}.` };
  return { tone: "bad", title: plural(errors || result.findings.length, "defect"), words: `${runs}.` };
}
