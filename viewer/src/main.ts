// The page: what was found on the left, one finding on the right, seen in several ways.

import { makeCompare } from "./compare";
import { type Finding, type Page, type Tree, load } from "./data";
import { makeDecisions } from "./decisions";
import { nextFrame, showDetail } from "./detail";
import { baseName, el, keepingFocus, sentence } from "./dom";
import { type LanesView, type Order, makeLanes } from "./lanes";
import { makeOverview } from "./overview";
import { accessIn, rivalsOf } from "./race";
import { type Act, type Run, findAct, findActAt, firstBad, makeRun, whose } from "./run";
import { type SourceView, makeSourceView } from "./source";
import { makeStory, messageOf, titleOf, verdict } from "./story";
import { makeTree } from "./tree";
import { makeWaits } from "./waits";

const page: Page = load();
const { result } = page;

interface Tab {
  name: string;
  title: string;
  make(): HTMLElement;
}

/** Everything about the finding that is shown. */
interface Shown {
  finding: Finding;
  run: Run | null;
  clean: Run | null;
  tabs: Tab[];
  tab: string;
  lanes: LanesView | null;
  selected: Act | null;
  step: number; // position in the order of the run
  order: Order;
  members: number[]; // ranks whose lanes are to be seen together
  folds: boolean; // the lanes of others, if there is no room
}

let shown: Shown | null = null;
const source: SourceView = makeSourceView(page.sources);
const main = el("main", { tabindex: -1 });
const detail = el("div", { class: "detail-facts" });
const view = el("div", { class: "view", id: "view", role: "tabpanel" });
const tabBar = el("div", { class: "tabs", role: "tablist", "aria-label": "views of the finding", keydown: onTabKey });
const stepText = el("output", { class: "step-text" });
const slider = el("input", { type: "range", min: 0, class: "slider", "aria-label": "step", input: () => goTo(Number(slider.value)) });
const listItems = new Map<number, HTMLElement>();

// ---- stepping and selecting ----

function refresh(): void {
  if (!shown?.run) return;
  const { run, lanes, selected, step } = shown;
  lanes?.show(selected, step);
  slider.max = String(run.order.length - 1);
  slider.value = String(step);
  slider.setAttribute("aria-valuetext", `step ${step + 1} of ${run.order.length}: ${whose(run, run.order[step])}, ${run.order[step].text}`);
  stepText.textContent = `${(step + 1).toLocaleString("en")} / ${run.order.length.toLocaleString("en")}`;
  showDetail(detail, source, run, selected, shown.finding.places[0], rivalsOf(shown.finding), (act) => select(act));
}

/** Looks at an operation; what happened stays as far as it was, unless this comes later. */
function select(act: Act): void {
  if (!shown?.run) return;
  keepingFocus(() => show(act), () => shown?.lanes?.element.querySelector<SVGElement>(".lanes-canvas"));
}

function show(act: Act): void {
  if (!shown?.run) return;
  shown.selected = act;
  shown.step = Math.max(shown.step, shown.run.position[act.id]);
  if (shown.tab !== "timeline") openTab("timeline");
  refresh();
  shown.lanes?.reveal(act);
}

function goTo(step: number): void {
  if (!shown?.run) return;
  const { run } = shown;
  shown.step = Math.max(0, Math.min(run.order.length - 1, step));
  shown.selected = run.order[shown.step];
  if (shown.tab !== "timeline") openTab("timeline");
  refresh();
  shown.lanes?.reveal(shown.selected);
}

function goToDecision(direction: 1 | -1): void {
  if (!shown?.run) return;
  const { order } = shown.run;
  let step = shown.step + direction;
  while (step > 0 && step < order.length - 1 && !order[step].decided) step += direction;
  goTo(step);
}

function goInLane(direction: 1 | -1): void {
  const act = shown?.selected;
  const next = act && shown!.run!.lanes[act.rank].acts[act.index + direction];
  if (next) select(next);
}

/** One of several buttons is on. */
function press(button: HTMLElement, on: boolean): void {
  button.classList.toggle("on", on);
  button.setAttribute("aria-pressed", String(on));
}

function setOrder(order: Order): void {
  if (!shown?.lanes) return;
  shown.order = order;
  shown.lanes.setOrder(order);
  for (const button of document.querySelectorAll<HTMLElement>("[data-order]")) press(button, button.dataset.order === order);
  if (shown.selected) shown.lanes.reveal(shown.selected);
}

/** Members of the circle, or the ranks that it is about; none if that is everybody. */
function membersOf(finding: Finding): number[] {
  const members = finding.cycles.length ? finding.cycles[0].ranks : finding.ranks;
  return members.length < result.ranks ? members : [];
}

function setFolds(folds: boolean): void {
  if (!shown?.lanes) return;
  shown.folds = folds;
  shown.lanes.setMembers(folds ? shown.members : []);
  for (const button of document.querySelectorAll<HTMLElement>("[data-folds]")) press(button, button.dataset.folds === String(folds));
  if (shown.selected) shown.lanes.reveal(shown.selected);
}

// ---- the views of a finding ----

function makeTimeline(): HTMLElement {
  const button = (text: string, title: string, act: () => void): HTMLElement => el("button", { title, "aria-label": title, click: act }, text);
  const orderButton = (order: Order, text: string, title: string): HTMLElement =>
    el("button", { "data-order": order, title, class: shown!.order === order ? "on" : "", "aria-pressed": String(shown!.order === order), click: () => setOrder(order) }, text);
  const foldsButton = (folds: boolean, text: string, title: string): HTMLElement =>
    el("button", { "data-folds": String(folds), title, class: shown!.folds === folds ? "on" : "", "aria-pressed": String(shown!.folds === folds), click: () => setFolds(folds) }, text);
  const key = (name: string, text: string): HTMLElement => el("span", {}, el("i", { class: `key ${name}` }), text);
  return el("div", { class: "timeline" },
    el("div", { class: "toolbar" },
      el("div", { class: "buttons" },
        button("|◀", "to the beginning (Home)", () => goTo(0)),
        button("◀", "one step back (←)", () => goTo(shown!.step - 1)),
        button("▶", "one step on (→)", () => goTo(shown!.step + 1)),
        button("▶|", "to the end (End)", () => goTo(Infinity)),
        button("◆", "to the next decision (Shift →)", () => goToDecision(1))),
      slider, stepText,
      el("div", { class: "buttons" },
        orderButton("match", "as it happened", "what depends on something stands below it (o)"),
        orderButton("program", "program order", "each rank for itself (o)")),
      shown!.members.length > 0 && result.ranks > 4 && el("div", { class: "buttons" },
        foldsButton(true, shown!.finding.cycles.length ? "circle in view" : "its ranks in view", "lanes of other ranks are folded if there is no room"),
        foldsButton(false, "all ranks alike", "all lanes are equally wide"))),
    el("div", { class: "split" },
      el("div", { class: "lanes-column" }, shown!.lanes!.element,
        el("div", { class: "legend" }, key("send", "send"), key("receive", "receive"), key("collective", "collective"), key("bad", "unmatched, stuck or in a race"),
          el("span", {}, el("i", { class: "key-line match" }), "match"), el("span", {}, el("i", { class: "key-line possible" }), "was possible, too"),
          el("span", {}, el("i", { class: "key-choice" }, "◆"), "one of several messages was taken"),
          shown!.run!.windows.length > 0 && el("span", {}, el("i", { class: "key-line access" }), "access to these bytes of a window"),
          shown!.run!.windows.length > 0 && el("span", {}, el("i", { class: "key-line lock" }), "its lock"))),
      el("aside", { class: "detail" }, detail, source.element)));
}

/** The tree of the search with these arguments; one without any decision has nothing to show. */
function treeOf(args: string[]): Tree | null {
  const tree = page.tree.trees.find((t) => t.args.join("\0") === args.join("\0"));
  return tree && tree.twigs.length > 1 ? tree : null;
}

function openById(id: number): void {
  const finding = result.findings.find((f) => f.id === id);
  if (finding) openFinding(finding);
}

function tabsOf(shown: Shown): Tab[] {
  const { finding, run, clean } = shown;
  const tree = treeOf(finding.args);
  const tabs: (Tab | false)[] = [
    run !== null && { name: "timeline", title: "What happened", make: makeTimeline },
    finding.waits.length > 0 && { name: "waits", title: "Who waits for whom", make: () => makeWaits(finding, run, select) },
    { name: "decisions", title: "Decisions", make: () => makeDecisions(finding, result, run, select) },
    run !== null && clean !== null && { name: "compare", title: "Beside a good run",
      make: () => makeCompare(run, clean, finding.decisions[finding.critical]?.rank ?? 0, select) },
    tree !== null && { name: "tree", title: "All outcomes", make: () => makeTree(tree, result, finding, openById) },
    { name: "text", title: "As text", make: () => el("pre", { class: "text", tabindex: 0, role: "region", "aria-label": "the finding as text" }, finding.text) },
  ];
  return tabs.filter((tab) => tab !== false);
}

function openTab(name: string): void {
  if (!shown) return;
  const tab = shown.tabs.find((t) => t.name === name) ?? shown.tabs[0];
  shown.tab = tab.name;
  view.replaceChildren(tab.make());
  for (const button of tabBar.children) button.setAttribute("aria-selected", String((button as HTMLElement).dataset.tab === tab.name));
  view.setAttribute("aria-labelledby", `tab-${tab.name}`);
  if (tab.name === "timeline") {
    shown.lanes!.redraw();
    refresh();
  }
}

/** Left and right among the tabs, as usual; all of them can be reached with Tab, too. */
function onTabKey(event: KeyboardEvent): void {
  const direction = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  const tabs = [...tabBar.children] as HTMLElement[];
  const at = tabs.indexOf(document.activeElement as HTMLElement);
  if (!direction || at < 0 || event.shiftKey) return;
  const next = tabs[(at + direction + tabs.length) % tabs.length];
  event.preventDefault();
  event.stopPropagation();
  next.focus();
  openTab(next.dataset.tab!);
}

/** Where to look first: at the finding's own operation, or one of its line; null: just at the line; or what went wrong. */
function actOf(run: Run, finding: Finding): Act | null {
  const [place] = finding.places;
  if (!place) return firstBad(run, finding.ranks);
  const access = finding.kind === "buffer-race" && accessIn(run, finding);
  if (access || run.rivals.length) return access || run.rivals[0];
  const own = place.touch ? findActAt(run.lanes, place) : place.op >= 0 && findAct(run, place.rank, place.op);
  const here = own || run.lanes[place.rank].acts.find((act) => act.place?.place === place.place && act.thread === (place.thread ?? 0));
  return here || (place.file ? null : firstBad(run, finding.ranks));
}

function openFinding(finding: Finding): void {
  const kept = page.runs.find((runs) => runs.finding === finding.id);
  const run = kept?.run ? makeRun(kept.run, page.kinds[finding.kind]?.stuck ?? false, finding.waits, finding.places, rivalsOf(finding) !== null) : null;
  const clean = kept?.clean ? makeRun(kept.clean, false) : null;
  shown = { finding, run, clean, tabs: [], tab: "", lanes: run && makeLanes(run, select), selected: null, step: run ? run.order.length - 1 : 0, order: "match",
    members: membersOf(finding), folds: true };
  shown.lanes?.setMembers(shown.members);
  shown.tabs = tabsOf(shown);
  shown.selected = run && actOf(run, finding);
  tabBar.replaceChildren(...shown.tabs.map((tab, i) =>
    el("button", { role: "tab", id: `tab-${tab.name}`, "aria-controls": "view", "data-tab": tab.name, title: `key ${i + 1}`, click: () => openTab(tab.name) }, tab.title)));
  keepingFocus(() => main.replaceChildren(makeStory(finding, page, run), tabBar, view), () => main);
  openTab(shown.tabs[0].name);
  for (const [id, item] of listItems) item.setAttribute("aria-current", String(id === finding.id));
  listItems.get(finding.id)?.scrollIntoView({ block: "nearest" });
  history.replaceState(null, "", `#${finding.id}`);
  requestAnimationFrame(() => shown?.selected && shown.lanes?.reveal(shown.selected, shown.run!.rivals));
}

/** The verdict on the program, in place of a finding. */
function openOverview(): void {
  const tree = treeOf([]);
  shown = null;
  for (const item of listItems.values()) item.setAttribute("aria-current", "false");
  main.replaceChildren(makeOverview(page), ...(tree ? [el("div", { class: "view whole" }, makeTree(tree, result, null, openById))] : []));
}

// ---- the list ----

function listItem(finding: Finding): HTMLElement {
  const place = finding.places[0];
  const item = el("button", { class: `finding ${finding.severity}`, click: () => openFinding(finding) },
    el("b", {}, titleOf(finding, page.kinds)), place && el("small", {}, place.place),
    el("span", {}, messageOf(finding).split("; rank")[0]));
  listItems.set(finding.id, item);
  return item;
}

/** Leaks by the line that made what is lost, the rest by how bad it is. */
function makeList(): HTMLElement {
  const list = el("nav", { class: "list", "aria-label": "findings" });
  const group = (title: string, findings: Finding[]): void => {
    if (findings.length) list.append(el("h4", {}, title), ...findings.map(listItem));
  };
  const isLeak = (finding: Finding): boolean => finding.kind.endsWith("-leak");
  const rest = result.findings.filter((finding) => !isLeak(finding));
  for (const [severity, title] of [["error", "Defects"], ["warning", "Warnings"], ["note", "Notes"]])
    group(title, rest.filter((finding) => finding.severity === severity));
  const lines = new Map<string, Finding[]>();
  for (const finding of result.findings.filter(isLeak)) {
    const place = finding.places[0]?.place ?? "place unknown";
    lines.set(place, [...(lines.get(place) ?? []), finding]);
  }
  for (const [place, findings] of lines) group(`Leaks at ${place}`, findings);
  return list;
}

// ---- the frame ----

/** That of the system, until somebody chooses. */
const system = matchMedia("(prefers-color-scheme: dark)");
let chosen = false;

function setTheme(dark: boolean): void {
  document.documentElement.dataset.theme = dark ? "dark" : "light";
}

function toggleTheme(): void {
  chosen = true;
  setTheme(document.documentElement.dataset.theme !== "dark");
}

const KEYS: [string, string][] = [
  ["→  ←", "one step on, one back"], ["Shift →  Shift ←", "to the next decision, the one before"], ["↓  ↑", "next, previous operation of the same rank"],
  ["Home  End", "to the beginning, to the end"], ["f  F", "one frame of the stack outwards, inwards"], ["o", "as it happened, or in program order"], ["1 … 6", "the views of a finding"],
  ["]  [", "next, previous finding"], ["v", "what the verdict rests on"], ["t", "light or dark"], ["?", "these keys"],
];

const help = el("dialog", { class: "help", "aria-labelledby": "help-head", click: () => help.close() },
  el("div", { class: "help-head" }, el("h3", { id: "help-head" }, "Keys"), el("div", { class: "buttons" }, el("button", { click: () => help.close() }, "Close"))),
  el("dl", {}, ...KEYS.flatMap(([keys, meaning]) => [el("dt", {}, ...keys.split("  ").map((key) => el("kbd", {}, key))), el("dd", {}, meaning)])));

function nextFinding(direction: 1 | -1): void {
  const ids = [...listItems.keys()];
  const at = ids.indexOf(shown?.finding.id ?? -1) + direction;
  const finding = result.findings.find((f) => f.id === ids[at]);
  if (finding) openFinding(finding);
}

/** There these keys scroll. */
const SCROLLERS = ".source-lines, .text, .list, .story";
const SCROLLING = new Set(["ArrowDown", "ArrowUp", "Home", "End"]);

function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target === slider) return;
  if (SCROLLING.has(event.key) && (event.target as Element).closest?.(SCROLLERS)) return;
  if (help.open && event.key !== "?") return;
  const actions: Record<string, () => void> = {
    ArrowRight: () => (event.shiftKey ? goToDecision(1) : goTo(shown!.step + 1)),
    ArrowLeft: () => (event.shiftKey ? goToDecision(-1) : goTo(shown!.step - 1)),
    ArrowDown: () => goInLane(1),
    ArrowUp: () => goInLane(-1),
    Home: () => goTo(0),
    End: () => goTo(Infinity),
    f: () => nextFrame(detail, 1),
    F: () => nextFrame(detail, -1),
    o: () => setOrder(shown!.order === "match" ? "program" : "match"),
    "]": () => nextFinding(1),
    "[": () => nextFinding(-1),
    v: openOverview,
    t: toggleTheme,
    "?": () => (help.open ? help.close() : help.showModal()),
  };
  const tab = shown?.tabs[Number(event.key) - 1];
  const action = tab ? () => openTab(tab.name) : actions[event.key];
  if (!action || (!shown && !["t", "v", "?"].includes(event.key))) return;
  event.preventDefault();
  action();
}

function makeHeader(): HTMLElement {
  const { tone, title, words } = verdict(result);
  const fact = (name: string, value: string): HTMLElement => el("span", { class: "fact-chip" }, el("small", {}, name), value);
  return el("header", {},
    el("button", { class: "skip", click: () => main.focus() }, "To the content"),
    el("div", { class: "brand" }, "tourney"),
    el("div", { class: "program" }, el("h1", {}, el("code", { title: [result.program, ...result.args].join(" ") }, [baseName(result.program), ...result.args].join(" "))),
      el("div", { class: "facts" }, fact("ranks", String(result.ranks)), fact("buffering", result.buffering), fact("MPI", result.mpi), fact("searched", `${result.seconds.toFixed(1)} s`))),
    el("button", { class: `verdict ${tone}`, title: "what this rests on (v)", click: openOverview }, el("b", {}, title),
      el("span", {}, words, ...result.bounds.map((bound) => el("em", {}, ` ${sentence(bound)}`)), " ", el("u", {}, result.verdict === "incomplete" ? "What to do next" : "What this rests on"))),
    el("div", { class: "buttons" }, el("button", { title: "light or dark (t)", "aria-label": "switch between light and dark", click: toggleTheme }, "◐"),
      el("button", { title: "keys (?)", "aria-label": "show the keys", click: () => help.showModal() }, "?")));
}

function begin(): void {
  setTheme(system.matches);
  system.addEventListener("change", () => chosen || setTheme(system.matches));
  document.title = `${verdict(result).title}: ${baseName(result.program)} - tourney`;
  document.body.append(makeHeader(), el("div", { class: "body" }, result.findings.length ? makeList() : null, main), help);
  document.addEventListener("keydown", onKey);
  const wanted = result.findings.find((finding) => `#${finding.id}` === location.hash);
  const first = [...listItems.keys()][0];
  const finding = wanted ?? result.findings.find((f) => f.id === first);
  if (finding) openFinding(finding);
  else openOverview();
}

begin();
