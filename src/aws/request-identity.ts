import { isMap, type Value, type ValueMap, valueAt } from "../core/resource.ts";
import type { CloudIdentity } from "../permissions/identity.ts";
import { requestSubjects, requestTokenPath } from "../requests/credentials-request.ts";
import type { SelectedRequest } from "../requests/select.ts";
import { policyPermissions } from "./permissions.ts";

/** What a CredentialsRequest for AWS asks for. A statement that has no form that is known is undecided, and not lost. */
export function awsRequestIdentity({ resource, value, secretKey }: SelectedRequest): CloudIdentity {
  const entries = valueAt(value, ["spec", "providerSpec", "statementEntries"]);
  const Statement = Array.isArray(entries) ? (entries as readonly Value[]).map(statement) : [];
  return {
    cloud: "AWS",
    key: secretKey ?? resource.name,
    request: resource.name,
    permissions: policyPermissions({ Statement }),
    subjects: requestSubjects(value),
    tokenPath: requestTokenPath(value),
  };
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
  return Object.fromEntries(given.map(([name, one]) => [names[name] ?? name, one])) as ValueMap;
}
