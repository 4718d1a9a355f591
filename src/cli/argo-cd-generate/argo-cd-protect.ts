import { FindingError } from "../../core/finding.ts";
import { groupOf } from "../../core/resource.ts";
import { type Item, readItem } from "../../krm/item.ts";
import { isConfigObject, neverPruned, syncOptions } from "../../openshift/config-object.ts";
import { applyEdits, type Edit } from "../../yaml/edit.ts";
import { setField } from "../../yaml/set-field.ts";
import { documents, isProblem, parseSource } from "../../yaml/source.ts";
import { FindingsError } from "../terminal/errors.ts";

/**
 * Prevents Argo CD from deleting objects that the cluster cannot run without, including those that a user wrote: the
 * Authentication and the CloudCredential get the sync options `Prune=false,Delete=false`. Options that are already set
 * are kept, and nothing else in the stream changes.
 */
export function protectFromArgoCd(stream: string): string {
  const source = parseSource(stream);
  if (isProblem(source)) throw new Error(`the output cannot be read: ${source.reason}`);
  const items = documents(source).map((node, index) => readItem(source, node, { path: "standard output", index }));
  return applyEdits(stream, items.filter(isNeeded).flatMap(protect));
}

function isNeeded(item: Item): boolean {
  const isMode = item.kind === "CloudCredential" && groupOf(item.apiVersion) === "operator.openshift.io";
  return isConfigObject(item, "Authentication") || (isMode && item.name === "cluster");
}

function protect(item: Item): Edit[] {
  const set = (item.annotations.get(syncOptions) ?? "").split(",").filter((text) => text.trim() !== "");
  const isSet = (option: string) => set.some((text) => text.trim().startsWith(`${option}=`));
  const wanted = (neverPruned[syncOptions] ?? "").split(",").filter((text) => !isSet(text.replace(/=.*/, "")));
  if (wanted.length === 0) return [];
  const value = [...set, ...wanted].join(",");
  try {
    return setField(item, { resource: item, path: ["metadata", "annotations", syncOptions], value });
  } catch (error) {
    throw error instanceof FindingError ? new FindingsError([error.finding]) : error;
  }
}
