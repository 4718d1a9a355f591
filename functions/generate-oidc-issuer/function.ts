import { cloudOf, clouds } from "../../src/clouds/index.ts";
import { issuerChange } from "../../src/clouds/issuer-change.ts";
import { platformChange } from "../../src/clouds/platform-change.ts";
import { isIdentity, readIdentity } from "../../src/clouds/read-identity.ts";
import { issuerBefore } from "../../src/clouds/rendered-before.ts";
import { allowanceNote } from "../../src/core/allowances.ts";
import { exactly } from "../../src/core/output-form.ts";
import { inPackage } from "../../src/core/resource.ts";
import { type FunctionInput, type FunctionOutput, failed, type KrmFunction } from "../../src/krm/function.ts";
import { keyChanges, readSigningKeys } from "../../src/oidc/signing-keys.ts";
import {
  authenticationAsBefore,
  authenticationFor,
  authenticationPath,
  repeatedAuthentications,
} from "../../src/openshift/authentication.ts";

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

function run({ items, functionConfig, allowed, previousName }: FunctionInput): FunctionOutput {
  const identity = readIdentity(items, functionConfig, allowed);
  if (!isIdentity(identity)) return failed(identity);
  const { renderer } = cloudOf(identity);
  const { packagePath } = identity.resource;
  const own = inPackage(items, packagePath);
  const { value: cluster, findings: problems } = renderer.readCluster(identity, own);
  const before = issuerBefore(own, [identity.name, previousName], renderer);
  const { keys, findings: keyFindings } = readSigningKeys(
    identity.issuer.signingKeys,
    identity.resource,
    own,
    before.keyIds,
    renderer.keys,
  );
  const findings = [
    ...allowanceNote(identity.resource),
    ...problems,
    ...keyFindings,
    ...keyChanges(before.keyIds, keys, identity),
  ];
  if (cluster === undefined) return failed([...findings, ...repeatedAuthentications(own)]);
  const { issuerUrl } = cluster;
  const moved = platformChange(identity, own);
  const changed = issuerChange(before.url, cluster, identity);
  const authentication = issuerUrl === undefined ? authenticationAsBefore(own) : authenticationFor(issuerUrl, own);
  return {
    identity: identity.name,
    packagePath,
    objects: [...cluster.issuer(keys.map(({ jwk }) => jwk)), ...authentication.objects],
    changes: authentication.changes,
    preserved: authentication.preserved,
    removals: { guard: identity, isExplained: () => moved.length > 0 },
    findings: [...findings, ...(moved.length > 0 ? moved : changed), ...authentication.findings],
  };
}
