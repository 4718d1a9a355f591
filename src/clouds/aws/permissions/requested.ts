import { entryOf, isMap, type Value, type ValueMap } from "../../../core/resource.ts";
import type { Permissions } from "../../../permissions/permissions.ts";
import { policyPermissions } from "./permissions.ts";

/** What `spec.providerSpec.statementEntries` of a request allow and deny. A statement of an unknown form is undecided. */
export function requestedPermissions(entries: Value): Permissions {
  return policyPermissions({
    Statement: (Array.isArray(entries) ? (entries as readonly Value[]) : [entries]).map(statement),
  });
}

const names: Readonly<Record<string, string>> = {
  effect: "Effect",
  action: "Action",
  resource: "Resource",
  policyCondition: "Condition",
};

function statement(entry: Value): Value {
  if (!isMap(entry)) return entry;
  const given = Object.entries(entry).filter(([name, one]) => name !== "policyCondition" || one !== null);
  return Object.fromEntries(given.map(([name, one]) => [entryOf(names, name) ?? unknownName(name), one])) as ValueMap;
}

// An element name of IAM, such as "Effect", is not a field of a request and must not overwrite the value of the real field.
function unknownName(name: string): string {
  return Object.values(names).includes(name) ? `"${name}"` : name;
}
