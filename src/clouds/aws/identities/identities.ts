import { type Finding, finding } from "../../../core/finding.ts";
import type { Resource } from "../../../core/resource.ts";
import { quoteWhole } from "../../../core/text.ts";
import type { SelectedRequest } from "../../../requests/select.ts";
import { unmatchedOverrides } from "../../../requests/unknown-names.ts";
import type { ComponentIdentity, Scope } from "../../cloud.ts";
import { makeIdentities } from "../../make-identities.ts";
import { audienceFindings } from "../../workloads.ts";
import { type AwsCluster, type AwsIdentity, trustedIssuers } from "../cluster/cluster.ts";
import { operatorSetup, writtenFields } from "../operators/operator.ts";
import { awsBundles } from "../rendered/facts.ts";
import { clusterOfWorkload, overrideOfWorkload, refusedAudience, roleAnnotations } from "../workloads.ts";
import { credentialsSecret, nameOfRole, roleBundle, roleCollision, roleFor } from "./identity.ts";
import { type RoleOverride, readAwsRequest, roleOverrides } from "./request.ts";

/**
 * Generates the roles of a scope. The requests of other functions only reserve their role names.
 *
 * @param cluster undefined if it could not be read: requests are then only checked.
 */
export function rolesOf(
  identity: AwsIdentity,
  cluster: AwsCluster | undefined,
  scope: Scope,
): { made: readonly ComponentIdentity[]; findings: readonly Finding[] } {
  const { resource, aws } = identity;
  const context = {
    cluster,
    overrides: roleOverrides(identity),
    written: scope.completesRequests ? writtenFields : undefined,
    names: new Map<string, Resource>(),
  };
  const { made, findings } = makeIdentities(identity, scope, {
    bundlePath: awsBundles.identity,
    make: (request) => makeRole(request, context),
    reserve: (request) => reserveName(request, context),
  });
  const unmatched = unmatchedOverrides(resource, "spec.platform.aws.overrides", aws.overrides ?? {}, scope);
  return { made, findings: [...previousIssuers(resource, cluster), ...unmatched, ...findings] };
}

interface Context {
  readonly cluster: AwsCluster | undefined;
  readonly overrides: ReadonlyMap<string, RoleOverride>;
  readonly written: ReadonlySet<string> | undefined;
  /** The requests by role name in lowercase. */
  readonly names: Map<string, Resource>;
}

function makeRole(
  one: SelectedRequest,
  { cluster: given, overrides, written, names }: Context,
): { made: ComponentIdentity | undefined; findings: readonly Finding[] } {
  const { workload } = one;
  const read = readAwsRequest(one, overrides, written);
  const { findings } = read;
  if (read.request === undefined || given === undefined || trustedIssuers(given).length === 0)
    return { made: undefined, findings };
  const cluster = workload === undefined ? given : clusterOfWorkload(given, workload);
  const request =
    workload === undefined
      ? read.request
      : { ...read.request, override: overrideOfWorkload(read.request.override, workload) };
  const { role, findings: refused } = roleFor(cluster, request);
  if (role === undefined) return { made: undefined, findings: [...findings, ...refused] };
  const made: ComponentIdentity = {
    request: one,
    bundle: roleBundle(cluster, role),
    secret: () => credentialsSecret(cluster, role),
    operator: () => operatorSetup(cluster, role),
    serviceAccount: () => roleAnnotations(role),
  };
  const unaccepted = workload === undefined ? [] : audienceFindings(refusedAudience(given, workload), one);
  return { made, findings: [...findings, ...refused, ...unaccepted, ...roleCollision(role.name, one, names)] };
}

// The other function reports what is wrong with its request.
function reserveName(request: SelectedRequest, { cluster, overrides, names }: Context): Finding[] {
  const { secretKey } = request;
  if (cluster === undefined || secretKey === undefined) return [];
  const [namespace = "", name = ""] = secretKey.split("/");
  const roleName = nameOfRole(cluster, namespace, name, overrides.get(secretKey) ?? {});
  return roleName === undefined ? [] : roleCollision(roleName, request, names);
}

function previousIssuers(resource: Resource, cluster: AwsCluster | undefined): Finding[] {
  return (cluster?.previousIssuers ?? []).map(({ url }) => {
    const message = `roles still trust the previous issuer ${quoteWhole(url)}. When the cluster has moved, run "ccf destroy --previous" and remove the issuer from "spec.issuer.previous".`;
    return finding("info", "previous-issuer", message, { resource, field: "spec.issuer.previous" });
  });
}
