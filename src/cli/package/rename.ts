import { readRendered } from "../../clouds/inspectors.ts";
import { bundlesAmong } from "../../clouds/rendered.ts";
import { type Finding, finding, hasError } from "../../core/finding.ts";
import { type FieldChange, valueAt } from "../../core/resource.ts";
import { quote } from "../../core/text.ts";
import { isClusterIdentity } from "../../identity/cluster-identity.ts";
import type { Item } from "../../krm/item.ts";
import { applyEdits } from "../../yaml/edit.ts";
import { setField } from "../../yaml/set-field.ts";
import { changesSince, editedPackage, type TextEdit } from "./edited-package.ts";
import type { Package } from "./package-files.ts";
import { type PlanOptions, planRender, type RenderPlan } from "./render-plan.ts";

/**
 * Plans the first render after a rename of the ClusterIdentity. The changes of the rename to foreign objects come first, so
 * that the functions see them.
 */
export function planRenamed(pkg: Package, renameFrom: string, options: Omit<PlanOptions, "renameFrom">): RenderPlan {
  const { edits, findings } = editsOf(pkg, renameFrom);
  const renamed = { ...editedPackage(pkg, edits), findings: [...pkg.findings, ...findings] };
  const plan = planRender(renamed, { ...options, renameFrom });
  return hasError(plan.findings) ? plan : { ...plan, changes: changesSince(edits, plan.changes) };
}

// The resource prefix is preserved, because nothing in a cloud can be renamed, and a Kptfile with the previous name gets the
// new name.
function editsOf(pkg: Package, before: string): { edits: TextEdit[]; findings: Finding[] } {
  const items = pkg.files.flatMap((file) => file.items);
  const [config, ...others] = items.filter(isClusterIdentity);
  if (config === undefined || others.length > 0 || config.name === before) return { edits: [], findings: [] };
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
  const edits = pkg.files.flatMap(({ path, source: { text } }): TextEdit[] => {
    const own = changes.filter(({ resource }) => resource.path === path);
    const after = applyEdits(
      text,
      own.flatMap((change) => setField(change.resource, change)),
    );
    return own.length === 0 ? [] : [{ path, before: text, after }];
  });
  return { edits, findings };
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
