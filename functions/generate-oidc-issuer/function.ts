import { ClusterPackage, clusterPackageOf } from "../../src/clouds/cluster-package.ts";
import { notForTeams } from "../../src/clouds/facts.ts";
import { clouds } from "../../src/clouds/index.ts";
import { issuerChange, lostDocuments, platformChange } from "../../src/clouds/losses.ts";
import { allowanceNote } from "../../src/core/allowances.ts";
import { exactly } from "../../src/core/generated-object.ts";
import { type FunctionInput, type FunctionOutput, failedOutput, type KrmFunction } from "../../src/krm/function.ts";
import { keyChanges, readSigningKeys } from "../../src/oidc/signing-keys.ts";
import {
  authenticationAsBefore,
  authenticationFor,
  authenticationPath,
  repeatedAuthentications,
} from "../../src/openshift/config-objects.ts";

/** Generates what a cluster needs as its own token issuer: documents, hosting, provider, and the Authentication. */
export const generateOidcIssuer: KrmFunction = {
  name: "generate-oidc-issuer",
  summary: "generate the OIDC issuer: documents, hosting, identity provider, Authentication",
  emits: [
    ...clouds.flatMap(({ renderer }) => renderer.emits.issuer),
    { apiVersion: "config.openshift.io/v1", kind: "Authentication", path: exactly(authenticationPath) },
  ],
  run,
};

function run(input: FunctionInput): FunctionOutput {
  const pkg = clusterPackageOf(input);
  if (!(pkg instanceof ClusterPackage)) return failedOutput(pkg);
  const { identity, packagePath, items } = pkg;
  // The issuer is in the package of the cluster.
  if (identity.facts !== undefined) return { ...failedOutput(notForTeams(pkg)), identity: identity.name, packagePath };
  const { renderer } = pkg.cloud;
  const { value: cluster, findings: ofCluster } = pkg.cluster;
  const names = [identity.name, input.previousName];
  const before = pkg.issuerBefore;
  const { keys, findings: keyFindings } = readSigningKeys(
    identity.issuer.signingKeys,
    identity.resource,
    items,
    before.keyIds,
    renderer.keys,
  );
  const findings = [
    ...allowanceNote(identity.resource),
    ...ofCluster,
    ...keyFindings,
    ...keyChanges(before.keyIds, keys, identity),
  ];
  if (cluster === undefined) return failedOutput([...findings, ...repeatedAuthentications(items)]);
  const { issuerUrl } = cluster;
  const moved = platformChange(identity, items, input.previousName);
  const changed = issuerChange(before.url, cluster, identity);
  const objects = [...cluster.issuer(keys.map(({ jwk }) => jwk)), cluster.facts()];
  const lost = lostDocuments(items, names, objects, { before: before.url, now: issuerUrl }, identity);
  const authentication = issuerUrl === undefined ? authenticationAsBefore(items) : authenticationFor(issuerUrl, items);
  return {
    identity: identity.name,
    packagePath,
    objects: [...objects, ...authentication.objects],
    changes: authentication.changes,
    preserved: authentication.preserved,
    removals: { guard: identity, isExplained: () => moved.length > 0 },
    findings: [...findings, ...(moved.length > 0 ? moved : [...changed, ...lost]), ...authentication.findings],
  };
}
