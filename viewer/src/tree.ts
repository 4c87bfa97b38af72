// All that was decided in the search, as a tree: what it led to, and where the finding is.  Only rows in view are in the page.

import type { Finding, Result, Tree } from "./data";
import { baseName, el, plural, svg } from "./dom";
import { type Row, type Twig, canFold, depthOf, linesBelow, makeTwigs, rowsOf, startsBranch } from "./twigs";

const ROW = 26;
const STEP = 18; // indentation of a level
const DEEP = 8; // levels: from there on what all rows in view have in common is left out

export function makeTree(tree: Tree, result: Result, finding: Finding | null, open: (id: number) => void): HTMLElement {
  const twigs = makeTwigs(tree, finding?.id ?? -1);
  let rows: Row[] = [];
  let frame = 0;
  let active: Row | null = null; // where the keys are
  let marked = false; // it is shown also where no key was pressed

  const space = el("div", { class: "tree-space", role: "presentation" });
  const level = el("p", { class: "tree-level", hidden: true });
  const view = el("div", { class: "tree-view", tabindex: 0, role: "tree", "aria-label": "Decisions; arrow keys go from one to the next, Enter opens what it leads to",
    scroll: () => queue(), keydown: onKey, focus: () => { active ??= rows[0]; queue(); } }, space);

  function relist(): void {
    rows = rowsOf(twigs[0]);
    space.style.height = `${rows.length * ROW + 10}px`;
    queue();
  }

  const positionOf = (wanted: Row): number => rows.findIndex((row) => row.twig === wanted.twig && row.missing === wanted.missing);

  function reveal(twig: Twig): void {
    for (let up = twig.parent; up; up = up.parent) up.folded = false;
    active = { twig, missing: null };
    marked = true;
    relist();
    view.scrollTop = positionOf(active) * ROW - view.clientHeight / 2;
  }

  function setFolded(twig: Twig, folded: boolean): void {
    twig.folded = folded;
    if (folded) active = { twig, missing: null }; // it may have been inside
    relist();
  }

  // ---- keys ----

  function goTo(at: number): void {
    active = rows[Math.max(0, Math.min(rows.length - 1, at))];
    marked = true;
    const top = positionOf(active) * ROW;
    if (top < view.scrollTop) view.scrollTop = top;
    else if (top + ROW > view.scrollTop + view.clientHeight) view.scrollTop = top + ROW - view.clientHeight;
    queue();
  }

  /** What the first of its buttons does. */
  function activate({ twig, missing }: Row): void {
    const { finding: id, held, same } = twig.data;
    if (missing) return;
    if (id || held) open(id || held);
    else if (same >= 0) reveal(twigs[same]);
    else if (canFold(twig)) setFolded(twig, !twig.folded);
  }

  function goInto(row: Row, at: number): void {
    if (!row.missing && row.twig.folded) setFolded(row.twig, false);
    else if (!row.missing && row.twig.children.length) goTo(at + 1);
  }

  function goOut(row: Row): void {
    if (!row.missing && canFold(row.twig) && !row.twig.folded) return setFolded(row.twig, true);
    const outer = row.missing ? row.twig : row.twig.parent;
    if (outer) goTo(positionOf({ twig: outer, missing: null }));
  }

  function onKey(event: KeyboardEvent): void {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const row = active ?? rows[0];
    const at = positionOf(row);
    const page = Math.max(1, Math.floor(view.clientHeight / ROW) - 1);
    const actions: Record<string, () => void> = {
      ArrowDown: () => goTo(at + 1), ArrowUp: () => goTo(at - 1), PageDown: () => goTo(at + page), PageUp: () => goTo(at - page),
      Home: () => goTo(0), End: () => goTo(rows.length - 1), ArrowRight: () => goInto(row, at), ArrowLeft: () => goOut(row),
      Enter: () => activate(row), " ": () => !row.missing && canFold(row.twig) && setFolded(row.twig, !row.twig.folded),
    };
    if (!actions[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    actions[event.key]();
  }

  // ---- rows ----

  function chips(twig: Twig): (HTMLElement | false)[] {
    const { end, finding: id, held, same } = twig.data;
    const link = (number: number, words: string): HTMLElement =>
      el("button", { class: `chip bad ${number === finding?.id ? "own" : ""}`, tabindex: -1, click: () => open(number), title: `finding ${number}` }, words);
    const kind = (number: number): string => result.findings.find((f) => f.id === number)?.kind.replace(/-/g, " ") ?? "finding";
    return [
      id > 0 && link(id, `${kind(id)} (${id})`),
      held > 0 && link(held, `${end === "good" ? "ends well, but " : ""}${kind(held)} (${held}) if MPI buffers less`),
      end === "bad" && !id && el("span", { class: "chip bad" }, "goes wrong"),
      end === "good" && !id && !held && el("span", { class: "chip good" }, "ends well"),
      end === "open" && same < 0 && el("span", { class: "chip open" }, "not looked at further"),
      same >= 0 && el("button", { class: `chip same ${twig.data.leads}`, tabindex: -1, click: () => reveal(twigs[same]) }, "comes to the same as another way"),
      twig.folded && el("span", { class: `chip ${twig.data.leads}` }, `${plural(twig.below, "decision")} folded${twig.data.leads === "good" ? ", all end well" : ""}`),
    ];
  }

  function words(twig: Twig): (HTMLElement | string | false)[] {
    const { rank, call, text, place } = twig.data;
    if (!twig.parent) return [el("b", {}, "the program begins")];
    return [el("span", { class: "rank-tag" }, `rank ${rank}`), " ", el("code", {}, tree.texts[call] ?? ""), " ", el("b", {}, tree.texts[text] ?? ""), " ",
      place >= 0 && el("small", {}, tree.places[place].place)];
  }

  /** `left`: so many levels are left out. */
  function drawLines(row: Row, next: Row | undefined, left: number): SVGElement {
    const depth = depthOf(row) - left;
    const tone = row.missing === "untried" ? "open" : row.twig.data.leads;
    const picture = svg("svg", { class: "tree-lines", width: (depth + 1) * STEP, height: ROW, "aria-hidden": "true" });
    const middle = ROW / 2;
    const below = linesBelow(row);
    const x = (at: number): number => at * STEP - STEP / 2;
    const draw = (d: string): void => picture.append(svg("path", { class: "tree-guide", d }));
    for (let at = 1; at < depth; at++) if (below.has(at + left)) draw(`M${x(at)} 0 V${ROW}`);
    const starts = startsBranch(row);
    const goesOn = below.has(depth + left);
    if (starts && depth > 0) draw(`M${x(depth)} 0 V${goesOn ? ROW : middle} M${x(depth)} ${middle} H${depth * STEP + 4}`);
    else if (depth > 0 && goesOn) draw(`M${x(depth)} 0 V${ROW}`);
    const own = depth * STEP + 9;
    if (!starts && row.twig.parent) draw(`M${own} 0 V${middle}`);
    if (!row.missing && next && (next.missing ? next.twig === row.twig : next.twig.parent === row.twig)) draw(`M${own} ${middle} V${ROW}`);
    picture.append(svg("circle", { class: `tree-dot ${tone}`, cx: own, cy: middle, r: 5 }));
    return picture;
  }

  function drawRow(row: Row, at: number, left: number): HTMLElement {
    const { twig, missing } = row;
    const folds = !missing && canFold(twig);
    const fold = !folds ? depthOf(row) > 0 && el("span", { class: "fold" }) : el("button", { class: "fold", tabindex: -1, "aria-label": twig.folded ? "unfold" : "fold",
      click: () => setFolded(twig, !twig.folded) }, twig.folded ? "▸" : "▾");
    const body = missing
      ? [el("span", { class: "quiet" }, missing === "untried" ? `${plural(twig.data.untried, "further decision")} not tried` : `${plural(twig.data.left_out, "further decision")} not shown`)]
      : [...words(twig), ...chips(twig)];
    const isActive = active?.twig === twig && active.missing === missing;
    return el("div", { class: ["tree-row", twig.onPath && !missing && "path", isActive && (marked || document.activeElement === view) && "marked"].filter(Boolean).join(" "),
      id: `row-${at}`, style: `top:${at * ROW}px`, role: "treeitem", "aria-level": depthOf(row) + 1, "aria-selected": String(isActive),
      "aria-expanded": folds ? String(!twig.folded) : undefined, "data-twig": missing ? -1 : twig.index }, drawLines(row, rows[at + 1], left), fold, ...body);
  }

  function draw(): void {
    frame = 0;
    const first = Math.max(0, Math.floor(view.scrollTop / ROW) - 2);
    const last = Math.min(rows.length, Math.ceil((view.scrollTop + view.clientHeight) / ROW) + 2);
    const shown = rows.slice(first, last);
    const least = shown.reduce((depth, row) => Math.min(depth, depthOf(row)), Infinity);
    const left = least > DEEP && least < Infinity ? least - 1 : 0;
    level.hidden = !left;
    level.textContent = `These decisions are at levels ${(left + 1).toLocaleString("en")} and up; the lines of the levels before are left out.`;
    space.replaceChildren(...shown.map((row, i) => drawRow(row, first + i, left)));
    if (active) view.setAttribute("aria-activedescendant", `row-${positionOf(active)}`);
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
    level, view,
    el("div", { class: "legend" }, key("good", "all ends well"), key("bad", "all goes wrong"), key("both", "depends on what follows"), key("open", "not all was looked at")));
}
