import type { Finding } from "../core/finding.ts";
import { inPackage, type Resource } from "../core/resource.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import { type Subscriptions, subscriptionsOf } from "../requests/operators.ts";
import { type RequestSelection, type SelectedRequest, selectRequests } from "../requests/select.ts";
import type { Checked, Cloud, Cluster, Published, Scope } from "./cloud.ts";
import { cloudOf, isIdentity, readIdentity } from "./index.ts";
import { type Ownership, ownershipOf } from "./ownership.ts";
import { issuerBefore, type RenderedBefore, renderedBefore } from "./rendered-before.ts";

/** The requests of a cluster, divided between the two functions that generate identities. */
export interface FunctionScope extends Scope {
  /** The requests that the function handles. */
  readonly own: readonly SelectedRequest[];
  /** The requests that the other function handles. */
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

  /**
   * The requests that one of the two functions handles.
   *
   * @param ofOperators those of OLM operators, whose requests the function also completes; otherwise those of the platform.
   */
  scope(ofOperators: boolean): FunctionScope {
    const { requests: selected } = this.selection;
    const kindOf = (request: SelectedRequest) => this.ownership.owners.get(request)?.kind;
    const isOwn = (request: SelectedRequest) =>
      kindOf(request) !== "none" && (kindOf(request) === "operator") === ofOperators;
    const delegated = selected.filter((request) => !isOwn(request) && kindOf(request) !== "none");
    const held = this.held;
    return { selected, held, isOwn, completesRequests: ofOperators, own: selected.filter(isOwn), delegated };
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
