// The run as a drawing: a lane per rank, or per thread of a rank that has several, time downwards.  Only what is in view is in the page.

import { type Columns, MARGIN, makeColumns } from "./columns";
import { arrowheads, el, svg } from "./dom";
import { type Act, type Lane, type Run, peerOf, rangesInWords, threadInWords, whose, windowInWords } from "./run";
import { drawAccess } from "./windows";

const ROW = 34;
const BOX = 24; // height of an operation
const HEAD = 40; // of the lanes
const DRAWN = 6; // a lane that is narrower has a line only

export type Order = "match" | "program";

export interface LanesView {
  element: HTMLElement;
  show(selected: Act | null, step: number): void; // operations behind the step have not happened yet
  setOrder(order: Order): void;
  setMembers(ranks: number[]): void; // whose lanes are to be in view together; the others are folded if there is no room
  reveal(act: Act, beside?: Act[]): void; // with these, if there is room
  focus(): void;
  redraw(): void;
}

const KIND_CLASS: Record<string, string> = {
  send: "send", receive: "receive", probe: "receive", iprobe: "receive", collective: "collective",
  wait: "wait", test: "wait", cancel: "wait", free: "wait", "one-sided": "send",
};

const GLYPH: Record<string, string> = {
  send: "S", receive: "R", collective: "C", wait: "W", test: "T", probe: "P", iprobe: "P", init: "·", finalize: "■",
  "one-sided": "O", access: "!", touch: "!", crash: "✕", abort: "✕", error: "✕", refused: "✕", gap: "…",
};

const ruler = document.createElement("canvas").getContext("2d")!;
const widths = new Map<string, number>();

function widthOf(text: string): number {
  let width = widths.get(text);
  if (width === undefined) {
    ruler.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    widths.set(text, (width = ruler.measureText(text).width));
  }
  return width;
}

/** As much of the call as there is room for. */
function label(act: Act, width: number): string {
  if (width < 16) return "";
  const peer = peerOf(act);
  const room = width - 8;
  const whole = [...(peer ? [`${act.name} ${peer}`] : []), act.name].find((text) => widthOf(text) <= room);
  if (whole) return whole;
  for (let length = act.name.length - 1; length >= 5; length--) {
    const text = act.name.slice(0, length) + "…";
    if (widthOf(text) <= room) return text;
  }
  return GLYPH[act.kind] ?? act.name[0] ?? "·";
}

export function makeLanes(run: Run, select: (act: Act) => void): LanesView {
  let order: Order = "match";
  let selected: Act | null = null;
  let step = Infinity;
  let members = new Set<number>();
  const owners = run.windows.map((window) => window.owner);
  const raced = new Set(run.rivals.flatMap((act) => (act.window ? [run.windows.indexOf(act.window)] : [])));
  const parts = run.lanes.map((lane) => lane.threads.length);
  let columns: Columns = makeColumns(parts, members, 0, owners, raced);
  let frame = 0;

  const accesses = run.acts.filter((act) => act.kind === "access");
  const canvas = svg("svg", { class: "lanes-canvas", role: "listbox", tabindex: 0, "aria-label": "Operations by rank; arrow keys go from one to the next" });
  const heads = el("div", { class: "lanes-heads" });
  const space = el("div", { class: "lanes-space" }, canvas);
  const element = el("div", { class: "lanes", tabindex: -1, scroll: () => queue() }, heads, space);

  const rowOf = (act: Act): number => (order === "match" ? run.byMatch[act.id] : act.index);
  const laneWidth = (rank: number): number => columns.width[rank] / parts[rank];
  const x = ({ rank, thread }: { rank: number; thread: number }): number =>
    columns.left[rank] + laneWidth(rank) * (Math.max(0, run.lanes[rank].threads.indexOf(thread)) + 0.5);
  const y = (act: Act): number => 10 + rowOf(act) * ROW + ROW / 2;
  const boxWidth = (rank: number): number => {
    const width = laneWidth(rank);
    return width < 27 ? Math.max(1, width - 4) : Math.max(20, Math.min(width - 16, 168));
  };
  const happened = (act: Act): boolean => run.position[act.id] <= step;

  // Per lane, acts are ordered by row: those in view are a stretch of it.
  const firstFrom = (acts: Act[], row: number): number => {
    let low = 0;
    let high = acts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (rowOf(acts[middle]) < row) low = middle + 1;
      else high = middle;
    }
    return low;
  };

  function drawArrow(from: Act, to: Act, name: string, faint = false): SVGPathElement {
    const look = { class: `arrow ${name}${faint ? " faint" : ""}`, "marker-end": `url(#head-${name})` };
    const [x1, x2, y1, y2] = [x(from), x(to), y(from), y(to)];
    const half = boxWidth(from.rank) / 2;
    if (x1 === x2) {
      const out = x1 + half;
      return svg("path", { ...look, d: `M${out} ${y1} C${out + 26} ${y1}, ${out + 26} ${y2}, ${out + 2} ${y2}` });
    }
    const side = Math.sign(x2 - x1);
    const start = x1 + side * half;
    const end = x2 - side * (boxWidth(to.rank) / 2 + 2);
    const bend = Math.max(16, Math.min(Math.abs(end - start) * 0.35, 70)) * side;
    return svg("path", { ...look, d: `M${start} ${y1} C${start + bend} ${y1}, ${end - bend} ${y2}, ${end} ${y2}` });
  }

  function drawAct(act: Act): SVGGElement {
    const kind = KIND_CLASS[act.kind] ?? "local";
    const related = selected !== null && (selected.partner === act || selected.group.includes(act));
    const classes = ["act", kind, act.status, act === selected && "selected", related && "related",
      selected?.possible.includes(act) && "could", !happened(act) && "later"];
    const w = boxWidth(act.rank);
    const bytes = rangesInWords(act);
    const words = `${whose(run, act)}: ${act.text}${bytes && `, ${bytes}`}${act.place ? `  at ${act.place.place}` : ""}`;
    const box = svg("g", {
      id: `act-${act.id}`, role: "option", "aria-selected": String(act === selected), "aria-label": words,
      class: classes.filter(Boolean).join(" "), transform: `translate(${x(act) - w / 2} ${y(act) - BOX / 2})`,
      "data-rank": act.rank, "data-thread": act.thread, "data-op": act.op, click: () => select(act),
    },
      svg("title", {}, words),
      svg("rect", { width: w, height: BOX, rx: Math.min(6, w / 2) }),
      svg("text", { x: w / 2, y: BOX / 2 + 4 }, label(act, w)));
    if (act.decided) box.append(svg("path", { class: "choice", d: `M${w} -5 l5 5 l-5 5 l-5 -5 z` }, svg("title", {}, "other messages could have been taken here")));
    if (act.status === "stuck" || act.status === "halted") {
      const end = svg("text", { class: "end-note", x: w / 2, y: BOX + 15 }, act.status === "stuck" ? "stuck here" : "was here");
      if (laneWidth(act.rank) >= 70) box.append(end);
    }
    return box;
  }

  /** Null: the windows have no lines. */
  function drawAccessOf(act: Act, chosen: boolean): SVGGElement | null {
    const window = columns.windows[run.windows.indexOf(act.window!)];
    if (window === null) return null;
    const box = x(act);
    const far = columns.left.some((left, rank) => rank !== act.rank && left < Math.max(box, window) && left + columns.width[rank] > Math.min(box, window));
    const isSecond = run.rivals.indexOf(act) > 0 && run.rivals[0].window === act.window && y(run.rivals[0]) === y(act);
    return drawAccess(act, { box, half: boxWidth(act.rank) / 2, window, y: y(act), below: y(act) + ROW / 2 + (isSecond ? 3 : 0), far, label: y(act) + (isSecond ? 15 : -6) }, chosen);
  }

  function drawGroup(group: Act[]): SVGPathElement {
    const members = [...group].sort((a, b) => x(a) - x(b));
    return svg("path", { class: "gathering", d: "M" + members.map((act) => `${x(act)} ${y(act)}`).join(" L") });
  }

  /** The line of a lane from its first operation to the last; a thread that waits for another one has a note below. */
  function drawLine(lane: Lane, thread: number, top: number, bottom: number): SVGElement[] {
    const acts = lane.threads.length > 1 ? lane.acts.filter((act) => act.thread === thread) : lane.acts;
    const wait = lane.threads.length > 1 ? lane.waits.find((one) => one.thread === thread && one.waits_for !== "call") : undefined;
    const at = x({ rank: lane.rank, thread });
    const last = lane.acts.at(-1)!;
    const low = wait ? y(last) + ROW : acts.length ? y(acts[acts.length - 1]) : 0;
    const high = acts.length ? y(acts[0]) : low;
    const line = svg("line", { class: "thread", x1: at, x2: at, y1: Math.max(high, top), y2: Math.min(low, bottom) });
    if (!wait || !happened(last)) return acts.length ? [line] : [];
    const words = threadInWords(wait);
    const brief = { lock: wait.lock ? `lock ${wait.lock}` : "a lock", end: `end of ${wait.other}`, thread: "another one", call: "" }[wait.waits_for];
    return [...(acts.length ? [line] : []), svg("text", { class: `lane-note for-${wait.waits_for}`, x: at, y: low + 4 },
      svg("title", {}, `${whose(run, { rank: lane.rank, thread })} ${words}, at ${wait.place}`),
      ...(laneWidth(lane.rank) >= 70 ? [svg("tspan", { x: at }, "waits for"), svg("tspan", { x: at, dy: 14 }, brief)] : ["…"]))];
  }

  function draw(): void {
    frame = 0;
    const top = Math.max(0, element.scrollTop - HEAD);
    const left = element.scrollLeft;
    const height = element.clientHeight + HEAD;
    const lanes = run.lanes;
    canvas.setAttribute("width", String(element.clientWidth));
    canvas.setAttribute("height", String(height));
    canvas.setAttribute("viewBox", `${left} ${top} ${element.clientWidth} ${height}`);
    canvas.style.transform = `translate(${left}px, ${top}px)`;

    const firstRow = Math.floor((top - 10) / ROW) - 1;
    const lastRow = Math.ceil((top + height) / ROW) + 1;
    const firstRank = Math.max(0, columns.left.findIndex((at, rank) => at + columns.width[rank] >= left) - 1);
    const lastRank = columns.left.filter((at) => at <= left + element.clientWidth).length - 1;
    const inView = (a: Act, b: Act): boolean =>
      Math.max(rowOf(a), rowOf(b)) >= firstRow && Math.min(rowOf(a), rowOf(b)) <= lastRow &&
      Math.max(a.rank, b.rank) >= firstRank && Math.min(a.rank, b.rank) <= lastRank;

    const under = svg("g");
    const over = svg("g");
    const lines = svg("g");
    const boxes = svg("g");
    for (let rank = firstRank; rank <= lastRank; rank++) {
      const { acts } = lanes[rank];
      if (!acts.length) continue;
      lines.append(...lanes[rank].threads.flatMap((thread) => drawLine(lanes[rank], thread, top - 50, top + height + 50)));
      if (laneWidth(rank) < DRAWN && selected?.rank !== rank) continue;
      for (let i = firstFrom(acts, firstRow); i < acts.length && rowOf(acts[i]) <= lastRow; i++) {
        boxes.append(drawAct(acts[i]));
        if (acts[i].window && happened(acts[i])) {
          const chosen = selected === acts[i];
          const access = drawAccessOf(acts[i], chosen);
          if (access) (chosen ? over : under).append(access);
        }
      }
    }
    for (const at of columns.windows)
      if (at !== null) lines.append(svg("line", { class: "window-line", x1: at, x2: at, y1: top - 50, y2: top + height + 50 }));
    for (const group of run.groups)
      if (group.length > 1 && group.every(happened) && inView(group[0], group[group.length - 1])) lines.append(drawGroup(group));
    for (const [send, receive] of run.matches)
      if (inView(send, receive) && happened(send) && happened(receive)) {
        const chosen = selected === send || selected === receive;
        (chosen ? over : under).append(drawArrow(send, receive, chosen ? "chosen" : "match"));
      }
    // Matches that were possible: all of them if there are few, else those of what is selected.
    const few = run.possible.length <= 60;
    for (const [send, receive] of run.possible) {
      const chosen = selected === send || selected === receive;
      if ((few || chosen) && inView(send, receive) && happened(send) && happened(receive))
        (chosen ? over : under).append(drawArrow(send, receive, "possible", !chosen));
    }
    for (const access of accesses)
      if (happened(access))
        for (const request of access.requests) if (inView(request, access)) over.append(drawArrow(access, request, "race"));
    canvas.replaceChildren(arrowheads(["match", "chosen", "possible", "race", "access", "lock"]), lines, under, boxes, over);
  }

  function queue(): void {
    frame ||= requestAnimationFrame(draw);
  }

  /** Of a rank with several threads: its name above all of them, and each with its number. */
  function drawThreadHeads(lane: Lane): HTMLElement[] {
    const width = laneWidth(lane.rank);
    const left = columns.left[lane.rank];
    const stuck = lane.acts.some((act) => act.status === "stuck") || lane.waits.length > 0;
    const rank = el("div", { class: `lane-head rank-head ${stuck ? "stuck" : "well"}`, style: `left:${left}px;width:${columns.width[lane.rank]}px`,
      title: `rank ${lane.rank}, with ${lane.threads.length} threads` }, columns.width[lane.rank] >= 18 && el("b", {}, columns.width[lane.rank] >= 62 ? `rank ${lane.rank}` : lane.rank));
    return [rank, ...lane.threads.map((thread, i) => {
      const wait = lane.waits.find((one) => one.thread === thread);
      const words = wait ? threadInWords(wait) : "ended, or finished";
      return el("div", { class: `lane-head thread-head ${wait ? "stuck" : "well"}`, style: `left:${left + i * width}px;width:${width}px`,
        title: `rank ${lane.rank}, thread ${thread}: ${words}` }, width >= 18 && el("small", {}, width >= 62 ? `thread ${thread}` : thread));
    })];
  }

  function drawHeads(lane: Lane): HTMLElement[] {
    return lane.threads.length > 1 ? drawThreadHeads(lane) : [drawHead(lane)];
  }

  function drawHead(lane: Lane): HTMLElement {
    const last = lane.acts.at(-1);
    const fate = last?.status === "stuck" ? "stuck" : last?.status === "failed" ? "failed" : last?.status === "halted" ? "halted" : "well";
    const words = { stuck: "stuck", failed: "failed here", halted: "stopped with it", well: "finished" }[fate];
    const width = columns.width[lane.rank];
    return el("div", { class: `lane-head ${fate}`, style: `left:${columns.left[lane.rank]}px;width:${width}px`, title: `rank ${lane.rank}: ${words}` },
      width >= 18 && el("b", {}, width >= 62 ? `rank ${lane.rank}` : lane.rank), width >= 90 && el("small", {}, words));
  }

  function drawWindowHead(at: number, i: number): HTMLElement {
    const words = windowInWords(run, run.windows[i]);
    const [name] = words.split(" at ");
    return el("div", { class: "lane-head window-head", style: `left:${at - 32}px;width:64px`, title: words }, el("small", {}, name));
  }

  function layOut(): void {
    columns = makeColumns(parts, members, element.clientWidth - 2 * MARGIN, owners, raced);
    const rows = order === "match"
      ? run.byMatch.reduce((most, row) => Math.max(most, row), 0)
      : Math.max(0, ...run.lanes.map((lane) => lane.acts.length));
    space.style.width = `${columns.total}px`;
    space.style.height = `${(rows + 1) * ROW + 70}px`;
    heads.style.width = space.style.width;
    heads.replaceChildren(...run.lanes.flatMap(drawHeads), ...columns.windows.flatMap((at, i) => (at === null ? [] : [drawWindowHead(at, i)])));
  }

  new ResizeObserver(() => {
    layOut();
    queue();
  }).observe(element);

  return {
    element,
    show(act, until) {
      selected = act;
      step = until;
      if (act) canvas.setAttribute("aria-activedescendant", `act-${act.id}`);
      queue();
    },
    setOrder(wanted) {
      order = wanted;
      layOut();
      queue();
    },
    setMembers(ranks) {
      members = new Set(ranks);
      layOut();
      queue();
    },
    reveal(act, beside = []) {
      const rows = [act, ...beside].map((one) => y(one) + HEAD);
      const [high, low] = [Math.min(...rows), Math.max(...rows)];
      const fits = low - high < element.clientHeight - HEAD - 2 * ROW;
      const [top, bottom] = fits ? [high, low] : [rows[0], rows[0]];
      const column = x(act);
      if (top < element.scrollTop + HEAD + ROW || bottom > element.scrollTop + element.clientHeight - ROW)
        element.scrollTop = (top + bottom - element.clientHeight) / 2;
      const width = laneWidth(act.rank);
      if (column - width / 2 < element.scrollLeft || column + width / 2 > element.scrollLeft + element.clientWidth)
        element.scrollLeft = column - element.clientWidth / 2;
      queue();
    },
    focus() {
      canvas.focus({ preventScroll: true });
    },
    redraw() {
      layOut();
      queue();
    },
  };
}
