// What is never freed: what was made and where, which call should have freed it, and why that matters.

import type { Finding } from "./data";
import { ranksInWords } from "./dom";

interface Leak {
  free: (maker: string) => string;
  why: string;
}

const KEEPS = "MPI keeps it in memory until it is freed, so memory grows with each one that is made.";

const LEAKS: Record<string, Leak> = {
  "comm-leak": { free: () => "MPI_Comm_free", why: "MPI libraries have room for a limited number of communicators, often about 2,000, so a program that makes one in each step of a loop ends with an error sooner or later." },
  "group-leak": { free: () => "MPI_Group_free", why: KEEPS },
  "type-leak": { free: () => "MPI_Type_free", why: KEEPS },
  "op-leak": { free: () => "MPI_Op_free", why: KEEPS },
  "errhandler-leak": { free: () => "MPI_Errhandler_free", why: KEEPS },
  "info-leak": { free: () => "MPI_Info_free", why: KEEPS },
  "keyval-leak": { free: (maker) => (maker === "MPI_Keyval_create" ? "MPI_Keyval_free" : maker.replace("create", "free")), why: KEEPS },
  "file-leak": { free: () => "MPI_File_close", why: "MPI demands that files are closed before MPI_Finalize; until then what was written need not be in the file." },
  "buffer-not-detached": { free: (maker) => maker.replace("attach", "detach"), why: "That call waits until all messages in the buffer have been sent; before it has returned, the memory must not be used for anything else." },
};

const ACTIVE: Leak = { free: () => "MPI_Wait, MPI_Test or one of their kind", why: "Only these tell when the operation is complete: until then its buffer must not be touched, and MPI_Finalize must not be called." };
const PERSISTENT: Leak = { free: () => "MPI_Request_free", why: KEEPS };
const CANCELLED: Leak = { free: () => "MPI_Wait or MPI_Test", why: "MPI_Cancel only asks for it: whether the operation was cancelled or took place is known when the request is complete." };

function leakOf(finding: Finding): Leak | undefined {
  if (finding.kind !== "request-leak") return LEAKS[finding.kind];
  return / persistent requests? /.test(finding.message) ? PERSISTENT : / cancelled requests? /.test(finding.message) ? CANCELLED : ACTIVE;
}

/** Two sentences; null: it is no leak. */
export function leakInWords(finding: Finding): string | null {
  const leak = leakOf(finding);
  const [site] = finding.places;
  const maker = site?.call;
  if (!leak || !maker) return null;
  const [, made] = /^(\d+ .+?) made by /.exec(finding.message) ?? [];
  const several = made !== undefined && !made.startsWith("1 ");
  const others = finding.ranks.filter((rank) => rank !== site.rank);
  return `Rank ${site.rank} ${made ? `makes ${made} with ${maker}` : `calls ${maker}`} at ${site.place}, and never calls ${leak.free(maker)} for ${several ? "them" : "it"}` +
    `${others.length ? `; neither ${others.length > 1 ? "do" : "does"} ${ranksInWords(others)}` : ""}. ${leak.why}`;
}
