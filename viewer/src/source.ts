// The text of the program, with the lines marked that an operation and its partners come from.

import type { Place, Source } from "./data";
import { baseName, el } from "./dom";

export interface Mark {
  place: Place;
  kind: "own" | "partner" | "could" | "frame";
  note: string;
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
  let shown = new Map<string, { root: HTMLElement; lines: Map<number, HTMLElement> }>();

  function makeFile(source: Source): { root: HTMLElement; lines: Map<number, HTMLElement> } {
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
    return { root, lines };
  }

  function show(marks: Mark[]): void {
    const files = [...new Set(marks.map((mark) => mark.place.file).filter((file) => file !== null && byFile.has(file)))] as string[];
    const next = new Map(files.map((file) => [file, shown.get(file) ?? makeFile(byFile.get(file)!)]));
    if (files.join("\0") !== [...shown.keys()].join("\0")) element.replaceChildren(...[...next.values()].map((file) => file.root));
    shown = next;
    if (!files.length)
      element.replaceChildren(el("p", { class: "quiet" }, marks.length
        ? `The source of ${marks[0].place.place} is not on the machine where this report was made, or the program was built without -g.`
        : ""));
    for (const { lines } of shown.values())
      for (const row of lines.values()) if (row.className !== "line") {
        row.className = "line";
        row.lastElementChild!.textContent = "";
      }
    const strength = ["could", "partner", "own", "frame"] as const;
    for (const kind of strength)
      for (const mark of marks.filter((m) => m.kind === kind)) {
        const row = mark.place.file ? shown.get(mark.place.file)?.lines.get(mark.place.line) : undefined;
        if (!row) continue;
        const note = row.lastElementChild!;
        row.className = `line marked ${kind}`;
        note.textContent = note.textContent && note.textContent !== mark.note ? `${mark.note}; ${note.textContent}` : mark.note;
      }
    for (const [file, { root, lines }] of shown) {
      const first = marks.find((mark) => mark.place.file === file)!;
      const row = lines.get(first.place.line);
      const body = root.lastElementChild as HTMLElement;
      if (row) body.scrollTop = row.offsetTop - body.offsetTop - body.clientHeight / 2 + 12;
    }
  }

  return { element, show };
}
