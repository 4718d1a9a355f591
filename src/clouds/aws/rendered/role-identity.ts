import { isMap, type Value, valueAt } from "../../../core/resource.ts";
import type { CloudIdentity } from "../../../permissions/identity.ts";
import type { Grant } from "../../../permissions/permissions.ts";
import { inPartition } from "../cluster/arn.ts";
import { managedPolicies, policyPermissions } from "../permissions/permissions.ts";

/**
 * What a rendered role may do, and who may become it: the readable files of its bundle, or of an export.
 *
 * Resources are compared as requests name them, in the partition "aws". Managed policies are compared by their ARNs:
 * what they hold, their owner says.
 *
 * @param file the JSON value of one of the role's files.
 * @returns undefined where this is no role that was rendered here.
 */
export function awsRoleIdentity(
  file: (name: string) => Value | undefined,
  names: readonly string[],
): CloudIdentity | undefined {
  const [create, trust, permissions] = ["create-role.json", "trust-policy.json", "permissions-policy.json"].map(file);
  const key = /^OpenShift role for ([^/\s]+\/\S+)$/.exec(text(create, "Description"))?.[1];
  if (key === undefined || trust === undefined || permissions === undefined) return undefined;
  const partition = /^arn:([a-z-]+):iam:/.exec(providerOf(trust))?.[1] ?? "aws";
  const attached = names.filter((name) => name.startsWith("attach-role-policy-"));
  return {
    cloud: "AWS",
    key,
    request: undefined,
    permissions: [
      ...policyPermissions(permissions).map((grant) => inPartitionAws(grant, partition)),
      ...managedPolicies(attached.map((name) => text(file(name), "PolicyArn"))),
    ],
    subjects: subjectsOf(trust),
    trust: policyPermissions(trust),
    boundary: text(create, "PermissionsBoundary"),
    tokenPath: undefined,
  };
}

function text(value: Value | undefined, field: string): string {
  const found = value === undefined ? undefined : valueAt(value, [field]);
  return typeof found === "string" ? found : "";
}

function inPartitionAws(grant: Grant, partition: string): Grant {
  return { ...grant, resources: grant.resources.map((one) => inPartition(one, partition, "aws")) };
}

function statementsOf(trust: Value): readonly Value[] {
  const statements = valueAt(trust, ["Statement"]);
  return Array.isArray(statements) ? (statements as readonly Value[]) : [];
}

function providerOf(trust: Value): string {
  return statementsOf(trust).map((one) => text(valueAt(one, ["Principal"]), "Federated"))[0] ?? "";
}

// Each issuer has a statement; a subject is who may become the role by any of them. Whatever is no plain list of
// subjects stands for itself, so that it is seen when it changes.
function subjectsOf(trust: Value): string[] {
  const all = statementsOf(trust).flatMap((statement) => {
    const equals = valueAt(statement, ["Condition", "StringEquals"]);
    const [operators, keys] = [valueAt(statement, ["Condition"]), equals].map((one) =>
      isMap(one) ? Object.keys(one) : [],
    );
    const sub = keys?.find((key) => key.endsWith(":sub"));
    const values = sub === undefined ? undefined : (equals as Record<string, Value>)[sub];
    const list = typeof values === "string" ? [values] : values;
    const isPlain = operators?.length === 1 && Array.isArray(list) && list.every((one) => typeof one === "string");
    return isPlain ? (list as string[]) : [`whoever meets ${JSON.stringify(statement)}`];
  });
  return [...new Set(all)].sort();
}
