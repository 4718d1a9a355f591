import { finding } from "../../../core/finding.ts";
import { quoteWhole } from "../../../core/text.ts";
import { isFilledIn } from "../../../requests/credentials-request.ts";
import type { SelectedRequest } from "../../../requests/select.ts";
import type { GivenIdentity, OperatorSetup, OperatorWords } from "../../cloud.ts";
import { type ClusterVariable, requestChanges, variableValues } from "../../operators.ts";
import { type IdentityVariables, identityVariables, readSpec } from "../../request.ts";
import { type GcpCluster, type GcpIdentity, gcpNames } from "../cluster/cluster.ts";
import { accountEmail, exchangeAudience } from "../cluster/resource-names.ts";
import { accountIdStart, credentialsSecret, type GcpServiceAccount, idsOf } from "../identities/identity.ts";
import { gcpRequestForm, overrideFor } from "../identities/request.ts";

/** The fields of a request from which the cloud-credential-operator (4.17 and later) creates the Secret. */
const fields = ["serviceAccountEmail", "audience"] as const;

/** Fields of an OLM operator's request that a function writes, so they may contain placeholders. */
export const writtenFields: ReadonlySet<string> = new Set(fields.map((name) => `spec.providerSpec.${name}`));

/** The variable that tells an operator its service account (OpenShift documentation, "Token-based authentication"). */
const emailVariable = "SERVICE_ACCOUNT_EMAIL";

/**
 * The variables that are the same for every operator of a cluster: `AUDIENCE` (OpenShift documentation, "Token-based
 * authentication"), and its parts, which operators that use library-go read (credentialsrequestcontroller).
 */
export const clusterVariables: readonly ClusterVariable<GcpCluster>[] = [
  { name: "AUDIENCE", meaning: "the provider of this cluster", value: exchangeAudience },
  { name: "PROJECT_NUMBER", meaning: "the project of this cluster", value: ({ projectNumber }) => projectNumber },
  { name: "POOL_ID", meaning: "the pool of this cluster", value: ({ poolId }) => poolId },
  { name: "PROVIDER_ID", meaning: "the provider of this cluster", value: ({ providerId }) => providerId },
];

/** The variables in which an operator expects the email address of a request's service account. */
export function emailVariables(request: SelectedRequest): IdentityVariables {
  return identityVariables(request, gcpNames.identityNoun, emailVariable, clusterVariables);
}

/** How an OLM operator learns its service account: from variables of its Subscription, from its request, or from a Secret. */
export function operatorSetup(cluster: GcpCluster, account: GcpServiceAccount): OperatorSetup {
  const { changes, findings } = completeRequest(cluster, account);
  const { names, findings: variableFindings } = emailVariables(account.request);
  const emails = names.map((name) => ({ name, value: account.email, meaning: "the service account of its request" }));
  return {
    secret: () => credentialsSecret(cluster, account),
    variables: variableValues(emails, clusterVariables, cluster),
    changes,
    findings: [...findings, ...variableFindings],
  };
}

/** Adds to a request what the cloud-credential-operator needs to create its Secret. */
function completeRequest(
  cluster: GcpCluster,
  { email, request }: GcpServiceAccount,
): Pick<OperatorSetup, "changes" | "findings"> {
  const { resource, providerSpec: given } = request;
  const wanted = { serviceAccountEmail: email, audience: exchangeAudience(cluster) };
  const missing = fields.filter((name) => given[name] !== wanted[name]);
  const findings = missing.flatMap((name) => {
    const field = `spec.providerSpec.${name}`;
    // Another email address is an identity that the request names. A placeholder does not have the form of an audience.
    if (name === "serviceAccountEmail" || !given[name].startsWith("//iam.googleapis.com/")) return [];
    const message = `"${field}" was ${quoteWhole(given[name])} and is replaced with ${quoteWhole(wanted[name])}, which was generated for this request; check which one is intended.`;
    return [finding("warning", "service-account-replaced", message, { resource, field })];
  });
  const spec = Object.fromEntries(missing.map((name) => [name, wanted[name]]));
  return { changes: requestChanges(request, spec, cluster.tokenPath), findings };
}

/**
 * Finds the cluster's audience, and email addresses of its service accounts: their IDs begin with the prefix, or the
 * config sets them.
 */
export function ownVariable(cluster: GcpCluster): (value: string) => string | undefined {
  const audience = exchangeAudience(cluster);
  const start = accountIdStart(cluster.prefix);
  return (value) => {
    if (value === audience) return "the provider";
    const [id = ""] = value.split("@");
    const isOwnId = id.startsWith(start) || cluster.givenAccountIds.includes(id);
    return isOwnId && value === accountEmail(cluster, id) ? "a service account" : undefined;
  };
}

/** The service account that a request names, if it is not the one that is generated for the request. */
export function givenServiceAccount(
  cluster: GcpCluster,
  identity: GcpIdentity,
  { value: request, secretKey = "" }: SelectedRequest,
): GivenIdentity | undefined {
  const value = readSpec(request, gcpRequestForm).serviceAccountEmail;
  if (!isFilledIn(value)) return undefined;
  const [namespace = "", secret = ""] = secretKey.split("/");
  const ours = idsOf(cluster.prefix, namespace, secret, overrideFor(identity, secretKey)).accountId;
  const wanted = accountEmail(cluster, ours);
  if (value === wanted) return undefined;
  const [name = ""] = value.split("@");
  const keep =
    value === accountEmail(cluster, name)
      ? `set "serviceAccountID" in "spec.platform.gcp.overrides" for ${quoteWhole(secretKey)} to ${quoteWhole(name)}`
      : undefined;
  return { field: "spec.providerSpec.serviceAccountEmail", value, name, wanted, keep };
}

/** What messages about OLM operators say of GCP. */
export const operatorWords: OperatorWords = {
  secretsSince: "4.17",
  identityVariable: emailVariable,
  isName: (value) =>
    /^[a-z0-9-]+@[a-z0-9.-]+\.iam\.gserviceaccount\.com$/.test(value) || value.startsWith("//iam.googleapis.com/"),
};
