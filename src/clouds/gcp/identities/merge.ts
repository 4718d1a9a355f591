import type { ValueMap } from "../../../core/resource.ts";
import type { Merged } from "../../../requests/transition.ts";
import { readValidSpec } from "../../request.ts";
import { gcpRequestForm, listFields } from "./request.ts";

/** Merges what requests of two releases ask for: the roles and permissions of both, by name. */
export function mergeGcp(newer: ValueMap, older: ValueMap): Merged | undefined {
  const [own, before] = [newer, older].map((one) => readValidSpec(one, gcpRequestForm));
  if (own === undefined || before === undefined) return undefined;
  const lists = listFields.map(([field]) => [field, [...new Set([...own[field], ...before[field]])]] as const);
  return { providerSpec: { ...newer, ...Object.fromEntries(lists.filter(([, names]) => names.length > 0)) } };
}
