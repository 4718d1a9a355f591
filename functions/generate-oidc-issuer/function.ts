import { issuerCarrier, issuerCarrierPath, keysPath } from "../../src/aws/issuer-carrier.ts";
import { readAwsCluster } from "../../src/aws/read-cluster.ts";
import { finding } from "../../src/core/finding.ts";
import { inPackage } from "../../src/core/resource.ts";
import { isIdentity, readIdentity } from "../../src/identity/cluster-identity.ts";
import { exactly, type FunctionInput, type FunctionOutput, failed, type KrmFunction } from "../../src/krm/function.ts";
import { discoveryDocument } from "../../src/oidc/discovery.ts";
import { readSigningKeys } from "../../src/oidc/signing-keys.ts";
import { authenticationFor, authenticationPath, repeatedAuthentications } from "../../src/openshift/authentication.ts";

/** Emits what makes a cluster its own token issuer: documents, hosting, provider, and the cluster's Authentication. */
export const generateOidcIssuer: KrmFunction = {
  name: "generate-oidc-issuer",
  summary: "Emits the OIDC documents, the AWS CLI's inputs for bucket and provider, and the cluster's Authentication.",
  emits: [
    { apiVersion: "v1", kind: "ConfigMap", path: exactly(issuerCarrierPath) },
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
  const { keys, findings: keyFindings } = readSigningKeys(identity.issuer.signingKeys, identity.resource, own);
  const findings = [...problems, ...keyFindings];
  if (cluster === undefined) return failed([...findings, ...repeatedAuthentications(own)]);
  if (cluster.hosting.type === "S3CloudFront") {
    const message = `the hosting type "S3CloudFront" is accepted, but this version cannot emit its distribution yet; use "S3Public", or "External" with "spec.issuer.url".`;
    const field = "spec.platform.aws.issuerHosting.type";
    return failed([
      ...findings,
      ...repeatedAuthentications(own),
      finding("error", "cloudfront-not-available", message, { resource: identity.resource, field }),
    ]);
  }
  const discovery = discoveryDocument(
    cluster.issuer.url,
    keysPath,
    keys.map(({ jwk }) => jwk.alg),
  );
  const authentication = authenticationFor(cluster.issuer.url, own);
  return {
    identity: identity.name,
    packagePath,
    objects: [
      issuerCarrier(
        cluster,
        discovery,
        keys.map(({ jwk }) => jwk),
      ),
      ...authentication.objects,
    ],
    changes: authentication.changes,
    keeps: authentication.keeps,
    findings: [...findings, ...authentication.findings],
  };
}
