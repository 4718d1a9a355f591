import { isIdentity, readIdentity } from "../../clouds/index.ts";
import type { AssignedIdStore, AssignedIds } from "../../clouds/inspector.ts";
import { inspectorFor, inspectors } from "../../clouds/inspectors.ts";
import { removalOf } from "../../core/allowances.ts";
import { hasError } from "../../core/finding.ts";
import { generatedBy, localConfig } from "../../core/resource.ts";
import { shellWord } from "../../core/shell.ts";
import { quote } from "../../core/text.ts";
import type { Item } from "../../krm/item.ts";
import { isRequestFor, secretKeyOf } from "../../requests/credentials-request.ts";
import { removePairs } from "../../yaml/change-value.ts";
import { applyEdits } from "../../yaml/edit.ts";
import { emitYaml } from "../../yaml/emit.ts";
import { setField } from "../../yaml/set-field.ts";
import type { FlagsOf } from "../definition.ts";
import { type Package, readPackage, requirePackage } from "../files/package-files.ts";
import { type FileChange, writeFiles, writeProblems } from "../files/write-files.ts";
import { renderCommand } from "../terminal/arguments.ts";
import { FindingsError, throwErrors, UsageError } from "../terminal/errors.ts";
import { writeFindings, writeNotes } from "../terminal/output.ts";
import type { setIdentitiesCommand as definition } from "./definition.ts";
import { checkIds, type GivenIds, readGivenIds, storedIds } from "./given-ids.ts";

/**
 * `ccf set-identities DIR --from FILE`: stores the IDs that the cloud assigned to identities in the package, and changes
 * nothing else. Exit code 0 if the package contains the IDs of the file, 1 for failure.
 */
export function setIdentities({ from, allow }: FlagsOf<typeof definition>, directory = "."): number {
  if (from === undefined || from === "") throw new UsageError('--from FILE is required; use "-" for standard input');
  const file = from === "-" ? "standard input" : `the file ${quote(from)}`;
  const stored = storeIds(directory, new Set<string>(allow), file, from, (assigned) =>
    readGivenIds(from, assigned.unwrap),
  );
  if (stored === undefined) return 1;
  writeNotes(1, [stored.said, `Next: ${stored.next}`]);
  return 0;
}

/**
 * Stores IDs that the cloud assigned. Returns what was done, and the command that comes next; undefined if there were
 * errors, which are printed.
 *
 * @param allowed what may change: the names of `--allow`.
 * @param file where the IDs are from, for messages; `from` is the same as a value of `--from`.
 */
export function storeIds(
  directory: string,
  allowed: ReadonlySet<string>,
  file: string,
  from: string,
  read: (assigned: AssignedIds) => GivenIds,
): { readonly said: string; readonly next: string } | undefined {
  const pkg = readPackage(directory);
  requirePackage(
    pkg,
    (below) => `ccf set-identities ${shellWord(below)} --from ${from === "-" ? from : shellWord(from)}`,
  );
  throwErrors(pkg.findings);
  const items = pkg.files.flatMap((file) => file.items);
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
  const stored = configMapOf(items, store, directory);
  const requests = items.filter((item) => isRequestFor(item, providerKind));
  const secretKeys = requests.flatMap((item) => secretKeyOf(item.value()) ?? []);
  const keys = new Map(secretKeys.map((key) => [assigned.keyOf(key), key]));
  const expected = { assigned, store, file, keys, stored, allowed };
  const { ids, lost, findings } = checkIds(read(assigned), expected);
  writeFindings(findings);
  if (hasError(findings)) return undefined;
  const change = changeOf(pkg, store, stored, ids);
  const changes = change.before === change.after ? [] : [change];
  const target = { directory, command: "render" } as const;
  const targetFindings = writeProblems(target, changes);
  writeFindings(targetFindings);
  if (hasError(targetFindings)) return undefined;
  writeFiles(target, [{ changes }]);
  const count = `${ids.size} ${assigned.noun}${ids.size === 1 ? "" : "s"}`;
  const said = changes.length === 0 ? `already contains the ${count}` : `contains ${count}${difference(stored, ids)}`;
  const next = renderCommand(directory, false, undefined, new Set(lost.map(removalOf)));
  return { said: `${change.path}: ${said}.`, next };
}

function configMapOf(items: readonly Item[], { name }: AssignedIdStore, directory: string): Item | undefined {
  const found = items.filter(
    (item) =>
      item.kind === "ConfigMap" && item.apiVersion === "v1" && item.name === name && !item.annotations.has(generatedBy),
  );
  if (found.length > 1)
    throw new UsageError(
      `${quote(directory)} contains the ConfigMap ${quote(name)} ${found.length} times; remove all but one`,
    );
  return found[0];
}

/** The change of the file with the ConfigMap; its text may stay the same. */
function changeOf(
  pkg: Package,
  { name, path, annotations }: AssignedIdStore,
  stored: Item | undefined,
  ids: ReadonlyMap<string, string>,
): FileChange & { readonly after: string } {
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
