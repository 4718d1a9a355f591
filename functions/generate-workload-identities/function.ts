import { ClusterPackage, clusterPackageOf } from "../../src/clouds/cluster-package.ts";
import { editedFacts, notForTeams } from "../../src/clouds/facts.ts";
import { clouds } from "../../src/clouds/index.ts";
import { lossesOfPackage } from "../../src/clouds/losses.ts";
import { secretForm } from "../../src/clouds/make-identities.ts";
import { inTermsOfWorkload } from "../../src/clouds/workloads.ts";
import { allowanceNote, guardedRemoval, removableName } from "../../src/core/allowances.ts";
import { type Finding, finding, hasError } from "../../src/core/finding.ts";
import { describe, type GeneratedObject, type Resource, refOf } from "../../src/core/resource.ts";
import { quote } from "../../src/core/text.ts";
import { listed } from "../../src/core/words.ts";
import type { Identity } from "../../src/identity/cluster-identity.ts";
import {
  type FunctionInput,
  type FunctionOutput,
  failedOutput,
  isPruned,
  type KrmFunction,
} from "../../src/krm/function.ts";
import { deliveredBy, patchesAmong, replacedByPatch, serviceAccountForms } from "../../src/workloads/delivery.ts";
import { workloadsFunction } from "../../src/workloads/pipeline.ts";
import { podFindings } from "../../src/workloads/pods.ts";

/**
 * Generates the identity of each WorkloadIdentity within the guard rails of the ClusterIdentity, and the ServiceAccounts, the
 * patches, or the Secret through which pods use it.
 */
export const generateWorkloadIdentities: KrmFunction = {
  name: workloadsFunction,
  summary: "generate an identity for each WorkloadIdentity, and the ServiceAccounts of its pods",
  // In the package of a team, also the facts about the cluster.
  emits: [
    ...serviceAccountForms,
    secretForm,
    ...clouds.flatMap(({ renderer }) => [...renderer.emits.identities, ...renderer.emits.issuer]),
  ],
  run,
};

function run(input: FunctionInput): FunctionOutput {
  const pkg = clusterPackageOf(input);
  if (!(pkg instanceof ClusterPackage)) return failedOutput(pkg);
  const { identity, cloud, packagePath, items, workloads, cluster } = pkg;
  const nothing = { identity: identity.name, packagePath, objects: [], changes: [], preserved: [], findings: [] };
  const rendered = pkg.renderedBy(generateWorkloadIdentities.name);
  const isForTeam = identity.facts !== undefined;
  if (workloads.requests.length === 0 && rendered.size === 0 && !isForTeam)
    return { ...nothing, findings: workloads.findings };

  const scope = pkg.scope("workloads");
  const losses = lossesOfPackage(pkg, scope, rendered);
  const ofFacts = [...editedFacts(identity), ...notForTeams(pkg)];
  const findings: Finding[] = [
    ...allowanceNote(identity.resource),
    ...ofFacts,
    ...workloads.findings,
    ...losses.findings,
  ];
  if (cluster.value === undefined || hasError([...ofFacts, ...workloads.findings]))
    return failedOutput([...cluster.findings, ...findings]);
  const { made, findings: said } = cluster.value.identities(scope);
  const { fields } = cloud.renderer.workloads;
  findings.push(...said.map((one) => inTermsOfWorkload(one, cloud.name, fields)));
  findings.push(...podFindings(workloads.requests, items, cloud.renderer.workloads.podLabel));

  const preserved: Resource[] = [...losses.preserved];
  const objects = made.flatMap((one) => {
    const delivered = deliveredBy(one);
    if (delivered !== undefined) return [one.bundle, ...delivered];
    const before = rendered.get(one.request.secretKey ?? "")?.manifests ?? [];
    preserved.push(...before);
    findings.push(...undelivered(pkg, one.request, before, isPruned(input)));
    return [one.bundle];
  });
  const before = [...rendered.values()].flatMap(({ manifests }) => manifests);
  findings.push(
    ...replacedByPatch(before, objects).map((item) => replaced(identity, item)),
    ...(isPruned(input) ? leftOut(objects) : []),
  );
  const removals = { guard: identity, isExplained: losses.isExplained };
  if (isForTeam) objects.push(cluster.value.facts());
  return { ...nothing, objects, preserved, removals, findings };
}

// The team's own ServiceAccount has the same name, so a tool that deletes what is missing may delete it.
function replaced(identity: Identity, item: Resource): Finding {
  const message = `${describe(refOf(item))}, rendered in ${quote(item.path ?? "")}, would be replaced by a patch, because "spec.delivery" of its WorkloadIdentity is now "Patch". Where missing objects are deleted, pods lose their ServiceAccount. Let the team apply its own ServiceAccount with the patch first, then allow the removal.`;
  return guardedRemoval(identity, [removableName(item)], "object-lost", message, { resource: item });
}

// A stream of manifests contains what a cluster gets, and a patch is none of it.
function leftOut(objects: readonly GeneratedObject[]): Finding[] {
  const patches = patchesAmong(objects).map(({ path }) => path);
  if (patches.length === 0) return [];
  const message = `The output is applied to a cluster as a whole, so it does not contain ${patches.length === 1 ? "a patch" : `${patches.length} patches`} of ServiceAccounts (${listed(patches.map(quote), 3)}). Render the package into Git with "ccf render", and list the patches in the kustomization that has the ServiceAccounts.`;
  return [finding("warning", "workload-patch-excluded", message)];
}

// What pods run with stays as it is while the package does not contain what it names. Where the output is the whole of what
// the cluster keeps, it would be deleted.
function undelivered(
  { identity }: ClusterPackage,
  { resource, secretKey = "" }: { readonly resource: Resource; readonly secretKey: string | undefined },
  before: readonly Resource[],
  isWhole: boolean,
): Finding[] {
  if (!isWhole || before.length > 0) return [];
  const message = `what gives its pods the identity ${quote(secretKey)} is missing from the output, because the package does not contain the ID that the cloud assigned. If the output is applied, and a cluster has it, it is deleted there. Add the ID, or the object that contains it, to the input.`;
  return [guardedRemoval(identity, [secretKey], "secret-lost", message, { resource })];
}
