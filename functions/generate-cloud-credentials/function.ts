import type { Cloud, Renderer } from "../../src/clouds/cloud.ts";
import { cloudOf, clouds } from "../../src/clouds/index.ts";
import { lossesOfPackage, unmatchedRemovals } from "../../src/clouds/losses.ts";
import { lostSecrets } from "../../src/clouds/lost-secrets.ts";
import { isIdentity, readIdentity } from "../../src/clouds/read-identity.ts";
import { type RenderedBefore, renderedBefore } from "../../src/clouds/rendered-before.ts";
import { secretForm } from "../../src/clouds/secret.ts";
import { allowanceNote, guarded, guardedRemoval } from "../../src/core/allowances.ts";
import { type Finding, finding } from "../../src/core/finding.ts";
import { inPackage, type Resource } from "../../src/core/resource.ts";
import { printable, quote } from "../../src/core/text.ts";
import type { Identity } from "../../src/identity/cluster-identity.ts";
import { type FunctionInput, type FunctionOutput, failed, type KrmFunction } from "../../src/krm/function.ts";
import { isPruned } from "../../src/krm/is-pruned.ts";
import { isExcludedByRelease } from "../../src/requests/losses.ts";
import { delegatedTo, ownerOf, subscriptionsOf } from "../../src/requests/operators.ts";
import { unknownReleaseNames } from "../../src/requests/release-names.ts";
import { type SelectedRequest, type Selection, selectRequests } from "../../src/requests/select.ts";

/**
 * Generates the component identity of each included CredentialsRequest, and the Secret through which its component uses
 * it.
 */
export const generateCloudCredentials: KrmFunction = {
  name: "generate-cloud-credentials",
  summary: "generate an identity and a Secret for each CredentialsRequest of the cluster",
  emits: [secretForm, ...clouds.flatMap(({ renderer }) => renderer.emits.identities)],
  adoptsFrom: ["configure-operators"],
  run,
};

function run(input: FunctionInput): FunctionOutput {
  const { items, functionConfig, previousName, notRead, ignored } = input;
  const identity = readIdentity(items, functionConfig, input.allowed);
  if (!isIdentity(identity)) return failed(identity);
  const cloud = cloudOf(identity);
  const { providerKind, merge, renderer } = cloud;
  const { packagePath } = identity.resource;
  const own = inPackage(items, packagePath);
  const { value: cluster, findings: problems } = renderer.readCluster(identity, own);
  const selection = selectRequests(own, identity.release, providerKind, {
    merging: { merge, tokenPath: identity.tokenPath },
  });
  const { requests: selected } = selection;
  const findings = [
    ...allowanceNote(identity.resource),
    ...unmatchedRemovals(identity, own, selected, previousName, renderer),
    ...unknownReleaseNames(identity.release, own, identity.resource),
    ...problems,
    ...selection.findings,
  ];
  const rendered = renderedBefore(own, generateCloudCredentials.name, identity, previousName, renderer);
  const subscriptions = subscriptionsOf(own);
  const operators = new Set<SelectedRequest>();
  for (const request of selected) {
    const { isOperators, reason } = ownerOf(request, subscriptions);
    if (!isOperators) continue;
    operators.add(request);
    findings.push(delegatedTo("skipped-operator", "configure-operators", request.resource, reason));
    findings.push(...secretLoss(request, rendered, identity, reason, renderer));
  }
  const isOwn = (request: SelectedRequest) => !operators.has(request);
  const scope = { selected, isOwn, completesRequests: false };
  const requests = {
    selection,
    own: selected.filter(isOwn),
    delegated: [...operators],
    previousName,
    notRead,
    ignored,
  };
  const losses = lossesOfPackage(identity, cluster, own, rendered, requests, renderer);
  if (cluster === undefined)
    return failed([...findings, ...renderer.checkRequests(identity, scope), ...losses.findings]);
  const { made, findings: wrong } = cluster.identities(scope);
  findings.push(...wrong, ...losses.findings);
  if (selected.length === 0 && rendered.size === 0) findings.push(noRequests(identity, cloud, selection, input));
  // With emitSecrets, configure-operators generates the Secrets of the requests that it takes over.
  const isMoved = (request: SelectedRequest) =>
    operators.has(request) && rendered.get(request.secretKey ?? "")?.secret !== undefined;
  const movedSecrets = () =>
    identity.operators.emitSecrets === true && selected.some(isMoved)
      ? cluster.identities({ selected, isOwn: isMoved, completesRequests: true }).made
      : [];
  const objects = made.flatMap(({ secret, bundle }) => [secret() ?? [], bundle].flat());
  findings.push(...lostSecrets([...made, ...movedSecrets()], rendered, identity, isPruned(input)));
  const withoutSecret = new Set(made.flatMap(({ request, secret }) => (secret() ? [] : [request.secretKey])));
  const isLostSecret = ({ kind, namespace, name }: Resource) =>
    kind === secretForm.kind && withoutSecret.has(`${namespace}/${name}`);
  const isExplained = (item: Resource) => losses.isExplained(item) || isLostSecret(item);
  const removals = { guard: identity, isExplained };
  return { identity: identity.name, packagePath, objects, changes: [], preserved: [], removals, findings };
}

// If a request now belongs to an OLM operator, its Secret is removed, unless configure-operators generates it.
function secretLoss(
  { resource, secretKey = "" }: SelectedRequest,
  rendered: RenderedBefore,
  identity: Identity,
  reason: string,
  { operators }: Renderer,
): Finding[] {
  const { emitSecrets } = identity.operators;
  const gone = rendered.get(secretKey)?.secret;
  if (emitSecrets === true || gone === undefined) return [];
  const message = `now belongs to an OLM operator (${printable(reason)}), so its Secret ${quote(secretKey)}, rendered in ${quote(gone.path ?? "")}, would be removed. If a platform component reads the Secret, move the Subscription to another namespace. Otherwise, set "spec.operators.emitSecrets" to true to keep the Secret, or to false if the cloud-credential-operator creates it (OpenShift ${operators.secretsSince} and later).`;
  // With `false`, the configuration itself asks for the removal.
  if (emitSecrets === false) return [finding("warning", "secret-delegated", message, { resource })];
  return [guardedRemoval(identity, [secretKey], "secret-delegated", message, { resource })];
}

// A first render may come before the requests. If missing objects are pruned, output without requests would delete
// everything.
function noRequests(identity: Identity, cloud: Cloud, { skipped }: Selection, input: FunctionInput): Finding {
  const byRelease = skipped.filter(({ reason }) => isExcludedByRelease(reason)).length;
  const excluded = byRelease === 0 ? "" : ` "spec.release" excludes ${byRelease} of the package's requests.`;
  const message = `No CredentialsRequest is included in this cluster, so no ${cloud.identityNoun} and no Secret is generated.${excluded} Add the release's requests for ${cloud.title} to the package.`;
  const { resource } = identity;
  // If the release deletes every request, an empty output is correct.
  const isAsked = skipped.length > 0 && skipped.every(({ reason }) => reason.code === "skipped-deletion");
  return !isAsked && isPruned(input)
    ? guarded(identity, "removal", "no-requests", message)
    : finding("warning", "no-requests", message, { resource });
}
