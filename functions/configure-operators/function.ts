import type { Cluster, ComponentIdentity, Renderer } from "../../src/clouds/cloud.ts";
import { ClusterPackage, clusterPackageOf } from "../../src/clouds/cluster-package.ts";
import { heldFindings } from "../../src/clouds/held.ts";
import { clouds } from "../../src/clouds/index.ts";
import { lossesOfPackage, lostSecrets, missingSecrets } from "../../src/clouds/losses.ts";
import { secretForm } from "../../src/clouds/make-identities.ts";
import { identityDiffers } from "../../src/clouds/ownership.ts";
import type { RenderedBefore } from "../../src/clouds/rendered-before.ts";
import { allowanceNote, guardedRemoval } from "../../src/core/allowances.ts";
import { type Finding, hasError } from "../../src/core/finding.ts";
import type { FieldChange, GeneratedObject, Resource } from "../../src/core/resource.ts";
import { quote } from "../../src/core/text.ts";
import type { Identity } from "../../src/identity/cluster-identity.ts";
import {
  type FunctionInput,
  type FunctionOutput,
  failedOutput,
  isPruned,
  type KrmFunction,
} from "../../src/krm/function.ts";
import {
  configureSubscription,
  type RequestedVariable,
  type SubscriptionOutput,
} from "../../src/openshift/subscription.ts";
import {
  concernsOperators,
  delegatedTo,
  namelessSubscriptions,
  subscriptionFor,
} from "../../src/requests/operators.ts";
import type { SelectedRequest } from "../../src/requests/select.ts";

/** Generates the component identities of OLM operators, and tells each operator which one is its own. */
export const configureOperators: KrmFunction = {
  name: "configure-operators",
  summary: "generate identities for OLM operators, and set them in Subscriptions and requests",
  emits: [secretForm, ...clouds.flatMap(({ renderer }) => renderer.emits.identities)],
  adoptsFrom: ["generate-cloud-credentials"],
  run,
};

function run(input: FunctionInput): FunctionOutput {
  const pkg = clusterPackageOf(input);
  if (!(pkg instanceof ClusterPackage)) return failedOutput(pkg);
  const { identity, cloud, packagePath, items } = pkg;
  const nothing = { identity: identity.name, packagePath, objects: [], changes: [], preserved: [], findings: [] };
  const rendered = pkg.renderedBy(configureOperators.name);
  if (!items.some(concernsOperators) && rendered.size === 0) return nothing;

  const { cluster, selection, subscriptions, ownership } = pkg;
  const owned = [...ownership.withOwnIdentity.map(({ reason }) => reason), ...ownership.findings];
  const scope = pkg.scope("operators");
  const losses = lossesOfPackage(pkg, scope, rendered);
  const held = heldFindings(pkg, losses.preserved, true);
  if (scope.own.length === 0) {
    const { findings } = configureSubscriptions(pkg, new Map());
    const removals = { guard: identity, isExplained: losses.isExplained };
    return {
      ...nothing,
      preserved: losses.preserved,
      removals,
      findings: [...namelessSubscriptions(subscriptions), ...owned, ...losses.findings, ...held, ...findings],
    };
  }
  const findings = [
    ...namelessSubscriptions(subscriptions),
    ...allowanceNote(identity.resource),
    ...cluster.findings,
    ...selection.findings,
    ...pkg.workloads.common,
    ...owned,
    ...losses.findings,
    ...held,
    ...secretLosses(scope.own, rendered, identity, cloud.renderer),
    ...scope.delegated.map((request) => delegation(request, pkg)),
  ];
  if (cluster.value === undefined) return failedOutput([...findings, ...cloud.renderer.checkRequests(identity, scope)]);

  const { made, findings: ofRequests } = cluster.value.identities(scope);
  const setup = setUpOperators(made, cluster.value, rendered, pkg);
  const withSecrets = identity.operators.emitSecrets === true ? made : [];
  findings.push(...ofRequests, ...lostSecrets(withSecrets, rendered, identity, isPruned(input)), ...setup.findings);

  // Variables can only be compared if all of them are known: no request has an error, and the cluster has an issuer.
  const isKnown = cluster.value.trustedIssuers.length > 0 && !hasError(ofRequests);
  const configured = isKnown ? configureSubscriptions(pkg, setup.variables) : { changes: [], findings: [] };
  findings.push(...configured.findings);
  const { objects } = setup;
  const changes = [...setup.changes, ...configured.changes];
  const isLostSecret = missingSecrets(scope.own, objects);
  const isExplained = (item: Resource) => losses.isExplained(item) || isLostSecret(item);
  return {
    ...nothing,
    preserved: losses.preserved,
    objects,
    changes,
    removals: { guard: identity, isExplained },
    findings,
  };
}

function delegation(request: SelectedRequest, { ownership }: ClusterPackage): Finding {
  const { reason = "" } = ownership.owners.get(request) ?? {};
  return delegatedTo("skipped-platform", "generate-cloud-credentials", request.resource, reason);
}

/** What the identities of OLM operators add to a package, and the variables that each Subscription must set. */
interface OperatorsSetup {
  readonly objects: readonly GeneratedObject[];
  readonly changes: readonly FieldChange[];
  readonly findings: readonly Finding[];
  readonly variables: ReadonlyMap<Resource, readonly RequestedVariable[]>;
}

function setUpOperators(
  made: readonly ComponentIdentity[],
  cluster: Cluster,
  rendered: RenderedBefore,
  { identity, cloud, subscriptions }: ClusterPackage,
): OperatorsSetup {
  const objects: GeneratedObject[] = [];
  const changes: FieldChange[] = [];
  const findings: Finding[] = [];
  const variables = new Map<Resource, RequestedVariable[]>();
  for (const { request, bundle, operator } of made) {
    const setup = operator();
    objects.push(bundle, ...(identity.operators.emitSecrets === true ? [setup.secret() ?? []].flat() : []));
    const given = cluster.givenIdentity(request);
    const before = rendered.get(request.secretKey ?? "")?.bundle;
    const nameBefore = before === undefined ? undefined : cloud.renderer.nameOf(before);
    if (given !== undefined) findings.push(identityDiffers(request, given, nameBefore, cloud));
    changes.push(...setup.changes);
    findings.push(...setup.findings);
    const subscription = subscriptionFor(request, subscriptions);
    if ("severity" in subscription) {
      findings.push(subscription);
      continue;
    }
    const own = setup.variables.map((variable) => ({ ...variable, requestedBy: request.resource }));
    variables.set(subscription, [...(variables.get(subscription) ?? []), ...own]);
  }
  return { objects, changes, findings, variables };
}

// Only an explicit `emitSecrets: false` removes rendered Secrets: a field that was merely deleted must not.
function secretLosses(
  mine: readonly SelectedRequest[],
  rendered: RenderedBefore,
  identity: Identity,
  { operators }: Renderer,
): Finding[] {
  if (identity.operators.emitSecrets !== undefined) return [];
  const field = "spec.operators.emitSecrets";
  return mine.flatMap(({ resource, secretKey = "" }) => {
    if (rendered.get(secretKey)?.secret === undefined) return [];
    const message = `would lose its rendered Secret ${quote(secretKey)}, because "${field}" is no longer set. Set the field to true to keep the Secret, or to false if the cloud-credential-operator creates it (OpenShift ${operators.secretsSince} and later).`;
    return [guardedRemoval(identity, [secretKey], "secret-delegated", message, { resource })];
  });
}

function configureSubscriptions(
  { identity, cloud, cluster, subscriptions }: ClusterPackage,
  variables: ReadonlyMap<Resource, readonly RequestedVariable[]>,
): SubscriptionOutput {
  if (cluster.value === undefined) return { changes: [], findings: [] };
  const { ownVariable } = cluster.value;
  const rules = {
    installPlanApproval: identity.operators.installPlanApproval,
    identityNoun: cloud.identityNoun,
    ownVariable,
    identityVariable: cloud.renderer.operators.identityVariable,
    isName: cloud.renderer.operators.isName,
  } as const;
  const outputs = [...subscriptions.values()]
    .flat()
    .map((resource) => configureSubscription(resource, variables.get(resource) ?? [], rules));
  return {
    changes: outputs.flatMap((output) => output.changes),
    findings: outputs.flatMap((output) => output.findings),
  };
}
