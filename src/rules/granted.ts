import { isMap, type Value, valueAt } from "../core/resource.ts";
import { quote } from "../core/text.ts";
import { separator } from "../permissions/automaton.ts";
import { unlessTooComplex } from "../permissions/budget.ts";
import { intersects, isCovered } from "../permissions/glob.ts";
import { type Atom, atomsOf, type Permissions } from "../permissions/permissions.ts";
import type { RequestFacts } from "./facts.ts";

/*
 * Statements that cannot be read as sets (`NotAction` and its like) are not looked at here: a request with one of them is
 * refused by the generators.
 */

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
export function placeOf({ request: { resource, value } }: RequestFacts, atom: Atom | undefined) {
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
