import type { Place } from "../core/finding.ts";
import { isMap, type Value, valueAt } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import { separator } from "../permissions/automaton.ts";
import { unlessTooComplex } from "../permissions/budget.ts";
import { covers } from "../permissions/gains.ts";
import { intersects, isCovered } from "../permissions/glob.ts";
import { type Atom, atomsOf, type Grant, type Permissions } from "../permissions/permissions.ts";
import type { RenderedRole } from "./rendered-role.ts";
import type { RequestFacts } from "./request-facts.ts";

/*
 * Statements of a request that cannot be read as sets (`NotAction` and its like) are not looked at here: the generators
 * refuse such a request. Nothing refuses a role that somebody edited, so there they count as what they may allow at most.
 */

/** What a request asks for, or a rendered role allows: a policy, or several copies of one. */
export interface Granted {
  readonly copies: readonly GrantedCopy[];
}

interface GrantedCopy {
  /** Which file is meant, for the beginning of a message; "" where there is only one. */
  readonly said: string;
  readonly permissions: Permissions;
  placeOf(part: Atom | undefined): Place;
}

/**
 * What requests ask for, and what rendered roles allow. A copy of a policy that allows no more than the role's request asks
 * for is left out: what is wrong with it is said, and accepted, at the request.
 */
export function grantedBy(asked: readonly RequestFacts[], roles: readonly RenderedRole[]): Granted[] {
  const requested = new Map(asked.map(({ cloud }) => [cloud.key, cloud.permissions]));
  return [
    ...asked.map((one) => ({
      copies: [
        { said: "", permissions: one.cloud.permissions, placeOf: (part: Atom | undefined) => placeOf(one, part) },
      ],
    })),
    ...roles.map(({ resource, key = "", policies }) => ({
      copies: policies
        .filter(({ permissions }) => !covers(requested.get(key) ?? [], permissions))
        .map(({ field, permissions }) => ({
          said: `"${field}" `,
          permissions: permissions.map(atMost),
          placeOf: () => ({ resource, field }),
        })),
    })),
  ];
}

function atMost(grant: Grant): Grant {
  if (grant.effect !== "Allow") return grant;
  const { undecided: _, ...decided } = grant;
  return decided;
}

/**
 * What a rule finds in what is granted: once in each request or role, however many copies of a policy a role has.
 *
 * @param find says what is wrong with permissions, and which part of them is meant.
 */
export function findInGranted(
  granted: readonly Granted[],
  find: (permissions: Permissions) => { readonly message: string; readonly part: Atom | undefined } | undefined,
): (Place & { readonly message: string })[] {
  return granted.flatMap(({ copies }) => {
    for (const { said, permissions, placeOf } of copies) {
      const found = find(permissions);
      if (found !== undefined) return [{ message: `${said}${found.message}`, ...placeOf(found.part) }];
    }
    return [];
  });
}

/**
 * The parts of permissions that allow an action and that no denial takes back for every resource and request.
 * @param action in lower case, without wildcards.
 */
export function allowing(permissions: Permissions, action: string): Atom[] {
  const denied = denials(permissions);
  return atomsOf(permissions, "Allow").filter(
    (atom) => meet(atom.action.toLowerCase(), action) && !isWithin([setOf(action, atom.resource)], denied),
  );
}

/**
 * The parts of permissions whose action is written with a wildcard and allows something of a service.
 * @param service such as "iam".
 * @param harmless sets of actions of which nothing need be said, in lower case.
 */
export function wildcards(permissions: Permissions, service: string, harmless: readonly string[]): Atom[] {
  const passed = [...denials(permissions), ...harmless.map((action) => setOf(action, "*"))];
  const ofService = setOf(`${service}:*`, "*");
  return atomsOf(permissions, "Allow").filter(({ action, resource }) => {
    const set = setOf(action.toLowerCase(), resource);
    return /[*?]/.test(action) && meet(set, ofService) && !isWithin([set, ofService], passed);
  });
}

function denials(permissions: Permissions): string[] {
  return atomsOf(permissions, "Deny")
    .filter(({ condition }) => condition.length === 0)
    .map(({ action, resource }) => setOf(action.toLowerCase(), resource));
}

function setOf(action: string, resource: string): string {
  return `${action}${separator}${resource}`;
}

// What cannot be told is allowed, and not taken back.
function isWithin(sets: readonly string[], of: readonly string[]): boolean {
  return unlessTooComplex(false, () => isCovered(sets, of));
}

function meet(a: string, b: string): boolean {
  return unlessTooComplex(true, () => intersects(a, b));
}

/** Says whether a resource stands for more than one. */
export function isWide({ resource }: Atom): boolean {
  return /[*?]/.test(resource);
}

/** Where a request asks for a part of its permissions, for a violation. */
function placeOf({ request: { resource, value } }: RequestFacts, atom: Atom | undefined) {
  const entries = valueAt(value, ["spec", "providerSpec", "statementEntries"]);
  const base = "spec.providerSpec.statementEntries";
  if (!Array.isArray(entries) || atom === undefined) return { resource, field: base };
  for (const [place, entry] of (entries as readonly Value[]).entries()) {
    const actions = isMap(entry) && entry["resource"] === atom.resource ? entry["action"] : undefined;
    const at = Array.isArray(actions) ? (actions as readonly Value[]).indexOf(atom.action) : -1;
    if (at >= 0) return { resource, field: `${base}[${place}].action[${at}]` };
  }
  return { resource, field: base };
}

/** Texts in quotes, each once, for a message. */
export function listed(texts: readonly string[]): string {
  return [...new Set(texts)].map((text) => quote(text)).join(", ");
}
