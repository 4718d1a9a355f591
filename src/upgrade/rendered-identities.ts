import { awsRoleIdentity } from "../aws/role-identity.ts";
import { type Finding, finding } from "../core/finding.ts";
import { generatedBy, isMap, type Resource, type Value, valueAt } from "../core/resource.ts";
import type { CloudIdentity } from "../permissions/identity.ts";

/**
 * The identities whose roles were rendered: what their carriers hold. A carrier that cannot be read is an error: left out,
 * its role would count as gone.
 */
export function renderedIdentities(items: readonly Resource[]): {
  identities: readonly CloudIdentity[];
  findings: readonly Finding[];
} {
  const identities: CloudIdentity[] = [];
  const findings: Finding[] = [];
  for (const item of items) {
    if (item.kind !== "ConfigMap" || !item.annotations.has(generatedBy)) continue;
    const data = valueAt(item.value(), ["data"]);
    if (!isMap(data) || !Object.hasOwn(data, roleFile)) continue;
    const identity = identityOfFiles(new Map(Object.entries(data)));
    if (identity !== undefined) identities.push(identity);
    else
      findings.push(
        finding("error", "role-unreadable", "is no role as it is rendered; render the package again.", {
          resource: item,
        }),
      );
  }
  return { identities, findings };
}

/** The file that every role has. */
export const roleFile = "create-role.json";

/** The identity whose files these are, by their names, or undefined where they are not as they are rendered. */
export function identityOfFiles(files: ReadonlyMap<string, Value>): CloudIdentity | undefined {
  return awsRoleIdentity((name) => parse(files.get(name)), [...files.keys()]);
}

function parse(text: Value | undefined): Value | undefined {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text) as Value;
  } catch {
    return undefined;
  }
}
