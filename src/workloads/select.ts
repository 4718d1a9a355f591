import { type Finding, finding } from "../core/finding.ts";
import {
  allByKey,
  compareLocations,
  describe,
  generatedBy,
  type Resource,
  refOf,
  type ValueMap,
  valueAt,
} from "../core/resource.ts";
import { compareText, quote } from "../core/text.ts";
import { listed } from "../core/words.ts";
import { requestSubjects } from "../requests/credentials-request.ts";
import type { SelectedRequest } from "../requests/select.ts";
import { withoutFunction } from "./pipeline.ts";
import { misplacedWorkloads } from "./placement.ts";
import { isWorkloadIdentity, readWorkload, type Workload } from "./workload-identity.ts";

/** What decides about the WorkloadIdentities of a package. */
export interface WorkloadContext {
  /** The objects of the package. */
  readonly items: readonly Resource[];
  /** The ClusterIdentity. */
  readonly config: Resource;
  /** `spec.workloads` of the ClusterIdentity; undefined if it is missing. */
  readonly rails: ValueMap | undefined;
  /** The overrides of the ClusterIdentity, and those of its platform, by `<namespace>/<name>`. */
  readonly overrides: readonly { readonly field: string; readonly keys: readonly string[] }[];
  /** The requests that are included in the cluster. */
  readonly requests: readonly SelectedRequest[];
  readonly cloud: CloudOfWorkloads;
}

/** The cloud of a cluster, as far as WorkloadIdentities are concerned. */
interface CloudOfWorkloads {
  readonly name: string;
  readonly title: string;
  providerSpec(section: ValueMap): ValueMap;
  /** What a section asks for outside of the guard rails of the cloud. */
  outside(
    section: ValueMap,
    rails: ValueMap,
  ): readonly { readonly field: string; readonly what: string; readonly name: string; readonly why: string }[];
}

/** The WorkloadIdentities of a package, as requests. */
export interface WorkloadSelection {
  /** Sorted by key. Only those without errors. */
  readonly requests: readonly SelectedRequest[];
  /** What concerns every function: what is in the wrong place, and a pipeline that leaves WorkloadIdentities out. */
  readonly common: readonly Finding[];
  /** The common findings, and what is wrong with WorkloadIdentities. */
  readonly findings: readonly Finding[];
}

/** Reads the WorkloadIdentities of a package, and checks them against the guard rails of its ClusterIdentity. */
export function selectWorkloads(context: WorkloadContext): WorkloadSelection {
  const { items, rails, config } = context;
  const own = items
    .filter(isWorkloadIdentity)
    .sort((a, b) => compareText(keyOf(a), keyOf(b)) || compareLocations(a, b));
  const common = [...misplacedWorkloads(items), ...(own.length === 0 ? [] : withoutFunction(items, own.length))];
  if (own.length === 0) return { requests: [], common, findings: common };
  if (rails === undefined) return { requests: [], common, findings: [...common, ...own.map(withoutRails)] };
  const read = own.map(readWorkload);
  const workloads = read.flatMap(({ workload }) => workload ?? []);
  const judged = workloads.map((workload) => judge(workload, rails, context));
  const findings = [
    ...common,
    ...foreignRails(rails, context.cloud.name, config),
    ...read.flatMap(({ findings }) => findings),
    ...judged.flatMap(({ findings }) => findings),
    ...tooMany(workloads, rails),
    ...sharedAccounts(workloads, context),
    ...takenKeys(own, context),
    ...overridden(workloads, context),
    ...ownAccounts(workloads, items),
  ];
  return { requests: judged.flatMap(({ request }) => request ?? []), common, findings };
}

function keyOf({ namespace, name }: Resource): string {
  return `${namespace}/${name}`;
}

function withoutRails(resource: Resource): Finding {
  const message = `asks for an identity, but the ClusterIdentity does not allow any for workloads. The owner of the cluster adds "spec.workloads" to it, at least: {"namespaces": [${quote(resource.namespace)}]}.`;
  return finding("error", "workload-rails-missing", message, { resource });
}

// The schema has a field for every cloud, because ClusterIdentities are copied.
function foreignRails(rails: ValueMap, cloud: string, resource: Resource): Finding[] {
  const others = Object.keys(rails).filter((name) => !["namespaces", "maxPerNamespace", cloud].includes(name));
  return others.sort(compareText).map((name) => {
    const field = `spec.workloads.${name}`;
    const message = `"${field}" limits nothing, because the cluster is on another cloud. Remove it, or state the guard rails in "spec.workloads.${cloud}".`;
    return finding("error", "workload-rails-foreign", message, { resource, field });
  });
}

function judge(
  workload: Workload,
  rails: ValueMap,
  { items, cloud }: WorkloadContext,
): { readonly request: SelectedRequest | undefined; readonly findings: readonly Finding[] } {
  const { resource, key, delivery, sections, serviceAccounts } = workload;
  const { namespace, name } = resource;
  const section = sections.get(cloud.name);
  const findings = namespaceFindings(resource, rails, items);
  if (section === undefined) {
    const field = `spec.${cloud.name}`;
    const message = `says nothing about ${cloud.title}, the cloud of this cluster. Add ${quote(field)}, or move the object to the package of another cluster.`;
    findings.push(finding("error", "workload-without-cloud", message, { resource, field }));
    return { request: undefined, findings };
  }
  const ofCloud = (rails[cloud.name] ?? {}) as ValueMap;
  findings.push(
    ...cloud.outside(section, ofCloud).map((one) => {
      const field = `spec.${cloud.name}.${one.field}`;
      const message = `asks for ${one.what} ${quote(one.name)}, which the guard rails of the cluster do not allow: ${one.why}. Remove it, or ask the owner of the cluster to extend "spec.workloads" in the ClusterIdentity.`;
      return finding("error", "workload-not-allowed", message, { resource, field });
    }),
  );
  const value: ValueMap = {
    metadata: { name, namespace },
    spec: {
      secretRef: { namespace, name },
      serviceAccountNames: serviceAccounts,
      providerSpec: cloud.providerSpec(section),
    },
  };
  const request = { resource, value, secretKey: key, copies: [], workload: { delivery, section } };
  return { request, findings };
}

// OpenShift's own namespaces, those of Kubernetes, and "default", in which pods of the platform may run.
const reserved = /^(?:openshift|kube)(?:-|$)|^default$/;

function namespaceFindings(resource: Resource, rails: ValueMap, items: readonly Resource[]): Finding[] {
  const { namespace } = resource;
  const refused = (why: string) => [
    finding("error", "workload-namespace", `is in the namespace ${quote(namespace)}, ${why}`, {
      resource,
      field: "metadata.namespace",
    }),
  ];
  if (reserved.test(namespace))
    return refused("which belongs to the platform, so no workload there gets an identity. Use a namespace of a team.");
  if (items.some((item) => isRunLevel(item, namespace)))
    return refused(
      'whose label "openshift.io/run-level" is 0 or 1, so it belongs to the platform, and the webhooks leave it out. Use a namespace of a team.',
    );
  const allowed = rails["namespaces"] as readonly string[];
  if (allowed.some((pattern) => isMatch(pattern, namespace))) return [];
  return refused(
    `which "spec.workloads.namespaces" of the ClusterIdentity does not contain (${listed(allowed.map(quote), 5)}). Ask the owner of the cluster to add it.`,
  );
}

function isRunLevel(item: Resource, namespace: string): boolean {
  if (item.kind !== "Namespace" || item.apiVersion !== "v1" || item.name !== namespace) return false;
  return ["0", "1"].includes(String(valueAt(item.value(), ["metadata", "labels", "openshift.io/run-level"]) ?? ""));
}

/** Whether a pattern, in which `*` stands for any characters, is that of a name. */
function isMatch(pattern: string, name: string): boolean {
  const parts = pattern.split("*").map((part) => part.replace(/[.\\+?^${}()|[\]]/g, "\\$&"));
  return new RegExp(`^${parts.join(".*")}$`).test(name);
}

function tooMany(workloads: readonly Workload[], { maxPerNamespace }: ValueMap): Finding[] {
  if (maxPerNamespace === undefined) return [];
  const byNamespace = allByKey(workloads, ({ resource }) => resource.namespace);
  return [...byNamespace].flatMap(([namespace, all]) => {
    const [first] = all.slice(Number(maxPerNamespace));
    if (first === undefined) return [];
    const message = `is one of ${all.length} WorkloadIdentities in the namespace ${quote(namespace)}, but "spec.workloads.maxPerNamespace" of the ClusterIdentity allows ${maxPerNamespace}. Give service accounts that need the same permissions one WorkloadIdentity, or ask the owner of the cluster for more.`;
    return [finding("error", "workload-limit", message, { resource: first.resource })];
  });
}

// Pods get one identity, so a second one would be useless, or replace the first one.
function sharedAccounts(workloads: readonly Workload[], { requests }: WorkloadContext): Finding[] {
  const owners = new Map<string, Resource>();
  for (const { resource, value } of requests) {
    for (const subject of requestSubjects(value)) owners.set(subject, resource);
  }
  return workloads.flatMap(({ resource, serviceAccounts }) =>
    serviceAccounts.flatMap((name, index) => {
      const subject = `system:serviceaccount:${resource.namespace}:${name}`;
      const other = owners.get(subject);
      owners.set(subject, other ?? resource);
      if (other === undefined) return [];
      const field = `spec.serviceAccounts[${index}]`;
      const message = `names the service account ${quote(`${resource.namespace}/${name}`)}, which already has the identity of ${describe(refOf(other))}. A service account has one identity: remove it from one of them.`;
      return [finding("error", "workload-account-shared", message, { resource, field })];
    }),
  );
}

// The key decides the names in the cloud, and those of files.
function takenKeys(own: readonly Resource[], { requests }: WorkloadContext): Finding[] {
  const owners = new Map(requests.map(({ secretKey, resource }) => [secretKey ?? "", resource]));
  return own.flatMap((resource) => {
    const key = keyOf(resource);
    const other = owners.get(key);
    owners.set(key, other ?? resource);
    if (other === undefined) return [];
    const where = other.path === undefined ? "" : ` in ${quote(other.path)}`;
    const message = isWorkloadIdentity(other)
      ? `appears twice in the package: another object${where} has its namespace and name. Remove or rename one of them.`
      : `has the name of the Secret of ${describe(refOf(other))}${where}, so both would get the same names in the cloud. Rename the WorkloadIdentity.`;
    return [finding("error", "workload-name-taken", message, { resource, field: "metadata.name" })];
  });
}

// What an override changes, the guard rails would not see.
function overridden(workloads: readonly Workload[], { overrides, config }: WorkloadContext): Finding[] {
  const keys = new Set(workloads.map(({ key }) => key));
  return overrides.flatMap(({ field, keys: named }) =>
    named
      .filter((key) => keys.has(key))
      .map((key) => {
        const message = `the override ${quote(key)} in "${field}" is for a WorkloadIdentity, of which an override can only set names in the cloud. Change the WorkloadIdentity, and remove the override.`;
        return finding("error", "workload-override", message, { resource: config, field: `${field}.${key}` });
      }),
  );
}

// Two objects with one name: which one a cluster gets would be chance.
function ownAccounts(workloads: readonly Workload[], items: readonly Resource[]): Finding[] {
  const named = new Map<string, Workload>(
    workloads.flatMap((workload) =>
      workload.delivery === "ServiceAccount"
        ? workload.serviceAccounts.map((name) => [`${workload.resource.namespace}/${name}`, workload] as const)
        : [],
    ),
  );
  return items.flatMap((item) => {
    if (item.kind !== "ServiceAccount" || item.apiVersion !== "v1" || item.annotations.has(generatedBy)) return [];
    const workload = named.get(keyOf(item));
    if (workload === undefined) return [];
    const where = item.path === undefined ? "the package" : quote(item.path);
    const message = `would generate the ServiceAccount ${quote(keyOf(item))}, but ${where} already contains it. Set "spec.delivery" to "Patch", and apply the patch with a kustomization, or remove the ServiceAccount.`;
    return [
      finding("error", "workload-account-exists", message, { resource: workload.resource, field: "spec.delivery" }),
    ];
  });
}
