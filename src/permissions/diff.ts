import { compareText } from "../core/text.ts";
import type { CloudIdentity } from "./identity.ts";
import { type Atom, minus } from "./permissions.ts";

/** Whether what an identity, or all of them, may do became more, less, both, or stayed. */
export type Verdict = "none" | "narrowed" | "broadened" | "both";

/** What became of one identity. */
export interface IdentityDiff {
  readonly cloud: CloudIdentity["cloud"];
  readonly key: string;
  readonly request: string | undefined;
  readonly change: "new" | "gone" | "changed" | "none";
  readonly verdict: Verdict;
  /** What it may do now and could not before; of a new one, everything. */
  readonly added: readonly Atom[];
  readonly removed: readonly Atom[];
  readonly subjectsAdded: readonly string[];
  readonly subjectsRemoved: readonly string[];
  /** Where its token was and is, when that is another place now. */
  readonly tokenPath?: readonly [string, string];
  /** The Secret that the request of the same name has on the other side. */
  readonly movedSecret?: string;
}

/** What became of all identities, in the order of their clouds and names. */
export interface PermissionsDiff {
  readonly verdict: Verdict;
  readonly identities: readonly IdentityDiff[];
}

/** Compares identities, paired by what names their Secrets. */
export function diffIdentities(old: readonly CloudIdentity[], now: readonly CloudIdentity[]): PermissionsDiff {
  const [before, after] = [byKey(old), byKey(now)];
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort(compareText);
  const identities = keys.map((key) => diffIdentity(before.get(key), after.get(key)));
  return { verdict: verdictOf(identities.map(({ verdict }) => verdict)), identities: withMoves(identities) };
}

function byKey(identities: readonly CloudIdentity[]): Map<string, CloudIdentity> {
  return new Map(identities.map((one) => [`${one.cloud} ${one.key}`, one]));
}

function diffIdentity(old: CloudIdentity | undefined, now: CloudIdentity | undefined): IdentityDiff {
  const { cloud, key, request } = (now ?? old) as CloudIdentity;
  const added = minus(now?.permissions ?? [], old?.permissions ?? []);
  const removed = minus(old?.permissions ?? [], now?.permissions ?? []);
  const subjectsAdded = without(now?.subjects, old?.subjects);
  const subjectsRemoved = without(old?.subjects, now?.subjects);
  const tokenPath = movedToken(old?.tokenPath, now?.tokenPath);
  const more = old === undefined || added.length + subjectsAdded.length > 0;
  const less = now === undefined || removed.length + subjectsRemoved.length > 0;
  const verdict = verdictFor(more, less);
  return {
    cloud,
    key,
    request: request ?? old?.request,
    change: old === undefined ? "new" : now === undefined ? "gone" : changeOf(verdict, tokenPath !== undefined),
    verdict,
    added,
    removed,
    subjectsAdded,
    subjectsRemoved,
    ...(tokenPath === undefined ? {} : { tokenPath }),
  };
}

// A request whose Secret has another name is a new identity to the cloud, and a person wants to know of both.
function withMoves(identities: readonly IdentityDiff[]): IdentityDiff[] {
  return identities.map((one) => {
    const other = identities.find(
      ({ change, cloud, request }) =>
        request !== undefined &&
        request === one.request &&
        cloud === one.cloud &&
        ((one.change === "new" && change === "gone") || (one.change === "gone" && change === "new")),
    );
    return other === undefined ? one : { ...one, movedSecret: other.key };
  });
}

function movedToken(old: string | undefined, now: string | undefined): [string, string] | undefined {
  return old === undefined || now === undefined || old === now ? undefined : [old, now];
}

function without(all: readonly string[] = [], some: readonly string[] = []): string[] {
  return all.filter((one) => !some.includes(one));
}

function verdictOf(verdicts: readonly Verdict[]): Verdict {
  const more = verdicts.some((one) => one === "broadened" || one === "both");
  const less = verdicts.some((one) => one === "narrowed" || one === "both");
  return verdictFor(more, less);
}

function verdictFor(more: boolean, less: boolean): Verdict {
  if (more) return less ? "both" : "broadened";
  return less ? "narrowed" : "none";
}

function changeOf(verdict: Verdict, isMoved: boolean): "changed" | "none" {
  return verdict === "none" && !isMoved ? "none" : "changed";
}
