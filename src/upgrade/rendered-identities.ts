import { readCredentialsFile } from "../clouds/aws/rendered/credentials-file.ts";
import { awsRoleIdentity } from "../clouds/aws/rendered/role-identity.ts";
import { type Finding, finding } from "../core/finding.ts";
import { bundledJson } from "../core/read-json.ts";
import { generatedBy, isMap, type Resource, type Value, valueAt } from "../core/resource.ts";
import type { CloudIdentity } from "../permissions/identity.ts";
import { isCredentialsRequest, providerSpecOf, secretKeyOf } from "../requests/credentials-request.ts";

/** What a package has rendered. */
export interface Rendered {
  readonly identities: readonly CloudIdentity[];
  /** Which of them are those of operators: no release has their requests. */
  readonly operators: ReadonlySet<string>;
  readonly findings: readonly Finding[];
}

/**
 * The identities whose roles were rendered: what their bundles hold. A bundle that cannot be read is an error: left out,
 * its role would count as gone.
 */
export function renderedIdentities(items: readonly Resource[]): Rendered {
  const identities: CloudIdentity[] = [];
  const operators = new Set<string>();
  const findings: Finding[] = [];
  for (const item of items) {
    const maker = item.annotations.get(generatedBy);
    if (item.kind !== "ConfigMap" || maker === undefined) continue;
    const data = valueAt(item.value(), ["data"]);
    if (!isMap(data) || !Object.hasOwn(data, roleFile)) continue;
    const identity = identityOfFiles(new Map(Object.entries(data)));
    if (identity === undefined) {
      const message = "is no role as it is rendered; render the package again.";
      findings.push(finding("error", "role-unreadable", message, { resource: item }));
      continue;
    }
    identities.push(identity);
    if (maker.startsWith("configure-operators/")) operators.add(identity.key);
  }
  return { identities: withNeighbours(identities, items), operators, findings };
}

/**
 * Completes identities with what the objects beside their roles say: the name of the request, and the token's place in the
 * Secret.
 */
export function withNeighbours(
  identities: readonly CloudIdentity[],
  items: readonly Resource[],
): readonly CloudIdentity[] {
  const requests = new Map<string, string>();
  const tokens = new Map<string, string | undefined>();
  for (const item of items) {
    if (isCredentialsRequest(item)) {
      const value = item.value();
      if (providerSpecOf(value)?.["kind"] === "AWSProviderSpec") requests.set(secretKeyOf(value) ?? "", item.name);
    } else if (item.kind === "Secret") {
      tokens.set(`${item.namespace}/${item.name}`, readCredentialsFile(item)?.tokenFile);
    }
  }
  return identities.map((one) => ({ ...one, request: requests.get(one.key), tokenPath: tokens.get(one.key) }));
}

/** The file that every role has. */
export const roleFile = "create-role.json";

/** The identity whose files these are, by their names, or undefined where they are not as they are rendered. */
export function identityOfFiles(files: ReadonlyMap<string, Value>): CloudIdentity | undefined {
  return awsRoleIdentity((name) => bundledJson(files.get(name)), [...files.keys()]);
}
