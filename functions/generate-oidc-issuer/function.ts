import { isTrusted } from "../../src/aws/cluster.ts";
import { issuerCarrier, issuerCarrierPath } from "../../src/aws/issuer-carrier.ts";
import { issuerChange } from "../../src/aws/issuer-change.ts";
import { readAwsCluster } from "../../src/aws/read-cluster.ts";
import { issuerBefore } from "../../src/aws/rendered-before.ts";
import { scriptsCarrier, scriptsCarrierPath } from "../../src/aws/scripts-carrier.ts";
import { allowanceNote } from "../../src/core/allowances.ts";
import { inPackage } from "../../src/core/resource.ts";
import { isIdentity, readIdentity } from "../../src/identity/cluster-identity.ts";
import { exactly, type FunctionInput, type FunctionOutput, failed, type KrmFunction } from "../../src/krm/function.ts";
import { keyChanges, readSigningKeys } from "../../src/oidc/signing-keys.ts";
import {
  authenticationAsBefore,
  authenticationFor,
  authenticationPath,
  repeatedAuthentications,
} from "../../src/openshift/authentication.ts";

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

function run({ items, functionConfig, allowed, formerName }: FunctionInput): FunctionOutput {
  const identity = readIdentity(items, functionConfig, allowed);
  if (!isIdentity(identity)) return failed(identity);
  const { packagePath } = identity.resource;
  const own = inPackage(items, packagePath);
  const { cluster, findings: problems } = readAwsCluster(identity, own);
  const before = issuerBefore(own, [identity.name, formerName]);
  const { keys, findings: keyFindings } = readSigningKeys(
    identity.issuer.signingKeys,
    identity.resource,
    own,
    before.keyIds,
  );
  const findings = [
    ...allowanceNote(identity.resource),
    ...problems,
    ...keyFindings,
    ...keyChanges(before.keyIds, keys, identity),
  ];
  if (cluster === undefined) return failed([...findings, ...repeatedAuthentications(own)]);
  findings.push(...issuerChange(before.url, cluster, identity));
  const authentication = isTrusted(cluster) ? authenticationFor(cluster.issuer.url, own) : authenticationAsBefore(own);
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
