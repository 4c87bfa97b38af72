// Windows in the drawing of a run: a line beside the lane of its owner, and arrows to the bytes that are accessed.

import { svg } from "./dom";
import type { Act } from "./run";

const CHARACTERS = 9; // that fit above an arrow

/** "0–7", "0–7 …": as much as there is room for; nothing of a lock. */
export function rangesInBrief({ ranges }: Act): string {
  const [first, ...others] = ranges.filter((range) => range.bytes > 0);
  if (!first) return "";
  const whole = first.bytes === 1 ? `${first.at}` : `${first.at}–${first.at + first.bytes - 1}`;
  const text = whole.length <= CHARACTERS ? whole : `${first.at}…`;
  return others.length && text === whole && whole.length + 2 <= CHARACTERS ? `${text} …` : text;
}

/** Straight to the nearest, and below the boxes to those behind other lanes. */
function way(from: number, to: number, y: number, below: number, far: boolean): string {
  const side = Math.sign(to - from);
  if (!far) return `M${from} ${y} L${to} ${y}`;
  const [turn, back] = [from + side * 24, to - side * 24];
  return `M${from} ${y} C${from + side * 14} ${y}, ${turn - side * 12} ${below}, ${turn} ${below} L${back} ${below} C${back + side * 12} ${below}, ${to - side * 14} ${y}, ${to} ${y}`;
}

/** Where an operation is drawn, and the line of its window. */
export interface Ends {
  box: number; // its middle, and half of its width, which is not drawn over
  half: number;
  window: number;
  y: number;
  below: number; // between this row and the next
  far: boolean; // there are other lanes between them
  label: number; // where the bytes are said
}

/** From the operation to the window, or back if it reads there. */
export function drawAccess(act: Act, { box, half, window, y, below, far, label }: Ends, chosen: boolean): SVGGElement {
  const side = Math.sign(window - box);
  const name = act.status === "race" ? "race" : chosen ? "chosen" : act.ranges.length ? "access" : "lock";
  const [from, to] = act.reads ? [window, box + side * half] : [box + side * half, window - side * 3];
  const brief = rangesInBrief(act);
  return svg("g", {},
    svg("path", { class: `arrow ${name}`, "marker-end": `url(#head-${name})`, d: way(from, to, y, below, far) }),
    svg("circle", { class: `touch ${name}`, cx: window, cy: y, r: 3.5 }),
    brief && svg("text", { class: "bytes", x: window, y: label }, brief));
}
