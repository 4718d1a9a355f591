import { scriptsBundle, scriptsBundlePath } from "../../src/clouds/aws/cluster/cluster-bundle.ts";
import { readAwsCluster } from "../../src/clouds/aws/cluster/read-cluster.ts";
import { lossesOfPackage, type RenderedBefore, renderedBefore } from "../../src/clouds/aws/identities/losses.ts";
import { roleBundle, roleBundlePath, roleStemOf } from "../../src/clouds/aws/identities/role-bundle.ts";
import { makeRoles } from "../../src/clouds/aws/identities/roles.ts";
import { credentialsSecret, secretPath } from "../../src/clouds/aws/identities/secret.ts";
import { allowanceNote, guarded } from "../../src/core/allowances.ts";
import { type Finding, finding } from "../../src/core/finding.ts";
import { type GeneratedObject, inPackage } from "../../src/core/resource.ts";
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
import { isExcludedByRelease } from "../../src/requests/losses.ts";
import { delegatedTo, ownerOf, subscriptionsOf } from "../../src/requests/operators.ts";
import { unknownReleaseNames } from "../../src/requests/release-names.ts";
import { type SelectedRequest, type Selection, selectRequests } from "../../src/requests/select.ts";

/** Emits, for each CredentialsRequest that counts, its role and the Secret with which its component becomes it. */
export const generateCloudCredentials: KrmFunction = {
  name: "generate-cloud-credentials",
  summary: "Emits a role with its policies and the Secret for each CredentialsRequest that counts for the cluster.",
  emits: [
    { apiVersion: "v1", kind: "Secret", path: secretPath },
    { apiVersion: "v1", kind: "ConfigMap", path: roleBundlePath },
    { apiVersion: "v1", kind: "ConfigMap", path: exactly(scriptsBundlePath), shared: true },
  ],
  adoptsFrom: ["configure-operators"],
  run,
};

function run(input: FunctionInput): FunctionOutput {
  const { items, functionConfig, layOut = asValue } = input;
  const identity = readIdentity(items, functionConfig, input.allowed);
  if (!isIdentity(identity)) return failed(identity);
  const { packagePath } = identity.resource;
  const own = inPackage(items, packagePath);
  const { cluster, findings: problems } = readAwsCluster(identity, own);
  const selection = selectRequests(own, identity.release, "AWSProviderSpec");
  const { requests: selected } = selection;
  const objects: GeneratedObject[] = cluster === undefined ? [] : [scriptsBundle(cluster)];
  const subscriptions = subscriptionsOf(own);
  const findings = [
    ...allowanceNote(identity.resource),
    ...unknownReleaseNames(identity.release, own, identity.resource),
    ...problems,
    ...selection.findings,
  ];
  const rendered = renderedBefore(own, generateCloudCredentials.name, identity, input.previousName);
  const operators = new Set<SelectedRequest>();
  for (const one of selected) {
    const { isOperators, reason } = ownerOf(one, subscriptions);
    if (!isOperators) continue;
    operators.add(one);
    findings.push(delegatedTo("skipped-operator", "configure-operators", one.resource, reason));
    findings.push(...secretLoss(one, rendered, identity, reason));
  }
  const isOwn = (one: SelectedRequest) => !operators.has(one);
  findings.push(
    ...makeRoles(identity, cluster, { selected, isOwn }, (trusted, role) => {
      objects.push(layOut(credentialsSecret(trusted, role)), layOut(roleBundle(trusted, role)));
    }),
  );
  const { previousName, notRead, ignored } = input;
  const requests = {
    selection,
    own: selected.filter(isOwn),
    delegated: [...operators],
    previousName,
    notRead,
    ignored,
  };
  findings.push(...lossesOfPackage(identity, cluster, own, rendered, requests));
  if (cluster === undefined) return failed(findings);
  if (selected.length === 0 && rendered.size === 0) findings.push(noRequests(identity, selection, input));
  return { identity: identity.name, packagePath, objects, changes: [], keeps: [], findings };
}

// The Secret of a request that has become an operator's goes, unless configure-operators makes it.
function secretLoss(
  { resource, secretKey = "" }: SelectedRequest,
  rendered: RenderedBefore,
  identity: Identity,
  reason: string,
): Finding[] {
  const { emitSecrets } = identity.operators;
  const gone = rendered.get(roleStemOf(secretKey));
  if (emitSecrets === true || gone?.kind !== "Secret") return [];
  const message = `counts as an operator's now (${printable(reason)}), and its Secret ${quote(secretKey)}, which was rendered in ${quote(gone.path ?? "")}, would be removed. If a component of the platform reads the Secret, move the Subscription; else set "spec.operators.emitSecrets" to true to keep it, or to false if the cloud-credential-operator makes it, from 4.14 on.`;
  const guard = emitSecrets === false ? { ...identity, allowed: new Set(["removal"]) } : identity;
  return [guarded(guard, "removal", "secret-left-to-operator", message, { resource })];
}

// A first render may come before the requests; an answer that others prune by may not.
function noRequests(
  identity: Identity,
  { skipped }: Selection,
  { answerPrunes, functionConfig }: FunctionInput,
): Finding {
  const byRelease = skipped.filter(({ reason }) => isExcludedByRelease(reason)).length;
  const left = byRelease === 0 ? "" : ` "spec.release" leaves out the ${byRelease} that are there.`;
  const message = `No CredentialsRequest counts for this cluster, so no role and no Secret is emitted.${left} Put the release's requests for AWS into the package.`;
  const { resource } = identity;
  // A release that deletes every request asks for an answer without any.
  const isAsked = skipped.length > 0 && skipped.every(({ reason }) => reason.code === "skipped-deletion");
  const prunes = !isAsked && (answerPrunes ?? functionConfig?.annotations.has(kustomizeFunction) === true);
  return prunes
    ? guarded(identity, "removal", "no-requests", message)
    : finding("warning", "no-requests", message, { resource });
}

/** In the configuration of a function that kustomize runs: its answer is applied, and what it lacks is pruned. */
const kustomizeFunction = "config.kubernetes.io/function";
