import { groupOf, listAt, type Resource, textAt, type Value, valueAt } from "../core/resource.ts";
import { requestTokenPath } from "../requests/credentials-request.ts";
import { type Subscriptions, subscriptionAnnotation, subscriptionFor, subscriptionsOf } from "../requests/operators.ts";
import { isOfRelease, type ReleaseFilter } from "../requests/release-filter.ts";
import { type SelectedRequest, selectRequests } from "../requests/select.ts";
import type { KnownCloud } from "./cloud.ts";
import { readWorkload, type Workload } from "./workload.ts";

/** Whether an object is a ClusterServiceVersion of the Operator Lifecycle Manager, of any version. */
function isClusterServiceVersion({ kind, apiVersion }: Resource): boolean {
  return kind === "ClusterServiceVersion" && groupOf(apiVersion) === "operators.coreos.com";
}

/** A Deployment of a ClusterServiceVersion. */
interface InstalledDeployment {
  readonly name: string;
  readonly spec: Value;
  /** The path of the spec. */
  readonly field: string;
}

const install = ["spec", "install", "spec"];

/** The Deployments that a ClusterServiceVersion installs. */
function deploymentsOf(csv: Value): InstalledDeployment[] {
  return listAt(csv, [...install, "deployments"]).map((value, index) => ({
    name: textAt(value, ["name"]),
    spec: valueAt(value, ["spec"]) ?? null,
    field: `${install.join(".")}.deployments[${index}].spec`,
  }));
}

/** Rules that a ClusterServiceVersion grants to a service account (Kubernetes API reference, PolicyRule). */
export interface AccountRules {
  readonly account: string;
  readonly rules: readonly Value[];
}

/** What service accounts are granted in the whole cluster. */
export function clusterPermissionsOf(csv: Value): AccountRules[] {
  return rulesAt(csv, "clusterPermissions");
}

/** What service accounts are granted in the namespaces that the operator is installed for. */
export function namespacedPermissionsOf(csv: Value): AccountRules[] {
  return rulesAt(csv, "permissions");
}

function rulesAt(csv: Value, list: string): AccountRules[] {
  return listAt(csv, [...install, list]).map((value) => ({
    account: textAt(value, ["serviceAccountName"]),
    rules: listAt(value, ["rules"]),
  }));
}

/**
 * Whether an operator can only be installed for all namespaces. If so, the Operator Lifecycle Manager turns its
 * namespaced permissions into cluster roles too (its documentation, "Operator Groups").
 */
export function isForAllNamespacesAlone(csv: Value): boolean {
  const modes = listAt(csv, ["spec", "installModes"]).filter((value) => valueAt(value, ["supported"]) === true);
  return modes.length > 0 && modes.every((mode) => textAt(mode, ["type"]) === "AllNamespaces");
}

const suggestedNamespace = "operatorframework.io/suggested-namespace";

/** The namespaces that a ClusterServiceVersion names, except `placeholder`, which build tools write. */
function namespacesSaid({ namespace, annotations }: Resource): string[] {
  return [namespace, annotations.get(suggestedNamespace) ?? ""].filter((text) => text !== "" && text !== "placeholder");
}

/** A request that an OLM operator ships. */
export interface OperatorRequest {
  readonly resource: Resource;
  readonly cloud: KnownCloud;
  /** The namespace and name of its Secret; "" if they are missing or are not valid names, such as unfilled placeholders. */
  readonly secretNamespace: string;
  readonly secretName: string;
  readonly accounts: readonly string[];
  /** "" if it names none. */
  readonly tokenPath: string;
}

/** An OLM operator: its ClusterServiceVersion, and what belongs to it in the package. */
export interface Operator {
  readonly resource: Resource;
  readonly value: Value;
  /** The namespaces that it is for, as far as they are known. */
  readonly namespaces: ReadonlySet<string>;
  /** Sorted by cloud, Secret and name. */
  readonly requests: readonly OperatorRequest[];
  /** The clouds of requests that could belong to it or to another operator. */
  readonly undecided: ReadonlySet<KnownCloud>;
  /** The workloads of the ClusterServiceVersion in its order, then the Deployments shipped with it. */
  readonly workloads: readonly Workload[];
  /** The service accounts that it is installed with. */
  readonly accounts: ReadonlySet<string>;
}

/**
 * The OLM operators of a package.
 * @param items sorted.
 * @param known every cloud, the cluster's own cloud, and the requests that are included.
 */
export function operatorsOf(
  items: readonly Resource[],
  release: ReleaseFilter,
  known: {
    readonly cloud: KnownCloud;
    readonly clouds: readonly KnownCloud[];
    readonly requests: readonly SelectedRequest[];
  },
): Operator[] {
  const versions = items.filter(isClusterServiceVersion);
  if (versions.length === 0) return [];
  const subscriptions = subscriptionsOf(items);
  const candidates = versions.map((resource) => candidateOf(resource, [...subscriptions.values()].flat()));
  const shipped = known.clouds.flatMap((cloud) => {
    const all =
      cloud === known.cloud
        ? known.requests
        : selectRequests(items, release, cloud.providerKind, { merging: { merge: cloud.merge } }).requests;
    return all.map(({ resource, copies, value, secretKey }): Shipped => {
      const places = [resource, ...copies].map((location) => ({
        request: readRequest(location, value, cloud),
        possible: isReleases(location) ? [] : belongsTo(location, candidates, subscriptions, secretKey),
      }));
      return { cloud, places };
    });
  });
  const others = items.filter((item) => isDeployment(item) || isServiceAccount(item));
  return candidates.map((candidate) => {
    const beside = others.filter((resource) => {
      const possible = belongsTo(resource, candidates, subscriptions, `${resource.namespace}/`);
      return isAlone(possible, candidate) && meets(candidate.namespaces, resource.namespace);
    });
    return readOperator(candidate, shipped, beside);
  });
}

/** A request, each of its copies, and the operators that it may belong to. */
interface Shipped {
  readonly cloud: KnownCloud;
  readonly places: readonly {
    readonly request: OperatorRequest;
    /** Empty if it seems to belong to none of the package's operators. */
    readonly possible: readonly Candidate[];
  }[];
}

function isAlone(possible: readonly Candidate[], candidate: Candidate): boolean {
  return possible.length === 1 && possible[0] === candidate;
}

function candidateOf(resource: Resource, subscriptions: readonly Resource[]): Candidate {
  const installing = subscriptions.filter(
    (subscription) => textAt(subscription.value(), ["spec", "startingCSV"]) === resource.name,
  );
  const namespaces = new Set([...namespacesSaid(resource), ...installing.map(({ namespace }) => namespace)]);
  namespaces.delete("");
  return { resource, namespaces, installing };
}

function readOperator(candidate: Candidate, shipped: readonly Shipped[], beside: readonly Resource[]): Operator {
  const { resource, namespaces } = candidate;
  const value = resource.value();
  const requests: OperatorRequest[] = [];
  const undecided = new Set<KnownCloud>();
  for (const { cloud, places } of shipped) {
    const own = places.find(({ possible }) => isAlone(possible, candidate));
    if (own !== undefined) requests.push(own.request);
    else if (places.some(({ possible }) => possible.length === 0 || possible.includes(candidate))) undecided.add(cloud);
  }
  const workloads = [
    ...deploymentsOf(value).map(({ name, spec, field }) => readWorkload(resource, name, spec, field, namespaces)),
    ...beside.filter(isDeployment).map((resource) => readDeployment(resource, namespaces)),
  ];
  const given = [...clusterPermissionsOf(value), ...namespacedPermissionsOf(value)];
  const accounts = new Set([
    ...[...workloads, ...given].map(({ account }) => account),
    ...beside.filter(isServiceAccount).map(({ name }) => name),
  ]);
  return { resource, value, namespaces, requests, undecided, workloads, accounts };
}

// A release's requests are the platform's, as in `ownerOf`. However, some operators ship requests with a release's annotations.
function isReleases({ annotations }: Resource): boolean {
  return isOfRelease(annotations) && !annotations.has(subscriptionAnnotation);
}

/** Whether a namespace can be one of a set; true if the namespace or the set is unknown. */
export function meets(namespaces: ReadonlySet<string>, namespace: string): boolean {
  return namespace === "" || namespaces.size === 0 || namespaces.has(namespace);
}

function isDeployment({ kind, apiVersion }: Resource): boolean {
  return kind === "Deployment" && apiVersion === "apps/v1";
}

function isServiceAccount({ kind, apiVersion }: Resource): boolean {
  return kind === "ServiceAccount" && apiVersion === "v1";
}

function readDeployment(resource: Resource, namespaces: ReadonlySet<string>): Workload {
  const { name, namespace } = resource;
  const own = namespace === "" ? namespaces : new Set([namespace]);
  return readWorkload(resource, name, valueAt(resource.value(), ["spec"]) ?? null, "spec", own);
}

// Kubernetes, "Object Names and IDs". An invalid name is an unfilled placeholder, or is refused elsewhere.
const objectName = /^[a-z0-9](?:[-.a-z0-9]*[a-z0-9])?$/;

function readRequest(resource: Resource, value: Value, cloud: KnownCloud): OperatorRequest {
  const nameAt = (field: string) => {
    const name = textAt(value, ["spec", "secretRef", field]);
    return objectName.test(name) ? name : "";
  };
  const accounts = listAt(value, ["spec", "serviceAccountNames"]).filter(
    (value): value is string => typeof value === "string" && value !== "",
  );
  return {
    resource,
    cloud,
    secretNamespace: nameAt("namespace"),
    secretName: nameAt("name"),
    accounts: [...new Set(accounts)],
    tokenPath: requestTokenPath(value),
  };
}

/** The workloads of an operator that run as a service account of a request, in the namespace of its Secret. */
export function usersOf({ workloads }: Operator, { accounts, secretNamespace }: OperatorRequest): Workload[] {
  return workloads.filter(
    ({ account, namespaces }) => accounts.includes(account) && meets(namespaces, secretNamespace),
  );
}

/** The token-auth annotation of a ClusterServiceVersion for a cloud; undefined if it is missing. */
export function tokenAuth({ value }: Operator, { tokenAuthAnnotation }: KnownCloud): Value | undefined {
  return valueAt(value, ["metadata", "annotations", tokenAuthAnnotation]);
}

/** A ClusterServiceVersion that something may belong to. */
interface Candidate {
  readonly resource: Resource;
  /** The namespaces that it is for, as far as they are known. */
  readonly namespaces: ReadonlySet<string>;
  /** The Subscriptions that install this version (`spec.startingCSV`). */
  readonly installing: readonly Resource[];
}

/**
 * The ClusterServiceVersions that an object of the package may belong to: exactly one if that can be decided, never a guess.
 * None if a Subscription in a different namespace installs the object's operator. If there is only one ClusterServiceVersion,
 * everything else belongs to it. Among several, these decide in order: the namespace, the shortest distance in the directory
 * tree, the Subscription that installs one of them.
 *
 * @param secretKey `<namespace>/<name>` of the Secret, for a request; the namespace of its Subscription takes precedence.
 */
function belongsTo(
  resource: Resource,
  candidates: readonly Candidate[],
  subscriptions: Subscriptions,
  secretKey: string | undefined,
): readonly Candidate[] {
  const found = subscriptionFor({ resource, value: null, secretKey, copies: [] }, subscriptions);
  const subscription = "severity" in found ? undefined : found;
  const near = candidates.filter(
    ({ namespaces }) => subscription === undefined || namespaces.size === 0 || namespaces.has(subscription.namespace),
  );
  const namespace = subscription?.namespace ?? secretKey?.split("/")[0] ?? "";
  const depth = (candidate: Candidate) => sharedDepth(candidate.resource.path, resource.path);
  const ways: readonly ((all: readonly Candidate[]) => readonly Candidate[])[] = [
    (all) => all.filter(({ namespaces }) => namespaces.has(namespace)),
    (all) => {
      const deepest = Math.max(...all.map(depth));
      return all.filter((candidate) => depth(candidate) === deepest);
    },
    (all) => all.filter(({ installing }) => subscription !== undefined && installing.includes(subscription)),
  ];
  return ways.reduce<readonly Candidate[]>((left, way) => {
    const fewer = way(left);
    return fewer.length === 0 ? left : fewer;
  }, near);
}

/** How many directories two paths share, counted from the package's root; one more if they are the same file. */
function sharedDepth(a = "", b = ""): number {
  const [one, other] = [a.split("/"), b.split("/")];
  const differing = one.findIndex((name, index) => name !== other[index]);
  return differing < 0 ? one.length : differing;
}
