import { readAwsCluster } from "../../src/aws/read-cluster.ts";
import { roleCarrier, roleCarrierPath } from "../../src/aws/role-carrier.ts";
import { makeRoles } from "../../src/aws/roles.ts";
import { scriptsCarrier, scriptsCarrierPath } from "../../src/aws/scripts-carrier.ts";
import { credentialsSecret, secretPath } from "../../src/aws/secret.ts";
import { type Finding, finding } from "../../src/core/finding.ts";
import { type GeneratedObject, generatedBy, inPackage, type Resource } from "../../src/core/resource.ts";
import { printable, quote } from "../../src/core/text.ts";
import { type Identity, isIdentity, readIdentity } from "../../src/identity/cluster-identity.ts";
import {
  asValue,
  exactly,
  type FunctionInput,
  type FunctionOutput,
  failed,
  type KrmFunction,
} from "../../src/krm/function.ts";
import { leftTo, ownerOf, subscriptionsOf } from "../../src/requests/operators.ts";
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
  takesOverFrom: ["configure-operators"],
  run,
};

function run({ items, functionConfig, layOut = asValue }: FunctionInput): FunctionOutput {
  const identity = readIdentity(items, functionConfig);
  if (!isIdentity(identity)) return failed(identity);
  const { packagePath } = identity.resource;
  const own = inPackage(items, packagePath);
  const { cluster, findings: problems } = readAwsCluster(identity, own);
  const { requests: selected, findings: skipped } = selectRequests(own, identity.release, "AWSProviderSpec");
  const objects: GeneratedObject[] = cluster === undefined ? [] : [scriptsCarrier(cluster)];
  const subscriptions = subscriptionsOf(own);
  const findings = [...problems, ...skipped];
  const operators = new Set<SelectedRequest>();
  for (const one of selected) {
    const { isOperators, reason } = ownerOf(one, subscriptions);
    if (!isOperators) continue;
    operators.add(one);
    findings.push(leftTo("skipped-operator", "configure-operators", one.resource, reason));
    const gone = identity.aws.operators?.emitSecrets === true ? undefined : renderedSecret(one, identity, own);
    if (gone !== undefined) findings.push(secretGoes(one, gone, reason));
  }
  const share = { selected, isOwn: (one: SelectedRequest) => !operators.has(one) };
  findings.push(
    ...makeRoles(identity, cluster, share, (trusted, role) => {
      objects.push(layOut(credentialsSecret(trusted, role)), layOut(roleCarrier(trusted, role)));
    }),
  );
  if (cluster === undefined) return failed(findings);
  if (selected.length === 0) findings.push(noRequests(identity, own, skipped));
  return {
    identity: identity.name,
    packagePath,
    objects,
    changes: [],
    keeps: [],
    findings,
  };
}

// A Secret that configure-operators made goes by the config alone, which somebody changed for that.
function renderedSecret({ secretKey }: SelectedRequest, { name }: Identity, own: readonly Resource[]) {
  return own.find(
    (one) =>
      one.kind === "Secret" &&
      `${one.namespace}/${one.name}` === secretKey &&
      secretPath.test(one.path ?? "") &&
      one.annotations.get(generatedBy) === `${generateCloudCredentials.name}/${name}`,
  );
}

function secretGoes({ resource, secretKey }: SelectedRequest, { path = "" }: Resource, reason: string): Finding {
  const message = `counts as an operator's now (${printable(reason)}), and its Secret ${quote(secretKey)}, which was rendered in ${quote(path)}, goes: the cloud-credential-operator makes Secrets of operators, from 4.14 on. If a component of the platform reads it, move the Subscription; else, to keep it, set "spec.platform.aws.operators.emitSecrets" of the ClusterIdentity to true.`;
  return finding("warning", "secret-left-to-operator", message, { resource });
}

// Where requests are there and roles were rendered, a rule that leaves out every request is a mistake, and would take away
// every Secret of the cluster.
function noRequests({ resource }: Identity, own: readonly Resource[], skipped: readonly Finding[]): Finding {
  const left = skipped.filter(({ code }) => byRelease.has(code)).length;
  const isRendered = own.some(
    ({ path = "", annotations }) => roleCarrierPath.test(path) && annotations.has(generatedBy),
  );
  if (left === 0 || !isRendered) {
    const message =
      "No CredentialsRequest counts for this cluster, so there is nothing to emit; are the release's requests in the package, and are they for AWS?";
    return finding("warning", "no-requests", message, { resource });
  }
  const message = `"spec.release" leaves out every CredentialsRequest for AWS that is there (${left}), and every role and Secret that was rendered would go; correct it, or remove the requests.`;
  return finding("error", "no-requests", message, { resource, field: "spec.release" });
}

const byRelease: ReadonlySet<string> = new Set([
  "skipped-feature-set",
  "skipped-feature-gate",
  "skipped-capability",
  "skipped-profile",
  "skipped-excluded",
]);
