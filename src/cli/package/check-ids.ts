import type { AssignedIdFeature, AssignedIdStore } from "../../clouds/inspector.ts";
import { removalOf } from "../../core/allowances.ts";
import { type Finding, type FindingCode, finding } from "../../core/finding.ts";
import { isMap, type Resource, type ValueMap, valueAt } from "../../core/resource.ts";
import { compareText, quote, quoteWhole } from "../../core/text.ts";
import { hintsAmong } from "../../core/words.ts";

/** The IDs that a file contains. */
export interface GivenIds {
  /** Of the ConfigMap; empty for a map. */
  readonly annotations: ValueMap;
  /** By key, not checked yet. */
  readonly ids: ValueMap;
}

/** What the IDs of a file are compared with. */
export interface ExpectedIds {
  readonly assigned: AssignedIdFeature;
  readonly store: AssignedIdStore;
  /** The file or the cloud, as messages name it. */
  readonly file: string;
  readonly isCloud: boolean;
  /** The keys of the package's requests, each with that of its Secret. */
  readonly keys: ReadonlyMap<string, string>;
  /** The ConfigMap of the package, if it contains one. */
  readonly stored: Resource | undefined;
  readonly allowed: ReadonlySet<string>;
}

/** The IDs to store, sorted by key. Use them only if no finding is an error. */
export interface CheckedIds {
  readonly ids: ReadonlyMap<string, string>;
  /** The keys of the Secrets that the next render can no longer generate. */
  readonly lost: readonly string[];
  readonly findings: readonly Finding[];
}

/** Checks the IDs of a file: their form, their cluster, their requests, and what the package would lose. */
export function checkIds({ annotations, ids: given }: GivenIds, expected: ExpectedIds): CheckedIds {
  const { assigned, file, keys } = expected;
  const findings: Finding[] = elsewhere(annotations, expected);
  const report = (code: FindingCode, message: string) => findings.push(finding("error", code, `${file} ${message}`));
  const hint = hintsAmong(keys.keys());
  const ids = new Map<string, string>();
  const owners = new Map<string, string>();
  for (const [key, value] of Object.entries(given).sort(([a], [b]) => compareText(a, b))) {
    if (!keys.has(key)) {
      const message = `contains an ID for ${quoteWhole(key)}, but no CredentialsRequest or WorkloadIdentity of the package has it${hint(key)}. Correct the key, or remove it from the file.`;
      report("assigned-id-unmatched", message);
      continue;
    }
    const id = typeof value === "string" ? assigned.idOf(value) : undefined;
    if (id === undefined) {
      const message = `contains ${quote(value)} for ${quoteWhole(key)}, but a ${assigned.noun} must be ${assigned.must}. Write the ${assigned.noun} of the identity.`;
      report("assigned-id-invalid", message);
      continue;
    }
    const other = owners.get(id);
    if (other !== undefined) {
      const message = `contains the ${assigned.noun} ${quote(id)} for both ${quoteWhole(other)} and ${quoteWhole(key)}, but each request has its own identity. Correct one of them.`;
      report("assigned-id-duplicate", message);
    }
    owners.set(id, key);
    ids.set(key, id);
  }
  const isNamed = (key: string) => Object.hasOwn(given, key);
  const lost: string[] = [];
  findings.push(...losses(ids, isNamed, expected, lost));
  return { ids, lost, findings };
}

// An annotation that is missing is written: a map has none.
function elsewhere(annotations: ValueMap, { store, file }: ExpectedIds): Finding[] {
  if (Object.keys(store.annotations).every((name) => annotations[name] === undefined)) {
    const message = `${file} does not say which cluster the IDs belong to. Check that it is this one: the keys are the same for every cluster. After the next render, "ccf status" compares the IDs with the cloud.`;
    return [finding("warning", "assigned-ids-unnamed", message)];
  }
  return Object.entries(store.annotations).flatMap(([name, value]) => {
    const given = annotations[name];
    if (given === undefined || String(given).toLowerCase() === value.toLowerCase()) return [];
    const message = `${file} has the annotation ${quote(name)} with the value ${quote(given)}, but in this cluster it is ${quote(value)}: the IDs belong to another cluster. Use the file of this cluster.`;
    return [finding("error", "assigned-ids-elsewhere", message)];
  });
}

// Only an ID that is valid, and whose request is still in the package, can be in use.
function losses(
  ids: ReadonlyMap<string, string>,
  isNamed: (key: string) => boolean,
  { assigned, file, isCloud, keys, stored, allowed }: ExpectedIds,
  lost: string[],
): Finding[] {
  if (stored === undefined) return [];
  const guarded = (
    allowance: string,
    kind: "removal" | "replacement",
    code: FindingCode,
    key: string,
    message: string,
    cure: string,
  ) => {
    const location = { resource: stored, field: `data.${key}` };
    if (allowed.has(allowance) || allowed.has(kind))
      return finding("warning", code, `${message} This run allows it.`, location);
    return finding("error", code, `${message} ${cure}.`, location);
  };
  return [...storedIds(stored)].flatMap(([key, text]) => {
    const before = assigned.idOf(text);
    if (before === undefined || !keys.has(key)) return [];
    const now = ids.get(key);
    if (now !== undefined && now !== before) {
      const message = `${quoteWhole(key)} is ${quote(before)}, but ${file} contains ${quote(now)}. A running cluster uses the identity with the ID in the package.`;
      const cure = isCloud
        ? "If its identity was created again, remove its ID from the package, render, and run the same command again"
        : 'Check that the file is for this cluster. If its identity was created again, add "--allow replacement"';
      return [guarded("replacement", "replacement", "assigned-id-changed", key, message, cure)];
    }
    if (isNamed(key)) return [];
    const message = `${quoteWhole(key)} is ${quote(before)}, but ${file} does not contain it, so the Secret of this request could no longer be generated.`;
    const secretKey = keys.get(key) ?? "";
    lost.push(secretKey);
    const allowance = removalOf(secretKey);
    const cure = `Add it to the file. If its identity no longer exists, add "--allow ${allowance}"`;
    return [guarded(allowance, "removal", "assigned-id-missing", key, message, cure)];
  });
}

/** The values in the ConfigMap of a package, by key. */
export function storedIds(stored: Resource): ReadonlyMap<string, string> {
  const data = valueAt(stored.value(), ["data"]);
  const entries = Object.entries(isMap(data) ? data : {});
  return new Map(entries.map(([key, value]) => [key, typeof value === "string" ? value : ""]));
}
