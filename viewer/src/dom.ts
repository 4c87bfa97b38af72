// Elements.  Text only ever goes in as text, so that nothing in a program's names can become part of the page.

type Attributes = Record<string, string | number | boolean | ((event: any) => void) | undefined>;
type Child = Node | string | number | null | undefined | false;

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  for (const child of children)
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : String(child));
  return element;
}

export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]
): SVGElementTagNameMap[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** What makes something that is no button one: for the mouse and for the keyboard. */
export function buttonLike(act: () => void): Attributes {
  return { role: "button", tabindex: 0, click: act, keydown: (event: KeyboardEvent) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    act();
  } };
}

/** Does it; should that take away what has the focus, something else gets it. */
export function keepingFocus(act: () => void, heir: () => HTMLElement | SVGElement | null | undefined): void {
  const had = document.activeElement !== document.body;
  act();
  if (had && (document.activeElement === document.body || !document.activeElement)) heir()?.focus({ preventScroll: true });
}

/** The heads of arrows of several colours, for one drawing. */
export function arrowheads(names: string[]): SVGDefsElement {
  const heads = names.map((name) =>
    svg("marker", { id: `head-${name}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto-start-reverse" },
      svg("path", { d: "M0 0.6 L7.4 4 L0 7.4 z", class: `head ${name}` })));
  return svg("defs", {}, ...heads);
}

export function plural(n: number, one: string, many = one + "s"): string {
  return `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
}

export function ranksInWords(ranks: number[], joint = "and"): string {
  const last = ranks.length - 1;
  if (last >= 4 && ranks.every((rank, i) => rank === ranks[0] + i)) return `${joint === "or" ? "one of " : ""}ranks ${ranks[0]} to ${ranks[last]}`;
  const shown = ranks.length > 8 ? [...ranks.slice(0, 7), `${ranks.length - 7} more`] : ranks;
  if (shown.length < 2) return `rank ${shown.join("")}`;
  return `ranks ${shown.slice(0, -1).join(", ")} ${joint} ${shown[shown.length - 1]}`;
}

/** Words that were said in passing, as a sentence. */
export function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** A name as a shell takes it. */
export function quote(name: string): string {
  return /^[\w./+-]+$/.test(name) ? name : `'${name.replace(/'/g, "'\\''")}'`;
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}
