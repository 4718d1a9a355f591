import type { Cloud, Cluster, Renderer } from "../../src/clouds/cloud.ts";
import { cloudOf, clouds } from "../../src/clouds/index.ts";
import { lossesOfPackage } from "../../src/clouds/losses.ts";
import { lostSecrets } from "../../src/clouds/lost-secrets.ts";
import { isIdentity, readIdentity } from "../../src/clouds/read-identity.ts";
import { type RenderedBefore, renderedBefore } from "../../src/clouds/rendered-before.ts";
import { secretForm } from "../../src/clouds/secret.ts";
import { allowanceNote, guardedRemoval } from "../../src/core/allowances.ts";
import { type Finding, hasError } from "../../src/core/finding.ts";
import { type FieldChange, type GeneratedObject, inPackage, type Resource } from "../../src/core/resource.ts";
import { quote } from "../../src/core/text.ts";
import type { Identity } from "../../src/identity/cluster-identity.ts";
import { type FunctionInput, type FunctionOutput, failed, type KrmFunction } from "../../src/krm/function.ts";
import { isPruned } from "../../src/krm/is-pruned.ts";
import { configureSubscription, type SubscriptionOutput, type Variable } from "../../src/openshift/subscription.ts";
import {
  concernsOperators,
  delegatedTo,
  namelessSubscriptions,
  ownerOf,
  type Subscriptions,
  subscriptionFor,
  subscriptionsOf,
} from "../../src/requests/operators.ts";
import { type SelectedRequest, selectRequests } from "../../src/requests/select.ts";

/** Generates the component identities of OLM operators, and tells each operator which one is its own. */
export const configureOperators: KrmFunction = {
  name: "configure-operators",
  summary: "generate identities for OLM operators, and set them in Subscriptions and requests",
  emits: [secretForm, ...clouds.flatMap(({ renderer }) => renderer.emits.identities)],
  adoptsFrom: ["generate-cloud-credentials"],
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
  const nothing = { identity: identity.name, packagePath, objects: [], changes: [], preserved: [], findings: [] };
  const rendered = renderedBefore(own, configureOperators.name, identity, previousName, renderer);
  if (!own.some(concernsOperators) && rendered.size === 0) return nothing;
  const { value: cluster, findings: problems } = renderer.readCluster(identity, own);
  const selection = selectRequests(own, identity.release, providerKind, {
    merging: { merge, tokenPath: identity.tokenPath },
  });
  const { requests: selected } = selection;
  const subscriptions = subscriptionsOf(own);
  const owners = new Map(selected.map((request) => [request, ownerOf(request, subscriptions)]));
  const findings: Finding[] = namelessSubscriptions(subscriptions);
  const isOwn = (request: SelectedRequest) => owners.get(request)?.isOperators === true;
  const [mine, others] = [selected.filter(isOwn), selected.filter((request) => !isOwn(request))];
  const known = { selection, own: mine, delegated: others, previousName, notRead, ignored };
  const losses = lossesOfPackage(identity, cluster, own, rendered, known, renderer);
  if (mine.length === 0) {
    findings.push(...losses.findings);
    if (cluster !== undefined) findings.push(...configure(identity, cloud, cluster, subscriptions, new Map()).findings);
    return { ...nothing, removals: { guard: identity, isExplained: losses.isExplained }, findings };
  }
  findings.push(...allowanceNote(identity.resource), ...problems, ...selection.findings, ...losses.findings);
  findings.push(...secretLosses(mine, rendered, identity, renderer));
  for (const [{ resource }, { isOperators, reason }] of owners) {
    if (!isOperators) findings.push(delegatedTo("skipped-platform", "generate-cloud-credentials", resource, reason));
  }
  const scope = { selected, isOwn, completesRequests: true };
  if (cluster === undefined) return failed([...findings, ...renderer.checkRequests(identity, scope)]);
  const { made, findings: wrong } = cluster.identities(scope);
  findings.push(...wrong);
  const withSecrets = made.filter(() => identity.operators.emitSecrets === true);
  findings.push(...lostSecrets(withSecrets, rendered, identity, isPruned(input)));
  const objects: GeneratedObject[] = [];
  const changes: FieldChange[] = [];
  const requested = new Map<Resource, Variable[]>();
  for (const { request, bundle, operator } of made) {
    const setup = operator();
    objects.push(bundle, ...(identity.operators.emitSecrets === true ? [setup.secret() ?? []].flat() : []));
    changes.push(...setup.changes);
    findings.push(...setup.findings);
    const subscription = subscriptionFor(request, subscriptions);
    if ("severity" in subscription) findings.push(subscription);
    else
      requested.set(subscription, [
        ...(requested.get(subscription) ?? []),
        ...setup.variables.map((variable) => ({ ...variable, requestedBy: request.resource })),
      ]);
  }
  // Variables can only be compared if all of them are known: no request has an error, and the cluster has an issuer.
  if (cluster.trustedIssuers.length > 0 && !hasError(wrong)) {
    const configured = configure(identity, cloud, cluster, subscriptions, requested);
    changes.push(...configured.changes);
    findings.push(...configured.findings);
  }
  // The Secrets that it does not generate: see `lostSecrets` and `secretLosses`.
  const generated = new Set(
    objects.flatMap(({ object }) =>
      object.kind === secretForm.kind ? [`${object.metadata.namespace}/${object.metadata.name}`] : [],
    ),
  );
  const keys = new Set(mine.flatMap(({ secretKey = "" }) => (generated.has(secretKey) ? [] : [secretKey])));
  const isLostSecret = (item: Resource) => item.kind === secretForm.kind && keys.has(`${item.namespace}/${item.name}`);
  const isExplained = (item: Resource) => losses.isExplained(item) || isLostSecret(item);
  return { ...nothing, objects, changes, removals: { guard: identity, isExplained }, findings };
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

function configure(
  { operators }: Identity,
  { identityNoun, renderer }: Cloud,
  { ownVariable }: Cluster,
  subscriptions: Subscriptions,
  requested: ReadonlyMap<Resource, readonly Variable[]>,
): SubscriptionOutput {
  const { isName } = renderer.operators;
  const rules = {
    installPlanApproval: operators.installPlanApproval ?? "Manual",
    identityNoun,
    ownVariable,
    isName,
  } as const;
  const outputs = [...subscriptions.values()]
    .flat()
    .map((resource) => configureSubscription(resource, requested.get(resource) ?? [], rules));
  return {
    changes: outputs.flatMap((output) => output.changes),
    findings: outputs.flatMap((output) => output.findings),
  };
}
