import { shellWord } from "../../core/shell.ts";
import { counted } from "../../core/words.ts";
import type { Opened } from "../cloud/open-package.ts";
import { onePackage } from "../fleet/flags.ts";
import { render } from "../render/render.ts";
import { idDocument, storeIds } from "../set-identities/set-identities.ts";
import { write, writeNotes } from "../terminal/output.ts";

/**
 * Stores the IDs that the cloud assigned in the package, and renders it again, so that it contains the Secrets. Those of an
 * export are printed, because they belong into its package.
 */
export async function storeAssigned({ target, directory, isExport }: Opened, output: string): Promise<number> {
  const assigned = await target.assigned?.();
  if (assigned === undefined || assigned.isStored) return 0;
  const { name, annotations, ids } = assigned;
  if (isExport) {
    if (output === "text") write(1, idDocument({ name, annotations }, ids).trimEnd().split("\n"));
    writeNotes(2, [
      `Store these ${counted(ids.size, "client ID")} in the package with "ccf set-identities DIR --from FILE", and render it.`,
    ]);
    return 0;
  }
  const data = Object.fromEntries(ids);
  const stored = storeIds(directory, new Set(), "Azure", "-", () => ({ annotations, ids: data }));
  if (stored === undefined) return 1;
  writeNotes(1, [stored.said]);
  const values = {
    check: false,
    stdout: false,
    "only-ours": false,
    "rename-from": undefined,
    allow: [],
    quiet: output !== "text",
    verbose: false,
    output: "text",
  } as const;
  const rendered = await render({ ...onePackage, ...values }, [directory]);
  if (rendered === 0)
    writeNotes(1, [`Next: commit the changes in ${shellWord(directory)}, and apply its manifests to the cluster.`]);
  return rendered;
}
