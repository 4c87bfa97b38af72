// All that was decided in the search, as a tree: what it led to, and where the finding is.  Only rows in view are in the page.

import type { Finding, Result, Tree } from "./data";
import { baseName, el, plural, svg } from "./dom";

const ROW = 26;
const STEP = 18; // indentation of a level
const BORING = 12; // rows below a decision that all end well: folded at first

interface Twig {
  index: number;
  parent: Twig | null;
  children: Twig[];
  depth: number; // levels at which it could have gone otherwise
  data: Tree["twigs"][number];
  below: number; // twigs
  onPath: boolean; // leads to the finding that is shown
  folded: boolean;
}

/** A line of the picture: a decision, or what is missing behind one. */
type Row = { twig: Twig; missing: "left_out" | "untried" | null };


function makeTwigs(tree: Tree, finding: number): Twig[] {
  const twigs: Twig[] = tree.twigs.map((data, index) =>
    ({ index, parent: null, children: [], depth: 0, data, below: 0, onPath: false, folded: false }));
  for (const twig of twigs) {
    twig.parent = twig.data.parent < 0 ? null : twigs[twig.data.parent];
    twig.parent?.children.push(twig);
  }
  for (const twig of twigs) if (twig.parent) twig.depth = twig.parent.depth + Number(branches(twig.parent));
  for (let i = twigs.length - 1; i > 0; i--) twigs[i].parent!.below += twigs[i].below + 1; // children stand behind their parents
  const shown = twigs.find((twig) => twig.data.finding === finding || twig.data.held === finding);
  for (let twig = shown ?? null; twig; twig = twig.parent) twig.onPath = true;
  for (const twig of twigs) twig.folded = twig.data.leads === "good" && twig.below > BORING && twig.depth > 0;
  return twigs;
}

/** It could have gone otherwise here. */
function branches(twig: Twig): boolean {
  return twig.children.length + Number(twig.data.left_out > 0) + Number(twig.data.untried > 0) > 1;
}

function rowsOf(root: Twig): Row[] {
  const rows: Row[] = [];
  const stack: Row[] = [{ twig: root, missing: null }];
  while (stack.length) {
    const row = stack.pop()!;
    rows.push(row);
    if (row.missing || row.twig.folded) continue;
    const { twig } = row;
    if (twig.data.untried) stack.push({ twig, missing: "untried" });
    if (twig.data.left_out) stack.push({ twig, missing: "left_out" });
    for (const child of [...twig.children].reverse()) stack.push({ twig: child, missing: null });
  }
  return rows;
}

/** The lines that lead from each branching to its branches: for a row, the levels that go on below it. */
function guides(rows: Row[]): boolean[][] {
  const level = (row: Row): number => row.twig.depth + Number(row.missing !== null && branches(row.twig));
  const goesOn: boolean[] = [];
  const all: boolean[][] = new Array(rows.length);
  for (let i = rows.length - 1; i >= 0; i--) {
    const depth = level(rows[i]);
    goesOn.length = Math.min(goesOn.length, depth + 1);
    all[i] = Array.from({ length: depth + 1 }, (_, k) => goesOn[k] ?? false);
    const starts = !rows[i].missing && rows[i].twig.parent !== null && branches(rows[i].twig.parent!);
    if (rows[i].missing || starts) goesOn[depth] = true;
  }
  return all;
}

export function makeTree(tree: Tree, result: Result, finding: Finding | null, open: (id: number) => void): HTMLElement {
  const twigs = makeTwigs(tree, finding?.id ?? -1);
  let rows: Row[] = [];
  let lines: boolean[][] = [];
  let frame = 0;
  let marked: Twig | null = null;

  const space = el("div", { class: "tree-space" });
  const view = el("div", { class: "tree-view", tabindex: 0, role: "tree", "aria-label": "decisions", scroll: () => queue() }, space);

  function relist(): void {
    rows = rowsOf(twigs[0]);
    lines = guides(rows);
    space.style.height = `${rows.length * ROW + 10}px`;
    queue();
  }

  function reveal(twig: Twig): void {
    for (let up = twig.parent; up; up = up.parent) up.folded = false;
    marked = twig;
    relist();
    const at = rows.findIndex((row) => row.twig === twig && !row.missing);
    view.scrollTop = at * ROW - view.clientHeight / 2;
    queue();
  }

  function chips(twig: Twig): (HTMLElement | false)[] {
    const { end, finding: id, held, same } = twig.data;
    const link = (number: number, words: string): HTMLElement =>
      el("button", { class: `chip bad ${number === finding?.id ? "own" : ""}`, click: () => open(number), title: `finding ${number}` }, words);
    const kind = (number: number): string => result.findings.find((f) => f.id === number)?.kind.replace(/-/g, " ") ?? "finding";
    return [
      id > 0 && link(id, `${kind(id)} (${id})`),
      held > 0 && link(held, `${end === "good" ? "ends well, but " : ""}${kind(held)} (${held}) if MPI buffers less`),
      end === "bad" && !id && el("span", { class: "chip bad" }, "goes wrong"),
      end === "good" && !id && !held && el("span", { class: "chip good" }, "ends well"),
      end === "open" && same < 0 && el("span", { class: "chip open" }, "not looked at further"),
      same >= 0 && el("button", { class: `chip same ${twig.data.leads}`, click: () => reveal(twigs[same]) }, "comes to the same as another way"),
      twig.folded && el("span", { class: "chip good" }, `${plural(twig.below, "decision")} folded, all end well`),
    ];
  }

  function words(twig: Twig): (HTMLElement | string | false)[] {
    const { rank, call, text, place } = twig.data;
    if (!twig.parent) return [el("b", {}, "the program begins")];
    return [el("span", { class: "rank-tag" }, `rank ${rank}`), " ", el("code", {}, tree.texts[call] ?? ""), " ", el("b", {}, tree.texts[text] ?? ""), " ",
      place >= 0 && el("small", {}, tree.places[place].place)];
  }

  function drawLines(row: Row, at: number): SVGElement {
    const depth = row.missing && branches(row.twig) ? row.twig.depth + 1 : row.twig.depth;
    const width = (depth + 1) * STEP;
    const tone = row.missing === "untried" ? "open" : row.twig.data.leads;
    const picture = svg("svg", { class: "tree-lines", width, height: ROW, "aria-hidden": "true" });
    const middle = ROW / 2;
    const x = (level: number): number => level * STEP - STEP / 2;
    for (let level = 1; level < depth; level++)
      if (lines[at][level]) picture.append(svg("path", { class: "tree-guide", d: `M${x(level)} 0 V${ROW}` }));
    const starts = row.missing ? branches(row.twig) : row.twig.parent !== null && branches(row.twig.parent);
    if (starts && depth > 0)
      picture.append(svg("path", { class: "tree-guide", d: `M${x(depth)} 0 V${lines[at][depth] ? ROW : middle} M${x(depth)} ${middle} H${depth * STEP + 4}` }));
    else if (depth > 0 && lines[at][depth]) picture.append(svg("path", { class: "tree-guide", d: `M${x(depth)} 0 V${ROW}` }));
    const own = depth * STEP + 9;
    if (!starts && row.twig.parent) picture.append(svg("path", { class: "tree-guide", d: `M${own} 0 V${middle}` }));
    const next = rows[at + 1];
    if (!row.missing && next && (next.missing ? next.twig === row.twig : next.twig.parent === row.twig))
      picture.append(svg("path", { class: "tree-guide", d: `M${own} ${middle} V${ROW}` }));
    picture.append(svg("circle", { class: `tree-dot ${tone}`, cx: own, cy: middle, r: 5 }));
    return picture;
  }

  function drawRow(row: Row, at: number): HTMLElement {
    const { twig, missing } = row;
    const folds = !missing && twig.children.length > 0 && twig.depth > 0 && branches(twig.parent ?? twig);
    const fold = !folds ? twig.depth + Number(missing !== null) > 0 && el("span", { class: "fold" }) : el("button", { class: "fold", "aria-expanded": String(!twig.folded), "aria-label": twig.folded ? "unfold" : "fold",
      click: () => { twig.folded = !twig.folded; relist(); } }, twig.folded ? "▸" : "▾");
    const body = missing
      ? [el("span", { class: "quiet" }, missing === "untried" ? `${plural(twig.data.untried, "further decision")} not tried` : `${plural(twig.data.left_out, "further decision")} not shown`)]
      : [...words(twig), ...chips(twig)];
    return el("div", { class: ["tree-row", twig.onPath && !missing && "path", twig === marked && !missing && "marked"].filter(Boolean).join(" "),
      style: `top:${at * ROW}px`, role: "treeitem", "data-twig": missing ? -1 : twig.index }, drawLines(row, at), fold, ...body);
  }

  function draw(): void {
    frame = 0;
    const first = Math.max(0, Math.floor(view.scrollTop / ROW) - 2);
    const last = Math.min(rows.length, Math.ceil((view.scrollTop + view.clientHeight) / ROW) + 2);
    space.replaceChildren(...rows.slice(first, last).map((row, i) => drawRow(row, first + i)));
  }

  function queue(): void {
    frame ||= requestAnimationFrame(draw);
  }

  function foldAll(folds: (twig: Twig) => boolean): void {
    for (const twig of twigs) twig.folded = twig.children.length > 0 && twig.depth > 0 && folds(twig);
    relist();
  }

  const count = (end: string): number => twigs.filter((twig) => twig.data.same < 0 && twig.data.end === end).length;
  const key = (tone: string, text: string): HTMLElement => el("span", {}, el("i", { class: `tree-key ${tone}` }), text);
  const shownAll = twigs.length - 1 >= tree.decisions;
  new ResizeObserver(() => queue()).observe(view);
  relist();
  const start = twigs.filter((twig) => twig.onPath).at(-1);
  if (start) requestAnimationFrame(() => reveal(start));
  return el("div", { class: "tree" },
    el("div", { class: "tree-head" },
      el("p", {}, `What MPI could decide in ${baseName(result.program)}, and where it leads. `,
        shownAll
          ? el("b", {}, [count("good") && `${plural(count("good"), "way")} to a good end`, count("bad") && `${plural(count("bad"), "way")} to a bad one`].filter(Boolean).join(", "))
          : `Shown are ${(twigs.length - 1).toLocaleString("en")} of ${plural(tree.decisions, "decision")}: those that lead to findings, and those nearest to the beginning.`),
      el("div", { class: "buttons" },
        el("button", { title: "unfold all", click: () => foldAll(() => false) }, "all"),
        el("button", { title: "fold what ends well", click: () => foldAll((twig) => twig.data.leads === "good") }, "what goes wrong"))),
    view,
    el("div", { class: "legend" }, key("good", "all ends well"), key("bad", "all goes wrong"), key("both", "depends on what follows"), key("open", "not all was looked at")));
}
