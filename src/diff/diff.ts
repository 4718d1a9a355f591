import { allByKey } from "../core/resource.ts";
import { compareText } from "../core/text.ts";
import { defaultTokenPath } from "../identity/cluster-identity.ts";
import {
  comparePermissions,
  decidedPart,
  isLess,
  isMore,
  type PermissionComparison,
} from "../permissions/comparison.ts";
import type { CloudIdentity } from "../permissions/identity.ts";
import type { Permissions } from "../permissions/permissions.ts";
import { nameComparison, type RoleEffect, roleEffect } from "../permissions/role-effect.ts";
import { haveWildcards, type RoleDefinition, type RoleDefinitions } from "../permissions/terms.ts";
import { wildcardRoleEffect } from "../permissions/wildcard-role-effect.ts";
import type { ValueChange } from "./values.ts";

/** Whether permissions became broader, narrower, both, or stayed the same. */
type Change = "none" | "narrowed" | "broadened" | "both";

/** The same; "unknown": it is unknown whether a release has a request, and nothing else became broader. */
export type Verdict = Change | "unknown";

/** An identity before and after; one of the two may be missing. */
export interface IdentityDiff {
  readonly cloud: string;
  readonly noun: string;
  readonly key: string;
  readonly request: string | undefined;
  readonly old: CloudIdentity | undefined;
  readonly now: CloudIdentity | undefined;
  readonly change: "new" | "gone" | "changed" | "none";
  readonly verdict: Change;
  /** The verdict about what could be decided; the other one counts everything else as a change. */
  readonly certain: Change;
  /** The permissions that it gains and loses, as they are granted and revoked; for a new identity, all of them. */
  readonly permissions: PermissionComparison;
  /** What that means permission by permission, if roles change whose permissions the cloud defines. */
  readonly effect?: RoleEffect;
  readonly subjectsAdded: readonly string[];
  readonly subjectsRemoved: readonly string[];
  /** Who can use it, if both sides have trust policies. */
  readonly trust: PermissionComparison | undefined;
  /** The permissions boundaries before and after, "" for none, if they differ. */
  readonly boundary?: readonly [string, string];
  /** The token paths before and after, "" for the cluster's default, if they differ. */
  readonly tokenPath?: readonly [string, string];
  /** The emails of its service account before and after, if they differ. */
  readonly email?: readonly [string, string];
  /** The audiences in its Secret before and after, if they differ. */
  readonly audience?: readonly [string, string];
  /** The Secret of the request with the same name on the other side. */
  readonly movedSecret?: string;
  /**
   * The feature gates of unknown state that decide whether a side has its request, sorted; empty if there are none. Otherwise,
   * `change`, `verdict`, and everything else say what changes if the side has it.
   */
  readonly unknownGates: readonly string[];
  /** What differs in its files and its Secret besides; missing if only permissions were compared. */
  readonly changes?: readonly ValueChange[];
  /** The lines about values that follow from a change elsewhere. */
  readonly following?: readonly string[];
}

/** The differences of two sides. */
export interface SidesDiff {
  readonly verdict: Verdict;
  /** The verdict about what could be decided. */
  readonly certain: Verdict;
  /** Sorted by cloud and name. */
  readonly identities: readonly IdentityDiff[];
  /** What differs outside of identities; missing if only permissions were compared. */
  readonly changes?: readonly ValueChange[];
  /** The definitions of roles that decided, sorted by role; undefined for a role whose definition is not known. */
  readonly definitions: ReadonlyMap<string, RoleDefinition | undefined>;
}

/**
 * Compares identities, paired by the names of their Secrets.
 *
 * @param definitionsOf the definitions of a cloud's roles, by the title of the cloud; without them, roles are compared by name.
 */
export function diffIdentities(
  old: readonly CloudIdentity[],
  now: readonly CloudIdentity[],
  definitionsOf: DefinitionsOf = () => undefined,
): SidesDiff {
  const [before, after] = [byKey(old), byKey(now)];
  const keys = [...new Set([...before.keys(), ...after.keys()])].sort(compareText);
  const identities = keys.map((key) => diffIdentity(before.get(key), after.get(key), definitionsOf));
  const definitions = identities.flatMap(({ effect }) => [...(effect?.definitions ?? [])]);
  return {
    verdict: verdictOf(identities.map((one) => knownVerdict(one, "verdict"))),
    certain: verdictOf(identities.map((one) => knownVerdict(one, "certain"))),
    identities: withMoves(identities),
    definitions: new Map(definitions.sort(([a], [b]) => compareText(a, b))),
  };
}

/** The verdict about an identity: "unknown" if it is unknown whether a side has its request. */
export function knownVerdict(diff: IdentityDiff, which: "verdict" | "certain"): Verdict {
  return diff.unknownGates.length > 0 ? "unknown" : diff[which];
}

/** Finds the definitions of a cloud's roles by the title of the cloud; undefined for a cloud whose roles have none. */
export type DefinitionsOf = (cloud: string) => RoleDefinitions | undefined;

function byKey(identities: readonly CloudIdentity[]): Map<string, CloudIdentity> {
  return new Map(identities.map((identity) => [`${identity.cloud} ${identity.key}`, identity]));
}

function diffIdentity(
  before: CloudIdentity | undefined,
  after: CloudIdentity | undefined,
  definitionsOf: DefinitionsOf,
): IdentityDiff {
  const [old, now] = onSameScopes(before, after);
  const { cloud, noun, key, request } = (now ?? old) as CloudIdentity;
  const { permissions, effect } = permissionChanges(old, now, definitionsOf(cloud));
  const subjectsAdded = without(now?.subjects, old?.subjects);
  const subjectsRemoved = without(old?.subjects, now?.subjects);
  const trust = trustComparison(old, now);
  const boundary = moved(old?.boundary, now?.boundary);
  const tokenPath = sameTokenPath(old?.tokenPath, now?.tokenPath) ? undefined : moved(old?.tokenPath, now?.tokenPath);
  const [email, audience] = [moved(old?.email, now?.email), moved(old?.audience, now?.audience)];
  const effective = effect?.comparison ?? permissions;
  const changes = trust === undefined ? [effective] : [effective, trust];
  const [was = "", is = ""] = boundary ?? [];
  // A boundary only limits: removing it broadens, adding it narrows, and replacing it may do either.
  const isReplaced = was !== "" && is !== "";
  const verdictAbout = (compared: readonly PermissionComparison[], isBoundary: boolean) =>
    verdictFor(
      now !== undefined &&
        (old === undefined || compared.some(isMore) || subjectsAdded.length > 0 || (isBoundary && was !== "")),
      old !== undefined &&
        (now === undefined || compared.some(isLess) || subjectsRemoved.length > 0 || (isBoundary && is !== "")),
    );
  const verdict = verdictAbout(changes, true);
  const moves = defined({ boundary, tokenPath, email, audience });
  const isMoved = [tokenPath, email, audience, effect].some((change) => change !== undefined);
  return {
    cloud,
    noun,
    key,
    request: request ?? old?.request,
    old,
    now,
    change: old === undefined ? "new" : now === undefined ? "gone" : changeOf(verdict, isMoved),
    verdict,
    certain: verdictAbout(changes.map(decidedPart), !isReplaced),
    permissions,
    ...(effect === undefined ? {} : { effect }),
    subjectsAdded,
    subjectsRemoved,
    trust,
    ...moves,
    unknownGates: [...new Set([...(old?.unknownGates ?? []), ...(now?.unknownGates ?? [])])].sort(compareText),
  };
}

type Move = readonly [string, string];

// Only what moved.
function defined(moves: Readonly<Record<string, Move | undefined>>): Readonly<Record<string, Move>> {
  return Object.fromEntries(
    Object.entries(moves).flatMap(([name, move]) => (move === undefined ? [] : [[name, move]])),
  );
}

function permissionChanges(
  old: CloudIdentity | undefined,
  now: CloudIdentity | undefined,
  definitions: RoleDefinitions | undefined,
): { readonly permissions: PermissionComparison; readonly effect?: RoleEffect } {
  const sides = [old?.permissions ?? [], now?.permissions ?? []] as const;
  if (definitions === undefined) return { permissions: comparePermissions(...sides) };
  const areSets = haveWildcards(definitions) || sides.some(isOnResources);
  const permissions = (areSets ? undefined : nameComparison(...sides)) ?? comparePermissions(...sides);
  const effect = areSets ? wildcardRoleEffect(...sides, definitions) : roleEffect(...sides, permissions, definitions);
  return effect === undefined ? { permissions } : { permissions, effect };
}

// The permissions of a role on a bucket, for example, apply only there.
function isOnResources(permissions: Permissions): boolean {
  return permissions.some(({ resources }) => resources.some((resource) => resource !== "*"));
}

// A request does not say on which scopes: the cluster's configuration does. Rendered permissions that all have the same scopes
// are then compared without them.
function onSameScopes(
  old: CloudIdentity | undefined,
  now: CloudIdentity | undefined,
): readonly [CloudIdentity | undefined, CloudIdentity | undefined] {
  if (old === undefined || now === undefined || old.areScopesKnown === now.areScopesKnown) return [old, now];
  return old.areScopesKnown ? [withoutScopes(old), now] : [old, withoutScopes(now)];
}

function withoutScopes(identity: CloudIdentity): CloudIdentity {
  const { permissions } = identity;
  const decided = permissions.filter(({ undecided }) => undecided === undefined);
  const scopes = new Set(decided.map(({ resources }) => [...new Set(resources)].sort(compareText).join(" ")));
  if (scopes.size > 1) return identity;
  return { ...identity, permissions: permissions.map((grant) => ({ ...grant, resources: ["*"] })) };
}

// A request whose Secret was renamed is a new identity for the cloud. People need to see both names.
function withMoves(identities: readonly IdentityDiff[]): IdentityDiff[] {
  const byRequest = allByKey(identities, ({ cloud, request, change }) =>
    request === undefined || (change !== "new" && change !== "gone") ? undefined : `${cloud} ${request}`,
  );
  return identities.map((identity) => {
    const others =
      byRequest.get(`${identity.cloud} ${identity.request}`)?.filter(({ change }) => change !== identity.change) ?? [];
    const [other] = identity.change === "new" || identity.change === "gone" ? others : [];
    return other === undefined ? identity : { ...identity, movedSecret: other.key };
  });
}

// Requests have no trust policy.
function trustComparison(
  old: CloudIdentity | undefined,
  now: CloudIdentity | undefined,
): PermissionComparison | undefined {
  return old?.trust === undefined || now?.trust === undefined ? undefined : comparePermissions(old.trust, now.trust);
}

// Without a path of its own, the token is at the path of the cluster's configuration, or at the default.
function sameTokenPath(old: string | undefined, now: string | undefined): boolean {
  return (old || defaultTokenPath) === (now || defaultTokenPath);
}

function moved(old: string | undefined, now: string | undefined): [string, string] | undefined {
  return old === undefined || now === undefined || old === now ? undefined : [old, now];
}

function without(all: readonly string[] = [], some: readonly string[] = []): string[] {
  return all.filter((text) => !some.includes(text));
}

/** The verdict about several changes. */
export function verdictOf(verdicts: readonly Verdict[]): Verdict {
  const more = verdicts.some((verdict) => verdict === "broadened" || verdict === "both");
  const less = verdicts.some((verdict) => verdict === "narrowed" || verdict === "both");
  return !more && verdicts.includes("unknown") ? "unknown" : verdictFor(more, less);
}

function verdictFor(more: boolean, less: boolean): Change {
  if (more) return less ? "both" : "broadened";
  return less ? "narrowed" : "none";
}

function changeOf(verdict: Change, isMoved: boolean): "changed" | "none" {
  return verdict === "none" && !isMoved ? "none" : "changed";
}
