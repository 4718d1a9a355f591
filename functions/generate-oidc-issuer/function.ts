import { type AwsCluster, isTrusted } from "../../src/aws/cluster.ts";
import { issuerCarrier, issuerCarrierPath } from "../../src/aws/issuer-carrier.ts";
import { readAwsCluster } from "../../src/aws/read-cluster.ts";
import { issuerBefore } from "../../src/aws/rendered-before.ts";
import { scriptsCarrier, scriptsCarrierPath } from "../../src/aws/scripts-carrier.ts";
import { type Finding, finding } from "../../src/core/finding.ts";
import { inPackage, type Resource } from "../../src/core/resource.ts";
import { quoteWhole } from "../../src/core/text.ts";
import { isIdentity, readIdentity } from "../../src/identity/cluster-identity.ts";
import { exactly, type FunctionInput, type FunctionOutput, failed, type KrmFunction } from "../../src/krm/function.ts";
import { keyChanges, readSigningKeys } from "../../src/oidc/signing-keys.ts";
import { authenticationFor, authenticationPath, repeatedAuthentications } from "../../src/openshift/authentication.ts";

/** Emits what makes a cluster its own token issuer: documents, hosting, provider, and the cluster's Authentication. */
export const generateOidcIssuer: KrmFunction = {
  name: "generate-oidc-issuer",
  summary: "Emits the OIDC documents, the AWS CLI's inputs for bucket and provider, and the cluster's Authentication.",
  emits: [
    { apiVersion: "v1", kind: "ConfigMap", path: exactly(issuerCarrierPath) },
    { apiVersion: "v1", kind: "ConfigMap", path: exactly(scriptsCarrierPath), shared: true },
    { apiVersion: "config.openshift.io/v1", kind: "Authentication", path: exactly(authenticationPath) },
  ],
  run,
};

function run({ items, functionConfig }: FunctionInput): FunctionOutput {
  const identity = readIdentity(items, functionConfig);
  if (!isIdentity(identity)) return failed(identity);
  const { packagePath } = identity.resource;
  const own = inPackage(items, packagePath);
  const { cluster, findings: problems } = readAwsCluster(identity, own);
  const before = issuerBefore(own);
  const { keys, findings: keyFindings } = readSigningKeys(
    identity.issuer.signingKeys,
    identity.resource,
    own,
    before.keyIds,
  );
  const findings = [...problems, ...keyFindings, ...keyChanges(before.keyIds, keys, identity.resource)];
  if (cluster === undefined) return failed([...findings, ...repeatedAuthentications(own)]);
  findings.push(...issuerChange(before.url, cluster, identity.resource));
  const authentication = isTrusted(cluster) ? authenticationFor(cluster.issuer.url, own) : nothing;
  return {
    identity: identity.name,
    packagePath,
    objects: [
      issuerCarrier(
        cluster,
        keys.map(({ jwk }) => jwk),
      ),
      scriptsCarrier(cluster),
      ...authentication.objects,
    ],
    changes: authentication.changes,
    keeps: authentication.keeps,
    findings: [...findings, ...authentication.findings],
  };
}

function issuerChange(before: string | undefined, cluster: AwsCluster, resource: Resource): Finding[] {
  const known = [cluster.issuer, ...cluster.previousIssuers].flatMap((one) => one?.url ?? []);
  if (before === undefined || known.includes(before)) return [];
  const message = `the package was rendered with the issuer ${quoteWhole(before)}, whose tokens roles would not believe any more; name it in "spec.issuer.previous" while the cluster moves.`;
  return [finding("warning", "issuer-changed", message, { resource, field: "spec.issuer.previous" })];
}

// Until the issuer is known, nothing is said about the cluster's own.
const nothing = { objects: [], changes: [], keeps: [], findings: [] };
