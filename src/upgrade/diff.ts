import { compareText } from "../core/text.ts";
import { defaultTokenPath } from "../identity/cluster-identity.ts";
import { type Comparison, comparePermissions, isLess, isMore } from "../permissions/comparison.ts";
import type { CloudIdentity } from "../permissions/identity.ts";

/** Whether what an identity, or all of them, may do became more, less, both, or stayed. */
export type Verdict = "none" | "narrowed" | "broadened" | "both";

/** Two identities that are one: what it was, and what it is. One of them may not be there. */
export interface IdentityDiff {
  readonly cloud: string;
  readonly noun: string;
  readonly key: string;
  readonly request: string | undefined;
  readonly old: CloudIdentity | undefined;
  readonly now: CloudIdentity | undefined;
  readonly change: "new" | "gone" | "changed" | "none";
  readonly verdict: Verdict;
  /** What it may do now and could not before, or the other way round; of a new one, everything. */
  readonly permissions: Comparison;
  readonly subjectsAdded: readonly string[];
  readonly subjectsRemoved: readonly string[];
  /** Ways to become it, where both sides say them. */
  readonly trust: Comparison | undefined;
  /** The policies that its permissions were and are held within, "" for none, when that is another now. */
  readonly boundary?: readonly [string, string];
  /** Where its token was and is, "" where that is left to the cluster, when that is another place now. */
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
  return new Map(identities.map((identity) => [`${identity.cloud} ${identity.key}`, identity]));
}

function diffIdentity(old: CloudIdentity | undefined, now: CloudIdentity | undefined): IdentityDiff {
  const { cloud, noun, key, request } = (now ?? old) as CloudIdentity;
  const permissions = comparePermissions(old?.permissions ?? [], now?.permissions ?? []);
  const subjectsAdded = without(now?.subjects, old?.subjects);
  const subjectsRemoved = without(old?.subjects, now?.subjects);
  const trust = trustComparison(old, now);
  const boundary = moved(old?.boundary, now?.boundary);
  const tokenPath = sameTokenPath(old?.tokenPath, now?.tokenPath) ? undefined : moved(old?.tokenPath, now?.tokenPath);
  const changes = trust === undefined ? [permissions] : [permissions, trust];
  // A boundary only ever takes away: to be rid of one is more, to get one is less, and another one may be either.
  const more = changes.some(isMore) || subjectsAdded.length > 0 || (boundary?.[0] ?? "") !== "";
  const less = changes.some(isLess) || subjectsRemoved.length > 0 || (boundary?.[1] ?? "") !== "";
  const verdict = verdictFor(
    now !== undefined && (old === undefined || more),
    old !== undefined && (now === undefined || less),
  );
  return {
    cloud,
    noun,
    key,
    request: request ?? old?.request,
    old,
    now,
    change: old === undefined ? "new" : now === undefined ? "gone" : changeOf(verdict, tokenPath !== undefined),
    verdict,
    permissions,
    subjectsAdded,
    subjectsRemoved,
    trust,
    ...(boundary === undefined ? {} : { boundary }),
    ...(tokenPath === undefined ? {} : { tokenPath }),
  };
}

// A request whose Secret has another name is a new identity to the cloud, and a person wants to know of both.
function withMoves(identities: readonly IdentityDiff[]): IdentityDiff[] {
  const byRequest = new Map<string, IdentityDiff[]>();
  for (const identity of identities) {
    if (identity.request === undefined || (identity.change !== "new" && identity.change !== "gone")) continue;
    const name = `${identity.cloud} ${identity.request}`;
    byRequest.set(name, [...(byRequest.get(name) ?? []), identity]);
  }
  return identities.map((identity) => {
    const others =
      byRequest.get(`${identity.cloud} ${identity.request}`)?.filter(({ change }) => change !== identity.change) ?? [];
    const [other] = identity.change === "new" || identity.change === "gone" ? others : [];
    return other === undefined ? identity : { ...identity, movedSecret: other.key };
  });
}

// A request has no trust policy.
function trustComparison(old: CloudIdentity | undefined, now: CloudIdentity | undefined): Comparison | undefined {
  return old?.trust === undefined || now?.trust === undefined ? undefined : comparePermissions(old.trust, now.trust);
}

// What is left to the cluster is where its configuration says, or at the default.
function sameTokenPath(old: string | undefined, now: string | undefined): boolean {
  return (old || defaultTokenPath) === (now || defaultTokenPath);
}

function moved(old: string | undefined, now: string | undefined): [string, string] | undefined {
  return old === undefined || now === undefined || old === now ? undefined : [old, now];
}

function without(all: readonly string[] = [], some: readonly string[] = []): string[] {
  return all.filter((text) => !some.includes(text));
}

function verdictOf(verdicts: readonly Verdict[]): Verdict {
  const more = verdicts.some((verdict) => verdict === "broadened" || verdict === "both");
  const less = verdicts.some((verdict) => verdict === "narrowed" || verdict === "both");
  return verdictFor(more, less);
}

function verdictFor(more: boolean, less: boolean): Verdict {
  if (more) return less ? "both" : "broadened";
  return less ? "narrowed" : "none";
}

function changeOf(verdict: Verdict, isMoved: boolean): "changed" | "none" {
  return verdict === "none" && !isMoved ? "none" : "changed";
}
