import { type Finding, finding } from "../../../core/finding.ts";
import type { Resource } from "../../../core/resource.ts";
import { quoteWhole } from "../../../core/text.ts";
import type { SelectedRequest } from "../../../requests/select.ts";
import { unmatchedOverrides } from "../../../requests/unknown-names.ts";
import type { ComponentIdentity, Scope } from "../../cloud.ts";
import { collision, makeIdentities } from "../../make-identities.ts";
import { excludedMessage, mayMeet } from "../cluster/attribute-condition.ts";
import type { GcpCluster, GcpIdentity } from "../cluster/cluster.ts";
import { operatorSetup, writtenFields } from "../operators/operator.ts";
import { gcpBundles } from "../rendered/facts.ts";
import { accountAnnotations, universeFindings } from "../workloads.ts";
import { credentialsSecret, type GcpServiceAccount, identityBundle, idsOf, serviceAccountFor } from "./identity.ts";
import { overrideFor, readGcpRequest } from "./request.ts";

/**
 * Generates the service accounts of a scope. The requests of other functions only reserve their IDs.
 *
 * @param cluster undefined if it could not be read: requests are then only checked.
 */
export function serviceAccountsOf(
  identity: GcpIdentity,
  cluster: GcpCluster | undefined,
  scope: Scope,
): { made: readonly ComponentIdentity[]; findings: readonly Finding[] } {
  const { resource, gcp } = identity;
  const accounts: GcpServiceAccount[] = [];
  const ids: Ids = { account: new Map(), role: new Map() };
  const written = scope.completesRequests ? writtenFields : undefined;
  const { made, findings } = makeIdentities(identity, scope, {
    bundlePath: gcpBundles.identity,
    make(selected) {
      const { request, findings } = readGcpRequest(selected, overrideFor(identity, selected.secretKey), written);
      if (request === undefined || cluster === undefined) return { made: undefined, findings };
      const account = serviceAccountFor(cluster, request);
      accounts.push(account);
      const made: ComponentIdentity = {
        request: selected,
        bundle: identityBundle(cluster, account),
        secret: () => credentialsSecret(cluster, account),
        operator: () => operatorSetup(cluster, account),
        serviceAccount: () => accountAnnotations(cluster, account),
      };
      const webhook = universeFindings(cluster, selected);
      return { made, findings: [...findings, ...webhook, ...idCollisions(identity, selected, ids)] };
    },
    // The other function reports what is wrong with its request.
    reserve: (selected) => (cluster === undefined ? [] : idCollisions(identity, selected, ids)),
  });
  const unmatched = unmatchedOverrides(resource, "spec.platform.gcp.overrides", gcp.overrides ?? {}, scope);
  return {
    made,
    findings: [
      ...unmatched,
      ...findings,
      ...conditionFindings(cluster, accounts, resource),
      ...quotaFindings(accounts, resource),
    ],
  };
}

/** The requests by the IDs of their service accounts and custom roles. */
type Ids = Readonly<Record<"account" | "role", Map<string, Resource>>>;

// Two requests with the same ID would share a service account, or overwrite each other's permissions.
function idCollisions(identity: GcpIdentity, request: SelectedRequest, ids: Ids): Finding[] {
  const { secretKey } = request;
  if (secretKey === undefined) return [];
  const [namespace = "", secret = ""] = secretKey.split("/");
  const { accountId, roleId } = idsOf(identity.prefix, namespace, secret, overrideFor(identity, secretKey));
  const idCollision = (noun: string, field: string, name: string, taken: Map<string, Resource>) => {
    const rest = `. Set "${field}" in "spec.platform.gcp.overrides" for ${quoteWhole(secretKey)} to another ID.`;
    return collision(request, name, taken, { code: "identity-id-collision", noun, name, rest });
  };
  return [
    ...idCollision("service account", "serviceAccountID", accountId, ids.account),
    ...idCollision("custom role", "customRoleID", roleId, ids.role),
  ];
}

// A component whose token the provider refuses has no credentials. Without any component, the condition itself is wrong.
function conditionFindings(
  cluster: GcpCluster | undefined,
  accounts: readonly GcpServiceAccount[],
  resource: Resource,
): Finding[] {
  if (cluster === undefined || cluster.attributeCondition === "") return [];
  const { attributeCondition, issuerUrl } = cluster;
  const excluded = accounts.filter(
    ({ request }) => !request.principals.some((subject) => mayMeet(attributeCondition, subject, issuerUrl)),
  );
  const field = "spec.platform.gcp.attributeCondition";
  if (excluded.length > 0 && excluded.length === accounts.length) {
    const subjects = excluded.flatMap(({ request }) => request.principals);
    const message = `${excludedMessage(attributeCondition, subjects)}, so no component would get credentials. Correct the condition, or remove the field.`;
    return [finding("error", "attribute-condition-excludes", message, { resource, field })];
  }
  return excluded.map(({ request }) => {
    const message = `${excludedMessage(attributeCondition, request.principals)}, so the component would get no credentials. Correct "${field}", or skip the request in "spec.overrides".`;
    return finding("warning", "attribute-condition-excludes", message, { resource: request.resource });
  });
}

// "IAM quotas and limits": per project, and per allow policy. All clusters of a project share them.
const maxAccounts = 100;
const maxRoles = 300;
const maxPrincipals = 1500;

/** Warns if the identities of one function alone exceed a limit of a project. */
function quotaFindings(accounts: readonly GcpServiceAccount[], resource: Resource): Finding[] {
  const counts = [
    ["service accounts", accounts.length, maxAccounts],
    ["custom roles", accounts.filter(({ role }) => role !== undefined).length, maxRoles],
    [
      "principals in the project's allow policy",
      accounts.reduce((sum, { projectRoles }) => sum + projectRoles.length, 0),
      maxPrincipals,
    ],
  ] as const;
  return counts
    .filter(([, count, max]) => count > max)
    .map(([noun, count, max]) => {
      const message = `the package needs ${count} ${noun}; Google Cloud allows ${max} in a project by default. Request an increase of the quota before you apply.`;
      return finding("warning", "project-quota", message, { resource });
    });
}
