import type { Finding } from "../core/finding.ts";
import { inPackage, isMap, type Resource, type Value, type ValueMap, valueAt } from "../core/resource.ts";
import { compareText } from "../core/text.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import { type Subscriptions, subscriptionsOf } from "../requests/operators.ts";
import { type RequestSelection, type SelectedRequest, selectRequests } from "../requests/select.ts";
import { selectWorkloads, type WorkloadSelection } from "../workloads/select.ts";
import type { Checked, Cloud, Cluster, Published, Scope } from "./cloud.ts";
import { cloudOf, isIdentity, readIdentity } from "./index.ts";
import { type Ownership, ownershipOf } from "./ownership.ts";
import { issuerBefore, type RenderedBefore, renderedBefore } from "./rendered-before.ts";

/** For whom a function generates identities: components of the platform, OLM operators, or workloads. */
export type Users = "platform" | "operators" | "workloads";

/** The requests of a cluster, divided between the functions that generate identities. */
export interface FunctionScope extends Scope {
  readonly users: Users;
  /** The requests that the function handles. */
  readonly own: readonly SelectedRequest[];
  /** The CredentialsRequests that another function handles. */
  readonly delegated: readonly SelectedRequest[];
}

/** What a package is read from: the input of the functions of a run. */
export interface PackageInput {
  readonly items: readonly Resource[];
  readonly functionConfig: Resource | undefined;
  /** Allowances in addition to those of the ClusterIdentity. */
  readonly allowed?: ReadonlySet<string>;
  /** The name that the ClusterIdentity had before, if it was renamed. */
  readonly previousName?: string | undefined;
  /** Files that were found but not read, ready for a message. */
  readonly notRead?: readonly string[];
  /** Files and directories that are excluded as configured, ready for a message. */
  readonly ignored?: readonly string[];
}

/**
 * The package of a cluster, as functions and commands need it: its checked ClusterIdentity, and what follows from it. Each
 * part is read when it is first asked for, and only once.
 */
export class ClusterPackage {
  readonly input: PackageInput;
  readonly identity: Identity;
  readonly cloud: Cloud;
  /** Its name in a list of several packages, as kpt writes it. */
  readonly packagePath: string | undefined;
  /** The objects of the package, without those of other packages in the same list. */
  readonly items: readonly Resource[];
  #cluster: Checked<Cluster> | undefined;
  #selection: RequestSelection | undefined;
  #issuerBefore: Published | undefined;
  #subscriptions: Subscriptions | undefined;
  #ownership: Ownership | undefined;
  #workloads: WorkloadSelection | undefined;

  constructor(identity: Identity, input: PackageInput) {
    this.input = input;
    this.identity = identity;
    this.cloud = cloudOf(identity);
    this.packagePath = identity.resource.packagePath;
    this.items = inPackage(input.items, this.packagePath);
  }

  /** The cluster on its cloud; without a value if the cloud's part of the package has errors. */
  get cluster(): Checked<Cluster> {
    this.#cluster ??= this.cloud.renderer.readCluster(this.identity, this.items);
    return this.#cluster;
  }

  /** The CredentialsRequests that are included in the cluster. */
  get selection(): RequestSelection {
    const { release, tokenPath } = this.identity;
    const { providerKind, merge } = this.cloud;
    this.#selection ??= selectRequests(this.items, release, providerKind, { merging: { merge, tokenPath } });
    return this.#selection;
  }

  /**
   * The keys of the Secrets of which it is unknown whether the release has a request, because that depends on a feature
   * gate: what was rendered for them stays as it is.
   */
  get held(): ReadonlySet<string> {
    const { requests, undecided } = this.selection;
    const included = new Set(requests.map(({ secretKey }) => secretKey));
    return new Set(
      undecided.flatMap(({ isIncluded, secretKey }) =>
        isIncluded || secretKey === undefined || included.has(secretKey) ? [] : [secretKey],
      ),
    );
  }

  /** The Subscriptions of OLM operators. */
  get subscriptions(): Subscriptions {
    this.#subscriptions ??= subscriptionsOf(this.items);
    return this.#subscriptions;
  }

  /** Whether each included request belongs to the platform, to an OLM operator, or to neither. */
  get ownership(): Ownership {
    const { requests } = this.selection;
    this.#ownership ??= ownershipOf(requests, this.subscriptions, this.identity, this.cloud, this.cluster.value);
    return this.#ownership;
  }

  /** The WorkloadIdentities, as requests. */
  get workloads(): WorkloadSelection {
    const { identity, cloud, items } = this;
    this.#workloads ??= selectWorkloads({
      items,
      config: identity.resource,
      rails: identity.workloads as ValueMap | undefined,
      overrides: overridesOf(identity, cloud),
      requests: this.selection.requests,
      cloud: { name: cloud.name, title: cloud.title, ...cloud.renderer.workloads },
    });
    return this.#workloads;
  }

  /** The requests that a function handles. That of OLM operators also completes its requests. */
  scope(users: Users): FunctionScope {
    const { requests } = this.selection;
    // All identities share one account and one package, so names are compared with those of workloads, too.
    const selected = [...requests, ...this.workloads.requests].sort((a, b) =>
      compareText(a.secretKey ?? "", b.secretKey ?? ""),
    );
    const usersOf = (request: SelectedRequest): Users | undefined => {
      if (request.workload !== undefined) return "workloads";
      const kind = this.ownership.owners.get(request)?.kind;
      return kind === "none" ? undefined : kind === "operator" ? "operators" : "platform";
    };
    const isOwn = (request: SelectedRequest) => usersOf(request) === users;
    const delegated = requests.filter((request) => !isOwn(request) && usersOf(request) !== undefined);
    const own = selected.filter(isOwn);
    return { users, selected, held: this.held, isOwn, completesRequests: users === "operators", own, delegated };
  }

  /** The issuer that the package was rendered with, and the IDs of its keys. */
  get issuerBefore(): Published {
    const { name } = this.identity;
    this.#issuerBefore ??= issuerBefore(this.items, [name, this.input.previousName], this.cloud.renderer);
    return this.#issuerBefore;
  }

  /** What a function rendered before for the component identities of the cluster. */
  renderedBy(fn: string): RenderedBefore {
    return renderedBefore(this.items, fn, this.identity, this.input.previousName, this.cloud.renderer);
  }
}

// In an override of the platform, only the names of resources count for a workload.
function overridesOf({ overrides, platform }: Identity, { name, renderer }: Cloud) {
  const ofPlatform = valueAt(platform.spec, ["overrides"]);
  const isMore = (value: Value) =>
    isMap(value) && Object.keys(value).some((field) => !renderer.workloads.names.includes(field));
  return [
    { field: "spec.overrides", keys: Object.keys(overrides) },
    {
      field: `spec.platform.${name}.overrides`,
      keys: Object.entries(isMap(ofPlatform) ? ofPlatform : {}).flatMap(([key, value]) => (isMore(value) ? [key] : [])),
    },
  ];
}

const known = new WeakMap<PackageInput, ClusterPackage | readonly Finding[]>();

/**
 * The package that a function is run on. All functions of a run have the same input, so they share one package, and nothing of
 * it is read or checked twice.
 *
 * @returns the findings if the input has no ClusterIdentity that can be used.
 */
export function clusterPackageOf(input: PackageInput): ClusterPackage | readonly Finding[] {
  const before = known.get(input);
  if (before !== undefined) return before;
  const identity = readIdentity(input.items, input.functionConfig, input.allowed);
  const read = isIdentity(identity) ? new ClusterPackage(identity, input) : identity;
  known.set(input, read);
  return read;
}
