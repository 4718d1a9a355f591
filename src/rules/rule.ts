import type { Location, RuleCode } from "../core/finding.ts";
import { canonicalJson } from "../core/json.ts";
import {
  compareLocations,
  describe,
  type GeneratedObject,
  generatedBy,
  type Resource,
  valueAt,
} from "../core/resource.ts";
import { compareText } from "../core/text.ts";
import type { Identity } from "../identity/cluster-identity.ts";
import { isConfigObject } from "../openshift/config-objects.ts";
import type { RenderedIdentity } from "../permissions/identity.ts";
import type { PolicyDocuments } from "../permissions/policy-documents.ts";
import type { OwnCluster, RoleDefinitions } from "../permissions/terms.ts";
import type { ReleaseFilter } from "../requests/release-filter.ts";
import type { SelectedRequest } from "../requests/select.ts";
import { type CredentialsSecret, credentialsSecrets, type KnownCloud } from "./cloud.ts";
import { type Granted, grantedBy } from "./granted.ts";
import { type Operator, operatorsOf } from "./operator.ts";

/** What is to be checked. */
export interface Subject {
  /** The objects of one package. Objects dumped from a cluster may be among them. */
  readonly items: readonly Resource[];
  /** More objects dumped from a cluster, with or without a uid. */
  readonly live: readonly Resource[];
  /** An install-config in the form of an object. */
  readonly installConfig: Resource | undefined;
  /** The ClusterIdentity, if it exists and is valid. */
  readonly identity: Identity | undefined;
  /** The checked cluster of the ClusterIdentity, unless one of them has errors. Only the rules of its cloud know the form. */
  readonly cluster: object | undefined;
  /** With what FeatureGate objects of the package state. */
  readonly release: ReleaseFilter;
  /** The cluster's cloud. */
  readonly cloud: KnownCloud;
  /** Every cloud: an OLM operator may be for several. */
  readonly clouds: readonly KnownCloud[];
  /** The rendered identities of the package. */
  readonly rendered: readonly RenderedIdentity[];
  /** The documents of managed policies and permissions boundaries that the user passed. */
  readonly documents: PolicyDocuments;
  /** The definitions of roles that the user passed. They take precedence over those that are known. */
  readonly definitions: RoleDefinitions;
  /** What distinguishes the cluster's resources from others. */
  readonly own: OwnCluster;
  /** The issuer that the discovery document in the package names. */
  readonly documentIssuer: string | undefined;
  /** The requests that are included in the cluster. */
  readonly requests: readonly SelectedRequest[];
  /** The keys of Secrets of which it is unknown whether a request names them: what was rendered for them stays. */
  readonly held: ReadonlySet<string>;
  /** The keys of the package's WorkloadIdentities, whether or not they are valid: `<namespace>/<name>`. */
  readonly workloads: ReadonlySet<string>;
  /** What a render would generate for the package now; empty if the ClusterIdentity is missing or invalid. */
  readonly rendering: readonly GeneratedObject[];
  /** Today in UTC, as "2026-01-31"; undefined for a function, which has no clock. */
  readonly today: string | undefined;
}

/** What rules read, prepared once for all of them. Lists do not depend on the order of the input. */
export interface Facts extends Subject {
  /** The package's own objects, without objects dumped from a cluster. */
  readonly items: readonly Resource[];
  /** The permissions that the requests ask for, and those that rendered identities grant beyond that. */
  readonly granted: readonly Granted[];
  readonly secrets: readonly CredentialsSecret[];
  readonly liveSecrets: readonly CredentialsSecret[];
  /** {@link secrets}, and Secrets with a uid in files of the package: they were dumped from a cluster and are in Git. */
  readonly filedSecrets: readonly CredentialsSecret[];
  /** The package's own Authentications named `cluster`; there should be one at most. */
  readonly authentications: readonly Resource[];
  /** The same; if there are none, those with a uid in files of the package. */
  readonly filedAuthentications: readonly Resource[];
  /** The OLM operators whose ClusterServiceVersion is in the package. */
  readonly operators: readonly Operator[];
}

/** Reads the facts. */
export function readFacts(subject: Subject): Facts {
  const { own, live } = partition(subject.items);
  const allLive = [...live, ...subject.live].sort(compareObjects);
  // An object without a file came from a cluster, through a ResourceList, and is not in Git.
  const exported = live.filter(({ path }) => path !== undefined);
  const authentications = own.filter(isAuthentication);
  const { cloud, clouds, documents, release, rendered, requests } = subject;
  const secretsAmong = (items: readonly Resource[]) => credentialsSecrets(items, cloud);
  const secrets = secretsAmong(own);
  return {
    ...subject,
    items: own,
    live: allLive,
    granted: grantedBy(requests, rendered, cloud, documents),
    secrets,
    liveSecrets: secretsAmong(allLive),
    filedSecrets: [...secrets, ...secretsAmong(exported)].sort((a, b) => compareObjects(a.resource, b.resource)),
    authentications,
    filedAuthentications: authentications.length > 0 ? authentications : exported.filter(isAuthentication),
    operators: operatorsOf(own, release, { cloud, clouds, requests }),
  };
}

/** Separates objects dumped from a cluster, which have a `metadata.uid`, from the package's own; both are sorted. */
export function partition(items: readonly Resource[]): { own: readonly Resource[]; live: readonly Resource[] } {
  const sorted = [...items].sort(compareObjects);
  const live = new Set(sorted.filter(isLive));
  return { own: sorted.filter((item) => !live.has(item)), live: [...live] };
}

function isAuthentication(item: Resource): boolean {
  return isConfigObject(item, "Authentication");
}

// Objects may lack a file and appear twice. Then their contents decide the order, not their position.
function compareObjects(a: Resource, b: Resource): number {
  return (
    compareLocations(a, b) ||
    compareText(describe(a), describe(b)) ||
    (isRead(a) ? compareText(canonicalJson(a.value()), canonicalJson(b.value())) : 0)
  );
}

/** Kinds that rules read from a cluster; others are ignored. */
const liveKinds = new Set([
  "Authentication",
  "CloudCredential",
  "ClusterVersion",
  "FeatureGate",
  "MutatingWebhookConfiguration",
  "Namespace",
  "Pod",
  "Secret",
  "ServiceAccount",
]);

/** Kinds that rules read from what an operator author ships. */
const authoredKinds = new Set(["ClusterServiceVersion", "CredentialsRequest", "Deployment", "Subscription"]);

// Of all other objects except bundle ConfigMaps, rules read only the name.
function isRead(item: Resource): boolean {
  return liveKinds.has(item.kind) || authoredKinds.has(item.kind) || item.annotations.has(generatedBy);
}

function isLive(item: Resource): boolean {
  return liveKinds.has(item.kind) && typeof valueAt(item.value(), ["metadata", "uid"]) === "string";
}

/** The input that a rule reads. Without that input it finds nothing. */
export type RuleInput = "package" | "packages" | "live" | "install-config";

/** One violation of a rule. */
export interface Violation extends Location {
  /** What is wrong with the object at this location, and the fix; one line, input values quoted. */
  readonly message: string;
  /** Set if something that cannot be decided may rule it out; the message says what. */
  readonly isUndecided?: true;
}

/**
 * A requirement that holds for every package and every cluster. The rules are in `checks/`, by subject. Its
 * examples, `testdata/rules/<code>/good.yaml` and `bad.yaml`, are documentation and test. They are YAML streams of objects; for
 * the input "install-config" the first document is an install-config, and for "packages" each is a package. Live objects have a `metadata.uid`.
 */
export interface Rule {
  /** Stable: a released rule keeps its code, because users may have accepted it. */
  readonly code: RuleCode;
  /** An error if the cluster certainly will not work or is insecure; a warning if a person should look. */
  readonly severity: "error" | "warning";
  readonly reads: RuleInput;
  /** Off by default: `spec.optionalRules` of the ClusterIdentity turns it on. */
  readonly isOptional?: true;
  /** One sentence. */
  readonly summary: string;
  /** Why a violation is a problem: a paragraph. */
  readonly why: string;
  readonly cure: string;
  /** What it finds is a way to get more permissions than its own. Such a rule reads only {@link Facts.granted}, rendered identities, and what the user passed about them. */
  readonly escalates?: true;
  check(facts: Facts): readonly Violation[];
}
