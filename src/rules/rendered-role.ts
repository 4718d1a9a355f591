import { policyPermissions } from "../clouds/aws/permissions/permissions.ts";
import { awsRoleIdentity } from "../clouds/aws/rendered/role-identity.ts";
import { bundledJson } from "../core/read-json.ts";
import { generatedBy, isMap, type Resource, type Value, valueAt } from "../core/resource.ts";
import type { Grant, Permissions } from "../permissions/permissions.ts";

/** A role that a package holds as it was rendered: its bundle. */
export interface RenderedRole {
  readonly resource: Resource;
  /** `<secret namespace>/<secret name>`, or undefined where its files do not say it any more. */
  readonly key: string | undefined;
  /** Undefined where its files do not say which account it is of. */
  readonly arn: string | undefined;
  /** Each file that says who may become it; the scripts read the first one, and the others are copies. */
  readonly trusts: readonly Trust[];
  /** Each file that says what the role may do, in the same way. */
  readonly policies: readonly RolePolicy[];
}

/** One file with the policy of a role, and what it grants, as requests say it: in the partition "aws". */
export interface RolePolicy {
  /** The field of the bundle. */
  readonly field: string;
  readonly permissions: Permissions;
}

/** One file with a trust policy, and what it grants. */
export interface Trust {
  /** The field of the bundle. */
  readonly field: string;
  /** What it allows; what cannot be read is undecided. */
  readonly allowed: readonly Grant[];
}

/** The rendered roles among objects. */
export function renderedRoles(items: readonly Resource[]): RenderedRole[] {
  return items.flatMap((resource) => {
    if (resource.kind !== "ConfigMap" || !resource.annotations.has(generatedBy)) return [];
    const data = valueAt(resource.value(), ["data"]);
    if (!isMap(data) || !Object.hasOwn(data, "trust-policy.json")) return [];
    // A file that is no JSON any more is a value of which nothing is known, and not a role that is passed over.
    const file = (name: string) => (Object.hasOwn(data, name) ? (bundledJson(data[name]) ?? null) : undefined);
    const key = awsRoleIdentity(file, Object.keys(data))?.key;
    const trusts = copiesIn(file, trustFiles).map(({ field, policy }) => {
      const allowed = policyPermissions(policy).filter(({ effect }) => effect === "Allow");
      return { field, allowed };
    });
    const policies = copiesIn(file, policyFiles).map(({ field, policy }) => {
      const permissions = permissionsOf(file, policy);
      return { field, permissions };
    });
    return [{ resource, key, arn: arnOf(file), trusts, policies }];
  });
}

type FileOf = (name: string) => Value | undefined;

type PolicyFile = readonly [name: string, path: string | undefined];

function copiesIn(file: FileOf, files: readonly PolicyFile[]): { field: string; policy: Value }[] {
  return files.flatMap(([name, path]) => {
    const whole = file(name);
    // A file that cannot be read is a policy that cannot be; one that is read and holds no copy is none.
    const copy = isMap(whole) && path !== undefined ? valueAt(whole, [path]) : null;
    if (whole === undefined || copy === undefined) return [];
    return [{ field: `data.${name}`, policy: path === undefined ? whole : (bundledJson(copy) ?? null) }];
  });
}

// The role with this policy in the place of its own. Where its files do not say which partition it is in, the policy counts
// as it is written.
function permissionsOf(file: FileOf, policy: Value): Permissions {
  const withPolicy = (name: string) => (name === "permissions-policy.json" ? policy : file(name));
  return awsRoleIdentity(withPolicy, [])?.permissions ?? policyPermissions(policy);
}

// The readable file, and the inputs of the AWS CLI in which the same policy stands as a text.
const trustFiles = [
  ["trust-policy.json", undefined],
  ["create-role.json", "AssumeRolePolicyDocument"],
] as const;

const policyFiles = [
  ["permissions-policy.json", undefined],
  ["put-role-policy.json", "PolicyDocument"],
] as const;

// The account is the one of the provider that the role trusts.
function arnOf(file: FileOf): string | undefined {
  const [create, trust] = [file("create-role.json") ?? null, file("trust-policy.json") ?? null];
  const [path, name] = [valueAt(create, ["Path"]), valueAt(create, ["RoleName"])];
  const provider = valueAt(trust, ["Statement", "0", "Principal", "Federated"]);
  const account = typeof provider === "string" ? /^arn:[a-z-]+:iam::\d{12}:/.exec(provider)?.[0] : undefined;
  if (account === undefined || typeof path !== "string" || typeof name !== "string") return undefined;
  return `${account}role${path}${name}`;
}
