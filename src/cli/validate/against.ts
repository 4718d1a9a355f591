import { statSync } from "node:fs";
import { posix } from "node:path";
import type { Finding } from "../../core/finding.ts";
import { canonicalJson } from "../../core/json.ts";
import { allByKey, describe, isMap, listAt, textAt, type Value, type ValueMap } from "../../core/resource.ts";
import { quote, quoteWhole } from "../../core/text.ts";
import { isClusterIdentity } from "../../identity/cluster-identity.ts";
import { explanations as identity } from "../../identity/findings.ts";
import type { Item } from "../../krm/item.ts";
import { acceptanceOf } from "../../rules/check-rules.ts";
import { failureOf, UsageError } from "../terminal/errors.ts";

/** What is compared of a package. */
interface Side {
  readonly items: readonly Item[];
  readonly findings: readonly Finding[];
}

/** What a package has that the same package on the base branch does not have. */
export interface News {
  /** The findings that are new. */
  readonly findings: readonly Finding[];
  /** Those among them that a new acceptance of the package turns into notes. */
  readonly newlyAccepted: readonly Finding[];
  /** The entries of `spec.accept`, and the annotations, that are new. */
  readonly acceptances: readonly ValueMap[];
  /** How many findings are in the base, too. */
  readonly known: number;
}

/**
 * The directory of a package in the base.
 *
 * @param path of the package, relative to the root that was searched; "." if none was.
 * @throws UsageError if the base does not exist.
 */
export function baseOf(against: string, path: string): string {
  if (statSync(against, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new UsageError(`--against ${quote(against)} is not a directory; for a new package, name an empty directory`);
  return path === "." ? against : posix.join(against, path);
}

/**
 * Compares the findings and the acceptances of a package.
 *
 * @param base undefined if the base does not have the package: everything is new.
 */
export function newsOf(head: Side, base: Side | undefined): News {
  const open = new Keys(base, (one) => one.accepted === undefined);
  const accepted = new Keys(base, (one) => one.accepted !== undefined);
  const sameAcceptance = new Keys(base, (one) => one.accepted !== undefined, acceptanceKey);
  const findings: Finding[] = [];
  const newlyAccepted: Finding[] = [];
  for (const one of head.findings) {
    if (one.accepted === undefined) {
      if (!open.take(one) || preventsChecks(one)) findings.push(one);
      continue;
    }
    const isKnown = accepted.take(one) || open.take(one);
    const isNew = one.acceptance?.isOfPolicy !== true && !sameAcceptance.take(one, acceptanceKey);
    if (isNew) newlyAccepted.push(one);
    if (isNew || !isKnown) findings.push(one);
  }
  const before = new Set(base === undefined ? [] : acceptancesOf(base.items).map(canonicalJson));
  const acceptances = acceptancesOf(head.items).filter((one) => !before.has(canonicalJson(one)));
  return { findings, newlyAccepted, acceptances, known: head.findings.length - findings.length };
}

// Without a valid ClusterIdentity, or the value of an object, rules find nothing, new or not.
function preventsChecks({ code, severity }: Finding): boolean {
  return severity === "error" && (code === "yaml-value" || Object.hasOwn(identity, code));
}

/** Findings by what identifies them. Two equal ones count twice. */
class Keys {
  readonly #left = new Map<string, number>();

  constructor(side: Side | undefined, is: (one: Finding) => boolean, more = (_: Finding): string => "") {
    const all = (side?.findings ?? []).filter(is).map((one) => keyOf(one) + more(one));
    for (const [key, group] of allByKey(all, (key) => key)) this.#left.set(key, group.length);
  }

  /** Whether one is left; it counts once. */
  take(one: Finding, more = (_: Finding): string => ""): boolean {
    const key = keyOf(one) + more(one);
    const left = this.#left.get(key) ?? 0;
    if (left > 0) this.#left.set(key, left - 1);
    return left > 0;
  }
}

function acceptanceKey({ acceptance }: Finding): string {
  return JSON.stringify([acceptance?.reason, acceptance?.until]);
}

// A line, the place of an acceptance in its list, and the directory in a command may differ where nothing else does. Their absence
// hides nothing: what is equal otherwise is counted.
function keyOf({ code, resource, field, file, message, severity, acceptance }: Finding): string {
  const text = (acceptance?.message ?? message)
    .replace(/"ccf render[^"]*"/g, '"ccf render"')
    .replace(/\bline \d+/g, "line")
    .replace(/spec\.accept\[\d+\]/g, "spec.accept");
  const where = resource === undefined ? (file?.path ?? "") : describe(resource);
  const at = field?.replace(/^spec\.accept\[\d+\]/, "spec.accept");
  return JSON.stringify([code, acceptance?.severity ?? severity, where, at, text]);
}

/** The acceptances in a package: entries of `spec.accept`, and annotations of objects. */
function acceptancesOf(items: readonly Item[]): ValueMap[] {
  return items.flatMap((item) => {
    const entries = isClusterIdentity(item) ? listAt(item.value(), ["spec", "accept"]).filter(isMap) : [];
    const { codes, reason } = acceptanceOf(item);
    return [...entries, ...codes.map((rule): ValueMap => ({ rule, object: describe(item), reason }))];
  });
}

/** A line about a new acceptance. */
export function acceptanceLine(acceptance: ValueMap): string {
  const text = (name: string) => quoteWhole(textAt(acceptance as Value, [name]));
  const until = acceptance["until"] === undefined ? "without an end" : `until ${text("until")}`;
  return `new acceptance: ${text("rule")} in ${text("object")}, ${until}: ${text("reason")}`;
}

/**
 * Reads the base.
 * @throws UsageError with the reason if it cannot be read.
 */
export function readingBase<T>(directory: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const { message } = failureOf(error);
    throw new UsageError(`the package in --against, ${quote(directory)}, cannot be validated: ${message}`);
  }
}
