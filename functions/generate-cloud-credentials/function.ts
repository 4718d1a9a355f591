import type { Cloud, ComponentIdentity, Renderer } from "../../src/clouds/cloud.ts";
import { ClusterPackage, clusterPackageOf, type FunctionScope } from "../../src/clouds/cluster-package.ts";
import { notForTeams } from "../../src/clouds/facts.ts";
import { heldFindings } from "../../src/clouds/held.ts";
import { clouds } from "../../src/clouds/index.ts";
import { lossesOfPackage, lostSecrets, missingSecrets, unmatchedRemovals } from "../../src/clouds/losses.ts";
import { secretForm } from "../../src/clouds/make-identities.ts";
import type { RenderedBefore } from "../../src/clouds/rendered-before.ts";
import { allowanceNote, guarded, guardedRemoval } from "../../src/core/allowances.ts";
import { type Finding, finding } from "../../src/core/finding.ts";
import type { Resource } from "../../src/core/resource.ts";
import { printable, quote } from "../../src/core/text.ts";
import type { Identity } from "../../src/identity/cluster-identity.ts";
import {
  type FunctionInput,
  type FunctionOutput,
  failedOutput,
  isPruned,
  type KrmFunction,
} from "../../src/krm/function.ts";
import { releaseField } from "../../src/requests/losses.ts";
import { delegatedTo } from "../../src/requests/operators.ts";
import type { RequestSelection, SelectedRequest } from "../../src/requests/select.ts";
import { contestedFinding, missingMessage } from "../../src/requests/undecided.ts";
import { unknownReleaseNames } from "../../src/requests/unknown-names.ts";

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
  const pkg = clusterPackageOf(input);
  if (!(pkg instanceof ClusterPackage)) return failedOutput(pkg);
  const { identity, cloud, packagePath, items, selection, cluster, ownership } = pkg;
  if (identity.facts !== undefined) return { ...failedOutput(notForTeams(pkg)), identity: identity.name, packagePath };
  const { renderer } = cloud;
  const scope = pkg.scope("platform");
  const { selected, delegated } = scope;
  const rendered = pkg.renderedBy(generateCloudCredentials.name);
  const losses = lossesOfPackage(pkg, scope, rendered);
  const findings = [
    ...allowanceNote(identity.resource),
    ...unmatchedRemovals(identity, items, selected, input.previousName, renderer),
    ...unknownReleaseNames(identity.release, items, identity.resource),
    ...cluster.findings,
    ...selection.findings,
    ...pkg.workloads.common,
    ...unsettled(pkg, rendered, input),
    ...ownership.withOwnIdentity.map(({ reason }) => reason),
    ...ownership.findings,
    ...delegated.flatMap((request) => delegation(request, pkg, rendered)),
  ];
  if (cluster.value === undefined)
    return failedOutput([...findings, ...renderer.checkRequests(identity, scope), ...losses.findings]);
  const { made, findings: ofRequests } = cluster.value.identities(scope);
  findings.push(...ofRequests, ...losses.findings);
  if (selected.length === 0 && rendered.size === 0) findings.push(noRequests(identity, cloud, selection, input));
  const moved = movedSecrets(pkg, scope, rendered);
  findings.push(...lostSecrets([...made, ...moved], rendered, identity, isPruned(input)));
  const objects = made.flatMap(({ secret, bundle }) => [secret() ?? [], bundle].flat());
  const isLostSecret = missingSecrets(scope.own, objects);
  const isExplained = (item: Resource) => losses.isExplained(item) || isLostSecret(item);
  const removals = { guard: identity, isExplained };
  const { preserved } = losses;
  findings.push(...heldFindings(pkg, preserved, false));
  return { identity: identity.name, packagePath, objects, changes: [], preserved, removals, findings };
}

// An undecided request is an error if nothing was rendered that could stay, and its component could lose its credentials.
function unsettled({ identity, held, selection }: ClusterPackage, rendered: RenderedBefore, input: FunctionInput) {
  const reported = new Set<string>();
  return selection.undecided.flatMap((one): Finding[] => {
    const { secretKey = "", rival } = one;
    if (!held.has(secretKey) || rendered.has(secretKey) || reported.has(secretKey)) return [];
    reported.add(secretKey);
    if (rival !== undefined) return [contestedFinding({ ...one, rival })];
    // What was rendered is in the input: then nothing of this request was.
    if (!isPruned(input) || rendered.size > 0) return [];
    return [guardedRemoval(identity, [secretKey], "secret-lost", missingMessage(one), { resource: one.resource })];
  });
}

// With emitSecrets, configure-operators generates the Secrets of the requests that it takes over.
function movedSecrets(
  { identity, cluster }: ClusterPackage,
  { selected, held, delegated }: FunctionScope,
  rendered: RenderedBefore,
): readonly ComponentIdentity[] {
  const moved = new Set(delegated.filter(({ secretKey = "" }) => rendered.get(secretKey)?.secret !== undefined));
  if (identity.operators.emitSecrets !== true || moved.size === 0 || cluster.value === undefined) return [];
  return cluster.value.identities({ selected, held, isOwn: (request) => moved.has(request), completesRequests: true })
    .made;
}

function delegation(
  request: SelectedRequest,
  { identity, cloud, ownership }: ClusterPackage,
  rendered: RenderedBefore,
) {
  const { reason = "" } = ownership.owners.get(request) ?? {};
  return [
    delegatedTo("skipped-operator", "configure-operators", request.resource, reason),
    ...secretLoss(request, rendered, identity, reason, cloud.renderer),
  ];
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
function noRequests(identity: Identity, cloud: Cloud, { skipped }: RequestSelection, input: FunctionInput): Finding {
  const byRelease = skipped.filter(({ reason }) => releaseField(reason) !== undefined).length;
  const excluded = byRelease === 0 ? "" : ` "spec.release" excludes ${byRelease} of the package's requests.`;
  const message = `No CredentialsRequest is included in this cluster, so no ${cloud.identityNoun} and no Secret is generated.${excluded} Add the release's requests for ${cloud.title} to the package.`;
  const { resource } = identity;
  // If the release deletes every request, an empty output is correct.
  const isAsked = skipped.length > 0 && skipped.every(({ reason }) => reason.code === "skipped-deletion");
  return !isAsked && isPruned(input)
    ? guarded(identity, "removal", "no-requests", message)
    : finding("warning", "no-requests", message, { resource });
}
