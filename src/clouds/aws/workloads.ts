import type { ValueMap } from "../../core/resource.ts";
import type { SelectedRequest, WorkloadTerms } from "../../requests/select.ts";
import { mapsIn, namesOutside, type Outside, type Rail, textsIn, type WorkloadRenderer } from "../workloads.ts";
import type { AwsCluster } from "./cluster/cluster.ts";
import type { AwsRole } from "./identities/identity.ts";
import type { RoleOverride } from "./identities/request.ts";

const base = "spec.workloads.aws";

/** Workloads on AWS: a role for each, which the webhook of Amazon EKS, as OpenShift deploys it, offers to pods. */
export const awsWorkloads: WorkloadRenderer = {
  providerSpec: ({ statements = [] }) => ({ ...requestKind, statementEntries: statements }),
  fields: { statementEntries: "statements" },
  names: ["roleName"],
  outside: (section, rails) => [...statementsOutside(section, rails), ...policiesOutside(section, rails)],
};

const requestKind = { apiVersion: "cloudcredential.openshift.io/v1", kind: "AWSProviderSpec" } as const;

function railOf(rails: ValueMap): Rail {
  const denied = textsIn(rails, "deniedActions");
  return {
    field: `${base}.allowedActions`,
    allowed: textsIn(rails, "allowedActions"),
    ...(denied === undefined ? {} : { denied: { field: `${base}.deniedActions`, names: denied } }),
    ignoresCase: true,
  };
}

// A denial takes something away, so it may name anything.
function statementsOutside(section: ValueMap, rails: ValueMap): Outside[] {
  const rail = railOf(rails);
  return mapsIn(section, "statements").flatMap((statement, at) =>
    statement["effect"] === "Deny" ? [] : namesOutside(statement, "action", "the action", rail, `statements[${at}].`),
  );
}

// Its owner can change a managed policy at any time, and its text is not in the package.
function policiesOutside(section: ValueMap, rails: ValueMap): Outside[] {
  const lists = ["allowedActions", "deniedActions"].filter((name) => rails[name] !== undefined);
  const [list] = lists;
  if (list === undefined) return [];
  return (textsIn(section, "managedPolicyARNs") ?? []).map((name, index) => ({
    field: `managedPolicyARNs[${index}]`,
    what: "the managed policy",
    name,
    why: `the package does not contain its text, so it cannot be compared with "${base}.${list}"`,
  }));
}

/** The audience of the tokens that the webhook mounts (amazon-eks-pod-identity-webhook, `--token-audience`). */
const webhookAudience = "sts.amazonaws.com";

/**
 * The cluster as the role of a workload sees it: with the path, the boundary, and the tags of workloads, and with the audience
 * of the pod's token as the only one.
 */
export function clusterOfWorkload(cluster: AwsCluster, { delivery }: WorkloadTerms): AwsCluster {
  const audience = delivery === "Secret" ? (cluster.audiences[0] ?? webhookAudience) : webhookAudience;
  return { ...cluster, ...cluster.workloads, requireAudience: true, audiences: [audience] };
}

/** The audience that a workload's tokens have and the provider does not accept; undefined if it accepts them. */
export function refusedAudience(cluster: AwsCluster, terms: WorkloadTerms): string | undefined {
  const [audience = ""] = clusterOfWorkload(cluster, terms).audiences;
  return cluster.audiences.includes(audience) ? undefined : audience;
}

/** The override of a workload's role: the name from the ClusterIdentity, and the managed policies of the WorkloadIdentity. */
export function overrideOfWorkload(
  { roleName }: RoleOverride,
  { section }: NonNullable<SelectedRequest["workload"]>,
): RoleOverride {
  return {
    ...(roleName === undefined ? {} : { roleName }),
    managedPolicyARNs: (textsIn(section, "managedPolicyARNs") ?? []) as NonNullable<RoleOverride["managedPolicyARNs"]>,
  };
}

/**
 * The annotations of a ServiceAccount with which the webhook gives its pods a role (amazon-eks-pod-identity-webhook, README, "EKS
 * Walkthrough", and its fork in OpenShift).
 */
export function roleAnnotations({ arn }: Pick<AwsRole, "arn">): Readonly<Record<string, string>> {
  return {
    "eks.amazonaws.com/audience": webhookAudience,
    "eks.amazonaws.com/role-arn": arn,
    "eks.amazonaws.com/sts-regional-endpoints": "true",
  };
}

/** The part of a team's ClusterIdentity about AWS. The provider belongs to the cluster. */
export function platformForTeams(cluster: AwsCluster): ValueMap {
  const { accountId, region, partition, issuer, nameOverflow, maxSessionDuration, workloads, tags } = cluster;
  const [, , ...own] = tags;
  const boundary = workloads?.permissionsBoundaryArn;
  return {
    accountID: accountId,
    region,
    partition,
    ...(issuer === undefined ? {} : { identityProviderARN: issuer.providerArn }),
    issuerHosting: { type: "External" },
    roles: {
      path: workloads?.rolePath ?? cluster.rolePath,
      nameOverflow,
      maxSessionDuration,
      ...(boundary === undefined ? {} : { permissionsBoundaryARN: boundary }),
    },
    ...(own.length === 0 ? {} : { tags: Object.fromEntries(own.map(({ Key, Value }) => [Key, Value])) }),
  };
}
