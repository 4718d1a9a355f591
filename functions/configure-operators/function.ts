import { type AwsCluster, trustedIssuers } from "../../src/clouds/aws/cluster/cluster.ts";
import { scriptsBundle, scriptsBundlePath } from "../../src/clouds/aws/cluster/cluster-bundle.ts";
import { readAwsCluster } from "../../src/clouds/aws/cluster/read-cluster.ts";
import { lossesOfPackage, type RenderedBefore, renderedBefore } from "../../src/clouds/aws/identities/losses.ts";
import { roleBundle, roleBundlePath, roleStemOf } from "../../src/clouds/aws/identities/role-bundle.ts";
import { makeRoles } from "../../src/clouds/aws/identities/roles.ts";
import { operatorSecret, secretPath } from "../../src/clouds/aws/identities/secret.ts";
import { completeRequest, isRoleOf, roleVariables, writtenFields } from "../../src/clouds/aws/operators/operator.ts";
import { allowanceNote, guarded } from "../../src/core/allowances.ts";
import { type Finding, hasError } from "../../src/core/finding.ts";
import { type FieldChange, type GeneratedObject, inPackage, type Resource } from "../../src/core/resource.ts";
import { quote } from "../../src/core/text.ts";
import { type Identity, isIdentity, readIdentity } from "../../src/identity/cluster-identity.ts";
import {
  asValue,
  exactly,
  type FunctionInput,
  type FunctionOutput,
  failed,
  type KrmFunction,
} from "../../src/krm/function.ts";
import { configureSubscription, type SubscriptionOutput, type Variable } from "../../src/openshift/subscription.ts";
import {
  delegatedTo,
  namelessSubscriptions,
  ownerOf,
  type Subscriptions,
  speaksOfOperators,
  subscriptionFor,
  subscriptionsOf,
} from "../../src/requests/operators.ts";
import { type SelectedRequest, selectRequests } from "../../src/requests/select.ts";

/** Emits the roles of operators that are installed with OLM, and tells each operator its own. */
export const configureOperators: KrmFunction = {
  name: "configure-operators",
  summary:
    "Emits a role for each CredentialsRequest of an operator, and sets it in the operator's Subscription and request.",
  emits: [
    { apiVersion: "v1", kind: "Secret", path: secretPath },
    { apiVersion: "v1", kind: "ConfigMap", path: roleBundlePath },
    { apiVersion: "v1", kind: "ConfigMap", path: exactly(scriptsBundlePath), shared: true },
  ],
  adoptsFrom: ["generate-cloud-credentials"],
  run,
};

function run(input: FunctionInput): FunctionOutput {
  const { items, functionConfig, layOut = asValue } = input;
  const identity = readIdentity(items, functionConfig, input.allowed);
  if (!isIdentity(identity)) return failed(identity);
  const { packagePath } = identity.resource;
  const own = inPackage(items, packagePath);
  // The scripts are the other functions' too: where there is no role to apply, nothing is said of them here.
  const keeps = own.filter(({ path }) => path === scriptsBundlePath);
  const nothing = { identity: identity.name, packagePath, objects: [], changes: [], keeps, findings: [] };
  const rendered = renderedBefore(own, configureOperators.name, identity, input.previousName);
  if (!own.some(speaksOfOperators) && rendered.size === 0) return nothing;
  const { cluster, findings: problems } = readAwsCluster(identity, own);
  const selection = selectRequests(own, identity.release, "AWSProviderSpec");
  const { requests } = selection;
  const subscriptions = subscriptionsOf(own);
  const owners = new Map(requests.map((one) => [one, ownerOf(one, subscriptions)]));
  const findings: Finding[] = namelessSubscriptions(subscriptions);
  const isOwn = (one: SelectedRequest) => owners.get(one)?.isOperators === true;
  const [mine, others] = [requests.filter(isOwn), requests.filter((one) => !isOwn(one))];
  const { previousName, notRead, ignored } = input;
  const known = { selection, own: mine, delegated: others, previousName, notRead, ignored };
  const losses = lossesOfPackage(identity, cluster, own, rendered, known);
  if (mine.length === 0) {
    findings.push(...losses);
    if (cluster !== undefined) findings.push(...configure(identity, cluster, subscriptions, new Map()).findings);
    return { ...nothing, findings };
  }
  findings.push(...allowanceNote(identity.resource), ...problems, ...selection.findings, ...losses);
  findings.push(...secretLosses(mine, rendered, identity));
  for (const [{ resource }, { isOperators, reason }] of owners) {
    if (!isOperators) findings.push(delegatedTo("skipped-platform", "generate-cloud-credentials", resource, reason));
  }
  const objects: GeneratedObject[] = cluster === undefined ? [] : [scriptsBundle(cluster)];
  const changes: FieldChange[] = [];
  const asked = new Map<Resource, Variable[]>();
  const made = makeRoles(identity, cluster, { selected: requests, isOwn, writes: writtenFields }, (trusted, role) => {
    objects.push(layOut(roleBundle(trusted, role)));
    if (identity.operators.emitSecrets === true) objects.push(layOut(operatorSecret(trusted, role)));
    const completed = completeRequest(trusted, role);
    changes.push(...completed.changes);
    const { names, findings: wrong } = roleVariables(role.request);
    findings.push(...completed.findings, ...wrong);
    const subscription = subscriptionFor(role.request, subscriptions);
    if ("severity" in subscription) findings.push(subscription);
    else
      asked.set(subscription, [
        ...(asked.get(subscription) ?? []),
        ...names.map((name) => ({ name, value: role.arn, asker: role.request.resource })),
      ]);
  });
  findings.push(...made);
  if (cluster === undefined) return failed(findings);
  // What a request with an error asks for is not known, nor what any asks for while no issuer is.
  if (trustedIssuers(cluster).length > 0 && !hasError(made)) {
    const configured = configure(identity, cluster, subscriptions, asked);
    changes.push(...configured.changes);
    findings.push(...configured.findings);
  }
  return { ...nothing, objects, changes, keeps: [], findings };
}

// The Secrets of operators go with the field that asks for them, and only where it says so.
function secretLosses(mine: readonly SelectedRequest[], rendered: RenderedBefore, identity: Identity): Finding[] {
  if (identity.operators.emitSecrets !== undefined) return [];
  const field = "spec.operators.emitSecrets";
  return mine.flatMap(({ resource, secretKey = "" }) => {
    const gone = rendered.get(roleStemOf(secretKey));
    if (gone?.kind !== "Secret") return [];
    const message = `has the rendered Secret ${quote(secretKey)}, which would be removed, because "${field}" is no longer set. Set it to true to keep the Secret, or to false if the cloud-credential-operator makes it, from 4.14 on.`;
    return [guarded(identity, "removal", "secret-left-to-operator", message, { resource })];
  });
}

function configure(
  { operators }: Identity,
  cluster: AwsCluster,
  subscriptions: Subscriptions,
  asked: ReadonlyMap<Resource, readonly Variable[]>,
): SubscriptionOutput {
  const rules = { installPlanApproval: operators.installPlanApproval, isOurs: isRoleOf(cluster) };
  const outputs = [...subscriptions.values()]
    .flat()
    .map((one) => configureSubscription(one, asked.get(one) ?? [], rules));
  return { changes: outputs.flatMap((one) => one.changes), findings: outputs.flatMap((one) => one.findings) };
}
