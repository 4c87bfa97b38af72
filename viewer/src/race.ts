// A buffer race: which rank touches the buffer of which pending operation, and where both are.  A race in a window: its two accesses.

import type { Finding, Site } from "./data";
import { ranksInWords } from "./dom";
import type { Act, Run } from "./run";

export interface Race {
  touches: string; // "writes to the buffer of its pending MPI_Isend"
  harm: string;
  access: Site | null; // null: only the contents were compared, and no line is known
  pending: Site;
  call: string; // that is pending
}

/** A verb for one rank and for several. */
const VERBS: Record<string, [one: string, many: string]> = {
  "written to": ["writes to", "write to"], "read": ["reads", "read"], "given back to the system": ["gives back to the system", "give back to the system"],
};

function harmOf(done: string, fills: boolean): string {
  if (done.startsWith("given")) return "MPI still uses memory that is no longer the program's, which may crash or go into somebody else's data.";
  if (!fills) return "MPI may still read from the buffer, so the old value may be sent, or the new one, or a mixture.";
  return done === "read" ? "MPI may fill the buffer at any moment, so what is read may be old or new, or a mixture."
    : "MPI may fill the buffer at any moment, so what is written may be lost, or spoil what was received.";
}

/** Null: it is none. */
export function raceOf(finding: Finding): Race | null {
  if (finding.kind !== "buffer-race" || !finding.places.length) return null;
  const many = finding.ranks.length > 1;
  const its = many ? "their" : "its";
  const sites = { access: finding.places.length > 1 ? finding.places[0] : null, pending: finding.places[finding.places.length - 1] };
  const [, buffer, call, done] = /^the ((?:send |receive )?buffer) of (\w+) is (written to|read|given back to the system) while/.exec(finding.message) ?? [];
  if (done) {
    const verb = VERBS[done][Number(many)];
    const fills = buffer === "receive buffer" || /recv/i.test(call);
    return { ...sites, call, touches: `${verb} the ${buffer} of ${its} pending ${call}`, harm: harmOf(done, fills) };
  }
  const [, second, first] = /^(\w+) has a buffer in common with (\w+), which is pending/.exec(finding.message) ?? [];
  if (!first) return null;
  const elsewhere = finding.message.includes("pending in another thread") ? ", in which another thread is" : "";
  return { ...sites, call: first, touches: `${many ? "give" : "gives"} ${second} the buffer of ${its} pending ${first}${elsewhere}`,
    harm: "Both operations use the same memory, and one of them fills it, so what is sent or received depends on which of them MPI does first." };
}

export function raceInOneLine(finding: Finding, race: Race): string {
  return `${ranksInWords(finding.ranks)} ${race.touches}`;
}

/** The access in the run of the finding; null: no line is known, or the run is not there. */
export function accessIn(run: Run, finding: Finding): Act | null {
  const [place] = finding.places;
  const is = (act: Act): boolean => act.kind === "access" && act.place?.place === place?.place && finding.message.startsWith(act.text);
  return place ? (run.lanes[place.rank]?.acts.find(is) ?? null) : null;
}

/** The call that waits for the operation, before which the access comes too early. */
export function completionOf(run: Run, access: Act): Act | null {
  return run.lanes[access.rank].acts.slice(access.index).find((act) => act.kind === "wait" && act.requests.some((request) => access.requests.includes(request))) ?? null;
}

/** Two accesses to a window that race. */
export interface Rivals {
  places: Site[];
  where: string; // "Bytes 0 to 3 of window 0 at rank 1: a put of rank 0 and a load of rank 1"
  advice: string; // "let an MPI_Win_fence come between them"
}

/** Null: it is no such race. */
export function rivalsOf(finding: Finding): Rivals | null {
  if (finding.kind !== "rma-race" || finding.places.length < 2) return null;
  const line = (words: RegExp): string => words.exec(finding.text)?.[1] ?? "";
  const where = line(/^ {2}(bytes? .*)$/m);
  return { places: finding.places, where: where && where[0].toUpperCase() + where.slice(1), advice: line(/^ {2}to do: (.*)$/m) };
}
