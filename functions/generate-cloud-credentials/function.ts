import { isTrusted } from "../../src/aws/cluster.ts";
import { readAwsCluster } from "../../src/aws/read-cluster.ts";
import { readAwsRequest } from "../../src/aws/request.ts";
import { roleCollision, roleFor } from "../../src/aws/role.ts";
import { roleCarrier, roleCarrierPath } from "../../src/aws/role-carrier.ts";
import { scriptsCarrier, scriptsCarrierPath } from "../../src/aws/scripts-carrier.ts";
import { credentialsSecret, secretPath } from "../../src/aws/secret.ts";
import { type Finding, finding } from "../../src/core/finding.ts";
import { type GeneratedObject, inPackage, type Resource } from "../../src/core/resource.ts";
import { quote, quoteWhole } from "../../src/core/text.ts";
import { isIdentity, readIdentity } from "../../src/identity/cluster-identity.ts";
import { exactly, type FunctionInput, type FunctionOutput, failed, type KrmFunction } from "../../src/krm/function.ts";
import { type SelectedRequest, selectRequests } from "../../src/requests/select.ts";

/** Emits, for each CredentialsRequest that counts, its role and the Secret with which its component becomes it. */
export const generateCloudCredentials: KrmFunction = {
  name: "generate-cloud-credentials",
  summary: "Emits a role with its policies and the Secret for each CredentialsRequest that counts for the cluster.",
  emits: [
    { apiVersion: "v1", kind: "Secret", path: secretPath },
    { apiVersion: "v1", kind: "ConfigMap", path: roleCarrierPath },
    { apiVersion: "v1", kind: "ConfigMap", path: exactly(scriptsCarrierPath), shared: true },
  ],
  run,
};

function run({ items, functionConfig }: FunctionInput): FunctionOutput {
  const identity = readIdentity(items, functionConfig);
  if (!isIdentity(identity)) return failed(identity);
  const { packagePath } = identity.resource;
  const own = inPackage(items, packagePath);
  const { cluster, findings: problems } = readAwsCluster(identity, own);
  const { requests: selected, findings: skipped } = selectRequests(own, identity.release, "AWSProviderSpec");
  const findings: Finding[] = [...problems, ...skipped];
  for (const { url } of cluster?.previousIssuers ?? []) {
    const message = `roles believe the tokens of the previous issuer ${quoteWhole(url)}, too; remove it from "spec.issuer.previous" when the cluster has moved.`;
    findings.push(
      finding("info", "previous-issuer", message, { resource: identity.resource, field: "spec.issuer.previous" }),
    );
  }
  const overrides = new Map(Object.entries(identity.aws.overrides ?? {}));
  findings.push(
    ...unmatchedOverrides([...overrides.keys()], selected, (message, field) =>
      finding("error", "override-unmatched", message, { resource: identity.resource, field }),
    ),
  );
  // One request after the other, and only its objects are kept: what they are made of need not outlive its turn.
  const roleNames = new Map<string, Resource>();
  const objects: GeneratedObject[] = cluster === undefined ? [] : [scriptsCarrier(cluster)];
  for (const one of selected) {
    const override = overrides.get(one.secretKey ?? "");
    if (override?.skip === true) {
      findings.push(
        finding("info", "skipped-override", "was left out: the config's override says so.", { resource: one.resource }),
      );
      continue;
    }
    const { request, findings: wrong } = readAwsRequest(one, overrides);
    findings.push(...wrong);
    if (request === undefined || cluster === undefined || !isTrusted(cluster)) continue;
    const { role, findings: refused } = roleFor(cluster, request);
    findings.push(...refused);
    if (role === undefined) continue;
    findings.push(...roleCollision(role, roleNames));
    objects.push(credentialsSecret(cluster, role), roleCarrier(cluster, role));
  }
  if (cluster === undefined) return failed(findings);
  if (selected.length === 0) {
    const message =
      "No CredentialsRequest counts for this cluster, so there is nothing to emit; are the release's requests in the package, and are they for AWS?";
    findings.push(finding("warning", "no-requests", message, { resource: identity.resource }));
  }
  return {
    identity: identity.name,
    packagePath,
    objects,
    changes: [],
    keeps: [],
    findings,
  };
}

function unmatchedOverrides(
  keys: readonly string[],
  selected: readonly SelectedRequest[],
  report: (message: string, field: string) => Finding,
): Finding[] {
  const secrets = new Set(selected.map(({ secretKey }) => secretKey));
  return keys
    .filter((key) => !secrets.has(key))
    .map((key) => {
      const field = `spec.platform.aws.overrides.${key}`;
      return report(
        `the override ${quote(key)} matches no request that counts for this cluster; correct its name or remove it.`,
        field,
      );
    });
}
