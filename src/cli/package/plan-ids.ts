import { isIdentity, readIdentity } from "../../clouds/index.ts";
import type { AssignedIdFeature, AssignedIdStore } from "../../clouds/inspector.ts";
import { inspectorFor, inspectors } from "../../clouds/inspectors.ts";
import { type Finding, hasError } from "../../core/finding.ts";
import { generatedBy, localConfig } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import type { Item } from "../../krm/item.ts";
import { isRequestFor, secretKeyOf } from "../../requests/credentials-request.ts";
import { isWorkloadIdentity, workloadKey } from "../../workloads/workload-identity.ts";
import { removePairs } from "../../yaml/change-value.ts";
import { applyEdits } from "../../yaml/edit.ts";
import { emitYaml } from "../../yaml/emit.ts";
import { setField } from "../../yaml/set-field.ts";
import { fileFinding } from "../files/paths.ts";
import { FindingsError, UsageError } from "../terminal/errors.ts";
import { checkIds, type GivenIds, storedIds } from "./check-ids.ts";
import type { TextEdit } from "./edited-package.ts";
import type { Package } from "./package-files.ts";

/** How to store the IDs that the cloud assigned. Use it only if no finding is an error. */
export interface IdPlan {
  /** The change of the file with the ConfigMap; none if it contains the IDs. */
  readonly edits: readonly TextEdit[];
  /** What the file contains then, as a line. */
  readonly said: string;
  /** The keys of the Secrets that the next render can no longer generate. */
  readonly lost: readonly string[];
  readonly findings: readonly Finding[];
}

/** Where IDs are from, and what they may change. */
export interface IdSource {
  /** The file, as messages name it; undefined for the cloud itself, which does not remove the IDs of other requests. */
  readonly file: string | undefined;
  readonly read: (assigned: AssignedIdFeature) => GivenIds;
  /** The names of `--allow`. */
  readonly allowed: ReadonlySet<string>;
}

/**
 * Plans to store IDs in a package.
 *
 * @throws FindingsError if its ClusterIdentity cannot be used, UsageError if its cloud assigns no IDs.
 */
export function planIds(pkg: Package, { file, read, allowed }: IdSource): IdPlan {
  const items = pkg.files.flatMap(({ items }) => items);
  const identity = readIdentity(items, undefined);
  if (!isIdentity(identity)) throw new FindingsError(identity);
  const { title, providerKind, identityNoun, features } = inspectorFor(identity);
  const { assignedIds: assigned } = features;
  if (assigned === undefined) {
    const others = inspectors.flatMap((inspector) =>
      inspector.features.assignedIds === undefined ? [] : inspector.title,
    );
    throw new UsageError(
      `the ClusterIdentity ${quote(identity.name)} is for ${title}, where the package itself determines the name of each ${identityNoun}; only packages for ${others.join(" and ")} store IDs`,
    );
  }
  const store = assigned.store(identity);
  const found = configMapsOf(items, store);
  if (found.length > 1)
    throw new UsageError(
      `${quote(pkg.directory)} contains the ConfigMap ${quote(store.name)} ${found.length} times; remove all but one`,
    );
  const [stored] = found;
  const requests = items.filter((item) => isRequestFor(item, providerKind));
  const secretKeys = [
    ...requests.flatMap((item) => secretKeyOf(item.value()) ?? []),
    ...items.filter(isWorkloadIdentity).map(workloadKey),
  ];
  const keys = new Map(secretKeys.map((key) => [assigned.keyOf(key), key]));
  const given = read(assigned);
  const kept =
    file === undefined && stored !== undefined ? [...storedIds(stored)].filter(([key]) => keys.has(key)) : [];
  const { ids, lost, findings } = checkIds(
    { ...given, ids: { ...Object.fromEntries(kept), ...given.ids } },
    { assigned, store, file: file ?? title, isCloud: file === undefined, keys, stored, allowed },
  );
  if (hasError(findings)) return { edits: [], said: "", lost, findings };
  const edit = editOf(pkg, store, stored, ids);
  const isChange = edit.before !== edit.after;
  const count = `${ids.size} ${assigned.noun}${ids.size === 1 ? "" : "s"}`;
  const said = isChange ? `contains ${count}${difference(stored, ids)}` : `already contains the ${count}`;
  return {
    edits: isChange ? [edit] : [],
    said: `${edit.path}: ${said}.`,
    lost,
    findings: [...findings, ...(isChange ? hidden(pkg, edit, assigned) : [])],
  };
}

// The next run would not see what this one writes.
function hidden({ isIgnored }: Package, { path }: TextEdit, { noun }: AssignedIdFeature): Finding[] {
  if (isIgnored?.(path) !== true) return [];
  const message = `would contain the ${noun}s, but .krmignore excludes it; remove it from .krmignore.`;
  return [fileFinding("error", "generated-hidden", path, message)];
}

/** The package as it would be without stored IDs; undefined if it contains none. */
export function withoutIds(pkg: Package): Package | undefined {
  const items = pkg.files.flatMap(({ items }) => items);
  const identity = readIdentity(items, undefined);
  if (!isIdentity(identity)) return undefined;
  const store = inspectorFor(identity).features.assignedIds?.store(identity);
  const stored = new Set(store === undefined ? [] : configMapsOf(items, store));
  if (stored.size === 0) return undefined;
  const files = pkg.files.map((file) => ({ ...file, items: file.items.filter((item) => !stored.has(item)) }));
  return { ...pkg, files };
}

function configMapsOf(items: readonly Item[], { name }: AssignedIdStore): Item[] {
  return items.filter(
    (item) =>
      item.kind === "ConfigMap" && item.apiVersion === "v1" && item.name === name && !item.annotations.has(generatedBy),
  );
}

/** The edit of the file with the ConfigMap; its text may stay the same. */
function editOf(
  pkg: Package,
  { name, path, annotations }: AssignedIdStore,
  stored: Item | undefined,
  ids: ReadonlyMap<string, string>,
): TextEdit {
  const metadata = { annotations: { [localConfig]: "true", ...annotations } };
  const data = Object.fromEntries(ids);
  if (stored?.path !== undefined) {
    const gone = [...storedIds(stored).keys()].filter((key) => !ids.has(key));
    const edits = [
      ...setField(stored, { resource: stored, path: [], value: { metadata, data } }),
      ...removePairs(stored, stored, "data", gone),
    ];
    return { path: stored.path, before: stored.source.text, after: applyEdits(stored.source.text, edits) };
  }
  const document = idDocument({ name, annotations }, ids);
  const before = pkg.files.find((file) => file.path === path)?.source.text;
  // The file may contain other objects.
  const start = before === undefined || before.trim() === "" ? "" : `${before.replace(/\n?$/, "\n")}---\n`;
  return { path, before, after: start + document };
}

/** A new ConfigMap with the IDs of a cluster. */
export function idDocument(
  { name, annotations }: Pick<AssignedIdStore, "name" | "annotations">,
  ids: ReadonlyMap<string, string>,
): string {
  const metadata = { name, annotations: { [localConfig]: "true", ...annotations } };
  return emitYaml({ apiVersion: "v1", kind: "ConfigMap", metadata, data: Object.fromEntries(ids) });
}

function difference(stored: Item | undefined, ids: ReadonlyMap<string, string>): string {
  const before = stored === undefined ? new Map<string, string>() : storedIds(stored);
  const counts = {
    added: [...ids.keys()].filter((key) => !before.has(key)).length,
    replaced: [...ids].filter(([key, id]) => before.has(key) && before.get(key)?.toLowerCase() !== id).length,
    removed: [...before.keys()].filter((key) => !ids.has(key)).length,
  };
  const parts = Object.entries(counts).flatMap(([what, count]) => (count === 0 ? [] : `${count} ${what}`));
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}
