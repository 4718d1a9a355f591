import { readRendered } from "../../clouds/inspectors.ts";
import { bundlesAmong } from "../../clouds/rendered.ts";
import { finding, hasError } from "../../core/finding.ts";
import { type FieldChange, valueAt } from "../../core/resource.ts";
import { compareText, quote } from "../../core/text.ts";
import { isClusterIdentity } from "../../identity/cluster-identity.ts";
import type { Item } from "../../krm/item.ts";
import { applyEdits } from "../../yaml/edit.ts";
import { setField } from "../../yaml/set-field.ts";
import { isProblem, parseSource } from "../../yaml/source.ts";
import type { Package } from "../files/package-files.ts";
import { type PackageFile, readItems } from "../files/read-objects.ts";
import type { FileChange } from "../files/write-files.ts";
import { type Plan, type PlanOptions, planRender } from "./render-plan.ts";

/**
 * Plans the first render after a rename of the ClusterIdentity. The changes of the rename to foreign objects come first, so
 * that the functions see them.
 */
export function planRenamed(pkg: Package, renameFrom: string, options: Omit<PlanOptions, "renameFrom">): Plan {
  const renamed = renamePackage(pkg, renameFrom);
  const plan = planRender(renamed, { ...options, renameFrom });
  return hasError(plan.findings) ? plan : { ...plan, changes: changesSince(pkg, renamed, plan.changes) };
}

// The resource prefix is preserved, because nothing in a cloud can be renamed, and a Kptfile with the previous name gets the
// new name.
function renamePackage(pkg: Package, before: string): Package {
  const items = pkg.files.flatMap((file) => file.items);
  const [config, ...others] = items.filter(isClusterIdentity);
  if (config === undefined || others.length > 0 || config.name === before) return pkg;
  const kept = keptPrefix(config, readRendered(bundlesAmong(items))?.cluster.resourcePrefix);
  const named = items.filter((item) => item.path === "Kptfile" && item.kind === "Kptfile" && item.name === before);
  const changes = [
    ...kept,
    ...named.map((item) => ({ resource: item, path: ["metadata", "name"], value: config.name })),
  ];
  const findings = kept.map(({ path, value }) => {
    const field = path.join(".");
    const message = `"${field}" is now ${quote(value)}, so that existing cloud resources keep their names; they cannot be renamed.`;
    return finding("info", "prefix-preserved", message, { resource: config, field });
  });
  const files = pkg.files.map((file) => edited(file, changes));
  return { ...pkg, files, findings: [...pkg.findings, ...findings] };
}

interface Change extends FieldChange {
  readonly resource: Item;
  readonly value: string;
}

function keptPrefix(config: Item, prefix: string | undefined): Change[] {
  const path = ["spec", "resourcePrefix"];
  if (prefix === undefined || prefix === config.name || valueAt(config.value(), path) !== undefined) return [];
  return [{ resource: config, path, value: prefix }];
}

function edited(file: PackageFile, changes: readonly Change[]): PackageFile {
  const own = changes.filter(({ resource }) => resource.source === file.source);
  if (own.length === 0) return file;
  const edits = own.flatMap((change) => setField(change.resource, change));
  const source = parseSource(applyEdits(file.source.text, edits));
  if (isProblem(source)) throw new Error(`${file.path} cannot be read after it was edited: ${source.reason}`);
  return { path: file.path, source, items: readItems(file.path, source, []) };
}

// Converts changes to a renamed package into changes to the package on disk.
function changesSince(pkg: Package, renamed: Package, changes: readonly FileChange[]): readonly FileChange[] {
  const after = new Map(changes.map((change) => [change.path, change]));
  for (const [index, { path, source }] of pkg.files.entries()) {
    const text = renamed.files[index]?.source.text;
    if (text === source.text) continue;
    after.set(path, { path, before: source.text, after: after.has(path) ? after.get(path)?.after : text });
  }
  return [...after.values()].sort((a, b) => compareText(a.path, b.path));
}
