// The text of the program, with the lines marked that an operation and its partners come from.

import type { Place, Source } from "./data";
import { baseName, el } from "./dom";

export interface Mark {
  place: Place;
  kind: "own" | "partner" | "rival" | "could" | "frame"; // a rival is looked at as much as the operation itself
  note: string;
}

const NEAR = 4; // lines that are in view together, however little room there is

/** A file, of which one part is in view. */
interface Pane {
  file: string;
  root: HTMLElement;
  lines: Map<number, HTMLElement>;
}

export interface SourceView {
  element: HTMLElement;
  show(marks: Mark[]): void;
}

const WORDS = /(\/\/.*$|\/\*.*?\*\/|"(?:[^"\\]|\\.)*")|\b(if|else|for|while|do|return|switch|case|break|continue|int|double|float|char|void|long|unsigned|const|static|struct|call|integer|real|end|subroutine|program|def|import|in|auto|class|template|using|namespace)\b|\b(P?MPI_\w+)/gm;

/** Comments, keywords and MPI calls stand out; it only has to be right for most lines. */
function colour(line: string): (Node | string)[] {
  const parts: (Node | string)[] = [];
  let at = 0;
  for (const found of line.matchAll(WORDS)) {
    parts.push(line.slice(at, found.index));
    const [whole, quiet, keyword] = found;
    parts.push(el("span", { class: quiet ? (quiet[0] === '"' ? "code-string" : "code-comment") : keyword ? "code-word" : "code-mpi" }, whole));
    at = found.index + whole.length;
  }
  parts.push(line.slice(at));
  return parts;
}

export function makeSourceView(sources: Source[]): SourceView {
  const byFile = new Map(sources.map((source) => [source.file, source]));
  const element = el("div", { class: "source" });
  let shown = new Map<string, Pane>();

  function makeFile(source: Source): Pane {
    const lines = new Map<number, HTMLElement>();
    const body = el("div", { class: "source-lines", tabindex: 0, role: "region", "aria-label": `source of ${baseName(source.file)}` });
    source.pieces.forEach((piece, i) => {
      if (i || piece.first > 1) body.append(el("div", { class: "source-gap" }, "⋯"));
      piece.lines.forEach((text, k) => {
        const row = el("div", { class: "line" }, el("span", { class: "line-number" }, piece.first + k),
          el("span", { class: "line-text" }, ...colour(text)), el("span", { class: "line-note" }));
        lines.set(piece.first + k, row);
        body.append(row);
      });
    });
    const root = el("div", { class: "source-file" },
      el("div", { class: "source-name", title: source.file }, baseName(source.file),
        source.changed && el("em", {}, "changed since the search")), body);
    return { file: source.file, root, lines };
  }

  /** The lines that are to be in view: the first mark of each file, and rivals that are not beside it. */
  function placesToShow(marks: Mark[]): Place[] {
    const places: Place[] = [];
    const isNear = (one: Place, other: Place): boolean => one.file === other.file && Math.abs(one.line - other.line) <= NEAR;
    for (const { place, kind } of marks) {
      if (place.file === null || !byFile.has(place.file)) continue;
      if (!places.some((other) => (kind === "rival" ? isNear(place, other) : place.file === other.file))) places.push(place);
    }
    return places;
  }

  function show(marks: Mark[]): void {
    const places = placesToShow(marks);
    const keys = places.map((place, i) => `${places.slice(0, i).filter((other) => other.file === place.file).length} ${place.file}`);
    const next = new Map(keys.map((key, i) => [key, shown.get(key) ?? makeFile(byFile.get(places[i].file!)!)]));
    if (keys.join("\0") !== [...shown.keys()].join("\0")) element.replaceChildren(...[...next.values()].map((pane) => pane.root));
    shown = next;
    if (!places.length)
      element.replaceChildren(el("p", { class: "quiet" }, marks.length
        ? `The source of ${marks[0].place.place} is not on the machine where this report was made, or the program was built without -g.`
        : ""));
    for (const { lines } of shown.values())
      for (const row of lines.values()) if (row.className !== "line") {
        row.className = "line";
        row.lastElementChild!.textContent = "";
      }
    const strength = ["could", "partner", "rival", "own", "frame"] as const;
    for (const kind of strength)
      for (const mark of marks.filter((m) => m.kind === kind))
        for (const { file, lines } of shown.values()) {
          const row = mark.place.file === file ? lines.get(mark.place.line) : undefined;
          if (!row) continue;
          const note = row.lastElementChild!;
          row.className = `line marked ${kind}`;
          note.textContent = note.textContent && note.textContent !== mark.note ? `${mark.note}; ${note.textContent}` : mark.note;
        }
    [...shown.values()].forEach(({ root, lines }, i) => {
      const row = lines.get(places[i].line);
      const body = root.lastElementChild as HTMLElement;
      if (row) body.scrollTop = row.offsetTop - body.offsetTop - body.clientHeight / 2 + 12;
    });
  }

  return { element, show };
}
