import { isTrusted } from "../../src/clouds/aws/cluster/cluster.ts";
import { clusterBundle, clusterBundlePath } from "../../src/clouds/aws/cluster/cluster-bundle.ts";
import { readAwsCluster } from "../../src/clouds/aws/cluster/read-cluster.ts";
import { issuerBundle, issuerBundlePath } from "../../src/clouds/aws/issuer/issuer-bundle.ts";
import { issuerChange } from "../../src/clouds/aws/issuer/issuer-change.ts";
import { formerScripts } from "../../src/clouds/aws/rendered/former-scripts.ts";
import { issuerBefore } from "../../src/clouds/aws/rendered/rendered-before.ts";
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
    { apiVersion: "v1", kind: "ConfigMap", path: exactly(issuerBundlePath) },
    { apiVersion: "v1", kind: "ConfigMap", path: exactly(clusterBundlePath) },
    { apiVersion: "config.openshift.io/v1", kind: "Authentication", path: exactly(authenticationPath) },
  ],
  retired: [formerScripts],
  run,
};

function run({ items, functionConfig, allowed, previousName }: FunctionInput): FunctionOutput {
  const identity = readIdentity(items, functionConfig, allowed);
  if (!isIdentity(identity)) return failed(identity);
  const { packagePath } = identity.resource;
  const own = inPackage(items, packagePath);
  const { cluster, findings: problems } = readAwsCluster(identity, own);
  const before = issuerBefore(own, [identity.name, previousName]);
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
      issuerBundle(
        cluster,
        keys.map(({ jwk }) => jwk),
      ),
      clusterBundle(cluster),
      ...authentication.objects,
    ],
    changes: authentication.changes,
    keeps: authentication.keeps,
    findings: [...findings, ...authentication.findings],
  };
}
